"""TrueSkill: a normal distribution of each system's skill, from wins, losses and ties.

Comparisons are taken all at once, or one after the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.stats.estimates import Estimates, method_line, without_width
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.ratings import Array, Codes
from jurat.stats.settings import SEQUENTIAL, SystemSettings
from jurat.stats.systems.connectivity import why_not_connected
from jurat.stats.systems.system_statistic import (
    Display,
    QuestionEstimates,
    SystemStatistic,
    best_first,
)
from jurat.stats.systems.win_counts import (
    PreferenceCounts,
    WinCounts,
    win_counts,
)

# Mean and deviation of a system's skill before anything is known.
MU, SIGMA = 25.0, 25.0 / 3
# The noise of a comparison, and the skill's own drift from one comparison to the next (in sequence
# only).
BETA, TAU = SIGMA / 2, SIGMA / 100

ROUNDS = 300
# How far messages move towards the next ones: whole steps may go back and forth for ever.
DAMPED = 0.5


class Skill(NamedTuple):
    """What is known of skills: means and deviations."""

    mean: Array
    deviation: Array


def margin(draws: float) -> float:
    """The difference of two performances below which they tie, if `draws` is the share of ties."""
    from scipy.special import ndtri

    # of ties alone the margin would be infinite
    return float(ndtri((min(draws, 0.99) + 1) / 2)) * math.sqrt(2) * BETA


@dataclass(frozen=True)
class Messages:
    """What one comparison says of the skill on each of its two sides: 2 × 3 × R × pairs.

    Of the three outcomes the first side wins, the second wins, or they tie. A message is a normal
    distribution, given by its precision and precision × mean (`pull`).
    """

    precision: Array
    pull: Array

    @classmethod
    def none(cls, resamples: int, systems: int) -> Messages:
        """Messages that say nothing yet."""
        shape = (2, 3, resamples, systems * (systems - 1) // 2)
        return cls(np.zeros(shape), np.zeros(shape))

    def of(self, resamples: Codes | NDArray[np.bool_]) -> Messages:
        """Those of some resamples; a resample may be taken several times."""
        return Messages(self.precision[:, :, resamples], self.pull[:, :, resamples])


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
    # equal comparisons send equal messages, so that their number is enough
    numbers = np.stack([wins[:, first, second], wins[:, second, first], ties[:, first, second]])
    messages = Messages.none(resamples, systems)
    if start:
        messages = start.of(np.zeros(resamples, dtype=np.int64))
    mean, deviation = (np.full((resamples, systems), value) for value in (MU, SIGMA))
    left = np.arange(resamples, dtype=np.int64)
    for turn in range(ROUNDS):
        now = _Round(numbers[:, left], messages.of(left), first, second)
        moved = np.abs(now.mean - mean[left]), np.abs(now.deviation - deviation[left])
        settled = np.maximum(*moved).max(axis=1) < precise
        mean[left], deviation[left] = now.mean, now.deviation
        if turn:
            left = left[~settled]
            now = now if len(left) == len(settled) else now.of(~settled)
        if not len(left):
            break
        passed = now.passed(draw_margin)
        messages.precision[:, :, left] = passed.precision
        messages.pull[:, :, left] = passed.pull
    return Skill(mean, deviation), messages


class _Round:
    """What all comparisons say together, and what each of them says next."""

    def __init__(self, numbers: Array, messages: Messages, first: Codes, second: Codes) -> None:
        self.numbers, self.first, self.second = numbers, first, second
        total, weight = (
            start + self._by_system((numbers * part).sum(axis=1))
            for start, part in ((1 / SIGMA**2, messages.precision), (MU / SIGMA**2, messages.pull))
        )
        # Only differences are seen, so that the mean of all skills stays MU; without this shift
        # it would go there slowly, held by nothing but what was thought before.
        shift = MU - (weight / total).mean(axis=1, keepdims=True)
        self.mean = weight / total + shift
        self.deviation = 1 / np.sqrt(total)
        self.total = total
        pull = messages.pull + messages.precision * shift
        self.messages = Messages(messages.precision, pull)

    def _by_system(self, said: Array) -> Array:
        """What is said of the two sides of pairs, added up by system."""
        systems = int(self.second.max()) + 1
        table = np.zeros((said.shape[1], systems, systems))
        table[:, self.first, self.second], table[:, self.second, self.first] = said
        return np.asarray(table.sum(axis=2))

    def of(self, resamples: NDArray[np.bool_]) -> _Round:
        """The same of some resamples."""
        messages = self.messages.of(resamples)
        return _Round(self.numbers[:, resamples], messages, self.first, self.second)

    def passed(self, draw_margin: float) -> Messages:
        """The next messages: both skills without this comparison, then as this one has them."""
        total, weight = (
            np.stack([part[:, side] for side in (self.first, self.second)])[:, None]
            for part in (self.total, self.total * self.mean)
        )
        # the skills as all other comparisons have them (the cavity distribution)
        rest, held = total - self.messages.precision, weight - self.messages.pull
        mean, variance = held / rest, 1 / rest
        noise = np.sqrt(variance.sum(axis=0) + 2 * BETA**2)
        step, shrink = _moves((mean[0] - mean[1]) / noise, draw_margin / noise, self.numbers)
        new_rest = rest / (1 - variance / noise**2 * shrink)
        new_mean = mean + variance / noise * np.stack([step, -step])
        return Messages(
            self.messages.precision + DAMPED * (new_rest - rest - self.messages.precision),
            self.messages.pull + DAMPED * (new_mean * new_rest - held - self.messages.pull),
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
    # erfcx is exp(x²) erfc(x): the ratio stays finite where φ and Φ are both nearly 0
    v = math.sqrt(2 / math.pi) / erfcx(-x / math.sqrt(2))
    return v, v * (v + x)


def tied_by(apart: Array, margins: Array) -> tuple[Array, Array]:
    """V and w of a tie, by the normal distribution between −margin and margin."""
    from scipy.special import ndtr

    # by symmetry of the positive distance; farther out everything is as good as 0
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
        # the drift keeps the variance from vanishing, so that late comparisons still count
        variance[pair] += TAU**2
        noise = math.sqrt(variance[pair].sum() + 2 * BETA**2)
        move = tied_by if tied else won_by
        apart = np.asarray((mean[better] - mean[worse]) / noise)
        v, w = move(apart, np.asarray(draw_margin / noise))
        mean[pair] += variance[pair] / noise * v * np.array([1.0, -1.0])
        variance[pair] *= 1 - variance[pair] / noise**2 * w
    return Skill(mean, np.sqrt(variance))


class TrueSkill(SystemStatistic):
    """Skills on TrueSkill's usual scale: 25 is the mean, a comparison's noise is 25/6."""

    name = "trueskill"
    asks = "How skilled is each system, as games rate their players?"
    formula = (
        "mean μ of the skill; prior 25 ± 25/3, noise 25/6, ties as often as seen; "
        "n counts the system's comparisons"
    )
    source = "Herbrich, Minka & Graepel 2006; Sakaguchi, Post & Van Durme 2014 (WMT)"
    reads_order = True
    order = 75
    shown = (Display("TrueSkill ratings", "skill μ", "has the greatest skill,"),)

    def each_question(
        self, evaluation: Evaluation, settings: SystemSettings
    ) -> Iterator[QuestionEstimates]:
        """The skills of every question."""
        for counts in win_counts(evaluation, settings):
            made = skill_estimates(counts, settings)
            best = best_first(counts.estimates(made, counts.n, _why_not(counts, settings)))
            yield QuestionEstimates(best, method_line(counts.words, counts.units.method(made)))

    def method(self, settings: SystemSettings, how: str) -> str:
        """Whether comparisons were taken together or in turn stands after the formula."""
        return method_line(self.formula, _PASSES[settings.trueskill], how, settings.direction)

    def choices(self, settings: SystemSettings) -> dict[str, Any]:
        """Whether comparisons were taken together or in turn."""
        return {"passes": settings.trueskill}


_PASSES = {
    "trueskill": "all comparisons at once (expectation propagation until nothing changes)",
    SEQUENTIAL: "one comparison after the other, in the order of the table, with drift 25/300",
}


def skill_estimates(counts: WinCounts, settings: SystemSettings) -> Estimates:
    """Mean skills with intervals; NaN where the comparisons do not connect all systems."""
    size = len(counts.systems)
    ties = float(counts.ties.sum() / 2)
    draw_margin = margin(ties / max(1.0, float(counts.wins.sum()) + ties))
    if _why_not(counts, settings):
        return Estimates.undefined(size)
    if settings.trueskill == SEQUENTIAL:
        assert isinstance(counts, PreferenceCounts)
        in_turn = skills_in_turn(counts.turns(), size, draw_margin=draw_margin)
        return Estimates.without_intervals(in_turn.mean)
    # resamples start from the messages of all comparisons, from which it is not far
    start = skills(counts.wins[None], counts.ties[None], draw_margin=draw_margin)[1]
    score = partial(_means, systems=size, draw_margin=draw_margin, start=start)
    return without_width(counts.units.intervals(counts.rows, score, settings))


def _means(totals: Array, *, systems: int, draw_margin: float, start: Messages) -> Array:
    """Mean skills of resampled totals; a variance needs fewer digits than a value."""
    both = totals.reshape(-1, 2, systems, systems)
    ties = both[:, 1] + both[:, 1].swapaxes(1, 2)
    precise = 1e-6 if len(totals) == 1 else 1e-5
    found, _ = skills(both[:, 0], ties, draw_margin=draw_margin, start=start, precise=precise)
    return found.mean


def _why_not(counts: WinCounts, settings: SystemSettings) -> str:
    if settings.trueskill == SEQUENTIAL and not isinstance(counts, PreferenceCounts):
        return "scores have no order of comparisons"
    return why_not_connected(counts)
