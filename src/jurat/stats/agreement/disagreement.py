"""Where judges disagree: the judges, pairs and systems that agree least, and contested items.

Also whether contested items are the good, the bad or the long ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.agreement.answer_counts import UNPAIRED, AnswerCounts
from jurat.stats.agreement.pair_intervals import UNSHARED, judge_pairs, noted
from jurat.stats.agreement.rare_answer_intervals import FEW_CASES, rarity
from jurat.stats.correlation import spearman
from jurat.stats.estimates import Estimates, common_method, left_out_by_group, method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.figures import MOST_ROWS
from jurat.stats.independent_units import units_of, with_unit_note
from jurat.stats.phrases import FALLS_SHORT, interval, listed, percent, subject
from jurat.stats.ratings import Array, Codes, Ratings, alike, summed
from jurat.stats.statistic import Settings, Statistic

ENDS = ("minimum", "mean", "maximum")
# Pairs of judgments below which a share says too little, as long as others have more.
FEWEST = 10


class AgreementRange(Statistic[Settings]):
    """Who agrees least and most, and where."""

    name = "agreement-range"
    gives = tuple(f"agreement-{end}" for end in ENDS)
    asks = "Which judges, pairs and systems agree least, and which most?"
    formula = (
        "share of equal judgments of the same items: of a judge with all others, of two judges, "
        f"or within a system; those with fewer than {FEWEST} pairs are left out where others "
        "have more"
    )
    source = "Hamon et al., section 4"
    needs = ("judge",)
    order = 35
    counted = "judges, pairs of judges or systems"

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A result an end; `side` says whose it is."""
        found = [each for ratings in evaluation.ratings for each in _groups(ratings.firsts)]
        for end in ENDS:
            estimates = [shares.estimate(end) for shares in found]
            draw = partial(_draw_shares, found)
            yield self.result(evaluation, settings, estimates, name=f"agreement-{end}", draw=draw)

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The judge who agrees least, or most."""
        first = next((e for e in known if e.by["over"] == "judges"), None)
        if first is None or name == "agreement-mean":
            return ""
        word = "least" if name == "agreement-minimum" else "most"
        return (
            f"{first.side} agrees {word} with the others ({subject(first)}): "
            f"{percent(first.value or 0.0)} equal."
        )


class _EqualShares(NamedTuple):
    """The share of equal judgments of each judge, pair or system."""

    ratings: Ratings
    over: str
    names: list[str]
    shares: Array

    def estimate(self, end: str) -> Estimate:
        """One end of the shares, with the name of whose it is, or their mean."""
        n, by, value, whose = len(self.shares), {"over": self.over}, np.nan, ""
        if n and end == "mean":
            value = self.shares.mean()
        elif n:
            at = int(self.shares.argmin() if end == "minimum" else self.shares.argmax())
            value, whose = self.shares[at], self.names[at]
        return Estimate.of(value, n, about=self.ratings, by=by, reason=UNSHARED, side=whose)


def _groups(ratings: Ratings) -> Iterator[_EqualShares]:
    pairs, judges = judge_pairs(ratings), ratings.judges
    equal = summed(pairs.pair, (pairs.first == pairs.second).astype(np.float64), len(pairs))
    n = pairs.n.astype(np.float64)
    for_judges = [
        summed(pairs.a, sums, len(judges)) + summed(pairs.b, sums, len(judges))
        for sums in (equal, n)
    ]
    yield _equal_shares(ratings, "judges", judges, *for_judges)
    names = [f"{judges[a]} and {judges[b]}" for a, b in zip(pairs.a, pairs.b, strict=True)]
    yield _equal_shares(ratings, "pairs", names, equal, n)
    if ratings.has("system"):
        counts, (system, systems) = AnswerCounts.of(ratings), _systems(ratings)
        sums = (summed(system, part, len(systems)) for part in (counts.equal, counts.pairs))
        yield _equal_shares(ratings, "systems", systems, *sums)


def _systems(ratings: Ratings) -> tuple[Codes, list[str]]:
    """The system of each item."""
    codes, systems = ratings.coded("system")
    of_item = np.zeros(AnswerCounts.of(ratings).items, dtype=np.int64)
    of_item[ratings.item_codes] = codes
    return of_item, systems


def _equal_shares(
    ratings: Ratings, over: str, names: list[str], equal: Array, n: Array
) -> _EqualShares:
    # A judge who shares three judgments would be the best or the worst by luck.
    enough = n >= FEWEST if (n >= FEWEST).any() else n > 0
    kept = [name for name, yes in zip(names, enough, strict=True) if yes]
    return _EqualShares(ratings, over, kept, equal[enough] / n[enough])


def _draw_shares(found: Sequence[_EqualShares]) -> Figure:
    rows = [
        {"over": shares.over, "name": name, "value": float(value), "of": shares.ratings.question}
        for shares in found
        # Pairs are too many to be seen; Cohen's kappa has a figure of them.
        if shares.over != "pairs"
        for name, value in zip(shares.names, shares.shares, strict=True)
    ]
    return figures.bars(
        "Share of equal judgments",
        rows[:MOST_ROWS],
        x=figures.axis("value", "share of equal judgments"),
        y=figures.axis("name", "judge or system", "nominal", sort="-x"),
        colour=figures.axis("over", "of", "nominal"),
    )


MOST_ITEMS = 20
BINS = 10
# Columns whose words are counted where the table has no column `length`.
TEXTS = ("source", "translation", "target", "hypothesis", "text")
CORRELATED = (
    "Spearman's ρ over items between their spread and their mean answer (quality), or the number "
    "of their words (length: the column of that name, else the words of a column of texts); "
    "n counts items"
)
# Units that are left out one by one, since ranks are computed anew; more are put into groups.
MOST_GROUPS = 200


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
        items = [e for items in found for e in items.largest()]
        give = partial(self.result, evaluation, settings, draw=lambda: _draw_spread(found))
        yield give(items)
        correlated = [each for items in found for each in items.correlations(settings)]
        yield give(
            [estimate for estimate, _ in correlated],
            name="spread-correlation",
            method=CORRELATED,
            how=common_method(method for _, method in correlated),
            unit=settings.unit,
        )

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The first items, or whether good ones are contested more than bad ones."""
        return _related(known) if name == "spread-correlation" else _contested(known)


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
        # equal means of numbers with decimals would be no ties
        distance = alike(counts.mean_per_pair(sums)[which], float(sums.max(initial=0.0)))
        return cls(ratings, distance, which)

    def largest(self) -> Iterator[Estimate]:
        ratings, size = self.ratings, AnswerCounts.of(self.ratings).size
        if not len(self.which):
            yield Estimate.of(None, 0, about=ratings, reason=UNPAIRED)
        for at in np.argsort(-self.distance, kind="stable")[:MOST_ITEMS].tolist():
            item = int(self.which[at])
            by = {"item": ratings.items[item]}
            yield Estimate.of(self.distance[at], size[item], about=ratings, by=by)

    def correlations(self, settings: Settings) -> Iterator[tuple[Estimate, str]]:
        """Of spread with quality and with length, and how their intervals came about."""
        for name, values in (("quality", self.quality()), ("length", lengths(self.ratings))):
            by: Mapping[str, Key] = {"with": name}
            found, n = Estimates.undefined(), 0
            if values is not None:
                # An item without a known length is left out of this correlation only.
                known = self.which[~np.isnan(values[self.which])]
                n, found = len(known), self._correlated(known, values, settings)
            reason = self._reason(name, values is None)
            made = found.estimate(n=n, about=self.ratings, by=by, reason=reason)
            yield (made if made.low is None else noted(made, self._note)), found.method

    @property
    def _note(self) -> str:
        """What to beware of where nearly all answers are the same; else empty."""
        few = rarity(AnswerCounts.of(self.ratings))
        # Of two answers, a tenth of them the rarer, intervals of 20 to 50 items held in 68 to 74 %.
        return method_line(FEW_CASES, FALLS_SHORT) if few.others and few.answers > 1 else ""

    def _correlated(self, known: Codes, values: Array, settings: Settings) -> Estimates:
        """Spearman's ρ of the spread of some items and their values, over documents or items."""
        units = units_of(self.ratings, settings)
        spread = self.distance[np.searchsorted(self.which, known)]
        found = left_out_by_group(
            lambda kept: [float(spearman(spread[kept], values[known][kept]))],
            np.unique(units.of_item[known], return_inverse=True)[1],
            most=MOST_GROUPS,
            settings=settings,
            words=units.words,
        )
        return with_unit_note(found, units)

    def quality(self) -> Array | None:
        """The mean answer to each item."""
        if self.ratings.nominal:
            return None
        counts = AnswerCounts.of(self.ratings)
        means = counts.per_item(counts.count * counts.places[counts.code]) / counts.size
        return alike(means, np.abs(counts.places).max(initial=0.0))

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


def _contested(items: Sequence[Estimate]) -> str:
    question = items[0].by["question"]
    # Where nobody disagrees, no item is contested.
    if not items[0].value:
        return ""
    names = [str(e.by["item"]).replace("|", " ") for e in items if e.by["question"] == question]
    return f"Most contested ({question}): {listed(names, most=3)}."


def _related(estimates: Sequence[Estimate]) -> str:
    defined = [e for e in estimates if e.value is not None and e.by["with"] == "quality"]
    if not defined:
        return ""
    first = defined[0]
    numbers = f"ρ = {spoken(first.value)}{interval(first)} over {first.n:,} items"
    if first.low is None or first.high is None or first.low <= 0 <= first.high:
        return (
            f"Whether judges disagree more about good or about bad items ({subject(first)}) cannot "
            f"be told: {numbers}."
        )
    which = "better" if first.low > 0 else "worse"
    return f"Judges disagree more about {which} items ({subject(first)}): {numbers}."


def _draw_spread(found: Sequence[_ItemDistances]) -> Figure:
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
            "question": subject(Estimate.of(0.0, 0, about=items.ratings)),
            "quality": float(means[0][at]),
            "spread": float(means[1][at]),
            "n": int(n[at]),
        }
        for at in np.flatnonzero(n).tolist()
    ]
