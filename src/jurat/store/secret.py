"""The secret with which all servers of a store sign cookies; it is in no archive and no backup."""

from __future__ import annotations

import secrets

from jurat.store.database import Conflict, Database
from jurat.store.site import KEEP, setting

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
