"""How much of what people judged has scores: what does not fit together is seen here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.metaeval.against import AgainstPeople
from jurat.stats.metaeval.matched import Matched, matched
from jurat.stats.metaeval.settings import choices
from jurat.stats.metaeval.wording import of_first, place_of
from jurat.stats.statistic import Settings
from jurat.stats.words import percent


class MetricCoverage(AgainstPeople):
    """The share of judged translations that each metric has a score of."""

    name = "metric-coverage"
    gives = ("metric-coverage",)
    asks = "Do the scores belong to what people judged?"
    formula = "judged translations with a score of the metric, over all judged; n counts these"
    source = "bookkeeping"
    place = 90

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """A share for each metric."""
        asked = choices(settings)
        found = [e for one in matched(evaluation, asked) for e in _shares(one)]
        yield self.answer(
            evaluation,
            asked,
            found,
            headline=_headline(found),
            draw=lambda: _draw(found),
        )


def _shares(one: Matched) -> Iterator[Estimate]:
    judged = int(one.people.judged.sum())
    for at, name in enumerate(one.metrics):
        by = {**one.by, "metric": name}
        if judged:
            share = float(one.covered[at]) / judged
            yield Estimate(share, judged, by=by, tags=one.tags)
        else:
            yield Estimate(None, 0, by=by, tags=one.tags, reason="only whole systems were judged")


def _headline(found: Sequence[Estimate]) -> str:
    told_of = of_first(found)
    if not told_of:
        return ""
    least = min(told_of, key=lambda e: e.value or 0.0)
    if least.value == 1:
        return f"{place_of(least, found)}Every judged translation has every metric's score."
    words = f"of {least.n:,} judged translations have a score of {least.by['metric']}"
    return f"{place_of(least, found)}{percent(least.value or 0.0)} {words}."


def _draw(found: Sequence[Estimate]) -> Figure:
    return figures.bars(
        "Judged translations that have scores",
        figures.rows(found),
        x=figures.axis("value", "share"),
        y=figures.axis("metric", "metric", "nominal"),
    )
