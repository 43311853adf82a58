"""Words around a time that tell whether it is promised: conditions, doubts, refusals, certainty."""

import re

from core.patterns import lazy

# Farther off than this many characters a word does not bear on a time.
_NEAR = 80
SENTENCE = lazy(r"[。！!？?\n]|(?<=[a-z\d)])\.(?=\s|$)")
CLAUSE = lazy(
    r",(?!\d)|[，。！!？?；;\n…]|(?<=[a-z\d)])\.(?=\s|$)|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff\d])|\bbut\b|\bthen\b",
    re.A,
)

CONDITION = lazy(
    r"如果|要是|假如|倘若|万一|的话|除非|只要|前提(?![交测供])|一旦|看情况"
    r"|\b(?:if|unless|assuming|provided|as long as|as soon as|depend(?:s|ing)?)\b",
    re.A,
)
DOUBT = lazy(
    r"争取|尽量|尽力|力争|希望|可能|也许|或许|说不定|没准|不一定|估摸|看能不能|试试|不敢|不好说|兴许|或者?下"
    r"|\b(?:maybe|perhaps|might|could|hopefully|try|trying|possibly|sometime|some time|not sure|i guess|or so|aim(?:ing)?)\b|(?<!\bfin)(?<!\bpubl)(?<!\bestabl)(?<!\bfurn)(?<!\bw)ish\b",
    re.A,
)
NEGATION_ZH = lazy(
    r"(?<!差)不(?!好意思|急|错|过|见不散|用(?:担心|急|催|等)|晚于|迟于|止|对|会(?:晚|迟|超)|超过|出意外|容易)|没(?!问题|事)|别(?!急|担心)"
)
ABSENCE_ZH = lazy(
    r"请.{0,2}假|休假|放假|太忙|有事|出差|开会|体检|才(?:回|来|有|能(?!发|给|交|寄|传|提|出|到|好|做完|弄好|完))|上写|恢复(?:办公|上班)|祝|愿你"
)
REFUSAL_EN = lazy(
    r"\bnot\b|n't\b|\bcannot\b|\bno\b(?! later| problem| worr| wait| doubt)|\bnever\b|\bout of (?:the )?office\b"
    r"|\boff\b|\baway\b|\bon leave\b|\bholiday\b|\bvacation\b|\bbusy\b|\bbooked\b|\bgave\b|\bemailed\b",
    re.A,
)
QUESTION = lazy(r"[?？]|[吗么]\s*$|(?:好不好|行不行|可不可以|是不是)")
DONE = lazy(r"了(?!解)|过(?:了|的)|已经|\b(?:was|were|did|had|came|sent|signed|already)\b", re.A)
CERTAIN = lazy(
    r"最晚|最迟|一定|肯定|保证|务必|必须|准能|准时|说到做到"
    r"|\b(?:latest|for sure|definitely|promise|certainly|surely|no later than|guaranteed?|by)\b",
    re.A,
)
CORRECTION = lazy(
    r"不对|不，|说错|改主意|改成|改到|改[为在]|\b(?:no wait|sorry no|make that|actually|i mean|rather)\b",
    re.A,
)
NEED = lazy(
    r"期限|要|(?<![记觉晓懂值显不])得(?!到)|必须|答应|承诺|说好|务必|应该|该|给我|给到|发我|交|拿到|收齐|搞定|做完|到位|截止|弄好|签"
    r"|\b(?:need(?:s|ed)?|must|has to|have to|want|due|deadline|required|owes?|promised|supposed|will|wire|send|get)\b",
    re.A,
)
QUOTED = lazy(r"“[^”]*”|「[^」]*」|\"[^\"]*\"")
ASKED = lazy(r"能不能|能否|可不可以|是不是|有没有|什么时候|[?？]|[吗么]\s*$|\b(?:whether|when)\b", re.A)
AUTOMATIC = lazy(r"自动回复|auto(?:matic)?[ -]?(?:reply|response)|out of (?:the )?office")
PAST_VERB = lazy(r"\b[a-z]{3,}ed\b(?<!need)|\b(?:was|were|did|had|came|sent|got|took|left)\b", re.A)
FUTURE = lazy(r"\b(?:will|'ll|shall|going to|gonna|to be|can|by)\b|'ll\b", re.A)
ERRAND = lazy(
    r"问|提醒|叫|喊|说一声|告诉|催|帮我|通知|联系"
    r"|\b(?:remind|ask|check with|ping|poke|nudge|tell|call)\b",
    re.A,
)
TAKES = lazy(
    r"(?:再(?:给|等|有|要|过)?我?|还(?:要|需|得|差)要?|需要?|要|给我|等我?|得|顶多|最多|最快|大概|大约|差不多|约|用|花)\s*$"
    r"|\b(?:takes?|needs?|give me|another|gimme|want|wait|is|in)\s+(?:(?:about|around|me|another|only|roughly)\s+)*$",
    re.A,
)
TAKES_AFTER = lazy(r"\s*(?:就|左右就|能)(?:好|行|到|完|可以|搞定|能)|\s*搞定|\s*(?:more|max|tops|away|left)\b", re.A)


def clause_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The bounds of the clause that holds ``text[start:end]``; of a long one the part near it."""
    first, last = max(0, start - _NEAR), min(len(text), end + _NEAR)
    for mark in CLAUSE.finditer(text, first, last):
        if mark.end() <= start:
            first = mark.end()
        elif mark.start() >= end:
            last = mark.end() if mark[0].strip() in ("?", "？") else mark.start()
            break
    return first, last


def condition_spans(text: str) -> list[tuple[int, int]]:
    """Stretches that hang on a condition: from the clause that states it to the end of its sentence."""
    spans = []
    for word in CONDITION.finditer(text):
        first, _ = clause_around(text, word.start(), word.end())
        end = SENTENCE.search(text, word.end())
        spans.append((first, end.end() if end else len(text)))
    return spans
