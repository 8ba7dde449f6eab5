"""The cells of the grid: which designs are tried on which command."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from benchmarks.simulations.designs import (
    LAYOUTS,
    LINKED,
    AdaptiveCampaign,
    Campaign,
    Comparisons,
    FeatureCampaign,
    Ratings,
)
from benchmarks.simulations.studies.agreement import Agreement, NewJudges
from benchmarks.simulations.studies.heval import HEval
from benchmarks.simulations.studies.judges import (
    EqualGroups,
    EqualJudges,
    Fatigue,
    Order,
    Seconds,
    UnequalJudges,
)
from benchmarks.simulations.studies.metrics import EqualMetrics, EqualTexts, Thresholds
from benchmarks.simulations.studies.planning import PilotPower, PlannedPower, Stopping
from benchmarks.simulations.studies.preferences import EqualPreferences
from benchmarks.simulations.studies.systems import FurtherIntervals, Systems
from benchmarks.simulations.study import Study

DOCUMENTS = (10, 30, 60)
EFFECTS = (0.0, 0.2, 0.4)
JUDGES = (3, 6, 12)
TASTES = (0.0, 0.3)


def cells() -> list[Study]:
    """Every cell, in the order of the page."""
    return [
        *_systems(),
        *_preferences(),
        *_agreement(),
        *_judges(),
        *_heval(),
        *_metrics(),
        *_planning(),
    ]


def _systems() -> Iterator[Study]:
    for layout, documents, effect, judges, taste in product(
        LAYOUTS, DOCUMENTS, EFFECTS, JUDGES, TASTES
    ):
        # With everything crossed, a third system costs the most and shows the least.
        design = Campaign(
            layout=layout, documents=documents, interaction=effect, judges=judges, taste=taste
        )
        yield Systems(design=design)
    for documents, effect in product(DOCUMENTS, EFFECTS):
        yield Systems(
            design=AdaptiveCampaign(documents=documents, interaction=effect, judges=documents)
        )
    for scale, layout in product(("3 points", "5 points", "0–100 skewed"), LAYOUTS):
        for step in (0.0, 0.3):
            yield Systems(
                design=Campaign(layout=layout, interaction=0.2, taste=0.3, scale=scale, step=step)
            )
    for layout in LAYOUTS:
        yield Systems(design=Campaign(layout=layout, interaction=0.2, taste=0.3, scale="penalties"))
    for layout, documents in product(("crossed", "nested"), (10, 30)):
        yield Systems(
            design=Campaign(
                layout=layout, documents=documents, interaction=0.2, taste=0.3, scale="magnitudes"
            )
        )
    for layout, documents, taste in product(LINKED, (10, 30), TASTES):
        yield Systems(
            design=Campaign(layout=layout, documents=documents, interaction=0.2, taste=taste)
        )
    for layout, systems in product(LAYOUTS, (2, 6)):
        yield Systems(design=Campaign(layout=layout, systems=systems, interaction=0.2, taste=0.3))
    for layout, documents, taste in product(("crossed", "nested"), (10, 30), TASTES):
        yield FurtherIntervals(
            design=Campaign(layout=layout, documents=documents, interaction=0.2, taste=taste)
        )


def _preferences() -> Iterator[Study]:
    for documents, judges, each, effect, taste in product(
        DOCUMENTS, (3, 6), (0, 1, 3), (0.0, 0.4), TASTES
    ):
        yield EqualPreferences(
            design=Comparisons(
                documents=documents, judges=judges, each=each, interaction=effect, taste=taste
            )
        )
    for documents, judges, each in product((10, 30), (3, 6), (0, 3)):
        yield EqualPreferences(
            design=Comparisons(
                documents=documents, judges=judges, each=each, interaction=0.2, leaning=0.5
            )
        )


def _agreement() -> Iterator[Study]:
    for items, judges, share in product((20, 50, 100, 400), (2, 3, 6), (0.3, 0.7)):
        yield Agreement(design=Ratings(items=items, judges=judges, agreement=share))
    for items, scale in product((20, 100), ("3 points", "0–100 skewed")):
        yield Agreement(design=Ratings(items=items, scale=scale))
    for items, rare in product((20, 50, 100, 400), (0.1, 0.3)):
        yield Agreement(design=Ratings(items=items, rare=rare))
    for documents in (10, 30, 60):
        yield Agreement(design=Ratings(items=documents * 5, documents=documents))
    yield Agreement(design=Ratings(items=2000))
    for items in (30, 100):
        yield Agreement(design=Ratings(items=items, scale="penalties"))
    for items, judges, severity in product((20, 100), (3, 5, 12), (0.0, 0.5)):
        yield NewJudges(design=Ratings(items=items, judges=judges, severity=severity))


def _judges() -> Iterator[Study]:
    for judges, layout, scale in product(
        JUDGES, ("crossed", "nested"), ("continuous", "5 points", "0–100 skewed")
    ):
        yield EqualJudges(
            design=Campaign(layout=layout, judges=judges, scale=scale, severity=0.0, systems=2)
        )
    for documents, judges, habit in product((4, 8), (3, 6), (0.0, 0.5)):
        yield EqualJudges(
            design=Campaign(
                documents=documents, judges=judges, severity=0.0, systems=2, habit=habit
            )
        )
    for documents, judges in product((10, 30), JUDGES):
        yield UnequalJudges(design=Campaign(documents=documents, judges=judges, systems=2))
    orders: tuple[Order, ...] = ("shuffled", "same")
    for judges, items, order in product(JUDGES, (50, 200), orders):
        yield Fatigue(judges=judges, items=items, order=order)
    for judges, order in product((3, 6), orders):
        yield Fatigue(judges=judges, order=order, tiring=True)
    for groups, each, severity, shared in product((2, 4), (3, 6), (0.0, 0.5), (True, False)):
        yield EqualGroups(groups=groups, judges=groups * each, severity=severity, shared=shared)
    for (first, judges), items in product(((2, 8), (3, 12)), (20, 60)):
        yield EqualGroups(judges=judges, items=items, first=first)
    for judges, items in product(JUDGES, (20, 100)):
        yield Seconds(judges=judges, items=items)
    for judges, documents in product((3, 6), (10, 30)):
        yield Seconds(judges=judges, items=5 * documents, documents=documents)


def _heval() -> Iterator[Study]:
    for layout, documents, judges, taste in product(
        ("crossed", "nested"), (10, 30), (3, 6), TASTES
    ):
        yield HEval(
            design=FeatureCampaign(
                layout=layout, documents=documents, judges=judges, interaction=0.4, taste=taste
            )
        )


def _metrics() -> Iterator[Study]:
    for documents, shared, segments in product(DOCUMENTS, (0.0, 0.5), (5, 20)):
        yield EqualMetrics(documents=documents, shared=shared, segments=segments)
    for documents, shared in product(DOCUMENTS, (0.0, 0.5)):
        yield Thresholds(documents=documents, shared=shared)
    for metric, documents, effect in product(("bleu", "chrf"), DOCUMENTS, (0.0, 0.3)):
        yield EqualTexts(metric=metric, documents=documents, interaction=effect)


def _planning() -> Iterator[Study]:
    for layout, judges, effect, taste in product(
        ("crossed", "nested"), (3, 6, 12), EFFECTS, TASTES
    ):
        yield Stopping(
            design=Campaign(
                layout=layout,
                documents=60,
                judges=judges,
                interaction=effect,
                taste=taste,
                systems=2,
            )
        )
    for judges, effect in product((6, 60), (0.2, 0.4)):
        yield Stopping(
            design=AdaptiveCampaign(documents=60, judges=judges, interaction=effect, systems=2)
        )
    for layout, judges, effect, taste in product(
        ("crossed", "nested"), (6, 12), (0.0, 0.2), TASTES
    ):
        design = Campaign(layout=layout, judges=judges, interaction=effect, taste=taste, systems=2)
        # A difference that a test which knows the variances would find in 85 %.
        yield PlannedPower(design=replace(design, step=round(3 * design.error(), 3)))
    for layout, taste, (documents, judges) in product(
        ("crossed", "nested"), TASTES, ((10, 3), (20, 6))
    ):
        design = Campaign(layout=layout, interaction=0.2, taste=taste, systems=2)
        design = replace(design, step=round(3 * design.error(), 3))
        yield PilotPower(design=design, documents=documents, judges=judges)
