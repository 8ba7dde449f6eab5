"""The frame of all metrics: batches, threads, progress, and texts that do not belong together."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import pytest

from jurat import __version__
from jurat.errors import InputError
from jurat.metrics import metric as frame
from jurat.metrics.metric import Array, Metric, References, flatten_references


class Letters(Metric, frozen=True, kw_only=True):
    """The share of letters of the longest reference."""

    name: ClassVar[str] = "letters"
    prepared: ClassVar[list[int]] = []

    def prepare(self, references: References) -> list[int]:
        self.prepared.append(len(references))
        return [max(map(len, texts)) for texts in references]

    def segment_counts(self, hypotheses: Sequence[str], prepared: list[int]) -> Array:
        rows = [[len(text), length] for text, length in zip(hypotheses, prepared, strict=True)]
        return np.array(rows, np.float64).reshape(len(rows), 2)

    def score(self, sums: Array, *, single: bool = False) -> Array:
        return sums[..., 0] / sums[..., 1]

    def signature(self, references: References, *, single: bool = False) -> str:
        return self.signed(references, case="mixed")


@pytest.fixture
def letters(monkeypatch: pytest.MonkeyPatch) -> Letters:
    """Scored in batches of four."""
    monkeypatch.setattr(frame, "BATCH", 4)
    Letters.prepared.clear()
    return Letters()


TEXTS = ["a" * n for n in range(1, 12)]
REFERENCES = [["b" * 10, "b"] for _ in TEXTS]


@pytest.mark.parametrize("jobs", [1, 2, 3, 20])
def test_counts_are_in_order_whoever_counts(letters: Letters, jobs: int) -> None:
    counts = letters.counts(TEXTS, REFERENCES, jobs=jobs)
    assert counts.tolist() == [[n, 10.0] for n in range(1, 12)]


def test_references_are_prepared_once_for_all_systems(letters: Letters) -> None:
    told: list[int] = []
    systems = {"one": TEXTS, "two": TEXTS[::-1], "three": TEXTS}
    found = letters.count_all(systems, REFERENCES, progress=told.append)
    assert letters.prepared == [4, 4, 3]
    assert told == [12, 12, 9]
    assert list(found) == ["one", "two", "three"]
    assert (found["two"] == found["one"][::-1]).all()


def test_every_thread_has_work(letters: Letters) -> None:
    letters.counts(TEXTS[:4], REFERENCES[:4], jobs=2)
    assert letters.prepared == [2, 2]


def test_one_segment_and_all(letters: Letters) -> None:
    assert letters.sentence("aaa", ["bb", "bbbb"]) == 0.75
    assert letters.corpus(TEXTS, REFERENCES, jobs=2) == pytest.approx(66 / 110)


def test_nothing_to_count(letters: Letters) -> None:
    assert letters.counts([], []).shape == (0, 2)


@pytest.mark.parametrize(
    ("hypotheses", "references", "word"),
    [
        (["a"], [["a"], ["b"]], "1 segments for 2 of the references"),
        (["a", "b"], [["a"], []], "segment 2: there is no reference"),
        (["a", "b"], ["ab", "b"], "segment 1: the references are one text, not a list"),
    ],
)
def test_texts_that_do_not_belong_together(
    letters: Letters, hypotheses: list[str], references: References, word: str
) -> None:
    with pytest.raises(InputError, match=word):
        letters.counts(hypotheses, references)


def test_the_system_is_named_whose_texts_are_missing(letters: Letters) -> None:
    with pytest.raises(InputError, match="mt: 0 segments for 1"):
        letters.count_all({"good": ["a"], "mt": []}, [["a"]])


@pytest.mark.parametrize(
    ("references", "number"),
    [([["a"], ["b"]], "1"), ([["a", "b"]], "2"), ([["a"], ["a", "b"]], "var"), ([], "0")],
)
def test_signature_says_how_many_references(
    letters: Letters, references: References, number: str
) -> None:
    assert letters.signature(references) == f"nrefs:{number}|case:mixed|version:jurat:{__version__}"


def test_references_end_to_end() -> None:
    texts, firsts = flatten_references([["a"], ["b", "c"], ["d"]])
    assert texts == ["a", "b", "c", "d"]
    assert firsts.tolist() == [0, 1, 3, 4]
