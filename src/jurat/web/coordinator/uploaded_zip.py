"""Uploaded zip files: those that Jurat exports, and test sets that somebody has packed."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterable
from zipfile import BadZipFile, ZipFile

from jurat.campaigns.drafts import MAX_BYTES, MAX_FILES
from jurat.errors import InputError, input_error
from jurat.model import File

# How every zip begins.
SIGNATURE = b"PK\x03\x04"
# The file by which a campaign's archive is recognised; only `restore` can read it.
MANIFEST = "manifest.json"
# Names of tables of judgments, which are no test set.
TABLES = ("judgments", "preferences", "rankings", "spans", "suggestions", "texts")
# What every document of Excel, Word or LibreOffice has: these are zips, too.
OFFICE = {"[Content_Types].xml", "mimetype"}
# Files that operating systems add to a zip.
CLUTTER = ("__MACOSX/", ".DS_Store")
# What zipfile raises for files that are damaged, encrypted or compressed in unknown ways.
BROKEN = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)


def is_archive(file: File) -> bool:
    """Whether a file is the archive of a campaign or of a whole store."""
    return file.data.startswith(SIGNATURE) and MANIFEST in _names(file)


def unpacked(files: Iterable[File]) -> list[File]:
    """The files, and in place of each zip what is in it; raises `InputError`."""
    return [inner for file in files for inner in _inside(file)]


def _inside(file: File) -> list[File]:
    if not file.data.startswith(SIGNATURE):
        return [file]
    names = [name for name in _names(file) if not name.endswith("/") and not _is_clutter(name)]
    if MANIFEST in names:
        message = "this is the archive of a campaign, which is opened on the page of all campaigns"
        raise input_error(message, file=file.name, code="archive-here")
    if OFFICE.intersection(names):
        kind = file.name.rpartition(".")[2].upper()
        message = f"this is no text but {kind}; save its content as text, tables as CSV or TSV"
        raise input_error(message, file=file.name, value=kind, code="no-text-file")
    if names and all(name.partition(".")[0] in TABLES for name in names):
        message = "this zip has judgments and no test set"
        raise input_error(message, file=file.name, code="judgments-zip")
    if not names or len(names) > MAX_FILES:
        message = f"a zip may have from 1 to {MAX_FILES} files; this one has {len(names)}"
        raise input_error(message, file=file.name, value=MAX_FILES, code="too-many-files")
    return _read(file, names)


def _read(file: File, names: list[str]) -> list[File]:
    try:
        with ZipFile(io.BytesIO(file.data)) as packed:
            # a small zip may unpack to more than the memory holds
            if sum(packed.getinfo(name).file_size for name in names) > MAX_BYTES:
                message = f"the files of this zip have more than {MAX_BYTES:,} bytes"
                raise input_error(message, file=file.name, value=MAX_BYTES, code="files-too-large")
            return [File(name, packed.read(name)) for name in names]
    except InputError:  # which is a ValueError, too
        raise
    except BROKEN as error:
        raise _broken(file) from error


def _names(file: File) -> list[str]:
    try:
        with ZipFile(io.BytesIO(file.data)) as packed:
            return packed.namelist()
    except BROKEN as error:
        raise _broken(file) from error


def _broken(file: File) -> Exception:
    return input_error("this zip cannot be read", file=file.name, code="broken-zip")


def _is_clutter(name: str) -> bool:
    return name.startswith(CLUTTER) or name.endswith(CLUTTER)
