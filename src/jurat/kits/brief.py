"""What building the kits of one task and phase starts from."""

from __future__ import annotations

from random import Random

import msgspec
from msgspec.structs import replace

from jurat.faults import complain
from jurat.kits.plan import Controls, KitPlan, TaskPlan
from jurat.model import Phase, TestSet
from jurat.protocols import Protocol


class Brief(msgspec.Struct, frozen=True, kw_only=True):
    """A task's plan with its protocol, test set, phase and seed."""

    test_set: TestSet
    protocol: Protocol
    plan: TaskPlan
    phase: Phase
    seed: int

    def __post_init__(self) -> None:
        _check(self.plan, self.kits, self.protocol)

    @property
    def kits(self) -> KitPlan:
        """How the kits of this phase are made."""
        if self.phase == "evaluation":
            return self.plan.kits
        return self.plan.tutorial or replace(self.plan.kits, repeats=0, controls=Controls())

    @property
    def apart(self) -> bool:
        """Whether a judge gets each segment from one system only."""
        return keeps_apart(self.protocol, self.plan)

    def random(self, *purpose: object) -> Random:
        """The chance of one purpose, which no other purpose disturbs."""
        # a list, so that no two purposes are ever written alike; a text seeds alike everywhere
        key = [self.seed, self.plan.name, self.phase, *purpose]
        return Random(msgspec.json.encode(key).decode())


def keeps_apart(protocol: Protocol, plan: TaskPlan) -> bool:
    """Whether a judge is kept from a second system's translation of a segment.

    Where systems are compared on one screen there is nothing to keep apart.
    """
    said = plan.one_system_per_segment
    rule = protocol.one_system_per_segment if said is None else said
    return rule and protocol.systems == "one"


def _check(plan: TaskPlan, kits: KitPlan, protocol: Protocol) -> None:
    """Refuse what the plan asks and this protocol cannot have."""
    if plan.one_system_per_segment and protocol.systems != "one":
        message = f"{protocol.name} shows several systems' translations of a segment at once"
        raise complain(message, field="one_system_per_segment")
    if kits.systems is not None and protocol.systems == "two":
        message = "systems are compared in pairs here; say how many with 'pairs'"
        raise complain(message, field="kits.systems")
    if kits.systems == 1 and protocol.systems == "all":
        raise complain("one system alone cannot be compared", field="kits.systems", value=1)
    if kits.pairs != "all" and protocol.systems != "two":
        message = f"{protocol.name} compares no pairs"
        raise complain(message, field="kits.pairs", value=kits.pairs)
    if kits.segments is not None and protocol.unit == "document":
        message = f"{protocol.name} judges whole documents: say how many are in a kit"
        raise complain(message, field="kits.segments", value=kits.segments)
    if kits.controls.easy and protocol.systems != "one":
        message = "a translation is easy to rate, not to compare; take degraded or gold controls"
        raise complain(message, field="kits.controls.easy", value=kits.controls.easy)
