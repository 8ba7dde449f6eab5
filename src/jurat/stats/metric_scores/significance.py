"""Differences of every two systems by a metric, with intervals and p-values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import comb

import numpy as np

from jurat.metrics.metric import Array
from jurat.resampling import Bootstrap, permute_pairs
from jurat.resampling.bootstrap import quantile
from jurat.resampling.engine import Codes
from jurat.stats.hypothesis_tests import sacrebleu_bootstrap, shifted_bootstrap
from jurat.stats.metric_scores.counts import MetricCounts, threads
from jurat.stats.pairwise import PValues, better_first
from jurat.stats.settings import MetricTestName, ScoreSettings

NO_RESAMPLES = "the test needs resamples, and none were asked for"
ONE_UNIT = "a single {} says nothing about others"


@dataclass(frozen=True, kw_only=True)
class ScoreDifferences:
    """Every two systems by one metric (S × S): difference, its interval, and corrected p."""

    scored: MetricCounts
    difference: Array
    """The row's score less the column's."""
    low: Array
    high: Array
    tests: PValues

    def pairs(self) -> list[tuple[int, int]]:
        """Every two systems, the better one first."""
        return better_first(self.scored.goodness)


def compare_systems(
    scored: MetricCounts, settings: ScoreSettings, resampled: Bootstrap | None
) -> ScoreDifferences:
    """Every two systems; `resampled` are the scores on the resamples that give the intervals."""
    difference = scored.corpus[:, None] - scored.corpus
    low, high = _intervals(resampled, settings, difference)
    tests = _p_values(scored, settings, resampled).corrected(settings.correction)
    return ScoreDifferences(scored=scored, difference=difference, low=low, high=high, tests=tests)


def _p_values(
    scored: MetricCounts, settings: ScoreSettings, resampled: Bootstrap | None
) -> PValues:
    systems = len(scored.systems)
    # Every resample of a single unit is that unit: all differences would be certain.
    if scored.unit_count(settings) < 2:
        return PValues.none(systems, ONE_UNIT.format(settings.draw.removesuffix("s")))
    if settings.test == "randomisation":
        return _by_swaps(scored, settings)
    if resampled is None:
        return PValues.none(systems, NO_RESAMPLES, WORDS[settings.test])
    return _by_resamples(scored, settings, resampled)


def _sizes(scored: MetricCounts) -> Codes:
    """The number of segments, for every two systems."""
    return np.full((len(scored.systems),) * 2, scored.size)


def _trials(scored: MetricCounts, settings: ScoreSettings) -> int:
    return settings.trials_for(comb(len(scored.systems), 2))


def _by_swaps(scored: MetricCounts, settings: ScoreSettings) -> PValues:
    trials = _trials(scored, settings)
    with threads(settings, scored.unit_count(settings) * trials) as jobs:
        swapped = permute_pairs(
            scored.units(settings),
            scored.of_sums,
            permutations=trials,
            seed=settings.seed,
            jobs=jobs,
        )
    method = swapped.method.replace("clusters", settings.draw)
    return PValues(swapped.p_value, _sizes(scored), "", method, swapped.permutations)


def _by_resamples(scored: MetricCounts, settings: ScoreSettings, first: Bootstrap) -> PValues:
    trials = _trials(scored, settings)
    replicates = scored.replicates(settings, first, trials)
    p = BOOTSTRAPS[settings.test](replicates, scored.corpus)
    drawn = f"{trials} resamples of {scored.unit_count(settings)} {settings.draw}"
    return PValues(p, _sizes(scored), "", f"{WORDS[settings.test]}, {drawn}", trials)


BOOTSTRAPS: Mapping[MetricTestName, Callable[[Array, Array], Array]] = {
    "bootstrap": shifted_bootstrap,
    "sacrebleu-bootstrap": sacrebleu_bootstrap,
}
WORDS: Mapping[MetricTestName, str] = {
    "bootstrap": "paired bootstrap, two-sided, shifted",
    "sacrebleu-bootstrap": "paired bootstrap as in sacreBLEU, which finds differences too easily",
}


def _intervals(
    resampled: Bootstrap | None, settings: ScoreSettings, difference: Array
) -> tuple[Array, Array]:
    """Symmetric bootstrap intervals of the differences (Hall 1988); NaN where there is none.

    An interval reaches as far as |d* − mean d*| in so many resamples as the confidence says: it
    holds 0 where the shifted test, before correction, finds nothing.
    """
    # Row by row, since all pairs of all resamples at once would take gigabytes.
    reach = np.full(difference.shape, np.nan)
    if resampled and resampled.interval:
        centred = resampled.replicates - np.nanmean(resampled.replicates, axis=0)
        for a in range(len(difference) - 1):
            apart = np.abs(centred[:, a, None] - centred[:, a + 1 :])
            found = quantile(apart, np.full(apart.shape[1], settings.confidence))
            reach[a, a + 1 :] = reach[a + 1 :, a] = found
    return difference - reach, difference + reach
