"""The secret with which all servers of a store sign cookies; it is in no archive and no backup."""

from __future__ import annotations

import secrets

from sqlalchemy import bindparam, insert, select

from jurat.store.database import Conflict, Database, Session
from jurat.store.schema import settings

FIND = select(settings.c.value).where(settings.c.name == bindparam("wanted"))
KEEP = insert(settings).values(name=bindparam("name"), value=bindparam("value"))
NAME = "secret"


def secret(database: Database) -> str:
    """The store's own; the first who asks for it makes it."""
    known = database.read(_found)
    if known:
        return known
    made = secrets.token_hex(32)
    try:
        database.write(lambda session: session.run(KEEP, name=NAME, value=made))
    except Conflict:
        made = database.read(_found)  # another server was quicker
    return made


def _found(session: Session) -> str:
    row = session.one(FIND, wanted=NAME)
    return str(row[0]) if row else ""
