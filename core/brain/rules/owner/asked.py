"""Who is to be contacted by a request: those whom a verb of contact reaches, never those who are only mentioned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from core.brain.questions import PersonBrief
from core.brain.rules.owner.reaching import (
    EN_ALL,
    EN_BEFORE,
    EN_FROM,
    EN_GET,
    EN_GIVE,
    EN_OWES,
    EN_PRONOUN,
    EN_SPOKEN_TO,
    EN_TIME_WITH,
    EN_VOCATIVE,
    EN_WITH,
    EVERYONE,
    EXCEPT,
    FALLBACK,
    IN_THEIR_DEED,
    INSTEAD,
    JOIN_UNKNOWN,
    LEAVE_EN,
    LIST,
    NOT_AFTER,
    NOT_EN,
    NOT_ZH,
    THEIR_DEED_EN,
    THEIR_DEED_ZH,
    THEIR_WORD_ZH,
    TITLED,
    TURN,
    UNKNOWN_BEFORE,
    UNKNOWN_EN,
    ZH_ABOUT,
    ZH_AFTER,
    ZH_BEFORE,
    ZH_EACH,
    ZH_GO_ASK,
    ZH_GROUP,
    ZH_HANDLE,
    ZH_I_WANT,
    ZH_LISTED,
    ZH_NAMED,
    ZH_PRONOUN,
    ZH_SEE,
    ZH_SEND,
    ZH_SIDE,
    ZH_THEIRS,
    ZH_TOWARDS,
    ZH_VOCATIVE,
)
from core.brain.rules.words.names import (
    PERSON,
    SURNAMES,
    Directory,
    Masked,
    masked,
    partial_call,
    past_role,
    unknown_name,
)
from core.brain.rules.words.text import CJK, quoted_speaker, without_quotes
from core.patterns import lazy


@dataclass
class Reach:
    """Who is reached. `ids` in the order of mention; `spans` where in the masked text contacts were found."""

    masked: Masked
    ids: list[str] = field(default_factory=list)
    ambiguous: dict[str, tuple[str, ...]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    everyone: bool = False
    spans: list[tuple[int, int]] = field(default_factory=list)
    barred: set[str] = field(default_factory=set)
    order: tuple[int, int] | None = None
    """Where the order stands, if it says "him" of somebody named before."""
    weak: bool = False
    """Nobody is the object of a verb of contact: "老彭那边…" may want him asked, or may speak of him."""

    addressed: bool = False
    """They are spoken to, as though they read it: perhaps it is to be put to them."""

    @property
    def anybody(self) -> bool:
        """Somebody is to be contacted, known or not."""
        return bool(self.ids or self.ambiguous or self.unknown or self.everyone)


def reach(text: str, people: Sequence[PersonBrief], self_id: str = "") -> Reach:
    """Whom this request is to reach; not to be changed. `self_id`: the sender, who is never a delegate of their own."""
    return _reach(text, Directory(people), self_id)


@lru_cache(maxsize=64)
def _reach(text: str, directory: Directory, self_id: str) -> Reach:
    """Every question about a message asks it of the same words."""
    people = directory.people
    others = tuple(p for p in people if p.person_id != self_id)
    own = masked(without_quotes(text), people)
    found = Reach(own, barred={self_id})
    barred = _spans(own.folded, (NOT_ZH, NOT_AFTER, EXCEPT, NOT_EN, LEAVE_EN))
    asked = [s for s in _asked(own.folded) if not any(b[0] <= s[0] < b[1] for b in barred)]
    if not asked:
        asked = [
            s
            for s in _spans(own.folded, (ZH_LISTED, ZH_AFTER, ZH_ABOUT, ZH_SEE))
            if not any(b[0] <= s[0] < b[1] for b in barred)
        ][:1]
    named, order = _by_pronoun(own.folded, barred, asked)
    found.order = order if not asked else None
    asked = sorted({*asked, *named})
    if not asked:
        asked = [s for s in _spans(own.folded, (ZH_SIDE,)) if not any(b[0] <= s[0] < b[1] for b in barred)][:1]
        found.weak = bool(asked)
    if not asked:
        asked = _spans(own.folded, (ZH_VOCATIVE, EN_SPOKEN_TO, ZH_I_WANT, ZH_THEIRS))[:1]
        found.addressed = bool(asked)
    asked = _after_turn(own.folded, [_without_whom_it_is_about(own.folded, s) for s in asked])
    for start, end in barred:
        for mark in re.findall(PERSON, own.folded[start:end]):
            # "not the other Mike" bars nobody: which of the two it is stands elsewhere.
            found.barred.update(own.mention(mark).ids if len(own.mention(mark).ids) == 1 else ())
    for start, end in asked:
        _take(found, start, end)
    if not asked and not found.spans:
        _quoted(found, text, others)
    _everyone(found, others)
    _unknown(found, others)
    if not found.anybody:
        _misspelt(found, others)
    return found


def _spans(folded: str, patterns: Sequence[re.Pattern[str]]) -> list[tuple[int, int]]:
    found = {hit.span("who") for pattern in patterns for hit in pattern.finditer(folded)}
    return sorted(found)


_NEAR = 40
"""Characters before a person in which the verb stands that makes them somebody else's business."""


def _asked(folded: str) -> list[tuple[int, int]]:
    spans = _spans(
        folded,
        (
            ZH_BEFORE,
            ZH_TOWARDS,
            ZH_EACH,
            ZH_GROUP,
            ZH_HANDLE,
            ZH_NAMED,
            ZH_SEND,
            EN_FROM,
            EN_ALL,
            EN_GIVE,
            EN_WITH,
            EN_TIME_WITH,
            EN_VOCATIVE,
            EN_OWES,
        ),
    )
    dull = {hit.span("who") for hit in EN_GET.finditer(folded)}
    for hit in EN_BEFORE.finditer(folded):
        if hit.span("who") not in dull and hit.group("then") != "'":
            spans.append(hit.span("who"))
    theirs = (THEIR_DEED_EN, THEIR_DEED_ZH)
    later = [m.span() for m in FALLBACK.finditer(folded)]
    own = (_without_their_word(folded, s) for s in spans if not any(a <= s[0] < b for a, b in later))
    return sorted({s for s in own if not any(p.search(folded[max(0, s[0] - _NEAR) : s[0]]) for p in theirs)})


def _without_their_word(folded: str, span: tuple[int, int]) -> tuple[int, int]:
    """`让张三跟李四说`: the first of them is reached, the other one is whom he is to tell."""
    hit = THEIR_WORD_ZH.match(folded, max(0, span[0] - 1))
    return hit.span("who") if hit and hit.start("who") == span[0] else span


def _by_pronoun(
    folded: str, barred: list[tuple[int, int]], asked: list[tuple[int, int]]
) -> tuple[list[tuple[int, int]], tuple[int, int] | None]:
    """`问她…`, `你去问声`, `ask him`: the people named last before it, and where it stands. Once somebody was asked, it is
    about them."""
    for pattern in (ZH_PRONOUN, EN_PRONOUN, ZH_GO_ASK):
        for hit in pattern.finditer(folded):
            if any(start < hit.start() or pattern is ZH_GO_ASK for start, _ in asked):
                continue
            before = [m.span() for m in re.finditer(LIST, folded[: hit.start()]) if m.span() not in barred]
            if before:
                return before[-1:], hit.span()
    return [], None


# "问张三李四的报告交了没", "问张三李四在不在": the one right behind the other is whom the question is about.
_IS_ASKED_ABOUT = lazy(r"的[^,，。?？]{1,12}(?:没有?|吗|么|呢)\W*$|(?:在不在|在哪|在吗|找(?:我|他|她))")


def _without_whom_it_is_about(folded: str, span: tuple[int, int]) -> tuple[int, int]:
    start, end = span
    side_by_side = re.fullmatch(rf"{PERSON}{{2,}}", folded[start:end]) and re.search(
        r"问(?:一?[下声])?$|告诉$", folded[:start]
    )
    return (start, end - 1) if side_by_side and _IS_ASKED_ABOUT.match(folded, end) else span


def _after_turn(folded: str, asked: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """`问张伟……算了，问张三吧`: who was asked before the turn is not asked, where somebody else is after it."""
    for turn in TURN.finditer(folded):
        instead = INSTEAD.match(folded, turn.end())
        if instead and asked and all(s[1] <= turn.start() for s in asked):
            return [instead.span("who")]
        later = [s for s in asked if s[0] >= turn.end()]
        if later and any(s[0] < turn.start() for s in asked):
            return later
    return asked


def _take(found: Reach, start: int, end: int) -> None:
    own = found.masked
    grouped = re.match(
        rf"(?:的|里)?(?:每个人|所有人|全体|全员|大家|各位|人人|都|除了?{PERSON})", own.folded[end:]
    ) or re.search(
        r"(?:everybody|everyone|all|each \w+) (?:on|in|of|from) (?:the )?$|(?:各位?|每个|所有|全体)$",
        own.folded[:start],
    )
    for mark in re.findall(PERSON, own.folded[start:end]):
        mention = own.mention(mark)
        ids = tuple(i for i in mention.ids if i not in found.barred)
        if len(mention.ids) > 1 and len(ids) > 1 and not grouped:
            settled = [i for m in own.found if len(m.ids) == 1 for i in m.ids if i in ids]
            if not settled:
                found.ambiguous[mention.name] = ids
                continue
            ids = tuple(settled[:1])
        found.ids += [i for i in ids if i not in found.ids]
    found.spans.append((start, end))


def _quoted(found: Reach, text: str, people: Sequence[PersonBrief]) -> None:
    """`「赵敏：还剩12个」问她今晚能不能跑完`: the pronoun is the one who is quoted."""
    speaker = quoted_speaker(text)
    folded = found.masked.folded
    hit = ZH_PRONOUN.search(folded) or EN_PRONOUN.search(folded)
    if not speaker or not hit:
        return
    for mention in masked(speaker, people).found[:1]:
        found.spans.append(hit.span())
        if len(mention.ids) == 1:
            found.ids.append(mention.ids[0])
        else:
            found.ambiguous[mention.name] = mention.ids


_MASS_EN = lazy(
    r"\b(?:[Pp]ost|[Ss]end|[Ee]mail|[Tt]ell|[Aa]nnounce|[Nn]otify|[Mm]essage|[Ww]rite|[Ii]nform)\b[^.!?\n]*?\b(?:to )?(?P<who>all (?:of )?(?:our |"
    r"the )?(?!of\b|them\b)\w+s|(?:(?<=to the )|(?<=mail the )|(?<=essage the )|(?<=otify the )|(?<=nform the )|(?<=ell the ))\w+ list)\b"
)
_MASS_ZH = lazy(
    r"(?:给|向|通知|告诉|群发)(?P<who>(?:所有|全部|各个?)(?:的)?(?:客户|供应商|代理商?|经销商|家长|用户|会员|商家|租户))"
)


def _everyone(found: Reach, people: Sequence[PersonBrief]) -> None:
    hit = EVERYONE.search(found.masked.folded)
    if hit is None or found.ids:
        return
    found.everyone = True
    found.spans.append(hit.span())
    found.ids += [p.person_id for p in people if p.person_id not in found.barred]


def _unknown(found: Reach, people: Sequence[PersonBrief]) -> None:
    """Names after a verb of contact, or beside somebody who is asked, that nobody has."""
    raw, folded = found.masked.raw, found.masked.folded
    places = [m.end() for m in UNKNOWN_BEFORE.finditer(folded)] + [m.end() for m in UNKNOWN_EN.finditer(raw)]
    places += [end + joint.end() for _, end in found.spans if (joint := JOIN_UNKNOWN.match(folded[end:])) is not None]
    # "问孙经理下周的拜访": the name may be the head of what looks like "whose".
    places += [m.start("of") for m in UNKNOWN_BEFORE.finditer(folded) if m["of"] and TITLED.match(raw[m.start("of") :])]
    for place in sorted(set(places)):
        if (called := partial_call(raw[place:], people)) is not None:
            found.ambiguous.setdefault(*called)
            found.spans.append((place, place + len(called[0])))
            continue
        if re.search(r"(?:别|不要|不用|甭|不许)[^,。!?;]{0,4}$", folded[:place].rstrip("问找跟催叫让给通知联系告诉")):
            continue
        if IN_THEIR_DEED.search(folded[max(0, place - _NEAR) : place]):
            continue
        place += past_role(raw[place:])
        name = unknown_name(raw[place:])
        while name:
            if name not in found.unknown:
                found.unknown.append(name)
                found.spans.append((place, place + len(name)))
            place += len(name)
            joint = JOIN_UNKNOWN.match(raw[place:])
            name = unknown_name(raw[place + joint.end() :]) if joint else ""
            place += joint.end() if joint else 0
    for hit in (_MASS_EN.search(raw), _MASS_ZH.search(folded)):
        if hit and not found.unknown:
            found.unknown.append(hit.group("who"))
            found.spans.append(hit.span("who"))
    found.spans.sort()


def _misspelt(found: Reach, people: Sequence[PersonBrief]) -> None:
    """`问下张山版本号`: where 张三 is known, what begins like him and is as long is a name too, if nobody's."""
    raw = found.masked.raw
    for place in (m.end() for m in UNKNOWN_BEFORE.finditer(found.masked.folded)):
        for name in (p.name for p in people if CJK.search(p.name) and len(p.name) in (2, 3)):
            said = raw[place : place + len(name)]
            if (
                said[:1] == name[0] in SURNAMES
                and sum(a != b for a, b in zip(said, name, strict=False)) == 1
                and _ALL_CJK.fullmatch(said[1:])
            ):
                found.unknown.append(said)
                found.spans.append((place, place + len(said)))
                return


_ALL_CJK = lazy(r"[一-龥]+")
