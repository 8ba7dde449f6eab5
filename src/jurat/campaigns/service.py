"""The service: everything that coordinators, judges and adjudicators do with a campaign.

Pages, commands and simulated judges come through this door alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from jurat.campaigns import contests, guests, resting
from jurat.campaigns.accounts import Accounts, Slip
from jurat.campaigns.declared import Fetch, read_plan
from jurat.campaigns.founding import draw_up
from jurat.campaigns.judging import Judging, Submission
from jurat.campaigns.running import Clock, utc_now
from jurat.campaigns.screens import Screen
from jurat.faults import complain, unknown
from jurat.kits.audit import Audit
from jurat.model import File, Judge, Phase
from jurat.store import Campaign, PhaseRecord, Progress, Store
from jurat.store.records import PhaseState

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Action", "Service", "Submission", "utc_now"]

Action = Literal["start", "stop", "close"]
_STATES: dict[Action, PhaseState] = {"start": "started", "stop": "stopped", "close": "closed"}


class Service(Judging):
    """Campaigns over a store."""

    def __init__(self, store: Store, *, clock: Clock = utc_now) -> None:
        super().__init__(store, clock=clock)
        self.accounts = Accounts(store, clock)

    # Coordinators

    def create(self, declaration: File, fetch: Fetch, *, author: str) -> Campaign:
        """Make a campaign from its declaration, whole or not at all."""
        declared = read_plan(declaration)
        new = draw_up(declared, fetch).new_campaign(declared.declaration.content)
        self.store.create(new, author=author, now=self._clock())
        return self.store.campaign(new.name)

    def audit(self, campaign: str) -> Audit:
        """What the campaign amounts to with the judges it has."""
        seconds = resting.seconds_by_task(self.store.progress(campaign))
        return self._blueprint(campaign).audit(self._judges(campaign), seconds=seconds)

    def act(
        self,
        campaign: str,
        action: Action,
        *,
        author: str,
        task: str | None = None,
        phase: Phase | None = None,
        reason: str = "",
    ) -> list[tuple[str, Phase]]:
        """Start, stop or close phases: all, a task's, or one.

        What cannot end is not started, and what is closed stays so.
        """
        chosen = self._phases(campaign, task, phase)
        if action == "start":
            self.audit(campaign).refuse()
        for record in chosen:
            self.store.set_phase(
                campaign,
                record.task,
                record.phase,
                _STATES[action],
                author=author,
                now=self._clock(),
                reason=reason,
            )
        return [(record.task, record.phase) for record in chosen]

    def progress(self, campaign: str) -> Progress:
        """How far each phase and each judge is."""
        return self.store.progress(campaign)

    def give_back(
        self,
        campaign: str,
        pin: str,
        *,
        author: str,
        reason: str,
        task: str | None = None,
        finished: bool = True,
    ) -> int:
        """Return a judge's kits to the others, also those he has done; old rows stay, marked."""
        return self.store.give_back(
            campaign,
            self.accounts.by_pin(campaign, pin).id,
            author=author,
            reason=reason,
            now=self._clock(),
            task=task,
            finished=finished,
        )

    def redo(
        self, campaign: str, pin: str, *, author: str, reason: str, task: str | None = None
    ) -> int:
        """Have a judge do his kits again from their beginnings; old rows stay, marked."""
        return self.store.redo(
            campaign,
            self.accounts.by_pin(campaign, pin).id,
            author=author,
            reason=reason,
            now=self._clock(),
            task=task,
        )

    def tables(self, campaign: str) -> dict[str, pl.DataFrame]:
        """All judgments as long tables."""
        from jurat.campaigns.exporting import long_tables

        decisions = self.store.decisions(campaign)
        settled = self.store.adjudications(campaign)
        named = self._blueprint(campaign).protocols
        return long_tables(campaign, decisions, settled, named)

    # Volunteers and guests

    def register(self, campaign: str) -> Slip:
        """An account for a volunteer, where the campaign takes them."""
        if not self.plan(campaign).registration:
            raise complain("nobody can register for this campaign; ask the coordinator")
        (slip,) = self.accounts.add(campaign, 1, author="registration")
        return slip

    def guest_steps(self, campaign: str, task: str) -> Sequence[Screen]:
        """The tutorial of a task for somebody without an account; nothing of his is stored."""
        return guests.tutorial(self._blueprint(campaign), task)

    def guest_answer(
        self, campaign: str, task: str, position: int, answers: Mapping[str, object]
    ) -> dict[str, object]:
        """A guest's answers to a step and to its earlier stages, checked and not stored."""
        return guests.checked(self._blueprint(campaign), task, position, answers)

    # Adjudicators

    def contested(
        self, campaign: str, task: str, *, more_than: float = 1
    ) -> list[contests.Contest]:
        """Items whose judgments differ by more than so much, without who said what."""
        protocol = self.protocol(campaign, task)
        decisions = (d for d in self.store.decisions(campaign) if d.task == task)
        settled = self.store.adjudications(campaign)
        return contests.contested(decisions, settled, protocol, more_than=more_than)

    def adjudicate(
        self,
        campaign: str,
        contest: contests.Contest,
        answers: Mapping[str, object],
        *,
        author: str,
        reason: str = "",
    ) -> int:
        """Settle an item; the judges' own answers stay beside it."""
        checked = self.protocol(campaign, contest.task).check(answers, contest.item)
        return self.store.adjudicate(
            campaign,
            contest.task,
            contest.phase,
            contest.kit,
            contest.index,
            answers=checked,
            author=author,
            reason=reason,
            now=self._clock(),
        )

    def _phases(self, campaign: str, task: str | None, phase: Phase | None) -> list[PhaseRecord]:
        """The phases meant that are not closed."""
        found = self.store.campaign(campaign).phases
        if task is not None and task not in {record.task for record in found}:
            raise unknown("task", task, dict.fromkeys(record.task for record in found))
        meant = [p for p in found if task in (None, p.task) and phase in (None, p.phase)]
        if not meant:
            raise complain(f"there is no {phase} here", value=phase)
        if all(record.state == "closed" for record in meant):
            raise complain("this was closed, for good")
        return [record for record in meant if record.state != "closed"]

    def _judges(self, campaign: str) -> list[Judge]:
        accounts = self.store.judges(campaign)
        return [one.judge for one in accounts if one.role == "judge" and not one.disabled]
