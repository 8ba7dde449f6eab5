"""Steps of a metric's differences: how wide they are, and what they are called."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from jurat.stats.metaeval.matched import Matched
from jurat.stats.metaeval.scores import chosen_steps
from jurat.stats.metaeval.settings import MetricSettings
from jurat.stats.ratings import Array, Codes

NUMBER = 10
"""Steps; the last is open at the top."""
NONE = "0"
"""The name of no difference at all, which is in no step."""
ROUNDING = 1e-9
"""A share of a step by which 0.3 − 0.2 falls short of 0.1."""


class Bins(NamedTuple):
    """Steps of equal width from 0; the last takes all that is larger."""

    step: float
    largest: float
    """Of the differences."""

    def of(self, differences: Array) -> Codes:
        """The step of each difference, from 1; 0 where there is none."""
        at = np.floor(np.abs(differences) / self.step + ROUNDING)
        return np.where(differences == 0, 0, np.minimum(at, NUMBER - 1) + 1).astype(np.int64)

    @property
    def names(self) -> list[str]:
        """`0`, then `0.0-0.1` and so on; the last is `0.9+` where differences go beyond it."""
        digits = max(0, -int(np.floor(np.log10(self.step) + ROUNDING)))
        digits += round(self.step, digits) != round(self.step, 12)
        edges = [f"{self.step * n:.{digits}f}" for n in range(NUMBER + 1)]
        beyond = self.largest > self.step * NUMBER * (1 + ROUNDING)
        last = f"{edges[-2]}+" if beyond else f"{edges[-2]}-{edges[-1]}"
        steps = [f"{low}-{high}" for low, high in pairwise(edges[:-1])]
        return [NONE, *steps, last]

    @property
    def edges(self) -> Array:
        """The lower edge of each step."""
        return np.asarray(self.step * np.arange(NUMBER), dtype=np.float64)


def bins_of(one: Matched, metric: int, settings: MetricSettings) -> Bins:
    """The steps of a metric: as asked, else by the scale of its scores."""
    scores = one.scores[metric]
    there = scores[~np.isnan(scores)]
    asked = chosen_steps(settings.step, one.metrics)
    step = asked.get(one.metrics[metric]) or usual_step(there)
    margins = np.abs(one.margins(metric))
    return Bins(step, float(np.nanmax(margins, initial=0.0)) if len(margins) else 0.0)


def usual_step(scores: Array) -> float:
    """0.1 on scales from 0 to 1, 10 on those to 100, else a round tenth of the scores' range.

    A few error rates above 1 or 100 do not make another scale.
    """
    if not len(scores):
        return 0.1
    low, middle, high = np.quantile(scores, (0.025, 0.5, 0.975))
    if low >= -0.5 and middle <= 1 and high <= 2:
        return 0.1
    if low >= 0 and 10 < high <= 200:
        return 10.0
    return _round((high - low) / 10) if high > low else 0.1


def _round(number: float) -> float:
    """The nearest of 1, 2, 5, 10 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(number))
    nearest = min((1.0, 2.0, 5.0, 10.0), key=lambda digit: abs(np.log(digit * power / number)))
    return float(nearest * power)


def told_steps(parts: tuple[Matched, ...], settings: MetricSettings) -> str:
    """`in steps of 0.1 (TER), 10 (BLEU)`, for the method."""
    steps: dict[float, list[str]] = {}
    for one in parts[:1]:
        for at, name in enumerate(one.metrics):
            steps.setdefault(bins_of(one, at, settings).step, []).append(name)
    if len(steps) == 1:
        return f"steps of {next(iter(steps)):g}"
    each = ", ".join(f"{step:g} ({', '.join(names)})" for step, names in sorted(steps.items()))
    return f"steps of {each}" if steps else ""
