"""Campaigns in preparation: what is declared so far, and the files that were uploaded for it.

They are made into campaigns whole, or given up; nothing that judges do comes near them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Select, bindparam, delete, insert, select, update

from jurat.errors import quoted
from jurat.store import store_settings
from jurat.store.campaigns import Signed
from jurat.store.database import Row, Session
from jurat.store.encoding import from_json, from_time, new_key, to_json, to_time
from jurat.store.errors import NoSuchFile, NoSuchPreparation, PreparationChanged
from jurat.store.records import Preparation, PreparedFile, Redeclare
from jurat.store.schema import preparation_files as files
from jurat.store.schema import preparations

EVERY = select(preparations).order_by(preparations.c.id)
BY_KEY = select(preparations).where(preparations.c.key == bindparam("wanted"))
HELD = BY_KEY.with_for_update()
BEGIN = (
    insert(preparations)
    .values(
        {column.name: bindparam(column.name) for column in preparations.c if column.name != "id"}
    )
    .inline()
)
CHANGE = (
    update(preparations)
    .where(preparations.c.id == bindparam("number"))
    .values(
        declaration=bindparam("declared"),
        edition=bindparam("edition"),
        updated=bindparam("updated"),
    )
)
DROP = delete(preparations).where(preparations.c.id == bindparam("number"))
FILES = (
    select(files.c.name, files.c.size, files.c.digest)
    .where(files.c.preparation_id == bindparam("number"))
    .order_by(files.c.name)
)
CONTENT = (
    select(files.c.content)
    .join(preparations, preparations.c.id == files.c.preparation_id)
    .where(preparations.c.key == bindparam("wanted"), files.c.name == bindparam("file"))
)
PUT = insert(files).values({column.name: bindparam(column.name) for column in files.c}).inline()
DROP_FILE = delete(files).where(
    files.c.preparation_id == bindparam("number"), files.c.name == bindparam("file")
)
DROP_FILES = delete(files).where(files.c.preparation_id == bindparam("number"))


class Change(NamedTuple):
    """What becomes of a preparation, all at once."""

    redeclare: Redeclare
    put: Mapping[str, bytes] = {}
    """Files by name, in the place of those that are called so."""
    drop: Collection[str] = ()


def begin(
    session: Session,
    declaration: Mapping[str, object],
    content: Mapping[str, bytes],
    signed: Signed,
) -> Preparation:
    """Keep what is to become a campaign; its owner is who began it."""
    key, now = new_key(), to_time(signed.now)
    session.run(
        BEGIN,
        key=key,
        owner=signed.author,
        declaration=to_json(declaration),
        edition=1,
        created=now,
        updated=now,
    )
    number, begun = _one(session, key, BY_KEY)
    for name, data in content.items():
        _put(session, number, name, data)
    store_settings.log(session, "prepare", signed, {"title": begun.title})
    return one(session, key)


def every(session: Session) -> tuple[Preparation, ...]:
    """All that are being prepared, the oldest first."""
    return tuple(_preparation(session, row) for row in session.all(EVERY))


def one(session: Session, key: str) -> Preparation:
    """One that is being prepared."""
    return _one(session, key, BY_KEY)[1]


def content(session: Session, key: str, name: str) -> bytes:
    """The bytes of a file."""
    row = session.one(CONTENT, wanted=key, file=name)
    if row is None:
        known = tuple(file.name for file in one(session, key).files)
        raise NoSuchFile(f"there is no file {quoted(name)}", value=name, allowed=known)
    return bytes(row[0])


def change(session: Session, key: str, change: Change, now: datetime) -> Preparation:
    """Change the declaration and the files together."""
    number, found = _one(session, key, HELD)
    session.run(
        CHANGE,
        number=number,
        declared=to_json(change.redeclare(dict(found.declaration))),
        edition=found.edition + 1,
        updated=to_time(now),
    )
    for name in {*change.put, *change.drop}:
        session.run(DROP_FILE, number=number, file=name)
    for name, data in change.put.items():
        _put(session, number, name, data)
    return one(session, key)


def drop(session: Session, key: str, signed: Signed) -> None:
    """Give a preparation up, with its files."""
    number, found = _one(session, key, HELD)
    _drop(session, number)
    store_settings.log(session, "give up", signed, {"title": found.title})


def finish(session: Session, key: str, edition: int) -> None:
    """Take away what becomes a campaign in the same transaction, if it is still as it was."""
    number, found = _one(session, key, HELD)
    if found.edition != edition:
        message = "somebody has changed it meanwhile; look at it once more"
        raise PreparationChanged(message)
    _drop(session, number)


def _drop(session: Session, number: int) -> None:
    session.run(DROP_FILES, number=number)
    session.run(DROP, number=number)


def _put(session: Session, number: int, name: str, data: bytes) -> None:
    session.run(
        PUT,
        preparation_id=number,
        name=name,
        size=len(data),
        digest=hashlib.sha256(data).hexdigest(),
        content=data,
    )


def _one(
    session: Session, key: str, statement: Select[tuple[object, ...]]
) -> tuple[int, Preparation]:
    row = session.one(statement, wanted=key)
    if row is None:
        raise NoSuchPreparation("this is not in preparation; it was made, or given up")
    return row[0], _preparation(session, row)


def _preparation(session: Session, row: Row) -> Preparation:
    number, key, owner, declaration, edition, created, updated = row
    return Preparation(
        id=key,
        owner=owner,
        declaration=from_json(declaration),
        files=tuple(
            PreparedFile(name=name, size=size, digest=digest)
            for name, size, digest in session.all(FILES, number=number)
        ),
        edition=edition,
        created=from_time(created),
        updated=from_time(updated),
    )
