"""The coordinators' desk as the store offers it: who they are, and what they prepare."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from jurat.store import campaign_drafts, coordinators, store_settings
from jurat.store.campaign_drafts import Change
from jurat.store.campaigns import Signed
from jurat.store.database import Session
from jurat.store.judging_facade import JudgesPath
from jurat.store.records import (
    AuditEntry,
    Coordinator,
    CoordinatorChange,
    NewCoordinator,
    Preparation,
    Redeclare,
)


class Desk(JudgesPath):
    """Beside what judges do: coordinators of the whole store, and campaigns in preparation."""

    # Coordinators

    def keep_setup(self, setup_hash: str) -> bool:
        """Keep the hash of the token with which the first coordinator begins.

        It takes the place of an earlier one; false where somebody has begun already.
        """

        def work(session: Session) -> bool:
            if coordinators.is_any(session):
                return False
            store_settings.keep(session, coordinators.SETUP, setup_hash)
            return True

        return self._write(work)

    def is_setup(self, setup_hash: str) -> bool:
        """Whether this is the hash of the token with which the first coordinator begins."""
        return self._read(
            lambda session: (
                store_settings.setting(session, coordinators.SETUP) == setup_hash
                and not coordinators.is_any(session)
            )
        )

    def begin(self, new: NewCoordinator, *, setup_hash: str, now: datetime) -> Coordinator:
        """Make the first coordinator, for whoever has the token; it is good for one."""
        signed = Signed(new.name, now)
        return self._write(lambda session: coordinators.begin(session, new, setup_hash, signed))

    def add_coordinator(self, new: NewCoordinator, *, author: str, now: datetime) -> Coordinator:
        """Make a coordinator beside others."""
        return self._write(lambda session: coordinators.add(session, new, Signed(author, now)))

    def coordinators(self) -> tuple[Coordinator, ...]:
        """All coordinators, in the order in which they came."""
        return self._read(coordinators.every)

    def coordinator(self, coordinator: str) -> Coordinator:
        """A coordinator by his opaque id."""
        return self._read(lambda session: coordinators.by_key(session, coordinator))

    def coordinator_by_login(self, login: str) -> Coordinator | None:
        """A coordinator by his name in small letters."""
        return self._read(lambda session: coordinators.one(session, coordinators.BY_LOGIN, login))

    def coordinator_by_token(self, token_hash: str) -> Coordinator | None:
        """A coordinator by the hash of his invitation's token."""
        return self._read(
            lambda session: coordinators.one(session, coordinators.BY_TOKEN, token_hash)
        )

    def change_coordinator(
        self, coordinator: str, change: CoordinatorChange, *, author: str, now: datetime
    ) -> Coordinator:
        """Change a coordinator; hashes are not written into the log."""
        return self._write(
            lambda session: coordinators.change(session, coordinator, change, Signed(author, now))
        )

    def coordinator_failed(
        self, coordinator: str, *, most: int, lock: timedelta, now: datetime
    ) -> Coordinator:
        """Count a wrong password; every `most` of them lock the account for that long."""
        return self._write(
            lambda session: coordinators.login_failed(session, coordinator, most, now + lock)
        )

    def coordinator_succeeded(self, coordinator: str, *, now: datetime) -> Coordinator:
        """Forget the wrong passwords, and note that he was seen."""
        return self._write(lambda session: coordinators.login_succeeded(session, coordinator, now))

    def site_log(self) -> tuple[AuditEntry, ...]:
        """What was done that is of no one campaign, in order."""
        return self._read(store_settings.logged)

    # Campaigns in preparation

    def prepare(
        self,
        declaration: Mapping[str, object],
        *,
        author: str,
        now: datetime,
        files: Mapping[str, bytes] | None = None,
    ) -> Preparation:
        """Keep what is to become a campaign, with its files by name."""
        signed = Signed(author, now)
        return self._write(
            lambda session: campaign_drafts.begin(session, declaration, files or {}, signed)
        )

    def preparations(self) -> tuple[Preparation, ...]:
        """All that are being prepared, the oldest first."""
        return self._read(campaign_drafts.every)

    def preparation(self, preparation: str) -> Preparation:
        """One that is being prepared."""
        return self._read(lambda session: campaign_drafts.one(session, preparation))

    def prepared_file(self, preparation: str, name: str) -> bytes:
        """The content of one of its files."""
        return self._read(lambda session: campaign_drafts.content(session, preparation, name))

    def change_preparation(
        self,
        preparation: str,
        redeclare: Redeclare,
        *,
        now: datetime,
        put: Mapping[str, bytes] | None = None,
        drop: Collection[str] = (),
    ) -> Preparation:
        """Change what is declared, and put and drop files, all at once."""
        change = Change(redeclare, put or {}, drop)
        return self._write(
            lambda session: campaign_drafts.change(session, preparation, change, now)
        )

    def give_up(self, preparation: str, *, author: str, now: datetime) -> None:
        """Forget a campaign that was being prepared, with its files."""
        self._write(lambda session: campaign_drafts.drop(session, preparation, Signed(author, now)))
