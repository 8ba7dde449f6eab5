"""What judges answer in questionnaires.

The table is written out here, not taken from `jurat.store.schema`: that goes on changing.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, ForeignKey, Index, MetaData, Table, Text, UniqueConstraint

from jurat.store.schema import ID, TIME, Json, required

revision = "0009"
down_revision = "0008"

metadata = MetaData()

Table("campaigns", metadata, Column("id", ID, primary_key=True))
Table("judges", metadata, Column("id", ID, primary_key=True))

questionnaires = Table(
    "questionnaires",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    Column("judge_id", ID, ForeignKey("judges.id"), nullable=False),
    Column("moment", Text, nullable=False),
    Column("answers", Json, nullable=False),
    *required(Text, "consent", "language"),
    Column("answered_at", TIME, nullable=False),
    UniqueConstraint("judge_id", "moment", name="questionnaires_of_judge"),
)
Index("questionnaires_of_campaign", questionnaires.c.campaign_id, questionnaires.c.id)


def upgrade() -> None:
    """Add the table."""
    metadata.create_all(op.get_bind(), tables=[questionnaires], checkfirst=False)
