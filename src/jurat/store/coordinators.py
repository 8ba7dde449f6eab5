"""Coordinators of the whole store: they see all its campaigns, and make new ones."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import Insert, Select, Update, bindparam, insert, literal_column, select, update

from jurat.errors import quoted
from jurat.store import accounts, store_settings
from jurat.store.campaigns import Signed
from jurat.store.database import Conflict, Row, Session
from jurat.store.encoding import new_key
from jurat.store.errors import CoordinatorExists, NoSuchCoordinator
from jurat.store.records import Coordinator, CoordinatorChange, NewCoordinator
from jurat.store.schema import ONE, ZERO, coordinators

# The setting that holds the hash of the token with which the first coordinator begins.
SETUP = "setup"

_FIELDS = [column.name for column in coordinators.c if column.name != "id"]
_CHANGED = (*CoordinatorChange.__struct_fields__, "seen_at", "failures", "locked_until")

EVERY = select(*(coordinators.c[name] for name in _FIELDS)).order_by(coordinators.c.id)
ANY = select(coordinators.c.id).limit(ONE).offset(ZERO)
BY_KEY = EVERY.where(coordinators.c.key == bindparam("wanted"))
BY_LOGIN = EVERY.where(coordinators.c.login == bindparam("wanted"))
BY_TOKEN = EVERY.where(
    coordinators.c.token_hash == bindparam("wanted"),
    coordinators.c.token_hash != literal_column("''"),
)
HELD = BY_KEY.with_for_update()
ADD: Insert = insert(coordinators).values({name: bindparam(name) for name in _FIELDS}).inline()
CHANGE: Update = (
    update(coordinators)
    .where(coordinators.c.key == bindparam("wanted"))
    .values({name: bindparam(name) for name in _CHANGED})
)


def add(session: Session, new: NewCoordinator, signed: Signed) -> Coordinator:
    """Make a coordinator."""
    made = Coordinator(
        id=new_key(), created=signed.now, **accounts.NEW, **msgspec.structs.asdict(new)
    )
    try:
        session.run(ADD, **accounts.columns(made))
    except Conflict as error:
        message = f"there is a coordinator {quoted(new.name)} already"
        raise CoordinatorExists(message, field="name") from error
    store_settings.log(session, "add coordinator", signed, {"name": new.name})
    return made


def begin(session: Session, new: NewCoordinator, setup_hash: str, signed: Signed) -> Coordinator:
    """Make the first coordinator, for whoever has the token; it is good for one."""
    if is_any(session) or not store_settings.take(session, SETUP, setup_hash):
        raise NoSuchCoordinator("the store has been set up already, or by another link")
    return add(session, new, signed)


def is_any(session: Session) -> bool:
    """Whether somebody has set the store up."""
    return session.one(ANY) is not None


def every(session: Session) -> tuple[Coordinator, ...]:
    """All coordinators, the oldest first."""
    return tuple(map(_coordinator, session.all(EVERY)))


def by_key(
    session: Session, key: str, statement: Select[tuple[object, ...]] = BY_KEY
) -> Coordinator:
    """A coordinator who is there."""
    found = one(session, statement, key)
    if found is None:
        raise NoSuchCoordinator("there is no such coordinator")
    return found


def one(session: Session, statement: Select[tuple[object, ...]], wanted: str) -> Coordinator | None:
    """A coordinator by his login or his token."""
    row = session.one(statement, wanted=wanted)
    return None if row is None else _coordinator(row)


def change(session: Session, key: str, change: CoordinatorChange, signed: Signed) -> Coordinator:
    """Change a coordinator."""
    said = accounts.given(change)
    found = by_key(session, key, HELD)
    changed = _written(session, msgspec.structs.replace(found, **said))
    store_settings.log(
        session, "change coordinator", signed, {"name": found.name, **accounts.told(said)}
    )
    return changed


def login_failed(session: Session, key: str, most: int, until: datetime) -> Coordinator:
    """Count a wrong password."""
    return _written(session, by_key(session, key, HELD).failed(most, until))


def login_succeeded(session: Session, key: str, now: datetime) -> Coordinator:
    """Forget the wrong passwords."""
    return _written(session, by_key(session, key, HELD).succeeded(now))


def _coordinator(row: Row) -> Coordinator:
    return Coordinator(**accounts.fields(dict(zip(_FIELDS, row, strict=True))))


def _written(session: Session, found: Coordinator) -> Coordinator:
    row = accounts.columns(found)
    session.run(CHANGE, wanted=found.id, **{name: row[name] for name in _CHANGED})
    return found
