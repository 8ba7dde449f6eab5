"""The long tables from which everything is computed, and the ways into them."""

from jurat.tables.columns import (
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
from jurat.tables.files import ENDINGS, read_table, read_tables, write_table
from jurat.tables.intake import Intake, Judgments, OwnJudgments

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
