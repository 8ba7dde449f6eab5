"""Each judge's mean score."""

from __future__ import annotations

from collections.abc import Iterator

from jurat.results import Estimate, Result
from jurat.stats.evaluation import Evaluation
from jurat.stats.judges import rules
from jurat.stats.judges.diagnosing import Diagnosing
from jurat.stats.judges.difference import others
from jurat.stats.judges.panel import MEAN, WORDS, Panel, panels
from jurat.stats.judges.ranked import ranked
from jurat.stats.judges.signal import Reading, Signal, all_estimates, limits


class Score(Signal):
    """Hamon et al.'s first way: a judge's mean score among the means of all judges."""

    name = "judge-mean"
    gives = ("judge-mean", "overall-mean")
    way = "score"
    asks = "Who scores lower or higher than the other judges?"
    formula = "mean of the judge's scores, his first of each item"
    rule = "outside mean ± {k} SD (ddof 1) of the judges' means"
    source = "Hamon et al., section 3.3, figures 2 and 3"
    needs = ("judge",)
    place = 30

    def measured(self, evaluation: Evaluation, settings: Diagnosing) -> tuple[Reading, ...]:
        """The mean of every judge."""
        return tuple(_reading(panel, settings) for panel in panels(evaluation, settings))

    def results(self, evaluation: Evaluation, settings: Diagnosing) -> Iterator[Result]:
        """The mean of every judge, beside that of the others, and the mean of all judgments."""
        readings = self.readings(evaluation, settings)
        beside = [others(panel) for panel in panels(evaluation, settings)]
        yield self.told_as(
            evaluation,
            settings,
            readings,
            draw=lambda: ranked(
                "Mean score by judge, and of the others' judgments of the same items",
                all_estimates(readings),
                value="judge",
                along="mean score",
                lines=limits(readings, settings),
                beside=all_estimates(beside),
                beside_is="others",
            ),
        )
        yield self.result(
            evaluation,
            settings,
            [_overall(panel) for panel in panels(evaluation, settings)],
            name="overall-mean",
            method="mean of all judgments, a judge's first of each item; n counts judgments",
            **settings.choices(),
        )


def _reading(panel: Panel, settings: Diagnosing) -> Reading:
    values = panel.values(MEAN)
    verdict = rules.outside(values, settings.k)
    return panel.reading(MEAN, verdict, side=rules.sides(values, verdict.found))


def _overall(panel: Panel) -> Estimate:
    ratings = panel.ratings
    return Estimate(
        value=None if ratings.nominal else float(ratings.values.mean()),
        n=len(ratings),
        by=ratings.by,
        tags=ratings.tags,
        reason=WORDS if ratings.nominal else "",
    )
