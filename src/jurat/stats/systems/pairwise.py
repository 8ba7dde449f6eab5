"""Every two systems: how much better one is on shared sentences, and whether by chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import numpy as np

from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats import figures
from jurat.stats.estimates import Estimates, method_line
from jurat.stats.evaluation import Evaluation
from jurat.stats.hypothesis_tests import (
    NEVER,
    PERMUTATION,
    RANK_SUM,
    PairDifferences,
    PValues,
    correction_words,
    p_values,
    sign_flip_test,
)
from jurat.stats.phrases import interval
from jurat.stats.ratings import Array, Ratings
from jurat.stats.settings import Settings
from jurat.stats.systems.resampling_units import ratio_of_halves, undefined
from jurat.stats.systems.score_table import ScoreTable, SystemSplit, rated_tables, score_tables
from jurat.stats.systems.settings import SystemSettings
from jurat.stats.systems.system_score import raw_averages
from jurat.stats.systems.system_statistic import (
    SystemStatistic,
    first_split,
    method_of_first,
    question_and_split,
)
from jurat.stats.systems.win_counts import PreferenceCounts, preference_win_counts
from jurat.stats.systems.win_rates import pairs_of, win_rates
from jurat.stats.systems.z_scores import z_scores


@dataclass(frozen=True, kw_only=True, eq=False)
class SystemPairTests(SystemSplit):
    """The corrected p-values of one question and split, and the scores that order its systems."""

    scores: Array
    """Higher is better."""
    p_values: PValues
    level: float
    """Below this p a difference is significant."""

    @property
    def method(self) -> str:
        """How the systems were tested."""
        return self.p_values.method


def pair_tests(evaluation: Evaluation, settings: SystemSettings) -> list[SystemPairTests]:
    """The tests of every question and split, made once for all statistics."""
    return evaluation.once(_pair_tests, settings)


def _pair_tests(evaluation: Evaluation, settings: SystemSettings) -> list[SystemPairTests]:
    tables = rated_tables(evaluation, settings)
    compared = preference_win_counts(evaluation, settings)
    return [
        *(_test_scores(table, ratings, evaluation, settings) for ratings, table in tables),
        *(_test_preferences(counts, settings) for counts in compared),
    ]


def _test_scores(
    table: ScoreTable, ratings: Ratings, evaluation: Evaluation, settings: SystemSettings
) -> SystemPairTests:
    means, scores = table.oriented, table.sign * raw_averages(table, settings).means
    if settings.test == RANK_SUM:
        means = np.full(means.shape, np.nan)
        if ratings.has("judge"):
            z = z_scores(ratings, evaluation.baseline)[table.rows]
            # equal means must tie although they were added up in another order
            means = table.sign * np.round(table.averaged(z), 10)
            scores = _column_means(means)
    found = p_values(means, settings.test, settings).corrected(settings.corrected)
    return _tested(table, scores, found, settings)


def _tested(
    of: SystemSplit, scores: Array, found: PValues, settings: SystemSettings
) -> SystemPairTests:
    return SystemPairTests(
        by=of.by,
        tags=of.tags,
        systems=of.systems,
        scores=np.asarray(scores),
        p_values=found,
        level=1 - settings.confidence,
    )


def _column_means(means: Array) -> Array:
    there = ~np.isnan(means)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(there, means, 0).sum(axis=0) / there.sum(axis=0))


def _test_preferences(counts: PreferenceCounts, settings: SystemSettings) -> SystemPairTests:
    size = len(counts.systems)
    if settings.test == PERMUTATION:
        found = sign_flip_test(_net_wins(counts), size, settings).corrected(settings.corrected)
        found = found._replace(reason="they were never compared")
    else:
        reason = f"{settings.test} needs scores: of preferences only permutation is defined"
        found = PValues.none(size, reason)
    return _tested(counts, win_rates(counts, settings).values, found, settings)


def _net_wins(counts: PreferenceCounts) -> Iterator[PairDifferences]:
    """Wins minus losses of each two systems by sentence, whose sign chance could turn round."""
    size, (a, b) = len(counts.systems), counts.comparisons.sides
    first, second = (side.astype(np.int64) for side in np.triu_indices(size, 1))
    column = np.full((size, size), -1)
    # which of the pairs two systems are, in whichever order
    column[first, second] = column[second, first] = np.arange(len(first))
    shape = (int(counts.sentence.max()) + 1, len(first))
    at = counts.sentence * len(first) + column[a, b]
    won = np.where(a < b, counts.result, -counts.result).astype(np.float64)
    net = np.bincount(at, weights=won, minlength=shape[0] * shape[1])
    compared = np.bincount(at, minlength=shape[0] * shape[1]).reshape(shape) > 0
    shared = np.asarray(compared.sum(axis=0), dtype=np.int64)
    yield first, second, net.reshape(shape).astype(np.float64), shared


# Of more systems only the values are given: intervals of every pair would take gigabytes.
MOST_SYSTEMS = 60
# Pairs whose differences a figure shows.
MOST_DRAWN = 60


class PairwiseP(SystemStatistic):
    """p-values of every pair of systems."""

    name = "pairwise-p"
    gives = ("pairwise-p",)
    asks = "Which systems are told apart, and where may the difference be chance?"
    formula = "p of the test named, on the systems' means by sentence"
    source = "Fisher 1935; Wilcoxon 1945; Holm 1979; WMT direct assessment, WMT 2023 and 2024"
    order = 50

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The p-values of every question."""
        chosen = SystemSettings.of(settings)
        found = pair_tests(evaluation, chosen)
        estimates = [e for one in found for e in _p_estimates(one)]
        correction = correction_words(chosen.corrected)
        yield self.system_result(
            evaluation,
            chosen,
            estimates,
            method=method_line(method_of_first(found), correction, chosen.direction),
            headline=_significant_pairs(found, chosen),
            draw=lambda: _draw_p(estimates),
            **chosen.test_options(),
        )


def _p_estimates(one: SystemPairTests) -> Iterator[Estimate]:
    p, n = one.p_values.p, one.p_values.n
    for a, b in pairs_of(one.scores):
        there = not np.isnan(p[a, b])
        yield Estimate(
            value=float(p[a, b]) if there else None,
            n=int(n[a, b]),
            by=one.pair_keys(a, b),
            tags=one.tags,
            reason="" if there else one.p_values.reason,
        )


def _significant_pairs(found: list[SystemPairTests], settings: SystemSettings) -> str:
    pairs = sum(len(one.systems) * (len(one.systems) - 1) // 2 for one in found)
    if not pairs:
        return ""
    apart = sum(int((_smaller(one.p_values.p) < one.level).sum()) for one in found)
    level = f"p < {1 - settings.confidence:.2g}, {correction_words(settings.corrected)}"
    more = "" if apart else " A plan says how many sentences would do."
    return f"{apart} of {pairs} pairs of systems are told apart ({level}).{more}"


def _smaller(p: Array) -> Array:
    """The smaller p of each pair: one-sided tests have two."""
    upper = np.triu_indices(len(p), 1)
    return np.asarray(np.fmin(p[upper], p.T[upper]))


def _draw_p(estimates: list[Estimate]) -> Figure:
    return figures.heat(
        "p-values of pairs of systems",
        figures.rows(first_split(estimates)),
        x=figures.axis("system_b", "against", "nominal"),
        y=figures.axis("system_a", "system", "nominal"),
        colour=figures.axis("value", "p", scale={"domain": [0, 1], "reverse": True}),
    )


class SystemDifference(SystemStatistic):
    """Paired differences: progress from one version to the next, or of any two systems."""

    name = "system-difference"
    gives = ("system-difference",)
    asks = "How much better is one system, or one version of it, than another?"
    formula = (
        "mean over the shared sentences of mean score of a − mean score of b; n counts sentences"
    )
    source = "paired design; bootstrap of documents (Koehn 2004 for paired resampling in MT)"
    needs = ("system",)
    order = 45

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The differences of every question."""
        chosen = SystemSettings.of(settings)
        estimates: list[Estimate] = []
        how = ""
        for table in score_tables(evaluation, chosen):
            made, numbers = differences(table, chosen)
            how = how or table.sentence_units.method(made)
            estimates += _difference_estimates(table, made, numbers)
        yield self.system_result(
            evaluation,
            chosen,
            estimates,
            method=method_line(self.formula, how, chosen.direction),
            headline=_first_difference(estimates),
            draw=lambda: _draw_differences(estimates),
        )


def differences(table: ScoreTable, settings: SystemSettings) -> tuple[Estimates, Array]:
    """Mean differences of every two systems (a before b by name) with intervals, and their n."""
    first, second = np.triu_indices(len(table.systems), 1)
    units = table.sentence_units
    if not len(first):
        return undefined(0), np.zeros(0)
    rows = np.zeros((units.cells, 2, len(first)))
    for at, (a, b) in enumerate(zip(first, second, strict=True)):
        apart = table.means[:, a] - table.means[:, b]
        there = ~np.isnan(apart)
        cell = units.cell[there]
        rows[:, 0, at] = np.bincount(cell, weights=apart[there], minlength=units.cells)
        rows[:, 1, at] = np.bincount(cell, minlength=units.cells)
    if len(table.systems) > MOST_SYSTEMS:
        settings = msgspec.structs.replace(settings, bootstrap=0)
    made = units.bootstrap(rows.reshape(units.cells, -1), ratio_of_halves, settings)
    return made, rows[:, 1].sum(axis=0)


def _difference_estimates(table: ScoreTable, made: Estimates, numbers: Array) -> Iterator[Estimate]:
    size = len(table.systems)
    at = np.zeros((size, size), dtype=np.int64)
    at[np.triu_indices(size, 1)] = np.arange(len(numbers))
    with np.errstate(invalid="ignore", divide="ignore"):
        scores = np.bincount(table.system, weights=table.values, minlength=size) / table.counts
    for a, b in pairs_of(table.sign * scores):
        place = int(at[min(a, b), max(a, b)])
        by, n = table.pair_keys(a, b), int(numbers[place])
        found = made.estimate(place, n=n, by=by, tags=table.tags, reason=NEVER)
        yield found if a < b else _negated(found)


def _negated(e: Estimate) -> Estimate:
    # 0.0 − x instead of −x, so that no difference is −0
    value, low, high = (None if x is None else 0.0 - x for x in (e.value, e.high, e.low))
    return e._replace(value=value, low=low, high=high)


def _first_difference(estimates: list[Estimate]) -> str:
    first = next((e for e in estimates if e.value is not None), None)
    if first is None or first.value is None:
        return ""
    a, b, where = first.by["system_a"], first.by["system_b"], question_and_split(first)
    more = "above" if first.value > 0 else "below"
    apart = f"{spoken(abs(first.value))} {more}" if first.value else "the same as"
    return f"{where}: {a} scores {apart} {b}{interval(first)} on {first.n:,} sentences."


def _draw_differences(estimates: list[Estimate]) -> Figure:
    known = [e for e in estimates if e.value is not None]
    # the second half has the same pairs the other way round
    named = [
        e._replace(by={**e.by, "pair": f"{e.by['system_a']} − {e.by['system_b']}"})
        for e in known[: len(known) // 2][:MOST_DRAWN]
    ]
    return figures.points_with_intervals(
        "Differences on shared sentences", named, over="pair", value="difference", facet="question"
    )
