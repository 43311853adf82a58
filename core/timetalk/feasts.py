"""Feasts by name. Those of the lunar calendar stand in a table, since reckoning them needs astronomy."""

from datetime import date

from dateutil.easter import easter

from .dates import add_days, add_months, nth_of, safe_date
from .model import Fields, Nth, Period

# year: the first of the first, fifth of the fifth, seventh of the seventh, fifteenth of the eighth and ninth of the
# ninth lunar month, as MMDD
_LUNAR = {
    2010: (214, 616, 816, 922, 1016),
    2011: (203, 606, 806, 912, 1005),
    2012: (123, 623, 823, 930, 1023),
    2013: (210, 612, 813, 919, 1013),
    2014: (131, 602, 802, 908, 1002),
    2015: (219, 620, 820, 927, 1021),
    2016: (208, 609, 809, 915, 1009),
    2017: (128, 530, 828, 1004, 1028),
    2018: (216, 618, 817, 924, 1017),
    2019: (205, 607, 807, 913, 1007),
    2020: (125, 625, 825, 1001, 1025),
    2021: (212, 614, 814, 921, 1014),
    2022: (201, 603, 804, 910, 1004),
    2023: (122, 622, 822, 929, 1023),
    2024: (210, 610, 810, 917, 1011),
    2025: (129, 531, 829, 1006, 1029),
    2026: (217, 619, 819, 925, 1018),
    2027: (206, 609, 808, 915, 1008),
    2028: (126, 528, 826, 1003, 1026),
    2029: (213, 616, 816, 922, 1016),
    2030: (203, 605, 805, 912, 1005),
    2031: (123, 624, 824, 1001, 1024),
    2032: (211, 612, 812, 919, 1012),
    2033: (131, 601, 801, 908, 1001),
    2034: (219, 620, 820, 927, 1020),
    2035: (208, 610, 810, 916, 1009),
    2036: (128, 530, 828, 1004, 1027),
    2037: (215, 618, 817, 924, 1017),
    2038: (204, 607, 807, 913, 1007),
    2039: (124, 527, 826, 1002, 1026),
    2040: (212, 614, 814, 920, 1014),
}
_LUNAR_NAMES = ("spring", "dragon_boat", "qixi", "mid_autumn", "chongyang")
# month, weekday (Monday = 0), which one (-1: the last)
_FLOATING = {
    "mothers": (5, 6, 2),
    "fathers": (6, 6, 3),
    "memorial": (5, 0, -1),
    "labor_us": (9, 0, 1),
    "thanksgiving": (11, 3, 4),
    "black_friday": (11, 3, 4),
}

# Days from Easter Sunday.
_EASTER = {"easter": 0, "good_friday": -2, "easter_monday": 1}
_SOLAR = {
    "new_year": (1, 1),
    "valentine": (2, 14),
    "women": (3, 8),
    "arbor": (3, 12),
    "fools": (4, 1),
    "labour": (5, 1),
    "youth": (5, 4),
    "children": (6, 1),
    "party": (7, 1),
    "army": (8, 1),
    "teachers": (9, 10),
    "national": (10, 1),
    "halloween": (10, 31),
    "independence": (7, 4),
    "singles": (11, 11),
    "christmas_eve": (12, 24),
    "christmas": (12, 25),
    "boxing": (12, 26),
    "new_year_eve": (12, 31),
}

ZH_FEASTS = {
    "元旦": "new_year",
    "情人节": "valentine",
    "妇女节": "women",
    "植树节": "arbor",
    "愚人节": "fools",
    "劳动节": "labour",
    "五一国际劳动节": "labour",
    "五一劳动节": "labour",
    "青年节": "youth",
    "儿童节": "children",
    "国际儿童节": "children",
    "六一儿童节": "children",
    "建党节": "party",
    "建军节": "army",
    "教师节": "teachers",
    "国庆": "national",
    "五一": "labour",
    "六一": "children",
    "十一": "national",
    "万圣节": "halloween",
    "双十一": "singles",
    "光棍节": "singles",
    "母亲节": "mothers",
    "父亲节": "fathers",
    "感恩节": "thanksgiving",
    "七夕": "qixi",
    "重阳": "chongyang",
    "平安夜": "christmas_eve",
    "圣诞": "christmas",
    "春节": "spring",
    "大年初一": "spring",
    "除夕": "spring_eve",
    "年三十": "spring_eve",
    "元宵": "lantern",
    "清明": "qingming",
    "端午": "dragon_boat",
    "中秋": "mid_autumn",
}

EN_FEASTS = {
    "new year's day": "new_year",
    "new years day": "new_year",
    "new year's": "new_year",
    "new years": "new_year",
    "new year": "new_year",
    "lunar new year": "spring",
    "lantern festival": "lantern",
    "tomb sweeping day": "qingming",
    "qingming": "qingming",
    "national day": "national",
    "mid-autumn": "mid_autumn",
    "easter": "easter",
    "easter sunday": "easter",
    "good friday": "good_friday",
    "easter monday": "easter_monday",
    "valentine's day": "valentine",
    "valentines day": "valentine",
    "april fools' day": "fools",
    "april fool's day": "fools",
    "april fools": "fools",
    "international workers' day": "labour",
    "halloween": "halloween",
    "independence day": "independence",
    "mother's day": "mothers",
    "father's day": "fathers",
    "memorial day": "memorial",
    "labor day": "labor_us",
    "labour day": "labour",
    "thanksgiving day": "thanksgiving",
    "thanksgiving": "thanksgiving",
    "christmas eve": "christmas_eve",
    "christmas day": "christmas",
    "christmas": "christmas",
    "xmas": "christmas",
    "new year's eve": "new_year_eve",
    "new years eve": "new_year_eve",
    "spring festival": "spring",
    "chinese new year": "spring",
    "mid-autumn festival": "mid_autumn",
    "dragon boat festival": "dragon_boat",
    "dragon boat": "dragon_boat",
    "mid autumn festival": "mid_autumn",
    "mid autumn": "mid_autumn",
    "moon festival": "mid_autumn",
    "cny": "spring",
    "cny eve": "spring_eve",
    "chinese new year's eve": "spring_eve",
    "lunar new year's eve": "spring_eve",
    "chinese new year's day": "spring",
    "double ninth festival": "chongyang",
    "qixi": "qixi",
    "may day": "labour",
    "may day holiday": "labour",
    "women's day": "women",
    "children's day": "children",
    "teachers' day": "teachers",
    "teacher's day": "teachers",
    "singles' day": "singles",
    "singles day": "singles",
    "double 11": "singles",
    "black friday": "black_friday",
    "boxing day": "boxing",
}


def feast_day(name: str, today: date, year: int | None = None) -> date | Fields | None:
    """The feast of ``year``, else the coming one: month and day for one of the solar calendar, else a date or None."""
    if name in _SOLAR:
        month, day = _SOLAR[name]
        return Fields(year, month=month, day=day)
    years = (year,) if year else (today.year, today.year + 1)
    days = [_day_of(name, y) for y in years]
    return next((d for d in days if d and (year or d >= today)), None)


def lunar_day(month: int, day: int, today: date) -> date | None:
    """The coming day of that number of a lunar month that holds one of the feasts, else None."""
    known = {1: ("spring", 1), 5: ("dragon_boat", 5), 7: ("qixi", 7), 8: ("mid_autumn", 15), 9: ("chongyang", 9)}
    name, stands = known.get(month, ("", 0))
    if not name or not 1 <= day <= 30:
        return None
    feasts = [_lunar_day(name, year) for year in (today.year, today.year + 1)]
    days = [add_days(feast, day - stands) for feast in feasts if feast]
    return next((found for found in days if found and found >= today), None)


def _day_of(name: str, year: int) -> date | None:
    if name in _EASTER:
        return add_days(easter(year), _EASTER[name]) if 1583 <= year <= 4099 else None
    return _floating_day(name, year) if name in _FLOATING else _lunar_day(name, year)


def _floating_day(name: str, year: int) -> date | None:
    month, weekday, n = _FLOATING[name]
    first = safe_date(year, month, 1)
    if first is None:
        return None
    found = nth_of(Period(first, add_months(first, 1) or first, "month"), Nth(n, "weekday", weekday=weekday))
    if not isinstance(found, date):
        return None
    return add_days(found, 1) if name == "black_friday" else found


def _lunar_day(name: str, year: int) -> date | None:
    if name == "qingming":
        # Good for 2000 to 2099: the sun reaches 15 degrees on the fourth or fifth of April.
        return date(year, 4, int(year % 100 * 0.2422 + 4.81) - year % 100 // 4) if 2000 <= year <= 2099 else None
    if year not in _LUNAR:
        return None
    days = dict(zip(_LUNAR_NAMES, _LUNAR[year], strict=True))
    month_day = days.get(name, days["spring"])
    found = safe_date(year, month_day // 100, month_day % 100)
    move = {"spring_eve": -1, "lantern": 14}.get(name, 0)
    return add_days(found, move) if found else None
