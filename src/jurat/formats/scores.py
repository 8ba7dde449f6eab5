"""Metric scores of a test set's translations, and how much they depend on the reference."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import msgspec

from jurat.conversion import convert
from jurat.faults import Fault, complain, refuse, unknown
from jurat.model import File, TestSet

Output: TypeAlias = "tuple[str, str, str]"
"""A document, a segment in it, and a system."""


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """A metric's score of one translation against one reference."""

    segment: str
    system: str
    reference: str
    value: float
    document: str | None = None


def read_scores(file: File, metric: str | None = None) -> list[Score]:
    """The scores that a table holds for segments, by one metric."""
    from jurat.tables import SCORES, conform, need, read_table

    frame = read_table(file)
    need(frame, ("segment", "reference"), "scores of segments")
    needed = ("segment", "reference", "value")
    rows = [
        row
        for row in conform(frame, SCORES).iter_rows(named=True)
        if all(row[name] is not None for name in needed)
    ]
    known = list(dict.fromkeys(row["metric"] for row in rows))
    if metric is None and len(known) > 1:
        message = "there are several metrics; choose one"
        raise complain(message, file=file.name, allowed=tuple(known))
    if metric is not None and metric not in known:
        raise unknown("metric", metric, known, file=file.name)
    return [convert(row, Score) for row in rows if metric in (None, row["metric"])]


def scores_of_part(scores: Iterable[Score], whole: TestSet, part: TestSet) -> list[Score]:
    """Without those of outputs that are in the whole set but not in the part."""
    left_out = _outputs(whole) - _outputs(part)
    return [each for each in scores if (each.document, each.segment, each.system) not in left_out]


def spreads(test_set: TestSet, scores: Iterable[Score]) -> dict[Output, float]:
    """The standard deviation across references of every output that has two scores or more."""
    found: dict[Output, dict[str, float]] = {}
    faults: list[Fault] = []
    places = _Places(test_set)
    for score in scores:
        key = places.find(score)
        if isinstance(key, Fault):
            faults.append(key)
        elif score.reference in found.setdefault(key, {}):
            message = f"system {score.system} has two scores against reference {score.reference}"
            faults.append(Fault(message=message, document=key[0], segment=key[1]))
        elif not math.isnan(score.value):
            found[key][score.reference] = score.value
    refuse(list(dict.fromkeys(faults)))
    return {key: _deviation([*values.values()]) for key, values in found.items() if len(values) > 1}


class _Places:
    """Finds the output that a score is of."""

    def __init__(self, test_set: TestSet) -> None:
        self.systems = tuple(system.name for system in test_set.systems)
        self.documents: dict[str, list[str]] = {}
        for document, segment in test_set.segments():
            self.documents.setdefault(segment.id, []).append(document.id)

    def find(self, score: Score) -> Output | Fault:
        """Document, segment and system; a score without a document needs an id that is unique."""
        if score.system not in self.systems:
            message = f"unknown system '{score.system}'"
            return Fault(message=message, value=score.system, allowed=self.systems)
        documents = self.documents.get(score.segment, [])
        if score.document is not None:
            documents = [score.document] if score.document in documents else []
        if len(documents) == 1:
            return documents[0], score.segment, score.system
        message = "a score is of a segment that is not in the test set"
        if documents:
            message = f"a score names no document, and {len(documents)} have this segment"
        return Fault(message=message, document=score.document, segment=score.segment)


def _deviation(values: Sequence[float]) -> float:
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


def _outputs(test_set: TestSet) -> set[tuple[str | None, str, str]]:
    """What a score can be of, with its document or without one."""
    return {
        (document, segment.id, system.name)
        for each, segment in test_set.segments()
        for document in (each.id, None)
        for system in test_set.systems
    }
