"""The store's face: one object, safe to use from many threads, for all that is asked of it.

What writes is one transaction, and is on disk when the method returns. Campaigns and tasks go by
their names, judges and assignments by their opaque ids; `now` is in UTC.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from types import TracebackType
from typing import BinaryIO, Self

from jurat.model import Kit, Phase, TestSet
from jurat.store import (
    accounts,
    archive,
    campaign_drafts,
    campaigns,
    config_versions,
    corrections,
    kits,
    read_decisions,
)
from jurat.store.campaigns import Signed
from jurat.store.connect import open_database
from jurat.store.database import Session
from jurat.store.desk import Desk
from jurat.store.records import (
    Account,
    AccountChange,
    Adjudication,
    Answers,
    AuditEntry,
    Campaign,
    NewCampaign,
    NewJudge,
    PhaseState,
    Preparation,
    Progress,
    Restored,
    StoredDecision,
)
from jurat.store.store_settings import secret
from jurat.store.watch import Watch


class Store(Desk, Watch):
    """Campaigns with their kits, accounts and judgments."""

    @classmethod
    def open(cls, url: str, *, create: bool = True) -> Self:
        """The store at a path, `sqlite:///path` or `postgresql://user:password@host/name`.

        What is not there yet is made, unless `create` is false; an older schema is brought up to
        date.
        """
        return cls(open_database(url, create=create))

    def close(self) -> None:
        """Let go of the database; what is under way is finished first."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def secret(self) -> bytes:
        """With which all servers of this store sign what they hand to browsers."""
        return secret(self._database).encode()

    # Campaigns

    def create(
        self,
        new: NewCampaign,
        *,
        author: str,
        now: datetime,
        preparation: Preparation | None = None,
    ) -> None:
        """Store a campaign, whole or not at all; its phases are `ready`.

        Its preparation is gone when it is there; one that was changed since is refused.
        """

        def work(session: Session) -> None:
            if preparation is not None:
                campaign_drafts.finish(session, preparation.id, preparation.edition)
            campaigns.create(session, new, Signed(author, now))

        self._write(work)

    def campaigns(self) -> tuple[Campaign, ...]:
        """All campaigns, the oldest first."""
        return self._read(campaigns.every)

    def campaign(self, name: str) -> Campaign:
        """One campaign as it stands."""
        return self._read(lambda session: campaigns.one(session, name))

    def states(self, campaign: str) -> tuple[tuple[str, Phase, PhaseState], ...]:
        """Every phase by its task and name, in order, and whether it is open; cheap."""
        return self._read(lambda session: campaigns.states(session, campaign))

    def edition(self, campaign: str) -> int:
        """The number of what is declared now; cheap, to see whether it has changed."""
        return self._read(lambda session: config_versions.edition(session, campaign))

    def redeclare(
        self,
        campaign: str,
        declaration: object,
        *,
        title: str,
        after: int,
        author: str,
        now: datetime,
        details: object,
    ) -> int:
        """Declare a campaign anew, after the edition of that number; the new one's number.

        What was declared before stays. `details` tell the audit log what became different.
        """
        declared = (after, title, declaration)
        return self._write(
            lambda session: config_versions.redeclare(
                session, campaign, declared, Signed(author, now), details
            )
        )

    def test_set(self, campaign: str) -> TestSet:
        """What is judged."""
        return self._read(lambda session: campaigns.test_set(session, campaign))

    def tutorial(self, campaign: str) -> TestSet | None:
        """What is judged in the tutorials, where there are any."""
        return self._read(lambda session: campaigns.tutorial(session, campaign))

    def kits(
        self, campaign: str, *, task: str | None = None, phase: Phase | None = None
    ) -> Iterator[Kit]:
        """The kits, or those of a task or phase, as they were stored; in their order.

        Like decisions they are read little by little from one snapshot.
        """
        return self._database.stream(
            lambda session: kits.every(session, campaigns.find(session, campaign), task, phase)
        )

    def set_phase(
        self,
        campaign: str,
        task: str,
        phase: Phase,
        state: PhaseState,
        *,
        author: str,
        now: datetime,
        reason: str = "",
    ) -> None:
        """Start, stop or close a phase."""
        self._write(
            lambda session: campaigns.set_phase(
                session, campaign, (task, phase), state, Signed(author, now, reason)
            )
        )

    def log(
        self, campaign: str, action: str, *, author: str, now: datetime, details: object = None
    ) -> None:
        """Note what was done; the store's own changes are noted by themselves."""
        self._write(
            lambda session: campaigns.log(session, campaign, action, Signed(author, now), details)
        )

    def audit_log(self, campaign: str) -> tuple[AuditEntry, ...]:
        """What was done to a campaign, in order."""
        return self._read(lambda session: campaigns.audit_log(session, campaign))

    # Accounts

    def add_judges(
        self,
        campaign: str,
        new: Sequence[NewJudge],
        *,
        author: str,
        now: datetime,
        once: str = "",
    ) -> tuple[Account, ...]:
        """Make accounts, all of them or none; for the same word `once`, a secret one, only once."""
        signed = Signed(author, now)
        return self._write(lambda session: accounts.add(session, campaign, new, signed, once))

    def judges(self, campaign: str) -> tuple[Account, ...]:
        """All accounts of a campaign, in the order in which they were made."""
        return self._read(lambda session: accounts.every(session, campaign))

    def judge(self, campaign: str, judge: str) -> Account:
        """An account by its opaque id."""
        return self._read(lambda session: accounts.by_id(session, campaign, judge))

    def judge_by_pin(self, campaign: str, pin: str) -> Account | None:
        """An account by its PIN."""
        return self._read(lambda session: accounts.by_pin(session, campaign, pin))

    def judge_by_token(self, campaign: str, token_hash: str) -> Account | None:
        """An account by the hash of its personal link's token."""
        return self._read(lambda session: accounts.by_token(session, campaign, token_hash))

    def judge_number(self, campaign: str, judge: str) -> int:
        """The how-manieth account of the campaign it is, from 1: the same in every store."""
        return self._read(lambda session: accounts.number(session, campaign, judge))

    def change_judge(
        self, campaign: str, judge: str, change: AccountChange, *, author: str, now: datetime
    ) -> Account:
        """Change an account; hashes are not written into the audit log."""
        return self._write(
            lambda session: accounts.change(session, campaign, judge, change, Signed(author, now))
        )

    def login_failed(
        self, campaign: str, judge: str, *, most: int, lock: timedelta, now: datetime
    ) -> Account:
        """Count a wrong password; every `most` of them lock the account for that long."""
        return self._write(
            lambda session: accounts.login_failed(session, campaign, judge, most, now + lock)
        )

    def login_succeeded(self, campaign: str, judge: str, *, now: datetime) -> Account:
        """Forget the wrong passwords, and note that the judge was seen."""
        return self._write(lambda session: accounts.login_succeeded(session, campaign, judge, now))

    # Mending

    def give_back(
        self,
        campaign: str,
        judge: str,
        *,
        author: str,
        reason: str,
        now: datetime,
        task: str | None = None,
        phase: Phase | None = None,
        finished: bool = True,
    ) -> int:
        """Return a judge's kits to the others; what he decided in them stays, as excluded.

        With `finished` also those he has done. The number of kits returned.
        """
        which = corrections.Which(campaign, judge, task, phase, finished)
        return self._write(
            lambda session: corrections.give_back(session, which, Signed(author, now, reason))
        )

    def redo(
        self,
        campaign: str,
        judge: str,
        *,
        author: str,
        reason: str,
        now: datetime,
        task: str | None = None,
        phase: Phase | None = None,
        finished: bool = True,
    ) -> int:
        """Have a judge do the kits that he has begun or done again, from their beginnings.

        What he decided stays, as excluded. The number of kits.
        """
        which = corrections.Which(campaign, judge, task, phase, finished)
        return self._write(
            lambda session: corrections.redo(session, which, Signed(author, now, reason))
        )

    def adjudicate(
        self,
        campaign: str,
        task: str,
        phase: Phase,
        kit: int,
        index: int,
        *,
        answers: Answers,
        author: str,
        reason: str = "",
        now: datetime,
    ) -> int:
        """Settle an item of a kit; the judges' decisions stay as they are. Its number."""
        return self._write(
            lambda session: corrections.adjudicate(
                session, campaign, (task, phase, kit, index), answers, Signed(author, now, reason)
            )
        )

    # Reading

    def progress(self, campaign: str) -> Progress:
        """How far each phase and each judge is."""
        return self._read(lambda session: read_decisions.progress(session, campaign))

    def decisions(self, campaign: str, *, after: int = 0) -> Iterator[StoredDecision]:
        """All decisions, in the order of storing, after the one of that number.

        They are read little by little from one snapshot: memory stays bounded, and no decision
        that is made or changed meanwhile is seen by halves.
        """
        return self._database.stream(
            lambda session: read_decisions.decisions(session, campaign, after)
        )

    def adjudications(self, campaign: str) -> tuple[Adjudication, ...]:
        """What was settled, in order; the last word on an item counts."""
        return self._read(lambda session: read_decisions.adjudications(session, campaign))

    def stamp(self, campaign: str) -> str:
        """A word that changes whenever the campaign's judgments do: for caches."""
        return self._read(lambda session: read_decisions.stamp(session, campaign))

    # Keeping

    def backup(self, file: BinaryIO, *, now: datetime) -> None:
        """Write the whole store to a file, as it is at this moment; judging goes on."""
        self._read(lambda session: archive.save(session, file, None, now))

    def archive(self, campaign: str, file: BinaryIO, *, now: datetime) -> None:
        """Write one campaign with its accounts and judgments to a file, for another store."""
        self._read(lambda session: archive.save(session, file, campaign, now))

    def restore(self, file: BinaryIO) -> Restored:
        """Take in a backup, if the store is empty, or an archive, if the name is free.

        The whole file is checked first, and nothing is kept unless all of it is good.
        """
        content = archive.Archive.check(file)
        return self._write(lambda session: archive.load(session, content))
