"""Reading aids that all rules share: folding, clauses, what two texts have in common."""

from __future__ import annotations

import re
from functools import lru_cache

from core.patterns import lazy

_MANY = "們個這來時間會說話問給過還沒開關對為麼煩請從後現幾點樣業務員讓發見寫買賣貨錢單報價數據應該誰嗎訊聯繫確認辦電腦網頁計劃劃準備進貼邊東車門題議書長張陳劉黃趙吳鄭馬羅謝許鄧馮蕭葉蘇呂蔣餘盧鍾師務醫護聽講讀聲體變動轉帳付結束難興樂歡愛無從頭實際須總經理國華產買幫緊誤觀覺決選擇達遲應該條週連線週禮拜鐘兩號換剛剛免約遠近別煩請資"
_FEW = "们个这来时间会说话问给过还没开关对为么烦请从后现几点样业务员让发见写买卖货钱单报价数据应该谁吗讯联系确认办电脑网页计划划准备进贴边东车门题议书长张陈刘黄赵吴郑马罗谢许邓冯萧叶苏吕蒋余卢钟师务医护听讲读声体变动转账付结束难兴乐欢爱无从头实际须总经理国华产买帮紧误观觉决选择达迟应该条周连线周礼拜钟两号换刚刚免约远近别烦请资"
# Cantonese function characters stand for their written-Chinese fellows.
_CANTON = {
    "唔": "不",
    "冇": "没",
    "佢": "他",
    "嘅": "的",
    "係": "是",
    "畀": "给",
    "咗": "了",
    "嚟": "来",
    "哋": "们",
    "啲": "些",
    "未": "未",
    "您": "你",
    "妳": "你",
}
_PUNCTUATION = {
    "，": ",",
    "？": "?",
    "！": "!",
    "；": ";",
    "：": ":",
    "（": "(",
    "）": ")",
    "“": '"',
    "”": '"',
    "’": "'",
    "‘": "'",
    "～": "~",
    "\u3000": " ",
    "…": "…",
}
_FOLD = str.maketrans({**dict(zip(_MANY, _FEW, strict=True)), **_CANTON, **_PUNCTUATION})


def any_of(rows: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern of alternatives, written as lines of alternatives: a table of words with some give."""
    return lazy("|".join(line.strip() for line in rows.strip().splitlines()), flags)


CJK = re.compile(r"[\u3400-\u9fff]")
_QUOTE = re.compile(
    r"^[ \t]*[「『“\"](?P<who>[^：:」』”\"\n]{1,12})[：:](?P<what>[^」』”\"]{0,2000})[」』”\"][ \t]*(?:\n|$)"
    r"|^[ \t]*>[ \t]*(?:(?P<by>[^：:\n]{1,16})[：:])?[^\n]*(?:\n|$)",
    re.MULTILINE,
)


@lru_cache(maxsize=2048)
def fold(text: str) -> str:
    """Lower case, simplified characters, plain punctuation; of the same length, so that positions stay true."""
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text.translate(_FOLD))


def is_english(text: str) -> bool:
    """Latin letters and no Chinese character."""
    return not CJK.search(text) and bool(re.search(r"[A-Za-z]", text))


def without_quotes(text: str) -> str:
    """The sender's own words: what is quoted from somebody else is data and says nothing about what is wanted."""
    own = _QUOTE.sub("", text).strip()
    return own or text.strip()


def quoted_speaker(text: str) -> str:
    """Who is quoted in `「张三：…」`, or nothing."""
    found = _QUOTE.search(text)
    return (found.group("who") or found.group("by") or "").strip() if found else ""


def sentences(text: str) -> list[str]:
    """Split at full stops, question and exclamation marks (which stay) and line ends; decimal points do not split."""
    parts = re.split(r"(?<=[。!?！？;；])|(?<=[.])(?=\s|$)|\n+", text)
    return [p.strip() for p in parts if p and p.strip(" .。…~\t")]


def clauses(text: str) -> list[str]:
    """Split also at commas, and at a blank beside a Chinese character: that is how commas are typed in a hurry."""
    found: list[str] = []
    for sentence in sentences(text):
        parts = re.split(
            r"[，、]|,(?!\d{3})|(?<!\d),|\s+[-–—]+\s+|(?<=[\u3400-\u9fff])\s+|\s+(?=[\u3400-\u9fff])|……|…|\.\.\.",
            sentence,
        )
        found.extend(p.strip() for p in parts if p and p.strip(" ~～—-"))
    return found


_STOP_CHARS = "的了吗呢吧呀啊嘛么是我你他她它们这那哪个什怎谁请问帮能要会不没有在和跟与就都也把被给对向让叫到去来还得着过之其及或而但为因所以可行好嗯哦哈喔噢唉一二两三几多少很太再又先后前时候点天月日号今明昨上下里间事件边"
_STOP_RUN = re.compile(f"[{_STOP_CHARS}\\W_]+|[a-z0-9]+")
_STOP_WORDS = frozenset(
    "the a an and or of to in on at for from by with is are was were be been do does did has have had can could will would shall should may might must it its this that these those i you he she we they me my your his her our their him them us what which who whom whose when where why how if whether not no yes ok okay please pls thanks thank just so but about up out get got one thing still there here as than then any some ask tell need want let know now today tomorrow".split()
)


@lru_cache(maxsize=2048)
def grams(text: str) -> frozenset[str]:
    """What a text is about: Latin words and numbers, and pairs of neighbouring Chinese characters, without empty words."""
    folded = re.sub(r"(?:周|星期|礼拜)(?=[一二三四五六日天末内])", " ", fold(text))
    words = {stem(w) for w in re.findall(r"[a-z][a-z0-9]+(?:\.\d+)*|v?\d+(?:\.\d+)+", folded) if w not in _STOP_WORDS}
    for run in _STOP_RUN.split(folded):
        words.update(run[i : i + 2] for i in range(len(run) - 1))
        if len(run) == 1:
            words.add(run)
    return frozenset(words)


def stem(word: str) -> str:
    """A Latin word without what its number, person or tense puts behind it."""
    if word.endswith("oes"):
        return word[:-2]
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return word[: -len(ending)]
    return word


def shared(one: str, other: str) -> int:
    """How many of their words two texts have in common."""
    return len(grams(one) & grams(other))


def likeness(one: str, other: str) -> float:
    """Share of the smaller text's words that the other one has too, 0 to 1."""
    a, b = grams(one), grams(other)
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0


def made_of(text: str, piece: re.Pattern[str]) -> bool:
    """Whether a text is nothing but such pieces, one after the other; in linear time, the first fitting piece taken."""
    at = 0
    while at < len(text):
        hit = piece.match(text, at)
        if hit is None or hit.end() == at:
            return False
        at = hit.end()
    return at > 0


def is_named(name: str, text: str) -> bool:
    """Whether the name of a person stands in a text, whatever the case; Tom is not in "tomorrow"."""
    plain, said = fold(name), fold(text)
    if not plain.isascii():
        return plain in said
    return bool(plain) and re.search(rf"(?<![a-z]){re.escape(plain)}(?![a-z])", said) is not None


def stands_in(name: str, text: str) -> bool:
    """Whether a name of ASCII, such as a branch or `group/project`, stands in a text as a whole, whatever the case."""
    bounded = rf"(?<![a-z0-9_/.-]){re.escape(fold(name))}(?![a-z0-9_/-])"
    return bool(name) and re.search(bounded, fold(text)) is not None


def squeezed(text: str) -> str:
    """Folded, without blanks and punctuation and emoji: for comparing short answers."""
    return re.sub(r"[^\w%+]+", "", fold(text))


def is_empty(text: str) -> bool:
    """No letter, digit or character: stickers, emoji, bare punctuation."""
    return not re.search(r"\w", re.sub(r"\[[^\[\]]{1,8}\]", "", text))
