"""The campaign that a wanted precision takes: segments, judgments, judges, kits and hours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from jurat.results import Estimate, Figure, Result, spoken
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.planning.asked import PlanSettings
from jurat.stats.planning.cases import cases
from jurat.stats.planning.searching import Plan, lacking, planned, play
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.systems.wording import no_numbers

SIZES = (0.25, 0.5, 1.0, 2.0)
"""Parts of the planned number of segments in the curves."""
SIMULATED = "n counts simulated campaigns"
Number = Callable[[Plan], float | None]


class CampaignPlan(Statistic[Settings]):
    """How much judging is needed, by playing the campaign many times with simulated judges."""

    name = "plan-segments"
    gives = (
        "plan-segments",
        "plan-judgments",
        "plan-judges",
        "plan-kits",
        "plan-decisions",
        "plan-hours",
        "plan-interval",
        "plan-power",
        "plan-difference",
        "plan-deviation",
    )
    asks = "How many segments, judges, kits and hours does the wanted precision take?"
    formula = "the smallest campaign whose simulations are precise enough"
    source = "simulated judges (jurat.bots); hours by TAP-ET, Tables 2 and 3"
    place = 10

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The plan in numbers, then the curves around it, then what was assumed."""
        asked = PlanSettings.of(settings)
        if asked.stop:
            return
        plans = [planned(case, asked) for case in cases(evaluation, asked)]
        if not plans:
            for name in self.gives:
                yield self.result(evaluation, asked, no_numbers(evaluation), name=name)
            return
        yield from self._sizes(evaluation, asked, plans)
        around = [near for plan in plans for near in _around(plan, asked)]
        yield from self._curves(evaluation, asked, around)
        yield self._detectable(evaluation, asked, plans)
        yield self._deviations(evaluation, asked, plans)

    def _sizes(
        self, evaluation: Evaluation, settings: PlanSettings, plans: Sequence[Plan]
    ) -> Iterator[Result]:
        sizes: dict[str, tuple[str, Number]] = {
            "plan-segments": ("segments, each translated by every system", _segments),
            "plan-judgments": ("judgments of each translation, by different judges", _judgments),
            "plan-judges": ("judges", lambda plan: plan.design.judges),
            "plan-kits": ("different kits, each judged as often as a translation", _kits),
            "plan-decisions": ("judgments in all", lambda plan: plan.design.decisions),
            "plan-hours": (f"hours of all judges at {_seconds(plans)} seconds an item", _hours),
        }
        for name, (told, number) in sizes.items():
            yield self.result(
                evaluation,
                settings,
                [_estimate(plan, number(plan)) for plan in plans],
                name=name,
                method=f"{told}; {SIMULATED}",
                headline=_headline(plans, settings) if name == self.name else "",
                **_choices(settings),
            )

    def _curves(
        self, evaluation: Evaluation, settings: PlanSettings, around: Sequence[Plan]
    ) -> Iterator[Result]:
        share = f"{100 * settings.confidence:g} %"
        widths = tuple(_at(p, p.outcome.half_width(settings.confidence)) for p in around)
        yield self.result(
            evaluation,
            settings,
            widths,
            name="plan-interval",
            method=f"half of the {share} interval of a system's score, over campaigns; {SIMULATED}",
            draw=lambda: _draw(widths, "half-width", settings.interval),
            **_choices(settings),
        )
        powers = tuple(_at(p, _power(p, settings), _no_power(settings)) for p in around)
        yield self.result(
            evaluation,
            settings,
            powers,
            name="plan-power",
            method=f"share of campaigns in which a paired t-test over segments, two-sided at "
            f"{settings.error:.2g}, finds a difference of {settings.difference:g}; {SIMULATED}",
            draw=(lambda: _draw(powers, "power", settings.power)) if settings.difference else None,
            **_choices(settings),
        )

    def _detectable(
        self, evaluation: Evaluation, settings: PlanSettings, plans: Sequence[Plan]
    ) -> Result:
        found = [(p, p.outcome.detectable(settings.error, settings.power)) for p in plans]
        return self.result(
            evaluation,
            settings,
            [_estimate(plan, value if plan.case.systems > 1 else None) for plan, value in found],
            name="plan-difference",
            method=f"the difference of two systems that this campaign finds with power "
            f"{settings.power:g}; {SIMULATED}",
            **_choices(settings),
        )

    def _deviations(
        self, evaluation: Evaluation, settings: PlanSettings, plans: Sequence[Plan]
    ) -> Result:
        estimates = [
            Estimate(
                value, plan.outcome.campaigns, {**plan.case.by, "source": name}, plan.case.tags
            )
            for plan in plans
            for name, value in plan.case.world.deviations().items()
        ]
        told = "; ".join(dict.fromkeys(plan.case.world.told for plan in plans))
        method = f"standard deviations of a judgment in points, by what they come from; {told}"
        return self.result(evaluation, settings, estimates, name="plan-deviation", method=method)


def _segments(plan: Plan) -> float:
    return plan.design.segments


def _judgments(plan: Plan) -> float:
    return plan.design.judgments


def _kits(plan: Plan) -> float:
    return plan.design.kits


def _hours(plan: Plan) -> float:
    return plan.design.hours(plan.case.seconds)


def _power(plan: Plan, settings: PlanSettings) -> float | None:
    known = settings.difference and plan.case.systems > 1
    return plan.outcome.power(settings.error) if known else None


def _no_power(settings: PlanSettings) -> str:
    return "there is one system only" if settings.difference else "no --difference is given"


def _around(plan: Plan, settings: PlanSettings) -> Iterator[Plan]:
    """The plan with fewer and more segments, and with fewer and more judgments of each."""
    design, case = plan.design, plan.case
    for size in SIZES:
        segments = max(2, round(size * design.segments))
        same = segments == design.segments
        yield plan if same else play(case, settings, segments, design.judgments, 3)
    for judgments in (design.judgments - 1, design.judgments + 1):
        if judgments and not lacking(case, judgments):
            yield play(case, settings, design.segments, judgments, 3)


def _estimate(plan: Plan, value: float | None) -> Estimate:
    """A number of a plan; none if no plan is enough, or the one given is not."""
    case = plan.case
    reason = plan.reason or ("there is one system only" if value is None else "")
    shown = None if reason else value
    return Estimate(shown, plan.outcome.campaigns, case.by, case.tags, reason=reason)


def _at(plan: Plan, value: float | None, why: str = "") -> Estimate:
    sizes = {"segments": plan.design.segments, "judgments": plan.design.judgments}
    by = {**plan.case.by, **sizes}
    reason = "" if value is not None else why
    return Estimate(value, plan.outcome.campaigns, by, plan.case.tags, reason=reason)


def _choices(settings: PlanSettings) -> dict[str, Any]:
    asked = {"interval": settings.interval or "", "difference": settings.difference or ""}
    return {**asked, "simulations": settings.simulations, "seed": settings.seed}


def _seconds(plans: Sequence[Plan]) -> str:
    return " or ".join(dict.fromkeys(f"{plan.case.seconds:.3g}" for plan in plans))


def _headline(plans: Sequence[Plan], settings: PlanSettings) -> str:
    return " ".join(_sentence(plan, settings) for plan in plans[:3])


def _sentence(plan: Plan, settings: PlanSettings) -> str:
    design, named = plan.design, plan.case.by["question"]
    if plan.reason:
        return f"{named}: no campaign like this is precise enough, since {plan.reason}."
    hours, power = _hours(plan), _power(plan, settings)
    each = f"{hours:,.1f} hours, {hours / design.judges:,.1f} for each of {design.judges} judges"
    what = f"{design.segments:,} segments × {design.systems} systems × {design.judgments} judgments"
    width = plan.outcome.half_width(settings.confidence)
    found = [
        f"{named}: {what} in {design.kits:,} kits ({each}) give scores within ±{spoken(width)}"
    ]
    if power is not None:
        share = f"{100 * power:.0f} % of campaigns"
        found.append(f"find a difference of {settings.difference:g} in {share}")
    too_small = f". That is not enough: {plan.remedy}" if plan.remedy else ""
    return f"{' and '.join(found)}{too_small}."


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
    inner = {key: curve[key] for key in ("mark", "encoding")}
    rule = {"mark": {"type": "rule", "strokeDash": [4, 4]}, "encoding": {"y": {"datum": wanted}}}
    return {**{k: curve[k] for k in curve if k not in inner}, "layer": [inner, rule]}
