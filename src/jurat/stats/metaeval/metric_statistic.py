"""The base of statistics that compare metrics with judgments, and what their results share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.estimates import Estimates, first_method
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.metaeval.matched_scores import NO_NUMBERS, MatchedScores, match_scores
from jurat.stats.settings import MetricSettings, Settings
from jurat.stats.statistic import Answer, Statistic, missing_estimates


class MetricStatistic(Statistic[Settings]):
    """A statistic of metrics against people: subclasses give `answers` from matched scores.

    The sentence of a headline is the `finding` of a result.
    """

    points: ClassVar[tuple[str, str]] = ("", "")
    """The title and axis of the first result's figure, where that is a point a metric."""

    def answers(self, parts: Sequence[MatchedScores], settings: MetricSettings) -> Iterator[Answer]:
        """The answers to its question, from the scores of every question and split."""
        raise NotImplementedError

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The answers as results; one without estimates says why there are none."""
        asked = MetricSettings.of(settings)
        for answer in self.answers(match_scores(evaluation, asked), asked):
            estimates = answer.estimates or missing_estimates(evaluation, NO_NUMBERS)
            given = answer._replace(estimates=estimates)
            yield given.result(self, evaluation, asked, asked.signature())

    def finding(self, name: str, first: Sequence[Estimate]) -> str:
        """What one result says, from the estimates of the first question and split with a value."""
        return ""

    def headline_of(self, name: str, known: Sequence[Estimate]) -> str:
        """The finding, after the question where there are several."""
        first = first_question(known)
        words = self.finding(name, first)
        return f"{question_prefix(first[0], known)}{words}" if words else ""

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """The figure that `points` declares; none for other results."""
        title, value = self.points
        if not title or name != self.gives[0]:
            return {}
        return figures.points_with_intervals(
            title, figures.labelled(estimates), over="metric", value=value, facet="of"
        )


def each_metric(parts: Iterable[MatchedScores]) -> Iterator[tuple[MatchedScores, int]]:
    """Every metric of every question and split, as its data and its place among the metrics."""
    return ((data, metric) for data in parts for metric in range(len(data.metrics)))


def interval_method(found: Sequence[Estimates], parts: Sequence[MatchedScores]) -> str:
    """How intervals were computed, and what that takes as independent; empty where there are none.

    What a bootstrap calls clusters are documents or segments here.
    """
    method = first_method(found)
    if not method or not parts:
        return ""
    units = parts[0].units
    note = f"; {units.note}" if units.note else ""
    return f"{method.replace('clusters', units.words)}{note}"


def known(estimates: Iterable[Estimate]) -> list[Estimate]:
    """The estimates that have a value."""
    return [e for e in estimates if e.value is not None]


def highest(estimates: Iterable[Estimate]) -> Estimate:
    """The one with the highest value, the first of several."""
    return max(estimates, key=lambda e: e.value or 0.0)


def lowest(estimates: Iterable[Estimate]) -> Estimate:
    """The one with the lowest value, the first of several."""
    return min(estimates, key=lambda e: e.value or 0.0)


def first_question(estimates: Iterable[Estimate]) -> list[Estimate]:
    """The known estimates of the first question and split: what a headline speaks of."""
    told = known(estimates)
    return [e for e in told if _question(e) == _question(told[0])]


def _question(estimate: Estimate) -> tuple[object, object]:
    return estimate.by.get("question"), dict(estimate.tags)


def question_prefix(estimate: Estimate, estimates: Iterable[Estimate]) -> str:
    """`adequacy, domain news: ` before a headline; nothing where there is one question only."""
    asked = {e.by.get("question") for e in known(estimates)}
    parts = [str(estimate.by.get("question", ""))] if len(asked) > 1 else []
    parts += [f"{name} {value}" for name, value in estimate.tags.items()]
    return f"{', '.join(parts)}: " if parts else ""
