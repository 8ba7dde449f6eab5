"""Which items are contested, and whether these are the good, the bad or the long ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.agreement.paired import quantile
from jurat.stats.agreement.tallies import Tallies
from jurat.stats.agreement.wording import UNPAIRED, of_what
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Ratings
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.words import interval, listed

MOST_ITEMS = 20
BINS = 10
TEXTS = ("source", "translation", "target", "hypothesis", "text")
"""Columns whose words are counted where the table has no column `length`."""
CORRELATED = (
    "Spearman's ρ over items between their spread and their mean answer (quality), or the number "
    "of their words (length: the column of that name, else the words of a column of texts); "
    "n counts items; interval of Bonett & Wright 2000"
)


class Contested(Statistic[Settings]):
    """The items with the largest spread, and what goes along with spread."""

    name = "item-spread"
    gives = ("item-spread", "spread-correlation")
    asks = "Which items do judges disagree about, and what are they like?"
    formula = (
        "mean |a − b| over the pairs of judgments of an item (of words: the share of unequal "
        f"pairs); the {MOST_ITEMS} largest; n counts the item's judgments"
    )
    source = "Hamon et al., section 5"
    place = 75

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The most contested items, then what spread correlates with."""
        found = [_Spreads.of(ratings.firsts) for ratings in evaluation.ratings]
        items = tuple(e for spreads in found for e in spreads.largest())
        yield self.result(
            evaluation, settings, items, headline=_contested(items), draw=lambda: _draw(found)
        )
        correlated = tuple(e for spreads in found for e in spreads.correlations(settings))
        yield self.result(
            evaluation,
            settings,
            correlated,
            name="spread-correlation",
            method=CORRELATED,
            headline=_related(correlated),
            draw=lambda: _draw(found),
        )


class _Spreads(NamedTuple):
    """The spread of every item that has two judgments, and which items these are."""

    ratings: Ratings
    spread: Array
    which: np.ndarray[tuple[int], np.dtype[np.int64]]

    @classmethod
    def of(cls, ratings: Ratings) -> _Spreads:
        tallies = Tallies.of(ratings)
        sums = tallies.pairs - tallies.equal if ratings.nominal else tallies.apart(tallies.places)
        which = np.flatnonzero(tallies.paired)
        return cls(ratings, tallies.mean_per_pair(sums)[which], which)

    def largest(self) -> Iterator[Estimate]:
        ratings, size = self.ratings, Tallies.of(self.ratings).size
        if not len(self.which):
            yield Estimate(value=None, n=0, by=ratings.by, tags=ratings.tags, reason=UNPAIRED)
        for at in np.argsort(-self.spread, kind="stable")[:MOST_ITEMS].tolist():
            item = int(self.which[at])
            yield Estimate(
                value=float(self.spread[at]),
                n=int(size[item]),
                by={**ratings.by, "item": ratings.items[item]},
                tags=ratings.tags,
            )

    def correlations(self, settings: Settings) -> Iterator[Estimate]:
        for name, values in (("quality", self.quality()), ("length", lengths(self.ratings))):
            by: dict[str, Key] = {**self.ratings.by, "with": name}
            known = self.which if values is None else self.which[~np.isnan(values[self.which])]
            rho = np.nan
            if values is not None and len(known):
                kept = np.isin(self.which, known)
                rho = _spearman(self.spread[kept], values[known])
            reason = self._reason(name, values is None)
            estimate = Estimate(
                value=None if np.isnan(rho) else rho,
                n=len(known) if values is not None else 0,
                by=by,
                tags=self.ratings.tags,
                reason=reason if np.isnan(rho) else "",
            )
            yield _with_interval(estimate, settings)

    def quality(self) -> Array | None:
        """The mean answer to each item."""
        if self.ratings.nominal:
            return None
        tallies = Tallies.of(self.ratings)
        return tallies.per_item(tallies.count * tallies.places[tallies.code]) / tallies.size

    def _reason(self, name: str, missing: bool) -> str:
        if missing and name == "length":
            return "needs the column length, or a column of texts"
        if missing:
            return "the answers are words, which have no mean"
        return "all items have the same spread or the same " + name


def lengths(ratings: Ratings) -> Array | None:
    """The length of each item: a column `length`, else the words of a text; None without either."""
    frame = ratings.frame
    name = next((n for n in ("length", *TEXTS) if n in frame.columns and ratings.has(n)), None)
    if name is None:
        return None
    column = frame[name]
    if column.dtype == pl.String and name != "length":
        column = column.str.count_matches(r"\S+")
        if column.max() == 1:
            return None  # names, not texts
    values = column.cast(pl.Float64, strict=False).to_numpy()
    of_item = np.full(len(ratings.items), np.nan)
    of_item[ratings.item_codes] = values
    return None if np.isnan(of_item).all() else of_item


def _spearman(x: Array, y: Array) -> float:
    """Spearman's ρ; NaN where one of the two does not vary."""
    a, b = (_mid_ranks(values) for values in (x, y))
    a, b = a - a.mean(), b - b.mean()
    below = np.sqrt((a**2).sum() * (b**2).sum())
    return float((a * b).sum() / below) if below > 0 else float("nan")


def _mid_ranks(values: Array) -> Array:
    _, code, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[code])


def _with_interval(estimate: Estimate, settings: Settings) -> Estimate:
    """Fisher's transformation with the standard error √((1 + ρ²/2) / (n − 3)) of ranks."""
    rho, n = estimate.value, estimate.n
    if rho is None or abs(rho) == 1 or n < 4 or not settings.bootstrap:
        return estimate
    half = quantile(settings) * np.sqrt((1 + rho**2 / 2) / (n - 3))
    low, high = (float(np.tanh(np.arctanh(rho) + end)) for end in (-half, half))
    return estimate._replace(low=low, high=high)


def _contested(items: Sequence[Estimate]) -> str:
    told = [e for e in items if e.value is not None]
    if not told or not told[0].value:
        return ""
    names = [str(e.by["item"]) for e in told if e.by["question"] == told[0].by["question"]]
    return f"Most contested ({told[0].by['question']}): {listed(names, most=3)}."


def _related(estimates: Sequence[Estimate]) -> str:
    told = [e for e in estimates if e.value is not None and e.by["with"] == "quality"]
    if not told:
        return ""
    first = told[0]
    rho = first.value or 0.0
    known = first.low is None or first.high is None or first.low > 0 or first.high < 0
    which = "more about better" if rho > 0 else "more about worse"
    return (
        f"Judges disagree {which if known else 'as much about good as about bad'} items "
        f"({of_what(first)}): ρ = {spoken(rho)}{interval(first)} over {first.n:,} items."
    )


def _draw(found: Sequence[_Spreads]) -> Figure:
    """The mean spread in bins of the items' mean answer."""
    rows: list[dict[str, object]] = []
    for spreads in found:
        quality = spreads.quality()
        if quality is not None and len(spreads.which):
            rows += _binned(spreads, quality[spreads.which])
    return figures.lines(
        "Spread of the judgments of an item against its mean",
        rows,
        x=figures.axis("quality", "mean answer of the item", scale={"zero": False}),
        y=figures.axis("spread", "mean distance of two judgments"),
        colour=figures.axis("question", "question", "nominal"),
    )


def _binned(spreads: _Spreads, quality: Array) -> list[dict[str, object]]:
    low, length = float(quality.min()), float(np.ptp(quality)) or 1.0
    place = np.minimum((quality - low) / length * BINS, BINS - 1).astype(np.int64)
    n = np.bincount(place, minlength=BINS)
    means = [np.bincount(place, w, BINS) / np.maximum(n, 1) for w in (quality, spreads.spread)]
    return [
        {
            "question": of_what(
                Estimate(value=0.0, n=0, by=spreads.ratings.by, tags=spreads.ratings.tags)
            ),
            "quality": float(means[0][at]),
            "spread": float(means[1][at]),
            "n": int(n[at]),
        }
        for at in np.flatnonzero(n).tolist()
    ]
