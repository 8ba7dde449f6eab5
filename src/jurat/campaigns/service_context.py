"""What the parts of the service share: the store, the clock, and the campaigns loaded from it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from threading import Lock

import msgspec

from jurat import protocols
from jurat.campaigns.config import CampaignPlan, stored_plan
from jurat.campaigns.create import CampaignDefinition
from jurat.campaigns.kit_choice import Assigner
from jurat.errors import InputError, input_error, unknown_name
from jurat.protocols import Protocol
from jurat.store import Account, Campaign, NoSuchCampaign, Store, StoreFault
from jurat.store.account_records import Role
from jurat.store.campaigns import CampaignVersion

Clock = Callable[[], datetime]
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
_NO_TIME = timedelta()

# The server's clock.
utc_now: Clock = partial(datetime.now, UTC)


class WrongRole(InputError):
    """The account has another role than this needs."""


class NotAccepted(InputError):
    """A coordinator has yet to accept this registered volunteer."""


class LoginExpired(InputError):
    """The account's secrets were changed, or it was closed, since the login."""


class NotOffered(InputError):
    """The campaign does not offer this: guests, or registration, are switched off."""


# How long a loaded campaign is used before the store is asked, cheaply, for a newer configuration.
FRESH = timedelta(seconds=2)
# The age at which a server asks in the background, so that no request has to wait for the answer.
AGING = FRESH / 2


class LoadedCampaign(msgspec.Struct, frozen=True):
    """A campaign as this process holds it in memory."""

    name: str
    definition: CampaignDefinition
    assigner: Assigner
    version: CampaignVersion
    """Which campaign this is, and which version of its configuration."""

    @property
    def plan(self) -> CampaignPlan:
        """The configuration."""
        return self.definition.plan

    @property
    def lease(self) -> timedelta:
        """How long a kit waits for the judge who left it."""
        return timedelta(minutes=self.plan.lease_minutes)


class ServiceContext:
    """What all parts of the service share: the store, the clock and the loaded campaigns.

    The texts, kits and protocols of a campaign never change: they are read once. Its parameters
    may be changed by any process, and all of it deleted; this is seen here after two seconds at
    most.
    """

    def __init__(self, store: Store, clock: Clock = utc_now) -> None:
        self.store = store
        self.now = clock
        self._loaded: dict[str, LoadedCampaign] = {}
        self._checked: dict[str, datetime] = {}
        self._loading = Lock()

    def campaign(self, name: str) -> LoadedCampaign:
        """A campaign with its configuration as of two seconds ago or later.

        Raises `NoSuchCampaign`.
        """
        found = self._loaded.get(name)
        if found is None:
            # a test set may be large: one thread reads it, the others wait for the same object
            with self._loading:
                found = self._loaded.get(name) or self._load(name)
                self._loaded[name] = found
        elif not _NO_TIME <= self.now() - self._checked.get(name, _LONG_AGO) < FRESH:
            found = self.refresh(name)
        return found

    def definition(self, campaign: str) -> CampaignDefinition:
        """The plan, protocols and test sets of a campaign."""
        return self.campaign(campaign).definition

    def plan(self, campaign: str) -> CampaignPlan:
        """The configuration of a campaign."""
        return self.campaign(campaign).definition.plan

    def protocol(self, campaign: str, task: str) -> Protocol:
        """The protocol of a task as it was when the campaign was created; raises `InputError`."""
        found = self.definition(campaign).protocols
        if task not in found:
            raise unknown_name("task", task, found)
        return found[task]

    def account(self, campaign: str, account: str, role: Role) -> Account:
        """An account that may act in this role; raises `InputError` where it may not."""
        return allowed(self.store.judge(campaign, account), role)

    def forget(self, campaign: str) -> None:
        """Drop a deleted campaign from memory."""
        self._loaded.pop(campaign, None)
        self._checked.pop(campaign, None)

    def is_loaded(self, campaign: str) -> bool:
        """Whether the campaign is in memory."""
        return campaign in self._loaded

    def age(self, campaign: str) -> timedelta:
        """The time since the store was last asked for a newer configuration."""
        # a clock that was set back must not make the configuration look new
        return abs(self.now() - self._checked.get(campaign, _LONG_AGO))

    def refresh(self, campaign: str) -> LoadedCampaign:
        """The campaign as it is now; others go on with what is loaded until this returns.

        Raises `NoSuchCampaign` for one that another process has deleted.
        """
        # noted first, so that of many threads only one asks the store
        self._checked[campaign] = self.now()
        known = self._loaded.get(campaign)
        try:
            found = self._renewed(known) if known else self._load(campaign)
        except NoSuchCampaign:
            self.forget(campaign)
            raise
        except StoreFault:  # what needs the store will report it; a plan in memory does not
            if known is None:
                raise
            return known
        self._loaded[campaign] = found
        return found

    def _renewed(self, known: LoadedCampaign) -> LoadedCampaign:
        """A loaded campaign with a changed configuration; another one of its name is loaded."""
        version = self.store.version(known.name)
        if version == known.version:
            return known
        # deleted, and created again: texts, kits and protocols are others
        if version.created != known.version.created:
            return self._load(known.name)
        stored = self.store.campaign(known.name)
        definition = msgspec.structs.replace(known.definition, plan=stored_plan(stored.declaration))
        assigner = known.assigner.under(definition)
        return LoadedCampaign(known.name, definition, assigner, _version(stored))

    def _load(self, campaign: str) -> LoadedCampaign:
        now, stored = self.now(), self.store.campaign(campaign)
        self._checked[campaign] = now
        definition = CampaignDefinition(
            plan=stored_plan(stored.declaration),
            protocols={task: _stored_protocol(plain) for task, plain in stored.protocols.items()},
            test_set=self.store.test_set(campaign),
            tutorial=self.store.tutorial(campaign),
        )
        assigner = Assigner(definition, lambda: self.store.kits(campaign))
        return LoadedCampaign(campaign, definition, assigner, _version(stored))


def allowed(found: Account, role: Role) -> Account:
    """The account, if it is open and has this role; raises `InputError` otherwise."""
    if found.disabled:
        raise input_error("this account is closed; ask the coordinator")
    if found.pending:
        message = "you are registered; the coordinator has to accept you first"
        raise NotAccepted(input_error(message).problems)
    if found.role != role:
        message = f"this is {_some(found.role)}'s account; {_some(role)}'s is needed"
        raise WrongRole(input_error(message).problems)
    return found


def _version(stored: Campaign) -> CampaignVersion:
    return CampaignVersion(stored.created, stored.edition)


def _stored_protocol(plain: object) -> Protocol:
    """A protocol as it was when the campaign was created."""
    return protocols.read(msgspec.json.encode(plain), file="stored protocol")


def _some(role: Role) -> str:
    return f"an {role}" if role == "adjudicator" else f"a {role}"
