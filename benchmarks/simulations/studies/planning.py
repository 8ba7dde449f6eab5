"""Studies of `jurat plan`: the power it promises, and the errors of stopping early."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import polars as pl

from benchmarks.simulations import claims
from benchmarks.simulations.claims import Reading
from benchmarks.simulations.designs import DIFFICULTY, Campaign, Rng
from benchmarks.simulations.studies.systems import campaign_columns
from benchmarks.simulations.study import Study, drawn_seed, judged
from jurat.results import Estimate
from jurat.stats.planning.campaign_design import scenarios
from jurat.stats.planning.judgment_model import JudgmentModel
from jurat.stats.planning.simulation import plan_campaign
from jurat.stats.settings import PlanSettings, SystemSettings

# Simulated campaigns from which the power that is held against others comes.
REFERENCE = 4000
# Documents judged between two looks.
LOOK = 10


@dataclass(frozen=True, kw_only=True)
class Stopping(Study):
    """`jurat plan --stop` after every ten documents, on systems that are equally good."""

    folders = ("planning", "systems")
    section = "plan --stop"
    design: Campaign

    def columns(self) -> Mapping[str, object]:
        """The design."""
        return campaign_columns(self.design)

    @property
    def smallest(self) -> bool:
        """Three judges."""
        return self.design.judges <= 3

    def readings(self, rng: Rng) -> Iterator[Reading]:
        """Whether an order was called settled at any look."""
        frame = self.design.frame(rng)
        number = frame["document"].str.slice(1).cast(pl.Int64)
        settled: list[Reading] = []
        for documents in range(LOOK, self.design.documents + 1, LOOK):
            settings = PlanSettings(
                stop=True,
                most_documents=self.design.documents,
                simulations=100,
                seed=drawn_seed(rng),
            )
            seen = judged(frame.filter(number < documents))
            found = claims.computed("planning", seen, settings, ("order-settled",))
            settled.append(claims.positive(found, "order-settled", "order-settled, any look"))
        said = [reading for reading in settled if reading.share is not None]
        share = max((reading.share or 0.0 for reading in said), default=None)
        yield settled[-1]._replace(share=share, warned=any(r.warned for r in said))


@dataclass(frozen=True, kw_only=True)
class PlannedPower(Study):
    """The power that `jurat plan` promises, minus whether `jurat systems` found the difference."""

    folders = ("planning", "systems")
    section = "plan"
    design: Campaign
    """With a step between its two systems, to be found."""

    def columns(self) -> Mapping[str, object]:
        """The design, with the power that was planned."""
        return campaign_columns(self.design)

    def readings(self, rng: Rng) -> Iterator[Reading]:
        """How far a finding lies from the promise."""
        promised = planned_power(self.design)
        evaluation = judged(self.design.frame(rng))
        settings = SystemSettings(bootstrap=0, seed=drawn_seed(rng))
        found = claims.computed("systems", evaluation, settings, ("pairwise-p",))
        for reading in claims.rejections(found, "pairwise-p"):
            known = promised is not None and reading.share is not None
            share = (promised or 0.0) - (reading.share or 0.0) if known else None
            yield Reading("promised − found", "power", share, reading.warned)


@dataclass(frozen=True, kw_only=True)
class PilotPower(Study):
    """The power that `jurat plan` promises from a small pilot, and its range."""

    folders = ("planning", "systems")
    section = "plan, from a small pilot"
    design: Campaign
    """The campaign, with a step between its two systems."""
    documents: int = 10
    judges: int = 3
    """Of the pilot."""

    def columns(self) -> Mapping[str, object]:
        """The campaign and the pilot."""
        pilot = {"pilot's documents": self.documents, "pilot's judges": self.judges}
        return {**campaign_columns(self.design), **pilot}

    def readings(self, rng: Rng) -> Iterator[Reading]:
        """How far the promise lies from the power, and whether its range holds it."""
        true = planned_power(self.design)
        pilot = replace(self.design, documents=self.documents, judges=self.judges, step=0.0)
        told = _power(self.design, pilot.frame(rng), simulations=400)
        if true is None or told is None or told.value is None:
            yield Reading("promised − true", "power", None)
            return
        warned = any(word in told.note for word in claims.WARNINGS)
        yield Reading("promised − true", "power", told.value - true, warned)
        if told.low is not None and told.high is not None:
            yield Reading("range of powers", "range", float(told.low <= true <= told.high), warned)


@cache
def planned_power(design: Campaign) -> float | None:
    """What `jurat plan` promises of a campaign of this size where it knows all variances.

    Were they estimated, from 600 judges, too, promises would be 2 to 4 points apart by chance.
    """
    evaluation = judged(replace(design, step=0.0).frame(np.random.default_rng(1)))
    settings = _settings(design, REFERENCE)
    (scenario,) = scenarios(evaluation, settings)
    known = JudgmentModel(
        document=DIFFICULTY,
        interaction=design.interaction,
        segment=DIFFICULTY,
        translation=0.0,
        taste=design.taste,
        judge=design.severity,
        rest=1.0,
    )
    plan = plan_campaign(replace(scenario, model=known), settings)
    return plan.simulated.power(settings.error)


def _settings(design: Campaign, simulations: int) -> PlanSettings:
    """The options that ask for a campaign of this size."""
    return PlanSettings(
        systems=design.systems,
        segments=design.documents * design.segments,
        judgments=design.judges if design.layout == "crossed" else 1,
        judges=design.judges,
        kit_size=design.segments * design.systems,
        difference=design.step,
        simulations=simulations,
    )


def _power(design: Campaign, pilot: pl.DataFrame, *, simulations: int) -> Estimate | None:
    """The power of a campaign of this size with the variances of the pilot."""
    settings = _settings(design, simulations)
    found = claims.computed("planning", judged(pilot), settings, ("plan-segments",))
    powers = [
        estimate
        for result in found["plan-power"]
        for estimate in result.estimates
        if estimate.by.get("segments") == settings.segments
        and estimate.by.get("judgments") == settings.judgments
    ]
    return powers[0] if powers else None
