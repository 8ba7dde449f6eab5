"""The rows of an archive: what each may contain, and how they must fit together.

An archive may come from anywhere. One that passes can be stored, and judging can continue.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec

from jurat.model import Advance, Item, Phase, TestSet
from jurat.store.records import AssignmentState, PhaseState, Role, Status

# Up to where every JSON reader keeps integers exact.
Id = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
Whole = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Positive = Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)]
Number = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
# Microseconds since 1970, of the years 1 to 9999, as `datetime` allows.
Moment = Annotated[int, msgspec.Meta(ge=-62_135_596_800_000_000, le=253_402_300_799_999_999)]
# PostgreSQL cannot store a NUL character.
Line = Annotated[str, msgspec.Meta(max_length=100_000, pattern=r"^[^\x00]*$")]
Key = Annotated[str, msgspec.Meta(min_length=8, max_length=100, pattern=r"^[A-Za-z0-9_-]+$")]


# Unknown fields are refused: what this Jurat does not know it would silently lose.
class Archived(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A row; its fields have the names of the columns."""


class CampaignRow(Archived):
    """A campaign."""

    id: Id
    name: Line
    title: Line
    declaration: Any
    protocols: dict[str, Any]
    test_set: TestSet
    tutorial: TestSet | None
    seed: Number
    created: Moment


class EditionRow(Archived):
    """An edition of a campaign's declaration, from the second on."""

    campaign_id: Id
    number: Annotated[int, msgspec.Meta(ge=2, le=2**31 - 1)]
    title: Line
    declaration: Any


class PhaseRow(Archived):
    """A phase of a task."""

    id: Id
    campaign_id: Id
    task: Line
    phase: Phase
    state: PhaseState
    reason: Line
    wanted: Whole | None
    stages: Positive
    advance: Advance
    apart: bool


class KitRow(Archived):
    """A kit; its `places` are computed from its assignments."""

    id: Id
    campaign_id: Id
    phase_id: Id
    number: Whole
    block: Line
    group: Line
    systems: list[str]
    size: Positive
    wanted: Whole | None


class ItemRow(Archived):
    """An item of a kit."""

    kit_id: Id
    index: Whole
    content: Item


class JudgeRow(Archived):
    """An account."""

    id: Id
    campaign_id: Id
    key: Key
    pin: Line
    role: Role
    password_hash: Line
    token_hash: Line
    group: Line
    site: Line
    tags: dict[str, str]
    disabled: bool
    created: Moment
    seen_at: Moment | None
    failures: Whole
    locked_until: Moment | None
    # Since schema 3; archives of version 1 do not have them.
    pending: bool = False
    address: Line = ""


class AssignmentRow(Archived):
    """A kit that was given to a judge."""

    id: Id
    campaign_id: Id
    key: Key
    judge_id: Id
    kit_id: Id
    phase_id: Id
    block: Line
    state: AssignmentState
    probability: float
    position: Positive
    shown_at: Moment | None
    lease_until: Moment | None
    created: Moment
    finished: Moment | None
    decided_at: Moment | None
    timed: Whole
    timed_seconds: float
    author: Line
    reason: Line
    changes: Whole


class DecisionRow(Archived):
    """A decision."""

    campaign_id: Id
    assignment_id: Id
    position: Positive
    revision: Positive
    answers: dict[str, Any]
    shown_at: Moment | None
    decided_at: Moment
    seconds: float | None
    active_seconds: float | None
    language: Line
    status: Status
    author: Line
    reason: Line


class DraftRow(Archived):
    """Answers that a judge has begun and not sent."""

    assignment_id: Id
    position: Positive
    content: Any


class AdjudicationRow(Archived):
    """An adjudicator's decision on an item."""

    campaign_id: Id
    kit_id: Id
    index: Whole
    answers: dict[str, Any]
    author: Line
    reason: Line
    decided_at: Moment


class AuditRow(Archived):
    """An entry of a campaign's audit log."""

    campaign_id: Id
    at: Moment
    author: Line
    action: Line
    details: Any


class CoordinatorRow(Archived):
    """A coordinator of the whole store."""

    id: Id
    key: Key
    name: Line
    login: Line
    password_hash: Line
    token_hash: Line
    disabled: bool
    created: Moment
    seen_at: Moment | None
    failures: Whole
    locked_until: Moment | None


class PreparationRow(Archived):
    """A campaign in preparation."""

    id: Id
    key: Key
    owner: Line
    declaration: dict[str, Any]
    edition: Positive
    created: Moment
    updated: Moment


class PreparationFileRow(Archived):
    """A file of a campaign in preparation."""

    preparation_id: Id
    name: Line
    size: Whole
    digest: Line
    content: bytes


class SiteLogRow(Archived):
    """An entry of the site's log."""

    at: Moment
    author: Line
    action: Line
    details: Any


# The kind of row of each table, in an order in which rows come after those that they refer to.
KINDS: dict[str, type[Archived]] = {
    "campaigns": CampaignRow,
    "editions": EditionRow,
    "phases": PhaseRow,
    "kits": KitRow,
    "items": ItemRow,
    "judges": JudgeRow,
    "assignments": AssignmentRow,
    "decisions": DecisionRow,
    "drafts": DraftRow,
    "adjudications": AdjudicationRow,
    "audit": AuditRow,
    "coordinators": CoordinatorRow,
    "preparations": PreparationRow,
    "preparation_files": PreparationFileRow,
    "site_log": SiteLogRow,
}


class Misfit(ValueError):
    """A row that contradicts others."""


T = TypeVar("T")


class _Kit(NamedTuple):
    campaign: int
    phase: int
    block: str
    size: int
    steps: int
    wanted: int | None


class _Assignment(NamedTuple):
    campaign: int
    position: int


class ConsistencyCheck:
    """Is given every row once, in the order of the tables, and refuses rows that do not fit."""

    def __init__(self) -> None:
        self.campaigns: dict[int, str] = {}
        self.taken: Counter[int] = Counter()
        """How many judges have each kit, or have finished it."""
        self._phases: dict[int, PhaseRow] = {}
        self._kits: dict[int, _Kit] = {}
        self._judges: dict[int, int] = {}
        self._assignments: dict[int, _Assignment] = {}
        self._items: Counter[int] = Counter()
        self._preparations: dict[int, str] = {}
        self._decided: Counter[int] = Counter()

    def see(self, row: Archived) -> None:
        """Check a row against those before it. Raises `Misfit`."""
        match row:
            case CampaignRow():
                _put(self.campaigns, row.id, row.name)
            # A row that refers to another one must come after it, as `KINDS` are ordered.
            case EditionRow() | AuditRow():
                _get(self.campaigns, row.campaign_id)
            case PhaseRow():
                _get(self.campaigns, row.campaign_id)
                _put(self._phases, row.id, row)
            case KitRow():
                self._see_kit(row)
            case ItemRow():
                _require(row.index < _get(self._kits, row.kit_id).size, "an item beyond its kit")
                self._items[row.kit_id] += 1
            case JudgeRow():
                _get(self.campaigns, row.campaign_id)
                _put(self._judges, row.id, row.campaign_id)
            case AssignmentRow():
                self._see_assignment(row)
            case DecisionRow():
                self._see_decision(row)
            case DraftRow():
                _get(self._assignments, row.assignment_id)
            case AdjudicationRow():
                kit = _get(self._kits, row.kit_id)
                _require(kit.campaign == row.campaign_id, "a kit of another campaign")
                _require(row.index < kit.size, "an item beyond its kit")
            case PreparationRow():
                _put(self._preparations, row.id, row.key)
            case PreparationFileRow():
                _get(self._preparations, row.preparation_id)
                whole = (len(row.content), hashlib.sha256(row.content).hexdigest())
                _require((row.size, row.digest) == whole, "not the size and digest of its content")

    def finish(self) -> None:
        """Check what is known only after the last row. Raises `Misfit`."""
        for number, kit in self._kits.items():
            _require(self._items[number] == kit.size, f"kit {number} lacks items")
            wanted = kit.wanted is None or self.taken[number] <= kit.wanted
            _require(wanted, f"kit {number} has more judges than are wanted")
        for number, assignment in self._assignments.items():
            whole = self._decided[number] == assignment.position - 1
            _require(whole, f"assignment {number} lacks decisions")

    def _see_kit(self, row: KitRow) -> None:
        phase = _get(self._phases, row.phase_id)
        _require(phase.campaign_id == row.campaign_id, "a phase of another campaign")
        steps = row.size * phase.stages
        kit = _Kit(row.campaign_id, row.phase_id, row.block, row.size, steps, row.wanted)
        _put(self._kits, row.id, kit)

    def _see_assignment(self, row: AssignmentRow) -> None:
        kit = _get(self._kits, row.kit_id)
        campaigns = {row.campaign_id, kit.campaign, _get(self._judges, row.judge_id)}
        _require(len(campaigns) == 1, "a kit or a judge of another campaign")
        same = (row.phase_id, row.block) == (kit.phase, kit.block)
        _require(same, "not the phase and block of its kit")
        # The position after the last step means that the kit is done, and only that.
        over = row.position > kit.steps
        _require(row.position <= kit.steps + 1, "a position beyond its kit")
        _require(row.state != ("open" if over else "done"), f"a {row.state} kit at this position")
        self.taken[row.kit_id] += row.state in ("open", "done")
        _put(self._assignments, row.id, _Assignment(row.campaign_id, row.position))

    def _see_decision(self, row: DecisionRow) -> None:
        assignment = _get(self._assignments, row.assignment_id)
        _require(row.campaign_id == assignment.campaign, "an assignment of another campaign")
        _require(row.position < assignment.position, "a decision that is not made yet")
        # Later revisions are at positions that have been counted.
        self._decided[row.assignment_id] += row.revision == 1


def _put(known: dict[int, T], number: int, row: T) -> None:
    _require(number not in known, f"a second row {number}")
    known[number] = row


def _get(known: dict[int, T], number: int) -> T:
    if number not in known:
        raise Misfit(f"refers to row {number}, which does not exist")
    return known[number]


def _require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise Misfit(otherwise)
