"""How fast a judge is, for the items they judge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl

from jurat.results import Result
from jurat.stats.evaluation import Evaluation
from jurat.stats.judges import outlier_rules
from jurat.stats.judges.judge_intervals import (
    divide_or_nan,
    judge_intervals,
    share_of_first,
    sum_by_code,
)
from jurat.stats.judges.outlier_rules import OutlierFlags
from jurat.stats.judges.settings import JudgeSettings, once, true_ratings
from jurat.stats.judges.signal import Signal, SignalValues
from jurat.stats.ratings import Array, Ratings
from jurat.tables.schema import cast_column

# Columns with the length of a text, where they hold numbers.
LENGTHS = ("words", "length", "characters", "chars")


class JudgeSpeed(Signal):
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
    order = 42
    counts = "decisions with a time"
    absent = "no decision has a time"

    def measure_all(
        self, evaluation: Evaluation, settings: JudgeSettings
    ) -> tuple[SignalValues, ...]:
        """The median seconds of every judge; outliers are found by their pace."""
        found = paces(evaluation, settings)
        return tuple(_flagged(medians(ratings), pace, settings) for ratings, pace in found)

    def results(self, evaluation: Evaluation, settings: JudgeSettings) -> Iterator[Result]:
        """The median seconds of every judge, and their pace."""
        yield from super().results(evaluation, settings)
        yield self.signal_result(
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
def paces(
    evaluation: Evaluation, settings: JudgeSettings
) -> tuple[tuple[Ratings, SignalValues], ...]:
    """The timed judgments of each question and split, and every judge's pace."""
    timed = [_timed(ratings) for ratings in true_ratings(evaluation, settings)]
    return tuple((ratings, pace(ratings, settings)) for ratings in timed if len(ratings))


def pace(ratings: Ratings, settings: JudgeSettings) -> SignalValues:
    """How many times as long as others a judge takes for the same."""
    away = pace_of_each(ratings)
    known = ~np.isnan(away)
    rows = np.column_stack([known, np.where(known, away, 0.0)])
    made = judge_intervals(rows, ratings, lambda t: np.exp(share_of_first(t)), settings).column(0)
    judges = len(ratings.judges)
    return SignalValues.of(
        ratings,
        made,
        sum_by_code(ratings.judge_codes, known, judges),
        OutlierFlags(np.full(judges, np.nan)),
        reason="nobody else judged the same items, and no column tells their length",
    )


def pace_of_each(ratings: Ratings) -> Array:
    """Log seconds of each decision beyond those of the others, or of what its length asks."""
    # times are log-normal: of logs means and deviations make sense
    logs = np.log(_seconds(ratings))
    away = logs - _of_others(logs, ratings)
    if not np.isnan(away).all():
        return away
    length = _lengths(ratings)
    if length is None:
        return np.full(len(ratings), np.nan)
    # log seconds on log length: a power law of the text's length
    slope, start = np.polyfit(length, logs, 1) if np.ptp(length) else (0.0, logs.mean())
    return np.asarray(logs - start - slope * length)


def _of_others(logs: Array, ratings: Ratings) -> Array:
    """The mean of the other judges' on the same item; a judge's repeats tell nothing of others."""
    items = ratings.item_codes
    total, count = sum_by_code(items, logs)[items], np.bincount(items)[items].astype(np.float64)
    if len(ratings.firsts) == len(ratings):
        return divide_or_nan(total - logs, count - 1)
    cells = ratings.judge_codes * len(ratings.items) + items
    own = np.unique(cells, return_inverse=True)[1]
    return divide_or_nan(total - sum_by_code(own, logs)[own], count - np.bincount(own)[own])


def medians(ratings: Ratings) -> SignalValues:
    """The median seconds of every judge."""
    seconds, codes = _seconds(ratings), ratings.judge_codes
    ordered = seconds[np.lexsort((seconds, codes))]
    count = np.bincount(codes)
    start = np.cumsum(count) - count
    # the two middle ones of each judge's sorted times, which are one for odd numbers
    values = (ordered[start + (count - 1) // 2] + ordered[start + count // 2]) / 2
    return SignalValues.of(ratings, values, count, OutlierFlags(np.full(len(values), np.nan)))


def _flagged(median: SignalValues, pace: SignalValues, settings: JudgeSettings) -> SignalValues:
    """Outliers by pace, or by the median where there is nothing to compare with."""
    compared = median if np.isnan(pace.values).all() else pace
    return replace(median, flags=outlier_rules.below(np.log(compared.values), settings.k))


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
