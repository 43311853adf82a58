"""What must not be done on a mere word: money that moves, text that binds the owner towards others (RULES 6)."""

from __future__ import annotations

import re

from core.brain.rules.text import any_of, fold
from core.patterns import lazy

MONEY = any_of(
    r"""
    (?:打|付|转|退|汇|支付|结|报销|赔)[^,。?？]{0,8}(?:款|钱|账|费|定金|尾款|[0-9一二两三四五六七八九十百千万]+\s*(?:元|块|万))
    (?:款|钱|费|[定押]金|工资)[^,。?？]{0,8}(?:打|付|转|退|汇|结)(?:给|了|掉|过|到|出)|转账|打款|付款|汇款
    \b(?:pay|wire|transfer|refund|reimburse)\b[^?]{0,40}(?:\d|money|deposit|invoice|bill)
    """,
    re.IGNORECASE,
)
BINDS = any_of(
    r"""
    (?:说|告诉|答复|回复|通知)[^,。]{0,8}(?:我们?(?:同意|接受|答应)|降价|涨价|底价)|涨\d|涨[一二三四五六七八九十]
    (?:可以|能|愿意|同意|再)[^,。]{0,4}(?:降|让|减|免)[^,。]{0,4}(?:\d|[一二两三四五六七八九十])[^,。]{0,3}(?:点|折|元|块|万|%)
    (?:全线|统一|开始)?(?:涨价|降价|调价)
    (?:我们?|咱们?)(?:可以|能|愿意|同意|接受|答应)[^,。]{0,8}(?:降|让|免|赔|付|出|加|退)|签[^,。?？]{0,8}合同(?!了?(?:没|吗|么|[?？]))
    合同[^,。]{0,4}签了(?!没|吗|么|[?？])|辞退|开除|解约
    \bprice (?:change|increase|cut|rise)|\bwe (?:accept|agree)|\bfire (?:him|her|them)\b|\bterminate\b
    """,
    re.IGNORECASE,
)
ASKS_ONLY = lazy(
    r"什么时候|多少|吗|没有?(?:$|[,，。?？])|[?？]|能不能|哪天|几号|\bwhen\b|\bwhether\b|\bif\b|\bhow much\b|\bdid\b",
    re.IGNORECASE,
)


def is_risky(words: str) -> bool:
    """Whether words that go out move money or bind the owner; a mere question about either does neither."""
    own = fold(words)
    return bool(MONEY.search(own) or BINDS.search(own)) and not ASKS_ONLY.search(own)
