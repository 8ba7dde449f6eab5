"""A system's mean z-score: strict and lenient judges made alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurat.results import Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Ratings
from jurat.stats.spread import told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.systems.averages import averages
from jurat.stats.systems.choices import choices
from jurat.stats.systems.panel import panel_of, panels, scored
from jurat.stats.systems.wording import best_first, first_words, leader, no_numbers


class SystemZ(Statistic[Settings]):
    """Mean z-scores, as WMT's direct assessment ranks systems."""

    name = "system-z"
    gives = ("system-z",)
    asks = "How good is each system when strict and lenient judges are made alike?"
    formula = "mean of z = (score − judge's mean) / judge's SD (ddof 1)"
    source = "Hamon et al., section 4; WMT direct assessment (Bojar et al. 2016)"
    needs = ("system", "judge")
    place = 20

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The z-scores of every question."""
        chosen = choices(settings)
        panels(evaluation, chosen)
        found, lost = [], 0
        for ratings in filter(scored, evaluation.ratings):
            panel = panel_of(ratings, chosen)
            z = z_scores(ratings, evaluation.baseline)[panel.rows]
            lost += int(np.isnan(z).sum())
            if len(z):
                found.append(averages(panel, z, chosen))
        reason = "no judge of the system used more than one point of the scale"
        estimates = [e for f in found for e in best_first(f.estimates(0, reason), chosen.best)]
        yield self.result(
            evaluation,
            settings,
            estimates or no_numbers(evaluation),
            method=told(self.formula, _left_out(lost), first_words(found), chosen.direction),
            headline=leader(
                estimates,
                f"has the {chosen.best} mean z-score,",
                best=chosen.best,
            ),
            draw=lambda: figures.points_with_intervals(
                "Mean z-scores of systems",
                estimates,
                over="system",
                value="mean z",
                facet="question",
            ),
            average=chosen.average,
            **chosen.told(),
        )


def z_scores(ratings: Ratings, baseline: Sequence[Ratings] = ()) -> Array:
    """(score − judge's mean) / judge's SD (ddof 1) of each rating; NaN where the SD is zero.

    Means and deviations come from the same question's answers in the baseline: WMT's are of all
    that a judge answered, also repeats, references and controls. Without one, from the ratings.
    """
    same = [base for base in baseline if base.question == ratings.question] or [ratings]
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


def _left_out(lost: int) -> str:
    if not lost:
        return ""
    return f"{lost:,} judgments left out: their judges have no deviation"
