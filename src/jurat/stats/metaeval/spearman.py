"""Whether a metric ranks the systems of a segment as a judge does (Sun 2010, Table 1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from jurat.results import Estimate, spoken
from jurat.stats.answer import Answer
from jurat.stats.estimates import method_line
from jurat.stats.metaeval import coefficients
from jurat.stats.metaeval.base import (
    NO_PAIRS,
    TIED,
    MetricStatistic,
    each_metric,
    first_question,
    highest,
    interval_method,
    question_prefix,
)
from jurat.stats.metaeval.by_judge import (
    JudgeSums,
    RowKeys,
    describe_mean,
    draw,
    judge_keys,
    p_estimates,
    value_estimates,
)
from jurat.stats.metaeval.human_scores import Mask
from jurat.stats.metaeval.matched_scores import MatchedScores, ScoreGroups
from jurat.stats.phrases import interval
from jurat.stats.ratings import Array
from jurat.stats.settings import MetricSettings

UNDEFINED = {
    "zero": "a segment all of whose judgments or scores are tied counts as 0",
    "skip": "segments all of whose judgments or scores are tied are left out",
}


class MetricSpearman(MetricStatistic):
    """Spearman's ρ over the systems of each segment, averaged over segments."""

    name = "metric-spearman"
    gives = ("metric-spearman", "metric-spearman-undefined", "metric-spearman-p")
    asks = "Does the metric rank the systems of a segment as judges do?"
    formula = "Spearman's ρ (mid-ranks) over the systems of a segment, mean over segments"
    source = "Sun 2010, Table 1; Callison-Burch et al. 2008"
    order = 40

    def answers(self, parts: Sequence[MatchedScores], settings: MetricSettings) -> Iterator[Answer]:
        """ρ of each metric and judge, how often it is undefined, and p."""
        each = list(each_metric(parts))
        sums = [judge_sums(data, metric, settings) for data, metric in each]
        spreads = [own.spread(settings) for own in sums]
        found = zip(each, sums, spreads, strict=True)
        means = [e for key, s, d in found for e in value_estimates(*key, s, d, reason=NO_PAIRS)]
        common = (describe_mean(parts), settings.metric_scores.direction)
        how = (UNDEFINED[settings.undefined], "n counts segments")
        yield Answer(
            means,
            method_line(self.formula, *how, *common, interval_method(spreads)),
            headline=_headline(means),
            draw=lambda: draw(means, "Rank correlation over the systems of a segment", "mean ρ"),
            choices={"undefined": settings.undefined},
        )
        counts = [e for data, metric in each for e in _undefined_counts(data, metric)]
        method = "segments all of whose judgments or scores are tied; n counts segments"
        yield Answer(counts, method, "metric-spearman-undefined")
        tests = [own.p_values(settings) for own in sums]
        tested = zip(each, sums, tests, strict=True)
        p = [e for key, s, (p, _) in tested for e in p_estimates(*key, s, p, reason=TIED)]
        how_tested = next((words for _, words in tests if words), "")
        method = method_line("two-sided p of a mean ρ of 0", *common, how_tested, "not corrected")
        yield Answer(p, method, "metric-spearman-p", choices={"seed": settings.seed})


def judge_groups(data: MatchedScores, metric: int) -> tuple[ScoreGroups, RowKeys]:
    """A row for each judge and segment, judgments beside scores; and which segment and judge."""
    given = data.human.judge_scores
    judges = max(1, len(data.human.judges))
    groups, row = np.unique(given.segment * judges + given.judge, return_inverse=True)
    human = np.full((len(groups), len(data.systems)), np.nan)
    human[row, given.system] = given.value
    segment, judge = np.divmod(groups, judges)
    # A metric's scores are the same for every judge of a segment.
    scores = data.oriented[metric][segment]
    missing = np.isnan(human) | np.isnan(scores)
    sides = (np.where(missing, np.nan, side) for side in (human, scores))
    return ScoreGroups(*sides), RowKeys(segment, judge)


def _correlated(data: MatchedScores, metric: int) -> tuple[Array, Mask, RowKeys]:
    """ρ of each judge's segment, whether it has two systems at all, and whose it is."""
    groups, rows = judge_groups(data, metric)
    several = (~np.isnan(groups.human)).sum(axis=1) > 1
    return coefficients.spearman(groups), several, rows


def judge_sums(data: MatchedScores, metric: int, settings: MetricSettings) -> JudgeSums:
    """The sum of ρ and the number of segments, for each segment and judge."""
    rho, several, rows = _correlated(data, metric)
    counted = several if settings.undefined == "zero" else several & ~np.isnan(rho)
    # An undefined ρ counts as 0, or is not counted at all.
    values = np.nan_to_num(rho) * counted
    return JudgeSums.of(data, rows, values, counted.astype(np.float64), values)


def _undefined_counts(data: MatchedScores, metric: int) -> Iterator[Estimate]:
    """How many segments of each judge, then of all, have two systems but no ρ."""
    rho, several, rows = _correlated(data, metric)
    size = max(1, len(data.human.judges))
    tied, all_of_them = (
        np.bincount(rows.judge, weights=mask, minlength=size)
        for mask in (several & np.isnan(rho), several)
    )
    keys = judge_keys(data, metric)
    numbers = [*zip(tied[: len(keys) - 1], all_of_them, strict=False)]
    numbers.append((tied.sum(), all_of_them.sum()))
    for by, (value, n) in zip(keys, numbers, strict=True):
        yield Estimate(float(value), int(n), by=by, tags=data.tags)


def _headline(means: Sequence[Estimate]) -> str:
    means_of_judges = [e for e in first_question(means) if "judge" not in e.by]
    if not means_of_judges:
        return ""
    best, number = highest(means_of_judges), len(means_of_judges)
    words = f"{best.by['metric']} ranks the systems of a segment most as judges do"
    others = f", of {number} metrics" if number > 1 else ""
    start = question_prefix(best, means)
    return f"{start}{words}{others}: mean ρ {spoken(best.value)}{interval(best)}."
