"""A model's Markdown, as plain text: what is markup goes, what people write stays."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.brain.shape import decode
from core.brain.answers import Answer, Assessment, Judgement, Remark, Tendencies, Text, WorkStep
from core.brain.markdown import plain
from tests.unit.pace import FAR, times_as_long

MARKED = [
    ("**结论**：周四可以", "结论：周四可以"),
    ("**周四（3月19日）**能提测", "周四（3月19日）能提测"),
    ("***都***好，*好* 和 *坏*", "都好，好 和 坏"),
    ("他说_务必_回复 and _really_ so", "他说务必回复 and really so"),
    ("__很 重要__，~~不~~要", "很 重要，不要"),
    ("# 进展\n\n## 前端 ##\n周四", "进展\n\n前端\n周四"),
    ("- **张三**：周四\n* 李四：周五\n  + 细节", "· 张三：周四\n· 李四：周五\n  · 细节"),
    ("- [ ] 没做\n- [x] 做了", "· 没做\n✓ 做了"),
    ("1. 一\n2. **二**", "1. 一\n2. 二"),
    ("看这段：\n```python\nx = a**b**c\n# 注释\n```\n就这样", "看这段：\nx = a**b**c\n# 注释\n就这样"),
    ("运行 `make run`，或者 ``a`b``", "运行 make run，或者 a`b"),
    ("**`code`** 也一样", "code 也一样"),
    ("| 谁 | 何时 |\n|---|:--:|\n| 张三 | **周四** |\n| 李四 | |", "谁 · 何时\n张三 · 周四\n李四"),
    ("见[设计稿](https://a.b/c_d_e)和 <https://x.y/_z_/>", "见设计稿（https://a.b/c_d_e）和 https://x.y/_z_/"),
    ("the [draft](https://a.b), ![](https://a.b/c.png)", "the draft (https://a.b), https://a.b/c.png"),
    ("> 引用\n> 第二行", "引用\n第二行"),
    ("一\n\n---\n\n二", "一\n\n二"),
    (r"\*不是\* 强调", "*不是* 强调"),
    ("好<br>的", "好\n的"),
]
KEPT = [
    "2 * 3 * 4 = 24",
    "a*b*c",
    "5*8 和 6*7",
    "snake_case_name 和 __init__",
    "#1 和 C#",
    "#话题#",
    "-5 度",
    "价格 * 数量",
    "a | b",
    "[回流] v2.0",
    "**开头没闭合",
    "v2.0 <提测> & 3 < 4",
    "https://x.y/_next_/a_b_c",
    "C:\\temp\\new",
    "“好”——就这样。",
]
HOSTILE = [
    "*" * 100_000, "`" * 100_000, "[" * 100_000, "**a" * 30_000, "|" * 100_000, "_a " * 30_000, "> " * 50_000,
    "# " + " #" * 50_000 + "x", "-" * 100_000, "- " * 50_000, "[a](" * 25_000, "~~a" * 30_000, "a|\n" + "|-" * 50_000 + "x",
    "\\" * 100_000, "``a" * 30_000, "* " * 50_000 + "x", "__a b" * 20_000,
]  # fmt: skip


@pytest.mark.parametrize(("written", "read"), MARKED)
def test_markup_becomes_plain_text(written: str, read: str) -> None:
    assert plain(written) == read


@pytest.mark.parametrize("text", KEPT)
def test_what_is_no_markup_stays(text: str) -> None:
    assert plain(text) == text


@given(st.text(st.characters(codec="utf-8") | st.sampled_from("*_`#~|[]()<>-\n \\"), max_size=300))
def test_any_text_is_taken_and_nothing_is_added(text: str) -> None:
    read = plain(text)
    assert len(read) <= len(text) + text.count("[")  # a link to words gains a blank


USUAL = "\n".join(written for written, _ in MARKED) + "\n"


@pytest.mark.parametrize("text", HOSTILE, ids=lambda t: t[:6])
def test_hostile_text_takes_no_longer(text: str) -> None:
    assert times_as_long(plain, text, USUAL) < FAR


READ_BY_PEOPLE: list[tuple[type[Answer], dict[str, Any]]] = [
    (Text, {"text": "**好**"}),
    (Remark, {"remark": "**好**"}),
    (WorkStep, {"result": "**好**"}),
    (Tendencies, {"tendencies": ["**好**"]}),
    (Judgement, {"signals": [{"kind": "risk", "what": "**好**"}]}),
    *[(Assessment, {field: "**好**"}) for field in ("summary", "key_information", "owner_update")],
    (Assessment, {"messages": [{"to": "p_1", "text": "**好**"}]}),
]


@pytest.mark.parametrize(("answers", "data"), READ_BY_PEOPLE)
def test_a_model_s_words_for_people_are_plain(answers: type[Answer], data: dict[str, Any]) -> None:
    said = decode(answers, data, None).model_dump_json()
    assert "好" in said
    assert "*" not in said


def test_what_is_picked_out_of_a_message_and_what_a_rule_says_stays_as_it_is() -> None:
    assert Text(text="**好**").text == "**好**"
    step = decode(WorkStep, {"tool": "look_up_facts", "parameters": {"text": "**好**"}}, None)
    assert isinstance(step, WorkStep)
    assert step.parameters == {"text": "**好**"}
