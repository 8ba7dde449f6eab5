"""Media that judges are shown, and how long they were played.

The tables are written out here, not taken from `jurat.store.schema`: those go on changing.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

from jurat.store.schema import ID, Bytes, required

revision = "0010"
down_revision = "0009"

metadata = MetaData()

Table("campaigns", metadata, Column("id", ID, primary_key=True))

media_files = Table(
    "media_files",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    *required(Text, "name", "digest", "type"),
    Column("size", BigInteger, nullable=False),
    UniqueConstraint("campaign_id", "name", name="media_files_by_name"),
)
Index("media_files_by_digest", media_files.c.campaign_id, media_files.c.digest)

media_chunks = Table(
    "media_chunks",
    metadata,
    Column(
        "media_file_id", ID, ForeignKey("media_files.id"), primary_key=True, autoincrement=False
    ),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("content", Bytes, nullable=False),
)


def upgrade() -> None:
    """Add the tables, and the column to decisions."""
    metadata.create_all(op.get_bind(), tables=[media_files, media_chunks], checkfirst=False)
    op.add_column("decisions", Column("played_seconds", Double))
