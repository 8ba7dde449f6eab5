"""A name or a note beside the PIN of an account."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Text

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column."""
    op.add_column("judges", Column("note", Text, nullable=False, server_default=""))
