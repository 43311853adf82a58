"""Words by which a wish is told: tables, one for each kind of thing that an owner may be after."""

from __future__ import annotations

from core.brain.rules.words.names import PERSON
from core.brain.rules.words.text import any_of
from core.brain.rules.words.urgency import FOR_NOW
from core.patterns import lazy

# Asks for a view, an explanation, a text or a fact: answered in the conversation, whoever is named in it.
OPINION = any_of(
    r"""
    你觉得|你认为|你怎么看|你说(?:说|他|她|这|我|是|咱)|你看(?:行|成|怎么|呢)|你感觉|靠不?靠谱
    给?你?(?:帮我)?(?:分析|解释|评价|点评)(?:一?下|分析|解释)|怎么(?:样才|写|弄|设|回他|做比较)|(?:什么|啥)意思|翻译
    帮我(?:写|起草|润色|总结|算)|总结(?:一?下|下)|一般(?:都)?怎么|能不能教|讲个|是什么(?:[?]|$)
    \bwhat do you (?:think|make)|\bdo you (?:think|reckon)|\byour (?:take|view|opinion)|\bin your opinion
    \bhonestly,|\bexplain\b|\btranslate\b|\bsummari[sz]e\b|\bwhat does .{1,40} mean|\bdraft (?:me |a )|\bwrite me\b
    \bproofread|\bhow (?:do|does|would) (?:i|you|one|this|it|the)\b|\bshould i\b|\bis it (?:normal|worth|ok|rude|polite|fine|wise|bad|good|fair|weird)
    \bwhat'?s the (?:difference|best)|\bhow many .{0,20} are there in\b
    """
)
CANCEL = any_of(
    r"""
    ^停(?:一?下|下来|吧|了|掉)?\W*$|^stop\W*$
    不用(?:再)?(?:每[天周月晚早日][^,。]{0,6}?|天天|老是?)?(?:去)?(?:问|催|追|找|等|管|跟|查|盯|发|提醒|叫|留意|关注|理(?!他|她|我)|梳理|整理|汇总|研究|了$)
    (?:以后|都|先)?别(?:再)?(?:每[天周月晚早日][^,。]{0,6}?|天天|老是?)?(?:问|盯|发|等|管|跟|查|找|提醒|叫|留意|关注|(?<!先别)(?<!先别再)催)[^,。!?]{0,6}了|都?别(?:再)?(?:问|盯|管|跟|查|(?<!先别)(?<!先别再)催)了?$
    ^(?:帮我|麻烦|请|你)?(?:把[^,。]{1,20})?(?:取消|撤销|停掉|删掉|关掉)(?!了|费|政策|的)
    取消(?:吧|掉|了|$|,|。)|先停|停了?吧|停掉|停一停|先放|免了|不等了|不问了|[不别]要了|不催了|不查了|不需要了|作罢|撤了
    撤掉|当我没(?:说|问)|没必要(?:再)?(?:问|催|跟)|(?:^|,|。)算了|算了(?:吧|啊)?$|到此为止
    (?<!me )\bforget (?:it|about|that|the)|\bnever ?mind|\bnvm\b|\bdrop (?:it|the|that)|\bcancel
    \bcall (?:it|that|the .{1,20}) off|\bstop (?:asking|chasing|that|it|the|sending|bothering|following|remind|watching|tracking|telling|ping|nudg|checking|looking)
    \bno (?:need|longer)|\b(?:don'?t|do not) (?:have|need) to (?:remind|ask|chase|watch|tell|check)|\bdon'?t (?:bother|chase|ask|worry about|need)|\bleave it\b|\byou can stop
    \bno more\b(?! than| money| time| info)|\bscrap (?:it|that|the)|\bkill (?:it|that|the)\b|\bcall off
    """
)
BY_WHEN = (
    r"(?:最晚|最迟|尽量|争取|务必|一定)*[^,，?？]{1,10}(?:之前|以前|前)"
    r"(?:一定|必须|务必|就|得|也)*(?:要|给我|回我|告诉我|回复?我?|(?:给|回)(?:我|出)?一?个(?:明确的?)?(?:答复|回复|准信|准话|结果|说法|话))?(?:吧|啊|哦)?"
)
"""By when an answer is wanted, and of what nothing: 今天下班前要, 明天中午前给个答复."""

AMEND = any_of(
    rf"""
    {FOR_NOW}|(?:那个|那件|那份)(?:[今明后]天|今晚|明早|[上下]午|周[一二三四五六日天])(?:就)?要(?:[。.!]|$)
    [^,。]{{2,8}}不(?:着|用|太|那么)?急(?:[。.!]|$)|改(?:由|让|派|请|找)|慢慢来|\bhas until\b|\ba priority\b|\bswap \w+ (?:for|with|out)\b|\breplace \w+\b|挪|往[前后]|次数|(?:少|多)(?:点|催|问)|别太|语气|改(?:成|到|为|在|一下|问|约)|换(?:成|到|个|一?下|[^,。]{{0,4}}问)
    不(?:着)?急了|没那么急|(?:变|很|更)?急了|提前(?:到|[一两二三半\d])|推(?:迟|后)?到|(?:推迟|推后|延[后迟])(?=[一两二三四五六七八九十半\d])|延(?:到|期)|顺延|放宽|(?:再|也|给)?加(?:上|一个|进|[一两几]?[条项点])来?|(?:那个|那件|那份|的事儿?|的都)[^,。?]{{0,12}}(?:之前|以前|前)(?!的|天|几|年|一)|(?:那个|那件|的事|这事|这个)[^,。]{{0,4}}不(?:着|用|太)?急|换[一-龥]{{2,4}}$|放(?:到|宽)
    (?:也|顺便)(?:一起|一块)?(?:问|让|叫|请|跟|找)|更正|补充(?:一[下点句])?|期限|应该是|不是[^,。]{{1,10}}[,，]?\s*是|优先级|加急
    \bmake it\b|\binstead\b|\bmove (?:it|that|the|my|our)|\bmoved to\b|\bpush (?:it|that|the)|\b(?:can|could) wait\b
    \burgent\b|\bno (?:stress|rush|hurry)\b|\bi need (?:it|that|the .{{1,30}}|this) by\b|\bon hold\b|\bneeds? to be \w.{{0,30}}\bby\b|\bchange (?:it|that|the)\b|\bswitch\b|\balso (?:ask|check with|include|loop)\b
    \btakes? over\b|\b(?:loop|bring|rope|get) \w+ in(?:to)?\b|\bhand .{{1,30}} over\b|\b\w+ (?:too|as well)\W*$|抓紧|(?:改|变)成?急|接(?:手|着|管)|交给|转给
    \bdelay (?:it|that|the|my)\b|\bcorrection\b|\bi meant\b|\badd\b|\bbring (?:it|that) forward|\bpostpone
    """
)
STATUS = any_of(
    r"""
    怎么说的?(?:$|[,，\s])|原话|眉目|着落|下文|回了(?:什么|啥)|怎么样了|咋样了?|如何了|什么情况|啥情况|啥状况|进展
    进度|回(?:复|信|话|音|你|我)?了?(?:没|吗|么|嘛)|还没回|没回(?:我|你)
    有(?:信儿|消息|回音|结果|动静|回复|下文)(?:了)?(?:没|吗|么)
    (?:问|说|催|联系)(?:到|了|得|过|上)?了?(?:没有?(?!问题|事|错|关系|空|办法|意见)|吗|么)|到哪(?:一步|了)|办(?:得|到)|有没有(?:回|消息|结果|信)
    谁(?:还)?没|还差谁|都谁|在(?:跟|等)(?:什么|哪些|谁)|手头|手上|挂着|没结|(?:几|多少|哪些)件|搞定了?(?:没|吗)
    \banything (?:back|from|new|yet|heard)\b|\bany (?:news|update|word|luck|answer|reply|progress)|\bsome news\b
    \bstatus\b|\bhow(?:'s| is| are| did) .{1,40}(?:going|coming|looking|doing)|\bheard (?:back|anything|from)
    \bhear back|\bwho (?:hasn'?t|has|still|else|did|haven'?t)|\bwhere (?:are|do) (?:we|things|you)
    \bdid (?:you|he|she|they|\w+) (?:ever |get |hear|ask|answer|reply|come back|respond|manage|say)
    \bhave you (?:asked|heard|reached)|\b(?:has|have) .{1,30}(?:replied|answered|responded|got back|come back)
    \bword for word\b|\bverbatim\b|\b(?:show|tell|give) me .{0,24}\bwhat .{1,20} (?:said|answered|wrote|replied)
    \bwhat(?:'s| is) (?:going on|happening|open|outstanding|pending)|\bupdate me\b|\bcatch me up
    \bwhat are you (?:still |currently )?(?:working|chasing|waiting)|\bwhat did .{1,20} say
    """
)
# Words to be worked on: whatever stands in them is text, not a wish.
TRANSFORM = any_of(
    r"""
    翻译|译成|翻成|翻一下|用英[文语](?:怎么)?说|润色|改写|校对|(?:改|挑|看|查)(?:一?[下改挑看查])?错(?:别)?字
    ^[^:,。]{0,16}(?:这|以下|下面|下边|上面|如下|刚才那)(?:[一几]?(?:段|句|条|封|份|篇|则|个)|些)?(?:话|文字|内容|通知|邮件|消息|信|文案|稿子?)?[^:。]{0,24}?(?:缩短|精简|简化|压缩|概括|提炼|扩写|润|改(?:短|软|硬|写|得|成更|通顺|正式|客气|委婉|口语)|写(?:短|得)|理顺|语气|措辞|通顺|总结|正式(?:点|一点|些)|委婉(?:点|一点|些)|短(?:点|一点|些))
    ^(?:请|麻烦|帮我|帮忙|替我|给我|把)*(?:缩短|精简|简化|压缩|概括|提炼|扩写|总结|改)(?:一?[下段句条遍]|这|以下|下面)[^:。]{0,12}:
    \btranslate\b|\bput (?:this|it|that) in(?:to)?\b|\bproof ?read|\bspell ?check|\bparaphrase\b|\b(?:please |can you |could you |pls )*(?:re-?word|re-?phrase|re-?write|shorten|tighten(?: up)?|condense|polish|simplify|improve|edit)\b[^:.]{0,24}:
    \b(?:make|get) (?:this|it|that|the following|these)(?: \w+)? (?:(?:a (?:bit|little) |much |more |less |sound )*(?:short|long|nic|soft|clear|simpl|friendli|warm|bett|crisp|smooth|kind|gentl|firm|tight|punchi|snappi|easi|funni|strong|polit|live?li)(?:er)\b|(?:a (?:bit|little) |much |more |less |sound )*(?:formal|polite|friendly|casual|concise|short|direct|professional|clear|nice)\b)|\b(?:tighten|shorten|condense|clean|polish|tidy|trim)(?: up)? (?:this|it|that|the following|my (?:text|draft|mail|message|note))\b
    ^(?:please |can you |could you |pls )*rewrite\b
    \brewrite (?:this|it|that|my)\b|\brephrase\b|\bhow do (?:i|you) say\b
    """
)
REMIND_ME = any_of(
    r"""
    (?:提醒?|喊|叫|闹)(?:一?下|一?声)?(?:我|老子)(?!妈|爸|老婆|媳妇|老公|妹|弟|哥|姐|们)|记得(?:叫|喊|提醒)我
    别让我忘了|闹钟|给我(?:提个醒|设个?)|到点(?:喊|叫|提醒)
    \bremind me\b|\bwake me\b|\bgive me a (?:nudge|shout|reminder|poke)|\bdon'?t let me forget
    \bsnooze\b|\breminder (?:for me|to)|\bset (?:a |an )?(?:reminder|alarm)|\b(?:nudge|ping|poke|buzz) me\b
    """
)
TELL_ME = lazy(r"(?:跟|和)我(?:说|讲)|告诉我|通知我|\b(?:tell|text|message|alert) me\b|\blet me know\b")
# Something is to be shown to the sender: a list, a summary, where things stand.
SHOW_ME = lazy(
    r"(?:跟|和)我(?:说|讲|汇报)|告诉我|(?:列|发|报|给|汇报|整理|汇总)(?:一下|[个成出一][^,，。]{0,5}|份)?(?:给|到)?我|\b(?:tell|give|send|show|list|read|text|message) me\b|\blet me know\b"
)
ABOUT_STATE = lazy(
    r"哪些|什么|几|多少|谁|没(?:有)?(?:回|结|办|完|做)|要(?:跟|办|做)的|单子|待办|日程|进展|进度|情况|清单|列表|汇总|状态|\b(?:lists?|what|who|how many|summary|status|open|updates?|overview|report|where)\b"
)
REMIND_OTHER = lazy(r"提醒|记得(?:喊|叫)|喊一声|\b(?:remind|nudge|poke)\b")
# If something does not come, then do something: a standing look-out.
EXPECT = any_of(
    r"""
    没[^,。\s]{1,4}(?:的)?[,，\s]?(?:你)?(?:马上|就|立刻|赶紧|去|直接)+(?:报|追|催|找|问|叫|告诉|通知|ping)
    (?:没|未|不)(?:有)?[^,。]{0,10}(?:你|第一时间|马上|立刻|再)*(?:提醒我|告诉我|通知我|跟我(?:说|讲)|喊我|叫我)
    (?:没|未|不)(?:有)?[^,。]{0,8}(?:的话)?[,，\s]?(?:你)?就[^,。]{0,8}(?:催|问|告诉|提醒|喊|叫|说|追|找|通知|跟我|跟一跟|去?要|打电话|ping|call)
    (?:没|未)(?:有)?[^,。]{0,8}的话[,，\s]*(?:你)?(?:就|去|再)?(?:催|问|找|告诉|提醒|追|通知|跟我|联系|喊|叫)|没[^,。\s吧吗]{1,4}你(?:就|去|再|帮我)?(?:催|提醒|追|找|联系|跟我说|告诉我)
    没[^,。\s]{1,6}[,，\s]*(?:就)?(?:跟我说|告诉我|通知我|报我)
    \bmake sure (?:that )?\w+(?: \w+)? (?:\w+s|(?:is|are) \w+) .{0,60}\b(?:every|each|daily|weekly|monthly)\b
    (?:忘|漏|迟|晚)了?(?:的话)?[,，]?(?:你)?(?:就|再|去)+(?:催|问|提醒|找|告诉|叫|喊|追|跟我)|有[^,。]{1,12}?(?:就|的话|马上|立刻|第一时间|赶紧)+(?:跟我|告诉我|通知我|喊我|叫我)|一有[^,。]{1,14}(?:就|马上)
    盯着(?!我)|盯一下|盯住|盯紧|要是没|如果没|哪天没|到(?:点|时候?)[^,。]{0,6}没
    每[天周月晚早日](?![^,。]{0,16}(?:找|跟|向|问|和|催)[^,。]{1,12}要)[^,。]{0,20}(?:要|得|必须|应该)[^,。]{0,4}[发交给报]|立个规矩|凡是|一旦|超过[^,。]{1,10}没
    以后[^,。]{1,20}就
    (?:^|[.,;!?-] *|\band )if (?:there'?s|it'?s|it|he|she|they|nothing|not|\w+) .{0,40}(?:n'?t|not|nothing|no\b|miss|late)
    \bno \w+,? then (?:push|chase|ask|tell|ping|call)|\b(?:go|get) after (?:him|her|them)\b.{0,30}n'?t
    \bplease watch\b|\bif (?:nothing|not)\b|\bwatch that|\bshout if\b|\bchase if\b
    (?:迟了|晚了|超时|逾期|过期)(?:的话)?[,，]?(?:你|就|去)*(?:催|找|问|追|告诉|提醒|叫|跟我)|\b(?:chase|nudge|ping|ask|push|remind|tell) (?:him|her|them|me) (?:otherwise|if not)\b
    (?:不然|否则|要不然)(?:的话)?[,，]?你?(?:就)?(?:告诉|提醒|通知|催|找|追|跟我)|\b(?:otherwise|or else|if not),? (?:then )?(?:call|tell|ping|chase|ask|let|remind|go after)\b
    \b(?:chase|push|ping|remind|tell|ask|nudge|call|(?:go|get) after) (?:him|her|them|me|\w+) if .{0,40}(?:n't|\bnot\b|\bno\b|nothing|missing|late\b|\bforgets?\b|\bfails?\b|\bmisses\b|\bslips\b)
    \b(?:any|every|each) [^,.]{3,60}(?:nobody|no one|not|n't|older than|longer than|without)\b[^.]{0,60}(?:, | - |\. )(?:then )?(?:go to|go after|get after|ask|chase|tell|ping|call)\b
    (?:^|[.!?;,] *)no (?!rush|hurry|worries|problem|need|stress)[\w ]{1,24}, (?:then |so )?(?:push|chase|ask|tell|ping|call|poke)
    \bfrom now on\b|\bunless\b|\blet me know if .{0,30}(?:n'?t|not)
    """
)
# To look out for something that has no date.
WATCH = any_of(
    r"""
    留意|留心|留神|关注(?:一下|着|下)|(?:盯|看)(?:着|一下|住)?点?[^,。]{0,20}(?:有没有|动静|消息|变化|通知)
    有(?:什么|啥|任何|新|了|点|[^,。]{1,6}的)?(?:的)?(?:动静|消息|变化|情况|风声|动向|信儿|进展|眉目)[^,。]{0,4}(?:就|的话)?(?:马上|第一时间)?(?:跟我|告诉我|通知我|喊我|叫我)
    \bkeep an eye|\bkeep (?:an )?ears? open|\bwatch (?:out )?for|\blook ?out for|\blisten (?:out )?for
    \b(?:let me know|tell me|ping me|alert me|text me|notify me|give me a shout|shout|i (?:want|need|'d like) to (?:know|hear)) (?:if|when(?:ever)?|as soon as|once|the (?:moment|minute)|in case) (?![^,.;]*\b(?:is|are|was)\W*$)
    \b(?:give me a shout|shout|holler|let me know) (?:when|if|once|as soon as) there(?:'s| is| are)\b
    """
)
# Somebody has given a date: worth looking out for, where nothing is asked.
PROMISED = any_of(
    r"""
    答应(?:了|过)?|说好了?|承诺
    \bsupposed to\b|\bpromised?\b|\bexpect(?:ing)?\b.{0,30}\bby\b|\b(?:is|are) due\b
    \bhas to be\b.{0,50}\b(?:by|before)\b
    """
)
HYPOTHESIS = lazy(
    r"\bwondering (?:whether|if)|\b(?:not sure|unsure|debating) (?:whether|if)|^(?:你觉得|你说|那|我们?|咱们?)*(?:要不要|该不该|应不应该|用不用|需不需要)|你觉得.{0,6}(?:要不要|该不该|应不应该|用不用)|^(?:do you think |so |hmm,? )*(?:should|shall) (?:i|we)\b|\bif i told\b|要是让|如果让|假如|万一|\bif i (?:ask|tell|let)|\bsuppose\b|\bwhat if\b|\bif we (?:asked|let|had)"
)
# A wish to have somebody contacted, also where the name is not known here.
HINT = any_of(
    r"""
    (?:帮我|帮忙|替我|麻烦|劳烦|给我|请你|你去|去|你)(?:再|先|也)?(?:问|联系|通知|转告|告诉|催|找|叫|约|跟|和|打听|核实|确认|了解|要一|请|喊|给)
    (?:^|[,。!?\s])提醒(?!我|老子|自己|功能|的|怎么|什么|了|过)|(?:^|[,。!?\s])(?:再)?(?:问|联系|通知|转告|告诉|催|找|叫|让|约|跟|请|喊)(?!题|候|我|他说|你|于|上|近|巧|步|整|座|到|子|客)
    问(?:一?下|一?声|问|清楚|他|她)|知会|打个招呼|[带捎](?:个|句)话|拉上|(?:替|帮|代)我(?:谢|感谢|祝|恭喜|问候)
    \bthank (?!you|u\b|god|goodness|heaven)\w+\b.{0,20}\b(?:for me|from me|on my behalf)\b|\bpass (?:it |this )?on to\b|\bgo to \w+ (?:for|about)\b
    \bwish \w+ .{0,40}\b(?:from|for) me\b|\bsay (?:(?:hi|hello|sorry|thanks|thank you|congrats) )?to \w+
    \b(?:ask|tell|ping|poke|nudge|remind(?! myself)|inform|notify|chase|email|text|message|contact|call|check with|find out (?:from|if|when|whether|what|who)|get (?:a )?hold of|reach out|follow up with|let \w+ know|speak to|talk to|have \w+ (?:send|do|sign|wire|pay)|get \w+ (?:to|on))\b(?! (?:me|us)\b)
    \bneed .{1,60} from\b|\bgive \w+ (?:a |an |another |one more )(?:\w+ )?(?:nudge|poke|push|prod|reminder|ring|call|shout)\b
    """
)
_AGAIN_WORDS = r"每(?:天|周|月|晚|早|日|个(?:月|星期|礼拜|周))|\bevery\b"
# Whether it is a person that is asked about: their hours, how they are reached, who they are.
LOOK_UP_PERSON = any_of(
    rf"""
    {PERSON}(?:他|她)?(?:一般|平时|每天|现在)?(?:几点|啥时候|什么时候)(?:开始)?(?:上班|下班|在岗|到岗)
    {PERSON}(?:的)?(?:电话|邮箱|联系方式|手机号?|号码|上班时间|工作时间|时区|飞书号?|微信号?)(?:是|有|多少|呢|[?？]|$|给我|发我|告诉我)
    {PERSON}(?:他|她)?现在(?:在)?上班|(?:怎么|如何|咋)(?:才能)?(?:联系|找)(?:得到|到|上)?{PERSON}|{PERSON}(?:是谁|是哪位|是哪个部门|是干(?:嘛|什么)的|是做什么的)
    {PERSON}(?:人)?(?:那边|那儿|那里)?\s*(?:现在)?(?:是)?(?:几点(?:钟)?了?|什么时间|(?:白天|晚上|夜里|半夜|早上)(?:还是[^,。]{{1,4}})?(?:吗|么|啊)?)\W*$
    {PERSON}(?:人)?(?:现在)?在(?:哪个|什么)时区|{PERSON}(?:那边)?现在(?:几点|上班了?(?:没|吗)|在不在班|下班了?(?:没|吗))
    (?:查|看)(?:一?下)?{PERSON}的(?:资料|信息|名片|联系方式)
    ^(?:so |and |hey |uh )*who(?:'s| is) {PERSON}(?: again)?\W*$|\bhow (?:do|can|should) (?:i|we) (?:reach|contact|get (?:a )?hold of|get in touch with) {PERSON}
    \bwhat time (?:does|is) {PERSON} (?:start|begin|finish|stop|work|in\b|leave)|\bwhen does {PERSON} (?:start|finish|work|get in)\W*(?:work)?\W*$
    {PERSON}'?s (?:phone|number|email|e-mail|hours|working hours|time ?zone|contact|details)
    \b(?:what|which) time ?zone is {PERSON}|\bis {PERSON} (?:at work|working|in the office|off) (?:right )?now
    \bwhat time is it (?:for|where) {PERSON}
    """
)
INVITE = any_of(
    rf"""
    (?:给|为|帮){PERSON}(?:再)?(?:发|生成|弄|开|做|来)?(?:一?个|一下|张|条)?(?:新的?)?邀请(?:码|链接)?|邀请码.{{0,4}}{PERSON}|(?:给|为|发){PERSON}(?:用)?的邀请
    邀请{PERSON}(?:加入|进来|接入|用(?:一下)?(?:你|机器人)|连(?:上|接)|绑定)|^(?:帮我|麻烦|请)?邀请(?:一下)?{PERSON}\W*$|把{PERSON}(?:邀请|加|拉)进来\W*$
    \b(?:send|give|make|get|create|generate) {PERSON} (?:an?|a new|another) (?:invite|invitation)\b|\binvit(?:e|ation)(?: link| code)? for {PERSON}
    ^(?:please |pls |can you |could you )*invite {PERSON}(?: to (?:the bot|join|connect|chat|telegram|feishu))?\W*$
    """
)
# What was said or happened before, by anybody or by somebody.
LOOK_UP_FACTS = any_of(
    rf"""
    (?:^|[,。\s])(?:之前|以前|最近|上周|昨天|有)?(?:都)?(?:有)?谁(?:之前|以前|最近|曾经)?(?:提|说|讲|聊|反映|反馈|报)(?:到|起|过)+
    有没有(?:人|谁|{PERSON})(?:提|说|讲|聊|反映|反馈|报)(?:到|起|过)
    {PERSON}(?:他|她)?(?:上(?:周|个?月|次|星期)|昨天|前天|之前|以前|最近|这周|今天|前几天|刚才)(?:都|跟我|跟你|给我)?(?:说|讲|提|回|发|反馈)(?:过|了|的)?(?:什么|啥|哪些|些什么)
    {PERSON}(?:他|她)?(?:最近|之前|以前|上周|昨天|今天|这周)?有没有(?:说|提|讲)(?:到|起|过)|{PERSON}(?:有没有)?(?:说|提|讲)过[^,。]{{1,20}}(?:没有?|吗|么)|(?:查|找|翻)(?:一?下|找)?[^,。]{{0,12}}(?:说过的话|聊天记录|消息记录|记录)
    \bwho (?:said|mentioned|talked about|brought up|reported|wrote)\b(?! i )|\b(?:has|did) (?:anybody|anyone|somebody|someone|{PERSON}) (?:ever )?(?:said?|say|mention(?:ed)?|talk(?:ed)? about|brought up|bring up|report(?:ed)?)\b
    \bwhat (?:did|has) {PERSON} (?:say|said|tell|told|write|written)(?: \w+)? (?:last|yesterday|this|about|on|before|earlier|recently|lately)\b
    \bwhen did {PERSON} (?:say|mention|write)\b|\bsearch (?:the )?(?:messages|chat|history)\b|\blook (?:up|for) what\b
    """
)
# Longer work on what has been kept: several places are read and put together. A text that is there is summed up in talk.
TASK = any_of(
    r"""
    (?:把|将|给我|帮我|你)?[^,。]{0,16}(?:这周|本周|上周|这个?月|上个?月|最近|近期|今天|昨天|这几天|到目前|手头|各(?:个|位|组|项)|大家|所有人?|全部)[^,。]{0,14}(?:理一?[遍理下]|梳理|整理|归纳|汇总|捋一?[遍捋下]|过一遍|盘一?[遍盘下]|对比|统计|列(?:个|成|出))
    (?:梳理|整理|归纳|汇总|捋|盘|统计)(?:一?[下遍捋盘]|出)?[^,。]{0,6}(?:这周|本周|本月|上周|这个?月|上个?月|最近|近期|今天|这几天|大家|所有人?|各(?:个|位|组|项))
    (?:查|看|翻|找)(?:一?[下遍查看翻]|找)[^,。]{0,20}(?:都|哪些|提了|说了)[^。]{0,24}(?:整理|归纳|汇总|列(?:成|个|出)|总结)
    \b(?:go|dig|look|read) through\b.{0,50}\b(?:messages|chats?|notes|conversations?|history|answers|replies|reports|everything)\b
    \b(?:put together|compile|prepare|work out|pull together)\b.{0,50}\b(?:this|last|past|recent|so far|everybody|everyone|all)\b
    """
)
# Work on the world, not on what is kept: an order, though nothing here can do it.
CHANGES = any_of(
    r"""
    修(?:复|好|改|一下)|解决(?:问题|掉|一下)|改(?:好|掉|成|代码|配置)|部署|重启|上线|删(?:除|掉)|安装|升级|回滚|下单|订(?:票|餐|酒店|机票)|买|转账|付款|写(?:代码|脚本)|跑(?:脚本|测试)|打扫|开(?:机|门)|关(?:机|门)
    \b(?:fix|repair|solve|deploy|restart|reboot|delete|install|upgrade|roll back|order|book|buy|pay|write code|run the|patch|merge|clean)\b
    """
)
# The same said to the bot and to nobody else.
FOR_THE_BOT = any_of(
    r"""
    ^(?:清海|请|麻烦|劳烦|你|再|先|,|\s)*(?:帮我|给我|替我|帮忙|去)(?:把[^,，。]{1,16}?)?(?:再|先|去|也|顺便)*(?:订|定(?!时|期|义)|预[定订约]|买|下单|点(?=[一两杯份个单外])|打印|复印|充(?:值|话费|钱)|寄|叫[一两]?[个辆部](?!人)|打[一两]?[个辆]?(?:车|的)|挂[一个]*[^,，。]{0,4}号|抢|退(?:票|货|掉|了)|缴|交(?=[电水房话]费)|开(?:灯|门|机|空调|窗)|关(?:灯|门|机|空调|窗|掉)|打开|重启|部署|删|安装|装[一个]|修(?!改)|下载|上传|拍|洗|扫|做(?:饭|菜|[一个]*ppt)|煮|泡|播放|放[一首])
    ^(?:清海|请|麻烦|劳烦|你|,|\s)*把[^,，。]{1,12}(?:打开|关(?:掉|上|了)|重启|打印(?:出来|一下)?|修(?:好|一下)|删(?:掉|了)|部署)[^,，。]{0,3}$
    ^(?:(?:please|pls|hey|ok|can you|could you|would you|will you|i want you to|i need you to)[, ]+)*(?:book|buy|order|reserve|purchase|rent|print|call me an?|get me (?:an?|some) (?!hold|answer|update|status)|turn (?:on|off|up|down)|switch (?:on|off)|turn .{1,24} (?:on|off|up|down)$|open the|close the|lock the|unlock the|fix|deploy|restart|reboot|install|upgrade|delete|download|upload|play (?:some|me)|cook|clean|wash|drive|pay (?:my|the|for))\b
    """
)
# Several steps of one piece of work: one goal, for the bot itself.
STEPS = lazy(r"先.{1,20}[,，]?(?:再|然后).{1,20}|\bfirst\b.{1,80}\bthen\b")
# Wider still, for the judge, who does not know the directory: the extractor, who does, decides.
LEAN = any_of(
    rf"""
    {WATCH.pattern}|{TASK.pattern}|{FOR_THE_BOT.pattern}
    (?:几点|什么时候|啥时候)(?:开始)?(?:上班|下班)|现在(?:在)?上班|在不在班|(?:怎么|如何|咋)(?:才能)?(?:联系|找)|联系方式|时区|是谁|是哪位|邀请|谁[^,。]{{0,4}}[提说讲](?:到|起|过)|[说提讲](?:过|了)(?:什么|啥|哪些)|有没有人[说提讲反]|有没有[说提讲]|手机号|电话(?:号|是|多少)|邮箱
    \bwho(?:'s| is) [a-z]+\W*$|\bhow (?:do|can) i (?:reach|contact|get)|\btime ?zone\b|\bworking hours\b|\bat work\b|\bin the office\b|\bwhat time does\b|\binvit|\bwho (?:said|mentioned|talked|brought)|\b(?:has|did) any(?:body|one)\b|\bwhat did \w+ say
    {STEPS.pattern}
    {HINT.pattern}|{_AGAIN_WORDS}
    ^(?:还有|and |also |plus )|几点|\bis [a-z]+\W*$|\bfrom (?:her|him)\b|\b(?:swap|replace|loop)\b|[让叫][他她]
    (?:问|找|催|联系|通知|转告|告诉|知会|喊|约|派|安排)(?!题|候|我|号)|提醒(?!我|功能|的|怎么|过)|[发转带捎传]给|看(?:看|一?[下眼])|你去(?:要|拿|取|收|盯)
    (?:叫|让|跟|给|请)[一-龥]{{2,4}}(?:把|去|来|发|说|讲|做|要|交)|那边|去问
    \b(?:have|get|let|from|email|post|send|call|need|need(?:s|ed)|owes?)\s|(?:^|[,.;!?]\s*|\bso )[a-z]+:\s|\b(?:remind|give|loop|rope|write to|make sure)\s|\bwhen does \w+\s
    """
)
