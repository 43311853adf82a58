"""What the conversation can say without a model from what is open: where things stand, who owes an answer, what was
said word for word, what waits for the reader, what comes when, what day it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from core.brain.questions import ConcernBrief, Converse
from core.brain.rules.words.names import mentions
from core.brain.rules.words.targets import concerns_meant
from core.brain.rules.words.text import any_of, fold
from core.timetalk import TimeKind, parse, say_date, say_moment

WHAT_TIME = any_of(
    r"""
    现在(?:是)?(?:几点|什么时[候间])|几点(?:钟)?了|(?:今天|今儿|现在)(?:个)?(?:是)?(?:几号|几月|星期几|周几|礼拜几|什么日子|多少号)
    \bwhat time is it|\bwhat(?:'s| is) the (?:time|date)\b|\bwhat(?:'s| is) today'?s date|\bwhat day (?:is it|of the week)
    \bwhat day is (?:it )?today
    """
)
WORDS = any_of(
    r"""
    原话|怎么(?:说|回|答)的|(?:具体|到底|都)?(?:说|回|答)(?:了|的)?(?:些)?(?:什么|啥|是什么)|怎么说$
    \bexact words\b|\bword for word\b|\bverbatim\b|\bwhat (?:exactly )?did \S+(?: \S+)? (?:say|write|answer|reply)
    \bwhat (?:has|have) \S+ said
    """
)
WHO_OWES = any_of(
    r"""
    谁(?:还|都)?没|还(?:差|缺|剩|有)(?:哪些人|谁|几个人)|(?:哪些人|哪几个|几个人)(?:还)?没(?:回|答|给|交)|还在等谁|等谁(?:的)?(?:回|答)
    \bwho (?:hasn'?t|has not|haven'?t|didn'?t|still (?:has|have|owes)|is missing)|\bwho(?:'s| is| are)? (?:still )?(?:outstanding|left)
    \bwho are (?:you|we) (?:still )?waiting (?:for|on)
    """
)
FOR_ME = any_of(
    r"""
    (?:什么|哪些|啥|有没有|几件)[^,。?]{0,6}(?:在)?(?:等|要|需要|该)(?:着)?我|等我(?:定|决定|确认|回|拍板|点头|处理)(?:的)?|(?:需要|要|该)我(?:做|定|决定|确认|拍板|回)
    \b(?:waiting|pending|open) (?:for|on) me\b|\bneeds? (?:my|me to)\b|\bneed from me\b|\bwaits? for me\b|\bon my (?:plate|desk)\b
    """
)
PLANS = any_of(
    r"""
    (?:什么|哪些|啥|有没有|有)(?:别的|其他)?(?:安排|提醒|计划|定时|日程|要办的|行程)(?!好)|日程|行程
    (?:今天|明天|后天|大后天|这周|本周|下周|周末|接下来|最近)[^,。?]{0,4}(?:有|还有)(?:什么|哪些|啥)(?:事|要)
    \bwhat(?:'s| is) (?:on|planned|scheduled|coming up|next|up)\b|\banything (?:on|planned|scheduled|coming up)
    \b(?:my|the) (?:schedule|agenda|calendar|plans?|reminders?)\b|\bany (?:plans|reminders|schedules)|\b(?:what|which) (?:reminders?|plans?|schedules?)\b
    """
)

_AHEAD = timedelta(days=7)
"""How far ahead is meant where no day is named."""

_ZH = {
    "now": "现在是 {date} 周{weekday} {clock}。",
    "status": "正在跟进：",
    "none": "现在没有正在跟进的事。",
    "nobody_asked": "眼下没有在问{names}的事。",
    "all_in": "都回了，没有还欠着答复的。",
    "owes": "「{title}」：{names}还没答复。",
    "said": "{name}（{at}）：“{text}”",
    "silent": "{name}还没有说过什么。",
    "titled": "「{title}」",
    "nothing_for_me": "现在没有在等你的事。",
    "to_decide": "等你决定：「{title}」——{text}",
    "to_confirm": "等你确认或补充：{text}",
    "planned": "{at}：{title}",
    "due": "{at} 截止：{title}",
    "no_plans": "没有安排。",
    "and": "、",
}
_EN = {
    "now": "It's {weekday}, {date}, {clock}.",
    "status": "Being followed up:",
    "none": "Nothing is being followed up at the moment.",
    "nobody_asked": "Nothing is being asked of {names} right now.",
    "all_in": "Everybody has answered.",
    "owes": "{title}: no answer yet from {names}.",
    "said": '{name} ({at}): "{text}"',
    "silent": "{name} hasn't said anything yet.",
    "titled": "{title}",
    "nothing_for_me": "Nothing is waiting for you right now.",
    "to_decide": "Waiting for your decision: {title} – {text}",
    "to_confirm": "Waiting for your yes or a detail: {text}",
    "planned": "{at}: {title}",
    "due": "{at} deadline: {title}",
    "no_plans": "Nothing is planned.",
    "and": ", ",
}
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def from_matters(q: Converse) -> str | None:
    """The answer to a question about time or about what is open; None where it is neither.

    A delegate may only ask what time it is: of the rest their question holds nothing.
    """
    own = fold(q.text)
    if WHAT_TIME.search(own):
        return _now(q)
    if q.role == "delegate":
        return None
    for pattern, answer in ((FOR_ME, _for_me), (WHO_OWES, _who_owes), (WORDS, _words), (PLANS, _plans)):
        if pattern.search(own):
            return answer(q)
    return None


def status(q: Converse) -> str:
    """Where the matters stand that are meant; all of them where none is named."""
    table = _table(q)
    shown, outside = _meant(q)
    if outside:
        return table["nobody_asked"].format(names=table["and"].join(outside))
    if not shown:
        return table["none"]
    colon = ": " if _english(q) else "："
    lines = [f"· {c.title}{colon + standing if (standing := _standing(c, table)) else ''}" for c in shown]
    return "\n".join([table["status"], *lines])


def _standing(matter: ConcernBrief, table: dict[str, str]) -> str:
    """As it was summed up last; else who owes an answer."""
    if matter.standing:
        return matter.standing
    owing = _owing(matter)
    return table["owes"].format(title=matter.title, names=table["and"].join(owing)) if owing else ""


def _owing(matter: ConcernBrief) -> list[str]:
    """Who has not answered; everybody asked where that is not told."""
    return [p.name for p in matter.parts if p.owes] if matter.parts else [p.name for p in matter.people]


def _english(q: Converse) -> bool:
    return q.language.startswith("en")


def _table(q: Converse) -> dict[str, str]:
    return _EN if _english(q) else _ZH


def _local(q: Converse, at: datetime) -> datetime:
    return at.astimezone(ZoneInfo(q.timezone))


def _say(q: Converse, at: datetime) -> str:
    return say_moment(_local(q, at), _local(q, q.now), "en" if _english(q) else "zh")


def _now(q: Converse) -> str:
    now = _local(q, q.now)
    weekday = _DAYS[now.weekday()] if _english(q) else "一二三四五六日"[now.weekday()]
    date = say_date(now.date(), now.date(), not _english(q))
    return _table(q)["now"].format(date=date, weekday=weekday, clock=f"{now:%H:%M}")


def _matters(q: Converse) -> list[ConcernBrief]:
    return [c for c in q.concerns if c.kind == "delegation"]


def _meant(q: Converse) -> tuple[list[ConcernBrief], list[str]]:
    """The matters that the question is about (all where it names none), and people it names who are in none."""
    matters = _matters(q)
    asked = {p.person_id for c in matters for p in c.people}
    named = {m.name: m.ids for m in mentions(q.text, q.contacts)}
    outside = [name for name, ids in named.items() if asked.isdisjoint(ids)]
    if named and len(outside) == len(named):
        return [], outside
    meant = concerns_meant(q.text, matters)
    return [c for c in matters if not meant or c.concern_id in meant], []


def _who_owes(q: Converse) -> str:
    table = _table(q)
    shown, _ = _meant(q)
    if not shown:
        return table["none"]
    owing = [(c.title, _owing(c)) for c in shown]
    lines = [table["owes"].format(title=title, names=table["and"].join(names)) for title, names in owing if names]
    return "\n".join(lines) or table["all_in"]


def _words(q: Converse) -> str:
    """The last words of those meant about each matter meant; where one person is named, theirs alone."""
    table = _table(q)
    shown, outside = _meant(q)
    if outside:
        return table["nobody_asked"].format(names=table["and"].join(outside))
    if not shown:
        return table["none"]
    named = {p.name for c in shown for p in c.people if mentions(q.text, (p,))}
    lines: list[str] = []
    for matter in shown:
        parts = [p for p in matter.parts if not named or p.name in named]
        if len(shown) > 1 and parts:
            lines.append(table["titled"].format(title=matter.title))
        for part in parts:
            said = [table["said"].format(name=part.name, at=_say(q, x.at), text=x.text) for x in part.words[-3:]]
            lines += said or [table["silent"].format(name=part.name)]
    return "\n".join(lines) or table["none"]


def _for_me(q: Converse) -> str:
    table = _table(q)
    lines = [table["to_decide"].format(title=w.title, text=w.question) for w in q.waiting]
    lines += [table["to_confirm"].format(text=p.summary) for p in q.pending]
    return "\n".join(lines) or table["nothing_for_me"]


def _plans(q: Converse) -> str:
    """What falls into the time that is named, in its order."""
    begin, end = _window(q)
    table = _table(q)
    found: list[tuple[datetime, str]] = []
    for item in q.concerns:
        found += _moments(item, table)
    here = sorted((at, told) for at, told in found if begin <= at < end)
    return "\n".join(told.format(at=_say(q, at)) for at, told in here) or table["no_plans"]


def _moments(item: ConcernBrief, table: dict[str, str]) -> Sequence[tuple[datetime, str]]:
    title = item.title.replace("{", "{{").replace("}", "}}")
    told = []
    if item.next_at is not None:
        told.append((item.next_at, table["planned"].replace("{title}", title)))
    if item.deadline is not None and item.kind == "delegation":
        told.append((item.deadline, table["due"].replace("{title}", title)))
    return told


def _window(q: Converse) -> tuple[datetime, datetime]:
    now = _local(q, q.now)
    for time in parse(q.text, now):
        if time.kind is TimeKind.span and time.start is not None and time.end is not None:
            return max(time.start, now), time.end
        if time.kind is TimeKind.moment and time.start is not None and time.grain == "day":
            return max(time.start, now), time.start + timedelta(days=1)
        if time.kind is TimeKind.deadline and time.end is not None:
            return now, time.end
    return now, now + _AHEAD
