"""What belongs to the store as a whole: its log, and what it keeps about itself.

The secret with which all servers of a store sign cookies; it is in no archive and no backup.
"""

from __future__ import annotations

import secrets

from sqlalchemy import bindparam, delete, insert, select

from jurat.store.campaigns import Signed
from jurat.store.database import Conflict, Database, Session
from jurat.store.encoding import from_json, from_time, to_json, to_time
from jurat.store.records import AuditEntry
from jurat.store.schema import settings, site_log

LOG = (
    insert(site_log)
    .values({column.name: bindparam(column.name) for column in site_log.c if column.name != "id"})
    .inline()
)
LOGGED = select(site_log.c.at, site_log.c.author, site_log.c.action, site_log.c.details).order_by(
    site_log.c.id
)
FIND = select(settings.c.value).where(settings.c.name == bindparam("wanted"))
KEEP = insert(settings).values(name=bindparam("name"), value=bindparam("value"))
FORGET = delete(settings).where(settings.c.name == bindparam("wanted"))
TAKE = FORGET.where(settings.c.value == bindparam("held"))


def log(session: Session, action: str, signed: Signed, details: object) -> None:
    """Note what was done."""
    session.run(
        LOG,
        at=to_time(signed.now),
        author=signed.author,
        action=action,
        details=to_json(details),
    )


def logged(session: Session) -> tuple[AuditEntry, ...]:
    """What was done, in order."""
    return tuple(
        AuditEntry(at=from_time(at), author=author, action=action, details=from_json(details))
        for at, author, action, details in session.all(LOGGED)
    )


def setting(session: Session, name: str) -> str:
    """What is kept under this name; nothing where nothing is."""
    row = session.one(FIND, wanted=name)
    return str(row[0]) if row else ""


def keep(session: Session, name: str, value: str) -> None:
    """Keep this in the place of what was kept before."""
    session.run(FORGET, wanted=name)
    session.run(KEEP, name=name, value=value)


def take(session: Session, name: str, value: str) -> bool:
    """Forget what is kept if it is this; of several who try at once one succeeds."""
    return bool(session.run(TAKE, wanted=name, held=value))


NAME = "secret"


def secret(database: Database) -> str:
    """The store's own; the first who asks for it makes it."""
    known = database.read(lambda session: setting(session, NAME))
    if known:
        return known
    made = secrets.token_hex(32)
    try:
        database.write(lambda session: session.run(KEEP, name=NAME, value=made))
    except Conflict:
        made = database.read(lambda session: setting(session, NAME))  # another server was quicker
    return made
