"""Bradley and Terry's strengths: the probability that one system is better than another."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from jurat.stats.estimates import method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.ratings import Array, Codes
from jurat.stats.settings import SystemSettings
from jurat.stats.systems.connectivity import strongly_connected, why_no_maximum
from jurat.stats.systems.system_statistic import (
    Display,
    QuestionEstimates,
    SystemStatistic,
    best_first,
)
from jurat.stats.systems.win_counts import (
    win_counts,
    wins_with_half_ties,
)

# Steps with a curvature of their own, and steps with the curvature that all resamples share.
OWN_STEPS, SHARED_STEPS = 60, 20
# A step no longer than this ends the search.
PRECISE = 1e-10


class BradleyTerry(SystemStatistic):
    """Strengths θ with P(a better than b) = 1 / (1 + exp(θ_b − θ_a))."""

    name = "bradley-terry"
    asks = "How strong is each system in direct comparisons?"
    formula = (
        "log-strength θ, mean 0, P(a better than b) = 1/(1 + exp(θ_b − θ_a)), most likely "
        "by Newton's method; a tie is half a win for both; n counts the system's comparisons"
    )
    source = "Bradley & Terry 1952; uniqueness: Ford 1957; bootstrap of clusters"
    order = 70
    shown = (Display("Bradley–Terry strengths", "log-strength", "has the greatest strength,"),)

    def each_question(
        self, evaluation: Evaluation, settings: SystemSettings
    ) -> Iterator[QuestionEstimates]:
        """The strengths of every question."""
        for counts in win_counts(evaluation, settings):
            score = partial(strengths_of_totals, systems=len(counts.systems))
            made = counts.units.intervals(counts.rows, score, settings)
            strongest_first = best_first(counts.estimates(made, counts.n, why_no_maximum(counts)))
            yield QuestionEstimates(
                strongest_first, method_line(counts.words, counts.units.method(made))
            )


def strengths(wins: Array) -> Array:
    """Log-strengths with mean 0 of wins (… × S × S), the row's over the column's system.

    The likelihood has its only maximum where every system is connected with every other by a chain
    of wins (Ford 1957); without, all strengths are NaN.
    """
    shape = wins.shape[:-1]
    wins = wins.reshape(-1, *wins.shape[-2:])
    there = strongly_connected(wins)
    found = np.full(wins.shape[:2], np.nan)
    if there.any() and wins.shape[1] > 1:
        found[there] = _fitted(wins[there])
    return found.reshape(shape)


def strengths_of_totals(totals: Array, *, systems: int) -> Array:
    """Log-strengths from resampled totals of wins and ties."""
    return strengths(wins_with_half_ties(totals, systems))


def _fitted(wins: Array) -> Array:
    """Newton's method on many win matrices at once, those of resamples of the same comparisons."""
    games, won = wins + wins.swapaxes(1, 2), wins.sum(axis=2)
    theta = np.zeros(wins.shape[:2])
    # a single matrix has no others to share a curvature with
    if len(wins) > 1 and _shared_steps(wins, games, won, theta):
        return _centred(theta)
    left = np.arange(len(wins))
    for _ in range(OWN_STEPS):
        chance, curvature = _curvature(games[left], theta[left])
        gradient = won[left] - (games[left] * chance).sum(axis=2)
        step = np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0]
        left = left[~_stepped(theta, left, step)]
        if not len(left):
            break
    return _centred(theta)


def _shared_steps(wins: Array, games: Array, won: Array, theta: Array) -> bool:
    """Move `theta` from the maximum of the mean wins; whether all have arrived.

    The likelihoods of resamples are curved nearly alike: with the curvature of their mean all of
    them step together, by one matrix product instead of a solution each.
    """
    middle = wins.mean(axis=0, keepdims=True)
    theta += _fitted(middle)
    inverse = np.linalg.inv(_curvature(middle + middle.swapaxes(1, 2), theta[:1])[1][0])
    left = np.arange(len(wins))
    for _ in range(SHARED_STEPS):
        gradient = won[left] - (games[left] * _chances(theta[left])).sum(axis=2)
        left = left[~_stepped(theta, left, gradient @ inverse)]
        if not len(left):
            return True
    return False


def _chances(theta: Array) -> Array:
    """The probability that the row's system is better than the column's."""
    return np.asarray(1 / (1 + np.exp(theta[:, None, :] - theta[:, :, None])))


def _curvature(games: Array, theta: Array) -> tuple[Array, Array]:
    """The chances of the row's system, and the curvature of the likelihood."""
    chance = _chances(theta)
    weights = games * chance * chance.swapaxes(1, 2)
    size = theta.shape[1]
    curvature = weights.sum(axis=2)[:, :, None] * np.eye(size) - weights
    # the mean is free: a constant in every place makes the solution the one with mean 0
    return chance, curvature + curvature.trace(axis1=1, axis2=2)[:, None, None] / size**2


def _stepped(theta: Array, left: Codes, step: Array) -> NDArray[np.bool_]:
    """Move those left, by no more than 2 at once; whether each has arrived."""
    # where a system nearly always wins, a whole step would overshoot and never come back
    largest = np.abs(step).max(axis=1, keepdims=True)
    theta[left] += step * np.minimum(1, 2 / np.maximum(largest, PRECISE))
    return np.asarray(largest[:, 0] <= PRECISE)


def _centred(theta: Array) -> Array:
    # + 0.0 turns −0 into 0
    return np.asarray(np.round(theta - theta.mean(axis=1, keepdims=True), 12) + 0.0)
