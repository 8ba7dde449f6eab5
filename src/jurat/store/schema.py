"""The tables, the same for both databases.

Numbers are the store's own; what may reach a browser goes by a `key`, random text that is unique in
its campaign. Times are microseconds since 1970 (UTC), plain data is JSON text: both mean the same
to both databases, to the last digit.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
    literal_column,
    text,
)

metadata = MetaData()

# SQLite numbers rows by itself only in a column of exactly this type.
ID = BigInteger().with_variant(Integer, "sqlite")
TIME = BigInteger()


class Json(Text):
    """Plain data as text."""


class Bytes(LargeBinary):
    """Somebody's file as it came; what is `LargeBinary` otherwise is large data of ours."""


# Places in a kit that any number of judges may do.
UNLIMITED = 1 << 40

campaigns = Table(
    "campaigns",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("title", Text, nullable=False),
    Column("declaration", Json, nullable=False),
    Column("protocols", Json, nullable=False),
    Column("test_set", LargeBinary, nullable=False),
    Column("tutorial", LargeBinary),
    Column("seed", BigInteger, nullable=False),
    Column("created", TIME, nullable=False),
)

editions = Table(
    "editions",
    metadata,
    Column("campaign_id", ID, ForeignKey("campaigns.id"), primary_key=True, autoincrement=False),
    # The first one stands in the campaign's own row; what changes comes here, and the last counts.
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("title", Text, nullable=False),
    Column("declaration", Json, nullable=False),
)

phases = Table(
    "phases",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    Column("task", Text, nullable=False),
    Column("phase", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("reason", Text, nullable=False),
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
    Column("block", Text, nullable=False),
    Column("group", Text, nullable=False),
    Column("systems", Json, nullable=False),
    Column("size", Integer, nullable=False),
    Column("wanted", BigInteger),
    # How many more judges may have it: a claim takes one, if there is one, in a single update.
    Column("places", BigInteger, nullable=False),
    UniqueConstraint("phase_id", "number", name="kits_of_phase"),
)
Index("kits_of_campaign", kits.c.campaign_id, kits.c.id)
Index(
    "kits_open",
    kits.c.phase_id,
    kits.c.number,
    sqlite_where=text("places > 0"),
    postgresql_where=text("places > 0"),
)

items = Table(
    "items",
    metadata,
    Column("kit_id", ID, ForeignKey("kits.id"), primary_key=True, autoincrement=False),
    Column("index", Integer, primary_key=True, autoincrement=False),
    Column("content", Json, nullable=False),
    sqlite_with_rowid=False,
)

judges = Table(
    "judges",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    Column("key", Text, nullable=False),
    Column("pin", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("password_hash", Text, nullable=False),
    Column("token_hash", Text, nullable=False),
    Column("group", Text, nullable=False),
    Column("site", Text, nullable=False),
    Column("tags", Json, nullable=False),
    Column("disabled", Boolean, nullable=False),
    Column("created", TIME, nullable=False),
    Column("seen_at", TIME),
    Column("failures", Integer, nullable=False),
    Column("locked_until", TIME),
    Column("pending", Boolean, nullable=False, server_default=false()),
    # Where reminders go, if the coordinator gave one.
    Column("address", Text, nullable=False, server_default=""),
    UniqueConstraint("campaign_id", "key", name="judges_by_key"),
    UniqueConstraint("campaign_id", "pin", name="judges_by_pin"),
)
Index(
    "judges_by_token",
    judges.c.campaign_id,
    judges.c.token_hash,
    unique=True,
    sqlite_where=text("token_hash <> ''"),
    postgresql_where=text("token_hash <> ''"),
)

assignments = Table(
    "assignments",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    Column("key", Text, nullable=False),
    Column("judge_id", ID, ForeignKey("judges.id"), nullable=False),
    Column("kit_id", ID, ForeignKey("kits.id"), nullable=False),
    # The kit's own, so that one index tells what a judge has had.
    Column("phase_id", ID, ForeignKey("phases.id"), nullable=False),
    Column("block", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("probability", Double, nullable=False),
    Column("position", Integer, nullable=False),
    Column("shown_at", TIME),
    Column("lease_until", TIME),
    Column("created", TIME, nullable=False),
    Column("finished", TIME),
    # Of its decisions: the last one, and those short enough for averages.
    Column("decided_at", TIME),
    Column("timed", Integer, nullable=False),
    Column("timed_seconds", Double, nullable=False),
    # Who gave it back or had it done again; nobody, where only the lease was over.
    Column("author", Text, nullable=False),
    Column("reason", Text, nullable=False),
    # One more with whatever happens to it or to a decision in it.
    Column("changes", BigInteger, nullable=False),
    UniqueConstraint("campaign_id", "key", name="assignments_by_key"),
)
Index("assignments_of_campaign", assignments.c.campaign_id, assignments.c.id)
Index(
    "assignments_had",
    assignments.c.judge_id,
    assignments.c.phase_id,
    assignments.c.block,
    assignments.c.kit_id,
)
Index(
    "assignments_once",
    assignments.c.judge_id,
    assignments.c.kit_id,
    unique=True,
    sqlite_where=text("state IN ('open', 'done')"),
    postgresql_where=text("state IN ('open', 'done')"),
)
Index(
    "assignments_open",
    assignments.c.judge_id,
    assignments.c.id,
    sqlite_where=text("state = 'open'"),
    postgresql_where=text("state = 'open'"),
)
Index(
    "assignments_leased",
    assignments.c.campaign_id,
    assignments.c.lease_until,
    sqlite_where=text("state = 'open'"),
    postgresql_where=text("state = 'open'"),
)

decisions = Table(
    "decisions",
    metadata,
    Column("id", ID, primary_key=True),
    # No foreign key: every decision would lock the campaign's row to prove that it is there.
    Column("campaign_id", ID, nullable=False),
    Column("assignment_id", ID, ForeignKey("assignments.id"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("answers", Json, nullable=False),
    Column("shown_at", TIME),
    Column("decided_at", TIME, nullable=False),
    Column("seconds", Double),
    Column("active_seconds", Double),
    Column("language", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("reason", Text, nullable=False),
    UniqueConstraint("assignment_id", "position", "revision", name="decisions_by_key"),
)
Index("decisions_of_campaign", decisions.c.campaign_id, decisions.c.id)

drafts = Table(
    "drafts",
    metadata,
    Column(
        "assignment_id", ID, ForeignKey("assignments.id"), primary_key=True, autoincrement=False
    ),
    Column("position", Integer, nullable=False),
    Column("content", Json, nullable=False),
)

adjudications = Table(
    "adjudications",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    Column("kit_id", ID, ForeignKey("kits.id"), nullable=False),
    Column("index", Integer, nullable=False),
    Column("answers", Json, nullable=False),
    Column("author", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("decided_at", TIME, nullable=False),
)
Index("adjudications_of_campaign", adjudications.c.campaign_id, adjudications.c.id)

audit = Table(
    "audit",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    Column("at", TIME, nullable=False),
    Column("author", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("details", Json, nullable=False),
)
Index("audit_of_campaign", audit.c.campaign_id, audit.c.id)

coordinators = Table(
    "coordinators",
    metadata,
    Column("id", ID, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    # The name in small letters, by which people are found as they type it.
    Column("login", Text, nullable=False, unique=True),
    Column("password_hash", Text, nullable=False),
    Column("token_hash", Text, nullable=False),
    Column("disabled", Boolean, nullable=False),
    Column("created", TIME, nullable=False),
    Column("seen_at", TIME),
    Column("failures", Integer, nullable=False),
    Column("locked_until", TIME),
)
Index(
    "coordinators_by_token",
    coordinators.c.token_hash,
    unique=True,
    sqlite_where=text("token_hash <> ''"),
    postgresql_where=text("token_hash <> ''"),
)

preparations = Table(
    "preparations",
    metadata,
    Column("id", ID, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("owner", Text, nullable=False),
    Column("declaration", Json, nullable=False),
    # One more with every change, also of a file.
    Column("edition", Integer, nullable=False),
    Column("created", TIME, nullable=False),
    Column("updated", TIME, nullable=False),
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
    # Last, so that what stands before it is read without it.
    Column("content", Bytes, nullable=False),
)

# What was done that is of no one campaign.
site_log = Table(
    "site_log",
    metadata,
    Column("id", ID, primary_key=True),
    Column("at", TIME, nullable=False),
    Column("author", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("details", Json, nullable=False),
)

# What the store keeps about itself; it belongs to no campaign, and no archive has it.
settings = Table(
    "settings",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

# Constants of statements are written out: bound values would keep partial indexes from being used.
ONE: ColumnElement[int] = literal_column("1")
# Also the offset of every limit: left out, SQLite would get it as a bound value.
ZERO: ColumnElement[int] = literal_column("0")
HAS_PLACES = kits.c.places > ZERO
IS_OPEN = assignments.c.state == literal_column("'open'")
