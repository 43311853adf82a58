"""What holds for any text and any moment."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import given, settings
from hypothesis import strategies as st

from core.timetalk import deadline, has_definite_time, is_vague, parse, promised, said_with_date, say_moment

WORDS = (
    "今天 明天 后天 周四 下周 下周三 上午 下午 晚上 三点 两点半 3:30 15:00 3月18日 18号 月底 每天 每周一 内 前 之前 以后 后 到 至 "
    "从 起 的 第 最后 个 两 十 半 小时 天 周 月 年 2026 给你 , 。 前3天 过 几天 尽快 春节 提前 头天 李四 问一下 小周 五一 7973 0 "
    "today tomorrow Thursday next last this week month at by before after in within 3 the 15th March May 3pm noon to "
    "every other day two hours and half of end first friday - / ago from now EOD weekdays until 9999 0 31 12 "
    "或 还是 不行 不对 不是 刚才 已经 差 一刻 现在 工作日 旬 一次 纽约时间 就 了 or not instead of sorry was sent year week London time working "
    "wk daily standup half quarter few couple or two same lunch am pm sharp Q3 second alternate fortnight 0900 back in 15 24h "
    "正月 初八 农历 截止 休假到 一直到 结束前 找个时间 双周 10min 号楼 周六日 一上班"
).split()
ZONES = ("Asia/Shanghai", "America/New_York", "Europe/London", "Pacific/Apia")

zones = st.sampled_from(ZONES).map(ZoneInfo)
walls = st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1))  # noqa: DTZ001
moments = st.builds(lambda wall, tz: wall.replace(tzinfo=tz), walls, zones)
texts = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=14).map("".join),
)


# Twenty thousand in the sweep, where others have two.
@settings(max_examples=100 if settings.default.max_examples <= 100 else 20_000)
@given(texts, moments, st.sampled_from([None, "zh", "en"]))
def test_parse_never_raises_and_its_results_are_in_order(text: str, now: datetime, lang: str | None) -> None:
    last = 0
    for expr in parse(text, now, lang):
        first, end = expr.pos
        assert last <= first < end <= len(text)
        assert text[first:end] == expr.text
        last = end
        for at in (expr.start, expr.end):
            assert at is None or at.tzinfo is not None
        if expr.kind == "span":
            assert expr.start is not None
            assert expr.end is not None
            assert expr.start.timestamp() <= expr.end.timestamp()


@given(texts, moments)
def test_judgements_never_raise_and_promise_only_the_future(text: str, now: datetime) -> None:
    for at in (promised(text, now), deadline(text, now)):
        assert at is None or at.timestamp() > now.timestamp()
    is_vague(text, now)
    has_definite_time(text, now)
    # Only ever adds notes in brackets.
    assert re.sub(r"（[^（）]*）| \([^()]*\)", "", said_with_date(text, now)) == re.sub(
        r"（[^（）]*）| \([^()]*\)", "", text
    )


@given(texts, moments)
def test_every_rule_is_one_that_dateutil_understands(text: str, now: datetime) -> None:
    for expr in parse(text, now):
        if expr.rrule:
            rrulestr(expr.rrule, dtstart=datetime(2026, 3, 16))  # noqa: DTZ001


@given(
    st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1)),  # noqa: DTZ001
    st.timedeltas(timedelta(days=-500), timedelta(days=500)),
    st.sampled_from(["zh-CN", "en"]),
)
def test_what_is_said_is_read_back_to_the_minute(start: datetime, ahead: timedelta, lang: str) -> None:
    now = start.replace(tzinfo=ZoneInfo("Asia/Shanghai"))
    at = (now + ahead).replace(second=0, microsecond=0)
    said = say_moment(at, now, lang)
    assert [e.start for e in parse(said, now)] == [at], said


@pytest.mark.parametrize("text", ["下" * 3000, "周四三点" * 800, "monday and " * 300, "at 3 " * 600, "一" * 5000])
def test_a_long_text_takes_no_long_time(text: str) -> None:
    now = datetime(2026, 3, 16, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
    promised(text, now)
    said_with_date(text, now)
