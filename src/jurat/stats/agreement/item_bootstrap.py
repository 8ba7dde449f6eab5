"""Statistics that are sums over items, with intervals from resampled items.

A statistic says what it adds up for each item (`ItemSums`) and how its values follow from the
totals. An item is drawn as a whole, with all its judgments. Drawing a hundred thousand items a
thousand times takes longer than anything that is computed from them, so the statistics that are
asked for in one run are drawn together; each gets the same numbers as if it were alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from jurat.resampling.engine import Score
from jurat.results import Estimate, Key, Result
from jurat.stats.agreement.answer_counts import AnswerCounts, reason_undefined
from jurat.stats.estimates import Estimates, bootstrap_estimates, first_method
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.phrases import strength_headline
from jurat.stats.ratings import Array, Codes, Ratings, summed
from jurat.stats.statistic import Settings, Statistic

# Bits of a column: a product of so many with a number of draws adds up exactly in a double.
BITS = 30
# Points of a scale, or items × points, up to which each point's total is resampled for itself.
FEW_POINTS = 16
FEW_CELLS = 2**20


class ItemSums(NamedTuple):
    """What a statistic adds up for each item, and its values (resamples × m) from the totals.

    Items with the same answers come as one row, with its number of copies.
    """

    columns: Array
    score: Score


class ItemStatistic(Statistic[Settings]):
    """A statistic of the first answers to each item, with intervals from resampled items.

    A subclass gives `item_sums`, and declares the rest: what n counts, how the headline begins, and
    over which key the figure shows the values. The values stand in the order of `gives`, and for
    each of these names in the order of `keys`.
    """

    counted = "items with two judgments or more"
    words: ClassVar[str] = ""
    """How the headline begins, before the coefficients."""
    over = "question"
    constant: ClassVar[str] = "every judgment is the same: chance would agree as well"
    """Why a value is undefined although items were judged twice."""

    def item_sums(self, counts: AnswerCounts) -> ItemSums:
        """What is added up and how it is scored, for one question."""
        raise NotImplementedError

    def keys(self, counts: AnswerCounts) -> Sequence[Mapping[str, Key]]:
        """What each of the values is of, besides the question."""
        return ({},)

    def n(self, counts: AnswerCounts, key: Mapping[str, Key]) -> int:
        """What a value is the mean of."""
        return int(counts.paired.sum())

    def reason(self, counts: AnswerCounts, key: Mapping[str, Key]) -> str:
        """Why a value is undefined, if it is."""
        return reason_undefined(counts, self.constant)

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The finding in words: of a coefficient by default, with Landis and Koch's."""
        return strength_headline(self.words, known)

    def undefined_headline(self, name: str, estimates: Sequence[Estimate]) -> str:
        """The reason, said once for all results of a coefficient."""
        told = self.words and name == self.gives[0]
        return strength_headline(self.words, estimates) if told else ""

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A result for each of the names, with every value of every question."""
        together = tuple(kind for kind in self.asked if issubclass(kind, ItemStatistic))
        kinds = together or (type(self),)
        firsts = [ratings.firsts for ratings in evaluation.ratings]
        found = [(one, resampled(kinds, one, settings)[self.name]) for one in firsts]
        drawn = first_method([estimates for _, estimates in found])
        for at, name in enumerate(self.gives):
            estimates = (e for one in found for e in self._estimates(*one, at))
            yield self.result(evaluation, settings, estimates, name=name, how=drawn)

    def _estimates(self, ratings: Ratings, found: Estimates, which: int) -> Iterator[Estimate]:
        counts = AnswerCounts.of(ratings)
        keys = self.keys(counts)
        for at, key in enumerate(keys, start=which * len(keys)):
            n, reason = self.n(counts, key), self.reason(counts, key)
            yield found.estimate(at, n=n, about=ratings, by=key, reason=reason)


def values_of(statistic: ItemStatistic, ratings: Ratings) -> Array:
    """The values of a statistic for the first answers, without intervals; NaN where undefined."""
    sums = statistic.item_sums(AnswerCounts.of(ratings.firsts))
    with np.errstate(all="ignore"):
        values: Array = np.asarray(sums.score(sums.columns.sum(axis=0)[None]))[0]
    return values


def resampled(
    kinds: tuple[type[ItemStatistic], ...], ratings: Ratings, settings: Settings
) -> dict[str, Estimates]:
    """The values of these statistics by name, all from the same draws of items.

    Which items are drawn follows from the seed and from the answers alone, so a statistic has the
    same values and intervals whatever it is drawn together with. The results are kept with the
    ratings: each of the statistics asks for them in turn.
    """
    return ratings.once(_resample, kinds, settings)


def _resample(
    ratings: Ratings, kinds: tuple[type[ItemStatistic], ...], settings: Settings
) -> dict[str, Estimates]:
    counts = AnswerCounts.of(ratings).distinct
    sums = [kind().item_sums(counts) for kind in kinds]
    ends = np.cumsum([own.columns.shape[1] for own in sums])
    shared = _SharedColumns.of([column for own in sums for column in own.columns.T], counts.copies)
    widths: list[int] = []

    def score(totals: Array) -> Array:
        split = np.split(shared.unfold(totals), ends[:-1], axis=1)
        values = [np.asarray(own.score(part)) for own, part in zip(sums, split, strict=True)]
        # How many values a statistic has is known only now; it is the same in every call.
        widths[:] = [value.shape[1] for value in values]
        return np.hstack(values)

    whole = bootstrap_estimates(shared.columns, score, settings=settings, copies=counts.copies)
    return {
        kind.name: whole[end - width : end]
        for kind, width, end in zip(kinds, widths, np.cumsum(widths), strict=True)
    }


class _SharedColumns(NamedTuple):
    """The columns of several statistics, each once and in as few bits as an interval needs.

    Numbers of 30 bits add up exactly in one product instead of two. What rounding took off the
    totals is added again, so that estimates lose nothing and replicates a billionth.
    """

    columns: Array
    which: list[int]
    missing: Array

    @classmethod
    def of(cls, columns: Sequence[Array], copies: Codes) -> _SharedColumns:
        # Several statistics add up the same, such as the pairs of each item.
        known: dict[bytes, int] = {}
        which = [known.setdefault(column.tobytes(), len(known)) for column in columns]
        single = np.column_stack([columns[which.index(at)] for at in range(len(known))])
        unit = np.ldexp(1.0, np.frexp(np.abs(single).max(axis=0))[1] - BITS)
        coarse = np.rint(single / unit) * unit
        return cls(coarse, which, copies @ (single - coarse))

    def unfold(self, totals: Array) -> Array:
        """The totals of the columns as the statistics gave them."""
        return np.asarray((totals + self.missing)[:, self.which])


class ExpectedAgreement(NamedTuple):
    """Columns to be added up, and from their totals Σ w_jk p_j p_k over the shares p of points."""

    columns: Array
    of: Callable[[Array], Array]


def expected_agreement(
    counts: AnswerCounts, weight: Array, matrix: Array | None = None
) -> ExpectedAgreement:
    """Agreement by chance: the quadratic form of the shares of the points of the scale.

    A judgment of an item counts with the item's `weight`; w is the `matrix`, or the identity.

    With the totals of all points it is exact. Where these are too many, it is taken as linear near
    the shares as they are, p*Wp* ≈ 2 pWp* − pWp: what is left out is of the order of 1/judgments,
    which no interval of that many would show.
    """
    weights = counts.count * weight[counts.item]
    total = counts.per_point(weights)
    if counts.points <= FEW_POINTS or counts.items * counts.points <= FEW_CELLS:
        cells = counts.item * counts.points + counts.code
        columns = summed(cells, weights, counts.items * counts.points)
        return ExpectedAgreement(
            columns.reshape(-1, counts.points), lambda t: _quadratic_form(t, matrix)
        )
    with np.errstate(invalid="ignore"):
        shares = total / total.sum()
    slope = shares if matrix is None else matrix @ shares
    columns = np.column_stack(
        [counts.per_item(weights * slope[counts.code]), counts.per_item(weights)]
    )
    middle = float(shares @ slope)
    return ExpectedAgreement(columns, lambda t: 2 * t[:, 0] / t[:, 1] - middle)


def _quadratic_form(totals: Array, matrix: Array | None) -> Array:
    shares = totals / totals.sum(axis=1, keepdims=True)
    weighted = shares if matrix is None else shares @ matrix
    return np.asarray((weighted * shares).sum(axis=1))
