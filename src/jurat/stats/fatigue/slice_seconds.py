"""Whether judges become faster, or slower, as they go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from jurat.results import Estimate, Result, spoken
from jurat.stats.evaluation import Evaluation
from jurat.stats.fatigue.slice_scores import draw_slices, of_first, over_judges, slice_estimates
from jurat.stats.fatigue.slices import Course, Sliced, Slicing, sliced
from jurat.stats.spread import first_method, told
from jurat.stats.statistic import Statistic


class SliceSeconds(Statistic[Slicing]):
    """Seconds per decision over the session."""

    name = "slice-seconds"
    gives = ("slice-seconds",)
    asks = "Do judges become faster as they go on?"
    formula = "mean over judges of the median seconds of a judge's decisions in a slice"
    source = "analysis of time; the median, because a break is no slow decision"
    needs = ("judge", "seconds")
    place = 40

    def results(self, evaluation: Evaluation, settings: Slicing) -> Iterator[Result]:
        """The seconds of each slice."""
        parts = evaluation.once(sliced, settings.group, settings.source, settings.slices)
        found = [(p, c, over_judges(c.values, settings)) for p in parts for c in courses(p)]
        estimates = tuple(e for item in found for e in slice_estimates(*item))
        yield self.result(
            evaluation,
            settings,
            estimates,
            method=told(self.formula, "n counts judges", first_method([d for *_, d in found])),
            headline=_headline(estimates),
            draw=lambda: draw_slices("Seconds per decision over the session", estimates, "seconds"),
            slices=settings.slices,
            group=settings.group,
            source=settings.source,
        )


def _headline(estimates: Sequence[Estimate]) -> str:
    first = of_first(estimates)
    if len(first) < 2:
        return ""
    start, end = first[0], first[-1]
    return (
        f"A decision takes {spoken(start.value)} s in the slice {start.by['slice']} % of a judge's "
        f"work and {spoken(end.value)} s in {end.by['slice']} %."
    )


def courses(part: Sliced) -> Iterator[Course]:
    """The median seconds of each judge in each slice."""
    ratings = part.ratings
    values = np.full((len(ratings.judges), part.count), np.nan)
    if ratings.has("seconds"):
        table = pl.DataFrame(
            {
                "judge": ratings.judge_codes,
                "slice": part.of_row,
                "seconds": ratings.frame["seconds"],
            }
        )
        medians = table.drop_nulls().group_by("judge", "slice").agg(pl.col("seconds").median())
        judge, at, seconds = (medians[name].to_numpy() for name in table.columns)
        values[judge, at] = seconds
    yield Course("seconds", values)
