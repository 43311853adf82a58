"""Working days, working hours and sending windows: pure functions of an instant that is handed in."""

from .holidays_cn import covers, is_working_day_cn
from .personal import calendar_of
from .wall import at_wall, parse_clock, parse_window, show_clock
from .work import DailyWindow, WorkCalendar, sending_opening

__all__ = [
    "DailyWindow",
    "WorkCalendar",
    "at_wall",
    "calendar_of",
    "covers",
    "is_working_day_cn",
    "parse_clock",
    "parse_window",
    "sending_opening",
    "show_clock",
]
