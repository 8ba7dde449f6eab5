"""Cohen's kappa of every two judges who share items, and the mean over all pairs.

`mean_over_pairs` gives such a mean an interval that takes into account that pairs share judges and
items.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from jurat.errors import unknown_name
from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.agreement.answer_counts import WORDS
from jurat.stats.estimates import normal_quantile
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.kappa import (
    WEIGHTS,
    JudgePairs,
    kappas_and_influences,
    mean_error,
    pair_errors,
    pair_kappas,
    sampled_mean,
)
from jurat.stats.phrases import interval, strength_headline
from jurat.stats.ratings import Array, Ratings
from jurat.stats.statistic import Settings, Statistic

UNSHARED = "no two judges judged the same item"
INFLUENCES = "normal interval from the influence of each item (infinitesimal jackknife over items)"


def judge_pairs(ratings: Ratings) -> JudgePairs:
    """The pairs of judges of some first answers, found once."""
    return ratings.once(JudgePairs.of)


def mean_over_pairs(
    ratings: Ratings,
    values: Array,
    influences: Array | None,
    *,
    settings: Settings,
    by: Mapping[str, Key],
    reason: str,
) -> Estimate:
    """The mean over the pairs that have a value; n counts these.

    The interval comes from the `influences` of the items, where these are given and intervals are
    asked for. `reason` says why there is no value although judges share items.
    """
    defined = values[~np.isnan(values)]
    if not len(defined):
        return Estimate.of(
            None, 0, about=ratings, by=by, reason=reason if len(values) else UNSHARED
        )
    value, half = float(defined.mean()), np.nan
    pairs = judge_pairs(ratings)
    # Of one item alone, nothing is known about how items differ.
    if settings.bootstrap and influences is not None and np.ptp(pairs.item):
        half = normal_quantile(settings) * mean_error(pairs, influences)
    low, high = np.clip([value - half, value + half], -1.0, 1.0)
    return Estimate.of(value, len(defined), about=ratings, by=by, low=low, high=high)


METHODS = ("exact", "sampled")
# Pairs listed one by one: those of a hundred judges. Of more, those with the most shared items.
MOST_PAIRS = 5000
MOST_CELLS = 1500
NO_CHANCE = "both judges of every pair gave one answer: chance would agree as well"
SAMPLED = "mean of 20 random pairs, 100 times, with the percentiles of these means"


class CohenKappa(Statistic[Settings]):
    """Kappa of two judges, averaged over all pairs, and of each pair."""

    name = "cohen-kappa"
    asks = "How far do two judges agree beyond chance, each with their own use of the scale?"
    formula = (
        "1 − observed / expected distance of two judges' answers, mean over pairs of judges; "
        "distance: a ≠ b (none), |a − b| (linear), (a − b)² (quadratic), max(|a − b| − 1, 0) "
        "(one-off)"
    )
    source = "Cohen 1960, 1968; Fleiss, Cohen & Everitt 1969; Fomicheva & Specia, table 1"
    needs = ("judge",)
    order = 30
    over = "weights"
    words = "Two judges agree beyond chance, in the mean of all pairs"
    counted = "pairs of judges, for one pair its shared items"

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The means first, then the pairs one by one."""
        method = settings.method or METHODS[0]
        if method not in METHODS:
            raise unknown_name("method", method, METHODS)
        found = [_PairKappas(ratings.firsts, settings) for ratings in evaluation.ratings]
        exact = f"{INFLUENCES}; for one pair Fleiss, Cohen & Everitt's"
        how = (SAMPLED if method == "sampled" else exact) if settings.bootstrap else ""
        give = partial(self.result, evaluation, settings, how=how, way=method)
        yield give([e for kappas in found for e in kappas.means(method)])
        singles = [e for kappas in found for e in kappas.singles()]
        if singles:
            yield give(singles, headline=_extremes(singles), draw=lambda: _heat(singles))

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The means without weights."""
        plain = [e for e in known if e.by["weights"] == "none"]
        return strength_headline(self.words, plain, "pairs of judges")

    def undefined_headline(self, name: str, estimates: Sequence[Estimate]) -> str:
        """Why there is no mean."""
        return strength_headline(self.words, estimates)


class _PairKappas:
    """The kappas of one question, and how sure they are."""

    def __init__(self, ratings: Ratings, settings: Settings) -> None:
        self.ratings, self.settings = ratings, settings
        self.pairs = judge_pairs(ratings)
        self.weights = WEIGHTS[:1] if ratings.nominal else WEIGHTS
        self.values: dict[str, Array] = {}
        self.influences: dict[str, Array | None] = dict.fromkeys(WEIGHTS)
        for w in self.weights:
            if settings.bootstrap:
                self.values[w], self.influences[w] = kappas_and_influences(self.pairs, w)
            else:
                self.values[w] = pair_kappas(self.pairs, w)

    def means(self, method: str) -> Iterator[Estimate]:
        for weights in WEIGHTS:
            by: Mapping[str, Key] = {"weights": weights, "pairs": "all"}
            if weights not in self.weights:
                yield Estimate.of(None, 0, about=self.ratings, by=by, reason=WORDS)
            elif method == "sampled":
                yield self._sampled(weights, by)
            else:
                yield mean_over_pairs(
                    self.ratings,
                    self.values[weights],
                    self.influences[weights],
                    settings=self.settings,
                    by=by,
                    reason=NO_CHANCE,
                )

    def _sampled(self, weights: str, by: Mapping[str, Key]) -> Estimate:
        values, settings = self.values[weights], self.settings
        # Drawn from the same seed as bootstraps, so that a table can be made again.
        found = sampled_mean(values, seed=settings.seed, confidence=settings.confidence)
        low, high = (found.low, found.high) if settings.bootstrap else (None, None)
        reason = NO_CHANCE if len(values) else UNSHARED
        n = (~np.isnan(values)).sum()
        return Estimate.of(
            found.value, n, about=self.ratings, by=by, low=low, high=high, reason=reason
        )

    def singles(self) -> Iterator[Estimate]:
        # The largest first when some must go, and then in the order of the judges again.
        chosen = np.sort(np.argsort(-self.pairs.n, kind="stable")[:MOST_PAIRS])
        for weights in self.weights:
            ends = self._ends(weights)
            for at in chosen.tolist():
                yield self._single(weights, at, ends)

    def _ends(self, weights: str) -> Array:
        """How far each pair's interval reaches; NaN where it has none."""
        influences = self.influences[weights]
        if influences is None:
            return np.full(len(self.pairs), np.nan)
        reach = normal_quantile(self.settings) * pair_errors(self.pairs, influences)
        # One shared item moves nothing, and would have an interval of no length.
        return np.where(self.pairs.n > 1, reach, np.nan)

    def _single(self, weights: str, at: int, ends: Array) -> Estimate:
        pairs, value, half = self.pairs, float(self.values[weights][at]), float(ends[at])
        judges = {"judge_a": pairs.judges[pairs.a[at]], "judge_b": pairs.judges[pairs.b[at]]}
        return Estimate.of(
            value,
            pairs.n[at],
            about=self.ratings,
            by={"weights": weights, **judges},
            low=value - half,
            high=value + half,
            reason="both gave one answer: chance would agree as well",
        )


def cohen_kappa(ratings: Ratings, *, weights: str = "none") -> dict[tuple[str, str], float]:
    """The kappa of every two judges who share items, by their names; NaN where undefined."""
    pairs = judge_pairs(ratings.firsts)
    names = [(pairs.judges[a], pairs.judges[b]) for a, b in zip(pairs.a, pairs.b, strict=True)]
    return dict(zip(names, pair_kappas(pairs, weights).tolist(), strict=True))


def _extremes(singles: Sequence[Estimate]) -> str:
    known = [e for e in singles if e.by["weights"] == "none" and e.value is not None]
    if not known:
        return ""
    least, most = (pick(known, key=lambda e: e.value or 0.0) for pick in (min, max))
    return f"The pair that agrees least: {_pair(least)}; the one that agrees most: {_pair(most)}."


def _pair(estimate: Estimate) -> str:
    judges = f"{estimate.by['judge_a']} and {estimate.by['judge_b']}"
    return f"{judges} {spoken(estimate.value)}{interval(estimate)}, {estimate.n:,} items"


def _heat(singles: Sequence[Estimate]) -> Figure:
    """The pairs of the first question, as many as one can see."""
    first = singles[0]
    known = [e for e in singles if e.by["weights"] == "none" and e.value is not None]
    # Heat maps of several questions over each other would hide one another.
    data = [e for e in known if e.tags == first.tags and e.by["question"] == first.by["question"]]
    return figures.heat(
        "Cohen's kappa of pairs of judges",
        figures.rows(data[:MOST_CELLS]),
        x=figures.axis("judge_a", "judge", "nominal"),
        y=figures.axis("judge_b", "judge", "nominal"),
        colour=figures.axis("value", "kappa"),
    )
