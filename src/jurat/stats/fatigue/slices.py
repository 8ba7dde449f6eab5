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
from jurat.stats.judges.peer_tests import PeerTest, unit_test
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.settings import FatigueSettings
from jurat.stats.statistic import Answer, Statistic

# What tells the order of a judge's decisions: the first that there is; else the file's order.
ORDERS = ("position", "decided_at", "shown_at")
POSITION, LENGTH = "\0place", "\0length"
# Share of the variance of places that belongs to the items, from which orders are alike. With 0.1
# and six judges, a test that takes judges as independent errs in about 7 % instead of 5 %.
ALIKE = 0.1
# Orders from which something can be said about other judges and items.
FEWEST_ORDERS = 3
SAME_ORDER = (
    "judges met the same items in the same order, so that their items and their fatigue cannot be "
    "told apart: shuffled kits would tell"
)
FEW = f"fewer than {FEWEST_ORDERS} judges have a value in every slice"


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
    def order_codes(self) -> Codes:
        """A number for each judge; the same for those who had the same sequence of items.

        What such judges share may come from the items, so that together they count as one.
        """
        ratings = self.ratings
        rows = np.lexsort((self.ratings.frame[POSITION].to_numpy(), ratings.judge_codes))
        ends = np.cumsum(np.bincount(ratings.judge_codes, minlength=len(ratings.judges)))[:-1]
        known: dict[object, int] = {}
        found = [
            known.setdefault(sequence.tobytes(), len(known))
            for sequence in np.split(ratings.item_codes[rows], ends)
        ]
        # a person in several groups is one, too
        codes, person = np.array(found, dtype=np.int64), self.groups.person
        first = np.full(int(person.max(initial=0)) + 1, len(known), dtype=np.int64)
        np.minimum.at(first, person, codes)
        return first[person]

    @cached_property
    def same_order(self) -> bool:
        """Whether judges saw the items in similar orders.

        A slice then has items of its own, and what differs may be these and not the judges.
        """
        ratings, codes = self.ratings, self.order_codes
        if len(np.unique(codes)) < min(FEWEST_ORDERS, len(codes)):
            return True
        # one judge of each order: those with the same order count as one anyway
        firsts = np.unique(codes, return_index=True)[1]
        rows = np.isin(ratings.judge_codes, firsts)
        progress = (ratings.frame[POSITION] / ratings.frame[LENGTH]).to_numpy()[rows]
        items = np.unique(ratings.item_codes[rows], return_inverse=True)[1]
        return _intraclass(progress, items) > ALIKE

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


def _intraclass(values: Array, items: Codes) -> float:
    """The share of variance between items (ICC(1)), less two standard errors; 0 without repeats."""
    n = np.bincount(items)
    several = n[items] > 1
    if not several.any():
        return 0.0
    values, items = values[several], np.unique(items[several], return_inverse=True)[1]
    n = np.bincount(items)
    mean = np.bincount(items, weights=values) / n
    groups, total = len(n), len(values)
    typical = (total - (n**2).sum() / total) / max(groups - 1, 1)
    between = (n * (mean - values.mean()) ** 2).sum() / max(groups - 1, 1)
    within = ((values - mean[items]) ** 2).sum() / (total - groups)
    if between + (typical - 1) * within <= 0:
        return 0.0
    share = (between - within) / (between + (typical - 1) * within)
    # chance alone makes a few items look alike in their places (Fisher's variance of an ICC of 0)
    return float(share - 2 * np.sqrt(2 / (groups * typical * max(typical - 1, 1e-9))))


class SliceStatistic(Statistic[FatigueSettings]):
    """A statistic of judges' work in slices: subclasses give `answers`."""

    reads_order = True

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
    # without judgments there are no columns to ask for
    if rows.is_empty():
        return rows
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
    orders: Codes = np.zeros(0, dtype=np.int64)
    """Of each judge: those with the same number had the same items in the same order."""

    @property
    def _kept(self) -> Mask:
        return np.asarray(~np.isnan(self.values).any(axis=1))

    @property
    def complete(self) -> Array:
        """The judges who have a value in every slice: only these can be compared over time."""
        return self.values[self._kept]

    def test(self, changes: Array, side: int) -> PeerTest:
        """The t test of the mean of these judges' changes, with orders as what varies."""
        codes = self.orders[self._kept] if len(self.orders) else np.arange(len(changes))
        one = np.zeros(len(changes), dtype=np.int64)
        return unit_test(changes, one, codes, 1, side)

    @property
    def units(self) -> int:
        """How many orders the judges with a value in every slice had."""
        return len(np.unique(self.orders[self._kept])) if len(self.orders) else len(self.complete)
