"""The marks around words of people: absent from all that is shown, and the same for the same texts."""

from core.brain.questions import PersonBrief
from core.context.text import absent_mark, texts_in


def test_every_text_is_found_however_deep_and_in_its_order() -> None:
    person = PersonBrief(person_id="p_1", name="张三", aliases=("三哥", "Zhang San"), pronoun="他")
    value = {"a": [person, ("b", 3, None)], "c": {"d": "e"}}
    assert list(texts_in(value)) == ["a", "p_1", "张三", "三哥", "Zhang San", "他", "b", "c", "d", "e"]


def test_a_set_gives_the_same_mark_whatever_its_order() -> None:
    names = [f"p_{n}" for n in range(50)]
    assert list(texts_in(frozenset(names))) == list(texts_in(frozenset(reversed(names)))) == sorted(names)


def test_a_mark_that_somebody_wrote_is_not_taken() -> None:
    texts = ["请看", ""]
    taken = absent_mark(texts)
    # The mark depends on the texts, so whoever writes one down has changed it.
    assert absent_mark([*texts, taken]) not in taken
