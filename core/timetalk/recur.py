"""Recurrences as RFC 5545 rules."""

from dataclasses import replace

from .clocks import fixed_hour, likely_hour
from .model import Clock, Piece, Rule

_NAMES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
# What people mean by "every morning" when they name no hour.
PART_HOURS = {"dawn": 6, "morning": 9, "noon": 12, "afternoon": 15, "evening": 20, "night": 22}


def rrule_of(piece: Piece) -> str:
    """The rule of a piece that says "every", with the time of day where it names one."""
    rule = _with_dates(piece.rule or Rule("DAILY"), piece)
    words = [f"FREQ={rule.freq}"]
    if rule.interval != 1:
        words.append(f"INTERVAL={rule.interval}")
    for name, values in (("BYMONTH", rule.bymonth), ("BYMONTHDAY", rule.bymonthday), ("BYDAY", rule.byday)):
        if values:
            words.append(f"{name}={','.join(str(v) for v in values)}")
    if rule.bysetpos:
        words.append(f"BYSETPOS={rule.bysetpos}")
    clock = _time_of_day(piece.clock, piece.part)
    if clock:
        hours = {clock[0], *(at[0] for at in (_time_of_day(*more) for more in piece.further) if at)}
        words.append(f"BYHOUR={','.join(str(h) for h in sorted(hours))};BYMINUTE={clock[1]}")
    return ";".join(words)


def _time_of_day(clock: Clock | None, part: str | None) -> tuple[int, int] | None:
    if clock:
        if part or clock.fixed:
            return fixed_hour(clock, part)[0], clock.minute
        return likely_hour(clock.hour) % 24, clock.minute
    return (PART_HOURS[part], 0) if part else None


def _with_dates(rule: Rule, piece: Piece) -> Rule:
    fields, nth = piece.fields, piece.nth
    if fields:
        if fields.month:
            rule = replace(rule, bymonth=(fields.month,))
        if fields.day:
            rule = replace(rule, bymonthday=(fields.day,))
        if fields.weekday is not None and not rule.byday:
            rule = replace(rule, byday=(_NAMES[fields.weekday],))
        if fields.edge and not fields.day:
            rule = replace(rule, bymonthday=(1 if fields.edge in ("start", "early") else -1,))
    if nth and nth.unit == "weekday":
        rule = replace(rule, byday=(f"{nth.n}{_NAMES[nth.weekday or 0]}",))
    elif nth and nth.unit == "day":
        rule = nth_day(rule, nth.n)
    return rule


def nth_day(rule: Rule, n: int) -> Rule:
    """The n-th day of each of the periods of a rule, counted from the end where it is negative."""
    if rule.freq == "WEEKLY":
        return replace(rule, byday=(_NAMES[n - 1] if n > 0 else _NAMES[n],)) if -7 <= n <= 7 else rule
    if rule.freq == "MONTHLY" and rule.interval == 3:
        # The first or last day of each quarter.
        return replace(rule, interval=1, bymonth=(1, 4, 7, 10) if n > 0 else (3, 6, 9, 12), bymonthday=(n,))
    if rule.freq == "YEARLY":
        return replace(rule, bymonth=(1,) if n > 0 else (12,), bymonthday=(n,))
    return replace(rule, bymonthday=(n,))
