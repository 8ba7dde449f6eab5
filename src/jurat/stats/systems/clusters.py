"""The rank of each system, and clusters of systems that do not differ significantly."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from jurat.results import Estimate, Result
from jurat.stats.estimates import method_line
from jurat.stats.evaluation import Evaluation
from jurat.stats.hypothesis_tests import correction_words
from jurat.stats.phrases import listed
from jurat.stats.ratings import Array, Codes
from jurat.stats.settings import Settings
from jurat.stats.systems.pairwise import SystemPairTests, pair_tests
from jurat.stats.systems.score_table import score_tables
from jurat.stats.systems.settings import SystemSettings
from jurat.stats.systems.system_score import raw_averages
from jurat.stats.systems.system_statistic import (
    Shown,
    SystemStatistic,
    best_first,
    first_split,
    method_of_first,
    question_and_split,
)
from jurat.stats.systems.win_counts import preference_win_counts
from jurat.stats.systems.win_rates import win_rates

NO_SCORE = "the system has no score"


class SystemCluster(SystemStatistic):
    """Clusters as in WMT's tables: all of one are significantly better than all below."""

    name = "system-cluster"
    gives = ("system-cluster",)
    asks = "Which systems are equally good, as far as can be told?"
    formula = (
        "number of the cluster, 1 is best: systems in order of their score, a line drawn where "
        "every one above is significantly better than every one below; n counts systems"
    )
    source = "WMT (Bojar et al. 2013, 2016; Kocmi et al. 2023, 2024)"
    order = 30
    shown = (Shown("Clusters of systems", "cluster", ranks=True),)

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The clusters of every question."""
        chosen = SystemSettings.of(settings)
        found = pair_tests(evaluation, chosen)
        estimates = [e for one in found for e in _cluster_estimates(one)]
        correction = correction_words(chosen.corrected)
        yield self.system_result(
            evaluation,
            chosen,
            estimates,
            method=method_line(self.formula, method_of_first(found), correction, chosen.direction),
            headline=_first_cluster(estimates),
            **chosen.test_options(),
            level=round(1 - chosen.confidence, 10),
        )


def clusters(scores: Array, p: Array, *, level: float = 0.05) -> Codes:
    """The cluster of each system, from scores (higher better) and p (S × S, row better).

    A system without a score has cluster 0.
    """
    order = np.argsort(-scores, kind="stable")
    order = order[~np.isnan(scores[order])]
    better = np.nan_to_num(p[np.ix_(order, order)], nan=1.0) < level
    number, found = 1, np.zeros(len(scores), dtype=np.int64)
    for at, system in enumerate(order):
        # a line needs every one above to be better than every one below
        if at and better[:at, at:].all():
            number += 1
        found[system] = number
    return found


def _cluster_estimates(one: SystemPairTests) -> list[Estimate]:
    found = clusters(one.scores, one.p_values.p, level=one.level)
    made = [
        Estimate(
            value=float(number) if number else None,
            n=len(one.systems),
            by={**one.by, "system": system},
            tags=one.tags,
            reason="" if number else NO_SCORE,
        )
        for system, number in zip(one.systems, found, strict=True)
    ]
    return [made[at] for at in np.argsort(-one.scores, kind="stable")]


def _first_cluster(estimates: list[Estimate]) -> str:
    """Which systems are in the first cluster of the first question and split."""
    known = [e for e in estimates if e.value is not None]
    if not known:
        return ""
    same = first_split(known)
    top = [str(e.by["system"]) for e in same if e.value == 1]
    count = int(max(e.value or 0 for e in same))
    where = f"{question_and_split(known[0])}: " if len(same) < len(known) else ""
    if count == 1:
        return f"{where}{'no' if where else 'No'} line can be drawn between {len(same)} systems."
    lead = f"{listed(top)} {'is' if len(top) == 1 else 'are'} in the first"
    return f"{where}{len(same)} systems fall into {count} clusters; {lead}."


class SystemRank(SystemStatistic):
    """Ranks by mean score; of preferences by expected wins."""

    name = "system-rank"
    gives = ("system-rank",)
    asks = "Which system is best, and which ranks are possible?"
    formula = "1 + number of systems with a better score (of preferences: more expected wins)"
    source = "WMT's rank ranges from bootstrap resamples (Bojar et al. 2013)"
    order = 15
    shown = (Shown("Ranks of systems", "rank", "has rank", ranks=True),)

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The ranks of every question."""
        chosen = SystemSettings.of(settings)
        of_scores = [raw_averages(table, chosen) for table in score_tables(evaluation, chosen)]
        of_wins = [win_rates(c, chosen) for c in preference_win_counts(evaluation, chosen)]
        ranks = [*(one.estimates(1, NO_SCORE) for one in of_scores), *(w.ranks() for w in of_wins)]
        words = method_of_first(of_scores) or method_of_first(of_wins)
        yield self.system_result(
            evaluation,
            chosen,
            [e for one in ranks for e in best_first(map(_whole_interval, one), "lowest")],
            method=method_line(
                self.formula, "equal ones share the better rank", words, chosen.direction
            ),
            best="lowest",
            average=chosen.average,
        )


def _whole_interval(e: Estimate) -> Estimate:
    """With an interval of whole ranks: percentiles of ranks may lie between two."""
    if e.low is None or e.high is None:
        return e
    return e._replace(low=float(math.floor(e.low)), high=float(math.ceil(e.high)))
