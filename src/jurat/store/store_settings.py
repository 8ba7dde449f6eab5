"""The store's own settings, among them the key that signs cookies, and the log of the whole site.

Settings are secret: they are in no archive and no backup.
"""

from __future__ import annotations

import secrets
from datetime import datetime

from sqlalchemy import bindparam, delete, select

from jurat.store.database import Conflict, Database, Session
from jurat.store.encoding import from_json, from_time, to_json, to_time
from jurat.store.records import AuditEntry
from jurat.store.schema import ONE, ZERO, decisions, insert_into, settings
from jurat.store.schema import site_log as entries

LOG = insert_into(entries)
LOGGED = select(entries.c.at, entries.c.author, entries.c.action, entries.c.details).order_by(
    entries.c.id
)
FIND = select(settings.c.value).where(settings.c.name == bindparam("wanted"))
KEEP = insert_into(settings)
FORGET = delete(settings).where(settings.c.name == bindparam("wanted"))
TAKE = FORGET.where(settings.c.value == bindparam("value_now"))


def log(session: Session, action: str, *, author: str, now: datetime, details: object) -> None:
    """Add an entry to the site's log, for what belongs to no one campaign."""
    session.run(LOG, at=to_time(now), author=author, action=action, details=to_json(details))


def site_log(session: Session) -> tuple[AuditEntry, ...]:
    """The whole log of the site, in order."""
    return tuple(
        AuditEntry(at=from_time(at), author=author, action=action, details=from_json(details))
        for at, author, action, details in session.all(LOGGED)
    )


def setting(session: Session, name: str) -> str:
    """A setting's value; empty where it is not set."""
    row = session.one(FIND, wanted=name)
    return str(row[0]) if row else ""


def keep(session: Session, name: str, value: str) -> None:
    """Set a setting, whatever it was before."""
    session.run(FORGET, wanted=name)
    session.run(KEEP, name=name, value=value)


def take(session: Session, name: str, value: str) -> bool:
    """Delete a setting if it has this value; of several who try at once one gets True."""
    return bool(session.run(TAKE, wanted=name, value_now=value))


def claim(session: Session, name: str, *, until: datetime, now: datetime) -> bool:
    """Whether nobody else has claimed this name at present; then it is claimed until that time."""
    held = setting(session, name)
    if held and now < datetime.fromisoformat(held):
        return False
    try:
        keep(session, name, until.isoformat())
    except Conflict:  # another server was quicker
        return False
    return True


CHECKED = "checked"


# Read from the table, and not from an index, which may be sound where the table is not.
DECIDED = select(decisions.c.answers).limit(ONE).offset(ZERO)


def note_check(session: Session, now: datetime) -> None:
    """Store when the store was last checked: that this can be stored, and decisions be read."""
    session.one(DECIDED)
    keep(session, CHECKED, now.isoformat())


NAME = "secret"


def secret(database: Database) -> str:
    """The key with which the servers of the store sign; made when it is first asked for."""
    known = database.read(lambda session: setting(session, NAME))
    if known:
        return known
    made = secrets.token_hex(32)
    try:
        database.write(lambda session: session.run(KEEP, name=NAME, value=made))
    except Conflict:
        # Another server was quicker, and has used its own already.
        made = database.read(lambda session: setting(session, NAME))
    return made
