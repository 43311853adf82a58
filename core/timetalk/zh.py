"""The Chinese grammar: words to pieces, pieces to bounds and ranges."""

from dataclasses import replace

from core.patterns import lazy

from .beside import between_bounds, moved, with_further_hours, without_a_day
from .dates import Ctx
from .lexing import LexRule, Tongue, counted, join, merge, read, with_bounds
from .model import Piece
from .numerals import plain, zh_int
from .ranges import link_ranges
from .zh_clock import CLOCK_RULES, LENGTH_RULES
from .zh_dates import DATE_RULES
from .zh_every import EVERY_RULES, VAGUE_RULES
from .zh_feasts import FEAST_RULES

_RULES: list[LexRule] = [*EVERY_RULES, *DATE_RULES, *FEAST_RULES, *LENGTH_RULES, *CLOCK_RULES, *VAGUE_RULES]
ZH = Tongue(
    rules=_RULES,
    glue=lazy(r"[\s,、()]*(?:的|那天|当天)?[\s(]*"),
    to=lazy(r"[\s)]*(?:起|开始)?\s?(?:到|至|直到|[-~]+|一直到)\s*"),
)
_BESIDE = lazy(
    r"\s?(?:放假|假期|长假)?的?(?P<side>前|后)(?:面|边)?的?(?:第|最后)?(?P<n>[一二两三四五六七八九十]|\d{1,2})"
    r"\s?(?:[天日]|(?P<working>个?(?:工作日|上班日)))(?![之以]?[内前后])"
)
_PLACE = lazy(r"号\s?(?:楼|线|机|门|店|厅|房|桌|车|库|位|会议室|会客|教室|包间|电梯|仓)")
# "下周找个时间聊": a period that leaves the day open is no definite time.
_SOME_DAY = lazy(
    r"\s?[,，]?\s?(?:再|的|咱们?|我们?|大家)?\s?(?:[找约抽]个?(?:时间|空|机会)|[某哪](?:一?[天日]|个时间)|什么时候都|抽空|有空|得空|不定)"
)
_AND = lazy(r"\s?[,、和跟与及]?(?:还有|以及)?\s?")
_GAP = lazy(r"\s?[,，、到至]?\s?")
_COMPOUND = lazy(r"\s?(?:又|余|零|加|多|和)?\s?")
# Titles of works, phrases that count no days, and names with a numeral in them ("张三周五给", "老五三点来").
_NO_TIME = lazy(
    # "8号9号两天": the days were named.
    r"(?:(?<=[号日])|(?<=周[一二三四五六]))这?[两三四五]天(?![前后内之以假])"
    r"|(?<=叫)周[一二三四五六日天](?=\s?(?:$|[,。!?;]))|三天两头|一天到晚|一年到头|一时半[会刻]儿?|[挑选找哪某另换抽]一?[天年月](?![前后内])|《[^》]*》|张三|李四|王五|赵六|孙七|[老小阿][一二三四五六七八九](?![十月日号天])"
)

_BEFORE = lazy(
    r"\s?(?:截止(?![日时]|到)|(?:当天|那天)?(?:或|及|和)?(?:之前|以前|及以前)|之?前(?![端面台任期途列年天日些后]|提(?![醒交供出测前])))|止"
)
_UNTIL = lazy(r"\s?(?:那天)?为止")
_WITHIN = lazy(r"\s?(?:之内|以内|内(?![部容存网核外]))")
_SINCE = lazy(r"\s?(?:(?:或|及|和)?(?:之后|以后|以来)|起(?![来床步飞草])|开始|算起|后(?![端台面续期来天勤果]))")
_AFTER_LENGTH = lazy(r"\s?(?:之后|以后|过后|后(?![端台面续期来天勤果]))")
_BEFORE_LENGTH = lazy(r"\s?(?:之前|以前|前(?![端面台任期途列]|提(?![醒交供出测前]))|以?来)")

# A stay that lasts until a day: "休假到周三", "出差到周五".
_STAYS = (
    r"休假|请假|年假|病假|产假|婚假|事假|放假|休息|出差|外出|在外地?|不在|忙|封网|冻结|停机|维护|停用|停电|关闭|有效期?|持续|延续"
    r"|保留|开放|营业|值班|隔离|住院|封闭|培训|占用|驻场|加班|居家|在家"
)
_LASTING = lazy(rf"(?:{_STAYS})[^\s,，。；;]{{0,3}}?(?:一直)?到\s?$|一直到\s?$")
_OVER = lazy(r"\s?结束(?:之?前|以前)")
_BY = lazy(
    r"(?:截止(?:日期|时间)?(?:到|是|为|在|定在|:)?|(?:deadline|ddl|死线)\s?(?:是|为|在|定在|:)?|截至|最晚|最迟|不晚于|不迟于|赶在|至迟)\s?(?:是|在|到)?\s?$"
)
_OPENS = lazy(r"(?:从|自|打从?)\s?$")
_FROM = lazy(r"(?:自从?|打从)\s?$")
_OUT = lazy(r"(?:^|[^经超路通错])过\s?$")
_LAST = lazy(r"(?:最近|近|过去|前|上|之前|以前)(?:的)?\s?$")
_BYGONE = lazy(r"(?:(?<!最)近|过去)(?:的)?\s?$")
_NEXT = lazy(r"(?:未来|接下来|今后|往后|后|下|之后|以后)(?:的)?\s?$")
_LEAD = lazy(r"(?:提前|早|晚|迟|推迟|延后)了?\s?$")


def find_zh(text: str, ctx: Ctx) -> list[Piece]:
    """The pieces of a Chinese text in order, ranges and bounds put together."""
    words = _NO_TIME.sub(lambda m: " " * len(m[0]), plain(text))
    pieces = join(_days_beside(read(words, ZH, ctx), words, ctx), words, ZH.glue)
    pieces = with_further_hours(pieces, words, _AND)
    pieces = _compounds([counted(p, words) for p in pieces], words)
    pieces = link_ranges(pieces, words, ZH.to, _between)
    pieces = with_bounds([p for p in pieces if not p.weak or p.nth], words, _bound)
    return between_bounds(without_a_day(_no_places(pieces, words), plain(text), _SOME_DAY), words, _GAP)


def _no_places(pieces: list[Piece], text: str) -> list[Piece]:
    """ "一号会议室被占了，换二号吧": beside numbered places a bare number is one of them."""
    if not _PLACE.search(text):
        return pieces
    return [p for p in pieces if p.bound or not _only_a_number(p)]


def _only_a_number(piece: Piece) -> bool:
    fields = piece.fields
    alone = fields and fields.day and not (fields.month or fields.weekday)
    return bool(alone) and not (piece.clock or piece.part or piece.until)


def _days_beside(pieces: list[Piece], text: str, ctx: Ctx) -> list[Piece]:
    """ "五一前一天", "国庆节后第三天": the day that is meant, in place of the pieces that its words gave."""
    out: list[Piece] = []
    floor = 0
    for piece in pieces:
        if piece.start < floor:
            continue
        m = _BESIDE.match(text, piece.end)
        if m and out and out[-1].end == piece.start and (whole := merge(out[-1], piece)):
            # "5月" and "1日".
            out.pop()
            piece = whole
        count = zh_int(m["n"]) if m else None
        days = (count or 0) if m and m["side"] == "后" else -(count or 0)
        there = m and days and moved(piece, piece.start, m.end(), days, ctx, working=bool(m["working"]))
        out.append(there or piece)
        floor = out[-1].end
    return out


def _between(text: str, a: Piece, b: Piece) -> int | None:
    """The end of "A和B之间", else None."""
    gap = text[a.end : b.start].strip()
    if gap in ("和", "与", "跟", "至", "到") and (m := lazy(r"\s?之?间").match(text, b.end)):
        return m.end()
    return None


def _compounds(pieces: list[Piece], text: str) -> list[Piece]:
    """ "一天 三小时" as one length."""
    out: list[Piece] = []
    for piece in pieces:
        last = out[-1] if out else None
        sure = last and not (last.vague or piece.vague)
        if last and sure and last.length and piece.length and _COMPOUND.fullmatch(text, last.end, piece.start):
            out[-1] = replace(last, end=piece.end, length=last.length + piece.length)
            continue
        out.append(piece)
    return out


def _bound(piece: Piece, before: str, after: str) -> Piece:
    """The piece with the words around it that make it a limit: "之前", "三天内", "自从"."""
    if piece.rule or piece.bound or (piece.vague and not piece.length):
        return piece
    if piece.length:
        return _bound_length(piece, before, after)
    if piece.until:
        return piece
    if m := _LASTING.search(before):
        return replace(piece, bound="by")
    if (piece.period or piece.fields) and (m := _OVER.match(after)):
        return replace(piece, end=piece.end + m.end(), bound="by")
    if m := _BY.search(before):
        tail = _BEFORE.match(after)
        return replace(piece, start=piece.start - len(m[0]), end=piece.end + (tail.end() if tail else 0), bound="by")
    if m := _BEFORE.match(after):
        inclusive = any(w in m[0] for w in "或及止")
        return replace(piece, end=piece.end + m.end(), bound="by" if inclusive else "before")
    if m := _UNTIL.match(after):
        return replace(piece, end=piece.end + m.end(), bound="by")
    if m := _WITHIN.match(after):
        return replace(piece, end=piece.end + m.end(), bound="within")
    if m := _SINCE.match(after):
        if "来" in m[0]:
            return replace(piece, end=piece.end + m.end(), bound="since")
        if m[0].strip() == "开始" and piece.clock and not _OPENS.search(before):
            # "十点开始" is when it begins.
            return piece
        onward = any(w in m[0] for w in ("或", "及", "起", "开始"))
        return replace(piece, end=piece.end + m.end(), bound="onward" if onward else "after")
    if m := _FROM.search(before):
        return replace(piece, start=piece.start - len(m[0]), bound="since")
    return piece


def _bound_length(piece: Piece, before: str, after: str) -> Piece:
    if m := _LEAD.search(before):
        return replace(piece, start=piece.start - len(m[0]), bound="lead") if "提前" in m[0] else piece
    if (m := _BYGONE.search(before)) and (inside := _WITHIN.match(after)):
        return replace(piece, start=piece.start - len(m[0]), end=piece.end + inside.end(), bound="last")
    for pattern, bound in ((_WITHIN, "within"), (_AFTER_LENGTH, "out"), (_BEFORE_LENGTH, "ago")):
        if m := pattern.match(after):
            return replace(piece, end=piece.end + m.end(), bound="last" if m[0].endswith("来") else bound)
    if m := _OUT.search(before):
        skip = len(m[0]) - m[0].index("过")
        return replace(piece, start=piece.start - skip, bound="out")
    for pattern, bound in ((_LAST, "last"), (_NEXT, "next")):
        if m := pattern.search(before):
            return replace(piece, start=piece.start - len(m[0]), bound=bound)
    return piece
