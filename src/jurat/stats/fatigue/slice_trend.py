"""Whether use of the scale, scores, agreement or seconds rise or fall over judges' work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import factorial

import numpy as np

from jurat.resampling import permute_signs
from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.estimates import bootstrap_means, method_line
from jurat.stats.evaluation import Evaluation
from jurat.stats.fatigue import slice_scores
from jurat.stats.fatigue.slice_agreement import ORDER, SliceKappas, slice_kappas
from jurat.stats.fatigue.slices import SlicedRatings, SliceStatistic, SliceValues
from jurat.stats.phrases import listed
from jurat.stats.ratings import Array
from jurat.stats.settings import FatigueSettings
from jurat.stats.statistic import Answer, Settings

SliceMeasures = tuple[SlicedRatings, tuple[SliceValues, ...]]


def slice_measures(evaluation: Evaluation, settings: FatigueSettings) -> tuple[SliceMeasures, ...]:
    """What is measured in the slices of every question and split."""
    return evaluation.once(_followed, settings.group, settings.source, settings.slices)


def _followed(
    evaluation: Evaluation, group: str, source: str | None, count: int
) -> tuple[SliceMeasures, ...]:
    parts = evaluation.once(slice_kappas, group, source, count)
    return tuple((part.sliced, tuple(_measures(part))) for part in parts)


def _measures(part: SliceKappas) -> Iterator[SliceValues]:
    yield from slice_scores.score_values(part.sliced)
    # Linear weights, as in the paper's figure; words have none, and keep what they have.
    linear = [measured for measured in part.values() if measured.keys["weights"] == ORDER[0]]
    yield from linear or part.values()
    if part.sliced.ratings.has("seconds"):
        yield from slice_scores.seconds_values(part.sliced)


# Orders of slices up to which all are tried: those of seven.
ORDERS = 5_040
DRAWN = 9_999
TESTS = ("judges", "slices")
P_FORMULA = (
    "two-sided p of that change; judges: random signs of the judges' changes; slices: "
    "other orders of the slices, all of them or 9,999, which stays valid where all "
    "judges had the same items in a slice; n counts judges"
)


class SliceTrend(SliceStatistic):
    """Slopes over the slices with two tests, since judges and items may both explain them."""

    name = "slice-trend"
    gives = ("slice-trend", "slice-trend-p")
    asks = "Does agreement, the use of the scale or the time taken rise or fall steadily?"
    formula = (
        "mean over judges of the least-squares change from one slice to the next, judges with all "
        "slices only; for agreement of jackknife pseudo-values; n counts judges"
    )
    source = "analysis of the slices of Fomicheva & Specia 2016, section 5"
    needs = ("judge",)
    order = 50

    def answers(self, evaluation: Evaluation, settings: FatigueSettings) -> Iterator[Answer]:
        """The slopes, then the tests."""
        parts = slice_measures(evaluation, settings)
        each = [(part, values) for part in parts for values in part[1]]
        trends = tuple(_trend(*one, settings) for one in each)
        tests = tuple(e for one in each for e in _tests(*one, settings))
        drawn = "percentile interval over judges" if settings.bootstrap else ""
        yield Answer(
            trends,
            method_line(self.formula, drawn),
            headline=_headline(trends, tests),
            draw=lambda: _draw(trends),
        )
        yield Answer(tests, P_FORMULA, "slice-trend-p")

    def results(self, evaluation: Evaluation, settings: FatigueSettings) -> Iterator[Result]:
        """As of every statistic of slices; the seed of the tests stands first in the signature."""
        trends, tests = self.answers(evaluation, settings)
        yield trends.result(self, evaluation, settings, settings.signature())
        seed = {"seed": settings.seed}
        yield tests.result(self, evaluation, settings, {**seed, **settings.signature()})


def slopes(values: Array) -> Array:
    """The least-squares change from one column to the next, for each row."""
    steps = np.arange(values.shape[1]) - (values.shape[1] - 1) / 2
    return np.asarray(values @ steps / (steps @ steps))


def order_p(means: Array, *, seed: int) -> float:
    """Two-sided p of the change from slice to slice among other orders of the slices."""
    size = len(means)
    if factorial(min(size, 20)) <= ORDERS:
        # Few slices have few orders: all of them give an exact p.
        orders = np.array(list(permutations(range(size))))
        extra = 0
    else:
        orders = np.random.default_rng(seed).permuted(np.tile(np.arange(size), (DRAWN, 1)), axis=1)
        # The observed order counts as one of those drawn, so that p is never 0.
        extra = 1
    found = np.abs(slopes(means[orders]))
    hits = int((found >= abs(slopes(means[None])[0]) - 1e-12).sum())
    return (hits + extra) / (len(orders) + extra)


def _by(part: SliceMeasures, measured: SliceValues) -> dict[str, Key]:
    return {**part[0].ratings.by, "measure": measured.measure, **measured.keys}


def _unknown(measured: SliceValues) -> str:
    if measured.values.shape[1] < 2:
        return "there is a single slice"
    return "" if len(measured.complete) else "no judge has a value in every slice"


def _trend(part: SliceMeasures, measured: SliceValues, settings: Settings) -> Estimate:
    by, tags = _by(part, measured), part[0].ratings.tags
    if reason := _unknown(measured):
        return Estimate(None, 0, by=by, tags=tags, reason=reason)
    found = slopes(measured.complete)
    means = bootstrap_means(found, settings=settings)
    return means.estimate(n=len(found), by=by, tags=tags)


def _tests(part: SliceMeasures, measured: SliceValues, settings: Settings) -> Iterator[Estimate]:
    by, tags, values = _by(part, measured), part[0].ratings.tags, measured.complete
    for test in TESTS:
        reason, p = _unknown(measured), None
        if not reason and test == "judges":
            p = float(permute_signs(slopes(values), seed=settings.seed).p_value)
        elif not reason:
            p = order_p(values.mean(axis=0), seed=settings.seed)
        yield Estimate(p, len(values), by={**by, "test": test}, tags=tags, reason=reason)


_NAMED = {
    "sd": "the SD of scores",
    "mean": "the mean score",
    "agreement": "agreement",
    "seconds": "the time a decision takes",
}


def _headline(trends: Sequence[Estimate], tests: Sequence[Estimate]) -> str:
    """The trends that both tests find."""
    found: dict[str, None] = {}
    for trend in trends:
        # A trend counts where both tests find it: over judges, and over orders of slices.
        both = [
            e.value
            for e in tests
            if e.by == {**trend.by, "test": e.by["test"]} and e.tags == trend.tags
        ]
        if trend.value is None or any(p is None or p >= 0.05 for p in both):
            continue
        name = _NAMED[str(trend.by["measure"])]
        kind = f" ({trend.by['pairs']})" if "pairs" in trend.by else ""
        found[f"{name}{kind} {'rises' if trend.value > 0 else 'falls'}"] = None
    if not any(trend.value is not None for trend in trends):
        return ""
    if not found:
        return "Nothing rises or falls steadily over the judges' work."
    words = listed(list(found))
    return f"{words[0].upper()}{words[1:]} steadily over the judges' work."


def _draw(trends: Sequence[Estimate]) -> Figure:
    rows = [
        {**row, "what": " ".join(str(row[k]) for k in ("measure", "pairs") if k in row)}
        for row in figures.rows(trends)
    ]
    return figures.bars(
        "Change from one slice of a judge's work to the next",
        rows,
        x=figures.axis("value", "change"),
        y=figures.axis("what", "measure", "nominal"),
        colour=figures.axis("question", "question", "nominal"),
    )
