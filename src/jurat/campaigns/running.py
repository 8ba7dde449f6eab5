"""What every part of the service works on: a store, a clock, and campaigns as they were founded."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import msgspec

from jurat import protocols
from jurat.campaigns.assigning import Assigner
from jurat.campaigns.declared import CampaignPlan, revived_plan
from jurat.campaigns.founding import Blueprint
from jurat.faults import unknown
from jurat.protocols import Protocol
from jurat.store import Store

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The server's clock."""
    return datetime.now(UTC)


class Running:
    """Campaigns over a store. What a campaign was made from never changes: it is read once."""

    def __init__(self, store: Store, *, clock: Clock = utc_now) -> None:
        self.store = store
        self._clock = clock
        self._known: dict[str, tuple[Blueprint, Assigner]] = {}

    def plan(self, campaign: str) -> CampaignPlan:
        """What was declared."""
        return self._blueprint(campaign).plan

    def protocol(self, campaign: str, task: str) -> Protocol:
        """The protocol of a task, as it was when the campaign was made."""
        found = self._blueprint(campaign).protocols
        if task not in found:
            raise unknown("task", task, found)
        return found[task]

    def _lease(self, campaign: str) -> timedelta:
        return timedelta(minutes=self.plan(campaign).lease_minutes)

    def _blueprint(self, campaign: str) -> Blueprint:
        return self._founded(campaign)[0]

    def _founded(self, campaign: str) -> tuple[Blueprint, Assigner]:
        if campaign not in self._known:
            stored = self.store.campaign(campaign)
            blueprint = Blueprint(
                plan=revived_plan(stored.declaration),
                protocols={task: _revived(plain) for task, plain in stored.protocols.items()},
                test_set=self.store.test_set(campaign),
                tutorial=self.store.tutorial(campaign),
            )
            self._known[campaign] = blueprint, Assigner(blueprint)
        return self._known[campaign]


def _revived(plain: object) -> Protocol:
    """A protocol as it was when the campaign was made."""
    return protocols.read(msgspec.json.encode(plain), file="stored protocol")
