"""Which of every two systems is preferred: the matrix, with intervals over items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.preferences.comparisons import (
    A,
    B,
    Comparing,
    Comparisons,
    about,
    comparisons,
    of_pairs,
    or_nothing,
)
from jurat.stats.preferences.sign_test import sign_test
from jurat.stats.ratings import Array
from jurat.stats.spread import Spread, first_method, spread, told
from jurat.stats.statistic import Statistic
from jurat.stats.words import interval, percent

MOST_DRAWN = 40
"""Systems in the figure, those compared most often."""


class PreferenceWins(Statistic[Comparing]):
    """The share of decisions for one of two systems, ties left out."""

    name = "preference-wins"
    gives = ("preference-wins",)
    asks = "Of every two systems, which is preferred, and how clearly?"
    formula = "share of decisions with a preference that are for system_a"
    source = "TAP-ET, section 2.2"
    needs = ("system_a", "system_b", "outcome")
    place = 15

    def results(self, evaluation: Evaluation, settings: Comparing) -> Iterator[Result]:
        """Every two systems that were compared, both ways round."""
        parts = comparisons(evaluation)
        found = [(part, list(_each(part, settings))) for part in parts]
        estimates = [e for part, pairs in found for pair in pairs for e in _both(part, pair)]
        spreads = [pair.share for _, pairs in found for pair in pairs]
        yield self.result(
            of_pairs(evaluation),
            settings,
            or_nothing(estimates),
            method=told(f"{self.formula}; n counts decisions with a preference", _drawn(spreads)),
            headline=_headline(found),
            draw=lambda: _draw(parts, estimates),
        )


def pairs_of_systems(part: Comparisons) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """The number of every two systems and the rows that compare them, the most compared first."""
    order = np.argsort(part.pair_codes, kind="stable")
    codes, starts = np.unique(part.pair_codes[order], return_index=True)
    rows = np.split(order, starts[1:])
    for at in sorted(range(len(codes)), key=lambda at: -len(rows[at])):
        yield int(codes[at]), rows[at]


def _each(part: Comparisons, settings: Comparing) -> Iterator[_Pair]:
    """Every two systems, with the share of decisions for each of them."""
    for code, rows in pairs_of_systems(part):
        outcomes, items = part.outcomes[rows], part.item_codes[rows]
        wins = np.column_stack([outcomes == A, outcomes == B]).astype(np.float64)
        drawn = spread(wins, _share, settings=settings, clusters=items)
        won, decided = wins.sum(axis=0), len(np.unique(items[wins.any(axis=1)]))
        share = _exact(drawn, won, decided, settings) if decided else drawn
        yield _Pair(code, won, share)


class _Pair(NamedTuple):
    """Two systems, how often each was preferred, and in which share of the decisions."""

    code: int
    wins: Array
    share: Spread


def _exact(drawn: Spread, wins: Array, items: int, settings: Comparing) -> Spread:
    """Clopper and Pearson's ends where all went one way: of that, resamples say nothing."""
    if wins.all() or not settings.bootstrap:
        return drawn
    least = ((1 - settings.confidence) / 2) ** (1 / items)
    won = wins > 0
    return replace(drawn, low=np.where(won, least, 0.0), high=np.where(won, 1.0, 1 - least))


def _share(totals: Array) -> Array:
    return np.asarray(totals / totals.sum(axis=1, keepdims=True))


def _both(part: Comparisons, pair: _Pair) -> Iterator[Estimate]:
    first, second = part.pair(pair.code)
    n, none = int(pair.wins.sum()), "every decision is a tie"
    for at, (one, other) in enumerate(((first, second), (second, first))):
        by: dict[str, Key] = {**part.by, "system_a": one, "system_b": other}
        yield pair.share.estimate(at, n=n, by=by, tags=part.tags, reason=none)


def _drawn(spreads: list[Spread]) -> str:
    """How intervals were made; each pair of systems has items of its own."""
    method = first_method(spreads)
    how = f"{method.rpartition(' of ')[0]} of a pair's items"
    return f"{how}, exact where all decisions went one way" if method else ""


def _headline(found: Sequence[tuple[Comparisons, list[_Pair]]]) -> str:
    parts = [part for part, _ in found]
    for part, pairs in found:
        decided = [pair for pair in pairs if pair.wins.any()]
        if not decided:
            continue
        clearest = min(decided, key=lambda pair: float(sign_test(*pair.wins)))
        best = max(_both(part, clearest), key=lambda e: e.value or 0.0)
        which = "" if len(pairs) == 1 else f" (the clearest of {len(pairs):,} pairs)"
        return (
            f"{about(part, parts)}{best.by['system_a']} is preferred to {best.by['system_b']} in "
            f"{percent(best.value or 0.0)} of {best.n:,} decisions with a preference"
            f"{interval(best)}{which}."
        )
    return "No decision has a preference."


def _draw(parts: Sequence[Comparisons], estimates: list[Estimate]) -> Figure:
    shown = _most_compared(parts)
    data = [r for r in figures.rows(estimates) if {r["system_a"], r["system_b"]} <= shown]
    return figures.heat(
        "How often the system of the row is preferred to that of the column",
        data,
        x=figures.axis("system_b", "to", "nominal"),
        y=figures.axis("system_a", "preferred", "nominal"),
        colour=figures.axis("value", "share", scale={"domain": [0, 1], "scheme": "blueorange"}),
    )


def _most_compared(parts: Sequence[Comparisons]) -> set[object]:
    counts: dict[str, int] = {}
    for part in parts:
        both = np.bincount(np.concatenate(part.sides), minlength=len(part.systems))
        for system, n in zip(part.systems, both.tolist(), strict=True):
            counts[system] = counts.get(system, 0) + n
    return set(sorted(counts, key=lambda system: -counts[system])[:MOST_DRAWN])
