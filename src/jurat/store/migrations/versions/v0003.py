"""Site coordinators, campaigns in preparation, editions of declarations, pending volunteers.

The tables are written out here, not taken from `jurat.store.schema`: those go on changing.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    false,
)

from jurat.store.schema import ID, TIME, partial_index, required

revision = "0003"
down_revision = "0002"

metadata = MetaData()

Table("campaigns", metadata, Column("id", ID, primary_key=True))

editions = Table(
    "editions",
    metadata,
    Column("campaign_id", ID, ForeignKey("campaigns.id"), primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    *required(Text, "title", "declaration"),
)

coordinators = Table(
    "coordinators",
    metadata,
    Column("id", ID, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("login", Text, nullable=False, unique=True),
    *required(Text, "password_hash", "token_hash"),
    Column("disabled", Boolean, nullable=False),
    Column("created", TIME, nullable=False),
    Column("seen_at", TIME),
    Column("failures", Integer, nullable=False),
    Column("locked_until", TIME),
)
partial_index("coordinators_by_token", "token_hash <> ''", coordinators.c.token_hash, unique=True)

preparations = Table(
    "preparations",
    metadata,
    Column("id", ID, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    *required(Text, "owner", "declaration"),
    Column("edition", Integer, nullable=False),
    *required(TIME, "created", "updated"),
)

preparation_files = Table(
    "preparation_files",
    metadata,
    Column(
        "preparation_id", ID, ForeignKey("preparations.id"), primary_key=True, autoincrement=False
    ),
    Column("name", Text, primary_key=True),
    Column("size", BigInteger, nullable=False),
    Column("digest", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),
)

site_log = Table(
    "site_log",
    metadata,
    Column("id", ID, primary_key=True),
    Column("at", TIME, nullable=False),
    *required(Text, "author", "action", "details"),
)

NEW = [editions, coordinators, preparations, preparation_files, site_log]


def upgrade() -> None:
    """Add the tables, and the columns for pending accounts and addresses for reminders."""
    metadata.create_all(op.get_bind(), tables=NEW, checkfirst=False)
    op.add_column("judges", Column("pending", Boolean, nullable=False, server_default=false()))
    op.add_column("judges", Column("address", Text, nullable=False, server_default=""))
    op.create_index("assignments_of_campaign", "assignments", ["campaign_id", "id"])
