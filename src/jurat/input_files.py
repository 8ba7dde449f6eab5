"""Loads what a user names: a file, all files of a folder, standard input, or bytes."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from jurat.errors import InputError, Problem, input_error, raise_problems
from jurat.model import File

# Bytes; a larger file is refused before it is read.
LARGEST = 1 << 30
# Files of a folder at most.
MOST_FILES = 10_000
# The path that stands for standard input, and the name of bytes.
STANDARD_INPUT, BYTES = "-", "data"
# Larger files of these endings stay on the disk: they are read line by line.
LINES, LARGE = ("jsonl", "ndjson"), 1 << 24


class FileOnDisk(File, frozen=True):
    """A large file of lines, whose content is in memory only while `data` is used.

    Raises `InputError` where it cannot be read, as `load_file` does.
    """

    @property  # type: ignore[misc]
    def data(self) -> bytes:
        with self.open() as stream:
            return stream.read()

    @property
    def size(self) -> int:
        return Path(self.name).stat().st_size

    def open(self) -> BinaryIO:
        try:
            return Path(self.name).open("rb")
        except OSError as error:
            raise _unreadable(Path(self.name), error) from None


def load(source: Path | str | bytes | File) -> list[File]:
    """The content of a file, of all files below a folder, of standard input (`-`), or the bytes.

    Raises `InputError` for files that cannot be read or are too large.
    """
    if isinstance(source, File):
        return [source]
    if isinstance(source, bytes):
        return [File(BYTES, source)]
    path = Path(source)
    return [load_file(each) for each in _inside(path)] if path.is_dir() else [load_file(path)]


def load_all(sources: Iterable[Path | str]) -> list[File]:
    """The contents of several sources; raises one `InputError` for all that cannot be read."""
    files: list[File] = []
    problems: list[Problem] = []
    # all problems at once, so that a user can fix them together
    for source in sources:
        try:
            files += load(source)
        except InputError as error:
            problems += error.problems
    raise_problems(problems)
    return files


def load_file(path: Path | str) -> File:
    """The content of one file or of standard input; raises `InputError` if it cannot be read."""
    if str(path) == STANDARD_INPUT:
        return _small_enough(File(STANDARD_INPUT, sys.stdin.buffer.read(LARGEST + 1)))
    path = Path(path)
    check_readable(path)
    size = path.stat().st_size
    _refuse_large(str(path), size)
    found = FileOnDisk(str(path), b"")
    if size > LARGE and found.ending in LINES:
        # opened once, so that one that cannot be read is refused here
        found.open().close()
        return found
    try:
        return File(str(path), path.read_bytes())
    except OSError as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: OSError) -> InputError:
    return input_error(f"cannot be read: {error.strerror}", file=str(path))


def check_readable(path: Path) -> None:
    """Raise `InputError` unless the path is a file."""
    if not path.exists():
        raise input_error("there is no such file", file=str(path))
    if not path.is_file():
        raise input_error("this is not a file", file=str(path))


def _inside(folder: Path) -> list[Path]:
    """The files below a folder, sorted; those whose name begins with a dot are left out."""
    found = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and not any(p.startswith(".") for p in path.relative_to(folder).parts)
    )
    if not found:
        raise input_error("the folder has no files", file=str(folder))
    if len(found) > MOST_FILES:
        message = f"the folder has {len(found):,} files; at most {MOST_FILES:,} are read"
        raise input_error(message, file=str(folder))
    return found


def _small_enough(file: File) -> File:
    _refuse_large(file.name, len(file.data))
    return file


def _refuse_large(name: str, size: int) -> None:
    if size > LARGEST:
        message = f"the file has {size:,} bytes; the limit is {LARGEST:,}"
        raise input_error(message, file=name)
