"""Fleiss' kappa of any number of judges, also as irrCAC counts it, and Scott's pi.

Both are (Po − Pe) / (1 − Pe), observed agreement beyond that of chance, which comes from how often
each answer was given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from jurat.results import Estimate, Result
from jurat.stats.agreement.answer_counts import AnswerCounts
from jurat.stats.agreement.item_statistic import (
    IRRCAC,
    ItemStatistic,
    ItemSums,
    ShareSums,
    expected_agreement,
    values_of,
)
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.kappa import chance_corrected
from jurat.stats.phrases import percent
from jurat.stats.ratings import Array, Ratings
from jurat.stats.statistic import Settings


class FleissKappa(ItemStatistic):
    """Kappa for any number of judges an item, who need not be the same ones."""

    name = "fleiss-kappa"
    gives: ClassVar[tuple[str, ...]] = ("fleiss-kappa", "fleiss-observed", "fleiss-expected")
    asks = "Do judges agree more than chance would have it?"
    formula = (
        "(Po − Pe) / (1 − Pe); Po = mean over items of Σ n_ij(n_ij − 1) / n_i(n_i − 1), "
        "Pe = Σ (share of answer j)²; items with one judgment leave both"
    )
    source = "Fleiss 1971; Hamon et al., section 4.2"
    order = 20
    counted = "items"
    words = "Agreement beyond chance"
    banded = True
    categorical = (0,)
    # Chance cannot agree less than with all answers equally frequent: intervals near that limit
    # held in 88 to 90 % of simulated tables.
    without_interval: ClassVar[tuple[int, ...]] = (2,)

    def shares(self, counts: AnswerCounts) -> ShareSums | None:
        """Observed agreement, of which an item's pairs are the cases."""
        hits, cases = counts.mean_per_pair(counts.equal), counts.paired
        observed = [float(counts.copies @ counts.pairs)]
        return ShareSums((1,), hits[:, None], cases[:, None], observed)

    def item_sums(self, counts: AnswerCounts) -> ItemSums:
        """Observed agreement of each item, and the shares of the answers."""
        # Items with one judgment leave the shares too, else chance would come from other answers.
        return self.sums_with(counts, counts.paired)

    def sums_with(self, counts: AnswerCounts, weight: Array) -> ItemSums:
        """The same with chance from all judgments, each counting with its item's weight."""
        by_chance = expected_agreement(counts, weight)
        columns = [counts.paired, counts.mean_per_pair(counts.equal)]

        def score(totals: Array) -> Array:
            observed, expected = totals[:, 1] / totals[:, 0], by_chance.of(totals[:, 2:])
            return np.column_stack([chance_corrected(observed, expected), observed, expected])

        return ItemSums(np.column_stack([*columns, by_chance.columns]), score)

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """Kappa in Landis and Koch's words; its two parts in percent."""
        if name == self.name:
            return super().headline_of(name, known)
        which = "agree" if name == "fleiss-observed" else "would agree by chance"
        return f"Two judgments of an item {which} in {percent(known[0].value or 0.0)} of cases."


class IrrcacFleissKappa(FleissKappa):
    """Fleiss' kappa as irrCAC counts it, under a name of its own: `--method irrcac`."""

    name = "fleiss-kappa-irrcac"
    gives = (name,)
    asks = "Do judges agree more than chance would have it, gaps counted as irrCAC does?"
    formula = (
        "(Po − Pe) / (1 − Pe); Po as fleiss-kappa, Pe = Σ π_j², π_j = mean over all items, also "
        "those with one judgment, of the share of answer j"
    )
    source = "Gwet 2014; irrCAC, fleiss.kappa.raw"
    order = 21
    counted = "items with two judgments or more"
    words = "Beyond chance as irrCAC counts it, judges agree"
    without_interval = ()

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """One kappa a question, where the method is asked for; else none."""
        if settings.method == IRRCAC:
            yield from super().results(evaluation, settings)

    def shares(self, counts: AnswerCounts) -> None:
        """None of its values is a share."""

    def item_sums(self, counts: AnswerCounts) -> ItemSums:
        """As Fleiss' kappa, with chance from items instead of judgments."""
        whole = self.sums_with(counts, 1 / np.maximum(counts.size, 1))
        return ItemSums(whole.columns, lambda totals: np.asarray(whole.score(totals))[:, :1])


class ScottPi(ItemStatistic):
    """Scott's pi over all pairs of judgments; with two judges it is what Scott defined."""

    name = "scott-pi"
    asks = "Do pairs of judgments agree more than the use of the scale explains?"
    formula = (
        "(Po − Pe) / (1 − Pe); Po = share of equal pairs, Pe = Σ (share of answer j)² "
        "over the judgments of all pairs"
    )
    source = "Scott 1955"
    order = 32
    words = "Pairs of judgments agree beyond chance"
    banded = True
    categorical = (0,)

    def item_sums(self, counts: AnswerCounts) -> ItemSums:
        """Pairs, equal pairs, and the shares of the answers in them."""
        # A judgment counts as often as it is in a pair.
        by_chance = expected_agreement(counts, np.maximum(counts.size - 1, 0))

        def score(totals: Array) -> Array:
            observed = totals[:, 1] / totals[:, 0]
            return chance_corrected(observed, by_chance.of(totals[:, 2:]))[:, None]

        return ItemSums(np.column_stack([counts.pairs, counts.equal, by_chance.columns]), score)


def fleiss_kappa(ratings: Ratings) -> tuple[float, float, float]:
    """Kappa, observed and expected agreement of the first answers; NaN where undefined."""
    kappa, observed, expected = values_of(FleissKappa(), ratings)
    return float(kappa), float(observed), float(expected)


def scott_pi(ratings: Ratings) -> float:
    """Scott's pi of the first answers; NaN where undefined."""
    return float(values_of(ScottPi(), ratings)[0])
