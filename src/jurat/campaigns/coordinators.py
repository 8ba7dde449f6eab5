"""Coordinators of the whole store: the first sets it up, the others are added by one of them."""

from __future__ import annotations

import unicodedata

import msgspec

from jurat.campaigns import secrets
from jurat.campaigns.auth import FAILURES, LOCK, Closed, Refused, old_password_wrong, proven
from jurat.campaigns.context import Clock
from jurat.errors import input_error, unknown_name
from jurat.store import (
    Coordinator,
    CoordinatorChange,
    NewCoordinator,
    NoSuchCoordinator,
    Store,
)

# Characters of a name.
LONGEST = 100


class Pass(msgspec.Struct, frozen=True, kw_only=True):
    """What is handed to a coordinator, once: secrets are kept as hashes only."""

    name: str
    password: str
    token: str
    """Of a link on which he chooses a password of his own; it is good for one time."""


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    """What a link is good for."""

    name: str = ""
    """Whose it is; nobody's where the first coordinator is to say who he is."""


class Coordinators:
    """Those who see all campaigns of a store, and make new ones."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def set_up(self) -> str | None:
        """The token of a link for the first coordinator; None where there is one already.

        An earlier link for this is worth nothing any more.
        """
        token = secrets.new_token()
        return token if self._store.keep_setup(secrets.hash_token(token)) else None

    def invited(self, token: str) -> Invitation:
        """What a link is good for, or that it is good for nothing."""
        hashed = secrets.hash_token(token)
        if self._store.is_setup(hashed):
            return Invitation()
        return Invitation(name=self._invited(hashed).name)

    def begin(self, token: str, password: str, *, name: str = "") -> Coordinator:
        """Let in who follows a link, with a password of his own; the first says who he is."""
        hashed, now = secrets.hash_token(token), self._clock()
        if not self._store.is_setup(hashed):
            found = self._invited(hashed)
            own = CoordinatorChange(password_hash=secrets.hash_password(password), token_hash="")
            self._store.change_coordinator(found.id, own, author=found.name, now=now)
            return self._store.coordinator_succeeded(found.id, now=now)
        made = self._store.begin(_new(name, password), setup_hash=hashed, now=now)
        return self._store.coordinator_succeeded(made.id, now=now)

    def add(self, name: str, *, author: str) -> Pass:
        """One more coordinator; what he gets is the only copy of his secrets."""
        handed = Pass(name=_tidy(name), password=secrets.new_password(), token=secrets.new_token())
        new = _new(handed.name, handed.password, secrets.hash_token(handed.token))
        self._store.add_coordinator(new, author=author, now=self._clock())
        return handed

    def log_in(self, name: str, password: str) -> Coordinator:
        """The coordinator, if name and password are right; repeated failures lock for a while."""
        found = proven(
            self._found(name),
            password,
            now=self._clock(),
            failed=self._note_failure,
            wrong=input_error("this name and this password do not belong together"),
        )
        if found.disabled:
            raise Closed
        return self._store.coordinator_succeeded(found.id, now=self._clock())

    def change_password(self, coordinator: str, old: str, new: str) -> Coordinator:
        """His own change; the old password must be right, and is tried no more often."""
        found = proven(
            self._store.coordinator(coordinator),
            old,
            now=self._clock(),
            failed=self._note_failure,
            wrong=old_password_wrong(),
        )
        change = CoordinatorChange(password_hash=secrets.hash_password(new))
        return self._change(found, change, author=found.name)

    def reset(self, name: str, *, author: str) -> Pass:
        """A new password and a new link; the old ones no longer work."""
        found = self.by_name(name)
        handed = Pass(name=found.name, password=secrets.new_password(), token=secrets.new_token())
        change = CoordinatorChange(
            password_hash=secrets.hash_password(handed.password),
            token_hash=secrets.hash_token(handed.token),
        )
        self._change(found, change, author)
        return handed

    def disable(self, name: str, *, author: str, disabled: bool = True) -> None:
        """Keep a coordinator out, or let him in again; what he did stays. Never the last one."""
        found = self.by_name(name)
        others = [one for one in self.every() if not one.disabled and one.id != found.id]
        if disabled and not others:
            message = f"'{found.name}' is the only coordinator who can come in"
            raise input_error(message, value=name, code="last-coordinator")
        self._change(found, CoordinatorChange(disabled=disabled), author)

    def every(self) -> tuple[Coordinator, ...]:
        """All of them, in the order in which they came."""
        return self._store.coordinators()

    def by_id(self, coordinator: str) -> Coordinator | None:
        """The coordinator with an identifier, as sessions hold it; None where there is none."""
        try:
            return self._store.coordinator(coordinator) if coordinator else None
        except NoSuchCoordinator:
            return None

    def by_name(self, name: str) -> Coordinator:
        """A coordinator by his name, or a fault that suggests one."""
        found = self._found(name)
        if found is None:
            raise unknown_name("coordinator", name, [one.name for one in self.every()])
        return found

    def _found(self, name: str) -> Coordinator | None:
        """By a name as people type it; not every sign can be asked of a database."""
        return self._store.coordinator_by_login(_login(name)) if name.isprintable() else None

    def _invited(self, token_hash: str) -> Coordinator:
        found = self._store.coordinator_by_token(token_hash)
        if found is None:
            raise Refused(input_error("this link is not valid, or no longer").problems)
        if found.disabled:
            raise Closed
        return found

    def _note_failure(self, found: Coordinator) -> None:
        now = self._clock()
        self._store.coordinator_failed(found.id, most=FAILURES, lock=LOCK, now=now)

    def _change(self, found: Coordinator, change: CoordinatorChange, author: str) -> Coordinator:
        return self._store.change_coordinator(found.id, change, author=author, now=self._clock())


def _new(name: str, password: str, token_hash: str = "") -> NewCoordinator:
    tidy = _tidy(name)
    return NewCoordinator(
        name=tidy,
        login=_login(tidy),
        password_hash=secrets.hash_password(password),
        token_hash=token_hash,
    )


def _tidy(name: str) -> str:
    """A name that people can read and type; others are refused."""
    tidy = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(tidy) <= LONGEST or not tidy.isprintable():
        raise input_error(f"a name has 1 to {LONGEST} letters", field="name", value=name)
    return tidy


def _login(name: str) -> str:
    """By what a coordinator is found: letters small, however they were typed."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
