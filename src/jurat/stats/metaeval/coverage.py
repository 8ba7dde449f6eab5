"""How much of what people judged has scores: names that do not fit together are seen here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jurat.results import Estimate, Figure
from jurat.stats import figures
from jurat.stats.metaeval.base import (
    MetricStatistic,
    each_metric,
    first_question,
    lowest,
    question_prefix,
)
from jurat.stats.metaeval.matched_scores import MatchedScores
from jurat.stats.phrases import percent
from jurat.stats.settings import MetricSettings
from jurat.stats.statistic import Answer


class MetricCoverage(MetricStatistic):
    """The share of judged translations that each metric has a score of."""

    name = "metric-coverage"
    gives = ("metric-coverage",)
    asks = "Do the scores belong to what people judged?"
    formula = "judged translations with a score of the metric, over all judged; n counts these"
    source = "bookkeeping"
    order = 90

    def answers(self, parts: Sequence[MatchedScores], settings: MetricSettings) -> Iterator[Answer]:
        """A share for each metric."""
        found = [_share(data, metric) for data, metric in each_metric(parts)]
        yield Answer(found, headline=_headline(found), draw=lambda: _draw(found))


def _share(data: MatchedScores, metric: int) -> Estimate:
    judged = int(data.human.judged.sum())
    # A share of nothing would hide that segments were not judged at all.
    if not judged:
        return data.missing(metric, "only whole systems were judged")
    return data.estimate(metric, float(data.covered[metric]) / judged, judged)


def _headline(found: Sequence[Estimate]) -> str:
    shares = first_question(found)
    if not shares:
        return ""
    least = lowest(shares)
    if least.value == 1:
        return f"{question_prefix(least, found)}Every judged translation has every metric's score."
    words = f"of {least.n:,} judged translations have a score of {least.by['metric']}"
    return f"{question_prefix(least, found)}{percent(least.value or 0.0)} {words}."


def _draw(found: Sequence[Estimate]) -> Figure:
    return figures.bars(
        "Judged translations that have scores",
        figures.rows(found),
        x=figures.axis("value", "share"),
        y=figures.axis("metric", "metric", "nominal"),
    )
