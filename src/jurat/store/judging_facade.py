"""The judges' path as the store offers it: what to do next, and what was decided.

Each method is one transaction with a fixed small number of indexed statements.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from jurat.store import decisions, progress, read_decisions, steps
from jurat.store.database import Database
from jurat.store.decisions import Check
from jurat.store.records import Answers, Choose, Decision, Had, OpenKit, Step


class JudgesPath:
    """What judges do with a store."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._write = database.write
        self._read = database.read

    def turn(self, campaign: str, judge: str, choose: Choose, **how: Any) -> Step | None:
        """What the judge does next; None if there is nothing for them in the phases started."""
        return self._write(
            lambda session: steps.next_step(session, campaign, judge, choose, **how), again=True
        )

    def submit(
        self, campaign: str, judge: str, assignment: str, position: int, check: Check, **how: Any
    ) -> tuple[Decision, Step | None]:
        """Store a decision as it is checked for its step, and give the step that comes next."""
        return self._write(
            lambda session: decisions.submit(
                session, campaign, judge, assignment, position, check=check, **how
            ),
            again=True,
        )

    async def submit_soon(
        self, campaign: str, judge: str, assignment: str, position: int, check: Check, **how: Any
    ) -> tuple[Decision, Step | None]:
        """The same for an event loop, which goes on while the disk is at work."""
        return await self._database.write_soon(
            lambda session: decisions.submit(
                session, campaign, judge, assignment, position, check=check, **how
            ),
            again=True,
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
        **more: Any,
    ) -> Decision:
        """Store a decision that was checked before, and show nothing."""
        decision = Decision(answers=answers, decided_at=decided_at or now, **more)
        check = partial(_as_it_is, decision, show_next=False)
        place = (campaign, judge, assignment, position)
        return self.submit(*place, check, choose=_nothing, now=now, lease=lease)[0]

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
        most: int = 100,
        **more: Any,
    ) -> tuple[Decision, Step | None]:
        """Store a decision that was checked before, and give the step that comes next."""
        decision = Decision(answers=answers, decided_at=now, **more)
        check = partial(_as_it_is, decision, show_next=True)
        place = (campaign, judge, assignment, position)
        return self.submit(*place, check, choose=choose, now=now, lease=lease, most=most)

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
        **more: Any,
    ) -> Decision:
        """Replace a decision that was checked before."""
        decision = Decision(answers=answers, decided_at=now, **more)
        check = partial(_as_it_is, decision, show_next=False)
        place = (campaign, judge, assignment, position)
        return self.revise_checked(*place, check, revision=revision)

    def revise_checked(
        self,
        campaign: str,
        judge: str,
        assignment: str,
        position: int,
        check: Check,
        *,
        revision: int,
    ) -> Decision:
        """Replace a decision by another as it is checked."""
        return self._write(
            lambda session: decisions.revise(
                session, campaign, judge, assignment, position, check=check, revision=revision
            ),
            again=True,
        )

    async def revise_soon(
        self,
        campaign: str,
        judge: str,
        assignment: str,
        position: int,
        check: Check,
        *,
        revision: int,
    ) -> Decision:
        """The same for an event loop."""
        return await self._database.write_soon(
            lambda session: decisions.revise(
                session, campaign, judge, assignment, position, check=check, revision=revision
            ),
            again=True,
        )

    def step(self, campaign: str, judge: str, assignment: str, position: int) -> Step:
        """A step of a judge's kit that they have reached, with what they decided there."""
        return self._read(
            lambda session: steps.step(session, campaign, judge, assignment, position)
        )

    def ahead(
        self, campaign: str, judge: str, assignment: str, position: int, *, most: int
    ) -> list[Step]:
        """Up to so many steps after this one that reveal nothing too early; changes nothing."""
        return self._read(
            lambda session: steps.ahead(session, campaign, judge, assignment, position, most=most)
        )

    def recent_seconds(self, campaign: str) -> dict[str, list[float]]:
        """How long the last decisions took, by task; those of over two minutes are left out."""
        return self._read(lambda session: progress.recent_seconds(session, campaign))

    def draft(
        self,
        campaign: str,
        judge: str,
        assignment: str,
        position: int,
        content: object,
        **how: Any,
    ) -> None:
        """Keep what a judge has begun to answer, in the place of what was kept before."""
        self._write(
            lambda session: steps.save_answers(
                session, campaign, judge, assignment, position, content=content, **how
            ),
            again=True,
        )

    def recent(self, campaign: str, judge: str, *, since: datetime) -> tuple[datetime, ...]:
        """When the judge decided, since then, in order: for limits per sitting and per day."""
        return self._read(
            lambda session: read_decisions.recent(session, campaign, judge, since=since)
        )


def _as_it_is(decision: Decision, *_: object, show_next: bool) -> tuple[Decision, bool]:
    return decision, show_next


def _nothing(_: Sequence[OpenKit], __: Sequence[Had]) -> None:
    """The choice where no kit is wanted."""
