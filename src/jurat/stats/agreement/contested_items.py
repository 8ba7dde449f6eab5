"""Which items are contested, and whether these are the good, the bad or the long ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.agreement.answer_counts import UNPAIRED, AnswerCounts
from jurat.stats.agreement.presentation import subject
from jurat.stats.correlation import bonett_wright_interval, spearman
from jurat.stats.evaluation import Evaluation
from jurat.stats.phrases import interval, listed
from jurat.stats.ratings import Array, Ratings
from jurat.stats.statistic import Settings, Statistic

MOST_ITEMS = 20
BINS = 10
# Columns whose words are counted where the table has no column `length`.
TEXTS = ("source", "translation", "target", "hypothesis", "text")
CORRELATED = (
    "Spearman's ρ over items between their spread and their mean answer (quality), or the number "
    "of their words (length: the column of that name, else the words of a column of texts); "
    "n counts items; interval of Bonett & Wright 2000"
)


class ContestedItems(Statistic[Settings]):
    """The items with the largest spread, and what goes along with spread."""

    name = "item-spread"
    gives = ("item-spread", "spread-correlation")
    asks = "Which items do judges disagree about, and what are they like?"
    formula = (
        "mean |a − b| over the pairs of judgments of an item (of words: the share of unequal "
        f"pairs); the {MOST_ITEMS} largest; n counts the item's judgments"
    )
    source = "Hamon et al., section 5"
    order = 75

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The most contested items, then what spread correlates with."""
        found = [_ItemDistances.of(ratings.firsts) for ratings in evaluation.ratings]
        items = tuple(e for items in found for e in items.largest())
        yield self.result(
            evaluation, settings, items, headline=_contested(items), draw=lambda: _draw(found)
        )
        correlated = tuple(e for items in found for e in items.correlations(settings))
        yield self.result(
            evaluation,
            settings,
            correlated,
            name="spread-correlation",
            method=CORRELATED,
            headline=_related(correlated),
            draw=lambda: _draw(found),
        )


class _ItemDistances(NamedTuple):
    """The spread of every item that has two judgments, and which items these are."""

    ratings: Ratings
    distance: Array
    which: np.ndarray[tuple[int], np.dtype[np.int64]]

    @classmethod
    def of(cls, ratings: Ratings) -> _ItemDistances:
        counts = AnswerCounts.of(ratings)
        # Words have no distance: then the share of unequal pairs stands for it.
        sums = counts.pairs - counts.equal if ratings.nominal else counts.apart(counts.places)
        which = np.flatnonzero(counts.paired)
        return cls(ratings, counts.mean_per_pair(sums)[which], which)

    def largest(self) -> Iterator[Estimate]:
        ratings, size = self.ratings, AnswerCounts.of(self.ratings).size
        if not len(self.which):
            yield Estimate(value=None, n=0, by=ratings.by, tags=ratings.tags, reason=UNPAIRED)
        for at in np.argsort(-self.distance, kind="stable")[:MOST_ITEMS].tolist():
            item = int(self.which[at])
            yield Estimate(
                value=float(self.distance[at]),
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
                # An item without a known length is left out of this correlation only.
                kept = np.isin(self.which, known)
                rho = float(spearman(self.distance[kept], values[known]))
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
        counts = AnswerCounts.of(self.ratings)
        return counts.per_item(counts.count * counts.places[counts.code]) / counts.size

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
    # A file often names the segment in a column of that name.
    if column.dtype == pl.String and name != "length":
        column = column.str.count_matches(r"\S+")
        if column.max() == 1:
            return None  # names, not texts
    values = column.cast(pl.Float64, strict=False).to_numpy()
    of_item = np.full(len(ratings.items), np.nan)
    of_item[ratings.item_codes] = values
    return None if np.isnan(of_item).all() else of_item


def _with_interval(estimate: Estimate, settings: Settings) -> Estimate:
    if estimate.value is None or not settings.bootstrap:
        return estimate
    low, high = bonett_wright_interval(estimate.value, estimate.n, settings.confidence)
    return estimate if np.isnan(low) else estimate._replace(low=low, high=high)


def _contested(items: Sequence[Estimate]) -> str:
    defined = [e for e in items if e.value is not None]
    if not defined or not defined[0].value:
        return ""
    names = [str(e.by["item"]) for e in defined if e.by["question"] == defined[0].by["question"]]
    return f"Most contested ({defined[0].by['question']}): {listed(names, most=3)}."


def _related(estimates: Sequence[Estimate]) -> str:
    defined = [e for e in estimates if e.value is not None and e.by["with"] == "quality"]
    if not defined:
        return ""
    first = defined[0]
    rho = first.value or 0.0
    known = first.low is None or first.high is None or first.low > 0 or first.high < 0
    which = "more about better" if rho > 0 else "more about worse"
    return (
        f"Judges disagree {which if known else 'as much about good as about bad'} items "
        f"({subject(first)}): ρ = {spoken(rho)}{interval(first)} over {first.n:,} items."
    )


def _draw(found: Sequence[_ItemDistances]) -> Figure:
    """The mean spread in bins of the items' mean answer."""
    rows: list[dict[str, object]] = []
    for items in found:
        quality = items.quality()
        if quality is not None and len(items.which):
            rows += _binned(items, quality[items.which])
    return figures.lines(
        "Spread of the judgments of an item against its mean",
        rows,
        x=figures.axis("quality", "mean answer of the item", scale={"zero": False}),
        y=figures.axis("spread", "mean distance of two judgments"),
        colour=figures.axis("question", "question", "nominal"),
    )


def _binned(items: _ItemDistances, quality: Array) -> list[dict[str, object]]:
    low, length = float(quality.min()), float(np.ptp(quality)) or 1.0
    # The largest mean belongs to the last bin, not to one of its own.
    place = np.minimum((quality - low) / length * BINS, BINS - 1).astype(np.int64)
    n = np.bincount(place, minlength=BINS)
    means = [np.bincount(place, w, BINS) / np.maximum(n, 1) for w in (quality, items.distance)]
    return [
        {
            "question": subject(
                Estimate(value=0.0, n=0, by=items.ratings.by, tags=items.ratings.tags)
            ),
            "quality": float(means[0][at]),
            "spread": float(means[1][at]),
            "n": int(n[at]),
        }
        for at in np.flatnonzero(n).tolist()
    ]
