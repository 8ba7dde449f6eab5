"""Kappas of any number of judges: Fleiss, Scott, Gwet (AC1, AC2), Brennan and Prediger.

All are (Po − Pe) / (1 − Pe), observed agreement beyond that of chance, and differ in what they take
for chance. For Fleiss and Scott it is the frequencies of the answers; Gwet's AC stays sensible when
one answer is frequent; for Brennan and Prediger chance is a blind choice. Also Fleiss' kappa with
each judge left out: who lowers the agreement of all?
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats.agreement.answer_counts import WORDS, AnswerCounts
from jurat.stats.agreement.item_statistic import (
    IRRCAC,
    ItemStatistic,
    ItemSums,
    ShareSums,
    expected_agreement,
    values_of,
)
from jurat.stats.agreement.rare_answer_intervals import LONG_SCALE, SKEWED_SCORES, is_skewed
from jurat.stats.estimates import method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.figures import MOST_ROWS, points_with_intervals
from jurat.stats.kappa import chance_corrected
from jurat.stats.phrases import FALLS_SHORT, percent, subject
from jurat.stats.ratings import Array, Ratings, divide_or_nan, scaled, summed
from jurat.stats.statistic import Settings, Statistic


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


class LeftOutKappa(Statistic[Settings]):
    """Kappa of the other judges, for each judge."""

    name = "left-out-kappa"
    asks = "Whose absence would raise the agreement of the others?"
    formula = "Fleiss' kappa without the judge's answers"
    counted = "the items that are left"
    source = "analysis of influence; Hamon et al., section 4.3"
    needs = ("judge",)
    order = 65

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A kappa a judge, the largest first."""
        found = [ratings.firsts for ratings in evaluation.ratings]
        estimates = tuple(e for ratings in found for e in _estimates(ratings))
        yield self.result(evaluation, settings, estimates, headline=_headline(found, estimates))

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """The judges without whom kappa is largest."""
        return points_with_intervals(
            "Fleiss' kappa without each judge",
            estimates[:MOST_ROWS],
            over="judge",
            value="kappa of the others",
            facet="question",
        )


def left_out_kappa(ratings: Ratings) -> tuple[Array, Array]:
    """Fleiss' kappa without each of the `judges`, and the items with two judgments or more.

    Leaving out one of n judgments of an item takes its equal pairs off; all sums are corrected
    judgment by judgment, so that the time does not grow with the number of judges.
    """
    counts, judge, judges = AnswerCounts.of(ratings), ratings.judge_codes, len(ratings.judges)
    item, points = ratings.item_codes, counts.points
    # Which count of the item each answer is part of.
    cell = np.searchsorted(counts.item * points + counts.code, item * points + ratings.codes)
    size, same = counts.size[item], counts.count[cell] - 1
    share = counts.mean_per_pair(counts.equal)
    left = (size - 1) * (size - 2) / 2
    without = np.divide(counts.equal[item] - same, left, out=np.zeros(len(item)), where=left > 0)
    # An item with two judgments has no pairs left without one of them.
    gone = summed(judge, (size == 2).astype(np.float64), judges)
    items = counts.paired.sum() - gone
    change = np.where(size > 1, without - share[item], 0.0)
    observed = divide_or_nan(share.sum() + summed(judge, change, judges), items)
    return chance_corrected(observed, _expected(ratings, counts)), items


def _expected(ratings: Ratings, counts: AnswerCounts) -> Array:
    """Σ (share of answer j)² without each judge, and without items that only one other judged."""
    judge, judges, points = ratings.judge_codes, len(ratings.judges), counts.points
    size = counts.size[ratings.item_codes]
    total = counts.per_point(counts.count * counts.paired[counts.item])
    own = judge * points + ratings.codes
    other = _other_of_two(ratings, counts)
    # Without one of two judgments, the other one leaves the shares as well.
    lost_with = judge[other >= 0] * points + other[other >= 0]
    lost = np.concatenate([own[size > 1], lost_with])
    # Only answers that a judge takes away differ from the totals: few, even on long scales.
    cells, number = np.unique(lost, return_counts=True)
    of, point = np.divmod(cells, points)
    squares = (total**2).sum() + summed(of, number * (number - 2 * total[point]), judges)
    return divide_or_nan(squares, (total.sum() - summed(of, number, judges)) ** 2)


def _other_of_two(ratings: Ratings, counts: AnswerCounts) -> Array:
    """The other answer to an item with two, for each answer; −1 where there are not two."""
    sums = summed(ratings.item_codes, ratings.codes.astype(np.float64), counts.items)
    other = sums[ratings.item_codes] - ratings.codes
    return np.where(counts.size[ratings.item_codes] == 2, other, -1).astype(np.int64)


def _estimates(ratings: Ratings) -> Iterator[Estimate]:
    kappas, items = left_out_kappa(ratings)
    for at in np.argsort(-np.nan_to_num(kappas, nan=-np.inf), kind="stable").tolist():
        reason = "too few judgments are left" if items[at] < 1 else "only one answer is left"
        by = {"judge": ratings.judges[at]}
        yield Estimate.of(kappas[at], items[at], about=ratings, by=by, reason=reason)


def _headline(found: Sequence[Ratings], estimates: Sequence[Estimate]) -> str:
    known = [e for e in estimates if e.value is not None]
    if not known or not found:
        return ""
    best, (kappa, _, _) = known[0], fleiss_kappa(found[0])
    return (
        f"Without judge {best.by['judge']}, kappa ({subject(best)}) would be "
        f"{spoken(best.value)} instead of {spoken(kappa)}; a diagnosis of the judges says more."
    )
