"""What a judge sends for a step: answers and times, checked; and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

import msgspec

from jurat.campaigns.create import CampaignDefinition
from jurat.campaigns.rest_breaks import DAY, is_due
from jurat.campaigns.screens import Screen, changeable, is_practice
from jurat.campaigns.service_context import LoadedCampaign, LoginExpired, allowed
from jurat.errors import InputError, Problem, input_error, raise_problems
from jurat.protocols import Protocol
from jurat.store import Account, Assignment, Decision, Flag, Step

IsLoggedIn = Callable[[Account], bool]

# A browser's time for a step is not believed beyond this.
LONGEST = timedelta(days=1)
# How long a decision may wait on a device before it is sent.
LONGEST_WAIT = timedelta(days=60)
# Characters of a comment on an item.
LONGEST_COMMENT = 5000
# Seconds that sending may take before a decision counts as one that had to wait.
DELIVERY = 5.0

# Why a decision was not stored. `login`: the judge has to log in again; `elsewhere`: the step was
# decided otherwise, in another window; `gone`: the kit is no longer the judge's; `early`: a
# decision before this one is missing; `shut`: the phase is not open; `invalid`: the answers are
# not valid, or the decision is final.
Refusal = Literal["login", "elsewhere", "gone", "early", "shut", "invalid"]


class Submission(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A decision as a judge sends it; seconds are those of the browser's monotonic clock."""

    assignment: str
    position: int
    answers: Mapping[str, object]
    revision: int = 1
    """From 2 it replaces an earlier decision."""
    language: str = ""
    """The language of the page on which it was made."""
    active_seconds: float | None = msgspec.field(default=None, name="active")
    """How long the page was in front while the step was on it."""
    played_seconds: float | None = msgspec.field(default=None, name="played")
    """How long media were playing while the step was on it."""
    elapsed_seconds: float | None = msgspec.field(default=None, name="elapsed")
    """From when the step was shown to the decision."""
    waited_seconds: float | None = msgspec.field(default=None, name="waited")
    """From the decision to the sending, where there was no connection."""
    flag: Flag = ""
    """What is wrong with the item, by the judge."""
    comment: str = ""
    skip: bool = False
    """Whether the judge skips the item, for the reason in flag and comment."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a submission: a decision on disk, or why it was not stored."""

    decision: Decision | None = None
    next: Screen | None = None
    """The next step; None where it has to be asked for by `Judging.next`."""
    refused: Refusal | Literal[""] = ""
    reason: str = ""
    """Why the phase is not open, in the coordinator's words."""
    task: str = ""
    problems: tuple[Problem, ...] = ()
    """What is wrong with invalid answers, in the task of this name."""


class RefusedAnswers(InputError):
    """The answers are not valid at their step, or come too late to change a decision."""

    def __init__(self, problems: Sequence[Problem], task: str) -> None:
        super().__init__(problems)
        self.task = task


class SubmissionCheck(NamedTuple):
    """Checks a submission when the store asks, within the transaction that stores the decision."""

    campaign: LoadedCampaign
    sent: Submission
    now: datetime
    is_logged_in: IsLoggedIn | None = None
    """Asked of the account as it stands in the transaction; None for one without a login."""

    @property
    def recent_since(self) -> datetime | None:
        """Since when decisions count towards a pause; None where no pauses are asked for."""
        return self.now - DAY if self.campaign.plan.sitting.limited else None

    def first(
        self, assignment: Assignment, step: Step, recent: Sequence[datetime]
    ) -> tuple[Decision, bool]:
        """The first decision at a step, and whether the next step is shown; see `store.Check`."""
        self._admitted(assignment)
        plan, protocol = self.campaign.plan, self.campaign.definition.protocols[step.task]
        practice = is_practice(step, protocol)
        times = decision_times(self.sent, step, self.now)
        decision = checked_decision(
            protocol, step, self.sent, times, may_skip=plan.skip, practice=practice
        )
        # The time of the next step begins when it is shown: not before a pause, and not before the
        # expected answers of a practice item.
        rests = is_due(recent, plan.sitting, decision.decided_at)
        return decision, not rests and not practice

    def revision(self, assignment: Assignment, step: Step) -> Decision:
        """A decision that replaces an earlier one; see `store.CheckRevision`."""
        account, definition = self._admitted(assignment), self.campaign.definition
        protocol, may_skip = definition.protocols[step.task], definition.plan.skip
        if not may_revise(definition, step.task):
            raise _too_late("decisions are final here", step)
        if not changeable(protocol, step):
            raise _too_late("what came after it has been seen; this stays as it is", step)
        times = revision_times(self.sent, self.now)
        author = account.pin
        return checked_decision(protocol, step, self.sent, times, may_skip=may_skip, author=author)

    def _admitted(self, assignment: Assignment) -> Account:
        """The judge's account; raises `LoginExpired`, or why it may not judge."""
        account = assignment.account
        if self.is_logged_in is not None and not self.is_logged_in(account):
            raise LoginExpired(input_error("the login is no longer good").problems)
        return allowed(account, "judge")


def may_revise(definition: CampaignDefinition, task: str) -> bool:
    """Whether judges may change their decisions in a task."""
    said = definition.plan.task(task).revise
    return not definition.protocols[task].final if said is None else said


class DecisionTimes(NamedTuple):
    """When a step was decided, and how long that took; None where it is not known."""

    decided_at: datetime
    seconds: float | None
    active_seconds: float | None
    played_seconds: float | None


def checked_decision(
    protocol: Protocol,
    step: Step,
    sent: Submission,
    times: DecisionTimes,
    *,
    may_skip: bool,
    practice: bool = False,
    author: str = "",
) -> Decision:
    """The decision that is stored; raises `RefusedAnswers`."""
    # PostgreSQL accepts no zero bytes
    comment = sent.comment.replace("\0", "").strip()[:LONGEST_COMMENT]
    flag: Flag = sent.flag or ("comment" if comment else "")
    if sent.skip and not may_skip:
        raise _refused("items cannot be skipped in this campaign", "no-skipping", step)
    if sent.skip and not flag:
        raise _refused("an item is skipped for a reason: flag it or comment on it", "why", step)
    return Decision(
        answers={} if sent.skip else checked_answers(protocol, step, sent),
        decided_at=times.decided_at,
        seconds=times.seconds,
        active_seconds=times.active_seconds,
        played_seconds=times.played_seconds,
        language=sent.language,
        author=author,
        flag=flag,
        comment=comment,
        skipped=sent.skip,
        practice=practice,
    )


def _refused(message: str, code: str, step: Step) -> RefusedAnswers:
    return RefusedAnswers(input_error(message, field="skip", code=code).problems, step.task)


def checked_answers(protocol: Protocol, step: Step, sent: Submission) -> dict[str, object]:
    """The answers as they are stored; raises `RefusedAnswers`."""
    try:
        if step.stage:
            raise_problems(_answers_to_earlier_stages(protocol, step, sent.answers))
        return protocol.check({**step.earlier, **sent.answers}, step.item, stage=step.stage)
    except InputError as error:
        raise RefusedAnswers(error.problems, step.task) from None


def _too_late(message: str, step: Step) -> RefusedAnswers:
    """The error for a decision that can no longer be changed."""
    problems = input_error(message, field="position", value=step.position).problems
    return RefusedAnswers(problems, step.task)


def _answers_to_earlier_stages(
    protocol: Protocol, step: Step, answers: Mapping[str, object]
) -> list[Problem]:
    """Problems with answers to an earlier stage: they could change what is asked at this one."""
    before = {q.id for stage in protocol.stages[: step.stage] for q in stage.questions}
    return [
        Problem(message=f"'{name}' is asked at an earlier stage", field=name)
        for name in answers
        if name in before
    ]


def decision_times(sent: Submission, step: Step, now: datetime) -> DecisionTimes:
    """The times of a first decision, by the server's clock where it can tell.

    A decision that waited for a connection was made before it came, though not before its step was
    shown. Where the server saw too little of it, the browser's seconds count.
    """
    waited = plausible_seconds(sent.waited_seconds, LONGEST_WAIT)
    # The device counts how long it waited; its own clock may be wrong.
    decided = now - timedelta(seconds=waited or 0.0)
    if step.shown_at is not None:
        decided = min(now, max(decided, step.shown_at))
    seconds = _unseen(sent, step, decided)
    most = seconds if seconds is not None else _seen(step, decided)
    active, played = _within(sent.active_seconds, most), _within(sent.played_seconds, most)
    return DecisionTimes(decided, seconds, active, played)


def revision_times(sent: Submission, now: datetime) -> DecisionTimes:
    """The times of a decision that replaces another; how long its step was looked at is unknown."""
    active, played = map(plausible_seconds, (sent.active_seconds, sent.played_seconds))
    return DecisionTimes(now, None, active, played)


def _unseen(sent: Submission, step: Step, decided: datetime) -> float | None:
    """The browser's seconds, where the server cannot know better; None where it can."""
    # It cannot for a step that it never showed, nor for one of several that came together after a
    # time without connection, if the device's clock does not tell when they were made.
    elapsed, seen = plausible_seconds(sent.elapsed_seconds), _seen(step, decided)
    if seen is None or elapsed is None:
        return elapsed
    queued = sent.waited_seconds is not None and not 0 <= sent.waited_seconds < DELIVERY
    return elapsed if queued and elapsed > seen else None


def _seen(step: Step, decided: datetime) -> float | None:
    return None if step.shown_at is None else (decided - step.shown_at).total_seconds()


def _within(active: float | None, most: float | None) -> float | None:
    """Active time, at most as long as the step was shown; None where it is far longer."""
    sensible = plausible_seconds(active)
    if sensible is None or most is None:
        return sensible
    return min(sensible, most) if sensible <= most + DELIVERY else None


def plausible_seconds(seconds: float | None, longest: timedelta = LONGEST) -> float | None:
    """A browser's seconds, or None where they cannot be true."""
    sensible = seconds is not None and 0 <= seconds < longest.total_seconds()
    return seconds if sensible else None


def usable_answers(protocol: Protocol, step: Step, content: object) -> dict[str, object]:
    """Of answers that a judge has begun, those that can be shown again: valid, or partly so."""
    given = content if isinstance(content, Mapping) else {}
    asked = protocol.stages[step.stage].questions
    found = {q.id: q.usable(given[q.id], step.item) for q in asked if q.id in given}
    return {name: answer for name, answer in found.items() if answer is not None}
