"""How likely two campaigns of the same size are to order the systems alike."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from jurat.results import Estimate, Key, Result
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.planning.campaign_size import planned_campaigns
from jurat.stats.planning.simulation import ONE_SYSTEM, simulate_plan
from jurat.stats.ratings import Array
from jurat.stats.settings import PlanSettings, SystemSettings
from jurat.stats.statistic import Answer, Settings, Statistic
from jurat.stats.systems.score_table import ScoreTable, cell_means, score_tables
from jurat.stats.systems.system_statistic import no_numbers

# Parts of the documents of a file that each of two campaigns has; they share none.
PARTS = (0.125, 0.25, 0.5)
FEWEST_DOCUMENTS = 2
DRAWS = 1000


class StableRanking(Statistic[Settings]):
    """The share of pairs of campaigns that order all systems alike, and have the same first."""

    name = "stable-ranking"
    gives = ("stable-ranking",)
    asks = "Would another campaign of this size order the systems the same way?"
    formula = "the share of pairs of campaigns with the same order of mean scores"
    source = "after Riley et al. 2024 (stable ranking probability)"
    order = 15

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """By number of documents, from the judgments given or from simulated campaigns."""
        asked = PlanSettings.of(settings)
        if asked.stop:
            return
        if evaluation.judgments is None:
            made, how = _simulated(evaluation, asked)
        else:
            tables = score_tables(evaluation, SystemSettings())
            made = [e for table in tables for e in _split(table, asked.seed)]
            made = made or no_numbers(evaluation)
            how = (
                "two sets of documents of the file that share none, judged by the same judges; n "
                "counts draws, which are all from one file: other documents and judges may differ"
            )
        answer = Answer(made, f"{self.formula}: {how}", choices={"seed": asked.seed})
        yield answer.result(self, evaluation, asked, {})


def _split(table: ScoreTable, seed: int) -> Iterator[Estimate]:
    """From disjoint sets of documents, each with scores of all systems."""
    document = table.document_of[table.sentence]
    number, systems = int(document.max(initial=-1)) + 1, len(table.systems)
    ones = np.bincount(document * systems + table.system, minlength=number * systems)
    counts = ones.reshape(number, systems).astype(np.float64)
    means = cell_means(document, number, table.system, systems, table.values)
    sums, rng = np.nan_to_num(means) * counts, np.random.default_rng(seed)
    for size in sorted({int(part * number) for part in PARTS}):
        if size < FEWEST_DOCUMENTS or systems < 2:
            continue
        halves = np.empty((2, DRAWS, systems))
        for draw in range(DRAWS):
            order = rng.permutation(number)
            for half in (0, 1):
                own = order[half * size : (half + 1) * size]
                with np.errstate(invalid="ignore"):
                    halves[half, draw] = table.sign * sums[own].sum(0) / counts[own].sum(0)
        there = ~np.isnan(halves).any(axis=(0, 2))
        yield from _shares(halves[0][there], halves[1][there], size, dict(table.by))


def _simulated(evaluation: Evaluation, settings: PlanSettings) -> tuple[list[Estimate], str]:
    """From simulated campaigns of systems whose neighbours are `--difference` apart."""
    apart = f"{settings.difference:g} apart from the next"
    how = f"simulated campaigns with new documents and judges, systems {apart}; n counts pairs"
    made: list[Estimate] = []
    for plan in evaluation.once(planned_campaigns, settings):
        scenario = plan.scenario
        if not settings.difference or scenario.systems < 2:
            reason = "no --difference is given" if scenario.systems > 1 else ONE_SYSTEM
            made.append(Estimate(value=None, n=0, by=dict(scenario.by), reason=reason))
            continue
        for part in (*PARTS, 1.0):
            size = scenario.document_size * max(1, round(part * plan.design.documents))
            one = simulate_plan(scenario, settings, size, plan.design.judgments)
            means = one.simulated.means.copy()
            # The campaigns have their first two systems apart; here all are, by equal steps.
            means[:, :2] -= settings.difference * np.array([0.5, -0.5])
            means -= settings.difference * np.arange(means.shape[1])
            half = len(means) // 2
            made += _shares(
                means[:half], means[half : 2 * half], one.design.documents, dict(scenario.by)
            )
    return made, how


def _shares(first: Array, second: Array, documents: int, by: dict[str, Key]) -> Iterator[Estimate]:
    """How often both have all systems in the same order, and the same system first."""
    same = (np.argsort(-first, axis=1) == np.argsort(-second, axis=1)).all(axis=1)
    best = first.argmax(axis=1) == second.argmax(axis=1)
    for what, found in (("all systems", same), ("first system", best)):
        share = float(found.mean()) if len(found) else None
        keys = {**by, "order": what, "documents": documents}
        yield Estimate.of(share, len(found), by=keys, reason="no draw has every system")
