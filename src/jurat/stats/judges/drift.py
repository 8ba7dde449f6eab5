"""Drift: which judges become stricter or more lenient in the course of judging."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from jurat.resampling.student_t import t_cdf
from jurat.stats.estimates import Estimates
from jurat.stats.judges.judge_ratings import chronological_by_judge, is_timed
from jurat.stats.judges.judge_statistic import Signal, SignalValues, flag_unlikely, sides
from jurat.stats.judges.peer_comparison import WORDS, others_mean
from jurat.stats.judges.peer_tests import few_documents, slope_test, unit_name
from jurat.stats.ratings import Array, Ratings, summed
from jurat.stats.settings import JudgeSettings

FEW_DOCUMENTS = (
    "no intervals: judges share no items and have fewer than six documents each, which do not tell "
    "how much documents differ"
)
UNORDERED = "needs the order of judging: a column decided_at, shown_at or position"


class JudgeDrift(Signal):
    """Drift: the same translation would get another score at the end than at the beginning."""

    name = "judge-drift"
    way = "drift"
    asks = "Who becomes stricter or more lenient in the course of judging?"
    formula = (
        "change from a judge's first to their last judgment: slope of own − others' mean of the "
        "item (own score where no item has others) over their progress from 0 to 1"
    )
    rule = "two-sided t test of the slope, p < .05"
    source = "ordinary least squares; rater drift: Wolfe et al. 2001"
    order = 48
    absent = UNORDERED

    def measure(self, ratings: Ratings, settings: JudgeSettings) -> SignalValues | None:
        """The drift of every judge, by their first judgment of each item."""
        return _drift(ratings.firsts, settings) if is_timed(ratings) else None


def _drift(ratings: Ratings, settings: JudgeSettings) -> SignalValues:
    score = np.full(len(ratings), np.nan) if ratings.nominal else _beyond_others(ratings)
    compared = not ratings.nominal and not np.isnan(others_mean(ratings)).all()
    known = ~np.isnan(score)
    place = progress(ratings)
    rows = _moments(place, np.where(known, score, 0.0), known)
    judges = len(ratings.judges)
    totals = np.column_stack([summed(ratings.judge_codes, column, judges) for column in rows.T])
    test = slope_test(place, score, ratings, unit=settings.unit)
    made = test.intervals(settings, unit_name(ratings, settings.unit))
    slopes = Estimates.without_intervals(_slope(totals))
    if made is None:
        made = slopes
    elif not compared and few_documents(ratings, settings.unit):
        # scores of a document go up and down together, and few documents do not tell how much
        made = replace(slopes, method=FEW_DOCUMENTS)
    p = _p_of_slope(totals)
    flags = flag_unlikely(p)
    # two judgments always lie on a line: without a p-value the slope says nothing either
    values, low, high = (
        np.where(np.isnan(p), np.nan, part) for part in (made.values, made.low, made.high)
    )
    return SignalValues.of(
        ratings,
        replace(made, values=values, low=low, high=high),
        totals[:, 0],
        flags,
        reason=WORDS if ratings.nominal else "fewer than three judgments to compare",
        side=sides(values, flags.found, settings, middle=0.0),
        # without others on the same items, harder ones towards the end would look like drift
        test=test if compared else None,
    )


def progress(ratings: Ratings) -> Array:
    """How much of their judgments the judge had made before each one, from 0 to 1."""
    codes, order = ratings.judge_codes, chronological_by_judge(ratings)
    count = np.bincount(codes)
    place = np.empty(len(codes))
    # the position of each judgment among its judge's: the running number less where they start
    place[order] = np.arange(len(codes)) - np.repeat(np.cumsum(count) - count, count)
    return np.asarray(place / np.maximum(count - 1, 1)[codes])


def _beyond_others(ratings: Ratings) -> Array:
    # less the others' mean, so that harder items towards the end are no drift
    beyond = ratings.values - others_mean(ratings)
    return ratings.values if np.isnan(beyond).all() else beyond


def _moments(x: Array, y: Array, known: Array) -> Array:
    """Count, Σx, Σy, Σx², Σxy, Σy² of the known ones."""
    return np.column_stack([known, x, y, x * x, x * y, y * y]) * known[:, None]


def _centred(totals: Array) -> tuple[Array, Array, Array, Array]:
    n, x, y, xx, xy, yy = totals.T
    return n, xx - x * x / n, xy - x * y / n, yy - y * y / n


def _slope(totals: Array) -> Array:
    with np.errstate(all="ignore"):
        _, xx, xy, _ = _centred(totals)
        return np.where(xx > 1e-12, xy / xx, np.nan)


def _p_of_slope(totals: Array) -> Array:
    """The two-sided p of each judge's slope; NaN with fewer than three judgments."""
    with np.errstate(all="ignore"):
        n, xx, xy, yy = _centred(totals)
        freedom = n - 2
        rest = np.maximum(yy - xy**2 / xx, 0.0)
        t = np.abs(xy / xx) / np.sqrt(rest / freedom / xx)
    t = np.where(np.isnan(t), 0.0, t)  # no slope and no noise
    p = 2 * t_cdf(np.maximum(freedom, 1), -t)
    return np.asarray(np.where((freedom > 0) & (xx > 1e-12), p, np.nan))
