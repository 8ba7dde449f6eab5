"""HEval scores of systems, documents and segments, and the ranks of systems by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import msgspec
import numpy as np
import polars as pl

from jurat.resampling.student_t import t_quantile
from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.heval.feature_answers import (
    HEVAL,
    FeatureAnswers,
    feature_answers,
    group_means,
    named_by_judge,
    rated,
)
from jurat.stats.phrases import interval
from jurat.stats.ratings import Array, Ratings
from jurat.stats.settings import HEvalSettings, SystemSettings
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.systems.sentence_ranks import BestAgreement, RankAgreement, SystemBest

PLACES: dict[str, tuple[str, ...]] = {
    "system": (),
    "document": ("document",),
    "segment": ("document", "segment"),
}
# Points of a figure: more are no picture.
MOST_DRAWN = 400


class HEvalScore(Statistic[Settings]):
    """Equation 1, averaged: the paper's Tables 13, 14 and 15."""

    name = "heval-score"
    asks = "How good is each system, by the features of its translations?"
    formula = "mean of Σ points / (4 × applicable features) over sentences"
    source = "Joshi et al. 2013, equation 1, Tables 13-15"
    needs = ("system",)
    resampled = False
    order = 10

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A number for each judge and system, and for each system over all judges."""
        asked = HEvalSettings.of(settings)
        found = list(feature_answers(evaluation, asked))
        estimates = tuple(e for part in found for e in _estimates(part, asked))
        yield self.result(
            evaluation,
            asked,
            estimates,
            method=_method(found[0], asked),
            how=_how(found[0], estimates, asked),
            headline=_headline(estimates, asked),
            draw=lambda: _draw(estimates, asked),
            level=asked.level,
            average=asked.average,
            top="" if asked.top == 4 else asked.top,
        )


def _estimates(part: FeatureAnswers, settings: HEvalSettings) -> Iterator[Estimate]:
    if part.scores.is_empty():
        yield part.nothing()
        return
    missing = _missing(part, settings)
    if missing:
        yield part.nothing(f"needs the column {missing}")
        return
    score = _by_system if settings.level == "system" else _by_place
    for separately in ([], part.judged_by) if part.judged_by else ([],):
        yield from score(part, separately, settings)


def _missing(part: FeatureAnswers, settings: HEvalSettings) -> str:
    """The column that the level or the way of averaging asks for and the table has not."""
    wanted = settings.level if settings.level != "system" else settings.average.removesuffix("s")
    return wanted if wanted in ("document", "segment") and wanted not in part.scores else ""


def _by_system(
    part: FeatureAnswers, separately: list[str], settings: HEvalSettings
) -> Iterator[Estimate]:
    keys, by_document = (*separately, "system"), settings.average == "documents"
    yield from group_means(part.rated_scores, keys, settings, by_document=by_document)


def _by_place(
    part: FeatureAnswers, separately: list[str], settings: HEvalSettings
) -> Iterator[Estimate]:
    """Documents and segments, with Student's interval over the sentences of a document.

    All scores of a document are taken as independent, though judges may share its sentences.
    """
    places = [name for name in PLACES[settings.level] if name in part.scores.columns]
    keys = [*separately, "system", *places]
    value = pl.col("value")
    rows = part.scores.group_by(keys).agg(value.mean(), value.std().alias("sd"), n=pl.len())
    rows = rows.sort(keys)
    # A segment has one sentence, so that there are none over which it could vary.
    reach = _reach(rows, settings) if settings.level == "document" else np.full(len(rows), np.nan)
    for row, width in zip(rows.iter_rows(named=True), reach.tolist(), strict=True):
        by: dict[str, Key] = {"question": HEVAL, **{key: row[key] for key in keys}}
        value = row["value"]
        ends = {"low": value - width, "high": value + width}
        yield Estimate.of(value, row["n"], by=by, tags=part.tags, **ends)


def _reach(rows: pl.DataFrame, settings: HEvalSettings) -> Array:
    """Half of Student's interval of a mean; NaN for a single sentence, or if none is wanted."""
    n = rows["n"].to_numpy().astype(np.float64)
    deviation = rows["sd"].fill_null(np.nan).to_numpy()
    # at least one degree of freedom, where the deviation is missing anyway
    quantile = t_quantile(np.maximum(n - 1, 1), (1 + settings.confidence) / 2)
    known = (n > 1) & settings.intervals
    return np.where(known, quantile * deviation / np.sqrt(n), np.nan)


def _method(part: FeatureAnswers, settings: HEvalSettings) -> str:
    scored = f"Σ points / ({settings.top:g} × applicable features)"
    what = scored if part.features else "the values are scores of 0 to 1 already"
    if settings.level == "segment":
        return f"{what}; n counts judges"
    if settings.level == "document":
        return f"{what}, mean over a document's sentences; n counts sentences"
    by_document = settings.average == "documents"
    averaged = f"mean over {'document means' if by_document else 'sentences'}"
    return f"{what}, {averaged}; n counts {settings.average}"


def _how(part: FeatureAnswers, estimates: Sequence[Estimate], settings: HEvalSettings) -> str:
    if settings.level == "system":
        return part.interval_method(estimates, settings)
    if all(e.low is None for e in estimates):
        return ""
    return (
        f"{settings.confidence:.0%} Student's intervals, for other sentences of the same document "
        "by the same judges; all scores in it are taken as independent"
    )


def _headline(estimates: Sequence[Estimate], settings: HEvalSettings) -> str:
    """Best and worst system over all judges; of documents and segments the lowest."""
    pooled = [e for e in estimates if e.value is not None and "judge" not in e.by]
    if not pooled:
        return ""
    ordered = sorted(pooled, key=lambda e: -(e.value or 0.0))
    best, worst = ordered[0], ordered[-1]
    if settings.level != "system":
        return f"The lowest {settings.level} is {_name(worst)} with {spoken(worst.value)}."
    told_best = f"{_name(best)} has the highest score, {spoken(best.value)}{interval(best)} of 1"
    if best is worst:
        return f"{_name(best)} has {spoken(best.value)}{interval(best)} of 1."
    told_worst = f"{_name(worst)} the lowest, {spoken(worst.value)}{interval(worst)}"
    return f"{told_best}, {told_worst}; whether systems differ beyond chance is not tested here."


def _name(estimate: Estimate) -> str:
    parts = [str(v) for k, v in estimate.by.items() if k not in ("question", "judge")]
    return ", ".join([*parts, *map(str, estimate.tags.values())])


def _draw(estimates: Sequence[Estimate], settings: HEvalSettings) -> Figure:
    """Systems by all judges and by each; documents and segments by all."""
    of_systems = settings.level == "system"
    # A crowd of judges × documents is no figure.
    pooled = [e for e in estimates if "judge" not in e.by]
    return figures.points_with_intervals(
        "HEval score",
        named_by_judge(estimates if of_systems else pooled[:MOST_DRAWN]),
        over=settings.level,
        value="HEval score",
        colour="judge" if of_systems else "",
        facet="" if of_systems else "system",
    )


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
        pooled = [part.rated_scores for part in found]
        apart = [of_judge for part in found for of_judge in _by_judge(part)]
        # HEval's methods are none of those of systems.
        chosen = SystemSettings.of(msgspec.structs.replace(asked, method=""))
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


def _by_judge(part: FeatureAnswers) -> Iterator[Ratings]:
    if not part.judged_by or "judge" in part.tags:
        return
    pieces = part.scores.partition_by("judge", as_dict=True)
    for (judge,), scores in sorted(pieces.items()):
        yield rated(scores, {**part.tags, "judge": str(judge)})


def _without_judge_tags(result: Result, evaluation: Evaluation) -> Result:
    """The judge stands among the keys; among the tags only where figures are split by it."""
    if "judge" in evaluation.by:
        return result
    kept = tuple(
        e._replace(tags={name: value for name, value in e.tags.items() if name != "judge"})
        for e in result.estimates
    )
    unit = "sentences" if result.name.endswith("-count") else "share of sentences"
    return replace(result, estimates=kept, draw=partial(_draw_best, kept, unit))


def _draw_best(estimates: Sequence[Estimate], unit: str) -> Figure:
    """How often systems are best, by all judges and by each."""
    named = named_by_judge(estimates)
    return figures.points_with_intervals(
        "How often each system is best", named, over="system", value=unit, colour="judge"
    )
