"""How often each system was better than each other: from preferences, or from scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from jurat.results import Key
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.preferences.comparisons import A, B, Comparisons, by_question
from jurat.stats.ratings import Array, Codes, coded, codes_of
from jurat.stats.settings import SystemSettings
from jurat.stats.systems.adjusted_score import by_different_judges
from jurat.stats.systems.resampling_units import ResamplingUnits
from jurat.stats.systems.score_table import (
    ScoreTable,
    SystemSplit,
    check_only,
    estimate_keys,
    score_tables,
)

# Joins the names of systems that gave the same output.
JOINED = "+"
OTHER_SEVERITY = "Systems were judged by different judges, whose severity is part of this."
# What pairs of the same ranking have in common.
RANKING = ("judge", "document", "segment", "item", "position", "decided_at")


@dataclass(frozen=True, kw_only=True, eq=False)
class WinCounts(SystemSplit):
    """Wins and ties of every pair of systems, summed by what is resampled for intervals."""

    rows: Array = field(repr=False)
    """Cells × 2 S²: wins of a over b, then ties of a and b, counted once (a before b)."""
    units: ResamplingUnits = field(repr=False)
    words: str
    caution: str = ""
    """What a headline has to say of them."""

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


@dataclass(frozen=True, kw_only=True, eq=False)
class PreferenceCounts(WinCounts):
    """The wins and ties of judges' preferences, with the comparisons that were counted."""

    comparisons: Comparisons = field(repr=False)

    @cached_property
    def result(self) -> Codes:
        """1 where the first side of a comparison won, −1 the second, 0 a tie."""
        return _result(self.comparisons)

    @property
    def sentence(self) -> Codes:
        """The sentence of each comparison; without one each is about its own."""
        return self.comparisons.sentence

    @cached_property
    def ranking(self) -> Codes:
        """The ranking that each comparison is a pair of; itself where the table does not say."""
        return ranking_codes(self.comparisons)

    def turns(self) -> Iterator[tuple[int, int, bool]]:
        """The comparisons in the order of the table: better, worse, whether tied."""
        sides = (*self.comparisons.sides, self.result)
        for a, b, result in zip(*(side.tolist() for side in sides), strict=True):
            yield (b, a, False) if result < 0 else (a, b, result == 0)


def ranking_codes(compared: Comparisons) -> Codes:
    """The ranking that each comparison is a pair of; itself where the table does not say."""
    there = [name for name in RANKING if compared.has(name)]
    return codes_of(compared.frame.select(there)) if there else np.arange(len(compared))


def wins_with_half_ties(totals: Array, systems: int) -> Array:
    """Wins (resamples × S × S) of totals of rows, a tie half a win for both."""
    wins, ties = _matrices(totals, systems)
    return np.asarray(wins + (ties + ties.swapaxes(1, 2)) / 2)


def wins_without_ties(totals: Array, systems: int) -> Array:
    """Wins (resamples × S × S) of totals of rows, without ties."""
    return _matrices(totals, systems)[0]


def _matrices(totals: Array, systems: int) -> tuple[Array, Array]:
    both = totals.reshape(-1, 2, systems, systems)
    return both[:, 0], both[:, 1]


def win_counts(evaluation: Evaluation, settings: SystemSettings) -> list[WinCounts]:
    """The counts of every question and split: of scores given together, and of preferences."""
    of_scores = [score_win_counts(table) for table in score_tables(evaluation, settings)]
    return [*of_scores, *preference_win_counts(evaluation, settings)]


def preference_win_counts(
    evaluation: Evaluation, settings: SystemSettings
) -> list[PreferenceCounts]:
    """The counts of the preferences of every question and split.

    Raises InputError if `--only` names a system that is nowhere.
    """
    check_only(evaluation, settings)
    if evaluation.preferences is None or evaluation.compared.is_empty():
        return []
    return evaluation.once(_preference_win_counts, settings)


def _preference_win_counts(
    evaluation: Evaluation, settings: SystemSettings
) -> list[PreferenceCounts]:
    found = [
        _count_preferences(frame, question, tags, settings)
        for tags, split in evaluation.split(evaluation.compared)
        for question, frame in by_question(split)
    ]
    return [one for one in found if one is not None]


def score_win_counts(table: ScoreTable) -> WinCounts:
    """Every two systems that were scored together, the higher score the better; made once."""
    return table.once(_score_win_counts)


def _score_win_counts(table: ScoreTable) -> WinCounts:
    joint, size = table.joint_scores, len(table.systems)
    means = table.sign * joint.means
    units = ResamplingUnits.of(
        joint.document,
        table.cluster_name,
        joint.judge,
        columns=2 * size * size,
        averaged=joint.averaged,
    )
    rows = np.zeros((units.cells, 2, size, size))
    # a system at a time: all pairs of all sentences at once would take S times the memory
    for at in range(size):
        own = means[:, at : at + 1]
        rows[:, 0, at] = units.sum_rows((own > means).astype(np.float64))
        rows[:, 1, at, at + 1 :] = units.sum_rows((own == means[:, at + 1 :]).astype(np.float64))
    return WinCounts(
        by=table.by,
        tags=table.tags,
        systems=table.systems,
        rows=rows.reshape(units.cells, 2 * size * size),
        units=units,
        words=f"from pairs of scores {joint.words}",
        caution=OTHER_SEVERITY if joint.judge is None and by_different_judges(table) else "",
    )


def _count_preferences(
    frame: pl.DataFrame, question: str, tags: Mapping[str, Key], settings: SystemSettings
) -> PreferenceCounts | None:
    frame, split = split_joined_systems(frame)
    if settings.only:
        frame = frame.filter(*(pl.col(s).is_in(settings.only) for s in ("system_a", "system_b")))
    if frame.is_empty():
        return None
    names = pl.concat([frame["system_a"], frame["system_b"]]).unique().sort().to_list()
    compared = Comparisons(question=question, systems=tuple(names), frame=frame, tags=tags)
    size = len(names)
    place, what = resampled_column(compared)
    judge = coded(frame["judge"])[0] if "judge" in frame.columns else None
    units = ResamplingUnits.of(place, what, judge, columns=2 * size * size)
    return PreferenceCounts(
        by=estimate_keys({"question": question}, tags),
        tags=tags,
        systems=compared.systems,
        rows=units.sums(_cells(compared, size), 2 * size * size),
        units=units,
        words="from preferences" + split,
        comparisons=compared,
    )


def _result(compared: Comparisons) -> Codes:
    won = np.asarray(compared.shown == A, dtype=np.int64)
    return won - np.asarray(compared.shown == B, dtype=np.int64)


def _cells(compared: Comparisons, size: int) -> Codes:
    """Where each comparison counts among the 2 S² wins and ties of a row of `WinCounts`."""
    (first, second), result = compared.sides, _result(compared)
    better, worse = np.where(result >= 0, (first, second), (second, first))
    # a tie is counted once, with the smaller number in the row
    ties = size * size + np.minimum(first, second) * size + np.maximum(first, second)
    return np.asarray(np.where(result == 0, ties, better * size + worse))


def resampled_column(compared: Comparisons) -> tuple[Codes, str]:
    """What is resampled for each comparison: its document, sentence or item; else each alone."""
    for name in ("document", "segment", "item"):
        if compared.has(name) and compared.frame[name].n_unique() > 1:
            what = "sentence" if name == "segment" else name
            return codes_of(compared.frame.select(name)), what
    return np.arange(len(compared)), "comparison"


def split_joined_systems(frame: pl.DataFrame) -> tuple[pl.DataFrame, str]:
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
