"""What judges do: take the next step, decide, look back, change their mind where they may."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from jurat.campaigns import resting
from jurat.campaigns.assigning import Chooser, Pick
from jurat.campaigns.drafts import begun
from jurat.campaigns.founding import Blueprint
from jurat.campaigns.resting import GO_ON, Rest
from jurat.campaigns.running import Clock, Founded, Running, allowed, utc_now
from jurat.campaigns.screens import Screen, changeable, screen
from jurat.campaigns.standings import Standings
from jurat.campaigns.submissions import Submission, plausible, times
from jurat.faults import Fault, complain, refuse
from jurat.protocols import Protocol
from jurat.store import (
    Account,
    Decided,
    Had,
    OpenKit,
    SentDecision,
    Store,
    Turn,
    Weighed,
    Weighing,
)

Admit = Callable[[Account], None]
"""Refuses somebody whose account is not what it was when he was let in."""


def _anybody(_: Account) -> None:
    """For those who know already who it is."""


class Judging(Running):
    """The judges' side of the service: every answer is checked, and times are on its clock."""

    def __init__(self, store: Store, *, clock: Clock = utc_now) -> None:
        super().__init__(store, clock=clock)
        self._standings = Standings(store, clock)
        self._numbers: dict[tuple[str, str], int] = {}

    def next(self, campaign: str, judge: str, *, go_on: bool = False) -> Screen | Rest:
        """The judge's next step, or why there is none now."""
        return self._next(campaign, self._admitted(campaign, judge, "judge"), go_on=go_on)

    def submit(
        self,
        campaign: str,
        judge: str,
        sent: Submission,
        *,
        go_on: bool = False,
        admit: Admit = _anybody,
    ) -> tuple[Decided, Screen | Rest]:
        """Store a decision and give the next step; the same decision again changes nothing."""
        founded = self.founded(campaign)
        sending = self._sending(founded, sent, go_on=go_on, admit=admit)
        decided, turn = self.store.submit(campaign, judge, **sending)
        if turn is None:
            return decided, self.next(campaign, judge, go_on=go_on)
        return decided, screen_of(founded.blueprint, turn)

    async def submit_soon(
        self,
        campaign: str,
        judge: str,
        sent: Submission,
        *,
        go_on: bool = False,
        admit: Admit = _anybody,
    ) -> Screen | None:
        """The same for an event loop; None where it takes longer to say what comes next."""
        founded = self.founded(campaign)
        sending = self._sending(founded, sent, go_on=go_on, admit=admit)
        _, turn = await self.store.submit_soon(campaign, judge, **sending)
        return None if turn is None else screen_of(founded.blueprint, turn)

    def revise(self, campaign: str, judge: str, sent: Submission, *, revision: int) -> Decided:
        """Change a decision, where the task allows it; the old one stays, marked."""
        account = self._admitted(campaign, judge, "judge")
        blueprint = self._blueprint(campaign)
        turn = self.store.step(campaign, judge, sent.assignment, sent.position)
        if not _may_revise(blueprint, turn.task):
            raise complain("decisions are final here", field="position", value=sent.position)
        if not changeable(blueprint.protocols[turn.task], turn):
            raise complain(
                "what came after it has been seen; this stays as it is",
                field="position",
                value=turn.position,
            )
        return self.store.revise(
            campaign,
            judge,
            sent.assignment,
            sent.position,
            _checked(blueprint, turn, sent),
            revision=revision,
            now=self._clock(),
            active_seconds=plausible(sent.active_seconds),
            language=sent.language,
            author=account.pin,
        )

    def look_back(self, campaign: str, judge: str, assignment: str, position: int) -> Screen:
        """A step that the judge has decided, as it was."""
        self._admitted(campaign, judge, "judge")
        turn = self.store.step(campaign, judge, assignment, position)
        return screen_of(self._blueprint(campaign), turn)

    def keep_draft(
        self, campaign: str, judge: str, assignment: str, position: int, content: object
    ) -> None:
        """Keep what a judge has begun to answer; what could not be an answer is left out."""
        self._admitted(campaign, judge, "judge")
        turn = self.store.step(campaign, judge, assignment, position)
        kept = begun(self.protocol(campaign, turn.task), turn, content)
        lease = self._lease(campaign)
        self.store.draft(
            campaign, judge, assignment, position, kept, now=self._clock(), lease=lease
        )

    def feedback(self, campaign: str, judge: str, words: Mapping[str, str]) -> None:
        """What a judge has to say about the tool and the task; it goes into the audit log."""
        account = self._admitted(campaign, judge, "judge")
        self.store.log(campaign, "feedback", author=account.pin, now=self._clock(), details=words)

    def _next(self, campaign: str, account: Account, *, go_on: bool) -> Screen | Rest:
        now = self._clock()
        if rest := self._pause(campaign, account.id, now):
            return rest
        founded = self.founded(campaign)
        blueprint, most = founded.blueprint, founded.assigner.most
        choose = self._chooser(founded, account, go_on=go_on)
        lease = self._lease(campaign)
        turn = self.store.turn(campaign, account.id, choose, now=now, lease=lease, most=most)
        if turn is not None:
            return screen_of(blueprint, turn)
        if choose.more:
            return Rest(kind="go-on", code="go-on", message=GO_ON)
        progress = self.store.progress(campaign)
        found = self.store.campaign(campaign)
        return resting.why(blueprint.plan, found, progress, account.id, go_on=go_on)

    def _sending(
        self, founded: Founded, sent: Submission, *, go_on: bool, admit: Admit
    ) -> dict[str, Any]:
        """A decision for the store, with what is looked at before it is kept, and what follows."""
        blueprint, assigner = founded.blueprint, founded.assigner
        now, limits = self._clock(), blueprint.plan.sitting
        sender: list[Account] = []

        def weigh(there: Weighing) -> Weighed:
            admit(there.account)
            sender[:] = [allowed(there.account, "judge")]
            when = times(sent, there.turn, now)
            # perhaps a rest comes next: until that is known nothing is shown and no kit taken
            rests = resting.is_due(there.recent, limits, when["decided_at"])
            goes_on = there.turn.position < there.turn.steps or assigner.quick
            return Weighed(
                answers=_checked(blueprint, there.turn, sent),
                language=sent.language,
                show_next=goes_on and not rests,
                **when,
            )

        def choose(kits: Sequence[OpenKit], had: Sequence[Had]) -> Pick | None:
            return self._chooser(founded, sender[0], go_on=go_on)(kits, had)

        since = now - resting.DAY if limits.limited else None
        return {
            "sent": SentDecision(sent.assignment, sent.position, weigh, since),
            "choose": choose,
            "most": assigner.most,
            "now": now,
            "lease": timedelta(minutes=blueprint.plan.lease_minutes),
        }

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
        """The judge's number in the campaign, which he keeps for ever."""
        key = (campaign, judge)
        if key not in self._numbers:
            self._numbers[key] = self.store.judge_number(*key)
        return self._numbers[key]

    def _pause(self, campaign: str, judge: str, now: datetime) -> Rest | None:
        limits = self.plan(campaign).sitting
        if not limits.limited:
            return None
        return resting.pause(self._recent(campaign, judge, now), limits, now)

    def _recent(self, campaign: str, judge: str, now: datetime) -> Sequence[datetime]:
        return self.store.recent(campaign, judge, since=now - resting.DAY)


def _checked(blueprint: Blueprint, turn: Turn, sent: Submission) -> dict[str, object]:
    protocol = blueprint.protocols[turn.task]
    if turn.stage:
        refuse(_answered_before(protocol, turn, sent.answers))
    return protocol.check({**turn.earlier, **sent.answers}, turn.item, stage=turn.stage)


def screen_of(blueprint: Blueprint, turn: Turn) -> Screen:
    """A turn as the judge sees it."""
    final = not _may_revise(blueprint, turn.task)
    return screen(turn, blueprint.protocols[turn.task], final=final)


def _may_revise(blueprint: Blueprint, task: str) -> bool:
    said = blueprint.plan.task(task).revise
    return not blueprint.protocols[task].final if said is None else said


def _answered_before(protocol: Protocol, turn: Turn, answers: Mapping[str, object]) -> list[Fault]:
    """Complaints about answers to an earlier stage, which would change what is asked at this."""
    before = {q.id for stage in protocol.stages[: turn.stage] for q in stage.questions}
    return [
        Fault(message=f"'{name}' is asked at an earlier stage", field=name)
        for name in answers
        if name in before
    ]
