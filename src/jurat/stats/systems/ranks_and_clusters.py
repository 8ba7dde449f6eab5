"""Ranks and clusters of systems, as far as the pairwise tests tell them apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jurat.results import Estimate
from jurat.stats.estimates import method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.pairwise import cluster_words, correction_words
from jurat.stats.ratings import Array, Codes
from jurat.stats.settings import SystemSettings
from jurat.stats.systems.pair_tests import SystemPairTests, pair_tests, untested_reason
from jurat.stats.systems.score_table import ranked
from jurat.stats.systems.system_statistic import (
    Display,
    QuestionEstimates,
    SystemStatistic,
    best_first,
    first_split,
    question_and_split,
)

# Where no difference can be tested at all, that no systems are told apart is no finding.
UNTESTED = "no pair of systems can be tested"


class SystemRank(SystemStatistic):
    """Ranks by score, and the ranks that the tests leave open."""

    name = "system-rank"
    asks = "Which system is best, and which ranks are possible?"
    formula = (
        "1 + number of systems with a better score (of preferences: more expected wins); the range "
        "is 1 + number of systems significantly better, to all less those significantly worse"
    )
    source = "rank ranges as in WMT (Bojar et al. 2013), here from the pairwise tests"
    order = 15
    shown = (Display("Ranks of systems", "rank", "has rank", ranks=True),)

    def each_question(
        self, evaluation: Evaluation, settings: SystemSettings
    ) -> Iterator[QuestionEstimates]:
        """The ranks of every question."""
        for tests in pair_tests(evaluation, settings):
            estimates = best_first(_rank_estimates(tests, settings), "lowest")
            yield QuestionEstimates(estimates, tests.method)

    def method(self, settings: SystemSettings, how: str) -> str:
        """What becomes of ties stands after the formula."""
        ties = "equal ones share the better rank"
        correction = correction_words(settings.corrected)
        return method_line(self.formula, ties, how, correction, settings.direction)

    def choices(self, settings: SystemSettings) -> dict[str, Any]:
        """How judgments became a score, and the test."""
        return {"average": settings.average, **settings.test_choices()}


def _rank_estimates(tests: SystemPairTests, settings: SystemSettings) -> Iterator[Estimate]:
    low, high = rank_ranges(tests.better)
    ranks, n = ranked(tests.scores), len(tests.systems)
    for at, system in enumerate(tests.systems):
        by, why = {"system": system}, "the system has no score"
        yield Estimate.of(
            ranks[at],
            n,
            about=tests,
            by=by,
            reason=why,
            # the order by scores may lie outside of what the tests of pairs say
            low=min(low[at], ranks[at]) if settings.intervals else None,
            high=max(high[at], ranks[at]) if settings.intervals else None,
            note=tests.common_note,
        )


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
        if len(same) == 1:
            there = "there is" if where else "There is"
            return f"{where}{there} one system, and none to compare it with."
        if all(e.note.startswith(UNTESTED) for e in same):
            told = f"{where}{same[0].note}."
            return told if where else f"{told[:1].upper()}{told[1:]}"
        if all(e.value == 1 for e in same):
            none = "no group of systems" if where else "No group of systems"
            return (
                f"{where}{none} is reliably better than the rest: all {len(same)} form one cluster."
            )
        return f"{where}{cluster_words({str(e.by['system']): e.value or 0.0 for e in same})}."


def _cluster_estimates(tests: SystemPairTests) -> list[Estimate]:
    found = clusters(tests.scores, tests.better)
    n, why = len(tests.systems), "the system has no score"
    turned = "some pairs differ significantly against the order of scores"
    note = turned if tests.contradictions else tests.common_note
    if n > 1 and np.isnan(tests.p_values.p[np.triu_indices(n, 1)]).all():
        reason = untested_reason(tests.p_estimates())
        note = f"{UNTESTED}: {reason}" if reason else UNTESTED
    return [
        Estimate.of(
            found[at] or None,
            n,
            about=tests,
            by={"system": tests.systems[at]},
            reason=why,
            note=note,
        )
        for at in np.argsort(-tests.scores, kind="stable")
    ]


def clusters(scores: Array, better: NDArray[np.bool_]) -> Codes:
    """The cluster of each system, from scores (higher better) and who is significantly better.

    A system without a score has cluster 0. A line is drawn where every system above is
    significantly better than every one below, so that clusters never contradict the tests.
    """
    order = np.argsort(-scores, kind="stable")
    order = order[~np.isnan(scores[order])]
    ordered = better[np.ix_(order, order)]
    number, found = 1, np.zeros(len(scores), dtype=np.int64)
    for at, system in enumerate(order):
        if at and ordered[:at, at:].all():
            number += 1
        found[system] = number
    return found


def rank_ranges(better: NDArray[np.bool_]) -> tuple[Codes, Codes]:
    """The ranks that the tests leave open to each system: the best and the worst one."""
    return 1 + better.sum(axis=0), len(better) - better.sum(axis=1)
