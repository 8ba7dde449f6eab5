"""The mean correlation of two judges over the items that they share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from jurat.results import Estimate, Key, Result, spoken
from jurat.stats.agreement import jackknifed
from jurat.stats.agreement.jackknifed import standard_errors, with_error
from jurat.stats.agreement.pair_correlations import kendall, kendall_is_quick, pearson, spearman
from jurat.stats.agreement.paired import HOW, judge_pairs, mean_over_pairs
from jurat.stats.agreement.pictures import coefficients
from jurat.stats.agreement.wording import WORDS, counted, of_what
from jurat.stats.evaluation import Evaluation
from jurat.stats.kappa import JudgePairs
from jurat.stats.ratings import Array, Ratings
from jurat.stats.spread import told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.words import interval

MOST_JACKKNIFED = 100_000
"""Pairs of judgments of which ranks are computed twenty times over."""
CONSTANT = "one of the two judges of every pair always gave the same answer"
MANY = "there are too many pairs of judges and points of the scale for it"
FORMULAS = {
    "pearson-mean": "Pearson's r of two judges over their shared items, mean over pairs of judges",
    "spearman-mean": "Spearman's ρ (mid-ranks) of two judges, mean over pairs of judges",
    "kendall-mean": "Kendall's τ_b and Stuart's τ_c of two judges, mean over pairs of judges",
}


_HOW = {"pearson-mean": HOW} | dict.fromkeys(("spearman-mean", "kendall-mean"), jackknifed.HOW)


class Correlations(Statistic[Settings]):
    """Pearson, Spearman and Kendall, each averaged over all pairs of judges."""

    name = "pearson-mean"
    gives = tuple(FORMULAS)
    asks = "Do judges put the items in the same order, whatever their level?"
    formula = FORMULAS["pearson-mean"]
    source = "Pearson 1895; Spearman 1904; Kendall 1945; Stuart 1953"
    needs = ("judge",)
    place = 50

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A result a kind of correlation."""
        found = [_Means(ratings.firsts, settings) for ratings in evaluation.ratings]
        ways = {
            "pearson-mean": _Means.pearson,
            "spearman-mean": _Means.spearman,
            "kendall-mean": _Means.kendall,
        }
        for name, of in ways.items():
            estimates = tuple(e for means in found for e in of(means))
            sure = any(e.low is not None for e in estimates)
            yield self.result(
                evaluation,
                settings,
                estimates,
                name=name,
                method=told(
                    f"{FORMULAS[name]}; n counts pairs of judges", _HOW[name] if sure else ""
                ),
                headline=_headline(name, estimates),
                draw=partial(coefficients, name, estimates),
            )


class _Means:
    """The mean correlations of one question."""

    def __init__(self, ratings: Ratings, settings: Settings) -> None:
        self.ratings, self.settings = ratings, settings

    def pearson(self) -> Iterator[Estimate]:
        if self.ratings.nominal:
            yield self._nothing(WORDS)
            return
        pairs = judge_pairs(self.ratings)
        values, influences = pearson(pairs)
        yield self._mean(values, influences, {})

    def spearman(self) -> Iterator[Estimate]:
        if self.ratings.nominal:
            yield self._nothing(WORDS)
        else:
            yield from self._jackknifed(lambda pairs: [spearman(pairs)], ({},))

    def kendall(self) -> Iterator[Estimate]:
        pairs = judge_pairs(self.ratings)
        reason = WORDS if self.ratings.nominal else "" if kendall_is_quick(pairs) else MANY
        forms: Sequence[dict[str, Key]] = ({"form": "b"}, {"form": "c"})
        if reason:
            yield from (self._nothing(reason, **form) for form in forms)
        else:
            yield from self._jackknifed(kendall, forms)

    def _jackknifed(
        self, of: Callable[[JudgePairs], Sequence[Array]], keys: Sequence[dict[str, Key]]
    ) -> Iterator[Estimate]:
        """Means of what has no influences, with the jackknife's intervals where it is quick."""
        pairs = judge_pairs(self.ratings)
        estimates = [self._mean(v, None, key) for v, key in zip(of(pairs), keys, strict=True)]
        if not self.settings.bootstrap or not 0 < len(pairs.pair) <= MOST_JACKKNIFED:
            yield from estimates
            return
        items = int(pairs.item.max()) + 1

        def without(kept: NDArray[np.bool_]) -> list[float]:
            return [_mean(values) for values in of(pairs.where(kept[pairs.item]))]

        errors = standard_errors(without, items, seed=self.settings.seed)
        for estimate, error in zip(estimates, errors, strict=True):
            yield with_error(estimate, float(error), self.settings)

    def _mean(self, values: Array, influences: Array | None, keys: Mapping[str, Key]) -> Estimate:
        by = {**self.ratings.by, **keys}
        return mean_over_pairs(
            self.ratings, values, influences, settings=self.settings, by=by, reason=CONSTANT
        )

    def _nothing(self, reason: str, **keys: Key) -> Estimate:
        by = {**self.ratings.by, **keys}
        return Estimate(value=None, n=0, by=by, tags=self.ratings.tags, reason=reason)


def pearson_mean(ratings: Ratings) -> float:
    """The mean Pearson correlation of two judges; NaN where no pair has one."""
    pairs = judge_pairs(ratings.firsts)
    return _mean(pearson(pairs)[0])


def _mean(values: Array) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def _headline(name: str, estimates: Sequence[Estimate]) -> str:
    told = [e for e in estimates if e.value is not None and e.by.get("form", "b") == "b"]
    if not told:
        return ""
    kind = name.removesuffix("-mean").capitalize()
    each = [
        f"{of_what(e)} {spoken(e.value)}{interval(e)} over {counted(e.n, 'pairs of judges')}"
        for e in told[:3]
    ]
    return f"Two judges' answers correlate ({kind}): {'; '.join(each)}."
