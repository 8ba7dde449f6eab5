"""What every part of the service works on: a store, a clock, and campaigns as they were founded."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import msgspec

from jurat import protocols
from jurat.campaigns.assigning import Assigner
from jurat.campaigns.declared import CampaignPlan, revived_plan
from jurat.campaigns.founding import Blueprint
from jurat.faults import FaultyInput, complain, unknown
from jurat.protocols import Protocol
from jurat.store import Account, Store
from jurat.store.records import Role

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The server's clock."""
    return datetime.now(UTC)


class WrongRole(FaultyInput):
    """Somebody came in a role in which this is not done."""


class NotOffered(FaultyInput):
    """The campaign does not offer this: it has no guests, or takes no volunteers."""


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

    def _admitted(self, campaign: str, account: str | Account, role: Role) -> Account:
        """The account of somebody who comes in this role, as it is or as it was just read."""
        found = self.store.judge(campaign, account) if isinstance(account, str) else account
        if found.disabled:
            raise complain("this account is closed; ask the coordinator")
        if found.role != role:
            message = f"this is the account of {_some(found.role)}; it takes that of {_some(role)}"
            raise WrongRole(complain(message).faults)
        return found

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
            assigner = Assigner(blueprint, lambda: self.store.kits(campaign))
            self._known[campaign] = blueprint, assigner
        return self._known[campaign]


def _revived(plain: object) -> Protocol:
    """A protocol as it was when the campaign was made."""
    return protocols.read(msgspec.json.encode(plain), file="stored protocol")


def _some(role: Role) -> str:
    return f"an {role}" if role == "adjudicator" else f"a {role}"
