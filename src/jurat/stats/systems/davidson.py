"""Davidson's strengths: comparisons with ties of their own, and an effect of the side shown."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats.estimates import method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.figures import coefficient_figure
from jurat.stats.ratings import Array
from jurat.stats.settings import Settings, SystemSettings
from jurat.stats.systems.connectivity import strongly_connected, why_no_maximum
from jurat.stats.systems.system_statistic import Display, SystemStatistic, best_first
from jurat.stats.systems.win_counts import PreferenceCounts, WinCounts, win_counts

# Newton's steps with a curvature of their own, and with the one that resamples share.
STEPS, SHARED_STEPS = 60, 20
# No step is longer than the limit; one no longer than the second ends the search.
LIMIT, PRECISE = 2.0, 1e-9
# Added to a curvature, which may be 0 but for rounding where there is no maximum.
ROUNDING = 1e-12
# Differences of strengths beyond which the likelihood has no maximum: odds of 10^13.
FARTHEST = 30.0
# What was counted of two systems, in the order in which they were shown.
FIRST, SECOND, TIE = range(3)

NO_SIDES = "the table does not tell which system was shown first"
ONE_ORDER = "every two systems were shown in one order: sides and strengths cannot be separated"
SIDE_UNBOUNDED = "too few comparisons to tell the effect of the side from strengths"
NO_TIES = "there are no ties"
SEPARATED = "some results are certain under the model: the likelihood has no maximum"


class Davidson(SystemStatistic):
    """Strengths θ, frequency of ties ν and side effect γ that make the comparisons most likely."""

    name = "davidson"
    gives = ("davidson", "davidson-ties", "side-effect")
    asks = "How strong is each system, with ties and the side shown taken into account?"
    formula = (
        "log-strength θ, mean 0; of a shown first and b: P(a) ∝ exp((θ_a − θ_b + γ)/2), "
        "P(b) ∝ exp((θ_b − θ_a − γ)/2), P(tie) ∝ ν; most likely by Newton's method"
    )
    source = "Davidson 1970; order effect: Davidson & Beaver 1977"
    order = 71
    shown = (Display("Davidson strengths", "log-strength", "has the greatest strength with ties,"),)
    resampled = False

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Strengths, frequencies of ties and side effects of every question."""
        chosen = SystemSettings.of(settings)
        found = [_davidson(counts, chosen) for counts in win_counts(evaluation, chosen)]
        how = next((one.method for one in found), "")
        give = partial(self.system_result, evaluation, chosen)
        strengths = [e for one in found for e in best_first(one.strengths)]
        yield give(strengths, method=method_line(self.formula, "n counts comparisons", how))
        ties = "ν: the odds of a tie of equally strong systems are ν to 2; n counts comparisons"
        yield give([one.ties for one in found], name="davidson-ties", method=method_line(ties, how))
        sides = "γ: the log-odds that the side shown first is preferred; n counts comparisons"
        effects = [one.side for one in found]
        yield give(
            effects,
            name="side-effect",
            method=method_line(sides, how),
            headline=_side_headline(effects),
        )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """Strengths by system; the other two by question."""
        if name == self.name:
            return super().figure_of(name, estimates)
        return coefficient_figure(name, estimates, over="question")


class DavidsonEstimates(NamedTuple):
    """What was estimated of one question and split."""

    strengths: Sequence[Estimate]
    ties: Estimate
    side: Estimate
    method: str


def _davidson(counts: WinCounts, settings: SystemSettings) -> DavidsonEstimates:
    size = len(counts.systems)
    rows, why_no_side = outcome_rows(counts)
    total = rows.sum(axis=0, keepdims=True)
    if not why_no_side and np.isnan(fit_of_totals(total, systems=size, sided=True)).all():
        # strengths may still be told, as if sides did not matter
        why_no_side = SIDE_UNBOUNDED
    score = partial(fit_of_totals, systems=size, sided=not why_no_side)
    made = counts.units.intervals(rows, score, settings)
    n, reason = int(total.sum()), why_no_maximum(counts)
    if strongly_connected(counts.wins + counts.ties / 2).all():
        reason = SEPARATED
    ties, side = (
        made.estimate(at, n=n, about=counts, reason=why)
        for at, why in ((size, reason), (size + 1, why_no_side or reason))
    )
    if not counts.ties.any() and not np.isnan(made.values[:size]).any():
        # log ν has no bound, ν is known
        ties = ties._replace(value=-math.inf, reason="", note=NO_TIES)
    strengths = counts.estimates(made, counts.n, reason)
    if why_no_side and why_no_side != NO_SIDES:
        strengths = (e._replace(note=method_line(e.note, why_no_side)) for e in strengths)
    return DavidsonEstimates(
        list(strengths),
        _frequency(ties),
        side,
        method_line(counts.words, counts.units.method(made)),
    )


def _frequency(log_ties: Estimate) -> Estimate:
    """ν from its logarithm, on whose scale the interval was made."""
    value, low, high = (
        None if x is None else math.exp(x) for x in (log_ties.value, log_ties.low, log_ties.high)
    )
    return log_ties._replace(value=value, low=low, high=high)


def _side_headline(effects: Sequence[Estimate]) -> str:
    """Whether the side shown first was preferred in the first question, as far as that is known."""
    known = [e for e in effects if e.value is not None and e.low is not None and e.high is not None]
    if not known:
        return ""
    e = known[0]
    assert e.value is not None
    assert e.low is not None
    assert e.high is not None
    words = f"(log-odds {spoken(e.value)} [{spoken(e.low)}, {spoken(e.high)}], n = {e.n:,})."
    if e.low <= 0 <= e.high:
        return f"No effect of the side shown first is found {words}"
    return f"The side shown {'first' if e.value > 0 else 'second'} is preferred {words}"


def outcome_rows(counts: WinCounts) -> tuple[Array, str]:
    """Cells × 3 S²: wins of the first, wins of the second, ties; then why sides do not count.

    The row's system was shown first. Where sides are unknown, it is the one with the lower number.
    """
    size = len(counts.systems)
    if isinstance(counts, PreferenceCounts) and counts.comparisons.sided:
        (first, second), result = counts.comparisons.sides, counts.result
        kind = np.where(result == 0, TIE, np.where(result > 0, FIRST, SECOND))
        column = (kind * size + first) * size + second
        rows = counts.units.sums(column, 3 * size * size)
        why = "" if _sides_told(rows.sum(axis=0).reshape(3, size, size)) else ONE_ORDER
        return rows, why
    wins, ties = np.moveaxis(counts.rows.reshape(-1, 2, size, size), 1, 0)
    made = np.stack([np.triu(wins), np.triu(wins.swapaxes(1, 2)), ties], axis=1)
    return made.reshape(len(made), 3 * size * size), NO_SIDES


def _sides_told(totals: Array) -> bool:
    """Whether a side effect differs from every choice of strengths: θ_a − θ_b = 1 fits not all."""
    first, second = np.nonzero(totals.sum(axis=0))
    size, rows = totals.shape[1], np.arange(len(first))
    design = np.zeros((len(first), size))
    design[rows, first] += 1
    design[rows, second] -= 1
    ones = np.ones(len(first))
    solved = np.linalg.lstsq(design, ones, rcond=None)[0]
    return not np.allclose(design @ solved, ones, atol=1e-6)


def fit_of_totals(totals: Array, *, systems: int, sided: bool) -> Array:
    """θ of each system (mean 0), log ν (−∞ without ties) and γ, of many totals at once.

    γ is NaN unless `sided`; all are NaN where the likelihood has no maximum.
    """
    counts = totals.reshape(-1, 3, systems, systems)
    wins = counts[:, FIRST] + counts[:, SECOND].swapaxes(1, 2)
    tied = counts[:, TIE] + counts[:, TIE].swapaxes(1, 2)
    found = np.full((len(counts), systems + 2), np.nan)
    there = strongly_connected(wins + tied) if systems > 1 else np.zeros(len(counts), dtype=bool)
    # a likelihood of ties alone grows with ν without end
    there &= wins.any(axis=(1, 2))
    if there.any():
        found[there] = _fitted(counts[there], sided=sided)
    return found


def _fitted(counts: Array, *, sided: bool) -> Array:
    """Newton's method on many counts at once, those of resamples of the same comparisons."""
    size = counts.shape[2]
    free = np.ones((len(counts), size + 2), dtype=bool)
    free[:, size], free[:, size + 1] = counts[:, TIE].any(axis=(1, 2)), sided
    at, arrived = np.zeros(free.shape), np.zeros(len(counts), dtype=bool)
    at[:, size] = np.where(free[:, size], 0.0, -np.inf)
    middle = counts.mean(axis=0, keepdims=True)
    # resamples lie close to their mean, and share its curvature unless one has lost its ties
    if len(counts) > 1 and (free == free[0]).all():
        start = _fitted(middle, sided=sided)
        if not np.isnan(start[:, :size]).any():
            at = np.where(free, start, at)
            inverse = np.asarray(np.linalg.inv(_slopes(middle, at[:1], free[:1])[1]), np.float64)
            _search(counts, at, free, arrived, inverse)
            # the last step has the curvature of each, which leaves no more than rounding
            arrived[:] = False
    _search(counts, at, free, arrived)
    at[:, :size] -= at[:, :size].mean(axis=1, keepdims=True)
    at[:, -1] = np.where(sided, at[:, -1], np.nan)
    at[~arrived] = np.nan
    return at


def _search(
    counts: Array,
    at: Array,
    free: NDArray[np.bool_],
    arrived: NDArray[np.bool_],
    inverse: Array | None = None,
) -> None:
    """Move `at` to the maxima, by the shared inverse curvature if given; mark who has arrived."""
    left = np.flatnonzero(~arrived)
    for _ in range(STEPS if inverse is None else SHARED_STEPS):
        if not len(left):
            return
        gradient, curvature = _slopes(counts[left], at[left], free[left], only=inverse is not None)
        made = np.linalg.solve(curvature, gradient) if inverse is None else inverse @ gradient
        step = made[:, :, 0]
        largest = np.abs(step).max(axis=1)
        at[left] += step * np.minimum(1, LIMIT / np.maximum(largest, PRECISE))[:, None]
        arrived[left[largest <= PRECISE]] = True
        far = np.abs(np.where(free[left], at[left], 0.0)).max(axis=1) > FARTHEST
        left = left[(largest > PRECISE) & ~far]


def _slopes(
    counts: Array, at: Array, free: NDArray[np.bool_], *, only: bool = False
) -> tuple[Array, Array]:
    """The gradient (a column) and the curvature of the likelihood; with `only` the gradient alone.

    With d = θ_a − θ_b + γ the scores are ½, −½ or 0 for d, and 1 of a tie for log ν; the
    information is their covariance times the number of comparisons.
    """
    size = counts.shape[2]
    theta, tie, side = at[:, :size], at[:, size, None, None], at[:, size + 1, None, None]
    half = (theta[:, :, None] - theta[:, None, :] + side) / 2
    top = np.maximum(np.abs(half), tie)
    first, second, equal = (np.exp(each - top) for each in (half, -half, tie))
    number, whole = counts.sum(axis=1), first + second + equal
    ahead, equal = (first - second) / whole / 2, equal / whole
    of_d = (counts[:, FIRST] - counts[:, SECOND]) / 2 - number * ahead
    of_tie = counts[:, TIE] - number * equal
    gradient = np.where(free, _by_parameter(of_d, of_tie), 0.0)[:, :, None]
    if only:
        return gradient, np.zeros(0)
    information, mixed = number * ((1 - equal) / 4 - ahead**2), -number * equal * ahead
    both = information + information.swapaxes(1, 2)
    curvature = np.zeros((len(at), size + 2, size + 2))
    curvature[:, :size, :size] = both.sum(axis=2)[:, :, None] * np.eye(size) - both
    # the mean of θ is free: a constant in every place makes the step one with mean 0
    scale = curvature.trace(axis1=1, axis2=2)[:, None, None] / size**2
    curvature[:, :size, :size] += np.maximum(scale, ROUNDING)
    curvature[:, size] = _by_parameter(mixed, number * equal * (1 - equal))
    curvature[:, size + 1] = _by_parameter(information, mixed)
    curvature[:, :size, size:] = curvature[:, size:, :size].swapaxes(1, 2)
    curvature[:, size, size + 1] = curvature[:, size + 1, size]
    curvature *= free[:, :, None] & free[:, None, :]
    return gradient, curvature + np.eye(size + 2) * np.where(free, ROUNDING, 1.0)[:, None, :]


def _by_parameter(of_d: Array, of_tie: Array) -> Array:
    """Derivatives by θ, log ν and γ from those of each pair by d and by log ν."""
    whole = [of_tie.sum(axis=(1, 2))[:, None], of_d.sum(axis=(1, 2))[:, None]]
    return np.concatenate([of_d.sum(axis=2) - of_d.sum(axis=1), *whole], axis=1)
