"""What must not be done on a mere word: money that moves, text that binds the owner towards others (RULES 6)."""

from __future__ import annotations

import re

from core.brain.rules.words.text import any_of, fold
from core.patterns import lazy

MONEY = any_of(
    r"""
    (?:打|付|转|退|汇|支付|结|报销|赔)[^,。?？]{0,8}(?:款|钱|账|费|定金|尾款|[0-9一二两三四五六七八九十百千万]+\s*(?:元|块|万))
    (?:打(?!1\d{4})|付|转|汇|赔|退|支付)(?:给)?[^,。?？0-9一二两三四五六七八九十]{0,4}(?:[0-9][0-9,]{2,}|[0-9一二两三四五六七八九十]+[百千万])(?![0-9个次遍人号份字台件层楼])
    (?:款|钱|费|[定押]金|工资)[^,。?？]{0,8}(?:打|付|转|退|汇|结)(?:给|了|掉|过|到|出)|转账|打款|付款|汇款
    把?[0-9一二两三四五六七八九十百千万,.]+\s*(?:块钱?|元|万块?|万元|美金|刀|欧)[^,。?？]{0,4}(?:打|付|转|退|汇|结|交|垫)(?:给|到|过去|出去|掉|了)
    把[^,。?？]{0,12}(?:款|钱|账|费|[定押租]金|房租|工资|账单|发票)(?:给|都|先|也)?(?:打|付|转|退|汇|结|交|缴|补)(?!了?(?:没|吗))
    \b(?:pay|wire|transfer|refund|reimburse|settle)\b[^?]{0,40}(?:\d|money|deposit|invoice|bill|rent|fees?\b|wages|salary)
    \b(?:pay|wire|refund|reimburse)(?! (?:attention|heed|a visit|respects?|by|with)\b) (?:the |a |our |him\b|her\b|them\b|me\b|us\b|my |for )
    """,
    re.IGNORECASE,
)
BINDS = any_of(
    r"""
    (?:说|告诉|答复|回复|通知)[^,。]{0,8}(?:我们?(?:同意|接受|答应)|降价|涨价|底价)|涨\d|涨[一二三四五六七八九十]
    (?:可以|能|愿意|同意|再)[^,。]{0,4}(?:降|让|减|免)[^,。]{0,4}(?:\d|[一二两三四五六七八九十])[^,。]{0,3}(?:点|折|元|块|万|%)
    (?:全线|统一|开始)?(?:涨价|降价|调价)
    (?:我们?|咱们?)(?:可以|能|愿意|同意|接受|答应)[^,。]{0,8}(?:降|让|免|赔|付|出|加|退)|签[^,。?？]{0,8}合同(?!了?(?:没|吗|么|[?？]))
    (?:说|讲|告诉|答复|回复|通知|跟|和)[^。]{0,24}(?<![问是])我们?(?:都|已经|就|也)?(?:同意|接受|答应|批准|批了|认了)(?!吗|么|不|没)
    \b(?:we|i)(?:'ll| will)? (?:promise|guarantee|commit)\b|\b(?:we|i)(?:'ll| will)? pay\b|(?<![问是])我们?(?:准了|保证|承诺|担保)|(?:申请|请假|假|报价|方案|价格)[^,。]{0,4}我?(?:准了|批了)
    \b(?:(?:is|are|was|has been|have been) (?:approved|accepted|granted))\b(?! by\b)|\b(?:we|i)(?:'ll|'d|'ve| will| would| have)? (?:gladly |hereby )?(?:accept|agreed?|approved?)\b
    合同[^,。]{0,4}签了(?!没|吗|么|[?？])|辞退|开除|解约
    \bprice (?:change|increase|cut|rise)|\bfire (?:him|her|them)\b|\bterminate\b
    """,
    re.IGNORECASE,
)
ASKS_ONLY = lazy(
    r"什么时候|多少|吗|没有?(?:$|[,，。?？])|[?？]|能不能|哪天|几号|\bwhen\b|\bwhether\b|\bif\b|\bhow much\b|\bdid\b",
    re.IGNORECASE,
)


def moves_money(own: str, asks_only: bool = False) -> bool:
    """Whether money is to be moved, told clause by clause: a question beside it does not take that back.

    `own` is folded. `asks_only`: the matter as a whole is a question.
    """
    if not MONEY.search(own):
        return False
    ordered = [c for c in _CLAUSE.split(own) if MONEY.search(c) and not ASKS_ONLY.search(c)]
    return bool(ordered) if len(_CLAUSE.split(own)) > 1 else not asks_only


_CLAUSE = lazy(
    r"[,，。;；!！\n](?!(?<=\d,)\d{3})\s*|\s(?=and (?:then |also )?(?:have|get|tell|let|ask|make)\b)", re.IGNORECASE
)


def is_risky(words: str) -> bool:
    """Whether words that go out move money or bind the owner; a mere question about either does neither."""
    own = fold(words)
    return bool(MONEY.search(own) or BINDS.search(own)) and not ASKS_ONLY.search(own)
