"""What judges do: take the next step, decide, look back, change a decision where they may."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal

import msgspec

from jurat.campaigns import availability
from jurat.campaigns.assignment import Chooser, Pick
from jurat.campaigns.availability import GO_ON, Rest
from jurat.campaigns.context import Clock, Founded, LoginExpired, Running, allowed, utc_now
from jurat.campaigns.create import Blueprint
from jurat.campaigns.saved_answers import begun
from jurat.campaigns.screens import Screen, changeable, screen
from jurat.campaigns.system_scores import Standings
from jurat.errors import InputError, Problem, input_error, raise_problems
from jurat.protocols import Protocol
from jurat.store import (
    Account,
    AlreadyDecided,
    Assignment,
    Check,
    Decision,
    Had,
    JudgeDisabled,
    KitGone,
    NoSuchDecision,
    NotYours,
    OpenKit,
    OutOfTurn,
    PhaseNotStarted,
    Step,
    Store,
    StoreFault,
)

# What a browser says of its own time is not believed beyond this.
LONGEST = timedelta(days=1)
# How long a decision may lie on a device before it is sent.
LONGEST_WAIT = timedelta(days=60)
# Seconds that sending may take before a decision counts as one that had to wait.
DELIVERY = 5.0

# Why a decision was not stored. `login`: the judge has to log in again; `elsewhere`: the step was
# decided otherwise, in another window; `gone`: the kit is no longer the judge's; `early`: a
# decision before this one is missing; `shut`: the phase is not open; `invalid`: the answers are
# not legal, or the decision is final.
Refusal = Literal["login", "elsewhere", "gone", "early", "shut", "invalid"]
IsLoggedIn = Callable[[Account], bool]


class Submission(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A decision as a judge sends it; seconds are of the browser's own steady clock."""

    assignment: str
    position: int
    answers: Mapping[str, object]
    revision: int = 1
    """From 2 it replaces an earlier decision."""
    language: str = ""
    """Of the page on which it was decided."""
    active_seconds: float | None = msgspec.field(default=None, name="active")
    """How long the page was in front while the step was on it."""
    elapsed_seconds: float | None = msgspec.field(default=None, name="elapsed")
    """From the step's showing to the decision."""
    waited_seconds: float | None = msgspec.field(default=None, name="waited")
    """From the decision to the sending, where there was no connection."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a submission: a decision on disk, or why it was refused."""

    decision: Decision | None = None
    next: Screen | None = None
    """The step after it; None also where it takes longer to say what comes next."""
    refused: Refusal | Literal[""] = ""
    reason: str = ""
    """Of a phase that is shut, in the coordinator's words."""
    task: str = ""
    problems: tuple[Problem, ...] = ()
    """What is wrong with answers that were refused, in the task of this name."""


class RefusedAnswers(InputError):
    """Answers that are not legal at their step, or come too late to change a decision."""

    def __init__(self, problems: Sequence[Problem], task: str) -> None:
        super().__init__(problems)
        self.task = task


class Judging(Running):
    """The judges' side of the service: every answer is checked, and times are on its clock."""

    def __init__(self, store: Store, *, clock: Clock = utc_now) -> None:
        super().__init__(store, clock=clock)
        self._standings = Standings(store, clock)
        self._numbers: dict[tuple[str, str], int] = {}

    def next(self, campaign: str, judge: str, *, go_on: bool = False) -> Screen | Rest:
        """The judge's next step, or why there is none now."""
        account = self._admitted(campaign, judge, "judge")
        now = self._clock()
        if rest := self._pause(campaign, judge, now):
            return rest
        founded = self.founded(campaign)
        blueprint, most = founded.blueprint, founded.assigner.most
        choose = self._chooser(founded, account, go_on=go_on)
        lease = self._lease(campaign)
        step = self.store.turn(campaign, judge, choose, now=now, lease=lease, most=most)
        if step is not None:
            return screen_of(blueprint, step)
        if choose.more:
            return Rest(kind="go-on", code="go-on", message=GO_ON)
        progress = self.store.progress(campaign)
        found = self.store.campaign(campaign)
        return availability.why(blueprint.plan, found, progress, judge, go_on=go_on)

    def submit(
        self, campaign: str, judge: str, sent: Submission, *, go_on: bool = False
    ) -> tuple[Decision, Screen | Rest]:
        """Store a decision and give what comes next; the same decision again changes nothing.

        Raises a `InputError` that says why it cannot be stored.
        """
        founded = self.founded(campaign)
        place = (campaign, judge, sent.assignment, sent.position)
        decision, step = self.store.submit(*place, **self._submitting(founded, sent, go_on=go_on))
        if step is None:
            return decision, self.next(campaign, judge, go_on=go_on)
        return decision, screen_of(founded.blueprint, step)

    def revise(self, campaign: str, judge: str, sent: Submission, *, revision: int) -> Decision:
        """Change a decision, where the task allows it; the old one stays, marked."""
        founded = self.founded(campaign)
        place = (campaign, judge, sent.assignment, sent.position)
        check = self._revising(founded, sent, self._clock(), None)
        return self.store.revise(*place, check=check, revision=revision)

    async def decide(
        self,
        campaign: str,
        judge: str,
        sent: Submission,
        *,
        go_on: bool = False,
        is_logged_in: IsLoggedIn | None = None,
    ) -> Outcome:
        """Store a first or a revised decision; for an event loop, which goes on meanwhile.

        `is_logged_in` is asked of the account as it stands in the transaction. Troubles of the
        store and accounts that may not judge are raised; any other problem is in the outcome.
        """
        founded = self.founded(campaign)
        place = (campaign, judge, sent.assignment, sent.position)
        try:
            if sent.revision > 1:
                check = self._revising(founded, sent, self._clock(), is_logged_in)
                decision = await self.store.revise_soon(*place, check=check, revision=sent.revision)
                return Outcome(decision=decision)
            how = self._submitting(founded, sent, go_on=go_on, is_logged_in=is_logged_in)
            decision, step = await self.store.submit_soon(*place, **how)
        except InputError as error:
            return _refusal(error, sent)
        after = None if step is None else screen_of(founded.blueprint, step)
        return Outcome(decision=decision, next=after)

    def look_back(self, campaign: str, judge: str, assignment: str, position: int) -> Screen:
        """A step that the judge has decided, as it was."""
        self._admitted(campaign, judge, "judge")
        step = self.store.step(campaign, judge, assignment, position)
        return screen_of(self._blueprint(campaign), step)

    def ahead(
        self, campaign: str, judge: str, assignment: str, position: int, *, most: int
    ) -> Sequence[Screen]:
        """The steps after this one, as far as they may be known before it is decided.

        Nobody gets more than they may do before their next pause.
        """
        self._admitted(campaign, judge, "judge")
        limits = self.plan(campaign).sitting
        if limits.limited:
            now = self._clock()
            recent = self._recent(campaign, judge, now)
            most = availability.before_pause(recent, limits, now, most=most)
        steps = self.store.ahead(campaign, judge, assignment, position, most=most)
        blueprint = self._blueprint(campaign)
        return [screen_of(blueprint, step) for step in steps]

    def save_answers(
        self, campaign: str, judge: str, assignment: str, position: int, content: object
    ) -> None:
        """Save what a judge has begun to answer; what could not be an answer is left out."""
        self._admitted(campaign, judge, "judge")
        step = self.store.step(campaign, judge, assignment, position)
        kept = begun(self.protocol(campaign, step.task), step, content)
        lease = self._lease(campaign)
        self.store.save_answers(
            campaign, judge, assignment, position, content=kept, now=self._clock(), lease=lease
        )

    def feedback(self, campaign: str, judge: str, words: Mapping[str, str]) -> None:
        """What a judge has to say about the tool and the task; it goes into the audit log."""
        account = self._admitted(campaign, judge, "judge")
        self.store.log(campaign, "feedback", author=account.pin, now=self._clock(), details=words)

    def _submitting(
        self,
        founded: Founded,
        sent: Submission,
        *,
        go_on: bool,
        is_logged_in: IsLoggedIn | None = None,
    ) -> dict[str, Any]:
        """How the store checks a first decision, and picks the kit after it."""
        blueprint, assigner = founded.blueprint, founded.assigner
        now, limits = self._clock(), blueprint.plan.sitting
        account: Account

        def check(
            assignment: Assignment, step: Step, recent: Sequence[datetime]
        ) -> tuple[Decision, bool]:
            nonlocal account
            account = _admitted(assignment.account, is_logged_in)
            when = _times(sent, step, now)
            # perhaps a rest comes next: until that is known nothing is shown and no kit taken
            rests = availability.is_due(recent, limits, when["decided_at"])
            goes_on = step.position < step.steps or assigner.quick
            answers = _checked(blueprint, step, sent)
            return Decision(answers=answers, language=sent.language, **when), goes_on and not rests

        def choose(kits: Sequence[OpenKit], had: Sequence[Had]) -> Pick | None:
            return self._chooser(founded, account, go_on=go_on)(kits, had)

        return {
            "check": check,
            "choose": choose,
            "most": assigner.most,
            "now": now,
            "lease": timedelta(minutes=blueprint.plan.lease_minutes),
            "since": now - availability.DAY if limits.limited else None,
        }

    def _revising(
        self, founded: Founded, sent: Submission, now: datetime, is_logged_in: IsLoggedIn | None
    ) -> Check:
        """How the store checks a decision that replaces an earlier one."""
        blueprint = founded.blueprint

        def check(assignment: Assignment, step: Step, _: object) -> tuple[Decision, bool]:
            account = _admitted(assignment.account, is_logged_in)
            if not _may_revise(blueprint, step.task):
                raise _too_late("decisions are final here", step)
            if not changeable(blueprint.protocols[step.task], step):
                raise _too_late("what came after it has been seen; this stays as it is", step)
            decision = Decision(
                answers=_checked(blueprint, step, sent),
                decided_at=now,
                active_seconds=_plausible(sent.active_seconds),
                language=sent.language,
                author=account.pin,
            )
            return decision, False

        return check

    def _chooser(self, founded: Founded, account: Account, *, go_on: bool) -> Chooser:
        campaign = founded.name
        return Chooser(
            founded.assigner,
            account.judge,
            number=self._number(campaign, account.id),
            go_on=go_on,
            states=self.store.states(campaign),
            standings=self._standings.of(founded.blueprint),
        )

    def _number(self, campaign: str, judge: str) -> int:
        """The judge's number in the campaign, which never changes."""
        key = (campaign, judge)
        if key not in self._numbers:
            self._numbers[key] = self.store.judge_number(*key)
        return self._numbers[key]

    def _pause(self, campaign: str, judge: str, now: datetime) -> Rest | None:
        limits = self.plan(campaign).sitting
        if not limits.limited:
            return None
        return availability.pause(self._recent(campaign, judge, now), limits, now)

    def _recent(self, campaign: str, judge: str, now: datetime) -> Sequence[datetime]:
        return self.store.recent(campaign, judge, since=now - availability.DAY)


def screen_of(blueprint: Blueprint, step: Step) -> Screen:
    """A step as the judge sees it."""
    final = not _may_revise(blueprint, step.task)
    return screen(step, blueprint.protocols[step.task], final=final)


def _admitted(account: Account, is_logged_in: IsLoggedIn | None) -> Account:
    """The account of a judge whose login is still good; raises where it is not."""
    if is_logged_in is not None and not is_logged_in(account):
        raise LoginExpired(input_error("the login is no longer good").problems)
    return allowed(account, "judge")


def _refusal(error: InputError, sent: Submission) -> Outcome:
    """What became of a decision that was not stored; any other error is raised again."""
    match error:
        case LoginExpired() | JudgeDisabled():
            return Outcome(refused="login")
        case PhaseNotStarted():
            return Outcome(refused="shut", reason=error.reason)
        case KitGone() | NotYours():
            return Outcome(refused="gone")
        case OutOfTurn() if sent.revision == 1 and sent.position > error.expected:
            return Outcome(refused="early")
        case OutOfTurn() | AlreadyDecided():
            return Outcome(refused="elsewhere")
        case RefusedAnswers():
            return Outcome(refused="invalid", task=error.task, problems=tuple(error.problems))
        case NoSuchDecision():
            return Outcome(refused="invalid", problems=tuple(error.problems))
    if type(error) is StoreFault:  # text that no database can hold
        return Outcome(refused="invalid", problems=tuple(error.problems))
    raise error


def _checked(blueprint: Blueprint, step: Step, sent: Submission) -> dict[str, object]:
    """The answers as they are stored; raises `RefusedAnswers`."""
    protocol = blueprint.protocols[step.task]
    try:
        if step.stage:
            raise_problems(_answered_before(protocol, step, sent.answers))
        return protocol.check({**step.earlier, **sent.answers}, step.item, stage=step.stage)
    except InputError as error:
        raise RefusedAnswers(error.problems, step.task) from None


def _too_late(message: str, step: Step) -> RefusedAnswers:
    problems = input_error(message, field="position", value=step.position).problems
    return RefusedAnswers(problems, step.task)


def _may_revise(blueprint: Blueprint, task: str) -> bool:
    said = blueprint.plan.task(task).revise
    return not blueprint.protocols[task].final if said is None else said


def _answered_before(
    protocol: Protocol, step: Step, answers: Mapping[str, object]
) -> list[Problem]:
    """Complaints about answers to an earlier stage, which would change what is asked at this."""
    before = {q.id for stage in protocol.stages[: step.stage] for q in stage.questions}
    return [
        Problem(message=f"'{name}' is asked at an earlier stage", field=name)
        for name in answers
        if name in before
    ]


def _times(sent: Submission, step: Step, now: datetime) -> dict[str, Any]:
    """When and how long, on the server's clock; what a browser says only fills gaps in it.

    A decision that waited for a connection was made before it came, though not before its step was
    shown. Where the server saw too little of it, the browser's own seconds count.
    """
    waited = _plausible(sent.waited_seconds, LONGEST_WAIT)
    decided = now - timedelta(seconds=waited or 0.0)
    if step.shown_at is not None:
        decided = min(now, max(decided, step.shown_at))
    seconds = _unseen(sent, step, decided)
    most = seconds if seconds is not None else _seen(step, decided)
    return {
        "decided_at": decided,
        "seconds": seconds,
        "active_seconds": _within(sent.active_seconds, most),
    }


def _unseen(sent: Submission, step: Step, decided: datetime) -> float | None:
    """The browser's seconds, where the server cannot know better.

    So it is with a step that it never showed, and with one of several that came together after a
    time without connection, if the device's clock does not tell when they were made.
    """
    elapsed, seen = _plausible(sent.elapsed_seconds), _seen(step, decided)
    if seen is None or elapsed is None:
        return elapsed
    queued = sent.waited_seconds is not None and not 0 <= sent.waited_seconds < DELIVERY
    return elapsed if queued and elapsed > seen else None


def _seen(step: Step, decided: datetime) -> float | None:
    return None if step.shown_at is None else (decided - step.shown_at).total_seconds()


def _within(active: float | None, most: float | None) -> float | None:
    """Active time that is no longer than the step was shown; a little more is the network's."""
    sensible = _plausible(active)
    if sensible is None or most is None:
        return sensible
    return min(sensible, most) if sensible <= most + DELIVERY else None


def _plausible(seconds: float | None, longest: timedelta = LONGEST) -> float | None:
    """What a browser says of its own time, unless it is nonsense."""
    sensible = seconds is not None and 0 <= seconds < longest.total_seconds()
    return seconds if sensible else None
