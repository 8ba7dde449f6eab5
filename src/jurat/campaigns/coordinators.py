"""Coordinators of the whole store: the first sets it up, each of them can add others."""

from __future__ import annotations

import unicodedata

import msgspec

from jurat.campaigns import auth
from jurat.campaigns.auth import FAILURES, LOCK, Closed, Refused, verify_login
from jurat.campaigns.service_context import ServiceContext
from jurat.errors import input_error, unknown_name
from jurat.store import (
    Coordinator,
    CoordinatorChange,
    NewCoordinator,
    NoSuchCoordinator,
)

# Characters of a name, at most.
LONGEST = 100


class Pass(msgspec.Struct, frozen=True, kw_only=True):
    """The credentials of a coordinator, shown once: only hashes of them are stored."""

    name: str
    password: str
    token: str
    """The secret of a link with which they choose their own password, once."""


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    """A link that is valid."""

    name: str = ""
    """Whom it invites; empty where the first coordinator is to enter a name."""


class Coordinators:
    """The people who see all campaigns of a store, and create new ones."""

    def __init__(self, context: ServiceContext) -> None:
        self._store = context.store
        self._now = context.now

    def set_up(self) -> str | None:
        """The token of a link for the first coordinator; None where there is a coordinator.

        An earlier link of this kind is no longer valid.
        """
        token = auth.new_token()
        return token if self._store.keep_setup(auth.hash_token(token)) else None

    def invitation(self, token: str) -> Invitation:
        """The invitation of a link; raises `Refused` where it is not valid."""
        hashed = auth.hash_token(token)
        if self._store.is_setup(hashed):
            return Invitation()
        return Invitation(name=self._invited(hashed).name)

    def accept_invitation(self, token: str, password: str, *, name: str = "") -> Coordinator:
        """Set the password of an invited coordinator; the first one also enters a `name`."""
        hashed, now = auth.hash_token(token), self._now()
        if not self._store.is_setup(hashed):
            found = self._invited(hashed)
            own = CoordinatorChange(password_hash=auth.hash_password(password), token_hash="")
            self._store.change_coordinator(found.id, own, author=found.name, now=now)
            return self._store.coordinator_succeeded(found.id, now=now)
        made = self._store.add_first_coordinator(_new(name, password), setup_hash=hashed, now=now)
        return self._store.coordinator_succeeded(made.id, now=now)

    def add(self, name: str, *, author: str) -> Pass:
        """Add a coordinator; what is returned is the only copy of the credentials."""
        handed = Pass(name=_tidy(name), password=auth.new_password(), token=auth.new_token())
        new = _new(handed.name, handed.password, auth.hash_token(handed.token))
        self._store.add_coordinator(new, author=author, now=self._now())
        return handed

    def log_in(self, name: str, password: str, *, known: str = "") -> Coordinator:
        """The coordinator, if name and password are right; raises `Refused`.

        `known` is the id of the coordinator who logged in from this browser before, if any: to
        them the lock does not apply, which strangers can bring about for any name.
        """
        found = self._found(name)
        is_known = found is not None and found.id == known
        found = verify_login(
            found,
            password,
            now=self._now(),
            # counted also from a known browser, which may be in other hands now
            attempt=lambda one: self._count_attempt(one) or is_known,
            wrong=input_error("name or password is wrong"),
        )
        if found.disabled:
            raise Closed
        return self._store.coordinator_succeeded(found.id, now=self._now())

    def log_out(self, coordinator: str, session: str) -> None:
        """End the session with this id, also for somebody who has copied its cookie."""
        self._store.end_coordinator_session(coordinator, session)

    def change_password(self, coordinator: str, old: str, new: str) -> Coordinator:
        """Change one's own password; raises `Refused`, and counts, where the old one is wrong."""
        found = verify_login(
            self._store.coordinator(coordinator),
            old,
            now=self._now(),
            attempt=self._count_attempt,
            wrong=auth.wrong_old_password(),
        )
        change = CoordinatorChange(password_hash=auth.hash_password(new), token_hash="")
        return self._change(found, change, author=found.name)

    def reset(self, name: str, *, author: str) -> Pass:
        """Give a coordinator a new password and a new link; the old ones no longer work."""
        found = self.by_name(name)
        handed = Pass(name=found.name, password=auth.new_password(), token=auth.new_token())
        change = CoordinatorChange(
            password_hash=auth.hash_password(handed.password),
            token_hash=auth.hash_token(handed.token),
        )
        self._change(found, change, author)
        return handed

    def disable(self, name: str, *, author: str, disabled: bool = True) -> None:
        """Close a coordinator's account, or open it again; never that of the last one."""
        found = self.by_name(name)
        others = [one for one in self.all() if not one.disabled and one.id != found.id]
        # Nobody could let them in again.
        if disabled and not others:
            message = f"'{found.name}' is the only coordinator with access"
            raise input_error(message, value=name, code="last-coordinator")
        self._change(found, CoordinatorChange(disabled=disabled), author)

    def all(self) -> tuple[Coordinator, ...]:
        """All coordinators, the oldest first."""
        return self._store.coordinators()

    def by_id(self, coordinator: str) -> Coordinator | None:
        """The coordinator with an identifier, as sessions hold it; None where there is none."""
        try:
            return self._store.coordinator(coordinator) if coordinator else None
        except NoSuchCoordinator:
            return None

    def by_name(self, name: str) -> Coordinator:
        """The coordinator with a name; raises `InputError` that suggests a similar one."""
        found = self._found(name)
        if found is None:
            raise unknown_name("coordinator", name, [one.name for one in self.all()])
        return found

    def _found(self, name: str) -> Coordinator | None:
        # PostgreSQL refuses text with a NUL; no name has unprintable characters
        return self._store.coordinator_by_login(_login(name)) if name.isprintable() else None

    def _invited(self, token_hash: str) -> Coordinator:
        found = self._store.coordinator_by_token(token_hash)
        if found is None:
            raise Refused(input_error("this link is not valid, or no longer valid").problems)
        if found.disabled:
            raise Closed
        return found

    def _count_attempt(self, found: Coordinator) -> bool:
        now = self._now()
        return self._store.coordinator_attempted(found.id, most=FAILURES, lock=LOCK, now=now)

    def _change(self, found: Coordinator, change: CoordinatorChange, author: str) -> Coordinator:
        return self._store.change_coordinator(found.id, change, author=author, now=self._now())


def _new(name: str, password: str, token_hash: str = "") -> NewCoordinator:
    tidy = _tidy(name)
    return NewCoordinator(
        name=tidy,
        login=_login(tidy),
        password_hash=auth.hash_password(password),
        token_hash=token_hash,
    )


def _tidy(name: str) -> str:
    """A name without surplus spaces; raises `InputError` where it is empty or unprintable."""
    tidy = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(tidy) <= LONGEST or not tidy.isprintable():
        raise input_error(f"a name has 1 to {LONGEST} characters", field="name", value=name)
    return tidy


def _login(name: str) -> str:
    """The form of a name by which coordinators are looked up: case does not matter."""
    # NFKC and casefold: "Ａda", "ADA" and "ada" are one login.
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
