"""What judges do: take the next step, decide, look back, change a decision where they may."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial

import msgspec

from jurat.campaigns import judge_tasks
from jurat.campaigns.create import CampaignDefinition
from jurat.campaigns.judge_tasks import Outlook, Rest
from jurat.campaigns.kit_choice import Pick, SystemScores
from jurat.campaigns.platforms import Platforms
from jurat.campaigns.questionnaires import QuestionnaireAnswers
from jurat.campaigns.rest_breaks import DAY, before_pause, due_pause
from jurat.campaigns.screens import Screen, screen
from jurat.campaigns.service_context import LoadedCampaign, LoginExpired, ServiceContext
from jurat.campaigns.submission import (
    IsLoggedIn,
    Outcome,
    RefusedAnswers,
    Submission,
    SubmissionCheck,
    may_revise,
    usable_answers,
)
from jurat.campaigns.tutorial_feedback import Practice, practice_of, up_to_practice
from jurat.errors import InputError
from jurat.store import (
    Account,
    AlreadyDecided,
    Decision,
    JudgeDisabled,
    KitGone,
    NoSuchDecision,
    NotYours,
    Offer,
    OutOfTurn,
    PhaseNotStarted,
    Step,
    StoreFault,
)


class Judging:
    """The part of the service that judges use. Every answer is checked against its step."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._store = context.store
        self._now = context.now
        self._scores = SystemScores(context.store, context.now)
        self._platforms = Platforms(context)
        self._questionnaires = QuestionnaireAnswers(context)
        self._numbers: dict[tuple[str, str], int] = {}

    def next(self, campaign: str, judge: str, *, go_on: bool = False) -> Screen | Rest:
        """The judge's next step, or why there is none now.

        Raises `QuestionnaireDue` where they have to say something about themselves first, and
        `ScreenedOut` for somebody from a platform who has failed its attention checks.
        """
        account = self._context.account(campaign, judge, "judge")
        self._platforms.check(campaign, account)
        self._questionnaires.check_before(campaign, account)
        now = self._now()
        if rest := self._pause(campaign, judge, now):
            return rest
        loaded = self._context.campaign(campaign)
        choose = self._chooser(loaded, account, go_on=go_on)
        most = loaded.assigner.most
        step = self._store.next_step(
            campaign, judge, choose, now=now, lease=loaded.lease, most=most
        )
        if step is not None:
            return _screen(loaded.definition, step)
        # None where a kit has come back since: the judge is given it when they ask again
        rest = self._outlook(loaded, account, now, go_on=go_on).rest
        return rest or Rest(kind="waiting", code="waiting")

    def submit(
        self, campaign: str, judge: str, sent: Submission, *, go_on: bool = False
    ) -> tuple[Decision, Screen | Rest]:
        """Store a first decision and give what comes next; the same again changes nothing.

        Raises a `InputError` that says why it cannot be stored.
        """
        loaded, now = self._context.campaign(campaign), self._now()
        place = (campaign, judge, sent.assignment, sent.position)
        check = SubmissionCheck(loaded, sent, now)
        decision, step = self._store.submit(
            *place, check=check.first, now=now, lease=loaded.lease, since=check.recent_since
        )
        if step is None:
            return decision, self.next(campaign, judge, go_on=go_on)
        return decision, _screen(loaded.definition, step)

    async def decide(
        self,
        campaign: str,
        judge: str,
        sent: Submission,
        *,
        is_logged_in: IsLoggedIn | None = None,
    ) -> Outcome:
        """Store a first or a revised decision; for an event loop, which goes on meanwhile.

        After the last step of a kit there is no next one: the judge begins another kit by `next`.
        `is_logged_in` is asked of the account as it stands in the transaction. Troubles of the
        store and accounts that may not judge are raised; any other problem is in the outcome.
        """
        loaded, now = self._context.campaign(campaign), self._now()
        place = (campaign, judge, sent.assignment, sent.position)
        check = SubmissionCheck(loaded, sent, now, is_logged_in)
        try:
            if sent.revision > 1:
                decision = await self._store.revise_soon(
                    *place, check=check.revision, revision=sent.revision
                )
                return Outcome(decision=decision)
            decision, step = await self._store.submit_soon(
                *place, check=check.first, now=now, lease=loaded.lease, since=check.recent_since
            )
        except InputError as error:
            return _refusal(error, sent)
        after = None if step is None else _screen(loaded.definition, step)
        return Outcome(decision=decision, next=after)

    def look_back(self, campaign: str, judge: str, assignment: str, position: int) -> Screen:
        """A step that the judge has decided, as it was."""
        self._context.account(campaign, judge, "judge")
        step = self._store.step(campaign, judge, assignment, position)
        return _screen(self._context.definition(campaign), step)

    def may_revise(self, campaign: str, task: str) -> bool:
        """Whether judges may change their decisions in a task."""
        return may_revise(self._context.definition(campaign), task)

    def ahead(
        self, campaign: str, judge: str, assignment: str, position: int, *, most: int
    ) -> Sequence[Screen]:
        """The steps after this one, as far as they may be known before it is decided.

        Nobody gets more than they may do before their next pause.
        """
        self._context.account(campaign, judge, "judge")
        limits = self._context.plan(campaign).sitting
        # Steps that were sent ahead could be decided offline, past the pause.
        if limits.limited:
            now = self._now()
            recent = self._recent(campaign, judge, now)
            most = before_pause(recent, limits, now, most=most)
        steps = self._store.ahead(campaign, judge, assignment, position, most=most)
        definition = self._context.definition(campaign)
        shown = up_to_practice(steps, definition.protocols)
        return [_screen(definition, step) for step in shown]

    def practice(
        self, campaign: str, judge: str, assignment: str, position: int
    ) -> Practice | None:
        """A step of a tutorial that the judge has decided, with the expected answers.

        None before it is decided, and where the test set has none. Raises `NotYours`, `OutOfTurn`.
        """
        self._context.account(campaign, judge, "judge")
        step = self._store.step(campaign, judge, assignment, position)
        return practice_of(step, self._context.protocol(campaign, step.task), step.answered)

    def save_answers(
        self, campaign: str, judge: str, assignment: str, position: int, content: object
    ) -> None:
        """Save what a judge has begun to answer; what could not be an answer is left out."""
        self._context.account(campaign, judge, "judge")
        step = self._store.step(campaign, judge, assignment, position)
        kept = usable_answers(self._context.protocol(campaign, step.task), step, content)
        lease = self._context.campaign(campaign).lease
        place = (campaign, judge, assignment, position)
        self._store.save_answers(*place, content=kept, now=self._now(), lease=lease)

    def feedback(self, campaign: str, judge: str, words: Mapping[str, str]) -> None:
        """What a judge has to say about the tool and the task; it goes into the audit log."""
        account = self._context.account(campaign, judge, "judge")
        self._store.log(campaign, "feedback", author=account.pin, now=self._now(), details=words)

    def outlook(self, campaign: str, judge: str) -> Outlook:
        """What the judge has done, what they can do now, and what comes later."""
        account = self._context.account(campaign, judge, "judge")
        now = self._now()
        found = self._outlook(self._context.campaign(campaign), account, now, go_on=False)
        pause = self._pause(campaign, judge, now)
        return msgspec.structs.replace(found, rest=pause) if pause else found

    def _outlook(
        self, loaded: LoadedCampaign, account: Account, now: datetime, *, go_on: bool
    ) -> Outlook:
        """As the store is now, by the same rule by which kits are given."""
        name, judge = loaded.name, account.id
        offer = self._store.offers(name, [judge], now=now, most=judge_tasks.LOOKED_AT)[judge]
        states, progress = self._store.states(name), self._store.progress(name)
        own = {(t.task, t.phase): t for t in progress.judges if t.judge == judge}
        supply = loaded.assigner.supply(account.judge, offer)
        parts = judge_tasks.overview(
            judge_tasks.parts_of(loaded.plan, states, offer, supply),
            self._store.campaign(name),
            own,
            judge_tasks.median_seconds(self._store.recent_seconds(name)),
            resumes=offer.resumes,
        )
        another = None if go_on else self._chooser(loaded, account, go_on=True)(offer)
        more = another.kit.task if another else ""
        rest = judge_tasks.rest_of(parts, progress, more=more)
        reason = self._redo_reason(name, account.pin) if any(part.again for part in parts) else ""
        return Outlook(parts=parts, rest=rest, redo_reason=reason)

    def _redo_reason(self, campaign: str, pin: str) -> str:
        """Why a judge was last asked to do kits again."""
        for entry in reversed(self._store.logged(campaign, "redo")):
            if isinstance(entry.details, dict) and entry.details["pin"] == pin:
                return str(entry.details["reason"])
        return ""

    def step(self, campaign: str, judge: str, assignment: str, position: int) -> Step:
        """The step behind a screen, with the systems' names: for simulated judges, never pages."""
        return self._store.step(campaign, judge, assignment, position)

    def _chooser(
        self, loaded: LoadedCampaign, account: Account, *, go_on: bool
    ) -> Callable[[Offer], Pick | None]:
        """Chooses the judge's next kit when the store asks, within a transaction."""
        return partial(
            loaded.assigner.choose,
            account.judge,
            number=self._number(loaded.name, account.id),
            go_on=go_on,
            states=self._store.states(loaded.name),
            scores=self._scores.of(loaded.definition),
        )

    def _number(self, campaign: str, judge: str) -> int:
        """The judge's number in the campaign, which never changes."""
        key = (campaign, judge)
        # One query for each judge and process, since it is needed for every kit.
        if key not in self._numbers:
            self._numbers[key] = self._store.judge_number(*key)
        return self._numbers[key]

    def _pause(self, campaign: str, judge: str, now: datetime) -> Rest | None:
        limits = self._context.plan(campaign).sitting
        if not limits.limited:
            return None
        return due_pause(self._recent(campaign, judge, now), limits, now)

    def _recent(self, campaign: str, judge: str, now: datetime) -> Sequence[datetime]:
        return self._store.recent(campaign, judge, since=now - DAY)


def _screen(definition: CampaignDefinition, step: Step) -> Screen:
    """A step as the judge sees it."""
    final = not may_revise(definition, step.task)
    return screen(step, definition.protocols[step.task], final=final)


def _refusal(error: InputError, sent: Submission) -> Outcome:
    """What became of a decision that was not stored; any other error is raised again."""
    match error:
        case LoginExpired() | JudgeDisabled():
            return Outcome(refused="login")
        case PhaseNotStarted():
            # what waits on a judge's device for a task that is closed would wait for ever
            return Outcome(refused="gone" if error.closed else "shut", reason=error.reason)
        case KitGone() | NotYours():
            return Outcome(refused="gone")
        # Decisions from a queue may overtake each other: the script sends this one again later.
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
