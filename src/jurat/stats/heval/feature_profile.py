"""The profile of each system: how well it does each of the features.

Scores and profiles by construct: what kind of sentence a system cannot translate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats import figures
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.heval.feature_answers import HEVAL, FeatureAnswers, feature_answers, group_means
from jurat.stats.phrases import interval, listed
from jurat.stats.ratings import Ratings
from jurat.stats.settings import HEvalSettings
from jurat.stats.statistic import Settings, Statistic

# Features that a headline names for each system.
WEAKEST = 2
NO_FEATURES = "there are scores only, and no features"


class HEvalFeature(Statistic[Settings]):
    """What a system gets wrong: the mean of each feature, not applicable ones left out."""

    name = "heval-feature"
    asks = "Which features does each system get wrong?"
    formula = "mean points of a feature over the sentences to which it applies"
    counted = "answers"
    source = "Joshi et al. 2013, section 4 and conclusion"
    needs = ("system",)
    resampled = False
    order = 20

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A number for each feature and system."""
        asked = HEvalSettings.of(settings)
        found = list(feature_answers(evaluation, asked))
        estimates = tuple(e for part in found for e in profile(part, asked))
        yield self.result(
            evaluation,
            asked,
            estimates,
            how=found[0].interval_method(estimates, asked),
            headline=_headline(estimates, asked.top),
        )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """Features by systems, the features in the order of the protocol."""
        data = figures.rows(estimates)
        order = list(dict.fromkeys(row["feature"] for row in data))
        return figures.heat(
            "Mean of each feature",
            data,
            x=figures.axis("system", "system", "nominal"),
            y=figures.axis("feature", "feature", "nominal", sort=order),
            colour=figures.axis("value", "mean points"),
        )


def profile(part: FeatureAnswers, settings: HEvalSettings) -> Iterator[Estimate]:
    """The mean of each feature in the features' own order, system by system."""
    if part.answers.is_empty():
        yield part.nothing(NO_FEATURES)
        return
    keys = ("system", "feature")
    found = {
        (mean.by["system"], mean.by["feature"]): mean
        for mean in group_means(part.rated_answers, keys, settings, top=settings.top)
    }
    for system in dict.fromkeys(system for system, _ in found):
        for feature in part.features:
            by = {"question": HEVAL, "feature": feature, "system": system}
            mean = found.get((system, feature))
            # Missing is not zero: a feature that never applied was not translated badly.
            never = Estimate(None, 0, by, part.tags, reason="applies to no sentence")
            yield mean._replace(by=by) if mean else never


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


class HEvalConstruct(Statistic[Settings]):
    """The paper's test corpus has 13 constructs (Table 9): gerund, relative clause and so on."""

    name = "heval-construct"
    asks = "Which kinds of sentence does each system get wrong, and what in them?"
    formulas: ClassVar = {
        "heval-construct": "mean HEval score over the sentences of a construct; n counts sentences",
        "heval-construct-feature": (
            "mean points of a feature over the sentences of a construct; n counts answers"
        ),
    }
    formula = "mean HEval score, and mean of each feature, over the sentences of a construct"
    source = "Joshi et al. 2013, Table 9"
    needs = ("system",)
    resampled = False
    order = 30

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """Scores and profiles, where the table tells the construct of a sentence."""
        asked = HEvalSettings.of(settings)
        found = list(feature_answers(evaluation, asked))
        for name, estimates_of in zip(self.gives, (_scores, _profiles), strict=True):
            estimates = tuple(e for part in found for e in estimates_of(part, asked))
            how = found[0].interval_method(estimates, asked)
            yield self.result(evaluation, asked, estimates, name=name, how=how)

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The construct with the lowest score; of features nothing is said."""
        if name != "heval-construct":
            return ""
        worst = min(known, key=lambda e: e.value or 0.0)
        of = f"{worst.by['construct']} by {worst.by['system']}"
        score = f"{spoken(worst.value)}{interval(worst)}"
        # the lowest of many means is low by chance, too
        return f"The lowest of {len(known)} mean scores is that of {of}: {score}."

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """Constructs by systems, or features by constructs for each system."""
        return _draw_scores(estimates) if name == "heval-construct" else _draw_profiles(estimates)


def _scores(part: FeatureAnswers, settings: HEvalSettings) -> Iterator[Estimate]:
    if part.scores.is_empty() or "construct" not in part.scores.columns:
        yield part.nothing(f"needs the column {settings.construct}")
        return
    scored = _with_construct(part.rated_scores)
    yield from group_means(scored, ("construct", "system"), settings)


def _profiles(part: FeatureAnswers, settings: HEvalSettings) -> Iterator[Estimate]:
    if part.answers.is_empty() or "construct" not in part.answers.columns:
        why = NO_FEATURES if not part.features else f"needs the column {settings.construct}"
        yield part.nothing(why)
        return
    answered = _with_construct(part.rated_answers)
    keys = ("construct", "system", "feature")
    yield from group_means(answered, keys, settings, top=settings.top)


def _with_construct(ratings: Ratings) -> Ratings:
    # a sentence without a construct belongs to none of them
    return ratings.where(ratings.frame["construct"] != "")


def _draw_scores(estimates: Sequence[Estimate]) -> Figure:
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
