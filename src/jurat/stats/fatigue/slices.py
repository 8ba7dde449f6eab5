"""A judge's work cut into slices of equal length, in the order in which it was done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import polars as pl

from jurat.results import Key
from jurat.stats.bias.groups import (
    Grouping,
    Groups,
    Mask,
    groups_in,
    groups_of,
    source_of,
    ungrouped,
)
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Codes, Ratings

ORDERS = ("position", "decided_at", "shown_at")
"""What tells the order of a judge's decisions: the first that there is; else the file's order."""
PLACE, LENGTH = "\0place", "\0length"
ALIKE = 0.95
"""Share of the variance of places that items explain, from which all saw nearly the same order."""


class Slicing(Grouping, frozen=True, kw_only=True):
    """Into how many slices the work of each judge is cut."""

    slices: int = 5


@dataclass(frozen=True, kw_only=True, eq=False)
class Sliced:
    """Answers of judges in groups, and the slice of his own work in which each was given."""

    groups: Groups
    count: int

    @property
    def ratings(self) -> Ratings:
        """The first answers of each judge to each item."""
        return self.groups.ratings

    @cached_property
    def of_row(self) -> Codes:
        """The slice of each answer: ⌊(place − 1) · slices / decisions of the judge⌋."""
        place, length = (self.ratings.frame[name].to_numpy() for name in (PLACE, LENGTH))
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
        edges = [round(100 * n / self.count) for n in range(self.count + 1)]
        return [f"{low}-{high}" for low, high in pairwise(edges)]

    @cached_property
    def same_order(self) -> bool:
        """Whether all judges saw the items in nearly the same order.

        A slice then has items of its own, and what differs may be these and not the judges.
        """
        progress = (self.ratings.frame[PLACE] / self.ratings.frame[LENGTH]).to_numpy()
        items = self.ratings.item_codes
        n = np.maximum(np.bincount(items), 1)
        mean = np.bincount(items, weights=progress) / n
        several = n[items] > 1
        if not several.any() or not (total := float(np.var(progress[several]))):
            return False
        return 1 - float(np.mean((progress - mean[items])[several] ** 2)) / total > ALIKE

    def within(self, at: int) -> Mask:
        """The answers of one slice."""
        return np.asarray(self.of_row == at)

    @cached_property
    def monolingual(self) -> Sliced:
        """Without the judges who saw the source, where there are such."""
        if not self.groups.source:
            return self
        rows = self.groups.saw_reference(self.groups.of_row)
        kept = replace(
            self.groups, ratings=self.ratings.where(rows), of_row=self.groups.of_row[rows]
        )
        return replace(self, groups=kept)


def sliced(
    evaluation: Evaluation, group: str, source: str | None, count: int
) -> tuple[Sliced, ...]:
    """Every question and split of the evaluation, in slices."""
    seen = source_of(groups_in(evaluation, group), source) if group else ""
    rated = evaluation.rated(placed(evaluation.valid))
    return tuple(
        Sliced(groups=groups_of(r, group, seen) if group else ungrouped(r), count=count)
        for r in rated
    )


def placed(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with their place in the judge's own sequence, from 0, and its length.

    Answers of one decision share a place. Where nothing tells the order it is the file's, for each
    question apart, since these may stand one under the other.
    """
    by = order_of(rows)
    if by:
        told = rows.filter(pl.col(by).is_not_null())
        place, length = pl.col(by).rank("dense") - 1, pl.col(by).n_unique()
        return told.with_columns(
            place.over("judge").cast(pl.Int64).alias(PLACE),
            length.over("judge").cast(pl.Int64).alias(LENGTH),
        )
    keys = ["judge", "question"]
    return rows.with_columns(
        pl.int_range(pl.len()).over(keys).cast(pl.Int64).alias(PLACE),
        pl.len().over(keys).cast(pl.Int64).alias(LENGTH),
    )


def order_of(rows: pl.DataFrame) -> str:
    """The column that tells the order; empty where only the file's order does."""
    there = (n for n in ORDERS if n in rows.columns and rows[n].null_count() < rows.height)
    return next(there, "")


class Course(NamedTuple):
    """Values of judges (rows) in slices (columns), NaN where there is none; what they are of."""

    measure: str
    values: Array
    keys: Mapping[str, Key] = MappingProxyType({})

    @property
    def complete(self) -> Array:
        """The judges who have a value in every slice: only these can be compared over time."""
        return self.values[~np.isnan(self.values).any(axis=1)]
