"""Cohen's kappa of every two judges who share items, and the mean over all pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from jurat.errors import unknown_name
from jurat.resampling.jackknife_t import interval_by_group
from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.agreement.answer_counts import WORDS, AnswerCounts
from jurat.stats.agreement.item_statistic import IRRCAC
from jurat.stats.agreement.new_judges import drawn, draws_judges, for_these_judges
from jurat.stats.agreement.pair_intervals import (
    UNSHARED,
    few_shared,
    judge_pairs,
    mean_over_pairs,
    mean_with_interval,
    noted,
    pair_method,
    pair_units,
    pseudo_pairs,
    widened_mean,
)
from jurat.stats.agreement.rare_answer_intervals import (
    FEW_UNEQUAL,
    PSEUDO_ITEMS,
    TWO,
    Rarity,
    few_far,
    few_others,
    rarity,
)
from jurat.stats.answer_distances import WEIGHTS
from jurat.stats.estimates import common_method, method_line, normal_quantile
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.independent_units import units_of
from jurat.stats.judge_pairs import (
    ENOUGH_FOR_KAPPA,
    ENOUGH_SHARED,
    FEW_SHARED,
    PairUnits,
    few_in_pair,
    pair_errors,
)
from jurat.stats.kappa import kappas_and_influences, kappas_without, pair_kappas, sampled_mean
from jurat.stats.phrases import FALLS_SHORT, interval, strength_headline
from jurat.stats.ratings import Array, Ratings
from jurat.stats.statistic import Settings, Statistic

# The large-sample interval of a pair's kappa, as R's psych prints it.
LARGE_SAMPLE = "fleiss-cohen-everitt"
METHODS = ("exact", "sampled", IRRCAC, LARGE_SAMPLE)
# Pairs listed one by one: those of a hundred judges. Of more, those with the most shared items.
MOST_PAIRS = 5000
MOST_CELLS = 1500
NO_CHANCE = "both judges of every pair gave one answer: chance would agree as well"
FEW_OF_PAIR = "few cases outside the commonest category, or few about which both differ"
NORMAL = "of a pair: normal interval by Fleiss, Cohen and Everitt 1969, items taken as independent"
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
    source = "Cohen 1960, 1968; Fomicheva & Specia, table 1"
    resampled = False
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
        exact = common_method(kappas.method for kappas in found)
        how = (SAMPLED if settings.intervals else "") if method == "sampled" else exact
        yield self.result(
            evaluation,
            settings,
            [e for kappas in found for e in kappas.means(method)],
            how=how,
            way=method,
            unit=settings.unit,
            drawn=drawn(settings),
            # Pairs drawn at random depend on the seed; leaving out units does not.
            seed=settings.seed if method == "sampled" else "",
        )
        singles = [e for kappas in found for e in kappas.singles()]
        if singles:
            yield self.result(
                evaluation,
                settings,
                singles,
                how=NORMAL if method == LARGE_SAMPLE else for_these_judges(exact, settings),
                headline=_extremes(singles),
                draw=lambda: _heat(singles),
                way=method,
                unit=settings.unit,
                drawn=drawn(settings),
            )

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The means without weights."""
        plain = [e for e in known if e.by["weights"] == "none"]
        return strength_headline(self.words, plain, "pairs of judges", banded=True)

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
        self.left_out: dict[str, Array | None] = dict.fromkeys(WEIGHTS)
        self.sure = settings.intervals and len(self.pairs) > 0
        self.rare = rarity(AnswerCounts.of(ratings).distinct) if self.sure else Rarity()
        for w in self.weights:
            if self.sure:
                cells = pair_units(ratings, settings)
                self.values[w], self.left_out[w] = kappas_without(self.pairs, w, cells)
            else:
                self.values[w] = pair_kappas(self.pairs, w)

    @property
    def method(self) -> str:
        told = pair_method(self.ratings, self.settings)
        widened = told and self._widened and not draws_judges(self.settings)
        return method_line(told, PSEUDO_ITEMS if widened else "")

    @property
    def _widened(self) -> bool:
        everywhere = self.rare.needs_pseudo_items or self.rare.widens_distances
        return everywhere or any(self._rare_pairs(weights).any() for weights in self.weights)

    def _rare_pairs(self, weights: str) -> NDArray[np.bool_]:
        """Pairs that know few answers outside their commonest one, or differ about few items."""
        few, far = self._few_of_pairs
        return few if weights == "none" or self.rare.answers == TWO else far

    @cached_property
    def _few_of_pairs(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which pairs are rare without weights, and which with weights whatever the answers."""
        if not self.sure or self.rare.answers < TWO:
            return (np.zeros(len(self.pairs), dtype=np.bool_),) * 2
        shares, items = self.pairs.other_shares(), self.pairs.n.astype(np.float64)
        few = few_others(shares, items) | (self.pairs.unequal() <= FEW_UNEQUAL)
        return np.asarray(few), few_far(shares, items)

    @cached_property
    def _few_units(self) -> list[str]:
        """What is said of each pair that shares few items or documents; else empty."""
        if not self.sure or self.settings.method == LARGE_SAMPLE:
            return [""] * len(self.pairs)
        words = units_of(self.ratings, self.settings).words
        few = few_in_pair(pair_units(self.ratings, self.settings), len(self.pairs))
        told = method_line(f"fewer than {FEW_SHARED} shared {words}", FALLS_SHORT)
        return [told if one else "" for one in few.tolist()]

    def _with_pseudo_items(self, weights: str) -> tuple[Array, Array, PairUnits]:
        """Kappas, those without each unit, and the units, of pairs with four items more."""
        # With two answers in use all weights come to the same.
        weights = "none" if self.rare.answers == TWO else weights
        more = pseudo_pairs(self.ratings, self.settings, weights)
        return (*kappas_without(more.pairs, weights, more.cells), more.cells)

    def means(self, method: str) -> Iterator[Estimate]:
        for weights in WEIGHTS:
            by: Mapping[str, Key] = {"weights": weights, "pairs": "all"}
            if weights not in self.weights:
                yield Estimate.of(None, 0, about=self.ratings, by=by, reason=WORDS)
            elif method == "sampled":
                yield self._sampled(weights, by)
            else:
                mean = mean_over_pairs(
                    self.ratings,
                    self.values[weights],
                    self.left_out[weights],
                    settings=self.settings,
                    by=by,
                    reason=NO_CHANCE,
                    # intervals for new judges are wider
                    enough=ENOUGH_SHARED if draws_judges(self.settings) else ENOUGH_FOR_KAPPA,
                )
                yield self._widen(mean, weights)

    def _widen(self, mean: Estimate, weights: str) -> Estimate:
        """The wider of the interval as it is and that with pseudo-items, where cases are few."""
        if mean.value is None or draws_judges(self.settings):
            return mean
        if self.sure and few_shared(self.ratings, self.settings).too_few:
            return mean
        plain = weights == "none"
        if self.rare.needs_pseudo_items if plain else self.rare.widens_distances:
            more = self._with_pseudo_items(weights)
            found = mean_with_interval(*more, self.settings, pseudo=True)
            return widened_mean(mean, found, self.rare)
        return noted(mean, self._note(weights))

    def _note(self, weights: str) -> str:
        """What to beware of in kappas with these weights; else empty."""
        notes = {"none": self.rare.category_note, "quadratic": self.rare.square_note}
        return notes.get(weights, "")

    def _sampled(self, weights: str, by: Mapping[str, Key]) -> Estimate:
        values, settings = self.values[weights], self.settings
        # Drawn from the same seed as bootstraps, so that a table can be made again.
        found = sampled_mean(values, seed=settings.seed, confidence=settings.confidence)
        low, high = (found.low, found.high) if settings.intervals else (None, None)
        reason = NO_CHANCE if len(values) else UNSHARED
        n = (~np.isnan(values)).sum()
        return Estimate.of(
            found.value, n, about=self.ratings, by=by, low=low, high=high, reason=reason
        )

    def singles(self) -> Iterator[Estimate]:
        # The largest first when some must go, and then in the order of the judges again.
        chosen = np.sort(np.argsort(-self.pairs.n, kind="stable")[:MOST_PAIRS])
        for weights in self.weights:
            low, high = self._ends(weights)
            for at in chosen.tolist():
                yield self._single(weights, at, float(low[at]), float(high[at]))

    def _ends(self, weights: str) -> tuple[Array, Array]:
        """The ends of each pair's interval; NaN where it has none."""
        left_out, values = self.left_out[weights], self.values[weights]
        if left_out is None:
            return (np.full(len(self.pairs), np.nan),) * 2
        if self.settings.method == LARGE_SAMPLE:
            return self._large_sample_ends(weights)
        cells, sure = pair_units(self.ratings, self.settings), self.settings.confidence
        low, high = interval_by_group(
            values, left_out, cells.pair, sizes=cells.sizes, confidence=sure
        )
        rare = self._rare_pairs(weights) & ~np.isnan(values)
        if not rare.any():
            return low, high
        wide, without, units = self._with_pseudo_items(weights)
        lower, higher = interval_by_group(
            wide, without, units.pair, sizes=units.sizes, pseudo=True, confidence=sure
        )
        higher = np.fmax(np.fmax(high, higher), values)
        return np.where(rare, np.fmin(low, lower), low), np.where(rare, higher, high)

    def _large_sample_ends(self, weights: str) -> tuple[Array, Array]:
        values, influences = kappas_and_influences(self.pairs, weights)
        half = normal_quantile(self.settings) * pair_errors(self.pairs, influences)
        # a normal interval knows no limits; a coefficient cannot lie beyond them
        return np.maximum(values - half, -1.0), np.minimum(values + half, 1.0)

    def _single(self, weights: str, at: int, low: float, high: float) -> Estimate:
        pairs, value = self.pairs, float(self.values[weights][at])
        judges = {"judge_a": pairs.judges[pairs.a[at]], "judge_b": pairs.judges[pairs.b[at]]}
        few = self._rare_pairs(weights)[at]
        return Estimate.of(
            value,
            pairs.n[at],
            about=self.ratings,
            by={"weights": weights, **judges},
            low=low,
            high=high,
            reason="both gave one answer: chance would agree as well",
            note=FEW_OF_PAIR if few else self._few_units[at] or self._note(weights),
        )


def cohen_kappa(ratings: Ratings, *, weights: str = "none") -> dict[tuple[str, str], float]:
    """The kappa of every two judges who share items, by their names; NaN where undefined."""
    pairs = judge_pairs(ratings.firsts)
    names = [(pairs.judges[a], pairs.judges[b]) for a, b in zip(pairs.a, pairs.b, strict=True)]
    return dict(zip(names, pair_kappas(pairs, weights).tolist(), strict=True))


def _extremes(singles: Sequence[Estimate]) -> str:
    known = [e for e in _of_first(singles) if e.value is not None]
    if not known:
        return ""
    least, most = (pick(known, key=lambda e: e.value or 0.0) for pick in (min, max))
    question = known[0].by["question"]
    several = any(e.by["question"] != question for e in singles)
    which = f" ({question})" if several else ""
    return (
        f"The pair that agrees least{which}: {_pair(least)}; the one that agrees most: "
        f"{_pair(most)}."
    )


def _of_first(singles: Sequence[Estimate]) -> list[Estimate]:
    """The unweighted kappas of the first question and split."""
    first = singles[0] if singles else None
    return [
        e
        for e in singles
        if first
        and e.by["weights"] == "none"
        and (e.tags, e.by["question"]) == (first.tags, first.by["question"])
    ]


def _pair(estimate: Estimate) -> str:
    judges = f"{estimate.by['judge_a']} and {estimate.by['judge_b']}"
    return f"{judges} {spoken(estimate.value)}{interval(estimate)}, {estimate.n:,} items"


def _heat(singles: Sequence[Estimate]) -> Figure:
    """The pairs of the first question, as many as one can see."""
    # Heat maps of several questions over each other would hide one another.
    data = [e for e in _of_first(singles) if e.value is not None]
    return figures.heat(
        "Cohen's kappa of pairs of judges",
        figures.rows(data[:MOST_CELLS]),
        x=figures.axis("judge_a", "judge", "nominal"),
        y=figures.axis("judge_b", "judge", "nominal"),
        colour=figures.axis("value", "kappa"),
    )
