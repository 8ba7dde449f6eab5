"""The profile of each system: how well it does each of the features.

Scores and profiles by construct: what kind of sentence a system cannot translate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats import figures
from jurat.stats.estimates import method_line
from jurat.stats.evaluation import Evaluation
from jurat.stats.heval.feature_answers import HEVAL, FeatureAnswers, feature_answers, group_means
from jurat.stats.phrases import interval, listed
from jurat.stats.settings import HEvalSettings
from jurat.stats.statistic import Settings, Statistic

# Features that a headline names for each system.
WEAKEST = 2
NO_FEATURES = "there are scores only, and no features"


class HEvalFeature(Statistic[Settings]):
    """What a system gets wrong: the mean of each feature, not applicable ones left out."""

    name = "heval-feature"
    gives = ("heval-feature",)
    asks = "Which features does each system get wrong?"
    formula = "mean points of a feature over the sentences to which it applies"
    source = "Joshi et al. 2013, section 4 and conclusion"
    needs = ("system",)
    order = 20

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A number for each feature and system."""
        asked = HEvalSettings.of(settings)
        found = list(feature_answers(evaluation, asked))
        estimates = tuple(e for sheet in found for e in profile(sheet, asked))
        yield self.result(
            evaluation,
            asked,
            estimates,
            method=method_line(
                f"{self.formula}; n counts answers", found[0].drawn(estimates, asked)
            ),
            headline=_headline(estimates, asked.top),
            draw=lambda: _draw(estimates),
        )


def profile(sheet: FeatureAnswers, settings: HEvalSettings) -> Iterator[Estimate]:
    """The mean of each feature in the features' own order, system by system."""
    if sheet.answers.is_empty():
        yield sheet.nothing(NO_FEATURES)
        return
    found = {
        (mean.by["system"], mean.by["feature"]): mean
        for mean in group_means(
            sheet.answers, separately=["system"], together="feature", settings=settings
        )
    }
    for system in dict.fromkeys(system for system, _ in found):
        for feature in sheet.features:
            by = {"question": HEVAL, "feature": feature, "system": system}
            mean = found.get((system, feature))
            # Missing is not zero: a feature that never applied was not translated badly.
            never = Estimate(None, 0, by, sheet.tags, reason="applies to no sentence")
            yield mean.estimate(by, sheet.tags) if mean else never


def _headline(estimates: Sequence[Estimate], top: float) -> str:
    """The weakest features of each system."""
    systems: dict[tuple[object, ...], list[Estimate]] = {}
    for e in estimates:
        if e.value is not None:
            systems.setdefault((e.by["system"], *e.tags.values()), []).append(e)
    told_of = [_weakest(name, own) for name, own in systems.items()]
    return f"Weakest features (of {top:g} points): {'; '.join(told_of[:8])}." if told_of else ""


def _weakest(name: tuple[object, ...], estimates: Sequence[Estimate]) -> str:
    worst = sorted(estimates, key=lambda e: e.value or 0.0)[:WEAKEST]
    parts = [f"{e.by['feature']} {spoken(e.value)}" for e in worst]
    return f"{' '.join(map(str, name))}: {listed(parts)}"


def _draw(estimates: Sequence[Estimate]) -> Figure:
    data = figures.rows(estimates)
    # The order of the protocol, not of the alphabet.
    order = list(dict.fromkeys(row["feature"] for row in data))
    return figures.heat(
        "Mean of each feature",
        data,
        x=figures.axis("system", "system", "nominal"),
        y=figures.axis("feature", "feature", "nominal", sort=order),
        colour=figures.axis("value", "mean points"),
    )


class HEvalConstruct(Statistic[Settings]):
    """The paper's test corpus has 13 constructs (Table 9): gerund, relative clause and so on."""

    name = "heval-construct"
    gives = ("heval-construct", "heval-construct-feature")
    asks = "Which kinds of sentence does each system get wrong, and what in them?"
    formula = "mean HEval score, and mean of each feature, over the sentences of a construct"
    source = "Joshi et al. 2013, Table 9"
    needs = ("system",)
    order = 30

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Scores and profiles, where the table tells the construct of a sentence."""
        asked = HEvalSettings.of(settings)
        found = list(feature_answers(evaluation, asked))
        scores = tuple(e for sheet in found for e in _scores(sheet, asked))
        profiles = tuple(e for sheet in found for e in _profiles(sheet, asked))
        yield self.result(
            evaluation,
            asked,
            scores,
            method=method_line(_SCORED, found[0].drawn(scores, asked)),
            headline=_headline_construct(scores),
            draw=lambda: _draw_construct(scores),
        )
        yield self.result(
            evaluation,
            asked,
            profiles,
            name="heval-construct-feature",
            method=method_line(_PROFILED, found[0].drawn(profiles, asked)),
            draw=lambda: _draw_profiles(profiles),
        )


_SCORED = "mean HEval score over the sentences of a construct; n counts sentences"
_PROFILED = "mean points of a feature over the sentences of a construct; n counts answers"


def _scores(sheet: FeatureAnswers, settings: HEvalSettings) -> Iterator[Estimate]:
    if sheet.scores.is_empty() or "construct" not in sheet.scores.columns:
        yield sheet.nothing(f"needs the column {settings.construct}")
        return
    for mean in group_means(
        _with_construct(sheet.scores),
        separately=["construct"],
        together="system",
        settings=settings,
    ):
        yield mean.estimate({"question": HEVAL, **mean.by}, sheet.tags)


def _profiles(sheet: FeatureAnswers, settings: HEvalSettings) -> Iterator[Estimate]:
    if sheet.answers.is_empty() or "construct" not in sheet.answers.columns:
        why = NO_FEATURES if not sheet.features else f"needs the column {settings.construct}"
        yield sheet.nothing(why)
        return
    separately = ["construct", "system"]
    for mean in group_means(
        _with_construct(sheet.answers), separately=separately, together="feature", settings=settings
    ):
        yield mean.estimate({"question": HEVAL, **mean.by}, sheet.tags)


def _with_construct(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.filter(pl.col("construct") != "")


def _headline_construct(estimates: Sequence[Estimate]) -> str:
    known = [e for e in estimates if e.value is not None]
    if not known:
        return ""
    worst = min(known, key=lambda e: e.value or 0.0)
    of = f"{worst.by['construct']} by {worst.by['system']}"
    return (
        f"The construct that is translated worst is {of}: {spoken(worst.value)}{interval(worst)}."
    )


def _draw_construct(estimates: Sequence[Estimate]) -> Figure:
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
    # Vega-Lite facets want marks and encodings in an inner specification.
    inner = {key: whole[key] for key in ("mark", "encoding")}
    outer = {key: whole[key] for key in whole if key not in inner}
    return {
        **outer,
        "facet": figures.axis("system", "system", "nominal"),
        "columns": 2,
        "spec": inner,
    }
