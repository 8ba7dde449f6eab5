"""How many of the judged translations have scores: names that do not match are seen here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from jurat.results import Estimate, Figure
from jurat.stats import figures
from jurat.stats.metaeval.matched_scores import MatchedScores
from jurat.stats.metaeval.metric_statistic import MetricStatistic, each_metric, lowest
from jurat.stats.phrases import percent
from jurat.stats.settings import MetricSettings
from jurat.stats.statistic import Answer


class MetricCoverage(MetricStatistic):
    """The share of judged translations that each metric has a score of."""

    name = "metric-coverage"
    gives = ("metric-coverage", "metric-matched")
    asks = "Do the scores belong to what people judged?"
    formula = "judged translations with a score of the metric, over all judged; n counts these"
    source = "bookkeeping"
    order = 90

    def answers(self, parts: Sequence[MatchedScores], settings: MetricSettings) -> Iterator[Answer]:
        """A share for each metric, and how many rows of each table found a partner."""
        yield Answer([_coverage(data, metric) for data, metric in each_metric(parts)])
        method = (
            "translations that were judged and scored by any metric, within the systems that both "
            "tables name; n counts the translations of that side"
        )
        yield Answer([e for data in parts for e in _matched(data)], method, "metric-matched")

    def finding(self, name: str, first: Sequence[Estimate]) -> str:
        """The metric that lacks most scores."""
        if name == "metric-matched":
            return _matched_words({str(e.by["table"]): e for e in first})
        least = lowest(first)
        if least.value == 1:
            return "Every judged translation has every metric's score."
        words = f"of {least.n:,} judged translations have a score of {least.by['metric']}"
        return f"{percent(least.value or 0.0)} {words}."

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """Bars of the shares."""
        if name != self.name:
            return {}
        return figures.bars(
            "Judged translations that have scores",
            figures.rows(estimates),
            x=figures.axis("value", "share"),
            y=figures.axis("metric", "metric", "nominal"),
        )


def _coverage(data: MatchedScores, metric: int) -> Estimate:
    judged = int(data.human.judged.sum())
    # A share of nothing would hide that segments were not judged at all.
    if not judged:
        return data.missing(metric, "only whole systems were judged")
    return data.estimate(metric, float(data.covered[metric]) / judged, judged)


def _matched(data: MatchedScores) -> Iterator[Estimate]:
    join = data.join
    for side, n in (("judgments", join.judged), ("scores", join.scored)):
        value = float(join.matched) if n else None
        reason = "" if n else "this table is about whole systems alone"
        yield Estimate(value, n, by={**data.by, "table": side}, tags=data.tags, reason=reason)


def _matched_words(sides: Mapping[str, Estimate]) -> str:
    if len(sides) < 2:
        return ""
    judged, scored = sides["judgments"], sides["scores"]
    return (
        f"{int(judged.value or 0):,} of {judged.n:,} judged translations have scores; "
        f"{int(scored.value or 0):,} of {scored.n:,} scored translations were judged."
    )
