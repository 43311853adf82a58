"""An event in a line, as it is quoted and as the rules read it: whether something ended well, failed or only began."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.facts import Event

Language = Literal["zh-CN", "en"]


@dataclass(frozen=True)
class _Words:
    kinds: dict[str, str]
    actions: dict[str, str]
    particular: dict[tuple[str, str], str]
    """What an action is called of one kind alone."""
    line: str
    whose: str
    between: str


_SOURCES = {"gitlab": "GitLab", "github": "GitHub"}

_ZH = _Words(
    kinds={"push": "推送", "merge_request": "合并请求", "issue": "议题", "pipeline": "流水线"},
    actions={
        "opened": "新建",
        "reopened": "重新打开",
        "merged": "已合并",
        "closed": "已关闭",
        "completed": "已完成",
        "success": "成功",
        "failed": "失败",
        "canceled": "已取消",
        "dropped": "已关闭，不再处理",
    },
    particular={("merge_request", "closed"): "已关闭，没有合并", ("issue", "closed"): "已结束"},
    line="{source}：{kind}「{subject}」{action}",
    whose="（{}）",
    between="，",
)
_EN = _Words(
    kinds={"push": "push", "merge_request": "merge request", "issue": "issue", "pipeline": "pipeline"},
    actions={"success": "succeeded", "canceled": "canceled", "dropped": "canceled, not planned"},
    particular={("merge_request", "closed"): "canceled, not merged"},
    line='{source}: {kind} "{subject}" {action}',
    whose=" ({})",
    between=", ",
)


def said(event: Event, language: Language, *, with_text: bool = False) -> str:
    """Source, project, kind, subject, what became of it, branches, who: `GitLab web：合并请求「…」已合并（a，张三）`.

    `with_text` adds the event's own words, where they were written to be read and not for those who work on it.
    """
    words = _ZH if language == "zh-CN" else _EN
    source = _SOURCES.get(event.source, event.source)
    branches = " → ".join(part for part in (event.branch, event.target) if part)
    whose = words.between.join(part for part in (branches, event.actor) if part)
    told = words.line.format(
        source=" ".join(part for part in (source, event.project) if part),
        kind=words.kinds.get(event.kind, event.kind),
        subject=event.subject,
        action=words.particular.get((event.kind, event.action)) or words.actions.get(event.action, event.action),
    ).rstrip()
    told += words.whose.format(whose) if whose else ""
    return f"{told}\n{event.text}" if with_text and event.text else told
