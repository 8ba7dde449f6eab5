"""Which systems are told apart: the test that was asked for, of scores or of preferences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from jurat.results import Key
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Ratings
from jurat.stats.systems.averages import raw_averages
from jurat.stats.systems.choices import RANK_SUM, SystemSettings
from jurat.stats.systems.comparisons import Comparisons, preferences
from jurat.stats.systems.panel import Panel, panel_of, panels, scored
from jurat.stats.systems.shares import win_shares
from jurat.stats.systems.standardised import z_scores
from jurat.stats.systems.testing import Batch, PValues, p_values, permuted


class Told(NamedTuple):
    """The p-values of one question and split, corrected, and the scores that order its systems."""

    by: Mapping[str, Key]
    tags: Mapping[str, Key]
    systems: tuple[str, ...]
    scores: Array
    """Higher is better."""
    chances: PValues
    level: float

    @property
    def method(self) -> str:
        """How the systems were tested."""
        return self.chances.method


def told_apart(evaluation: Evaluation, settings: SystemSettings) -> list[Told]:
    """The tests of every question and split."""
    panels(evaluation, settings)
    return [
        *(_of_scores(ratings, evaluation, settings) for ratings in _rated(evaluation, settings)),
        *(_of_preferences(compared, settings) for compared in preferences(evaluation, settings)),
    ]


def _rated(evaluation: Evaluation, settings: SystemSettings) -> Iterator[Ratings]:
    for ratings in filter(scored, evaluation.ratings):
        if len(panel_of(ratings, settings).values):
            yield ratings


def _of_scores(ratings: Ratings, evaluation: Evaluation, settings: SystemSettings) -> Told:
    panel = panel_of(ratings, settings)
    key = (told_apart, settings)
    if key not in panel.kept:
        panel.kept[key] = _tested(panel, ratings, evaluation, settings)
    found: Told = panel.kept[key]
    return found


def _tested(
    panel: Panel, ratings: Ratings, evaluation: Evaluation, settings: SystemSettings
) -> Told:
    means, scores = panel.oriented, _scores(panel, settings)
    if settings.test == RANK_SUM:
        means = np.full(means.shape, np.nan)
        if ratings.has("judge"):
            z = z_scores(ratings, evaluation.baseline)[panel.rows]
            # equal means must tie although they were added up in another order
            means = panel.sign * np.round(panel.averaged(z), 10)
            scores = _column_means(means)
    made = p_values(means, settings).corrected(settings.corrected)
    return Told(panel.by, panel.tags, panel.systems, scores, made, 1 - settings.confidence)


def _scores(panel: Panel, settings: SystemSettings) -> Array:
    size = len(panel.systems)
    return np.asarray(panel.sign * raw_averages(panel, settings).spread.values[:size])


def _column_means(means: Array) -> Array:
    there = ~np.isnan(means)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(there, means, 0).sum(axis=0) / there.sum(axis=0))


def _of_preferences(compared: Comparisons, settings: SystemSettings) -> Told:
    key = (told_apart, settings)
    if key not in compared.kept:
        size = len(compared.systems)
        if settings.test == "permutation":
            made = permuted(_won_and_lost(compared), size, settings)
            made = made.corrected(settings.corrected)._replace(reason="they were never compared")
        else:
            nothing = np.full((size, size), np.nan)
            reason = f"{settings.test} needs scores: of preferences only permutation is defined"
            made = PValues(nothing, np.zeros((size, size), dtype=np.int64), reason, "")
        scores = win_shares(compared, settings).spread.values[:size]
        level = 1 - settings.confidence
        compared.kept[key] = Told(compared.by, compared.tags, compared.systems, scores, made, level)
    found: Told = compared.kept[key]
    return found


def _won_and_lost(compared: Comparisons) -> Iterator[Batch]:
    """Wins minus losses of each two systems by sentence: what a sign would turn round."""
    pairs, size = compared.pairs, len(compared.systems)
    assert pairs is not None
    first, second = np.triu_indices(size, 1)
    column = np.full((size, size), -1)
    column[first, second] = column[second, first] = np.arange(len(first))
    at = pairs.sentence * len(first) + column[pairs.first, pairs.second]
    height = int(pairs.sentence.max()) + 1
    won = np.where(pairs.first < pairs.second, pairs.result, -pairs.result)
    net = np.bincount(at, weights=won.astype(np.float64), minlength=height * len(first))
    there = np.bincount(at, minlength=height * len(first))
    shape = (height, len(first))
    met = np.asarray((there.reshape(shape) > 0).sum(axis=0), dtype=np.int64)
    yield (
        first.astype(np.int64),
        second.astype(np.int64),
        net.reshape(shape).astype(np.float64),
        met,
    )
