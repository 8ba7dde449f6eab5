"""Pairwise agreement on preferences and rankings beyond chance, cleanly and as WMT counts it.

Cohen's kappa of every two judges on what they prefer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from jurat.resampling.jackknife_t import (
    interval_by_group,
    interval_of_left_out,
    jackknife_method,
)
from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.estimates import Estimates, common_method, jackknife_estimates, method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.independent_units import Units, units_of_table, with_unit_note
from jurat.stats.judge_pairs import ENOUGH_FOR_KAPPA, FewShared, JudgePairs, PairUnits
from jurat.stats.kappa import chance_corrected, kappas_without
from jurat.stats.phrases import band, headline_prefix, interval, percent
from jurat.stats.preferences.comparisons import (
    KINDS,
    SIDES,
    TIE,
    A,
    B,
    Comparisons,
    PreferenceStatistic,
    comparisons,
    counts_by,
    of_these_judges,
)
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.settings import PreferenceSettings
from jurat.tables.schema import OUTCOMES

# Scope and definition, in the order of all columns.
DEFINITIONS = (("inter", "clean"), ("intra", "clean"), ("inter", "wmt"), ("intra", "wmt"))
# What the figure calls them.
DEFINITION_WORDS = {
    ("inter", "clean"): "two judges",
    ("intra", "clean"): "a judge twice",
    ("inter", "wmt"): "two judges, as WMT counts",
    ("intra", "wmt"): "a judge twice, as WMT counts",
}
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
# Columns of a definition: agreeing, comparable, each kind of tie, total.
PER_DEFINITION = 3 + KINDS - TIE


class PreferenceKappa(PreferenceStatistic):
    """Kappa of pairs of decisions about the same two systems, for preferences and rankings."""

    name = "preference-kappa"
    asks = "How far do judges agree on which of two systems is better, beyond chance?"
    formulas = GIVES
    formula = "; ".join(GIVES.values())
    source = "Bojar et al. 2016 (WMT16 Findings), section 3.3"
    needs = (*SIDES, "item")
    order = 40

    def results(self, evaluation: Evaluation, settings: PreferenceSettings) -> Iterator[Result]:
        """Kappa and its parts, each for inter and intra, clean and wmt."""
        found = [_PairAgreement.of(part, settings) for part in comparisons(evaluation)]
        drawn = of_these_judges(common_method(one.found.method for one in found))
        for at, name in enumerate(GIVES):
            yield self.preference_result(
                evaluation,
                settings,
                [e for one in found for e in one.estimates(at)],
                name=name,
                how=method_line(*((CLEAN, WMT, drawn) if at < 2 else (AS_BEFORE,))),
                headline=_headline(found) if at == 0 else "",
            )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A point for each definition of kappa; its parts have no figure."""
        if name != "preference-kappa":
            return {}
        named = [
            e._replace(
                by={
                    **e.by,
                    "counted": DEFINITION_WORDS[str(e.by["scope"]), str(e.by["definition"])],
                }
            )
            for e in estimates
        ]
        return figures.points_with_intervals(
            "Agreement on pairs of systems",
            figures.labelled(named),
            over="counted",
            value="kappa",
            facet="of",
            sort=list(DEFINITION_WORDS.values()),
        )


def pair_counts(part: Comparisons) -> Array:
    """For every item (rows) and definition: agreeing, comparable, kinds of tie, total."""
    turned = part.unit_codes * 2 + part.turned
    inter_clean, intra_clean = _matched(part, part.unit_codes, part.outcomes)
    inter_wmt, intra_wmt = _matched(part, turned, part.shown)
    everything = np.ones(len(part), dtype=bool)
    all_ties = _ties(part, everything)
    of_repeats = _ties(part, _with_repeats(part, turned))
    return np.hstack(
        [
            # between different judges: all pairs of decisions without those of one judge
            *(inter_clean - intra_clean, all_ties),
            *(intra_clean, all_ties),
            *(inter_wmt, all_ties),
            *(intra_wmt, of_repeats),
        ]
    )


def kappas(totals: Array) -> Array:
    """Kappa, observed and expected agreement by each definition, from totals of `pair_counts`."""
    parts = totals.reshape(len(totals), len(DEFINITIONS), PER_DEFINITION)
    agree, comparable, total = parts[..., 0], parts[..., 1], parts[..., -1:]
    tied = parts[..., 2:-1] / total
    decided = 1 - tied.sum(axis=-1)
    # by chance either system of a decided pair is as likely: 2 (decided / 2)²
    expected = (tied**2).sum(axis=-1) + decided**2 / 2
    observed = agree / comparable
    # where everybody always chose the same kind of tie there is no chance to correct for
    kappa = chance_corrected(observed, expected)
    return np.hstack([kappa, observed, expected])


def _matched(part: Comparisons, units: Codes, outcomes: Codes) -> tuple[Array, Array]:
    """Agreeing and comparable pairs of decisions by item: all of them, and those of one judge."""
    # the same unit of the same judge: pairs among these are repeats
    own = units * (int(part.judge_codes.max()) + 1) + part.judge_codes
    return _pairs(part, units, outcomes), _pairs(part, own, outcomes)


def _pairs(part: Comparisons, keys: Codes, outcomes: Codes) -> Array:
    first, counts = counts_by(keys, outcomes)
    size = counts.sum(axis=1)
    # n decisions of one outcome make n (n − 1) / 2 agreeing pairs
    agree = (counts * (counts - 1)).sum(axis=1) / 2
    return _by_item(part, part.item_codes[first], np.column_stack([agree, size * (size - 1) / 2]))


def _ties(part: Comparisons, rows: NDArray[np.bool_]) -> Array:
    """Each kind of tie and all decisions among these rows, by item."""
    kinds = [(part.shown == kind) & rows for kind in range(TIE, KINDS)]
    return _by_item(part, part.item_codes, np.column_stack([*kinds, rows]).astype(np.float64))


def _with_repeats(part: Comparisons, units: Codes) -> NDArray[np.bool_]:
    """The decisions of a judge about an item of which they compared some two systems again."""
    judges = int(part.judge_codes.max()) + 1
    _, group, counts = np.unique(
        units * judges + part.judge_codes, return_inverse=True, return_counts=True
    )
    # WMT takes the chance of ties from whole items of a judge, not from the repeated pairs alone
    items = np.unique(part.item_codes * judges + part.judge_codes, return_inverse=True)[1]
    return (np.bincount(items, weights=counts[group] > 1) > 0)[items]


def _by_item(part: Comparisons, items: Codes, columns: Array) -> Array:
    count = int(part.item_codes.max()) + 1
    return np.column_stack([np.bincount(items, weights=c, minlength=count) for c in columns.T])


def _with_intervals(part: Comparisons, counts: Array, settings: PreferenceSettings) -> Estimates:
    """The values of `kappas`, documents left out in turn where they are known, else items."""
    units = units_of_table(part, settings.unit)
    comparable = [
        units.contributing(counts[:, at * PER_DEFINITION + 1]) for at in range(len(DEFINITIONS))
    ]
    found = jackknife_estimates(
        counts,
        kappas,
        settings=settings,
        clusters=units.of_item,
        contributing=[*comparable, *comparable, *[units.number] * len(DEFINITIONS)],
        words=units.words,
    )
    return with_unit_note(found, units)


class _PairAgreement(NamedTuple):
    """Counts and kappas of one question and split."""

    part: Comparisons
    totals: Array
    found: Estimates

    @classmethod
    def of(cls, part: Comparisons, settings: PreferenceSettings) -> _PairAgreement:
        counts = pair_counts(part)
        totals = counts.sum(axis=0).reshape(len(DEFINITIONS), PER_DEFINITION)
        return cls(part, totals, _with_intervals(part, counts, settings))

    def estimates(self, at: int) -> Iterator[Estimate]:
        """The estimates of one of `GIVES`, by each definition."""
        for number, (scope, definition) in enumerate(DEFINITIONS):
            by: dict[str, Key] = {"scope": scope, "definition": definition}
            agree, comparable, *ties, total = (int(count) for count in self.totals[number])
            if reason := self._unknown(scope, definition):
                yield Estimate.of(None, 0, about=self.part, by=by, reason=reason)
            elif at < 3:
                n = total if at == 2 else comparable
                reason = self._undefined(scope, comparable)
                column = at * len(DEFINITIONS) + number
                found = self.found.estimate(column, n=n, about=self.part, by=by, reason=reason)
                # pE is least where a third are ties: near it no interval of its own would hold
                yield found._replace(low=None, high=None) if at == 2 else found
            else:
                value = (comparable, agree, sum(ties), total)[at - 3]
                n = (total, comparable, total, total)[at - 3]
                yield Estimate(value=value, n=n, by={**self.part.by, **by}, tags=self.part.tags)

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


def _headline(found: list[_PairAgreement]) -> str:
    parts = [one.part for one in found]
    for one in found:
        kappa, _, wmt, _ = one.estimates(0)
        observed = next(one.estimates(1))
        if kappa.value is None or observed.value is None:
            continue
        other = f"; as WMT counts it {wmt.value:.3f}" if wmt.value is not None else ""
        return (
            f"{headline_prefix(one.part, parts)}Two judges agree on {percent(observed.value)} of "
            f"{kappa.n:,} pairs of decisions: kappa {kappa.value:.3f}{interval(kappa)}, "
            f"{band(kappa.value)} agreement{other}.{_next(one.part, kappa.value)}"
        )
    return "These comparisons do not show how far judges agree beyond chance."


def _next(part: Comparisons, kappa: float) -> str:
    """What to look at where agreement is less than moderate."""
    return " Which judges differ, cohen-kappa shows." if kappa <= 0.4 and part.has("judge") else ""


# What rounding leaves of a kappa that is 0.
ROUNDING = 1e-12


class PreferenceCohenKappa(PreferenceStatistic):
    """Cohen's kappa of two judges, with the outcomes as categories."""

    name = "cohen-kappa"
    asks = "Which two judges agree on their preferences, and which do not?"
    formula = "1 − observed / expected disagreement of two judges on the comparisons both made"
    source = "Cohen 1960"
    needs = (*SIDES, "item", "judge")
    order = 50

    def results(self, evaluation: Evaluation, settings: PreferenceSettings) -> Iterator[Result]:
        """The mean over all pairs of judges, then every pair."""
        parts = comparisons(evaluation)
        found = [_JudgePairKappas.of(part.firsts, settings) for part in parts]
        means = [kappas.mean() for kappas in found]
        yield self.preference_result(
            evaluation,
            settings,
            [*means, *(e for kappas in found for e in kappas.estimates())],
            method=f"{self.formula}; categories a, b and each kind of tie, a judge's first "
            "decision; where several pairs of systems were compared, which of two systems is a "
            "says nothing, and each comparison counts in both orders; the mean is over pairs of "
            "judges; n counts shared comparisons",
            how=of_these_judges(common_method(kappas.method for kappas in found)),
            headline=_cohen_headline(parts, means),
        )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A matrix of the judges; the means are of no pair."""
        return figures.heat(
            "Cohen's kappa of every two judges",
            figures.rows([e for e in estimates if "judge_a" in e.by]),
            x=figures.axis("judge_a", "judge", "nominal"),
            y=figures.axis("judge_b", "judge", "nominal"),
            colour=figures.axis("value", "kappa"),
        )


def outcomes_as_ratings(part: Comparisons) -> Ratings:
    """The outcomes as words given to what was compared, for statistics of any answers."""
    frame = pl.DataFrame(
        {
            "judge": part.frame["judge"],
            "item": part.unit_codes,
            "value": pl.repeat(None, len(part), dtype=pl.Float64, eager=True),
            "label": np.array(OUTCOMES)[part.outcomes],
        }
    )
    if part.has("document"):
        frame = frame.with_columns(part.frame["document"])
    return Ratings(question=part.question, tags=part.tags, frame=frame)


def in_both_orders(pairs: JudgePairs, ratings: Ratings) -> JudgePairs:
    """The pairs of judges with every comparison twice, once with its two systems exchanged.

    Which of two systems is called a is arbitrary: with several pairs of systems, how often a judge
    says "a" depends on the order of the rows, and so would the agreement expected by chance.
    `ratings` are those of `outcomes_as_ratings`, of which the pairs are. Items of second copies are
    numbered on after all others.
    """
    code = np.array([OUTCOMES.index(word) for word in ratings.points], dtype=np.int32)
    turned = np.arange(KINDS, dtype=np.int32)
    turned[[A, B]] = B, A
    first, second = code[pairs.first], code[pairs.second]
    return replace(
        pairs,
        places=np.arange(KINDS, dtype=np.float64),
        n=2 * pairs.n,
        pair=np.tile(pairs.pair, 2),
        item=np.concatenate([pairs.item, pairs.item + np.int32(len(ratings.items))]),
        first=np.concatenate([first, turned[first]]),
        second=np.concatenate([second, turned[second]]),
    )


class _JudgePairKappas(NamedTuple):
    """The kappa of each pair of judges, and without each document (or item) that they share."""

    part: Comparisons
    settings: PreferenceSettings
    pairs: JudgePairs
    n: Codes
    """The comparisons that each pair of judges shares."""
    units: Units
    cells: PairUnits
    values: Array
    left_out: Array

    @classmethod
    def of(cls, part: Comparisons, settings: PreferenceSettings) -> _JudgePairKappas:
        ratings = outcomes_as_ratings(part)
        pairs, units = JudgePairs.of(ratings), units_of_table(part, settings.unit)
        # what was compared is an item and two systems: pairs of systems of an item belong together
        place = np.zeros(len(ratings.items), dtype=np.int64)
        place[ratings.item_codes] = units.of_item[part.item_codes]
        n = pairs.n
        if len(np.unique(part.pair_codes)) > 1:
            pairs, place = in_both_orders(pairs, ratings), np.tile(place, 2)
        cells = PairUnits.of(pairs, place, units.number)
        return cls(part, settings, pairs, n, units, cells, *kappas_without(pairs, "none", cells))

    @property
    def method(self) -> str:
        if not self.settings.intervals or not len(self.pairs):
            return ""
        shared = len(np.unique(self.cells.unit))
        how = jackknife_method(self.settings.confidence, shared, self.units.words)
        return method_line(how, self.units.note)

    def mean(self) -> Estimate:
        """Over the pairs that have a kappa, each unit being left out of all pairs at once."""
        known = ~np.isnan(self.values)
        by: dict[str, Key] = {"weights": "none", "pairs": "all"}
        if not known.any():
            return Estimate.of(None, 0, about=self.part, by=by, reason=self._reason())
        without = self.cells.means_without(self.values, self.left_out)[np.unique(self.cells.unit)]
        found = interval_of_left_out(
            np.array([self.values[known].mean()]),
            without[:, None],
            fisher=np.ones(1, dtype=np.bool_),
            sizes=self.cells.unit_sizes,
            confidence=self.settings.confidence,
        )
        n = int(self.n[known].sum())
        mean = self._estimate(found.value[0], n, by, found.low[0], found.high[0])
        few = FewShared.of(self.cells, len(self.pairs), self.units.words, enough=ENOUGH_FOR_KAPPA)
        told = mean._replace(note=few.note)
        return told._replace(low=None, high=None) if few.too_few else told

    def estimates(self) -> Iterator[Estimate]:
        """The kappa of each pair."""
        pairs = self.pairs
        ends = interval_by_group(
            self.values,
            self.left_out,
            self.cells.pair,
            sizes=self.cells.sizes,
            confidence=self.settings.confidence,
        )
        for at, (a, b, n) in enumerate(zip(pairs.a, pairs.b, self.n, strict=True)):
            by: dict[str, Key] = {"weights": "none", "pairs": "all"}
            by |= {"judge_a": pairs.judges[a], "judge_b": pairs.judges[b]}
            yield self._estimate(self.values[at], int(n), by, ends[0][at], ends[1][at])

    def _estimate(
        self, value: float, n: int, by: Mapping[str, Key], low: float, high: float
    ) -> Estimate:
        drawn = self.settings.intervals
        return Estimate.of(
            # what rounding leaves of nothing is nothing
            0.0 if abs(value) < ROUNDING else value,
            n,
            about=self.part,
            by=by,
            low=low if drawn else None,
            high=high if drawn else None,
            reason="both judges gave one and the same answer to all",
        )

    def _reason(self) -> str:
        if len(self.pairs):
            return "judges gave one and the same answer to all"
        return "no comparison was made by two judges"


def _cohen_headline(parts: Sequence[Comparisons], means: list[Estimate]) -> str:
    for part, mean in zip(parts, means, strict=True):
        if mean.value is not None:
            return (
                f"{headline_prefix(part, parts)}Two judges' preferences agree with a mean Cohen's "
                f"kappa of {mean.value:.3f}{interval(mean)}: {band(mean.value)}."
            )
    return "No two judges' preferences can be compared."
