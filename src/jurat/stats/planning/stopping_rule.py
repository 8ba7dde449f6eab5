"""When judging may stop: whether the order of two systems is settled, and what is missing.

Looking at the results after every kit and stopping at the first p < .05 finds a difference that is
not there much more often than one time in twenty. Where the largest number of documents is fixed
beforehand, the default test of `jurat systems` has a level at each look; where it is not, an
e-value over documents holds at any look, for these judges only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import isnan, log
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.cluster_inference import (
    FEW_JUDGES,
    FEWEST_JUDGES,
    THESE_JUDGES,
    PairFinding,
    nested,
)
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.phrases import listed
from jurat.stats.planning.campaign_design import judgment_arrays
from jurat.stats.planning.repeated_looks import (
    e_value_limit,
    log_e_value,
    look_levels,
    looks_until,
)
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.settings import PlanSettings, SystemSettings
from jurat.stats.statistic import Answer, Settings, Statistic
from jurat.stats.systems.score_table import (
    ScoreTable,
    cell_means,
    has_system_scores,
    score_table_of,
)
from jurat.stats.systems.system_inference import pair_findings, varying_words
from jurat.stats.systems.system_statistic import no_numbers

NONE = "no document was judged for both systems"
# Documents at the first look.
FIRST = 10
# How many times the documents judged so far are simulated to find how many are missing.
FARTHEST = 50
# A level that no data reach, for which there is no interval.
SMALLEST = 1e-12


class DocumentDifferences(NamedTuple):
    """The mean difference of two systems over the documents of both."""

    mean: float
    error: float
    documents: int

    @property
    def t(self) -> float:
        """Student's t; infinite where all documents differ by the same."""
        if not self.error:
            return float("inf") if self.mean else 0.0
        return self.mean / self.error


def document_differences(table: ScoreTable, first: int, second: int) -> DocumentDifferences:
    """The differences of a document's means, each document once."""
    document = table.document_of[table.sentence]
    number = int(document.max(initial=-1)) + 1
    means = cell_means(document, number, table.system, len(table.systems), table.values)
    found = means[:, first] - means[:, second]
    found = found[~np.isnan(found)]
    if len(found) < 2:
        return DocumentDifferences(float(found.sum()), 0.0, len(found))
    error = float(found.std(ddof=1)) / np.sqrt(len(found))
    # Sums of equal values leave a rounding error that is no difference.
    least = 1e-12 * float(np.abs(table.values).max())
    mean, error = (0.0 if abs(v) < least else float(v) for v in (found.mean(), error))
    return DocumentDifferences(mean, error, len(found))


class Look(NamedTuple):
    """What a rule says of two systems at the present number of documents."""

    settled: bool
    difference: float
    reach: float
    """Half the interval that goes with the rule; infinite where it is too early."""


@dataclass(frozen=True, kw_only=True)
class SpendingRule:
    """The default test with a level for each look, up to a number of documents fixed beforehand."""

    most: int
    alpha: float

    @cached_property
    def looks(self) -> Codes:
        """Numbers of documents at which one may look."""
        return looks_until(min(FIRST, self.most), self.most)

    @cached_property
    def levels(self) -> Array:
        """The level of each look."""
        times = tuple((self.looks / self.most).tolist())
        return np.array(look_levels(times, self.alpha))

    def level(self, documents: int) -> float:
        """The level at so many documents: that of the last look until then.

        0 before the first look, and beyond the number fixed beforehand.
        """
        at = int(np.searchsorted(self.looks, documents, side="right"))
        return float(self.levels[at - 1]) if at and FIRST <= documents <= self.most else 0.0

    def look(self, table: ScoreTable, pair: tuple[int, int], documents: int) -> Look:
        """Whether p lies below the level of the look, and the interval at that level."""
        level = self.level(documents)
        found = pair_findings(table, 1 - max(level, SMALLEST))[pair].finding
        reach = found.high - found.value if level > SMALLEST else np.inf
        return Look(found.p < level, found.value, np.inf if isnan(reach) else reach)

    def more_documents(self, p: float, documents: int, settings: PlanSettings) -> int | None:
        """How many more documents settle the order with the wanted power; None if none do.

        Continues the path of the test's normal deviate with the drift it has had so far.
        """
        from scipy.special import ndtri

        looks, levels = self.looks[self.looks > documents], self.levels[self.looks > documents]
        if isnan(p) or not len(looks):
            return None
        now, times = documents / self.most, looks / self.most
        here = -float(ndtri(max(p, 1e-300) / 2)) * np.sqrt(now)
        steps = np.diff(times, prepend=now)
        rng = np.random.default_rng([settings.seed, documents])
        shape = (settings.simulations, len(steps))
        moves = rng.normal(steps * here / now, np.sqrt(steps), shape)
        beyond = here + moves.cumsum(axis=1) > -ndtri(levels / 2) * np.sqrt(times)
        return _first_enough(beyond, looks - documents, settings.power)


@dataclass(frozen=True, kw_only=True)
class EValueRule:
    """The e-value of document differences, at any number of documents; for these judges only."""

    alpha: float

    def look(self, found: DocumentDifferences) -> Look:
        """Whether the e-value is 1/α or more, and the interval of differences where it is not."""
        if found.documents < FIRST:
            return Look(False, found.mean, np.inf)
        reach = float(e_value_limit(found.documents, self.alpha)) * found.error
        settled = bool(found.mean) and bool(
            np.isinf(found.t) or log_e_value(found.t, found.documents) >= log(1 / self.alpha)
        )
        return Look(settled, found.mean, reach)

    def more_documents(self, found: DocumentDifferences, settings: PlanSettings) -> int | None:
        """How many more documents settle the order with the wanted power, if it stays as it is.

        New differences have the mean and deviation found so far. None if `FARTHEST` times the
        documents are not enough.
        """
        if not found.mean or not found.documents:
            return None
        farthest = FARTHEST * max(found.documents, FIRST)
        # Looks in growing steps, at most 200: a look at every document would be too many.
        more = np.unique(np.geomspace(1, farthest, 200).astype(np.int64))
        steps, total = np.diff(more, prepend=0), found.documents + more
        deviation = found.error * np.sqrt(found.documents)
        rng = np.random.default_rng([settings.seed, found.documents])
        drift, shape = abs(found.mean), (settings.simulations, len(steps))
        grown = rng.normal(steps * drift, np.sqrt(steps) * deviation, shape)
        means = (found.documents * drift + grown.cumsum(axis=1)) / total
        with np.errstate(invalid="ignore"):  # no deviation, and nothing could lie beyond yet
            beyond = means > e_value_limit(total, self.alpha) * deviation / np.sqrt(total)
        beyond[:, total < FIRST] = False
        return _first_enough(beyond, more, settings.power)


def _first_enough(beyond: np.ndarray, sizes: Codes, power: float) -> int | None:
    """The first size by which that share of simulated paths has crossed."""
    enough = np.maximum.accumulate(beyond, axis=1).mean(axis=0) >= power
    return int(sizes[enough.argmax()]) if enough.any() else None


class OrderSettled(Statistic[Settings]):
    """Whether the order of every two systems next to each other is settled."""

    name = "order-settled"
    gives = ("order-settled", "order-difference", "order-probability", "more-judgments")
    asks = "May judging stop, since the order of the systems is settled?"
    formula = "1 where the difference is beyond what all looks together allow, else 0"
    source = "Lan & DeMets 1983; O'Brien & Fleming 1979; Jennison & Turnbull 1989; Robbins 1970"
    order = 20

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """For every two neighbours: settled or not, difference, probability, what is missing."""
        asked = PlanSettings.of(settings)
        if evaluation.judgments is None:
            return
        found = [
            pair
            for r in evaluation.ratings
            if has_system_scores(r)
            for pair in _neighbouring_pairs(r, asked)
        ]
        if not found:
            for name in self.gives:
                yield self.result(evaluation, asked, _nothing(evaluation), name=name)
            return
        for answer in self._answers(found, asked):
            yield answer.result(self, evaluation, asked, {})

    def _answers(self, found: Sequence[_Neighbours], settings: PlanSettings) -> Iterator[Answer]:
        rule, chosen = _rule(found, settings), {"most_documents": settings.most_documents or ""}
        settled = [pair.settled() for pair in found]
        headline = _headline(found)
        yield Answer(settled, f"{self.formula}; {rule}", headline=headline, choices=chosen)
        differences = tuple(pair.difference() for pair in found)
        yield Answer(
            differences,
            f"difference in points, with the interval that goes with the rule; {rule}",
            "order-difference",
            draw=lambda: _draw(differences),
            choices=chosen,
        )
        yield Answer(
            [pair.probability() for pair in found],
            "that the system ahead is better: 1 − p/2 of the default test of jurat systems; valid "
            "at one look, planned beforehand; n counts documents",
            "order-probability",
        )
        yield Answer(
            [pair.missing(settings) for pair in found],
            "judgments of the two systems after which the order is settled with power "
            f"{settings.power:g}, if the difference and its error go on as they are: "
            f"{settings.simulations} simulated continuations; n counts documents judged so far",
            "more-judgments",
            choices={**chosen, "simulations": settings.simulations},
        )


def _nothing(evaluation: Evaluation) -> list[Estimate]:
    """Why there is no order."""
    if any(has_system_scores(ratings) for ratings in evaluation.ratings):
        return [Estimate(value=None, n=0, reason="there is one system only")]
    return no_numbers(evaluation)


def _rule(found: Sequence[_Neighbours], settings: PlanSettings) -> str:
    """Which rule it is, what it takes as varying and how often it errs, as a method says it."""
    centred = "each judge's mean is subtracted; " if settings.centred else ""
    false = f"nominally at most {settings.error:.2g} of campaigns settle an order falsely"
    if settings.most_documents:
        rule = (
            f"default test of jurat systems, O'Brien-Fleming spending over looks from {FIRST} to "
            f"{settings.most_documents} documents"
        )
    else:
        rule = f"e-value of document differences from {FIRST} documents on, {THESE_JUDGES}"
    varying = " or ".join(dict.fromkeys(varying_words(pair.table) for pair in found))
    if not settings.most_documents:
        unknown = any(pair.table.cluster_name != "document" for pair in found)
        varying = "documents are unknown: sentences are taken as documents" if unknown else ""
    words = "; ".join(filter(None, (rule, varying, f"over all looks and pairs {false}")))
    return f"{centred}{words}; n counts documents"


@dataclass(frozen=True, kw_only=True)
class _Neighbours:
    """Two neighbouring systems of a table, the one ahead first."""

    by: dict[str, Key]
    ratings: Ratings
    table: ScoreTable
    found: PairFinding
    documents: DocumentDifferences
    look: Look
    rule: SpendingRule | EValueRule
    judgments: float
    """Of the two systems together, for each document."""

    @cached_property
    def refused(self) -> str:
        """Why nothing can be settled here; else empty."""
        if not self.documents.documents:
            return NONE
        if isinstance(self.rule, EValueRule):
            return ""
        if self.documents.documents > self.rule.most:
            return (
                f"{self.documents.documents} documents are more than the {self.rule.most} fixed "
                "beforehand, by which all error is spent: what was not settled then stays open"
            )
        judge, judges = self.table.judge, self.table.judges
        if judge is None or judges >= FEW_JUDGES:
            return ""
        document = self.table.document_of[self.table.sentence]
        if judges < FEWEST_JUDGES or not nested(document, judge):
            return ""
        return (
            f"each document has one judge, and {judges} judges are too few to settle an order: "
            f"at least {FEW_JUDGES} are needed"
        )

    @property
    def scope(self) -> str:
        """For whom a settled order holds, where that is not new judges."""
        few = THESE_JUDGES in self.found.note
        return THESE_JUDGES if few or isinstance(self.rule, EValueRule) else ""

    @property
    def is_settled(self) -> bool:
        return self.look.settled and not self.refused

    def settled(self) -> Estimate:
        return self._estimate(None if self.refused else float(self.is_settled))

    def difference(self) -> Estimate:
        if not self.documents.documents:
            return self._estimate(None)
        value, reach = abs(self.look.difference), self.look.reach
        made = self._estimate(value)
        if np.isinf(reach) or self.refused:
            return made
        return made._replace(low=value - reach, high=value + reach)

    def probability(self) -> Estimate:
        finding = self.found.finding
        if isnan(finding.p):
            return self._estimate(None, finding.reason)
        return self._estimate(1 - finding.p / 2)

    def missing(self, settings: PlanSettings) -> Estimate:
        if self.is_settled or self.refused:
            return self._estimate(0.0 if self.is_settled else None)
        if isinstance(self.rule, SpendingRule):
            p, n = self.found.finding.p, self.documents.documents
            more = self.rule.more_documents(p, n, settings)
            far = f"not within {self.rule.most} documents: the two may well be alike"
        else:
            more = self.rule.more_documents(self.documents, settings)
            far = f"not within {FARTHEST} times as many: the two may well be alike"
        return self._estimate(None if more is None else np.ceil(more * self.judgments), far)

    def _estimate(self, value: float | None, reason: str = "") -> Estimate:
        return Estimate.of(
            value,
            self.documents.documents,
            about=self.ratings,
            by=self.by,
            reason=self.refused or reason,
            note=self.found.note if isinstance(self.rule, SpendingRule) else "",
        )


def _neighbouring_pairs(ratings: Ratings, settings: PlanSettings) -> Iterator[_Neighbours]:
    """Systems next to each other in the order of mean scores.

    The error is shared by all pairs, since only the data say which systems are neighbours.
    """
    table = score_table_of(ratings, SystemSettings())
    if settings.centred:
        table = replace(table, values=judgment_arrays(table, centred=True).values)
    count = len(table.systems)
    alpha = settings.error / max(count * (count - 1) // 2, 1)
    rule: SpendingRule | EValueRule = EValueRule(alpha=alpha)
    if settings.most_documents:
        rule = SpendingRule(most=settings.most_documents, alpha=alpha)
    means = np.bincount(table.system, weights=table.values) / np.bincount(table.system)
    for a, b in pairwise(np.argsort(-means, kind="stable").tolist()):
        yield _neighbours(ratings, table, (min(a, b), max(a, b)), rule, settings.confidence)


def _neighbours(
    ratings: Ratings,
    table: ScoreTable,
    pair: tuple[int, int],
    rule: SpendingRule | EValueRule,
    confidence: float,
) -> _Neighbours:
    documents = document_differences(table, *pair)
    n = documents.documents
    look = rule.look(table, pair, n) if isinstance(rule, SpendingRule) else rule.look(documents)
    # On what both have, it may be the other way round than by mean scores.
    better, other = pair if look.difference >= 0 else pair[::-1]
    judgments = np.isin(table.system, pair).sum() / max(n, 1)
    return _Neighbours(
        by={"system_a": table.systems[better], "system_b": table.systems[other]},
        ratings=ratings,
        table=table,
        found=pair_findings(table, confidence)[pair],
        documents=documents,
        look=look,
        rule=rule,
        judgments=float(judgments),
    )


def _headline(pairs: Sequence[_Neighbours]) -> str:
    known = [pair for pair in pairs if not pair.refused]
    if not known:
        return f"No order can be settled: {pairs[0].refused}."
    scope = next((f", {pair.scope}" for pair in known if pair.scope), "")
    done = sum(pair.is_settled for pair in known)
    if done == len(pairs):
        count = "The order of the 2 systems is" if done == 1 else f"All {done} neighbours are"
        return f"{count} settled{scope}: judging may stop."
    open_ones = [f"{p.by['system_a']} over {p.by['system_b']}" for p in pairs if not p.is_settled]
    return f"{done} of {len(pairs)} neighbours are settled{scope}; open: {listed(open_ones)}."


def _draw(estimates: Sequence[Estimate]) -> Figure:
    named = [
        e._replace(by={**e.by, "pair": f"{e.by['system_a']} − {e.by['system_b']}"})
        for e in estimates
    ]
    return figures.points_with_intervals(
        "Differences of neighbouring systems, with the intervals of the rule",
        named,
        over="pair",
        value="difference in points",
        facet="question",
        sort=[str(e.by["pair"]) for e in named],
    )
