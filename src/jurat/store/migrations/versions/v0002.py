"""A place for what the store keeps about itself: the secret that its servers sign with."""

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


def downgrade() -> None:
    """Take it away; whoever is logged in has to do it again."""
    op.drop_table("settings")
