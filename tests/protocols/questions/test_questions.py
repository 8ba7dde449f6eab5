"""What every kind of question has in common."""

import pytest

from jurat.errors import InputError
from jurat.protocols.questions import Example, nearest
from jurat.protocols.questions.choice import Choice
from jurat.protocols.questions.text import Text
from tests.protocols.items import item


@pytest.mark.parametrize("name", ["adequacy", "same-meaning", "q1", "Größe", "意味", "a_b", "x-"])
def test_good_names(name: str) -> None:
    assert Text(id=name, ask="?").id == name


@pytest.mark.parametrize("name", ["", "1q", "-", "_x", "a b", "a.b", "a/b", "a\n", "`a`", "a'"])
def test_bad_names(name: str) -> None:
    with pytest.raises(InputError, match="not a valid question name") as caught:
        Text(id=name, ask="?")
    assert caught.value.problems[0].field == "id"


BOTH = {"source": "Of the source?", "reference": "Of the reference?"}


@pytest.mark.parametrize(
    ("ask", "show", "words"),
    [
        ("Always?", ["translation"], "Always?"),
        (BOTH, ["source", "translation"], "Of the source?"),
        (BOTH, ["reference", "translation"], "Of the reference?"),
        (BOTH, ["references", "translation"], "Of the reference?"),
        (BOTH, ["source", "reference", "translation"], "Of the reference?"),
        (BOTH, ["translation"], "Of the source?"),
        ({"source": "Only?"}, ["reference"], "Only?"),
        ({"reference": "Only?"}, ["source"], "Only?"),
    ],
)
def test_the_wording_follows_what_is_shown(
    ask: str | dict[str, str], show: list[str], words: str
) -> None:
    assert Text(id="q", ask=ask).wording(show) == words


@pytest.mark.parametrize("ask", [{}, {"original": "?"}, {"source": "?", "context": "?"}])
def test_words_depend_on_source_or_reference_only(ask: dict[str, str]) -> None:
    with pytest.raises(InputError, match="allowed: source, reference"):
        Text(id="q", ask=ask)


def test_a_faulty_condition_has_its_place() -> None:
    with pytest.raises(InputError) as caught:
        Text(id="q", ask="?", when="x = 5")
    assert caught.value.problems[0].field == "when"


def test_all_faults_at_once_but_examples_only_for_a_sound_question() -> None:
    wrong = Example(answer="maybe", because="?", translation="t")
    with pytest.raises(InputError) as caught:
        Choice(id="", ask={}, when="(", examples=(wrong,))
    assert [problem.field for problem in caught.value.problems] == ["id", "ask", "when"]
    with pytest.raises(InputError) as caught:
        Choice(
            id="q",
            ask="?",
            examples=(wrong, Example(answer="no", because="", translation=""), wrong),
        )
    assert [problem.field for problem in caught.value.problems] == [
        "examples.1.answer",
        "examples.3.answer",
    ]


def test_an_example_is_an_item() -> None:
    example = Example(answer=1, because="", translation=("a", "b"), source="s", reference="r")
    about = example.item()
    assert [shown.text for shown in about.translations] == ["a", "b"]
    assert (about.source, dict(about.references)) == ("s", {"reference": "r"})
    alone = Example(answer=1, because="", translation="a").item()
    assert (alone.source, dict(alone.references)) == (None, {})


@pytest.mark.parametrize(
    ("quality", "step"), [(-9, 0), (0, 0), (0.1, 0), (0.5, 2), (0.9, 4), (1, 4), (9, 4)]
)
def test_nearest_step(quality: float, step: int) -> None:
    assert nearest(quality, 5) == step


def test_a_refusal_is_short_whatever_was_sent() -> None:
    with pytest.raises(InputError) as caught:
        Choice(id="q", ask="?").check("x" * 100_000, item())
    assert len(str(caught.value)) < 200
    assert len(str(caught.value.problems[0].value)) < 100
