"""The size of the campaign for a wanted precision: segments, judgments, judges, kits, hours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.planning.campaign_design import scenarios
from jurat.stats.planning.simulation import (
    ONE_SYSTEM,
    PlannedCampaign,
    plan_campaign,
    simulate_plan,
    too_few_judges,
)
from jurat.stats.planning.variance_limits import RANGE, UPPER
from jurat.stats.settings import PlanSettings
from jurat.stats.statistic import Answer, Settings, Statistic
from jurat.stats.systems.system_statistic import no_numbers

# Parts of the planned number of segments in the curves.
PARTS = (0.25, 0.5, 1.0, 2.0)
SIMULATED = "n counts simulated campaigns"
# Deviations of which earlier judgments tell the limits, and the confidence of these, two-sided.
LIMITED = ("taste", "interaction")
SHARE = f"{100 * (2 * RANGE - 1):.0f}"
Number = Callable[[PlannedCampaign], float]
# The numbers of a plan: what each counts, and how to get it.
SIZES: Mapping[str, tuple[str, Number]] = {
    "plan-segments": ("segments, each translated by every system", lambda p: p.design.segments),
    "plan-documents": (
        "documents of {document_size} segments",
        lambda p: p.design.documents,
    ),
    "plan-judgments": (
        "judgments of each translation, by different judges",
        lambda p: p.design.judgments,
    ),
    "plan-judges": ("judges", lambda p: p.design.judges),
    "plan-kits": ("different kits, each judged as often as a translation", lambda p: p.design.kits),
    "plan-decisions": ("judgments in all", lambda p: p.design.decisions),
    "plan-hours": (
        "hours of all judges at {seconds} seconds an item",
        lambda p: p.design.hours(p.scenario.seconds),
    ),
}


class CampaignSize(Statistic[Settings]):
    """The size of the campaign, found by simulating it many times."""

    name = "plan-segments"
    gives = (*SIZES, "plan-interval", "plan-power", "plan-difference", "plan-deviation")
    asks = "How many segments, judges, kits and hours does the wanted precision take?"
    formula = "the smallest campaign whose simulations are precise enough"
    source = "simulated judges (jurat.bots); hours by TAP-ET, Tables 2 and 3"
    order = 10

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The numbers of the plan, then curves around it, then what was assumed."""
        asked = PlanSettings.of(settings)
        if asked.stop:
            return
        plans = evaluation.once(planned_campaigns, asked)
        if not plans:
            for name in self.gives:
                yield self.result(evaluation, asked, no_numbers(evaluation), name=name)
            return
        for answer in _answers(plans, asked):
            yield answer.result(self, evaluation, asked, {})


def planned_campaigns(evaluation: Evaluation, settings: PlanSettings) -> list[PlannedCampaign]:
    """The plan of every question; to be made once."""
    return [plan_campaign(scenario, settings) for scenario in scenarios(evaluation, settings)]


def _answers(plans: Sequence[PlannedCampaign], settings: PlanSettings) -> Iterator[Answer]:
    chosen = _choices(settings)
    headline = " ".join(_sentence(plan, settings) for plan in plans[:3])
    for name, (description, number) in SIZES.items():
        found = [_estimate(plan, number(plan)) for plan in plans]
        words = {"seconds": _seconds(plans), "document_size": _document_sizes(plans)}
        method = f"{description.format(**words)}; {SIMULATED}"
        yield Answer(found, method, name, headline, choices=chosen)
        headline = ""  # Only the first result has one.
    yield from _curves([near for plan in plans for near in _around(plan, settings)], settings)
    found = [_smallest_difference(plan, settings) for plan in plans]
    what = f"the difference of two systems that is found with power {settings.power:g}"
    method = f"{what} by {_test_words(plans, settings)}{_limit_words(plans)}; {SIMULATED}"
    yield Answer(found, method, "plan-difference", choices=chosen)
    yield _deviations(plans)


def _curves(around: Sequence[PlannedCampaign], settings: PlanSettings) -> Iterator[Answer]:
    """Interval and power by the size of the campaign."""
    chosen, share = _choices(settings), f"{100 * settings.confidence:g} %"
    widths = tuple(_at(p, p.simulated.half_width(settings.confidence)) for p in around)
    yield Answer(
        widths,
        f"in {share} of campaigns a system's score lies within ± this of its expectation, with new "
        f"documents and judges; {SIMULATED}",
        "plan-interval",
        draw=lambda: _draw(widths, "half-width", settings.interval),
        choices=chosen,
    )
    powers = tuple(
        _at(p, _power(p, settings), _no_power(p, settings))._replace(**_power_range(p, settings))
        for p in around
    )
    found = f"find a difference of {settings.difference:g} by {_test_words(around, settings)}"
    yield Answer(
        powers,
        f"share of campaigns that {found}{_limit_words(around)}; {SIMULATED}",
        "plan-power",
        draw=(lambda: _draw(powers, "power", settings.power)) if settings.difference else None,
        choices=chosen,
    )


def _deviations(plans: Sequence[PlannedCampaign]) -> Answer:
    """The standard deviations that were assumed; no choice of the simulation changes them."""
    found = [
        _counted(plan, value, source=name)._replace(**_deviation_limits(plan, name))
        for plan in plans
        for name, value in plan.scenario.deviations.items()
    ]
    models = "; ".join(dict.fromkeys(plan.scenario.model.description for plan in plans))
    method = f"standard deviations of a judgment in points, by what they come from: {models}"
    how = f"{SHARE} % intervals of χ² for taste and interaction"
    how = how if any(plan.scenario.pilot for plan in plans) else ""
    return Answer(found, method, "plan-deviation", how=how)


def _deviation_limits(plan: PlannedCampaign, source: str) -> dict[str, Any]:
    """The interval of a deviation of which earlier judgments tell the limits."""
    limits = plan.scenario.at_limits()
    if limits is None or source not in LIMITED:
        return {}
    high, low = (getattr(scenario.model, source) for scenario in limits)
    return {"low": low, "high": high}


def _power_range(plan: PlannedCampaign, settings: PlanSettings) -> dict[str, Any]:
    """The powers at the limits of the variances, and what these rest on."""
    limits, design = plan.scenario.at_limits(), plan.design
    if limits is None or _power(plan, settings) is None:
        return {}
    low, high = (
        _power(simulate_plan(one, settings, design.segments, design.judgments, 3), settings)
        for one in limits
    )
    return {"low": low, "high": high, "note": _rests_on(plan)}


def _rests_on(plan: PlannedCampaign) -> str:
    pilot = plan.scenario.pilot
    return f"variances known from {pilot.words}" if pilot and pilot.words else ""


def _limit_words(plans: Sequence[PlannedCampaign]) -> str:
    """Which variances are simulated where they come from earlier judgments."""
    if not any(plan.scenario.pilot for plan in plans):
        return ""
    return (
        f"; tastes and documents by system at the upper {100 * UPPER:.0f} % limits of their "
        f"variances, the range of powers at both ends of the {SHARE} % intervals"
    )


def _smallest_difference(plan: PlannedCampaign, settings: PlanSettings) -> Estimate:
    """The difference that the plan finds, or why it finds none."""
    found = plan.simulated.detectable(settings.error, settings.power)
    reason = plan.reason or plan.simulated.reason
    known = not reason and found is not None and isfinite(found)
    return _counted(plan, found if known else None, reason or "no difference is found so often")


def _test_words(plans: Sequence[PlannedCampaign], settings: PlanSettings) -> str:
    """The test that finds differences, as a method says it."""
    systems = max(plan.design.systems for plan in plans)
    test = f"the default test of jurat systems, two-sided at {settings.error:.2g}"
    if systems < 3:
        return test
    pairs = systems * (systems - 1) // 2
    return f"{test}, Holm over {pairs} pairs, the other systems midway between the two"


def _power(plan: PlannedCampaign, settings: PlanSettings) -> float | None:
    return plan.simulated.power(settings.error) if settings.difference else None


def _no_power(plan: PlannedCampaign, settings: PlanSettings) -> str:
    return plan.simulated.reason if settings.difference else "no --difference is given"


def _around(plan: PlannedCampaign, settings: PlanSettings) -> Iterator[PlannedCampaign]:
    """The plan with fewer and more segments, and with fewer and more judgments of each."""
    design, scenario = plan.design, plan.scenario
    for size in PARTS:
        segments = scenario.document_size * max(1, round(size * design.documents))
        segments = design.segments if size == 1 else max(2, segments)
        same = segments == design.segments
        # Points of a curve are not the plan itself: a third of the simulations each.
        yield plan if same else simulate_plan(scenario, settings, segments, design.judgments, 3)
    for judgments in (design.judgments - 1, design.judgments + 1):
        if judgments and not too_few_judges(scenario, judgments):
            yield simulate_plan(scenario, settings, design.segments, judgments, 3)


def _counted(plan: PlannedCampaign, value: float | None, reason: str = "", **by: Key) -> Estimate:
    """A number of a plan; n counts the simulated campaigns."""
    return Estimate.of(value, plan.simulated.campaigns, about=plan.scenario, by=by, reason=reason)


def _estimate(plan: PlannedCampaign, value: float | None) -> Estimate:
    """A number of a plan; missing if the plan has a reason, or there is one system only."""
    return _counted(plan, None if plan.reason else value, plan.reason or ONE_SYSTEM)


def _at(plan: PlannedCampaign, value: float | None, why: str = "") -> Estimate:
    """A point of a curve over sizes of the campaign."""
    sizes = {"segments": plan.design.segments, "judgments": plan.design.judgments}
    return _counted(plan, value, why, **sizes)


def _choices(settings: PlanSettings) -> dict[str, Any]:
    asked = {"interval": settings.interval or "", "difference": settings.difference or ""}
    return {**asked, "simulations": settings.simulations, "seed": settings.seed}


def _document_sizes(plans: Sequence[PlannedCampaign]) -> str:
    return " or ".join(dict.fromkeys(str(plan.design.document_size) for plan in plans))


def _seconds(plans: Sequence[PlannedCampaign]) -> str:
    return " or ".join(dict.fromkeys(f"{plan.scenario.seconds:.3g}" for plan in plans))


def _sentence(plan: PlannedCampaign, settings: PlanSettings) -> str:
    design, named = plan.design, plan.scenario.by["question"]
    if plan.reason:
        return f"{named}: no campaign like this is precise enough, since {plan.reason}."
    hours, power = design.hours(plan.scenario.seconds), _power(plan, settings)
    each = f"{hours:,.1f} hours, {hours / design.judges:,.1f} for each of {design.judges} judges"
    what = f"{design.segments:,} segments × {design.systems} systems × {design.judgments} judgments"
    width = plan.simulated.half_width(settings.confidence)
    share = f"{100 * settings.confidence:g} % of campaigns"
    found = [
        f"{named}: {what} in {design.kits:,} kits ({each}) give scores within ±{spoken(width)} in "
        f"{share}"
    ]
    if power is not None:
        share = f"{100 * power:.0f} % of campaigns{_uncertainty(plan, settings)}"
        found.append(f"tell two systems that are {settings.difference:g} apart in {share}")
    too_small = f". That is not enough: {plan.remedy}" if plan.remedy else ""
    if settings.difference and power is None:
        cannot = f". Whether systems differ cannot be said: {plan.simulated.reason}"
        too_small = cannot if plan.remedy == plan.simulated.reason else too_small + cannot
    return f"{' and '.join(found)}{too_small}."


def _uncertainty(plan: PlannedCampaign, settings: PlanSettings) -> str:
    """The range of the power and what it rests on, for the headline."""
    ends = _power_range(plan, settings)
    if not ends:
        return ""
    low, high = (100 * ends[end] for end in ("low", "high"))
    return f" ({low:.0f} to {high:.0f} %: {ends['note']})"


def _draw(estimates: Sequence[Estimate], what: str, wanted: float) -> Figure:
    curve = figures.lines(
        f"Simulated {what} by the size of the campaign",
        figures.rows(estimates),
        x=figures.axis("segments", "segments"),
        y=figures.axis("value", what),
        colour=figures.axis("judgments", "judgments of each", "nominal"),
    )
    if not wanted:
        return curve
    # A line at the wanted value needs layers, which the plain figure does not have.
    inner = {key: curve[key] for key in ("mark", "encoding")}
    rule = {"mark": {"type": "rule", "strokeDash": [4, 4]}, "encoding": {"y": {"datum": wanted}}}
    return {**{k: curve[k] for k in curve if k not in inner}, "layer": [inner, rule]}
