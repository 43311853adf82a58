"""Words that are passed on: whether they want an answer, and how they read to those who get them."""

from __future__ import annotations

import re

from core.brain.rules.evaluating.goals import TELLS, verb_of
from core.brain.rules.owner.asked import Reach
from core.brain.rules.owner.titles import Topic, asks, title_of
from core.brain.rules.words.goal import is_paper
from core.brain.rules.words.names import PERSON
from core.brain.rules.words.text import any_of, clauses, fold, is_english
from core.patterns import lazy

_TELLS = lazy(
    r"(?:(?:发|转|带|捎|传)给|告诉|告知|转告|通知|知会|转达|(?:传|带)(?:个|句)?话给|提醒|谢谢|谢一?[下声]?|感谢|祝|恭喜|问候"
    r"|\b(?:tell|inform|notify|text|message|email|remind|thank|wish|congratulate|say to|pass (?:it |this )?on to|write to))\s*(?:一?[下声])?\s*(?:the |our |my )?$"
)
_TOWARDS = lazy(r"(?:跟|和|向|对|给|let(?: the| our| my)?\s*)$")
_SAYS = lazy(
    r"(?:那边|他们|都|再|也|几个|[两三四]个)*(?:说|讲|道|知会|交代|发(?:个|条|一?下)?(?:消息|信息|微信|短信|通知|邮件)|打个?招呼|[带捎](?:个|句)?话|道个?歉)(?!好|过|服)"
    r"|\s*know\b"
)
_SAID_BEHIND = lazy(r"(?:那边|那儿)?(?:知会|说|通知|告诉)一?[声下]")
_TO_ALL = lazy(r"通知|告诉|告知|转告|知会|说|\b(?:tell|notify|inform|email|message|announce|post)\b")
# "让敏姐别等我了": nothing is to be done for it.
_LETS_BE = lazy(r"(?:让|叫|请)(?:一下)?$")
_LET_BE = lazy(r"(?:就|先|都)?(?:别|不用|不必|甭|可以(?!吗))")
_THANKS = lazy(r"(?:替|帮|代)我?(?:谢谢|谢一?[下声]?|感谢|祝|恭喜)|\b(?:thank|wish|congratulate|say thanks to)\b")
# Something must come back, or be done, before the matter is over.
_WANTS_BACK = any_of(
    r"""
    (?:让|叫|请|要|麻烦)(?:他|她|他们|她们|大家|对方)?[^,。]{0,8}(?:回|确认|答复|收到|告诉|说一?声)|回(?:个|一)?(?:复|话|信|消息|声|收到)
    收到[^,。]{0,3}回|确认(?:一?下|收到)|给(?:我|个|你)[^,。]{0,4}(?:答复|准信|回话|信儿?)
    (?<!不用)(?<!不必)(?<!别)(?:发|交|传|寄|拿|报|送)(?:给|到|来|个|一份|一下)?(?:我|老板|公司|过来)|把[^,。]{1,24}(?:发|交|给|送|拿|寄|改|做|弄|签|填|搬|开|关|处理|整理|准备|修|换|补|删|提|传|带|还|查|导)
    (?:^|[,。])(?:请(?!假)|务必|赶紧|赶快|马上|尽快|让(?:他|她)(?!们?(?:[^,。]{0,10}(?:没事|不用|可以|也行|不必|放心|晚点|别))))
    \b(?:make sure|confirm|acknowledge|get back to|reply|answer|let me know|have (?:him|her|them)|get (?:him|her|them) to)\b
    \b(?:needs?|has|have) to\b|\bmust\b|\bplease (?:send|bring|call|do|check|fix|give)\b|\bsend (?:it |them )?(?:to )?me\b
    """
)
_NOTHING_BACK = any_of(
    r"""
    (?:他|她|对方|他们|大家)?(?:不用|不必|无需|不需要|用不着)(?:再)?(?:回|答复|确认)|只是(?:告诉|知会|通知)
    \b(?:no|doesn'?t|don'?t|not) (?:need|have) (?:to )?(?:a )?(?:reply|answer|respond)|\bno (?:reply|answer|need to (?:reply|answer))\b|\bjust (?:so (?:he|she|they) knows?|fyi)
    """
)
_LEFT_OPEN = lazy(r"另说|再定|再说|另行通知|另外通知|等通知|\btbd\b")


def merely_told(found: Reach, topic: Topic) -> bool:
    """Words are passed on and nothing has to come back: no question, no deed, no receipt that is wanted."""
    folded, first, last = found.masked.folded, found.spans[0], found.spans[-1]
    before, behind = folded[: first[0]], folded[last[1] :]
    tells = bool(
        _TELLS.search(before)
        or (_TOWARDS.search(before) and _SAYS.match(behind))
        or _SAID_BEHIND.match(behind)
        or (_LETS_BE.search(before) and _LET_BE.match(topic.text))
        or ((found.everyone or found.unknown) and _TO_ALL.search(folded[: first[1] + 2]))
    )
    if (
        not tells
        or re.match(r"\s*(?:please )?to (?!know\b)", behind)
        or re.match(r"[,，\s]*(?:让|叫|要)[他她](?!.{0,10}(?:没事|不用|可以|别))", behind)
    ):
        return False
    if _NOTHING_BACK.search(folded) or _THANKS.search(folded):
        return True
    questions = [c for c in clauses(topic.text) if asks(c) and not _LEFT_OPEN.search(fold(c))]
    return not questions and not _WANTS_BACK.search(behind)


# A receipt is wanted: what they are told stands before it.
_RECEIPT = lazy(
    r"[,，。;；\s]*(?:并且?|然后)?(?:让|叫|请|要)(?:他|她)?们?(?:收到)?(?:后|了)?(?:确认|回)(?:一?[下声]|个|我)*(?:收到|话|复|信)?[。.!！]*$"
    r"|[,.\s]*(?:and |then |but )?(?:please )?(?:make sure|see that) (?:that )?(?:he|she|they) (?:actually |really )?(?:got|gets?|confirms?|knows?|saw|reads?|has seen)\b[^,.]*[.!]*$"
    r"|[,.\s]*(?:and |then )?(?:(?:have|get) (?:him|her|them) (?:to )?|ask (?:him|her|them) to )(?:please )?(?:confirm|acknowledge|say got it)\b[^,.]*[.!]*$",
    re.IGNORECASE,
)
_GREETING = lazy(
    r"(?:那边|再)*(?:道|说)(?:一?[声句下])?(?P<words>(?:辛苦|谢谢|多谢|感谢|抱歉|对不起|不好意思|恭喜|加油|生日|新年|晚安|早安|节日)\S{0,20})"
)


_SORRY = lazy(r"(?:那边|再)*(?:道|赔)(?:个|一?[声下])?(?:歉|不是)[,，\s]*(?P<what>.*)")


def greeting(found: Reach) -> Topic | None:
    """`跟李四说声辛苦了`: the courtesy is all of the message."""
    if found.spans and (sorry := _SORRY.match(found.masked.folded, found.spans[-1][1])) is not None:
        for_what = found.masked.unmask(found.masked.raw[slice(*sorry.span("what"))]).strip(" ,，。.!！")
        said = f"抱歉，{for_what}" if for_what else "抱歉"
        return Topic(said, said)
    hit = _GREETING.match(found.masked.folded, found.spans[-1][1]) if found.spans else None
    words = found.masked.unmask(found.masked.raw[slice(*hit.span("words"))]).strip(" ,，。.!！") if hit else ""
    return Topic(words, words) if words else None


_DEED = lazy(r"把[^,，。]{1,24}|请(?!假)|务必|记得|别忘", re.IGNORECASE)


# "催催张三，那个PPT怎么还没发我": the thing is wanted, and not the reason.
_NOT_THERE = lazy(
    r"(?:那个|这个|那份|这份|说好的|答应的)?(?P<thing>[^,，。?？]{1,16}?)(?:怎么|为什么|为啥|咋)?还(?:没有?|不)(?P<verb>发|给|交|传|寄|送)(?:给|过来|来)?我?(?:啊|呀|呢)?[?？]?"
)


_FOR_A_THING = lazy(
    r"\s*for (?P<thing>(?:the|his|her|their|my|our|that|those|this) [\w' -]{2,40}?)(?: again| please| asap)?(?:[.!]*$|[,;] )"
)


# "跟赵六确认一下，明天九点的车": they are to know it, and to say so.
_CONFIRMED_WITH = lazy(r"(?:那边|再|也|都)*确认(?:一?[下声遍]|好)?[,，:：\s]")


def wish_of(found: Reach, topic: Topic) -> tuple[Topic, str]:
    """The matter and the verb by which it is wanted: told with a receipt, or, where what is told is a deed, done."""
    verb = verb_of(found)
    told = _RECEIPT.sub("", topic.text).strip(" ,，。")
    if told and told != topic.text:
        return Topic(told, title_of(told)), "tell" if is_english(told) else "告诉"
    if verb == "催" and (late := _NOT_THERE.fullmatch(topic.text)) is not None:
        return Topic(f"把{late['thing']}{late['verb']}给我", late["thing"]), verb
    due = _FOR_A_THING.match(found.masked.folded, found.spans[-1][1]) if verb in ("chase", "ask") else None
    if due is not None and (verb == "chase" or is_paper(due["thing"])):
        more = found.masked.unmask(found.masked.raw[due.end() :]).strip()
        text = f"send me {due['thing']}"
        return Topic(f"{text}, {more}" if more else text, f"send {due['thing']}"), "have"
    if _CONFIRMED_WITH.match(found.masked.folded, found.spans[-1][1]) and not any(asks(c) for c in clauses(topic.text)):
        return topic, "告诉"
    if verb in TELLS and _DEED.match(topic.text) and not any(asks(c) for c in clauses(topic.text)):
        return topic, "让"
    return topic, verb


def words_told(found: Reach, topic: Topic) -> str:
    """The words as they should reach those who are told: the sender's own, `he` and `she` being them."""
    if _THANKS.search(found.masked.folded):
        return _thanks(found)
    if said := re.search(r"\b(?:saying|to say)(?: that)? (?P<words>\S.{3,})", topic.text):
        return said["words"]
    if len(found.ids) == 1 and (wanted := re.fullmatch(r"(?P<who>[^,，。]{2,8}找)[他她]", topic.text)):
        return f"{wanted['who']}你"
    one_person = len(found.ids) == 1 and len(found.masked.found) == 1
    return _to_them(topic.text) if one_person else topic.text


def _thanks(found: Reach) -> str:
    """`替我谢谢洁洁，昨天多亏她招待客人` → `谢谢你，昨天多亏你招待客人`; there is no other matter in it."""
    folded, raw = found.masked.folded, found.masked.raw
    order = re.search(r"(?:替|帮|代)我?(?:去)?(?=谢|感谢|祝|恭喜)|\b(?=thank|wish|congrat)|\bsay (?=thanks)", folded)
    text = raw[order.end() if order else 0 :]
    if is_english(text.replace(raw[found.spans[0][0]], "")):
        text = re.sub(r",? (?:for me|from me|on my behalf)\b", "", text)
        text = re.sub(rf"\s*(?:to )?{PERSON}", " you", text, count=1)
        return found.masked.unmask(re.sub(r"\b(?:her|him)\b", "you", text)).strip()
    text = re.sub(PERSON, "你", text, count=1)
    return found.masked.unmask(re.sub(r"(?:让)?[她他](?!们)", "你", text)).strip(" ,，。")


def _to_them(text: str) -> str:
    if is_english(text):
        text = re.sub(r"^(?:he|she) (?=(?:can|could|may|should|must|will|might)\b)", "you ", text, flags=re.IGNORECASE)
        return re.sub(r"^(?:he|she)(?:'s| is) ", "you're ", text, flags=re.IGNORECASE)
    return re.sub(r"^[他她](?!们)", "你", text)
