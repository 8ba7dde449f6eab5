"""What judges do: take the next step, decide, look back, change their mind where they may."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from jurat.campaigns import resting
from jurat.campaigns.assigning import Chooser
from jurat.campaigns.drafts import begun
from jurat.campaigns.resting import GO_ON, Rest
from jurat.campaigns.running import Clock, Running, utc_now
from jurat.campaigns.screens import Screen, changeable, screen
from jurat.campaigns.standings import Standings
from jurat.campaigns.submissions import Submission, plausible, times
from jurat.faults import Fault, complain, refuse
from jurat.protocols import Protocol
from jurat.store import Account, Decided, Had, OpenKit, Store, Turn, Weighed


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
        self, campaign: str, judge: str | Account, sent: Submission, *, go_on: bool = False
    ) -> tuple[Decided, Screen | Rest]:
        """Store a decision and give the next step; the same decision again changes nothing."""
        account = self._admitted(campaign, judge, "judge")
        now = self._clock()
        recent = self._recent(campaign, account.id, now) if self._limited(campaign) else ()

        def weigh(turn: Turn) -> Weighed:
            when = times(sent, turn, now)
            # perhaps a rest comes next: until that is known nothing is shown and no kit taken
            rests = self._rests_after(campaign, recent, when["decided_at"])
            return Weighed(
                answers=self._checked(campaign, turn, sent),
                language=sent.language,
                show_next=turn.position < turn.steps and not rests,
                **when,
            )

        decided, after = self.store.submit(
            campaign,
            account.id,
            sent.assignment,
            sent.position,
            weigh,
            choose=_nothing,
            now=now,
            lease=self._lease(campaign),
        )
        if after is None:
            return decided, self._next(campaign, account, go_on=go_on)
        return decided, self._screen(campaign, after)

    def revise(self, campaign: str, judge: str, sent: Submission, *, revision: int) -> Decided:
        """Change a decision, where the task allows it; the old one stays, marked."""
        account = self._admitted(campaign, judge, "judge")
        turn = self.store.step(campaign, judge, sent.assignment, sent.position)
        if not self._may_revise(campaign, turn.task):
            raise complain("decisions are final here", field="position", value=sent.position)
        if not changeable(self.protocol(campaign, turn.task), turn):
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
            self._checked(campaign, turn, sent),
            revision=revision,
            now=self._clock(),
            active_seconds=plausible(sent.active_seconds),
            language=sent.language,
            author=account.pin,
        )

    def look_back(self, campaign: str, judge: str, assignment: str, position: int) -> Screen:
        """A step that the judge has decided, as it was."""
        self._admitted(campaign, judge, "judge")
        return self._screen(campaign, self.store.step(campaign, judge, assignment, position))

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
        blueprint, assigner = self._founded(campaign)
        found = self.store.campaign(campaign)
        choose = Chooser(
            assigner,
            account.judge,
            number=self._number(campaign, account.id),
            go_on=go_on,
            phases=found.phases,
            standings=self._standings.of(blueprint),
        )
        lease = self._lease(campaign)
        turn = self.store.turn(
            campaign, account.id, choose, now=now, lease=lease, most=assigner.most
        )
        if turn is not None:
            return self._screen(campaign, turn)
        if choose.more:
            return Rest(kind="go-on", code="go-on", message=GO_ON)
        progress = self.store.progress(campaign)
        return resting.why(blueprint.plan, found, progress, account.id, go_on=go_on)

    def _number(self, campaign: str, judge: str) -> int:
        """The judge's number in the campaign, which he keeps for ever."""
        key = (campaign, judge)
        if key not in self._numbers:
            self._numbers[key] = self.store.judge_number(*key)
        return self._numbers[key]

    def _checked(self, campaign: str, turn: Turn, sent: Submission) -> dict[str, object]:
        protocol = self.protocol(campaign, turn.task)
        refuse(_answered_before(protocol, turn, sent.answers))
        return protocol.check({**turn.earlier, **sent.answers}, turn.item, stage=turn.stage)

    def _limited(self, campaign: str) -> bool:
        limits = self.plan(campaign).sitting
        return limits.items is not None or limits.items_a_day is not None

    def _pause(self, campaign: str, judge: str, now: datetime) -> Rest | None:
        if not self._limited(campaign):
            return None
        return resting.pause(self._recent(campaign, judge, now), self.plan(campaign).sitting, now)

    def _rests_after(self, campaign: str, recent: Sequence[datetime], decided: datetime) -> bool:
        """Whether a pause is due after one more decision."""
        if not self._limited(campaign):
            return False
        return resting.pause([*recent, decided], self.plan(campaign).sitting, decided) is not None

    def _recent(self, campaign: str, judge: str, now: datetime) -> Sequence[datetime]:
        return self.store.recent(campaign, judge, since=now - resting.DAY)

    def _screen(self, campaign: str, turn: Turn) -> Screen:
        found = screen(turn, self.protocol(campaign, turn.task))
        if self._may_revise(campaign, turn.task):
            return found
        return msgspec.structs.replace(found, changeable=False, back=None)

    def _may_revise(self, campaign: str, task: str) -> bool:
        said = self.plan(campaign).task(task).revise
        return not self.protocol(campaign, task).final if said is None else said


def _nothing(_: Sequence[OpenKit], __: Sequence[Had]) -> None:
    """The choice of one who is in the middle of a kit."""


def _answered_before(protocol: Protocol, turn: Turn, answers: Mapping[str, object]) -> list[Fault]:
    """Complaints about answers to an earlier stage, which would change what is asked at this."""
    before = {q.id for stage in protocol.stages[: turn.stage] for q in stage.questions}
    return [
        Fault(message=f"'{name}' is asked at an earlier stage", field=name)
        for name in answers
        if name in before
    ]
