"""Keys, numbers and names of answers never contradict each other, in any protocol."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from jurat import protocols
from jurat.i18n import languages
from jurat.protocols.localization import in_language
from jurat.protocols.questions import NA, Question
from jurat.protocols.questions.scale import Point, Scale
from jurat.protocols.questions.spans import Category, Severity, Spans
from jurat.protocols.shortcut_keys import CATEGORIES, CATEGORY_GROUPS, SEVERITIES, fixed_keys

EVERY = [
    pytest.param(question, id=f"{name}-{question.id}")
    for name in protocols.names()
    for question in protocols.load(name).questions.values()
]
ENGLISH = languages()["en"].say


def keys(asked: Question) -> list[str]:
    return [choice.key for choice in asked.choices()]


def question(protocol: str, name: str) -> Any:
    return protocols.load(protocol).questions[name]


def points(*values: int, **more: Any) -> Scale:
    return Scale(id="s", ask="?", points=tuple(Point(value=value) for value in values), **more)


@pytest.mark.parametrize("asked", EVERY)
def test_a_number_that_is_shown_is_the_key_and_the_value(asked: Question):
    choices = asked.choices()
    typed = [choice.key for choice in choices if choice.key]
    assert len(set(typed)) == len(typed)
    for choice in choices:
        shown = choice.number.replace("\N{MINUS SIGN}", "-")
        assert shown in ("", str(choice.value))
        assert not (shown and choice.key) or shown == choice.key
        assert bool(shown) == asked.shows_numbers
    if asked.has_radio_buttons and not asked.shows_numbers:
        assert [choice.key for choice in choices] == [*"1234567890"][: len(choices)]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", protocols.names())
def test_a_number_that_is_hidden_is_in_no_name(name: str, language: str):
    protocol = in_language(protocols.load(name), language)
    for asked in protocol.questions.values():
        # a name may say the place, which is another number
        hidden = [choice for choice in asked.choices() if not asked.shows_numbers]
        say = languages()[language].say
        places = [say("point-of", number=c.place, count=c.places) for c in hidden]
        for choice, place in zip(hidden, places, strict=True):
            told = asked.answer_name(choice.value, say)
            assert told in (choice.label, place)
            assert asked.answer_name(NA, say) == say("not-applicable")


def test_answers_go_by_place_where_numbers_are_hidden():
    assert keys(question("tapet-adequacy", "adequacy")) == ["1", "2", "3", "4", "5", "6", "7"]
    assert keys(question("preference", "preference")) == ["1", "2", "3"]
    assert keys(points(*range(12, 0, -1))) == [*"1234567890", "", ""]


def test_who_reads_a_number_and_types_it_means_it():
    assert keys(question("intelligibility", "intelligibility")) == [*"987654321"]
    assert keys(question("sqm", "quality")) == [*"6543210"]
    assert keys(question("semantic-adequacy", "adequacy")) == [*"3210", "-1", "-2", "-3"]
    assert keys(points(11, 10, 9, show_numbers=True)) == ["", "", "9"]


def test_zero_is_for_what_does_not_apply_unless_it_is_a_number():
    numbered = points(2, 1, 0, show_numbers=True, not_applicable=True)
    assert (keys(numbered), numbered.not_applicable_key) == (["2", "1", "0"], "")
    hidden = points(*range(10, 0, -1), not_applicable=True)
    assert (keys(hidden)[-2:], hidden.not_applicable_key) == (["9", ""], "0")


def test_names():
    adequacy, quality = question("tapet-adequacy", "adequacy"), question("sqm", "quality")
    assert [adequacy.answer_name(n, ENGLISH) for n in (7, 6)] == ["All", "Position 2 of 7"]
    assert [adequacy.answer_name(n, ENGLISH, numbers=True) for n in (7, 6)] == ["7 (All)", "6"]
    assert quality.answer_name(5, ENGLISH) == "5"
    assert quality.answer_name(6, ENGLISH) == "6 (Perfect meaning and grammar)"


def marking() -> Iterator[Spans]:
    for name in protocols.names():
        for asked in protocols.load(name).questions.values():
            if isinstance(asked, Spans):
                yield asked


def test_severities_and_categories_have_the_same_keys_everywhere():
    found: defaultdict[str, set[str]] = defaultdict(set)
    for asked in marking():
        for choice in asked.severity_choices():
            found[str(choice.value)].add(choice.key)
        for group in asked.category_groups():
            for category, _, key in group.members:
                found[category.value].add(f"{group.key} {key}")
    assert found["minor"] == {"1"}
    assert found["major"] == {"2"}
    assert found["accuracy/omission"] == {"1 2"}
    assert all(len(each) == 1 for each in found.values())


def test_severities_stand_in_the_order_of_their_keys():
    assert [c.value for c in question("mqm", "errors").severity_choices()] == [*SEVERITIES[:3]]


def test_the_keys_of_categories_are_their_places_in_mqm():
    groups = question("mqm", "errors").category_groups()
    assert [group.key for group in groups] == [str(n) for n, _ in enumerate(CATEGORY_GROUPS, 1)]
    for group in groups:
        if group.label:
            places = [str(n) for n, _ in enumerate(group.members, 1)]
            assert [member.key for member in group.members] == places
    known = {f"{group}/{name}" for group, names in CATEGORIES.items() for name in names}
    assert known <= {category.value for category in question("mqm", "errors").categories}


def test_a_protocol_with_some_of_them_keeps_their_keys():
    asked = Spans(
        id="e",
        ask="?",
        severities=(
            Severity(value="odd", label="Odd", weight=1),
            Severity(value="major", label="Major", weight=5),
        ),
        categories=tuple(
            Category(value=value, label=value)
            for value in ("humour", "fluency/grammar", "fluency/rhyme", "accuracy/omission")
        ),
    )
    assert [(c.value, c.key) for c in asked.severity_choices()] == [("odd", "1"), ("major", "2")]
    found = {
        m.category.value: f"{g.key}{m.key}" for g in asked.category_groups() for m in g.members
    }
    assert found["fluency/grammar"] == "23"
    assert found["fluency/rhyme"] == "21"
    assert found["accuracy/omission"] == "12"
    assert found["humour"] == "33"
    assert fixed_keys("abcdefghijk", ()) == dict(
        zip("abcdefghijk", [*"123456789", "", ""], strict=True)
    )
