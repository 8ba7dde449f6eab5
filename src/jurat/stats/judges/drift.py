"""Whether a judge becomes stricter or more lenient as he goes on."""

from __future__ import annotations

import numpy as np

from jurat.stats.evaluation import Evaluation
from jurat.stats.judges import rules
from jurat.stats.judges.adding import added
from jurat.stats.judges.by_judge import spread_by_judge
from jurat.stats.judges.diagnosing import Diagnosing, ordinary
from jurat.stats.judges.in_time import by_judge_in_time, is_timed
from jurat.stats.judges.panel import WORDS, others_mean
from jurat.stats.judges.rules import Verdict
from jurat.stats.judges.signal import Group, Reading, Signal
from jurat.stats.ratings import Array, Ratings
from jurat.stats.spread import Spread

UNORDERED = "needs the order of judging: a column decided_at, shown_at or position"


class Drift(Signal):
    """Drift: the same translation would get another score at the end than at the beginning."""

    name = "judge-drift"
    gives = ("judge-drift",)
    way = "drift"
    asks = "Who becomes stricter or more lenient in the course of judging?"
    formula = (
        "change from a judge's first to his last judgment: slope of own − others' mean of the item "
        "(own score where no item has others) over his progress from 0 to 1"
    )
    rule = "two-sided t test of the slope, p < .05"
    source = "ordinary least squares; rater drift: Wolfe et al. 2001"
    needs = ("judge",)
    place = 48
    absent = UNORDERED

    def measured(self, evaluation: Evaluation, settings: Diagnosing) -> tuple[Reading, ...]:
        """The drift of every judge."""
        timed = (r.firsts for r in ordinary(evaluation, settings) if is_timed(r))
        return tuple(_reading(ratings, settings) for ratings in timed)


def _reading(ratings: Ratings, settings: Diagnosing) -> Reading:
    score = np.full(len(ratings), np.nan) if ratings.nominal else _beyond_others(ratings)
    known = ~np.isnan(score)
    rows = _moments(progress(ratings), np.where(known, score, 0.0), known)
    spread = spread_by_judge(rows, ratings, _slope, settings).column(0)
    judges = len(ratings.judges)
    totals = [added(ratings.judge_codes, c, judges) for c in rows.T]
    p = _chance(np.column_stack(totals))
    values = np.where(np.isnan(p), np.nan, spread.values)
    verdict = rules.unlikely(p)
    return Reading(
        group=Group(ratings.question, ratings.tags),
        judges=ratings.judges,
        spread=Spread(
            values=values,
            low=np.where(np.isnan(p), np.nan, spread.low),
            high=np.where(np.isnan(p), np.nan, spread.high),
            method=spread.method,
        ),
        n=totals[0].astype(np.int64),
        verdict=verdict,
        reason=WORDS if ratings.nominal else "fewer than three judgments to compare",
        side=_sides(values, verdict),
    )


def progress(ratings: Ratings) -> Array:
    """How far the judge had come at each judgment, from 0 to 1."""
    codes, order = ratings.judge_codes, by_judge_in_time(ratings)
    count = np.bincount(codes)
    place = np.empty(len(codes))
    place[order] = np.arange(len(codes)) - np.repeat(np.cumsum(count) - count, count)
    return np.asarray(place / np.maximum(count - 1, 1)[codes])


def _beyond_others(ratings: Ratings) -> Array:
    beyond = ratings.values - others_mean(ratings)
    return ratings.values if np.isnan(beyond).all() else beyond


def _moments(x: Array, y: Array, known: Array) -> Array:
    """Count, Σx, Σy, Σx², Σxy, Σy² of the known ones."""
    return np.column_stack([known, x, y, x * x, x * y, y * y]) * known[:, None]


def _centred(totals: Array) -> tuple[Array, Array, Array, Array]:
    n, x, y, xx, xy, yy = totals.T
    return n, xx - x * x / n, xy - x * y / n, yy - y * y / n


def _slope(totals: Array) -> Array:
    _, xx, xy, _ = _centred(totals)
    return np.where(xx > 1e-12, xy / xx, np.nan)[:, None]


def _chance(totals: Array) -> Array:
    """The p of each judge's slope; NaN where fewer than three judgments tell it."""
    from scipy.special import stdtr

    with np.errstate(all="ignore"):
        n, xx, xy, yy = _centred(totals)
        freedom = n - 2
        rest = np.maximum(yy - xy**2 / xx, 0.0)
        t = np.abs(xy / xx) / np.sqrt(rest / freedom / xx)
    t = np.where(np.isnan(t), 0.0, t)  # no slope and no noise
    p = 2 * stdtr(np.maximum(freedom, 1), -t)
    return np.asarray(np.where((freedom > 0) & (xx > 1e-12), p, np.nan))


def _sides(values: Array, verdict: Verdict) -> tuple[str, ...]:
    """Where a judge who drifts is going."""
    return tuple(
        ("strict" if value < 0 else "lenient") if hit == 1 else ""
        for value, hit in zip(values, verdict.found, strict=True)
    )
