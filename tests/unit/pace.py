"""Speed in a test is a ratio: of a hostile text to everyday words of the same length, both measured in one run."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

EVERYDAY = (
    "张三昨天和供应商谈过报价，说合同里的付款方式还要再看，下周三给我们答复。"
    "I'll send the list by Friday, the numbers need one more look. 李四那边环境已经好了，测试明天上午开始，有问题会在群里说。\n"
)
FAR = 20.0
"""What is read in order stays below three; a search without end is beyond all measure."""


def times_as_long(work: Callable[[str], object], text: str, everyday: str = EVERYDAY) -> float:
    """How much longer `work` takes on `text` than on everyday words of that length."""
    everyday = (everyday * (len(text) // len(everyday) + 1))[: len(text)]
    work(everyday)  # what is made once is not counted
    return _seconds(work, text) / _seconds(work, everyday)


def _seconds(work: Callable[[str], object], text: str) -> float:
    taken = []
    for _ in range(3):
        began = process_time()
        work(text)
        taken.append(process_time() - began)
    return max(min(taken), 1e-4)
