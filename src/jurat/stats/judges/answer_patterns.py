"""How a judge answers: the same in a row, on little of the scale, in its middle, or too fast."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl

from jurat.results import Result
from jurat.stats.estimates import share_of_first
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.judges.judge_ratings import (
    chronological_by_judge,
    judge_intervals,
    judge_shares,
    once,
    true_ratings,
)
from jurat.stats.judges.judge_statistic import (
    OutlierFlags,
    Signal,
    SignalValues,
    flag_above,
    flag_below,
    flag_unlikely,
)
from jurat.stats.judges.peer_comparison import WORDS
from jurat.stats.judges.peer_tests import LOW, PeerTest, excess_over_others, peer_test
from jurat.stats.ratings import Array, Codes, Ratings, divide_or_nan, summed
from jurat.stats.settings import JudgeSettings
from jurat.tables.schema import cast_column


class AnswerRuns(Signal):
    """Long runs of the same answer: a judge who clicks through."""

    name = "judge-longest-run"
    way = "runs"
    asks = "Who gives the same answer many times in a row?"
    formula = (
        "the most equal answers in a row, in the order of decided_at, shown_at or position, "
        "else of the file"
    )
    rule = (
        "p < .05 that as long a run comes about at random, 1 − exp(−Σ p^L (1 + (n − L)(1 − p))) "
        "with p the share of each of their answers (among all judges' where they gave only one)"
    )
    source = "Feller 1968, XIII.7 (Poisson limit)"
    reads_order = True
    order = 44

    def measure(self, ratings: Ratings, settings: JudgeSettings) -> SignalValues:
        """The longest run of every judge."""
        longest, answers = longest_runs(ratings), np.bincount(ratings.judge_codes)
        chances = chance_of_run(longest, answers, _answer_shares(ratings))
        return SignalValues.of(ratings, longest, answers, flag_unlikely(chances))


class AnswerEntropy(Signal):
    """Little entropy: a judge who gives nearly always the same answer."""

    name = "judge-entropy"
    way = "entropy"
    asks = "Who uses little of the scale?"
    formula = "entropy of the judge's answers, −Σ p log2 p, in bits"
    rule = "below mean − {k} SD (ddof 1) of the judges' entropies"
    source = "Shannon 1948"
    order = 46

    def measure(self, ratings: Ratings, settings: JudgeSettings) -> SignalValues:
        """The entropy of every judge's answers."""
        counts = _answer_counts(ratings)
        values = entropy(counts.astype(np.float64))
        flags = flag_below(values, settings.k)
        n, test = counts.sum(axis=1), _spread_test(ratings.firsts, settings)
        return SignalValues.of(ratings, values, n, flags, test=test)


def _spread_test(ratings: Ratings, settings: JudgeSettings) -> PeerTest | None:
    """Whether a judge's scores keep closer to the mean than others' of the same items."""
    # around the mean of all: around their own, a strict judge of a skewed scale would seem narrow
    away = np.abs(ratings.values - ratings.values.mean())
    excess = excess_over_others(away, ratings)
    if ratings.nominal or np.isnan(excess).all():
        return None
    return peer_test(excess, ratings, unit=settings.unit, side=LOW)


class MiddleShare(Signal):
    """Much of the middle: a judge who does not commit to either end."""

    name = "judge-middle-share"
    way = "middle"
    asks = "Who keeps to the middle of the scale?"
    formula = "share of the judge's answers in the middle third of the scale that was used"
    rule = "above mean + {k} SD (ddof 1) of the judges' shares"
    source = "central tendency: Guilford 1954"
    order = 47

    def measure(self, ratings: Ratings, settings: JudgeSettings) -> SignalValues:
        """The share of every judge's answers."""
        told = np.full(len(ratings), not ratings.nominal)
        inside = told if ratings.nominal else in_middle(ratings) > 0
        shares = judge_shares(inside, told, ratings, settings)
        flags = flag_above(shares.values, settings.k)
        n = np.bincount(ratings.judge_codes)
        return SignalValues.of(ratings, shares, n, flags, reason=WORDS)


def longest_runs(ratings: Ratings) -> Codes:
    """The length of each judge's longest run of equal answers."""
    order = chronological_by_judge(ratings)
    judges, codes = ratings.judge_codes[order], ratings.codes[order]
    # a run ends where the judge or the answer changes
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (judges[1:] != judges[:-1]) | (codes[1:] != codes[:-1])
    starts = np.flatnonzero(new)
    longest = np.zeros(len(ratings.judges), dtype=np.int64)
    np.maximum.at(longest, judges[starts], np.diff(np.append(starts, len(order))))
    return longest


def chance_of_run(length: Codes, answers: Codes, shares: Array) -> Array:
    """The probability of a run of at least this length among so many answers, given at random.

    `shares` (judges × answers) are the chances of each answer. Runs of L start at the first answer
    with p^L, at each later one with p^L (1 − p); their number is as good as Poisson.
    """
    size = length[:, None].astype(np.float64)
    runs = shares**size * (1 + np.maximum(answers[:, None] - size, 0) * (1 - shares))
    return np.asarray(-np.expm1(-runs.sum(axis=1)))


def _answer_counts(ratings: Ratings) -> Codes:
    """How often each judge gave each answer: judges × points."""
    points = len(ratings.points)
    cells = ratings.judge_codes * points + ratings.codes
    return np.bincount(cells, minlength=len(ratings.judges) * points).reshape(-1, points)


def _answer_shares(ratings: Ratings) -> Array:
    """The share of each answer among a judge's; of all judges' for one who gave no other."""
    counts = _answer_counts(ratings)
    own = counts / counts.sum(axis=1, keepdims=True)
    # by their own shares a run of all answers would be certain
    only_one = own.max(axis=1) == 1
    return np.asarray(np.where(only_one[:, None], counts.sum(axis=0) / len(ratings), own))


def entropy(counts: Array) -> Array:
    """The entropy in bits of each row of counts; an answer that was never given adds nothing."""
    shares = counts / counts.sum(axis=-1, keepdims=True)
    # 0 log 0 is 0, and np.log2 would warn
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(np.abs((shares * logs).sum(axis=-1)))


def in_middle(ratings: Ratings) -> Array:
    """Whether each answer lies in the middle third of the scale, as far as it was used."""
    low, high = ratings.values.min(), ratings.values.max()
    third = (high - low) / 3
    # a point on the border, as 3 and 5 of 1 to 7, belongs to the outer thirds
    slack = 1e-9 * third
    inside = (ratings.values > low + third + slack) & (ratings.values < high - third - slack)
    return np.asarray(inside, dtype=np.float64)


# How many times as fast as the others somebody has to be to stand out.
TWICE = 2.0
# Columns with the length of a text, where they hold numbers.
LENGTHS = ("words", "length", "characters", "chars")


class JudgeSpeed(Signal):
    """Too fast: nobody reads a long sentence in a second."""

    name = "judge-seconds"
    gives = ("judge-seconds", "judge-pace")
    way = "speed"
    asks = "Who is too fast for what they judge?"
    formula = "median seconds of the judge's decisions"
    rule = (
        "log pace below mean − {k} SD (ddof 1) of the judges' (without common items or lengths, "
        "log median seconds)"
    )
    source = "response times are log-normal: van der Linden 2006"
    needs = ("judge", "seconds")
    order = 42
    counted = "decisions with a time"
    absent = "no decision has a time"

    def measure_all(
        self, evaluation: Evaluation, settings: JudgeSettings
    ) -> tuple[SignalValues, ...]:
        """The median seconds of every judge; outliers are found by their pace."""
        found = paces(evaluation, settings)
        return tuple(
            replace(
                _flagged(medians(ratings), pace, settings),
                test=_speed_test(ratings, pace, settings.unit),
            )
            for ratings, pace in found
        )

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
    """Each judge's pace: how many times as long as others they take for the same items.

    It is the geometric mean over decisions.
    """
    away = pace_of_each(ratings)
    known = ~np.isnan(away)
    rows = np.column_stack([known, np.where(known, away, 0.0)])
    logs = judge_intervals(rows, ratings, share_of_first, settings).column(0)
    values, low, high = (np.exp(part) for part in (logs.values, logs.low, logs.high))
    made = replace(logs, values=values, low=low, high=high)
    judges = len(ratings.judges)
    return SignalValues.of(
        ratings,
        made,
        summed(ratings.judge_codes, known, judges),
        OutlierFlags.undefined(judges),
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
    total, count = summed(items, logs)[items], np.bincount(items)[items].astype(np.float64)
    if len(ratings.firsts) == len(ratings):
        return divide_or_nan(total - logs, count - 1)
    cells = ratings.judge_codes * len(ratings.items) + items
    own = np.unique(cells, return_inverse=True)[1]
    return divide_or_nan(total - summed(own, logs)[own], count - np.bincount(own)[own])


def medians(ratings: Ratings) -> SignalValues:
    """The median seconds of every judge."""
    seconds, codes = _seconds(ratings), ratings.judge_codes
    ordered = seconds[np.lexsort((seconds, codes))]
    count = np.bincount(codes)
    start = np.cumsum(count) - count
    # the two middle ones of each judge's sorted times, which are one for odd numbers
    values = (ordered[start + (count - 1) // 2] + ordered[start + count // 2]) / 2
    return SignalValues.of(ratings, values, count, OutlierFlags.undefined(len(values)))


def _flagged(median: SignalValues, pace: SignalValues, settings: JudgeSettings) -> SignalValues:
    """Outliers by pace, or by the median where there is nothing to compare with."""
    compared = median if np.isnan(pace.values).all() else pace
    return replace(median, flags=flag_below(np.log(compared.values), settings.k))


def _speed_test(ratings: Ratings, pace: SignalValues, unit: str) -> PeerTest:
    """Whether a judge is faster than the others, and at least twice as fast."""
    firsts = ratings.firsts
    found = peer_test(pace_of_each(firsts), firsts, unit=unit, side=LOW)
    # people differ in speed: being the fastest is no cause for doubt
    slower = pace.values > 1 / TWICE
    return found._replace(p=np.where(slower & ~np.isnan(found.p), 1.0, found.p))


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
