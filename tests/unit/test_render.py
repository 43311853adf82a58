"""Words from templates: strict, in the reader's language and on the reader's clock."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.render import JinjaRenderer, RenderError
from core.spacing import put

NOW = datetime.fromisoformat("2026-03-16T10:00:00+08:00")
ZONE = "Asia/Shanghai"


@pytest.fixture
def renderer(tmp_path: Path) -> JinjaRenderer:
    for folder in ("zh-CN", "en", "prompts"):
        (tmp_path / folder).mkdir()
    return JinjaRenderer(tmp_path)


def render(
    renderer: JinjaRenderer, source: str, language: str = "zh-CN", timezone: str = ZONE, **values: object
) -> str:
    (renderer.folder / language / "t.j2").write_text(source, encoding="utf-8")
    return renderer.render("t", language, now=NOW, timezone=timezone, **values)


def test_each_language_has_its_own_words(renderer: JinjaRenderer) -> None:
    (renderer.folder / "zh-CN" / "hello.j2").write_text("你好，{{ name }}。\n", encoding="utf-8")
    (renderer.folder / "en" / "hello.j2").write_text("Hello {{ name }}.\n", encoding="utf-8")
    assert renderer.render("hello", "zh-CN", now=NOW, timezone=ZONE, name="张三") == "你好，张三。"
    assert renderer.render("hello", "en", now=NOW, timezone=ZONE, name="Zhang San") == "Hello Zhang San."


def test_a_missing_template_is_named(renderer: JinjaRenderer) -> None:
    with pytest.raises(RenderError, match=r"zh-CN/nothing\.j2 is missing"):
        renderer.render("nothing", "zh-CN", now=NOW, timezone=ZONE)


def test_a_template_of_one_language_does_not_stand_in_for_another(renderer: JinjaRenderer) -> None:
    (renderer.folder / "zh-CN" / "hello.j2").write_text("你好", encoding="utf-8")
    with pytest.raises(RenderError, match=r"en/hello\.j2"):
        renderer.render("hello", "en", now=NOW, timezone=ZONE)


@pytest.mark.parametrize(
    "source",
    ["{{ name }}", "{% if name %}x{% endif %}", "{{ person.name }}", "{{ name | moment }}", "{{ name | duration }}"],
)
def test_a_missing_value_is_named_with_its_template(renderer: JinjaRenderer, source: str) -> None:
    with pytest.raises(RenderError, match=r"template zh-CN/t\.j2 cannot be rendered: .*name"):
        render(renderer, source, person={})


def test_a_zone_that_does_not_exist_is_named(renderer: JinjaRenderer) -> None:
    with pytest.raises(RenderError, match="Mars/Olympus"):
        render(renderer, "{{ at | moment }}", timezone="Mars/Olympus", at="2026-03-16T15:00:00+08:00")


def test_text_is_left_as_people_wrote_it(renderer: JinjaRenderer) -> None:
    assert render(renderer, "{{ text }}", text="<b>A & B</b> {{ x }}") == "<b>A & B</b> {{ x }}"


def test_lines_of_control_leave_no_blank_lines(renderer: JinjaRenderer) -> None:
    source = "\n一\n{% if yes %}\n  {% for n in numbers %}\n{{ n }}\n  {% endfor %}\n{% endif %}\n二\n\n"
    assert render(renderer, source, yes=True, numbers=[1, 2]) == "一\n1\n2\n二"


@pytest.mark.parametrize(
    ("language", "timezone", "value", "said"),
    [
        ("zh-CN", ZONE, "2026-03-16T15:00:00+08:00", "今天 15:00"),
        ("zh-CN", ZONE, "2026-03-19T07:00:00Z", "周四 15:00"),
        ("en", ZONE, "2026-03-17T10:30:00+08:00", "tomorrow 10:30"),
        ("zh-CN", "Europe/Berlin", "2026-03-16T23:00:00+08:00", "今天 16:00"),
        # In Auckland it is 15:00 already, and that moment is on the next day there.
        ("en", "Pacific/Auckland", "2026-03-16T21:00:00+08:00", "tomorrow 02:00"),
    ],
)
def test_a_moment_is_said_on_the_clock_of_the_reader(
    renderer: JinjaRenderer, language: str, timezone: str, value: str, said: str
) -> None:
    assert render(renderer, "{{ at | moment }}", language, timezone, at=value) == said


def test_a_moment_may_be_a_datetime(renderer: JinjaRenderer) -> None:
    assert render(renderer, "{{ at | moment }}", at=NOW + timedelta(hours=5)) == "今天 15:00"


@pytest.mark.parametrize("value", ["2026-03-16T15:00:00", "tomorrow", datetime(2026, 3, 16), 7])  # noqa: DTZ001
@pytest.mark.parametrize("name", ["moment", "date"])
def test_a_moment_without_offset_is_refused(renderer: JinjaRenderer, name: str, value: object) -> None:
    with pytest.raises(RenderError, match=r"template zh-CN/t\.j2 cannot be rendered: .*moment"):
        render(renderer, "{{ at | " + name + " }}", at=value)


@pytest.mark.parametrize(
    ("language", "timezone", "value", "said"),
    [
        ("zh-CN", ZONE, "2026-03-18T15:00:00+08:00", "3月18日"),
        ("zh-CN", ZONE, "2026-03-18T22:00:00Z", "3月19日"),
        ("en", ZONE, "2026-03-18T15:00:00+08:00", "Mar 18"),
        ("zh-CN", ZONE, "2028-03-18T15:00:00+08:00", "2028年3月18日"),
    ],
)
def test_a_date_is_absolute(renderer: JinjaRenderer, language: str, timezone: str, value: str, said: str) -> None:
    assert render(renderer, "{{ at | date }}", language, timezone, at=value) == said


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("我来联系{{ name }}，有进展告诉你", "我来联系 Tom，有进展告诉你"),
        ("{{ name }}说{{ text }}，我再问问", "Tom 说 v2.0，我再问问"),
        ("{{ at|moment }}去问{{ name }}。", "今天 15:00 去问 Tom。"),
        ("{{ at|moment }} 去问 {{ name }} 一声", "今天 15:00 去问 Tom 一声"),
        ("到{{ day|date }}为止", "到3月18日为止"),
        ("还有{{ name }}（{{ name }}）、「{{ name }}」：{{ name }}", "还有 Tom（Tom）、「Tom」：Tom"),
        ("好，{{ names|names }}都问", "好，Tom、李四和 Mary 都问"),
        ("{% set who %}{{ name }}{% endset %}问{{ who }}吧", "问 Tom 吧"),
        ("{% macro who() %}{{ name }}{% endmacro %}问{{ who() }}吧", "问 Tom 吧"),
        ("问{{ mixed }}吧", "问李Tom四吧"),
        ("问{{ '' }}吧", "问吧"),
    ],
)
def test_in_chinese_a_latin_value_stands_apart_from_the_words_beside_it(
    renderer: JinjaRenderer, source: str, said: str
) -> None:
    values = {
        "name": "Tom",
        "names": ["Tom", "李四", "Mary"],
        "text": "v2.0",
        "mixed": "李Tom四",
        "at": "2026-03-16T15:00:00+08:00",
        "day": "2026-03-18T15:00:00+08:00",
    }
    assert render(renderer, source, **values) == said
    assert render(renderer, "{{ text }}吗", "en", text="v2") == "v2吗"


def test_words_put_together_outside_templates_stand_apart_too() -> None:
    assert put("{to}你好，{who}在等「{what}」", to="Tom", who="Grace", what="v2.0") == "Tom 你好，Grace 在等「v2.0」"
    assert put("{who}说：{what}", who="李四", what="ok") == "李四说：ok"


@pytest.mark.parametrize(("language", "said"), [("zh-CN", "2 小时 30 分钟"), ("en", "2 h 30 min")])
def test_a_duration_is_given_in_seconds(renderer: JinjaRenderer, language: str, said: str) -> None:
    assert render(renderer, "{{ took | duration }}", language, took=9000) == said
    assert render(renderer, "{{ took | duration }}", language, took=timedelta(hours=2.5)) == said


@pytest.mark.parametrize(
    ("language", "people", "said"),
    [
        ("zh-CN", [], ""),
        ("zh-CN", ["张三"], "张三"),
        ("zh-CN", ["张三", "李四"], "张三和李四"),
        ("zh-CN", ["张三", "李四", "王五"], "张三、李四和王五"),
        ("en", ["A"], "A"),
        ("en", ["A", "B"], "A and B"),
        ("en", ["A", "B", "C"], "A, B and C"),
    ],
)
def test_names_are_listed_as_people_list_them(renderer: JinjaRenderer, language: str, people: list, said: str) -> None:
    assert render(renderer, "{{ who | names }}", language, who=people) == said


def test_a_prompt_has_two_parts(renderer: JinjaRenderer) -> None:
    source = "{% block system %}\nBe {{ how }}.\n{% endblock %}\n{% block user %}{{ q.text }}{% endblock %}"
    (renderer.folder / "prompts" / "p.j2").write_text(source, encoding="utf-8")
    assert renderer.render_prompt("p", {"text": "你好"}, how="short") == ("Be short.", "你好")


@pytest.mark.parametrize("source", ["{% block system %}{% endblock %}", "nothing"])
def test_a_prompt_without_one_of_its_parts_is_refused(renderer: JinjaRenderer, source: str) -> None:
    (renderer.folder / "prompts" / "p.j2").write_text(source, encoding="utf-8")
    with pytest.raises(RenderError, match="lacks its block"):
        renderer.render_prompt("p", {})


def test_a_prompt_with_a_missing_value_is_refused(renderer: JinjaRenderer) -> None:
    source = "{% block system %}{% endblock %}{% block user %}{{ q.missing }}{% endblock %}"
    (renderer.folder / "prompts" / "p.j2").write_text(source, encoding="utf-8")
    with pytest.raises(RenderError, match="missing"):
        renderer.render_prompt("p", {})


def test_the_check_finds_a_template_that_one_language_lacks(renderer: JinjaRenderer) -> None:
    (renderer.folder / "zh-CN" / "hello.j2").write_text("你好", encoding="utf-8")
    assert renderer.check() == "templates/en lacks hello, which templates/zh-CN has"
    (renderer.folder / "en" / "hello.j2").write_text("Hello", encoding="utf-8")
    assert renderer.check() is None


def test_the_check_finds_a_template_that_does_not_compile(renderer: JinjaRenderer) -> None:
    for language in ("zh-CN", "en"):
        (renderer.folder / language / "hello.j2").write_text("{% if %}", encoding="utf-8")
    problem = renderer.check()
    assert problem is not None
    assert problem.startswith("template zh-CN/hello.j2 does not compile")


def test_the_check_finds_an_empty_folder(tmp_path: Path) -> None:
    problem = JinjaRenderer(tmp_path).check()
    assert problem is not None
    assert problem.startswith("no templates")
