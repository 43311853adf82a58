"""What a reply promises and a request asks for, on Monday 16 March 2026, ten in the morning."""

from datetime import datetime, time
from zoneinfo import ZoneInfo

import pytest

from core.timetalk import deadline, has_definite_time, is_vague, promised

NOW = datetime(2026, 3, 16, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


def shown(at: datetime | None) -> str | None:
    return None if at is None else f"{at:%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("reply", "moment"),
    [
        ("好的，明天给你", "03-17 18:00"),
        ("周四能提测", "03-19 18:00"),
        ("周四下午可以", "03-19 18:00"),
        ("明天上午我弄好发", "03-17 12:00"),
        ("明早给", "03-17 12:00"),
        ("今晚十点前丢群里", "03-16 22:00"),
        ("下班前给你", "03-16 18:00"),
        ("一小时内", "03-16 11:00"),
        ("再给我两小时", "03-16 12:00"),
        ("顶多四十分钟", "03-16 10:40"),
        ("3点给你", "03-16 15:00"),
        ("月底", "03-31 18:00"),
        ("三天内搞定", "03-19 18:00"),
        ("本周内", "03-20 18:00"),
        ("大概五点多整理，最晚明天早上九点肯定给到", "03-17 09:00"),
        ("周三…不对，周三我要去体检，周五吧", "03-20 18:00"),
        ("马上，十分钟", "03-16 10:10"),
        ("下班前吧，最迟明天上午", "03-17 12:00"),
        ("本来说今天的，服务器坏了，推到明天中午", "03-17 12:00"),
        ("三点开会，四点给你", "03-16 16:00"),
        ("五一前上线", "04-30 18:00"),
        ("just finishing up, 15 minutes", "03-16 10:15"),
        ("I'm off tomorrow, back Wednesday, will send it then", "03-18 18:00"),
        ("维保明天来看，最晚18号", "03-18 18:00"),
        ("还没弄完周五给你", "03-20 18:00"),
        ("周五我不在，周一给", "03-23 18:00"),
        ("没问题 明天给", "03-17 18:00"),
        ("不出意外明天给", "03-17 18:00"),
        ("周四。教室那边还不知道", "03-19 18:00"),
        ("Wednesday, end of day", "03-18 18:00"),
        ("I'll have it by 3 this afternoon", "03-16 15:00"),
        ("gonna send em in half an hour", "03-16 10:30"),
        ("takes 40 mins", "03-16 10:40"),
        ("Tues. no wait tues is the audit, make that thursday", "03-19 18:00"),
        ("not today, i'll do it first thing saturday and text you by 10", "03-21 10:00"),
        ("before midnight for sure", "03-16 23:59"),
        ("end of the month", "03-31 18:00"),
        ("by end of week", "03-20 18:00"),
    ],
)
def test_promises(reply: str, moment: str) -> None:
    assert shown(promised(reply, NOW)) == moment


@pytest.mark.parametrize(
    "reply",
    [
        "我看看",
        "大概这两天吧",
        "下周吧",
        "过几天",
        "几天",
        "快了快了",
        "正常的话月底，不正常就不好说了",
        "甲方周五签字的话下周一就进",
        "争取月底",
        "月底太忙了 我抽空",
        "周五行吗？",
        "周三不行",
        "我休假到周三",
        "明天我请半天假",
        "早上七点就签了",
        "昨天发了",
        "他周四才回来",
        "今天的价是31块5",
        "周四三点以后我都在",
        "新任务：给大家发“今晚停电”",
        "if Petra shows up friday",
        "maybe tomorrow, maybe after tomorrow",
        "I'm out of office until Monday 18 May with limited access to email.",
        "can't do Friday",
        "uploaded at 8:31",
        "came in an hour ago",
        "sometime next week",
        "soonish",
        "in a few hours",
    ],
)
def test_replies_without_a_promise(reply: str) -> None:
    assert promised(reply, NOW) is None


def test_a_day_ends_with_work_where_that_is_earlier() -> None:
    assert shown(promised("明天给你", NOW, end_of_work=time(16, 30))) == "03-17 16:30"
    assert shown(promised("明天给你", NOW, end_of_work=time(20, 0))) == "03-17 18:00"
    assert shown(promised("下班前给你", NOW, end_of_work=time(20, 0))) == "03-16 20:00"
    assert shown(promised("周四下午", NOW, end_of_work=time(16, 30))) == "03-19 16:30"


@pytest.mark.parametrize(
    ("request_text", "moment"),
    [
        ("今天下班前要", "03-16 18:00"),
        ("下周五前给我", "03-27 18:00"),
        ("今天内", "03-16 18:00"),
        ("18点前给我", "03-16 18:00"),
        ("急，今天就要", "03-16 18:00"),
        ("小峰今天得把客户名单给我", "03-16 18:00"),
        ("李四答应周四把环境搭好", "03-19 18:00"),
        ("十分钟内", "03-16 10:10"),
        ("月底前", "03-31 18:00"),
        ("by Friday", "03-20 18:00"),
        ("in two hours I need it", "03-16 12:00"),
        ("I must have it by Thursday noon at the latest", "03-19 12:00"),
        ("EOD please", "03-16 18:00"),
        ("后天早上九点提醒小唐带样品册", None),
        ("下周三上午十点帮我问林峰", None),
        ("明天的会要取消", None),
        ("年底前能不能装上", None),
        ("on friday at 4pm remind Luis to lock up", None),
        ("帮我问一下张三", None),
    ],
)
def test_deadlines_of_requests(request_text: str, moment: str | None) -> None:
    assert shown(deadline(request_text, NOW)) == moment


@pytest.mark.parametrize(
    ("text", "vague", "definite"),
    [
        ("大概这两天", True, False),
        ("过几天", True, False),
        ("尽快", True, False),
        ("下周吧", True, False),
        ("争取月底", True, True),
        ("soon", True, False),
        ("sometime next week", True, False),
        ("in a few hours", True, False),
        ("周四", False, True),
        ("3月18日", False, True),
        ("明天下午3点", False, True),
        ("下周一", False, True),
        ("月底", False, True),
        ("Thursday", False, True),
        ("tomorrow", False, True),
        ("我看看", False, False),
        ("嗯", False, False),
    ],
)
def test_vague_and_definite(text: str, vague: bool, definite: bool) -> None:
    assert (is_vague(text, NOW), has_definite_time(text, NOW)) == (vague, definite)
