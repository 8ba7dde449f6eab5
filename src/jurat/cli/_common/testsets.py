"""The arguments and options of commands that read or write a test set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from jurat.cli._common import PATH, Decorator, file_option, force_option, with_options
from jurat.errors import counted
from jurat.files import read_files, writable, write_file

if TYPE_CHECKING:
    from jurat.model import TestSet
    from jurat.testsets import Role, SetFile


class TestSetArguments(msgspec.Struct, kw_only=True):
    """The files of a test set as given on the command line, with their roles."""

    files: tuple[Path, ...] = ()
    source: str | None = None
    references: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    documents_file: Path | None = None
    document_column: str | None = None
    segment_column: str | None = None
    ignored: tuple[str, ...] = ()
    format: str | None = None

    def read(self) -> TestSet:
        """The test set; raises `InputError` with the problems of all files."""
        from jurat.testsets import read_test_set

        return read_test_set(self.set_files(), format=self.format)

    def set_files(self) -> list[SetFile]:
        """All files with their roles, and the roles of their columns."""
        from jurat.testsets import FORMATS, SetFile

        if self.format:
            FORMATS[self.format]  # raises `InputError` for an unknown name
        columns = dict(self._columns())
        roled = list(self._roled_files())
        read = read_files([*self.files, *(path for path, _ in roled)])
        if not read:
            raise click.UsageError("Give at least one file.")
        roles = [*(None for _ in self.files), *(role for _, role in roled)]
        return [
            # options name columns of tables, and a file with a role of its own is no such table
            SetFile(file.name, file.data, role, {} if role else columns)
            for file, role in zip(read, roles, strict=True)
        ]

    def _roled_files(self) -> Iterator[tuple[Path, Role]]:
        from jurat.testsets import Role

        for target, role in self._named():
            if self._is_file(target):
                # there is one source, which needs no name
                named = role.name or ("" if role.kind == "source" else Path(target).stem)
                yield Path(target), Role(role.kind, named)
        if self.documents_file:
            yield self.documents_file, Role("documents")

    def _columns(self) -> Iterator[tuple[str, Role]]:
        from jurat.testsets import Role

        yield from ((column, role) for column, role in self._named() if not self._is_file(column))
        if self.document_column:
            yield self.document_column, Role("document")
        if self.segment_column:
            yield self.segment_column, Role("segment")
        yield from ((column, Role("ignore")) for column in self.ignored)

    def _named(self) -> Iterator[tuple[str, Role]]:
        """The file or column that each option names as source, reference or system."""
        from jurat.testsets import Role

        if self.source is not None:
            yield self.source, Role("source")
        # split at the last `=`; without one, the whole value is the file, and the name is empty
        for value in self.references:
            name, _, target = value.rpartition("=")
            yield target, Role("reference", name)
        for value in self.systems:
            name, _, target = value.rpartition("=")
            yield target, Role("system", name)

    def _is_file(self, target: str) -> bool:
        """Whether an option names a file; without a table, it cannot name a column."""
        return not self.files or Path(target).is_file()


def takes_test_set(format_option: str = "--format") -> Decorator[Any]:
    """A decorator that adds the options of a test set; the command gets them as `given`."""
    options = (
        click.argument("files", nargs=-1, type=PATH, metavar="FILE..."),
        click.option("--source", metavar="FILE", help="Text file or column with the source."),
        click.option(
            "--reference",
            "references",
            multiple=True,
            metavar="NAME=FILE",
            help="Text file or column with a reference.",
        ),
        click.option(
            "--system",
            "systems",
            multiple=True,
            metavar="NAME=FILE",
            help="Text file or column with a system's translations.",
        ),
        file_option(
            "--documents-file",
            help="For text files: each line's document (and, after a tab, segment id).",
        ),
        click.option("--document-column", metavar="COLUMN", help="Column of document ids."),
        click.option("--segment-column", metavar="COLUMN", help="Column of segment ids."),
        click.option(
            "--ignore", "ignored", multiple=True, metavar="COLUMN", help="Column to ignore."
        ),
        click.option(
            format_option,
            "format",
            metavar="NAME",
            help="Format of the files, if it cannot be recognised.",
        ),
    )

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        # click's arguments are named like the fields
        names = TestSetArguments.__struct_fields__

        @wraps(function)
        def packed(**values: Any) -> None:
            given = TestSetArguments(**{name: values.pop(name) for name in names})
            function(given=given, **values)

        return with_options(packed, options)

    return decorate


def writes_test_set(*, required: bool) -> Decorator[Any]:
    """The command with `--out`, `--to` and `--force`, for a test set to be written."""
    options = (
        click.option("--out", type=PATH, required=required, help="File or folder to write."),
        click.option("--to", metavar="NAME", help="Format of --out, if its ending is ambiguous."),
        force_option,
    )
    return lambda function: with_options(function, options)


def write_given(
    test_set: TestSet, out: Path, *, to: str | None, force: bool, quiet: bool = False
) -> None:
    """Write a test set to the file `out`, or into that folder where the format needs several files.

    Prints what was written, with `quiet` to stderr, so that stdout stays JSON.
    """
    from jurat.testsets import format_for, lost, write_test_set

    name = to or format_for(str(out))
    files = write_test_set(test_set, name)
    paths = [out] if len(files) == 1 else [out / file.name for file in files]
    for path in paths:
        writable(path, force=force)
    # computed before anything is written, since it may raise
    losses = lost(test_set, name)
    for path, file in zip(paths, files, strict=True):
        write_file(path, file.data, force=force)
    for loss in losses:
        click.echo(f"{name} cannot hold: {loss}", err=True)
    click.echo(f"{out}: {size(test_set)}", err=quiet)


def size(test_set: TestSet) -> str:
    """The size of a test set: `12 documents, 54 segments, 4 systems, 2 references`."""
    documents = counted(len(test_set.documents), "document")
    segments = counted(sum(1 for _ in test_set.segments()), "segment")
    systems = counted(len(test_set.systems), "system")
    return f"{documents}, {segments}, {systems}, {counted(len(test_set.references), 'reference')}"
