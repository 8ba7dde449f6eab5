"""Intervals of coefficients of pairs of judges, and of their mean, from leaving out units.

A unit is left out of all pairs at once: pairs share judges and items, and are not independent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from jurat.resampling.jackknife_t import interval_of_left_out, jackknife_method
from jurat.results import Estimate, Key
from jurat.stats.agreement.new_judges import (
    draws_judges,
    left_out_of_pairs,
    new_judges_method,
    with_new_judges,
)
from jurat.stats.agreement.rare_answer_intervals import Rarity
from jurat.stats.estimates import Estimates, method_line, of_jackknife
from jurat.stats.independent_units import units_of
from jurat.stats.judge_pairs import ENOUGH_SHARED, FewShared, JudgePairs, PairUnits
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.statistic import Settings

UNSHARED = "no two judges judged the same item"


def judge_pairs(ratings: Ratings) -> JudgePairs:
    """The pairs of judges of some first answers, found once."""
    return ratings.once(JudgePairs.of)


def pair_units(ratings: Ratings, settings: Settings) -> PairUnits:
    """What the pairs share of each unit, found once."""
    return ratings.once(_pair_units, settings)


def _pair_units(ratings: Ratings, settings: Settings) -> PairUnits:
    units = units_of(ratings, settings)
    return PairUnits.of(judge_pairs(ratings), units.of_item, units.number)


class PseudoPairs(NamedTuple):
    """The pairs with four pseudo-items, each a unit of its own."""

    pairs: JudgePairs
    unit_of_item: Codes
    cells: PairUnits


def pseudo_pairs(ratings: Ratings, settings: Settings, weights: str = "none") -> PseudoPairs:
    """The pairs with four items more, found once; two answers must occur."""
    return ratings.once(_pseudo_pairs, settings, weights)


def _pseudo_pairs(ratings: Ratings, settings: Settings, weights: str) -> PseudoPairs:
    known, units = judge_pairs(ratings), units_of(ratings, settings)
    # Pseudo-items are numbered on from the last item that two judges share.
    shared = units.of_item[: int(known.item.max()) + 1]
    of_item = np.concatenate([shared, units.number + np.arange(4)])
    if units.are_items:
        of_item = np.arange(len(of_item))
    pairs = known.with_pseudo_items(weights)
    return PseudoPairs(pairs, of_item, PairUnits.of(pairs, of_item, int(of_item.max()) + 1))


def pair_method(ratings: Ratings, settings: Settings) -> str:
    """How intervals of these pairs came about; empty where there are none."""
    shared = int(np.count_nonzero(np.bincount(pair_units(ratings, settings).unit)))
    if not settings.intervals or not shared:
        return ""
    units = units_of(ratings, settings)
    if draws_judges(settings):
        return method_line(new_judges_method(settings), units.note)
    return method_line(jackknife_method(settings.confidence, shared, units.words), units.note)


def mean_over_pairs(
    ratings: Ratings,
    values: Array,
    left_out: Array | None,
    *,
    settings: Settings,
    by: Mapping[str, Key],
    reason: str,
    enough: int = ENOUGH_SHARED,
) -> Estimate:
    """The mean over the pairs that have a value; n counts these.

    The interval comes from `left_out`, the value of a pair without each of its units (an element a
    cell of `pair_units`), where these are given. `reason` says why there is no value although
    judges share items; where half of the pairs share fewer units than `enough`, a note says so.
    """
    defined = values[~np.isnan(values)]
    if not len(defined):
        return Estimate.of(
            None, 0, about=ratings, by=by, reason=reason if len(values) else UNSHARED
        )
    if left_out is None:
        return Estimate.of(float(defined.mean()), len(defined), about=ratings, by=by)
    cells = pair_units(ratings, settings)
    few = few_shared(ratings, settings, enough=enough)
    if few.too_few:
        found = Estimates.without_intervals(np.array([defined.mean()]))
    elif draws_judges(settings):
        pairs = judge_pairs(ratings)
        without = left_out_of_pairs(pairs, cells, values, left_out)
        found = with_new_judges(
            Estimates.without_intervals(without.value),
            without,
            settings,
            judges=len(pairs.judges),
            sizes=cells.unit_sizes,
            fisher=np.ones(1, dtype=np.bool_),
        )
    else:
        found = mean_with_interval(values, left_out, cells, settings)
    return noted(found.estimate(n=len(defined), about=ratings, by=by), few.note)


def few_shared(ratings: Ratings, settings: Settings, *, enough: int = ENOUGH_SHARED) -> FewShared:
    """What is said of means over pairs of judges who share fewer items or documents than enough."""
    cells, words = pair_units(ratings, settings), units_of(ratings, settings).words
    return FewShared.of(cells, len(judge_pairs(ratings)), words, enough=enough)


def mean_with_interval(
    values: Array,
    left_out: Array,
    cells: PairUnits,
    settings: Settings,
    *,
    pseudo: bool = False,
) -> Estimates:
    """The mean over the pairs that have a value, each unit being left out of all pairs at once."""
    without = cells.means_without(values, left_out)[np.flatnonzero(np.bincount(cells.unit))]
    found = interval_of_left_out(
        np.array([np.nanmean(values)]),
        without[:, None],
        fisher=np.ones(1, dtype=np.bool_),
        sizes=cells.unit_sizes,
        pseudo=pseudo,
        confidence=settings.confidence,
    )
    return of_jackknife(found)


def widened_mean(mean: Estimate, wide: Estimates, rare: Rarity) -> Estimate:
    """The wider of the interval as it is and that with pseudo-items, with the note."""
    if mean.value is None:
        return mean
    low, high = float(wide.low[0]), float(wide.high[0])
    low = low if mean.low is None else min(low, mean.low)
    high = max(high, mean.value if mean.high is None else mean.high)
    return mean._replace(low=low, high=high, note=method_line(rare.note, mean.note))


def noted(estimate: Estimate, note: str) -> Estimate:
    """The estimate with this note, where it has a value and no other note."""
    if estimate.value is None or estimate.note or not note:
        return estimate
    return estimate._replace(note=note)
