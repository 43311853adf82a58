"""The goal of a request in a sentence that the verdict can test, by what is wanted and by the verb of contact."""

from __future__ import annotations

import re

from core.brain.rules.owner.asked import Reach
from core.brain.rules.owner.reaching import EN_TIME_WITH, ZH_TIME_WITH
from core.brain.rules.owner.titles import VERB_LED, asks
from core.brain.rules.owner.topic import REACHES, REMARK_FIRST
from core.brain.rules.words.goal import REPORTS, Want, is_paper, wants
from core.brain.rules.words.text import CJK, is_english


def verb_of(found: Reach) -> str:
    """The verb of contact before the first who is reached: it tells asking, telling and having something done apart."""
    before = found.masked.folded[: found.spans[0][1]] if found.spans else ""
    behind = found.masked.folded[found.spans[-1][1] :] if found.spans else ""
    if re.search(r"\b(?:make sure|see to it)\b", before):
        return "have"
    if ZH_TIME_WITH.match(behind) or EN_TIME_WITH.search(found.masked.folded):
        return "约时间"
    ahead = REMARK_FIRST.match(behind.lstrip(" ,，")) if found.spans and REACHES.search(before[:-1]) else None
    if re.match(r"[,，\s]*(?:让|叫|要)[他她]", behind) or (ahead is not None and not asks(ahead["remark"])):
        return "让"
    if re.match(r"\s*(?:please )?to (?!know\b)", behind) and not re.search(
        r"\b(?:remind|talk|speak|say|write)\b", before
    ):
        return "have"
    verbs = re.findall(
        r"通知|告诉|告知|转告|知会|提醒|让|叫|请|催|安排|派|约|找|联系|问|tell|notify|inform|let|have|get|ask|chase|remind",
        before,
    )
    if re.search(r"\bfrom (?:the |both |our )?$", found.masked.folded[: found.spans[0][0]] if found.spans else ""):
        return ""
    told = re.match(r"(?:那边|那儿)?(?:知会|说一?声|打个?招呼)", behind)
    return "告诉" if told else verbs[-1] if verbs else ""


TELLS = ("通知", "告诉", "告知", "转告", "知会", "提醒", "tell", "notify", "inform", "remind")
HAS_DONE = ("让", "叫", "请", "安排", "派", "have", "get")


_HANDS_OVER = re.compile(
    r"(?:今天|明天|后天|马上|尽快|先|再|去)*(?:(?:把|将)[^,，]{1,16}|给[^,，]{1,10}?)(?:付|打|转|交|发|送|寄|汇|退|还|补|结)"
)
_ASKED = re.compile(r"谁|哪|什么|怎么|为何|如何|多少|几|[吗呢么没]$|是否|能不能|有没有")


def goal_for(topic: str, names: list[str], verb: str = "") -> str:
    """A sentence that the verdict can test: what must have come, from whom."""
    want = wants(topic, topic)
    if verb in HAS_DONE and _HANDS_OVER.match(topic) and not _ASKED.search(topic):
        want = frozenset({Want.DEED})  # whatever the nouns in it might be asked for
    asks = want & {Want.TIME, Want.NUMBER, Want.YESNO, Want.INFO}
    # "PPT", "NDA": a word alone is of no language; theirs is that of the names.
    if is_english(topic) and (" " in topic or not any(map(CJK.search, names))):
        return _goal_en(topic, names, want, verb)
    who, each = "、".join(names) or "对方", "各自" if len(names) > 1 else ""
    if verb in HAS_DONE and (how := REPORTS.fullmatch(topic)):
        return f"得到{who}{each}关于「{how['what']}」的答复"
    if verb in TELLS and not asks:
        return f"告知{who}：{topic}，并得到确认"
    if verb == "约时间":
        return f"拿到{who}{each}关于「{topic}」的具体时间"
    if verb == "约":
        return f"得到{who}{each}对「{topic}」的明确答复"
    if verb in HAS_DONE and not asks and not (Want.THING in want and _is_paper(topic)):
        return f"{who}{each}办好：{topic}"
    if Want.TIME in want:
        return f"拿到{who}{each}关于「{topic}」的具体时间"
    if Want.NUMBER in want:
        return f"拿到{who}{each}关于「{topic}」的具体数字"
    if Want.YESNO in want or Want.CONFIRM in want:
        return f"得到{who}{each}对「{topic}」的明确答复"
    if Want.THING in want and not topic.startswith(("断", "停", "处理")):
        return f"拿到{who}{each}的「{topic}」" if len(topic) <= 20 else f"得到{who}{each}关于「{topic}」的答复"
    return f"得到{who}{each}关于「{topic}」的答复"


_LONGEST_PAPER = 20


def _is_paper(topic: str) -> bool:
    """A noun alone, to be handed over: `合同`, not `提交合同`."""
    return len(topic) <= _LONGEST_PAPER and is_paper(topic) and not VERB_LED.match(topic)


def _goal_en(topic: str, names: list[str], want: frozenset[Want], verb: str) -> str:
    who = " and ".join(names) or "them"
    topic = topic.rstrip("?")
    if verb == "约时间":
        return f"A definite date or time from {who}: {topic}"
    if verb in TELLS and not re.match(r"(?:when|what|who|where|why|how|which|whether|if)\b", topic):
        return f"Let {who} know and get it confirmed: {topic}"
    if verb in HAS_DONE and not re.match(r"(?:when|what|who|where|why|how|which|whether|if|the|a|an)\b", topic):
        return f"Done by {who}: {topic}"
    if Want.TIME in want:
        return f"A definite date or time from {who}: {topic}"
    if Want.NUMBER in want:
        return f"The exact number from {who}: {topic}"
    if Want.YESNO in want or Want.CONFIRM in want:
        return f"A clear yes or no from {who}: {topic}"
    return f"An answer from {who}: {topic}"
