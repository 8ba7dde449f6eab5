"""Records of accounts and coordinators: as they are made, as they are, and what changes of them."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal, NamedTuple, Self

import msgspec

from jurat.model import Judge, Tags

Role = Literal["coordinator", "adjudicator", "judge", "guest"]
# Sessions that an account remembers as ended.
MOST_ENDED = 20


class EndedSessions(NamedTuple):
    """A password's hash with what is stored behind it: sessions that were ended before their time.

    As text: `HASH GENERATION:ID,ID`, or the hash alone. Hashes contain no space.
    """

    password_hash: str
    generation: str
    """Random text; sessions of another generation are ended."""
    ids: tuple[str, ...]

    @classmethod
    @lru_cache(4096)  # asked with every request
    def of(cls, stored: str) -> EndedSessions:
        """The parts of a stored hash."""
        password_hash, _, rest = stored.partition(" ")
        generation, _, ids = rest.partition(":")
        return cls(password_hash, generation, tuple(filter(None, ids.split(","))))

    def __str__(self) -> str:
        return f"{self.password_hash} {self.generation}:{','.join(self.ids)}"


# Passwords and tokens reach the store as hashes only, so that whoever reads it cannot log in.
class NewJudge(msgspec.Struct, frozen=True, kw_only=True):
    """An account to be made; secrets come as hashes only."""

    pin: str
    role: Role = "judge"
    password_hash: str = ""
    token_hash: str = ""
    group: str = ""
    site: str = ""
    tags: Tags = {}
    pending: bool = False
    address: str = ""
    note: str = ""


class Login(msgspec.Struct, frozen=True, kw_only=True):
    """What accounts and coordinators have in common; `id` is opaque and may reach a browser."""

    id: str
    password_hash: str
    token_hash: str
    disabled: bool
    created: datetime
    seen_at: datetime | None
    failures: int
    """Attempts to log in since the last that succeeded."""
    locked_until: datetime | None

    def is_locked(self, lock: timedelta, now: datetime) -> bool:
        """Whether there were too many attempts, where each lock lasts for the time `lock`."""
        # A lock that would last longer was set before the clock was put back.
        return self.locked_until is not None and now < self.locked_until <= now + lock

    def attempted(self, most: int, until: datetime) -> Self:
        """The same after an attempt to log in; every `most` of them lock the account until then."""
        failures = self.failures + 1
        locked = until if failures % most == 0 else None
        return msgspec.structs.replace(self, failures=failures, locked_until=locked)

    def without_session(self, ended: str) -> Self:
        """The same after the session with this id was ended."""
        sessions = EndedSessions.of(self.password_hash)
        ids = (*sessions.ids, ended)
        if len(ids) > MOST_ENDED:
            # There is no room for more: all sessions end, and the list begins anew.
            sessions = sessions._replace(generation=secrets.token_urlsafe(6), ids=())
        else:
            sessions = sessions._replace(ids=ids)
        return msgspec.structs.replace(self, password_hash=str(sessions))

    def succeeded(self, now: datetime) -> Self:
        """The same after the right password: wrong ones no longer count."""
        return msgspec.structs.replace(self, failures=0, locked_until=None, seen_at=now)


class Account(Login, frozen=True, kw_only=True):
    """An account of a campaign as it is now."""

    pin: str
    role: Role
    group: str
    site: str
    tags: Tags
    pending: bool
    """Whether this is a volunteer whom no coordinator has accepted yet."""
    address: str = ""
    """E-mail for reminders, and for nothing else; empty if the coordinator gave none."""
    note: str = ""
    """A name, or whatever tells the coordinator whose account it is; in no table of judgments."""

    @property
    def active(self) -> bool:
        """Whether it may be used: neither disabled nor waiting for approval."""
        return not (self.disabled or self.pending)

    @property
    def judge(self) -> Judge:
        """What the choice of kits depends on."""
        return Judge(id=self.id, group=self.group, site=self.site, tags=self.tags)


class AccountChange(msgspec.Struct, frozen=True, kw_only=True):
    """New values for fields of an account; those left out stay."""

    password_hash: str | msgspec.UnsetType = msgspec.UNSET
    token_hash: str | msgspec.UnsetType = msgspec.UNSET
    role: Role | msgspec.UnsetType = msgspec.UNSET
    group: str | msgspec.UnsetType = msgspec.UNSET
    site: str | msgspec.UnsetType = msgspec.UNSET
    tags: Tags | msgspec.UnsetType = msgspec.UNSET
    disabled: bool | msgspec.UnsetType = msgspec.UNSET
    pending: bool | msgspec.UnsetType = msgspec.UNSET
    address: str | msgspec.UnsetType = msgspec.UNSET
    note: str | msgspec.UnsetType = msgspec.UNSET


class NewCoordinator(msgspec.Struct, frozen=True, kw_only=True):
    """A coordinator of the whole store; secrets come as hashes only."""

    name: str
    login: str
    """The name in lower case, by which they log in."""
    password_hash: str = ""
    token_hash: str = ""


class Coordinator(Login, frozen=True, kw_only=True):
    """A coordinator of the whole store as they are now."""

    name: str
    login: str


class CoordinatorChange(msgspec.Struct, frozen=True, kw_only=True):
    """New values for fields of a coordinator; those left out stay."""

    password_hash: str | msgspec.UnsetType = msgspec.UNSET
    token_hash: str | msgspec.UnsetType = msgspec.UNSET
    disabled: bool | msgspec.UnsetType = msgspec.UNSET
