"""What an owner's message is after, by the words of the message alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from core.brain.questions import ConcernBrief, PersonBrief
from core.brain.rules.asked import Reach, reach
from core.brain.rules.names import PERSON
from core.brain.rules.text import any_of, fold, shared, without_quotes
from core.patterns import lazy
from core.timetalk import TimeKind, parse


class Intent(StrEnum):
    """The things that an owner may be after."""

    CHAT = "chat"
    DELEGATE = "delegate"
    REMIND = "remind"
    SCHEDULE = "schedule"
    EXPECT = "expect"
    STATUS = "status"
    CANCEL = "cancel"
    AMEND = "amend"


# Asks for a view, an explanation, a text or a fact: answered in the conversation, whoever is named in it.
OPINION = any_of(
    r"""
    你觉得|你认为|你怎么看|你说(?:说|他|她|这|我|是|咱)|你看(?:行|成|怎么|呢)|你感觉|靠不?靠谱
    给?你?(?:帮我)?(?:分析|解释|评价|点评)(?:一?下|分析|解释)|怎么(?:样才|写|弄|设|回他|做比较)|(?:什么|啥)意思|翻译
    帮我(?:写|起草|润色|总结|算)|总结(?:一?下|下)|一般(?:都)?怎么|能不能教|讲个|是什么(?:[?]|$)
    \bwhat do you (?:think|make)|\bdo you (?:think|reckon)|\byour (?:take|view|opinion)|\bin your opinion
    \bhonestly,|\bexplain\b|\btranslate\b|\bsummari[sz]e\b|\bwhat does .{1,40} mean|\bdraft (?:me |a )|\bwrite me\b
    \bproofread|\bhow (?:do|does|would) (?:i|you|one|this|it|the)\b|\bshould i\b|\bis it (?:normal|worth|ok)
    \bwhat'?s the (?:difference|best)|\bhow many .{0,20} are there in\b
    """
)
CANCEL = any_of(
    r"""
    ^停(?:一?下|下来|吧|了|掉)?\W*$|^stop\W*$
    不用(?:再)?(?:去)?(?:问|催|找|等|管|跟|查|盯|发|提醒|叫|了$)
    (?:以后|都|先)?别(?:再)?(?:问|催|盯|发|等|管|跟|找|提醒|叫)[^,。!?]{0,6}了|都?别(?:再)?(?:问|催|盯|管|跟)了?$
    取消(?:吧|掉|了|$|,|。)|先停|停了?吧|停掉|停一停|先放|免了|不等了|不问了|不要了|不催了|不查了|不需要了|作罢|撤了
    撤掉|当我没(?:说|问)|没必要(?:再)?(?:问|催|跟)|(?:^|,|。)算了|算了(?:吧|啊)?$|到此为止
    \bforget (?:it|about|that|the)|\bnever ?mind|\bnvm\b|\bdrop (?:it|the|that)|\bcancel
    \bcall (?:it|that|the .{1,20}) off|\bstop (?:asking|chasing|that|it|the|sending|bothering|following)
    \bno (?:need|longer)|\bdon'?t (?:bother|chase|ask|worry about|need)|\bleave it\b|\byou can stop
    \bscrap (?:it|that|the)|\bkill (?:it|that|the)\b|\bcall off
    """
)
AMEND = any_of(
    r"""
    挪|往[前后]|次数|(?:少|多)(?:点|催|问)|别太|语气|改(?:成|到|为|在|一下|问|约)|换(?:成|到|个|一?下|[^,。]{0,4}问)
    不(?:着)?急了|没那么急|(?:变|很|更)?急了|提前到|推迟?到|延(?:到|期)|顺延|放宽|再加(?:上|一)
    (?:也|顺便)(?:一起|一块)?问|更正|补充(?:一[下点句])?|期限|应该是|不是[^,。]{1,10}[,，]?\s*是|优先级|加急
    \bmake it\b|\binstead\b|\bmove (?:it|that|the)|\bmoved to\b|\bpush (?:it|that|the)|\b(?:can|could) wait\b
    \burgent\b|\bno (?:stress|rush|hurry)\b|\bi need it by\b|\bchange (?:it|that|the)\b|\bswitch\b|\balso ask\b
    \bcorrection\b|\bi meant\b|\badd\b|\bbring (?:it|that) forward|\bpostpone
    """
)
STATUS = any_of(
    r"""
    怎么说的?(?:$|[,，\s])|原话|眉目|着落|下文|回了(?:什么|啥)|怎么样了|咋样了?|如何了|什么情况|啥情况|啥状况|进展
    进度|回(?:复|信|话|音|你|我)?了?(?:没|吗|么|嘛)|还没回|没回(?:我|你)
    有(?:信儿|消息|回音|结果|动静|回复|下文)(?:了)?(?:没|吗|么)
    (?:问|说|催|联系)(?:到|了|得|过|上)?了?(?:没有?|吗|么)|到哪(?:一步|了)|办(?:得|到)|有没有(?:回|消息|结果|信)
    谁(?:还)?没|还差谁|都谁|在(?:跟|等)(?:什么|哪些|谁)|手头|手上|挂着|没结|(?:几|多少|哪些)件|搞定了?(?:没|吗)
    \banything (?:back|from|new|yet|heard)\b|\bany (?:news|update|word|luck|answer|reply|progress)|\bsome news\b
    \bstatus\b|\bhow(?:'s| is| are| did) .{1,40}(?:going|coming|looking|doing)|\bheard (?:back|anything|from)
    \bhear back|\bwho (?:hasn'?t|has|still|else|did|haven'?t)|\bwhere (?:are|do) (?:we|things|you)
    \bdid (?:you|he|she|they|\w+) (?:ever |get |hear|ask|answer|reply|come back|respond|manage|say)
    \bhave you (?:asked|heard|reached)|\b(?:has|have) .{1,30}(?:replied|answered|responded|got back|come back)
    \bwhat(?:'s| is) (?:going on|happening|open|outstanding|pending)|\bupdate me\b|\bcatch me up
    \bwhat are you (?:working|chasing|waiting)|\bwhat did .{1,20} say
    """
)
# Words to be worked on: whatever stands in them is text, not a wish.
TRANSFORM = any_of(
    r"""
    翻译|译成|翻成|翻一下|用英[文语](?:怎么)?说|润色|改写|校对
    \btranslate\b|\bput (?:this|it|that) in(?:to)?\b|\bproofread|^(?:please |can you |could you |pls )*rewrite\b
    \brewrite (?:this|it|that|my)\b|\brephrase\b|\bhow do (?:i|you) say\b
    """
)
REMIND_ME = any_of(
    r"""
    (?:提醒?|喊|叫|闹)(?:一?下|一?声)?(?:我|老子)(?!妈|爸|老婆|媳妇|老公|妹|弟|哥|姐|们)|记得(?:叫|喊|提醒)我
    别让我忘了|闹钟|给我(?:提个醒|设个?)|到点(?:喊|叫|提醒)
    \bremind me\b|\bwake me\b|\bgive me a (?:nudge|shout|reminder|poke)|\bdon'?t let me forget
    \breminder (?:for me|to)|\bset (?:a |an )?(?:reminder|alarm)|\b(?:nudge|ping|poke|buzz) me\b
    """
)
_TELL_ME = lazy(r"(?:跟|和)我说|告诉我|通知我|\b(?:tell|text|message|alert) me\b")
REMIND_OTHER = lazy(r"提醒|记得(?:喊|叫)|喊一声|\b(?:remind|nudge|poke)\b")
# If something does not come, then do something: a standing look-out.
EXPECT = any_of(
    r"""
    没[^,。\s]{1,4}(?:的)?[,，\s]?(?:你)?(?:马上|就|立刻|赶紧|去|直接)+(?:报|追|催|找|问|叫|告诉|通知|ping)
    (?:没|未|不)(?:有)?[^,。]{0,10}(?:你|第一时间|马上|立刻|再)*(?:提醒我|告诉我|通知我|跟我(?:说|讲)|喊我|叫我)
    (?:没|未|不)(?:有)?[^,。]{0,8}(?:的话)?[,，\s]?(?:你)?就[^,。]{0,8}(?:催|问|告诉|提醒|喊|叫|说|追|找|通知|跟我|跟一跟|ping|call)
    盯着(?!我)|盯一下|盯住|盯紧|要是没|如果没|哪天没|到(?:点|时候?)[^,。]{0,6}没
    每[天周月晚早日][^,。]{0,20}(?:要|得|必须|应该)[^,。]{0,4}[发交给报]|立个规矩|凡是|一旦|超过[^,。]{1,10}没
    以后[^,。]{1,20}就
    (?:^|[.,;!?-] *|\band )if (?:there'?s|it'?s|it|he|she|they|nothing|not|\w+) .{0,40}(?:n'?t|not|nothing|no\b|miss|late)
    \bno \w+,? then (?:push|chase|ask|tell|ping|call)|\b(?:go|get) after (?:him|her|them)\b.{0,30}n'?t
    \bplease watch\b|\bif (?:nothing|not)\b|\bkeep an eye|\bwatch (?:for|out|that)|\bshout if\b|\bchase if\b
    \bfrom now on\b|\bunless\b|\blet me know if .{0,30}(?:n'?t|not)
    """
)
# Somebody has given a date: worth looking out for, where nothing is asked.
_PROMISED = any_of(
    r"""
    答应(?:了|过)?|说好了?|承诺
    \bsupposed to\b|\bpromised?\b|\bexpect(?:ing)?\b.{0,30}\bby\b|\b(?:is|are) due\b
    \bhas to be\b.{0,50}\b(?:by|before)\b
    """
)
_HYPOTHESIS = lazy(r"要是让|如果让|假如|万一|\bif i (?:ask|tell|let)|\bsuppose\b|\bwhat if\b|\bif we (?:asked|let|had)")
# A wish to have somebody contacted, also where the name is not known here.
HINT = any_of(
    r"""
    (?:帮我|帮忙|替我|麻烦|劳烦|给我|请你|你去|去|你)(?:再|先|也)?(?:问|联系|通知|转告|告诉|催|找|叫|约|跟|和|打听|核实|确认|了解|要一|请|喊|给)
    (?:^|[,。!?\s])提醒(?!我|老子|自己)|(?:^|[,。!?\s])(?:问|联系|通知|转告|告诉|催|找|叫|让|约|跟|请|喊)(?!题|候|我|他说|你|于|上|近|巧|步|整|座|到|子|客)
    问(?:一?下|一?声|问|清楚|他|她)|知会|打个招呼|拉上
    \b(?:ask|tell|ping|poke|nudge|remind|chase|email|text|message|contact|call|check with|find out (?:from|if|when|whether|what|who)|get (?:a )?hold of|reach out|follow up with|let \w+ know|speak to|talk to|have \w+ (?:send|do|sign|wire|pay)|get \w+ (?:to|on))\b
    \bneed .{1,60} from\b
    """
)
_AGAIN_WORDS = r"每(?:天|周|月|晚|早|日|个(?:月|星期|礼拜|周))|\bevery\b"
# Wider still, for the judge, who does not know the directory: the extractor, who does, decides.
# Several steps of one piece of work: one goal, for the bot itself.
STEPS = lazy(r"先.{1,20}[,，]?(?:再|然后).{1,20}|\bfirst\b.{1,40}\bthen\b")
LEAN = any_of(
    rf"""
    {STEPS.pattern}
    {HINT.pattern}|{_AGAIN_WORDS}
    (?:问|找|催|联系|通知|转告|知会|喊|约)(?!题|候|我|号)
    (?:叫|让|跟|给|请)[一-龥]{{2,4}}(?:把|去|来|发|说|讲|做|要|交)|那边|去问
    \b(?:have|get|let|from|email|post|send|call|need|need(?:s|ed)|owes?)\s|(?:^|[,.;!?]\s*|\bso )[a-z]+:\s
    """
)


def intent_of(
    text: str,
    now: datetime,
    people: Sequence[PersonBrief] = (),
    concerns: Sequence[ConcernBrief] = (),
    self_id: str = "",
) -> tuple[Intent, Reach]:
    """The intent, and whom the message would reach if it is one that reaches people."""
    own = fold(without_quotes(text))
    found = reach(text, people, self_id)
    return _decide(own, text, now, found, concerns), found


def _decide(own: str, text: str, now: datetime, found: Reach, concerns: Sequence[ConcernBrief]) -> Intent:
    if TRANSFORM.search(own):
        return Intent.CHAT
    if concerns and is_amend(own, concerns, found):
        return Intent.AMEND
    if is_cancel(own, found):
        return Intent.CANCEL
    if found.anybody and _SEE_TO_IT.search(found.masked.folded):
        return Intent.DELEGATE
    if EXPECT.search(own) and not re.match(r"(?:帮我|麻烦)?(?:问|提醒我)", own):
        return Intent.EXPECT
    if REMIND_ME.search(own) and not _how_to(own):
        return Intent.REMIND
    if OPINION.search(own) and (_HYPOTHESIS.search(own) or not found.anybody):
        return Intent.CHAT
    if (STATUS.search(own) or (concerns and _DID_THEY.match(found.masked.folded))) and not _asks(own, found):
        return Intent.STATUS
    if _PROMISED.search(own) and not _asks(own, found):
        return Intent.EXPECT
    if found.anybody and not _HYPOTHESIS.search(own):
        return _contact(own, text, now, found)
    if _TELL_ME.search(own) and any(t.kind == TimeKind.moment for t in parse(own, now)):
        return Intent.REMIND
    if HINT.search(own) and not OPINION.search(own):
        return _contact(own, text, now, found)
    return Intent.CHAT


# "盯一下张三，让他今天提测": a deed, now; a standing look-out says what must not be missing.
_SEE_TO_IT = lazy(
    rf"(?:盯|跟)(?:一?下|着|紧|住)?\s*{PERSON}[^,。]{{0,3}}[,\s]*(?:让|叫|要)[他她](?!.{{0,20}}(?:没|不)[^,。]{{0,6}}就)"
)
_DID_THEY = lazy(rf"{PERSON}(?:那边)?[^,。]{{0,8}}了(?:没|没有|吗)[?]?$|(?:did|has|have) {PERSON} [^,.]{{0,40}}[?]?$")


def _how_to(own: str) -> bool:
    return bool(re.search(r"怎么(?:弄|设|用)|能设成|是不是可以|\bhow do\b|\bcan you (?:even|actually)", own))


def _asks(own: str, found: Reach) -> bool:
    """A plain order to ask somebody, whose question may look like one about where things stand."""
    return bool(
        found.anybody
        and re.search(
            (
                r"(?:帮我|替我|麻烦|去|你)(?:再)?(?:问|催|跟|找|联系)|^(?:再)?(?:问|催|找|联系)|问(?:问|一?下|一?声|"
                r"他|她)|打个?电话|\bask\b|\bcheck with\b|\bfind out\b|\bchase\b"
            ),
            own,
        )
        and not re.search(r"问了没|问到|问得|asked|ever get round", own)
    )


_ORDER_FIRST = lazy(
    r"(?:帮我|替我|麻烦|你)(?:去|再)?(?:问|找|跟|催|约)|知会|通知|转告|(?:^|[,。])告诉|\b(?:tell|ask|let \w+ know)\b"
)


def is_cancel(own: str, found: Reach) -> bool:
    """Something under way is to stop. Not where an order comes first: then the word belongs to what is ordered."""
    hit = CANCEL.search(own)
    if hit is None:
        return False
    if _THAT_ONE_STOPS.search(own):
        return True
    if _ORDER_FIRST.search(own[: hit.start()]):
        return False
    if not found.ids or found.weak:
        return not found.unknown or not re.match(r"(?:帮我|麻烦)?问", own)
    turn = re.search(r"算了|不对|actually|scratch that", own)
    if turn and any(start >= turn.end() for start, _ in found.spans):
        return False
    return False


_THAT_ONE_STOPS = lazy(
    r"[那这](?:个|件)?(?:事儿?)?[^,。]{0,4}(?:先停|取消|免了|撤|不用(?:再)?[问催管]|别(?:再)?[问催管])|一件都别|"
    r"全撤|都(?:别|不用)(?:再)?[问催管]|全部?(?:取消|停)"
)
_REPLACED = lazy(r"换[^,。]{1,6}(?:问|去|来|找)|改(?:问|找)|\binstead\b")


# "跟张三说不急": how soon, of what is asked of them already.
_NO_HURRY = lazy(
    rf"^(?:跟|和|告诉|通知){PERSON}(?:说|讲)?(?:一?声)?[,\s]*(?:这事)?(?:不(?:着|用|太)?急|慢慢来|尽快|快一?点|抓紧|加急)[^,。]{{0,4}}$"
)
_ASKS_HIM_TOO = lazy(r"^(?:补充|另外|顺便|对了|再|还有|哦对)[^。]{0,8}(?:问|跟)(?:一下)?(?:他|她|他们)")


_TELL_HIM = lazy(r"(?:跟|告诉|提醒|让)(?:他|她)们?|\b(?:tell|ask|remind) (?:him|her|them)\b")


def is_amend(own: str, concerns: Sequence[ConcernBrief], found: Reach) -> bool:
    """Adds to or corrects something open: a word of change, and a word that one of them has too."""
    if _TELL_HIM.search(own) and not found.ids and any(shared(own, c.title) for c in concerns):
        return True
    if _NO_HURRY.search(found.masked.folded):
        return True
    if not AMEND.search(own) or (CANCEL.search(own) and not _REPLACED.search(own)):
        return False
    if HINT.match(own) and found.anybody and not found.weak and not re.search(r"别(?:找|问)|换|改|少|instead", own):
        return False
    if _ASKS_HIM_TOO.search(own) and not found.ids:
        return True
    related = any(shared(own, f"{c.title} {c.goal}") for c in concerns)
    return related or (len(own) <= 40 and len(concerns) == 1 and not re.match(r"(?:帮我|麻烦)", own))


_AGAIN = any_of(
    r"""
    每(?:天|周|月|晚|早|日|隔|年|次|个(?:月|星期|礼拜|周|工作日|季度))|(?<!一)天天|工作日
    \bevery\b|\beach (?:day|week|morning|monday)|\bdaily\b|\bweekly\b|\bfor the next \w+ (?:days|weeks)
    \bevery other\b
    """
)
_AFTER = any_of(
    r"""
    散了(?:会)?[^,。]{0,4}(?:就|再)?问|等[^,。]{1,10}(?:再|就)(?:去)?问
    \bonce .{3,40}\b(?:ask|tell)\b|\bafter the .{3,30}\bask\b
    \bwhen .{3,30} (?:ends|is over|arrives|lands),? (?:ask|tell)
    """
)
_FINE = ("minute", "second", "part", "hour")


def _contact(own: str, text: str, now: datetime, found: Reach) -> Intent:
    """Somebody is contacted: now, at a time, or again and again?"""
    plain = re.match(r"(?:帮我|麻烦)?问", own)
    times = parse(without_quotes(text), now)
    if not plain and (_AGAIN.search(own) or any(t.kind == TimeKind.recurrence for t in times)):
        return Intent.SCHEDULE
    first = min((s for s, _ in found.spans), default=len(own))
    lead = [t for t in times if t.pos[0] < first and (t.kind == TimeKind.moment and t.grain in _FINE)]
    # "tell Tom I won't be in tomorrow": the day is in the message.
    told = re.search(
        rf"\b(?:tell|inform|let) {PERSON}(?: know)?,? (?:that )?(?:i|we|the|he|she|it|there|my|our|they|this)\b",
        found.masked.folded,
    )
    trailing = (
        []
        if told
        else [
            t
            for t in times
            if t.kind == TimeKind.moment
            and t.pos[1] >= len(own) - 2
            and re.match(r"(?:on|at|tonight|tomorrow)\b", own[t.pos[0] :])
        ]
    )
    before = [t for t in times if t.pos[0] < first and t.kind in (TimeKind.moment, TimeKind.deadline, TimeKind.span)]
    if REMIND_OTHER.search(own) and (before or trailing):
        return Intent.REMIND
    if lead or trailing or _AFTER.search(own):
        return Intent.SCHEDULE
    return Intent.DELEGATE
