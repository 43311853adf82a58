"""What is to be done at a time or again and again, and what is to be looked out for."""

from __future__ import annotations

import re
from typing import Any, Literal

from core.brain.questions import Evaluate, EvaluatorResult
from core.brain.rules.evaluating.contact import at_a_time, unmasked
from core.brain.rules.evaluating.doubts import doubts
from core.brain.rules.evaluating.goals import goal_for
from core.brain.rules.evaluating.outcome import local_now, one, planned, refused
from core.brain.rules.owner.asked import Reach
from core.brain.rules.owner.titles import Topic, asks, title_of
from core.brain.rules.owner.topic import deed
from core.brain.rules.owner.wishes import SHOW_ME, WATCH
from core.brain.rules.times.conditions import condition_in
from core.brain.rules.times.timing import Timing
from core.brain.rules.times.when import due_of, timing_of, without
from core.brain.rules.words.names import PERSON, Masked
from core.brain.rules.words.text import any_of, fold, is_english, squeezed
from core.patterns import lazy


def schedule(q: Evaluate, found: Reach) -> EvaluatorResult:
    """People are reached at a time; where nobody is, the words come up again then, as though they were said then."""
    if found.anybody:
        return at_a_time(q, found)
    hit = SHOW_ME.search(found.masked.folded)
    if hit is None:
        return refused("unclear", "it is not clear who is to be reached", "who")
    timing = timing_of(found.masked.raw, local_now(q), hit.start(), hit.end(), end_of_work=q.end_of_work)
    if timing is None:
        return refused("unclear", "it is not clear when", "when")
    text = found.masked.unmask(without(found.masked.raw, timing.spans)).strip(" ,，。")
    return planned(
        one("schedule", {"text": text or q.tendency}, reason="said again at a time"), unmasked(timing, found)
    )


# --- expectations ---------------------------------------------------------------------------------------------------

Missed = Literal["ask", "tell", "both"]
_TELLS_ME = any_of(
    r"""
    (?:告诉|通知|提醒|报|喊|叫|回|汇报)(?:给|一下|一声)?我|(?:跟|和|向)我(?:说|讲|汇报)|报我|第一时间告诉|让我知道
    \b(?:tell|let|ping|call|warn|alert|text|remind|notify) (?:me|us)\b|\bshout\b|\bi want to (?:hear|know)\b|\b(?:me )?and only me\b
    """
)
_ASKS_THEM = any_of(
    r"""
    (?:催|追|问|找|吼|盯|跟|骂|联系|ping|call|喊|叫)(?:一?[下声跟追问催]|着|他|她|佢|问|去)*(?:他|她|佢|们|要|问|吼)|你?(?:就)?(?:去|马上|直接)(?:催|追|问|找|ping)|提醒(?:一下)?[他她]|就(?:催|追|问|跟)
    \b(?:chase|push|ask|ping|poke|nudge|go after|get after|call|remind|bug|hassle|press) (?:him|her|them|it)\b|\bchase(?: if|\W*$)|\b(?:go|get) after\b|\b(?:go|talk|speak) to\b|\bfollow up with (?:him|her|them)
    """
)
_NOT_THEM = any_of(
    r"""
    (?:别|不要|不用|甭|莫)(?:再|去|直接|先)*(?:问|找|催|联系|打扰|惊动|烦|跟)(?:他|她|佢|对方|人家)?|只(?:告诉|跟|提醒)我
    \b(?:only|just) (?:tell )?me\b|\bme and only me\b|\b(?:don'?t|do not|never) (?:bother|ask|chase|contact|tell|call|ping)\b
    """
)


# "如果张三周五前没回，就问李四": what 李四 is to be asked is 张三's matter, and that is not named.
_ANOTHER_THEN = lazy(
    rf"(?:如果|要是|万一|假如)(?P<who>{PERSON})[^。]*没[^。]*?(?:问|找|催|联系|换)(?P<other>{PERSON})"
    rf"|\bif (?P<who_en>{PERSON})[^.]*(?:n'?t|\bnot|\bno)\b[^.]*\b(?:ask|try|call) (?P<other_en>{PERSON})"
)


def _is_for_another(masked: Masked) -> bool:
    hit = _ANOTHER_THEN.search(masked.folded)
    if hit is None:
        return False
    who, other = (masked.mention(hit[group] or hit[f"{group}_en"]).ids for group in ("who", "other"))
    return who != other


# Counted from each time that something happens, not from now.
_EVERY_TIME = any_of(
    r"""
    每(?:次|回|趟|送|逢|一[次回趟单])|凡是|一旦|超过[^,。]{1,10}没
    \b(?:any (?!news|update|day)|every time|each time|whenever)
    """
)


def expect(q: Evaluate, found: Reach) -> EvaluatorResult:
    """With a time by which it is due: a standing expectation. Without: a rule for an event that asks somebody, or
    something to look out for."""
    masked, now = found.masked, local_now(q)
    if _is_for_another(masked):
        return refused("unclear", "somebody else is to be asked if nothing comes, and it is not said what", "what")
    watched = WATCH.search(masked.folded)
    rule = _event_rule(q, found) if not watched and _EVERY_TIME.search(masked.folded) else None
    if rule is not None:
        return rule
    timing = due_of(masked.raw, now, end_of_work=q.end_of_work)
    if timing is not None and timing.due is not None:
        if timing.past:
            return refused("past", "the time that was named has gone by", "when")
        if watched and timing.at is None and _LOOKS_FOR_WORDS.search(masked.folded):
            return _watch(q, found)
        if watched and (_ends_it(masked.folded, timing) or _LOOKS_FOR_WORDS.search(masked.folded)):
            return _watch(q, found, timing)
        return _expectation(q, found, timing)
    rule = None if watched else _event_rule(q, found)
    return rule or _watch(q, found)


# The time ends the looking out, it is none by which something must have come.
_LOOKS_UNTIL = lazy(
    r"(?:最多|最久|(?:看|盯|留意|关注|留心|持续|一直|直)到|最多到|\b(?:until|till|through|up to|at most))\s*$"
)
_UNTIL = lazy(r"(?:until|till|through)\b")
# Words that may fall are no deed that is missed.
_LOOKS_FOR_WORDS = lazy(
    r"有没有(?:人)?(?:再)?(?:说|提|讲|聊|抱怨|反映|反馈|问)|\b(?:says?|mentions?|brings? up|complains?|talks? (?:of|about)|asks? (?:for|about))\b"
)


def _ends_it(own: str, timing: Timing) -> bool:
    return any(
        _LOOKS_UNTIL.search(own, 0, first) or _UNTIL.match(own, first) or own.startswith("为止", last)
        for first, last in timing.spans
    )


def _expectation(q: Evaluate, found: Reach, timing: Timing) -> EvaluatorResult:
    own = found.masked.folded
    on_missed = _on_missed(own)
    who = _whom(found, on_missed)
    what = found.masked.unmask(_what(found, timing.spans))
    parameters: dict[str, Any] = {
        "what": what or q.tendency,
        "due": timing.due,
        "working_days": timing.working_days or None,
        "on_missed": on_missed if who else "tell",
        "person": who,
        "who": None if who else (found.unknown[0] if found.unknown else _outsider(found)),
    }
    reaches = on_missed != "tell" and (found.ambiguous or found.unknown)
    doubt = doubts(q.tendency, Topic(what, what), found) if reaches else {"reason": "a standing expectation"}
    return one("expect", parameters, **doubt)


def _on_missed(own: str) -> Missed:
    """What is wanted where it does not come; asking is the rule, save where only the sender is to hear of it."""
    tells, asks = bool(_TELLS_ME.search(own)), bool(_ASKS_THEM.search(own))
    if _NOT_THEM.search(own):
        return "tell"
    if tells:
        return "both" if asks else "tell"
    return "ask"


def _whom(found: Reach, on_missed: Missed) -> str | None:
    """Who is asked where somebody is named for it, else whose doing it is: the first who is named."""
    named = [i for m in found.masked.found if len(m.ids) == 1 for i in m.ids]
    if on_missed == "tell":
        return named[0] if named else None
    free = [i for i in (*found.ids, *named) if i not in found.barred]
    return free[0] if free else None


_OUTSIDER = lazy(
    r"^(?:the |our )?(?P<who>供应商|客户|物业|快递|房东|甲方|乙方|厂家|物流|银行|[一-龥]{1,6}那边|suppliers?|clients?|customers?|landlord|vendors?)"
)


def _outsider(found: Reach) -> str | None:
    hit = _OUTSIDER.match(found.masked.folded)
    return hit["who"].removesuffix("那边") if hit else None


# A clause that says what is wanted where it does not come.
_FOLLOWS = any_of(
    r"""
    没|未(?!来)|不(?:然|到|来|还|给|发|回)|到时候?|到点|过了|哪天|盯|怀疑|别|不要|只(?:告诉|跟)|安全上
    ^(?:and |so |but )?(?:if|unless|no \w+|chase|ask (?:him|her|them)|remind (?:him|her|them|me|us)|nudge|please watch|shout|let me|tell me|notify me|i want|otherwise|(?:go|get) after|ping|push|call|don'?t|only|keep|he|she)\b
    """
)
_SEPARATOR = lazy(
    r"[,，。;；!！?？\n]|\.(?=\s|$)|\s-\s|(?<=[\u3400-\u9fff\ue000-\uf8ff])\s+(?=[\u3400-\u9fff\ue000-\uf8ff])"
)
_SAYS = lazy(
    rf"^(?:(?:帮我|麻烦|你)?(?:盯着|盯住|盯紧|盯一?下|留意|看着|看住)点?(?={PERSON})"
    rf"|(?:please )?make sure (?:that )?{PERSON}\s+|{PERSON} owes? (?:me|us)\s+"
    rf"|{PERSON}(?:他|她|那边)?(?:说|讲|答应(?:了|过)?|承诺|保证|话)(?:好了?)?[,，\s]*"
    rf"|{PERSON}(?:'s)? (?:has |have )?(?:promised?|said|says|is supposed to|was supposed to|is due to|has to|have to|will|should|must|needs to)(?: me)?(?: that| to)?\s+"
    rf"|(?:以后|从现在起|从今以后|from now on|立个规矩[:：，,]?)[,，\s]*|(?:please )?(?:watch|expect)(?:ing)? (?:that |for )?"
    rf"|{PERSON}(?:那边)?\s*(?:得|要|该|必须|应该)?(?=把|[^,，。\s]))+"
)
_MISSES = (
    lazy(r"(?:要是|如果)?没(?:有)?(?P<what>[^,，。]{1,12}?)(?:的话|就|,|，|你|$)"),
    lazy(
        r"\bif (?P<what>.+?(?:is|are|has|have)n'?t .+?)(?: (?:then |please )?(?:tell|let|call|ping|chase|shout|warn)\b|,|$)"
    ),
)


def _what(found: Reach, spans: tuple[tuple[int, int], ...]) -> str:
    """What should come: the clauses before those that say what to do otherwise, without the time and who said so."""
    raw = found.masked.raw
    starts = [0, *(m.end() for m in _SEPARATOR.finditer(raw))]
    ends = [*(m.start() for m in _SEPARATOR.finditer(raw)), len(raw)]
    parts = [(a, b) for a, b in zip(starts, ends, strict=True) if raw[a:b].strip()]
    follows = next((n for n, (a, b) in enumerate(parts) if n and _FOLLOWS.search(fold(raw[a:b]).strip())), len(parts))
    cut = parts[follows - 1][1] if parts else len(raw)
    kept = without(raw[:cut], tuple((a, min(b, cut)) for a, b in spans if a < cut))
    if follows <= 1 and (missed := next((m for p in _MISSES if (m := p.search(fold(kept)))), None)):
        return re.sub(r"n'?t\b", "", kept[slice(*missed.span("what"))]).strip()
    kept = kept.strip()
    says = _SAYS.match(fold(kept))
    kept = kept[says.end() :] if says else kept
    kept = deed(kept) if says and "make sure" in says.group() else kept
    kept = re.sub(
        r"(?:之前|以前|前)?(?=(?:得|要|应该|必须|该)把)|\b(?:is|are) (?:due|expected)\s*$|^(?:之前|以前|前)", "", kept
    )
    kept = re.sub(rf"^(?:让|叫|请|要|要求){PERSON}(?:他|她)?(?=\S{{2}})", "", kept.strip())
    kept = re.sub(r"^(?:得|要|应该|必须|该|会|能)+(?=\S{2})", "", kept.strip())
    return kept.strip(" ,，。.;；:：-—")


# --- rules for events, and things to look out for -------------------------------------------------------------------

_RULE = (
    lazy(
        rf"(?:立个规矩[:：，,\s]*)?(?:以后|今后)?(?:凡是|只要|一旦|每次|每回|每趟|每)?(?P<c>[^,，。]{{2,30}}?)(?:的话|的)?[,，\s]*(?:你)?(?:就|去|马上|直接)*(?:找|问|催|通知|告诉|追)(?=[{PERSON[1:-1]}他她])"
    ),
    lazy(
        rf"(?P<c>(?:any|every|each|whenever|when|if) [^,.;-]{{3,80}}?)(?:,| -|\.)+ *(?:then )?(?:go to|go after|ask|tell|chase|ping|call|get) {PERSON}"
    ),
    lazy(r"(?P<c>每(?:次|回|趟|送|来|有)[^,，。]{1,16}?)(?:都|就)(?:得|要|必须)"),
    lazy(r"(?P<c>(?:any|every|each) [^,.;-]{3,60}?) *(?:-|,|\.|$)"),
)


def _event_rule(q: Evaluate, found: Reach) -> EvaluatorResult | None:
    """`差评超过24小时没回复的，找丽丽问怎么回事`: whenever it happens somebody is asked."""
    raw, own = found.masked.raw, found.masked.folded
    people = list(dict.fromkeys([*found.ids, *(i for m in found.masked.found if len(m.ids) == 1 for i in m.ids)]))
    people = [p for p in people if p not in found.barred]
    if not people or _NOT_THEM.search(own) or not (_ASKS_THEM.search(own) or found.ids):
        return None
    hit = next((h for pattern in _RULE if (h := pattern.search(own)) is not None), None)
    words = raw[slice(*hit.span("c"))] if hit else ""
    if (
        hit is None
        and (condition := condition_in(raw, *(found.spans[0] if found.spans else (len(raw), len(raw))))) is not None
    ):
        words = condition.words
    if not words:
        return None
    words = found.masked.unmask(re.sub(rf"^(?:{PERSON}|以后|今后|凡是|,|，|\s)+", "", words)).strip()
    title, deed = _demand(found, hit, words)
    names = [p.name for i in people for p in q.contacts if p.person_id == i]
    verb = "" if not deed else "have" if is_english(q.tendency) else "让"
    parameters = {"title": title_of(title), "goal": goal_for(title, names, verb), "people": people, "message": title}
    made = one("raise_concern", parameters, **doubts(q.tendency, Topic(title, title), found))
    return planned(made, Timing(f"EVENT={words}"))


def _demand(found: Reach, hit: re.Match[str] | None, words: str) -> tuple[str, bool]:
    """What is asked then, and whether it is a deed: what is demanded each time ("都得拍照给我"), else what has gone
    wrong, with the question that is to be put about it."""
    raw = found.masked.raw
    behind = raw[hit.end() :] if hit else raw[found.spans[-1][1] :] if found.spans else ""
    if hit is not None and hit.re is _RULE[2]:
        deed = re.split(r"[,，。;；]", behind)[0].strip()
        if squeezed(deed):
            return found.masked.unmask(deed), True
    question = re.sub(rf"^[\s,，{PERSON[1:-1]}他她]*(?:问|让)?(?:他|她)?(?:一下)?|[.。!！]+$", "", behind).strip()
    asked = found.masked.unmask(question) if hit is not None and asks(question) else ""
    return (f"{words}，{asked}" if asked and not is_english(asked) else f"{words}: {asked}" if asked else words), False


_WATCH_SHELL = any_of(
    r"""
    [,，\s]*(?:一?有|如果有|要是有|出了?|一出)(?:什么|任何|啥)?(?:问题|情况|动静|动态|进展|消息|变化|状况|结果)(?:的话)?(?:就|随时|马上|及时|立刻|第一时间|都)*(?:告诉|通知|提醒|叫|喊)我(?:一?声|一下)?
    ^(?:那|就|请|麻烦|帮我|帮忙|替我|给我|你|清海|再|也|,|，|\s)+|(?:留意|留心|关注|盯|看)(?:一?[下眼]|着|住|紧)?点?(?=[^,，。]{2})
    [,，\s]*(?:(?:就|的话|马上|第一时间)*(?:跟我|和我|告诉我|通知我|喊我|叫我)(?:说|讲)?(?:一?声|一下)?)|(?:就)?(?:告诉|通知|提醒)我(?:一?声|一下)?
    ^(?:please |can you |could you |also |and )*(?:keep an eye (?:on|out for)|watch (?:out )?for|look ?out for|listen (?:out )?for|(?:let me know|tell me|ping me|alert me|text me|notify me|shout|give me a shout|i (?:want|need) to (?:know|hear)) (?:if|when(?:ever)?|whether|once|as soon as|the (?:moment|minute)))\s+
    (?<=[^\s,])[, ] *(?:and )?(?:let me know|tell me|shout)\b.*$
    """
)


_UNTIL_LEFT = lazy(
    r"[,，\s]*(?:最多|最久|最晚)?(?:看|盯|留意|关注|留心|持续|一直|直)*到?(?:为止)?[,，。\s]*$|[,\s]*\b(?:until|till|through|up to|at most)\s*$",
    re.IGNORECASE,
)
_LEADS = lazy(r"^(?:那|你|就|请|麻烦|帮我|帮忙|替我|给我|着|点|下|一下|\W)+")


def _watch(q: Evaluate, found: Reach, timing: Timing | None = None) -> EvaluatorResult:
    """`timing`: when the looking out ends; without one, when it ends of itself."""
    raw = found.masked.raw
    if timing is not None:
        raw = _UNTIL_LEFT.sub("", without(raw, timing.spans)).strip(" ,，。")
    own = fold(raw)
    what, last = "", 0
    for hit in _WATCH_SHELL.finditer(own):
        what += raw[last : hit.start()]
        last = hit.end()
    what = found.masked.unmask(what + raw[last:]).strip(" ,，。.!！")
    if not squeezed(_LEADS.sub("", what)):
        return refused("unclear", "it is not clear what is to be looked out for", "what")
    named = [i for m in found.masked.found if len(m.ids) == 1 for i in m.ids]
    person = named[0] if len(set(named)) == 1 else None
    until = timing.at.isoformat() if timing is not None and timing.at is not None else None
    return one(
        "watch", {"what": what or q.tendency, "person": person, "until": until}, reason="something to look out for"
    )
