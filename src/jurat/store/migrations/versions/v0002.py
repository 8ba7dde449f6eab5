"""A table for the store's own settings, such as the key that its servers sign with."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Text

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "settings",
        Column("name", Text, primary_key=True),
        Column("value", Text, nullable=False),
    )
