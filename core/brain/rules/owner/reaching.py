"""The word orders in which people are reached by a request, are left out of it, or are what somebody else is to reach.

`who` is where the people stand, in a text in which names are masked (`names.masked`).
"""

from __future__ import annotations

from core.brain.rules.words.names import PERSON, SURNAMES, TITLES
from core.brain.rules.words.text import any_of
from core.patterns import lazy

# Possessive throughout: a list of many people must not be taken apart again and again.
JOIN = (
    r"\s*+(?:、|,?\s*+(?:和|跟|与|及|以及|还有|同|同埋|或者|或|加上|&|and also|and|or|plus)|,(?=\s*+"
    rf"{PERSON}\s*+(?:,|、|和|还有|and|各|都|三|两|那边)))?+\s*+"
)
LIST = rf"(?:the |our |my |(?:mr|mrs|ms|miss|dr)\.? )?{PERSON}(?:{JOIN}{PERSON})*+"
_TIGHT = rf"{PERSON}(?:\s*+(?:、|和|跟|与|及)?+\s*+{PERSON})*+"
_FILL = (
    r"(?:各位?|每个|一下子?|下子?|一?声|一?句|问|打听|哈|一遍|遍|着|个|联系|了|一|去|再|过去|一起|一次|"
    r"次)*+\s*(?:那个|这个|到)?\s*(?:[\u4e00-\u9fff]{0,6}?(?:那个|部的|组的|的|那边的))??\s*"
)
_STRONG = (
    "询问|请教|联系|联络|通知|告诉|告知|转告|知会|提醒|催|问|找|叫|让|请(?!问)|喊|约|拉上|叫上|薅|安排|"
    "派|追问|追着|追(?=一?[下遍])|呼叫|[替帮代]我(?:去)?(?:谢谢|感谢|祝|恭喜|问候)|check|confirm|ping|call|cc|传话给|传达给|汇报给|艾特|@"
)
_TOWARDS = r"跟|和|同|与|向|给|对|替我跟|去"
_SPEAK = (
    "说|讲|核实|确认|对一下|对下|对一对|约|要|打听|问|聊|打个?招呼|打个?电话|去个?电话|发|沟通|知会|催|"
    "提|带个?话|捎个?话|道个?歉|反馈|交代|交待|商量|拿|请示|汇报|求证|落实|道|传|拉|借|定|敲定|了解|核对"
)
# Not behind a person or a pronoun: in "让李四问王五" it is 李四 who asks.
_NOT_OTHERS = rf"(?<!{PERSON})(?<![他她])"
ZH_BEFORE = lazy(rf"{_NOT_OTHERS}(?<![发交转汇递带送传寄借卖付还退打欠输])(?:{_STRONG}){_FILL}(?P<who>{LIST})")
ZH_TOWARDS = lazy(
    rf"(?<![发交转汇递带送传寄借卖付还退打])(?:{_TOWARDS})\s*(?P<who>{LIST})(?:那边|那儿|那里|这边)?[^,。!?;\n{PERSON[1:-1]}]{{0,4}}?(?:{_SPEAK})(?![得过了])"
)
ZH_EACH = lazy(
    rf"(?P<who>{LIST})\s*(?:那边|那儿)?\s*(?:除了?{LIST}(?:以外|之外)?)?\s*(?:几个|这几个|[两二三四五六]个?人?|"
    rf"他们)?\s*(?:也|都|各自?|分别|每个?人?都?|挨个|逐个|一个个)\s*(?:帮我|给我|替我)?(?:一起|一块儿?|顺便|"
    rf"先|再|去)*\s*(?:问|确认|催|通知|知会|叫|拉上|叫上|喊|联系|说一声|说声)"
)
ZH_GROUP = lazy(rf"(?P<who>{LIST})(?:的|里)?(?:每个人|每一个人|所有人|全部人|全体|全员|大家|各位|人人)")
ZH_AFTER = lazy(
    rf"(?P<who>{LIST})(?:那边|那儿|那里|那头|这边|处)?[^。!?\n{PERSON[1:-1]}]{{0,40}}?(?:去问|问一?[下声问句]|"
    rf"问问|问清楚|知会|通知一?[下声]|催一?[下催]|(?<!我)说一声|(?<!我)说声|确认一?[下遍]|核实|打个招呼|盯着|盯一下|跟进|"
    rf"要一下|叫过来|叫来|拉上|去催|去要|追一?下)"
)
ZH_HANDLE = lazy(rf"把(?P<who>{LIST})(?:也|都|一起|给我)*(?:叫|拉|喊|薅|请|找|约)")
# "帮我问一下，赵磊和陈晓谁有空"; "了解一下王五对…的看法"
ZH_LISTED = lazy(
    rf"(?:问|确认|通知|核实)(?:一下|下|一声)?\s*[,:]\s*(?:除了?{_TIGHT}(?:以外|之外)?[,\s]*)?(?P<who>{LIST})"
)
# "找各位要周报：张三、李四": who they are stands behind the colon.
ZH_NAMED = lazy(
    rf"(?:问|找|跟|向|催|通知|告诉|提醒)(?:一下)?(?:各位|大家|他们|她们|[这那]?[几两三四五][个位]人?)[^,。:;]{{0,12}}:\s*(?P<who>{LIST})"
)
# Words that are there are sent; a thing that is to be sent is somebody's deed.
ZH_SEND = lazy(
    rf"把[^,。:;]{{0,6}}(?:话|消息|通知|内容|信息|文字|段|条|句)(?:转?发|转|带|捎|传|说|告诉)(?:给)?(?P<who>{LIST})"
)
# "看看凯哥那台服务器修好没": what only they can tell.
ZH_SEE = lazy(
    rf"看(?:看|一?[下眼])\s*(?P<who>{LIST})(?![^,。]{{0,6}}(?:回|答|说|发来))(?=[^,。?]{{2,20}}(?:好|完|到|了|成|齐|上|下)(?:了?没有?|了吗)[?。]*$)"
)
ZH_ABOUT = lazy(rf"(?:了解|打听)(?:一?下)?\s*(?P<who>{LIST})(?=对|的|那边)")
ZH_SIDE = lazy(rf"(?P<who>{LIST})(?:那边|那儿|那头|那里)")
# "张三，帮我看下…": said to the bot, it is perhaps for them.
ZH_VOCATIVE = lazy(rf"^\W*(?P<who>{LIST})\s*[,:、]\s*(?=(?:你|帮我|帮忙|麻烦|请(?!假)|劳驾))")
# "周五之前我要看到张三的报告": it is wanted of them, though nobody says to ask for it.
ZH_I_WANT = lazy(
    rf"我(?:必须|一定|得|需要|还|就)?要(?:看到|拿到|收到|见到)(?P<who>{LIST})(?:那边)?(?:的|交的|发的|给的)(?=[^,，。了过吗没]{{2,}})"
)
# "张三这周的工作安排发我一份": the same, of a thing of theirs.
ZH_THEIRS = lazy(
    rf"^\W*(?P<who>{LIST})(?:那边)?(?=(?:的|(?:这|上|本|下)(?:周|个?月|个?季度)的?|[今昨前]天的)[^,，。了过吗没?？]{{2,16}}(?:发|交|传)(?:给|来)?我(?:一份|一下|看看)?[。!！]*$)"
)
ZH_PRONOUN = lazy(r"(?:问|跟|找|叫|催|把|约|告诉|通知|提醒|让|请|给|对|向)(?:一下|下|问|一声)?(?:他们|她们|他|她|ta)")
ZH_GO_ASK = lazy(
    r"(?:去|帮我|给我|你|替我)(?:再)?(?:问一?[下声问]|问问|问清楚|核实|确认|打听|催|盯)|问清楚|问明白|问好了?告诉"
)
EN_BEFORE = lazy(
    rf"\b(?:ask(?:ing)?|tell|ping|call|phone|ring|text|message|email|mail|contact(?: to| with)?|chase|nudge|"
    rf"poke|remind|invite|warn|inform|notify|reach out to|get (?:a )?hold of|get in touch with|get back to|"
    rf"get onto|check (?:in )?with|find out from|hear from|talk to|speak (?:to|with)|follow up with|confirm with|"
    rf"verify with|thank|(?<!\bi )(?<!\bwe )(?<!you )(?<!they )(?<!just )(?<!only )(?<!really )wish|congratulate|pass (?:it |this )?on to|touch base with|reach|see (?:if|whether|when|what|how)|find out (?:if|whether|when|what|"
    rf"how|where)|make sure|let|have|get|get after|go after|hit up|say to|write to|send)(?: up| down)?\s+(?:(?:that|"
    rf"this|both|also|either) )?(?P<who>{LIST})(?P<then>.?)"
)
EN_GET = lazy(rf"\b(?:have|get)\s+(?P<who>{LIST})(?!\s*(?:to|on|in\b|over|[a-z]{{3,}}))")
EN_FROM = lazy(
    rf"\b(?:need|want|get|collect|request|find out|owes?|waiting for|must have|require|and|like)\b[^.!?\n]{{0,80}}?\bfrom (?:both )?(?P<who>{LIST})"
)
EN_ALL = lazy(rf"\b(?:everybody|everyone|each (?:person|member)|all) (?:on|in|from|of) (?:the )?(?P<who>{LIST})")
EN_WITH = lazy(
    rf"\b(?:check|confirm|verify|go over|go through|discuss|clarify|clear|settle|arrange|agree|reconcile)\b (?!if\b|whether\b)[^.!?\n,]{{1,30}}?\bwith (?P<who>{LIST})"
)
EN_TIME_WITH = lazy(
    rf"\b(?:set up|schedule|book|fix|find|arrange|get|sort out) (?:an?|some) (?:time|call|meeting|chat|slot|catch-?up|sync|lunch|coffee|one on one)\b(?P<when>[^.!?\n,]{{0,30}}?) with (?P<who>{LIST})"
)
EN_GIVE = lazy(
    rf"\bgive (?P<who>{LIST}) (?:a |an |another |one more |some )(?:\w+ )?(?:nudge|poke|push|prod|kick|reminder|ring|call|shout)\b"
)
EN_VOCATIVE = lazy(rf"(?:^|[,.;!?]\s*|\bso\s+)(?P<who>{LIST})\s*:\s*(?=[^.]*\?)")
_LONG = r"半个?小时|[一两二三四五六\d十]+(?:个?半?小时|分钟)|一刻钟"
ZH_TIME_WITH = lazy(rf"(?:分别|各自?|都)?约(?:(?:一?个|一?下)?(?:时间|档期)|(?P<long>{_LONG}))")
"""Behind those who are wanted: `跟张三约个时间`, `约半小时`."""
# "还是问李四吧", "actually ask Tom": in the place of whoever was asked.
RATHER = r"(?:还是|要不然?|算了)[,\s]*(?:直接|去)?(?:问|找|让|叫)"
RATHER_EN = r"(?:(?:actually|no|wait|rather|sorry|hmm)[, ]+)+(?:please )?(?:ask|try)\b"
# "Tom, could you send me…": said to the bot, it is perhaps for them.
EN_SPOKEN_TO = lazy(rf"^\W*(?P<who>{LIST})\s*,\s*(?=(?:can|could|would|will) you\b|please\b)")
EN_OWES = lazy(rf"(?P<who>{LIST})[^.!?\n]{{0,12}}\b(?:still )?owes? me\b")
# "ask Tom to call Mary", "have her call Leila": whom they are to reach themselves.
THEIR_DEED_EN = lazy(
    rf"(?:{PERSON}|\b(?:him|her|them))(?: to| please to)?\s+(?:ask|tell|ping|call|phone|ring|text|message|email|mail|contact|chase|nudge|remind"
    r"|invite|warn|inform|notify|check with|confirm with|talk to|speak (?:to|with)|write to|meet|see|thank|help|let|send|get back to|reach out to)"
    r"\s+(?:the |our |my |both )?$"
)
THEIR_DEED_ZH = lazy(
    rf"(?:让|叫|请|派)(?:[他她]们?|{PERSON})[^,，。;!?{PERSON[1:-1]}]{{0,6}}(?:给|跟|向|对|问|找|通知|告诉|联系|催)(?:一?[下声])?\s*$"
)
# "让张三跟李四说…": joined like two who are both to do it, but the one is to speak to the other.
THEIR_WORD_ZH = lazy(
    rf"[让叫请派](?P<who>{PERSON})\s*[跟给]\s*{PERSON}\s*(?:说|讲|聊|谈|约|对一?[下对]|确认|沟通|商量|打|发)"
)
# "问张三，他不知道的话问李四": nobody is asked yet for whom that is meant.
FALLBACK = lazy(
    rf"(?:(?:如果|要是|万一)?(?:[他她]们?|{PERSON})?(?:也|要是|如果|都)*(?:不知道|不清楚|不晓得|答不上来?|没空|不在|没回|没时间|不行|不肯|不愿意)(?:的话)?[,，\s]*(?:就|再|你|去)*|不行(?:的话)?就?)"
    rf"(?:问|找|叫|让|换|联系)(?:一?下)?{LIST}"
    rf"|\bif (?:he|she|they|{PERSON}) (?:does(?:n'?t| not) know|do(?:n'?t| not) know|can'?t|is(?:n'?t| not) (?:there|in|around|free)|isn'?t|won'?t)[^.!?]{{0,16}}?,? (?:then )?(?:ask|try|call|tell) {LIST}"
    rf"|\b(?:ask|try|call) {LIST} if (?:he|she|they|{PERSON}) (?:does(?:n'?t| not) know|do(?:n'?t| not) know|can'?t|isn'?t|won'?t)"
)
EN_PRONOUN = lazy(
    r"\b(?:ask|tell|call|ping|chase|nudge|poke|push|remind|text|email|message|check with|find out from|get|have|let|make)\s+(?:him|her|them)\b"
)
NOT_ZH = lazy(
    rf"(?:别|不要|不用|甭|莫|勿|无需|不必|没让你|不是让你|不许|少|(?:暂时|先|暂)(?:都)?不)(?:再|去|先|直接|给我)*(?:每[天周月晚早日][一-龥]?|天天|老是?)?(?:{_STRONG}|惊动|"
    rf"打扰|麻烦|烦|{_TOWARDS}|@)(?:一下)?\s*(?P<who>{LIST})"
)
NOT_AFTER = lazy(
    rf"(?P<who>{LIST})(?:那边|那儿)?\s*(?:就|先|那里)?\s*(?:别|不用|不要|甭|不必|无需)(?:再|去|先)?\s*(?:问|"
    rf"找|催|联系|打扰|惊动|管|通知|叫|了|说)"
)
EXCEPT = lazy(rf"除了?(?P<who>{_TIGHT})(?:以外|之外|外|都|,|其他|谁)?")
NOT_EN = lazy(
    rf"\b(?:not|don'?t|never|stop|quit|no need to|needn'?t|no longer need to|without|except(?: for)?|(?<=everyone )but|(?<=everybody )but|(?<=all )but|besides|"
    rf"other than|apart from|rather than|instead of)\s+(?:(?:go|to) )?(?:ask(?:ing)?|tell(?:ing)?|bother(?:ing)?|"
    rf"contact(?:ing)?|involv(?:e|ing)|call(?:ing)?|chas(?:e|ing)|nudg(?:e|ing)|remind(?:ing)?|pester(?:ing)?|includ(?:e|ing)|ping(?:ing)?)?\s*(?:the other )?(?P<who>{LIST})"
)
LEAVE_EN = lazy(rf"\bleave (?P<who>{LIST}) (?:out|alone)")
TURN = lazy(r"算了|不对|哦不|不不|等等|搞错|说错|\bno wait\b|\bactually\b|\bscratch that\b|\bsorry,|\bno,")
INSTEAD = lazy(rf"[\s,，。.…!！]*(?:是|问|i (?:mean|meant) |ask |make it )?(?P<who>{LIST})")
EVERYONE = any_of(
    r"""
    (?:问|通知|告诉|提醒|联系|找|叫|让|催|请|跟|给|向|和)(?:一?下|一?声|问|遍)*(?:所有人|每个人|大家|全体|全员|各位|所有同事|大伙|其他人|都问|剩下的人)
    (?:所有人|每个人|大家|其他人|全体|都)(?:都)?(?:问|确认|通知|催)
    \b(?:ask|tell|remind|email|message|check with|ping|notify|contact)\s+(?:absolutely )?(?:everyone|everybody|all of them|the whole team|all the others|the others|all)\b
    """
)
UNKNOWN_BEFORE = lazy(
    r"(?<![发交转汇递带送传寄借卖付还退打])(?:(?:问|联系|找|通知|告诉|转告|催|约|叫|让|请(?!问)|提醒)(?:一下|"
    r"下|一?声|问|哈)*|(?:跟|向|给|和))(?P<of>[\u4e00-\u9fff]{2,8}(?:那个|的))?\s*"
)
UNKNOWN_EN = lazy(
    r"\b(?:[Aa]sk|[Tt]ell|[Pp]ing|[Cc]all|[Tt]ext|[Ee]mail|[Mm]essage|[Cc]ontact|[Cc]hase|[Rr]emind|[Cc]heck with|"
    r"[Ff]ind out from|[Tt]alk to|[Gg]et (?:a )?hold of|[Gg]et in touch with|[Rr]each out to|[Ss]peak (?:to|with)|[Ss]omeone called|[Ss]omebody called|[Gg]uy called|"
    r"[Ll]ady called|[Ww]oman called|[Mm]an called)\s+(?:the |that |our |my )?(?:new )?(?:guy |girl |colleague )?"
)
# "让王五给供应商转…", "告诉李四跟客户说": what those who are reached are to do, and to whom.
IN_THEIR_DEED = lazy(
    rf"{PERSON}[^,。!?;\n{PERSON[1:-1]}]{{0,6}}(?<!再)(?<!并)(?<!还)(?<!又)(?:跟|向|给|通知|告诉|问|找|催)(?:一?[下声])?$"
)
TITLED = lazy(rf"[{SURNAMES}](?:{TITLES}|[总工哥姐叔姨])(?!的)")
JOIN_UNKNOWN = lazy(
    r"\s*(?:、|和|跟|与|还有|以及|,\s*and|and|&)\s*(?:that |the |our )?(?:new )?(?:guy |girl |colleague )?(?:那个)?"
)
