"""The judges' path as the store offers it: what to do next, and what was decided.

Each method is one transaction with a fixed small number of indexed statements.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from jurat.store import ahead, judging, reading
from jurat.store.assigning import Asked
from jurat.store.database import Database
from jurat.store.deciding import Decision
from jurat.store.records import Answers, Choose, Decided, Had, OpenKit, SentDecision, Turn, Weighed


class JudgesPath:
    """What judges do with a store."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._write = database.write
        self._read = database.read

    def turn(
        self,
        campaign: str,
        judge: str,
        choose: Choose,
        *,
        now: datetime,
        lease: timedelta,
        most: int = 100,
    ) -> Turn | None:
        """What the judge does next; None if there is nothing for him in the phases started.

        That is the next step of the kit he has, or one that he left and nobody took up, or the
        first of the one that `choose` picks among the open ones: of each phase the `most` first, or
        many more if it wants none of these. Until `lease` is over nobody else gets it.
        """
        asked = Asked.at(campaign, judge, now, lease)
        return self._write(lambda session: judging.turn(session, asked, choose, most), again=True)

    def submit(
        self,
        campaign: str,
        judge: str,
        sent: SentDecision,
        *,
        choose: Choose,
        now: datetime,
        lease: timedelta,
        most: int = 100,
    ) -> tuple[Decided, Turn | None]:
        """Store a decision as it is weighed for its step, and give the turn that comes next.

        The same one again changes nothing and is acknowledged likewise. Leases run by `now`.
        """
        asked = Asked.at(campaign, judge, now, lease)
        return self._write(
            lambda session: judging.submit(session, asked, sent, choose, most), again=True
        )

    async def submit_soon(
        self,
        campaign: str,
        judge: str,
        sent: SentDecision,
        *,
        choose: Choose,
        now: datetime,
        lease: timedelta,
        most: int = 100,
    ) -> tuple[Decided, Turn | None]:
        """The same for an event loop, which goes on while the disk is at work."""
        asked = Asked.at(campaign, judge, now, lease)
        return await self._database.write_soon(
            lambda session: judging.submit(session, asked, sent, choose, most), again=True
        )

    def decide(
        self,
        campaign: str,
        judge: str,
        assignment: str,
        position: int,
        answers: Answers,
        *,
        now: datetime,
        lease: timedelta,
        decided_at: datetime | None = None,
        seconds: float | None = None,
        active_seconds: float | None = None,
        language: str = "",
    ) -> Decided:
        """Store a decision that was checked before, and show nothing."""
        weighed = Weighed(
            answers=answers,
            decided_at=decided_at or now,
            seconds=seconds,
            active_seconds=active_seconds,
            language=language,
            show_next=False,
        )
        sent = SentDecision(assignment, position, lambda _: weighed)
        return self.submit(campaign, judge, sent, choose=_nothing, now=now, lease=lease)[0]

    def decide_and_turn(
        self,
        campaign: str,
        judge: str,
        assignment: str,
        position: int,
        answers: Answers,
        *,
        choose: Choose,
        now: datetime,
        lease: timedelta,
        seconds: float | None = None,
        active_seconds: float | None = None,
        language: str = "",
        most: int = 100,
    ) -> tuple[Decided, Turn | None]:
        """Store a decision that was checked before, and give the turn that comes next."""
        weighed = Weighed(
            answers=answers,
            decided_at=now,
            seconds=seconds,
            active_seconds=active_seconds,
            language=language,
        )
        sent = SentDecision(assignment, position, lambda _: weighed)
        return self.submit(campaign, judge, sent, choose=choose, now=now, lease=lease, most=most)

    def revise(
        self,
        campaign: str,
        judge: str,
        assignment: str,
        position: int,
        answers: Answers,
        *,
        revision: int,
        now: datetime,
        seconds: float | None = None,
        active_seconds: float | None = None,
        language: str = "",
        author: str = "",
        reason: str = "",
    ) -> Decided:
        """Put a new decision in the place of an old one, which stays and is marked superseded.

        `revision` is the new one's number (the first decision has 1), so that the same change sent
        again changes nothing.
        """
        asked = Asked.at(campaign, judge, now, timedelta())
        decision = Decision(
            assignment,
            position,
            answers,
            asked.now,
            seconds,
            active_seconds,
            language,
            author,
            reason,
        )
        return self._write(
            lambda session: judging.revise(session, asked, decision, revision), again=True
        )

    def step(self, campaign: str, judge: str, assignment: str, position: int) -> Turn:
        """A step of a judge's kit that he has reached, with what he decided there; changes nothing.

        For checking an answer before it is stored, and for going back.
        """
        return self._read(
            lambda session: judging.step(session, (campaign, judge), assignment, position)
        )

    def ahead(
        self, campaign: str, judge: str, assignment: str, position: int, *, most: int
    ) -> list[Turn]:
        """Up to so many steps after this one that reveal nothing too early; changes nothing."""
        return self._read(
            lambda session: ahead.ahead(session, (campaign, judge), assignment, position, most)
        )

    def recent_seconds(self, campaign: str) -> dict[str, list[float]]:
        """How long the last decisions took, by task; those of over two minutes are left out."""
        return self._read(lambda session: ahead.recent_seconds(session, campaign))

    def draft(
        self,
        campaign: str,
        judge: str,
        assignment: str,
        position: int,
        content: object,
        *,
        now: datetime,
        lease: timedelta,
    ) -> None:
        """Keep what a judge has begun to answer, in the place of what was kept before."""
        asked = Asked.at(campaign, judge, now, lease)
        self._write(
            lambda session: judging.keep_draft(session, asked, assignment, position, content),
            again=True,
        )

    def recent(self, campaign: str, judge: str, *, since: datetime) -> tuple[datetime, ...]:
        """When the judge decided, since then, in order: for limits per sitting and per day."""
        return self._read(lambda session: reading.recent(session, campaign, judge, since))


def _nothing(_: Sequence[OpenKit], __: Sequence[Had]) -> None:
    """The choice where no kit is wanted."""
