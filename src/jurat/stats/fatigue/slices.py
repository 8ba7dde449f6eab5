"""A judge's work cut into slices of equal length, in the order in which it was done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import polars as pl

from jurat.results import Key, Result
from jurat.stats.bias.groups import (
    JudgeGroups,
    Mask,
    group_names,
    group_ratings,
    one_group,
    source_group,
)
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.settings import FatigueSettings
from jurat.stats.statistic import Answer, Statistic

# What tells the order of a judge's decisions: the first that there is; else the file's order.
ORDERS = ("position", "decided_at", "shown_at")
POSITION, LENGTH = "\0place", "\0length"
# Share of the variance of places that items explain, from which all saw nearly the same order.
ALIKE = 0.95


@dataclass(frozen=True, kw_only=True, eq=False)
class SlicedRatings:
    """Answers of judges in groups, and in which slice of their judge's work each was given."""

    groups: JudgeGroups
    count: int

    @property
    def ratings(self) -> Ratings:
        """The first answers of each judge to each item."""
        return self.groups.ratings

    @cached_property
    def row_slice(self) -> Codes:
        """The slice of each answer: ⌊(place − 1) · slices / decisions of the judge⌋."""
        place, length = (self.ratings.frame[name].to_numpy() for name in (POSITION, LENGTH))
        # Whole numbers: a share of the work would be rounded at the borders.
        return np.asarray(place * self.count // length, dtype=np.int64)

    @cached_property
    def lengths(self) -> Array:
        """The number of decisions of each judge."""
        found = np.zeros(len(self.ratings.judges))
        found[self.ratings.judge_codes] = self.ratings.frame[LENGTH].to_numpy()
        return found

    @property
    def names(self) -> list[str]:
        """Percent of a judge's work: `0-20`, `20-40` and so on."""
        # Percent, since judges' work differs in length.
        edges = [round(100 * n / self.count) for n in range(self.count + 1)]
        return [f"{low}-{high}" for low, high in pairwise(edges)]

    @cached_property
    def same_order(self) -> bool:
        """Whether all judges saw the items in nearly the same order.

        A slice then has items of its own, and what differs may be these and not the judges.
        """
        progress = (self.ratings.frame[POSITION] / self.ratings.frame[LENGTH]).to_numpy()
        items = self.ratings.item_codes
        # The share of the variance of positions that lies between items (R² of a one-way ANOVA).
        n = np.maximum(np.bincount(items), 1)
        mean = np.bincount(items, weights=progress) / n
        several = n[items] > 1
        if not several.any() or not (total := float(np.var(progress[several]))):
            return False
        return 1 - float(np.mean((progress - mean[items])[several] ** 2)) / total > ALIKE

    def within(self, at: int) -> Mask:
        """The answers of one slice."""
        return np.asarray(self.row_slice == at)

    @cached_property
    def monolingual(self) -> SlicedRatings:
        """Without the judges who saw the source, where there are such."""
        if not self.groups.source:
            return self
        rows = self.groups.saw_reference(self.groups.row_group)
        kept = replace(
            self.groups, ratings=self.ratings.where(rows), row_group=self.groups.row_group[rows]
        )
        return replace(self, groups=kept)


class SliceStatistic(Statistic[FatigueSettings]):
    """A statistic of judges' work in slices: subclasses give `answers`."""

    def answers(self, evaluation: Evaluation, settings: FatigueSettings) -> Iterator[Answer]:
        """The answers to its question."""
        raise NotImplementedError

    def results(self, evaluation: Evaluation, settings: FatigueSettings) -> Iterator[Result]:
        """The answers as results, with the number of slices and the groups in their signatures."""
        for answer in self.answers(evaluation, settings):
            yield answer.result(self, evaluation, settings, settings.signature())


def sliced_ratings(evaluation: Evaluation, settings: FatigueSettings) -> tuple[SlicedRatings, ...]:
    """The slices of every question and split, as the settings ask for them."""
    return evaluation.once(slice_ratings, settings.group, settings.source, settings.slices)


def slice_ratings(
    evaluation: Evaluation, group: str, source: str | None, count: int
) -> tuple[SlicedRatings, ...]:
    """Every question and split of the evaluation, in slices."""
    seen = source_group(group_names(evaluation, group), source) if group else ""
    rated = evaluation.rated(with_positions(evaluation.valid))
    return tuple(
        SlicedRatings(groups=group_ratings(r, group, seen) if group else one_group(r), count=count)
        for r in rated
    )


def with_positions(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with their place in the judge's own sequence, from 0, and its length.

    Answers of one decision share a place. Where nothing tells the order it is the file's, for each
    question apart, since these may stand one under the other.
    """
    by = order_column(rows)
    if by:
        ordered = rows.filter(pl.col(by).is_not_null())
        # Ranks, not the values: positions may begin anywhere, and times are no numbers from 0.
        place, length = pl.col(by).rank("dense") - 1, pl.col(by).n_unique()
        return ordered.with_columns(
            place.over("judge").cast(pl.Int64).alias(POSITION),
            length.over("judge").cast(pl.Int64).alias(LENGTH),
        )
    # Questions may stand one under the other in the file: each has a sequence of its own.
    keys = ["judge", "question"]
    return rows.with_columns(
        pl.int_range(pl.len()).over(keys).cast(pl.Int64).alias(POSITION),
        pl.len().over(keys).cast(pl.Int64).alias(LENGTH),
    )


def order_column(rows: pl.DataFrame) -> str:
    """The column that tells the order; empty where only the file's order does."""
    there = (n for n in ORDERS if n in rows.columns and rows[n].null_count() < rows.height)
    return next(there, "")


class SliceValues(NamedTuple):
    """Values of judges (rows) in slices (columns), NaN where there is none; what they are of."""

    measure: str
    values: Array
    keys: Mapping[str, Key] = MappingProxyType({})

    @property
    def complete(self) -> Array:
        """The judges who have a value in every slice: only these can be compared over time."""
        return self.values[~np.isnan(self.values).any(axis=1)]
