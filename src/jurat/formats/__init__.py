"""Reads judgments and scores from other tools' files and from plain tables: one module a format.

`read_judgments` is the one way from files to the long tables; every analysing command uses it. A
format is recognised by the content of a file. To add one, put a module with a subclass of
`FileFormat` into this folder, or declare an entry point in the group `jurat.formats`.
"""

from jurat.formats.file_format import FORMATS, FileFormat, ReadTables, recognise
from jurat.formats.read import (
    open_other_table,
    read_frame,
    read_judgments,
    read_scores_table,
    with_texts,
)
from jurat.input_files import load

__all__ = [
    "FORMATS",
    "FileFormat",
    "ReadTables",
    "load",
    "open_other_table",
    "read_frame",
    "read_judgments",
    "read_scores_table",
    "recognise",
    "with_texts",
]
