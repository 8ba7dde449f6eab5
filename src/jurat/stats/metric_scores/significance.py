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
from jurat.resampling.jackknife_t import equal_units
from jurat.resampling.student_t import t_cdf, t_quantile
from jurat.stats.hypothesis_tests import sacrebleu_bootstrap, shifted_bootstrap
from jurat.stats.metric_scores.counts import MetricCounts, threads
from jurat.stats.pairwise import PValues, better_first
from jurat.stats.settings import MetricTestName, ScoreSettings

NO_RESAMPLES = "the test needs resamples, and none were asked for"
ONE_UNIT = "a single {} says nothing about others"
FEW_DOCUMENTS = "{} documents cannot speak for others"
# Documents below which no p is given, as everywhere in Jurat.
FEWEST = 6


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
    low, high = _intervals(scored, resampled, settings, difference)
    tests = _p_values(scored, settings, resampled).corrected(settings.correction)
    return ScoreDifferences(scored=scored, difference=difference, low=low, high=high, tests=tests)


def _p_values(
    scored: MetricCounts, settings: ScoreSettings, resampled: Bootstrap | None
) -> PValues:
    systems = len(scored.systems)
    # Every resample of a single unit is that unit: all differences would be certain.
    units, drawn = scored.unit_count(settings), scored.drawn(settings)
    if units < 2:
        return PValues.none(systems, ONE_UNIT.format(drawn.removesuffix("s")))
    # Swaps of so few documents give no p below 0.05 anyway.
    if settings.test == "randomisation":
        return _by_swaps(scored, settings)
    if drawn == "documents" and units < FEWEST:
        method = f"{WORDS[settings.test]}, of {units} documents"
        return PValues.none(systems, FEW_DOCUMENTS.format(units), method)
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
    method = swapped.method.replace("clusters", scored.drawn(settings))
    return PValues(swapped.p_value, _sizes(scored), "", method, swapped.permutations)


def _by_resamples(scored: MetricCounts, settings: ScoreSettings, first: Bootstrap) -> PValues:
    if uses_t(scored, settings):
        return _by_standard_errors(scored, settings, first)
    trials = _trials(scored, settings)
    replicates = scored.replicates(settings, first, trials)
    p = BOOTSTRAPS[settings.test](replicates, scored.corpus)
    drawn = f"{trials} resamples of {scored.unit_count(settings)} {scored.drawn(settings)}"
    return PValues(p, _sizes(scored), "", f"{WORDS[settings.test]}, {drawn}", trials)


def uses_t(scored: MetricCounts, settings: ScoreSettings) -> bool:
    """Whether intervals and tests take t: documents are few, and their resamples vary too little.

    With 10 documents, resamples alone would find differences twice as often as they should.
    """
    return scored.drawn(settings) == "documents" and settings.test != "sacrebleu-bootstrap"


def worth(scored: MetricCounts) -> float:
    """As many documents of one length as these are worth.

    With 12 documents of 1 to 25 segments, t with 11 found a difference of equal systems in 8 %.
    """
    return float(equal_units(np.bincount(scored.document_codes)))


def t_errors(replicates: Array, units: float) -> Array:
    """Standard errors from resamples of so few units: SD √(n / (n − 1)) along the first axis."""
    return np.asarray(np.nanstd(replicates, axis=0, ddof=1) * np.sqrt(units / (units - 1)))


def t_reach(settings: ScoreSettings, units: float) -> float:
    """How many standard errors an interval reaches to either side: t with n − 1."""
    return float(t_quantile(units - 1, (1 + settings.confidence) / 2))


def _by_standard_errors(scored: MetricCounts, settings: ScoreSettings, first: Bootstrap) -> PValues:
    """Two-sided p of t = difference / standard error, the latter from resampled documents."""
    units, size = worth(scored), len(scored.systems)
    p = np.full((size, size), np.nan)
    for a in range(size - 1):
        error = t_errors(first.replicates[:, a, None] - first.replicates[:, a + 1 :], units)
        apart = np.abs(scored.corpus[a] - scored.corpus[a + 1 :])
        with np.errstate(invalid="ignore", divide="ignore"):
            # Systems that never differ have no error, and are not told apart.
            t = np.where(apart > 0, apart / error, 0.0)
        p[a, a + 1 :] = p[a + 1 :, a] = 2 * t_cdf(units - 1, -t)
    trials = len(first.replicates)
    number = scored.unit_count(settings)
    method = f"paired bootstrap, two-sided, with t, {trials} resamples of {number} documents"
    return PValues(p, _sizes(scored), "", method, trials)


BOOTSTRAPS: Mapping[MetricTestName, Callable[[Array, Array], Array]] = {
    "bootstrap": shifted_bootstrap,
    "sacrebleu-bootstrap": sacrebleu_bootstrap,
}
WORDS: Mapping[MetricTestName, str] = {
    "bootstrap": "paired bootstrap, two-sided, shifted",
    "sacrebleu-bootstrap": "paired bootstrap as in sacreBLEU, which finds differences too easily",
}


def _intervals(
    scored: MetricCounts, resampled: Bootstrap | None, settings: ScoreSettings, difference: Array
) -> tuple[Array, Array]:
    """Symmetric bootstrap intervals of the differences (Hall 1988); NaN where there is none.

    Of documents they are t intervals, which agree with the test. Of segments an interval reaches
    as far as |d* − mean d*| in so many resamples as the confidence says: it holds 0 where the
    shifted test, before correction, finds nothing.
    """
    # Row by row, since all pairs of all resamples at once would take gigabytes.
    reach = np.full(difference.shape, np.nan)
    if resampled and resampled.interval:
        centred = resampled.replicates - np.nanmean(resampled.replicates, axis=0)
        with_t = uses_t(scored, settings)
        units = worth(scored) if with_t else 0.0
        for a in range(len(difference) - 1):
            apart = np.abs(centred[:, a, None] - centred[:, a + 1 :])
            if with_t:
                signed = centred[:, a, None] - centred[:, a + 1 :]
                found = t_reach(settings, units) * t_errors(signed, units)
            else:
                found = quantile(apart, np.full(apart.shape[1], settings.confidence))
            reach[a, a + 1 :] = reach[a + 1 :, a] = found
    return difference - reach, difference + reach
