"""From the long tables to files of other tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from jurat.errors import input_error, unknown_name
from jurat.formats.export_rows import QUESTIONS, TRANSLATIONS, WORK, of_own_questions
from jurat.formats.file_format import ReadTables, WrittenFiles, writers
from jurat.formats.losses import left_out
from jurat.tables import ENDINGS, Intake, Judgments
from jurat.tables.chosen_rows import counted
from jurat.tables.item_names import shared_items
from jurat.tables.preferences import Preferences
from jurat.tables.schema import SUGGESTIONS, hidden

# The texts, what judges are still to judge, and what they are asked: no judgments, of which some
# rows count.
BESIDE = (TRANSLATIONS, WORK, QUESTIONS)
# Formats that need not be named, since nothing else has their ending.
BY_ENDING = {"xlsx": "excel"}


def writer_name(ending: str, to: str | None) -> str | None:
    """The format that is meant by the ending of a file, or by its name; None for a long table.

    Raises `InputError` if there is no such format.
    """
    name = to or BY_ENDING.get(ending, ending)
    if name in ENDINGS:
        return None
    if name not in writers():
        raise unknown_name("format", name, (*ENDINGS, *writers()), field="--to" if to else None)
    return name


def write_judgments(tables: Mapping[str, pl.DataFrame], name: str, *, ending: str) -> WrittenFiles:
    """Tables whose rows count, as files of the format of that name.

    `ending` is that of the file to be written; it is empty for a folder. Raises `InputError` where
    the format holds nothing of these tables.
    """
    kind = writers()[name]
    given = {
        n: table for n, table in tables.items() if n not in (WORK, QUESTIONS) or n in kind.holds
    }
    if not given.keys() - {TRANSLATIONS, QUESTIONS}:
        raise input_error("there is nothing to write: no judgment counts yet")
    written = kind().write(given, ending=ending)
    # preferences that follow from scores can be computed again, where these are written
    held = {n: table for n, table in tables.items() if n in kind.holds}
    others = {n: table for n, table in tables.items() if n not in (*kind.holds, *BESIDE)}
    lost = {
        # what was suggested follows from nothing that a format holds
        n: (table if n == SUGGESTIONS.name else of_own_questions(table, held)).height
        for n, table in others.items()
    }
    return replace(written, notes=(*written.notes, *left_out(lost, kind.title)))


def counting_tables(
    read: ReadTables, intake: Intake | None = None, *, items: pl.DataFrame | None = None
) -> ReadTables:
    """The rows that count of tables as they were read, and notes on what was left out.

    The options of the intake apply to judgments and preferences. Raises `InputError` as these do.
    """
    tables: dict[str, pl.DataFrame] = {}
    notes = list(read.notes)
    for name, frame in read.tables.items():
        if name == "judgments":
            judgments = Judgments(frame, intake, items=items)
            tables[name] = shared_items(judgments.frame)
            notes += judgments.notes
        elif name == "preferences":
            chosen = intake.for_pairs() if intake else None
            tables[name] = Preferences(frame, chosen, items=items).frame
        else:
            tables[name] = frame if name in BESIDE else counted(frame, "")
        if (gone := frame.height - tables[name].height) > 0:
            notes.append(f"left out, {name} that do not count or were not chosen: {gone:,}")
    told = {
        name: frame.drop(column for column in frame.columns if hidden(column))
        for name, frame in tables.items()
        if frame.height
    }
    return ReadTables(tables=told, notes=tuple(dict.fromkeys(notes)))
