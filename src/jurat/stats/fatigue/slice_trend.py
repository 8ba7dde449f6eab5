"""Whether measures rise or fall over judges' work, and after how many decisions quality falls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import factorial
from typing import NamedTuple

import numpy as np

from jurat.resampling import adjust, permute_signs
from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.estimates import bootstrap_means
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.fatigue.slice_measures import SliceMeasures, slice_measures
from jurat.stats.fatigue.slices import SlicedRatings, SliceStatistic, SliceValues
from jurat.stats.phrases import listed
from jurat.stats.ratings import Array
from jurat.stats.settings import FatigueSettings, Settings
from jurat.stats.statistic import Answer

# Orders of slices up to which all are tried: those of seven.
ORDERS = 5_040
DRAWN = 9_999
TESTS = ("judges", "slices")
P_FORMULA = (
    "two-sided p of that change; judges: random signs of the judges' changes; slices: "
    "other orders of the slices, all of them or 9,999, which stays valid where all "
    "judges had the same items in a slice; n counts judges"
)
SIGNIFICANT = 0.05
# Slices before a fall can begin, where it is not one: everybody is slow at the start.
WARM_UP = {"seconds": 2}
FALLS = {
    "sd": "judges' scores vary less",
    "agreement": "judges agree less",
    "seconds": "judges decide faster",
}


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
            headline=_headline(trends, tests),
            how=drawn,
        )
        yield Answer(tests, P_FORMULA, "slice-trend-p", draw=dict)

    def results(self, evaluation: Evaluation, settings: FatigueSettings) -> Iterator[Result]:
        """As of every statistic of slices; the seed of the tests stands first in the signature."""
        trends, tests = self.answers(evaluation, settings)
        yield trends.result(self, evaluation, settings, settings.signature())
        seed = {"seed": settings.seed}
        yield tests.result(self, evaluation, settings, {**seed, **settings.signature()})

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A bar for each measure; p-values have no figure."""
        if name == "slice-trend-p":
            return {}
        return figures.bars(
            "Change from one slice of a judge's work to the next",
            measure_rows(estimates),
            x=figures.axis("value", "change"),
            y=figures.axis("what", "measure", "nominal"),
            colour=figures.axis("question", "question", "nominal"),
        )


def measure_rows(estimates: Sequence[Estimate]) -> list[dict[str, object]]:
    """The data of a figure, with the measure and its kind of pairs under the name `what`."""
    return [
        {**row, "what": " ".join(str(row[k]) for k in ("measure", "pairs") if k in row)}
        for row in figures.rows(estimates)
    ]


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
        if trend.value is None or any(p is None or p >= SIGNIFICANT for p in both):
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


class QualityFall(SliceStatistic):
    """The point from which a measure of quality is lower than before, if there is one."""

    name = "quality-fall"
    asks = "After how many decisions does quality fall, and how large may a kit be?"
    formula = (
        "decisions before the border of slices after which the measure's mean is lower than before "
        "it, where judges' differences say so (one-sided sign flips, Holm over borders, p < .05): "
        "the border with the largest mean difference / SE; n counts judges with all slices"
    )
    source = "advice after Fomicheva & Specia 2016, section 6 (smaller batches)"
    needs = ("judge",)
    order = 10

    def answers(self, evaluation: Evaluation, settings: FatigueSettings) -> Iterator[Answer]:
        """A change point for every measure, or why there is none."""
        parts = slice_measures(evaluation, settings)
        found = [
            _Finding.of(sliced, values, settings)
            for sliced, measured in parts
            for values in measured
            if values.measure in FALLS
        ]
        estimates = tuple(finding.estimate for finding in found)
        alike = any(sliced.same_order for sliced, _ in parts)
        yield Answer(
            estimates,
            headline=_fall_headline(found, alike=alike),
            choices={"seed": settings.seed},
            how=_ALIKE if alike else "",
        )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A bar for each measure."""
        return figures.bars(
            "Decisions after which quality falls",
            measure_rows(estimates),
            x=figures.axis("value", "decisions"),
            y=figures.axis("what", "measure", "nominal"),
        )


_ALIKE = "judges met the same items at the same place: a slice's items may explain a fall"


class ChangePoint(NamedTuple):
    """The border of slices after which values are lower, its p, and the means around it."""

    border: int
    p: float
    before: float
    after: float


def change_point(values: Array, *, seed: int, warm_up: int = 1) -> ChangePoint | None:
    """The likeliest border of a fall in values (judges × slices); None without values to test."""
    borders = range(warm_up, values.shape[1])
    if not borders or not len(values):
        return None
    # Judges are compared with themselves: what differs between them does not matter.
    changes = np.column_stack(
        [values[:, c:].mean(axis=1) - values[:, :c].mean(axis=1) for c in borders]
    )
    # All borders are tried, so that the smallest p has to be corrected for their number.
    p = adjust(permute_signs(changes, alternative="less", seed=seed).p_value, "holm")
    error = changes.std(axis=0) / np.sqrt(len(changes))
    mean = changes.mean(axis=0)
    # Differences that are all the same have no error: certain, if they go down at all.
    size = np.divide(mean, error, out=np.where(mean < 0, -np.inf, 0.0), where=error > 1e-12)
    # Many borders share the smallest p that permutations can give: then the larger effect counts.
    best = int(np.lexsort((size, p))[0])
    border = borders[best]
    before, after = values[:, :border].mean(), values[:, border:].mean()
    return ChangePoint(border, float(p[best]), float(before), float(after))


class _Finding(NamedTuple):
    """What was found about one measure."""

    measure: str
    estimate: Estimate
    fall: ChangePoint | None = None

    @classmethod
    def of(cls, sliced: SlicedRatings, measured: SliceValues, settings: Settings) -> _Finding:
        values = measured.complete
        by = {**sliced.ratings.by, "measure": measured.measure, **measured.keys}
        fall = change_point(values, seed=settings.seed, warm_up=WARM_UP.get(measured.measure, 1))
        here = Estimate(None, len(values), by=by, tags=sliced.ratings.tags)
        if fall is None:
            why = "no judge has a value in every slice" if not len(values) else "too few slices"
            return cls(measured.measure, here._replace(reason=why))
        if fall.p >= SIGNIFICANT:
            why = f"no fall was found (smallest p = {fall.p:.3f})"
            return cls(measured.measure, here._replace(reason=why))
        length = float(np.median(sliced.lengths))
        # In decisions of a judge with a typical amount of work, since slices are shares of it.
        decisions = round(length * fall.border / sliced.count)
        return cls(measured.measure, here._replace(value=float(decisions)), fall)


def _fall_headline(found: Sequence[_Finding], *, alike: bool) -> str:
    falls = [f for f in found if f.fall and f.estimate.value is not None]
    # Who decides faster may just have learnt the task: that alone is no loss of quality.
    quality = [f for f in falls if f.measure != "seconds"]
    if not any(f.estimate.n for f in found):
        return ""
    if not falls:
        return "No fall of quality was found over the judges' work: kits of this size seem fine."
    words = listed(list(dict.fromkeys(map(_in_words, falls))))
    words = words[0].upper() + words[1:]
    if not quality:
        return f"{words}; that may be practice, since nothing else falls."
    if alike:
        return (
            f"{words}; but judges met the same items there, so that these may be why and no size "
            "of kits follows: shuffled kits would tell."
        )
    size = min(f.estimate.value or 0.0 for f in quality)
    return f"{words}: kits of at most {size:,.0f} decisions would avoid that."


def _in_words(found: _Finding) -> str:
    assert found.fall is not None
    kind = f" ({found.estimate.by['pairs']})" if "pairs" in found.estimate.by else ""
    numbers = f"{found.fall.before:.2f} before, {found.fall.after:.2f} after"
    return f"{FALLS[found.measure]}{kind} after {found.estimate.value:,.0f} decisions ({numbers})"
