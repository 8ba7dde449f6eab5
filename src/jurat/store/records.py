"""Records of campaigns, kits and judgments: what operations take and return; times are in UTC."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple, Protocol

import msgspec

from jurat.model import Advance, Item, Kit, Phase, TestSet

# `stopped` can be started again, `closed` is the end.
PhaseState = Literal["ready", "started", "stopped", "closed"]
# `returned`: taken from the judge, because the lease ran out or by a coordinator; `redo`: to be
# done again by the same judge, who has a new assignment for it.
AssignmentState = Literal["open", "done", "returned", "redo"]
# Of a decision; only those that are `valid` count.
Status = Literal["valid", "superseded", "adjudicated", "excluded"]
# What a judge says about an item itself: `comment` where they only wrote something.
Flag = Literal["", "source-broken", "cannot-judge", "comment"]
# Answers by question id, as plain data that the protocol has checked.
Answers = Mapping[str, object]


class NewPhase(msgspec.Struct, frozen=True, kw_only=True):
    """A phase of a task, in a new campaign."""

    task: str
    phase: Phase
    wanted: int | None = 1
    """How many judges get each kit; None for no limit."""
    stages: int = 1
    advance: Advance = "item"
    apart: bool = False
    """Whether a judge gets at most one kit of a block."""


class MediaFile(msgspec.Struct, frozen=True, kw_only=True):
    """A media file of a campaign, without its content."""

    name: str
    """As the test set names it."""
    digest: str
    """The SHA-256 of its content, in hexadecimal digits."""
    type: str
    """Its content type, such as `video/webm`."""
    size: int


class NewCampaign(msgspec.Struct, frozen=True, kw_only=True):
    """All that a campaign is created from; phases are in the order of the tasks."""

    name: str
    title: str = ""
    declaration: object
    """The coordinator's declaration (the YAML file), as plain data."""
    protocols: Mapping[str, object]
    """Each protocol by name, as plain data: a copy, which later versions do not change."""
    test_set: TestSet
    tutorial: TestSet | None = None
    seed: int = 0
    phases: tuple[NewPhase, ...]
    kits: Sequence[Kit]
    media: Sequence[MediaFile] = ()
    read_media: Callable[[str], bytes] | None = None
    """Gives the content of a media file by its name; they are read one after the other."""


class PhaseRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A phase as it is now."""

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
    """The current one; the number of the first `edition` is 1."""
    protocols: Mapping[str, object]
    seed: int
    created: datetime
    phases: tuple[PhaseRecord, ...]
    edition: int = 1


# When a questionnaire is answered: before the first kit, or after the last.
QuestionnaireMoment = Literal["before", "after"]


class QuestionnaireAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge said of themselves, and what they agreed to."""

    judge: str
    """The PIN."""
    moment: QuestionnaireMoment
    answers: Answers
    consent: str
    """The text that they agreed to; empty where none was asked for."""
    language: str
    answered_at: datetime


class NewModelAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a model judge was asked about an item of a kit, and what it answered."""

    judge: str
    """The name of the model judge."""
    model: str
    task: str
    kit: int
    """The number of the kit, and the index of the item in it."""
    index: int
    swapped: bool = False
    """Whether the translations were shown in the reverse order of the item."""
    settings: Mapping[str, object] = {}
    messages: Sequence[Mapping[str, str]] = ()
    """The prompt and the raw answers, as they were sent and received."""
    answers: Answers = {}
    """The checked answers; none where the request was in vain."""
    error: str = ""
    """Why it was in vain."""
    attempts: int = 1
    prompt_tokens: int = 0
    answer_tokens: int = 0
    cost: float | None = None
    asked_at: datetime
    seconds: float = 0.0


class ModelAnswer(NewModelAnswer, frozen=True, kw_only=True):
    """A stored answer of a model judge, with the item as it stands in the kit."""

    item: Item


class CampaignDraftFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of a campaign draft, without its content."""

    name: str
    size: int
    digest: str
    """SHA-256 of the content."""


class CampaignDraft(msgspec.Struct, frozen=True, kw_only=True):
    """A campaign that is being prepared; `id` is opaque and may reach a browser."""

    id: str
    owner: str
    declaration: Mapping[str, object]
    """The declaration so far, as plain data; any of it may be missing or wrong."""
    files: tuple[CampaignDraftFile, ...]
    edition: int
    created: datetime
    updated: datetime

    @property
    def title(self) -> str:
        """Its title or else its name; empty if it has neither yet."""
        return str(self.declaration.get("title") or self.declaration.get("name") or "")


# Makes a new declaration from the old one. Without side effects: a transaction may be repeated.
Redeclare = Callable[[dict[str, object]], Mapping[str, object]]


class OpenKit(msgspec.Struct, frozen=True, kw_only=True):
    """A kit that a judge can be given; `id` is a row number."""

    id: int
    task: str
    phase: Phase
    number: int
    block: str
    group: str
    systems: tuple[str, ...]
    wanted: int | None
    taken: int
    """How many judges have it or have finished it."""


class Had(msgspec.Struct, frozen=True, kw_only=True):
    """A kit that a judge has or had."""

    task: str
    phase: Phase
    number: int
    block: str
    state: AssignmentState


class ChosenKit(Protocol):
    """The open kit that was chosen, and the probability with which it was."""

    @property
    def kit(self) -> OpenKit: ...

    @property
    def probability(self) -> float: ...


class Offer(NamedTuple):
    """The kits that a judge has, had, and could be given."""

    kits: Sequence[OpenKit]
    """Kits of started phases with a free place."""
    had: Sequence[Had]
    held: Callable[[str, Phase], Sequence[OpenKit]]
    """The kits of a phase that they may be given later: without a free place, but begun by others
    and not finished, and all with a free place where the phase is not started."""
    cut: frozenset[tuple[str, Phase]] = frozenset()
    """The phases of which `kits` has only the first."""
    resumes: tuple[str, Phase] | None = None
    """The phase of a kit that the judge has begun or left, with which they go on."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A step of a judge's kit. It names the systems, so it must not reach the judge as it is."""

    assignment: str
    """Opaque."""
    task: str
    phase: Phase
    kit: int
    """The kit's number."""
    position: int
    """From 1; with the assignment it identifies the decision."""
    steps: int
    """How many the kit has."""
    index: int
    """Of the item in the kit, from 0."""
    stage: int
    """From 0."""
    item: Item
    earlier: Answers
    """The judge's answers at earlier stages of this item."""
    saved: object
    """Answers that the judge has begun here and not sent; None if there are none."""
    shown_at: datetime | None
    answered: Answers | None = None
    """The judge's latest decision here; None if they have not decided yet."""
    revision: int = 0
    """How often the judge has decided here."""
    flag: Flag = ""
    comment: str = ""
    """What the judge said about the item with that decision."""
    reached: int = 0
    """The position that the judge has reached in this kit; 0 if it is this one."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's decision at a step, with answers and times that have been checked.

    The fields from `number` on are set by the store; what it returns is on disk.
    """

    answers: Answers
    decided_at: datetime
    """Before it arrived, if it had to wait for a connection."""
    seconds: float | None = None
    """Since the step was shown; None to let the store measure it."""
    active_seconds: float | None = None
    played_seconds: float | None = None
    """How long media were playing; None where that is not known."""
    language: str = ""
    author: str = ""
    reason: str = ""
    flag: Flag = ""
    comment: str = ""
    """What the judge said about the item; there is a flag with it."""
    skipped: bool = False
    """Whether the judge skipped the item, for the reason in flag and comment."""
    practice: bool = False
    """Whether the judge is shown the expected answers next."""
    number: int = 0
    """Of the decision, in the order of storing."""
    assignment: str = ""
    position: int = 0
    revision: int = 1
    new: bool = True
    """False if it had been stored before, and nothing has changed."""
    finished: bool = False
    """Whether the kit is done."""


class StoredDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision with everything that an export tells of it.

    In a kit that was given back or is to be done again its status is `excluded`.
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
    played_seconds: float | None
    language: str
    probability: float
    status: Status
    author: str
    reason: str
    flag: Flag = ""
    comment: str = ""
    skipped: bool = False


class Adjudication(msgspec.Struct, frozen=True, kw_only=True):
    """An adjudicator's decision on one item."""

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
    """How far a judge is in a phase of a task."""

    judge: str
    """The account's opaque id."""
    task: str
    phase: Phase
    open: int
    done: int
    returned: int
    """Kits given back, and those to be done again."""
    decisions: int
    """In open and done kits, skipped items included; others do not count."""
    timed: int
    """Decisions that took two minutes or less."""
    timed_seconds: float
    last: datetime | None
    """When the judge last decided."""
    timed_squares: float = 0.0
    """Σ n² over their kits, each with n timed decisions that took s seconds together."""
    timed_products: float = 0.0
    """Σ n s over the same kits."""
    seconds_squares: float = 0.0
    """Σ s² over the same kits."""
    left: int = 0
    """Of those given back, the kits that the judge left until their lease ran out."""
    skipped: int = 0
    """Of the decisions, items that were skipped: they are done, and not judged."""


class PhaseTally(msgspec.Struct, frozen=True, kw_only=True):
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

    @property
    def judged(self) -> int:
        """Decisions without the skipped items."""
        return self.decisions - self.skipped


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a campaign is."""

    phases: tuple[PhaseTally, ...]
    judges: tuple[Tally, ...]


class AuditEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of an audit log: what was done, by whom."""

    at: datetime
    author: str
    action: str
    details: object


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """What was restored from an archive or backup."""

    campaigns: tuple[str, ...]
    rows: Mapping[str, int]
    """How many, by table."""
