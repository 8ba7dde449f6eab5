"""Translations for which the top score is expected."""

import pytest

from jurat.model import Document, Segment, System, TestSet, Translation
from jurat.testsets.selection import (
    EasyCandidate,
    Reason,
    as_human_system,
    easy_candidates,
    mark_easy,
)

LONG = "this sentence is much too long to be easy"


def pair(source: str, reference: str, translation: str) -> TestSet:
    return several((source, reference, translation))


def several(*rows: tuple[str, str, str]) -> TestSet:
    segments = tuple(
        Segment(
            id=str(number),
            source=source,
            references={"A": reference},
            translations={"x": Translation(translation)},
        )
        for number, (source, reference, translation) in enumerate(rows, 1)
    )
    documents = (Document(id="d", segments=segments),)
    return TestSet(documents=documents, systems=(System(name="x"),), references=("A",))


@pytest.mark.parametrize(
    ("reference", "translation", "reasons"),
    [
        ("Thank you very much!", "thank you, very  much", ("identical", "short")),
        (LONG, LONG.upper() + ".", ("identical",)),
        (LONG, "one two three four five", ("short",)),
        (LONG, "one two three four five six", None),
        (LONG, "谢谢大家的合作", ("short",)),
        (LONG, "这个句子太长了所以不容易判断", None),
    ],
)
def test_reasons(reference: str, translation: str, reasons: tuple[Reason, ...] | None) -> None:
    found = easy_candidates(pair("x", reference, translation))
    expected = [EasyCandidate("d", "1", "x", translation, reasons)] if reasons else []
    assert found == expected


def test_sentences_that_occur_more_than_once_are_frequent() -> None:
    other = "another sentence of more than five words"
    found = easy_candidates(
        several(("Hola.", LONG, other), ("hola", LONG, other), ("b", LONG, other))
    )
    assert [(each.segment, each.reasons) for each in found] == [
        ("1", ("frequent",)),
        ("2", ("frequent",)),
    ]


def test_only_the_reasons_asked_for() -> None:
    test_set = several(("a", "yes", "yes"), ("b", "no", "never"))
    assert [each.segment for each in easy_candidates(test_set)] == ["1", "2"]
    assert [each.segment for each in easy_candidates(test_set, reasons=["identical"])] == ["1"]


def test_a_human_system_is_not_identical_to_itself() -> None:
    test_set = as_human_system(pair("a", LONG, "something else of more than five words"), "A")
    assert easy_candidates(test_set) == []


def test_marking_tags_the_translation_and_nothing_else() -> None:
    test_set = several(("a", "yes", "yes"), ("b", LONG, LONG + " indeed"))
    marked = mark_easy(test_set, easy_candidates(test_set))
    first, second = marked.documents[0].segments
    assert first.translations["x"].tags == {"easy": "yes"}
    assert second == test_set.documents[0].segments[1]
