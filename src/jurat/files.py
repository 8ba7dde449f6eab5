"""Reads and writes files; commands and the library open no file by other means."""

from __future__ import annotations

import io
import os
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from jurat.errors import InputError, Problem, input_error, raise_problems
from jurat.input_files import check_readable, load_all, load_file
from jurat.model import File

# Called with each file that was read: the command line records the files of an analysis.
listeners: list[Callable[[File], None]] = []


def read_file(path: Path | str) -> File:
    """The content of a file or of standard input (`-`); raises `InputError` if it is unreadable."""
    return _announced(load_file(path))


def read_sources(paths: Iterable[Path | str]) -> list[File]:
    """The contents of several files, and of all files below folders.

    Raises one `InputError` for all that cannot be read.
    """
    return [_announced(file) for file in load_all(paths)]


def _announced(file: File) -> File:
    for listener in listeners:
        listener(file)
    return file


def read_files(paths: Iterable[Path | str]) -> list[File]:
    """The contents of several files; raises one `InputError` for all that cannot be read."""
    files: list[File] = []
    problems: list[Problem] = []
    # all problems at once, so that a user can fix them together
    for path in paths:
        try:
            files.append(read_file(path))
        except InputError as error:
            problems += error.problems
    raise_problems(problems)
    return files


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip of files, by their names."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return file.getvalue()


@contextmanager
def reading(path: Path | str) -> Iterator[BinaryIO]:
    """The file opened for reading; raises `InputError` if it cannot be read."""
    check_readable(Path(path))
    try:
        with Path(path).open("rb") as file:
            yield file
    except OSError as error:
        raise input_error(f"cannot be read: {error.strerror}", file=str(path)) from None


def writable(path: Path, *, force: bool) -> None:
    """Raise `InputError` if the file exists, unless `force`."""
    if path.exists() and not force:
        raise input_error("the file exists already; --force overwrites it", file=str(path))


def write_file(
    path: Path | str, data: bytes, *, force: bool = False, private: bool = False
) -> None:
    """Write a file, whole or not at all; raises `InputError` if it exists, unless `force`.

    A `private` file has secrets, such as passwords, and only its owner may read it.
    """
    with writing(path, force=force, private=private) as out:
        out.write(data)


@contextmanager
def writing(path: Path | str, *, force: bool = False, private: bool = False) -> Iterator[BinaryIO]:
    """A temporary file to write to, which replaces `path` at the end if nothing was raised.

    Only its owner may read a `private` one.
    """
    path = Path(path)
    writable(path, force=force)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _replacing(path, private=private) as out:
            yield out
    except OSError as error:
        raise input_error(f"cannot be written: {error.strerror}", file=str(path)) from None


@contextmanager
def _replacing(path: Path, *, private: bool) -> Iterator[BinaryIO]:
    # in the same folder, because only there renaming is atomic
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w+b") as out:
            yield out
            if private:
                # on disk before it replaces the old one: a backup must survive a power failure
                out.flush()
                os.fsync(out.fileno())
        if not private:
            # mkstemp makes files that only their owner may read: give this the usual permissions
            umask = os.umask(0)
            os.umask(umask)
            Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(path)
    # also on Ctrl+C, so that no temporary file is left behind
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
