"""How a judge uses the scale: the same answer in a row, little of the scale, or its middle."""

from __future__ import annotations

import numpy as np

from jurat.stats.judges import outlier_rules
from jurat.stats.judges.judge_intervals import judge_intervals, share_of_first
from jurat.stats.judges.peer_comparison import WORDS
from jurat.stats.judges.settings import JudgeSettings, chronological_by_judge
from jurat.stats.judges.signal import Signal, SignalValues
from jurat.stats.ratings import Array, Codes, Ratings


class AnswerRuns(Signal):
    """Long runs of the same answer: a judge who clicks through."""

    name = "judge-longest-run"
    gives = ("judge-longest-run",)
    way = "runs"
    asks = "Who gives the same answer many times in a row?"
    formula = (
        "the most equal answers in a row, in the order of decided_at, shown_at or position, "
        "else of the file"
    )
    rule = (
        "p < .05 that as long a run comes about at random, 1 − exp(−Σ p^L (1 + (n − L)(1 − p))) "
        "with p the share of each of his answers (among all judges' where he gave only one)"
    )
    source = "Feller 1968, XIII.7 (Poisson limit)"
    needs = ("judge",)
    order = 44

    def measure(self, ratings: Ratings, settings: JudgeSettings) -> SignalValues:
        """The longest run of every judge."""
        longest, answers = longest_runs(ratings), np.bincount(ratings.judge_codes)
        chances = chance_of_run(longest, answers, _answer_shares(ratings))
        return SignalValues.of(ratings, longest, answers, outlier_rules.unlikely(chances))


class AnswerEntropy(Signal):
    """Little entropy: a judge who gives nearly always the same answer."""

    name = "judge-entropy"
    gives = ("judge-entropy",)
    way = "entropy"
    asks = "Who uses little of the scale?"
    formula = "entropy of the judge's answers, −Σ p log2 p, in bits"
    rule = "below mean − {k} SD (ddof 1) of the judges' entropies"
    source = "Shannon 1948"
    needs = ("judge",)
    order = 46

    def measure(self, ratings: Ratings, settings: JudgeSettings) -> SignalValues:
        """The entropy of every judge's answers."""
        counts = _answer_counts(ratings)
        values = entropy(counts.astype(np.float64))
        flags = outlier_rules.below(values, settings.k)
        return SignalValues.of(ratings, values, counts.sum(axis=1), flags)


class MiddleShare(Signal):
    """Much of the middle: a judge who does not commit to either end."""

    name = "judge-middle-share"
    gives = ("judge-middle-share",)
    way = "middle"
    asks = "Who keeps to the middle of the scale?"
    formula = "share of the judge's answers in the middle third of the scale that was used"
    rule = "above mean + {k} SD (ddof 1) of the judges' shares"
    source = "central tendency: Guilford 1954"
    needs = ("judge",)
    order = 47

    def measure(self, ratings: Ratings, settings: JudgeSettings) -> SignalValues:
        """The share of every judge's answers."""
        inside = np.full(len(ratings), 0.0) if ratings.nominal else in_middle(ratings)
        rows = np.column_stack([np.full(len(ratings), float(not ratings.nominal)), inside])
        shares = judge_intervals(rows, ratings, share_of_first, settings).column(0)
        flags = outlier_rules.above(shares.values, settings.k)
        n = np.bincount(ratings.judge_codes)
        return SignalValues.of(ratings, shares, n, flags, reason=WORDS)


def longest_runs(ratings: Ratings) -> Codes:
    """The length of each judge's longest run of equal answers."""
    order = chronological_by_judge(ratings)
    judges, codes = ratings.judge_codes[order], ratings.codes[order]
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
