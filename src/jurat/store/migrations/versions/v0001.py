"""The first schema.

The tables are written out here, not taken from `jurat.store.schema`: those go on changing.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

from jurat.store.schema import ID, TIME, partial_index, required

revision = "0001"
down_revision = None

metadata = MetaData()

Table(
    "campaigns",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    *required(Text, "title", "declaration", "protocols"),
    Column("test_set", LargeBinary, nullable=False),
    Column("tutorial", LargeBinary),
    Column("seed", BigInteger, nullable=False),
    Column("created", TIME, nullable=False),
)

Table(
    "phases",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    *required(Text, "task", "phase", "state", "reason"),
    Column("wanted", BigInteger),
    Column("stages", Integer, nullable=False),
    Column("advance", Text, nullable=False),
    Column("apart", Boolean, nullable=False),
    UniqueConstraint("campaign_id", "task", "phase", name="phases_of_campaign"),
)

kits = Table(
    "kits",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    Column("phase_id", ID, ForeignKey("phases.id"), nullable=False),
    Column("number", Integer, nullable=False),
    *required(Text, "block", "group", "systems"),
    Column("size", Integer, nullable=False),
    Column("wanted", BigInteger),
    Column("places", BigInteger, nullable=False),
    UniqueConstraint("phase_id", "number", name="kits_of_phase"),
)
Index("kits_of_campaign", kits.c.campaign_id, kits.c.id)
partial_index("kits_open", "places > 0", kits.c.phase_id, kits.c.number)

Table(
    "items",
    metadata,
    Column("kit_id", ID, ForeignKey("kits.id"), primary_key=True, autoincrement=False),
    Column("index", Integer, primary_key=True, autoincrement=False),
    Column("content", Text, nullable=False),
    sqlite_with_rowid=False,
)

judges = Table(
    "judges",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    *required(Text, "key", "pin", "role", "password_hash", "token_hash", "group", "site", "tags"),
    Column("disabled", Boolean, nullable=False),
    Column("created", TIME, nullable=False),
    Column("seen_at", TIME),
    Column("failures", Integer, nullable=False),
    Column("locked_until", TIME),
    UniqueConstraint("campaign_id", "key", name="judges_by_key"),
    UniqueConstraint("campaign_id", "pin", name="judges_by_pin"),
)
partial_index(
    "judges_by_token", "token_hash <> ''", judges.c.campaign_id, judges.c.token_hash, unique=True
)

assignments = Table(
    "assignments",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    Column("key", Text, nullable=False),
    Column("judge_id", ID, ForeignKey("judges.id"), nullable=False),
    Column("kit_id", ID, ForeignKey("kits.id"), nullable=False),
    Column("phase_id", ID, ForeignKey("phases.id"), nullable=False),
    *required(Text, "block", "state"),
    Column("probability", Double, nullable=False),
    Column("position", Integer, nullable=False),
    Column("shown_at", TIME),
    Column("lease_until", TIME),
    Column("created", TIME, nullable=False),
    Column("finished", TIME),
    Column("decided_at", TIME),
    Column("timed", Integer, nullable=False),
    Column("timed_seconds", Double, nullable=False),
    *required(Text, "author", "reason"),
    Column("changes", BigInteger, nullable=False),
    UniqueConstraint("campaign_id", "key", name="assignments_by_key"),
)
Index(
    "assignments_had",
    assignments.c.judge_id,
    assignments.c.phase_id,
    assignments.c.block,
    assignments.c.kit_id,
)
partial_index(
    "assignments_once",
    "state IN ('open', 'done')",
    assignments.c.judge_id,
    assignments.c.kit_id,
    unique=True,
)
partial_index("assignments_open", "state = 'open'", assignments.c.judge_id, assignments.c.id)
partial_index(
    "assignments_leased", "state = 'open'", assignments.c.campaign_id, assignments.c.lease_until
)

decisions = Table(
    "decisions",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, nullable=False),
    Column("assignment_id", ID, ForeignKey("assignments.id"), nullable=False),
    *required(Integer, "position", "revision"),
    Column("answers", Text, nullable=False),
    Column("shown_at", TIME),
    Column("decided_at", TIME, nullable=False),
    Column("seconds", Double),
    Column("active_seconds", Double),
    *required(Text, "language", "status", "author", "reason"),
    UniqueConstraint("assignment_id", "position", "revision", name="decisions_by_key"),
)
Index("decisions_of_campaign", decisions.c.campaign_id, decisions.c.id)

Table(
    "drafts",
    metadata,
    Column(
        "assignment_id", ID, ForeignKey("assignments.id"), primary_key=True, autoincrement=False
    ),
    Column("position", Integer, nullable=False),
    Column("content", Text, nullable=False),
)

adjudications = Table(
    "adjudications",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    Column("kit_id", ID, ForeignKey("kits.id"), nullable=False),
    Column("index", Integer, nullable=False),
    *required(Text, "answers", "author", "reason"),
    Column("decided_at", TIME, nullable=False),
)
Index("adjudications_of_campaign", adjudications.c.campaign_id, adjudications.c.id)

audit = Table(
    "audit",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    Column("at", TIME, nullable=False),
    *required(Text, "author", "action", "details"),
)
Index("audit_of_campaign", audit.c.campaign_id, audit.c.id)


def upgrade() -> None:
    """Make the tables."""
    metadata.create_all(op.get_bind(), checkfirst=False)


def downgrade() -> None:
    """Drop the tables, with all that is in them."""
    metadata.drop_all(op.get_bind())
