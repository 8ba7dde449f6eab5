"""Messages of coordinators to judges.

The tables are written out here, not taken from `jurat.store.schema`: those go on changing.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, ForeignKey, MetaData, Table, Text, UniqueConstraint

from jurat.store.schema import ID, TIME, required

revision = "0006"
down_revision = "0005"

metadata = MetaData()

Table("campaigns", metadata, Column("id", ID, primary_key=True))
Table("judges", metadata, Column("id", ID, primary_key=True))

messages = Table(
    "messages",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    Column("key", Text, nullable=False),
    Column("judge_id", ID, ForeignKey("judges.id")),
    *required(Text, "text", "author"),
    Column("sent_at", TIME, nullable=False),
    Column("withdrawn_at", TIME),
    UniqueConstraint("campaign_id", "key", name="messages_by_key"),
)

dismissals = Table(
    "dismissals",
    metadata,
    Column("message_id", ID, ForeignKey("messages.id"), primary_key=True, autoincrement=False),
    Column("judge_id", ID, ForeignKey("judges.id"), primary_key=True, autoincrement=False),
    Column("dismissed_at", TIME, nullable=False),
)


def upgrade() -> None:
    """Add the tables."""
    metadata.create_all(op.get_bind(), tables=[messages, dismissals], checkfirst=False)
