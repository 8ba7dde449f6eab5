"""Scores and profiles by construct: what kind of sentence a system cannot translate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.heval.feature import NO_FEATURES
from jurat.stats.heval.means import means
from jurat.stats.heval.sheets import HEVAL, HEvalSettings, Sheet, sheets
from jurat.stats.spread import told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.words import interval


class HEvalConstruct(Statistic[Settings]):
    """The paper's test corpus has 13 constructs (Table 9): gerund, relative clause and so on."""

    name = "heval-construct"
    gives = ("heval-construct", "heval-construct-feature")
    asks = "Which kinds of sentence does each system get wrong, and what in them?"
    formula = "mean HEval score, and mean of each feature, over the sentences of a construct"
    source = "Joshi et al. 2013, Table 9"
    needs = ("system",)
    place = 30

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Scores and profiles, where the table tells the construct of a sentence."""
        asked = HEvalSettings.of(settings)
        found = list(sheets(evaluation, asked))
        scores = tuple(e for sheet in found for e in _scores(sheet, asked))
        profiles = tuple(e for sheet in found for e in _profiles(sheet, asked))
        yield self.result(
            evaluation,
            asked,
            scores,
            method=told(_SCORED, found[0].drawn(scores, asked)),
            headline=_headline(scores),
            draw=lambda: _draw(scores),
        )
        yield self.result(
            evaluation,
            asked,
            profiles,
            name="heval-construct-feature",
            method=told(_PROFILED, found[0].drawn(profiles, asked)),
            draw=lambda: _draw_profiles(profiles),
        )


_SCORED = "mean HEval score over the sentences of a construct; n counts sentences"
_PROFILED = "mean points of a feature over the sentences of a construct; n counts answers"


def _scores(sheet: Sheet, settings: HEvalSettings) -> Iterator[Estimate]:
    if sheet.scores.is_empty() or "construct" not in sheet.scores.columns:
        yield sheet.nothing(f"needs the column {settings.construct}")
        return
    for mean in means(_told(sheet.scores), apart=["construct"], beside="system", settings=settings):
        yield mean.estimate({"question": HEVAL, **mean.by}, sheet.tags)


def _profiles(sheet: Sheet, settings: HEvalSettings) -> Iterator[Estimate]:
    if sheet.answers.is_empty() or "construct" not in sheet.answers.columns:
        why = NO_FEATURES if not sheet.features else f"needs the column {settings.construct}"
        yield sheet.nothing(why)
        return
    apart = ["construct", "system"]
    for mean in means(_told(sheet.answers), apart=apart, beside="feature", settings=settings):
        yield mean.estimate({"question": HEVAL, **mean.by}, sheet.tags)


def _told(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.filter(pl.col("construct") != "")


def _headline(estimates: Sequence[Estimate]) -> str:
    known = [e for e in estimates if e.value is not None]
    if not known:
        return ""
    worst = min(known, key=lambda e: e.value or 0.0)
    of = f"{worst.by['construct']} by {worst.by['system']}"
    return (
        f"The construct that is translated worst is {of}: {spoken(worst.value)}{interval(worst)}."
    )


def _draw(estimates: Sequence[Estimate]) -> Figure:
    return figures.heat(
        "HEval score of each construct",
        figures.rows(estimates),
        x=figures.axis("system", "system", "nominal"),
        y=figures.axis("construct", "construct", "nominal"),
        colour=figures.axis("value", "HEval score"),
    )


def _draw_profiles(estimates: Sequence[Estimate]) -> Figure:
    """A small heat map of features × constructs for each system."""
    whole = figures.heat(
        "Mean of each feature by construct",
        figures.rows(estimates),
        x=figures.axis("construct", "construct", "nominal"),
        y=figures.axis("feature", "feature", "nominal"),
        colour=figures.axis("value", "mean points"),
    )
    inner = {key: whole[key] for key in ("mark", "encoding")}
    outer = {key: whole[key] for key in whole if key not in inner}
    return {
        **outer,
        "facet": figures.axis("system", "system", "nominal"),
        "columns": 2,
        "spec": inner,
    }
