"""Files from and to the disk: the only place where the command line opens them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from jurat.faults import Fault, complain, refuse
from jurat.model import File

LARGEST = 1 << 30
"""Bytes; a larger file is refused before it is read."""


def read_file(path: Path | str) -> File:
    """A file's bytes under the name that the user gave."""
    path = Path(path)
    if not path.exists():
        raise complain("there is no such file", file=str(path))
    if not path.is_file():
        raise complain("this is no file", file=str(path))
    if (size := path.stat().st_size) > LARGEST:
        raise complain(f"the file has {size:,} bytes; at most {LARGEST:,} are read", file=str(path))
    try:
        return File(str(path), path.read_bytes())
    except OSError as error:
        raise complain(f"cannot be read: {error.strerror}", file=str(path)) from None


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


def write_file(path: Path | str, data: bytes, *, force: bool = False) -> None:
    """Write a file whole or not at all; one that exists is kept unless `force` says otherwise."""
    path = Path(path)
    if path.exists() and not force:
        raise complain("the file exists already; --force writes over it", file=str(path))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, data)
    except OSError as error:
        raise complain(f"cannot be written: {error.strerror}", file=str(path)) from None


def _replace(path: Path, data: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        # mkstemp makes files that only their owner can read
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
