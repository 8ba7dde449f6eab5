"""Campaigns simulated many times: how precise a design is, and the smallest that is enough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, floor, inf
from statistics import NormalDist

import numpy as np

from jurat.stats.planning.campaign_design import CampaignDesign, Scenario, judges_for
from jurat.stats.planning.judgment_model import JudgmentModel
from jurat.stats.ratings import Array, Codes
from jurat.stats.settings import PlanSettings

# Judgments in memory at a time: 16 MB an array.
AT_ONCE = 2**21
# Judgments of a campaign, beyond which fewer campaigns are simulated than asked for.
MOST = 2**13
FEWEST = 100
# Systems whose scores are simulated: more of the same kind say no more about an interval.
MOST_SYSTEMS = 4
# Segments where neither their number nor a precision is given.
SEGMENTS = 200
# Segments of the campaign from which the first guess is made.
PROBE = 100
MOST_SEGMENTS, MOST_JUDGMENTS, MOST_TRIES = 20_000, 10, 12


@dataclass(frozen=True, kw_only=True)
class SimulatedScores:
    """The scores of simulated campaigns of one design."""

    means: Array
    """Scores: campaigns × systems."""
    differences: Array
    """The mean difference of the first two systems over segments, of each campaign."""
    errors: Array
    """The standard error of that mean, as each campaign itself would estimate it."""
    segments: int

    @property
    def campaigns(self) -> int:
        """How many were simulated."""
        return len(self.means)

    def half_width(self, confidence: float) -> float:
        """The normal quantile times a score's standard deviation (root mean square of systems)."""
        deviation = np.sqrt(self.means.var(axis=0, ddof=1).mean())
        return float(_z((1 + confidence) / 2) * deviation)

    def power(self, error: float) -> float | None:
        """How often a two-sided paired t-test finds the better system; None for one segment."""
        from scipy.special import stdtrit

        if self.segments < 2:
            return None
        # Each simulated campaign is tested with its own standard error, as a user would.
        limit = stdtrit(self.segments - 1, 1 - error / 2)
        return float((self.differences > limit * self.errors).mean())

    def detectable(self, error: float, power: float) -> float:
        """The difference found with that power: (z of error/2 + z of power) × its deviation."""
        reach = _z(1 - error / 2) + _z(power)
        return float(reach * self.differences.std(ddof=1))


def simulate(
    model: JudgmentModel,
    design: CampaignDesign,
    *,
    difference: float = 0.0,
    campaigns: int = 1000,
    seed: int = 1,
) -> SimulatedScores:
    """Simulate a design many times, with new segments, translations, judges and errors each time.

    The first two systems are `difference` points apart; all lie around the middle of the model.
    """
    judge_of = design.judge_of()[:, :MOST_SYSTEMS]
    # Large campaigns are simulated less often, to bound the work, but never below FEWEST.
    count = min(campaigns, max(FEWEST, MOST * campaigns // judge_of.size))
    # Each design has its own seed, so that it is the same whichever others were tried before.
    rng = np.random.default_rng([seed, design.segments, design.judgments, design.judges])
    parts = list(_parts(model, rng, count, judge_of, difference / model.unit))
    means, differences, errors = (np.concatenate(column) for column in zip(*parts, strict=True))
    return SimulatedScores(
        means=means, differences=differences, errors=errors, segments=design.segments
    )


def _parts(
    model: JudgmentModel,
    rng: np.random.Generator,
    campaigns: int,
    judge_of: Codes,
    difference: float,
) -> Iterator[tuple[Array, Array, Array]]:
    """Scores, mean differences and their errors of some campaigns at a time."""
    segments, systems, _ = judge_of.shape
    qualities = np.full(systems, model.middle)
    qualities[:2] += np.array([0.5, -0.5])[:systems] * difference
    step = max(1, AT_ONCE // judge_of.size)
    for start in range(0, campaigns, step):
        scores = _scores(model, rng, min(step, campaigns - start), judge_of, qualities)
        differences = scores[:, :, 0] - scores[:, :, min(1, systems - 1)]
        # A single segment has no error: 0 instead of a division by 0.
        errors = differences.std(axis=1, ddof=min(segments - 1, 1)) / np.sqrt(segments)
        yield scores.mean(axis=1), differences.mean(axis=1), errors


def _scores(
    model: JudgmentModel, rng: np.random.Generator, count: int, judge_of: Codes, qualities: Array
) -> Array:
    """The mean answer about each translation: campaigns × segments × systems."""
    segments, systems, judgments = judge_of.shape
    judges = int(judge_of.max()) + 1
    true = qualities + rng.normal(0, model.segment, (count, segments, 1))
    true = true + rng.normal(0, model.translation, (count, segments, systems))
    severity = rng.normal(0, model.judge, (count, judges)).astype(np.float32)
    noise = (rng.uniform(*model.noise_range, (count, judges)) * model.rest).astype(np.float32)
    total = np.zeros(true.shape)
    # float32 is precise enough for one answer, and takes half the time.
    for judge in np.moveaxis(judge_of, 2, 0):
        seen = rng.standard_normal(true.shape, dtype=np.float32)
        seen *= noise[:, judge]
        seen -= severity[:, judge]
        total += model.answers(true + seen)
    return np.asarray(total / judgments)


def _z(level: float) -> float:
    return NormalDist().inv_cdf(level)


@dataclass(frozen=True, kw_only=True)
class PlannedCampaign:
    """A campaign with its simulation; `reason` says why no campaign like it is precise enough."""

    scenario: Scenario
    design: CampaignDesign
    simulated: SimulatedScores
    reason: str = ""
    remedy: str = ""
    """What would be enough, where the campaign that was given is not."""


def plan_campaign(scenario: Scenario, settings: PlanSettings) -> PlannedCampaign:
    """The campaign that is given, or the smallest that is as precise as wanted.

    What is fixed stays: with the segments given, the judgments of each translation are increased.
    """
    wanted = bool(settings.interval or settings.difference)
    if scenario.segments and (scenario.judgments or not wanted):
        return _given(scenario, settings, scenario.segments, scenario.judgments or 2)
    if scenario.segments:
        return _fewest_judgments(scenario, settings)
    if not wanted:
        return _given(scenario, settings, SEGMENTS, scenario.judgments or 2)
    return fewest_segments(scenario, settings, scenario.judgments or 2)


def simulate_plan(
    scenario: Scenario, settings: PlanSettings, segments: int, judgments: int, part: int = 1
) -> PlannedCampaign:
    """Simulate a campaign of that size; `part` divides the number of simulations."""
    least = judges_for(scenario.model, settings.interval, _z((1 + settings.confidence) / 2))
    design = scenario.design(segments=segments, judgments=judgments, judges=least)
    simulated = simulate(
        scenario.model,
        design,
        difference=settings.difference,
        campaigns=max(settings.simulations // part, 2),
        seed=settings.seed,
    )
    return PlannedCampaign(scenario=scenario, design=design, simulated=simulated)


def too_few_judges(scenario: Scenario, judgments: int) -> str:
    """Why there are too few judges for so many judgments of each translation; else empty."""
    needed = scenario.design(segments=1, judgments=judgments).judges_needed
    if not scenario.judges or scenario.judges >= needed:
        return ""
    return f"{judgments} judgments of each translation need {needed} judges"


def is_precise(plan: PlannedCampaign, settings: PlanSettings) -> bool:
    """Whether the simulated campaigns are as precise as wanted."""
    power = plan.simulated.power(settings.error)
    return plan.simulated.half_width(settings.confidence) <= (settings.interval or inf) and (
        not settings.difference or (power is not None and power >= settings.power)
    )


def fewest_segments(scenario: Scenario, settings: PlanSettings, judgments: int) -> PlannedCampaign:
    """The fewest segments that are precise enough: guessed, simulated, and guessed again."""
    plan = simulate_plan(scenario, settings, PROBE, judgments)
    if reason := too_few_judges(scenario, judgments) or _too_different(plan, settings):
        return replace(plan, reason=reason)
    found, failed = None, 1
    segments = max(2, ceil(PROBE * _factor(plan, settings)))
    for _ in range(MOST_TRIES):
        largest = found.design.segments if found else inf
        if segments > MOST_SEGMENTS or not failed < segments < largest:
            break
        plan = simulate_plan(scenario, settings, segments, judgments)
        guess = ceil(segments * _factor(plan, settings))
        # At least 3 % fewer or 2 % more: guesses that hardly move would use up the tries.
        if is_precise(plan, settings):
            found, segments = plan, min(guess, floor(0.97 * segments))
        else:
            failed, segments = segments, max(guess, ceil(1.02 * segments) + 1)
    if found:
        return found
    reason = f"more than {MOST_SEGMENTS:,} segments would be needed"
    return replace(plan, reason=reason)


def _fewest_judgments(scenario: Scenario, settings: PlanSettings) -> PlannedCampaign:
    """The fewest judgments of each translation that are precise enough."""
    for judgments in range(1, MOST_JUDGMENTS + 1):
        if too_few_judges(scenario, judgments):
            break
        plan = simulate_plan(scenario, settings, scenario.segments, judgments)
        if is_precise(plan, settings):
            return plan
    else:
        judgments += 1
    plan = simulate_plan(scenario, settings, scenario.segments, max(judgments - 1, 1))
    not_enough = f"{MOST_JUDGMENTS} judgments of each are not enough"
    return replace(plan, reason=too_few_judges(scenario, judgments) or not_enough)


def _given(
    scenario: Scenario, settings: PlanSettings, segments: int, judgments: int
) -> PlannedCampaign:
    plan = simulate_plan(scenario, settings, segments, judgments)
    if reason := too_few_judges(scenario, judgments):
        return replace(plan, reason=reason)
    if is_precise(plan, settings):
        return plan
    more = fewest_segments(scenario, settings, judgments)
    return replace(plan, remedy=more.reason or f"{more.design.segments:,} segments would do")


def _factor(plan: PlannedCampaign, settings: PlanSettings) -> float:
    """What to multiply the segments by: all variance but the judges' part falls with them."""
    factors = [0.0]
    if settings.interval:
        width = plan.simulated.half_width(settings.confidence) ** 2
        falling = max(width - _judges_part(plan, settings), 0.0)
        factors.append(falling / (settings.interval**2 - _judges_floor(plan, settings)))
    if settings.difference:
        found = plan.simulated.detectable(settings.error, settings.power)
        factors.append((found / settings.difference) ** 2)
    return max(factors)


def _judges_part(plan: PlannedCampaign, settings: PlanSettings) -> float:
    """What severities add to the squared half-width, by the share of judgments of each judge."""
    shares = np.bincount(plan.design.judge_of().ravel()) / plan.design.decisions
    return _judges_floor(plan, settings) * plan.design.judges * float((shares**2).sum())


def _judges_floor(plan: PlannedCampaign, settings: PlanSettings) -> float:
    """The squared half-width with infinitely many segments: what severities leave."""
    model = plan.scenario.model
    return (_z((1 + settings.confidence) / 2) * model.unit * model.judge) ** 2 / plan.design.judges


def _too_different(plan: PlannedCampaign, settings: PlanSettings) -> str:
    """Why no number of segments is enough, where the judges differ too much; else empty."""
    if not settings.interval or _judges_floor(plan, settings) < settings.interval**2:
        return ""
    needed = judges_for(plan.scenario.model, settings.interval, _z((1 + settings.confidence) / 2))
    return (
        f"{plan.design.judges} judges are too different for ±{settings.interval:g}, "
        f"however many segments they judge: take {needed}"
    )
