"""The plan of a task, as declared in a campaign file, and the request to build its kits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Literal

import msgspec
from msgspec.structs import replace

from jurat.condition_language import parse
from jurat.deserialize import struct_fields
from jurat.errors import InputError, Problem, input_error, quoted, raise_problems
from jurat.model import Phase, TestSet
from jurat.protocols import Protocol
from jurat.protocols.questions import NAME_RULE, doubled, is_name, replaced
from jurat.testset_filter import keep

Order = Literal["document", "shuffled"]

# The "reference" of a group of judges who see the source instead.
SOURCE = "source"
# The largest number allowed in a plan.
LARGEST_NUMBER = 1_000_000
# Characters of the instructions above an item.
LONGEST_INSTRUCTION = 2000


def _out_of_range(
    plan: msgspec.Struct, *, least: int, but: dict[str, int] | None = None
) -> Iterator[Problem]:
    """A problem for each number of a plan below `least` (or `but[field]`) or too large."""
    for field in struct_fields(type(plan)).values():
        number = getattr(plan, field.name)
        bound = (but or {}).get(field.name, least)
        if (
            isinstance(number, int)
            # True and False are whole numbers in Python
            and not isinstance(number, bool)
            and not bound <= number <= LARGEST_NUMBER
        ):
            message = (
                f"expected a whole number from {bound} to {LARGEST_NUMBER}, got {quoted(number)}"
            )
            yield Problem(message=message, field=field.name, value=number)


def _unreadable(expression: str, field: str) -> Iterator[Problem]:
    """The problems of a condition; none if it is valid or empty."""
    try:
        if expression.strip():
            parse(expression)
    except InputError as error:
        yield from replaced(error, field=field)


class Controls(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The number of control items of each kind in a kit."""

    easy: int = 0
    """Translations tagged as easy, which should get the top score."""
    degraded: int = 0
    """Degraded copies of the kit's items, which should get a lower score than the originals."""
    gold: int = 0
    """Segments tagged as gold, whose right answers are known."""

    def __post_init__(self) -> None:
        raise_problems(list(_out_of_range(self, least=0)))

    @property
    def total(self) -> int:
        """The number of all controls."""
        return self.easy + self.degraded + self.gold


class KitPlan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the kits of a task are built.

    A kit has at most so many `documents`, or so many `segments`; by default one document.
    """

    documents: int | None = None
    segments: int | None = None
    systems: int | None = None
    """The maximum number of systems in a kit, or on the screen where all are compared."""
    order: Order = "document"
    pairs: Literal["all"] | int = "all"
    """The number of pairs of systems compared on each segment."""
    repeats: int = 0
    """The number of items that the judge gets a second time."""
    controls: Controls = Controls()
    suggested: float = 1.0
    """The share of items that are shown with their suggestions, where there are any."""

    def __post_init__(self) -> None:
        raise_problems(list(self._problems()))

    def _problems(self) -> Iterator[Problem]:
        yield from _out_of_range(self, least=1, but={"repeats": 0, "suggested": 0})
        if not 0 <= self.suggested <= 1:
            message = f"expected a share from 0 to 1, got {quoted(self.suggested)}"
            yield Problem(message=message, field="suggested", value=self.suggested)
        if self.documents is not None and self.segments is not None:
            message = "the size of a kit is in documents or in segments, not both"
            yield Problem(message=message, field="segments")


class Instruction(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What judges read above the items that a condition selects; all items without one."""

    text: str
    where: str = ""
    """A condition on segments: on tags, `document`, `segment` and `source_language`."""

    def __post_init__(self) -> None:
        if not self.text.strip() or len(self.text) > LONGEST_INSTRUCTION:
            message = f"instructions have 1 to {LONGEST_INSTRUCTION} characters"
            raise input_error(message, field="text")
        raise_problems(list(_unreadable(self.where, "where")))


class RequiredKits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The number of kits that a judge has to do in each phase of a task."""

    tutorial: int = 0
    evaluation: int = 1

    def __post_init__(self) -> None:
        raise_problems(list(_out_of_range(self, least=0)))


class TaskPlan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A task: one protocol applied to a part of the test set."""

    name: str
    protocol: str
    wanted: int = 1
    """Judgments of every item, by different judges; with groups, in each group."""
    systems: tuple[str, ...] = ()
    """The systems to be judged; all if empty."""
    documents: tuple[str, ...] = ()
    """The documents to be judged; all if empty."""
    first: int | None = None
    """Only the first segments of each document, up to this number."""
    where: str = ""
    """A condition on segments: on tags, `document`, `segment` and `source_language`."""
    kits: KitPlan = KitPlan()
    tutorial: KitPlan | None = None
    """The tutorial's kits; by default like `kits`, without repeats and controls."""
    required: RequiredKits = RequiredKits()
    groups: dict[str, str] = {}
    """The reference that each group of judges sees, or `source`, by group."""
    instructions: tuple[Instruction, ...] = ()
    """What judges read above an item: the first whose condition is true of its segment.

    A segment or document of the test set may have its own, in the tag `instructions`.
    """
    judges: str = ""
    """A condition on judges: on their tags, `group` and `site`."""
    policy: str = "first-available"
    revise: bool | None = None
    """Whether a judge may change a decision; by default as in the protocol."""
    one_system_per_segment: bool | None = None
    """Whether a judge gets each segment from one system only; by default as in the protocol."""
    merge_identical: bool = False
    """Whether systems with the same output for a segment are judged once, for all of them."""

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
    media: Mapping[str, str] = {}
    """The hash of each media file that the test set names."""

    def __post_init__(self) -> None:
        # not a check of TaskPlan, which names its protocol but does not load it
        _check(self.plan, self.kits, self.protocol)

    @property
    def kits(self) -> KitPlan:
        """The plan of the kits of this phase."""
        if self.phase == "evaluation":
            return self.plan.kits
        return self.plan.tutorial or replace(self.plan.kits, repeats=0, controls=Controls())

    @property
    def apart(self) -> bool:
        """Whether a judge gets each segment from one system only."""
        return keeps_apart(self.protocol, self.plan)

    @property
    def merges(self) -> bool:
        """Whether systems with the same output are judged once."""
        # those of a tutorial are practised on, and its answers name the systems on the screen
        return self.plan.merge_identical and self.phase == "evaluation"

    def random(self, *purpose: object) -> Random:
        """A random generator for one purpose, independent of the draws for any other."""
        # JSON, so that no two purposes have the same text; texts seed alike on every platform
        key = [self.seed, self.plan.name, self.phase, *purpose]
        return Random(msgspec.json.encode(key).decode())


def keeps_apart(protocol: Protocol, plan: TaskPlan) -> bool:
    """Whether a judge gets each segment from one system only.

    The plan overrides the protocol. It is never so where systems are compared on one screen.
    """
    said = plan.one_system_per_segment
    rule = protocol.one_system_per_segment if said is None else said
    return rule and protocol.systems == "one"


def _check(plan: TaskPlan, kits: KitPlan, protocol: Protocol) -> None:
    """Raise `InputError` if the plan asks for what the protocol does not allow."""
    if plan.one_system_per_segment and protocol.systems != "one":
        message = f"{protocol.name} shows several systems' translations of a segment at once"
        raise input_error(message, field="one_system_per_segment")
    if kits.systems is not None and protocol.systems == "two":
        message = "systems are compared in pairs here; say how many with 'pairs'"
        raise input_error(message, field="kits.systems")
    if kits.systems == 1 and protocol.systems == "all":
        raise input_error("one system alone cannot be compared", field="kits.systems", value=1)
    most = protocol.most_systems
    if kits.systems is not None and most is not None and kits.systems > most:
        message = f"{protocol.name} shows at most {most} translations at once"
        raise input_error(message, field="kits.systems", value=kits.systems)
    if kits.pairs != "all" and protocol.systems != "two":
        message = f"{protocol.name} compares no pairs"
        raise input_error(message, field="kits.pairs", value=kits.pairs)
    if kits.segments is not None and protocol.unit == "document":
        message = f"{protocol.name} judges whole documents: say how many are in a kit"
        raise input_error(message, field="kits.segments", value=kits.segments)
    # easy means that the top score is expected, and comparisons have no scores
    if kits.controls.easy and protocol.systems != "one":
        message = "easy controls can only be rated; for comparisons use degraded or gold ones"
        raise input_error(message, field="kits.controls.easy", value=kits.controls.easy)


def plan_part(test_set: TestSet, plan: TaskPlan, *, phase: Phase = "evaluation") -> TestSet:
    """The part of a test set that the plan selects.

    A tutorial has its own test set, to which the plan's documents and conditions do not apply, and
    its systems only as far as the tutorial has them.
    """
    if phase == "tutorial":
        there = [system.name for system in test_set.systems if system.name in plan.systems]
        # none in common: keep all, since the systems of a tutorial may be its own
        return keep(test_set, systems=there or None, first=plan.first)
    return keep(
        test_set,
        systems=plan.systems or None,
        documents=plan.documents or None,
        first=plan.first,
        where=plan.where if plan.where.strip() else None,
    )
