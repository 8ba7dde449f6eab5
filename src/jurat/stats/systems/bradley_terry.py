"""Bradley and Terry's strengths: the chances that one system is better than another."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Codes
from jurat.stats.spread import told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.systems.choices import choices
from jurat.stats.systems.comparisons import comparisons, halved
from jurat.stats.systems.connected import strongly_connected, why_unbounded
from jurat.stats.systems.wording import best_first, leader, nothing_compared

ITERATIONS, TOGETHER = 60, 20
PRECISE = 1e-10


class BradleyTerry(Statistic[Settings]):
    """Strengths θ with P(a better than b) = 1 / (1 + exp(θ_b − θ_a))."""

    name = "bradley-terry"
    gives = ("bradley-terry",)
    asks = "How strong is each system in direct comparisons?"
    formula = (
        "log-strength θ, mean 0, P(a better than b) = 1/(1 + exp(θ_b − θ_a)), most likely "
        "by Newton's method; a tie is half a win for both; n counts the system's comparisons"
    )
    source = "Bradley & Terry 1952; uniqueness: Ford 1957; bootstrap of clusters"
    place = 70

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The strengths of every question."""
        chosen = choices(settings)
        estimates: list[Estimate] = []
        how = ""
        for compared in comparisons(evaluation, chosen):
            score = partial(strengths_of_totals, systems=len(compared.systems))
            made = compared.drawing.spread(compared.rows, score, chosen)
            how = how or told(compared.words, compared.drawing.method(made))
            reason = why_unbounded(compared)
            estimates += best_first(compared.estimates(made, reason))
        yield self.result(
            evaluation,
            settings,
            estimates or nothing_compared(evaluation),
            method=told(self.formula, how, chosen.direction),
            headline=leader(estimates, "has the greatest strength,"),
            draw=lambda: _draw(estimates),
            **chosen.told(),
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
    return strengths(halved(totals, systems))


def _fitted(wins: Array) -> Array:
    """Newton's method on many win matrices at once.

    Resamples of the same comparisons bend nearly alike: with the curvature of their mean all of
    them step together, by one matrix product. What does not arrive so steps with its own.
    """
    games, won = wins + wins.swapaxes(1, 2), wins.sum(axis=2)
    theta = np.zeros(wins.shape[:2])
    if len(wins) > 1:
        middle = wins.mean(axis=0, keepdims=True)
        theta += _fitted(middle)
        bent = np.linalg.inv(_slope(middle + middle.swapaxes(1, 2), theta[:1])[1][0])
        left = np.arange(len(wins))
        for _ in range(TOGETHER):
            left = left[
                ~_stepped(theta, left, _gradient(games[left], won[left], theta[left]) @ bent)
            ]
            if not len(left):
                return _centred(theta)
    left = np.arange(len(wins))
    for _ in range(ITERATIONS):
        chance, curvature = _slope(games[left], theta[left])
        gradient = won[left] - (games[left] * chance).sum(axis=2)
        step = np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0]
        left = left[~_stepped(theta, left, step)]
        if not len(left):
            break
    return _centred(theta)


def _slope(games: Array, theta: Array) -> tuple[Array, Array]:
    """The chances of the row's system, and the curvature of the likelihood."""
    chance = 1 / (1 + np.exp(theta[:, None, :] - theta[:, :, None]))
    weights = games * chance * chance.swapaxes(1, 2)
    size = theta.shape[1]
    curvature = weights.sum(axis=2)[:, :, None] * np.eye(size) - weights
    # the mean is free: a constant in every place makes the solution the one with mean 0
    return chance, curvature + curvature.trace(axis1=1, axis2=2)[:, None, None] / size**2


def _gradient(games: Array, won: Array, theta: Array) -> Array:
    chance = 1 / (1 + np.exp(theta[:, None, :] - theta[:, :, None]))
    return np.asarray(won - (games * chance).sum(axis=2))


def _stepped(theta: Array, left: Codes, step: Array) -> NDArray[np.bool_]:
    """Move those left, by no more than 2 at once; whether each has arrived."""
    largest = np.abs(step).max(axis=1, keepdims=True)
    theta[left] += step * np.minimum(1, 2 / np.maximum(largest, PRECISE))
    return np.asarray(largest[:, 0] <= PRECISE)


def _centred(theta: Array) -> Array:
    return np.asarray(np.round(theta - theta.mean(axis=1, keepdims=True), 12) + 0.0)


def _draw(estimates: list[Estimate]) -> Figure:
    return figures.points_with_intervals(
        "Bradley–Terry strengths", estimates, over="system", value="log-strength", facet="question"
    )
