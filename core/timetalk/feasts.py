"""Feasts by name. Those of the lunar calendar stand in a table, since reckoning them needs astronomy."""

from datetime import date

from .dates import safe_date
from .model import Fields

# year: Spring Festival, Dragon Boat, Mid-Autumn, as MMDD
_LUNAR = {
    2010: (214, 616, 922),
    2011: (203, 606, 912),
    2012: (123, 623, 930),
    2013: (210, 612, 919),
    2014: (131, 602, 908),
    2015: (219, 620, 927),
    2016: (208, 609, 915),
    2017: (128, 530, 1004),
    2018: (216, 618, 924),
    2019: (205, 607, 913),
    2020: (125, 625, 1001),
    2021: (212, 614, 921),
    2022: (201, 603, 910),
    2023: (122, 622, 929),
    2024: (210, 610, 917),
    2025: (129, 531, 1006),
    2026: (217, 619, 925),
    2027: (206, 609, 915),
    2028: (126, 528, 1003),
    2029: (213, 616, 922),
    2030: (203, 605, 912),
    2031: (123, 624, 1001),
    2032: (211, 612, 919),
    2033: (131, 601, 908),
    2034: (219, 620, 927),
    2035: (208, 610, 916),
    2036: (128, 530, 1004),
    2037: (215, 618, 924),
    2038: (204, 607, 913),
    2039: (124, 527, 1002),
    2040: (212, 614, 920),
}

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
    "christmas_eve": (12, 24),
    "christmas": (12, 25),
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
    "万圣节": "halloween",
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
    "valentine's day": "valentine",
    "valentines day": "valentine",
    "april fools' day": "fools",
    "april fool's day": "fools",
    "international workers' day": "labour",
    "halloween": "halloween",
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
}


def feast_day(name: str, today: date) -> date | Fields | None:
    """The coming feast: month and day for one of the solar calendar, a date for one of the lunar, None if unknown."""
    if name in _SOLAR:
        month, day = _SOLAR[name]
        return Fields(month=month, day=day)
    days = [_lunar_day(name, year) for year in (today.year, today.year + 1)]
    return next((d for d in days if d and d >= today), None)


def _lunar_day(name: str, year: int) -> date | None:
    if name == "qingming":
        # Good for 2000 to 2099: the sun reaches 15 degrees on the fourth or fifth of April.
        return date(year, 4, int(year % 100 * 0.2422 + 4.81) - year % 100 // 4) if 2000 <= year <= 2099 else None
    if year not in _LUNAR:
        return None
    spring, dragon_boat, mid_autumn = _LUNAR[year]
    if name in ("spring", "spring_eve", "lantern"):
        first = safe_date(year, spring // 100, spring % 100)
        move = {"spring": 0, "spring_eve": -1, "lantern": 14}[name]
        return date.fromordinal(first.toordinal() + move) if first else None
    value = dragon_boat if name == "dragon_boat" else mid_autumn
    return safe_date(year, value // 100, value % 100)
