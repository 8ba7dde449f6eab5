"""What can go wrong with a store, each in words for the one who has to deal with it."""

from __future__ import annotations

from typing import Any

from jurat.errors import InputError, input_error


class StoreFault(InputError):
    """Something that was asked of a store cannot be done."""

    def __init__(self, message: str, **where: Any) -> None:
        super().__init__(input_error(message, **where).problems)


class NoSuchStore(StoreFault):
    """There is no store at this address."""


class NotAStore(StoreFault):
    """What is at this address is no store of Jurat's."""


class StoreIsNewer(StoreFault):
    """A newer Jurat has changed the store's schema."""


class StoreUnreachable(StoreFault):
    """The database does not answer."""


class StoreBusy(StoreFault):
    """Somebody else has held the database for too long."""


class StoreFull(StoreFault):
    """There is no room for more on the disk."""


class StoreFailed(StoreFault):
    """The database reports a failure of its own, such as a broken disk."""


class DriverMissing(StoreFault):
    """The package that speaks to this database is not installed."""


class NoSuchCampaign(StoreFault):
    """No campaign has this name."""


class CampaignExists(StoreFault):
    """A campaign has this name already."""


class CampaignChanged(StoreFault):
    """Somebody else has changed the campaign's parameters meanwhile."""


class NoSuchPreparation(StoreFault):
    """There is no such campaign in preparation: it was made, or given up."""


class PreparationChanged(StoreFault):
    """Somebody else has changed the preparation meanwhile."""


class NoSuchFile(StoreFault):
    """The preparation has no such file."""


class NoSuchCoordinator(StoreFault):
    """There is no such coordinator."""


class CoordinatorExists(StoreFault):
    """Another coordinator has this name."""


class NoSuchPhase(StoreFault):
    """The campaign has no such task or phase."""


class NoSuchJudge(StoreFault):
    """The campaign has no such account."""


class NoSuchItem(StoreFault):
    """The campaign has no such item."""


class NoSuchDecision(StoreFault):
    """Nothing has been decided there."""


class AlreadyDecided(StoreFault):
    """There is a decision with other answers; what was acknowledged is never changed silently."""


class PinTaken(StoreFault):
    """Another account of the campaign has this PIN."""


class AccountsMade(StoreFault):
    """These accounts were asked for before, and made."""


class JudgeDisabled(StoreFault):
    """The account may not judge."""


class NotYours(StoreFault):
    """There is no such assignment, or it is another judge's: a judge is not told which."""


class KitGone(StoreFault):
    """The kit is no longer this judge's."""


class OutOfTurn(StoreFault):
    """The position is not the next one; `expected` is."""

    def __init__(self, message: str, *, expected: int) -> None:
        super().__init__(message)
        self.expected = expected


class PhaseNotStarted(StoreFault):
    """The phase does not take judgments now; `reason` is the coordinator's."""

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class BadArchive(StoreFault):
    """The file is no archive of Jurat's, or not as it was written."""


class StoreNotEmpty(StoreFault):
    """A whole store is only restored into an empty one."""
