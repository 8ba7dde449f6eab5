"""The long tables, with a row per answer, from which everything is computed.

`schema` defines their columns, `io` reads and writes files, `intake` and `preferences` turn users'
tables into long tables, and `scores` does the same for metric scores.
"""

from jurat.tables.intake import Intake, Judgments, OwnJudgments
from jurat.tables.io import (
    ENDINGS,
    OpenedTable,
    TableOptions,
    open_tables,
    read_table,
    read_tables,
    write_table,
)
from jurat.tables.schema import (
    JUDGMENTS,
    PREFERENCES,
    RANKINGS,
    SCORES,
    SPANS,
    TABLES,
    TEXTS,
    Column,
    Table,
    conform,
    need,
)

__all__ = [
    "ENDINGS",
    "JUDGMENTS",
    "PREFERENCES",
    "RANKINGS",
    "SCORES",
    "SPANS",
    "TABLES",
    "TEXTS",
    "Column",
    "Intake",
    "Judgments",
    "OpenedTable",
    "OwnJudgments",
    "Table",
    "TableOptions",
    "conform",
    "need",
    "open_tables",
    "read_table",
    "read_tables",
    "write_table",
]
