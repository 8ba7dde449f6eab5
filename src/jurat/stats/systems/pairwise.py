"""Every two systems: how much one is better, and whether by chance; clusters of equal ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from jurat.results import Estimate, Figure, spoken
from jurat.stats.estimates import Estimates, method_line, ratio
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.hypothesis_tests import (
    NEVER,
    PairDifferences,
    p_values,
    sign_flip_test,
)
from jurat.stats.pairwise import (
    PValues,
    better_first,
    both_orders,
    cluster_words,
    correction_words,
    differences_figure,
    p_matrix,
    told_apart,
)
from jurat.stats.phrases import interval
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.settings import PERMUTATION, RANK_SUM, SystemSettings
from jurat.stats.systems.expected_wins import win_rates
from jurat.stats.systems.score_table import ScoreTable, SystemSplit, rated_tables, score_tables
from jurat.stats.systems.system_scores import raw_averages
from jurat.stats.systems.system_statistic import (
    Display,
    QuestionEstimates,
    SystemStatistic,
    first_split,
    question_and_split,
)
from jurat.stats.systems.win_counts import PreferenceCounts, preference_win_counts
from jurat.stats.systems.z_scores import z_scores

# Of more systems only the values are given: intervals of every pair would take gigabytes.
MOST_SYSTEMS = 60
# Pairs whose differences a figure shows.
MOST_DRAWN = 60


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

    def p_estimates(self) -> list[Estimate]:
        """The p-values of all pairs, those with the better system first before the others."""
        pairs = both_orders(better_first(self.scores))
        return list(self.p_values.estimates(pairs, self.systems, by=self.by, tags=self.tags))


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
            # WMT orders its systems by what it tests, the mean z
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


class PairwiseP(SystemStatistic):
    """p-values of every pair of systems."""

    name = "pairwise-p"
    asks = "Which systems are told apart, and where may the difference be chance?"
    formula = "p of the test named, on the systems' means by sentence"
    source = "Fisher 1935; Wilcoxon 1945; Holm 1979; WMT direct assessment, WMT 2023 and 2024"
    order = 50

    def each_question(
        self, evaluation: Evaluation, settings: SystemSettings
    ) -> Iterator[QuestionEstimates]:
        """The p-values of every question."""
        for tests in pair_tests(evaluation, settings):
            yield QuestionEstimates(tests.p_estimates(), tests.method)

    def method(self, settings: SystemSettings, how: str) -> str:
        """The test, and how its p-values were corrected."""
        return method_line(how, correction_words(settings.corrected), settings.direction)

    def choices(self, settings: SystemSettings) -> dict[str, Any]:
        """The test."""
        return settings.test_choices()

    def headline(self, estimates: Sequence[Estimate], settings: SystemSettings) -> str:
        """How many pairs are told apart."""
        if not estimates:
            return ""
        apart, words = told_apart(estimates, 1 - settings.confidence)
        level = f"p < {1 - settings.confidence:.2g}, {correction_words(settings.corrected)}"
        more = "" if apart else " A plan says how many sentences would do."
        return f"{words} ({level}).{more}"

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """The p-values of the first question as a matrix."""
        return p_matrix(first_split(estimates))


class SystemCluster(SystemStatistic):
    """Clusters as in WMT's tables: all of one are significantly better than all below."""

    name = "system-cluster"
    asks = "Which systems are equally good, as far as can be told?"
    formula = (
        "number of the cluster, 1 is best: systems in order of their score, a line drawn where "
        "every one above is significantly better than every one below; n counts systems"
    )
    source = "WMT (Bojar et al. 2013, 2016; Kocmi et al. 2023, 2024)"
    order = 30
    shown = (Display("Clusters of systems", "cluster", ranks=True),)

    def each_question(
        self, evaluation: Evaluation, settings: SystemSettings
    ) -> Iterator[QuestionEstimates]:
        """The clusters of every question."""
        for tests in pair_tests(evaluation, settings):
            yield QuestionEstimates(_cluster_estimates(tests), tests.method)

    def method(self, settings: SystemSettings, how: str) -> str:
        """The correction of p-values stands after the test."""
        correction = correction_words(settings.corrected)
        return method_line(self.formula, how, correction, settings.direction)

    def choices(self, settings: SystemSettings) -> dict[str, Any]:
        """The test and its level."""
        return {**settings.test_choices(), "level": round(1 - settings.confidence, 10)}

    def headline(self, estimates: Sequence[Estimate], settings: SystemSettings) -> str:
        """Which systems are in the first cluster of the first question and split."""
        known = [e for e in estimates if e.value is not None]
        if not known:
            return ""
        same = first_split(known)
        where = f"{question_and_split(known[0])}: " if len(same) < len(known) else ""
        if all(e.value == 1 for e in same):
            none = "no line can be drawn" if where else "No line can be drawn"
            return f"{where}{none} between {len(same)} systems."
        return f"{where}{cluster_words({str(e.by['system']): e.value or 0.0 for e in same})}."


def clusters(scores: Array, p: Array, *, level: float = 0.05) -> Codes:
    """The cluster of each system, from scores (higher better) and p (S × S, row better).

    A system without a score has cluster 0.
    """
    order = np.argsort(-scores, kind="stable")
    order = order[~np.isnan(scores[order])]
    # a pair without a test is not told apart
    better = np.nan_to_num(p[np.ix_(order, order)], nan=1.0) < level
    number, found = 1, np.zeros(len(scores), dtype=np.int64)
    for at, system in enumerate(order):
        # a line needs every one above to be better than every one below
        if at and better[:at, at:].all():
            number += 1
        found[system] = number
    return found


def _cluster_estimates(tests: SystemPairTests) -> list[Estimate]:
    found = clusters(tests.scores, tests.p_values.p, level=tests.level)
    n, why = len(tests.systems), "the system has no score"
    return [
        Estimate.of(found[at] or None, n, about=tests, by={"system": tests.systems[at]}, reason=why)
        for at in np.argsort(-tests.scores, kind="stable")
    ]


class SystemDifference(SystemStatistic):
    """Paired differences: progress from one version to the next, or of any two systems."""

    name = "system-difference"
    asks = "How much better is one system, or one version of it, than another?"
    formula = (
        "mean over the shared sentences of mean score of a − mean score of b; n counts sentences"
    )
    source = "paired design; bootstrap of documents (Koehn 2004 for paired resampling in MT)"
    needs = ("system",)
    order = 45

    def each_question(
        self, evaluation: Evaluation, settings: SystemSettings
    ) -> Iterator[QuestionEstimates]:
        """The differences of every question."""
        for table in score_tables(evaluation, settings):
            made, numbers = differences(table, settings)
            estimates = list(_difference_estimates(table, made, numbers))
            yield QuestionEstimates(estimates, table.sentence_units.method(made))

    def headline(self, estimates: Sequence[Estimate], settings: SystemSettings) -> str:
        """The best system and the next one."""
        first = next((e for e in estimates if e.value is not None), None)
        if first is None or first.value is None:
            return ""
        a, b, where = first.by["system_a"], first.by["system_b"], question_and_split(first)
        more = "above" if first.value > 0 else "below"
        apart = f"{spoken(abs(first.value))} {more}" if first.value else "the same as"
        return f"{where}: {a} scores {apart} {b}{interval(first)} on {first.n:,} sentences."

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """The differences with their intervals, a pair once."""
        known = [e for e in estimates if e.value is not None]
        # the second half has the same pairs the other way round
        once = known[: len(known) // 2][:MOST_DRAWN]
        return differences_figure("Differences on shared sentences", once, facet="question")


def differences(table: ScoreTable, settings: SystemSettings) -> tuple[Estimates, Array]:
    """Mean differences of every two systems (a before b by name) with intervals, and their n."""
    first, second = np.triu_indices(len(table.systems), 1)
    units = table.sentence_units
    if not len(first):
        return Estimates.undefined(0), np.zeros(0)
    rows = np.zeros((units.cells, 2, len(first)))
    for at, (a, b) in enumerate(zip(first, second, strict=True)):
        apart = table.means[:, a] - table.means[:, b]
        there = ~np.isnan(apart)
        cell = units.cell[there]
        rows[:, 0, at] = np.bincount(cell, weights=apart[there], minlength=units.cells)
        rows[:, 1, at] = np.bincount(cell, minlength=units.cells)
    # see MOST_SYSTEMS: values without intervals
    if len(table.systems) > MOST_SYSTEMS:
        settings = msgspec.structs.replace(settings, bootstrap=0)
    made = units.bootstrap(rows.reshape(units.cells, -1), ratio, settings)
    return made, rows[:, 1].sum(axis=0)


def _difference_estimates(table: ScoreTable, made: Estimates, numbers: Array) -> Iterator[Estimate]:
    size = len(table.systems)
    at = np.zeros((size, size), dtype=np.int64)
    at[np.triu_indices(size, 1)] = np.arange(len(numbers))
    with np.errstate(invalid="ignore", divide="ignore"):
        scores = np.bincount(table.system, weights=table.values, minlength=size) / table.counts
    for a, b in both_orders(better_first(table.sign * scores)):
        place = int(at[min(a, b), max(a, b)])
        by, n = table.pair_keys(a, b), int(numbers[place])
        found = made.estimate(place, n=n, by=by, tags=table.tags, reason=NEVER)
        yield found if a < b else _negated(found)


def _negated(e: Estimate) -> Estimate:
    # 0.0 − x instead of −x, so that no difference is −0
    value, low, high = (None if x is None else 0.0 - x for x in (e.value, e.high, e.low))
    return e._replace(value=value, low=low, high=high)
