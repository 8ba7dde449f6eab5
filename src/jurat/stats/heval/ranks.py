"""The best system of each sentence by its HEval score, and whether judges agree on ranks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import polars as pl

from jurat.results import Key, Result
from jurat.stats.evaluation import Evaluation
from jurat.stats.heval.feature_answers import HEVAL, FeatureAnswers, feature_answers
from jurat.stats.ratings import Ratings
from jurat.stats.settings import HEvalSettings, SystemSettings
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.systems.sentence_ranks import BestAgreement, RankAgreement, SystemBest


class HEvalRanks(Statistic[Settings]):
    """The statistics of `jurat systems` about ranks, of sentence scores instead of answers."""

    name = "heval-ranks"
    gives = ("system-best", "system-best-count", "best-agreement", "rank-agreement")
    asks = "Which system is best on most sentences, and do judges agree on it?"
    formula = "places of the systems on a sentence by their HEval scores"
    source = "Joshi et al. 2013, Tables 16-19"
    needs = ("system",)
    order = 40

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Best counts by all judges and by each, then agreement on the best and on ranks."""
        asked = HEvalSettings.of(settings)
        found = [s for s in feature_answers(evaluation, asked) if s.scores.height]
        pooled = [_ratings(sheet, sheet.scores, {}) for sheet in found]
        apart = [of_judge for sheet in found for of_judge in _by_judge(sheet)]
        chosen = _asked(asked)
        every = _scored(evaluation, [*pooled, *apart])
        # Judges stand as splits to count their best systems, and as keys in the output.
        for result in SystemBest().results(every, chosen):
            yield _without_judge_tags(result, evaluation)
        if "judge" in evaluation.columns:
            yield from BestAgreement().results(_scored(evaluation, pooled), chosen)
            yield from RankAgreement().results(_scored(evaluation, pooled), chosen)


@dataclass(frozen=True, kw_only=True)
class ScoredSentences(Evaluation):
    """An evaluation whose answers are the sentence scores that were made of them."""

    given: tuple[Ratings, ...] = field(default=(), repr=False)

    @cached_property
    def ratings(self) -> tuple[Ratings, ...]:
        """The scores, apart for each split."""
        return self.given


def _scored(evaluation: Evaluation, given: list[Ratings]) -> ScoredSentences:
    return ScoredSentences(judgments=evaluation.judgments, given=tuple(given))


def _ratings(sheet: FeatureAnswers, scores: pl.DataFrame, more: Mapping[str, Key]) -> Ratings:
    # The segment is the item on which systems are ranked; the item itself names a translation.
    frame = scores.with_columns(pl.col("place").alias("item"))
    return Ratings(question=HEVAL, frame=frame, tags={**sheet.tags, **more})


def _by_judge(sheet: FeatureAnswers) -> Iterator[Ratings]:
    if not sheet.judged_by or "judge" in sheet.tags:
        return
    pieces = sheet.scores.partition_by("judge", as_dict=True)
    for (judge,), scores in sorted(pieces.items()):
        yield _ratings(sheet, scores, {"judge": str(judge)})


def _without_judge_tags(result: Result, evaluation: Evaluation) -> Result:
    """The judge stands among the keys; among the tags only where figures are split by it."""
    if "judge" in evaluation.by:
        return result
    kept = (
        e._replace(tags={name: value for name, value in e.tags.items() if name != "judge"})
        for e in result.estimates
    )
    return replace(result, estimates=tuple(kept))


def _asked(settings: HEvalSettings) -> SystemSettings:
    return SystemSettings(
        seed=settings.seed,
        bootstrap=settings.bootstrap,
        confidence=settings.confidence,
        jobs=settings.jobs,
        only=settings.only,
        ties=settings.ties,
        ranks=settings.ranks,
    )
