"""A trigger as people say it: "每周一 9:00", "every working day at 17:30, until Mar 26"."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from core.schedule.model import ScheduleTrigger
from core.schedule.rule import WEEKDAYS, Rule, parse_rule, read_moment
from core.timetalk import say_date, say_moment

_ZH_DAYS = "一二三四五六日"
_EN_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_EN_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_ZH_UNITS = {"YEARLY": "年", "MONTHLY": "个月", "WEEKLY": "周", "DAILY": "天", "HOURLY": "小时", "MINUTELY": "分钟"}
_EN_UNITS = {
    "YEARLY": "year", "MONTHLY": "month", "WEEKLY": "week", "DAILY": "day", "HOURLY": "hour", "MINUTELY": "minute",
}  # fmt: skip
_EN_ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last", -2: "second to last"}
_ZH_ORDINALS = {1: "第一", 2: "第二", 3: "第三", 4: "第四", 5: "第五", -1: "最后一", -2: "倒数第二"}

_MOST_TIMES = 4
"""Times of a day that are listed one by one."""


def say_trigger(trigger: ScheduleTrigger, now: datetime, lang: str) -> str:
    """When it runs, in words (`lang` zh or en). A moment is said as from `now`, a condition in its own words."""
    zh = lang.startswith("zh")
    if trigger.kind == "event":
        return trigger.when
    if trigger.kind == "once":
        return say_moment(read_moment(trigger.when), now, lang)
    rule = parse_rule(trigger.when, trigger.timezone)
    said = _days(rule, zh, working=trigger.working_days) + _times(rule, zh)
    if trigger.working_days and not rule.on_work_week:
        said += "，休息日除外" if zh else ", except on days off"
    if rule.until is not None:
        last = say_date(rule.until.date(), now.astimezone(ZoneInfo(trigger.timezone)).date(), zh)
        said += f"，到{last}为止" if zh else f", until {last}"
    if rule.count is not None:
        said += f"，共 {rule.count} 次" if zh else f", {rule.count} times"
    return said


def _days(rule: Rule, zh: bool, *, working: bool) -> str:
    which = _which(rule, zh, working=working)
    every = _every(rule, zh)
    if rule.freq in ("HOURLY", "MINUTELY") or not which:
        return every
    if rule.freq in ("DAILY", "WEEKLY") and rule.interval == 1 and not (rule.bymonth or rule.bysetpos):
        if zh:
            return f"每{which}" if which.startswith("周") else f"每个{which}"
        return f"every {which}"
    if zh:
        return (
            every + which if rule.freq == "MONTHLY" and not (rule.interval > 1 or rule.bymonth) else f"{every}的{which}"
        )
    return f"on {which} of {every}" if rule.freq == "MONTHLY" else f"{every} on {which}"


def _every(rule: Rule, zh: bool) -> str:
    """每周, 每 2 天, 3月和6月; every week, every 2 days, March and June."""
    n = rule.interval
    if rule.bymonth and rule.freq != "YEARLY":
        months = _joined([f"{m}月" if zh else _EN_MONTHS[m - 1] for m in rule.bymonth], zh)
        daily = rule.freq in ("DAILY", "WEEKLY", "HOURLY", "MINUTELY")
        if zh:
            return f"{months}每天" if daily and not rule.byday else months
        return f"every day in {months}" if daily and not rule.byday else months
    if zh:
        unit = _ZH_UNITS[rule.freq]
        return f"每 {n} {unit}" if n > 1 else f"每{unit.removeprefix('个')}"
    unit = _EN_UNITS[rule.freq]
    return f"every {n} {unit}s" if n > 1 else f"every {unit}"


def _which(rule: Rule, zh: bool, *, working: bool) -> str:
    """Which days of its weeks, months or years: 周一、周三; the last day; the first Monday; March 5."""
    if rule.bysetpos:
        return _joined([_nth(n, _kind_of_day(rule, zh, working=working), zh) for n in rule.bysetpos], zh)
    days = [_monthday(day, zh) for day in rule.bymonthday] + _weekdays(rule, zh, working=working)
    which = _joined(days, zh)
    if rule.freq == "YEARLY" and rule.bymonth:
        months = _joined([f"{m}月" if zh else _EN_MONTHS[m - 1] for m in rule.bymonth], zh)
        return f"{months}{which}" if zh else f"{which} of {months}"
    return which


def _weekdays(rule: Rule, zh: bool, *, working: bool) -> list[str]:
    if rule.on_work_week and working:
        return ["工作日" if zh else "working day"]
    if rule.on_work_week:
        return ["周一到周五" if zh else "Monday to Friday"]
    return [_nth(int(day[:-2]), _weekday(day, zh), zh) if day[:-2] else _weekday(day, zh) for day in rule.byday]


def _weekday(day: str, zh: bool) -> str:
    number = WEEKDAYS.index(day[-2:])
    return f"周{_ZH_DAYS[number]}" if zh else _EN_DAYS[number]


def _kind_of_day(rule: Rule, zh: bool, *, working: bool) -> str:
    if rule.on_work_week:
        return ("工作日" if working else "周一到周五的日子") if zh else ("working day" if working else "weekday")
    if len(rule.byday) == len(WEEKDAYS):
        return "日子" if zh else "day"
    names = [_weekday(day, zh) for day in rule.byday]
    return "或".join(names) if zh else " or ".join(names)


def _nth(n: int, what: str, zh: bool) -> str:
    if zh:
        return f"{_ZH_ORDINALS.get(n) or (f'第 {n} ' if n > 0 else f'倒数第 {-n} ')}个{what}"
    return f"the {_EN_ORDINALS.get(n) or (_ordinal(n) if n > 0 else f'{_ordinal(-n)} to last')} {what}"


def _monthday(day: int, zh: bool) -> str:
    if day > 0:
        return f"{day}日" if zh else f"the {_ordinal(day)}"
    if zh:
        return "最后一天" if day == -1 else f"倒数第 {-day} 天"
    return "the last day" if day == -1 else f"the {_ordinal(-day)} to last day"


def _ordinal(n: int) -> str:
    ending = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def _times(rule: Rule, zh: bool) -> str:
    """ " 9:00、18:00", " at 9:00 and 18:00"; for hours and minutes on end only the hours that they keep to."""
    if rule.freq == "MINUTELY" or (rule.freq == "HOURLY" and not rule.byhour):
        return ""
    clocks = [f"{hour}:{minute:02d}" for hour in sorted(rule.byhour) for minute in sorted(rule.byminute)]
    if len(clocks) > _MOST_TIMES:
        span = f"{clocks[0]}–{clocks[-1]}"
        return f" {span}（{len(clocks)} 次）" if zh else f", {len(clocks)} times between {span.replace('–', ' and ')}"
    return f" {'、'.join(clocks)}" if zh else f" at {_joined(clocks, zh)}"


def _joined(words: Sequence[str], zh: bool) -> str:
    if zh:
        return "、".join(words)
    *others, last = words or ("",)
    return f"{', '.join(others)} and {last}" if others else last
