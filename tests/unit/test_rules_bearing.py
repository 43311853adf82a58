"""Words of somebody who was asked after their own promise: about it, or about something else that must not get lost."""

from __future__ import annotations

from datetime import datetime, time

import pytest

from core.brain.rules.signals.bearing import bears_on

NOW = datetime.fromisoformat("2026-03-19T09:30:00+08:00")
SIX = time(18, 0)

ABOUT = (
    "好的",
    "还没",
    "周五",
    "明天弄",
    "忙忘了，下午给",
    "我周五给",
    "我周五给客户答复",
    "已经答复客户了",
    "发了",
    "搞定",
)
NOT_ABOUT = (
    "昨天开会大家都同意把发布会延期到五月",
    "我周五把合同发过去",
    "我担心支付接口周五上不了线",
    "三楼的打印机又坏了，钥匙也不知道在谁那里",
)


@pytest.mark.parametrize("text", ABOUT)
def test_words_about_the_deed(text: str) -> None:
    assert bears_on(text, "给客户答复", "张三办好：给客户答复", NOW, SIX)


@pytest.mark.parametrize("text", NOT_ABOUT)
def test_words_about_something_else(text: str) -> None:
    assert not bears_on(text, "给客户答复", "张三办好：给客户答复", NOW, SIX)


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("not yet", True),
        ("done", True),
        ("I'll do it on Friday", True),
        ("I'll send the client the quote on Friday", True),
        ("I sent the client the quote", True),
        ("I'll send the contract to Mary on Friday", False),
        ("I'm worried the release will slip", False),
        ("The printer on the third floor is broken again and nobody here has the key for it", False),
    ],
)
def test_in_english(text: str, about: bool) -> None:
    deed = "send the client the quote"
    assert bears_on(text, deed, f"Done by Tom: {deed}", NOW, SIX) is about
