#!/usr/bin/env python3
# ruff: noqa: SIM102, SIM115
"""Score a parser of time expressions against labelled cases.

    score_time.py CASES.jsonl [CASES.jsonl ...] -- COMMAND [ARG ...]

COMMAND reads one JSON object a line, {"id", "text", "lang", "reference_time"}, and writes one a line:
{"id", "found": [{"kind", "start", "end", "grain", "duration_s", "rrule"}]} (absent keys count as null).

kind        start        end            also
moment      the instant  -              grain: "day" or "minute"
span        first        first after    grain
deadline    -            latest instant grain ("下周五前" of grain day: any instant of that Friday, or its midnight)
since       earliest     -              grain
duration    -            -              duration_s (seconds)
recurrence  -            -              rrule: RFC 5545, e.g. "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0"
vague       -            -              counts as "no definite time"

Prints one row per language and kind: right, partly right, wrong, nothing found. A case is right when one of the
found items fits; alternatives that the source corpus allows (past or future, am or pm) count.
"""

import json
import subprocess
import sys
from collections import Counter, defaultdict
from datetime import datetime, timedelta

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def moment(text):
    return datetime.fromisoformat(text).replace(tzinfo=None) if text else None


def floor(when):
    return when.replace(second=0, microsecond=0)


def near_end(found, wanted, case):
    """Ends may be inclusive or exclusive, and differ by one unit where corpora do."""
    if found is None:
        return False
    if case["grain"] == "day":
        days = {wanted.date()}
        if "tol_end_unit" in case["flags"] or "tol_rel_1day" in case["flags"]:
            days |= {(wanted + DAY).date(), (wanted - DAY).date()}
        return (
            abs(found - wanted) <= timedelta(seconds=61)
            or found.date() in days
            or ((found + timedelta(seconds=61)).date() in days and found.hour == 23)
        )
    return abs(floor(found) - floor(wanted)) <= MINUTE * (2 if "tol_end_unit" in case["flags"] else 1)


def fits(case, item, start, end):
    kind, s, e = item.get("kind"), moment(item.get("start")), moment(item.get("end"))
    if case["kind"] == "date":
        short = kind == "span" and s and e and e - s <= DAY + 2 * MINUTE
        return bool((kind == "moment" or short) and s and s.date() == start.date())
    if case["kind"] == "datetime":
        midnight = (start.hour, start.minute) == (0, 0)
        if kind == "moment" and s and (item.get("grain") != "day" or midnight):
            return floor(s) == floor(start)
        return bool(kind == "span" and s and e and e - s <= timedelta(hours=1) + MINUTE and floor(s) == floor(start))
    if case["kind"] == "interval":
        if "daypart" in case["flags"]:
            return bool(
                kind in ("span", "moment")
                and s
                and s.date() == start.date()
                and item.get("grain") != "day"
                and start - timedelta(hours=4) <= s <= end + timedelta(hours=2)
            )
        if kind == "moment" and case["grain"] == "day" and end - start <= DAY and s:
            return s.date() == start.date()
        if kind != "span" or not s:
            return False
        if case["grain"] == "day":
            slack = 1 if "tol_rel_1day" in case["flags"] else 0
            begins = abs((s.date() - start.date()).days) <= slack
        else:
            begins = abs(floor(s) - floor(start)) <= MINUTE
        return begins and near_end(e, end, case)
    return False


def rule(text):
    parts = dict(p.split("=", 1) for p in (text or "").upper().removeprefix("RRULE:").split(";") if "=" in p)
    return normal_rule(
        {
            "freq": parts.get("FREQ"),
            "interval": int(parts.get("INTERVAL", 1)),
            "byday": parts["BYDAY"].split(",") if "BYDAY" in parts else None,
            "bymonthday": [int(x) for x in parts["BYMONTHDAY"].split(",")] if "BYMONTHDAY" in parts else None,
            "bymonth": [int(x) for x in parts["BYMONTH"].split(",")] if "BYMONTH" in parts else None,
            "byhour": [int(x) for x in parts["BYHOUR"].split(",")] if "BYHOUR" in parts else None,
            "byminute": [int(x) for x in parts["BYMINUTE"].split(",")] if "BYMINUTE" in parts else None,
        }
    )


def normal_rule(fields):
    out = {"interval": 1}
    for key in ("freq", "interval", "byday", "bymonthday", "bymonth", "byhour", "byminute"):
        value = fields.get(key)
        if value is None:
            continue
        if key not in ("freq", "interval"):
            value = sorted(value if isinstance(value, list) else [value], key=str)
        out[key] = value
    if out.get("byhour") is not None:
        out.setdefault("byminute", [0])
    return out


def judge(case, found):
    found = [i for i in found if i.get("kind") != "vague"]
    if case["kind"] == "none" or "vague" in case["flags"]:
        return "wrong" if found else "right"
    if not found:
        return "nothing"
    if case["kind"] == "duration":
        want = case["duration_s"]
        ok = any(i["kind"] == "duration" and abs(i["duration_s"] - want) <= 0.02 * want for i in found)
        return "right" if ok else "wrong"
    if case["kind"] == "recurrence":
        want = normal_rule(case["rrule"])
        rules = [rule(i.get("rrule")) for i in found if i["kind"] == "recurrence"]
        if want in rules:
            return "right"
        same = [r for r in rules if all(r.get(k) == want.get(k) for k in ("freq", "interval", "byday"))]
        return "partly" if same else "wrong"
    if case["kind"] == "open":
        edges = [moment(case["start"]) or moment(case["end"])] + [moment(a) or moment(b) for a, b in case["alts"]]
        ref, best = moment(case["reference_time"]), "wrong"
        for item in found:
            s, e = moment(item.get("start")), moment(item.get("end"))
            for edge in edges:

                def near(x, edge=edge):
                    if x is None:
                        return False
                    if case["grain"] == "day":
                        return abs((x.date() - edge.date()).days) <= 1
                    return abs(floor(x) - floor(edge)) <= MINUTE

                if case["direction"] == "before" and near(e):
                    if item["kind"] == "deadline" or (item["kind"] == "span" and s and abs(s - ref) <= DAY):
                        return "right"
                if case["direction"] == "after" and near(s):
                    if item["kind"] == "since" or (item["kind"] == "span" and e and abs(e - ref) <= DAY):
                        return "right"
                if near(s) or near(e):
                    best = "partly"
        return best
    pairs = [(case["start"], case["end"]), *case["alts"]]
    ok = any(fits(case, i, moment(a), moment(b)) for a, b in pairs for i in found)
    return "right" if ok else "wrong"


def main():
    if "--" not in sys.argv[2:]:
        sys.exit(__doc__)
    cut = sys.argv.index("--")
    cases = [json.loads(line) for name in sys.argv[1:cut] for line in open(name, encoding="utf-8")]
    asked = "".join(
        json.dumps({k: c[k] for k in ("id", "text", "lang", "reference_time")}, ensure_ascii=False) + "\n"
        for c in cases
    )
    done = subprocess.run(sys.argv[cut + 1 :], input=asked, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        sys.exit(f"the command ended with {done.returncode}: {done.stderr[-300:]}")
    found = {(r := json.loads(line))["id"]: r["found"] for line in done.stdout.splitlines() if line.strip()}
    table = defaultdict(Counter)
    for case in cases:
        verdict = judge(case, found[case["id"]]) if case["id"] in found else "unanswered"
        table[case["lang"], case["kind"]][verdict] += 1
        if case["kind"] != "none":
            table[case["lang"], "ALL"][verdict] += 1
    for (lang, kind), row in sorted(table.items()):
        n = sum(row.values())
        wrong = 100 * row["wrong"] / max(1, n - row["nothing"])
        print(
            f"{lang} {kind:10s} n={n:4d} right={100 * row['right'] / n:5.1f}% partly={row['partly']} wrong={row['wrong']} "
            f"({wrong:.0f}% of answered) nothing={row['nothing']} unanswered={row['unanswered']}"
        )


if __name__ == "__main__":
    main()
