"""Media files of campaigns, stored in pieces so that a part can be read without the rest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from sqlalchemy import bindparam, select

from jurat.store.database import Row, Session
from jurat.store.errors import NoSuchFile, StoreFault
from jurat.store.records import MediaFile, NewCampaign
from jurat.store.schema import campaigns, columns, media_chunks, media_files

# Bytes of a piece: enough for a second of video, little enough for many readers at once.
CHUNK_BYTES = 256 << 10

FILES = (
    select(*columns(media_files, *MediaFile.__struct_fields__))
    .join(campaigns, campaigns.c.id == media_files.c.campaign_id)
    .where(campaigns.c.name == bindparam("campaign"))
    .order_by(media_files.c.id)
)
# Several files may have the same content; any of them will do.
BY_DIGEST = FILES.where(media_files.c.digest == bindparam("wanted"))
CHUNK = (
    select(media_chunks.c.content)
    .join(media_files, media_files.c.id == media_chunks.c.media_file_id)
    .join(campaigns, campaigns.c.id == media_files.c.campaign_id)
    .where(
        campaigns.c.name == bindparam("campaign"),
        media_files.c.digest == bindparam("wanted"),
        media_chunks.c.number == bindparam("at"),
    )
)


def insert_media(session: Session, new: NewCampaign, campaign_id: int) -> None:
    """Store the media of a new campaign, one file after the other."""
    for number, file in zip(session.reserve(media_files, len(new.media)), new.media, strict=True):
        assert new.read_media is not None
        row = (number, campaign_id, file.name, file.digest, file.type, file.size)
        content = new.read_media(file.name)
        if hashlib.sha256(content).hexdigest() != file.digest:
            raise StoreFault(f"the media file {file.name} changes while the campaign is created")
        session.insert(media_files, [row])
        session.insert(media_chunks, _chunks(number, content))


def _chunks(number: int, content: bytes) -> Iterator[Row]:
    for n, start in enumerate(range(0, len(content), CHUNK_BYTES)):
        yield number, n, content[start : start + CHUNK_BYTES]


def every(session: Session, campaign: str) -> tuple[MediaFile, ...]:
    """The media of a campaign, in the order of the test set."""
    return tuple(_file(row) for row in session.all(FILES, campaign=campaign))


def by_digest(session: Session, campaign: str, digest: str) -> MediaFile:
    """A media file by the hash of its content; raises `NoSuchFile`."""
    row = session.one(BY_DIGEST, campaign=campaign, wanted=digest)
    if row is None:
        raise NoSuchFile("there is no such file")
    return _file(row)


def chunk(session: Session, campaign: str, digest: str, number: int) -> bytes:
    """A piece of a file, counted from 0; raises `NoSuchFile`."""
    row = session.one(CHUNK, campaign=campaign, wanted=digest, at=number)
    if row is None:
        raise NoSuchFile("there is no such file")
    return bytes(row[0])


def _file(row: Row) -> MediaFile:
    return MediaFile(**dict(zip(MediaFile.__struct_fields__, row, strict=True)))
