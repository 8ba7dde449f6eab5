"""Drafts of campaigns: the declaration so far, and the files that were uploaded for it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy import Select, bindparam, delete, select, update

from jurat.errors import quoted
from jurat.store import store_settings
from jurat.store.database import Row, Session
from jurat.store.encoding import from_json, from_time, new_key, to_json, to_time
from jurat.store.errors import CampaignDraftChanged, NoSuchCampaignDraft, NoSuchFile
from jurat.store.records import CampaignDraft, CampaignDraftFile, Redeclare
from jurat.store.schema import insert_into, preparation_files, preparations

# The tables have the name that drafts had in stores of Jurat 0.1.0; the table `drafts` holds what
# judges have not sent yet.
EVERY = select(preparations).order_by(preparations.c.id)
BY_KEY = select(preparations).where(preparations.c.key == bindparam("wanted"))
# Locked until the transaction ends: what is written depends on what was read.
LOCKED = BY_KEY.with_for_update()
BEGIN = insert_into(preparations)
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
# Without the content: a test set may have many megabytes.
FILES = (
    select(preparation_files.c.name, preparation_files.c.size, preparation_files.c.digest)
    .where(preparation_files.c.preparation_id == bindparam("number"))
    .order_by(preparation_files.c.name)
)
CONTENT = (
    select(preparation_files.c.content)
    .join(preparations, preparations.c.id == preparation_files.c.preparation_id)
    .where(preparations.c.key == bindparam("wanted"), preparation_files.c.name == bindparam("file"))
)
PUT = insert_into(preparation_files)
DROP_FILE = delete(preparation_files).where(
    preparation_files.c.preparation_id == bindparam("number"),
    preparation_files.c.name == bindparam("file"),
)
DROP_FILES = delete(preparation_files).where(
    preparation_files.c.preparation_id == bindparam("number")
)


def begin(
    session: Session,
    declaration: Mapping[str, object],
    *,
    author: str,
    now: datetime,
    files: Mapping[str, bytes] | None = None,
) -> CampaignDraft:
    """Store a draft, with its files by name; the author is its owner."""
    key, moment = new_key(), to_time(now)
    session.run(
        BEGIN,
        key=key,
        owner=author,
        declaration=to_json(declaration),
        edition=1,
        created=moment,
        updated=moment,
    )
    number, begun = _one(session, key, BY_KEY)
    for name, data in (files or {}).items():
        _put(session, number, name, data)
    store_settings.log(session, "prepare", author=author, now=now, details={"title": begun.title})
    return one(session, key)


def every(session: Session) -> tuple[CampaignDraft, ...]:
    """All drafts, the oldest first."""
    return tuple(_draft(session, row) for row in session.all(EVERY))


def one(session: Session, draft: str) -> CampaignDraft:
    """A draft by its opaque id. Raises `NoSuchCampaignDraft`, as all others do."""
    return _one(session, draft, BY_KEY)[1]


def content(session: Session, draft: str, name: str) -> bytes:
    """The content of one of its files. Raises `NoSuchFile`."""
    row = session.one(CONTENT, wanted=draft, file=name)
    if row is None:
        known = tuple(file.name for file in one(session, draft).files)
        raise NoSuchFile(f"there is no file {quoted(name)}", value=name, allowed=known)
    return bytes(row[0])


def change(
    session: Session,
    draft: str,
    redeclare: Redeclare,
    *,
    now: datetime,
    put: Mapping[str, bytes] | None = None,
    drop: Collection[str] = (),
    after: int | None = None,
) -> CampaignDraft:
    """Change the declaration, `put` files by name and `drop` others, all at once.

    Raises `CampaignDraftChanged` unless it still has the edition `after`, where one is given.
    """
    number, found = _one(session, draft, LOCKED)
    _check_edition(found, after)
    session.run(
        CHANGE,
        number=number,
        declared=to_json(redeclare(dict(found.declaration))),
        edition=found.edition + 1,
        updated=to_time(now),
    )
    put = put or {}
    # Those that are put, too: a new file replaces one of the same name.
    for name in {*put, *drop}:
        session.run(DROP_FILE, number=number, file=name)
    for name, data in put.items():
        _put(session, number, name, data)
    return one(session, draft)


def drop(session: Session, draft: str, *, author: str, now: datetime) -> None:
    """Delete a draft, with its files."""
    number, found = _one(session, draft, LOCKED)
    _drop(session, number)
    store_settings.log(session, "give up", author=author, now=now, details={"title": found.title})


def finish(session: Session, draft: str, edition: int) -> None:
    """Delete what becomes a campaign in the same transaction.

    Raises `CampaignDraftChanged` unless it still has this edition.
    """
    number, found = _one(session, draft, LOCKED)
    _check_edition(found, edition)
    _drop(session, number)


def _check_edition(found: CampaignDraft, edition: int | None) -> None:
    if edition not in (None, found.edition):
        message = "somebody else has changed it in the meantime; look at it again"
        raise CampaignDraftChanged(message)


def _drop(session: Session, number: int) -> None:
    # Files first: they refer to the draft.
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
) -> tuple[int, CampaignDraft]:
    row = session.one(statement, wanted=key)
    if row is None:
        raise NoSuchCampaignDraft(
            "this draft no longer exists: it was deleted, or became a campaign"
        )
    return row[0], _draft(session, row)


def _draft(session: Session, row: Row) -> CampaignDraft:
    number, key, owner, declaration, edition, created, updated = row
    return CampaignDraft(
        id=key,
        owner=owner,
        declaration=from_json(declaration),
        files=tuple(
            CampaignDraftFile(name=name, size=size, digest=digest)
            for name, size, digest in session.all(FILES, number=number)
        ),
        edition=edition,
        created=from_time(created),
        updated=from_time(updated),
    )
