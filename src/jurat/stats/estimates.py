"""Values with their intervals, as estimates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurat.resampling import bootstrap, jackknife_t, wilson_by_unit
from jurat.resampling.cluster_sums import Clusters, cluster_sums
from jurat.resampling.engine import Score, evaluate
from jurat.resampling.jackknife_t import (
    JackknifeT,
    Scale,
    interval_of_left_out,
    random_groups,
)
from jurat.resampling.student_t import t_quantile
from jurat.results import Estimate, Key, Subject
from jurat.stats.phrases import NO_VARIATION
from jurat.stats.settings import Settings

# `each of 40 documents`, `of 1,200 items in 1,000 random groups`.
NUMBER_OF_UNITS = re.compile(r"[\d,]+ (?=documents|items|judges|units)")
# Below this share of its size a standard error is what rounding leaves of none.
ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True)
class Estimates:
    """Values, the ends of their intervals (NaN where there is none), and how these came about."""

    values: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    method: str = ""
    notes: tuple[str, ...] = ()
    """How far each value can be trusted, where that is less than usual; else none or empty."""

    @classmethod
    def undefined(cls, number: int = 1) -> Estimates:
        """As many values as `number`, all undefined."""
        return cls.without_intervals(np.full(number, np.nan))

    @classmethod
    def without_intervals(cls, values: NDArray[np.float64], method: str = "") -> Estimates:
        """Values without intervals: none were asked for, or none can be computed."""
        nothing = np.full(values.shape, np.nan)
        return cls(values=values, low=nothing, high=nothing, method=method)

    def __getitem__(self, part: slice) -> Estimates:
        """A slice of the values, with their intervals."""
        values, low, high = (a[part] for a in (self.values, self.low, self.high))
        notes = self.notes[part]
        return Estimates(values=values, low=low, high=high, method=self.method, notes=notes)

    def estimate(
        self,
        at: int = 0,
        *,
        n: int,
        about: Subject | None = None,
        by: Mapping[str, Key] = {},
        tags: Mapping[str, Key] = {},
        reason: str = "",
        side: str = "",
    ) -> Estimate:
        """One of the values as `Estimate.of` makes it; `reason` says why where it is undefined."""
        value, low, high = (float(a[at]) for a in (self.values, self.low, self.high))
        return Estimate.of(
            value,
            n,
            about=about,
            by=by,
            tags=tags,
            low=low,
            high=high,
            reason=reason,
            side=side,
            note=self.notes[at] if self.notes else "",
        )


def bootstrap_estimates(
    statistics: ArrayLike,
    score: Score,
    *,
    settings: Settings,
    clusters: Clusters = None,
    copies: ArrayLike | None = None,
    method: str = "percentile",
) -> Estimates:
    """Score the totals, and resample clusters for the intervals if the settings ask for any.

    See `jurat.resampling.bootstrap` for what the arguments are.
    """
    if not settings.intervals:
        return _without_intervals(statistics, score, clusters, copies)
    sampled = bootstrap(
        statistics,
        score,
        clusters=clusters,
        copies=copies,
        replicates=settings.bootstrap,
        seed=settings.seed,
        confidence=settings.confidence,
        method=method,
        jobs=settings.jobs,
    )
    values = np.atleast_1d(np.asarray(sampled.estimate, dtype=np.float64))
    # One cluster alone can be drawn in one way only, and has no interval.
    ends = sampled.interval or (np.full(values.shape, np.nan),) * 2
    low, high = (np.atleast_1d(np.asarray(end, dtype=np.float64)) for end in ends)
    return Estimates(values=values, low=low, high=high, method=sampled.method)


def _without_intervals(
    statistics: ArrayLike, score: Score, clusters: Clusters, copies: ArrayLike | None
) -> Estimates:
    total = cluster_sums(statistics, clusters, copies).total[None]
    values = np.atleast_1d(np.asarray(evaluate(score, total)[0], dtype=np.float64))
    return Estimates.without_intervals(values)


def jackknife_estimates(
    statistics: ArrayLike,
    score: Score,
    *,
    settings: Settings,
    clusters: ArrayLike | None = None,
    copies: ArrayLike | None = None,
    scale: Scale | Sequence[Scale] = "fisher",
    contributing: ArrayLike | None = None,
    sizes: ArrayLike | None = None,
    pseudo: bool = False,
    words: str = "items",
) -> Estimates:
    """Score the totals, with the jackknife's intervals if the settings ask for any.

    See `jurat.resampling.jackknife_t` for what the arguments are.
    """
    if not settings.intervals:
        return _without_intervals(statistics, score, clusters, copies)
    found = jackknife_t(
        statistics,
        score,
        clusters=clusters,
        copies=copies,
        scale=scale,
        contributing=contributing,
        sizes=sizes,
        pseudo=pseudo,
        confidence=settings.confidence,
        words=words,
    )
    return of_jackknife(found)


def of_jackknife(found: JackknifeT) -> Estimates:
    """The values of a jackknife; where one has no interval, a note says why."""
    notes = tuple(
        f"no interval: {reason}" if reason and not np.isnan(value) else ""
        for value, reason in zip(found.value, found.reasons, strict=True)
    )
    return Estimates(
        values=found.value, low=found.low, high=found.high, method=found.method, notes=notes
    )


def share_estimates(
    hits: ArrayLike,
    cases: ArrayLike,
    *,
    settings: Settings,
    clusters: ArrayLike | None = None,
    copies: ArrayLike | None = None,
    observed: ArrayLike | None = None,
    opposite: ArrayLike = 0.0,
    words: str = "items",
) -> Estimates:
    """Shares with Wilson's intervals if the settings ask for any; see `wilson_by_unit`."""
    found = wilson_by_unit(
        hits,
        cases,
        clusters=clusters,
        copies=copies,
        observed=observed,
        opposite=opposite,
        confidence=settings.confidence,
        words=words,
    )
    if not settings.intervals:
        return Estimates.without_intervals(found.value)
    return Estimates(values=found.value, low=found.low, high=found.high, method=found.method)


def bootstrap_means(
    values: NDArray[np.float64], *, settings: Settings, clusters: Clusters = None
) -> Estimates:
    """The mean of each column over the rows that have a value there, as `bootstrap_estimates`.

    Rows are units, or one column where there is one dimension; NaN is no value.
    """
    columns = values if values.ndim == 2 else values[:, None]
    if not len(columns):
        return Estimates.undefined(columns.shape[1])
    there = ~np.isnan(columns)
    sums = np.hstack([np.where(there, columns, 0.0), there.astype(np.float64)])
    return bootstrap_estimates(sums, ratio, settings=settings, clusters=clusters)


def t_means(values: NDArray[np.float64], *, settings: Settings, of: str) -> Estimates:
    """The mean of each column over the rows that have a value (NaN is none), with a t interval.

    Better than a bootstrap where rows are few, as judges are; `of` names what the rows are. Rows
    that are all alike have no interval, and a note: one of no width would claim certainty.
    """
    there = ~np.isnan(values)
    n = there.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(there, values, 0.0).sum(axis=0) / n
        away = np.where(there, values - means, 0.0)
        error = np.sqrt((away**2).sum(axis=0) / (n - 1) / n)
        far = error * t_quantile(n - 1.0, (1 + settings.confidence) / 2)
    if not settings.intervals:
        return Estimates.without_intervals(means)
    alike = error <= ROUNDING * np.abs(means)
    far = np.where((n > 1) & ~alike, far, np.nan)
    method = f"{100 * settings.confidence:g} % t interval over {of}"
    notes = tuple(NO_VARIATION if same else "" for same in alike & (n > 1))
    return Estimates(values=means, low=means - far, high=means + far, method=method, notes=notes)


def without_width(found: Estimates) -> Estimates:
    """The estimates, where intervals of no width, which would claim certainty, are left out."""
    alike = found.high - found.low <= ROUNDING * np.abs(found.values)
    if not alike.any():
        return found
    low, high = (np.where(alike, np.nan, end) for end in (found.low, found.high))
    notes = found.notes or ("",) * len(found.values)
    told = tuple(
        note or (NO_VARIATION if same else "") for note, same in zip(notes, alike, strict=True)
    )
    return replace(found, low=low, high=high, notes=told)


def ratio(totals: NDArray[np.float64]) -> NDArray[np.float64]:
    """The first half of the columns over the second: the score of means and shares."""
    half = totals.shape[1] // 2
    return np.asarray(totals[:, :half] / totals[:, half:])


def share_of_first(totals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each further column of totals divided by the first, which counts: a score of many shares."""
    return np.asarray(totals[:, 1:] / totals[:, :1])


def method_line(*parts: str) -> str:
    """The parts that are not empty, joined by semicolons: a method in one line."""
    return "; ".join(part for part in parts if part)


def first_method(found: Sequence[Estimates]) -> str:
    """The method of the first that has one, where all were made alike; else empty."""
    return next((one.method for one in found if one.method), "")


def common_method(methods: Iterable[str]) -> str:
    """The method of all results; without numbers of units where these differ."""
    several = list(dict.fromkeys(filter(None, methods)))
    if len(several) < 2:
        return "".join(several)
    return "; or ".join(dict.fromkeys(NUMBER_OF_UNITS.sub("the ", method) for method in several))


def normal_quantile(settings: Settings) -> float:
    """How many standard errors an interval of that confidence reaches to either side."""
    return NormalDist().inv_cdf((1 + settings.confidence) / 2)


def left_out_by_group(
    values: Callable[[NDArray[np.bool_]], Sequence[float]],
    unit: NDArray[np.int64],
    *,
    most: int,
    scale: Scale = "fisher",
    pseudo: bool = False,
    settings: Settings,
    words: str,
) -> Estimates:
    """Values computed anew without each unit, for what no sums can tell: ranks.

    Args:
        values: from the items that are kept, a mask, to the values.
        unit: of each item.
        most: units that are left out one by one; more are put into so many random groups.
        scale: on which intervals are computed.
        pseudo: whether some units are pseudo-items, see `jackknife_t`.
        settings: whether there are intervals, and their confidence.
        words: what the units are, for the method.
    """
    whole = np.array(values(np.ones(len(unit), dtype=np.bool_)), dtype=np.float64)
    units = int(unit.max(initial=-1)) + 1
    if not settings.intervals or units < 2 or np.isnan(whole).all():
        return Estimates.without_intervals(whole)
    groups = random_groups(units, most)
    group = groups[unit]
    left_out = np.array([values(group != one) for one in range(int(groups.max()) + 1)])
    found = interval_of_left_out(
        whole,
        left_out,
        fisher=np.full(len(whole), scale == "fisher"),
        sizes=np.bincount(unit),
        pseudo=pseudo,
        confidence=settings.confidence,
        units=units,
        words=words if len(left_out) == units else f"{words} in {len(left_out)} random groups",
    )
    return of_jackknife(found)
