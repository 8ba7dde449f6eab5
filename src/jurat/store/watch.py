"""What those who watch a campaign read from the store; nothing here writes."""

from __future__ import annotations

from datetime import datetime, timedelta

from jurat.model import Phase
from jurat.store import campaigns, changes, progress
from jurat.store.changes import Known, T, Take
from jurat.store.judging_facade import JudgesPath
from jurat.store.progress import Glance, OpenPlaces, Pace
from jurat.store.records import AuditEntry


class Watch(JudgesPath):
    """Pace and places, and what is new."""

    @property
    def address(self) -> str:
        """Where another process opens the same store."""
        return self._database.address

    def follow(self, campaign: str, known: Known, take: Take[T]) -> T:
        """What `take` makes of all assignments and of the decisions that are not known yet.

        Everything is of one snapshot, in the order of storing, and little by little.
        """
        return self._read(lambda session: changes.follow(session, campaign, known, take))

    def contents(self, kit_id: int) -> tuple[str, ...]:
        """The items of a kit, by the store's own number of it, as JSON."""
        return self._read(lambda session: changes.contents(session, kit_id))

    def paces(self, campaign: str, *, now: datetime) -> dict[str, Pace]:
        """How quick each judge is, by the account's opaque id."""
        return self._read(lambda session: progress.paces(session, campaign, now))

    def windows(
        self, campaign: str, *, now: datetime, width: timedelta, most: int
    ) -> dict[tuple[str, Phase], list[int]]:
        """Decisions by task and phase in each of the last `most` spans of time, latest first.

        They are those that count; spans before the first kit was given are left out.
        """
        return self._read(lambda session: progress.windows(session, campaign, now, width, most))

    def open_places(self, campaign: str) -> list[OpenPlaces]:
        """The kits of which more judgments are wanted than judges have them."""
        return self._read(lambda session: progress.open_places(session, campaign))

    def offers(self, campaign: str, judge: str) -> bool:
        """Whether there is a kit in a started phase that the judge has, or has not had yet."""
        return self._read(lambda session: progress.offers(session, campaign, judge))

    def logged(self, campaign: str, action: str) -> list[AuditEntry]:
        """What the audit log says of one kind of action, in order."""
        return self._read(lambda session: campaigns.logged(session, campaign, action))

    def glances(self) -> list[Glance]:
        """How far the evaluation of every campaign is, the oldest first."""
        return self._read(progress.glances)
