"""Pairwise agreement on preferences and rankings beyond chance, cleanly and as WMT counts it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.preferences.comparisons import (
    KINDS,
    TIE,
    Comparing,
    Comparisons,
    about,
    comparisons,
    counts_by,
    of_pairs,
    or_nothing,
)
from jurat.stats.ratings import Array, Codes
from jurat.stats.spread import Spread, first_method, spread, told
from jurat.stats.statistic import Statistic
from jurat.stats.words import band, interval, percent

WAYS = (("inter", "clean"), ("intra", "clean"), ("inter", "wmt"), ("intra", "wmt"))
"""Scope and definition, in the order of all columns."""
GIVES = {
    "preference-kappa": "(pA − pE) / (1 − pE); n counts comparable pairs of decisions",
    "preference-observed": "pA = agreeing / comparable pairs of decisions; n counts pairs",
    "preference-expected": "pE = ties² + 2((1 − ties)/2)², kinds of tie apart; n counts decisions",
    "preference-pairs": "comparable pairs of decisions",
    "preference-agree": "agreeing pairs of decisions",
    "preference-ties": "ties among the decisions that pE is taken from",
    "preference-total": "decisions that pE is taken from",
}
CLEAN = "clean: either order of a pair is the same, inter is between different judges"
WMT = (
    "wmt: (A, B) and (B, A) as shown are different items, inter counts a judge's repeats too, "
    "intra takes pE from a judge's items with a repeat"
)
AS_BEFORE = "clean and wmt as for preference-kappa"
PER_WAY = 3 + KINDS - TIE
"""Columns of a way: agreeing, comparable, each kind of tie, total."""


class PreferenceKappa(Statistic[Comparing]):
    """Kappa of pairs of decisions about the same two systems, for preferences and rankings."""

    name = "preference-kappa"
    gives = tuple(GIVES)
    asks = "How far do judges agree on which of two systems is better, beyond chance?"
    formula = "; ".join(GIVES.values())
    source = "Bojar et al. 2016 (WMT16 Findings), section 3.3"
    needs = ("system_a", "system_b", "outcome", "item")
    place = 40

    def results(self, evaluation: Evaluation, settings: Comparing) -> Iterator[Result]:
        """Kappa and its parts, each for inter and intra, clean and wmt."""
        found = [_Found.of(part, settings) for part in comparisons(evaluation)]
        drawn = first_method([one.spread for one in found])
        for at, (name, formula) in enumerate(GIVES.items()):
            estimates = [e for one in found for e in one.estimates(at)]
            yield self.result(
                of_pairs(evaluation),
                settings,
                or_nothing(estimates),
                name=name,
                method=told(formula, *((CLEAN, WMT, drawn) if at < 3 else (AS_BEFORE,))),
                headline=_headline(found) if at == 0 else "",
                draw=partial(_draw, estimates) if at == 0 else None,
            )


def pair_counts(part: Comparisons) -> Array:
    """For every item (rows) and way of counting: agreeing, comparable, kinds of tie, total."""
    turned = part.unit_codes * 2 + part.turned
    inter_clean, intra_clean = _matched(part, part.unit_codes, part.outcomes)
    inter_wmt, intra_wmt = _matched(part, turned, part.shown)
    everything = np.ones(len(part), dtype=bool)
    all_ties = _ties(part, everything)
    of_repeats = _ties(part, _with_repeats(part, turned))
    return np.hstack(
        [
            *(inter_clean - intra_clean, all_ties),
            *(intra_clean, all_ties),
            *(inter_wmt, all_ties),
            *(intra_wmt, of_repeats),
        ]
    )


def kappas(totals: Array) -> Array:
    """Kappa, observed and expected agreement of every way, from totals of `pair_counts`."""
    ways = totals.reshape(len(totals), len(WAYS), PER_WAY)
    agree, comparable, total = ways[..., 0], ways[..., 1], ways[..., -1:]
    tied = ways[..., 2:-1] / total
    decided = 1 - tied.sum(axis=-1)
    expected = (tied**2).sum(axis=-1) + decided**2 / 2
    observed = agree / comparable
    # where everybody always chose the same kind of tie there is no chance to correct for
    kappa = np.where(expected < 1, (observed - expected) / (1 - expected), np.nan)
    return np.hstack([kappa, observed, expected])


def _matched(part: Comparisons, units: Codes, outcomes: Codes) -> tuple[Array, Array]:
    """Agreeing and comparable pairs of decisions by item: all of them, and those of one judge."""
    own = units * (int(part.judge_codes.max()) + 1) + part.judge_codes
    return _pairs(part, units, outcomes), _pairs(part, own, outcomes)


def _pairs(part: Comparisons, keys: Codes, outcomes: Codes) -> Array:
    first, counts = counts_by(keys, outcomes)
    size = counts.sum(axis=1)
    agree = (counts * (counts - 1)).sum(axis=1) / 2
    return _by_item(part, part.item_codes[first], np.column_stack([agree, size * (size - 1) / 2]))


def _ties(part: Comparisons, rows: NDArray[np.bool_]) -> Array:
    """Each kind of tie and all decisions among these rows, by item."""
    kinds = [(part.shown == kind) & rows for kind in range(TIE, KINDS)]
    return _by_item(part, part.item_codes, np.column_stack([*kinds, rows]).astype(np.float64))


def _with_repeats(part: Comparisons, units: Codes) -> NDArray[np.bool_]:
    """The decisions of a judge about an item of which he compared some two systems again."""
    judges = int(part.judge_codes.max()) + 1
    _, group, counts = np.unique(
        units * judges + part.judge_codes, return_inverse=True, return_counts=True
    )
    items = np.unique(part.item_codes * judges + part.judge_codes, return_inverse=True)[1]
    return (np.bincount(items, weights=counts[group] > 1) > 0)[items]


def _by_item(part: Comparisons, items: Codes, columns: Array) -> Array:
    count = int(part.item_codes.max()) + 1
    return np.column_stack([np.bincount(items, weights=c, minlength=count) for c in columns.T])


class _Found(NamedTuple):
    """Counts and kappas of one question and split."""

    part: Comparisons
    totals: Array
    spread: Spread

    @classmethod
    def of(cls, part: Comparisons, settings: Comparing) -> _Found:
        counts = pair_counts(part)
        totals = counts.sum(axis=0).reshape(len(WAYS), PER_WAY)
        return cls(part, totals, spread(counts, kappas, settings=settings))

    def estimates(self, at: int) -> Iterator[Estimate]:
        """The estimates of one of the names, for each way."""
        for way, (scope, definition) in enumerate(WAYS):
            by: dict[str, Key] = {**self.part.by, "scope": scope, "definition": definition}
            agree, comparable, *ties, total = (int(count) for count in self.totals[way])
            if reason := self._unknown(scope, definition):
                yield Estimate(value=None, n=0, by=by, tags=self.part.tags, reason=reason)
            elif at < 3:
                n = total if at == 2 else comparable
                reason = self._undefined(scope, comparable)
                column = at * len(WAYS) + way
                tags = self.part.tags
                yield self.spread.estimate(column, n=n, by=by, tags=tags, reason=reason)
            else:
                value = (comparable, agree, sum(ties), total)[at - 3]
                n = (total, comparable, total, total)[at - 3]
                yield Estimate(value=value, n=n, by=by, tags=self.part.tags)

    def _unknown(self, scope: str, definition: str) -> str:
        if scope == "intra" and not self.part.has("judge"):
            return "needs the column judge"
        if definition == "wmt" and not self.part.sided:
            return "the table does not tell sides: the better system always stands first"
        return ""

    def _undefined(self, scope: str, comparable: int) -> str:
        if comparable:
            return "all decisions are the same kind of tie"
        if scope == "intra":
            return "no judge compared the same two systems twice on an item"
        return "no two judges compared the same two systems on an item"


def _headline(found: list[_Found]) -> str:
    parts = [one.part for one in found]
    for one in found:
        kappa, _, wmt, _ = one.estimates(0)
        observed = next(one.estimates(1))
        if kappa.value is None or observed.value is None:
            continue
        other = f"; as WMT counts it {wmt.value:.3f}" if wmt.value is not None else ""
        return (
            f"{about(one.part, parts)}Two judges agree on {percent(observed.value)} of "
            f"{kappa.n:,} pairs of decisions: kappa {kappa.value:.3f}{interval(kappa)}, "
            f"{band(kappa.value)} agreement{other}.{_next(one.part, kappa.value)}"
        )
    return "Judges' agreement beyond chance cannot be told from these comparisons."


def _next(part: Comparisons, kappa: float) -> str:
    """What to look at where agreement is less than moderate."""
    return " Which judges differ, cohen-kappa shows." if kappa <= 0.4 and part.has("judge") else ""


def _draw(estimates: list[Estimate]) -> Figure:
    named = [
        e._replace(by={**e.by, "way": f"{e.by['scope']}, {e.by['definition']}"}) for e in estimates
    ]
    return figures.points_with_intervals(
        "Agreement on pairs of systems",
        figures.labelled(named),
        over="way",
        value="kappa",
        facet="of",
        sort=[", ".join(way) for way in WAYS],
    )
