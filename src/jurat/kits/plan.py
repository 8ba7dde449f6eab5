"""The plan of a task, as a coordinator declares it, and the request to build its kits."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Literal

import msgspec
from msgspec.structs import replace

from jurat.conditions import parse
from jurat.errors import InputError, Problem, input_error, quoted, raise_problems
from jurat.model import Phase, TestSet
from jurat.protocols import Protocol
from jurat.protocols.questions import NAME_RULE, doubled, is_name, replaced
from jurat.testset_filter import keep

Order = Literal["document", "shuffled"]

# What stands for a reference's name where a group of judges sees the source instead.
SOURCE = "source"
# No number in a plan is greater.
LARGEST_NUMBER = 1_000_000


def _out_of_range(
    plan: msgspec.Struct, *, least: int, but: dict[str, int] | None = None
) -> Iterator[Problem]:
    """A problem for each number of a plan that is too small or too large."""
    for field in msgspec.structs.fields(plan):
        number = getattr(plan, field.name)
        bound = (but or {}).get(field.name, least)
        if (
            isinstance(number, int)
            and not isinstance(number, bool)
            and not bound <= number <= LARGEST_NUMBER
        ):
            message = (
                f"expected a whole number from {bound} to {LARGEST_NUMBER}, got {quoted(number)}"
            )
            yield Problem(message=message, field=field.name, value=number)


def _unreadable(expression: str, field: str) -> Iterator[Problem]:
    """What is wrong with an expression; nothing, if it can be read or is empty."""
    try:
        if expression.strip():
            parse(expression)
    except InputError as error:
        yield from replaced(error, field=field)


class Controls(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many items a kit holds whose good answer is known beforehand."""

    easy: int = 0
    """Translations that are tagged easy: the top score is expected."""
    degraded: int = 0
    """Copies of the kit's own items, visibly damaged: a worse score than the original's."""
    gold: int = 0
    """Segments tagged gold, with the answers that are right."""

    def __post_init__(self) -> None:
        raise_problems(list(_out_of_range(self, least=0)))

    @property
    def total(self) -> int:
        """All of them together."""
        return self.easy + self.degraded + self.gold


class KitPlan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the kits of a task are made.

    A kit holds up to so many documents, or so many segments; one document when nothing is said.
    """

    documents: int | None = None
    segments: int | None = None
    systems: int | None = None
    """The most systems that are mixed in a kit, or on the screen where all are compared at once."""
    order: Order = "document"
    pairs: Literal["all"] | int = "all"
    """How many pairs of systems are compared on each segment."""
    repeats: int = 0
    """Items that the judge meets a second time."""
    controls: Controls = Controls()

    def __post_init__(self) -> None:
        raise_problems(list(self._problems()))

    def _problems(self) -> Iterator[Problem]:
        yield from _out_of_range(self, least=1, but={"repeats": 0})
        if self.documents is not None and self.segments is not None:
            message = "a kit is measured in documents or in segments, not in both"
            yield Problem(message=message, field="segments")


class RequiredKits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The kits that a judge must do of a task, in each phase."""

    tutorial: int = 0
    evaluation: int = 1

    def __post_init__(self) -> None:
        raise_problems(list(_out_of_range(self, least=0)))


class TaskPlan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One protocol over one part of the test set."""

    name: str
    protocol: str
    wanted: int = 1
    """Judgments of every item, each by another judge; with groups, in each group."""
    systems: tuple[str, ...] = ()
    """The systems to be judged; all when none is named."""
    documents: tuple[str, ...] = ()
    """The documents to be judged; all when none is named."""
    first: int | None = None
    """Only so many segments of each document, from its beginning."""
    where: str = ""
    """Only segments that meet this: an expression over tags, `document`, `segment`,
    `source_language`."""
    kits: KitPlan = KitPlan()
    tutorial: KitPlan | None = None
    """The tutorial's kits; if nothing is said, like the others without repeats and controls."""
    required: RequiredKits = RequiredKits()
    groups: dict[str, str] = {}
    """The reference that each group of judges sees, by group, or `source`."""
    judges: str = ""
    """Only judges who meet this: an expression over their tags, `group` and `site`."""
    policy: str = "first-available"
    revise: bool | None = None
    """Whether a judge may change a decision; when nothing is said, as the protocol has it."""
    one_system_per_segment: bool | None = None
    """Whether a judge is kept from a second system's translation of a segment; when nothing is
    said, as the protocol has it."""

    def __post_init__(self) -> None:
        raise_problems(list(self._problems()))

    def _problems(self) -> Iterator[Problem]:
        if not is_name(self.name):
            message = f"{quoted(self.name)} is not a valid task name: {NAME_RULE}"
            yield Problem(message=message, field="name")
        yield from _out_of_range(self, least=1)
        yield from doubled(self.systems, "systems")
        yield from doubled(self.documents, "documents")
        yield from _unreadable(self.where, "where")
        yield from _unreadable(self.judges, "judges")
        for group, reference in self.groups.items():
            if not group or not reference:
                message = "a group needs a name and a reference"
                yield Problem(message=message, field=f"groups.{group}" if group else "groups")


class BuildRequest(msgspec.Struct, frozen=True, kw_only=True):
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
        """A random generator of its own for each purpose: more draws for one change no other."""
        # JSON, so that no two purposes give the same text; a text seeds alike on every platform
        key = [self.seed, self.plan.name, self.phase, *purpose]
        return Random(msgspec.json.encode(key).decode())


def keeps_apart(protocol: Protocol, plan: TaskPlan) -> bool:
    """Whether a judge is kept from a second system's translation of a segment.

    Where systems are compared on one screen there is nothing to keep apart.
    """
    said = plan.one_system_per_segment
    # the plan overrides the protocol
    rule = protocol.one_system_per_segment if said is None else said
    return rule and protocol.systems == "one"


def _check(plan: TaskPlan, kits: KitPlan, protocol: Protocol) -> None:
    """Refuse what the plan asks and this protocol cannot have."""
    if plan.one_system_per_segment and protocol.systems != "one":
        message = f"{protocol.name} shows several systems' translations of a segment at once"
        raise input_error(message, field="one_system_per_segment")
    if kits.systems is not None and protocol.systems == "two":
        message = "systems are compared in pairs here; say how many with 'pairs'"
        raise input_error(message, field="kits.systems")
    if kits.systems == 1 and protocol.systems == "all":
        raise input_error("one system alone cannot be compared", field="kits.systems", value=1)
    if kits.pairs != "all" and protocol.systems != "two":
        message = f"{protocol.name} compares no pairs"
        raise input_error(message, field="kits.pairs", value=kits.pairs)
    if kits.segments is not None and protocol.unit == "document":
        message = f"{protocol.name} judges whole documents: say how many are in a kit"
        raise input_error(message, field="kits.segments", value=kits.segments)
    # an easy translation has a top score; in a comparison there is none to expect
    if kits.controls.easy and protocol.systems != "one":
        message = "easy controls can only be rated; for comparisons use degraded or gold ones"
        raise input_error(message, field="kits.controls.easy", value=kits.controls.easy)


def plan_part(test_set: TestSet, plan: TaskPlan, *, phase: Phase = "evaluation") -> TestSet:
    """The systems, documents and segments that the plan asks for.

    A tutorial is a set of its own: documents and conditions of the plan do not apply to it, and
    the systems only where it has them.
    """
    if phase == "tutorial":
        there = [system.name for system in test_set.systems if system.name in plan.systems]
        return keep(test_set, systems=there or None, first=plan.first)
    return keep(
        test_set,
        systems=plan.systems or None,
        documents=plan.documents or None,
        first=plan.first,
        where=plan.where if plan.where.strip() else None,
    )
