"""A change to whom a pending action reaches: one more, one less, only these, somebody else, which of two."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.brain.questions import Ambiguity, Evaluate, EvaluatorResult, PersonBrief
from core.brain.rules.amending.slots import names_people, people_of, with_people
from core.brain.rules.owner.reaching import EXCEPT, LEAVE_EN, LIST, NOT_AFTER, NOT_EN, NOT_ZH
from core.brain.rules.words.names import PERSON, TITLES, Masked, Mention, masked, unknown_name
from core.brain.rules.words.text import CJK, fold, is_english, without_quotes
from core.patterns import lazy

_ASK = r"(?:问|找|发|给|告诉|通知|联系|提醒|催|叫|跟|和|让|约)(?:一?[下声]|问|给)?"
_TELL = r"(?:ask|tell|have|let|get|message|email|remind|send (?:it )?to|to|cc|include|for)"

_REST_NOT = r"(?:其他|别的|剩下|其余)(?:的)?(?:人)?(?:就|都|先)*(?:不用|不要|不问|别)"
_NO_OTHERS = (
    lazy(rf"除了?(?P<who>{LIST})(?:以外|之外)?[,，\s]*(?:别人|其他人?|其余|谁)?(?:都|也)?(?:不用|不要|不问|别)"),
    lazy(
        rf"(?P<who>{LIST})[^,，]{{0,4}}[,，\s]*{_REST_NOT}|{_REST_NOT}[^,，]{{0,4}}[,，\s]*(?:就|只)?(?:{_ASK})?(?P<me>{LIST})"
    ),
    lazy(rf"\b(?:nobody|no one|none) (?:but|except|other than) (?P<who>{LIST})"),
)
"""Only these, put as what is not wanted of the others."""
_OUT = (
    NOT_ZH,
    NOT_AFTER,
    EXCEPT,
    NOT_EN,
    LEAVE_EN,
    lazy(rf"(?:不是|并非|没有|去掉|删掉|拿掉|撇开|不含|不带|换掉|别(?:带|拉|加)上?)(?:{_ASK})?(?P<who>{LIST})"),
    lazy(rf"把(?P<who>{LIST})(?:给|先)?(?:去掉|删|拿掉|撤|换)"),
    lazy(rf"(?P<who>{LIST})(?:那边)?(?:就|先)?(?:不用|不必|算了|免了|去掉|不要|别)"),
    lazy(
        r"\b(?:wrong|not|remove|drop|skip|without|minus|cut|leave out|take out|take off|no need (?:to (?:ask|tell)|for))"
        rf"\s+(?P<who>{LIST})"
    ),
    lazy(rf"\b(?:take|leave) (?P<who>{LIST}) (?:off|out)"),
)
_ONLY = (
    lazy(rf"(?:只|就|光|单独?|仅)(?:需要|要|用|先)?(?:{_ASK})?\s*(?P<who>{LIST})(?!\s*(?:别|不用|不问|不要|算了))"),
    lazy(rf"(?P<who>{LIST})(?:[一两二三]个)?(?:人)?就(?:行|好|可以|够)"),
    lazy(rf"\b(?:only|just)(?: {_TELL})? (?P<who>{LIST})|(?P<me>{LIST}) (?:only|alone)\b"),
)
_ALSO = (
    lazy(
        rf"(?:加上?|加[个一]个?|带上?|叫上|算上|捎上|连同|还有|外加|漏了|落了|忘了|少了|还差)(?:{_ASK})?\s*(?P<who>{LIST})"
    ),
    lazy(rf"(?:也|顺便|一起|一块儿?|再|还要?)(?:{_ASK})\s*(?P<who>{LIST})"),
    lazy(rf"(?P<who>{LIST})(?:那边)?(?:也|都)?(?:也|一起|一块儿?|加上|加进来|带上|算上|叫上)"),
    lazy(rf"\b(?:include|add|plus|cc|copy|forgot|missing|also(?: {_TELL})?|and also(?: {_TELL})?) (?P<who>{LIST})"),
    lazy(rf"^and (?P<who>{LIST})|(?P<me>{LIST}) (?:as well|too|also)\b"),
)
_INTO = (
    lazy(rf"(?<!{PERSON})(?:是|换成?|改成?|要|指的是|{_ASK})\s*(?P<who>{LIST})"),
    lazy(rf"(?:不是|别问|不要问|不用问|\bnot ){LIST}\s*[,，]\s*(?:but )?(?P<who>{LIST})(?:吧)?\W*$"),
    lazy(
        rf"\b(?:meant?|want(?:ed)?|it'?s|should be|(?:make|change) (?:it|that)(?: to)?|switch to|use|try|{_TELL}) "
        rf"(?P<who>{LIST})"
    ),
    lazy(rf"^(?:the )?(?P<who>{LIST})(?:吧|才对|那个|那位|这边|那边|哈|呀|啊| please| instead)*[\s.。!,，]*$"),
    lazy(rf"^(?:the )?(?P<who>{LIST})[,，\s]+(?:and |then |就|然后|直接)*(?:send|go|发|办|问|打)"),
    lazy(rf"(?P<who>{LIST}) instead\b"),
)
_OTHER = lazy(rf"另外?一?[个位]|\bthe other(?: one)?(?: (?P<who>{PERSON}))?")
_ADDS_NAME = lazy(r"(?:加上|加[个一]个?|加|带上|叫上|算上)\s*|\b(?:[Ii]nclude|[Aa]dd|[Pp]lus)\s+(?:the |that )?")
_ASKS_NAME = lazy(rf"{_ASK}\s*|\b(?:[Aa]sk|[Tt]ell|[Rr]emind|meant)\s+(?:the |that )?")
_SURE_NAME = re.compile(rf"^(?:[小老阿大].|.*(?:{TITLES}|总|工|哥|姐|叔|姨)|.[三四五六七八九]|[A-Z][a-z].*)$")
_NAME_ENDS = re.compile(r"(?:也|吧|一[起块下]|那边|就|[\s,，。.!！?？、]|as well|too|instead|$)")
UNKNOWN = "?"
"""Before a name that nobody in the directory has: it stands among the ids until the change is worked out."""


@dataclass
class _Wish:
    """The people of a change by what is to become of them."""

    out: list[str] = field(default_factory=list)
    only: list[str] = field(default_factory=list)
    also: list[str] = field(default_factory=list)
    into: list[str] = field(default_factory=list)
    ambiguous: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def anything(self) -> bool:
        return bool(self.out or self.only or self.also or self.into or self.ambiguous)


@dataclass(frozen=True)
class PeopleChange:
    """The result for the new people. `changed`: the words were about people. `named`: each was named one by one."""

    result: EvaluatorResult
    changed: bool = False
    named: bool = False


def change_people(q: Evaluate, pending: EvaluatorResult) -> PeopleChange:
    """What the words of `q` make of the people of `pending`."""
    if not (names_people(pending) or pending.ambiguous or pending.unknown_people):
        return PeopleChange(pending)
    now = [*people_of(pending), *(UNKNOWN + n for n in pending.unknown_people)]
    wish = _wish(q, pending, now)
    if not wish.anything:
        return PeopleChange(pending)
    people, ambiguous = _settled(wish, now, pending)
    known = [p for p in people if not p.startswith(UNKNOWN)]
    changed = with_people(pending, known).model_copy(
        update={
            "unknown_people": tuple(p.removeprefix(UNKNOWN) for p in people if p.startswith(UNKNOWN)),
            "ambiguous": ambiguous,
        }
    )
    named = bool(wish.only or wish.into) and not _EVERYBODY.search(fold(_wanted_part(q.text)))
    return PeopleChange(_renamed(changed, q, now, people), True, named)


def _settled(wish: _Wish, now: list[str], pending: EvaluatorResult) -> tuple[list[str], tuple[Ambiguity, ...]]:
    """The people after the change, and the names that may still mean several."""
    ambiguous = {a.name: a.candidates for a in pending.ambiguous}
    if wish.only:
        return wish.only, ()
    meant = [*wish.into, *wish.also]
    left = {n: c for n, c in ambiguous.items() if not set(c) & set(meant)}
    kept = [p for p in now if p not in wish.out]
    for name, candidates in list(left.items()):  # `不是王强`: of two the other one is left
        rest = tuple(c for c in candidates if c not in wish.out)
        kept += [] if len(rest) > 1 else [p for p in rest if p not in kept]
        left = {n: c for n, c in left.items() if n != name} | ({name: rest} if len(rest) > 1 else {})
    if wish.into and set(wish.into) <= set(kept):
        kept = list(wish.into)
    elif wish.into:
        if len(left) == len(ambiguous) and not wish.out:  # nobody was put in a place that was free: they replace all
            left, kept = {}, []
        kept = [p for p in kept if not p.startswith(UNKNOWN)]
        kept += [p for p in wish.into if p not in kept]
    kept += [p for p in wish.also if p not in kept]
    named = tuple(Ambiguity(name=n, candidates=c) for n, c in {**left, **wish.ambiguous}.items())
    return list(dict.fromkeys(kept)), named


# --- who is named, and how ----------------------------------------------------------------------------------------


def _wish(q: Evaluate, pending: EvaluatorResult, now: list[str]) -> _Wish:
    own = masked(without_quotes(q.text), _callable(q.contacts, pending, now))
    wish, taken = _Wish(), set[int]()
    for patterns, into in (
        (_NO_OTHERS, wish.only),
        (_OUT, wish.out),
        (_ONLY, wish.only),
        (_ALSO, wish.also),
        (_INTO, wish.into),
    ):
        for place in _places(own, patterns):
            mention = own.mention(own.folded[place])
            if place in taken:
                continue
            taken.add(place)
            for person in _meant(own, mention, now, wish, out=into is wish.out):
                if person not in into:
                    into.append(person)
    _other_one(own, q.contacts, pending, now, wish)
    wish.also += [n for n in _new_names(own) if n not in wish.also]
    return wish


def _callable(contacts: Sequence[PersonBrief], pending: EvaluatorResult, now: list[str]) -> tuple[PersonBrief, ...]:
    """The directory, with those unknown so far; who must be told apart may be called by a part of their name too."""
    names = {c.person_id: {fold(x) for x in (c.name, *c.aliases)} | {_first(c.name)} for c in contacts}
    there = set[str]().union(*(names.get(p, set()) for p in now))
    asked = {i for a in pending.ambiguous for i in a.candidates}
    close = {i for i, calls in names.items() if i in asked or calls & there}
    people = [partly_named(c) if c.person_id in close else c for c in contacts]
    unknown = [PersonBrief(person_id=p, name=p.removeprefix(UNKNOWN)) for p in now if p.startswith(UNKNOWN)]
    return (*people, *unknown)


def _first(name: str) -> str:
    return fold(name.split()[0]) if name.split() and not CJK.search(name) else fold(name)


def partly_named(person: PersonBrief) -> PersonBrief:
    """A person who may also be called by what tells them apart: `Kim`, `accounts`, `设计组` of `设计组王雪`."""
    return person.model_copy(update={"aliases": tuple(dict.fromkeys((*person.aliases, *_parts(person))))})


def _parts(person: PersonBrief) -> list[str]:
    found: list[str] = []
    for call in (person.name, *person.aliases):
        if not CJK.search(call):
            found += [w for w in re.findall(r"[\w'-]{3,}", call) if fold(w) not in ("from", "the", "and")]
        elif (rest := call.replace(person.name, "").replace(person.name[1:], "")) != call and len(rest) > 1:
            found.append(rest)
    return found


def _places(own: Masked, patterns: Sequence[re.Pattern[str]]) -> list[int]:
    found: list[int] = []
    for pattern in patterns:
        for hit in pattern.finditer(own.folded):
            group = "who" if hit.group("who") else "me"
            start, end = hit.span(group)
            found += [start + m.start() for m in re.finditer(PERSON, own.folded[start:end])]
    return sorted(set(found))


def _meant(own: Masked, mention: Mention, now: list[str], wish: _Wish, *, out: bool) -> tuple[str, ...]:
    """Whom a mention means: with several of that name, the one who is there, or who is told apart by another word."""
    if len(mention.ids) == 1:
        return mention.ids
    there = tuple(i for i in mention.ids if i in now)
    if out:
        return there or mention.ids
    told = [i for m in own.found if len(m.ids) == 1 for i in m.ids if i in mention.ids and i not in wish.out]
    if told or _OTHER.search(own.folded):
        return tuple(told[:1])
    wish.ambiguous[mention.name] = tuple(i for i in mention.ids if i not in wish.out)
    return ()


def _other_one(
    own: Masked, contacts: Sequence[PersonBrief], pending: EvaluatorResult, now: list[str], wish: _Wish
) -> None:
    """`不是周涛，另一个`, `the other Ben`: who shares a name with the one that was meant."""
    hit = _OTHER.search(own.folded)
    if hit is None or wish.into:
        return
    calls = {c.person_id: {fold(x) for x in c.aliases} | {_first(c.name)} for c in contacts}
    mark = hit.group("who")
    named = set(own.mention(mark).ids) if mark else set()
    was = {p for p in now if p in calls and (not named or p in named)}
    near = {i for i, mine in calls.items() if i not in was and any(mine & calls[p] for p in was)}
    if len(near) == 1 and was:
        wish.into += list(near)
        wish.out += [p for p in was if calls[p] & calls[next(iter(near))] and p not in wish.out]


def _new_names(own: Masked) -> list[str]:
    """Names of nobody in the directory, where somebody is put in; behind a mere verb only what is surely a name."""
    found: list[str] = []
    for pattern, any_name in ((_ADDS_NAME, True), (_ASKS_NAME, False)):
        for hit in pattern.finditer(own.raw):
            name = unknown_name(own.raw[hit.end() :])
            ends = bool(name) and bool(_NAME_ENDS.match(own.raw[hit.end() + len(name) :]))
            if name and ends and (any_name or _SURE_NAME.match(name)) and UNKNOWN + name not in found:
                found.append(UNKNOWN + name)
    return found


def _wanted_part(text: str) -> str:
    """The words without whom they rule out: `不用问所有人，问赵敏和吴工就行`, `其他人不用`."""
    return _RULED_OUT.sub("", text)


_EVERYBODY = lazy(r"所有人|每个人|大家|全体|全员|\b(?:everyone|everybody|all of them)\b")
_RULED_OUT = lazy(
    rf"(?:不用|别|不要|不是)[^,，。]{{0,4}}(?:所有人|大家|全体|全部|每个人)|{_REST_NOT}|\bnot (?:everyone|everybody|all)\b"
)


def picked(result: EvaluatorResult, ids: Sequence[str], names: Mapping[str, str]) -> EvaluatorResult:
    """The result with `ids` as the ones who are meant by its first ambiguous name; `names` says what they are called."""
    before = people_of(result)
    after = list(dict.fromkeys([*before, *ids]))
    settled = with_people(result, after).model_copy(update={"ambiguous": result.ambiguous[1:]})
    return _goals(settled, [names.get(p, p) for p in before], [names.get(p, p) for p in after])


# --- the goal -----------------------------------------------------------------------------------------------------


def _renamed(result: EvaluatorResult, q: Evaluate, before: Sequence[str], after: Sequence[str]) -> EvaluatorResult:
    """The goal with the people in it as they are now."""
    names = {c.person_id: c.name for c in q.contacts}
    old = [names.get(p, p.removeprefix(UNKNOWN)) for p in before]
    new = [names.get(p, p.removeprefix(UNKNOWN)) for p in after]
    return _goals(result, old, new)


def _goals(result: EvaluatorResult, old: Sequence[str], new: Sequence[str]) -> EvaluatorResult:
    parameters = {key: dict(values) for key, values in result.parameters.items()}
    for values in parameters.values():
        if values.get("goal"):
            values["goal"] = with_names(str(values["goal"]), old, new)
    return result.model_copy(update={"parameters": parameters})


def with_names(goal: str, old: Sequence[str], new: Sequence[str]) -> str:
    """A goal about `old` as one about `new`; where none of the old stands in it, it is left as it is."""
    if not new:
        return goal
    one = "|".join(map(re.escape, [*old, "对方", "每个人", "each of them", "them"]))
    run = re.compile(rf"(?<![A-Za-z])(?:{one})(?:(?:、|和|, | and )(?:{one}))*(?![A-Za-z])(?:各自)?")
    joined = " and ".join(new) if is_english(goal) else "、".join(new) + ("各自" if len(new) > 1 else "")
    return run.sub(lambda _: joined, goal, count=1)
