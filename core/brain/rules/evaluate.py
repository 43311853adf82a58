"""Can one tendency be done with the abilities at hand? A table: which intent needs which ability, and who fills it in."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from core.brain.questions import Ambiguity, Evaluate, EvaluatorResult, PersonBrief
from core.brain.rules.asked import Reach
from core.brain.rules.goal import Want, wants
from core.brain.rules.intent import STEPS, Intent, intent_of
from core.brain.rules.names import masked
from core.brain.rules.targets import cancel_targets, concerns_meant
from core.brain.rules.text import any_of, fold, is_english, likeness
from core.brain.rules.topic import Topic, topic_of
from core.brain.rules.urgency import deadline_of, priority_of
from core.patterns import lazy

Filler = Callable[[Evaluate, Reach], EvaluatorResult]


def evaluate(q: Evaluate) -> EvaluatorResult:
    """The result for one tendency; a refusal says why."""
    intent, found = intent_of(q.tendency, q.now, q.contacts, q.concerns, q.sender_id)
    if intent is Intent.CHAT and STEPS.search(fold(q.tendency)):
        return _refused("no_ability", "no ability for work of its own yet")
    if intent is Intent.CHAT:
        return _refused("no_action", "nothing is to be done")
    key, fill = ABILITIES[intent]
    if fill is None or key not in {m.key for m in q.available_meta_actions}:
        return _refused("no_ability", f"no ability for this yet: {intent}")
    return fill(q, found)


def _refused(kind: str, reason: str) -> EvaluatorResult:
    return EvaluatorResult.model_validate({"ok": False, "refusal": kind, "reason": reason})


def _one(key: str, parameters: dict[str, Any], **more: Any) -> EvaluatorResult:
    return EvaluatorResult(ok=True, primary_action_chain={1: (key,)}, parameters={key: parameters}, **more)


# --- raise_concern ------------------------------------------------------------------------------------------------

# Money moves, or the text binds the owner towards others (RULES 6).
_MONEY = any_of(
    r"""
    (?:打|付|转|退|汇|支付|结|报销|赔)[^,。?？]{0,8}(?:款|钱|账|费|定金|尾款|[0-9一二三四五六七八九十百千万]+\s*(?:元|块|万))
    (?:款|钱|费|尾款|定金)[^,。?？]{0,4}(?:打|付|转|退|汇|结)(?:给|了|掉)|转账|打款|付款|汇款
    \b(?:pay|wire|transfer|refund|reimburse)\b[^?]{0,40}(?:\d|money|deposit|invoice|bill)
    """,
    re.IGNORECASE,
)
_BINDS = any_of(
    r"""
    (?:说|告诉|答复|回复|通知)[^,。]{0,8}(?:我们?(?:同意|接受|答应)|降价|涨价|底价)|涨\d|涨[一二三四五六七八九十]
    (?:全线|统一|开始)?(?:涨价|降价|调价)
    (?:我们?|咱们?)(?:可以|能|愿意|同意|接受|答应)[^,。]{0,8}(?:降|让|免|赔|付|出|加|退)|签[^,。?？]{0,8}合同(?!了?(?:没|吗|么|[?？]))
    合同[^,。]{0,4}签了(?!没|吗|么|[?？])|辞退|开除|解约
    \bprice (?:change|increase|cut|rise)|\bwe (?:accept|agree)|\bfire (?:him|her|them)\b|\bterminate\b
    """,
    re.IGNORECASE,
)
_ASKS_ONLY = lazy(
    r"什么时候|多少|吗|没有?(?:$|[,，。?？])|[?？]|能不能|哪天|几号|\bwhen\b|\bwhether\b|\bif\b|\bhow much\b|\bdid\b",
    re.IGNORECASE,
)


def _raise(q: Evaluate, found: Reach) -> EvaluatorResult:
    if not found.anybody:
        return _refused("unclear", "it is not clear who is to be asked")
    topic = topic_of(found)
    if not topic.title and (running := _urged(q, found)):
        return _refused("covered", f"already under way: {running}")
    if not topic.title and (same := _same_again(q, found)):
        topic = same
    if not topic.title:
        return _refused("unclear", "it is not clear what is to be asked")
    if (open_one := _covered(q, found, topic.title)) is not None:
        return _refused("covered", f"already under way: {open_one}")
    due = deadline_of(q.tendency, topic.title, q.now) or deadline_of(q.text, topic.title, q.now)
    names = _everybody(q) if found.everyone else [p.name for i in found.ids for p in q.contacts if p.person_id == i]
    parameters: dict[str, Any] = {
        "title": topic.title,
        "goal": goal_for(topic.title, names + found.unknown, verb_of(found)),
        "people": list(found.ids),
        "message": topic.text,
        "priority": priority_of(q.text, due, q.now),
    }
    if due is not None:
        parameters["deadline"] = due.isoformat()
    own = fold(q.tendency)
    risky = bool(
        (_MONEY.search(own) and not _ASKS_ONLY.search(topic.text))
        or (_BINDS.search(own) and not _merely_asks(topic, found))
    )
    ambiguous = tuple(Ambiguity(name=n, candidates=ids) for n, ids in found.ambiguous.items())
    doubt = bool(found.unknown or ambiguous or found.everyone or risky)
    return _one(
        "raise_concern",
        parameters,
        need_confirm=doubt,
        reason=_why(found, risky),
        unknown_people=tuple(found.unknown),
        ambiguous=ambiguous,
    )


def _urged(q: Evaluate, found: Reach) -> str | None:
    """`催一下张三`: the open matter that is asked of them already."""
    there = [c.concern_id for c in q.concerns if found.ids and set(found.ids) <= {p.person_id for p in c.people}]
    return there[0] if len(there) == 1 else None


def _same_again(q: Evaluate, found: Reach) -> Topic | None:
    """`再问问王五`: what is open already, put to one more person, where only one matter is open."""
    again = re.search(r"再|也|还|\b(?:also|too|as well)\b", fold(q.tendency))
    if not again or len(q.concerns) != 1 or not found.ids:
        return None
    return Topic(q.concerns[0].title, q.concerns[0].title)


def _merely_asks(topic: Topic, found: Reach) -> bool:
    """Whether something was done is asked; nobody is told or made to do it."""
    return bool(_ASKS_ONLY.search(topic.text)) and verb_of(found) not in (*_TELLS, *_HAS_DONE)


def _everybody(q: Evaluate) -> list[str]:
    return ["each of them"] if is_english(q.tendency) else ["每个人"]


def _why(found: Reach, risky: bool) -> str:
    if found.unknown:
        return f"nobody is known as {', '.join(found.unknown)}"
    if found.ambiguous:
        return f"several people answer to {', '.join(found.ambiguous)}"
    if found.everyone:
        return "more people would be reached than were named"
    return "moves money or commits the owner" if risky else "a plain request to ask"


def _covered(q: Evaluate, found: Reach, topic: str) -> str | None:
    """The id of an open concern that asks the same of all the same people."""
    for c in q.concerns:
        there = {p.person_id for p in c.people}
        if found.ids and set(found.ids) <= there and likeness(topic, c.title) >= 0.7:
            return c.concern_id
    return None


def verb_of(found: Reach) -> str:
    """The verb of contact before the first who is reached: it tells asking, telling and having something done apart."""
    before = found.masked.folded[: found.spans[0][1]] if found.spans else ""
    behind = found.masked.folded[found.spans[-1][1] :] if found.spans else ""
    if re.match(r"[,，\s]*(?:让|叫|要)[他她]", behind):
        return "让"
    if re.match(r"\s*(?:please )?to (?!know\b)", behind) and not re.search(
        r"\b(?:remind|talk|speak|say|write)\b", before
    ):
        return "have"
    verbs = re.findall(
        r"通知|告诉|告知|转告|知会|提醒|让|叫|请|催|安排|派|约|找|联系|问|tell|notify|inform|let|have|get|ask|chase|remind",
        before,
    )
    told = re.match(r"(?:那边|那儿)?(?:知会|说一?声|打个?招呼)", behind)
    return "告诉" if told else verbs[-1] if verbs else ""


_TELLS = ("通知", "告诉", "告知", "转告", "知会", "提醒", "tell", "notify", "inform", "remind")
_HAS_DONE = ("让", "叫", "请", "安排", "派", "have", "get")


def goal_for(topic: str, names: list[str], verb: str = "") -> str:
    """A sentence that the verdict can test: what must have come, from whom."""
    want = wants(topic, topic)
    asks = want & {Want.TIME, Want.NUMBER, Want.YESNO, Want.INFO}
    if is_english(topic):
        return _goal_en(topic, names, want, verb)
    who, each = "、".join(names) or "对方", "各自" if len(names) > 1 else ""
    if verb in _TELLS and not asks:
        return f"告知{who}：{topic}，并得到确认"
    if verb == "约":
        return f"得到{who}{each}对「{topic}」的明确答复"
    if verb in _HAS_DONE and not asks and not _is_paper(topic):
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


def _is_paper(topic: str) -> bool:
    """A noun alone, to be handed over: `合同`, not `提交合同`."""
    return len(topic) <= 4 and Want.THING in wants(topic, topic) and not re.match(r"[把发交提写改]", topic)


def _goal_en(topic: str, names: list[str], want: frozenset[Want], verb: str) -> str:
    who = " and ".join(names) or "them"
    topic = topic.rstrip("?")
    if verb in _TELLS and not re.match(r"(?:when|what|who|where|why|how|which|whether|if)\b", topic):
        return f"Let {who} know and get it confirmed: {topic}"
    if verb in _HAS_DONE and not re.match(r"(?:when|what|who|where|why|how|which|whether|if|the|a|an)\b", topic):
        return f"Done by {who}: {topic}"
    if Want.TIME in want:
        return f"A definite date or time from {who}: {topic}"
    if Want.NUMBER in want:
        return f"The exact number from {who}: {topic}"
    if Want.YESNO in want or Want.CONFIRM in want:
        return f"A clear yes or no from {who}: {topic}"
    return f"An answer from {who}: {topic}"


# --- the others ---------------------------------------------------------------------------------------------------


def _cancel(q: Evaluate, found: Reach) -> EvaluatorResult:
    if not q.concerns:
        return _refused("no_action", "nothing is open that could be cancelled")
    targets, unclear = cancel_targets(q.tendency, q.concerns)
    if unclear:
        return _refused("unclear", "several matters are open and none is named")
    return _one("cancel_concern", {"concern_ids": list(targets)}, reason="calls something off")


def _check(q: Evaluate, found: Reach) -> EvaluatorResult:
    parameters: dict[str, Any] = {}
    named = [m for m in masked(q.tendency, _known(q)).found if len(m.ids) == 1]
    if named:
        parameters["person"] = named[0].ids[0]
    if q.concerns and (meant := concerns_meant(q.tendency, q.concerns)) and len(meant) < len(q.concerns):
        parameters["concern_ids"] = list(meant)
    return _one("check_concerns", parameters, reason="asks where things stand")


def _known(q: Evaluate) -> tuple[PersonBrief, ...]:
    return tuple({p.person_id: p for p in (*q.contacts, *(x for c in q.concerns for x in c.people))}.values())


ABILITIES: dict[Intent, tuple[str, Filler | None]] = {
    Intent.DELEGATE: ("raise_concern", _raise),
    Intent.CANCEL: ("cancel_concern", _cancel),
    Intent.STATUS: ("check_concerns", _check),
    Intent.AMEND: ("raise_concern", _raise),
    Intent.REMIND: ("remind", None),
    Intent.SCHEDULE: ("schedule", None),
    Intent.EXPECT: ("expect", None),
}
"""Intent → the key it needs, and what fills in its parameters. A new ability is one line here and one function."""
