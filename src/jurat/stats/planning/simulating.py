"""Many campaigns of one design at once, by simulated judges: how far their scores scatter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from jurat.stats.planning.design import Design
from jurat.stats.planning.world import World
from jurat.stats.ratings import Array, Codes

AT_ONCE = 2**21
"""Judgments in memory at a time: 16 MB an array."""
MOST = 2**13
"""Judgments of a campaign, beyond which fewer campaigns are simulated than asked for."""
FEWEST = 100
MOST_SYSTEMS = 4
"""Systems whose scores are simulated: more of the same kind say no more about an interval."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What simulated campaigns of one design came to."""

    means: Array
    """Scores: campaigns × systems."""
    differences: Array
    """Of the first two systems, over segments: the mean of each campaign."""
    errors: Array
    """The standard error of that mean that each campaign itself would state."""
    segments: int

    @property
    def campaigns(self) -> int:
        """How many were simulated."""
        return len(self.means)

    def half_width(self, confidence: float) -> float:
        """The deviation of a system's score over campaigns (root mean square of systems) × z."""
        deviation = np.sqrt(self.means.var(axis=0, ddof=1).mean())
        return float(_z((1 + confidence) / 2) * deviation)

    def power(self, error: float) -> float | None:
        """How often the better system is found to be better: a paired t-test, two-sided."""
        from scipy.special import stdtrit

        if self.segments < 2:
            return None
        limit = stdtrit(self.segments - 1, 1 - error / 2)
        return float((self.differences > limit * self.errors).mean())

    def detectable(self, error: float, power: float) -> float:
        """The difference that would be found so often: (z of error/2 + z of power) × deviation."""
        reach = _z(1 - error / 2) + _z(power)
        return float(reach * self.differences.std(ddof=1))


def simulate(
    world: World, design: Design, *, difference: float = 0.0, campaigns: int = 1000, seed: int = 1
) -> Outcome:
    """Play a design many times: new segments, translations, judges and slips each time.

    The first two systems are `difference` points apart; all systems lie around the world's middle.
    """
    judge_of = design.judge_of()[:, :MOST_SYSTEMS]
    count = min(campaigns, max(FEWEST, MOST * campaigns // judge_of.size))
    rng = np.random.default_rng([seed, design.segments, design.judgments, design.judges])
    parts = list(_parts(world, rng, count, judge_of, difference / world.unit))
    means, differences, errors = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Outcome(means=means, differences=differences, errors=errors, segments=design.segments)


def _parts(
    world: World, rng: np.random.Generator, campaigns: int, judge_of: Codes, difference: float
) -> Iterator[tuple[Array, Array, Array]]:
    """Scores, mean differences and their errors of some campaigns at a time."""
    segments, systems, _ = judge_of.shape
    qualities = np.full(systems, world.middle)
    qualities[:2] += np.array([0.5, -0.5])[:systems] * difference
    step = max(1, AT_ONCE // judge_of.size)
    for start in range(0, campaigns, step):
        scores = _scores(world, rng, min(step, campaigns - start), judge_of, qualities)
        apart = scores[:, :, 0] - scores[:, :, min(1, systems - 1)]
        errors = apart.std(axis=1, ddof=min(segments - 1, 1)) / np.sqrt(segments)
        yield scores.mean(axis=1), apart.mean(axis=1), errors


def _scores(
    world: World, rng: np.random.Generator, count: int, judge_of: Codes, qualities: Array
) -> Array:
    """The mean answer about each translation: campaigns × segments × systems."""
    segments, systems, judgments = judge_of.shape
    judges = int(judge_of.max()) + 1
    true = qualities + rng.normal(0, world.segment, (count, segments, 1))
    true = true + rng.normal(0, world.translation, (count, segments, systems))
    severity = rng.normal(0, world.judge, (count, judges)).astype(np.float32)
    slips = (rng.uniform(*world.uneven, (count, judges)) * world.rest).astype(np.float32)
    total = np.zeros(true.shape)
    for judge in np.moveaxis(judge_of, 2, 0):  # half the digits are enough for one answer
        seen = rng.standard_normal(true.shape, dtype=np.float32)
        seen *= slips[:, judge]
        seen -= severity[:, judge]
        total += world.answers(true + seen)
    return np.asarray(total / judgments)


def _z(level: float) -> float:
    return NormalDist().inv_cdf(level)
