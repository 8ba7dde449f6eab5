"""Flags and comments of judges on items, and items that they skipped."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Boolean, Column, Text, false, text

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the columns, with which no decision is flagged, and the index of flagged decisions."""
    for name in ("flag", "comment"):
        op.add_column("decisions", Column(name, Text, nullable=False, server_default=""))
    op.add_column("decisions", Column("skipped", Boolean, nullable=False, server_default=false()))
    # PostgreSQL gets the condition of SQLite (see jurat.store.schema)
    where = text("flag <> ''")
    op.create_index("decisions_flagged", "decisions", ["campaign_id", "id"], sqlite_where=where)
