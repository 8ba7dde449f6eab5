"""Whether one metric agrees with people better than another, for other documents than these.

The jackknife of the difference of two metrics' coefficients, on Fisher's scale, with t: documents
are left out, or systems where these are correlated. `tests/stats/metaeval/test_calibration.py`
checks by simulation how often equally good metrics are told apart with 10 and 30 documents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from jurat.resampling.jackknife_t import random_groups
from jurat.stats.estimates import ratio
from jurat.stats.metaeval.accuracy_with_ties import metric_accuracy
from jurat.stats.metaeval.comparison_criterion import (
    NOT_ALL,
    RATINGS,
    TOO_FEW,
    comparison_for,
    complete_means,
    decisions_of_all,
    scored_metrics,
)
from jurat.stats.metaeval.correlation import (
    PEARSON,
    SPEARMAN,
    Coefficient,
    kendall_of,
    mean_pearson,
    pearson_sums,
)
from jurat.stats.metaeval.human_scores import Mask
from jurat.stats.metaeval.matched_scores import MatchedScores, ScoreGroups, score_groups
from jurat.stats.metaeval.pairwise_difference_pearson import difference_pearson, difference_sums
from jurat.stats.metaeval.segment_ranking import (
    HUMAN_TIE,
    UNSCORED,
    consistent_and_counted,
    verdicts,
)
from jurat.stats.metaeval.soft_accuracy import soft_accuracy
from jurat.stats.metaeval.unit_intervals import (
    CoefficientTests,
    compare_coefficients,
    group_words,
    leave_out,
    share_scale,
    too_few_units,
)
from jurat.stats.ratings import Array, summed
from jurat.stats.settings import MetricSettings

# Systems below which two metrics' correlations of systems are not compared.
FEWEST_SYSTEMS = 5


class Comparison(NamedTuple):
    """The value of each metric (higher is better), and the tests of every two."""

    metrics: Sequence[int]
    values: Array
    tests: CoefficientTests


class Sample(NamedTuple):
    """Values of each metric, and the same without each unit (units × m)."""

    values: Array
    left_out: Array


def jackknife_test(data: MatchedScores, settings: MetricSettings) -> Comparison | str:
    """Every two metrics that have scores, or why they cannot be compared."""
    name = comparison_for(data, settings)
    used = scored_metrics(data, name)
    if len(used) < 2:
        return TOO_FEW
    if name.startswith("system"):
        return _compare_by_systems(COEFFICIENTS[name], data, used, settings)
    found = SAMPLES[name](data, used, settings)
    if isinstance(found, str):
        return found
    share = name in SHARES
    scaled = [share_scale(part) if share else part for part in found]
    tests = compare_coefficients(
        *scaled,
        confidence=settings.confidence,
        units=data.units.number,
        words=group_words(data, len(found.left_out)),
        sizes=data.units.sizes,
    )
    if reason := too_few_units(data):
        tests = tests._replace(p=np.full_like(tests.p, np.nan), reason=reason)
    return Comparison(used, found.values, tests)


def _from_sums(
    data: MatchedScores, tables: Sequence[Array], score: Callable[[Array], Array]
) -> Sample:
    """A value for each metric from its sums of segments, with and without each unit."""
    group = random_groups(data.units.number)[data.units.of_item]
    size = int(group.max()) + 1
    columns, values = [], []
    for table in tables:
        rows = np.stack([summed(group, column, size) for column in table.T], axis=1)
        total = rows.sum(axis=0)
        columns.append(score(total - rows[rows.any(axis=1)]))
        values.append(float(score(total[None])[0]))
    return Sample(np.array(values), np.column_stack(columns))


def _by_pearson(data: MatchedScores, used: Sequence[int], settings: MetricSettings) -> Sample | str:
    if data.human.means is None:
        return RATINGS
    grouping, means = settings.grouped("none"), complete_means(data, used)
    if (~np.isnan(means)).sum() < 2:
        return NOT_ALL
    if grouping != "item":
        tables = [pearson_sums(means, data.oriented[at], grouping) for at in used]
        return _from_sums(data, tables, mean_pearson)
    each = [PEARSON.of(score_groups(means, data.oriented[at], grouping)) for at in used]
    # A segment counts where it has a coefficient with every metric.
    there = ~np.isnan(each).any(axis=0)
    if not there.any():
        return NOT_ALL
    tables = [np.column_stack([np.where(there, r, 0.0), there]) for r in each]
    return _from_sums(data, tables, lambda totals: ratio(totals)[:, 0])


def _by_differences(data: MatchedScores, used: Sequence[int], _: MetricSettings) -> Sample | str:
    if data.human.means is None:
        return RATINGS
    means = complete_means(data, used)
    tables = [difference_sums(means, data.oriented[at]) for at in used]
    if not tables[0].any():
        return "no pairs have scores of all metrics"
    return _from_sums(data, tables, difference_pearson)


def _by_consistency(
    data: MatchedScores, used: Sequence[int], settings: MetricSettings
) -> Sample | str:
    found = np.stack([verdicts(data, at) for at in used])
    counted = ((found != UNSCORED) & (found != HUMAN_TIE)).all(axis=0)
    if not counted.any():
        return "no decisions have scores of all metrics"
    segment = data.human.decisions.segment[counted]
    pairs = zip(*consistent_and_counted(found[:, counted], settings), strict=True)
    tables = [
        np.column_stack([summed(segment, row, data.segments) for row in both]) for both in pairs
    ]
    return _from_sums(data, tables, lambda totals: ratio(totals)[:, 0])


def _by_accuracy(
    data: MatchedScores, used: Sequence[int], settings: MetricSettings
) -> Sample | str:
    grouping = settings.grouped("item")

    def values(part: MatchedScores) -> list[float]:
        found = [metric_accuracy(part, at, grouping) for at in used]
        return [np.nan if isinstance(one, str) else one[0].accuracy for one in found]

    found = Sample(*leave_out(decisions_of_all(data, used), values))
    return "no pairs have scores of all metrics" if np.isnan(found.values).any() else found


def _by_soft_accuracy(data: MatchedScores, used: Sequence[int], _: MetricSettings) -> Sample | str:
    if data.human.means is None:
        return RATINGS
    whole = ~np.isnan(complete_means(data, used)).any(axis=1)
    if not whole.any() or len(data.systems) < 2:
        return "no segment has judgments and all metrics' scores of every system"

    def values(part: MatchedScores) -> list[float]:
        assert part.human.means is not None
        kept = whole & ~np.isnan(part.human.means).any(axis=1)
        return [soft_accuracy(part.human.means[kept], data.oriented[at][kept]) for at in used]

    found = Sample(*leave_out(data, values))
    # SPA depends on the number of segments: a bias would be that of another quantity.
    return found._replace(left_out=found.left_out - found.left_out.mean(axis=0) + found.values)


def _compare_by_systems(
    coefficient: Coefficient, data: MatchedScores, used: Sequence[int], settings: MetricSettings
) -> Comparison | str:
    scores = np.stack([data.signs[at] * data.system_scores(at)[0] for at in used])
    human = data.human.system_scores
    there = ~np.isnan(human) & ~np.isnan(scores).any(axis=0)
    if there.sum() < FEWEST_SYSTEMS:
        return f"fewer than {FEWEST_SYSTEMS} systems have all scores"
    people = np.broadcast_to(human[there], scores[:, there].shape)

    def values(kept: Mask) -> Array:
        return coefficient.of(ScoreGroups(people[:, kept], scores[:, there][:, kept]))

    each = np.arange(int(there.sum()))
    left_out = np.stack([values(each != one) for one in each])
    found = values(each >= 0)
    if np.isnan(found).any() or np.isnan(left_out).any():
        return "the scores of some metric do not vary"
    tests = compare_coefficients(
        found, left_out, confidence=settings.confidence, units=len(each), words="systems"
    )
    return Comparison(used, found, tests)


SHARES = ("acceq", "consistency", "spa")
COEFFICIENTS: Mapping[str, Coefficient] = {
    "system-pearson": PEARSON,
    "system-spearman": SPEARMAN,
    "system-kendall": kendall_of("b"),
}
SAMPLES: Mapping[str, Callable[[MatchedScores, Sequence[int], MetricSettings], Sample | str]] = {
    "pearson": _by_pearson,
    "pdp": _by_differences,
    "acceq": _by_accuracy,
    "consistency": _by_consistency,
    "spa": _by_soft_accuracy,
}
