"""From files to the long tables: the formats of other tools, and plain tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import polars as pl

from jurat.decoding import as_utf8
from jurat.errors import InputError, Problem, input_error, raise_problems, unknown_name
from jurat.formats.detection import recognise
from jurat.formats.exported_tables import split_tables
from jurat.formats.file_format import FORMATS, FileFormat, ImportedCampaign, ReadTables
from jurat.formats.file_head import Sample
from jurat.formats.long_rows import ITEM_PARTS, merged
from jurat.model import File
from jurat.tables import Intake, TableOptions, open_tables
from jurat.tables.archives import unpacked
from jurat.tables.column_guess import Guess, with_guessed_columns
from jurat.tables.io import READABLE, OpenedTable, concatenated, open_table, same_content
from jurat.tables.preferences import Joined, tells_preferences, with_rankings

# Changes a plain table before it is read as judgments.
Prepare = Callable[[pl.DataFrame, Intake], pl.DataFrame]


def read_judgments(
    files: Sequence[File],
    intake: Intake | None = None,
    *,
    options: TableOptions | None = None,
    prepare: Prepare | None = None,
    joined: Joined = "keep",
) -> ReadTables:
    """The long tables that the files hold together: judgments, preferences, spans and others.

    Each file is recognised by its content; what no format recognises is a plain table, of judgments
    or preferences, whose columns the intake maps. Rankings are also given as preferences.

    Args:
        files: the files, as `load` gives them.
        intake: the options for plain tables.
        options: how files are opened: their format, and the sheet and heading of plain tables.
        prepare: changes the plain table before it is read.
        joined: whether systems joined by `+` in rankings stay one competitor.

    Raises:
        InputError: for files that cannot be read; nothing is half-read.
    """
    opened = open_files(files)
    groups = _by_format(opened.files, options.read_as if options else "")
    alike = [own for kind, own in groups.items() if kind is None or not kind.names_tell]
    raise_problems(list(same_content([file for own in alike for file in own])))
    plain, others = _tables_alone(groups.pop(None, []), alone=not groups)
    parts = [_read(kind, own, options) for kind, own in groups.items() if kind is not None]
    if plain:
        plain, beside = split_tables(plain)
        parts.append(_plain(plain, intake or Intake(), options, prepare))
        parts.append(ReadTables(tables=beside))
    found = merged([*parts, ReadTables(notes=(*opened.notes, *others))])
    if not any(name != "translations" or rows.height for name, rows in found.tables.items()):
        titles = ", ".join(kind.title for kind in groups if kind is not None)
        told = "; ".join((titles, *found.notes))
        raise input_error(f"there are no judgments here: {told}", file=files[0].name)
    return replace(found, tables=with_rankings(found.tables, joined=joined))


def read_scores_table(files: Sequence[File]) -> pl.DataFrame:
    """The metric scores in files: the long table of a format, or a plain table as it is.

    Raises `InputError` for files without scores.
    """
    groups = _by_format(open_files(files).files, "")
    plain = groups.pop(None, [])
    found = merged(kind().read(own) for kind, own in groups.items() if kind is not None)
    frames = [found.tables["scores"]] if "scores" in found.tables else []
    if plain:
        frames.append(open_tables(plain).frame)
    if not frames:
        titles = ", ".join(kind.title for kind in groups if kind is not None)
        raise input_error(f"there are no metric scores in {titles}", file=files[0].name)
    return concatenated(frames)


def read_campaign(files: Sequence[File]) -> ImportedCampaign:
    """The campaign of another tool that the files declare together.

    Raises `InputError` if they are of several formats, or of one without campaigns.
    """
    # an empty file may be the log of a campaign in which nobody has judged yet
    told = [file for file in files if file.size] or files
    groups = _by_format(open_files(told).files, "")
    kind = next(iter(groups))
    known = tuple(k.name for k in FORMATS if k.campaign is not FileFormat.campaign)
    if len(groups) > 1 or kind is None or kind.name not in known:
        message = "these files declare no campaign of another tool"
        raise input_error(message, file=files[0].name, allowed=known)
    return kind().campaign(groups[kind])


def with_texts(tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """The judgments with the columns source, translation and reference, where these are known."""
    judgments = tables["judgments"]
    texts = tables.get("translations")
    if texts is None:
        return judgments
    keys = [name for name in ITEM_PARTS if name in judgments.columns]
    told = texts.rename({"reference": "ref"}).drop(n for n in ITEM_PARTS if n not in keys)
    known = told.select(n for n in told.columns if told[n].null_count() < told.height)
    return judgments.join(
        known.unique(keys, keep="first"),
        on=keys,
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )


# The name that stands for a table without a format of its own.
PLAIN = "table"


class OpenedFiles(NamedTuple):
    """Files as formats read them: unpacked and in UTF-8; and what was converted."""

    files: list[File]
    notes: tuple[str, ...]


def open_files(files: Sequence[File]) -> OpenedFiles:
    """The files with archives opened and texts in UTF-8; raises `InputError` for damaged ones."""
    found: list[File] = []
    notes: list[str] = []
    for member in (member for file in files for member in unpacked(file)):
        converted, encoding = as_utf8(member)
        found.append(converted)
        if encoding:
            notes.append(f"{member.name} is not in UTF-8; it is read as {encoding}")
    return OpenedFiles(found, tuple(notes))


def open_other_table(file: File) -> OpenedTable:
    """A table beside the judgments, such as a list of items or of texts, and notes on its reading.

    Encodings and archives are those of judgments. Raises `InputError` if it cannot be read.
    """
    members, notes = open_files([file])
    if len(members) != 1:
        names = tuple(member.name for member in members)
        raise input_error("the archive holds several files; give one of them", allowed=names)
    opened = open_table(members[0])
    return OpenedTable(opened.frame, (*notes, *opened.notes))


def _tables_alone(files: Sequence[File], *, alone: bool) -> tuple[Sequence[File], tuple[str, ...]]:
    """The files that can be tables, and a note on the others, such as README.md in a folder.

    All of them where no file has another format: what is wrong with them is said later.
    """
    if alone:
        return files, ()
    others = [file.name for file in files if file.ending not in READABLE]
    note = f"left out, files that hold no judgments: {', '.join(others)}"
    return [file for file in files if file.ending in READABLE], (note,) if others else ()


def _read(
    kind: type[FileFormat], files: Sequence[File], options: TableOptions | None
) -> ReadTables:
    """The tables of files of a format; where a user chose it wrongly, the error names another."""
    try:
        return kind().read(files)
    except InputError as error:
        if not options or not options.read_as:
            raise
        others = [
            Problem(message=f"it looks like {other.title}: --read-as {other.name}", file=file.name)
            for file in files
            if (other := recognise(file)) not in (None, kind) and other is not None
        ]
        raise InputError((*error.problems[:1], *others) if others else error.problems) from None


def _plain(
    files: Sequence[File], intake: Intake, options: TableOptions | None, prepare: Prepare | None
) -> ReadTables:
    table, notes = open_tables(files, options)
    found = read_frame(table, intake, prepare=prepare)
    return replace(found, notes=(*notes, *found.notes))


def read_frame(
    table: pl.DataFrame, intake: Intake, *, prepare: Prepare | None = None
) -> ReadTables:
    """A plain table as judgments or preferences, whichever its columns tell.

    Raises `InputError` where it cannot be told what the columns hold.
    """
    table = prepare(table, intake) if prepare else table
    if tells_preferences(table, intake):
        return ReadTables(tables={"preferences": table})
    # tables that a command has prepared have the columns it needs
    guess = Guess(table) if prepare else with_guessed_columns(table, intake)
    return ReadTables(tables={"judgments": guess.table}, notes=guess.notes)


def _by_format(files: Sequence[File], name: str) -> dict[type[FileFormat] | None, list[File]]:
    """The files of each format, in the order in which formats first occur."""
    groups: dict[type[FileFormat] | None, list[File]] = {}
    problems: list[Problem] = []
    for file in files:
        try:
            kind = _named(name) if name else recognise(file)
        except InputError as error:
            problems += error.problems
        else:
            groups.setdefault(kind, []).append(file)
    raise_problems(problems)
    return _with_companions(groups)


def _with_companions(
    groups: dict[type[FileFormat] | None, list[File]],
) -> dict[type[FileFormat] | None, list[File]]:
    """The groups, with tables that belong to files of a format, such as the texts they are of."""
    formats = [kind for kind in groups if kind is not None]
    for file in tuple(groups.get(None, ())):
        if kind := next((kind for kind in formats if kind().accompanies(Sample(file))), None):
            groups[kind].append(file)
            groups[None].remove(file)
    return groups if groups.get(None, True) else {kind: groups[kind] for kind in formats}


def _named(name: str) -> type[FileFormat] | None:
    """The format of that name; None for a plain table. Raises `InputError` for unknown names."""
    if name == PLAIN:
        return None
    if name not in FORMATS.kinds:
        raise unknown_name("format", name, (*FORMATS.kinds, PLAIN), field="--read-as")
    return FORMATS[name]
