"""What can go wrong with a store: one class for each case that callers tell apart."""

from __future__ import annotations

from typing import Any

from jurat.errors import InputError, input_error


# An `InputError`, so that commands and pages report it as they report wrong input.
class StoreFault(InputError):
    """The store cannot do what was asked; base of all its errors."""

    def __init__(self, message: str, **where: Any) -> None:
        super().__init__(input_error(message, **where).problems)


class NoSuchStore(StoreFault):
    """There is no store at this address, and none could be made."""


class NotAStore(StoreFault):
    """What is at this address is not a store of Jurat."""


class StoreIsNewer(StoreFault):
    """The store's schema is that of a newer Jurat."""


class StoreUnreachable(StoreFault):
    """The database does not answer."""


class StoreBusy(StoreFault):
    """The database was locked for too long; nothing was changed."""


class StoreFull(StoreFault):
    """The disk is full; nothing was changed."""


class StoreFailed(StoreFault):
    """The database failed, for example because of a broken disk."""


class DriverMissing(StoreFault):
    """The Python package for this database is not installed."""


class NoSuchCampaign(StoreFault):
    """No campaign has this name."""


class NoSuchToken(StoreFault):
    """There is no such token of the HTTP API."""


class NoSuchMessage(StoreFault):
    """There is no such message, or none for this judge."""


class CampaignExists(StoreFault):
    """A campaign has this name already."""


class CampaignChanged(StoreFault):
    """Somebody else has changed the campaign's parameters meanwhile."""


class NoSuchCampaignDraft(StoreFault):
    """There is no such draft of a campaign; it may have been created or deleted."""


class CampaignDraftChanged(StoreFault):
    """Somebody else has changed the draft meanwhile."""


class NoSuchFile(StoreFault):
    """The draft has no such file."""


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
    """There is a decision with other answers, which is only changed by a revision."""


class PinTaken(StoreFault):
    """Another account of the campaign has this PIN."""


class AccountsMade(StoreFault):
    """The same request has made these accounts before."""


class JudgeDisabled(StoreFault):
    """The account is disabled."""


class NotYours(StoreFault):
    """There is no such assignment, or it is another judge's; judges are not told which."""


class KitGone(StoreFault):
    """The kit is no longer this judge's."""


class OutOfTurn(StoreFault):
    """The position or revision is not the next one, which is `expected`."""

    def __init__(self, message: str, *, expected: int) -> None:
        super().__init__(message)
        self.expected = expected


class PhaseNotStarted(StoreFault):
    """The phase accepts no judgments now; `reason` is what the coordinator gave.

    `closed` says that it never will again.
    """

    def __init__(self, message: str, *, reason: str, closed: bool = False) -> None:
        super().__init__(message)
        self.reason = reason
        self.closed = closed


class BadArchive(StoreFault):
    """The file is not an archive of Jurat, or it is damaged."""


class StoreNotEmpty(StoreFault):
    """A backup can only be restored into an empty store."""
