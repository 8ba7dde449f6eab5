"""What people said of systems' segments: ratings, rankings or preferences, in one shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl

from jurat.results import Key
from jurat.stats.agreement.tallies import summed
from jurat.stats.metaeval.decisions import Decisions, Flags, decided
from jurat.stats.metaeval.places import PLACE, codes_in
from jurat.stats.preferences.comparisons import by_question
from jurat.stats.ratings import Array, Codes, Ratings

ALIKE = 12
"""Digits in which means of judges must differ to be different."""


class Marks(NamedTuple):
    """A row a translation in the eyes of one judge: its value, higher is better."""

    segment: Codes
    system: Codes
    judge: Codes
    value: Array

    def where(self, chosen: Flags) -> Marks:
        """Some of the rows."""
        segment, system, judge = (part[chosen] for part in (self.segment, self.system, self.judge))
        return Marks(segment, system, judge, self.value[chosen])


@dataclass(frozen=True, kw_only=True, eq=False)
class People:
    """One question in one split.

    `marks` are a judge's ratings, or wins less losses where he compared two at a time. Where no
    judge rated two systems of a segment, `pooled`, the judges' means are those of one judge.
    """

    question: str
    tags: Mapping[str, Key]
    segments: tuple[str, ...] = field(repr=False)
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    """Nobody where the table names none."""
    marks: Marks = field(repr=False)
    decisions: Decisions = field(repr=False)
    means: Array | None = field(repr=False)
    """Mean rating of each translation, segments × systems; None where there are preferences."""
    of_systems: Array = field(repr=False)
    """Of whole systems: their rating where only that was given, or the share of wins."""
    pooled: bool = False
    places: pl.DataFrame = field(repr=False, default_factory=pl.DataFrame)
    """What names each of the segments: document, segment."""

    @cached_property
    def judged(self) -> Flags:
        """Whether each translation was judged: segments × systems."""
        there = np.zeros((len(self.segments), len(self.systems)), dtype=np.bool_)
        there[self.marks.segment, self.marks.system] = True
        return there

    @cached_property
    def system_scores(self) -> Array:
        """People's score of each system, higher is better; NaN where there is none."""
        if self.means is None or not np.isnan(self.of_systems).all():
            return self.of_systems
        there = ~np.isnan(self.means)
        sums = np.where(there, self.means, 0.0).sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(sums / there.sum(axis=0))

    def without(self, system: int) -> People:
        """The same without one of the systems."""
        names = tuple(name for at, name in enumerate(self.systems) if at != system)
        kept = np.arange(len(self.systems)) != system
        shift = np.cumsum(kept) - 1
        old = self.decisions
        rest = old.where((old.first != system) & (old.second != system))
        decisions = replace(rest, first=shift[rest.first], second=shift[rest.second])
        if self.means is None:
            marks, shares = _wins(decisions, len(names)), _win_shares(decisions, len(names))
            return replace(self, systems=names, marks=marks, decisions=decisions, of_systems=shares)
        marks = self.marks.where(self.marks.system != system)
        return replace(
            self,
            systems=names,
            marks=marks._replace(system=shift[marks.system]),
            decisions=decisions,
            means=self.means[:, kept],
            of_systems=self.of_systems[kept],
        )


def rated(ratings: Ratings, judged: pl.DataFrame, *, sign: float) -> People:
    """People's ratings; `judged` are their rows with the segments that they speak of."""
    has_judge = "judge" in judged.columns and ratings.has("judge")
    judge = pl.col("judge").fill_null("") if has_judge else pl.lit("")
    rows = judged.with_columns(judge.alias("judge"), pl.col("value") * sign)
    rows = rows.drop_nulls(["system", "value"])
    segments, systems = _in_order(rows[PLACE]), _named(rows["system"])
    judges = _named(rows["judge"]) if has_judge else ()
    each = _averaged(rows.drop_nulls(PLACE), ["judge", PLACE, "system"])
    marks = _marks(each, segments, systems, judges)
    decisions = decided(*marks)
    means = _means(marks, (len(segments), len(systems)))
    pooled = has_judge and not len(decisions)
    if pooled:
        marks, judges = _of_one(means), ()
        decisions = decided(*marks)
    given = _averaged(rows.filter(pl.col(PLACE).is_null()), ["system"])
    of_systems = np.full(len(systems), np.nan)
    of_systems[codes_in(given["system"], systems)] = given["value"].to_numpy()
    return People(
        question=ratings.question,
        tags=ratings.tags,
        segments=segments,
        systems=systems,
        judges=judges,
        marks=marks,
        decisions=decisions,
        means=means,
        of_systems=of_systems,
        pooled=pooled,
        places=_places(rows),
    )


def compared(rows: pl.DataFrame, tags: Mapping[str, Key]) -> Iterator[People]:
    """People's preferences, apart for each question."""
    for question, own in by_question(rows):
        has_judge = "judge" in own.columns and own["judge"].null_count() < own.height
        judge = pl.col("judge").fill_null("") if has_judge else pl.lit("")
        told = own.with_columns(judge.alias("judge"))
        segments = _in_order(told[PLACE])
        systems = _named(pl.concat([told["system_a"], told["system_b"]]))
        judges = _named(told["judge"]) if has_judge else ()
        every = _decisions(told, segments, systems, judges)
        decisions = every.where(every.segment >= 0)
        yield People(
            question=question,
            tags=tags,
            segments=segments,
            systems=systems,
            judges=judges,
            marks=_wins(decisions, len(systems)),
            decisions=decisions,
            means=None,
            of_systems=_win_shares(every, len(systems)),
            places=_places(told),
        )


def _named(values: pl.Series) -> tuple[str, ...]:
    return tuple(str(name) for name in values.drop_nulls().unique().sort())


def _in_order(places: pl.Series) -> tuple[str, ...]:
    """The segments in the order of the table, which is mostly that of the test set."""
    return tuple(str(name) for name in places.drop_nulls().unique(maintain_order=True))


def _averaged(rows: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """One value for each key; repeats are averaged."""
    return rows.group_by(keys, maintain_order=True).agg(pl.col("value").mean())


def _marks(
    rows: pl.DataFrame, segments: tuple[str, ...], systems: tuple[str, ...], judges: tuple[str, ...]
) -> Marks:
    return Marks(
        codes_in(rows[PLACE], segments),
        codes_in(rows["system"], systems),
        codes_in(rows["judge"], judges or ("",)),
        rows["value"].to_numpy().astype(np.float64),
    )


def _means(marks: Marks, shape: tuple[int, int]) -> Array:
    """The mean of the judges for each translation; means that are equal on paper are equal."""
    cells = marks.segment * shape[1] + marks.system
    size = shape[0] * shape[1]
    count = np.bincount(cells, minlength=size)
    sums = summed(cells, marks.value, size)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums / count
    largest = np.abs(marks.value).max(initial=0.0)
    digits = ALIKE - int(np.ceil(np.log10(largest))) if largest > 0 else ALIKE
    return np.asarray(np.where(count > 1, np.round(means, digits), means).reshape(shape))


def _of_one(means: Array) -> Marks:
    segment, system = np.nonzero(~np.isnan(means))
    return Marks(segment, system, np.zeros(len(segment), dtype=np.int64), means[segment, system])


def _decisions(
    rows: pl.DataFrame, segments: tuple[str, ...], systems: tuple[str, ...], judges: tuple[str, ...]
) -> Decisions:
    one, other = (codes_in(rows[f"system_{side}"], systems) for side in "ab")
    outcome = rows["outcome"].replace_strict({"a": 1.0, "b": -1.0}, default=0.0).to_numpy()
    return Decisions(
        segment=codes_in(rows[PLACE], segments),
        first=np.minimum(one, other),
        second=np.maximum(one, other),
        judge=codes_in(rows["judge"], judges or ("",)),
        outcome=np.where(one < other, outcome, -outcome),
    )


def _wins(decisions: Decisions, systems: int) -> Marks:
    """Wins less losses of a system in the eyes of a judge of a segment.

    Where these are all pairs of a ranking, they are in the order of its ranks, ties and all.
    """
    judges = int(decisions.judge.max(initial=0)) + 1
    cell = (decisions.segment * judges + decisions.judge) * systems
    cells = np.concatenate([cell + decisions.first, cell + decisions.second])
    values = np.concatenate([decisions.outcome, -decisions.outcome])
    there, place = np.unique(cells, return_inverse=True)
    net = summed(place, values, len(there))
    group, system = np.divmod(there, systems)
    segment, judge = np.divmod(group, judges)
    return Marks(segment, system, judge, net)


def _win_shares(decisions: Decisions, systems: int) -> Array:
    """Wins of each system over its wins and losses; ties are left out."""
    won = np.zeros(systems)
    lost = np.zeros(systems)
    for side, better in ((decisions.first, 1), (decisions.second, -1)):
        won += np.bincount(side, weights=decisions.outcome == better, minlength=systems)
        lost += np.bincount(side, weights=decisions.outcome == -better, minlength=systems)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(won / (won + lost))


def _places(rows: pl.DataFrame) -> pl.DataFrame:
    """Document and segment of each place."""
    keys = [name for name in ("document", "segment") if name in rows.columns]
    told = rows.select(PLACE, *keys).drop_nulls(PLACE)
    return told.unique(PLACE, keep="first", maintain_order=True)
