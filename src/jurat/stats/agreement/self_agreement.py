"""A judge with himself: how far two answers of his to the same item agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats.agreement.over_items import FEW_CELLS, FEW_POINTS, corrected
from jurat.stats.agreement.pictures import coefficients, within
from jurat.stats.agreement.tallies import ROUNDING
from jurat.stats.agreement.wording import WORDS, counted, of_what, share, strength
from jurat.stats.evaluation import Evaluation
from jurat.stats.kappa import Numbers, pairs_within
from jurat.stats.ratings import Array, Codes, Ratings, scaled
from jurat.stats.spread import Spread, first_method, spread, told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.words import interval

MOST_STEPS = 10
UNREPEATED = "no judge judged the same item twice"
FORMULAS = {
    "intra-agreement": "share of the pairs of a judge's answers to an item with |a − b| ≤ n",
    "intra-distance": "mean |a − b| of the pairs of a judge's answers to an item",
    "intra-kappa": "Cohen's kappa of the earlier and the later answers, all judges together",
    "intra-pearson": "Pearson's r of the earlier and the later answers, all judges together",
}


class SelfAgreement(Statistic[Settings]):
    """Agreement, distance, kappa and correlation of repeated judgments."""

    name = "intra-agreement"
    gives = tuple(FORMULAS)
    asks = "Does a judge give the same answer when he meets an item again?"
    formula = FORMULAS["intra-agreement"]
    source = "Hamon et al., section 6; WMT's intra-annotator agreement"
    needs = ("judge",)
    place = 60

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A result a kind of agreement."""
        found = [_Repeats.of(ratings, settings) for ratings in evaluation.ratings]
        how = first_method([repeats.spread for repeats in found])
        for name, formula in FORMULAS.items():
            estimates = tuple(e for repeats in found for e in repeats.estimates(name))
            yield self.result(
                evaluation,
                settings,
                estimates,
                name=name,
                method=told(f"{formula}; n counts pairs of answers of the same judge", how),
                headline=_headline(name, estimates),
                draw=partial(_draw, name, estimates),
            )


class _Repeats(NamedTuple):
    """What follows from the repeats of one question: values in the order of `keys`."""

    ratings: Ratings
    pairs: int
    keys: list[tuple[str, dict[str, Key]]]
    spread: Spread

    @classmethod
    def of(cls, ratings: Ratings, settings: Settings) -> _Repeats:
        ordered = ratings.chronological
        first, second = repeats(ordered)
        keys = _keys(ordered)
        if not len(first):
            nothing = np.full(len(keys), np.nan)
            return cls(ratings, 0, keys, Spread(values=nothing, low=nothing, high=nothing))
        columns, score = _sums(ordered, first, second)
        clusters = ordered.item_codes[first]
        return cls(
            ratings, len(first), keys, spread(columns, score, settings=settings, clusters=clusters)
        )

    def estimates(self, name: str) -> Iterator[Estimate]:
        for at, (of, key) in enumerate(self.keys):
            if of == name:
                by, tags = {**self.ratings.by, **key}, self.ratings.tags
                yield self.spread.estimate(
                    at, n=self.pairs, by=by, tags=tags, reason=self._reason(name)
                )

    def _reason(self, name: str) -> str:
        if not self.pairs:
            return UNREPEATED
        if self.ratings.nominal and name in ("intra-distance", "intra-pearson"):
            return WORDS
        return "the answers do not vary"


def repeats(ratings: Ratings) -> tuple[Numbers, Numbers]:
    """The rows of every two answers of a judge to the same item, the earlier first."""
    if ratings.firsts is ratings:
        return np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32)
    groups = ratings.item_codes * len(ratings.judges) + ratings.judge_codes
    order = np.argsort(groups, kind="stable")
    first, second = pairs_within(groups[order])
    return order[first].astype(np.int32), order[second].astype(np.int32)


def _keys(ratings: Ratings) -> list[tuple[str, dict[str, Key]]]:
    near: list[dict[str, Key]] = [{"n": n} for n in _steps(ratings)]
    single: dict[str, Key] = {}
    return [*(("intra-agreement", key) for key in near), *((name, single) for name in _SINGLE)]


_SINGLE = ("intra-distance", "intra-kappa", "intra-pearson")


def _steps(ratings: Ratings) -> range:
    if ratings.nominal or not len(ratings):
        return range(1)
    return range(min(int(np.ceil(np.ptp(ratings.places) - ROUNDING)), MOST_STEPS) + 1)


def _sums(
    ratings: Ratings, first: Numbers, second: Numbers
) -> tuple[Array, Callable[[Array], Array]]:
    """What is added up for each pair of answers, and the values that follow from the totals."""
    far = np.abs(ratings.values[first] - ratings.values[second])
    places = scaled(ratings.places)
    places = places - places[len(places) // 2]
    x, y = (places[ratings.codes[rows]] for rows in (first, second))
    near = [(far <= n + ROUNDING).astype(np.float64) for n in _steps(ratings)]
    if ratings.nominal:
        near = [(ratings.codes[first] == ratings.codes[second]).astype(np.float64)]
    chance, expected = _chance(ratings.codes[first], ratings.codes[second], len(ratings.points))
    moments = [far, np.ones(len(x)), x, y, x**2, y**2, x * y]
    steps = len(near)
    unknown = np.nan if ratings.nominal else 1.0

    def score(totals: Array) -> Array:
        n = totals[:, 0]
        shares = totals[:, 1 : 1 + steps] / n[:, None]
        distance = unknown * totals[:, 1 + steps] / n
        r = unknown * correlation(totals[:, 2 + steps : 8 + steps])
        kappa = corrected(shares[:, 0], expected(totals[:, 8 + steps :]))
        return np.column_stack([shares, distance, kappa, r])

    return np.column_stack([np.ones(len(x)), *near, *moments, chance]), score


def _chance(first: Codes, second: Codes, points: int) -> tuple[Array, Callable[[Array], Array]]:
    """Columns, and from their totals the chance that an earlier and a later answer are equal.

    As with the other kappas, it is taken as linear near the shares where points are too many.
    """
    n = len(first)
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


def correlation(sums: Array) -> Array:
    """Pearson's r from sums of 1, x, y, x², y², xy; NaN where one of the two does not vary."""
    n, x, y, xx, yy, xy = sums.T
    spread_x, spread_y = n * xx - x**2, n * yy - y**2
    varies = (spread_x > 1e-12 * n * xx) & (spread_y > 1e-12 * n * yy)
    product = np.where(varies, spread_x * spread_y, np.nan)
    return np.asarray((n * xy - x * y) / np.sqrt(product))


def _headline(name: str, estimates: Sequence[Estimate]) -> str:
    told = [e for e in estimates if e.value is not None]
    if not told:
        return ""
    first = told[0]
    if name == "intra-kappa":
        return strength("Judges agree with themselves beyond chance", told, "pairs of answers")
    if name == "intra-agreement":
        return (
            f"A judge who meets an item again ({of_what(first)}) gives the same answer "
            f"in {share(first)} of {counted(first.n, 'cases')}."
        )
    value = f"{spoken(first.value)}{interval(first)}"
    of = f"({of_what(first)}, {counted(first.n, 'pairs')})"
    if name == "intra-distance":
        return f"Two answers of a judge to an item lie {value} apart {of}."
    return f"A judge's first and second answers correlate: {value} {of}."


def _draw(name: str, estimates: Sequence[Estimate]) -> Figure:
    if name != "intra-agreement":
        return coefficients(name, estimates)
    return within("Answers of a judge to the same item that differ by at most n", estimates)
