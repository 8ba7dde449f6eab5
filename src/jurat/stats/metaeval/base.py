"""What the statistics of metrics against people share: a base class, reasons, and headlines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from jurat.results import Estimate, Result
from jurat.stats.estimates import Estimates, first_method
from jurat.stats.evaluation import Evaluation
from jurat.stats.metaeval.matched_scores import MatchedScores, match_scores
from jurat.stats.settings import MetricSettings
from jurat.stats.statistic import Answer, Settings, Statistic, missing_estimates

# Why a number is missing, as its estimate says it.
NO_NUMBERS = "the answers are words: people must rate, rank or compare"
NO_PAIRS = "people compared no two systems of a segment that the metric scored"
NO_RATINGS = "people compared systems and gave no scores"
NO_SEGMENTS = "there are no judgments of segments that the metric scored"


class MetricStatistic(Statistic[Settings]):
    """A statistic of metrics against people: subclasses give `answers` from matched scores."""

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


def each_metric(parts: Iterable[MatchedScores]) -> Iterator[tuple[MatchedScores, int]]:
    """Every metric of every question and split, as its data and its place among the metrics."""
    return ((data, metric) for data in parts for metric in range(len(data.metrics)))


def interval_method(spreads: Sequence[Estimates]) -> str:
    """How intervals were made; the clusters that are drawn are segments here."""
    return first_method(spreads).replace("clusters", "segments")


def known(estimates: Iterable[Estimate]) -> list[Estimate]:
    """Those that have a value."""
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
