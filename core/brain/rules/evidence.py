"""Whether words satisfy a goal. Strict: only a plain statement counts, in doubt the goal is not met (RULES 4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.brain.rules import reply
from core.brain.rules.goal import Want
from core.brain.rules.names import SURNAMES
from core.brain.rules.text import CJK, clauses, fold, is_empty, sentences, shared, squeezed
from core.timetalk import has_definite_time, parse

YES = re.compile(
    r"^(?:那|我|我们|这个|当然|其实|应该说|肯定|绝对|,|\s)*(?:嗯+|对+|是(?:的|啊|呀)?$|是|好+(?:的|呀|啊|嘞|滴|吧)?|可以|行(?:的|啊|吧)?|能(?!不能|否)|会的?|有(?!点|空|时|问题)|来(?!不)|没问题|没意见|算我|我参加|我来|我去(?!申请|问|看|查|找|跟|和|说)|ok|okay|要的?得?$|要(?!不|是|看)|同意|当然|必须|妥|成$|中$|照办|搞得定|搞定|"
    r"yes|yep|yeah|yup|ya|sure|ok|of course|definitely|absolutely|certainly|will do|happy to|no problem|i can|can do|it (?:is|did|does|was|has)$|he did|she did|they (?:are|did)|correct|right|agreed|deal|works for me|fine (?:by|with) me|count me in|i'm in|consider it done|gladly|can(?! (?:you|we|i|he|she|they)\b))(?![a-z])"
)
NO = re.compile(
    r"^(?:那|我|我们|这个|真|实在|其实|今天|暂时|so|well|sorry|,|\s)*(?:不(?!客气|错|过|好意思|知道|清楚|确定|好说|一定|急)|没(?!问题|事|关系|意见|错)|还没|未|no\b(?! (?:problem|worries|rush))|nope|nah|not\b(?! sure)|never\b|can'?t|can not|cannot|won'?t|it (?:isn'?t|did not|didn'?t|does not|doesn'?t|wasn'?t|hasn'?t|is not)|i (?:can'?t|can not|cannot|won'?t|am not)|unfortunately)"
)
# The same further on in a clause.
CANNOT = re.compile(
    r"[一-龥]不(?:了|到|上|完|起|来|及|动|出|成|下)|不行|不能|不够|没法|没有|没空|没办法|\b(?:absolutely|definitely|certainly|probably|really|sure|of course) not\b|\b(?:can'?t|cannot|can not|won'?t|isn'?t|didn'?t|doesn'?t|hasn'?t|no not|not (?:blocking|yet|possible|available|going|able|finished|anymore))\b"
)
_DONE = re.compile(
    r"(?:发|传|交|给|寄|放|拷|导|写|做|搞|弄|办|修|换|装|填|补|开|印|签|盖|提交|上传|处理|完成|搬|还|转|打|订|派|安排|整理|发送|通知|送|拿)(?:过|好|完|出去|过去|上去|给\w{1,3}|掉|齐)?了(?![吗没])|(?:已经?|刚刚?|早就?)(?:私)?(?:发|传|交|给|寄|放|上传|完成|处理|搞定|提交|转|订|写|派|付|打|送|到|回)|搞定|完事|[弄做写修办]好了|放[^,。]{1,8}了|(?:发|传|寄|送|交|存)[^,。]{1,5}(?:里|上|到|中|邮箱|群|盘)了|(?<![快要刚算])[一-龥](?:好|完|掉)了$|在(?:附件|群里|邮箱|桌上|共享|网盘|盘里|文件夹|你?桌)|见附件|附件|\[(?:图片|文件|照片|视频|表格|附件|photo|image|file|document|picture)\]|https?://|"
    r"\b(?:sent|attached|uploaded|submitted|done|finished|shared|emailed|delivered|here (?:it is|you go|they are)|here's|in the \w* ?(?:folder|drive|inbox|channel|chat)|on the (?:drive|server|share|table|desk)|posted|forwarded|in your inbox|on your desk|handed (?:in|over)|paid|transferred|completed|dropped (?:it|them) off)\b"
)
_NOT_DONE = re.compile(
    r"一半|部分|一点|差(?!不)|只[^,。]{0,4}了|不是[^,。]{0,3}[刚已]|\byou (?:sent|shared|uploaded|posted)|\bcan'?t\b|\bcouldn'?t\b|(?:没|未|不|别|等|准备|打算|马上|一会儿?|待会|明天|后天|晚点|回头|下午|晚上|今晚|明早|最晚|再|就|去|要|得|我来|周[一二三四五六日天])[^,。]{0,6}(?:发|传|交|给|寄|写|做|好|完|补|送|拿)|(?:快|差不多|就要|马上)(?:好|完|做完|写完|弄好|搞定)了|忘|"
    r"\b(?:not|n't|will|gonna|going to|almost|nearly|half|to be|before|after|when|once|needs?|can be|until|get it|i'?ll|be|by|tomorrow|tonight|later|still|consider it)\b[^.!?]{0,30}\b(?:sent|done|finished|attached|uploaded|submitted|signed|completed|paid|shared)\b|\bhalf done\b|\d+ ?% done"
)
_PAST = re.compile(r"昨|前天|上周|刚(?:刚|才)?|已经?|早就|\b(?:yesterday|already|just now|ago|earlier today|last (?:night|week|friday|monday))\b|^(?:it (?:was|got) |they were |just )?[a-z]{3,}ed\b")
HEDGE = re.compile(
    r"或(?!许)|二选一|\b(?:could|may) .{1,30}\bor\b|最快|最早|最慢|初步|大概|大约|可能|也许|应该(?!是我)|估计|差不多|左右|说不[准好定]|不一定|不确定|不好说|看情况|再看|争取|尽量|或者|要看|没准|未必|没定|未定|待定|不敢|没说死|不清楚|不知道|没数|恐怕|好像|大致|不晓得|说不上|的样子|上下|怎么说呢|你懂|谈着|抽空|"
    r"\b(?:maybe|perhaps|probably|possibly|might|roughly|hopefully|should be|i think|i guess|not sure|depends|unsure|tbd|could be|approximately|likely|if (?:i'?m|all|we'?re)|some ?time|somewhere|no idea|don'?t know|unclear|weighing|considering|in due course|fingers crossed|aiming|trying to|or so|give or take)\b|-ish\b|\bish\b"
)
CONDITION = re.compile(
    r"如果|(?<![主只重需])要是|假如|的话|前提|除非|取决于|得看|(?:^|[,。;\s])看[^,。]{1,8}(?:再|定)|(?:^|[,。;\s])等[^,。]{1,12}(?:才|再|之后|以后|了就)|(?:先|等|要|得)[^,。]{1,12}才(?:能|行|可以|会)|"
    r"\b(?:only if|if (?:they|he|she|we|you|it|the|[a-z]+ (?:shows|comes|says|signs|agrees))|unless|provided|as long as|depends|subject to|assuming)\b"
)
# Part of the answer is said to be missing or still to come.
OPEN_END = re.compile(
    r"没(?:讲|说|通知|告诉|提|公布|给信)|不(?:详|明)|还(?:在|差|缺|有(?!的))[^,。]{0,8}|派不出|没填|不清楚|不知道|不晓得|不确定|没定|未定|待定|还没(?:报|定|好|出|谈|算|问|有)|另算|另说|扯皮|[量算定说]不[了准好]|晚点|回头|再(?:商量|看|定|说|补|问)|要(?:跟|和|等|问)|得(?:问|等|看)|商量|"
    r"\bdon'?t have\b|\b(?:am|is|are|'m|'re|'s) (?:still )?(?:re-?)?(?:doing|making|working|waiting|checking|finding|redoing)|\bexcept\b|\bmissing\b|\bcouldn'?t (?:tell|say)|\bcan'?t (?:tell|say)|\bdon'?t know|\bno idea|\bnot (?:sure|yet|known)|\btbd\b|\bstill (?:open|waiting|to)|\bdon'?t give|\bsome ?time next\b|\bask (?!me)|\blater\b|\b(?:have|need|got) to (?:look|check|ask|see)\b|得(?:查|看|问)"
)
_APPROXIMATE = re.compile(r"一两|两三|三四|三五|四五|五六|六七|七八|八九|几[十百千万个]|十来|[百千万]来|[十百千万]多|来[个万千]|\babout\b|\baround\b|\b\w+\? \w+\?|\bor \d|\bdozens\b|\bsome \d")
_NUMERAL = re.compile(
    r"\d|[零一二两三四五六七八九十百千万半]+(?:个|人|份|托|吨|张|台|件|条|辆|名|位|套|箱|次|天|家|块|元|万|千|百|成|间|床|盒|斤|瓶|桌|车|包|号)|[零一二两三四五六七八九十百千万]{2,}|^[零一二两三四五六七八九十]个?$|[两俩仨]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?|hundred|thousand|none|zero|dozen)\b"
)
_BUSY = re.compile(r"忙|没空|请假|休|不在|不敢|来不及|赶不|做不|完不|不能|不行|开会|出差|没时间|累|\b(?:busy|off|not|can'?t|won'?t|away|holiday|sick|slammed|no way)\b")
_ACK = re.compile(r"\b(?:all (?:good|set)|good to go|booked|done)\b|10-4|wilco|收到|知道|明白|了解|确认|记下|记住|照办|保证|一定|放心|\b(?:noted|got it|received|understood|confirmed?|roger|copy that|promise|consider it done|will be there|count on)\b")
# Has nothing to tell: at work on it, forgotten, never knew.
IGNORANT = re.compile(
    r"[没不未](?:肯|有|太)?(?:说|讲|提|告诉|定|选|决定|确定|回|通知|想好|谈好|商量好|公布|清楚|知道|晓得)|^等|忘了|忘记|记不[清得住]|不记得|没印象|不了解|没听说|不懂|没注意|说不上|[还正]在(?:查|找|核|等|谈|算|统计|排|处理|跟|联系|确认|问|弄|做|看|改|写|整)|在(?:查|找|核|统计|排查)|不(?:太)?(?:多|少)(?:了)?$|"
    r"\bforgot\b|\bcan'?t remember|\bdon'?t remember|\bbeats me\b|\babove my pay|\bnobody tells\b|\bno clue\b|\bhardly\b|\bbarely\b|\bstill (?:waiting|looking|checking|working)|\b(?:looking|checking) into\b"
)
_ASSERTS = re.compile(r"\d|[a-z]{2,}\d|是|在|有|因为|由于|归|由|放|叫|主要|说|想|觉得|坏|断|堵|缺|少|多|去了|回|卖|用|\b(?:is|are|was|were|because|since|it's|he's|she's|they|in|at|on|under|by|had|have|has|got|from|with)\b")


@dataclass(frozen=True)
class Part:
    """One clause with the sentence that it stands in, folded."""

    text: str
    own: str
    sentence: str
    first: bool


def parts_of(text: str) -> list[Part]:
    """The clauses of a text that state something: no questions, no complaints, no commands."""
    found: list[Part] = []
    for sentence in sentences(text):
        if reply.asks(sentence) or sentence.endswith(("?", "？")):
            continue
        folded = fold(sentence)
        for clause in clauses(sentence):
            own = fold(clause)
            if reply.RESISTANT.search(own) or reply.INJECTION.search(own):
                continue
            found.append(Part(clause, own, folded, not found))
    return found


def is_done(own: str) -> bool:
    """Says that it is done or handed over, not that it will be."""
    return bool(_DONE.search(own)) and (bool(_PAST.search(own)) or not _NOT_DONE.search(own))


def is_no(own: str) -> bool:
    """A no, at the beginning or further on."""
    return bool(NO.search(own) or CANNOT.search(own))


def is_yes_alone(own: str) -> bool:
    """Nothing but a yes or an acknowledgement."""
    return re.fullmatch(r"(?:嗯+|好+|行|可以|收到|知道了?|明白|对|是|哦+|ok|okay|yes|yep|yeah|sure|got it|noted|fine|的|了|吧|啊|\W)+", own) is not None


_ATTACHED = re.compile(r"\[(?:图片|文件|照片|视频|语音|表格|附件|photo|image|file|document|picture|video)\]")


def satisfied(want: Want, text: str, now: datetime, about: str) -> bool:
    """Whether these words satisfy one want. `about`: goal and question, for what the words must have to do with."""
    if is_empty(text) and _ATTACHED.search(text):
        return want is Want.THING
    if is_empty(text):
        return want is Want.CONFIRM and bool(re.search(r"👌|👍|✅|🆗|🫡", text))
    parts = parts_of(text)
    match want:
        case Want.TIME:
            return any(_is_time(p, now, about) for p in parts)
        case Want.NUMBER:
            return any(_is_number(p, about, now) for p in parts)
        case Want.YESNO:
            return _is_yes_or_no(parts, about, bool(reply.RESISTANT.search(fold(text))))
        case Want.CONSENT:
            return bool(parts) and bool(YES.search(parts[0].own)) and not any(_shaky(p) or is_no(p.own) for p in parts)
        case Want.CONFIRM:
            return _is_confirmed(parts, text)
        case Want.INFO if IGNORANT.search(fold(text)):
            return False
        case Want.INFO:
            complained = bool(reply.RESISTANT.search(fold(text)))
            return any(_is_information(p, about) and (not complained or shared(p.own, about)) for p in parts)
        case _:
            if any(reply.promises(p.own) or (has_definite_time(p.text, now) and reply.GIVES.search(p.own) and not is_done(p.own)) for p in parts):
                return False
            return any(is_done(p.own) and not _shaky(p) for p in parts) or _is_the_thing_itself(parts)


def _shaky(part: Part) -> bool:
    return bool(HEDGE.search(part.sentence) or CONDITION.search(part.sentence))


def _is_time(part: Part, now: datetime, about: str) -> bool:
    """A definite time in a clause that is not about being busy, not hedged or conditional, and about the matter.

    With few words beside the time it is about the matter; with many it must share one with the question. That it has
    happened already ("出来了") answers when as well; a past time alone ("你一小时前问过") does not.
    """
    if _shaky(part) or _BUSY.search(part.own) or _BUSY_AFTER.search(part.sentence):
        return False
    if _has_happened(part.own, about):
        return True
    if _TELLS_LATER.search(part.own):
        return False
    times = [t for t in parse(part.text, now) if t.grain not in _COARSE]
    ahead = [t for t in times if (t.end or t.start or now) >= now or t.duration]
    if not ahead and not (times and is_done(part.own) and not re.search(r"你|\byou\b", part.own)):
        return False
    rest = without_times(part.text, now)
    brief = len(squeezed(rest)) <= 6 if CJK.search(part.text) else len(rest.split()) <= 5
    if not brief and not shared(part.sentence, about):
        return False
    return has_definite_time(part.text, now) or (bool(_FREE.search(fold(about))) and any(t.start for t in times))


def _has_happened(own: str, about: str) -> bool:
    """`出来了` to `什么时候出来`: the very verb of the question, done."""
    if re.fullmatch(r"(?:it'?s |it was |already )*(?:done|finished|completed|sorted)(?: already| now)?", own):
        return True
    done = re.search(r"^(?:已经?|早就?|刚刚?|都|今天|昨天)*([\u4e00-\u9fff]{1,2})了$", own)
    return bool(done) and done is not None and done.group(1) in fold(about) and done.group(1) not in "好了是有"


# The time of an answer to come is no answer: "明天告诉你".
_TELLS_LATER = re.compile(r"告诉|回复|答复|通知(?:你|大家)|给你(?:回|个)|再说|\b(?:let you know|tell you|get back|come back to you|confirm|update you)\b")
# "这周内" names no day.
_COARSE = ("week", "month", "quarter", "half", "year")
# "When are you free?": "from three on Thursday" is an answer.
_FREE = re.compile(r"有空|方便|可.{0,4}时间|面谈|\bfree\b|\bavailable\b|\bsuits?\b")
_BUSY_AFTER = re.compile(r"太忙|抽空|没空|忙完|too busy")


def without_times(text: str, now: datetime) -> str:
    """The text with its times blanked: the 18 of "18 号" is no amount."""
    for time in reversed(parse(text, now)):
        text = text[: time.pos[0]] + " " + text[time.pos[1] :]
    return text


def _is_number(part: Part, about: str, now: datetime) -> bool:
    """A definite number: at the head of the answer, or with a word of the question in its clause, or with a unit of money or %."""
    if not _NUMERAL.search(fold(without_times(part.text, now))) or _APPROXIMATE.search(part.own) or HEDGE.search(part.own) or CONDITION.search(part.sentence):
        return False
    if not CJK.search(part.text):
        near = part.first or bool(shared(part.own, about)) or bool(re.search(r"\d$", part.own))
        return bool(re.search(r"\d ?%|[$€£]|\b(?:usd|eur|ex vat|cash|percent)\b", part.own)) or (near and _bare_number(part.own, about))
    return True


def _bare_number(own: str, about: str) -> bool:
    """A number in English whose noun, if it has one, is that of the question (not `two nurses off sick`)."""
    if len(own.split()) <= 4 and re.match(r"(?:it'?s |so |yeah )?\W*(?:\d|[a-z-]+$)", own):
        return True
    return bool(shared(own, about)) or bool(re.search(r"\d(?:[\d,.]*\d)?(?:$|[.,;!]| (?:if|not|so|because|actually|in|for|at|on)\b)", own)) or bool(re.search(r"\b(?:its|it's|there'?s|there are|like|got|have|yeah|counted|total)\b.*(?:\d|teen|ty\b|twenty)", own))


def _is_yes_or_no(parts: Sequence[Part], about: str, complained: bool) -> bool:
    """A clear yes or no, or a plain statement that takes up words of the question; in a complaint only the former."""
    clear = [p for p in parts if not _shaky(p)]
    if any(_answers_plainly(p, about) for p in clear):
        return True
    if not complained and any(_PAST.search(p.own) for p in clear):
        return True
    if any(_shaky(p) for p in parts) or not clear or complained:
        return False
    return any(shared(p.own, about) and not reply.VAGUE.search(p.own) and not reply.promises(p.own) for p in clear)


def _answers_plainly(part: Part, about: str) -> bool:
    if YES.search(part.own) or NO.search(part.own) or is_done(part.own):
        return True
    return bool(CANNOT.search(part.own)) and (part.first or len(squeezed(part.own)) <= 6 or shared(part.own, about) > 0)


def _is_confirmed(parts: Sequence[Part], text: str) -> bool:
    if not parts:
        return False
    said = any(YES.search(p.own) or _ACK.search(p.own) or is_done(p.own) for p in parts) or bool(re.search(r"👌|👍|✅|🆗", text))
    return said and not any(_shaky(p) for p in parts) and not is_no(parts[0].own)


# What an answer to who and where must hold.
_PERSON = re.compile(rf"[我他她]|[小老阿大][一-龥]|[{SURNAMES}][一-龥]{{1,2}}|都|没人|[一-龥]{{2,4}}(?:负责|来|管|去|做|没|经办)|(?:给|归|是|由)[一-龥]{{2,}}|公司|集团|部门?$|^[一-龥]{{2,4}}$|\b[A-Z][a-z]+|\b(?:me|i|he|she|we|they)\b")
_PLACE = re.compile(r"\d|在|放|左|右|层|楼|室|柜|抽屉|[里上下旁]|边|库|号|路|店|厅|桌|\b(?:at|in|on|under|behind|next|near|room|street|shelf|drawer|floor|office)\b|[A-Z]\d")


def _is_information(part: Part, about: str) -> bool:
    """States something that can answer the question: for who a person, for where a place, else a plain assertion."""
    own = part.own
    if _shaky(part) or reply.VAGUE.search(own) or IGNORANT.search(own) or reply.REFUSED.search(own):
        return False
    if is_yes_alone(own) or reply.is_pleasantry(own) or (reply.promises(own) and reply.has_later(own)):
        return False
    asked = fold(about)
    if re.search(r"谁|\bwho\b", asked) and not _PERSON.search(part.text):
        return False
    if re.search(r"哪里|哪儿|在哪|\bwhere\b", asked) and not _PLACE.search(part.text):
        return False
    words = len(own.split()) if not CJK.search(own) else len(squeezed(own)) / 2
    return bool(shared(own, about)) or (words >= 1 and bool(_ASSERTS.search(own))) or (part.first and 1 <= words <= 12 and not is_no(own))


def _is_the_thing_itself(parts: Sequence[Part]) -> bool:
    """Codes, amounts or a factual text: what was asked for stands in the message."""
    for p in parts:
        if _shaky(p) or reply.has_later(p.own):
            continue
        digits = sum(c.isdigit() for c in re.sub(r"\d+[点月号日:]\d*|\d{1,2} ?(?:am|pm)", "", p.own))
        if digits >= 6 or re.search(r"\d[\d,.]*\s*(?:元|块|万(?!里)|usd|eur|gbp|ex vat|€|\$)", p.own):
            return True
    return False
