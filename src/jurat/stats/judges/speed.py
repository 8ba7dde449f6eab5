"""How fast a judge is, against what he judges."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl

from jurat.results import Result
from jurat.stats.evaluation import Evaluation
from jurat.stats.judges import rules
from jurat.stats.judges.adding import added, over
from jurat.stats.judges.by_judge import spread_by_judge
from jurat.stats.judges.diagnosing import Diagnosing, once, ordinary
from jurat.stats.judges.rules import Verdict
from jurat.stats.judges.signal import Group, Reading, Signal
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.spread import Spread
from jurat.tables.columns import cast_column

LENGTHS = ("words", "length", "characters", "chars")
"""Columns that tell how long a text is, where they hold numbers."""


class Speed(Signal):
    """Too fast: nobody reads a long sentence in a second."""

    name = "judge-seconds"
    gives = ("judge-seconds", "judge-pace")
    way = "speed"
    asks = "Who is too fast for what he judges?"
    formula = "median seconds of the judge's decisions"
    rule = (
        "log pace below mean − {k} SD (ddof 1) of the judges' (without common items or lengths, "
        "log median seconds)"
    )
    source = "response times are log-normal: van der Linden 2006"
    needs = ("judge", "seconds")
    place = 42
    counts = "decisions with a time"
    absent = "no decision has a time"

    def measured(self, evaluation: Evaluation, settings: Diagnosing) -> tuple[Reading, ...]:
        """The median seconds of every judge, held against his pace."""
        pairs = ((medians(r), pace) for r, pace in paces(evaluation, settings))
        return tuple(_judged(medians, pace, settings) for medians, pace in pairs)

    def results(self, evaluation: Evaluation, settings: Diagnosing) -> Iterator[Result]:
        """The median seconds of every judge, and his pace."""
        yield from super().results(evaluation, settings)
        yield self.told_as(
            evaluation,
            settings,
            [pace for _, pace in paces(evaluation, settings)],
            name="judge-pace",
            formula=(
                "geometric mean of own seconds / the others' on the same items; where nobody "
                "else judged them, / what is expected of their length"
            ),
        )


@once
def paces(evaluation: Evaluation, settings: Diagnosing) -> tuple[tuple[Ratings, Reading], ...]:
    """The timed judgments of each question and split, and every judge's pace."""
    timed = [_timed(ratings) for ratings in ordinary(evaluation, settings)]
    return tuple((ratings, pace(ratings, settings)) for ratings in timed if len(ratings))


def pace(ratings: Ratings, settings: Diagnosing) -> Reading:
    """How many times as long as others a judge takes for the same."""
    away = pace_of_each(ratings)
    known = ~np.isnan(away)
    rows = np.column_stack([known, np.where(known, away, 0.0)])
    spreads = spread_by_judge(rows, ratings, lambda t: np.exp(t[:, 1:] / t[:, :1]), settings)
    return Reading(
        group=Group(ratings.question, ratings.tags),
        judges=ratings.judges,
        spread=spreads.column(0),
        n=_per_judge(ratings, known),
        verdict=Verdict(np.full(len(ratings.judges), np.nan)),
        reason="nobody else judged the same items, and no column tells their length",
    )


def pace_of_each(ratings: Ratings) -> Array:
    """Log seconds of each decision beyond those of the others, or of what its length asks."""
    logs = np.log(_seconds(ratings))
    away = logs - _of_others(logs, ratings)
    if not np.isnan(away).all():
        return away
    length = _lengths(ratings)
    if length is None:
        return np.full(len(ratings), np.nan)
    slope, start = np.polyfit(length, logs, 1) if np.ptp(length) else (0.0, logs.mean())
    return np.asarray(logs - start - slope * length)


def _of_others(logs: Array, ratings: Ratings) -> Array:
    """The mean of the other judges' on the same item; a judge's repeats tell nothing of others."""
    items = ratings.item_codes
    total, count = added(items, logs)[items], np.bincount(items)[items].astype(np.float64)
    if len(ratings.firsts) == len(ratings):
        return over(total - logs, count - 1)
    cells = ratings.judge_codes * len(ratings.items) + items
    own = np.unique(cells, return_inverse=True)[1]
    return over(total - added(own, logs)[own], count - np.bincount(own)[own])


def medians(ratings: Ratings) -> Reading:
    """The median seconds of every judge."""
    seconds, codes = _seconds(ratings), ratings.judge_codes
    ordered = seconds[np.lexsort((seconds, codes))]
    count = np.bincount(codes)
    start = np.cumsum(count) - count
    values = (ordered[start + (count - 1) // 2] + ordered[start + count // 2]) / 2
    nothing = np.full(len(values), np.nan)
    return Reading(
        group=Group(ratings.question, ratings.tags),
        judges=ratings.judges,
        spread=Spread(values=values, low=nothing, high=nothing),
        n=count,
        verdict=Verdict(nothing),
    )


def _judged(median: Reading, pace: Reading, settings: Diagnosing) -> Reading:
    told = median if np.isnan(pace.values).all() else pace
    return replace(median, verdict=rules.below(np.log(told.values), settings.k))


def _timed(ratings: Ratings) -> Ratings:
    known = _seconds(ratings) > 0
    return ratings if known.all() else ratings.where(known)


def _seconds(ratings: Ratings) -> Array:
    """Seconds of each decision; 0 where they are not known."""
    return ratings.frame["seconds"].fill_null(0.0).to_numpy().astype(np.float64)


def _lengths(ratings: Ratings) -> Array | None:
    """Log lengths, where a column tells every one of them."""
    for name in LENGTHS:
        if ratings.has(name):
            length = cast_column(ratings.frame[name], pl.Float64)
            if length.null_count() == 0 and (length > 0).all():
                return np.asarray(np.log(length.to_numpy().astype(np.float64)))
    return None


def _per_judge(ratings: Ratings, chosen: Array | Codes) -> Codes:
    many = added(ratings.judge_codes, chosen, len(ratings.judges))
    return many.astype(np.int64)
