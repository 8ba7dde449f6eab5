"""Tokens with which coordinators' scripts use the HTTP API; only hashes of them are stored."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import bindparam, select, update

from jurat.store import store_settings
from jurat.store.database import Row, Session
from jurat.store.encoding import from_json, from_time, new_key, to_json, to_time
from jurat.store.errors import NoSuchCoordinator, NoSuchToken
from jurat.store.schema import api_tokens, columns, coordinators, insert_into


class ApiToken(msgspec.Struct, frozen=True, kw_only=True):
    """A token as it is stored; the secret itself is not."""

    id: str
    coordinator: str
    """The name of the coordinator in whose name scripts act."""
    coordinator_disabled: bool
    name: str
    """What it is for, as its owner wrote it."""
    scopes: tuple[str, ...]
    created: datetime
    expires: datetime
    revoked: datetime | None = None
    used: datetime | None = None
    """When it was last used, to the hour."""


_TOKENS = (
    select(*columns(api_tokens, "key", "name", "scopes", "created", "expires", "revoked", "used"))
    .add_columns(coordinators.c.name, coordinators.c.disabled)
    .join(coordinators, coordinators.c.id == api_tokens.c.coordinator_id)
    .order_by(api_tokens.c.id)
)
EVERY = _TOKENS
BY_HASH = _TOKENS.where(api_tokens.c.token_hash == bindparam("token_hash"))
BY_KEY = _TOKENS.where(api_tokens.c.key == bindparam("wanted"))
OWNER = select(coordinators.c.id).where(coordinators.c.key == bindparam("wanted"))
ADD = insert_into(api_tokens)
REVOKE = (
    update(api_tokens)
    .where(api_tokens.c.key == bindparam("wanted"), api_tokens.c.revoked.is_(None))
    .values(revoked=bindparam("now"))
)
USE = (
    update(api_tokens).where(api_tokens.c.key == bindparam("wanted")).values(used=bindparam("now"))
)


def add(
    session: Session,
    coordinator: str,
    *,
    name: str,
    scopes: tuple[str, ...],
    token_hash: str,
    expires: datetime,
    author: str,
    now: datetime,
) -> ApiToken:
    """Store a token of a coordinator, by the account's id. Raises `NoSuchCoordinator`."""
    owner = session.one(OWNER, wanted=coordinator)
    if owner is None:
        raise NoSuchCoordinator("there is no such coordinator")
    key = new_key()
    session.run(
        ADD,
        key=key,
        coordinator_id=owner[0],
        name=name,
        token_hash=token_hash,
        scopes=to_json(scopes),
        created=to_time(now),
        expires=to_time(expires),
        revoked=None,
        used=None,
    )
    made = _found(session, key)
    details = {
        "token": key,
        "name": name,
        "coordinator": made.coordinator,
        "scopes": scopes,
        "expires": expires,
    }
    store_settings.log(session, "add token", author=author, now=now, details=details)
    return made


def every(session: Session) -> tuple[ApiToken, ...]:
    """All tokens, in the order in which they were made, also those that no longer work."""
    return tuple(map(_token, session.all(EVERY)))


def by_hash(session: Session, token_hash: str) -> ApiToken | None:
    """The token with this hash, if there is one."""
    row = session.one(BY_HASH, token_hash=token_hash)
    return None if row is None else _token(row)


def revoke(session: Session, token: str, *, author: str, now: datetime) -> ApiToken:
    """End a token, by its id; one that was revoked stays so. Raises `NoSuchToken`."""
    found = _found(session, token)
    if session.run(REVOKE, wanted=token, now=to_time(now)):
        details = {"token": token, "name": found.name, "coordinator": found.coordinator}
        store_settings.log(session, "revoke token", author=author, now=now, details=details)
    return _found(session, token)


def note_use(session: Session, token: str, *, now: datetime) -> None:
    """Store when a token was used last."""
    session.run(USE, wanted=token, now=to_time(now))


def _found(session: Session, key: str) -> ApiToken:
    row = session.one(BY_KEY, wanted=key)
    if row is None:
        raise NoSuchToken("there is no such token")
    return _token(row)


def _token(row: Row) -> ApiToken:
    key, name, scopes, created, expires, revoked, used, coordinator, disabled = row
    return ApiToken(
        id=key,
        coordinator=coordinator,
        coordinator_disabled=bool(disabled),
        name=name,
        scopes=tuple(from_json(scopes)),
        created=from_time(created),
        expires=from_time(expires),
        revoked=from_time(revoked),
        used=from_time(used),
    )
