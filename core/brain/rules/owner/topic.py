"""The matter of a request without its frame: `帮我问一下张三，v2.0 什么时候能提测，问到告诉我` → `v2.0 什么时候能提测`.

What reaches a delegate is the question and by when it is wanted. Orders to the bot ("语气客气点") and the owner's
remarks behind the question ("跑不完我找人") stay here.
"""

from __future__ import annotations

import re

from core.brain.rules.owner.asked import Reach
from core.brain.rules.owner.reaching import EN_TIME_WITH, ZH_TIME_WITH
from core.brain.rules.owner.titles import Topic, asks, neutral, title_of
from core.brain.rules.owner.wishes import BY_WHEN
from core.brain.rules.words.names import PERSON
from core.brain.rules.words.text import CJK, any_of, clauses, fold, made_of, squeezed
from core.patterns import lazy

_ORDER_AT_END = lazy(
    r"(?:(?:帮我|麻烦|你|去|再|替我|给我)*(?:问|找|联系|跟|和|叫|让|催|请|约|通知|告诉|给|对|把|一下|下|声)+|"
    r"\b(?:ask|tell|from|check with|call|get|chase|have|with|and))\s*$",
    re.IGNORECASE,
)
_LEAD = lazy(
    (
        r"^(?:那边|那儿|那里|那头|这边)?(?:[\s,，.。:：;；!！、—-]|(?:那边|那儿|那里|这边|他们|的话|老师)(?=[\s,，:：]|问|说|有|什么|能)|(?:几个|"
        r"[两二三四五]个)人|他们|一下|一声|各?问(?:一?下|一遍|他|她|清楚)?|一遍|各自|分别|都|去(?!年|世|掉|趟|一[下趟]|不去|[\u4e00-\u9fff]{1,6}(?:办|买|取|拿|存|接|开|交|领|吃|看|送|参加))|说声|说一声|"
        r"[带捎](?:个|句)?话|发(?:个|条|一?下|份)?(?:通知|消息|信息|微信|短信|邮件)(?:吧|说|告诉)?(?=[\s,，:：])|"
        r"说|讲|就是说|就是|核实|确认(?=[一下\s,，:：])|对一下|对下|打听打听|打听|打个招呼|沟通一下|知会一声|"
        r"知会|看看?(?=他|她|能|有)|哈|呗|吧|声|两点|两件事|每个人|所有人|大家|的(?=[^,，]{2})|"
        rf"(?:but|except) {PERSON}|(?:让|叫|要)(?:他|她)们?|"
        r"(?:to|that|and ask|know|about|for|asap|urgently|right now|would you|please|individually|if|two things?|say|saying)\b)*"
    ),
    re.IGNORECASE,
)
# A word of haste or courtesy is one to the bot where it stands by itself, not as the tail of another: "愉快", "太快".
_STANDS_ALONE = r"^|(?<=[\s,，。.;；!！?？没吗呢])"
_TAIL = lazy(
    (
        r"[,，。.;；!！\s]*(?:(?:问|确认|了解|核实|打听)(?:到|清楚|好|完|明白|出来)?了?(?:之后|后|以后|一起|再|"
        r"就|赶紧|马上|及时)?(?:告诉|回复|跟|和|通知|回|报)(?:一下)?我(?:一声|说一?声|说|回(?:个)?(?:话|信|"
        r"消息))?|(?:(?<=[,，。.;；\s])[一-龥]{1,2}(?:完|好|出来|下来)了?(?:之后|以后|后|就|再)?)?"
        r"(?:(?:告诉|回复|通知)我(?:一声|一下)?|(?:跟|和)我说(?:一声|一下)?)|给我(?:回(?:个)?(?:话|信|消息)|"
        r"个(?:信|准信|话))|有(?:结果|消息|回复|信)(?:了)?(?:就|再)?(?:告诉|跟|通知|回)我(?:说|一声|一下)?|"
        r"你?(?:去|帮我|给我|替我)(?:问|催|确认)(?:一?[下声]|问|清楚)?|(?<![说声句很真太是常])谢谢|"
        rf"(?:{_STANDS_ALONE})(?:马上|赶紧|赶快|立刻|尽快|快|辛苦了?|多谢|好吗|可以吗|行吗)|"
        r"(?:and )?(?:then )?(?:let me know|tell me|get back to me|report back)(?: what (?:he|she|they) says?)?|"
        r"(?:汇总|整理|归纳)(?:一下|好)?(?:发|报)?(?:给)?我|(?:and )?(?:then )?(?:send|give) me an? (?:short |quick )?(?:summary|list|overview|report)|"
        r"\bask (?:him|her|them)|\b(?:please|pls|(?<!the )(?<!his )(?<!her )(?<!my )thanks?|thank you|cheers|would you|will you|can you))[。.!！?？\s]*$"
    ),
    re.IGNORECASE,
)
_FRAME = lazy(
    (
        r"^(?:[\s,，。!！-]|嗯+|那个|哎|喂|早上好|早(?=[\s,，])|清海啊?|麻烦你?|请你?|劳烦|帮忙|帮我?|替我|给我|"
        r"你(?=帮|去|问|给)|再|先|去(?=问|找)|想|我想|我要|有空(?:的时候|的话)?|不急哈?|(?:(?:can|could|would|"
        r"will) you|please|pls|hey|hi|morning|go)\b)*"
    ),
    re.IGNORECASE,
)
# Orders about how the bot shall go about it.
_TO_THE_BOT = any_of(
    r"""
    别(?:说|提|告诉|让[^,，]{0,3}知道|催|群发|太|用|吓|直接|烦|惹)|语气|口气|客气(?:点|些)|委婉|悄悄|侧面|顺便打听
    不(?:要|用|必)(?:再|去)*(?:催|问|找|追|联系|打扰)|(?:别|^不)(?:再|去)*(?:问|催|找|追|联系|打扰)(?!到|清|题)
    (?:要是|如果|万一)[^,，]*就算了|现在(?:先)?别|先别(?:问|催|找)|(?:他|她|对方|他们)?(?:不用|不必|无需)(?:再)?(?:回|答复)(?!答)|一个一个问|挨个问|不要(?:说|提|告诉|让)|分开问|单独问|就说是?你
    \bdon'?t (?:tell|mention|say|let|push|rush|ask|bother|contact|involve|chase|call|text|email|message|ping)|\bbe (?:nice|gentle|polite)|\bindividually\b|\bdiscreetly
    ^not (?:before|now|yet|earlier)\b|\b(?:doesn'?t|don'?t) (?:need|have) to (?:reply|answer)|\bno (?:need to )?(?:reply|answer)(?: needed)?\b
    \bwithout (?:mentioning|saying|telling)|\bnot the other\b|\bask (?:him|her|them)$
    """
)
_REQUESTS = any_of(
    r"""
    (?:发|给|交|传|寄|送|拿|报|列|录|拍|写|填|提|转)(?:给|到|来|个|一|下|我|上)|^把|^请|^让|要(?:录|拍|发|带|给|有)
    务必
    \b(?:send|bring|give|write|sign|wire|pay|get|call|finish|fix)\b
    """
)
_WHEN = any_of(
    r"""
    前[^,，]{0,6}(?:拿到|要|给我|收到|看到|发我)|前(?:要|给|回|答复|回复|发)?(?:我|他)?[。!！]?$|之前|以前
    [今明后]天(?:就|内|之内)?要|[今明后这本][天周月](?:之)?内(?:就)?(?:回|给|答复|告诉|发|交|报)|尽快|越快越好|急|马上要
    \bby\b|\bbefore\b|\bat the latest\b|\basap\b|\btoday\b|\burgent
    """
)


def topic_of(found: Reach) -> Topic:
    """What is to be asked, told or done, in the sender's words; empty where nothing is said about it."""
    raw = found.masked.raw
    if not found.spans:
        return _topic(_clean(found, raw))
    last = found.spans[-1][1] if _one_run(found) else found.spans[0][1]
    asked = bool(_ASKS_THEM.search(found.masked.folded, 0, found.spans[0][0]))
    after = _clean(found, _IF.sub(" whether", raw[last:]) if asked else _IF_LATER.sub(r"\1whether ", raw[last:]))
    if asked and (thing := _THING_WANTED.fullmatch(after)) is not None and not asks(after):
        return Topic(f"把{thing['x']}发给我", thing["x"])
    if asked and _HOW_FAR.fullmatch(after) and not asks(after):
        return Topic(f"{after}怎么样", f"{after}怎么样")
    if (meeting := EN_TIME_WITH.search(found.masked.folded)) is not None:
        return _meeting(meeting["when"], after)
    after = _time_wanted(_BY_WHEN_AHEAD.sub("", after))
    ordered = REMARK_FIRST.match(after) if REACHES.search(found.masked.folded, 0, found.spans[0][0]) else None
    if ordered is not None and not asks(ordered["remark"]):
        after = ordered["order"]
    if _MAKE_SURE.search(found.masked.folded, 0, found.spans[0][0]):
        after = deed(after)
    if _substance(after) and not _only_frame(after) and not _ONLY_BY_WHEN.fullmatch(after):
        topic = _topic(after)
        if topic.title:
            return Topic(f"about {topic.text}", topic.title) if _ASKS_ABOUT.match(found.masked.folded) else topic
    before = _GIVE_ME.sub("", _clean(found, _drop_verb(raw[: found.spans[0][0]])))
    return _topic(before if _substance(before) and not _only_frame(before) else "")


def _meeting(when: str, after: str) -> Topic:
    """What two are to meet for, and when as far as it is said: `next week to talk budget` → `talk budget next week`."""
    hit = re.fullmatch(r"(?P<when>.*?)\s*\b(?:to|about|for|on)\s+(?P<what>[^.!?]{2,})[.!?]*", after, re.IGNORECASE)
    if hit is not None:
        what, when = hit["what"], f"{when} {hit['when']}"
    elif after and not _ONLY_BY_WHEN.fullmatch(after):
        what = after
    else:
        what, when = "meet", f"{when} {after}"
    text = re.sub(r"\s+", " ", f"{what} {when}").strip(" ,.")
    return Topic(text, title_of(text))


def _time_wanted(after: str) -> str:
    """`约个时间，下周聊聊` → `下周聊聊`; `约半小时，今天下午` → `今天下午聊半小时`."""
    hit = ZH_TIME_WITH.match(after)
    rest = after[hit.end() :].strip(" ,，。.!！") if hit else ""
    if hit is None or len(rest) < 2:
        return after
    return f"{rest}聊{hit['long']}" if hit["long"] and not re.search(r"聊|谈|见|碰|会|对|过一?下", rest) else rest


# What went wrong, told of a thing: whoever is asked about it may hear that. Of people, and of oneself, nothing is passed on.
_WENT_WRONG = lazy(
    r"(?!.*[我咱你您他她])[^,，。]{2,16}?(?:挂|崩|宕机?|断|坏|停|炸|着火|起火|漏水|进水|报错|故障|超时|失败|卡住|卡死|停电|断网|打不开|连不上|用不了)了?"
)


def with_occasion(topic: Topic, found: Reach) -> Topic:
    """`线上支付挂了，马上问张三恢复没有`: a bare verb says nothing to whom it is put, without what went wrong before it."""
    if not found.spans or not CJK.search(topic.title) or len(squeezed(topic.title)) > BARE:
        return topic
    before = clauses(found.masked.raw[: found.spans[0][0]])[:-1]
    told = [c for c in before if _WENT_WRONG.fullmatch(c)]
    if len(told) != 1 or PERSON_IN.search(told[0]):
        return topic
    return Topic(f"{told[0]}，{topic.text}", f"{told[0]}，{topic.title}")


PERSON_IN = lazy(PERSON)
BARE = 4
"""Characters with which a title names nothing."""

_ASKS_THEM = lazy(
    r"(?:问|找|跟|向)(?:一?[下声])?\s*$|\b(?:ask|check with|find out from|confirm with)\s+(?:the |our |my )?$"
)
_LIMIT_AHEAD = r"(?:by|before|until)\b[^,.?]{2,24}?\s+"
_IF_LATER = lazy(rf"^(\s*{_LIMIT_AHEAD})if\s", re.IGNORECASE)
# "from Ana by noon if they signed": the time is recorded apart.
_BY_WHEN_AHEAD = lazy(rf"^{_LIMIT_AHEAD}(?=(?:if|whether|what|when|who|how|where|why|which)\b)", re.IGNORECASE)
# "ask Bob if the hall is free": the question, not the bare words of it.
_IF = lazy(r"^\s*if\b", re.IGNORECASE)
# "问李四要周报": a thing is wanted of them.
_THING_WANTED = lazy(
    r"(?:去)?要(?:一?[下份个]|一张|[回到])?(?!不要|是|么|紧|求|去|来|做|办|开|买|带|请|等|看|换|用|改|交|发|给|跟|和|我|你|他|她|多|几|什么|怎么)(?P<x>[^,，。;；?？\s]{2,12})"
)
# A noun that nobody hands over: how it stands is asked.
_HOW_FAR = lazy(r"[^,，。?？]{0,12}(?:进度|进展|情况|状况|现状)(?<!把)")
_ONLY_BY_WHEN = lazy(
    rf"(?:by|before|until|no later than|on|today|tomorrow|tonight|asap|this|next)\b(?!['’])[^,.?]{{0,28}}[?.!]*|{BY_WHEN}",
    re.IGNORECASE,
)
# "get the signed copy from Dana": the copy is wanted.
_GIVE_ME = lazy(
    r"^(?:i(?:'d)? )?(?:also )?(?:need|want|get|collect|request|must have|would like)(?: to (?:have|get))? (?=\S)",
    re.IGNORECASE,
)
REACHES = lazy(r"(?:找|联系|叫|喊|问|催)(?:一?[下声])?\s*$")
"""A verb that says nothing yet: what is told with another is the message itself."""
REMARK_FIRST = re.compile(
    r"(?P<remark>(?!(?:还|要是|如果)?(?:没|不|未)|[^,，。]{0,12}(?:的话|要是|如果|万一))[^,，。;；?？]{2,16})[,，]\s*就?(?:让|叫|要|请|麻烦)[他她]们?+(?!回|确认|收到|说)(?P<order>[^,，。]{2}.*)$",
    re.DOTALL,
)
"""`找一下李四，我手机没电了，让他到楼下等我`: what they are to do stands behind a word about why."""


_ASKS_ABOUT = lazy(
    rf"(?:please |can you |could you |go |and |then )*ask (?:{PERSON}(?:,? (?:and )?{PERSON})*) about (?!what|when|how|who|where|why|which|whether)"
)
_MAKE_SURE = lazy(r"\b(?:make sure|see to it|see) (?:that )?$")


def deed(text: str) -> str:
    """`sends me the numbers` as it is asked for: `send me the numbers`."""
    hit = re.match(r"(?P<stem>[a-z]+?)(?P<end>(?<=[sxz])es|(?<=ch)es|(?<=sh)es|(?<=o)es|ies|s)\b(?<!ss)", text)
    if hit is None:
        return re.sub(r"^(?:is|are)\b", "be", re.sub(r"^has\b", "have", text))
    stem = "have" if hit.group() == "has" else "be" if hit.group() == "is" else hit["stem"]
    return stem + ("y" if hit["end"] == "ies" else "") + text[hit.end() :]


def _topic(text: str) -> Topic:
    """The clauses up to the last that asks or requests, without orders to the bot; the title also without by-whens."""
    clauses = [
        c
        for c in re.split(
            r"(?<=[,，。;；!！?？\n])(?!(?<=\d,)\d{3}(?!\d))\s*|(?<=[a-z]\.)\s+(?=[A-Za-z])|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])",
            text,
        )
        if c and c.strip()
    ]
    kept = [c for c in clauses if not _TO_THE_BOT.search(fold(c))]
    wanted = [i for i, c in enumerate(kept) if asks(c) or _REQUESTS.search(fold(c))]
    core = kept[: wanted[-1] + 1] if wanted else kept
    by_when = [c for c in kept if _is_by_when(c) and len(kept) > 1]
    matter = [c for c in core if c not in by_when] or core
    wished = [c for c in kept if c not in core and (_ELSE_DO.search(fold(c)) or _OTHERWISE.search(fold(c)))]
    said = [_ELSE_DO.sub(_put, c) if c in wished else c for c in kept if c in matter or c in by_when or c in wished]
    whole = _joined(said)
    return Topic("", "") if _only_frame(whole) else Topic(whole, title_of(neutral(_joined(matter))))


# What they are to do, should the answer be no: `没交的话让她今天交`.
_OTHERWISE = lazy(
    r"^(?:实在)?(?:不行|来不及|赶不及|没空|没时间|做不到)的话|^(?:or |and )?if (?:not|that'?s too|you can'?t|(?:he|she|they) can'?t)\b",
    re.IGNORECASE,
)
"""What will do, should the answer be no: that is theirs to hear too."""
_ELSE_DO = lazy(
    r"^(?P<if>(?:如果|要是|若|假如)?(?:还)?(?:没有?|不|未)[^,，。]{0,10}(?:的话|就))[,，]?(?:就)?(?:让|叫|请|要|麻烦|催)(?:他|她)们?(?:就)?(?=[^,，。]{2,})"
    r"|^(?P<en>(?:and |but )?if (?:not|(?:he|she|they) (?:hasn'?t|haven'?t|didn'?t))),? (?:please )?(?:ask|tell|have|get) (?:him|her|them) (?:to )?(?=\w)",
    re.IGNORECASE,
)


def _put(hit: re.Match[str]) -> str:
    if hit["en"]:
        return f"{hit['en']}, please "
    said = hit["if"]
    return f"{said.removesuffix('就') if said.endswith('的话就') else said}请"


def _is_by_when(clause: str) -> bool:
    own = fold(clause).strip(" ,，。;；!！")
    return bool(_WHEN.search(own)) and not asks(own) and len(squeezed(own)) <= 24


def _joined(clauses: list[str]) -> str:
    text = ""
    for clause in clauses:
        gap = "" if not text or (re.search(r"[,，。;；!！?？\n]\s*$", text) and not text[-1:].isascii()) else " "
        text += gap + clause.strip()
    return re.sub(r"\s+", " ", text).strip(" ,，。;；:：、")


def _one_run(found: Reach) -> bool:
    """All who are asked stand together: what comes behind the last of them is the matter."""
    raw = found.masked.raw
    between = [raw[a[1] : b[0]] for a, b in zip(found.spans, found.spans[1:], strict=False)]
    return all(len(re.sub(rf"[\s、,，和跟与及还有以及&]|and|that|new|guy|{PERSON}", "", text)) <= 2 for text in between)


def _drop_verb(raw: str) -> str:
    """Without the order that ends it: `…收齐了没 你去问`. It stands in the last few words."""
    head, end = raw[:-40], raw[-40:]
    return head + _ORDER_AT_END.sub("", end)


# "…，赵六的不用": of whom it is not wanted is nobody else's business.
_NOT_OF_THEM = re.compile(
    rf"[,，;；。\s]+(?:至于)?{PERSON}(?:[、和跟与]{PERSON})*(?:的|那边|那份)?(?:就|先|都|那)*(?:不用|不必|不需要|免了|算了|不要)(?:催|问|管|交|了)*(?=[,，。;；!！]|$)"
)


def _clean(found: Reach, raw: str) -> str:
    text = _LEAD.sub("", _NOT_OF_THEM.sub("", raw))
    for _ in range(3):
        text = _TAIL.sub("", text)
    text = _LEAD.sub("", _FRAME.sub("", text))
    return re.sub(r"[ \t]+", " ", found.masked.unmask(text)).strip(" ,，.。;；:：、")


def _substance(text: str) -> bool:
    return len(squeezed(text)) >= 2


# Words that join one order to another, or order: nobody is asked anything by them.
_FRAME_WORDS = lazy(
    r"还是|要不然?|不如|下次|下回|以后|记得|别忘了?|千万|务必|先|直接|干脆|赶紧|赶快|立刻|马上|尽快|抓紧|好好|重新|继续|主动|单独|私下|悄悄|当面|去|再|也|还有|还|另外|顺便|顺带|然后|同时|以及|并且|对了|一起|一下|一声|问清楚|问|找|情况|个|事|呢|吧|啊|了|too|as well|also|"
    r"directly|straight(?: away)?|right away|personally|quickly|now|actually|rather|and|then|plus|ask|tell|again|instead|once more|one more time|please|by the way|\W",
    re.IGNORECASE,
)


def _only_frame(text: str) -> bool:
    return made_of(text, _FRAME_WORDS)
