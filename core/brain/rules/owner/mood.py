"""Whether a contact is ordered, or only spoken of: weighed, told, supposed, or the matter of a text.

An order stands at the head of its clause, behind a time, a condition or a polite frame. Where somebody else is its
subject ("Leila told Jack"), where it is supposed ("if I asked Leila"), judged ("is it rude to ask Mei"), compared ("ask
Nina or Ben?") or a text is made of it ("a message that asks Leila"), nobody is to be contacted.
"""

from __future__ import annotations

from core.brain.rules.owner.asked import Reach
from core.brain.rules.words.names import PERSON
from core.brain.rules.words.text import any_of
from core.patterns import lazy

_BOUNDARY = lazy(r"[,，。;；:：!！?？\n]|\.(?=\s|$)|\s[-–—]\s")

_VERB_ZH = (
    "(?:问|找|催|联系|通知|告诉|转告|提醒|让|叫|请|派|安排|约|跟|和|劝|求|开除|换)(?:一?[下声]|问)?(?:那个|我们的?)?"
)
_VERB_EN = (
    r"(?:ask|tell|let|get|have|call|text|email|message|ping|chase|remind|invite|warn|inform|notify|contact|send|write to"
    r"|talk to|speak (?:to|with)|check with|thank|make|put)"
)
_DID_EN = (
    r"(?:asked|asks|asking|told|tells|telling|letting|lets|got|getting|had|having|called|calling|texted|texting|emailed"
    r"|messaged|pinged|chased|reminded|reminding|invited|warned|informed|notified|contacted|sent|talked to|spoke (?:to|with))"
)
_JUDGED_EN = (
    r"(?:rude|polite|wise|unwise|ok|okay|fine|normal|weird|odd|fair|unfair|worth|legal|illegal|smart|silly|stupid|sensible|safe"
    r"|right|wrong|better|best|good|bad|great|terrible|too \w+|appropriate|allowed|reasonable|enough|a mistake|time)"
)

# The bot's own view is asked for: what it is asked about is not yet wanted. Before whoever is named, or at the end.
_VIEW = any_of(
    rf"""
    (?:^|[,，。;；!！?？\s])(?:那|所以|诶|哎|清海)*(?:依)?你(?:觉得|认为|感觉|说(?=要|是不|让|派|该|会|到底|我|{PERSON})|看(?=要|让|派|叫|找|请|是|行|该|{PERSON}))
    (?:^|[,，。;；!！?？\s])(?:我们?|咱们?)?(?:要不要|该不该|应不应该|用不用|需不需要|有没有必要|值不值得)
    \b(?:do|would|don'?t|wouldn'?t) you (?:think|reckon|say|agree|suggest|recommend)\b|\bwhat do you (?:think|make|say)\b|\byour (?:view|opinion|take|advice)\b
    \b(?:should|shall) (?:i|we)\b(?! (?:get|have) you)
    """
)
_VIEW_BEHIND = any_of(
    r"""
    你(?:怎么看|觉得呢|觉得(?:怎么样|如何|咋样)|有什么(?:看法|意见|建议)|意见呢)
    \bwhat do you (?:think|say)\b|\bgood idea\W*$
    """
)
# Behind a view that is asked for, an order has to say that it is one.
_AND_YET = any_of(
    r"""
    [,，。;；!！?？\s](?:那|就|还是|顺便)*(?:你(?:就|先|再)?(?:帮我|替我|去)|帮我|替我|麻烦你?)(?:去|再|先)?(?:问|找|催|联系|通知|告诉|转告|提醒|让|叫|跟|和)
    [。!！?？\n](?:哦|噢|对了|还有|另外|顺便|那|就|你|再|[,，\s])*(?:帮我|麻烦|替我|去)?(?:问|找|催|联系|通知|告诉|转告|提醒)(?!题)
    [,.;!?] *(?:(?:so|then|please|and|ok|anyway) )*(?:can|could|would|will) you|[.;!?] *(?:(?:so|then|please|ok|anyway),? )*(?:ask|tell|remind|chase|find out|check with|let|have|get)\b
    """
)

_SPOKEN_OF_ZH = any_of(
    rf"""
    (?:不想|不愿意?|不敢|懒得|没打算|不打算|没必要|犯不着|不好意思|舍不得|不方便)(?:再|去|直接|现在)*{_VERB_ZH}{PERSON}
    (?:本来|原本|原来|之前|刚才)(?:我|我们|还|是|就|也)*(?:想|打算|准备|要)(?:再|去|先)*{_VERB_ZH}{PERSON}
    (?:谁|哪个)(?:让|叫|允许|准)你(?:去)?{_VERB_ZH}{PERSON}|你(?:怎么|干嘛|为什么|为啥|干什么)(?:又|还|老|总|就|会)*(?:去)?{_VERB_ZH}{PERSON}
    (?:还好|幸好|幸亏|好在|多亏|可惜|后悔|早知道)[^,，。]{{0,6}}{_VERB_ZH}{PERSON}|(?:为什么|为啥|怎么|干嘛)(?:还|又|就|也)*没(?:有)?{_VERB_ZH}{PERSON}
    我(?:们)?(?:打算|准备|计划|想着|在想|考虑)[^,，。]{{0,8}}{_VERB_ZH}{PERSON}|我(?:们)?(?:改天|哪天|回头|下次|有空)(?:再)?(?:请|约|找|叫){PERSON}(?:吃|喝|聊|坐|玩|聚)
    已经?{_VERB_ZH}{PERSON}
    (?:让|叫|被){PERSON}(?:知道|看到|听到|发现)(?:了)?(?:就|会|可|又|肯定)
    (?:如果|要是|假如|万一|假设|若是|就算|哪怕)(?:我们?|咱们?)?(?:真|去|就|现在|直接)*{_VERB_ZH}{PERSON}
    (?:怎么|如何|怎样|咋)(?:样)?(?:才能|才好|去|来|开口)*{_VERB_ZH}{PERSON}
    (?:写|拟|起草|编|措辞|草拟)(?:一?下|出|好)?[一两几]?[段条封份个句篇则][^,，。]{{0,30}}(?:的)?(?:话术?|短信|微信|消息|邮件|信|通知|文案|稿子?|说法|回复|公告)
    我(?:们|还是|想|要|得|打算|准备|本来|先|再|会|去|来|待会儿?|回头|等下|晚点|明天|今天|今晚|下午)*(?:自己|亲自|本人)(?:先|再|去|来|会)*{_VERB_ZH}{PERSON}
    {_VERB_ZH}{PERSON}[^,，。?？{PERSON[1:-1]}]{{0,5}}还是(?:去)?(?:{_VERB_ZH})?{PERSON}
    (?:让|派|叫|找|请|问|安排|换)(?:一?下)?{PERSON}(?:去|来|做|干|谈|管|负责|当|带|帮忙|问|跟)*[^,，。?？问]{{0,6}}?(?:合适|妥当?|靠谱|恰当|划算|明智|够格|胜任|稳妥|行得通)(?:吗|么|不|没|呢|一?点)?(?=[?？,，。]|$)
    ^(?:{PERSON}|他们?|她们?)(?:那边|刚|刚才|今天|昨天|昨晚|上午|下午|后来|居然|也|都|又)*(?:说|讲|表示|觉得|认为|想|打算|准备|已经|决定|正在|总是?|老是?|会不会)[^,，。]{{0,12}}{_VERB_ZH}{PERSON}
    ^(?!我|你|请|麻烦|帮|去|就|先|再|把|给|让|叫)[^,，。{PERSON[1:-1]}]{{0,6}}(?:正?在|一直在|刚刚?|已经|经常|老是?)(?:问|找|催|叫|让|约|联系){PERSON}
    ^{PERSON}(?:那边|他|她|也|都|又|还|刚|刚才|[今昨]天|最近)*(?:正?在|一直在|是在|是不是在?|有没有在?|为什么|为啥|干嘛|怎么|几时|什么时候|啥时候)(?:又|还|老|总|会|要)*(?:问|找|催|叫|让|约|联系|通知|告诉|提醒)(?:过|了|的)?{PERSON}
    (?:问|找|催|联系)(?:过|了){PERSON}(?:什么|啥|几次|没|哪些)
    ^(?:听说|据说|好像|原来|可能|估计|难怪)[^,，。]{{0,12}}{_VERB_ZH}{PERSON}
    """
)
# Subjects that make what follows their doing, with whatever stands between them and the verb.
_AUX_EN = (
    r"(?:(?:was|were|am|are|is|have|has|had|will|would|can|could|should|may|might|must|shall|ought to|going to|gonna|about to"
    r"|already|just|always|usually|only|rather|never|finally|really|also|then|later|still|probably|maybe|even|did|didn't|don't|won't"
    r"|can't|supposed to|meant to|planning to|thinking of|thinking about|wanted to|tried to|forgot to|better|quickly|once|not)\s+)*"
)
_SPOKEN_OF_EN = any_of(
    rf"""
    \b(?:somebody|someone|anybody|anyone) (?:ought to|should|has to|must|could|needs to) {_VERB_EN}\b[^,.;!?]{{0,12}}{PERSON}|\b(?:afraid|scared|reluctant|too shy|ashamed|hesitant) to {_VERB_EN}\b[^,.;!?]{{0,12}}{PERSON}
    \bi(?:'d| would) (?:love|like|hate|prefer) to have {PERSON} (?:on|in|at|with|around|join)\b
    \b(?:what if|suppose|supposing|imagine|in case)\b[^,.;!?]*{PERSON}|\bif (?:i|we|somebody|someone)\b[^,.;!?]{{0,30}}\b(?:{_VERB_EN}|{_DID_EN})\b[^,.;!?]{{0,12}}{PERSON}
    ^\s*(?:(?:so|and|but|hey|ok|well) )*(?:how(?! about you)|why(?! don'?t you| not)|what|when|who|where|which)\b(?![^,.;!?]*\b(?:can|could|will) you )[^,.;!?]*\b{_VERB_EN}\b[^,.;!?]{{0,12}}{PERSON}
    ^\s*(?:(?:so|and|but|hey|ok) )*(?:is|are|was|were|am|did|does|do|has|had)\s+(?!you\b|{PERSON}\s*:)[^,.;!?{PERSON[1:-1]}]{{1,24}}?\b(?:{_VERB_EN}|{_DID_EN}|asking)\b[^,.;!?]{{0,12}}{PERSON}
    ^\s*(?:(?:so|and|but|hey|ok) )*(?:(?:is|are|was|were|has|have|had)(?:n't)? {PERSON}(?:,? (?:and )?{PERSON})*(?: (?:been|ever|just|already|still|again|also))*\s+(?:[a-z]+ing|{_DID_EN})|(?:did|does|do)(?:n't)? {PERSON}(?:,? (?:and )?{PERSON})*\s+(?:ever |really )?{_VERB_EN})\b[^,.;!?]{{0,12}}{PERSON}
    \b(?:is|was|are|were|be|isn't|wouldn't|might be|sounds?|seems?|feels?)\b(?: it| that| this| there)?(?: be)?(?: \w+)?(?: an?)?(?: \w+)? {_JUDGED_EN}(?: idea| thing| time| plan)?(?: for \w+)? (?:to|if|that)\b[^,.;!?]{{0,30}}{PERSON}
    \b(?<!can )(?<!could )(?<!may )(?:i|who|we(?! (?:should|could|can|must|might|need|have to)))(?:'ve|'d|'ll|'m|'re)?\s+{_AUX_EN}(?:{_VERB_EN}|{_DID_EN})\b[^,.;!?]{{0,12}}{PERSON}
    \b(?:he|she|they|it|somebody|someone|nobody|everybody|everyone|{PERSON})(?:'s|'ve|'d|'ll|'re)?\s+(?:(?:has|had|is|was|were|will|would|can|could|should|may|might|must|finally|already|just|never|always|even|later|then|also)\s+)*{_DID_EN}\b[^,.;!?]{{0,12}}{PERSON}
    \b(?:he|she|they|{PERSON})(?:'d|'ll)?\s+(?:(?:will|would|can|could|should|may|might|must|going to|did(?:n't)?)\s+)+(?:\w+ )?{_VERB_EN}\b[^,.;!?]{{0,12}}{PERSON}
    \b(?:that|which) (?:asks|tells|lets|gets|reminds|invites|thanks|warns|informs)\b[^,.;!?]{{0,12}}{PERSON}
    \b(?:write|draft|compose|word|phrase)\b(?: me| us| up)*(?: an?| some| the| this)\b[^.;!?]*{PERSON}
    \b(?:help me|let me|let'?s) (?:think|write|phrase|word|figure|decide|find a)\b[^.;!?]*{PERSON}
    \b(?:wants?|wanted|told|asked|needs?|begged|reminded) (?:me|us) to\b[^,.;!?]*{PERSON}
    """
)


def is_spoken_of(found: Reach) -> bool:
    """Whether whoever would be reached is only spoken of: no clause that names one of them orders a contact."""
    folded = found.masked.folded
    if not found.spans:
        return False
    view = _VIEW.search(folded, 0, found.spans[0][0]) or _VIEW_BEHIND.search(folded)
    if view and not _AND_YET.search(folded, view.start()):
        return True
    talk: dict[int, list[tuple[int, int]]] = {}
    for start, end in found.spans:
        head = _head(folded, start)
        if head not in talk:
            talk[head] = _talk(folded, head, end)
        if not any(a <= start < b for a, b in talk[head]):
            return False
    return True


def _talk(folded: str, head: int, end: int) -> list[tuple[int, int]]:
    """Where, in the clause that begins at `head` and goes beyond `end`, it is only spoken of a contact."""
    tail = _BOUNDARY.search(folded, end)
    clause = folded[head : tail.start() if tail else len(folded)]
    first = head + len(clause) - len(clause.lstrip())
    hits = (hit for pattern in (_SPOKEN_OF_ZH, _SPOKEN_OF_EN) for hit in pattern.finditer(clause.strip()))
    return [(first + hit.start(), first + hit.end()) for hit in hits]


def _head(folded: str, position: int) -> int:
    """Where the clause begins in which this position lies."""
    return max((m.end() for m in _BOUNDARY.finditer(folded, 0, position)), default=0)


# Wished, but not in so many words ordered: it may be thinking aloud.
_WISHED = lazy(
    r"\b(?:i|we)(?:'d| would| should| could| might| may| must| ought to|'ll have to| have to| need to| want to| wanted to)"
    r"(?: really| also| probably| just)*(?: like to| love to| have to| want to)? "
    rf"(?!know|hear|have){_VERB_EN}\b[^,.;!?]{{0,12}}{PERSON}"
    rf"|\b(?:maybe|perhaps|(?:can|could|may) (?:i|we)) (?:just )?{_VERB_EN}\b[^,.;!?]{{0,12}}{PERSON}",
)


def is_wished(found: Reach) -> bool:
    """Whether it is not clear that it is an order: then a yes is wanted first."""
    return bool(_WISHED.search(found.masked.folded))
