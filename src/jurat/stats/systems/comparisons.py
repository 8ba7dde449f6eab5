"""Who was better than whom: from preferences and rankings, or from scores given side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from jurat.results import Estimate, Key
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Codes, coded
from jurat.stats.spread import Spread
from jurat.stats.systems.choices import SystemSettings
from jurat.stats.systems.drawing import Drawing
from jurat.stats.systems.panel import Panel, check_only, codes_of, keys, panels

QUESTION = "preference"
"""What was asked where a table of preferences does not tell it."""
JOINED = "+"


SITTING = ("judge", "document", "segment", "item", "position", "decided_at")
"""What pairs of the same ranking have in common."""


class Pairs(NamedTuple):
    """Comparisons one by one: two systems, 1 where the first is better, −1 the second, 0 a tie."""

    first: Codes
    second: Codes
    result: Codes
    sentence: Codes
    sitting: Codes
    judge: Codes | None
    document: Codes

    def cells(self, size: int) -> Codes:
        """Where each counts among the wins and ties of `Comparisons`."""
        better = np.where(self.result >= 0, self.first, self.second)
        worse = np.where(self.result >= 0, self.second, self.first)
        low, high = np.minimum(better, worse), np.maximum(better, worse)
        ties = size * size + low * size + high
        return np.asarray(np.where(self.result == 0, ties, better * size + worse))

    def turns(self) -> Iterator[tuple[int, int, bool]]:
        """In their order: better, worse, whether tied."""
        for a, b, result in zip(*(part.tolist() for part in self[:3]), strict=True):
            yield (b, a, False) if result < 0 else (a, b, result == 0)


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparisons:
    """Wins and ties of every pair of systems, added up by what is drawn for intervals."""

    by: Mapping[str, Key]
    tags: Mapping[str, Key]
    systems: tuple[str, ...]
    rows: Array = field(repr=False)
    """Cells × 2 S²: wins of a over b, then ties of a and b, told once (a before b)."""
    drawing: Drawing = field(repr=False)
    words: str
    pairs: Pairs | None = field(default=None, repr=False)
    """The comparisons one by one, where judges made them."""
    kept: dict[object, Any] = field(default_factory=dict, repr=False)
    """What was computed once for several statistics."""

    @cached_property
    def total(self) -> Array:
        """All wins and ties: 2 × S × S."""
        size = len(self.systems)
        return np.asarray(self.rows.sum(axis=0)).reshape(2, size, size)

    @property
    def wins(self) -> Array:
        """How often the system of the row was better than the one of the column."""
        return np.asarray(self.total[0])

    @property
    def ties(self) -> Array:
        """How often the two were alike, in both triangles."""
        return np.asarray(self.total[1] + self.total[1].T)

    @cached_property
    def n(self) -> Codes:
        """In how many comparisons each system took part."""
        return np.asarray((self.wins + self.wins.T + self.ties).sum(axis=1).astype(np.int64))

    def estimates(self, made: Spread, reason: str) -> Iterator[Estimate]:
        """One of each system; `reason` says why where it is undefined."""
        for at, system in enumerate(self.systems):
            by = {**self.by, "system": system}
            yield made.estimate(at, n=int(self.n[at]), by=by, tags=self.tags, reason=reason)


def halved(totals: Array, systems: int) -> Array:
    """Wins (resamples × S × S) of totals of rows, a tie half a win for both."""
    wins, ties = _matrices(totals, systems)
    return np.asarray(wins + (ties + ties.swapaxes(1, 2)) / 2)


def untied(totals: Array, systems: int) -> Array:
    """Wins (resamples × S × S) of totals of rows, without ties."""
    return _matrices(totals, systems)[0]


def _matrices(totals: Array, systems: int) -> tuple[Array, Array]:
    both = totals.reshape(-1, 2, systems, systems)
    return both[:, 0], both[:, 1]


def preferences(evaluation: Evaluation, settings: SystemSettings) -> list[Comparisons]:
    """The preferences of every question and split."""
    check_only(evaluation, settings)
    if evaluation.preferences is None or evaluation.compared.is_empty():
        return []
    return evaluation.once(_preferences, settings)


def _preferences(evaluation: Evaluation, settings: SystemSettings) -> list[Comparisons]:
    found = [
        _preferred(frame, question, tags, settings)
        for tags, split in evaluation.split(evaluation.compared)
        for question, frame in _by_question(split)
    ]
    return [one for one in found if one is not None]


def comparisons(evaluation: Evaluation, settings: SystemSettings) -> list[Comparisons]:
    """The preferences of every question and split, and what scores given together come to."""
    of_scores = [scored(panel) for panel in panels(evaluation, settings)]
    return [*of_scores, *preferences(evaluation, settings)]


def scored(panel: Panel) -> Comparisons:
    """Every two systems of a sitting, the higher score the better one; equal ones tie."""
    if scored not in panel.kept:
        panel.kept[scored] = _scored(panel)
    made: Comparisons = panel.kept[scored]
    return made


def _scored(panel: Panel) -> Comparisons:
    sittings, size = panel.sittings, len(panel.systems)
    means = panel.sign * sittings.means
    drawing = Drawing.of(
        sittings.document,
        panel.drawn,
        sittings.judge,
        columns=2 * size * size,
    )
    rows = np.zeros((drawing.cells, 2, size, size))
    for at in range(size):
        rows[:, 0, at] = drawing.added((means[:, at : at + 1] > means).astype(np.float64))
        rows[:, 1, at, at + 1 :] = drawing.added(
            (means[:, at : at + 1] == means[:, at + 1 :]).astype(np.float64)
        )
    return Comparisons(
        by=panel.by,
        tags=panel.tags,
        systems=panel.systems,
        rows=rows.reshape(drawing.cells, 2 * size * size),
        drawing=drawing,
        words=f"from pairs of scores {sittings.words}",
    )


def _by_question(frame: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    if "question" not in frame.columns:
        yield QUESTION, frame
        return
    named = frame.with_columns(pl.col("question").fill_null(QUESTION))
    for (question,), part in named.partition_by(
        "question", as_dict=True, maintain_order=True
    ).items():
        yield str(question), part


def _preferred(
    frame: pl.DataFrame, question: str, tags: Mapping[str, Key], settings: SystemSettings
) -> Comparisons | None:
    frame, split = separated(frame)
    if settings.only:
        chosen = (pl.col(side).is_in(settings.only) for side in ("system_a", "system_b"))
        frame = frame.filter(*chosen)
    if frame.is_empty():
        return None
    pairs, names = _pairs(frame)
    size = len(names)
    place, what = drawn_of(frame)
    judge = coded(frame["judge"])[0] if "judge" in frame.columns else None
    drawing = Drawing.of(place, what, judge, columns=2 * size * size)
    return Comparisons(
        by=keys({"question": question}, tags),
        tags=tags,
        systems=tuple(names),
        rows=drawing.sums(pairs.cells(size), 2 * size * size),
        drawing=drawing,
        words="from preferences" + split,
        pairs=pairs,
    )


def _pairs(frame: pl.DataFrame) -> tuple[Pairs, list[str]]:
    both, names = coded(pl.concat([frame["system_a"], frame["system_b"]]))
    first, second = np.split(both, 2)
    outcome = frame["outcome"]
    result = (outcome == "a").cast(pl.Int8) - (outcome == "b").cast(pl.Int8)
    place = [n for n in ("document", "segment") if _told(frame, n)] or ["item"]
    sentence = codes_of(frame.select(place)) if _told(frame, place[-1]) else np.arange(len(first))
    sitting = [n for n in SITTING if _told(frame, n)]
    return Pairs(
        first=first,
        second=second,
        result=result.to_numpy().astype(np.int64),
        sentence=sentence,
        sitting=codes_of(frame.select(sitting)) if sitting else np.arange(len(first)),
        judge=coded(frame["judge"])[0] if _told(frame, "judge") else None,
        document=drawn_of(frame)[0],
    ), names


def drawn_of(frame: pl.DataFrame) -> tuple[Codes, str]:
    """What is drawn for each comparison: its document, sentence or item; else each for itself."""
    for name in ("document", "segment", "item"):
        if _told(frame, name) and frame[name].n_unique() > 1:
            return codes_of(frame.select(name)), {"segment": "sentence"}.get(name, name)
    return np.arange(frame.height), "comparison"


def _told(frame: pl.DataFrame, column: str) -> bool:
    return column in frame.columns and frame[column].null_count() < frame.height


def separated(frame: pl.DataFrame) -> tuple[pl.DataFrame, str]:
    """Systems with the same output, joined by +, each on its own, and words that say so.

    A + is a part of a name unless each of its parts is also found on its own.
    """
    sides = ("system_a", "system_b")
    names = set(pl.concat([frame[side] for side in sides]).unique().to_list())
    joined = [name for name in names if JOINED in name and names.issuperset(name.split(JOINED))]
    if not joined:
        return frame, ""
    for side in sides:
        parts = pl.when(pl.col(side).is_in(joined)).then(pl.col(side).str.split(JOINED))
        alone = pl.concat_list(pl.col(side))
        frame = frame.with_columns(parts.otherwise(alone).alias(side)).explode(side)
    return (
        frame.filter(pl.col("system_a") != pl.col("system_b")),
        f"; {len(joined)} outputs shared by systems count for each of them",
    )
