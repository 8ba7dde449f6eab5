"""What is planned for: a campaign that is only assumed, or another like the one in the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil

import numpy as np

from jurat.kits.timing import expected_seconds
from jurat.model import Item, Shown
from jurat.protocols import load
from jurat.results import Key
from jurat.stats.evaluation import Evaluation
from jurat.stats.planning.asked import PlanSettings
from jurat.stats.planning.design import Design
from jurat.stats.planning.variances import Crossed, variances
from jurat.stats.planning.world import World, assumed, observed
from jurat.stats.ratings import Ratings
from jurat.stats.systems.choices import SystemSettings
from jurat.stats.systems.panel import Panel, panel_of, scored

SYSTEMS, JUDGMENTS, FEWEST_JUDGES = 2, 2, 3
"""Where nothing is said; with fewer judges a severity cannot be told from a quality."""
LONGEST = 120.0
"""Seconds; a decision that takes longer was a pause (TAP-ET, Table 2)."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One question of a campaign to come."""

    by: Mapping[str, Key]
    tags: Mapping[str, Key] = field(default_factory=dict)
    world: World
    systems: int
    segments: int
    """0 where nothing is fixed."""
    judgments: int
    judges: int
    kit_size: int
    apart: bool
    seconds: float

    def design(self, *, segments: int, judgments: int, judges: int = 0) -> Design:
        """A campaign of that size, with the judges given, fixed, or just enough."""
        design = Design(
            systems=self.systems,
            segments=segments,
            judgments=judgments,
            judges=1,
            kit_size=self.kit_size,
            apart=self.apart,
        )
        number = self.judges or max(design.judges_needed, judges, FEWEST_JUDGES)
        return Design(
            systems=self.systems,
            segments=segments,
            judgments=judgments,
            judges=number,
            kit_size=self.kit_size,
            apart=self.apart,
        )


def cases(evaluation: Evaluation, settings: PlanSettings) -> Iterator[Case]:
    """Each question of earlier judgments; without any, the protocol's."""
    if evaluation.judgments is None:
        yield _of_protocol(settings)
        return
    for ratings in evaluation.ratings:
        if scored(ratings):
            yield _like(ratings, settings)


def _of_protocol(settings: PlanSettings) -> Case:
    protocol = load(settings.protocol)
    world = assumed(protocol, severity=settings.severity, noise=settings.noise)
    return Case(
        by={"question": settings.protocol},
        world=world,
        systems=settings.systems or SYSTEMS,
        segments=settings.segments,
        judgments=settings.judgments,
        judges=settings.judges,
        kit_size=settings.kit_size,
        apart=protocol.one_system_per_segment,
        seconds=settings.seconds or _expected(settings.protocol),
    )


def _like(ratings: Ratings, settings: PlanSettings) -> Case:
    """A campaign like the one that the answers are from, where nothing else is said."""
    panel = panel_of(ratings, SystemSettings())
    data = crossed(panel, centred=settings.centred)
    items = len(np.unique(data.segment * len(panel.systems) + data.system))
    judges = len(np.unique(data.judge))
    told = f"as in {len(data.values):,} judgments by {judges} judges"
    told += ", each judge's mean taken off" if settings.centred else ""
    return Case(
        by=ratings.by,
        tags=ratings.tags,
        world=observed(variances(data), told),
        systems=settings.systems or len(panel.systems),
        segments=settings.segments,
        judgments=settings.judgments or max(1, round(len(data.values) / max(items, 1))),
        judges=settings.judges or max(judges, FEWEST_JUDGES),
        kit_size=settings.kit_size,
        apart=_apart(data),
        seconds=settings.seconds or _taken(ratings) or _expected(settings.protocol),
    )


def crossed(panel: Panel, *, centred: bool = False) -> Crossed:
    """A panel's judgments; without judges, all are taken to be by different ones.

    `centred` takes each judge's mean off, so that severities count no more.
    """
    if panel.judge is None:
        return Crossed(panel.values, panel.system, panel.sentence, np.arange(len(panel.values)))
    values = panel.values
    if centred:
        means = np.bincount(panel.judge, weights=values) / np.bincount(panel.judge)
        values = values - means[panel.judge] + values.mean()
    return Crossed(values, panel.system, panel.sentence, panel.judge)


def _apart(data: Crossed) -> bool:
    """Whether judges mostly saw a segment from one system only."""
    both = data.judge * (int(data.segment.max(initial=0)) + 1) + data.segment
    return len(np.unique(both)) > 0.9 * len(both)


def _taken(ratings: Ratings) -> float:
    """Mean seconds of a decision, without pauses; 0 where they are not told."""
    if not ratings.has("seconds"):
        return 0.0
    seconds = ratings.frame["seconds"].drop_nulls()
    mean = seconds.filter(seconds <= LONGEST).mean()
    return float(mean) if isinstance(mean, float) else 0.0


def _expected(name: str) -> float:
    """What the kits' audit expects for an item of this protocol."""
    shown = (Shown(system="", text=""),)
    return expected_seconds(load(name), Item(id="", document="", segment="", translations=shown))


def judges_for(world: World, interval: float, z: float) -> int:
    """Judges whose severities take no more than half of the variance that an interval allows."""
    if not interval:
        return 0
    return ceil(2 * (z * world.unit * world.judge / interval) ** 2)
