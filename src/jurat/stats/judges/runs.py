"""The same answer again and again."""

from __future__ import annotations

import numpy as np

from jurat.stats.evaluation import Evaluation
from jurat.stats.judges import rules
from jurat.stats.judges.diagnosing import Diagnosing, ordinary
from jurat.stats.judges.in_time import by_judge_in_time
from jurat.stats.judges.signal import Group, Reading, Signal
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.spread import Spread


class Runs(Signal):
    """Long runs: a judge who clicks through."""

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
    place = 44

    def measured(self, evaluation: Evaluation, settings: Diagnosing) -> tuple[Reading, ...]:
        """The longest run of every judge."""
        return tuple(_reading(r) for r in ordinary(evaluation, settings))


def longest_runs(ratings: Ratings) -> Codes:
    """The length of each judge's longest run of equal answers."""
    order = by_judge_in_time(ratings)
    judges, codes = ratings.judge_codes[order], ratings.codes[order]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (judges[1:] != judges[:-1]) | (codes[1:] != codes[:-1])
    starts = np.flatnonzero(new)
    longest = np.zeros(len(ratings.judges), dtype=np.int64)
    np.maximum.at(longest, judges[starts], np.diff(np.append(starts, len(order))))
    return longest


def chance_of_run(length: Codes, answers: Codes, shares: Array) -> Array:
    """The probability of a run of at least this length among so many answers, given at random.

    `shares` (judges × answers) are the chances of each answer.
    """
    size = length[:, None].astype(np.float64)
    runs = shares**size * (1 + np.maximum(answers[:, None] - size, 0) * (1 - shares))
    return np.asarray(-np.expm1(-runs.sum(axis=1)))


def _shares(ratings: Ratings) -> Array:
    """The share of each answer among a judge's; of all judges' where he gave no other."""
    points = len(ratings.points)
    cells = ratings.judge_codes * points + ratings.codes
    counts = np.bincount(cells, minlength=len(ratings.judges) * points).reshape(-1, points)
    own = counts / counts.sum(axis=1, keepdims=True)
    only_one = own.max(axis=1) == 1
    return np.asarray(np.where(only_one[:, None], counts.sum(axis=0) / len(ratings), own))


def _reading(ratings: Ratings) -> Reading:
    longest, answers = longest_runs(ratings), np.bincount(ratings.judge_codes)
    nothing = np.full(len(longest), np.nan)
    verdict = rules.unlikely(chance_of_run(longest, answers, _shares(ratings)))
    return Reading(
        group=Group(ratings.question, ratings.tags),
        judges=ratings.judges,
        spread=Spread(values=longest.astype(np.float64), low=nothing, high=nothing),
        n=answers,
        verdict=verdict,
    )
