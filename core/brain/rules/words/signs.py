"""Words that tell what a clause does: affirm, deny, report as done, hedge, make conditions, know nothing.

Patterns over folded text. A table holds words with some give; each row is one kind of saying.
"""

from __future__ import annotations

from core.brain.rules.words.text import any_of, made_of
from core.patterns import lazy

YES = lazy(
    r"^(?:那|我|我们|这边|也|都|肯定|这个|当然|其实|应该说|肯定|绝对|,|\s)*(?:嗯+|对+(?!方|面|接|账|外|内|比)|是(?:的|啊|呀)?$|是|好+(?:的|呀|啊|"
    r"嘞|滴|吧)?|可以|行(?:的|啊|吧)?|能(?!不能|否)|会的?|有(?!点|空|时|问题)|来(?!不)|没问题|没意见|算我|"
    r"我参加|我来|我去(?!申请|问|看|查|找|跟|和|说)|ok|okay|要的?得?$|要(?!不|是|看)|同意|当然|必须|妥|"
    r"成$|中$|照办|搞得定|搞定|"
    r"yes|yep|yeah|yup|ya|i (?:also |too |do |fully |totally )*agree|sure|ok|of course|definitely|absolutely|certainly|will do|happy to|no problem|"
    r"i can|can do|it (?:is|did|does|was|has)$|he did|she did|they (?:are|did)|correct|right|agreed|deal|"
    r"me too|same here|likewise|so (?:can|do|will|am|would) i|i(?:'m| am)? (?:also|too)|works for me|fine (?:by|with) me|count me in|i'm in|consider it done|gladly|can(?! (?:you|we|i|he|"
    r"she|they)\b))(?![a-z])"
)
NO = lazy(
    r"^(?:那|我|我们|这个|真|实在|其实|今天|暂时|so|well|sorry|,|\s)*(?:不(?!客气|错|过|好意思|知道|清楚|"
    r"确定|好说|一定|急)|没(?!问题|事|关系|意见|错|想好|定|决定|确定|考虑|商量)|还没(?!想好|定|决定|确定|考虑|商量)|未|no\b(?! (?:problem|worries|rush))|nope|nah|"
    r"not\b(?! sure)|never\b|can'?t|can not|cannot|won'?t|me (?:n?either)|(?:neither|nor) (?:can|do|will|am|would) i|it (?:isn'?t|did not|didn'?t|does not|doesn'?t|"
    r"wasn'?t|hasn'?t|is not)|i (?:can'?t|can not|cannot|won'?t|am not)|unfortunately)"
)
# The same further on in a clause.
CANNOT = any_of(
    r"""
    [一-龥]不(?:了|到|上|完|起|来|及|动|出|成|下)|不行|不能|不够|没法|没有|没空|没办法
    \b(?:absolutely|definitely|certainly|probably|really|sure|of course) not\b
    \b(?:can'?t|cannot|can not|won'?t|isn'?t|didn'?t|doesn'?t|hasn'?t|no not|not (?:blocking|yet|possible|available|going|able|finished|anymore))\b
    """
)
DONE = any_of(
    r"""
    ^(?:(?:all|just|it'?s|that'?s|already|been|i|we|i'?ve|we'?ve|has|have|now) )*(?:fixed|deployed|booked|merged|released|published|printed|ordered|repaired|replaced|installed|updated|reserved|cancelled|rescheduled|arranged|sorted|handled|notified|restarted|cleaned)(?:\W*$| (?:and|it|them|the|that|for|on|in|this)\b)
    (?:发|传|交|给|寄|放|拷|导|写|做|搞|弄|办|修|换|装|填|补|开|印|签|盖|提交|上传|处理|完成|搬|还|转|打|订|派|安排|整理|发送|通知|送|拿|付|汇|买)(?:过|好|完|出去|过去|上去|给\w{1,3}|掉|齐)?了(?![吗没])
    (?:发|传|交|寄|送|转|拷|拿)(?:给|到)?[你他她](?:们)?了(?![吗没])
    (?:已经?|刚刚?|早就?)(?:私)?(?:发|传|交|给|寄|放|上传|完成|处理|搞定|提交|转|订|写|派|付|打|送|到|回)|搞定|完事
    [弄做写修办]好了|放[^,。]{1,8}了|(?:发|传|寄|送|交|存)[^,。]{1,5}(?:里|上|到|中|邮箱|群|盘)了
    (?<![快要刚算])[一-龥](?:好|完|掉)了$|在(?:附件|群里|邮箱|桌上|共享|网盘|盘里|文件夹|你?桌)|见附件|附件
    \[(?:图片|文件|照片|视频|表格|附件|photo|image|file|document|picture)\]
    https?://
    \b(?:sent|attached|uploaded|submitted|done|finished|shared|emailed|delivered|here (?:it is|you go|they are)|here's|in the \w* ?(?:folder|drive|inbox|channel|chat)|on the (?:drive|server|share|table|desk)|posted|forwarded|in your inbox|on your desk|handed (?:in|over)|paid|transferred|completed|dropped (?:it|them) off)\b
    """
)
NOT_DONE = any_of(
    r"""
    'll\b
    了(?:也|又)(?:不|没|白|能怎)|一半|部分|一点|差(?!不)|只[^,。]{0,4}了|不是[^,。]{0,3}[刚已]
    \byou (?:sent|shared|uploaded|posted)|\bcan'?t\b|\bcouldn'?t\b
    (?:没|未|不|别|等|准备|打算|马上|一会儿?|待会|明天|后天|晚点|回头|下午|晚上|今晚|明早|最晚|再|就|去|要|得|我来|周[一二三四五六日天])[^,。]{0,6}(?:发|传|交|给|寄|写|做|好|完|补|送|拿)
    (?:快|差不多|就要|马上)(?:好|完|做完|写完|弄好|搞定)了|忘
    n't\b[^.!?]{0,30}\b(?:sent|done|finished|attached|uploaded|submitted|signed|completed|paid|shared)\b
    \b(?:not|n't|will|gonna|going to|almost|nearly|half|to be|before|after|when|once|needs?|can be|until|get it|i'?ll|be|by|tomorrow|tonight|later|still|consider it)\b[^.!?]{0,30}\b(?:sent|done|finished|attached|uploaded|submitted|signed|completed|paid|shared)\b
    \bhalf done\b|\d+ ?% done
    """
)
PAST = any_of(
    r"""
    昨|前天|上周|刚(?:刚|才)?|已经?|早就
    \b(?:yesterday|already|just now|ago|earlier today|last (?:night|week|friday|monday))\b
    ^(?:it (?:was|got) |they were |just )?[a-z]{3,}ed\b
    """
)
HEDGE = any_of(
    r"""
    或(?!许)|二选一
    \b(?:could|may) .{1,30}\bor\b
    最[快早慢](?![那这的一])|初步|大概|大约|可能|也许|应该(?!是我)|估计|差不多|左右|说不[准好定]|不一定|不确定|不好说|看情况
    再看|争取|尽量|或者|要看|感觉|像是|怀疑是?|我猜|看着像|没准|未必|没定|未定|待定|不敢|没说死|不清楚|不知道|没数|恐怕|好像|大致|不晓得|说不上
    想[^。]{0,12}[,啊呀](?:但|可|不过|只是|就怕)
    的样子|上下|怎么说呢|你懂|谈着|抽空
    \b(?:maybe|perhaps|probably|possibly|might|roughly|hopefully|should be|i think|i guess|not sure|depends|unsure|tbd|could be|approximately|likely|if (?:i'?m|all|we'?re)|some ?time|somewhere|no idea|don'?t know|unclear|weighing|considering|in due course|fingers crossed|aiming|trying to|or so|looks like|feels like|suspect|my guess|give or take)\b
    (?:\bnot|n'?t)(?: been)? (?:decided|settled|agreed|fixed)\b
    -ish\b|\bish\b
    """
)
CONDITION = any_of(
    r"""
    如果|(?<![主只重需])要是|假如|的话|前提(?![交测供])|除非|取决于|得看|只要|一旦|但凡|(?:^|[,。;\s])看[^,。]{1,8}(?:再|定|多少|什么|谁|哪|几|怎么)
    (?:^|[,。;\s])等[^,。]{1,12}(?:才|再|之后|以后|了就)|(?:先|等|要|得)[^,。]{1,12}才(?:能|行|可以|会)
    (?:^|[,。;\s])等(?![于级等到]|我)[^,。]{1,14}(?:好|完|过|齐|定|签|批|回来|出来|通过|下来)(?:了|之?后|就|$|,)
    (?:好|完|过|到|齐|定|签|字|批|通过|回来|下来|上线|合并|点头|同意|确认|验收|付款|到账)(?:了|之?后|以后)?(?:我们?|这边|那|[今明后][天早晚]|周[一二三四五六日天]|下周)*(?:就|马上|立刻|才|再)(?![是在这那])
    (?:点头|同意|批准|签字|付款|确认|验收)(?:了|之?后)?,?(?:我们?|这边)[^,。]{0,6}就|(?<![第再万])一(?![会下声起定直共般样个次天周月])[^,。]{1,8}就(?!是)
    (?:好|完|齐)了?(?:就|再)?(?:发|给|告诉|通知)(?:给)?你$
    不出(?:什么|啥|任何)*(?:意外|问题|情况|岔子|变化|差错|状况)|没(?:有|什么|啥|任何)*(?:意外|问题|情况|岔子|变化|差错|状况)(?:的话|就|我)|顺利[^,。]{0,2}就|^不(?![就好用急客过然管错论同行是])[^,。]{1,6}就(?![是不])
    \b(?:only if|if (?:not|so)(?=,| then| it| we| i)|if (?:they|he|she|we|you(?! (?:need|have))|it|the|my|our|nothing|all|everything|no|[a-z]+ (?:shows?|comes?|says?|signs?|agrees?|pass(?:es)?|is|are|gets?|approves?|clears?|goes|finish(?:es)?))|unless|provided|as long as|depends|subject to|assuming|permitting)\b|如无意外|不出意外
    \b(?:once|as soon as) (?!a\b|per\b|every\b|more\b|again\b|upon\b|i (?:get|'?m)\b)|\bpending (?:\w+ ){0,3}\w+|\bcontingent on\b|\bbarring\b|\ball being well\b
    \bwhen (?:(?:the|our|his|her|my) )?\w+ (?:\w+ )?(?:is|are|gets?|has|comes?|pass(?:es)?|signs?|clears?|lands?|confirms?|approves?)\b
    """
)
# Part of the answer is said to be missing or still to come.
OPEN_END = any_of(
    r"""
    没(?:讲|说|通知|告诉|提|公布|给信)|不(?:详|明)|还(?:在|差|缺|有(?!的))[^,。]{0,8}|派不出|没填|不清楚|不知道
    不晓得|不确定|没定|未定|待定|还没(?:报|定|好|出|谈|算|问|有)|另算|另说|扯皮|[量算定说]不[了准好]|晚点|回头
    再(?:商量|看|定|说|补|问)|要(?:跟|和|等|问)|得(?:问|等|看)|商量
    \bdon'?t have\b
    \b(?:am|is|are|'m|'re|'s) (?:still )?(?:re-?)?(?:doing|making|working|waiting|checking|finding|redoing)
    \bexcept\b|\bmissing\b|\bcouldn'?t (?:tell|say)|\bcan'?t (?:tell|say)|\bdon'?t know|\bno idea
    \bnot (?:sure|yet|known)|\btbd\b|\bstill (?:open|waiting|to)|\bdon'?t give|\bsome ?time next\b|\bask (?!me)
    \blater\b|\b(?:have|need|got) to (?:look|check|ask|see)\b
    得(?:查|看|问)
    """
)
APPROXIMATE = lazy(
    r"出头|上下|以内|不到|将近|接近|[十百千万]多|[十百千]几|几[十百千]|\b(?:over|under|nearly|almost|at least|up to|more than|less than)\b|一两|两三|三四|三五|四五|五六|六七|七八|八九|几[十百千万个]|十来|[百千万]来|[十百千万]多|来[个万千]|"
    r"\babout\b|\baround\b|\b\w+\? \w+\?|\bor \d|\bdozens\b|\bsome \d"
)
NUMERAL = any_of(
    r"""
    \d
    [零一二两三四五六七八九十百千万半]+(?:个|人|份|托|吨|张|台|件|条|辆|名|位|套|箱|次|天|家|块|元|万|千|百|成|间|床|盒|斤|瓶|桌|车|包|号)
    [零一二两三四五六七八九十百千万]{2,}|^[零一二两三四五六七八九十]个?$|[两俩仨]
    \b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?|hundred|thousand|none|zero|dozen)\b
    """
)
BUSY = lazy(
    r"忙|没空|请假|休|不在|不敢|来不及|赶不|做不|完不|不能|不行|开会|出差|没时间|累|\b(?:busy|off|not|can'?t|"
    r"won'?t|away|holiday|sick|slammed|no way)\b"
)
ACK = any_of(
    r"""
    \b(?:all (?:good|set)|good to go|booked|done)\b|10-4|wilco
    (?:谢谢|多谢|感谢)(?:告知|提醒|通知|转告)|\bletting me know\b|\bthanks for the (?:heads[- ]?up|info|update|notice)
    已阅|看到了|已悉|知悉|收到|知道|明白|了解|确认|记下|记住|照办|保证|一定|放心
    \b(?:noted|got it|received|understood|confirmed?|roger|copy that|promise|consider it done|will be there|count on)\b
    """
)
# Has nothing to tell: at work on it, forgotten, never knew.
IGNORANT = any_of(
    r"""
    还没|\b(?:haven'?t|hasn'?t) \w+ed?\b
    (?:也|还)想知道|[他她]们?(?:还)?没回(?!来)|没(?:消息|回音|结果|下文)|[没不未](?:肯|有|太)?(?:说|讲|提|告诉|定|选|决定|确定|回|通知|想好|谈好|商量好|公布|清楚|知道|晓得)|^等
    (?:没人|谁[也都]不)(?:知道|清楚|晓得|说)|\b(?:nobody|no one) (?:knows|has said|told)\b
    忘(?:了|记了?)(?=$|[\s,。!?呀啊哈是谁什啥哪几多叫放问查看记说])|奇怪|纳闷|想不通|搞不懂|记不[清得住]|不记得|没印象|不了解|没听说|不懂|没注意|说不上
    [还正]在(?:查|找|核|等|谈|算|统计|排|处理|跟|联系|确认|问|弄|做|看|改|写|整)|在(?:查|找|核|统计|排查)
    不(?:太)?(?:多|少)(?:了)?$
    \bforgot\b(?! (?:to (?!ask|check|look|tell|say)|the|that|my|our|it was|we|about))|\bdon'?t have (?:it|one|that|(?:the|an?) (?:final|exact|precise)|(?:the|an?) \w+ yet)\b|\bcan'?t remember|\bdon'?t remember|\bbeats me\b|\babove my pay|\bnobody tells\b|\bno clue\b|\bwish i knew\b|\bgood question\b|\bdon'?t ask me\b
    \bhardly\b|\bbarely\b|\b(?:nobody|no one|none|nothing) (?:so far|yet)\b|\bstill (?:waiting|looking|checking|working)|\b(?:looking|checking) into\b
    """
)
ASSERTS = any_of(
    r"""
    \d|[a-z]{2,}\d
    [改换变]成|是|在|有|因为|由于|归|由|放|叫|主要|说|想|觉得|坏|断|堵|缺|少|多|去了|回|卖|用
    \b(?:is|are|was|were|because|since|it's|he's|she's|they|in|at|on|under|by|had|have|has|got|from|with)\b
    """
)


# "已经在做了" tells that it was begun.
_UNDER_WAY = lazy(
    r"在(?:抓紧|加紧|赶着?|着手|努力)?(?:做|写|弄|搞|改|办|整|整理|处理|补|填|修|赶|排|查|算|画|准备)(?:了|着|呢|啦)?$"
)


def is_done(own: str) -> bool:
    """Says that it is done or handed over, not that it will be or that it was begun."""
    if _UNDER_WAY.search(own):
        return False
    return bool(DONE.search(own)) and (bool(PAST.search(own)) or not NOT_DONE.search(own))


def is_no(own: str) -> bool:
    """A no, at the beginning or further on."""
    return bool(NO.search(own) or CANNOT.search(own))


_YES_PIECES = any_of(
    r"""
    没问题|收到|可以|知道|明白|嗯|好|行|嘞|滴|对|是|哦|的|了|吧|啊|\W
    okay|ok|yes|yep|yeah|sure|got ?it|noted|fine|will ?do|no ?problem
    """
)


def is_yes_alone(own: str) -> bool:
    """Nothing but a yes or an acknowledgement."""
    return made_of(own, _YES_PIECES)
