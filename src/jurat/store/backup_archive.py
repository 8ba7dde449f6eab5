"""Archives: a store, or one campaign of it, as a zip of JSON Lines, the same for both databases.

It has a file for each table, with the table's name, and `manifest.json` with their numbers of rows
and checksums. Only an archive of a whole store (a backup) has what belongs to no campaign.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import datetime
from typing import Any, BinaryIO, Literal
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import msgspec
from sqlalchemy import Boolean, Column, LargeBinary, Select, bindparam, select

from jurat.deserialize import decode
from jurat.errors import quoted
from jurat.store import campaign_drafts as draft_rows
from jurat.store import campaigns as campaign_rows
from jurat.store import coordinators as coordinator_rows
from jurat.store.archive_rows import KINDS, ConsistencyCheck, Misfit
from jurat.store.database import Conflict, Row, Session
from jurat.store.encoding import to_blob, to_json
from jurat.store.errors import BadArchive, CampaignExists, StoreNotEmpty
from jurat.store.records import Restored
from jurat.store.schema import (
    UNLIMITED,
    Bytes,
    Json,
    assignments,
    campaigns,
    dismissals,
    drafts,
    items,
    kits,
    media_chunks,
    media_files,
    messages,
    metadata,
)

FORMAT = "jurat-store"
# Version 1 had no editions, coordinators, campaign drafts and site log, version 2 no flags, version
# 3 no messages, version 4 no answers of model judges, version 5 no questionnaires, version 6 no
# media.
VERSION = 7
MANIFEST = "manifest.json"

# Limits against archives that unpack to more than a disk can hold: bytes of all files together, and
# of a line (that of a campaign has its whole test set).
LARGEST = 16 << 30
LONGEST = 512 << 20
_CHUNK = 1 << 20
# Rows of JSON are packed to a tenth or a fiftieth; a bomb to a thousandth.
DENSEST, DENSE_FROM = 300, 64 << 20

# Tables that belong to no campaign.
OWN = ("coordinators", "preparations", "preparation_files", "site_log")
# Tables of a campaign that older archives do not have, with the first version that has them.
SINCE = {
    "editions": 2,
    "messages": 4,
    "dismissals": 4,
    "model_answers": 5,
    "questionnaires": 6,
    "media_files": 7,
    "media_chunks": 7,
}
# What zipfile raises for files that are damaged, encrypted or compressed in unknown ways.
_BROKEN = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)


class Content(msgspec.Struct, frozen=True):
    """The number of rows in a table's file, and its checksum."""

    rows: int
    sha256: str


Kind = Literal["store", "campaign"]


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The content of `manifest.json`."""

    format: str
    version: int
    kind: Kind
    written: datetime
    tables: dict[str, Content]


def names_of(kind: Kind, version: int = VERSION) -> list[str]:
    """The names of the tables in an archive, in order."""
    without = {*(() if kind == "store" and version > 1 else OWN)}
    without |= {name for name, first in SINCE.items() if version < first}
    return [name for name in KINDS if name not in without]


def _columns(name: str) -> list[Column[Any]]:
    return [metadata.tables[name].c[field] for field in KINDS[name].__struct_fields__]


def _selection(name: str) -> tuple[Select[Any], Select[Any]]:
    """Statements for all rows of a table, and for those of one campaign."""
    table = metadata.tables[name]
    every = select(*_columns(name)).order_by(*table.primary_key)
    wanted = bindparam("campaign_id", type_=campaigns.c.id.type)
    if name in OWN:
        return every, every
    if table is campaigns:
        return every, every.where(campaigns.c.id == wanted)
    if table is items:
        return every, every.join(kits).where(kits.c.campaign_id == wanted)
    if table is drafts:
        return every, every.join(assignments).where(assignments.c.campaign_id == wanted)
    if table is media_chunks:
        return every, every.join(media_files).where(media_files.c.campaign_id == wanted)
    if table is dismissals:
        return every, every.join(messages).where(messages.c.campaign_id == wanted)
    return every, every.where(table.c.campaign_id == wanted)


_SELECTIONS = {name: _selection(name) for name in KINDS}


def backup(session: Session, file: BinaryIO, *, now: datetime) -> None:
    """Write the whole store to a file, as it is at this moment; judging goes on."""
    _save(session, file, now, {})


def archive(session: Session, campaign: str, file: BinaryIO, *, now: datetime) -> None:
    """Write one campaign with its accounts and judgments to a file, for another store."""
    _save(session, file, now, {"campaign_id": campaign_rows.find(session, campaign)})


def _save(session: Session, file: BinaryIO, now: datetime, values: Mapping[str, int]) -> None:
    """Write the tables, of one campaign only if `values` has its number."""
    kind: Kind = "campaign" if values else "store"
    contents = {}
    with ZipFile(file, "w") as zipped:
        for name in names_of(kind):
            every, some = _SELECTIONS[name]
            rows = session.stream(some if values else every, **values)
            contents[name] = _write_table(zipped, name, rows)
        manifest = Manifest(
            format=FORMAT,
            version=VERSION,
            kind=kind,
            written=now,
            tables=contents,
        )
        zipped.writestr(_entry(MANIFEST), msgspec.json.format(msgspec.json.encode(manifest)))


def _entry(name: str) -> ZipInfo:
    entry = ZipInfo(name)
    # Media hardly shrink, and silence or a black screen would shrink so much that it would be taken
    # for a bomb.
    entry.compress_type = ZIP_STORED if name == f"{media_chunks.name}.jsonl" else ZIP_DEFLATED
    # It has password hashes: unpacked, only the owner may read it.
    entry.external_attr = 0o600 << 16
    return entry


def _write_table(archive: ZipFile, name: str, rows: Iterator[Row]) -> Content:
    columns = [(column.name, _writer(column)) for column in _columns(name)]
    digest, count = hashlib.sha256(), 0
    # The size is not known before: without zip64 it would have to stay under 2 GiB.
    with archive.open(_entry(f"{name}.jsonl"), "w", force_zip64=True) as out:
        for row in rows:
            values = zip(columns, row, strict=True)
            line = msgspec.json.encode({n: write(value) for (n, write), value in values}) + b"\n"
            out.write(line)
            digest.update(line)
            count += 1
    return Content(count, digest.hexdigest())


def _writer(column: Column[Any]) -> Callable[[Any], Any]:
    """How values of a column become JSON."""
    if isinstance(column.type, LargeBinary) and not isinstance(column.type, Bytes):
        return lambda value: None if value is None else msgspec.Raw(zlib.decompress(value))
    # JSON goes into the archive as it is, without being decoded.
    if isinstance(column.type, Json):
        return lambda value: msgspec.Raw(value.encode())
    return bool if isinstance(column.type, Boolean) else lambda value: value


class Archive:
    """An archive that is read; `check` makes one that is known to be good."""

    def __init__(self, file: BinaryIO) -> None:
        try:
            self._zip = ZipFile(file)
        except _BROKEN as error:
            raise BadArchive("this is not a Jurat archive: the file is not a zip file") from error
        self.manifest = self._read_manifest()
        self.consistency = ConsistencyCheck()
        self._unpacked = 0

    @classmethod
    def check(cls, file: BinaryIO) -> Archive:
        """Read the whole file. Raises `BadArchive` if anything in it is wrong."""
        archive = cls(file)
        for name in archive.tables:
            for line, row in enumerate(archive.rows(name), 1):
                try:
                    archive.consistency.see(name, row)
                except Misfit as error:
                    raise BadArchive(str(error), file=f"{name}.jsonl", line=line) from error
        try:
            archive.consistency.finish()
        except Misfit as error:
            raise BadArchive(f"the archive is incomplete: {error}") from error
        return archive

    @property
    def tables(self) -> list[str]:
        """The names of its tables, in order."""
        return names_of(self.manifest.kind, self.manifest.version)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its campaigns."""
        return tuple(self.consistency.campaigns.values())

    def rows(self, name: str) -> Iterator[Any]:
        """The rows of a table, checked one by one, and at the end the checksum of all."""
        content = self.manifest.tables[name]
        decode = msgspec.json.Decoder(KINDS[name]).decode
        digest, count = hashlib.sha256(), 0
        for count, line in enumerate(self._lines(name), 1):
            digest.update(line)
            try:
                yield decode(line)
            except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
                raise BadArchive(str(error), file=f"{name}.jsonl", line=count) from error
        if (count, digest.hexdigest()) != (content.rows, content.sha256):
            raise BadArchive("the archive is damaged: the checksum differs", file=f"{name}.jsonl")

    def _lines(self, name: str) -> Iterator[bytes]:
        rest: list[bytes] = []
        long = 0
        try:
            with self._zip.open(f"{name}.jsonl") as entry:
                while chunk := entry.read(_CHUNK):
                    self._measure(len(chunk), long)
                    # joined only at a line's end: a long line would be copied again and again
                    if b"\n" not in chunk:
                        rest.append(chunk)
                        long += len(chunk)
                        continue
                    *lines, last = b"".join((*rest, chunk)).split(b"\n")
                    yield from (line + b"\n" for line in lines)
                    rest, long = [last] if last else [], len(last)
        except _BROKEN as error:
            raise BadArchive(f"the archive is damaged: {error}", file=f"{name}.jsonl") from error
        if rest:
            raise BadArchive(
                "the archive is damaged: it ends in the middle of a line", file=f"{name}.jsonl"
            )

    def _measure(self, chunk: int, line: int) -> None:
        self._unpacked += chunk
        # Twice the limit, since everything is read twice: to check it, and to load it.
        if self._unpacked > 2 * LARGEST or line > LONGEST:
            raise BadArchive("the archive is larger than any that Jurat writes")

    def _read_manifest(self) -> Manifest:
        names = self._zip.namelist()
        if not {MANIFEST, "campaigns.jsonl"} <= {*names}:
            raise BadArchive("this is not a Jurat archive: it contains other files")
        try:
            with self._zip.open(MANIFEST) as entry:
                manifest = decode(entry.read(_CHUNK), Manifest)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, *_BROKEN) as error:
            raise BadArchive(f"its manifest cannot be read: {error}", file=MANIFEST) from error
        if manifest.format != FORMAT:
            raise BadArchive("this is not a Jurat archive", file=MANIFEST)
        if manifest.version > VERSION:
            raise BadArchive("a newer Jurat wrote this archive; upgrade Jurat to open it")
        expected = names_of(manifest.kind, manifest.version)
        if set(manifest.tables) != set(expected):
            raise BadArchive("this is not a Jurat archive", file=MANIFEST)
        if sorted(names) != sorted([MANIFEST, *(f"{name}.jsonl" for name in expected)]):
            raise BadArchive("this is not a Jurat archive: it contains other files")
        self._refuse_bomb()
        return manifest

    def _refuse_bomb(self) -> None:
        """Raise `BadArchive` for a file that unpacks to far more than rows of a store do."""
        # What the directory says may be wrong: `_measure` counts what is unpacked.
        for entry in self._zip.infolist():
            most = max(DENSE_FROM, entry.compress_size * DENSEST)
            if entry.file_size > most or entry.file_size > LARGEST:
                raise BadArchive("the archive is larger than any that Jurat writes")


def load(session: Session, archive: Archive) -> Restored:
    """Store all rows of a checked archive, with new row numbers.

    Raises `CampaignExists`, or `StoreNotEmpty` for a backup.
    """
    _refuse_taken(session, archive)
    counts = {name: content.rows for name, content in archive.manifest.tables.items()}
    numbers: dict[str, dict[int, int]] = {}
    try:
        for name in archive.tables:
            _load_table(session, archive, name, numbers)
    # Whatever is in the file only once, `check` has seen; keys and PINs the tables compare.
    except Conflict as error:
        raise BadArchive("the archive is damaged: it contains a row twice") from error
    return Restored(campaigns=archive.names, rows=counts)


def _refuse_taken(session: Session, archive: Archive) -> None:
    taken = {name for (name,) in session.all(campaign_rows.NAMES)}
    if archive.manifest.kind == "store":
        _refuse_used(session, taken)
    for name in archive.names:
        if name in taken:
            raise CampaignExists(f"there is a campaign {quoted(name)} already")


def _refuse_used(session: Session, campaigns: Collection[str]) -> None:
    message = "a backup is restored into an empty store; this one has"
    if campaigns:
        raise StoreNotEmpty(f"{message} campaigns: {', '.join(sorted(campaigns))}")
    if coordinator_rows.is_any(session) or session.one(draft_rows.EVERY):
        raise StoreNotEmpty(f"{message} coordinators, or drafts of campaigns")


def _load_table(
    session: Session, archive: Archive, name: str, numbers: dict[str, dict[int, int]]
) -> None:
    """Store a table's rows; `numbers` maps row numbers of the archive to new ones, by table."""
    table, columns = metadata.tables[name], _columns(name)
    names = [column.name for column in columns]
    if "id" in names:
        numbers[name] = {}
        fresh = iter(session.reserve(table, archive.manifest.tables[name].rows))
    readers = [(column.name, _reader(column, numbers)) for column in columns]

    def rows() -> Iterator[Row]:
        for row in archive.rows(name):
            if "id" in names:
                numbers[name][row.id] = next(fresh)
            values = tuple(read(getattr(row, column)) for column, read in readers)
            # The one column that archives do not have.
            yield (*values, _places(row, archive.consistency)) if table is kits else values

    session.insert(table, rows(), [*names, "places"] if table is kits else names)


def _reader(column: Column[Any], numbers: Mapping[str, Mapping[int, int]]) -> Callable[[Any], Any]:
    """How values of a row become those of a column."""
    if column.name == "id":
        return lambda number: numbers[column.table.name][number]
    # `kit_id` refers to `kits`, and so on.
    if column.name.endswith("_id"):
        known = f"{column.name.removesuffix('_id')}s"
        return lambda number: None if number is None else numbers[known][number]
    if isinstance(column.type, LargeBinary) and not isinstance(column.type, Bytes):
        return lambda value: None if value is None else to_blob(value)
    return to_json if isinstance(column.type, Json) else lambda value: value


def _places(kit: Any, consistency: ConsistencyCheck) -> int:
    """The `places` of a kit: how many more judges may have it."""
    return (UNLIMITED if kit.wanted is None else kit.wanted) - consistency.taken[kit.id]
