"""How TrueSkill's bell curves follow from outcomes: all at once, or one after the other."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.stats.ratings import Array, Codes

MU, SIGMA = 25.0, 25.0 / 3
BETA, TAU = SIGMA / 2, SIGMA / 100
"""A system's skill before anything is known, the noise of a comparison, and the skill's own drift
from one comparison to the next (in sequence only)."""

ROUNDS = 300
DAMPED = 0.5


class Skill(NamedTuple):
    """What is known of skills: means and deviations."""

    mean: Array
    deviation: Array


def margin(draws: float) -> float:
    """The difference of two performances below which they tie, so often as draws are seen."""
    from scipy.special import ndtri

    return float(ndtri((min(draws, 0.99) + 1) / 2)) * math.sqrt(2) * BETA


@dataclass(frozen=True)
class Messages:
    """What one comparison says of the skill on each of its two sides: 2 × 3 × R × pairs.

    Of the three outcomes the first side wins, the second wins, or they tie; a message is a bell
    curve, told by its precision and precision × mean.
    """

    precision: Array
    pull: Array

    @classmethod
    def none(cls, resamples: int, systems: int) -> Messages:
        """Nothing said yet."""
        shape = (2, 3, resamples, systems * (systems - 1) // 2)
        return cls(np.zeros(shape), np.zeros(shape))

    def of(self, kept: Codes) -> Messages:
        """Those of some resamples; of one resample for as many as are wanted."""
        return Messages(self.precision[:, :, kept], self.pull[:, :, kept])


def skills(
    wins: Array,
    ties: Array,
    *,
    draw_margin: float,
    start: Messages | None = None,
    precise: float = 1e-6,
) -> tuple[Skill, Messages]:
    """Skills from win matrices and symmetric ties (R × S × S), whatever the order of comparisons.

    Herbrich, Minka & Graepel's (2006) factors, one for each comparison, with their messages passed
    until nothing changes by more than `precise` (expectation propagation). Equal comparisons have
    equal messages, so that a million cost no more than one. `start` is where others ended.
    """
    resamples, systems = wins.shape[:2]
    first, second = (side.astype(np.int64) for side in np.triu_indices(systems, 1))
    numbers = np.stack([wins[:, first, second], wins[:, second, first], ties[:, first, second]])
    told = start.of(np.zeros(resamples, dtype=np.int64)) if start else None
    told = told or Messages.none(resamples, systems)
    mean, deviation = (np.full((resamples, systems), value) for value in (MU, SIGMA))
    left = np.arange(resamples, dtype=np.int64)
    for turn in range(ROUNDS):
        now = _Round(numbers[:, left], told.of(left), first, second)
        moved = np.abs(now.mean - mean[left]), np.abs(now.deviation - deviation[left])
        settled = np.maximum(*moved).max(axis=1) < precise
        mean[left], deviation[left] = now.mean, now.deviation
        if turn:
            left = left[~settled]
            now = now if len(left) == len(settled) else now.of(~settled)
        if not len(left):
            break
        passed = now.passed(draw_margin)
        told.precision[:, :, left], told.pull[:, :, left] = passed.precision, passed.pull
    return Skill(mean, deviation), told


class _Round:
    """What all comparisons say together, and what each of them says next."""

    def __init__(self, numbers: Array, told: Messages, first: Codes, second: Codes) -> None:
        self.numbers, self.first, self.second = numbers, first, second
        total, weight = (
            start + self._by_system((numbers * part).sum(axis=1))
            for start, part in ((1 / SIGMA**2, told.precision), (MU / SIGMA**2, told.pull))
        )
        # Only differences are seen, so that the mean of all skills stays MU; without this shift
        # it would go there slowly, held by nothing but what was thought before.
        shift = MU - (weight / total).mean(axis=1, keepdims=True)
        self.mean = weight / total + shift
        self.deviation = 1 / np.sqrt(total)
        self.total = total
        self.told = Messages(told.precision, told.pull + told.precision * shift)

    def _by_system(self, said: Array) -> Array:
        """What is said of the two sides of pairs, added up by system."""
        systems = int(self.second.max()) + 1
        table = np.zeros((said.shape[1], systems, systems))
        table[:, self.first, self.second], table[:, self.second, self.first] = said
        return np.asarray(table.sum(axis=2))

    def of(self, kept: NDArray[np.bool_]) -> _Round:
        """The same of some resamples."""
        told = Messages(self.told.precision[:, :, kept], self.told.pull[:, :, kept])
        return _Round(self.numbers[:, kept], told, self.first, self.second)

    def passed(self, draw_margin: float) -> Messages:
        """The next messages: both skills without this comparison, then as this one has them."""
        total, weight = (
            np.stack([part[:, side] for side in (self.first, self.second)])[:, None]
            for part in (self.total, self.total * self.mean)
        )
        rest, held = total - self.told.precision, weight - self.told.pull
        mean, variance = held / rest, 1 / rest
        noise = np.sqrt(variance.sum(axis=0) + 2 * BETA**2)
        step, shrink = _moves((mean[0] - mean[1]) / noise, draw_margin / noise, self.numbers)
        new_rest = rest / (1 - variance / noise**2 * shrink)
        new_mean = mean + variance / noise * np.stack([step, -step])
        return Messages(
            self.told.precision + DAMPED * (new_rest - rest - self.told.precision),
            self.told.pull + DAMPED * (new_mean * new_rest - held - self.told.pull),
        )


def _moves(apart: Array, margins: Array, numbers: Array) -> tuple[Array, Array]:
    """The paper's v and w for the three outcomes; none for ties where there are none."""
    step, shrink = np.zeros(apart.shape), np.zeros(apart.shape)
    step[0], shrink[0] = won_by(apart[0], margins[0])
    lost, shrink[1] = won_by(-apart[1], margins[1])
    step[1] = -lost
    if numbers[2].any():
        step[2], shrink[2] = tied_by(apart[2], margins[2])
    return step, shrink


def won_by(apart: Array, margins: Array) -> tuple[Array, Array]:
    """V and w of a win: φ(x)/Φ(x) and v (v + x) with x = apart − margin."""
    from scipy.special import erfcx

    x = apart - margins
    v = math.sqrt(2 / math.pi) / erfcx(-x / math.sqrt(2))
    return v, v * (v + x)


def tied_by(apart: Array, margins: Array) -> tuple[Array, Array]:
    """V and w of a tie, by the bell curve between −margin and margin."""
    from scipy.special import ndtr

    distance = np.minimum(np.abs(apart), 30 + margins)
    low, high = -margins - distance, margins - distance
    between = np.maximum(ndtr(high) - ndtr(low), 1e-300)
    at_low, at_high = (np.exp(-end * end / 2) / math.sqrt(2 * math.pi) for end in (low, high))
    v = (at_low - at_high) / between
    w = v * v + (high * at_high - low * at_low) / between
    return np.where(apart < 0, -v, v), w


def skills_in_turn(
    turns: Iterable[tuple[int, int, bool]], systems: int, *, draw_margin: float
) -> Skill:
    """Skills after comparisons (better, worse, whether tied), each of which moves two systems.

    The game's own way: the order matters, and late comparisons count a little more.
    """
    mean, variance = np.full(systems, MU), np.full(systems, SIGMA**2)
    for better, worse, tied in turns:
        pair = [better, worse]
        variance[pair] += TAU**2
        noise = math.sqrt(variance[pair].sum() + 2 * BETA**2)
        move = tied_by if tied else won_by
        apart = np.asarray((mean[better] - mean[worse]) / noise)
        v, w = move(apart, np.asarray(draw_margin / noise))
        mean[pair] += variance[pair] / noise * v * np.array([1.0, -1.0])
        variance[pair] *= 1 - variance[pair] / noise**2 * w
    return Skill(mean, np.sqrt(variance))
