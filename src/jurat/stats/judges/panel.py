"""Every judgment beside the others of the same item: what the ways of Hamon et al. start from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from jurat.stats.evaluation import Evaluation
from jurat.stats.judges.adding import added, over
from jurat.stats.judges.by_judge import Spreads, spread_by_judge
from jurat.stats.judges.diagnosing import Diagnosing, once, ordinary
from jurat.stats.judges.rules import Verdict
from jurat.stats.judges.signal import Group, Reading
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.spread import Spread

WORDS = "the answers are words; folding makes numbers of them"
ALONE = "nobody else judged the same items"


@dataclass(frozen=True, kw_only=True, eq=False)
class Panel:
    """The first judgment of every judge on every item, and the other judges' of the same item."""

    ratings: Ratings
    spreads: Spreads
    shared: Codes
    """How many items of each judge others judged too."""

    @property
    def judges(self) -> list[str]:
        """Who judged, sorted."""
        return self.ratings.judges

    @cached_property
    def counts(self) -> Codes:
        """How many items each judge judged."""
        return np.bincount(self.ratings.judge_codes, minlength=len(self.judges))

    def values(self, at: int) -> Array:
        """One of the values of every judge; words have no mean, only a distance."""
        nothing = self.ratings.nominal and at != DISTANCE
        return np.full(len(self.judges), np.nan) if nothing else self.spreads.values[:, at]

    def reading(self, at: int, verdict: Verdict, *, side: tuple[str, ...] = ()) -> Reading:
        """One of the values as a reading."""
        values, nominal = self.values(at), self.ratings.nominal and at != DISTANCE
        known = self.spreads.column(at)
        ends = (np.where(np.isnan(values), np.nan, end) for end in (known.low, known.high))
        return Reading(
            group=Group(self.ratings.question, self.ratings.tags),
            judges=self.judges,
            spread=Spread(values=values, low=next(ends), high=next(ends), method=known.method),
            n=self.counts if at == MEAN else self.shared,
            verdict=verdict,
            reason=WORDS if nominal else ALONE,
            side=side,
        )


@once
def panels(evaluation: Evaluation, settings: Diagnosing) -> tuple[Panel, ...]:
    """A panel for each question and split."""
    return tuple(panel(ratings.firsts, settings) for ratings in ordinary(evaluation, settings))


def panel(ratings: Ratings, settings: Diagnosing) -> Panel:
    """Each judge's mean, mean beside the others', and mean distance, with intervals over items."""
    others = others_count(ratings) > 0
    own = ratings.values
    rows = np.column_stack(
        [
            np.ones(len(ratings)),
            own,
            others,
            np.where(others, own, 0.0),
            np.where(others, others_mean(ratings), 0.0),
            np.where(others, distance(ratings), 0.0),
        ]
    )
    return Panel(
        ratings=ratings,
        spreads=spread_by_judge(rows, ratings, _scores, settings),
        shared=np.bincount(ratings.judge_codes[others], minlength=len(ratings.judges)),
    )


MEAN, DIFFERENCE, OTHERS, DISTANCE = range(4)
"""What each of a panel's spreads holds, by its column."""


def _scores(totals: Array) -> Array:
    count, own, shared, own_shared, others, apart = totals.T
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.column_stack(
            [own / count, (own_shared - others) / shared, others / shared, apart / shared]
        )


def others_count(ratings: Ratings) -> Codes:
    """How many other judgments the item of each judgment has."""
    return np.bincount(ratings.item_codes)[ratings.item_codes] - 1


def others_mean(ratings: Ratings) -> Array:
    """The mean of the other judgments of each judgment's item; NaN where there are none."""
    values, items = ratings.values, ratings.item_codes
    total = added(items, values)[items]
    return over(total - values, others_count(ratings))


def distance(ratings: Ratings) -> Array:
    """The mean of |own − other| over the others of each judgment's item; words differ by 1."""
    apart = _differing(ratings) if ratings.nominal else _distances(ratings)
    return over(apart, others_count(ratings))


def _differing(ratings: Ratings) -> Array:
    """How many of the others gave another word."""
    cells = ratings.item_codes * len(ratings.points) + ratings.codes
    _, which, same = np.unique(cells, return_inverse=True, return_counts=True)
    return np.asarray(others_count(ratings) + 1 - same[which], dtype=np.float64)


def _distances(ratings: Ratings) -> Array:
    """Σ|own − other| over an item's other judgments, from its sorted values and their sums.

    For the value in place r of n, r others lie below and n − 1 − r above.
    """
    items, values = ratings.item_codes, ratings.values
    order = np.lexsort((values, items))
    held, size = values[order], np.bincount(items)
    start = np.concatenate([[0], np.cumsum(size)[:-1]])[items[order]]
    place, many = np.arange(len(order)) - start, size[items[order]]
    sums = np.concatenate([[0.0], np.cumsum(held - held.mean())])
    below = sums[start + place] - sums[start]
    above = sums[start + many] - sums[start + place + 1]
    centred = held - held.mean()
    apart = np.empty(len(order))
    apart[order] = centred * place - below + above - centred * (many - 1 - place)
    return apart
