"""Statistics of items that were drawn from many: all that come from tallies share the draws.

Drawing a hundred thousand items a thousand times takes longer than anything that is computed from
them, so each statistic names what it adds up per item, and all of it is drawn together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from jurat.resampling.arguments import Score
from jurat.results import Estimate, Figure, Key, Result
from jurat.stats.agreement.pictures import coefficients
from jurat.stats.agreement.tallies import Tallies, summed
from jurat.stats.agreement.wording import undefined
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.spread import Spread, spread, told
from jurat.stats.statistic import Settings, Statistic, statistics

BITS = 30
FEW_POINTS = 16
FEW_CELLS = 2**20
"""Up to so many, each point's total is resampled for itself; see `form_of`."""


class Part(NamedTuple):
    """What a statistic adds up for each item, and its values (resamples × m) from the totals.

    Items with the same answers come as one, with its number of copies.
    """

    columns: Array
    score: Score


class OverItems(Statistic[Settings]):
    """A statistic of the first answers to each item, with intervals from resampled items."""

    counted: ClassVar[str] = "items with two judgments or more"
    """What n is the number of."""

    def part(self, tallies: Tallies) -> Part:
        """What is added up and how it is scored, for one question."""
        raise NotImplementedError

    def keys(self, tallies: Tallies) -> Sequence[Mapping[str, Key]]:
        """What each of the values is of, beside the question."""
        return ({},)

    def n(self, tallies: Tallies, key: Mapping[str, Key]) -> int:
        """What a value is the mean of."""
        return int(tallies.paired.sum())

    def reason(self, tallies: Tallies, key: Mapping[str, Key]) -> str:
        """Why a value is undefined, if it is."""
        return undefined(tallies, "every judgment is the same: chance would agree as well")

    def headline(self, estimates: Sequence[Estimate]) -> str:
        """The finding in words."""
        raise NotImplementedError

    def draw(self, estimates: Sequence[Estimate]) -> Figure:
        """The finding as a picture."""
        return coefficients(self.name, estimates)

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """One result with every value of every question."""
        found = list(self.spreads(evaluation, settings))
        estimates = tuple(e for ratings, s in found for e in self._estimates(ratings, s))
        yield self.result(
            evaluation,
            settings,
            estimates,
            method=told(
                f"{self.formula}; n counts {self.counted}", *(s.method for _, s in found[:1])
            ),
            headline=self.headline(estimates),
            draw=lambda: self.draw(estimates),
        )

    def spreads(
        self, evaluation: Evaluation, settings: Settings
    ) -> Iterator[tuple[Ratings, Spread]]:
        """The values of each question and split, with their intervals."""
        for ratings in evaluation.ratings:
            yield ratings.firsts, resampled(ratings.firsts, settings)[self.name]

    def _estimates(self, ratings: Ratings, spread: Spread) -> Iterator[Estimate]:
        tallies = Tallies.of(ratings)
        for at, key in enumerate(self.keys(tallies)):
            yield spread.estimate(
                at,
                n=self.n(tallies, key),
                by={**ratings.by, **key},
                tags=ratings.tags,
                reason=self.reason(tallies, key),
            )


def estimated(statistic: OverItems, ratings: Ratings) -> Array:
    """The values of a statistic for the first answers, without intervals."""
    part = statistic.part(Tallies.of(ratings.firsts))
    with np.errstate(all="ignore"):
        values: Array = np.asarray(part.score(part.columns.sum(axis=0)[None]))[0]
    return values


def resampled(ratings: Ratings, settings: Settings) -> dict[str, Spread]:
    """The values of every statistic over items, by its name."""
    return ratings.once(_resample, settings)


def _resample(ratings: Ratings, settings: Settings) -> dict[str, Spread]:
    kinds = [kind for kind in statistics("agreement") if issubclass(kind, OverItems)]
    tallies = Tallies.of(ratings).kinds
    parts = [kind().part(tallies) for kind in kinds]
    ends = np.cumsum([part.columns.shape[1] for part in parts])
    shared = _Shared.of([column for part in parts for column in part.columns.T], tallies.copies)
    widths: list[int] = []

    def score(totals: Array) -> Array:
        split = np.split(shared.unfold(totals), ends[:-1], axis=1)
        values = [np.asarray(p.score(own)) for p, own in zip(parts, split, strict=True)]
        widths[:] = [value.shape[1] for value in values]
        return np.hstack(values)

    whole = spread(shared.columns, score, settings=settings, copies=tallies.copies)
    return {
        kind.name: _sliced(whole, end - width, end)
        for kind, width, end in zip(kinds, widths, np.cumsum(widths), strict=True)
    }


class _Shared(NamedTuple):
    """Columns of all parts, each once and in as few bits as an interval needs.

    Numbers of 30 bits add up exactly in one product instead of two. What rounding took off the
    totals is added again, so that estimates lose nothing and replicates a billionth.
    """

    columns: Array
    which: list[int]
    missing: Array

    @classmethod
    def of(cls, columns: Sequence[Array], copies: Codes) -> _Shared:
        known: dict[bytes, int] = {}
        which = [known.setdefault(column.tobytes(), len(known)) for column in columns]
        single = np.column_stack([columns[which.index(at)] for at in range(len(known))])
        unit = np.ldexp(1.0, np.frexp(np.abs(single).max(axis=0))[1] - BITS)
        coarse = np.rint(single / unit) * unit
        return cls(coarse, which, copies @ (single - coarse))

    def unfold(self, totals: Array) -> Array:
        """The totals of the columns as the parts gave them."""
        return np.asarray((totals + self.missing)[:, self.which])


def _sliced(whole: Spread, start: int, end: int) -> Spread:
    values, low, high = (a[start:end] for a in (whole.values, whole.low, whole.high))
    return Spread(values=values, low=low, high=high, method=whole.method)


class Form(NamedTuple):
    """Columns to be added up, and from their totals Σ w_jk p_j p_k over the shares p of points."""

    columns: Array
    of: Callable[[Array], Array]


def form_of(tallies: Tallies, weight: Array, matrix: Array | None = None) -> Form:
    """The quadratic form of the shares of points where a judgment of an item has some weight.

    With the totals of all points it is exact. Where these are too many, it is taken as linear near
    the shares as they are, p*Wp* ≈ 2 pWp* − pWp: what is left out is of the order of 1/judgments,
    which no interval of that many would show.
    """
    weights = tallies.count * weight[tallies.item]
    total = tallies.per_point(weights)
    if tallies.points <= FEW_POINTS or tallies.items * tallies.points <= FEW_CELLS:
        cells = tallies.item * tallies.points + tallies.code
        size = tallies.items * tallies.points
        columns = summed(cells, weights, size)
        return Form(columns.reshape(-1, tallies.points), lambda t: _exact(t, matrix))
    with np.errstate(invalid="ignore"):
        shares = total / total.sum()
    slope = shares if matrix is None else matrix @ shares
    columns = np.column_stack(
        [tallies.per_item(weights * slope[tallies.code]), tallies.per_item(weights)]
    )
    middle = float(shares @ slope)
    return Form(columns, lambda t: 2 * t[:, 0] / t[:, 1] - middle)


def _exact(totals: Array, matrix: Array | None) -> Array:
    shares = totals / totals.sum(axis=1, keepdims=True)
    weighted = shares if matrix is None else shares @ matrix
    return np.asarray((weighted * shares).sum(axis=1))


def corrected(observed: Array, expected: Array) -> Array:
    """Agreement beyond chance: (observed − expected) / (1 − expected)."""
    return np.asarray((observed - expected) / (1 - expected))
