"""The least, mean and most agreement over judges, over pairs of judges, and over systems.

Agreement before and after the scale was folded, side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.agreement.answer_counts import AnswerCounts, reason_undefined
from jurat.stats.agreement.cohen_kappa import UNSHARED, judge_pairs
from jurat.stats.agreement.fleiss_kappa import FleissKappa
from jurat.stats.agreement.item_bootstrap import ItemStatistic, resampled
from jurat.stats.agreement.krippendorff_alpha import KrippendorffAlpha
from jurat.stats.agreement.percent_agreement import NAgreement
from jurat.stats.agreement.presentation import MOST_ROWS, subject
from jurat.stats.estimates import Estimates, method_line
from jurat.stats.evaluation import Evaluation
from jurat.stats.phrases import interval, percent
from jurat.stats.ratings import Array, Codes, Ratings, summed
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
        "have more; n counts judges, pairs of judges or systems"
    )
    source = "Hamon et al., section 4"
    needs = ("judge",)
    order = 35

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


class _EqualShares(NamedTuple):
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


def _headline(end: str, estimates: Sequence[Estimate]) -> str:
    known = [e for e in estimates if e.value is not None and e.by["over"] == "judges"]
    if not known or end == "mean":
        return ""
    word = "least" if end == "minimum" else "most"
    first = known[0]
    return (
        f"{first.side} agrees {word} with the others ({subject(first)}): "
        f"{percent(first.value or 0.0)} equal."
    )


def _draw(found: Sequence[_EqualShares]) -> Figure:
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


# What stands side by side: the statistic, and which of its values.
COMPARED: tuple[tuple[str, type[ItemStatistic], int], ...] = (
    ("n-agreement 0", NAgreement, 0),
    ("n-agreement 1", NAgreement, 1),
    ("fleiss-kappa", FleissKappa, 0),
    ("krippendorff-alpha interval", KrippendorffAlpha, 2),
)


class FoldAgreement(Statistic[Settings]):
    """What a coarser scale does to agreement."""

    name = "fold-agreement"
    gives = ("fold-agreement",)
    asks = "Do judges agree better on the folded scale?"
    formula = (
        "n-agreement, Fleiss' kappa and Krippendorff's alpha of the same judgments before and "
        "after folding; n counts items with two judgments or more"
    )
    source = "Hamon et al., section 3.1; TAP-ET, figure 4 (mapped 5pt)"
    order = 12

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """One result where a fold was asked for, else none."""
        judgments = evaluation.judgments
        if judgments is None or not judgments.intake.fold:
            return
        # The same judgments on the scale on which they were given.
        before = Evaluation(judgments=judgments.unfolded()).ratings
        both = [*(("before", r) for r in before), *(("after", r) for r in evaluation.ratings)]
        found = [(scale, ratings.firsts) for scale, ratings in both]
        estimates = tuple(e for one in found for e in _estimates(*one, settings))
        method = _resampled(found[0][1], settings)["n-agreement"].method if found else ""
        yield self.result(
            evaluation,
            settings,
            estimates,
            method=method_line(self.formula, method),
            headline=_headline_fold_agreement(estimates),
            draw=lambda: _draw_fold_agreement(estimates),
        )


def _estimates(scale: str, ratings: Ratings, settings: Settings) -> Iterator[Estimate]:
    values, counts = _resampled(ratings, settings), AnswerCounts.of(ratings)
    for words, kind, at in COMPARED:
        by: dict[str, Key] = {**ratings.by, "statistic": words, "scale": scale}
        if at < len(values[kind.name].values):
            yield values[kind.name].estimate(
                at,
                n=int(counts.paired.sum()),
                by=by,
                tags=ratings.tags,
                reason=reason_undefined(counts, "it is not defined for these answers"),
            )


def _resampled(ratings: Ratings, settings: Settings) -> dict[str, Estimates]:
    kinds = dict.fromkeys(kind for _, kind, _ in COMPARED)
    return resampled(tuple(kinds), ratings, settings)


def _headline_fold_agreement(estimates: Sequence[Estimate]) -> str:
    kappas = [e for e in estimates if e.by["statistic"] == "fleiss-kappa" and e.value is not None]
    firsts = [next((e for e in kappas if e.by["scale"] == s), None) for s in ("before", "after")]
    if not all(firsts):
        return ""
    before, after = (f"{spoken(e.value)}{interval(e)}" for e in firsts if e)
    return f"Folding the scale takes Fleiss' kappa from {before} to {after}."


def _draw_fold_agreement(estimates: Sequence[Estimate]) -> Figure:
    return figures.points_with_intervals(
        "Agreement before and after folding",
        estimates,
        over="statistic",
        value="value",
        facet="question",
        colour="scale",
    )
