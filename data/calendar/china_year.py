"""Prints the entry of one year for core/calendar/holidays_cn.py, from chinesecalendar.

    python data/calendar/china_year.py 2028

Ends with 1 while the yearly notice is not in the installed chinesecalendar.
"""

import sys
from datetime import date, timedelta


def main() -> int:
    """Prints the entry for the year in the first argument; the exit status."""
    from chinese_calendar import constants

    year = int(sys.argv[1])
    off = sorted(d for d in constants.holidays if d.year == year)
    swapped = sorted(d for d in constants.workdays if d.year == year)
    if not off:
        print(f"chinesecalendar knows no holidays of {year}.", file=sys.stderr)
        return 1
    print(f"    {year}: Year(\n        off=(")
    for first, last in _runs(off):
        print(f'            ("{first:%m-%d}", "{last:%m-%d}"),')
    print("        ),")
    print("        swapped=(" + ", ".join(f'"{d:%m-%d}"' for d in swapped) + "),\n    ),")
    return 0


def _runs(days: list[date]) -> list[tuple[date, date]]:
    runs: list[tuple[date, date]] = []
    for day in days:
        if runs and day - runs[-1][1] == timedelta(days=1):
            runs[-1] = (runs[-1][0], day)
        else:
            runs.append((day, day))
    return runs


if __name__ == "__main__":
    sys.exit(main())
