"""The long tables (one row per answer) from which everything is computed, and reading them.

`schema` says which columns they have, `io` reads and writes files, `intake` and `preferences` turn
any table of a user's into them, `scores` does the same for metrics.
"""

from jurat.tables.intake import Intake, Judgments, OwnJudgments
from jurat.tables.io import ENDINGS, read_table, read_tables, write_table
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
    "OwnJudgments",
    "Table",
    "conform",
    "need",
    "read_table",
    "read_tables",
    "write_table",
]
