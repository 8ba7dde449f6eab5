"""The campaign that is planned for, only assumed or like the one in a file, and its design."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil

import msgspec
import numpy as np

from jurat.kits.kit_info import expected_seconds
from jurat.model import Item, Shown
from jurat.protocols import load
from jurat.results import Key
from jurat.stats.evaluation import Evaluation
from jurat.stats.planning.assumptions import (
    JudgmentArrays,
    JudgmentModel,
    assumed_model,
    observed_model,
    variances,
)
from jurat.stats.ratings import Codes, Ratings
from jurat.stats.settings import PlanSettings
from jurat.stats.systems.score_table import ScoreTable, has_system_scores, score_table_of
from jurat.stats.systems.settings import SystemSettings


class CampaignDesign(msgspec.Struct, frozen=True, kw_only=True):
    """So many systems' translations of so many segments, judged so often by so many judges.

    Kits are cut as `jurat.kits` cuts them with shuffled segments. Where systems are kept `apart` (a
    judge gets each segment from one system only), a block of segments makes as many kits as there
    are systems, which take turns from segment to segment, and a judge gets one kit of a block.
    """

    systems: int
    segments: int
    judgments: int
    judges: int
    kit_size: int = 20
    separate_systems: bool = True

    @property
    def block_size(self) -> int:
        """Segments of a block: an item each, or an item of every system's."""
        return self.kit_size if self.separate_systems else max(1, self.kit_size // self.systems)

    @property
    def blocks(self) -> int:
        """Runs of segments that are judged together."""
        return ceil(self.segments / self.block_size)

    @property
    def kits(self) -> int:
        """Different kits, each of which is judged as often as `judgments` says."""
        return self.blocks * (self.systems if self.separate_systems else 1)

    @property
    def decisions(self) -> int:
        """Judgments in all."""
        return self.segments * self.systems * self.judgments

    @property
    def judges_needed(self) -> int:
        """The fewest with whom it can be finished."""
        return self.judgments * (self.systems if self.separate_systems else 1)

    def hours(self, seconds: float) -> float:
        """Of all judges together."""
        return self.decisions * seconds / 3600

    def judge_of(self) -> Codes:
        """Who gives each judgment: segments × systems × judgments.

        Judges take turns over the kits; within a block nobody comes twice.
        """
        segment, system = np.arange(self.segments)[:, None], np.arange(self.systems)[None]
        block, place = np.divmod(segment, self.block_size)
        kit = (
            (system - place - block) % self.systems
            if self.separate_systems
            else np.zeros_like(system)
        )
        # A block starts with the judge after the last one of the block before: judges take turns.
        turn = block * self.judges_needed + kit * self.judgments
        order = turn[..., None] + np.arange(self.judgments)
        return np.asarray(order % self.judges, dtype=np.int64)


# Where nothing is said; with fewer judges a severity cannot be told from a quality.
SYSTEMS, JUDGMENTS, FEWEST_JUDGES = 2, 2, 3
# Seconds; a decision that takes longer was a pause (TAP-ET, Table 2).
LONGEST = 120.0


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """One question of a campaign to come."""

    by: Mapping[str, Key]
    tags: Mapping[str, Key] = field(default_factory=dict)
    model: JudgmentModel
    systems: int
    segments: int
    """0 where nothing is fixed."""
    judgments: int
    judges: int
    kit_size: int
    separate_systems: bool
    seconds: float

    def design(self, *, segments: int, judgments: int, judges: int = 0) -> CampaignDesign:
        """A campaign of that size, with the judges given, fixed, or just enough."""
        design = CampaignDesign(
            systems=self.systems,
            segments=segments,
            judgments=judgments,
            judges=1,
            kit_size=self.kit_size,
            separate_systems=self.separate_systems,
        )
        number = self.judges or max(design.judges_needed, judges, FEWEST_JUDGES)
        return msgspec.structs.replace(design, judges=number)


def scenarios(evaluation: Evaluation, settings: PlanSettings) -> Iterator[Scenario]:
    """Each question of earlier judgments; without any, the protocol's."""
    if evaluation.judgments is None:
        yield _from_protocol(settings)
        return
    for ratings in evaluation.ratings:
        if has_system_scores(ratings):
            yield _from_ratings(ratings, settings)


def _from_protocol(settings: PlanSettings) -> Scenario:
    protocol = load(settings.protocol)
    model = assumed_model(protocol, severity=settings.severity, noise=settings.noise)
    return Scenario(
        by={"question": settings.protocol},
        model=model,
        systems=settings.systems or SYSTEMS,
        segments=settings.segments,
        judgments=settings.judgments,
        judges=settings.judges,
        kit_size=settings.kit_size,
        separate_systems=protocol.one_system_per_segment,
        seconds=settings.seconds_per_item or _expected(settings.protocol),
    )


def _from_ratings(ratings: Ratings, settings: PlanSettings) -> Scenario:
    """A campaign like the one that the answers are from, where nothing else is said."""
    panel = score_table_of(ratings, SystemSettings())
    data = judgment_arrays(panel, centred=settings.centred)
    items = len(np.unique(data.segment * len(panel.systems) + data.system))
    judges = len(np.unique(data.judge))
    description = f"as in {len(data.values):,} judgments by {judges} judges"
    description += ", each judge's mean taken off" if settings.centred else ""
    return Scenario(
        by=ratings.by,
        tags=ratings.tags,
        model=observed_model(variances(data), description),
        systems=settings.systems or len(panel.systems),
        segments=settings.segments,
        judgments=settings.judgments or max(1, round(len(data.values) / max(items, 1))),
        judges=settings.judges or max(judges, FEWEST_JUDGES),
        kit_size=settings.kit_size,
        separate_systems=_apart(data),
        seconds=settings.seconds_per_item or _taken(ratings) or _expected(settings.protocol),
    )


def judgment_arrays(panel: ScoreTable, *, centred: bool = False) -> JudgmentArrays:
    """A panel's judgments; without judges, all are taken to be by different ones.

    `centred` takes each judge's mean off, so that severities count no more.
    """
    if panel.judge is None:
        return JudgmentArrays(
            panel.values, panel.system, panel.sentence, np.arange(len(panel.values))
        )
    values = panel.values
    if centred:
        # The overall mean is put back, so that scores stay in points of the scale.
        means = np.bincount(panel.judge, weights=values) / np.bincount(panel.judge)
        values = values - means[panel.judge] + values.mean()
    return JudgmentArrays(values, panel.system, panel.sentence, panel.judge)


def _apart(data: JudgmentArrays) -> bool:
    """Whether judges mostly saw a segment from one system only."""
    both = data.judge * (int(data.segment.max(initial=0)) + 1) + data.segment
    # A few repeated segments do not make it another design.
    return len(np.unique(both)) > 0.9 * len(both)


def _taken(ratings: Ratings) -> float:
    """Mean seconds of a decision, without pauses; 0 where they are not told."""
    if not ratings.has("seconds"):
        return 0.0
    seconds = ratings.frame["seconds"].drop_nulls()
    # Pauses would count as work.
    mean = seconds.filter(seconds <= LONGEST).mean()
    return float(mean) if isinstance(mean, float) else 0.0


def _expected(name: str) -> float:
    """What the kits' audit expects for an item of this protocol."""
    shown = (Shown(system="", text=""),)
    return expected_seconds(load(name), Item(id="", document="", segment="", translations=shown))


def judges_for(model: JudgmentModel, interval: float, z: float) -> int:
    """Judges whose severities take no more than half of the variance that an interval allows."""
    if not interval:
        return 0
    return ceil(2 * (z * model.unit * model.judge / interval) ** 2)
