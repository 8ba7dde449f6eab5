"""Tests of every two systems: p-values, and who is better than whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from jurat.results import Estimate
from jurat.stats.cluster_inference import Finding, PairFinding
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.hypothesis_tests import NEVER, PairDifferences, p_values, sign_flip_test
from jurat.stats.pairwise import Pair, PValues, better_first, both_orders
from jurat.stats.preferences.comparisons import preference_findings
from jurat.stats.ratings import Array, Ratings, summed
from jurat.stats.settings import (
    CLUSTER_ROBUST,
    PERMUTATION,
    RANK_SUM,
    SIGNED_RANK,
    SystemSettings,
)
from jurat.stats.systems.adjusted_score import adjusted_scores
from jurat.stats.systems.expected_wins import win_rates
from jurat.stats.systems.score_table import ScoreTable, SystemSplit, rated_tables
from jurat.stats.systems.system_inference import pair_findings, varying_words
from jurat.stats.systems.system_scores import raw_averages
from jurat.stats.systems.win_counts import PreferenceCounts, preference_win_counts
from jurat.stats.systems.z_scores import z_scores

NEVER_COMPARED = "they were never compared"


@dataclass(frozen=True, kw_only=True, eq=False)
class SystemPairTests(SystemSplit):
    """The corrected p-values of one question and split, and the scores that order its systems."""

    scores: Array
    """Higher is better."""
    p_values: PValues
    level: float
    """Below this p a difference is significant."""
    apart: Array
    """The difference that was tested (S × S, row minus column, higher is better)."""
    these_judges: PValues | None = None
    """The same with documents as all that varies."""
    order_note: str = ""
    """What the order of the systems comes from, where that is not their mean."""

    @cached_property
    def better(self) -> NDArray[np.bool_]:
        """Whether the row's system is significantly better than the column's."""
        # a pair without a test is not told apart
        significant = np.nan_to_num(self.p_values.p, nan=1.0) < self.level
        return np.asarray(significant & (self.apart > 0))

    @property
    def contradictions(self) -> int:
        """Pairs that differ significantly in the other direction than their scores."""
        ahead = self.scores[:, None] < self.scores[None]
        return int((self.better & ahead).sum())

    @property
    def common_note(self) -> str:
        """What is to be said of every pair, and so of clusters and ranks; empty if they differ."""
        notes = set((self.p_values.notes or {}).values())
        return notes.pop() if len(notes) == 1 else ""

    @property
    def method(self) -> str:
        """How the systems were tested."""
        return self.p_values.method

    def p_estimates(self, *, these_judges: bool = False) -> list[Estimate]:
        """The p-values of all pairs, those with the better system first before the others."""
        pairs = both_orders(better_first(self.scores))
        found = self.these_judges if these_judges and self.these_judges else self.p_values
        return list(found.estimates(pairs, self.systems, by=self.by, tags=self.tags))


def untested_reason(estimates: Sequence[Estimate]) -> str:
    """Why no pair has a p-value; that of the first pair, with its names, where others differ."""
    untold = [e for e in estimates if e.reason]
    if len({e.reason for e in untold}) < 2:
        return untold[0].reason if untold else ""
    first = untold[0]
    return f"for {first.by['system_a']} and {first.by['system_b']}, {first.reason}"


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
    scores, note = ordering_scores(table, settings)
    if settings.test == CLUSTER_ROBUST:
        return _test_clusters(table, scores, note, settings)
    means = table.oriented
    if settings.test == RANK_SUM:
        means = np.full(means.shape, np.nan)
        if ratings.has("judge"):
            z = z_scores(ratings, evaluation.baseline)[table.rows]
            # equal means must tie although they were added up in another order
            means = table.sign * np.round(table.averaged(z), 10)
            # WMT orders its systems by what it tests, the mean z
            scores, note = _column_means(means), ""
    elif settings.test != PERMUTATION:
        scores, note = table.sign * raw_averages(table, settings).means, ""
    documents = table.document_of if table.has_documents else None
    found = p_values(means, settings.test, settings, documents).corrected(settings.corrected)
    # one-sided tests have their direction in p itself
    apart = scores[:, None] - scores[None]
    if settings.test == PERMUTATION:
        apart = _shared_differences(means)
    elif settings.test in (RANK_SUM, SIGNED_RANK):
        apart = np.ones(found.p.shape)
    return _tested(table, scores, found, settings, apart=apart, order_note=note)


def _shared_differences(means: Array) -> Array:
    """The mean difference of every two systems on the sentences they share."""
    size = means.shape[1]
    apart = np.full((size, size), np.nan)
    for a in range(size):
        both = means[:, a : a + 1] - means
        there = ~np.isnan(both)
        with np.errstate(invalid="ignore"):
            apart[a] = np.where(there, both, 0.0).sum(axis=0) / there.sum(axis=0)
    return apart


def ordering_scores(table: ScoreTable, settings: SystemSettings) -> tuple[Array, str]:
    """The scores that order the systems (higher is better), and words where these are adjusted.

    Mean scores; adjusted ones where systems were judged on different sentences or by different
    judges, and no average was asked for by name.
    """
    plain = table.sign * raw_averages(table, settings).means
    if settings.methods or len(table.systems) < 2:
        return plain, ""
    adjusted = adjusted_scores(table, settings.confidence)
    return (table.sign * adjusted.values if adjusted.needed else plain), adjusted.words


def _test_clusters(
    table: ScoreTable, scores: Array, note: str, settings: SystemSettings
) -> SystemPairTests:
    found = pair_findings(table, settings.confidence)
    size = len(table.systems)
    apart, words = np.zeros((size, size)), varying_words(table)
    for (a, b), pair in found.items():
        apart[a, b] = table.sign * pair.finding.value
        apart[b, a] = -apart[a, b]
    method = f"two-sided cluster-robust t-test; {words}"
    everyone, these = _both_p_values(found, size, NEVER)
    return _tested(
        table,
        scores,
        everyone._replace(method=method).corrected(settings.corrected),
        settings,
        apart=apart,
        these_judges=these.corrected(settings.corrected),
        order_note=note,
    )


def _both_p_values(
    pairs: Mapping[Pair, PairFinding], size: int, reason: str
) -> tuple[PValues, PValues]:
    """The p-values for new judges, and those for these judges only."""
    return (
        _p_values({at: pair.finding for at, pair in pairs.items()}, pairs, size, reason),
        _p_values({at: pair.these_judges for at, pair in pairs.items()}, pairs, size, reason),
    )


def _p_values(
    findings: Mapping[Pair, Finding], pairs: Mapping[Pair, PairFinding], size: int, reason: str
) -> PValues:
    made = PValues.none(size, reason)
    for (a, b), found in findings.items():
        made.p[a, b] = made.p[b, a] = found.p
        made.n[a, b] = made.n[b, a] = pairs[a, b].n
    return made._replace(
        reasons={at: found.reason for at, found in findings.items()},
        notes={at: pair.note for at, pair in pairs.items()},
    )


def _tested(
    of: SystemSplit,
    scores: Array,
    found: PValues,
    settings: SystemSettings,
    *,
    apart: Array,
    these_judges: PValues | None = None,
    order_note: str = "",
) -> SystemPairTests:
    return SystemPairTests(
        by=of.by,
        tags=of.tags,
        systems=of.systems,
        scores=np.asarray(scores),
        p_values=found,
        level=1 - settings.confidence,
        apart=apart,
        these_judges=these_judges,
        order_note=order_note,
    )


def _column_means(means: Array) -> Array:
    there = ~np.isnan(means)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(there, means, 0).sum(axis=0) / there.sum(axis=0))


def _test_preferences(counts: PreferenceCounts, settings: SystemSettings) -> SystemPairTests:
    size, scores = len(counts.systems), win_rates(counts, settings).values
    findings = preference_findings(
        counts.comparisons, unit=settings.unit, confidence=settings.confidence
    )
    apart = np.zeros((size, size))
    for (a, b), found in findings.items():
        apart[a, b], apart[b, a] = found.finding.value, -found.finding.value
    test = partial(_tested, counts, scores, settings=settings, apart=apart)
    if settings.test == CLUSTER_ROBUST:
        made, these = _both_p_values(findings, size, NEVER_COMPARED)
        varying = counts.comparisons.varying(settings.unit)
        words = f"two-sided cluster-robust t-test of wins − losses; {varying}"
        return test(
            found=made._replace(method=words).corrected(settings.corrected),
            these_judges=these.corrected(settings.corrected),
        )
    if settings.test == PERMUTATION:
        made = sign_flip_test(_net_wins(counts, settings), size, settings)
        return test(found=made._replace(reason=NEVER_COMPARED).corrected(settings.corrected))
    reason = f"{settings.test} needs scores: it is not defined for preferences"
    return test(found=PValues.none(size, reason))


def _net_wins(counts: PreferenceCounts, settings: SystemSettings) -> Iterator[PairDifferences]:
    """Wins minus losses of each two systems by document, whose sign chance could turn round."""
    size, (a, b) = len(counts.systems), counts.comparisons.sides
    first, second = (side.astype(np.int64) for side in np.triu_indices(size, 1))
    column = np.full((size, size), -1)
    # which of the pairs two systems are, in whichever order
    column[first, second] = column[second, first] = np.arange(len(first))
    unit = counts.comparisons.clusters(settings.unit).document
    shape = (int(unit.max()) + 1, len(first))
    at = unit * len(first) + column[a, b]
    won = np.where(a < b, counts.result, -counts.result).astype(np.float64)
    net = summed(at, won, shape[0] * shape[1]).reshape(shape)
    sentence = counts.sentence * len(first) + column[a, b]
    shared = np.bincount(np.unique(sentence) % len(first), minlength=len(first))
    yield first, second, net, shared.astype(np.int64)
