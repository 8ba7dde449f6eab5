"""Files from and to the disk: the only place where the command line opens them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from jurat.faults import Fault, complain, refuse
from jurat.model import File

LARGEST = 1 << 30
"""Bytes; a larger file is refused before it is read."""


def read_file(path: Path | str) -> File:
    """A file's bytes under the name that the user gave."""
    path = Path(path)
    _check_readable(path)
    if (size := path.stat().st_size) > LARGEST:
        raise complain(f"the file has {size:,} bytes; at most {LARGEST:,} are read", file=str(path))
    try:
        return File(str(path), path.read_bytes())
    except OSError as error:
        raise complain(f"cannot be read: {error.strerror}", file=str(path)) from None


def _check_readable(path: Path) -> None:
    if not path.exists():
        raise complain("there is no such file", file=str(path))
    if not path.is_file():
        raise complain("this is no file", file=str(path))


def read_files(paths: Iterable[Path | str]) -> list[File]:
    """Several files; what is wrong with any of them is said at once."""
    files: list[File] = []
    faults: list[Fault] = []
    for path in paths:
        try:
            files.append(read_file(path))
        except ValueError as error:
            faults.extend(getattr(error, "faults", ()))
    refuse(faults)
    return files


@contextmanager
def reading(path: Path | str) -> Iterator[BinaryIO]:
    """A file to be read piece by piece."""
    _check_readable(Path(path))
    try:
        with Path(path).open("rb") as file:
            yield file
    except OSError as error:
        raise complain(f"cannot be read: {error.strerror}", file=str(path)) from None


def writable(path: Path, *, force: bool) -> None:
    """Refuse to write over a file, unless `force` says otherwise."""
    if path.exists() and not force:
        raise complain("the file exists already; --force writes over it", file=str(path))


def write_file(path: Path | str, data: bytes, *, force: bool = False) -> None:
    """Write a file whole or not at all; one that exists is kept unless `force` says otherwise."""
    with writing(path, force=force) as out:
        out.write(data)


@contextmanager
def writing(path: Path | str, *, force: bool = False) -> Iterator[BinaryIO]:
    """A file to be written piece by piece; it takes its place only when all is well."""
    path = Path(path)
    writable(path, force=force)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _replacing(path) as out:
            yield out
    except OSError as error:
        raise complain(f"cannot be written: {error.strerror}", file=str(path)) from None


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w+b") as out:
            yield out
        # mkstemp makes files that only their owner can read
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
