"""Tokens of the HTTP API.

The table is written out here, not taken from `jurat.store.schema`: that goes on changing.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, ForeignKey, MetaData, Table, Text

from jurat.store.schema import ID, TIME, Json, required

revision = "0008"
down_revision = "0007"

metadata = MetaData()

Table("coordinators", metadata, Column("id", ID, primary_key=True))

api_tokens = Table(
    "api_tokens",
    metadata,
    Column("id", ID, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("coordinator_id", ID, ForeignKey("coordinators.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("token_hash", Text, nullable=False, unique=True),
    Column("scopes", Json, nullable=False),
    *required(TIME, "created", "expires"),
    Column("revoked", TIME),
    Column("used", TIME),
)


def upgrade() -> None:
    """Add the table."""
    metadata.create_all(op.get_bind(), tables=[api_tokens], checkfirst=False)
