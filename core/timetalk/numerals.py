"""Numbers as people write them, and the widths and scripts of characters."""

import re

_WIDE = {ord("０") + i: ord("0") + i for i in range(10)}
_WIDE |= {ord("ａ") + i: ord("a") + i for i in range(26)} | {ord("Ａ") + i: ord("a") + i for i in range(26)}
_WIDE |= {ord("A") + i: ord("a") + i for i in range(26)}
_SIGNS = str.maketrans("：，．－–—―ー〜～／（）　！？；＠’", ":,.-----~~/() !?;@'")
# Traditional characters that occur in words of time, one for one so that positions hold.
_TRADITIONAL = str.maketrans(
    "點後週禮個號鐘鍾時內兩幾開間從這歲萬過給陽曆節國慶聖誕勞動兒婦雙馬會儘盡遲應該當黃晝頭現發說體聽尋寧還請問沒來無",
    "点后周礼个号钟钟时内两几开间从这岁万过给阳历节国庆圣诞劳动儿妇双马会尽尽迟应该当黄昼头现发说体听寻宁还请问没来无",
)
_TABLE: dict[int, int] = {**_WIDE, **_SIGNS, **_TRADITIONAL}

_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2, "仨": 3}
_UNITS = {"十": 10, "百": 100, "千": 1000}
ZH_DIGITS = "零〇一二三四五六七八九两俩仨"
ZH_NUMERAL = f"[{ZH_DIGITS}十百千万]"

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty".split()
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
).split()


def plain(text: str) -> str:
    """The text in half-width lower case and simplified characters, every character at its old place."""
    return text.translate(_TABLE)


def zh_number(text: str) -> float | None:
    """A number in digits or Chinese numerals ("十五", "两千零四", "二零零四", "2.5", "3,000"), or None."""
    text = text.strip().replace(",", "")
    if re.fullmatch(r"\d{1,12}(?:\.\d{1,6})?万?", text):
        return float(text.rstrip("万")) * (10_000 if text.endswith("万") else 1)
    if not text or len(text) > 12:
        return None
    if all(c in _DIGITS for c in text):
        return float("".join(str(_DIGITS[c]) for c in text))
    return _zh_composed(text)


def _zh_composed(text: str) -> float | None:
    total, section, digit = 0, 0, None
    for char in text:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif char in _UNITS:
            section += (1 if digit is None else digit) * _UNITS[char]
            digit = None
        elif char == "万":
            total, section, digit = (total + section + (digit or 0)) * 10_000, 0, None
        elif char.isdecimal() and char.isascii():
            digit = int(char)
        else:
            return None
    return float(total + section + (digit or 0))


def zh_int(text: str) -> int | None:
    """Like ``zh_number`` for whole numbers."""
    number = zh_number(text)
    return int(number) if number is not None and number == int(number) else None


def _en_words() -> dict[str, int]:
    words = {w: i for i, w in enumerate(_ONES)}
    for i, tens in enumerate(_TENS, start=2):
        words[tens] = i * 10
        for one in range(1, 10):
            words[f"{tens} {_ONES[one]}"] = words[f"{tens}-{_ONES[one]}"] = i * 10 + one
    return words


def _en_ordinal_words() -> dict[str, int]:
    words = {w: i for i, w in enumerate(_ORDINALS, start=1)} | {"thirtieth": 30}
    for tens, base in (("twenty", 20), ("thirty", 30)):
        for one in range(1, 10):
            for sep in (" ", "-"):
                words[f"{tens}{sep}{_ORDINALS[one - 1]}"] = base + one
    return words


EN_WORDS = _en_words()
EN_ORDINALS = _en_ordinal_words()
EN_NUMBER = r"(?:\d{1,6}(?:\.\d+)?|" + "|".join(sorted(EN_WORDS, key=len, reverse=True)) + r")"
EN_ORDINAL_WORD = "(?:" + "|".join(sorted(EN_ORDINALS, key=len, reverse=True)) + ")"


def en_number(text: str) -> float | None:
    """A number in digits or English words up to fifty-nine, "a" and "an" as one, or None."""
    text = text.strip()
    if text in ("a", "an", "one", "another"):
        return 1.0
    if re.fullmatch(r"\d{1,12}(?:\.\d{1,6})?", text):
        return float(text)
    number = EN_WORDS.get(text)
    return None if number is None else float(number)


def en_ordinal(text: str) -> int | None:
    """ "15th", "15", "fifteenth" or "twenty second" as a number, or None."""
    text = text.strip()
    found = re.fullmatch(r"(\d{1,3})(?:st|nd|rd|th)?", text)
    return int(found[1]) if found else EN_ORDINALS.get(text)
