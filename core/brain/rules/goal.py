"""What a goal wants to be satisfied with, and whether words satisfy it. Strict: in doubt it is not met."""

from __future__ import annotations

import re
from datetime import datetime
from enum import StrEnum
from functools import lru_cache

from core.brain.rules.text import CJK, fold, is_empty, shared, squeezed
from core.timetalk import has_definite_time


class Want(StrEnum):
    """Kinds of things that a goal may want; one goal may want several."""

    TIME = "time"
    NUMBER = "number"
    YESNO = "yesno"
    CONFIRM = "confirm"
    THING = "thing"
    DEED = "deed"
    CONSENT = "consent"
    INFO = "info"


_TIME = re.compile(r"时间(?!表)|日期|何时|什么时候|啥时候?|几时|几点|几号|哪天|哪一天|多久|交期|星期几|周几|具体日|\bwhen\b|\bdates?\b|\btimes?\b|\bwhat day|\beta\b|\bdeadline\b|\bhow (?:soon|long)\b|\b(?:release|launch|pickup) (?:day|time)")
_NUMBER = re.compile(r"多少|几[个人份托吨张台件条辆名位套箱次天家]|人数|数量|余量|份数|空位数|金额|单价|成本|花费|比例|[率额]$|率降|\bhow (?:many|much)\b|\bnumber of\b(?! the)|\bheadcount\b|\bcounts?\b|\bprices?\b|\bcost\b|\bfigure\b|\bbudget\b|\bquote\b|报价|\bpallets\b|\bbeds\b")
_YESNO = re.compile(r"能否|是否|可否|能不能|可不可以|行不行|要不要|有没有|来不来|是不是|同不同意|会不会|肯不肯|愿不愿|有无|确认.{0,12}(?:能|可|是|会|来)|明确答复|(?:吗|么)(?:[?？,，]|$)|[完好到了回](?:没|未)(?:有)?(?:[?？,，;]|$)|(?:^|[;,.] ?)(?:is|are|was|were|did|does|do|can|could|has|have|will|would|may) |\bwhether\b|\bif (?:he|she|they)\b|(?<!i)[一-龥]不[一-龥]?[?？]")
_CONFIRM = re.compile(r"确认收到|确认|知悉|告知|知会|收到请|回一?声|\bconfirm|\backnowledg|\binform\b|\blet .{1,20} know\b|得到确认")
_CONSENT = re.compile(r"同意|答应|批准|接受|希望你|\bcommit to\b|\bagree|\baccept|\bapprov|\bpays? back\b|\bwill (?:he|she|they) ")
_GIVE = re.compile(r"发(?:我|来|给|一|下|过来|到|老板|教务)|给(?:我|一份|老板|下|他)|交(?:一|给|上|来|下|了|没|齐)|传(?:一|给|上|来|过)|提供|导(?:一|出)|拷|拍(?:一|张|个|下|照)|寄|要一?[份张下]|出一?[个份]|还差|整理|上传|(?:好|写好|出来)了[吗没]|提交|补(?:开|交|填)|拿到|请给|递|\bsend\b|\bshare\b|\bupload|\bsubmit|\bbring\b|\battach|\bforward\b|\bhand (?:in|over)|\bwrite (?:up|the)\b|\bmissing\b|, please|please\.?$")
_DOCUMENT = re.compile(r"(?:表|单|名单|清单|报告|文件|图纸?|照片|材料|纪要|方案|合同|草稿|初稿|终稿|发票|底稿|计划|意见|简历|数据|统计|明细|说明|记录|视频|录像|录屏|录音|截图|切图|样张|资料|原件|证明|总结|日报|周报|评估|PPT|ppt|链接|账号|密码|地址|电话|单号|编号|结果|礼品方案|文档|脚本|代码|号码)(?:$|[;,，、（(」])|\b(?:report|list|sheet|files?|photos?|pictures?|plan|notes|draft|copy|quotation|quote|log|script|invoice|contract|receipt|form|menu|sample|chart|summary|slides|deck|recording|spec|budget|template|number|address|nda|documents?|papers?|data|footage|statement|certificate|feedback|review)s?(?: (?:of|for|to|from) .*)?$")
_DEED = re.compile(r"(?:^|请|把|务必|麻烦)[^,。?？]{0,14}(?:搬|修|换|装|清|填|拆|做|完成|处理|安排|派|收|还|代|接|借|贴|查|测|改|开通|停|扩容|写|到场|过来|去|办好|打)|完成[:：]|办好|搬完|到场|\bclean|\bfinish|\bfix|\bdo the\b|\btake (?:the|over)|\bfill (?:in|out)|\bsettle|\bpay\b|\bhas to be\b|\bset up|\bcover\b|\bpay(?:s|ment)\b|\bget .{1,30} back up|\bevacuate")
_OPEN = re.compile(r"谁|哪里|哪儿|在哪|为什么|为啥|原因|怎么|如何|什么(?!时候|时间)|哪(?:个|种|家|辆|位|些)|类型|车次|负责人|情况|看法|态度|\bwho\b|\bwhere\b|\bwhy\b|\bwhich\b|\bwhat\b(?! (?:time|day|date))|\breason|\bhow\b(?! (?:many|much|soon|long))|\broom\b|\bflight\b|\btype\b|\baddress\b")


@lru_cache(maxsize=512)
def wants(goal: str, asked: str = "") -> frozenset[Want]:
    """What must be there before the goal is met; `asked` (the bot's question) tells what the goal leaves open."""
    g, a = fold(goal), fold(asked)
    found = set()
    for pattern, want in ((_TIME, Want.TIME), (_NUMBER, Want.NUMBER), (_YESNO, Want.YESNO), (_CONSENT, Want.CONSENT), (_CONFIRM, Want.CONFIRM)):
        if pattern.search(g):
            found.add(want)
    if Want.YESNO in found or Want.CONSENT in found:
        found.discard(Want.CONFIRM)
    if _DOCUMENT.search(g.rstrip("。. ")) and not found & {Want.TIME, Want.YESNO, Want.NUMBER}:
        found.add(Want.THING)
    if _OPEN.search(g):
        found.add(Want.INFO)
    if found:
        return frozenset(found)
    if _TIME.search(a):
        return frozenset({Want.TIME})
    if _NUMBER.search(a):
        return frozenset({Want.NUMBER})
    if _GIVE.search(a) or _GIVE.search(g):
        return frozenset({Want.THING})
    if _YESNO.search(a) and not _DEED.search(g):
        return frozenset({Want.YESNO})
    if _DEED.search(g) or _DEED.search(a):
        return frozenset({Want.DEED})
    return frozenset({Want.INFO})


YES = re.compile(r"^(?:嗯+|对+|是(?:的|啊|呀)?|好(?:的|呀|啊|嘞|滴|吧)?|可以|行(?:的|啊|吧)?|能(?!不能|否)|会的?|有(?!点|空|时)|来(?!不)|没问题|ok|okay|要(?:的|得)?|同意|当然|必须|yes|yep|yeah|yup|sure|ok|of course|definitely|absolutely|certainly|will do|happy to|no problem|i can|can do|it (?:is|did|does|was|has)|he did|she did|they (?:are|did)|correct|right)(?![a-z])")
NO = re.compile(r"^(?:不(?:能|行|可以|会|是|用|要|去|来|同意|了|成|好意思)|没(?:有|到|来|空|法|办法)?|还没|未|别|no\b|nope|nah|not? (?:yet|really)|never|can'?t|cannot|won'?t|it (?:isn'?t|did not|didn'?t|does not|doesn'?t|wasn'?t|hasn'?t|is not)|i (?:can'?t|won'?t|am not)|unfortunately|sorry)|[来去做完到好搞办跑赶给交够动起开](?:不了|不到|不上|不完|不起|不来|不及)|不行|不能|不够|没法|没有|没空|\b(?:can'?t|cannot|won'?t|isn'?t|didn'?t|doesn'?t|hasn'?t|not (?:blocking|yet|possible|available|going|able|finished))\b")
_SURE_YES = re.compile(r"(?:能|可以|够|都?[完好到寄发查传换修印做签盖弄搞装]了|已经|已|有的?|是的?|会|没问题|来得?了|行)(?:$|[^吗不])|\b(?:yes|done|finished|printed|uploaded|sent|signed|paid|arrived|delivered|approved|works|passed|fixed|installed|confirmed|ready|can|will|does|did|has|have|it's|they're)\b")
_DONE = re.compile(r"(?:发|传|交|给|寄|放|拷|导|写|做|搞|弄|办|修|换|装|填|补|开|印|签|盖|提交|上传|处理|完成|搬|还|转|打|订|派|安排|整理|发送|通知)(?:过|好|完|出去|过去|上去|给\w{1,3}|掉)?了(?!吗|没)|(?:已经?|刚刚?|都)(?:私)?(?:发|传|交|给|寄|放|上传|完成|处理|搞定|提交|转|订|写|派|付|打|送|到)|搞定|完事|弄好|做好了|在(?:附件|群里|邮箱|桌上|共享|网盘|盘里|文件夹)|见附件|附件|\[(?:图片|文件|照片|视频|表格|photo|image|file|document)\]|https?://|\b(?:sent|attached|uploaded|submitted|done|finished|shared|emailed|delivered|here (?:it is|you go|they are)|here's|posted|forwarded|in your inbox|on your desk|handed (?:in|over)|paid|transferred|completed|signed)\b")
_NOT_DONE = re.compile(r"(?:没|未|还没|不|别|等|准备|打算|马上|一会儿?|待会|明天|后天|晚点|回头)(?:有)?[^,。]{0,3}(?:发|传|交|给|寄|写|做|好|完)|(?:快|差不多|就要)(?:好|完|做完|写完)了|\b(?:not|n't|haven'?t|will|gonna|going to|almost|nearly|half|to be|before|after|when|once|needs?|can be|isn't|until|get it)\b[^.!?]{0,25}\b(?:sent|done|finished|attached|uploaded|submitted|signed|completed|paid)\b|\bhalf done\b|\d+ ?% done")
HEDGE = re.compile(r"大概|大约|可能|也许|应该(?!是)|估计|差不多|左右|说不[准好定]|不一定|不确定|不好说|看情况|再看|争取|尽量|或者|或是|要看|没准|未必|没定|未定|待定|不敢|没说死|不清楚|不知道|没数|恐怕|好像|大致|\b(?:maybe|perhaps|probably|possibly|might|about|around|roughly|ish|hopefully|should be|i think|i guess|not sure|depends|unsure|tbd|could be|approximately|likely|if (?:i'?m|all|we'?re)|some ?time|somewhere|no idea|don'?t know|unclear)\b|-ish\b")
CONDITION = re.compile(r"(?:如果|要是|假如|的话|前提|除非|取决于|得看|看[^,。]{1,8}(?:再|定)|等[^,。]{1,12}(?:才|再|后|了)|不签就|才能|才行)|\b(?:only if|if (?:they|he|she|we|you|it|the)|unless|provided|as long as|depends|subject to|assuming)\b")
_NUMERAL = re.compile(r"\d|[零一二两三四五六七八九十百千万半]+(?:个|人|份|托|吨|张|台|件|条|辆|名|位|套|箱|次|天|家|块|元|万|千|百|成|间|床|盒|斤|瓶|点)|[一二两三四五六七八九十]+$|两个|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|none|zero|dozen)\b")


def satisfied(want: Want, text: str, now: datetime, asked: str) -> bool:
    """Whether these words satisfy one want. Questions and commands must have been taken out of `text` before."""
    own = fold(text).strip()
    if is_empty(own):
        return want is Want.CONFIRM and bool(re.search(r"👌|👍|✅|🆗|🫡", text))
    unsure = bool(HEDGE.search(own) or CONDITION.search(own))
    match want:
        case Want.TIME:
            return has_definite_time(text, now) and not unsure
        case Want.NUMBER:
            return bool(_NUMERAL.search(own)) and not re.search(r"[?？]", own)
        case Want.YESNO:
            return not unsure and is_yes_or_no(own, asked)
        case Want.CONSENT:
            return not unsure and bool(YES.search(own)) and not NO.search(own)
        case Want.CONFIRM:
            return not unsure and bool(YES.search(own) or re.search(r"收到|知道了|明白|了解|确认|记下|noted|got it|received|understood|confirmed|roger", own)) and not NO.search(own)
        case Want.THING:
            return is_done(own) or _is_the_thing_itself(text)
        case Want.DEED:
            return is_done(own)
        case Want.INFO:
            return len(squeezed(own)) >= 2 and not HEDGE.search(own) and not is_yes_alone(own)
    return False


def is_yes_or_no(own: str, asked: str) -> bool:
    """A clear yes or no: the word itself, a sure verb, or a statement that takes up the words of the question."""
    if YES.search(own) or NO.search(own) or is_done(own):
        return True
    return bool(_SURE_YES.search(own)) or (shared(own, asked) > 0 and len(squeezed(own)) >= 4)


def is_done(own: str) -> bool:
    """Says that it is done or handed over, not that it will be."""
    return bool(_DONE.search(own)) and not _NOT_DONE.search(own)


def is_yes_alone(own: str) -> bool:
    """Nothing but a yes or an acknowledgement."""
    return re.fullmatch(r"(?:嗯+|好+|行|可以|收到|知道了?|明白|对|是|哦+|ok|okay|yes|yep|yeah|sure|got it|noted|fine|好的|行吧|的|了|吧|啊|\W)+", own) is not None


def _is_the_thing_itself(text: str) -> bool:
    """Codes, amounts or a long factual text: what was asked for stands in the message."""
    digits = sum(c.isdigit() for c in text)
    return digits >= 6 or bool(re.search(r"\d[\d,.]*\s*(?:元|块|万|usd|eur|gbp|ex vat|cash|€|\$)", fold(text))) or (bool(CJK.search(text)) and len(text) > 60 and digits >= 3)
