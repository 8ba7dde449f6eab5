"""Answers of model judges.

The table is written out here, not taken from `jurat.store.schema`: that goes on changing.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import Boolean, Column, Double, ForeignKey, Index, Integer, MetaData, Table, Text

from jurat.store.schema import ID, TIME, Json, partial_index, required

revision = "0007"
down_revision = "0006"

metadata = MetaData()

Table("campaigns", metadata, Column("id", ID, primary_key=True))
Table("kits", metadata, Column("id", ID, primary_key=True))

model_answers = Table(
    "model_answers",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    Column("kit_id", ID, ForeignKey("kits.id"), nullable=False),
    Column("index", Integer, nullable=False),
    *required(Text, "judge", "model", "error"),
    Column("swapped", Boolean, nullable=False),
    *required(Json, "settings", "messages", "answers"),
    *required(Integer, "attempts", "prompt_tokens", "answer_tokens"),
    Column("cost", Double),
    Column("asked_at", TIME, nullable=False),
    Column("seconds", Double, nullable=False),
)
Index("model_answers_of_campaign", model_answers.c.campaign_id, model_answers.c.id)
partial_index(
    "model_answers_once",
    "error = ''",
    model_answers.c.campaign_id,
    model_answers.c.judge,
    model_answers.c.kit_id,
    model_answers.c.index,
    model_answers.c.swapped,
    unique=True,
)


def upgrade() -> None:
    """Add the table."""
    metadata.create_all(op.get_bind(), tables=[model_answers], checkfirst=False)
