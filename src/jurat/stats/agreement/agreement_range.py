"""The least, mean and most agreement over judges, over pairs of judges, and over systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.agreement.paired import UNSHARED, judge_pairs
from jurat.stats.agreement.pictures import MOST_ROWS
from jurat.stats.agreement.tallies import Tallies, summed
from jurat.stats.agreement.wording import of_what
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.words import percent

ENDS = ("minimum", "mean", "maximum")
FEWEST = 10
"""Pairs of judgments below which a share says too little, as long as others have more."""


class AgreementRange(Statistic[Settings]):
    """Who agrees least and most, and where."""

    name = "agreement-range"
    gives = tuple(f"agreement-{end}" for end in ENDS)
    asks = "Which judges, pairs and systems agree least, and which most?"
    formula = (
        "share of equal judgments of the same items: of a judge with all others, of two judges, "
        f"or within a system; those with fewer than {FEWEST} pairs are left out where others "
        "have more; n counts judges, pairs of judges or systems"
    )
    source = "Hamon et al., section 4"
    needs = ("judge",)
    place = 35

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A result an end; `side` says whose it is."""
        found = [each for ratings in evaluation.ratings for each in _groups(ratings.firsts)]
        for end in ENDS:
            estimates = tuple(shares.estimate(end) for shares in found)
            yield self.result(
                evaluation,
                settings,
                estimates,
                name=f"agreement-{end}",
                headline=_headline(end, estimates),
                draw=partial(_draw, found),
            )


class _Shares(NamedTuple):
    """The share of equal judgments of each judge, pair or system."""

    ratings: Ratings
    over: str
    names: list[str]
    shares: Array

    def estimate(self, end: str) -> Estimate:
        by, tags = {**self.ratings.by, "over": self.over}, self.ratings.tags
        if not len(self.shares):
            return Estimate(value=None, n=0, by=by, tags=tags, reason=UNSHARED)
        if end == "mean":
            return Estimate(value=float(self.shares.mean()), n=len(self.names), by=by, tags=tags)
        at = int(self.shares.argmin() if end == "minimum" else self.shares.argmax())
        return Estimate(
            value=float(self.shares[at]), n=len(self.names), by=by, tags=tags, side=self.names[at]
        )


def _groups(ratings: Ratings) -> Iterator[_Shares]:
    pairs, judges = judge_pairs(ratings), ratings.judges
    equal = summed(pairs.pair, (pairs.first == pairs.second).astype(np.float64), len(pairs))
    n = pairs.n.astype(np.float64)
    for_judges = [
        summed(pairs.a, sums, len(judges)) + summed(pairs.b, sums, len(judges))
        for sums in (equal, n)
    ]
    yield _told(ratings, "judges", judges, *for_judges)
    names = [f"{judges[a]} and {judges[b]}" for a, b in zip(pairs.a, pairs.b, strict=True)]
    yield _told(ratings, "pairs", names, equal, n)
    if ratings.has("system"):
        tallies, (system, systems) = Tallies.of(ratings), _systems(ratings)
        sums = (summed(system, part, len(systems)) for part in (tallies.equal, tallies.pairs))
        yield _told(ratings, "systems", systems, *sums)


def _systems(ratings: Ratings) -> tuple[Codes, list[str]]:
    """The system of each item."""
    codes, systems = ratings.coded("system")
    of_item = np.zeros(Tallies.of(ratings).items, dtype=np.int64)
    of_item[ratings.item_codes] = codes
    return of_item, systems


def _told(ratings: Ratings, over: str, names: list[str], equal: Array, n: Array) -> _Shares:
    enough = n >= FEWEST if (n >= FEWEST).any() else n > 0
    kept = [name for name, yes in zip(names, enough, strict=True) if yes]
    return _Shares(ratings, over, kept, equal[enough] / n[enough])


def _headline(end: str, estimates: Sequence[Estimate]) -> str:
    told = [e for e in estimates if e.value is not None and e.by["over"] == "judges"]
    if not told or end == "mean":
        return ""
    word = "least" if end == "minimum" else "most"
    first = told[0]
    return (
        f"{first.side} agrees {word} with the others ({of_what(first)}): "
        f"{percent(first.value or 0.0)} equal."
    )


def _draw(found: Sequence[_Shares]) -> Figure:
    rows = [
        {"over": shares.over, "name": name, "value": float(value), "of": shares.ratings.question}
        for shares in found
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
