"""Whether measures rise or fall over judges' work, and after how many decisions quality falls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import factorial
from typing import NamedTuple

import numpy as np

from jurat.resampling import adjust
from jurat.resampling.student_t import t_quantile
from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.estimates import ROUNDING
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.fatigue.slice_measures import SliceMeasures, slice_measures
from jurat.stats.fatigue.slices import (
    FEW,
    FEWEST_ORDERS,
    SAME_ORDER,
    SliceStatistic,
    SliceValues,
)
from jurat.stats.judges.peer_tests import HIGH, LOW, TWO_SIDED
from jurat.stats.phrases import NO_VARIATION, listed
from jurat.stats.ratings import Array
from jurat.stats.settings import FatigueSettings, Settings
from jurat.stats.statistic import Answer

# Orders of slices up to which all are tried: those of seven.
ORDERS = 5_040
DRAWN = 9_999
TESTS = ("judges", "slices")
P_FORMULA = (
    "two-sided p of that change; judges: t test of the judges' changes, those who had the same "
    "items in the same order counting as one; slices: other orders of the slices, all of them or "
    "9,999; n counts judges"
)
SIGNIFICANT = 0.05
# Slices before a fall can begin, where it is not one: everybody is slow at the start.
WARM_UP = {"seconds": 2}
FALLS = {
    "sd": "judges' scores vary less",
    "distance": "judges' scores lie farther from the others'",
    "agreement": "judges agree less",
    "seconds": "judges decide faster",
}
# What the axes of figures call measures, and pairs of judges.
MEASURES = {
    "sd": "spread of scores",
    "mean": "mean score",
    "distance": "distance from others",
    "within": "(same reference)",
    "source": "(source)",
    "all": "(all pairs)",
}
# Measures of which a rise is a fall of quality.
RISING = frozenset({"distance"})


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
        share = f"{100 * settings.confidence:g} %"
        yield Answer(
            trends,
            headline=_headline(each, settings),
            how=f"{share} t interval over judges" if settings.intervals else "",
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


def _named(key: str) -> str:
    return MEASURES.get(key, key)


def measure_rows(estimates: Sequence[Estimate]) -> list[dict[str, object]]:
    """The data of a figure, with the measure and its kind of pairs under the name `what`."""
    return [
        {**row, "what": " ".join(_named(str(row[k])) for k in ("measure", "pairs") if k in row)}
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


def _untestable(part: SliceMeasures, measured: SliceValues) -> str:
    """Why nothing can be said of other judges; empty where a test can."""
    if reason := _unknown(measured):
        return reason
    if part[0].same_order:
        return SAME_ORDER
    return FEW if measured.units < FEWEST_ORDERS else ""


def _trend(part: SliceMeasures, measured: SliceValues, settings: Settings) -> Estimate:
    by, tags = _by(part, measured), part[0].ratings.tags
    if reason := _unknown(measured):
        return Estimate(None, 0, by=by, tags=tags, reason=reason)
    found = slopes(measured.complete)
    low, high = _ends(part, measured, settings) if settings.intervals else (None, None)
    alike = settings.intervals and low is None and not _untestable(part, measured)
    return Estimate(
        float(found.mean()),
        len(found),
        by=by,
        tags=tags,
        low=low,
        high=high,
        note=NO_VARIATION if alike else "",
    )


def _ends(
    part: SliceMeasures, measured: SliceValues, settings: Settings
) -> tuple[float | None, float | None]:
    """The interval of the mean slope over judges; none where nothing can be said of others.

    Judges whose slopes are all alike have none either: one of no width would claim certainty.
    """
    if _untestable(part, measured):
        return None, None
    found = measured.test(slopes(measured.complete), TWO_SIDED)
    far = float((found.error * t_quantile(found.freedom, (1 + settings.confidence) / 2))[0])
    middle = float(found.difference[0])
    if far <= ROUNDING * abs(middle):
        return None, None
    return middle - far, middle + far


def _tests(part: SliceMeasures, measured: SliceValues, settings: Settings) -> Iterator[Estimate]:
    by, tags, values = _by(part, measured), part[0].ratings.tags, measured.complete
    for test in TESTS:
        by_judges = test == "judges"
        doubt = _untestable(part, measured)
        reason = doubt if by_judges else _unknown(measured)
        p = None
        if not reason:
            means = values.mean(axis=0)
            p = _p(measured) if by_judges else order_p(means, seed=settings.seed)
        # the orders of slices take the items as given: a fall of theirs may be why
        note = "" if reason else doubt
        yield Estimate(p, len(values), by={**by, "test": test}, tags=tags, reason=reason, note=note)


def _p(measured: SliceValues) -> float:
    return float(measured.test(slopes(measured.complete), TWO_SIDED).p[0])


_NAMED = {
    "sd": "the SD of scores",
    "mean": "the mean score",
    "distance": "the distance of scores from the others'",
    "agreement": "agreement",
    "seconds": "the time a decision takes",
}


def _headline(each: Sequence[tuple[SliceMeasures, SliceValues]], settings: Settings) -> str:
    """The trends that the test over judges finds, corrected by Holm for the measures."""
    known = [one for one in each if not _unknown(one[1])]
    tested = [one for one in known if not _untestable(*one)]
    if not known:
        return ""
    if not tested:
        return f"No trend can be told: {_untestable(*known[0])}."
    p = adjust([_p(measured) for _, measured in tested], "holm")
    found: dict[str, None] = {}
    for (_, measured), chance in zip(tested, p, strict=True):
        if chance < SIGNIFICANT:
            rises = slopes(measured.complete).mean() > 0
            found[f"{_title(measured)} {'rises' if rises else 'falls'}"] = None
    if not found:
        return f"Nothing rises or falls steadily beyond chance. {_changes(tested, settings)}"
    words = listed(list(found))
    return f"{words[0].upper()}{words[1:]} steadily over the judges' work."


def _title(measured: SliceValues) -> str:
    kind = f" ({measured.keys['pairs']})" if "pairs" in measured.keys else ""
    return f"{_NAMED[measured.measure]}{kind}"


def _changes(tested: Sequence[tuple[SliceMeasures, SliceValues]], settings: Settings) -> str:
    """What remains possible: the change from the first slice to the last, with its interval."""
    told: dict[str, None] = {}
    for part, measured in tested:
        low, high = _ends(part, measured, settings)
        if low is not None and high is not None and not np.isnan(low):
            steps = measured.values.shape[1] - 1
            ends = f"{spoken(steps * low)} to {spoken(steps * high)}"
            told.setdefault(f"{_title(measured)} {ends}")
    if not told:
        return ""
    share = f"{100 * settings.confidence:g} %"
    # the first ones stand for the first question
    return f"From the first slice to the last, changes may be ({share}): {'; '.join([*told][:4])}."


class QualityFall(SliceStatistic):
    """The point from which a measure of quality is lower than before, if there is one."""

    name = "quality-fall"
    asks = "After how many decisions does quality fall, and how large may a kit be?"
    formula = (
        "decisions before the border of slices after which the measure's mean is lower than before "
        "it (of the distance: higher), where judges' differences say so (one-sided t test over "
        "judges, Holm over borders, measures and questions, p < .05): the border with the smallest "
        "p; n counts judges with all slices"
    )
    source = "advice after Fomicheva & Specia 2016, section 6 (smaller batches)"
    needs = ("judge",)
    order = 10

    def answers(self, evaluation: Evaluation, settings: FatigueSettings) -> Iterator[Answer]:
        """A change point for every measure, or why there is none."""
        parts = slice_measures(evaluation, settings)
        looked = [(part, v) for part in parts for v in part[1] if v.measure in FALLS]
        found = find_falls(looked)
        yield Answer(
            tuple(finding.estimate for finding in found),
            headline=_fall_headline(looked, found, settings),
        )

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A bar for each measure."""
        return figures.bars(
            "Decisions after which quality falls",
            measure_rows(estimates),
            x=figures.axis("value", "decisions"),
            y=figures.axis("what", "measure", "nominal"),
        )


class ChangePoint(NamedTuple):
    """The border of slices after which values are lower, its p, and the means around it."""

    border: int
    p: float
    before: float
    after: float


def border_p(measured: SliceValues) -> Array:
    """One-sided p of a fall at every border of slices (of the distance: of a rise)."""
    values = measured.complete
    borders = range(WARM_UP.get(measured.measure, 1), values.shape[1])
    # Judges are compared with themselves: what differs between them does not matter.
    changes = [values[:, c:].mean(axis=1) - values[:, :c].mean(axis=1) for c in borders]
    side = HIGH if measured.measure in RISING else LOW
    return np.array([measured.test(change, side).p[0] for change in changes])


def change_point(measured: SliceValues, p: Array) -> ChangePoint:
    """The border with the smallest p, of those given for every border."""
    values = measured.complete
    border = int(np.nanargmin(p)) + WARM_UP.get(measured.measure, 1)
    before, after = values[:, :border].mean(), values[:, border:].mean()
    return ChangePoint(border, float(np.nanmin(p)), float(before), float(after))


class _Finding(NamedTuple):
    """What was found about one measure."""

    measure: str
    estimate: Estimate
    fall: ChangePoint | None = None

    @classmethod
    def of(cls, part: SliceMeasures, measured: SliceValues, p: Array) -> _Finding:
        sliced, values = part[0], measured.complete
        here = Estimate(None, len(values), by=_by(part, measured), tags=sliced.ratings.tags)
        if np.isnan(p).all():
            why = _untestable(part, measured) or "too few slices, or no differences"
            return cls(measured.measure, here._replace(reason=why))
        fall = change_point(measured, p)
        if fall.p >= SIGNIFICANT:
            why = f"no fall was found (smallest p = {fall.p:.3f})"
            return cls(measured.measure, here._replace(reason=why))
        length = float(np.median(sliced.lengths))
        # In decisions of a judge with a typical amount of work, since slices are shares of it.
        decisions = round(length * fall.border / sliced.count)
        return cls(measured.measure, here._replace(value=float(decisions)), fall)


def find_falls(looked: Sequence[tuple[SliceMeasures, SliceValues]]) -> list[_Finding]:
    """The fall of each measure, or why there is none; p is corrected for all that is looked at."""
    tests = [np.zeros(0) if _untestable(*one) else border_p(one[1]) for one in looked]
    # All borders of all measures are tried, so that the smallest p has to be corrected for them.
    adjusted = adjust(np.concatenate(tests), "holm") if looked else np.zeros(0)
    ends = np.cumsum([len(p) for p in tests])[:-1]
    return [
        _Finding.of(*one, p)
        for one, p in zip(looked, np.split(adjusted, ends) if looked else [], strict=True)
    ]


def _fall_headline(
    looked: Sequence[tuple[SliceMeasures, SliceValues]],
    found: Sequence[_Finding],
    settings: Settings,
) -> str:
    falls = [f for f in found if f.fall and f.estimate.value is not None]
    # Who decides faster may just have learnt the task: that alone is no loss of quality.
    quality = [f for f in falls if f.measure != "seconds"]
    known = [one for one in looked if not _unknown(one[1])]
    tested = [one for one in known if not _untestable(*one)]
    if not known:
        return ""
    if not tested:
        return f"Whether quality falls cannot be told: {_untestable(*known[0])}."
    if not falls:
        return (
            f"No fall of quality was found; that does not exclude one. {_changes(tested, settings)}"
        )
    words = listed(list(dict.fromkeys(map(_in_words, falls))))
    words = words[0].upper() + words[1:]
    if not quality:
        return f"{words}; that may be practice, since nothing else falls beyond chance."
    size = min(f.estimate.value or 0.0 for f in quality)
    kits = f"kits of at most {size:,.0f} decisions may avoid that"
    if all(f.measure == "sd" for f in quality):
        # errors that become fewer narrow the scores as much as a scale that is hardly used
        return f"{words}, be it that judges tire or become steadier; if they tire, {kits}."
    return f"{words}: {kits}."


def _in_words(found: _Finding) -> str:
    assert found.fall is not None
    kind = f" ({found.estimate.by['pairs']})" if "pairs" in found.estimate.by else ""
    numbers = f"{found.fall.before:.2f} before, {found.fall.after:.2f} after"
    return f"{FALLS[found.measure]}{kind} after {found.estimate.value:,.0f} decisions ({numbers})"
