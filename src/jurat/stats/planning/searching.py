"""The smallest campaign that is precise enough, found by simulation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, floor, inf
from statistics import NormalDist

import numpy as np

from jurat.stats.planning.asked import PlanSettings
from jurat.stats.planning.cases import Case, judges_for
from jurat.stats.planning.design import Design
from jurat.stats.planning.simulating import Outcome, simulate

SEGMENTS = 200
"""Where neither their number nor a precision is given."""
PROBE = 100
MOST_SEGMENTS, MOST_JUDGMENTS, MOST_TRIES = 20_000, 10, 12


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A campaign, what it comes to in simulation, and why there is none that is enough."""

    case: Case
    design: Design
    outcome: Outcome
    reason: str = ""
    remedy: str = ""
    """What would be enough, where the campaign that was given is not."""


def planned(case: Case, settings: PlanSettings) -> Plan:
    """The campaign that is given, or the smallest that is as precise as is wanted.

    What is fixed stays: with the segments given, the judgments of each translation grow.
    """
    wanted = bool(settings.interval or settings.difference)
    if case.segments and (case.judgments or not wanted):
        return _given(case, settings, case.segments, case.judgments or 2)
    if case.segments:
        return _more_judgments(case, settings)
    if not wanted:
        return _given(case, settings, SEGMENTS, case.judgments or 2)
    return more_segments(case, settings, case.judgments or 2)


def play(case: Case, settings: PlanSettings, segments: int, judgments: int, part: int = 1) -> Plan:
    """A campaign of that size in simulation; `part` divides the number of simulations."""
    least = judges_for(case.world, settings.interval, _z(settings))
    design = case.design(segments=segments, judgments=judgments, judges=least)
    outcome = simulate(
        case.world,
        design,
        difference=settings.difference,
        campaigns=max(settings.simulations // part, 2),
        seed=settings.seed,
    )
    return Plan(case=case, design=design, outcome=outcome)


def lacking(case: Case, judgments: int) -> str:
    """Why the judges are too few to judge every translation so often; nothing if they are not."""
    needed = case.design(segments=1, judgments=judgments).judges_needed
    if not case.judges or case.judges >= needed:
        return ""
    return f"{judgments} judgments of each translation need {needed} judges"


def enough(plan: Plan, settings: PlanSettings) -> bool:
    """Whether the simulated campaigns are as precise as is wanted."""
    power = plan.outcome.power(settings.error)
    return plan.outcome.half_width(settings.confidence) <= (settings.interval or inf) and (
        not settings.difference or (power is not None and power >= settings.power)
    )


def more_segments(case: Case, settings: PlanSettings, judgments: int) -> Plan:
    """The fewest segments that are enough: first guessed from a small campaign, then simulated."""
    plan = play(case, settings, PROBE, judgments)
    if reason := lacking(case, judgments) or _floor(plan, settings):
        return replace(plan, reason=reason)
    found, failed = None, 1
    segments = max(2, ceil(PROBE * _factor(plan, settings)))
    for _ in range(MOST_TRIES):
        if segments > MOST_SEGMENTS or not failed < segments < _size(found):
            break
        plan = play(case, settings, segments, judgments)
        guess = ceil(segments * _factor(plan, settings))
        if enough(plan, settings):
            found, segments = plan, min(guess, floor(0.97 * segments))
        else:
            failed, segments = segments, max(guess, ceil(1.02 * segments) + 1)
    if found:
        return found
    reason = f"more than {MOST_SEGMENTS:,} segments would be needed"
    return replace(plan, reason=reason)


def _size(plan: Plan | None) -> float:
    return plan.design.segments if plan else inf


def _more_judgments(case: Case, settings: PlanSettings) -> Plan:
    """The fewest judgments of each translation that are enough."""
    for judgments in range(1, MOST_JUDGMENTS + 1):
        if lacking(case, judgments):
            break
        plan = play(case, settings, case.segments, judgments)
        if enough(plan, settings):
            return plan
    else:
        judgments += 1
    plan = play(case, settings, case.segments, max(judgments - 1, 1))
    why = lacking(case, judgments) or f"{MOST_JUDGMENTS} judgments of each are not enough"
    return replace(plan, reason=why)


def _given(case: Case, settings: PlanSettings, segments: int, judgments: int) -> Plan:
    plan = play(case, settings, segments, judgments)
    if reason := lacking(case, judgments):
        return replace(plan, reason=reason)
    if enough(plan, settings):
        return plan
    more = more_segments(case, settings, judgments)
    return replace(plan, remedy=more.reason or f"{more.design.segments:,} segments would do")


def _factor(plan: Plan, settings: PlanSettings) -> float:
    """How many times the segments of a plan would do: all but the judges' part falls with them."""
    factors = [0.0]
    if settings.interval:
        width = plan.outcome.half_width(settings.confidence) ** 2
        falling = max(width - _judges_part(plan, settings), 0.0)
        factors.append(falling / (settings.interval**2 - _left(plan, settings)))
    if settings.difference:
        found = plan.outcome.detectable(settings.error, settings.power)
        factors.append((found / settings.difference) ** 2)
    return max(factors)


def _judges_part(plan: Plan, settings: PlanSettings) -> float:
    """The judges' part of a squared half-width: severities, by the share that each judged."""
    shares = np.bincount(plan.design.judge_of().ravel()) / plan.design.decisions
    return _left(plan, settings) * plan.design.judges * float((shares**2).sum())


def _left(plan: Plan, settings: PlanSettings) -> float:
    """What is left of a squared half-width with endless segments: so many judges' severities."""
    world = plan.case.world
    return (_z(settings) * world.unit * world.judge) ** 2 / plan.design.judges


def _floor(plan: Plan, settings: PlanSettings) -> str:
    """Why no number of segments is enough, where so few judges are too different."""
    if not settings.interval or _left(plan, settings) < settings.interval**2:
        return ""
    needed = judges_for(plan.case.world, settings.interval, _z(settings))
    return (
        f"{plan.design.judges} judges are too different for ±{settings.interval:g}, "
        f"however many segments they judge: take {needed}"
    )


def _z(settings: PlanSettings) -> float:
    return NormalDist().inv_cdf((1 + settings.confidence) / 2)
