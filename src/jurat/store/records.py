"""What goes into the store and what comes out of it; immutable, with times in UTC."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Literal, Protocol, Self

import msgspec

from jurat.kit_steps import Advance
from jurat.model import Item, Judge, Kit, Phase, Tags, TestSet

PhaseState = Literal["ready", "started", "stopped", "closed"]
Role = Literal["coordinator", "adjudicator", "judge", "guest"]
# `returned`: given back, by the judge's absence or by a coordinator; `redo`: to be done again by
# the same judge, for whom a new assignment stands in its place.
AssignmentState = Literal["open", "done", "returned", "redo"]
Status = Literal["valid", "superseded", "adjudicated", "excluded"]
# Checked answers by question, as plain data.
Answers = Mapping[str, object]


class NewPhase(msgspec.Struct, frozen=True, kw_only=True):
    """A task in one of its phases, as a campaign is created with it."""

    task: str
    phase: Phase
    wanted: int | None = 1
    """Judges who get each kit; None for no limit."""
    stages: int = 1
    advance: Advance = "item"
    apart: bool = False
    """Whether a judge gets at most one kit of a block."""


class NewCampaign(msgspec.Struct, frozen=True, kw_only=True):
    """All that a campaign is created from; the phases stand in the order of the tasks."""

    name: str
    title: str = ""
    declaration: object
    """What the coordinator declared, as plain data."""
    protocols: Mapping[str, object]
    """Each protocol by name, as plain data: as it was, whatever becomes of it elsewhere."""
    test_set: TestSet
    tutorial: TestSet | None = None
    seed: int = 0
    phases: tuple[NewPhase, ...]
    kits: Sequence[Kit]


class PhaseRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A phase as it stands."""

    task: str
    phase: Phase
    state: PhaseState
    reason: str
    wanted: int | None
    stages: int
    advance: Advance
    apart: bool
    kits: int
    items: int
    """In all its kits together."""


class Campaign(msgspec.Struct, frozen=True, kw_only=True):
    """A campaign without its test set."""

    name: str
    title: str
    declaration: object
    """As it stands now; what was declared first has edition 1."""
    protocols: Mapping[str, object]
    seed: int
    created: datetime
    phases: tuple[PhaseRecord, ...]
    edition: int = 1


class NewJudge(msgspec.Struct, frozen=True, kw_only=True):
    """An account to be made; secrets come as hashes only."""

    pin: str
    role: Role = "judge"
    password_hash: str = ""
    token_hash: str = ""
    group: str = ""
    site: str = ""
    tags: Tags = {}
    pending: bool = False
    address: str = ""


class Login(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who can be let in; `id` is opaque and may reach a browser."""

    id: str
    password_hash: str
    token_hash: str
    disabled: bool
    created: datetime
    seen_at: datetime | None
    failures: int
    """Wrong passwords since the last right one."""
    locked_until: datetime | None

    def failed(self, most: int, until: datetime) -> Self:
        """After one more wrong password; every `most` of them lock until then."""
        failures = self.failures + 1
        locked = until if failures % most == 0 else self.locked_until
        return msgspec.structs.replace(self, failures=failures, locked_until=locked)

    def succeeded(self, now: datetime) -> Self:
        """After the right one: all wrong ones are forgotten."""
        return msgspec.structs.replace(self, failures=0, locked_until=None, seen_at=now)


class Account(Login, frozen=True, kw_only=True):
    """An account of a campaign as it stands."""

    pin: str
    role: Role
    group: str
    site: str
    tags: Tags
    pending: bool
    """Whether somebody who registered waits for a coordinator to accept him."""
    address: str = ""
    """Where reminders go, if a coordinator gave one; for nothing else."""

    @property
    def judge(self) -> Judge:
        """What matters for the choice of kits."""
        return Judge(id=self.id, group=self.group, site=self.site, tags=self.tags)


class AccountChange(msgspec.Struct, frozen=True, kw_only=True):
    """What of an account becomes different; what is left out stays."""

    password_hash: str | msgspec.UnsetType = msgspec.UNSET
    token_hash: str | msgspec.UnsetType = msgspec.UNSET
    role: Role | msgspec.UnsetType = msgspec.UNSET
    group: str | msgspec.UnsetType = msgspec.UNSET
    site: str | msgspec.UnsetType = msgspec.UNSET
    tags: Tags | msgspec.UnsetType = msgspec.UNSET
    disabled: bool | msgspec.UnsetType = msgspec.UNSET
    pending: bool | msgspec.UnsetType = msgspec.UNSET
    address: str | msgspec.UnsetType = msgspec.UNSET


class NewCoordinator(msgspec.Struct, frozen=True, kw_only=True):
    """A coordinator of the whole store; secrets come as hashes only."""

    name: str
    login: str
    """What he is found by: the name in small letters."""
    password_hash: str = ""
    token_hash: str = ""


class Coordinator(Login, frozen=True, kw_only=True):
    """A coordinator of the whole store as he stands."""

    name: str
    login: str


class CoordinatorChange(msgspec.Struct, frozen=True, kw_only=True):
    """What of a coordinator becomes different; what is left out stays."""

    password_hash: str | msgspec.UnsetType = msgspec.UNSET
    token_hash: str | msgspec.UnsetType = msgspec.UNSET
    disabled: bool | msgspec.UnsetType = msgspec.UNSET


class PreparedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of a campaign in preparation, without its content."""

    name: str
    size: int
    digest: str
    """SHA-256 of the content."""


class Preparation(msgspec.Struct, frozen=True, kw_only=True):
    """A campaign that is not made yet; `id` is opaque and may reach a browser."""

    id: str
    owner: str
    declaration: Mapping[str, object]
    """What is declared so far, as plain data; any of it may be missing or wrong."""
    files: tuple[PreparedFile, ...]
    edition: int
    created: datetime
    updated: datetime

    @property
    def title(self) -> str:
        """What people know it by; nothing where it has neither title nor name yet."""
        return str(self.declaration.get("title") or self.declaration.get("name") or "")


# What becomes of the declaration of a preparation; pure, for it may be asked again.
Redeclare = Callable[[dict[str, object]], Mapping[str, object]]


class OpenKit(msgspec.Struct, frozen=True, kw_only=True):
    """A kit that a judge can be given."""

    id: int
    task: str
    phase: Phase
    number: int
    block: str
    group: str
    systems: tuple[str, ...]
    wanted: int | None
    taken: int
    """Judges who have it or have done it."""


class Had(msgspec.Struct, frozen=True, kw_only=True):
    """A kit that a judge has or had."""

    task: str
    phase: Phase
    number: int
    block: str
    state: AssignmentState


class Choice(Protocol):
    """Which of the open kits it shall be, and how probable that was."""

    @property
    def kit(self) -> OpenKit: ...

    @property
    def probability(self) -> float: ...


# Picks one of the open kits for a judge who has had those; pure, for it may be asked again.
Choose = Callable[[Sequence[OpenKit], Sequence[Had]], Choice | None]


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a judge's kit, with all that is known of it; not for the judge's eyes."""

    assignment: str
    """Opaque."""
    task: str
    phase: Phase
    kit: int
    """The kit's number."""
    position: int
    """From 1; with the assignment it names the decision for ever."""
    steps: int
    """Positions in the kit."""
    index: int
    """Of the item in the kit, from 0."""
    stage: int
    """From 0."""
    item: Item
    earlier: Answers
    """What the judge answered at earlier stages of this item."""
    draft: object
    """What he had begun to answer here; None if nothing."""
    shown_at: datetime | None
    answered: Answers | None = None
    """What he decided here, where that has happened already."""
    revision: int = 0
    """How often he has decided here."""
    reached: int = 0
    """The position up to which the judge has come in this kit; 0: this one."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's decision at a step: the answers are legal, the times plausible.

    What comes back from the store is on disk, and has all fields.
    """

    answers: Answers
    decided_at: datetime
    """Before it came where it had to wait for a connection."""
    seconds: float | None = None
    """Since the step was shown; the store's own where none is given."""
    active_seconds: float | None = None
    language: str = ""
    author: str = ""
    reason: str = ""
    number: int = 0
    """Of the decision, in the order of storing."""
    assignment: str = ""
    position: int = 0
    revision: int = 1
    new: bool = True
    """False if it was stored before: then nothing has changed."""
    finished: bool = False
    """Whether the kit is done."""


class StoredDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision with all that belongs to it, as it is exported.

    The status of everything in a kit that was given back or is done again is `excluded`.
    """

    number: int
    task: str
    phase: Phase
    kit: int
    block: str
    assignment: str
    judge: str
    """The PIN."""
    group: str
    site: str
    position: int
    stage: int
    index: int
    item: Item
    revision: int
    answers: Answers
    shown_at: datetime | None
    decided_at: datetime
    seconds: float | None
    active_seconds: float | None
    language: str
    probability: float
    status: Status
    author: str
    reason: str


class Adjudication(msgspec.Struct, frozen=True, kw_only=True):
    """What an adjudicator settled about one item."""

    number: int
    task: str
    phase: Phase
    kit: int
    index: int
    item: Item
    answers: Answers
    author: str
    reason: str
    decided_at: datetime


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """How far a judge is in a task's phase."""

    judge: str
    """The account's opaque id."""
    task: str
    phase: Phase
    open: int
    done: int
    returned: int
    """Kits given back, and those to be done again."""
    decisions: int
    """That count: in open and done kits."""
    timed: int
    """Decisions of two minutes or less."""
    timed_seconds: float
    last: datetime | None
    """When he last decided."""


class PhaseTally(msgspec.Struct, frozen=True, kw_only=True):
    """How far a phase is; what has no limit wants nothing."""

    task: str
    phase: Phase
    state: PhaseState
    kits: int
    wanted: int
    """Kits times judges, wanted in all."""
    open: int
    done: int
    wanted_decisions: int
    decisions: int


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a campaign is."""

    phases: tuple[PhaseTally, ...]
    judges: tuple[Tally, ...]


class AuditEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What was done to a campaign, by whom."""

    at: datetime
    author: str
    action: str
    details: object


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """What an archive brought into the store."""

    campaigns: tuple[str, ...]
    rows: Mapping[str, int]
    """By table."""
