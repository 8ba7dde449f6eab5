"""Campaigns simulated many times: how precise a design is, and the smallest that is enough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil, inf, sqrt
from statistics import NormalDist

import msgspec
import numpy as np

from jurat.stats.cluster_inference import FEWEST_DOCUMENTS
from jurat.stats.planning.campaign_design import CampaignDesign, Scenario, judges_for
from jurat.stats.planning.default_test import (
    DefaultTest,
    SimulatedDifferences,
    judges_missing,
    untestable,
)
from jurat.stats.planning.judgment_model import JudgmentModel
from jurat.stats.ratings import Array, Codes
from jurat.stats.settings import PlanSettings

# Mean scores in memory at a time: 16 MB an array.
AT_ONCE = 2**21
# Mean scores of a campaign, beyond which fewer campaigns are simulated than asked for.
MOST = 2**13
FEWEST = 300
# Systems that are tested; p is corrected for the pairs of all.
MOST_SYSTEMS = 3
# Segments where neither their number nor a precision is given.
SEGMENTS = 200
# Segments of the campaign from which the first guess is made.
PROBE = 100
# Documents that are as good as endlessly many where nothing varies but judges.
LIMIT = 60
# By how much a guess grows at most.
MOST_FACTOR = 20.0
MOST_JUDGES = 200
ONE_SYSTEM = "there is one system only"
MOST_SEGMENTS, MOST_JUDGMENTS, MOST_TRIES = 20_000, 10, 16


@dataclass(frozen=True, kw_only=True)
class SimulatedScores:
    """The scores of simulated campaigns of one design."""

    means: Array
    """Scores: campaigns × systems."""
    tests: SimulatedDifferences | None = None
    """None where systems cannot be compared."""
    reason: str = ""
    """Why they cannot."""

    @property
    def campaigns(self) -> int:
        """How many were simulated."""
        return len(self.means)

    def half_width(self, confidence: float) -> float:
        """The normal quantile times a score's standard deviation (root mean square of systems)."""
        deviation = np.sqrt(self.means.var(axis=0, ddof=1).mean())
        return float(_z((1 + confidence) / 2) * deviation)

    def power(self, error: float) -> float | None:
        """How often the default test of `jurat systems` finds the better of the first two."""
        return self.tests.power(error) if self.tests else None

    def detectable(self, error: float, power: float) -> float | None:
        """The difference of two systems that this test finds with that power."""
        return self.tests.detectable(error, power) if self.tests else None


def simulate(
    model: JudgmentModel,
    design: CampaignDesign,
    *,
    difference: float = 0.0,
    campaigns: int = 1000,
    seed: int = 1,
) -> SimulatedScores:
    """Simulate a design many times, with new documents, translations, judges and errors each time.

    The first two systems are `difference` points apart, the others in the middle between them.
    """
    judge_of = np.sort(design.judge_of(), axis=2)
    # Large campaigns are simulated less often, to bound the work, but never below FEWEST.
    count = min(campaigns, max(FEWEST, MOST * campaigns // judge_of.size))
    # Each design has its own seed, so that it is the same whichever others were tried before.
    sizes = (design.segments, design.judgments, design.judges, design.document_size)
    rng = np.random.default_rng([seed, *sizes])
    reason = ONE_SYSTEM if design.systems < 2 else untestable(design)
    tested = judge_of[:, :MOST_SYSTEMS]
    test = None if reason else DefaultTest.of(design, tested)
    weights = design.document_sizes / design.segments
    means, tests = [], []
    for scores in _scores(model, design, judge_of, rng, count):
        if design.systems > 1:
            scores[:, :, :2] += difference * np.array([[0.5], [-0.5]])
        means.append(weights @ scores.mean(axis=3))
        if test:
            tests.append(test.apply(scores[:, :, :MOST_SYSTEMS]))
    joined = SimulatedDifferences.joined(tests) if tests else None
    return SimulatedScores(means=np.concatenate(means), tests=joined, reason=reason)


def _scores(
    model: JudgmentModel,
    design: CampaignDesign,
    judge_of: Codes,
    rng: np.random.Generator,
    campaigns: int,
) -> Iterator[Array]:
    """Mean scores of documents, some campaigns at a time: × documents × systems × judgments.

    Nothing in the default test distinguishes the segments that a judge had of a document and
    system, so that their mean is drawn at once.
    """
    documents, systems, _ = judge_of.shape
    size = design.document_sizes[:, None]
    of_document = np.sqrt(model.document**2 + model.segment**2 / size)
    of_translations = np.sqrt(model.interaction**2 + model.translation**2 / size)
    rest = (model.rest / np.sqrt(size))[..., None]
    step = max(1, AT_ONCE // judge_of.size)
    for start in range(0, campaigns, step):
        count = min(step, campaigns - start)
        quality = of_document * rng.standard_normal((count, documents, 1))
        quality = quality + of_translations * rng.standard_normal((count, documents, systems))
        severity = model.judge * rng.standard_normal((count, design.judges, 1))
        liking = severity + model.taste * rng.standard_normal((count, design.judges, systems))
        scores = rest * rng.standard_normal((count, *judge_of.shape))
        scores += quality[..., None]
        scores += liking[:, judge_of, np.arange(systems)[:, None]]
        yield scores


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
    design = scenario.design(segments=1, judgments=judgments)
    return judges_missing(design) if design.judges < design.judges_needed else ""


def is_precise(plan: PlannedCampaign, settings: PlanSettings) -> bool:
    """Whether the simulated campaigns are as precise as wanted."""
    power = plan.simulated.power(settings.error) if settings.difference else 1.0
    wide = plan.simulated.half_width(settings.confidence) > (settings.interval or inf)
    return not wide and power is not None and power >= settings.power


def fewest_segments(scenario: Scenario, settings: PlanSettings, judgments: int) -> PlannedCampaign:
    """The fewest documents that are precise enough: guessed, then halved in on; in segments."""
    scenario = _with_enough_judges(scenario, settings, judgments)
    size = scenario.document_size
    least = FEWEST_DOCUMENTS if settings.difference else 2
    plan = simulate_plan(scenario, settings, max(PROBE, least * size), judgments, 3)
    if reason := (
        too_few_judges(scenario, judgments)
        or _too_different(plan, settings)
        or _never_found(plan, settings)
    ):
        return replace(plan, reason=reason)
    found, failed = None, least - 1
    documents = max(least, ceil(plan.design.documents * _factor(plan, settings)))
    for _ in range(MOST_TRIES):
        if documents * size > MOST_SEGMENTS:
            break
        plan = simulate_plan(scenario, settings, documents * size, judgments)
        if is_precise(plan, settings):
            found = plan
        else:
            failed = documents
        if not found:
            documents = ceil(documents * max(_factor(plan, settings), 1.2))
            continue
        largest = found.design.documents
        # Within 3 % the simulations do not tell sizes apart.
        if largest <= max(failed + 1, ceil(1.03 * failed)):
            break
        start = failed if failed >= least else max(0.7 * largest, failed)
        documents = min(max(round(sqrt(start * largest)), failed + 1), largest - 1)
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
    judges = more.design.judges
    who = f" by {judges} judges" if judges != plan.design.judges else ""
    return replace(plan, remedy=more.reason or f"{more.design.segments:,} segments{who} would do")


def _factor(plan: PlannedCampaign, settings: PlanSettings) -> float:
    """What to multiply the segments by, if all variance but the judges' part fell with them."""
    factors = [0.0]
    if settings.interval:
        width = plan.simulated.half_width(settings.confidence) ** 2
        falling = max(width - _judges_part(plan, settings), 0.0)
        factors.append(falling / (settings.interval**2 - _judges_floor(plan, settings)))
    if settings.difference:
        found = plan.simulated.detectable(settings.error, settings.power)
        # Few documents give no test: more of them are tried.
        factors.append(min((found / settings.difference) ** 2, MOST_FACTOR) if found else 2.0)
    return max(factors)


def _judges_part(plan: PlannedCampaign, settings: PlanSettings) -> float:
    """What judges add to the squared half-width, by the share of judgments of each."""
    judge_of = plan.design.judge_of()
    shares = np.bincount(judge_of.ravel()) / judge_of.size
    return _judges_floor(plan, settings) * plan.design.judges * float((shares**2).sum())


def _judges_floor(plan: PlannedCampaign, settings: PlanSettings) -> float:
    """The squared half-width with infinitely many segments: what judges leave."""
    model, z = plan.scenario.model, _z((1 + settings.confidence) / 2)
    return z**2 * (model.judge**2 + model.taste**2) / plan.design.judges


def _too_different(plan: PlannedCampaign, settings: PlanSettings) -> str:
    """Why no number of segments is enough, where the judges differ too much; else empty."""
    if not settings.interval or _judges_floor(plan, settings) < settings.interval**2:
        return ""
    needed = judges_for(plan.scenario.model, settings.interval, _z((1 + settings.confidence) / 2))
    return (
        f"{plan.design.judges} judges are too different for ±{settings.interval:g}, "
        f"however many segments they judge: take {needed}"
    )


def _with_enough_judges(scenario: Scenario, settings: PlanSettings, judgments: int) -> Scenario:
    """The scenario; where it leaves the judges open, with so many that documents are the limit.

    With ever more documents they would find the difference halfway between the power wanted and 1.
    """
    if scenario.judges or not settings.difference or scenario.systems < 2:
        return scenario
    least = judges_for(scenario.model, settings.interval, _z((1 + settings.confidence) / 2))
    design = scenario.design(segments=1, judgments=judgments, judges=least)
    # Without a power the layout leaves systems too few judges in common: more are tried.
    while (_power_of_judges(design, scenario.model, settings) or 0.0) < (1 + settings.power) / 2:
        if design.judges > MOST_JUDGES:
            return scenario
        design = msgspec.structs.replace(design, judges=ceil(1.3 * design.judges))
    return replace(scenario, judges=design.judges)


def _power_of_judges(
    design: CampaignDesign, model: JudgmentModel, settings: PlanSettings
) -> float | None:
    """The power of ever more documents, which leave only the judges' tastes of the variance."""
    documents = max(LIMIT, design.block_size * design.judges)
    many = msgspec.structs.replace(design, segments=documents * design.document_size)
    if not model.taste:
        return None if untestable(many) else 1.0
    # A trace of noise keeps every variance above 0.
    taste = JudgmentModel(
        segment=0.0, translation=0.0, judge=0.0, taste=model.taste, rest=0.01 * model.taste
    )
    apart, seed = settings.difference, settings.seed
    found = simulate(taste, many, difference=apart, campaigns=FEWEST, seed=seed)
    return found.power(settings.error)


def _never_found(plan: PlannedCampaign, settings: PlanSettings) -> str:
    """Why no number of documents finds the difference; else empty."""
    if not settings.difference:
        return ""
    many = msgspec.structs.replace(plan.design, segments=LIMIT * plan.design.document_size)
    if reason := ONE_SYSTEM if many.systems < 2 else untestable(many):
        return reason
    power = _power_of_judges(plan.design, plan.scenario.model, settings)
    if power is None or power >= settings.power:
        return ""
    return (
        f"{many.judges} judges differ too much in what they think of the systems: however many "
        f"segments they judge, the difference is found in {100 * power:.0f} % of campaigns"
    )
