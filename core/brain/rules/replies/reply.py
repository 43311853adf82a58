"""What a delegate's words amount to (the table of attitudes in the rules), by signs that do not depend on the subject."""

from __future__ import annotations

import re

from core.brain.rules.replies.put_off import puts_off
from core.brain.rules.words.names import SURNAMES
from core.brain.rules.words.text import any_of, clauses, fold, is_empty, made_of, sentences, squeezed
from core.patterns import lazy

# Tries to command the bot, to pose as somebody or to draw out what others said: never obeyed, not even read as content.
INJECTION = any_of(
    r"""
    (?:帮我|替我)(?:再|去)?(?:问|告诉|通知|催|联系)(?:一?下|一声)?(?!老板|他|她|领导|你们?老板|一?下?他)
    你以后(?:只|每天|就|都|不用)|只听我的
    ^(?:请|麻烦|你|帮我|替我|去)*转告(?:一?[下声])?(?!老板|他|她|领导|大家|我)[一-龥]{2,4}[:,说]
    (?:^|[,。!;\s])你(?:去|帮我|给我|替我|现在)+(?:跟|和|告诉|通知)(?!老板|他|她|领导|一声老板)|就说是老板
    老板(?:让|叫)你|维护模式|忽略(?:之前|以上|上面|前面|所有|你)|无视(?:之前|以上|所有)
    (?:系统|管理员)(?:指令|提示|消息|通知|命令)|【?\s*(?:系统|system)\s*】
    system\s*[:：]
    (?:^|[,。!;\s])(?:另外|顺便|还有|对了)?你(?:再|也|先|去|现在|马上|赶紧|帮我|给我|替我|顺便)*(?:让|叫|通知|催|派)(?!老板|领导|他|她|我|大家|人|客户)[^,。!?]{1,10}(?:把|给我|发我|告诉我|也发|(?:去)?[订买打]|准备|整理|交一?份)
    (?:^|[,。!;\s])(?:另外|顺便|还有|对了)?(?:让|叫|通知)(?!老板|领导|他|她|我|大家|人|客户)[^,。!?]{1,6}(?:把[^,。!?]{1,12}(?:发|给|告诉|转)我|给我|也?发我|去[订买])
    (?:^|[,。!;\s])你?(?:去|再)?给(?!老板|领导|他|她|我|大家|你|客户)[^,。!?]{1,6}(?:打个?电话|发(?:个|条)?(?:消息|信息|短信|微信))(?:让|叫|说|告诉|问)
    新任务[:：]
    </?\w+>
    扮演|提示词
    prompt\b
    (?:从现在起|以后)你(?:听我|只|每天|就|都)|你(?:已|现在)(?:升级|是)|开发者模式|越狱
    (?:告诉我|说说|发我)[^,。!?]{0,16}(?:别人|其他人|他们|老板[^,。]{0,3}(?:跟|和|对|说|聊|找|工资|密码|日程))
    (?:把|复制|转发)[^,。!?]{0,16}(?:(?<!给)(?<!到)(?<!让)(?:别人|其他人|他们)[^,。!?]{0,12}(?:我|一份|记录)|老板[^,。]{0,3}(?:跟|和|对|说|聊|找|工资|密码|日程))
    (?:把|复制|转发)(?:(?![你我]|客户|对方|刚才)[一-龥]){2,3}(?:都|跟你|和你)*(?:说|聊|回|讲)[^,。!?]{0,8}(?:发|给|告诉|转)给?我
    告诉我(?:(?![你我]|客户|对方)[一-龥]){2,3}(?:都|跟你|和你)*(?:说|聊|回|讲)(?:过|了)?(?:什么|啥)
    老板(?:还|都)?(?:找|问|跟)了?(?:哪些|谁|别人)|你能看到.{0,12}(?:聊天|消息|记录)
    给(?:通讯录|所有人|每个人).{0,4}发
    (?<![看查的下])(?:关闭|删除|取消|停止|修改|结束)(?:本|该|这个|所有|一切|你的)?(?:任务|催办|提醒|记录|事项|状态|委托)
    (?:状态|任务)改为?|(?:我|这里)(?:就?是|可是)(?:老板|管理员|owner)|冒充|老板说过的|群发
    (?:^|[.!?;,] ?|\b(?:and|now|then|also|please|go) )tell (?!me\b|us\b|you\b|the\b|your\b|him\b|her\b|them\b|it\b)\w+ (?:to|that (?:he|she|they))\b
    (?:^|[.!?;,] ?|\b(?:and|now|then|also|please|go) )(?:get|have|make) (?!me\b|us\b|you\b|the boss|him\b|her\b|them\b|it\b|an?\b|in\b|back\b)\w+ (?:to )?(?:send|forward|bring|give|call|text|tell|pay|book|email|show|show) (?:\w+ ){0,3}(?:me|us)\b
    \bignore (?:all|the|your|previous|any|everything|prior)|\bdisregard\b
    \b(?:your|the) (?:instructions|system prompt|prompt)|\bsystem (?:message|override|note|prompt)
    \bassistant\s*[:,]|\b(?:pretend|role-?play|you are now|act as)\b
    \bfrom (?:this message|now) on,? (?:you|reply|only|forward)|\bforward (?:me|everything|all)
    \b(?:paste|tell|show|send|give|forward|read) me (?:everything|what|all|the (?:messages?|chat|answers?|replies))\b.{0,40}\b(?:said|told|wrote|says|writes|replied|from|answered)\b
    \bwhat (?:did|has) \w+ (?:say|said|told|tell)\b.{0,20}\byou\b|\bthis is the (?:owner|boss|admin)|\bcancel all\b
    \b(?:mark|close|delete|set|change) (?:this|the|all|it)\b.{0,20}\b(?:task|done|closed|resolved|records?|reminders?|concern|status)
    \bmark it (?:as )?(?:done|resolved)|\bjailbreak|\bdeveloper mode|\bonly to me\b
    \bwhat your (?:boss|owner) (?:writes|says|told)|\breveal\b|\bmaintenance mode\b
    \b(?:list|print|show|output|dump|repeat|export|display) (?:me )?(?:every|all|your|the|each) (?:\w+ )?(?:persons?|people|config\w*|instructions?|rules|prompt|contacts?|messages?|conversations?|names|settings|memory|data|names)
    \byour owner (?:asked|told|said|wants)\b
    """
)
AWAY = any_of(
    r"""
    (?:都|还|正|人)?在(?:外地|国外|老家|外面出差|医院)|回老家
    (?:^|[,。!\s]|我(?:这周|明天|今天|最近|们|在)?|还|正|都|正在|还在)(?:休(?:年|婚|产|病|事)?假|年假|请假|病假|产假|放假|出差)(?:中|到|至|了|呢|,|。|$)
    不在(?:公司|办公室|岗)|自动回复|(?<![他她])回来(?:后)?再|恢复办公
    \bout of (?:the )?office\b|\bon (?:leave|holiday|vacation|pto|annual leave)\b|\baway (?:until|till|from)
    \bauto(?:matic)?[- ]?reply\b|\bback (?:in the office )?on\b.{0,20}\b(?:limited|email)|\blimited access to email
    """
)
REFUSED = any_of(
    r"""
    \b(?:i|we) don'?t (?:hand|give|share|send|do|sell|lend|sign|take)\b
    不能(?:外发|外传|给|发|提供|透露|说|外借)|保密|涉密|不方便(?:给|发|提供|说|透露)|不允许|不让(?:给|发|外)
    \bconfidential\b|\bnot allowed\b|\bagainst policy\b
    \b(?:not|won'?t|never) (?:going to |gonna )?(?:giv|do|send|shar|pay|sign|writ|tak|work|com|cover|agree|mov|chang|pick|sell|lend)(?:e|ing|ting|ning)?\b
    \bthat'?s a (?:hard )?no\b|\bi'?m afraid (?:not|i|we|that)\b|\bno (?:from|by) (?:me|us)\b
    \bcan'?t (?:this time|make it|do (?:it|that|this)|come|take|help|manage|commit)\b|\bunable to\b|\bprice stands\b
    \bpass on (?:this|that|it)\b|\bcount me out\b
    不(?:归|由|是)(?:我|我们|咱)(?:这边|们)?(?:管|负责|弄|做|的事)?|不(?:关|干)我(?:的)?事
    没(?:有)?办?法(?:给|做|接|帮|借|弄|办|提供|发|来|去)
    我(?:更|真|绝对|肯定|坚决|可|是)*不(?!知|清|确|太|是|好|敢|懂|急|介意|用|需|管了|在)[一-龥]
    我(?:不|又不)(?:负责|管(?!用)|写|干|去|做|弄|借|卖|同意|答应|接|配合)|(?:找|问)错人
    你?(?:去)?(?:找|问)(?:一下)?(?:别人|他|她|其他人)(?:吧|去)?|你们?(?:去)?(?:找|问)[^,。?]{1,6}(?:吧|去|要|$)
    (?:借|代|给|降|做|写|接|帮|搞|干|办|弄|交|去|来|发|安排|提供)不了
    不(?:可能|干|借|写|去|行|接受|同意|答应|卖|给|批|让|考虑|做)(?:的|了|啊|!|,|。|$)|别(?:做梦|想|指望)|没门|没戏
    免谈|另请高明|做不到|办不到|恕难|爱.{1,2}不.{1,2}|谁(?:也|都)不|真不行|不归|没(?:有|这个)?权限
    没法(?:给|做|接|帮|借|弄|办)
    \bnot (?:my (?:job|department|area|call|responsibility|thing|problem)|happening|going to happen|doing (?:it|that|this)|mine to|possible|me\b|gonna happen)
    \bwrong person\b
    \b(?:i|we) (?:won'?t|will not|can'?t|cannot|refuse|don'?t (?:handle|deal|do|own|want to|have (?:the )?(?:time|capacity|access)))\b
    \bask (?:someone else|\w+) (?:instead|about|for)
    \b(?:you(?:'ll| should| need to| want)|better|try|please) (?:to )?(?:ask|talk to|speak to|check with|contact)\b
    \bno way\b|\bforget it\b|\babsolutely not\b|\bnope, (?:not|can't|won't)|\bi'?d rather not|\bno can do
    \bout of the question|\bi'?m not (?:going|doing|the)|\bdecline\b|\bnobody (?:goes|is going)|\bi no longer\b
    \bthat'?s \w+'s (?:job|call|area)|\bhard no\b
    """
)
# It is not theirs: somebody else's, or they have left it.
DISOWNED = any_of(
    r"""
    不(?:归|由|是)(?:我|我们|咱)(?:这边|们|这儿)?(?:管|负责|弄|做|的事|在)?|不(?:关|干)(?:我|我们)(?:的)?事
    我?又不是(?:修|管|做|搞|弄|负责)|(?:找|问)错(?:人|了)|我(?:早就?|上个?月|已经|早)?(?:就)?(?:调走|离职|转岗|不干|不管|不负责)
    现在(?:都)?(?:是|归|由)[^,。]{1,6}(?:在)?(?:弄|管|负责|做|接手|跟|对接|处理)|另请高明|归[一-龥]{1,5}(?=$|[,。管])
    (?:^|我(?:们|这边|这里)?也?)(?:查|看)不到|(?<!我)(?<!我们)(?<!我还)(?:得|要)(?:打|问(?!问|一?下|我)|找|联系)[^,。]{1,8}(?:电话|才知道|$)
    (?:你|您)?(?:直接|去)?(?:问|找)[他她](?:吧|去|就行|要|$|[,。])
    \bnot (?:my (?:job|department|area|call|responsibility|thing)|mine|in charge|me\b|charge of)|\bwrong person\b
    \bwasn'?t me\b|\bnot dealing with\b|\bi (?:left|no longer|don'?t (?:handle|deal|do that|own))
    \bi(?:'m| am) (?:no longer|not (?:in )?(?:charge|responsible))|\bthat'?s \w+'s (?:job|call|area)
    \b(?:moved|handed over|handed|passed|went|belongs) to (?!mon|tue|wed|thu|fri|sat|sun|next|the\b|an?\b|another|\d)\w+|\b(?:he|she|they)'?d know\b
    \b\w+ (?:handles|owns|took over|is in charge of) (?:that|this|it)
    """
)
# Who says "我去问李四" asks him themselves.
_NOT_I = "(?<!我)(?<!我去)(?<!我先)(?<!我再)(?<!我得)(?<!我要)(?<!我想)(?<!我来)"
REDIRECTED = any_of(
    rf"""
    {_NOT_I}(?:找|问)(?:一?下)?(?:[小老阿][一-龥]|[{SURNAMES}](?:[一-龥]{{1,2}}?|总|工|哥|姐|老师|经理|主任))(?:吧|去|要|啊|呀|拿|他|她|$|[\s,。!?])
    (?<!我)(?<!我们)(?<!我还)(?<!我这边)(?:得|要|该|最好)(?:去)?问(?!问|一?[下声]|过|清|我|你|老板|领导|什么|谁)[一-龥]{{2,6}}(?:$|[,。])|\bhear it from\b|\bdon'?t ask me\b
    (?:^|[,。!;\s你得去该直接麻烦个事块]){_NOT_I}(?:找|问)(?:一?下)?(?:[一-龥]{2, 6}的(?=[一-龥]{2}))?(?![一-龥]{{1,4}}[了过])(?!问|找|过|到|清|看|题|候|我|[这那][个些事]?|老板|领导|他要|她要|你|多|什么|谁|厂家|客户|人)[一-龥a-z]{{2,4}}?(?:吧|去|要|啊|呀|拿|$|[\s,。!?])
    (?<!i'll )(?<!we'll )(?<!i will )(?<!i'd )(?<!let me )(?<!i need to )(?<!i have to )(?<!i can )\b(?:ask|try|talk to|speak to|speak with|check with|contact|go to|reach out to) (?!me\b|the boss|him\b|her\b|them\b|again|later|to\b|for\b|nicely|if\b|what|whether|my best|and\b|harder|around)(?:mr|ms|mrs|dr)?\.? ?[a-z]+
    """
)
RESISTANT = any_of(
    r"""
    又(?:想|找|赖|甩)|甩锅
    你[^,。]{0,8}问过了?|(?:早就|都)?(?:跟你)?说过了
    怪我|随便(?:你|他|吧|$)|爱咋|要.就.,|拿(?:嘴|头|命|什么|啥)[^,。]{0,3}|光(?:叫|让|会|知道)|出了?事就
    就(?:知道)?(?:找|盯着|知道问)(?:我|我们)|又(?:要|得|让|叫|改|让我|加)|不就(?:行|好|完|得)了
    一天[^,。]{1,2}[遍次回]|(?:知道了){2}|催命|又是[^,。]{1,6}[,，]?(?:烦|累|来)|又来了|形式主义|你行你
    你来(?:试|检|做|干)|试试看?就知道|就不能(?:让|找|叫)|我一个人(?:带|干|做|管)|心里没数|有什么(?:用|意义)
    没(?:意义|意思)|浪费(?:时间|我)|干啥吃的|咋不|怎么不(?:问|找|去)|谁给我|当我是|有完没|消停
    别(?:再)?(?:催|问|烦|吵|追)|催(?:什么|啥|命|个)|天天(?:问|催)|又(?:问|催|来|是你|要)
    (?:每次|老是|总是|怎么(?:又|老|总))[^,。]{0,6}(?:我|问|催|叫)|凭(?:什么|啥)|关我|烦(?:不烦|死|人)|能不能别|能别
    说了(?:八百|多少|几)?遍|不是说了|没看(?:见|到)|(?:在|正|都)(?:弄|做|忙|搞|改|写)(?:着|了)?[^,。]{0,4}(?:急|催|别)
    急什么|有完没完|(?:我|又不是)[^,。]{0,6}(?:机器|神仙|三头六臂|八只手)|忙(?:死|着|得|不过来|成)|没空|没功夫|没时间
    哪有(?:时间|空|这么)|先让[^,。]{1,12}(?:再|想)|白(?:评|做|写|干|搞)|(?:我|去)抢啊|咋(?:办|不)
    还(?:要|让|想)[^,。]{0,10}[?？]|你(?:猜|们[^,。]{0,8}(?:咋|怎么|凭|是不是|自己))|查我|(?:几百块|几块)钱也
    有(?:必要|意思)吗|几点了|下班(?:时间|了)|(?<!你是)(?<!是个)(?:一个)?机器人(?!\W*[吗么]?\W*$)|让他自己|自己(?:来(?!不来|吗|么)|不会)|(?:可真|真是)(?:行|太|谢谢)
    太感谢了哈|哪有这么|过分|有病|无语|呵呵|为(?:什么|啥)(?:不|总|老|又|偏)|算什么
    \blovely\.|^again\?|\bevery ping\b|\band you want\b|\byou'?ve had\b|\bperhaps read\b|\bhow about you\b
    \bdo i look like\b|\bmust be nice\b|\bwhat do you think i\b|\bgood luck with that\b|\bnot my mess\b
    \b(?:stop|quit) (?:chasing|pushing|nagging|asking|hassling|bugging|pestering)
    \b(?:get|get off) (?:off )?my back\b|\bgive me a break|\bgive it a rest|\balways me\b|\bfunny how\b
    \bnot my (?:mess|fault|problem)\b|\bevery single time\b|\bevery (?:day|hour|five minutes)\b
    \bwith (?:all )?(?:due )?respect\b|\bnobody asked\b
    \bwhy (?:is|are|does|do) every(?:one|body)\b|\bwhy (?:me|can'?t (?:somebody|someone)|is a|a bot|do i|should i|am i|are you|always|does)\b|\ba bot\b
    \bhe has my (?:phone|number)|\bseriously\?|\byou people\b|\boh sure\b|\boh great\b|\breally\?|\bnovels\b
    \bcan'?t do both\b
    \b(?:i'?m|i am|we'?re|we) (?:busy|swamped|slammed|flat out|working on it|on it already|already)\b
    \bi(?:'ve)? (?:already |just )?told you\b|\bi(?:'ve)? (?:already|just) said\b|\bwhat'?s the rush|\bif you(?:'d)? stop(?:ped)?\b|\bas i said\b
    \byou (?:already )?asked (?:me )?(?:that|this)\b|\bonly (?:got )?two hands\b|\bhold your horses|\bback off\b
    \bchill\b|\bpatience\b|\brelax\b|\bi heard you\b|\bfor the (?:third|second|last|\w+th) time\b|\bhow many times\b
    \bask (?:me )?nicely|\bas if\b|\bwhy (?:do we )?(?:even )?bother|\bnobody (?:ever )?reads\b|\bwhat'?s the point\b|\bwaste of (?:my )?time\b
    """
)
VAGUE = any_of(
    r"""
    商量|请示|问(?:一?下|问)[^,。]{0,6}(?:再|$)|等[^,。]{0,10}(?:忙完|回来|定下来|出来)|说不好|一半
    看(?:看|情况|吧|一下)|再(?:说|看|观察|想|议|定|问问|等等)|尽(?:快|量|早)|回头|晚点|过(?:几|两)天|这(?:两|几)天
    (?:快|马上)(?:了|好了|完了)|争取|差不多|大概|可能|也许|应该|估计|说不[准好]|不一定|不好说|不清楚|不知道|不确定
    没定|没数|考虑|想想|研究|琢磨|在(?:弄|做|改|写|搞|路上|催|等|开会|忙|跟|排)|该.{1,4}的时候|有空|有时间
    方便的时候|等(?:等|会|一?下|通知|消息)|一会儿?|稍(?:后|等)|挺多|不少|还行|不错|还可以|挺好|够用|快的|就快
    老样子|方方面面|还没想好|随缘|到时候|到时|慢慢
    \bsoon|\basap\b|\blater\b|\bmaybe\b|\bperhaps\b|\bprobably\b|\bmight\b|\bdepends\b|\bnot sure\b
    \blet me (?:see|check|think|look|have)|\bhave a (?:think|look)
    \bi'?ll (?:see|look|check|think|try|get back|have a)|\bwill (?:see|check|look|try)|\bwe'?ll see\b|\bworking on
    \bin progress\b|\bgetting there\b|\balmost\b|\bnearly\b|\bclose\b|\bsome ?time\b|\bend of \w+-?ish|\bish\b
    \bhopefully\b|\bcould be\b|\bwhen it'?s done\b|\bno idea\b|\bdon'?t know\b|\bno date\b|\bdunno\b|\bhard to say\b
    \btbd\b|\bhaha\b|\bmore or less\b|\bbit\b|\btrying\b|\blet you know\b|\bkeep you posted|\bget back to you
    \bfully booked|\bnot (?:decided|settled|known|fixed|set|final)\b|\bugh\b|\bwaiting\b|\bpending\b|\bhardly\b
    \bbarely\b|\bnot yet\b|\bon it\b|\bwhenever\b|\blooks? (?:good|fine|ok)\b|\bacceptable\b|\bplenty\b|\ba lot\b
    \ba few\b|\benough\b|\bbetter than\b|\bi believe\b|\bwhen i (?:can|get)\b|\bone of these days\b
    \bin a (?:bit|while|minute|sec)|^everything$|\bthe usual\b|\ball sorts\b
    """
)
GIVES = any_of(
    r"""
    给|发|交|传|弄|搞|做|写|寄|送|拿|办|报|拷|导|补|齐|提|还|转|付|汇|买|打过|完|出来|上传
    \b(?:send|e?mail|forward|submit|finish|bring|have it|have (?:the|an?|your) [^,.]{1,30} for you|get it|do it|do on|write|deliver|upload|share|text|post|hand|give|drop|done|ready|in your inbox|you get|you'll get|settle|pay|bank)\b
    """
)
PROMISE = any_of(
    r"""
    (?:好|完|齐|出来|到|有|收到|出)了?(?:就|马上|第一时间|立刻|即刻|再)[^,。?]{0,8}(?:给|发|交|送|告诉|报|传|转)
    第一时间
    (?:我|这就|马上|今天|今晚|明天|后天|下午|晚上|上午|明早|待会|一会|周[一二三四五六日]|\d[点号])[^,。?]{0,14}(?:给|发|交|传|弄|搞|做|写|寄|送|拿|办|报|拷|导|到位|齐|完|好|提|还|转|付|汇|买|打|去|补|修|签)
    保证|一定(?:给|发|交|到|完)|没问题[,，]?.{0,12}(?:给|发|交)|最晚
    \bi(?:'ll| will|'m going to| shall| am going to|'m gonna)\b|\bwe(?:'ll| will)\b
    \bwill (?:do|send|submit|be|have|get|upload|finish|write|bring)\b
    \byou(?:'ll| will)? (?:get|have) (?:it|them|em|that)\b|\bgive me until\b|\bgonna (?:send|do|get|have)\b
    \bpromise\b|\bby (?:mon|tue|wed|thu|fri|sat|sun|tomorrow|tonight|noon|the end|end of|eod|cob)|\bfor sure\b
    \bcount on\b|\bi (?:send|write|bring|finish|submit|do) (?:it|them|you)?\b
    """
)
_LATER = any_of(
    r"""
    明天|后天|今晚|晚上|下午|明早|待会|一会|马上|稍后|稍等|回头|晚点|周[一二三四五六日天]|下周|月底|再|准备|打算
    就去|等
    \b(?:tomorrow|tonight|later|will|'ll|going to|gonna|soon|by|once|when|after|before|next)\b|'ll\b
    """
)
_QUESTION_WORD = (
    r"哪(?!怕|有)[一-龥]|什么|啥|多少|几[个份家人点号]|谁|怎么|咋|是不是|能不能|"
    r"可不可以|要不要|有没有|还是"
)
_ASKING = any_of(
    r"""
    [?？]
    (?:吗|么)\W*$|(?:[行成好中]|可以|方便)不\W*$|(?<!还)[一-龥]了(?:没|没有)$|([一-龥])不\1\W*$
    ^(?:so |and |sorry,? )?(?:(?:are|is|do|does|did|can|could|should|shall|would) (?:we|you|i|it|he|she|they)|(?:which|what|where|who|how) (?:is|are|was|does|do|did|should|many|much|one|\w+ (?:do|does|is|are|should)))\b
    """
)
_SHORT_ASK = lazy(
    rf"^(?:[^,。]{{0,2}}(?:{_QUESTION_WORD})[^,。]{{0,6}}|[^,。]{{0,8}}(?:{_QUESTION_WORD})[^,。]{{0,2}})(?:呢|"
    rf"啊|呀|来着)?\s*$"
)
_NO_ASK = lazy(
    r"(几点?|多少|什么|谁|哪[一-龥]?)[^,。]{0,4}(?:算|就|是)[^,。]{0,2}\1|也|都|看[^,。]{0,8}(?:谁|什么|多少|几|哪|怎么)|随便|不管|无论|得看|要看|没什么|没啥|没谁|没几|不知道|不清楚|商量|还是算|还是(?:很|太|挺|比|有|没|不|偏)|还是[高低贵多少慢差难远忙卡乱坏满便](?:宜|了|点|一?些)?$|还是得|"
    r"还是要|怎么说|不怎么|什么的|写什么|做什么|搞什么|开什么"
)
_RHETORICAL = any_of(
    r"""
    ^(?:什么|啥)[?？]*$|难道|心里没数|形式主义|有什么用|怎么可能|不是[^,。]{1,10}(?:吗|么)[?？]|[我你]猜|(?:我)?能咋办
    咋不|去抢|查我|有病|几点了|有必要|能不能别|凭什么|还要.{1,8}[?？]|为什么(?:不先|总|老)|是不是不看
    \bwriting novels\b|\bwhy (?:a|is|are|do|should|me)\b|\breally\?|\bseriously\?
    """
)
PROPOSAL = any_of(
    r"""
    (?:^|[,。!?;、\s])要不(?!要|然|了|是)|不如|能不能(?:改|换|晚|推|先)
    能(?:换|改|推|晚|先|等|往后|延)[^,。?]{0,12}(?:吗|不|么|嘛)|可不可以(?:改|换|先|晚)|行不行\W*$
    (?:换|改)(?:到|成)?[^,。?]{1,8}(?:行|可以|成|好)(?:吗|不|么|嘛)|(?<!不)建议(?:先|改|用|换|分|延|推|把|还是)
    或者(?:先|我)|先[^,。?]{2,20}[,，][^。?]{0,30}(?:行吗|可以吗|怎么样|如何|成吗)
    \bhow about\b|\bwhat about\b|\bcan we (?:do|move|push|make|instead|use)\b|\bcould we\b
    \bwould .{1,30} (?:work|be ok(?:ay)?|do)\b|\binstead\b.{0,30}\?|\bi(?:'d)? (?:suggest|propose)\b
    \bis it ok(?:ay)? if\b|\bshall we\b|\bhappy to .{1,40} if\b|\bwhat if we\b|\bcan i (?:do|move|send|come|take)\b
    """
)
NEEDS_BOSS = any_of(
    r"""
    听(?:老板|领导)的|(?:老板|他|领导)(?:自己)?(?:来|定|说|决定|拍板|得|先|想|要|那边|自己|吃|点头|批)|得老板
    问(?:问|下|一下)?(?:老板|他)|请示|等老板|让(?:他|老板)
    \b(?:boss|owner|he|she)\b.{0,20}\b(?:decide|decides|want|wants|approve|call|say|ok|prefer|has my|himself)\b
    \bask (?:the boss|him|her)\b|\bup to (?:him|her|you|the boss)\b|\byour call\b|\blet the boss know\b
    """
)


def without_commands(text: str) -> tuple[str, bool]:
    """What is left when the sentences that try to command the bot are taken out, and whether there were any."""
    if not INJECTION.search(fold(text)):
        return text, False
    kept = [s for s in sentences(text) if not INJECTION.search(fold(s))]
    return " ".join(kept).strip(), True


# The very choice that was asked for, put back to whoever asked: "选哪家？", "Which one do you want?"
_CHOICE_BACK = any_of(
    r"""
    (?:^|[,。;!\s])(?:那|所以|请问|老板|领导|你们?|您|咱们?|我们)*(?:想要?|要|选|用|定|挑|看|觉得|倾向|更?喜欢)+(?:要|选|用|定)?(?:哪|谁家)|哪[一-龥]{0,3}(?:好|合适|更好)[呢呀啊]?\W*$
    \bwhich (?:of (?:them|these|those) |\w+ ){0,2}(?:do|would|should|shall|will) (?:you|we|i)\b|\bwhat (?:do|would) you (?:want|prefer|like)\b|\bwhich (?:one )?(?:is it|then)\b
    """
)


def hands_back(text: str) -> bool:
    """A reply that names what there is to choose from and asks which it shall be."""
    return any(_CHOICE_BACK.search(fold(q)) for q in questions_in(text))


def questions_in(text: str) -> list[str]:
    """The sentences that ask something and are not mere rhetoric."""
    return [s for s in sentences(text) if asks(s)]


# A question word that asks nothing: "哪天还没定", "还是30个" (as before).
_NOT_ASKED = lazy(
    r"(?:哪[一-龥]?|几[点号时]|什么时候|多少|谁|怎么)[^,。?]{0,6}(?:还|都|也|暂时|目前)*(?:没|未|不)(?:定|知道|清楚|确定|好说|晓得|说|讲|通知)|(?:^|(?<=[,。;\s]))还是(?=(?:原来|原先|之前|以前|老|上次|那|这|\d|[一二三四五六七八九十两]))"
)


def asks(sentence: str) -> bool:
    """A sentence that wants an answer: not rhetoric, not a complaint."""
    own = _NOT_ASKED.sub(" ", fold(sentence))
    if _RHETORICAL.search(own) or RESISTANT.search(own):
        return False
    if _ASKING.search(own):
        # "再看看？" only sounds like one.
        return bool(re.search(rf"{_QUESTION_WORD}|吗|么|呢|[a-z]|[行成好以便]不\W*$", own)) or not VAGUE.search(own)
    short = [_NOT_ASKED.sub(" ", fold(c)) for c in clauses(sentence)]
    return any(_SHORT_ASK.search(c) and not _NO_ASK.search(c) and not puts_off(c) for c in short)


def promises(own: str) -> bool:
    """A clause that promises; one that tells what was done does not."""
    return bool(PROMISE.search(own)) and not re.search(
        r"了(?:嘛|啊|呀|的|哈)?$|昨|已经|刚|\b(?:already|yesterday|ago)\b", own
    )


def has_later(own: str) -> bool:
    """Speaks of what is still to come."""
    return bool(_LATER.search(own))


def is_pleasantry(own: str) -> bool:
    """A greeting, a wish, thanks."""
    return bool(
        re.search(
            (
                r"^(?:你好|您好|早|晚安|谢谢|多谢|感谢|不客气|辛苦|愿|祝|恭喜|hi\b|hello|hey|hiya|thanks?|thank you|"
                r"good (?:morning|day|evening)|happy (?:new|birthday))"
            ),
            own,
        )
    )


_GREETINGS = any_of(
    r"""
    在吗|在么|在不在|帮个忙|你好|早上好|下午好|晚上好|早安|晚安|早|谢谢|多谢|感谢|辛苦|不客气|哈|嘻|嘿|啊|呀|你|老板|了
    hi|hello|hey|thankyou|thanks?|goodmorning|morning|haha|ha|lol|sentfrommyiphone|sentfrommyandroid
    """
)


_WEATHER = lazy(
    r"(?:今天|今儿|这|外面|最近|早上|早)*(?:天气|雨|太阳|风)(?:真|好|太|挺|可真|下得|下的)*(?:不错|好|棒|大|热|冷|舒服|晒|啊|呀|了)+|(?:今天|外面)?(?:真|好|太)(?:热|冷)(?:啊|了)?"
    r"|(?:what)?(?:a)?(?:lovely|nice|great|awful|terrible)(?:weather|day)(?:today|outside)?"
)


def is_small_talk(text: str) -> bool:
    """Emoji, greetings, advertising: nothing that could be about the matter."""
    own = fold(text)
    plain = squeezed(own)
    if is_empty(text):
        return not re.search(r"\[(?!表情|微笑|捂脸|偷笑|呲牙|玫瑰|sticker|emoji)\w+\]", text)
    return (
        made_of(plain, _GREETINGS)
        or bool(_WEATHER.fullmatch(plain))
        or bool(re.search(r"砍一刀|拼多多|红包|加群|转发有奖", own))
    )
