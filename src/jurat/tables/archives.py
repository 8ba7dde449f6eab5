"""Opens compressed files and archives (.gz, .zst, .zip, .tar), and bounds what these expand to."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import Sized
from typing import Protocol

from jurat.errors import InputError, input_error
from jurat.model import File

# Bytes that a file may expand to: a small one to this, a larger one to as many times its size.
SMALL, MOST_TIMES = 1 << 26, 100
LARGEST = 1 << 30
# Files of an archive at most.
MOST_MEMBERS = 1000
# Bytes that are expanded at once: a few kilobytes may hold a thousand times as many.
_STEP = 1 << 12

# Files of an archive of Jurat that describe its tables.
DATA_PACKAGE, CROISSANT = "datapackage.json", "croissant.json"
# The file of an export that says what its format could not hold.
NOTES = "notes.txt"

GZIP, ZSTANDARD, ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"
SQLITE = b"SQLite format 3\0"
# The endings of files that must hold others.
_PACKED = ("gz", "zst", "zip", "tar", "tgz")
# What a TAR archive has, and where.
_TAPE, _TAPE_AT = b"ustar", 257
# The endings of spreadsheets, which are refused as such where they are none.
_SHEETS = ("xlsx", "ods")
# Members by which spreadsheets are known, which are ZIP files, too.
_SPREADSHEETS = ("xl/workbook.xml", "xl/workbook.bin", "content.xml")


class _Stream(Protocol):
    """What compressed data is read from."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes."""


def unpacked(file: File) -> list[File]:
    """The file itself, what it holds in compressed form, or the members of an archive.

    Raises `InputError` for damaged files, and for those that expand beyond all measure.
    """
    with file.open() as content:
        beginning = content.read(len(SQLITE))
    if beginning.startswith(SQLITE):
        message = "this is a database, not a table; of a store of Jurat, name the campaign: "
        raise input_error(f"{message}--campaign NAME --store {file.name}", file=file.name)
    if beginning.startswith(ZSTANDARD):
        return _of_tape(File(_without(file.name, "zst"), _of_zstandard(file)))
    try:
        if beginning.startswith(GZIP):
            with gzip.GzipFile(fileobj=io.BytesIO(file.data)) as stream:
                return _of_tape(File(_without(file.name, "gz"), _bounded(stream, file)))
        if beginning.startswith(ZIP) and file.ending not in _SHEETS and not is_spreadsheet(file):
            return _members(file)
    # RuntimeError: the archive has a password
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError) as error:
        raise _damaged(file, error) from None
    if _is_tape(file):
        return _of_tape(file)
    if file.ending in _PACKED:
        raise input_error(f"this is no {file.ending} file, or it is empty", file=file.name)
    return [file]


def _of_zstandard(file: File) -> bytes:
    """What a file holds; it may be several streams one after the other."""
    import zstandard

    found, size, limit = [], 0, largest_expansion(file)
    stream = zstandard.ZstdDecompressor().decompressobj()
    try:
        for at in range(0, len(file.data), _STEP):
            packed = file.data[at : at + _STEP]
            while packed:
                if stream.eof:
                    stream = zstandard.ZstdDecompressor().decompressobj()
                found.append(stream.decompress(packed))
                size += len(found[-1])
                if size > limit:
                    raise too_large(file)
                packed = stream.unused_data
    except zstandard.ZstdError as error:
        raise _damaged(file, error) from None
    # `stream_reader` would end here without a word
    if not stream.eof:
        raise _damaged(file, EOFError("it ends before the end of the data"))
    return b"".join(found)


def is_spreadsheet(file: File) -> bool:
    """Whether a file is an Excel or OpenDocument spreadsheet, by its content."""
    if not file.data.startswith(ZIP):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
            return any(name in _SPREADSHEETS for name in archive.namelist()[:MOST_MEMBERS])
    except zipfile.BadZipFile:
        return False


def expanded_size(file: File) -> int:
    """The bytes that the members of a ZIP file say they have."""
    with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
        return sum(member.file_size for member in archive.infolist())


def largest_expansion(file: File) -> int:
    """The bytes that a compressed file may expand to."""
    return min(max(SMALL, MOST_TIMES * len(file.data)), LARGEST)


def too_large(file: File) -> InputError:
    """The error for a file that expands too far."""
    message = f"the file expands to more than {largest_expansion(file):,} bytes, which is refused"
    return input_error(message, file=file.name)


def _members(file: File) -> list[File]:
    found: list[File] = []
    left = largest_expansion(file)
    with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
        members = [m for m in archive.infolist() if not m.is_dir() and _is_content(m.filename)]
        if any(member.filename == "word/document.xml" for member in members):
            raise input_error("this is a Word document, not a table", file=file.name)
        _refuse_many(members, file)
        for member in members:
            with archive.open(member) as stream:
                # the declared size may lie, so what is read is counted
                data = stream.read(left + 1)
            left -= len(data)
            if left < 0:
                raise too_large(file)
            found.append(File(f"{file.name}/{member.filename}", data))
    if not found:
        raise input_error("the archive has no files", file=file.name)
    return found


def _refuse_many(members: Sized, file: File) -> None:
    if len(members) > MOST_MEMBERS:
        message = f"the archive has {len(members):,} files; at most {MOST_MEMBERS:,} are read"
        raise input_error(message, file=file.name)


def _is_tape(file: File) -> bool:
    with file.open() as content:
        return content.read(_TAPE_AT + len(_TAPE))[_TAPE_AT:] == _TAPE


def _of_tape(file: File) -> list[File]:
    """The members of a TAR archive, such as EvalSets are published in; else the file itself."""
    if not _is_tape(file):
        return [file]
    try:
        with tarfile.open(fileobj=io.BytesIO(file.data)) as archive:
            members = [one for one in archive if one.isreg() and _is_content(one.name)]
            _refuse_many(members, file)
            # a sparse member says that it is larger than the archive
            if sum(one.size for one in members) > largest_expansion(file):
                raise too_large(file)
            found = [(one.name, archive.extractfile(one)) for one in members]
            read = [File(f"{file.name}/{name}", s.read()) for name, s in found if s is not None]
    except (tarfile.TarError, EOFError) as error:
        raise _damaged(file, error) from None
    if not read:
        raise input_error("the archive has no files", file=file.name)
    return read


def _is_content(name: str) -> bool:
    """Whether a member is a file of the user, not one that macOS adds or that describes others."""
    last = name.rpartition("/")[2]
    described = last in (DATA_PACKAGE, CROISSANT, NOTES)
    return not name.startswith("__MACOSX/") and not last.startswith(".") and not described


def _bounded(stream: _Stream, file: File) -> bytes:
    limit = largest_expansion(file)
    data = stream.read(limit + 1)
    if len(data) > limit:
        raise too_large(file)
    return data


def _without(name: str, ending: str) -> str:
    """The name without the ending of a compressed file."""
    return name[: -len(ending) - 1] if name.lower().endswith(f".{ending}") else name


def _damaged(file: File, error: Exception) -> InputError:
    return input_error(f"the compressed file cannot be opened: {error}", file=file.name)
