"""Does something that happened or was said show that an awaited thing has come? By words, in doubt not.

What is awaited is put in somebody's own words (「发日报」, 「部署完」, 「客户那边有没有消息」, "the deploy is done"). Names, verbs of
handing over and empty words are taken out of them; what is left is the topic, and a statement must speak of it. An
expectation or a condition must have happened: what is denied, put off, promised, doubted or asked does not show it. Of
a watched thing any statement is news, unless it denies the very thing (「没有差评」).
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

from core.brain.questions import Awaited, AwaitedEvent, MatchEvent
from core.brain.rules.replies import reply
from core.brain.rules.replies.evidence import satisfied
from core.brain.rules.replies.parts import Part, is_shaky, parts_of
from core.brain.rules.replies.put_off import HANDED_ON, HEARSAY, puts_off
from core.brain.rules.words.goal import Want
from core.brain.rules.words.signs import CANNOT, HEDGE, IGNORANT, NOT_DONE, is_done
from core.brain.rules.words.text import CJK, any_of, clauses, fold, grams, made_of, sentences, squeezed
from core.patterns import lazy

# How often, how soon, whether at all: it says nothing of what it is about.
_FRAME = any_of(
    r"""
    每(?:天|日|周|月|次|晚|早|个?工作日)|按时|及时|准时|定时|务必|记得
    有没有|有无|是否|是不是|会不会|能不能|什么时候|有什么|有啥|任何|关于|相关|这?方面|[那这]边
    (?:新|什么)?(?:消息|动静|情况|进展|反应|反馈|信儿|音讯|回音|下文|变化)|到[^,。到]{0,4}(?:群里?|邮箱|桌上|系统里?|网盘|[那这]里)
    \b(?:send|sends|sent|submit\w*|hand(?:s|ed)? in|deliver\w*|share[sd]?|post(?:s|ed)?|upload\w*|file[sd]?|writ\w+|give[sn]?|bring\w*|do|does|done|get|gets|got)\b
    \b(?:every|each|daily|weekly|on time|any|anything|news|word|updates?|sign|signs|whether|about|from|back|is|are|has|have|been|finish\w*|complete\w*|over|ready|success\w*|passe?[sd]?|pass)\b
    """
)
# Verbs of doing and handing over, before and after the thing itself.
_HANDING = lazy(
    r"^(?:(?:要(?![求点闻])|得(?!分|奖)|应该?|必须|需要)(?=[一-龥]{2})|(?:提交|上[交传]|发送|发(?![票布现言货车])|交(?![接通付易流代])|传(?![真单])|[寄送递填补拿弄搞]"
    r"|转(?![正账])|写(?!字)|办(?!公)|做(?!账)|报(?![告表价销名备纸账]))(?:一下|[好完到上来出])*(?=[一-龥]))"
)
_HANDED = lazy(
    r"(?<=[一-龥])(?:(?:提交|上[交传]|[发交传寄送给写做弄办])?(?:[过上出]来|出去|[好完到上])?|完成|结束|成功|通过|[之以]?后|时候?)$"
)
# Somebody gets back, whatever they say.
_ANSWERS = any_of(
    r"""
    (?:回复?|答复|回话|回信|回音|回消息|回我|回你|吭声|有(?:回音|答复|消息|回复|信)|给(?:了)?(?:答复|回复|准信|回话|准话)|说了?(?:$|[^一-龥]))
    \b(?:repl(?:y|ies|ied)|answer(?:s|ed)?|get(?:s)? back|got back|respond(?:s|ed)?|hear(?:d)? (?:back )?from|write(?:s)? back|wrote back)\b
    """
)
# They say yes to it.
_CONSENTS = lazy(
    r"同意|答应|批准|批了|点头|确认|\b(?:agree[sd]?|approve[sd]?|accept(?:s|ed)?|confirm(?:s|ed)?|sa(?:ys|id) yes|ok(?:ay)?s)\b"
)
_EMPTY = any_of(
    r"""
    [都也就再的了过把被和跟与及或吧呢啊吗嘛么我你您他她它们给]|老板|如果|要是|只要|一旦|(?:这|那)个?|还(?=没|有|是)|已经?|在(?=[一-龥])
    """
)
_NEGATED = lazy(
    r"没|未(?!来)|不(?!错|过|好意思|客气|同|断|仅|只|但|少|用谢)|别(?!的|人)|无(?!锡|线|论|人机)|忘|\b(?:not|never|no|none|nothing|without|forgot)\b|n't\b"
)
_FINISHED = lazy(
    r"完(?!全|善|整|美)|好了?|了|成功|通过|结束|到位|上线|合并|\b(?:done|finish\w*|complete\w*|merged|deployed|released|passed|success\w*|live|ready|(?<!send )(?<!hand )(?<!bring )(?<!pass )over|arrived|closed)\b|\w{3,}ed\b"
)
_FAILED = lazy(r"失败|未通过|报错|回滚|取消|关闭|\b(?:fail\w*|error\w*|cancel\w*|abort\w*|reject\w*|rolled back)\b")
_BEGUN = lazy(r"开始|正在|进行中|打开|新建|\b(?:start(?:s|ed|ing)?|running|pending|opened|in progress|ongoing|draft)\b")
# 「在部署了」: at it, where the end is awaited.
_AT_IT = lazy(
    r"(?:^|[已经正还都也我们])在(?!附件|群|邮|桌|这|那|网|系统|文件|盘)[一-龥]{1,4}?(?:了|着|呢|中)?$|\b(?:is|am|are|'s|'m|'re) \w+ing\b"
)
_TO_COME = lazy(
    r"快[一-龥]{0,4}了|就要|马上|即将|预计|计划|打算|准备|\b(?:about to|nearly|almost|soon|planned|scheduled)\b"
)
_NOTHING = lazy(
    r"没(?:有|什么|啥|任何)*新?(?:消息|动静|情况|进展|反应|反馈|信儿|音讯|回音|下文|变化)|\b(?:no|without) (?:\w+ )?(?:news|word|updates?|sign)\b|\bnothing (?:new|yet)\b"
)
# Nothing but that it is done: of what, the moment tells.
_BARE_DONE = any_of(
    r"""
    已经?|刚刚?|我|都|发|交|传|寄|送|给|你|过去|出去|上去|好|完|了|啦|哈|的|弄|做|搞定
    done|sent|finished|submitted|uploaded|just|already|ive|its|it|is|i
    """
)
_HEADING = lazy(r"\s*(?!关于|about\b)(?P<head>[^:,。!?\n]{1,30}(?<!\d))(?::(?!//)|\n)(?P<rest>.*)", re.DOTALL)
_RECEIVED = any_of(
    r"""
    收到|看到|拿到|给我|(?:发|交|传|寄|送|报|做|弄|办|写)(?:给我|好|完|过来|过)?了|有了|到了|来了|齐了
    \b(?:got|received|have (?:it|them|his|her|the)|saw|came|arrived|sent|did|done|handed)\b
    """
)

CONTENT = 8
"""Characters after a heading that make a message the thing itself, not a word about it."""


def match_event(q: MatchEvent) -> Awaited:
    """The ids of what it shows, in the order in which they are awaited."""
    return Awaited(item_ids=tuple(item.item_id for item in q.awaited if _is_met(q, item)))


def _is_met(q: MatchEvent, item: AwaitedEvent) -> bool:
    named = bool(item.who) and fold(item.who) in fold(q.text)
    if item.who and fold(item.who) != fold(q.who) and not (named and (not q.who or item.kind == "watch")):
        return False
    if item.kind == "watch":
        return is_news(q.text, item.what, item.who)
    if item.kind == "condition" and item.who and not q.happened:
        if answer_awaited(item.what, item.who) == frozenset():
            return is_said(q.text)
        if _CONSENTS.search(fold(item.what)) and satisfied(Want.CONSENT, q.text, q.now, item.what):
            return True
    if item.kind == "expectation" and len(q.awaited) == 1 and is_bare_done(q.text):
        return True
    return shows(q.text, item.what, item.who, happened=q.happened)


# --- what is awaited ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def topic_of(what: str, who: str = "") -> frozenset[str]:
    """What the words are about: pieces of Chinese, stems of Latin words and numbers; empty where nothing in particular."""
    folded = fold(what)
    if who:
        folded = folded.replace(fold(who), " ")
    plain = _FRAME.sub(" ", folded)
    latin = frozenset(g for g in grams(plain) if not CJK.search(g))
    pieces = {_bared(p) for p in re.split(r"[^\u3400-\u9fff]+", _EMPTY.sub(" ", plain))}
    return latin | {p for p in pieces if len(p) >= 2} or frozenset(p for p in pieces if p)


def _bared(piece: str) -> str:
    """Without the verbs before and after it."""
    left = _HANDED.sub("", _HANDING.sub("", piece))
    return left if left == piece else _bared(left)


def answer_awaited(what: str, who: str = "") -> frozenset[str] | None:
    """What the answer that is awaited is to be about, empty for any answer; None where no mere answer is awaited."""
    folded = fold(what)
    return topic_of(_ANSWERS.sub(" ", folded), who) if _ANSWERS.search(folded) else None


def _speaks_of(text: str, term: str) -> bool:
    """Whether a folded text has the term: as it stands, its last word, or most of it; 货到 is in 货已经到了."""
    if not CJK.search(term):
        return term in grams(text)
    if term in text:
        return True
    if len(term) == 2:
        return re.search(rf"{term[0]}[^,。;!?]{{1,3}}{term[1]}", text) is not None
    pairs = [term[n : n + 2] for n in range(len(term) - 1)]
    return len(term) > 2 and (pairs[-1] in text or sum(p in text for p in pairs) * 2 >= len(pairs))


def speaks_of(text: str, topic: frozenset[str]) -> bool:
    """Whether a text has any of the topic's terms."""
    return bool(_found(fold(text), topic, 1))


def _found(text: str, topic: frozenset[str], needed: int) -> list[str]:
    found = [term for term in topic if _speaks_of(text, term)]
    return found if len(found) >= needed else []


# --- what shows it ------------------------------------------------------------------------------------------------


def shows(text: str, what: str, who: str = "", *, happened: bool = False) -> bool:
    """Whether a statement says that `what` has happened. `happened`: an event, which did, whatever its tense."""
    topic = topic_of(what, who)
    if not topic:
        return False
    needed = math.ceil(len(topic) / 2)
    finished = bool(_FINISHED.search(fold(what))) and not happened
    denies = bool(_NEGATED.search(fold(what)))
    if happened:
        folded = fold(text)
        return bool(_found(folded, topic, needed)) and not _is_not_it(folded, fold(what))
    return _is_the_thing(fold(text), topic, needed) or any(
        _found(part.own, topic, 1)
        and _found(part.sentence, topic, needed)
        and (not finished or (_FINISHED.search(part.own) is not None and not _AT_IT.search(part.own)))
        and (denies or not _is_open(part))
        for part in parts_of(text)
    )


def _is_the_thing(folded: str, topic: frozenset[str], needed: int) -> bool:
    """「今天日报：1. …」: the thing stands as a heading, and what follows is long enough to be its content."""
    heading = _HEADING.match(folded)
    return (
        heading is not None
        and bool(_found(heading["head"], topic, needed))
        and len(squeezed(heading["rest"])) >= CONTENT
    )


def _is_not_it(folded: str, what: str) -> bool:
    """An event that tells of a failure or a beginning, where something else was awaited."""
    return any(sign.search(folded) and not sign.search(what) for sign in (_FAILED, _BEGUN))


def _is_open(part: Part) -> bool:
    """Denied, put off, promised, doubted or handed on: it has not happened by these words."""
    own = part.own
    if _NEGATED.search(own) or CANNOT.search(own) or reply.REFUSED.search(own) or IGNORANT.search(own):
        return True
    if is_done(own):
        return any(sign.search(own) for sign in (_TO_COME, _FAILED, HEDGE))
    signs = (_TO_COME, NOT_DONE, HANDED_ON, HEARSAY, _BEGUN, _FAILED)
    return (
        is_shaky(part)
        or any(sign.search(own) for sign in signs)
        or reply.promises(own)
        or reply.has_later(own)
        or puts_off(own)
    )


def is_news(text: str, what: str, who: str = "") -> bool:
    """Whether a statement tells anything of a watched thing; with no thing in particular, any statement of that person."""
    if _NOTHING.search(fold(text)):
        return False
    topic = topic_of(what, who)
    if not topic:
        return is_said(text)
    return any(_is_told(fold(clause), topic) for sentence in _stated(text) for clause in clauses(sentence))


def _stated(text: str) -> list[str]:
    """The sentences that ask nothing; a complaint is news too."""
    return [s for s in sentences(text) if not s.endswith(("?", "？")) and not reply.asks(s)]


def _is_told(own: str, topic: frozenset[str]) -> bool:
    found = _found(own, topic, 1)
    return bool(found) and not all(_is_denied(own, term) for term in found)


def _is_denied(own: str, term: str) -> bool:
    """「没有差评」, "no complaints": the word of denial stands right before the thing."""
    head = own.partition(term[:2] if CJK.search(term) else term)[0]
    return bool(re.search(r"(?:没有?|无|未|不是|并非)[^,。;]{0,2}$|\b(?:no|not|without|n't)\s+(?:\w+\s+){0,3}$", head))


def is_said(text: str) -> bool:
    """Whether it states anything, be it ever so short; a greeting or thanks does not."""
    return not reply.is_small_talk(text) and bool(_stated(text))


def is_bare_done(text: str) -> bool:
    """「发了」, "done": nothing but that it is done."""
    own = [s for s in sentences(text) if not reply.is_small_talk(s)]
    return len(own) == 1 and made_of(squeezed(own[0]), _BARE_DONE) and is_done(fold(own[0]).rstrip(".!。~ "))


def has_come(text: str, what: str, who: str) -> bool:
    """Whether somebody who waits for it says that it came from `who`: 「张三的日报收到了」."""
    if not who or fold(who) not in fold(text):
        return False
    topic = topic_of(what, who)
    return any(
        _found(part.sentence, topic, math.ceil(len(topic) / 2))
        and _RECEIVED.search(part.own) is not None
        and not _NEGATED.search(part.own)
        and not is_shaky(part)
        for part in parts_of(text)
    )
