"""The world that a plan assumes: how translations and judges vary, and what answers there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from jurat.bots import BEST, WORST, Truth
from jurat.faults import complain
from jurat.protocols import Protocol
from jurat.protocols.questions.scale import Scale
from jurat.protocols.questions.slider import Slider
from jurat.stats.planning.variances import Variances
from jurat.stats.ratings import Array

Answers = Callable[[Array], Array]
"""From perceived qualities to answers, in points."""
UNEVEN = (0.5, 1.5)
"""Between these parts of the usual noise a simulated judge's own lies; see `jurat.bots.panel`."""


def _unchanged(qualities: Array) -> Array:
    return qualities


@dataclass(frozen=True, kw_only=True)
class World:
    """Deviations in qualities, which become answers; a quality of 1 more is `unit` points more."""

    segment: float
    translation: float
    judge: float
    rest: float
    unit: float = 1.0
    middle: float = 0.0
    uneven: tuple[float, float] = (1.0, 1.0)
    answers: Answers = _unchanged
    told: str = ""

    def deviations(self) -> dict[str, float]:
        """The deviations in points, by what they come from."""
        names = ("segment", "translation", "judge", "rest")
        return {name: self.unit * getattr(self, name) for name in names}


def assumed(protocol: Protocol, *, severity: float, noise: float) -> World:
    """The world of the simulated judges (`jurat.bots`): what they would answer in this protocol."""
    kinds = [q for q in protocol.questions.values() if isinstance(q, Scale | Slider)]
    if not kinds or protocol.systems != "one":
        message = f"protocol '{protocol.name}' rates no single translation on a scale or slider"
        raise complain(message, field="protocol", value=protocol.name)
    low, high, answers = _scale(kinds[0])
    truth = Truth(qualities={})
    return World(
        segment=truth.spread / 2,
        translation=truth.spread,
        judge=severity,
        rest=noise,
        unit=high - low,
        middle=(BEST + WORST) / 2,
        uneven=UNEVEN,
        answers=answers,
        told=f"assumed as in jurat bots, for {protocol.name} ({low:g} to {high:g})",
    )


def observed(found: Variances, told: str) -> World:
    """A world with the variances of earlier judgments; answers are not rounded a second time."""
    segment, translation, judge, rest = (float(np.sqrt(v)) for v in found)
    return World(segment=segment, translation=translation, judge=judge, rest=rest, told=told)


def _scale(question: Scale | Slider) -> tuple[float, float, Answers]:
    if isinstance(question, Slider):
        low, high = float(question.low), float(question.high)
        return low, high, lambda q: np.clip(np.rint(low + q * (high - low)), low, high)
    points = np.sort([float(point.value) for point in question.points])
    last = len(points) - 1
    return (
        float(points[0]),
        float(points[-1]),
        lambda q: points[np.clip(np.rint(q * last), 0, last).astype(np.int64)],
    )
