"""The service: everything that coordinators, judges and adjudicators do with a campaign.

Pages, commands and simulated judges come through this door alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from jurat.campaigns import availability, guests, second_reading
from jurat.campaigns.accounts import Accounts, Slip
from jurat.campaigns.adjudication import Adjudicating
from jurat.campaigns.config import Fetch, read_plan
from jurat.campaigns.context import Clock, NotOffered, utc_now
from jurat.campaigns.coordinators import Coordinators
from jurat.campaigns.create import draw_up
from jurat.campaigns.drafts import Preparations
from jurat.campaigns.monitoring.status import Monitoring
from jurat.campaigns.rate_limit import Doorstep
from jurat.campaigns.screens import Screen
from jurat.campaigns.upcoming_steps import Seeing
from jurat.campaigns.update import Changing
from jurat.errors import input_error, unknown_name
from jurat.kits.findings import Audit
from jurat.model import File, Phase
from jurat.store import Campaign, PhaseRecord, Progress, Store
from jurat.store.records import PhaseState

if TYPE_CHECKING:
    import polars as pl

Action = Literal["start", "stop", "close"]
_STATES: dict[Action, PhaseState] = {"start": "started", "stop": "stopped", "close": "closed"}


class Service(Changing, Seeing, Adjudicating, Monitoring):
    """Campaigns over a store."""

    def __init__(self, store: Store, *, clock: Clock = utc_now) -> None:
        super().__init__(store, clock=clock)
        self.accounts = Accounts(store, clock)
        self.coordinators = Coordinators(store, clock)
        self.doorstep = Doorstep(clock)
        self.preparations = Preparations(store, clock, self._blueprint)

    # Coordinators

    def create(self, declaration: File, fetch: Fetch, *, author: str) -> Campaign:
        """Make a campaign from its declaration, whole or not at all."""
        new = draw_up(read_plan(declaration), fetch)
        self.store.create(new, author=author, now=self._clock())
        return self.store.campaign(new.name)

    def audit(self, campaign: str) -> Audit:
        """What the campaign amounts to with the judges it has."""
        seconds = availability.seconds_by_task(self.store.progress(campaign))
        kits = self.store.kits(campaign)
        return self._blueprint(campaign).audit(kits, self._judges(campaign), seconds=seconds)

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
            self.audit(campaign).raise_errors()
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
        how = {"author": author, "reason": reason, "finished": finished}
        return self._repaired(self.store.give_back, campaign, pin, task, how)

    def redo(
        self, campaign: str, pin: str, *, author: str, reason: str, task: str | None = None
    ) -> int:
        """Have a judge do his kits again from their beginnings; old rows stay, marked.

        What is read without help is not asked again of one who has seen the references since.
        """
        self._refuse_spoiled(campaign, pin, task)
        how = {"author": author, "reason": reason}
        return self._repaired(self.store.redo, campaign, pin, task, how)

    def _refuse_spoiled(self, campaign: str, pin: str, task: str | None) -> None:
        own = self.accounts.by_pin(campaign, pin).pin
        decisions = (one for one in self.store.decisions(campaign) if one.judge == own)
        for name in second_reading.spoiled(decisions, self._blueprint(campaign).protocols):
            if task in (None, name):
                why = "he has seen references of what is to be read without; give it back instead"
                raise input_error(f"task {name}: {why}", field="task")

    def _repaired(
        self,
        repair: Callable[..., int],
        campaign: str,
        pin: str,
        task: str | None,
        how: Mapping[str, object],
    ) -> int:
        """The number of a judge's kits, of all tasks or one, that were given back or done again."""
        if task is not None:
            self.protocol(campaign, task)  # which refuses a task that there is not
        judge = self.accounts.by_pin(campaign, pin).id
        return repair(campaign, judge, task=task, now=self._clock(), **how)

    def tables(self, campaign: str) -> dict[str, pl.DataFrame]:
        """All judgments as long tables."""
        from jurat.campaigns.export import Ledger

        return Ledger(self.store, campaign, self._blueprint(campaign).protocols).tables()

    # Volunteers and guests

    def register(self, campaign: str) -> Slip:
        """An account for a volunteer, where the campaign takes them; perhaps he has to wait."""
        how = self.plan(campaign).registration
        if not how:
            why = "nobody can register for this campaign; ask the coordinator"
            raise NotOffered(input_error(why).problems)
        (slip,) = self.accounts.add(campaign, 1, author="registration", pending=how == "ask")
        return slip

    def guest_steps(self, campaign: str, task: str) -> Sequence[Screen]:
        """The tutorial of a task for somebody without an account; nothing of his is stored."""
        return guests.tutorial(self._lesson(campaign, task))

    def guest_answer(
        self, campaign: str, task: str, position: int, answers: Mapping[str, object]
    ) -> dict[str, object]:
        """A guest's answers to a step and to its earlier stages, checked and not stored."""
        return guests.checked(self._lesson(campaign, task), position, answers)

    def _lesson(self, campaign: str, task: str) -> guests.Lesson:
        """The first tutorial kit of a task, where guests are admitted."""
        if not self.plan(campaign).guest:
            raise NotOffered(input_error("guests are not admitted to this campaign").problems)
        phases = self.store.campaign(campaign).phases
        taught = [record.task for record in phases if record.phase == "tutorial"]
        if task not in taught:
            raise NotOffered(unknown_name("task with a tutorial", task, taught).problems)
        kit = next(self.store.kits(campaign, task=task, phase="tutorial"))
        return guests.Lesson(kit, self.protocol(campaign, task))

    def _phases(self, campaign: str, task: str | None, phase: Phase | None) -> list[PhaseRecord]:
        """The phases meant that are not closed."""
        found = self.store.campaign(campaign).phases
        if task is not None and task not in {record.task for record in found}:
            raise unknown_name("task", task, dict.fromkeys(record.task for record in found))
        meant = [p for p in found if task in (None, p.task) and phase in (None, p.phase)]
        if not meant:
            raise input_error(f"there is no {phase} here", value=phase)
        if all(record.state == "closed" for record in meant):
            raise input_error("this was closed, for good", code="closed-for-good")
        return [record for record in meant if record.state != "closed"]
