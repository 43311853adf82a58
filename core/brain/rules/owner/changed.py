"""Whether something open is changed or called off, by the words of the message alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.brain.questions import ConcernBrief
from core.brain.rules.owner.asked import Reach
from core.brain.rules.owner.reaching import RATHER, RATHER_EN
from core.brain.rules.owner.wishes import AMEND, BY_WHEN, CANCEL, HINT
from core.brain.rules.words.names import PERSON
from core.brain.rules.words.text import any_of, shared
from core.patterns import lazy

_ORDER_FIRST = lazy(
    r"(?:帮我|替我|麻烦|你)(?:去|再)?(?:问|找|跟|催|约)|知会|通知|转告|(?:^|[,。])告诉|\b(?:tell|ask|let \w+ know)\b"
)


def is_cancel(own: str, found: Reach) -> bool:
    """Something under way is to stop. Not where an order comes first: then the word belongs to what is ordered."""
    hit = CANCEL.search(own)
    if hit is None:
        return False
    if _THAT_ONE_STOPS.search(own):
        return True
    if _ORDER_FIRST.search(own[: hit.start()]):
        return False
    if not found.ids or found.weak:
        return not found.unknown or not re.match(r"(?:帮我|麻烦)?问", own)
    turn = re.search(r"算了|不对|actually|scratch that", own)
    if turn and any(start >= turn.end() for start, _ in found.spans):
        return False
    return False


_THAT_ONE_STOPS = lazy(
    r"^(?:帮我|麻烦|请|你)?(?:取消|撤销|停掉|删掉)(?!了)|[那这](?:个|件)?(?:事儿?)?[^,。]{0,4}(?:先停|取消|免了|撤|算了|作罢|不用(?:再)?[问催管跟了]|别(?:再)?[问催管跟])|一件都别|"
    r"全撤|都(?:别|不用)(?:再)?[问催管]|全部?(?:取消|停)"
)
_REPLACED = lazy(r"换[^,。]{1,6}(?:问|去|来|找)|换[一-龥]{2,4}$|改(?:问|找)|\binstead\b")


# "跟张三说不急": how soon, of what is asked of them already.
_NO_HURRY = lazy(
    rf"^(?:跟|和|告诉|通知){PERSON}(?:说|讲)?(?:一?声)?[,\s]*[^,，。]{{0,8}}?(?:不(?:着|用|太)?急|慢慢来|尽快|快一?点|抓紧|加急)[^,，。]{{0,4}}(?:[,，][^,，。]{{1,8}})?$"
    rf"|^(?:please )?(?:tell|let) {PERSON} (?:know )?(?:that )?(?:there'?s |it'?s )?(?:no (?:rush|hurry|stress)|not urgent|urgent)\b"
)
_ASKS_HIM_TOO = lazy(r"^(?:补充|另外|顺便|对了|再|还有|哦对)[^。]{0,8}(?:问|跟)(?:一下)?(?:他|她|他们)")


_TELL_HIM = lazy(r"(?:跟|告诉|提醒|让)(?:他|她)们?|\b(?:tell|ask|remind) (?:him|her|them)\b")


def is_amend(own: str, concerns: Sequence[ConcernBrief], found: Reach) -> bool:
    """Adds to or corrects something open: a word of change, and a word that one of them has too."""
    if _TELL_HIM.search(own) and not found.ids and any(shared(own, c.title) for c in concerns):
        return True
    if _NO_HURRY.search(found.masked.folded) or _AND_THEM.match(found.masked.folded):
        return True
    if (_SOMEBODY_ELSE.fullmatch(found.masked.folded.strip()) or _SOONER.fullmatch(own.strip())) and any(
        c.kind == "delegation" for c in concerns
    ):
        return True
    swapped = bool(
        found.barred & {p.person_id for c in concerns for p in c.people} and found.anybody and not found.weak
    )
    if not (swapped or AMEND.search(own)) or (CANCEL.search(own) and not swapped and not _REPLACED.search(own)):
        return False
    if HINT.match(own) and found.anybody and not found.weak and not _is_of_theirs(own, concerns, found):
        return False
    if _ASKS_HIM_TOO.search(own) and not found.ids:
        return True
    related = any(shared(own, f"{c.title} {c.goal}") for c in concerns) or _of_theirs(found, concerns)
    if related or len(own) > 40 or re.match(r"(?:帮我|麻烦)", own):
        return related
    if _GUESSES.search(own) and all(c.kind != "delegation" for c in concerns):
        return False
    return len(concerns) == 1 or bool(_CHANGE_ALONE.match(own) and not _WONDERS.search(own))


# Says by itself that something open is to be otherwise; which of several it is, is to be asked.
_CHANGE_ALONE = any_of(
    r"""
    ^(?:那|就|再|请|还是|把它|,|\s)*(?:改(?:成|到|为|在|由|问|找)|换(?:成|到|上|去)|(?:推迟|延后|延期|延|提前|顺延|挪|往[前后](?:推|挪|延)?)(?:到|[\d一两二三半])|(?:再|还要)?加上[^,，。]{1,6}(?:[,，。\s]*(?:也|一起|一块儿?|顺便|同样|都|去|帮我)*问(?:一?下|问|一?声)?(?:他|她)?们?(?:一?下)?(?:吧|啊|哦)?)?$|补充(?:一[下点句])?[,\s])
    ^(?:please |can you |could you |ok,? |actually,? |and )*(?:(?:change|make|move|push|switch|bring|postpone) (?:it|that)\b|add \w+(?:,? (?:and )?\w+)?(?: too| as well| please)*\W*$|correction\b)
    """
)
_WONDERS = lazy(r"[?？]|什么|哪|怎么|合适|行不行|好不好|[吗呢]\W*$|都知道|\b(?:what|when|which|how)\b")
# What may be is news, no order to change what is kept for later.
_GUESSES = lazy(
    r"可能|好像|估计|大概|也许|恐怕|听说|据说|\b(?:might|may|maybe|perhaps|probably|seems?|i hear|i think)\b"
)
_OF_THE_MATTER = lazy(
    r"(?:那边|那个|那件|说|讲|一?[下声]|他们?|她们?|把|,|，|\s)*(?:时间|期限|日期|截止|这事|这件事|那事)?(?:改|换|提前|推)"
)


def _of_theirs(found: Reach, concerns: Sequence[ConcernBrief]) -> bool:
    """`张三那个`, `李四的都`: what is open with them, called by whom it is asked of."""
    asked = {p.person_id for c in concerns for p in c.people}
    marks = [m[0] for m in _THEIRS.finditer(found.masked.folded)]
    return bool(marks) and all(set(found.masked.mention(m[0]).ids) & asked for m in marks)


_THEIRS = lazy(rf"{PERSON}(?:那边的?|那个|那件|的(?=都|那|改|事(?!先说)|$|[,，]))")

# "还有李四", "and Lisa too": one more for what was asked just now.
_AND_THEM = lazy(
    rf"(?:还有|再有|另外还有|and|also|plus|oh and|[,，\s])+(?:the )?{PERSON}(?:\s*(?:、|和|跟|and|,)\s*{PERSON})*(?:那边|也|呢|吧|问|一起|一下|too|as well|please|[\s,.!。！])*$"
    rf"|{PERSON}(?:,? (?:and )?{PERSON})*,? (?:too|as well)(?:,? please)?\W*$"
)


# "改问李四", "ask Tom instead": nothing of their own to ask.
_SOMEBODY_ELSE = lazy(
    rf"(?:{RATHER}){PERSON}(?:来|吧|\W)*|(?:{RATHER_EN}) {PERSON}\W*"
    rf"|(?:那|就|要不|还是|请|麻烦|帮我|,|\s)*(?:改|换)(?:成|由|为|去)?(?:问|找|让|叫|催)?(?:一?下)?{PERSON}(?:来|去|问|吧|好了|试试|\W)*"
    rf"|(?:(?:ok|please|actually|can you|could you|let's|then|no|so)[, ]+)*(?:ask|try|switch to|make it) {PERSON}(?: instead| then| please|\W)*instead(?: please|\W)*"
)


# "今天下班前要": of what is asked already.
_SOONER = lazy(rf"(?:那|就|对了|[,，\s])*(?!.*[前]$){BY_WHEN}[。.!！]*")


def _is_of_theirs(own: str, concerns: Sequence[ConcernBrief], found: Reach) -> bool:
    """An order that begins with whom to reach changes a matter where it swaps people, or is to those who are asked."""
    if _REPLACED.search(own) or re.search(r"别(?:再)?(?:找|问)|少|\binstead\b", own):
        return True
    asked = {p.person_id for c in concerns for p in c.people}
    if found.unknown or not set(found.ids) <= asked or not re.search(r"换|改", own):
        return False
    # To those who are asked something else may be said too: then it has words that the matter has not.
    said = found.masked.folded[found.spans[-1][1] :]
    return bool(_OF_THE_MATTER.match(said)) or any(shared(said, c.title) for c in concerns)
