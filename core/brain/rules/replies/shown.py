"""Does an event outside show that the goal is met? Strict: a matter that is closed wrongly is worse than one more look.

It must have come to an end (merged, passed, closed), be about what the matter is about, and be of the kind that shows
what is wanted: a merge shows a hand-over to testing, not a release. Where the goal only asks something (when, whether)
the event must say itself that the very thing is done.
"""

from __future__ import annotations

import re

from core.brain.questions import Assess, Assessment
from core.brain.rules.replies.scene import in_english
from core.brain.rules.words import phrases
from core.brain.rules.words.goal import Want, core_of, wants
from core.brain.rules.words.signs import HEDGE, NOT_DONE, is_done
from core.brain.rules.words.text import any_of, fold, grams, stands_in
from core.facts import Event
from core.patterns import lazy

_COMPLETES = lazy(
    r"合并|已(?!建|开|创)|完成|通过|成功|入库|到货|送达|签收|(?:上线|提测|发布|部署)了"
    r"|\b(?:merged|closed|passed|released|deployed|delivered|arrived|finished|done|fixed)\b|\bsuccess"
)
_UNFINISHED = lazy(
    r"失败|报错|回滚|取消|撤回|冲突|未|没|不(?!错)|尚|开始|正在|进行中|新建|打开|创建|待|草稿|部分"
    r"|\b(?:fail\w*|error\w*|cancel\w*|revert\w*|rolled back|conflict\w*|not|n't|start(?:s|ed|ing)?|running|pending|opened"
    r"|in progress|ongoing|draft|wip|partly|partially)\b"
)

# What is wanted, by its verb, and the kinds of things whose good end shows it.
_HANDED_OVER = any_of(
    r"""
    提测|转测|送测|交测|(?:交|提|转|送|交付)给?测试
    \bhand\w* .{0,40}\bto (?:test|qa)|\b(?:goes|go|going|went|moved?|put|get) (?:in)?to (?:test|qa)|\bin test(?:ing)?\b
    """
)
_MERGED = any_of(r"合并|合入|合进|合代码|\bmerg\w+|\bpull request|\bmr\b|\bpr\b")
_FIXED = any_of(r"修复|修好|修掉|修一?下|改好|改掉|解决|缺陷|\bbug|\bfix\w*|\bresolv\w+")
_BUILT = any_of(r"构建|编译|流水线|跑通|单测|\bbuil[dt]\w*|\bpipeline|\bci\b")
_SHIPPED = any_of(r"上线|发布|发版|部署|\breleas\w+|\bdeploy\w*|\bship\w*|\bgo(?:es)? live|\bpublish\w*")
_DEEDS = (_HANDED_OVER, _MERGED, _FIXED, _BUILT, _SHIPPED)
_SHOWN_BY: dict[str, tuple[re.Pattern[str], ...]] = {
    "merge_request": (_HANDED_OVER, _MERGED, _FIXED),
    "pull_request": (_HANDED_OVER, _MERGED, _FIXED),
    "issue": (_FIXED,),
    "pipeline": (_BUILT, _SHIPPED),
    "release": (_SHIPPED,),
    "deployment": (_SHIPPED,),
    "push": (),
}
"""Of a kind that is not here anything may be shown, by its words alone."""
_REQUESTS = ("merge_request", "pull_request")
_TO_TEST = lazy(r"test|qa|staging|release|提测")
# What the deed is called says nothing of which thing it is.
_VERBS = any_of(
    r"""
    提测|转测|送测|交测|(?:交|提|转|送|交付)给?测试|合并|合入|合进|修复|修好|修掉|改好|改掉|解决|构建|编译|跑通|上线|发布|发版|部署
    \b(?:hand\w*|over|test\w*|qa|go(?:es|ing)?|went|merg\w+|fix\w*|resolv\w+|buil[dt]\w*|releas\w+|deploy\w*|ship\w*|publish\w*|live)\b
    """
)
_OF_GIT = frozenset("merge branch into from feature fix request pull release 合并 分支".split())
_NAMES_PARTS = lazy(r"[、，,;；]|和|以及|\band\b")


def evidence_turn(q: Assess) -> Assessment:
    """Met where one of the events shows it; else only kept."""
    shown = next((e for e in q.evidence if shows_goal(e, q.title, q.goal)), None)
    if shown is None:
        return Assessment()
    return Assessment(goal_met=True, summary=_said(shown, q.initiator_language))


def shows_goal(event: Event, title: str, goal: str) -> bool:
    """Whether this event alone shows the goal to be met."""
    wanted = f"{core_of(title)} {core_of(goal)}"
    deeds = [deed for deed in _DEEDS if deed.search(fold(wanted))]
    if not _has_ended(event) or not _is_about(event, wanted):
        return False
    fitting = [deed for deed in deeds if deed in _SHOWN_BY.get(event.kind, _DEEDS)]
    says_so = any(deed.search(fold(event.subject)) for deed in fitting)
    match wants(goal):
        case w if w <= {Want.DEED, Want.THING}:
            return says_so or (not deeds and _is_told(event)) or _is_the_whole_of_it(event, wanted, fitting)
        case w if w <= {Want.TIME, Want.YESNO}:
            return says_so
        case _:
            return False


def _has_ended(event: Event) -> bool:
    if event.came_to is not None:
        return event.came_to == "done"
    own = fold(event.subject)
    if _UNFINISHED.search(own) or HEDGE.search(own) or NOT_DONE.search(own):
        return False
    return event.kind in _REQUESTS or _is_told(event)


def _is_told(event: Event) -> bool:
    """Its own words say that something is done."""
    own = fold(event.subject)
    return bool(_COMPLETES.search(own)) or is_done(own)


def _is_about(event: Event, wanted: str) -> bool:
    """All figures and versions of the matter, and most of its words but for the deed; of several parts each."""
    if _is_its_branch(event, wanted):
        return True
    said = grams(f"{event.subject} {event.branch} {event.project}")
    parts = [topic for part in _NAMES_PARTS.split(wanted) if (topic := _topic(part))]
    if not parts:
        return bool(grams(wanted) & said)
    return all({t for t in p if _has_figure(t)} <= said and len(p & said) * 2 >= len(p) for p in parts)


def _topic(words: str) -> frozenset[str]:
    return grams(_VERBS.sub(" ", fold(words)))


def _is_the_whole_of_it(event: Event, wanted: str, deeds: list[re.Pattern[str]]) -> bool:
    """A thing of this kind is such a deed itself; a merge only if it is no mere step on the way, a pipeline no release."""
    if event.kind not in _SHOWN_BY or not deeds or (event.kind == "pipeline" and _BUILT not in deeds):
        return False
    if event.kind not in _REQUESTS or _TO_TEST.search(fold(event.target)) or _is_its_branch(event, wanted):
        return True
    said = {w for w in grams(event.subject) if w not in _OF_GIT}
    return not said or len(said & grams(wanted)) * 2 >= len(said)


def _is_its_branch(event: Event, wanted: str) -> bool:
    """The matter names the very branch."""
    return stands_in(event.branch, wanted)


def _has_figure(term: str) -> bool:
    return any(c.isdigit() for c in term)


_ENDS = {
    "merged": "merged",
    "closed": "closed",
    "deployed": "deployed",
    "released": "released",
    "published": "released",
}


def _said(event: Event, language: str) -> str:
    """The event in a sentence for the initiator, its subject as it stands."""
    subject = " ".join(event.subject.split())
    end = _ENDS.get(event.action, "passed" if event.kind == "pipeline" else "")
    if not end:
        return subject
    quoted = f'"{subject}"' if in_english(language) else f"「{subject}」"
    return phrases.say(f"event_{end}", language, what=quoted)
