"""Every two systems: how much one is better, and whether that is beyond chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats.estimates import method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.hypothesis_tests import NEVER
from jurat.stats.pairwise import (
    better_first,
    both_orders,
    correction_words,
    differences_figure,
    p_matrix,
    pair_keys,
    told_apart,
)
from jurat.stats.phrases import interval
from jurat.stats.preferences.comparisons import uneven_words
from jurat.stats.settings import CLUSTER_ROBUST, RANK_SUM, Settings, SystemSettings
from jurat.stats.systems.pair_tests import (
    SystemPairTests,
    ordering_scores,
    pair_tests,
    untested_reason,
)
from jurat.stats.systems.score_table import ScoreTable, score_tables
from jurat.stats.systems.system_inference import (
    NOT_REMOVED,
    ONLY_AT_RANDOM,
    OTHER_JUDGES,
    finding_estimate,
    interval_words,
    pair_findings,
)
from jurat.stats.systems.system_statistic import (
    QuestionEstimates,
    SystemStatistic,
    first_split,
    method_of_first,
    question_and_split,
)

# Pairs of a question of which a figure shows all; of more it shows neighbours in rank.
MOST_DRAWN = 15


class PairwiseP(SystemStatistic):
    """p-values of every pair of systems."""

    name = "pairwise-p"
    gives = ("pairwise-p", "pairwise-p-these-judges")
    asks = "Which systems are told apart, and where may the difference be chance?"
    formula = "p of the test named, on the systems' scores of the same sentences"
    source = (
        "Bell & McCaffrey 2002; Cameron, Gelbach & Miller 2011; Fisher 1935; Wilcoxon 1945; "
        "Holm 1979; WMT direct assessment, WMT 2023 and 2024"
    )
    order = 50

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The p-values of every question; of the default test also those for these judges only."""
        chosen = SystemSettings.of(settings)
        found = pair_tests(evaluation, chosen)
        choices = chosen.test_choices()
        correction = correction_words(chosen.corrected)
        estimates = [e for tests in found for e in tests.p_estimates()]
        n = "n counts sentences of both" if chosen.test == RANK_SUM else "n counts shared sentences"
        how = method_line(method_of_first(found), correction, n, chosen.direction)
        headline = _told_apart(estimates, found, chosen)
        yield self.system_result(
            evaluation, chosen, estimates, method=how, headline=headline, **choices
        )
        if chosen.test == CLUSTER_ROBUST:
            words = "the same with documents as all that varies: for these judges only"
            these = [e for tests in found for e in tests.p_estimates(these_judges=True)]
            yield self.system_result(
                evaluation,
                chosen,
                these,
                name=self.gives[1],
                method=method_line(words, correction),
                **choices,
            )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """The p-values of the first question as a matrix."""
        first = first_split(estimates)
        drawn = p_matrix(first)
        asked = {e.by.get("question") for e in estimates}
        if len(asked) < 2 or not drawn:
            return drawn
        return {**drawn, "title": f"{drawn['title']} ({first[0].by['question']})"}


def _told_apart(
    estimates: Sequence[Estimate], found: Sequence[SystemPairTests], settings: SystemSettings
) -> str:
    """How many pairs are told apart; before it, why the systems are hard to compare."""
    if not estimates:
        return ""
    if all(e.value is None for e in estimates):
        return " ".join(filter(None, (order_words(found), untested_words(estimates))))
    apart, words = told_apart(estimates, 1 - settings.confidence)
    level = f"p < {1 - settings.confidence:.2g}, {correction_words(settings.corrected)}"
    uneven = uneven_words(estimates, 1 - settings.confidence)
    more = f"{_only_if_random(estimates, settings)}{uneven}" or (
        "" if apart else " A plan says how many sentences would do."
    )
    asked = list(dict.fromkeys(str(e.by.get("question", "")) for e in estimates))
    counts = [f"{words} ({level})."]
    if len(asked) > 1:
        # of several questions, each may order the systems in its own way
        own = {one: [e for e in estimates if e.by.get("question") == one] for one in asked}
        alpha = 1 - settings.confidence
        counts = [f"{one}: {told_apart(own[one], alpha)[1]} ({level})." for one in asked]
    return " ".join(filter(None, (order_words(found), f"{' '.join(counts)}{more}")))


def _only_if_random(estimates: Sequence[Estimate], settings: SystemSettings) -> str:
    """What pairs told apart on other sentences or by other judges assume; empty if none are."""
    level = 1 - settings.confidence
    doubtful = {
        frozenset((e.by["system_a"], e.by["system_b"])): e.note
        for e in estimates
        if e.value is not None and e.value < level and ONLY_AT_RANDOM in e.note
    }
    if not doubtful:
        return ""
    were = "was" if len(doubtful) == 1 else "were"
    notes = " ".join(doubtful.values())
    different = {"on different sentences": NOT_REMOVED, "by different judges": OTHER_JUDGES}
    how = " or ".join(words for words, note in different.items() if note in notes)
    return (
        f" {len(doubtful)} of them {were} judged {how}: that holds only if sentences and judges "
        "were assigned to systems at random."
    )


def untested_words(estimates: Sequence[Estimate]) -> str:
    """That no pair was tested, and why."""
    why = untested_reason(estimates)
    return f"No pair of systems can be tested{f': {why}' if why else ''}."


def order_words(found: Sequence[SystemPairTests]) -> str:
    """A sentence about what the order of the systems comes from, where that is not their mean."""
    note = next((tests.order_note for tests in found if tests.order_note), "")
    return f"{note[:1].upper()}{note[1:]}." if note else ""


class SystemDifference(SystemStatistic):
    """Differences of any two systems, such as progress from one version to the next."""

    name = "system-difference"
    asks = "How much better is one system, or one version of it, than another?"
    formula = (
        "mean of the differences a − b of scores that a judge gave on a sentence; where judges or "
        "sentences mostly differ, the difference adjusted for judges and documents; n counts "
        "shared sentences"
    )
    source = "Bell & McCaffrey 2002; Cameron, Gelbach & Miller 2011; Pustejovsky & Tipton 2018"
    needs = ("system",)
    order = 45

    def each_question(
        self, evaluation: Evaluation, settings: SystemSettings
    ) -> Iterator[QuestionEstimates]:
        """The differences of every question."""
        for table in score_tables(evaluation, settings):
            estimates = list(_difference_estimates(table, settings))
            yield QuestionEstimates(estimates, interval_words(table, settings))

    def headline(self, estimates: Sequence[Estimate], settings: SystemSettings) -> str:
        """The best system and the next one."""
        first = next((e for e in estimates if e.value is not None), None)
        if first is None or first.value is None:
            return ""
        a, b, where = first.by["system_a"], first.by["system_b"], question_and_split(first)
        more = "above" if first.value > 0 else "below"
        apart = f"{spoken(abs(first.value))} {more} {b}"
        if not first.value:
            # their adjusted scores may differ, which rest on other systems' sentences as well
            apart = f"the same as {b} where both were judged"
        return f"{where}: {a} scores {apart}{interval(first)} (n = {first.n:,})."

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """The differences with their intervals, a pair once; of many systems from the next one."""
        splits: dict[str, list[Estimate]] = {}
        for estimate in estimates:
            splits.setdefault(question_and_split(estimate), []).append(estimate)
        # the second half of each has the same pairs the other way round
        halves = [half[: len(half) // 2] for half in splits.values()]
        many = any(len(half) > MOST_DRAWN for half in halves)
        drawn = [e for half in halves for e in (_neighbours(half) if many else half)]
        title = "Differences of each system from the next one" if many else "Differences"
        known = [e for e in drawn if e.value is not None]
        return differences_figure(title, known, facet="question")


def _neighbours(best_first: Sequence[Estimate]) -> list[Estimate]:
    """Of every pair, the better system first, those of systems that follow each other."""
    return list({e.by["system_a"]: e for e in reversed(best_first)}.values())[::-1]


def _difference_estimates(table: ScoreTable, settings: SystemSettings) -> Iterator[Estimate]:
    pairs = pair_findings(table, settings.confidence)
    scores, _ = ordering_scores(table, settings)
    for a, b in both_orders(better_first(scores)):
        pair = pairs[min(a, b), max(a, b)]
        found = finding_estimate(
            pair.finding,
            pair.n,
            about=table,
            by=pair_keys(table.systems[a], table.systems[b]),
            reason=pair.finding.reason or NEVER,
            intervals=settings.intervals,
            note=", ".join(dict.fromkeys(filter(None, (pair.note, pair.finding.reason)))),
        )
        yield found if a < b else _negated(found)


def _negated(e: Estimate) -> Estimate:
    # 0.0 − x instead of −x, so that no difference is −0
    value, low, high = (None if x is None else 0.0 - x for x in (e.value, e.high, e.low))
    return e._replace(value=value, low=low, high=high)
