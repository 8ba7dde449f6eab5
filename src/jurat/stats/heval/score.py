"""The HEval score of each system, document or segment, by each judge and by all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.estimates import method_line
from jurat.stats.evaluation import Evaluation
from jurat.stats.heval.feature_answers import (
    HEVAL,
    FeatureAnswers,
    feature_answers,
    group_means,
    named_by_judge,
)
from jurat.stats.phrases import interval
from jurat.stats.settings import HEvalSettings
from jurat.stats.statistic import Settings, Statistic

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
    gives = ("heval-score",)
    asks = "How good is each system, by the features of its translations?"
    formula = "mean of Σ points / (4 × applicable features) over sentences"
    source = "Joshi et al. 2013, equation 1, Tables 13-15"
    needs = ("system",)
    order = 10

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A number for each judge and system, and for each system over all judges."""
        asked = HEvalSettings.of(settings)
        found = list(feature_answers(evaluation, asked))
        estimates = tuple(e for sheet in found for e in _estimates(sheet, asked))
        yield self.result(
            evaluation,
            asked,
            estimates,
            method=method_line(_method(found[0], asked), _how(found[0], estimates, asked)),
            headline=_headline(estimates, asked),
            draw=lambda: _draw(estimates, asked),
            level=asked.level,
            average=asked.average,
            top="" if asked.top == 4 else asked.top,
        )


def _estimates(sheet: FeatureAnswers, settings: HEvalSettings) -> Iterator[Estimate]:
    if sheet.scores.is_empty():
        yield sheet.nothing()
        return
    missing = _missing(sheet, settings)
    if missing:
        yield sheet.nothing(f"needs the column {missing}")
        return
    score = _by_system if settings.level == "system" else _by_place
    for separately in ([], sheet.judged_by) if sheet.judged_by else ([],):
        yield from score(sheet, separately, settings)


def _missing(sheet: FeatureAnswers, settings: HEvalSettings) -> str:
    """The column that the level or the way of averaging asks for and the table has not."""
    wanted = settings.level if settings.level != "system" else settings.average.removesuffix("s")
    return wanted if wanted in ("document", "segment") and wanted not in sheet.scores else ""


def _by_system(
    sheet: FeatureAnswers, separately: list[str], settings: HEvalSettings
) -> Iterator[Estimate]:
    rows = sheet.scores
    if settings.average == "documents":
        keys = [*separately, "system", "document", "cluster"]
        # A document counts once, however long it is.
        rows = rows.group_by(keys, maintain_order=True).agg(pl.col("value").mean())
    for mean in group_means(rows, separately=separately, together="system", settings=settings):
        yield mean.estimate({"question": HEVAL, **mean.by}, sheet.tags)


def _by_place(
    sheet: FeatureAnswers, separately: list[str], settings: HEvalSettings
) -> Iterator[Estimate]:
    """Documents and segments, with Student's interval over the sentences of a document."""
    places = [name for name in PLACES[settings.level] if name in sheet.scores.columns]
    keys = [*separately, "system", *places]
    value = pl.col("value")
    rows = sheet.scores.group_by(keys).agg(value.mean(), value.std().alias("sd"), n=pl.len())
    rows = rows.sort(keys)
    # A segment has one sentence, so that there are none over which it could vary.
    reach = _reach(rows, settings) if settings.level == "document" else np.full(len(rows), np.nan)
    for row, width in zip(rows.iter_rows(named=True), reach.tolist(), strict=True):
        by: dict[str, Key] = {"question": HEVAL, **{key: row[key] for key in keys}}
        ends = (None, None) if np.isnan(width) else (row["value"] - width, row["value"] + width)
        yield Estimate(row["value"], row["n"], by, sheet.tags, *ends)


def _reach(
    rows: pl.DataFrame, settings: HEvalSettings
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Half of Student's interval of a mean; NaN for a single sentence, or if none is wanted."""
    from scipy.special import stdtrit

    n = rows["n"].to_numpy().astype(np.float64)
    deviation = rows["sd"].fill_null(np.nan).to_numpy()
    quantile = stdtrit(np.maximum(n - 1, 1), (1 + settings.confidence) / 2)
    known = (n > 1) & (settings.bootstrap > 0)
    return np.where(known, quantile * deviation / np.sqrt(n), np.nan)


def _method(sheet: FeatureAnswers, settings: HEvalSettings) -> str:
    scored = f"Σ points / ({settings.top:g} × applicable features)"
    what = scored if sheet.features else "the values are scores of 0 to 1 already"
    if settings.level == "segment":
        return f"{what}; n counts judges"
    if settings.level == "document":
        return f"{what}, mean over a document's sentences; n counts sentences"
    by_document = settings.average == "documents"
    averaged = f"mean over {'document means' if by_document else 'sentences'}"
    return f"{what}, {averaged}; n counts {settings.average}"


def _how(sheet: FeatureAnswers, estimates: Sequence[Estimate], settings: HEvalSettings) -> str:
    drawn = sheet.drawn(estimates, settings)
    return "Student's interval" if drawn and settings.level == "document" else drawn


def _headline(estimates: Sequence[Estimate], settings: HEvalSettings) -> str:
    """Best and worst system over all judges; of documents and segments the lowest."""
    pooled = [e for e in estimates if e.value is not None and "judge" not in e.by]
    if not pooled:
        return ""
    ordered = sorted(pooled, key=lambda e: -(e.value or 0.0))
    best, worst = ordered[0], ordered[-1]
    if settings.level != "system":
        return f"The lowest {settings.level} is {_name(worst)} with {spoken(worst.value)}."
    told_best = f"{_name(best)} is best with {spoken(best.value)}{interval(best)} of 1"
    if best is worst:
        return f"{_name(best)} has {spoken(best.value)}{interval(best)} of 1."
    return f"{told_best}, {_name(worst)} last with {spoken(worst.value)}{interval(worst)}."


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
