"""Clauses that speak of an answer instead of giving one: put off, passed on from hearsay, asked for in return."""

from __future__ import annotations

from core.brain.rules.words.text import CJK, any_of, clauses, fold, squeezed

# The answer comes later: it will be told.
WILL_TELL = any_of(
    r"""
    给(?:你|大家|老板|个|出)[^,。]{0,4}(?:答复|准信|准话|结论|名单|结果|消息|回话|回音|回复|反馈|信儿?|数$|说法|交代|明细|日期|时间)
    (?:告诉|回复|答复|反馈|通知|汇报|回)(?:给|一下)?(?:你|老板)(?!了|过|的)|回(?:个(?:话|信|电话)|电话|消息|复)(?!了|过)
    (?:跟|和|同|向)(?:你|老板)(?:再)?(?:说|讲|确认|汇报|报|沟通|对)(?!了|过)
    (?:[今明后]天|今晚|[上下]午|晚上|明早|晚点|回头|待会|一会儿?|改天|过后|到时候?|周[一二三四五六日天末]|下周|会上|然后|完|之?后)[^,。]{0,6}(?:(?<!小)说(?!好|了|过|明书|服)|聊(?![完好])|(?<![会协建审])议(?!室|案|程|完)|谈(?![妥好成完拢])|(?:讨论|商量)(?![完好])|碰(?!到|上)|(?<![一肯搞必稳])定(?!在|于|了|好|下|[稿版位制价货案金]|[了的]?[上下]?[午周0-9])|答复|揭晓|公布|(?:出|有)(?:结果|通知))
    发(?:给)?你(?:看|过目|审|一份)|(?:会|完|之)后[^,。]{0,3}(?:同步|公布|分享|汇报|通报|出|发)
    \b(?:i|we|he|she|they|it)(?:'ll| will) (?:also |then |just )?(?:let|tell|get back|come back|report|confirm|know|update|call|ring|ping|be able to (?:say|tell))\b
    \b(?:i|we|he|she|they|it)(?:'ll| will) \w+ (?:you|me|us|him|her|them)\b|\byou'll (?:get|have|hear)\b
    \bwill (?:tell|let|confirm|update|get back|advise|know)\b|\b(?:get|come|got) back to (?:you|me|us)\b
    """
)
# It has to be found out, agreed or decided first, by them or by somebody else.
_FIRST = any_of(
    r"""
    (?:去|再|先|来|我|帮你|得|要|需要|想|这就|马上|正|还|跟[^,。]{1,6}|和[^,。]{1,6}|找[^,。]{1,6})(?:查|看|问|催|核|翻|算|想|商量|确认|核实|统计|了解|打听|协调|碰|对|找)(?:一?下|[查看问催核翻算想找]|一[查看问核翻算想碰对找])
    (?:后面|之后|随后|以后|回头|先)?再(?:查|看|说|分析|排查|定位|研究|议)|^等(?!于)
    让[^,。]{1,6}(?:找|查|看|问|拉|核|统计|算|整理|派|安排|换|想办法|处理)
    才(?:知道|清楚|能(?:说|定|确定|知道)|说得)|(?:看|听|由|等)(?:你|老板)(?:的)?(?:意思|定|决定|$)
    (?:你|老板)(?:来)?(?:定|决定|拍板)(?:吧|就|$)
    \b(?:i|we|he|she|they)(?:'ll| will) (?:also |then |just )?(?:find|check|look|ask|see|count|chase|dig)\b|\bwill (?:check|ask)\b
    \blet me (?:just |first )?(?:check|count|see|look|ask|find|think|get|confirm|ring|call|dig|fetch)\b
    \b(?:have|need|got|'d have|'d need|want) to (?:look|check|ask|count|see|think|find|talk|speak|clear|confirm|discuss)\b
    \bgive me (?:an?|until|till|some|half|one|two|five|ten|\d)\b|\bup to you\b|\byour (?:call|choice)\b
    \b(?:discuss|decide|settle|talk about)\w* (?:it|that|this|on|at|in|over|tomorrow)\b
    """
)
# Work on it is under way, or a step was taken that is not the answer.
_UNDER_WAY = any_of(
    r"""
    (?:还|正)在[一-龥]|(?:还|正|都|也|我|们|^)在(?:查|看|核|协调|统计|排查|找|问|等|谈|算|商量|确认|跟进|沟通|联系|定位|走|审)
    在(?:查|看|核|谈|找|问|等|算|商量|沟通|协调|走[^,。]{0,4}|排查|确认|换|挑|选|改)(?:[着呢]|$|[,。])
    在(?:处理|看|比|查|谈|选|挑|审|跟进|沟通|协调|联系|讨论|研究|评估|排队|准备|收集|解决|抢修|定位|分析)
    (?:^|,)先[^,。]{1,8}了$|(?:已经?|刚|早就)(?:提|报|上报|反馈|反映|登记)|(?:提|开|报)了?[^,。]{0,3}工单|报修|走[^,。]{0,4}(?:流程|审批)|反映过|[来去]谈过
    没给(?:出)?(?:理由|原因|答复|说法|解释|结果)
    \b(?:am|is|are|'m|'re|'s|still|^) ?(?:looking|checking|waiting|asking|counting|digging|chasing|finding out|trying)\b
    \b(?:is|are|am|'m|'re|'s) (?:still |now |just )?(?:re)?(?:counting|investigating|comparing|working|drafting|deciding|discussing|reviewing|talking|negotiating|considering|sorting|dealing|handling|fixing|preparing|collecting)\b
    ^(?:looking|checking|waiting|asking|counting|chasing)\b|\bstill (?:\w+ )?\w+ing\b|\bbeing (?:\w+ed|done|sorted|looked)\b
    \bi(?:'ve| have)? (?:left|emailed|asked|called|rang|texted|messaged|written|pinged|chased)\b
    """
)
# It can be had elsewhere, or only by word of mouth.
_ELSEWHERE = any_of(
    r"""
    (?:打|给)我(?:打)?(?:个)?电话|当面(?:说|聊|讲)|见面(?:说|聊|讲)|说来话长
    (?:系统|群|后台|网上|文档|公告|邮件)[^,。]{0,4}(?:能|可以|都|自己)(?:查|看)
    (?:自己|你)(?:去)?(?:查|看)(?:一?下)?[^,。]{0,8}(?:公告|置顶|记录|系统|文档|群|邮件|通知|$)
    \b(?:call|ring|phone) me\b|\blong story\b|\blet'?s (?:talk|discuss|speak)\b|^(?:read|see|look at|check) (?:my|the|our|your)\b
    """
)
# What somebody else says or thinks.
HEARSAY = any_of(
    r"""
    听[^,。]{0,8}(?:说|讲)|据说|(?:^|,)(?!我|咱)[^,。我]{2,12}(?:都|已经?)(?:回|回复|答|答复|表态)(?:复|过)?了
    \b(?:every(?:one|body)|they|the others|all) (?:else )?(?:has|have|had|all) (?:already )?(?:answered|replied|responded)\b
    (?:^|,)[^,。我]{1,8}(?<![们没不别再直就来得好难话听虽细胡照按])(?:说|讲|觉得|估计|认为|想)(?![明话不法好过了实的服辞清定])
    \b(?!i\b|we\b|that|it\b|who\b)\w+ (?:reckons?|says?|said|thinks?|believes?|claims?|mentioned|hopes?|guesse?[sd]?|wants?)\b
    \bapparently\b|\bi(?:'ve)? hear[d]?\b|\bsupposedly\b|\brumou?r|\bword is\b
    """
)
# Wants something of the asker first.
ASKS_IN_RETURN = any_of(
    r"""
    (?:^|,)你(?:先|们先|去|得|要|帮我|再)*(?:把|给|发|拍|截|提供|确认|催|补)|(?:发|传|拍|转)(?:一下|一份|个)?(?:给|到|来)?我(?!们?的|们|了|这)
    \b(?:send|give|show|forward|tell) (?:it |them |that )?(?:to )?me (?!an?\b|until|till|five|ten|half|some|two|one|\d)|^(?:please |can you )?(?:send|share|forward) (?:me|over|the)\b
    """
)
# Somebody else has it now.
HANDED_ON = any_of(
    r"""
    (?:转|交|移交|转交|派|丢|甩|推|报|反映)(?:到|给)(?:了)?[^,。]{1,8}(?:组|部门?|团队|那边|处理|跟进|负责|同事|了$)
    \b(?:passed|handed|forwarded|assigned|escalated|moved) (?:it |this |that )?(?:on |over )?to (?!you\b|the boss)
    """
)


# How it was once, which is not how it is.
FORMERLY = any_of(
    r"""
    原来(?!如此|的)|本来|原定|原计划|以前(?=是|归|由|都|我|有|[一-龥]{2,3}(?:管|负责))|从前|过去(?=是|都|由)
    \boriginally\b|\bused to\b|\b(?:was|were) (?:supposed|meant|going) to\b|\bhad (?:it|them) last\b|\bpreviously\b
    """
)


# Said in return for any question whatever.
PUTS_OFF = any_of(
    r"""
    看看|看一?下|查一?下|问一?下|问问|想想|考虑|确认一?下|核实|在(?:忙|开会|路上|外面|看|弄|做|查|问)|开会|忙|晚点|稍后|稍等
    回头|等(?:一?下|会|等)|一会|待会|知道了|收到|尽快|抽空|有空|不知道|不清楚
    \b(?:let me|will|i'?ll) (?:see|check|look|think|ask)|\blater\b|\bbusy\b|\bin a meeting\b|\basap\b|\bon it\b
    \bworking on\b|\bnot sure\b|\bno idea\b|\bdon'?t know\b
    """
)


def only_puts_off(text: str) -> bool:
    """Whether each clause puts the answer off and says nothing of what it is about (`我看看`, `在开会，晚点回`)."""
    own = [fold(c) for c in clauses(text)]
    return bool(own) and all(PUTS_OFF.search(c) and _is_little(PUTS_OFF.sub(" ", c)) for c in own)


def _is_little(rest: str) -> bool:
    return len(squeezed(rest)) <= 2 if CJK.search(rest) else len(rest.split()) <= 2


def puts_off(own: str) -> bool:
    """Whether a folded clause says that the answer is still to come, or is to be had elsewhere."""
    return any(table.search(own) for table in (WILL_TELL, _FIRST, _UNDER_WAY, _ELSEWHERE))


def gives_no_answer(own: str) -> bool:
    """Whether a folded clause puts the answer off, asks for something in return, hands the matter on, or tells of the past."""
    return puts_off(own) or any(table.search(own) for table in (ASKS_IN_RETURN, HANDED_ON, FORMERLY))


def is_hearsay(own: str) -> bool:
    """Whether a folded clause tells what somebody else says or thinks."""
    return bool(HEARSAY.search(own))
