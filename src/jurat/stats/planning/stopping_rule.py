"""When judging may stop: whether the order of two systems is settled, and what is missing.

Looking at the results after every kit and stopping at the first p < .05 finds a difference that is
not there much more often than one time in twenty. An always-valid interval allows for that: for two
equally good systems, the probability that it excludes 0 at any of the looks is at most α.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.phrases import listed
from jurat.stats.planning.campaign_design import judgment_arrays
from jurat.stats.planning.judgment_model import JudgmentArrays
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.settings import PlanSettings, SystemSettings
from jurat.stats.statistic import Answer, Settings, Statistic
from jurat.stats.systems.score_table import has_system_scores, score_table_of
from jurat.stats.systems.system_statistic import no_numbers

NONE = "no segment was judged for both systems"
# Segments that both systems need before anything is called settled.
FEWEST = 30
# Segments at which the bound is tightest; it must be fixed before one looks at the data.
TIGHTEST = 200
# How many times the segments judged so far are simulated to find how many are missing.
FARTHEST = 50


class MeanDifference(NamedTuple):
    """The mean difference of two systems over the segments that both translated."""

    mean: float
    error: float
    """Its standard error, with segments and judges both drawn at random."""
    segments: int
    judgments: float
    """Of the two systems together, for each segment."""


def radius(segments: Array | Codes | float, *, alpha: float) -> Array:
    """How many standard errors the mean of so many differences may lie from the true one.

    r = √(2 (nρ² + 1)/(nρ²) · log(√(nρ² + 1)/α)), with ρ² = (−2 log α + log(1 − 2 log α)) / n₀:
    Robbins' normal mixture (1970), as Waudby-Smith et al. (2024) tune it to be tightest at n₀.
    """
    tuned = -2 * np.log(alpha)
    grown = np.asarray(segments, dtype=np.float64) * (tuned + np.log1p(tuned)) / TIGHTEST
    return np.asarray(np.sqrt(2 * (grown + 1) / grown * np.log(np.sqrt(grown + 1) / alpha)))


def half_width(segments: Array | Codes | float, *, alpha: float) -> Array:
    """Half of the always-valid interval in standard errors: r / √(1 − r²/n).

    The bound r holds for the standard error around the true mean, √(Σd²)/n, and not around the
    observed one: sums of symmetric differences normalised like that keep it from the first segment
    on (de la Peña 1999), and differences of two equally good systems are symmetric. Infinite where
    n is so small that no mean could lie beyond.
    """
    width = radius(segments, alpha=alpha)
    left = 1 - width**2 / np.asarray(segments, dtype=np.float64)
    return np.where(left > 0, width / np.sqrt(np.maximum(left, 1e-300)), np.inf)


def is_settled(found: MeanDifference, *, alpha: float) -> bool:
    """Whether the always-valid interval of the difference excludes 0."""
    if found.segments < FEWEST or not found.mean:
        return False
    return abs(found.mean) > found.error * float(half_width(found.segments, alpha=alpha))


def probability(found: MeanDifference) -> float | None:
    """The probability that the system with the higher mean is better: flat prior, Student's t."""
    from scipy.special import stdtr

    if found.segments < 2 or not found.error:
        return None
    return float(stdtr(found.segments - 1, abs(found.mean) / found.error))


def difference(data: JudgmentArrays, first: int, second: int) -> MeanDifference:
    """Mean over segments of (mean of the first − mean of the second), and its standard error.

    The error is clustered by segment and by judge (Cameron, Gelbach & Miller 2011): sums of squared
    influences by segment, plus by judge, minus by both; never less than by segment alone.
    """
    chosen = _shared(data, first, second)
    segments, segment = np.unique(chosen.segment, return_inverse=True)
    n, sign = len(segments), np.where(chosen.system == first, 1.0, -1.0)
    if not n:
        return MeanDifference(0.0, 0.0, 0, 0.0)
    cell = 2 * segment + (sign > 0)
    # A system's mean on a segment counts once, however many judgments it is of.
    weights = sign / np.bincount(cell, minlength=2 * n)[cell] / n
    around = chosen.values - _means(chosen, sign, np.abs(weights))
    influence = weights * around
    by_segment = _squares(influence, segment)
    judges, both = chosen.judge, chosen.judge * n + segment
    crossed = by_segment + _squares(influence, judges) - _squares(influence, both)
    # Sums of equal values leave a rounding error that is no difference.
    least = 1e-12 * float(np.abs(chosen.values).max())
    found = (float((weights * chosen.values).sum()), float(np.sqrt(max(by_segment, crossed))))
    mean, error = (0.0 if abs(number) < least else number for number in found)
    return MeanDifference(mean, error, n, len(chosen.values) / n)


def more_segments(
    found: MeanDifference, *, alpha: float, power: float, simulations: int, seed: int
) -> int | None:
    """How many more segments settle the order with that power, if the difference stays as it is.

    Simulated from the data so far: the sum as it stands, and new differences of the same mean and
    standard deviation, with a look after every step of about 5 %. None if `FARTHEST` times the
    segments are not enough.
    """
    if is_settled(found, alpha=alpha):
        return 0
    if not found.mean or not found.segments:
        return None
    rng = np.random.default_rng([seed, found.segments])
    farthest = FARTHEST * max(found.segments, FEWEST)
    # Looks in growing steps, at most 200: a look at every segment would be thousands of columns.
    looks = np.unique(np.geomspace(1, farthest, 200).astype(np.int64))
    deviation = found.error * np.sqrt(found.segments)
    steps = np.diff(looks, prepend=0)
    drift = abs(found.mean)
    grown = rng.normal(steps * drift, np.sqrt(steps) * deviation, (simulations, len(steps)))
    total = found.segments + looks
    means = (found.segments * drift + grown.cumsum(axis=1)) / total
    with np.errstate(invalid="ignore"):  # no deviation, and nothing could lie beyond yet
        beyond = means > half_width(total, alpha=alpha) * deviation / np.sqrt(total)
    beyond[:, total < FEWEST] = False
    enough = np.maximum.accumulate(beyond, axis=1).mean(axis=0) >= power
    return int(looks[enough.argmax()]) if enough.any() else None


def _shared(data: JudgmentArrays, first: int, second: int) -> JudgmentArrays:
    """The judgments of segments that were judged for both systems."""
    count = int(data.segment.max(initial=0)) + 1
    there = [np.bincount(data.segment[data.system == s], minlength=count) for s in (first, second)]
    kept = ((there[0] > 0) & (there[1] > 0))[data.segment]
    kept &= (data.system == first) | (data.system == second)
    return data.at(kept)


def _means(data: JudgmentArrays, sign: Array, weights: Array) -> Array:
    """For each judgment, the mean of its system over segments."""
    better = (sign > 0).astype(np.int64)
    return np.asarray(np.bincount(better, weights=weights * data.values)[better])


def _squares(influence: Array, groups: Codes) -> float:
    """The sum of squared sums by group, corrected for few groups."""
    codes = np.unique(groups, return_inverse=True)[1]
    sums = np.bincount(codes, weights=influence)
    count = len(sums)
    return float((sums**2).sum()) * count / max(count - 1, 1)


class OrderSettled(Statistic[Settings]):
    """Whether the order of every two systems next to each other is settled."""

    name = "order-settled"
    gives = ("order-settled", "order-difference", "order-probability", "more-judgments")
    asks = "May judging stop, since the order of the systems is settled?"
    formula = "1 where the always-valid interval of the mean difference excludes 0, else 0"
    source = "Robbins 1970; de la Peña 1999; Waudby-Smith et al. 2024; Cameron et al. 2011"
    order = 20

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """For every two neighbours: settled or not, difference, probability, what is missing."""
        asked = PlanSettings.of(settings)
        if evaluation.judgments is None:
            return
        found = [
            pair
            for r in evaluation.ratings
            if has_system_scores(r)
            for pair in _neighbouring_pairs(r, asked)
        ]
        if not found:
            for name in self.gives:
                yield self.result(evaluation, asked, _nothing(evaluation), name=name)
            return
        for answer in self._answers(found, asked):
            yield answer.result(self, evaluation, asked, {})

    def _answers(self, found: Sequence[_Neighbours], settings: PlanSettings) -> Iterator[Answer]:
        rule = _rule(settings)
        settled = [pair.settled() for pair in found]
        yield Answer(settled, f"{self.formula}; {rule}", headline=_headline(found))
        differences = tuple(pair.difference() for pair in found)
        yield Answer(
            differences,
            f"mean difference over segments, in points, with its always-valid interval; {rule}",
            "order-difference",
            draw=lambda: _draw(differences),
        )
        yield Answer(
            [pair.probability() for pair in found],
            "that the system with the higher mean is better: Student's t of difference / "
            "standard error; n counts segments; valid at one look, planned beforehand",
            "order-probability",
        )
        yield Answer(
            [pair.missing(settings) for pair in found],
            "judgments of the two systems after which the order is settled with power "
            f"{settings.power:g}, if the difference stays as it is: {settings.simulations} "
            "simulated continuations; n counts segments judged so far",
            "more-judgments",
            choices={"simulations": settings.simulations},
        )


def _nothing(evaluation: Evaluation) -> list[Estimate]:
    """Why there is no order."""
    if any(has_system_scores(ratings) for ratings in evaluation.ratings):
        return [Estimate(value=None, n=0, reason="there is one system only")]
    return no_numbers(evaluation)


def _rule(settings: PlanSettings) -> str:
    centred = "each judge's mean is subtracted; " if settings.centred else ""
    false = f"in more than {settings.error:.2g} of campaigns"
    return (
        f"{centred}over all looks and pairs no order is settled falsely {false}; n counts segments"
    )


class _Neighbours(NamedTuple):
    """Two neighbouring systems, the better first."""

    by: dict[str, Key]
    ratings: Ratings
    found: MeanDifference
    alpha: float

    @property
    def is_settled(self) -> bool:
        return is_settled(self.found, alpha=self.alpha)

    def settled(self) -> Estimate:
        return self._estimate(float(self.is_settled) if self.found.segments else None, NONE)

    def difference(self) -> Estimate:
        mean, error, n, _ = self.found
        if not n:
            return self._estimate(None, NONE)
        if n < FEWEST:
            return self._estimate(mean)
        width = float(half_width(n, alpha=self.alpha)) * error
        return self._estimate(mean)._replace(low=mean - width, high=mean + width)

    def probability(self) -> Estimate:
        flat = "all segments differ by the same" if self.found.segments > 1 else NONE
        return self._estimate(probability(self.found), flat)

    def missing(self, settings: PlanSettings) -> Estimate:
        if not self.found.segments:
            return self._estimate(None, NONE)
        more = more_segments(
            self.found,
            alpha=self.alpha,
            power=settings.power,
            simulations=settings.simulations,
            seed=settings.seed,
        )
        far = f"not within {FARTHEST} times as many: the two may well be alike"
        return self._estimate(None if more is None else np.ceil(more * self.found.judgments), far)

    def _estimate(self, value: float | None, reason: str = "") -> Estimate:
        return Estimate.of(
            value, self.found.segments, about=self.ratings, by=self.by, reason=reason
        )


def _neighbouring_pairs(ratings: Ratings, settings: PlanSettings) -> Iterator[_Neighbours]:
    """Systems next to each other in the order of mean scores.

    The error is shared by all pairs, since only the data say which systems are neighbours.
    """
    table = score_table_of(ratings, SystemSettings())
    data, count = judgment_arrays(table, centred=settings.centred), len(table.systems)
    alpha = settings.error / max(count * (count - 1) / 2, 1)
    means = np.bincount(data.system, weights=data.values) / np.bincount(data.system)
    for pair in pairwise(np.argsort(-means, kind="stable").tolist()):
        found = difference(data, *pair)
        # On the segments that both translated, it may be the other way round.
        better, other = pair if found.mean >= 0 else pair[::-1]
        names = {"system_a": table.systems[better], "system_b": table.systems[other]}
        found = found._replace(mean=abs(found.mean))
        yield _Neighbours(names, ratings, found, alpha)


def _headline(pairs: Sequence[_Neighbours]) -> str:
    known = [pair for pair in pairs if pair.found.segments]
    if not known:
        return ""
    open_ones = [f"{p.by['system_a']} over {p.by['system_b']}" for p in known if not p.is_settled]
    if not open_ones:
        return f"All {len(known)} neighbouring systems are settled: judging may stop."
    done = len(known) - len(open_ones)
    return f"{done} of {len(known)} neighbours are settled; open: {listed(open_ones)}."


def _draw(estimates: Sequence[Estimate]) -> Figure:
    named = [
        e._replace(by={**e.by, "pair": f"{e.by['system_a']} − {e.by['system_b']}"})
        for e in estimates
    ]
    return figures.points_with_intervals(
        "Differences of neighbouring systems, with always-valid intervals",
        named,
        over="pair",
        value="difference in points",
        facet="question",
        sort=[str(e.by["pair"]) for e in named],
    )
