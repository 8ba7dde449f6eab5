"""How often each system is best on a sentence, and whether judges agree on best and ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.estimates import Estimates, method_line, ratio
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.phrases import percentage
from jurat.stats.ratings import Array, Codes
from jurat.stats.settings import Settings, SystemSettings
from jurat.stats.systems.resampling_units import ResamplingUnits
from jurat.stats.systems.score_table import ScoreTable, SystemSplit, ranked, score_tables
from jurat.stats.systems.system_statistic import (
    Display,
    QuestionEstimates,
    SystemStatistic,
    best_first,
)
from jurat.stats.systems.win_counts import (
    PreferenceCounts,
    preference_win_counts,
    resampled_column,
)


@dataclass(frozen=True, kw_only=True, eq=False)
class SentenceRanks(SystemSplit):
    """Ranks (1 is best, NaN where not judged) by ranking and system, and what each is about."""

    ranks: Array = field(repr=False)
    sentence: Codes = field(repr=False)
    document: Codes = field(repr=False)
    judge: Codes | None = field(repr=False)
    cluster_name: str
    """What `document` holds: documents, or sentences where there are none."""
    words: str
    averaged: bool = False
    """Whether a ranking is that of mean scores of several judges."""

    @cached_property
    def units(self) -> ResamplingUnits:
        """What is resampled for intervals of means of rankings."""
        return ResamplingUnits.of(
            self.document, self.cluster_name, self.judge, averaged=self.averaged
        )

    @cached_property
    def sentence_units(self) -> ResamplingUnits:
        """What is resampled for intervals of statistics of sentences."""
        document = np.zeros(int(self.sentence.max()) + 1, dtype=np.int64)
        document[self.sentence] = self.document
        return ResamplingUnits.of(document, self.cluster_name)

    @cached_property
    def there(self) -> NDArray[np.bool_]:
        """Whether each system was judged in each ranking."""
        return ~np.isnan(self.ranks)

    @cached_property
    def best(self) -> NDArray[np.bool_]:
        """Whether each system has the best rank in each ranking."""
        return np.asarray(self.ranks == 1)

    @cached_property
    def repeated(self) -> SentenceRanks | None:
        """The first rankings of judges who compared the same systems of a sentence; None if none.

        A sentence counts as several where they compared different ones: ranks among other systems
        are other ranks.
        """
        if self.judge is None:
            return None
        key = self.sentence * (int(self.judge.max(initial=0)) + 1) + self.judge
        # a judge's second ranking of a sentence belongs to self-agreement
        first = self.some(np.sort(np.unique(key, return_index=True)[1]))
        compared = row_codes(first.there)
        key = first.sentence * (int(compared.max()) + 1) + compared
        same = np.unique(key, return_inverse=True)[1]
        several = np.bincount(same)[same] > 1
        if not several.any():
            return None
        return replace(first, sentence=same).some(np.flatnonzero(several))

    def some(self, rows: Codes) -> SentenceRanks:
        """Some of the rankings, their sentences numbered anew."""
        return replace(
            self,
            ranks=self.ranks[rows],
            sentence=np.unique(self.sentence[rows], return_inverse=True)[1],
            document=self.document[rows],
            judge=None if self.judge is None else self.judge[rows],
        )

    def credit(self, ties: str) -> Array:
        """How much of the best rank each system has in each ranking; `ties` as in the settings."""
        best = self.best
        number = best.sum(axis=1, keepdims=True)
        if ties == "first":
            return np.asarray(best & (np.cumsum(best, axis=1) == 1)).astype(np.float64)
        if ties == "none":
            return np.where(number == 1, best, 0.0)
        return best / number if ties == "share" else best.astype(np.float64)


def row_codes(rows: NDArray[np.bool_]) -> Codes:
    """A number for each row, the same for equal rows."""
    # equal rows are found by their sums of random weights: sorting numbers is faster than rows
    weights = np.random.default_rng(0).integers(2**62, size=rows.shape[1])
    return np.unique(np.where(rows, weights, 0).sum(axis=1), return_inverse=True)[1]


def sentence_ranks(evaluation: Evaluation, settings: SystemSettings) -> list[SentenceRanks]:
    """The ranks of every question and split."""
    of_scores = [_score_ranks(table, settings) for table in score_tables(evaluation, settings)]
    compared = preference_win_counts(evaluation, settings)
    return [*of_scores, *(_preference_ranks(counts, settings) for counts in compared)]


def _score_ranks(table: ScoreTable, settings: SystemSettings) -> SentenceRanks:
    joint = table.joint_scores
    ranks = ranked(table.sign * joint.means)
    return SentenceRanks(
        by=table.by,
        tags=table.tags,
        systems=table.systems,
        ranks=dense(ranks) if settings.ranks == "dense" else ranks,
        sentence=joint.sentence,
        document=joint.document,
        judge=joint.judge,
        cluster_name=table.cluster_name,
        words=f"places by score {joint.words}",
        averaged=joint.averaged,
    )


def _preference_ranks(counts: PreferenceCounts, settings: SystemSettings) -> SentenceRanks:
    """Ranks by the number of systems that were preferred to it in the same ranking."""
    compared, size = counts.comparisons, len(counts.systems)
    # a ranking of s systems is s (s − 1) / 2 comparisons, of which any has its sentence and judge
    known, first = np.unique(counts.ranking, return_index=True)
    shape = (len(known), size)
    there = np.zeros(shape, dtype=bool)
    for side in compared.sides:
        there[counts.ranking, side] = True
    worse = np.where(counts.result > 0, compared.sides[1], compared.sides[0])
    decided = counts.result != 0
    lost = np.bincount((counts.ranking * size + worse)[decided], minlength=len(known) * size)
    ranks = ranked(np.where(there, -lost.reshape(shape), np.nan))
    place, cluster_name = resampled_column(compared)
    return SentenceRanks(
        by=counts.by,
        tags=counts.tags,
        systems=counts.systems,
        ranks=dense(ranks) if settings.ranks == "dense" else ranks,
        sentence=counts.sentence[first],
        document=place[first],
        judge=compared.judge_codes[first] if compared.has("judge") else None,
        cluster_name=cluster_name,
        words="places by preference",
    )


def dense(ranks: Array) -> Array:
    """The same order without gaps after ties: 1, 1, 2."""
    # NaN sorts last, and a comparison with it is never a step
    order = np.argsort(ranks, axis=1)
    inline = np.take_along_axis(ranks, order, axis=1)
    with np.errstate(invalid="ignore"):
        steps = np.diff(inline, axis=1, prepend=inline[:, :1]) > 0
    places = np.empty(ranks.shape)
    np.put_along_axis(places, order, 1.0 + np.cumsum(steps, axis=1), axis=1)
    return np.where(np.isnan(ranks), np.nan, places)


ALONE = "no two judges compared the same systems on a sentence"
NEVER_COMPARED = "the system was never compared with another on a sentence"
# What becomes of ties, by the setting `ties`, as the methods say it.
BEST_TIES = {
    "share": "of k that tie each counts 1/k",
    "all": "all that tie count",
    "first": "of those that tie the first by name counts",
    "none": "none that tie counts",
}
AGREEMENT_TIES = {"first": "of ties the first by name", "none": "sentences with ties left out"}


class BestAgreement(SystemStatistic):
    """HEval's inter-annotator agreement for the highest rank."""

    name = "best-agreement"
    asks = "Do judges agree on which system is best on a sentence?"
    formula = (
        "share of pairs of judges who compared the same systems on a sentence and find the same "
        "ones best; n counts pairs (of two judges: sentences)"
    )
    source = "Joshi et al. 2013 (HEval), Table 18"
    needs = ("judge",)
    order = 60

    def each_question(
        self, evaluation: Evaluation, settings: SystemSettings
    ) -> Iterator[QuestionEstimates]:
        """The share of every question."""
        for ranks in sentence_ranks(evaluation, settings):
            made, pairs = best_agreement(ranks, settings)
            estimate = made.estimate(n=pairs, about=ranks, reason=ALONE)
            yield QuestionEstimates([estimate], _method(ranks, made))

    def method(self, settings: SystemSettings, how: str) -> str:
        """What becomes of ties stands after the formula."""
        ties = AGREEMENT_TIES.get(settings.ties, "")
        return method_line(self.formula, ties, how, settings.direction)

    def choices(self, settings: SystemSettings) -> dict[str, Any]:
        """Which of the systems that tie are best."""
        return {"ties": settings.ties}

    def headline(self, estimates: Sequence[Estimate], settings: SystemSettings) -> str:
        """The share of the first question that has one."""
        known = next((e for e in estimates if e.value is not None), None)
        if known is None or known.value is None:
            return ""
        pairs = f"{known.n:,} pair{'' if known.n == 1 else 's'}"
        share = f"{percentage(known)} of {pairs}"
        return f"Two judges of the same sentence find the same systems best in {share}."

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A point for each question."""
        return figures.points_with_intervals(
            "Agreement on the best system", estimates, over="question", value="share of pairs"
        )


class RankAgreement(SystemStatistic):
    """HEval's engine-wise inter-annotator agreement."""

    name = "rank-agreement"
    asks = "Do judges give a system the same rank on a sentence?"
    formula = (
        "share of pairs of judges who compared the same systems on a sentence and give the system "
        "the same rank; n counts pairs (of two judges: sentences)"
    )
    source = "Joshi et al. 2013 (HEval), Table 19"
    needs = ("judge",)
    order = 65
    shown = (
        Display(
            "Agreement on a system's rank",
            "share of pairs",
            "has its rank agreed on most,",
            share=True,
        ),
    )

    def each_question(
        self, evaluation: Evaluation, settings: SystemSettings
    ) -> Iterator[QuestionEstimates]:
        """The share of every system and question."""
        for ranks in sentence_ranks(evaluation, settings):
            made, pairs = rank_agreement(ranks, settings)
            yield QuestionEstimates(
                best_first(ranks.estimates(made, pairs, ALONE)), _method(ranks, made)
            )

    def method(self, settings: SystemSettings, how: str) -> str:
        """How ties were ranked stands after the formula."""
        ties = f"{settings.ranks} ranks of ties"
        return method_line(self.formula, ties, how, settings.direction)

    def choices(self, settings: SystemSettings) -> dict[str, Any]:
        """How ties were ranked."""
        return {"ranks": settings.ranks}


def best_agreement(ranks: SentenceRanks, settings: SystemSettings) -> tuple[Estimates, int]:
    """The share of pairs of judges with the same best systems, and the number of pairs."""
    several = ranks.repeated
    if several and settings.ties == "none":
        # judges are compared on the rankings that have one best system
        single = ranks.some(np.flatnonzero(ranks.best.sum(axis=1) == 1))
        several = single.repeated
    if several is None:
        return Estimates.undefined(1), 0
    best = several.credit("first") > 0 if settings.ties == "first" else several.best
    same, pairs = _pairs_by_sentence(several.sentence, row_codes(best))
    units = several.sentence_units
    rows = units.sum_rows(np.column_stack([same, pairs]))
    return units.intervals(rows, ratio, settings, share=True), int(pairs.sum())


def rank_agreement(ranks: SentenceRanks, settings: SystemSettings) -> tuple[Estimates, Codes]:
    """The share of pairs of judges who give a system the same rank, and the number of pairs."""
    several, size = ranks.repeated, len(ranks.systems)
    if several is None:
        return Estimates.undefined(size), np.zeros(size, dtype=np.int64)
    height = int(several.sentence.max()) + 1
    rows = np.zeros((height, 2 * size))
    for at, column in enumerate(several.ranks.T):
        there = ~np.isnan(column)
        own = column[there].astype(np.int64)
        same, pairs = _pairs_by_sentence(several.sentence[there], own)
        # the last sentences may have no ranking with this system
        rows[: len(same), at], rows[: len(pairs), size + at] = same, pairs
    units = several.sentence_units
    made = units.intervals(units.sum_rows(rows), ratio, settings, share=True)
    return made, rows[:, size:].sum(axis=0).astype(np.int64)


def _pairs_by_sentence(sentence: Codes, answer: Codes) -> tuple[Array, Array]:
    """For each sentence, the pairs of rankings with the same answer, and all pairs."""
    if not len(sentence):
        return np.zeros(0), np.zeros(0)
    width = int(answer.max()) + 1
    cells, number = np.unique(sentence * width + answer, return_counts=True)
    same = np.bincount(cells // width, weights=np.asarray(number * (number - 1) / 2))
    size = np.bincount(sentence)
    return np.asarray(same, dtype=np.float64), size * (size - 1) / 2


def _method(ranks: SentenceRanks, made: Estimates) -> str:
    several = ranks.repeated
    return method_line(ranks.words, several.sentence_units.method(made) if several else "")


class SystemBest(SystemStatistic):
    """HEval's sentence-level ranking: shares and numbers of highest ranks."""

    name = "system-best"
    gives = ("system-best", "system-best-count")
    asks = "How often is each system the best one on a sentence?"
    formula = "share of the sentences (of each judge) with the system on which it is best"
    source = "Joshi et al. 2013 (HEval), Tables 16 and 17; --only for engines of limited corpora"
    order = 35
    shown = (
        Display(
            "How often each system is best",
            "share of sentences",
            "is best on a sentence most often,",
            share=True,
        ),
        Display("How often each system is best", "sentences", "is best on the most sentences,"),
    )

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Shares of every question, then the same as numbers."""
        chosen = SystemSettings.of(settings)
        shares: list[Estimate] = []
        how = ""
        for ranks in sentence_ranks(evaluation, chosen):
            made = best_shares(ranks, chosen)
            how = how or method_line(ranks.words, BEST_TIES[chosen.ties], ranks.units.method(made))
            shares += best_first(ranks.estimates(made, ranks.there.sum(axis=0), NEVER_COMPARED))
        give = partial(self.system_result, evaluation, chosen, ties=chosen.ties)
        n = "n counts sentences (of each judge) on which it was compared"
        yield give(shares, method=method_line(self.formula, n, how, chosen.direction))
        number = "number of sentences (of each judge) on which it is best"
        yield give(
            [_as_count(e) for e in shares],
            name="system-best-count",
            method=method_line(number, n, how, chosen.direction),
        )


def best_shares(ranks: SentenceRanks, settings: SystemSettings) -> Estimates:
    """The share of rankings with each system in which it is best, with intervals."""
    rows = np.hstack([ranks.credit(settings.ties), ranks.there.astype(np.float64)])
    return ranks.units.intervals(ranks.units.sum_rows(rows), ratio, settings, share=True)


def _as_count(e: Estimate) -> Estimate:
    value, low, high = (None if x is None else x * e.n for x in (e.value, e.low, e.high))
    return e._replace(value=value, low=low, high=high)
