"""Coordinators of the whole store: they see all its campaigns, and make new ones."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec
from sqlalchemy import Select, Update, bindparam, literal_column, select, update

from jurat.errors import quoted
from jurat.store import accounts, store_settings
from jurat.store.account_records import Coordinator, CoordinatorChange, NewCoordinator
from jurat.store.database import Conflict, Row, Session
from jurat.store.encoding import new_key
from jurat.store.errors import CoordinatorExists, NoSuchCoordinator
from jurat.store.schema import ONE, ZERO, coordinators, insert_into

# The setting with the hash of the setup token, which lets in the first coordinator.
SETUP = "setup"

_FIELDS = [column.name for column in coordinators.c if column.name != "id"]
_CHANGED = (*CoordinatorChange.__struct_fields__, "seen_at", "failures", "locked_until")

EVERY = select(*(coordinators.c[name] for name in _FIELDS)).order_by(coordinators.c.id)
ANY = select(coordinators.c.id).limit(ONE).offset(ZERO)
BY_KEY = EVERY.where(coordinators.c.key == bindparam("wanted"))
BY_LOGIN = EVERY.where(coordinators.c.login == bindparam("wanted"))
# Without a token the column is empty, and an empty hash must find nobody. The condition is also
# that of the partial index.
BY_TOKEN = EVERY.where(
    coordinators.c.token_hash == bindparam("wanted"),
    coordinators.c.token_hash != literal_column("''"),
)
# Locked until the transaction ends: what is written depends on what was read.
LOCKED = BY_KEY.with_for_update()
ADD = insert_into(coordinators)
CHANGE: Update = (
    update(coordinators)
    .where(coordinators.c.key == bindparam("wanted"))
    .values({name: bindparam(name) for name in _CHANGED})
)


def keep_setup(session: Session, setup_hash: str) -> bool:
    """Keep the hash of a new setup token, in place of an older one.

    False, and nothing is kept, if there is a coordinator already.
    """
    if is_any(session):
        return False
    store_settings.keep(session, SETUP, setup_hash)
    return True


def is_setup(session: Session, setup_hash: str) -> bool:
    """Whether this is the hash of the setup token, and nobody has used it yet."""
    return store_settings.setting(session, SETUP) == setup_hash and not is_any(session)


def add_first(
    session: Session, new: NewCoordinator, *, setup_hash: str, now: datetime
) -> Coordinator:
    """Make the first coordinator, who has the setup token; it is good for one.

    Raises `NoSuchCoordinator` if the token is another or was used before.
    """
    # `take` deletes the token, so of two requests at the same time only one gets past it.
    if is_any(session) or not store_settings.take(session, SETUP, setup_hash):
        raise NoSuchCoordinator(
            "this setup link is not valid, or the store has been set up already"
        )
    return add(session, new, author=new.name, now=now)


def add(session: Session, new: NewCoordinator, *, author: str, now: datetime) -> Coordinator:
    """Make a coordinator. Raises `CoordinatorExists` if another has the name."""
    made = Coordinator(id=new_key(), created=now, **accounts.NEW, **msgspec.structs.asdict(new))
    try:
        session.run(ADD, **accounts.columns(made))
    except Conflict as error:
        message = f"there is a coordinator {quoted(new.name)} already"
        raise CoordinatorExists(message, field="name") from error
    details = {"name": new.name}
    store_settings.log(session, "add coordinator", author=author, now=now, details=details)
    return made


def is_any(session: Session) -> bool:
    """Whether the store has a coordinator."""
    return session.one(ANY) is not None


def every(session: Session) -> tuple[Coordinator, ...]:
    """All coordinators, in the order in which they were made."""
    return tuple(map(_coordinator, session.all(EVERY)))


def by_id(session: Session, coordinator: str) -> Coordinator:
    """A coordinator by their opaque id. Raises `NoSuchCoordinator`."""
    return _found(session, coordinator, BY_KEY)


def by_login(session: Session, login: str) -> Coordinator | None:
    """A coordinator by their name in lower case, if there is one."""
    row = session.one(BY_LOGIN, wanted=login)
    return None if row is None else _coordinator(row)


def by_token(session: Session, token_hash: str) -> Coordinator | None:
    """A coordinator by the hash of their invitation's token, if there is one."""
    row = session.one(BY_TOKEN, wanted=token_hash)
    return None if row is None else _coordinator(row)


def change(
    session: Session, coordinator: str, change: CoordinatorChange, *, author: str, now: datetime
) -> Coordinator:
    """Change a coordinator, and give them as they are then. Raises `NoSuchCoordinator`."""
    values = accounts.changed_fields(change)
    found = _found(session, coordinator, LOCKED)
    details = {"name": found.name, **accounts.log_details(values)}
    store_settings.log(session, "change coordinator", author=author, now=now, details=details)
    return _write(session, msgspec.structs.replace(found, **values))


def login_attempted(
    session: Session, coordinator: str, *, most: int, lock: timedelta, now: datetime
) -> bool:
    """Count an attempt before its password is checked; false where the account is locked.

    Every `most` attempts in a row lock it for the time `lock`, whether they come one after the
    other or all at once.
    """
    found = _found(session, coordinator, LOCKED)
    if found.is_locked(lock, now):
        return False
    _write(session, found.attempted(most, now + lock))
    return True


def login_succeeded(session: Session, coordinator: str, *, now: datetime) -> Coordinator:
    """Reset the count of attempts, and note when the coordinator was seen."""
    return _write(session, _found(session, coordinator, LOCKED).succeeded(now))


def end_session(session: Session, coordinator: str, ended: str) -> Coordinator:
    """End the session with this id, for whoever has its cookie."""
    return _write(session, _found(session, coordinator, LOCKED).without_session(ended))


def _found(session: Session, key: str, statement: Select[tuple[object, ...]]) -> Coordinator:
    row = session.one(statement, wanted=key)
    if row is None:
        raise NoSuchCoordinator("there is no such coordinator")
    return _coordinator(row)


def _coordinator(row: Row) -> Coordinator:
    return Coordinator(**accounts.fields(dict(zip(_FIELDS, row, strict=True))))


def _write(session: Session, coordinator: Coordinator) -> Coordinator:
    row = accounts.columns(coordinator)
    session.run(CHANGE, wanted=coordinator.id, **{name: row[name] for name in _CHANGED})
    return coordinator
