"""What a coordinator declares of a task: which part is judged, how often, in what kits, by whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from jurat.expressions import parse
from jurat.faults import Fault, FaultyInput, quoted, refuse
from jurat.protocols.questions import NAME_RULE, doubled, is_name, replaced

Order = Literal["document", "shuffled"]

SOURCE = "source"
"""What stands for a reference's name where a group of judges sees the source instead."""
MOST = 1_000_000
"""No number in a plan is greater."""


def _out_of_range(
    plan: msgspec.Struct, *, least: int, but: dict[str, int] | None = None
) -> Iterator[Fault]:
    """A fault for each number of a plan that is too small or too great."""
    for field in msgspec.structs.fields(plan):
        number = getattr(plan, field.name)
        bound = (but or {}).get(field.name, least)
        if isinstance(number, int) and not isinstance(number, bool) and not bound <= number <= MOST:
            message = f"expected a whole number from {bound} to {MOST}, got {quoted(number)}"
            yield Fault(message=message, field=field.name, value=number)


def _unreadable(expression: str, field: str) -> Iterator[Fault]:
    """What is wrong with an expression; nothing, if it can be read or is empty."""
    try:
        if expression.strip():
            parse(expression)
    except FaultyInput as error:
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
        refuse(list(_out_of_range(self, least=0)))

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
        refuse(list(self._faults()))

    def _faults(self) -> Iterator[Fault]:
        yield from _out_of_range(self, least=1, but={"repeats": 0})
        if self.documents is not None and self.segments is not None:
            message = "a kit is measured in documents or in segments, not in both"
            yield Fault(message=message, field="segments")


class Required(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The kits that a judge must do of a task, in each phase."""

    tutorial: int = 0
    evaluation: int = 1

    def __post_init__(self) -> None:
        refuse(list(_out_of_range(self, least=0)))


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
    required: Required = Required()
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
        refuse(list(self._faults()))

    def _faults(self) -> Iterator[Fault]:
        if not is_name(self.name):
            message = f"{quoted(self.name)} is no name for a task: {NAME_RULE}"
            yield Fault(message=message, field="name")
        yield from _out_of_range(self, least=1)
        yield from doubled(self.systems, "systems")
        yield from doubled(self.documents, "documents")
        yield from _unreadable(self.where, "where")
        yield from _unreadable(self.judges, "judges")
        for group, reference in self.groups.items():
            if not group or not reference:
                message = "a group has a name, and the name of its reference"
                yield Fault(message=message, field=f"groups.{group}" if group else "groups")
