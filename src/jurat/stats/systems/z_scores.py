"""Judges' z-scores: each system's mean z, and the scores and z of each segment.

z = (score − judge's mean) / judge's SD makes strict and lenient judges alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from jurat.results import Result
from jurat.stats.estimates import method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.ratings import Array, Ratings
from jurat.stats.settings import Settings, SystemSettings
from jurat.stats.systems.score_table import rated_tables
from jurat.stats.systems.system_scores import averages
from jurat.stats.systems.system_statistic import (
    Display,
    SystemStatistic,
    best_first,
    method_of_first,
)

NO_DEVIATION = "no judge of the system used more than one point of the scale"


class SystemZ(SystemStatistic):
    """Mean z-scores, as WMT's direct assessment ranks systems."""

    name = "system-z"
    asks = "How good is each system when strict and lenient judges are made alike?"
    formula = "mean of z = (score − judge's mean) / judge's SD (ddof 1)"
    source = "Hamon et al., section 4; WMT direct assessment (Bojar et al. 2016)"
    needs = ("system", "judge")
    order = 20
    shown = (Display("Mean z-scores of systems", "mean z", "has the {best} mean z-score,"),)

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The z-scores of every question."""
        chosen = SystemSettings.of(settings)
        found, lost = [], 0
        for ratings, table in rated_tables(evaluation, chosen):
            z = z_scores(ratings, evaluation.baseline)[table.rows]
            lost += int(np.isnan(z).sum())
            found.append(averages(table, z, chosen))
        left_out = f"{lost:,} judgments left out: their judges have no deviation" if lost else ""
        yield self.system_result(
            evaluation,
            chosen,
            [e for f in found for e in best_first(f.estimates(0, NO_DEVIATION), chosen.best)],
            method=method_line(self.formula, left_out, method_of_first(found), chosen.direction),
            best=chosen.best,
            average=chosen.average,
        )


def z_scores(ratings: Ratings, baseline: Sequence[Ratings] = ()) -> Array:
    """(score − judge's mean) / judge's SD (ddof 1) of each rating; NaN where the SD is zero.

    Means and deviations come from the same question's answers in the baseline: WMT's are of all
    that a judge answered, also repeats, references and controls. Without one, from the ratings.
    """
    same = [base for base in baseline if base.question == ratings.question] or [ratings]
    # all of a judge's answers count, also those about systems that are not compared
    codes, values = same[0].judge_codes, same[0].values
    number = np.bincount(codes).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(codes, weights=values) / number
        squares = np.bincount(codes, weights=(values - mean[codes]) ** 2)
        deviation = np.sqrt(squares / (number - 1))
    # what differs by rounding alone is the same answer again and again
    deviation[~(deviation > 1e-12 * np.abs(mean))] = np.nan
    at = {name: code for code, name in enumerate(same[0].judges)}
    place = np.array([at.get(name, -1) for name in ratings.judges], dtype=np.int64)
    known = place[ratings.judge_codes]
    z = (ratings.values - mean[known]) / deviation[known]
    return np.asarray(np.where(known < 0, np.nan, z))


def segment_scores(ratings: Ratings, baseline: Sequence[Ratings] = ()) -> pl.DataFrame:
    """Mean raw score, mean z and number of judgments of each system on each segment.

    A segment is known by document and segment, or by the item where there is no segment. `baseline`
    is what judges' means and deviations come from (`Evaluation.baseline`).
    """
    frame = ratings.frame
    names = ("document", "segment", "item", "system")
    there = [name for name in names if name in frame.columns]
    keys = [name for name in there if name != "item" or "segment" not in there]
    scores = frame.select(*keys, pl.Series("score", ratings.values))
    means = [pl.col("score").mean()]
    if "judge" in frame.columns:
        scores = scores.with_columns(pl.Series("z", z_scores(ratings, baseline)).fill_nan(None))
        means.append(pl.col("z").mean())
    return scores.group_by(keys, maintain_order=True).agg(*means, pl.len().alias("n"))
