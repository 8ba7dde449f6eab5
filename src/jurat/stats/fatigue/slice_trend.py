"""Whether what is followed over a judge's work rises or falls steadily."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import factorial

import numpy as np

from jurat.resampling import permute_signs
from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.bias.pairing import ratio
from jurat.stats.evaluation import Evaluation
from jurat.stats.fatigue.courses import Followed, followed
from jurat.stats.fatigue.slices import Course, Slicing
from jurat.stats.ratings import Array
from jurat.stats.spread import Spread, spread, told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.words import listed

ORDERS = 5_040
"""Orders of slices up to which all are tried: those of seven."""
DRAWN = 9_999
TESTS = ("judges", "slices")


class SliceTrend(Statistic[Slicing]):
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
    place = 50

    def results(self, evaluation: Evaluation, settings: Slicing) -> Iterator[Result]:
        """The slopes, then the tests."""
        parts = followed(evaluation, settings)
        trends = tuple(_trend(*one, settings) for one in _each(parts))
        tests = tuple(e for one in _each(parts) for e in _tests(*one, settings))
        yield self.result(
            evaluation,
            settings,
            trends,
            method=told(
                self.formula, "percentile interval over judges" if settings.bootstrap else ""
            ),
            headline=_headline(trends, tests),
            draw=lambda: _draw(trends),
            slices=settings.slices,
            group=settings.group,
            source=settings.source,
        )
        yield self.result(
            evaluation,
            settings,
            tests,
            name="slice-trend-p",
            method=(
                "two-sided p of that change; judges: random signs of the judges' changes; slices: "
                "other orders of the slices, all of them or 9,999, which stays valid where all "
                "judges had the same items in a slice; n counts judges"
            ),
            seed=settings.seed,
            slices=settings.slices,
            group=settings.group,
            source=settings.source,
        )


def slopes(values: Array) -> Array:
    """The least-squares change from one column to the next, for each row."""
    steps = np.arange(values.shape[1]) - (values.shape[1] - 1) / 2
    return np.asarray(values @ steps / (steps @ steps))


def order_p(means: Array, *, seed: int) -> float:
    """Two-sided p of the change from slice to slice among other orders of the slices."""
    size = len(means)
    if factorial(min(size, 20)) <= ORDERS:
        orders = np.array(list(permutations(range(size))))
        extra = 0
    else:
        orders = np.random.default_rng(seed).permuted(np.tile(np.arange(size), (DRAWN, 1)), axis=1)
        extra = 1
    found = np.abs(slopes(means[orders]))
    hits = int((found >= abs(slopes(means[None])[0]) - 1e-12).sum())
    return (hits + extra) / (len(orders) + extra)


def _each(parts: Sequence[Followed]) -> Iterator[tuple[Followed, Course]]:
    for part in parts:
        for course in part[1]:
            yield part, course


def _by(part: Followed, course: Course) -> dict[str, Key]:
    return {**part[0].ratings.by, "measure": course.measure, **course.keys}


def _unknown(course: Course) -> str:
    if course.values.shape[1] < 2:
        return "there is a single slice"
    return "" if len(course.complete) else "no judge has a value in every slice"


def _trend(part: Followed, course: Course, settings: Settings) -> Estimate:
    by, tags = _by(part, course), part[0].ratings.tags
    if reason := _unknown(course):
        return Estimate(None, 0, by=by, tags=tags, reason=reason)
    found = slopes(course.complete)
    drawn: Spread = spread(np.column_stack([found, np.ones(len(found))]), ratio, settings=settings)
    return drawn.estimate(n=len(found), by=by, tags=tags)


def _tests(part: Followed, course: Course, settings: Settings) -> Iterator[Estimate]:
    by, tags, values = _by(part, course), part[0].ratings.tags, course.complete
    for test in TESTS:
        reason, p = _unknown(course), None
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
