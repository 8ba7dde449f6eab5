"""Judgments and scores in other tools' files and in plain tables: one module a format.

`read_judgments` is the one way from files to the long tables; every analysing command uses it.
`write_judgments` is the way back. A format is recognised by the content of a file. To add one, put
a module with a subclass of `FileFormat` into this folder, or declare an entry point in the group
`jurat.formats`.
"""

from jurat.formats.detection import recognise
from jurat.formats.file_format import (
    FORMATS,
    FileFormat,
    ImportedCampaign,
    ReadTables,
    WrittenFiles,
    writers,
)
from jurat.formats.read import (
    open_other_table,
    read_campaign,
    read_frame,
    read_judgments,
    read_scores_table,
    with_texts,
)
from jurat.formats.write import counting_tables, write_judgments, writer_name
from jurat.input_files import load

__all__ = [
    "FORMATS",
    "FileFormat",
    "ImportedCampaign",
    "ReadTables",
    "WrittenFiles",
    "counting_tables",
    "load",
    "open_other_table",
    "read_campaign",
    "read_frame",
    "read_judgments",
    "read_scores_table",
    "recognise",
    "with_texts",
    "write_judgments",
    "writer_name",
    "writers",
]
