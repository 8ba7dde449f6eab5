"""What every part of the service works on: a store, a clock, and campaigns as they were founded."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from threading import Lock

import msgspec

from jurat import protocols
from jurat.campaigns.assignment import Assigner
from jurat.campaigns.config import CampaignPlan, revived_plan
from jurat.campaigns.create import Blueprint
from jurat.errors import InputError, input_error, unknown_name
from jurat.protocols import Protocol
from jurat.store import Account, Store, StoreFault
from jurat.store.records import Role

Clock = Callable[[], datetime]
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
_NO_TIME = timedelta()


# The server's clock.
utc_now: Clock = partial(datetime.now, UTC)


class WrongRole(InputError):
    """Somebody came in a role in which this is not done."""


class NotAccepted(InputError):
    """Somebody who has registered waits for a coordinator to accept him."""


class LoginExpired(InputError):
    """Somebody's secrets were changed, or their account closed, since they logged in."""


class NotOffered(InputError):
    """The campaign does not offer this: it has no guests, or takes no volunteers."""


# How long a plan is good for; then it is asked, cheaply, whether a parameter has changed.
FRESH = timedelta(seconds=2)
# After how long that is better asked, while nobody waits for it.
AGING = FRESH / 2


class Founded(msgspec.Struct, frozen=True):
    """A campaign as this process knows it."""

    name: str
    blueprint: Blueprint
    assigner: Assigner
    edition: int
    """Of what is declared."""


class Running:
    """Campaigns over a store.

    What a campaign was made from never changes: it is read once. Its parameters may, by any
    process: a change is seen after two seconds at most.
    """

    def __init__(self, store: Store, *, clock: Clock = utc_now) -> None:
        self.store = store
        self._clock = clock
        self._known: dict[str, Founded] = {}
        self._looked: dict[str, datetime] = {}
        self._reading = Lock()

    def founded(self, campaign: str) -> Founded:
        """A campaign as it is now, or was a moment ago."""
        found = self._known.get(campaign)
        if found is None:
            with self._reading:  # one reads, and the others wait for it
                found = self._known.get(campaign) or self._read(campaign)
                self._known[campaign] = found
        elif not _NO_TIME <= self._clock() - self._looked[campaign] < FRESH:
            self._look(campaign)
            found = self._known[campaign]
        return found

    def plan(self, campaign: str) -> CampaignPlan:
        """What is declared."""
        return self._blueprint(campaign).plan

    def age(self, campaign: str) -> timedelta:
        """For how long nobody has looked whether it has changed.

        A clock that was put back does not make it young.
        """
        return abs(self._clock() - self._looked.get(campaign, _LONG_AGO))

    def look(self, campaign: str) -> CampaignPlan:
        """The plan, after a look whether it has changed where it is time for one."""
        if campaign in self._known and self.age(campaign) >= AGING:
            self._look(campaign)
        return self.plan(campaign)

    def protocol(self, campaign: str, task: str) -> Protocol:
        """The protocol of a task, as it was when the campaign was made."""
        found = self._blueprint(campaign).protocols
        if task not in found:
            raise unknown_name("task", task, found)
        return found[task]

    def _admitted(self, campaign: str, account: str, role: Role) -> Account:
        """The account of somebody who comes in this role."""
        return allowed(self.store.judge(campaign, account), role)

    def _lease(self, campaign: str) -> timedelta:
        return timedelta(minutes=self.plan(campaign).lease_minutes)

    def _blueprint(self, campaign: str) -> Blueprint:
        return self.founded(campaign).blueprint

    def _read(self, campaign: str) -> Founded:
        now, stored = self._clock(), self.store.campaign(campaign)
        self._looked[campaign] = now
        blueprint = Blueprint(
            plan=revived_plan(stored.declaration),
            protocols={task: _revived(plain) for task, plain in stored.protocols.items()},
            test_set=self.store.test_set(campaign),
            tutorial=self.store.tutorial(campaign),
        )
        assigner = Assigner(blueprint, lambda: self.store.kits(campaign))
        return Founded(campaign, blueprint, assigner, stored.edition)

    def _look(self, campaign: str) -> None:
        """Take up a changed plan; one thread looks, and the others go on with what there is."""
        self._looked[campaign] = self._clock()
        known = self._known[campaign]
        try:
            if self.store.edition(campaign) == known.edition:
                return
            stored = self.store.campaign(campaign)
        except StoreFault:  # a store in trouble is told where something is asked of it
            return
        blueprint = msgspec.structs.replace(known.blueprint, plan=revived_plan(stored.declaration))
        assigner = known.assigner.under(blueprint)
        self._known[campaign] = Founded(campaign, blueprint, assigner, stored.edition)


def allowed(found: Account, role: Role) -> Account:
    """An account that is open and has this role; any other is refused."""
    if found.disabled:
        raise input_error("this account is closed; ask the coordinator")
    if found.pending:
        message = "you have registered; the coordinator has to accept you first"
        raise NotAccepted(input_error(message).problems)
    if found.role != role:
        message = f"this is the account of {_some(found.role)}; it takes that of {_some(role)}"
        raise WrongRole(input_error(message).problems)
    return found


def _revived(plain: object) -> Protocol:
    """A protocol as it was when the campaign was made."""
    return protocols.read(msgspec.json.encode(plain), file="stored protocol")


def _some(role: Role) -> str:
    return f"an {role}" if role == "adjudicator" else f"a {role}"
