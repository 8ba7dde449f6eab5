"""How judgments vary: by segment, translation, judge and chance; observed, or assumed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.bots import BEST, WORST, Truth
from jurat.errors import input_error
from jurat.protocols import Protocol
from jurat.protocols.questions.scale import Scale
from jurat.protocols.questions.slider import Slider
from jurat.stats.ratings import Array, Codes


class Variances(NamedTuple):
    """Variances of one judgment around its system's mean, in squared points."""

    segment: float
    """Of segments, the same for every system: some are hard to translate."""
    translation: float
    """Of a system's translations beyond that."""
    judge: float
    """Of judges' severities."""
    rest: float
    """Of a judge's errors, and of what they alone see in a translation."""


class JudgmentArrays(NamedTuple):
    """Judgments as arrays: value, system, segment and judge of each."""

    values: Array
    system: Codes
    segment: Codes
    judge: Codes

    def at(self, rows: Codes | NDArray[np.bool_]) -> JudgmentArrays:
        """Some of the judgments."""
        values, system, segment, judge = self
        return JudgmentArrays(values[rows], system[rows], segment[rows], judge[rows])


def variances(data: JudgmentArrays) -> Variances:
    """Unbiased estimates from mean squared differences within kinds of pairs, cut off at 0.

    Half the mean squared difference of two judgments of the same system is
    judge + rest, if the translation is the same and the judge is not;
    segment + translation + rest, if the judge is the same and the segment is not;
    segment + translation + judge + rest, if neither is the same.
    Two systems' translations of one segment, each around its system's mean and by different judges,
    differ by translation + judge + rest. With complete data these are the estimates of the analysis
    of variance, but they need no complete data. Where no pair tells two variances apart, the sum of
    both goes to the later one.
    """
    data = _first_judgments(data)
    alike = _within(data, data.system)
    of_item = _within(data, _both(data.system, data.segment))
    of_judge = _within(data, _both(data.system, data.judge))
    # Judged once each, no pair shares both: what is left differs in segment and judge.
    others = alike - of_item - of_judge
    total = others.half_mean if others.pairs else alike.half_mean
    judge = max(total - of_judge.half_mean, 0.0) if of_judge.pairs and others.pairs else 0.0
    rest = max(of_item.half_mean - judge, 0.0) if of_item.pairs else max(total - judge, 0.0)
    item = max(total - judge - rest, 0.0)
    # Estimates of differences can be negative; a variance cannot, nor a part be more than all.
    segment = min(max(total - _across(data), 0.0), item)
    return Variances(segment, item - segment, judge, rest)


class _SquaredDifferences(NamedTuple):
    """Pairs of judgments: how many, and the sum of their squared differences."""

    pairs: float
    squares: float

    def __sub__(self, other: object) -> _SquaredDifferences:
        assert isinstance(other, _SquaredDifferences)
        return _SquaredDifferences(self.pairs - other.pairs, self.squares - other.squares)

    @property
    def half_mean(self) -> float:
        return self.squares / self.pairs / 2 if self.pairs else 0.0


def _within(data: JudgmentArrays, groups: Codes) -> _SquaredDifferences:
    """All pairs within groups: Σ (a − b)² = n Σ a² − (Σ a)²."""
    n = np.bincount(groups).astype(np.float64)
    values = data.values - data.values.mean()  # keeps the digits of what is subtracted below
    sums, squares = (np.bincount(groups, weights=w) for w in (values, values * values))
    return _SquaredDifferences(
        float((n * (n - 1) / 2).sum()), float((n * squares - sums * sums).sum())
    )


def _across(data: JudgmentArrays) -> float:
    """Half the mean squared difference of two systems' translations of a segment, other judges.

    Where there are no such pairs, segments cannot be told from translations: infinite.
    """
    means = np.bincount(data.system, weights=data.values) / np.bincount(data.system)
    around = data._replace(values=data.values - means[data.system])
    same_item = _within(around, _both(data.system, data.segment))
    same_judge = _within(around, _both(data.judge, data.segment))
    pairs = _within(around, data.segment) - same_item - same_judge
    return pairs.half_mean if pairs.pairs else float("inf")


def _first_judgments(data: JudgmentArrays) -> JudgmentArrays:
    """The first judgment of each judge and translation: repeats are no second opinion."""
    # Codes are renumbered after each pair, so that products stay within 64 bits.
    keys = _both(_both(data.system, data.segment), data.judge)
    return data.at(np.sort(np.unique(keys, return_index=True)[1]))


def _both(first: Codes, second: Codes) -> Codes:
    """A code for each pair of codes that occurs."""
    joined = first * (int(second.max(initial=0)) + 1) + second
    return np.asarray(np.unique(joined, return_inverse=True)[1], dtype=np.int64)


# From perceived qualities to answers, in points.
Answers = Callable[[Array], Array]
# The noise of a simulated judge, in parts of the mean noise, lies in this range (`jurat.bots`).
NOISE_RANGE = (0.5, 1.5)


def _unchanged(qualities: Array) -> Array:
    return qualities


@dataclass(frozen=True, kw_only=True)
class JudgmentModel:
    """How a judgment is simulated: standard deviations of qualities, and the scale.

    A judge perceives the quality middle + segment + translation − severity + noise, which `answers`
    turns into points; a quality that is higher by 1 is higher by `unit` points.
    """

    segment: float
    translation: float
    judge: float
    rest: float
    unit: float = 1.0
    middle: float = 0.0
    noise_range: tuple[float, float] = (1.0, 1.0)
    answers: Answers = _unchanged
    description: str = ""

    def deviations(self) -> dict[str, float]:
        """The standard deviations in points, by what they come from."""
        names = ("segment", "translation", "judge", "rest")
        return {name: self.unit * getattr(self, name) for name in names}


def assumed_model(protocol: Protocol, *, severity: float, noise: float) -> JudgmentModel:
    """The model that `jurat.bots` simulates judges with, for the first scale of a protocol.

    Raises InputError where the protocol rates no single translation on a scale or slider.
    """
    kinds = [q for q in protocol.questions.values() if isinstance(q, Scale | Slider)]
    if not kinds or protocol.systems != "one":
        message = f"protocol '{protocol.name}' rates no single translation on a scale or slider"
        raise input_error(message, field="protocol", value=protocol.name)
    low, high, answers = _scale(kinds[0])
    # The same standard deviations as in `jurat bots`, so that a trial run bears the plan out.
    truth = Truth(qualities={})
    return JudgmentModel(
        segment=truth.spread / 2,
        translation=truth.spread,
        judge=severity,
        rest=noise,
        unit=high - low,
        middle=(BEST + WORST) / 2,
        noise_range=NOISE_RANGE,
        answers=answers,
        description=f"assumed as in jurat bots, for {protocol.name} ({low:g} to {high:g})",
    )


def observed_model(found: Variances, description: str) -> JudgmentModel:
    """A model with the variances of earlier judgments; answers are not rounded a second time."""
    segment, translation, judge, rest = (float(np.sqrt(v)) for v in found)
    return JudgmentModel(
        segment=segment, translation=translation, judge=judge, rest=rest, description=description
    )


def _scale(question: Scale | Slider) -> tuple[float, float, Answers]:
    """Both ends of the scale, and what turns qualities from 0 to 1 into its points."""
    if isinstance(question, Slider):
        low, high = float(question.low), float(question.high)
        return low, high, lambda q: np.clip(np.rint(low + q * (high - low)), low, high)
    # Points of a scale need not be equally far apart: the nearest by rank is answered.
    points = np.sort([float(point.value) for point in question.points])
    last = len(points) - 1
    return (
        float(points[0]),
        float(points[-1]),
        lambda q: points[np.clip(np.rint(q * last), 0, last).astype(np.int64)],
    )
