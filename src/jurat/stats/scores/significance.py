"""Whether two systems differ by more than chance: tests of every pair, from a metric's counts.

A test gets scores of the same resamples for every system, or the counts themselves, and gives
p-values of all pairs (S × S) at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.metrics.metric import Array
from jurat.resampling import Bootstrap, adjust, permute_pairs
from jurat.resampling.intervals import quantile
from jurat.stats.scores.choices import ScoreSettings, Test
from jurat.stats.scores.scored import Scored, threads

NO_RESAMPLES = "the test needs resamples, and none were asked for"
ONE_UNIT = "a single {} says nothing about others"


@dataclass(frozen=True, kw_only=True)
class Compared:
    """Every two systems by one metric (S × S): difference, its interval, and corrected p."""

    scored: Scored
    difference: Array
    """The row's score less the column's."""
    low: Array
    high: Array
    p: Array
    trials: int
    """Resamples or trials that p comes from."""
    method: str
    reason: str = ""
    """Why there is no p."""

    def pairs(self) -> list[tuple[int, int]]:
        """Every two systems, the better one first."""
        order = np.argsort(-self.scored.goodness, kind="stable").tolist()
        return [(a, b) for at, a in enumerate(order) for b in order[at + 1 :]]


class Tested(NamedTuple):
    """p-values before correction, from how many trials and how; or why there are none."""

    p: Array
    trials: int = 0
    method: str = ""
    reason: str = ""


def compare(scored: Scored, settings: ScoreSettings, resampled: Bootstrap | None) -> Compared:
    """Every two systems; `resampled` are the scores on the resamples that give the intervals."""
    difference = scored.corpus[:, None] - scored.corpus
    low, high = _intervals(resampled, settings, difference)
    found = _tested(scored, settings, resampled)
    corrected = found._replace(p=_corrected(found.p, settings))
    return Compared(scored=scored, difference=difference, low=low, high=high, **corrected._asdict())


def _tested(scored: Scored, settings: ScoreSettings, resampled: Bootstrap | None) -> Tested:
    nothing = np.full((len(scored.systems),) * 2, np.nan)
    if scored.number(settings) < 2:
        return Tested(nothing, reason=ONE_UNIT.format(settings.draw.removesuffix("s")))
    if settings.test == "randomisation":
        return _by_swaps(scored, settings)
    if resampled is None:
        return Tested(nothing, method=WORDS[settings.test], reason=NO_RESAMPLES)
    return _by_resamples(scored, settings, resampled)


def _trials(scored: Scored, settings: ScoreSettings) -> int:
    systems = len(scored.systems)
    return settings.enough(systems * (systems - 1) // 2)


def _by_swaps(scored: Scored, settings: ScoreSettings) -> Tested:
    trials = _trials(scored, settings)
    with threads(settings, scored.number(settings) * trials) as jobs:
        swapped = permute_pairs(
            scored.units(settings),
            scored.of_sums,
            permutations=trials,
            seed=settings.seed,
            jobs=jobs,
        )
    method = swapped.method.replace("clusters", settings.draw)
    return Tested(swapped.p_value, swapped.permutations, method)


def _by_resamples(scored: Scored, settings: ScoreSettings, first: Bootstrap) -> Tested:
    trials = _trials(scored, settings)
    replicates = scored.replicates(settings, first, trials)
    p = BOOTSTRAPS[settings.test](replicates, scored.corpus)
    drawn = f"{trials} resamples of {scored.number(settings)} {settings.draw}"
    return Tested(p, trials, f"{WORDS[settings.test]}, {drawn}")


def shifted(replicates: Array, observed: Array) -> Array:
    """The shifted two-sided paired bootstrap, from scores on resamples (R × S) and of all.

    The differences d* on resamples, less their mean, are what chance gives where there is no
    difference: p = (1 + #{|d* − mean d*| ≥ |d|}) / (1 + R).
    """
    centred = replicates - np.nanmean(replicates, axis=0)
    # a resample without a score tells nothing against chance
    return _shares(centred, observed, lambda apart, limit: ~(np.abs(apart) < limit))


def recentred(replicates: Array, observed: Array) -> Array:
    """The paired bootstrap of sacreBLEU 2: p = (1 + #{|d*| − mean |d*| > |d|}) / (1 + R).

    It takes the size of d* first and the mean of sizes after, and so finds twice as many
    differences as it should where there are none.
    """

    def far(apart: Array, limit: Array) -> NDArray[np.bool_]:
        size = np.abs(apart)
        return np.asarray(~(size - np.nanmean(size, axis=0) <= limit))

    return _shares(replicates, observed, far)


Far = Callable[[Array, Array], NDArray[np.bool_]]
"""From differences on resamples and the sizes of those observed: which are as far apart."""


def _shares(replicates: Array, observed: Array, far: Far) -> Array:
    systems = len(observed)
    p = np.full((systems, systems), np.nan)
    for a in range(systems - 1):
        others = slice(a + 1, None)
        limit = np.abs(observed[a] - observed[others])
        hits = far(replicates[:, a, None] - replicates[:, others], limit).sum(axis=0)
        shares = np.where(np.isnan(limit), np.nan, (1 + hits) / (1 + len(replicates)))
        p[a, others] = p[others, a] = shares
    return p


BOOTSTRAPS: Mapping[Test, Callable[[Array, Array], Array]] = {
    "bootstrap": shifted,
    "sacrebleu-bootstrap": recentred,
}
WORDS: Mapping[Test, str] = {
    "bootstrap": "paired bootstrap, two-sided, shifted",
    "sacrebleu-bootstrap": "paired bootstrap as in sacreBLEU, which finds differences too easily",
}


def _corrected(p: Array, settings: ScoreSettings) -> Array:
    """Corrected for the number of pairs, each of which stands twice."""
    upper = np.triu_indices(len(p), 1)
    corrected = np.full(p.shape, np.nan)
    corrected[upper] = adjust(p[upper], settings.correction)
    return np.where(np.isnan(corrected), corrected.T, corrected)


def _intervals(
    resampled: Bootstrap | None, settings: ScoreSettings, difference: Array
) -> tuple[Array, Array]:
    """Symmetric bootstrap intervals of the differences (Hall 1988); NaN where there is none.

    An interval reaches as far as |d* − mean d*| in so many resamples as the confidence says: it
    holds 0 where the shifted test, before correction, finds nothing.
    """
    reach = np.full(difference.shape, np.nan)
    if resampled and resampled.interval:
        centred = resampled.replicates - np.nanmean(resampled.replicates, axis=0)
        for a in range(len(difference) - 1):
            apart = np.abs(centred[:, a, None] - centred[:, a + 1 :])
            found = quantile(apart, np.full(apart.shape[1], settings.confidence))
            reach[a, a + 1 :] = reach[a + 1 :, a] = found
    return difference - reach, difference + reach
