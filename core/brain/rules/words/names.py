"""Finding people in a text by what they are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.brain.questions import PersonBrief
from core.brain.rules.words.text import CJK, any_of, fold
from core.patterns import lazy

SURNAMES = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤裴祁翟聂窦岑庞樊骆鲍闵阮凌颜倪柯"
TITLES = (
    "老师|经理|主任|师傅|医生|院长|校长|会计|总监|主管|科长|工程师|教授|律师|先生|女士|小姐|太太|阿姨|"
    "叔叔|老板|护士|药师"
)
# Characters common in given names and rare as the first of what follows a name in a sentence: after a name of two
# characters they make it the name of somebody else (张三丰 is not 张三).
_GIVEN = "丰峰伟芳娜敏丽磊洋勇艳杰娟涛霞刚桂燕辉鹏婷雪浩宇轩娇倩琳瑶彬斌莹怡琪悦欣昊涵梅兰荣华国志军"
PERSON = "[\ue000-\uf8ff]"
_LETTER = re.compile("[a-z]")
_FIRST_MARK = 0xE000
# Names that are words too: written with a capital, or it is not a name.
_WORDS = frozenset(
    "may will mark grace joy hope bill rob frank art dick jack pat rich sue mike drew chase faith dawn summer sky max".split()
)


@dataclass(frozen=True)
class Mention:
    """A place where somebody is named; several ids when several people answer to it."""

    start: int
    end: int
    name: str
    ids: tuple[str, ...]


# Plain strings hash faster than models, and a directory is the same for many questions.
_Key = tuple[tuple[str, str, tuple[str, ...]], ...]


@lru_cache(maxsize=512)
def _calls(people: _Key) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Who answers to each call, and the calls by their first character, the longest first.

    Everybody who writes has a directory of their own, without themselves: a pattern of hundreds of names for each would
    cost more to compile than all else that is done about a message.
    """
    table: dict[str, list[str]] = {}
    for person in people:
        for call in _calls_of(person[1], person[2]):
            ids = table.setdefault(fold(call), [])
            if person[0] not in ids:
                ids.append(person[0])
    firsts: dict[str, tuple[str, ...]] = {}
    for call in sorted(table, key=len, reverse=True):
        firsts[call[0]] = (*firsts.get(call[0], ()), call)
    return {c: tuple(ids) for c, ids in table.items()}, firsts


def _called(folded: str, firsts: dict[str, tuple[str, ...]]) -> Iterator[tuple[int, str]]:
    """Each call that stands in the text, and where it begins."""
    at = 0
    while at < len(folded):
        here = (c for c in firsts.get(folded[at], ()) if folded.startswith(c, at) and _is_whole(folded, c, at))
        call = next(here, None)
        if call is not None:
            yield at, call
        at += len(call or " ")


def _is_whole(folded: str, call: str, at: int) -> bool:
    """A name in letters is not found within a word."""
    if CJK.search(call):
        return True
    return not _LETTER.match(folded[at - 1 : at]) and not _LETTER.match(folded, at + len(call))


def _calls_of(name: str, aliases: tuple[str, ...]) -> Iterable[str]:
    for call in (name, *aliases):
        if len(call.strip()) < 1:
            continue
        yield call.strip()
    if not CJK.search(name) and " " in name:
        yield from (part for n, part in enumerate(name.split()) if n == 0 or len(part) > 2)
    elif len(name) == 3 and fold(name)[0] in SURNAMES:
        yield name[1:]


class Directory:
    """People by what they are called, as a key: the same calls are the same directory."""

    __slots__ = ("_calls", "_hash", "people")

    def __init__(self, people: Sequence[PersonBrief]) -> None:
        self.people = people
        self._calls = tuple((p.person_id, p.name, p.aliases) for p in people)
        self._hash = hash(self._calls)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Directory) and self._calls == other._calls


def mentions(text: str, people: Sequence[PersonBrief]) -> list[Mention]:
    """Everybody who is named, in order, the longest name first where several fit."""
    table, firsts = _calls(tuple((p.person_id, p.name, p.aliases) for p in people))
    folded = fold(text)
    found = []
    for start, call in _called(folded, firsts):
        end = start + len(call)
        if (call in _WORDS or _is_surname(call, people)) and not text[start].isupper():
            continue
        if _goes_on(folded, call, end):
            continue
        found.append(Mention(start, end, text[start:end], table[call]))
    return found


def _is_surname(call: str, people: Sequence[PersonBrief]) -> bool:
    """A last name, which may be a word: "Fox", "Cook"."""
    if CJK.search(call) or " " in call:
        return False
    return any(call in fold(p.name).split()[1:] for p in people) and not any(
        call in (fold(p.name).split()[0], *map(fold, p.aliases)) for p in people
    )


def _goes_on(folded: str, call: str, end: int) -> bool:
    """A surname and one character, followed by a character of given names: a longer name of somebody unknown."""
    return len(call) == 2 and call[0] in SURNAMES and bool(CJK.search(call)) and folded[end : end + 1] in tuple(_GIVEN)


@dataclass(frozen=True)
class Masked:
    """A text in which each mention is one private-use character: then word order can be matched by patterns."""

    raw: str
    folded: str
    found: tuple[Mention, ...]

    def mention(self, mark: str) -> Mention:
        """The mention that a mark stands for."""
        return self.found[ord(mark) - _FIRST_MARK]

    def unmask(self, raw: str) -> str:
        """Names put back."""
        return re.sub(
            PERSON,
            lambda m: self.mention(m.group()).name if ord(m.group()) - _FIRST_MARK < len(self.found) else "",
            raw,
        )


def masked(text: str, people: Sequence[PersonBrief]) -> Masked:
    """The text with its mentions masked. Private-use characters of the text itself become blanks first."""
    text = re.sub(PERSON, " ", text)
    found = mentions(text, people)[:6000]
    pieces, last = [], 0
    for number, mention in enumerate(found):
        pieces += [text[last : mention.start], chr(_FIRST_MARK + number)]
        last = mention.end
    raw = "".join([*pieces, text[last:]])
    return Masked(raw, fold(raw), tuple(found))


_CALL_ENDS = f"{TITLES}|总|工|哥|姐|叔|姨"
# Forms of address that are words too.
_NO_CALL = lazy(
    r"大家|大伙|老板|老师(?!傅)|老家|小组|大人|.[总工](?:结|共|部|数|监|体|裁|之|量|额|作|资|具|程|期|厂|地|人|艺)"
)


def partial_call(text: str, people: Sequence[PersonBrief]) -> tuple[str, tuple[str, ...]] | None:
    """What somebody is called at the very beginning of `text` by a part of their name, and whom it fits: 小张, 张工 of the
    family name, 阿强, 强哥, 强强 of the last character. Nobody is named by it for certain.
    """
    if _NO_CALL.match(text) or not CJK.match(text):
        return None
    names = {p.person_id: p.name for p in people if CJK.fullmatch(p.name[:1]) and 2 <= len(p.name) <= 4}
    for pick in (0, -1):
        for call, char in _calls_at(text, last=pick == -1):
            ids = tuple(i for i, name in names.items() if name[pick] == char)
            if ids:
                return call, ids
    return None


def _calls_at(text: str, *, last: bool) -> Iterator[tuple[str, str]]:
    """Each form of address at the beginning of a text, with the character of the name in it."""
    if hit := re.match(r"[小老阿大](?P<c>[\u4e00-\u9fff])", text):
        yield hit.group(), hit["c"]
    if hit := re.match(rf"(?P<c>[\u4e00-\u9fff])(?:{_CALL_ENDS}{'|子' if last else ''})", text):
        yield hit.group(), hit["c"]
    if last and (hit := re.match(r"(?P<c>[\u4e00-\u9fff])(?P=c)", text)):
        yield hit.group(), hit["c"]


_EN_TITLE = r"(?:mr|mrs|ms|dr|nurse|prof)\.?\s+"
_ZH_UNKNOWN = re.compile(
    rf"(?:[小老阿大][{SURNAMES}一-龥](?![一-龥])|[小老阿大][{SURNAMES}]|[{SURNAMES}](?:{TITLES}|总|工|哥|"
    rf"姐|叔|姨)|(?![的他她你我这那各])[一-龥](?:师傅|老师|经理|主任|医生|律师|会计|教授|院长|校长|阿姨)|[{SURNAMES}][\u4e00-\u9fff]{{1,2}}?(?=他|她|那边|那|的|说|问|要|把|去|来|这|今|明|后|周|"
    rf"下|上|什么|几|有|是|能|会|在|和|跟|与|及|、|\W|$)|[A-Z][A-Za-z]+(?:\s[A-Z][a-z]+)?)"
)
# 王五, 李娜: a surname with a character that hardly ever stands after it in another word.
_ZH_PLAIN = re.compile(rf"[{SURNAMES}][三四五六七八九{_GIVEN}]")
_EN_UNKNOWN = re.compile(rf"(?:(?i:{_EN_TITLE}))?[A-Z][a-z]+(?:\s[A-Z][a-z]+)?")
# Common words that begin with a surname.
_WORDS_ZH = any_of(
    r"""
    周[一二三四五六日天末报会期边]|任[务何意]|方[案便面向式法针块程]|马[上路]|高[温级]|金[额钱]|白[天板]|程[序度]|文[件档]
    时[间候]|何[时必]|石头|万一|毛[利病]|严[重格]|钱|江边|段时|史上|于是|余[额下]|田里|许多|安[排全]|龙头|夏天|秦岭
    武汉|向他|董事|常[见规务]|温度|成本|项目|谢谢|路[上由]|侯车|黎明
    """
)
_NOT_NAMES = frozenset(
    "i i'm mr mrs ms miss dr monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december qa hr it legal ok pdf api sdk".split()
)
_ROLE_NOUNS = "客户|供应商|物业|财务|法务|人事|行政|前台|运维|测试|开发|产品|设计师|房东|甲方|乙方|施工队|快递"


# What is theirs, and not themselves: 测试环境, 客户合同, 供应商名单.
_OF_ROLE = r"(?:环境|报告|用例|结果|进度|方案|文档|报表|名单|手册|计划|数据|账号|机器|合同|协议|意见|单号|费用?|款|版本?|线(?!上))"


def past_role(text: str) -> int:
    """How many characters at the beginning say what somebody is whose name stands right behind: 财务小周."""
    role = re.match(
        rf"(?:{_ROLE_NOUNS})(?:部|组)?的?(?=[小老阿大][{SURNAMES}]|[{SURNAMES}](?:{TITLES}|总|工|哥|姐))", text
    )
    return role.end() if role else 0


def unknown_name(text: str) -> str:
    """The name at the very beginning of `text` that nobody in the directory has, or nothing."""
    if _NO_CALL.match(text):
        return ""
    role = re.match(rf"(?:{_ROLE_NOUNS})(?:(?:部|那边|组)|(?!{_OF_ROLE}))", text)
    zh = _ZH_UNKNOWN.match(text) or _ZH_PLAIN.match(text)
    if zh and not _WORDS_ZH.match(text) and not (zh.group().isascii() and zh.group().lower() in _NOT_NAMES):
        return zh.group().strip()
    if role:
        return role.group().removesuffix("那边")
    en = _EN_UNKNOWN.match(text)
    return en.group().strip() if en and en.group().lower() not in _NOT_NAMES else ""
