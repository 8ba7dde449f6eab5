"""Judges with themselves: how far two answers of a judge to the same item agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, NamedTuple

import numpy as np

from jurat.resampling.jackknife_t import Scale
from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats.agreement.answer_counts import ROUNDING, WORDS, distances
from jurat.stats.agreement.item_statistic import FEW_CELLS, FEW_POINTS
from jurat.stats.agreement.new_judges import drawn, for_these_judges
from jurat.stats.correlation import moments, pearson_from_sums
from jurat.stats.estimates import (
    Estimates,
    common_method,
    jackknife_estimates,
    method_line,
    share_estimates,
)
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.figures import coefficient_figure, within_n_figure
from jurat.stats.independent_units import units_of
from jurat.stats.judge_pairs import SmallCodes, pairs_within
from jurat.stats.kappa import chance_corrected
from jurat.stats.phrases import count_of, interval, percentage, strength_headline, subject
from jurat.stats.ratings import Array, Codes, Ratings, scaled
from jurat.stats.statistic import Settings, Statistic

UNREPEATED = "no judge judged the same item twice"


class SelfAgreement(Statistic[Settings]):
    """Agreement, distance, kappa and correlation of repeated judgments."""

    name = "intra-agreement"
    formulas: ClassVar = {
        "intra-agreement": "share of the pairs of a judge's answers to an item with |a − b| ≤ n",
        "intra-distance": "mean |a − b| of the pairs of a judge's answers to an item",
        "intra-kappa": "Cohen's kappa of the earlier and the later answers, all judges together",
        "intra-pearson": "Pearson's r of the earlier and the later answers, all judges together",
    }
    asks = "Does a judge give the same answer when they meet an item again?"
    source = "Hamon et al., section 6; WMT's intra-annotator agreement"
    needs = ("judge",)
    order = 60
    counted = "pairs of answers of the same judge"
    resampled = False

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A result a kind of agreement."""
        found = [_Repeats.of(ratings, settings) for ratings in evaluation.ratings]
        for name in self.gives:
            estimates = [e for repeats in found for e in repeats.estimates(name)]
            how = for_these_judges(
                common_method(repeats.method(name) for repeats in found), settings
            )
            yield self.result(
                evaluation,
                settings,
                estimates,
                name=name,
                how=how,
                unit=settings.unit,
                drawn=drawn(settings),
            )

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """Kappa in Landis and Koch's words; the others of the first question and split."""
        first = known[0]
        if name == "intra-kappa":
            words = "Judges agree with themselves beyond chance"
            return strength_headline(words, known, "pairs of answers", banded=True)
        if name == "intra-agreement":
            return (
                f"A judge who meets an item again ({subject(first)}) gives the same answer "
                f"in {percentage(first)} of {count_of(first.n, 'cases')}."
            )
        value = f"{spoken(first.value)}{interval(first)}"
        of = f"({subject(first)}, {count_of(first.n, 'pairs')})"
        if name == "intra-distance":
            return f"Two answers of a judge to an item lie {value} apart {of}."
        return f"A judge's first and second answers correlate: {value} {of}."

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A curve over n, or a point a question."""
        if name != "intra-agreement":
            return coefficient_figure(name, estimates)
        title = "Answers of a judge to the same item that differ by at most n"
        return within_n_figure(title, estimates)


class _Repeats(NamedTuple):
    """What follows from the repeats of one question: values in the order of `keys`."""

    ratings: Ratings
    pairs: int
    keys: list[tuple[str, dict[str, Key]]]
    found: Estimates
    shares: Estimates
    note: str

    @classmethod
    def of(cls, ratings: Ratings, settings: Settings) -> _Repeats:
        ordered = ratings.chronological
        first, second = repeats(ordered)
        keys = _keys(ordered)
        if not len(first):
            nothing = Estimates.undefined(len(keys))
            return cls(ratings, 0, keys, nothing, nothing, "")
        columns, score = _sums(ordered, first, second)
        units = units_of(ordered, settings)
        # Several judges may have met the same item twice: all its pairs are left out together.
        clusters = units.of_item[ordered.item_codes[first]]
        near = sum(name == "intra-agreement" for name, _ in keys)
        scales: list[Scale] = ["identity" for _ in range(near + 1)]
        scales += ["fisher", "fisher"]
        found = jackknife_estimates(
            columns, score, settings=settings, clusters=clusters, scale=scales, words=units.words
        )
        # A distance cannot be below 0.
        low = np.where(np.arange(len(keys)) <= near, np.maximum(found.low, 0.0), found.low)
        found = replace(found, low=low)
        shares = share_estimates(
            columns[:, 1 : 1 + near],
            np.ones((len(first), near)),
            settings=settings,
            clusters=clusters,
            words=units.words,
        )
        return cls(ratings, len(first), keys, found, shares, units.note)

    def method(self, name: str) -> str:
        made = self.shares if name == "intra-agreement" else self.found
        return method_line(made.method, self.note) if made.method else ""

    def estimates(self, name: str) -> Iterator[Estimate]:
        for at, (of, key) in enumerate(self.keys):
            if of == name:
                reason = self._reason(name)
                made = self.shares if name == "intra-agreement" else self.found
                yield made.estimate(at, n=self.pairs, about=self.ratings, by=key, reason=reason)

    def _reason(self, name: str) -> str:
        if not self.pairs:
            return UNREPEATED
        if self.ratings.nominal and name in ("intra-distance", "intra-pearson"):
            return WORDS
        return "the answers do not vary"


def repeats(ratings: Ratings) -> tuple[SmallCodes, SmallCodes]:
    """The rows of every two answers of a judge to the same item, the earlier first."""
    # No repeats were dropped, so there are none; millions of rows need not be sorted for it.
    if ratings.firsts is ratings:
        return np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32)
    groups = ratings.item_codes * len(ratings.judges) + ratings.judge_codes
    order = np.argsort(groups, kind="stable")
    first, second = pairs_within(groups[order])
    return order[first].astype(np.int32), order[second].astype(np.int32)


def _keys(ratings: Ratings) -> list[tuple[str, dict[str, Key]]]:
    """The result and the further keys of each value, in the order of `_sums`."""
    near: list[tuple[str, dict[str, Key]]] = [
        ("intra-agreement", {"n": n}) for n in distances(ratings.places, nominal=ratings.nominal)
    ]
    return [*near, ("intra-distance", {}), ("intra-kappa", {}), ("intra-pearson", {})]


def _sums(
    ratings: Ratings, first: SmallCodes, second: SmallCodes
) -> tuple[Array, Callable[[Array], Array]]:
    """What is added up for each pair of answers, and the values that follow from the totals."""
    far = np.abs(ratings.values[first] - ratings.values[second])
    places = scaled(ratings.places)
    # Around the middle of the scale, to keep the digits of the squares.
    places = places - places[len(places) // 2]
    x, y = (places[ratings.codes[rows]] for rows in (first, second))
    # The values of words are their numbers: they are 0 apart where the words are the same.
    steps_apart = distances(ratings.places, nominal=ratings.nominal)
    near = [(far <= n + ROUNDING).astype(np.float64) for n in steps_apart]
    chance, expected = _chance(ratings.codes[first], ratings.codes[second], len(ratings.points))
    pairs = moments(x, y)
    steps = len(near)
    # Words have neither distance nor correlation, but their kappa is drawn along.
    unknown = np.nan if ratings.nominal else 1.0

    def score(totals: Array) -> Array:
        n = totals[:, 0]
        shares = totals[:, 1 : 1 + steps] / n[:, None]
        distance = unknown * totals[:, 1 + steps] / n
        r = unknown * pearson_from_sums(totals[:, 2 + steps : 8 + steps])
        kappa = chance_corrected(shares[:, 0], expected(totals[:, 8 + steps :]))
        return np.column_stack([shares, distance, kappa, r])

    return np.column_stack([np.ones(len(x)), *near, far, pairs, chance]), score


def _chance(first: Codes, second: Codes, points: int) -> tuple[Array, Callable[[Array], Array]]:
    """Columns, and from their totals the chance that an earlier and a later answer are equal.

    As with the other kappas, it is taken as linear near the shares where points are too many.
    """
    n = len(first)
    # Totals of every point while they are few; see `expected_agreement`.
    if points <= FEW_POINTS or n * points <= FEW_CELLS:
        columns = np.hstack([np.eye(points)[first], np.eye(points)[second]])
        return (
            columns,
            lambda t: (
                (t[:, :points] * t[:, points:]).sum(axis=1) / (t[:, :points].sum(axis=1) ** 2)
            ),
        )
    p, q = (np.bincount(codes, minlength=points) / n for codes in (first, second))
    columns = np.column_stack([np.ones(n), q[first] + p[second]])
    return columns, lambda t: t[:, 1] / t[:, 0] - float(p @ q)
