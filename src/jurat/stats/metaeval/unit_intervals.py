"""Intervals of metrics' numbers, and of their differences, over documents.

Documents are what another test set would draw anew; where they are unknown, segments are taken as
independent, and the method says so. Correlations and their differences come from the jackknife
that leaves out each document, on Fisher's scale and with t, shares from Wilson's interval with the
design effect of documents.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurat.resampling.engine import Score, evaluate
from jurat.resampling.jackknife_t import JackknifeT, interval_of_left_out, jackknife_t
from jurat.resampling.wilson import wilson_by_unit
from jurat.stats.estimates import Estimates
from jurat.stats.independent_units import FEW
from jurat.stats.metaeval.matched_scores import MatchedScores
from jurat.stats.ratings import Array, Codes
from jurat.stats.settings import MetricSettings

# Documents that are left out one by one where a number has to be computed anew each time; more are
# left out in groups of the same size.
MOST_RECOMPUTED = 40
# Numbers of the metrics that are left, from the data without some of the segments.
Values = Callable[[MatchedScores], Sequence[float]]


def share_scale(values: ArrayLike) -> Array:
    """Shares of 0 to 1 as coefficients of −1 to 1, which Fisher's scale takes: atanh is ½ logit."""
    return 2 * np.asarray(values, dtype=np.float64) - 1


def sum_intervals(
    data: MatchedScores,
    sums: Array,
    score: Score,
    settings: MetricSettings,
    *,
    used: ArrayLike | None = None,
) -> Estimates:
    """Coefficients from sums of each segment (segments × k), with jackknife intervals.

    `used` says in which segments each coefficient has a part (segments × m); by default there is
    one, and it has a part where any sum is not 0.
    """
    if not settings.intervals or data.units.number < 2:
        values = np.atleast_1d(evaluate(score, sums.sum(axis=0)[None])[0])
        return Estimates.without_intervals(values)
    found = jackknife_t(
        sums,
        score,
        clusters=data.units.of_item,
        scale="fisher",
        contributing=_contributing(data, sums.any(axis=1, keepdims=True) if used is None else used),
        confidence=settings.confidence,
        words=data.units.words,
    )
    return as_estimates(found)


def _contributing(data: MatchedScores, used: ArrayLike) -> Array:
    """How many units have a part in each value: they alone are counted in t."""
    columns = np.asarray(used, dtype=np.bool_).T
    return np.array([data.units.contributing(column) for column in columns], dtype=np.float64)


def as_estimates(found: JackknifeT, *, share: bool = False) -> Estimates:
    """The values and intervals of a jackknife, shares back on their own scale."""
    ends = (found.value, found.low, found.high)
    values, low, high = ((end + 1) / 2 for end in ends) if share else ends
    told = not np.isnan(found.low).all()
    return Estimates(values=values, low=low, high=high, method=found.method if told else "")


def share_intervals(
    data: MatchedScores,
    hits: Array,
    cases: Array,
    settings: MetricSettings,
    *,
    units: Codes | None = None,
    observed: ArrayLike | None = None,
) -> Estimates:
    """Shares Σ hits / Σ cases of rows × m with Wilson's intervals; `units` are those of rows."""
    with np.errstate(invalid="ignore", divide="ignore"):
        values = hits.sum(axis=0) / cases.sum(axis=0)
    if not settings.intervals or not len(hits):
        return Estimates.without_intervals(values)
    found = wilson_by_unit(
        hits,
        cases,
        clusters=data.units.of_item if units is None else units,
        observed=observed,
        confidence=settings.confidence,
        words=data.units.words,
    )
    return Estimates(values=values, low=found.low, high=found.high, method=found.method)


def recomputed_intervals(
    data: MatchedScores,
    values: Values,
    settings: MetricSettings,
    *,
    share: bool = False,
    corrected: bool = True,
) -> Estimates:
    """Coefficients that are computed anew without each unit, with jackknife intervals.

    `corrected` is False for a number that is no estimate of one that more documents would give,
    but depends on their number, as p-values do: it has no bias to be corrected.
    """
    return intervals_of_left_out(
        data, *leave_out(data, values), settings, share=share, corrected=corrected
    )


def intervals_of_left_out(
    data: MatchedScores,
    value: Array,
    left_out: Array,
    settings: MetricSettings,
    *,
    share: bool = False,
    corrected: bool = True,
) -> Estimates:
    """`recomputed_intervals` from the coefficients, and those without each group (groups × m)."""
    if len(left_out) < 2:
        return Estimates.without_intervals(value)
    scaled = (share_scale(value), share_scale(left_out)) if share else (value, left_out)
    if not corrected:
        scaled = scaled[0], scaled[1] - scaled[1].mean(axis=0) + scaled[0]
    found = interval_of_left_out(
        *scaled,
        fisher=np.full(len(value), corrected),
        sizes=data.units.sizes,
        confidence=settings.confidence,
        units=data.units.number,
        words=group_words(data, len(left_out)),
    )
    # Without Fisher's scale an interval may reach beyond the coefficient's limits.
    cut = (
        found
        if corrected
        else replace(found, low=np.maximum(found.low, -1.0), high=np.minimum(found.high, 1.0))
    )
    told = cut.method if corrected else cut.method.replace("bias-corrected ", "")
    return as_estimates(replace(cut, method=told), share=share)


def leave_out(data: MatchedScores, values: Values) -> tuple[Array, Array]:
    """The values of all the data, and without each unit or group of units (groups × m)."""
    group = left_out_groups(data)
    number = int(group.max(initial=-1)) + 1
    left_out = [values(data.only(group != one)) for one in range(number)] if number > 1 else []
    value = np.array(values(data), dtype=np.float64)
    return value, np.array(left_out, dtype=np.float64).reshape(-1, len(value))


def left_out_groups(data: MatchedScores) -> NDArray[np.int64]:
    """What is left out together, for each segment: its unit, or a group of as many units each."""
    size = -(-data.units.number // MOST_RECOMPUTED)
    if size <= 1:
        return data.units.of_item
    # At random, since documents that stand together in a file are often alike.
    order = np.random.default_rng(0).permutation(data.units.number)
    return np.asarray((order // size)[data.units.of_item])


def group_words(data: MatchedScores, groups: int) -> str:
    """What is left out, in words for the method."""
    words = data.units.words
    return words if groups == data.units.number else f"{words} in {groups} random groups"


def too_few_units(data: MatchedScores) -> str:
    """Why metrics cannot be compared on so few units; empty where there are enough."""
    if data.units.number >= FEW:
        return ""
    words = data.units.words if data.units.number != 1 else data.units.word
    return f"{data.units.number} {words} cannot speak for others"


class CoefficientTests(NamedTuple):
    """Every two coefficients on one scale: their differences, intervals, and two-sided p."""

    difference: Array
    low: Array
    high: Array
    p: Array
    """m × m, as the other arrays: the row's less the column's; NaN where there is none."""
    scale: str
    """What the differences are of, in words."""
    n: int
    method: str
    reason: str = ""
    """Why there is no p."""


def compare_coefficients(
    value: Array,
    left_out: Array,
    *,
    confidence: float,
    units: int,
    words: str,
    sizes: ArrayLike | None = None,
) -> CoefficientTests:
    """Test every two of m coefficients, from their values without each unit (units × m).

    The jackknife of the difference of two atanh, corrected for bias, with t. Where a coefficient
    is ±1, itself or without a unit, the differences are of the coefficients themselves.
    """
    # One unit alone cannot be left out.
    left_out = left_out if len(left_out) > 1 else np.full((2, len(value)), np.nan)
    inside = bool((np.abs(value) < 1).all() and (np.abs(left_out) < 1).all())
    z, parts = (np.arctanh(value), np.arctanh(left_out)) if inside else (value, left_out)
    first, second = np.triu_indices(len(value), 1)
    found = interval_of_left_out(
        z[first] - z[second],
        parts[:, first] - parts[:, second],
        fisher=np.zeros(len(first), dtype=np.bool_),
        sizes=sizes,
        confidence=confidence,
        units=units,
        words=words,
    )
    # Where the correction turns the difference round, neither is the better one.
    same = found.centre * found.value > 0
    two_sided = np.where(same | np.isnan(found.p_value), found.p_value, 1.0)
    shape = (len(value), len(value))
    difference, low, high, p = (np.full(shape, np.nan) for _ in range(4))
    for to, one, other in (
        (difference, found.value, -found.value),
        (low, found.low, -found.high),
        (high, found.high, -found.low),
        (p, two_sided, two_sided),
    ):
        to[first, second], to[second, first] = one, other
    return CoefficientTests(
        difference, low, high, p, "atanh" if inside else "", len(left_out), found.method
    )
