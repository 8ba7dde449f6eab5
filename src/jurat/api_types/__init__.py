"""What the HTTP API takes and gives, as types; its OpenAPI document is made from them.

They are a contract with scripts, and so apart from what the store and the service use; the client
needs nothing but them.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from jurat.model import Phase

Scope = Literal["read", "judges", "manage"]
Action = Literal["start", "stop", "close"]
Section = Literal["agreement", "judges", "systems", "preferences", "time", "heval", "fatigue"]
PhaseState = Literal["ready", "started", "stopped", "closed"]
Role = Literal["coordinator", "adjudicator", "judge", "guest"]
Level = Literal["good", "warning", "problem"]
# PostgreSQL cannot store a NUL character.
Line = Annotated[str, Meta(max_length=100, pattern=r"^[^\x00-\x1f]*$")]
Paragraph = Annotated[str, Meta(max_length=2000, pattern=r"^[^\x00]*$")]
Count = Annotated[int, Meta(ge=1, le=500)]
Page = Annotated[int, Meta(ge=1, le=100_000)]


class Struct(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of what scripts send: a field that does not exist is an error."""


class ProblemItem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that is wrong with what was sent, with its place."""

    message: str
    code: str = ""
    file: str | None = None
    line: int | None = None
    document: str | None = None
    segment: str | None = None
    field: str | None = None


class ErrorDetails(msgspec.Struct, frozen=True, kw_only=True):
    """Why a request was refused."""

    code: str
    """The kind of error, for scripts."""
    message: str
    """The same in words."""
    problems: tuple[ProblemItem, ...] = ()


class Error(msgspec.Struct, frozen=True, kw_only=True):
    """The body of every response with a status of 400 or more."""

    error: ErrorDetails


class TokenInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The token of this request."""

    id: str
    name: str
    coordinator: str
    scopes: tuple[Scope, ...]
    created: datetime
    expires: datetime


class CampaignSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A campaign in the list of all."""

    name: str
    title: str
    state: PhaseState
    decisions: int
    """Skipped items included."""
    wanted: int
    judges: int
    last: datetime | None
    created: datetime
    skipped: int = 0


class PhaseDetails(msgspec.Struct, frozen=True, kw_only=True):
    """A phase of a task."""

    task: str
    phase: Phase
    state: PhaseState
    reason: str
    """What judges read while it is stopped."""
    wanted: int | None
    """Judges for each kit; null: any number."""
    kits: int
    items: int


class PhaseProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a phase is; kits without a limit of judges count as wanting none."""

    task: str
    phase: Phase
    state: PhaseState
    kits: int
    wanted: int
    """Each kit counted as often as judges are wanted for it."""
    open: int
    done: int
    wanted_decisions: int
    decisions: int
    """Skipped items included."""
    skipped: int = 0


class ExpectedEnd(msgspec.Struct, frozen=True, kw_only=True):
    """When a campaign will be complete, with an 80 % interval."""

    left: int
    """Decisions that are still wanted."""
    per_day: float | None
    when: datetime | None
    earliest: datetime | None
    latest: datetime | None
    reason: str
    """Why there is no date."""


class RemarkItem(msgspec.Struct, frozen=True, kw_only=True):
    """Something about a judge or a campaign that needs attention."""

    code: str
    values: dict[str, str | int]


class CampaignDetails(msgspec.Struct, frozen=True, kw_only=True):
    """A campaign with its current configuration."""

    name: str
    title: str
    created: datetime
    edition: int
    """One higher after every change of the configuration."""
    declaration: dict[str, Any]
    """What campaign.yaml says now."""
    phases: tuple[PhaseDetails, ...]


class PhaseChange(Struct, frozen=True, kw_only=True):
    """Start, stop or close phases: all, those of a task, or one."""

    action: Action
    task: Line | None = None
    phase: Phase | None = None
    reason: Paragraph = ""
    """What judges read while it is stopped."""
    anyway: Paragraph = ""
    """Why to start although the audit found errors, such as for a pilot."""


class ChangedPhase(msgspec.Struct, frozen=True, kw_only=True):
    """A phase whose state was set."""

    task: str
    phase: Phase
    state: PhaseState


class NewJudges(Struct, frozen=True, kw_only=True):
    """Accounts to be created."""

    count: Count
    role: Literal["judge", "adjudicator", "coordinator"] = "judge"
    group: Line = ""
    site: Line = ""
    once: Line = ""
    """A random word: a request that is sent again with the same word creates nothing (409)."""


class LoginSlip(msgspec.Struct, frozen=True, kw_only=True):
    """The credentials of an account, shown this once."""

    pin: str
    password: str
    link: str
    """A personal link, which logs in without a password."""
    role: Role
    group: str
    site: str


class JudgeAccount(msgspec.Struct, frozen=True, kw_only=True):
    """An account of a campaign."""

    pin: str
    role: Role
    group: str
    site: str
    note: str
    address: str
    disabled: bool
    pending: bool
    """Whether this is a volunteer whom nobody has accepted yet."""
    created: datetime
    last_seen: datetime | None


class JudgeChange(Struct, frozen=True, kw_only=True):
    """New values for fields of an account; those left out stay."""

    group: Line | UnsetType = UNSET
    site: Line | UnsetType = UNSET
    note: Line | UnsetType = UNSET
    address: Line | UnsetType = UNSET
    """The email address for reminders."""
    disabled: bool | UnsetType = UNSET
    accepted: Literal[True] | UnsetType = UNSET
    """Accept a registered volunteer."""


class KitChange(Struct, frozen=True, kw_only=True):
    """What is to become of a judge's kits; judgments are never deleted, only marked."""

    action: Literal["return", "exclude", "redo"]
    """`return` unfinished kits to the others, `exclude` all of them, or have them done again."""
    reason: Annotated[str, Meta(min_length=1, max_length=500, pattern=r"^[^\x00]*\S[^\x00]*$")]
    task: Line | None = None


class ChangedKits(msgspec.Struct, frozen=True, kw_only=True):
    """How many kits were concerned."""

    kits: int


class JudgeStatus(msgspec.Struct, frozen=True, kw_only=True):
    """How far a judge is."""

    pin: str
    done: int
    left: int
    """Kits still required of them and wanted."""
    decisions: int
    """Skipped items included."""
    returned: int
    last_seen: datetime | None
    seconds: float | None
    """Mean time of a decision, of those that took two minutes or less."""
    hours_left: float | None
    remarks: tuple[RemarkItem, ...]
    skipped: int = 0


class CampaignProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a campaign is, and when it will be complete."""

    on_track: str
    """A code, such as `in-time`, `lacks-judges`, `done`."""
    level: Level
    deadline: date | None
    done: int
    wanted: int
    phases: tuple[PhaseProgress, ...]
    judges: tuple[JudgeStatus, ...]
    forecast: ExpectedEnd
    hours_left: float | None
    remarks: tuple[RemarkItem, ...]
    last: datetime | None
    now: datetime
    skipped: int = 0
    """Of `done`, items that were skipped."""


class ResultList(msgspec.Struct, frozen=True, kw_only=True):
    """Results as the commands write them with --json."""

    version: str
    """Which judgments were counted: another word after any change."""
    decisions: int
    last: datetime | None
    excluded: tuple[str, ...]
    """Judges whom a rule of the filter excluded."""
    results: tuple[dict[str, Any], ...]


class Pending(msgspec.Struct, frozen=True, kw_only=True):
    """The results are being computed; ask again in a few seconds."""

    computing: Literal[True] = True
    progress: float | None = None
    """The share that is done, where it is known."""


class FilterQuery(Struct, frozen=True, kw_only=True):
    """Which judgments."""

    task: Line = ""
    judges: tuple[Line, ...] = ()
    without: tuple[Line, ...] = ()
    documents: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    where: Annotated[str, Meta(max_length=500)] = ""
    """A condition over columns and tags."""
    ways: tuple[Line, ...] = ()
    k: float = 1.0


class ResultsQuery(FilterQuery, frozen=True, kw_only=True):
    """Which results, of which judgments."""

    section: Section | Literal[""] = ""
    """All results of one section; the main results of all where it is left out."""


class FeedQuery(Struct, frozen=True, kw_only=True):
    """Where to go on."""

    after: Annotated[int, Meta(ge=0, le=2**53)] = 0
    """The `number` of the last line that was received."""
    most: Annotated[int, Meta(ge=1, le=10_000)] = 1000
    """Decisions in one response."""


class TimelineQuery(Struct, frozen=True, kw_only=True):
    """Days or hours, and which page of them."""

    per: Literal["day", "hour"] = "day"
    page: Page = 1


class TimelineCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Judgments by span of time."""

    starts: tuple[datetime, ...]
    totals: tuple[int, ...]
    judges: dict[str, tuple[int, ...]]
    """By PIN."""
    earlier: bool


class NewMessage(Struct, frozen=True, kw_only=True):
    """A message to judges."""

    text: Annotated[str, Meta(min_length=1, max_length=2000, pattern=r"^[^\x00]*\S[^\x00]*$")]
    to: Line = ""
    """The PIN of a judge; empty: all of them."""


class SentMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message to judges."""

    id: str
    to: str
    text: str
    author: str
    sent_at: datetime
    withdrawn_at: datetime | None
    dismissed: tuple[str, ...]
    """The PINs of those who have read it."""


class LogEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the audit log; also what judges wrote to the coordinator (`feedback`)."""

    at: datetime
    author: str
    action: str
    details: Any


class Flagged(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge said about an item itself."""

    judge: str
    task: str
    document: str
    segment: str
    flag: str
    comment: str
    skipped: bool
    excluded: bool = False
    """Whether the judgment it came with was excluded."""
    decided_at: datetime


class FindingItem(msgspec.Struct, frozen=True, kw_only=True):
    """A finding of the audit."""

    severity: str
    message: str


class AuditReport(msgspec.Struct, frozen=True, kw_only=True):
    """What the audit of a campaign found; errors keep it from being started."""

    ready: bool
    hours: float
    findings: tuple[FindingItem, ...]
