"""Mean kappas over kinds of pairs of judges: of all pairs, or of pairs drawn as in the paper."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jurat.faults import unknown
from jurat.stats.bias.crossing import Kappas, crossed_kappas, worthwhile
from jurat.stats.bias.groups import Groups, Mask
from jurat.stats.kappa import WEIGHTS, JudgePairs, pair_kappas, sampled_mean
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.spread import Spread, spread
from jurat.stats.statistic import Settings

METHODS = ("exact", "sampled")


def kappas_of(ratings: Ratings, keep: Mask | None = None) -> Kappas:
    """The kappas of every two judges by all weights (`none` only for words), over rows kept."""
    weights = WEIGHTS[:1] if ratings.nominal else WEIGHTS
    rows = np.arange(len(ratings)) if keep is None else np.flatnonzero(keep)
    if not len(rows):
        nobody = np.zeros(0, dtype=np.int64)
        return Kappas(nobody, nobody, {name: np.zeros(0) for name in weights})
    if worthwhile(ratings, rows):
        return crossed_kappas(ratings, rows, weights)
    pairs = JudgePairs.of(ratings, keep=keep)
    return Kappas(pairs.a, pairs.b, {name: pair_kappas(pairs, name) for name in weights})


@dataclass(frozen=True, kw_only=True)
class Cell:
    """The kappas of one kind of pairs by one way of weighting, as far as they are defined."""

    weights: str
    pairs: str
    a: Codes
    b: Codes
    kappas: Array
    undefined: int

    @property
    def mean(self) -> float:
        """Their mean; NaN where there are none."""
        return float(self.kappas.mean()) if len(self.kappas) else float("nan")

    @property
    def reason(self) -> str:
        """Why there is no mean."""
        if len(self.kappas):
            return ""
        if self.undefined:
            return "kappa is undefined for every pair: no distance is to be expected"
        return _NONE.get(self.pairs, "no two judges share an item")

    def by_judge(self, person: Codes) -> Array:
        """Jackknife pseudo-values of the mean, one a person; NaN for who has no such pair.

        m·θ − (m − 1)·θ(i), with θ(i) the mean over the pairs without i, moved so that their mean
        is θ (Arvesen 1969). A pair belongs to two judges: these are what varies with the judges,
        and the bootstrap or a test can take them for values of one judge each.
        """
        size = int(person.max(initial=-1)) + 1
        if not len(self.kappas):
            return np.full(size, np.nan)
        sums, counts = np.zeros(size), np.zeros(size)
        for codes in (person[self.a], person[self.b]):
            sums += np.bincount(codes, weights=self.kappas, minlength=size)
            counts += np.bincount(codes, minlength=size)
        there, n = counts > 0, len(self.kappas)
        left = n - counts
        without = np.full(size, np.nan)
        np.divide(self.kappas.sum() - sums, left, out=without, where=there & (left > 0))
        pseudo = there.sum() * self.mean - (there.sum() - 1) * without
        if np.isnan(pseudo[there]).any():
            return np.full(size, np.nan)
        return np.asarray(pseudo + self.mean - pseudo[there].mean())


_NONE = {
    "within": "no two judges of the same group share an item",
    "across": "no two judges of different groups share an item",
    "source": "no two judges who saw the source share an item",
}


def cells(groups: Groups, kappas: Kappas) -> list[Cell]:
    """Every kind of pairs by every way of weighting."""
    kinds = groups.kinds(kappas.a, kappas.b)
    return [
        _cell(kappas, weights, pairs, mask)
        for weights in kappas.values
        for pairs, mask in kinds.items()
    ]


def _cell(kappas: Kappas, weights: str, pairs: str, mask: Mask) -> Cell:
    values = kappas.values[weights]
    kept = mask & ~np.isnan(values)
    return Cell(
        weights=weights,
        pairs=pairs,
        a=kappas.a[kept],
        b=kappas.b[kept],
        kappas=values[kept],
        undefined=int(mask.sum() - kept.sum()),
    )


def mean_kappas(found: list[Cell], person: Codes, settings: Settings) -> Spread:
    """The mean of each cell, with an interval over judges, or as the paper sampled it."""
    way = settings.method or METHODS[0]
    if way not in METHODS:
        raise unknown("method", way, METHODS, field="--method")
    return _sampled(found, settings) if way == "sampled" else _exact(found, person, settings)


def _exact(found: list[Cell], person: Codes, settings: Settings) -> Spread:
    values = np.array([cell.mean for cell in found])
    nothing = np.full(len(found), np.nan)
    if not settings.bootstrap or not len(person):
        return Spread(values=values, low=nothing, high=nothing)
    pseudo = np.column_stack([cell.by_judge(person) for cell in found])
    there = ~np.isnan(pseudo)
    sums = np.hstack([np.where(there, pseudo, 0), there.astype(np.float64)])
    drawn = spread(sums, ratio, settings=settings)
    method = f"{drawn.method.replace('clusters', 'judges')} (jackknife pseudo-values)"
    low, high = (np.minimum(end, 1) for end in (drawn.low, drawn.high))  # as any kappa
    return Spread(values=values, low=low, high=high, method=method)


def ratio(totals: Array) -> Array:
    """The first half of the columns over the second."""
    half = totals.shape[1] // 2
    return np.asarray(totals[:, :half] / totals[:, half:])


def _sampled(found: list[Cell], settings: Settings) -> Spread:
    drawn = [
        sampled_mean(cell.kappas, seed=settings.seed, confidence=settings.confidence)
        for cell in found
    ]
    values, low, high = np.array(drawn).T
    method = "mean of 100 means of 20 pairs drawn at random"
    if not settings.bootstrap:
        nothing = np.full(len(found), np.nan)
        return Spread(values=values, low=nothing, high=nothing, method=method)
    method += f", percentile interval, {100 * settings.confidence:g} %"
    return Spread(values=values, low=low, high=high, method=method)
