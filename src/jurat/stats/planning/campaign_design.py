"""The campaign that is planned: what is known of it, from options or earlier judgments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import ceil, hypot

import msgspec
import numpy as np

from jurat.kits.expected_time import expected_seconds
from jurat.model import Item, Shown
from jurat.protocols import load
from jurat.results import Key
from jurat.stats.cluster_inference import FEW_JUDGES, FEWEST_JUDGES
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.planning.judgment_model import (
    JudgmentArrays,
    JudgmentModel,
    assumed_model,
    observed_model,
    variances,
)
from jurat.stats.planning.variance_limits import RANGE, UPPER, PilotVariances
from jurat.stats.ratings import Codes, Ratings
from jurat.stats.settings import PlanSettings, SystemSettings
from jurat.stats.systems.score_table import ScoreTable, has_system_scores, score_table_of


class CampaignDesign(msgspec.Struct, frozen=True, kw_only=True):
    """How many systems, segments, judgments of each translation and judges a campaign has.

    Kits are cut as `jurat.kits` cuts them, whole documents to a kit. With `separate_systems` a
    judge gets each segment from one system only: a block of documents then makes as many kits as
    there are systems, which take turns from document to document, and a judge gets one kit of a
    block.
    """

    systems: int
    segments: int
    judgments: int
    judges: int
    kit_size: int = 20
    separate_systems: bool = True
    document_size: int = 1
    """Segments of a document; with 1, segments are taken as independent."""

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return ceil(self.segments / self.document_size)

    @property
    def document_sizes(self) -> Codes:
        """The segments of each document; the last one may have fewer."""
        sizes = np.full(self.documents, self.document_size)
        sizes[-1] = self.segments - self.document_size * (self.documents - 1)
        return sizes

    @property
    def block_size(self) -> int:
        """Documents of a block: as many as fill a kit with one item a segment, or all systems'."""
        items = self.document_size * (1 if self.separate_systems else self.systems)
        return max(1, self.kit_size // items)

    @property
    def blocks(self) -> int:
        """Blocks of documents that are judged together."""
        return ceil(self.documents / self.block_size)

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
        """The fewest judges with whom the campaign can be finished."""
        return self.judgments * (self.systems if self.separate_systems else 1)

    @property
    def nested(self) -> bool:
        """Whether every document has one judge."""
        return self.judgments == 1 and not (self.separate_systems and self.systems > 1)

    @property
    def separable(self) -> bool:
        """Whether every two systems share three judges or more, or have as many each.

        Otherwise a difference of systems and one of their judges cannot be told apart.
        """
        own = [np.unique(judges) for judges in self.judge_of().swapaxes(0, 1)]
        return all(
            max(min(len(a), len(b)), len(np.intersect1d(a, b))) >= FEWEST_JUDGES
            for a, b in combinations(own, 2)
        )

    def hours(self, seconds: float) -> float:
        """Working hours of all judges together, at so many seconds an item."""
        return self.decisions * seconds / 3600

    def judge_of(self) -> Codes:
        """Who judges each document: documents × systems × judgments.

        Judges take turns over the kits, and nobody gets two kits of a block.
        """
        document, system = np.arange(self.documents)[:, None], np.arange(self.systems)[None]
        block, position = np.divmod(document, self.block_size)
        kit = (system - position - block) % self.systems * self.separate_systems
        # A block starts with the judge after the last one of the block before: judges take turns.
        turn = block * self.judges_needed + kit * self.judgments
        order = turn[..., None] + np.arange(self.judgments)
        return np.asarray(order % self.judges, dtype=np.int64)


# Systems where their number is not given.
SYSTEMS = 2
# Segments of a document where neither an option nor earlier judgments say it.
DOCUMENT_SIZE = 5
# Seconds beyond which a decision included a pause (TAP-ET, Table 2).
LONGEST = 120.0


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """What is known of one question of the planned campaign."""

    by: Mapping[str, Key]
    tags: Mapping[str, Key] = field(default_factory=dict)
    model: JudgmentModel
    systems: int
    segments: int
    """0 where the plan has to find it; the same holds for judgments and judges."""
    judgments: int
    judges: int
    kit_size: int
    separate_systems: bool
    seconds: float
    document_size: int = 1
    pilot: PilotVariances | None = None
    """The variances of earlier judgments, of which `model` has upper limits."""

    @property
    def deviations(self) -> dict[str, float]:
        """Standard deviations as assumed or estimated, by what they come from."""
        estimated = observed_model(self.pilot.estimated, "") if self.pilot else self.model
        return estimated.deviations()

    def at_limits(self) -> tuple[Scenario, Scenario] | None:
        """With the highest and lowest variances that earlier judgments leave; None without any."""
        if self.pilot is None:
            return None
        high, low = (self.pilot.limits(level) for level in (RANGE, 1 - RANGE))
        worst, best = (observed_model(v, self.model.description) for v in (high, low))
        return replace(self, model=worst), replace(self, model=best)

    def design(self, *, segments: int, judgments: int, judges: int = 0) -> CampaignDesign:
        """A campaign of that size, with the fixed number of judges, or at least `judges`."""
        design = CampaignDesign(
            systems=self.systems,
            segments=segments,
            judgments=judgments,
            judges=1,
            kit_size=self.kit_size,
            separate_systems=self.separate_systems,
            document_size=self.document_size,
        )
        fewest = FEW_JUDGES if design.nested else FEWEST_JUDGES
        number = self.judges or max(design.judges_needed, judges, fewest)
        return msgspec.structs.replace(design, judges=number)


def scenarios(evaluation: Evaluation, settings: PlanSettings) -> Iterator[Scenario]:
    """A scenario for each question of earlier judgments; without any, one for the protocol."""
    if evaluation.judgments is None:
        yield _from_protocol(settings)
        return
    for ratings in evaluation.ratings:
        if has_system_scores(ratings):
            yield _from_ratings(ratings, settings)


def _from_protocol(settings: PlanSettings) -> Scenario:
    protocol = load(settings.protocol)
    return Scenario(
        by={"question": settings.protocol},
        model=assumed_model(protocol, settings),
        systems=settings.systems or SYSTEMS,
        segments=settings.segments,
        judgments=settings.judgments,
        judges=settings.judges,
        kit_size=settings.kit_size,
        separate_systems=protocol.one_system_per_segment,
        seconds=settings.seconds_per_item or _expected_seconds(settings.protocol),
        document_size=settings.document_size or DOCUMENT_SIZE,
    )


def _from_ratings(ratings: Ratings, settings: PlanSettings) -> Scenario:
    """A campaign like the one that the answers are from, where the settings say nothing else."""
    table = score_table_of(ratings, SystemSettings())
    data = judgment_arrays(table, centred=settings.centred)
    items = len(np.unique(data.segment * len(table.systems) + data.system))
    judges = len(np.unique(data.judge))
    seconds = settings.seconds_per_item or _mean_seconds(ratings)
    of_documents = f" of {len(table.documents)} documents" if table.has_documents else ""
    description = f"estimated from {len(data.values):,} judgments{of_documents} by {judges} judges"
    description += ", each judge's mean subtracted" if settings.centred else ""
    description += "" if table.has_documents else "; documents are unknown: taken as segments"
    pilot = PilotVariances.of(
        variances(data), data, judges=table.judge is not None, documents=table.has_documents
    )
    return Scenario(
        by=ratings.by,
        tags=ratings.tags,
        model=observed_model(pilot.limits(UPPER), description),
        pilot=pilot,
        systems=settings.systems or len(table.systems),
        segments=settings.segments,
        judgments=settings.judgments or max(1, round(len(data.values) / max(items, 1))),
        judges=settings.judges or max(judges, FEWEST_JUDGES),
        kit_size=settings.kit_size,
        separate_systems=_separate_systems(data),
        seconds=seconds or _expected_seconds(settings.protocol),
        document_size=settings.document_size or _document_size(table),
    )


def judgment_arrays(table: ScoreTable, *, centred: bool = False) -> JudgmentArrays:
    """The judgments of a table; where it names no judges, each is by another one.

    `centred` subtracts each judge's mean, so that severities do not count.
    """
    values, judge = table.values, table.judge
    if judge is None:
        judge = np.arange(len(values))
    elif centred:
        # The overall mean is put back, so that scores stay in points of the scale.
        means = np.bincount(judge, weights=values) / np.bincount(judge)
        values = values - means[judge] + values.mean()
    return JudgmentArrays(
        values, table.system, table.sentence, judge, table.document_of[table.sentence]
    )


def _document_size(table: ScoreTable) -> int:
    """The mean number of segments of a document; 1 where documents are unknown."""
    documents = len(np.unique(table.document_of))
    return max(1, round(table.sentences / max(documents, 1)))


def _separate_systems(data: JudgmentArrays) -> bool:
    """Whether judges mostly saw a segment from one system only."""
    both = data.judge * (int(data.segment.max(initial=0)) + 1) + data.segment
    # A few repeated segments do not make it another design.
    return len(np.unique(both)) > 0.9 * len(both)


def _mean_seconds(ratings: Ratings) -> float:
    """Mean seconds of a decision, without pauses; 0 where the table has none."""
    if not ratings.has("seconds"):
        return 0.0
    seconds = ratings.frame["seconds"].drop_nulls()
    mean = seconds.filter(seconds <= LONGEST).mean()
    return float(mean) if isinstance(mean, float) else 0.0


def _expected_seconds(name: str) -> float:
    """What the audit of kits expects for an item of this protocol."""
    shown = (Shown(system="", text=""),)
    return expected_seconds(load(name), Item(id="", document="", segment="", translations=shown))


def judges_for(model: JudgmentModel, interval: float, z: float) -> int:
    """How many judges it takes for severities and tastes to use half the variance allowed.

    `interval` is the wanted half-width, 0 where none is wanted; `z` its normal quantile.
    """
    if not interval:
        return 0
    return ceil(2 * (z * hypot(model.judge, model.taste) / interval) ** 2)
