"""Gwet's AC1 and AC2, and Brennan and Prediger's kappa, with and without weights.

Both are (Po − Pe) / (1 − Pe) as Fleiss' kappa is, with another chance: Gwet's AC stays sensible
when one answer is frequent; for Brennan and Prediger chance is a blind choice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate, Key
from jurat.stats.agreement.answer_counts import WORDS, AnswerCounts
from jurat.stats.agreement.item_statistic import (
    ItemStatistic,
    ItemSums,
    expected_agreement,
    values_of,
)
from jurat.stats.agreement.rare_answer_intervals import LONG_SCALE, SKEWED_SCORES, is_skewed
from jurat.stats.estimates import method_line
from jurat.stats.kappa import chance_corrected
from jurat.stats.phrases import FALLS_SHORT
from jurat.stats.ratings import Array, Ratings, scaled

# Of Gwet's and of Brennan and Prediger's coefficients.
WEIGHTS = ("none", "linear", "quadratic", "ordinal")


class Weighting(NamedTuple):
    """Agreement an item, 0 to 1 in the mean of its pairs, and the sum of all weights w_kl."""

    agreement: Array
    total: float


def weightings(counts: AnswerCounts) -> dict[str, Weighting]:
    """The agreement of the pairs of each item under each of the weights; words have only one."""
    points = counts.points
    found = {"none": Weighting(counts.mean_per_pair(counts.equal), float(points))}
    if counts.nominal:
        return found
    # Scaled by a power of two, so that squares of large scores do not overflow.
    places, steps = scaled(counts.places), np.arange(points, dtype=np.float64)
    linear, quadratic = counts.apart(places), counts.squared(places)
    # Gwet's ordinal weight of two points d steps apart is 1 − d(d + 1) / q(q − 1).
    ordinal = (counts.squared(steps) + counts.apart(steps)) / 2
    length = float(np.ptp(places)) if points else 0.0
    found["linear"] = _weighting(counts, linear, _all_apart(places), length)
    found["quadratic"] = _weighting(counts, quadratic, _all_squared(places), length**2)
    all_steps = (_all_squared(steps) + _all_apart(steps)) / 2
    found["ordinal"] = _weighting(counts, ordinal, all_steps, points * (points - 1) / 2)
    return found


def _weighting(counts: AnswerCounts, sums: Array, every: float, largest: float) -> Weighting:
    """From distances to weights, 1 − distance / largest distance."""
    # On a scale of one point all agree, and no distance can be divided by its length.
    scale = largest or np.nan
    disagreement = counts.mean_per_pair(sums) / scale
    return Weighting(
        np.where(counts.paired > 0, 1 - disagreement, 0.0) if largest else counts.paired,
        counts.points**2 - every / scale,
    )


def _all_apart(values: Array) -> float:
    """Σ|x − y| over all ordered pairs of points."""
    return float(2 * (values * (2 * np.arange(len(values)) - len(values) + 1)).sum())


def _all_squared(values: Array) -> float:
    """Σ(x − y)² over all ordered pairs of points."""
    centred = values - values.mean()
    return float(2 * len(values) * (centred**2).sum())


class _WeightedAgreement(ItemStatistic):
    """A coefficient for each kind of weights; words have only the one without."""

    over = "weights"
    categorical = (0,)
    weighted = tuple(range(1, len(WEIGHTS)))
    constant = "only one answer occurs"

    def keys(self, counts: AnswerCounts) -> Sequence[Mapping[str, Key]]:
        """Every kind of weights."""
        return [{"weights": name} for name in WEIGHTS]

    def reason(self, counts: AnswerCounts, key: Mapping[str, Key]) -> str:
        """Words have no weights; with a single answer there is no chance to disagree."""
        if counts.nominal and key["weights"] != "none":
            return WORDS
        return super().reason(counts, key)

    def taken_for_scale(self, counts: AnswerCounts) -> str:
        """How many answers occur, which chance and weights are of."""
        return f"here q = {counts.points:,}" if counts.points else ""

    def caution(self, counts: AnswerCounts, key: Mapping[str, Key], units: int) -> str:
        """Skewed scores with squares; a long scale of which more items would use more."""
        if key["weights"] == "quadratic" and is_skewed(counts):
            return method_line(SKEWED_SCORES, FALLS_SHORT)
        given = counts.per_point(counts.count * counts.copies[counts.item])
        once = int((given == 1).sum())
        if counts.points <= LONG_SCALE or not once:
            return ""
        return (
            f"of the {counts.points:,} answers that occur, {once:,} of them once: more items would "
            "bring more answers and another value"
        )

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The coefficient without weights."""
        return super().headline_of(name, [e for e in known if e.by["weights"] == "none"])


class GwetAC(_WeightedAgreement):
    """AC1 without weights, AC2 with linear, quadratic or ordinal ones."""

    name = "gwet-ac"
    asks = "Do judges agree beyond chance, even if nearly all answers are the same?"
    formula = (
        "(Po − Pe) / (1 − Pe); Po = mean weighted agreement of an item's pairs, "
        "Pe = Σw / q(q − 1) · Σ π_j(1 − π_j), π_j = mean over items of the share of answer j, "
        "q = answers that occur"
    )
    source = "Gwet 2008, 2014"
    order = 40
    words = "Gwet's AC1, which does not suffer from frequent answers"

    def item_sums(self, counts: AnswerCounts) -> ItemSums:
        """Weighted agreement of each item, and the answers' mean shares."""
        weights = weightings(counts).values()
        # Each item counts alike, however many judged it, also items with one judgment.
        by_chance = expected_agreement(counts, 1 / np.maximum(counts.size, 1))
        q, kinds = counts.points, len(weights)
        ratio = np.array([w.total / (q * (q - 1)) if q > 1 else np.nan for w in weights])

        def score(totals: Array) -> Array:
            observed = totals[:, 1 : 1 + kinds] / totals[:, :1]
            expected = (1 - by_chance.of(totals[:, 1 + kinds :]))[:, None] * ratio
            return _filled_up(chance_corrected(observed, expected))

        agreement = [weighting.agreement for weighting in weights]
        return ItemSums(np.column_stack([counts.paired, *agreement, by_chance.columns]), score)


class BrennanPrediger(_WeightedAgreement):
    """Kappa with the same chance for every answer, with or without weights."""

    name = "brennan-prediger"
    asks = "Do judges agree more than if they chose blindly?"
    formula = (
        "(Po − Pe) / (1 − Pe); Po = mean weighted agreement of an item's pairs, "
        "Pe = Σw / q², q = answers that occur"
    )
    source = "Brennan & Prediger 1981; Gwet 2014"
    order = 42
    words = "Judges agree beyond a blind choice"
    banded = True

    def item_sums(self, counts: AnswerCounts) -> ItemSums:
        """Weighted agreement of each item."""
        weights = weightings(counts).values()
        q = counts.points
        expected = np.array([w.total / q**2 if q > 1 else np.nan for w in weights])

        def score(totals: Array) -> Array:
            return _filled_up(chance_corrected(totals[:, 1:] / totals[:, :1], expected))

        agreement = [weighting.agreement for weighting in weights]
        return ItemSums(np.column_stack([counts.paired, *agreement]), score)


def gwet_ac(ratings: Ratings, *, weights: str = "none") -> float:
    """AC1 (weights `none`) or AC2 of the first answers; NaN where undefined."""
    return float(values_of(GwetAC(), ratings)[WEIGHTS.index(weights)])


def brennan_prediger(ratings: Ratings, *, weights: str = "none") -> float:
    """Brennan and Prediger's kappa of the first answers; NaN where undefined."""
    return float(values_of(BrennanPrediger(), ratings)[WEIGHTS.index(weights)])


def _filled_up(values: Array) -> Array:
    """A column for each kind of weights, NaN where the answers have no distances."""
    missing = len(WEIGHTS) - values.shape[1]
    return np.hstack([values, np.full((len(values), missing), np.nan)])
