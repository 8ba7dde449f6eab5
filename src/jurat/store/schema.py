"""The tables, the same for both databases.

Ids are row numbers and stay inside the store; what may reach a browser has a `key`, random text
that is unique in its campaign. Times are microseconds since 1970 (UTC) and plain data is JSON text,
so that both databases hold them to the last digit.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Double,
    ForeignKey,
    Index,
    Insert,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    Update,
    and_,
    bindparam,
    false,
    insert,
    literal_column,
    text,
    update,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.schema import CreateIndex
from sqlalchemy.sql.compiler import DDLCompiler
from sqlalchemy.types import TypeEngine

metadata = MetaData()

# SQLite numbers rows by itself only in a column of exactly this type.
ID = BigInteger().with_variant(Integer, "sqlite")
TIME = BigInteger()


class Json(Text):
    """Plain data as JSON text."""


class Bytes(LargeBinary):
    """An uploaded file, byte for byte; every other `LargeBinary` is compressed JSON."""


def required(kind: type[TypeEngine[Any]] | TypeEngine[Any], *names: str) -> list[Column[Any]]:
    """Columns of one type that are never NULL."""
    return [Column(name, kind, nullable=False) for name in names]


def partial_index(name: str, where: str, *columns: Column[Any], unique: bool = False) -> Index:
    """An index of only the rows that fulfil a condition: small, however many rows there are."""
    return Index(name, *columns, unique=unique, sqlite_where=text(where))


# SQLAlchemy's own option for PostgreSQL, `postgresql_where`, imports that dialect wherever a table
# is declared, which takes 40 ms of every start; so PostgreSQL gets the condition of SQLite here.
@compiles(CreateIndex, "postgresql")
def _create_index(create: CreateIndex, compiler: DDLCompiler, **options: Any) -> str:
    condition = create.element.dialect_options["sqlite"]["where"]
    statement: str = compiler.visit_create_index(create, **options)  # type: ignore[no-untyped-call]
    return statement if condition is None else f"{statement} WHERE {condition}"


def columns(table: Table, *names: str) -> list[Column[Any]]:
    """Columns of a table, by their names."""
    return [table.c[name] for name in names]


def insert_into(table: Table) -> Insert:
    """A statement that adds one row, with a bound value for every column but a generated `id`."""
    names = [column.name for column in table.c if column.name != "id"]
    return insert(table).values({name: bindparam(name) for name in names}).inline()


# `kits.places` of a kit that any number of judges may have.
UNLIMITED = 1 << 40

campaigns = Table(
    "campaigns",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("title", Text, nullable=False),
    *required(Json, "declaration", "protocols"),
    Column("test_set", LargeBinary, nullable=False),
    Column("tutorial", LargeBinary),
    Column("seed", BigInteger, nullable=False),
    Column("created", TIME, nullable=False),
)

editions = Table(
    "editions",
    metadata,
    Column("campaign_id", ID, ForeignKey("campaigns.id"), primary_key=True, autoincrement=False),
    # From 2: the first edition is in the campaign's own row. The last one counts.
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("title", Text, nullable=False),
    Column("declaration", Json, nullable=False),
)

phases = Table(
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
    *required(Text, "block", "group"),
    Column("systems", Json, nullable=False),
    Column("size", Integer, nullable=False),
    Column("wanted", BigInteger),
    # How many more judges may have it. One UPDATE takes a place, if there is one left.
    Column("places", BigInteger, nullable=False),
    UniqueConstraint("phase_id", "number", name="kits_of_phase"),
)
Index("kits_of_campaign", kits.c.campaign_id, kits.c.id)
partial_index("kits_open", "places > 0", kits.c.phase_id, kits.c.number)

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
    *required(Text, "key", "pin", "role", "password_hash", "token_hash", "group", "site"),
    Column("tags", Json, nullable=False),
    Column("disabled", Boolean, nullable=False),
    Column("created", TIME, nullable=False),
    Column("seen_at", TIME),
    Column("failures", Integer, nullable=False),
    Column("locked_until", TIME),
    Column("pending", Boolean, nullable=False, server_default=false()),
    # E-mail for reminders, if the coordinator gave one.
    Column("address", Text, nullable=False, server_default=""),
    # A name, or whatever tells the coordinator whose account it is.
    Column("note", Text, nullable=False, server_default=""),
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
    # Copied from the kit, so that one index tells what a judge has had.
    Column("phase_id", ID, ForeignKey("phases.id"), nullable=False),
    *required(Text, "block", "state"),
    Column("probability", Double, nullable=False),
    Column("position", Integer, nullable=False),
    Column("shown_at", TIME),
    Column("lease_until", TIME),
    Column("created", TIME, nullable=False),
    Column("finished", TIME),
    # Of its decisions: when the last one was made, and those short enough for averages.
    Column("decided_at", TIME),
    Column("timed", Integer, nullable=False),
    Column("timed_seconds", Double, nullable=False),
    # Who gave it back or had it done again; empty where the lease ran out.
    *required(Text, "author", "reason"),
    # One higher after anything that happens to it or to a decision in it.
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
    # No foreign key: with one, every decision would lock the campaign's row to see that it exists.
    Column("campaign_id", ID, nullable=False),
    Column("assignment_id", ID, ForeignKey("assignments.id"), nullable=False),
    *required(Integer, "position", "revision"),
    Column("answers", Json, nullable=False),
    Column("shown_at", TIME),
    Column("decided_at", TIME, nullable=False),
    Column("seconds", Double),
    Column("active_seconds", Double),
    # How long media were playing; NULL without media, and where the page could not tell.
    Column("played_seconds", Double),
    *required(Text, "language", "status", "author", "reason"),
    # What the judge said about the item itself, and whether they skipped it for that.
    Column("flag", Text, nullable=False, server_default=""),
    Column("comment", Text, nullable=False, server_default=""),
    Column("skipped", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("assignment_id", "position", "revision", name="decisions_by_key"),
)
Index("decisions_of_campaign", decisions.c.campaign_id, decisions.c.id)
partial_index("decisions_flagged", "flag <> ''", decisions.c.campaign_id, decisions.c.id)


class _FlaggedCampaign(ColumnElement[int]):
    """`decisions.campaign_id` beside a condition on flags, so that their index is used.

    SQLite takes `decisions_of_campaign` for as good, and would read all decisions of the campaign.
    """

    type = ID
    inherit_cache = True


@compiles(_FlaggedCampaign)
def _plain_column(*_: Any, **__: Any) -> str:
    return "decisions.campaign_id"


@compiles(_FlaggedCampaign, "sqlite")
def _without_index(*_: Any, **__: Any) -> str:
    return "+decisions.campaign_id"


# Of the decisions of a campaign, those with a flag.
FLAGGED = and_(
    _FlaggedCampaign() == bindparam("campaign_id"), decisions.c.flag != literal_column("''")
)

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
    *required(Text, "author", "reason"),
    Column("decided_at", TIME, nullable=False),
)
Index("adjudications_of_campaign", adjudications.c.campaign_id, adjudications.c.id)

audit = Table(
    "audit",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    Column("at", TIME, nullable=False),
    *required(Text, "author", "action"),
    Column("details", Json, nullable=False),
)
Index("audit_of_campaign", audit.c.campaign_id, audit.c.id)

# What coordinators tell judges.
messages = Table(
    "messages",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    Column("key", Text, nullable=False),
    # NULL: all judges.
    Column("judge_id", ID, ForeignKey("judges.id")),
    *required(Text, "text", "author"),
    Column("sent_at", TIME, nullable=False),
    Column("withdrawn_at", TIME),
    UniqueConstraint("campaign_id", "key", name="messages_by_key"),
)

# The judges who have read a message and want to see it no more.
dismissals = Table(
    "dismissals",
    metadata,
    Column("message_id", ID, ForeignKey("messages.id"), primary_key=True, autoincrement=False),
    Column("judge_id", ID, ForeignKey("judges.id"), primary_key=True, autoincrement=False),
    Column("dismissed_at", TIME, nullable=False),
)

# What judges said of themselves before and after judging.
questionnaires = Table(
    "questionnaires",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    Column("judge_id", ID, ForeignKey("judges.id"), nullable=False),
    # before or after
    Column("moment", Text, nullable=False),
    Column("answers", Json, nullable=False),
    # The text that the judge agreed to; empty where none was asked for.
    *required(Text, "consent", "language"),
    Column("answered_at", TIME, nullable=False),
    UniqueConstraint("judge_id", "moment", name="questionnaires_of_judge"),
)
Index("questionnaires_of_campaign", questionnaires.c.campaign_id, questionnaires.c.id)

# Videos, recordings and images that judges are shown.
media_files = Table(
    "media_files",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    # As the test set names it; the hash of its content, by which it is served.
    *required(Text, "name", "digest", "type"),
    Column("size", BigInteger, nullable=False),
    UniqueConstraint("campaign_id", "name", name="media_files_by_name"),
)
Index("media_files_by_digest", media_files.c.campaign_id, media_files.c.digest)

# Their contents in pieces, so that a part can be read without the rest.
media_chunks = Table(
    "media_chunks",
    metadata,
    Column(
        "media_file_id", ID, ForeignKey("media_files.id"), primary_key=True, autoincrement=False
    ),
    # From 0; all but the last have the same length.
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("content", Bytes, nullable=False),
)

# What model judges were asked and answered: a row for each request that ended, also in vain.
model_answers = Table(
    "model_answers",
    metadata,
    Column("id", ID, primary_key=True),
    Column("campaign_id", ID, ForeignKey("campaigns.id"), nullable=False),
    Column("kit_id", ID, ForeignKey("kits.id"), nullable=False),
    Column("index", Integer, nullable=False),
    *required(Text, "judge", "model", "error"),
    # Whether the translations were shown in the reverse order of the item.
    Column("swapped", Boolean, nullable=False),
    # The request's parameters; the prompt and the raw answers; the answers, checked.
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

coordinators = Table(
    "coordinators",
    metadata,
    Column("id", ID, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    # The name in lower case, so that they are found however they type it.
    Column("login", Text, nullable=False, unique=True),
    *required(Text, "password_hash", "token_hash"),
    Column("disabled", Boolean, nullable=False),
    Column("created", TIME, nullable=False),
    Column("seen_at", TIME),
    Column("failures", Integer, nullable=False),
    Column("locked_until", TIME),
)
partial_index("coordinators_by_token", "token_hash <> ''", coordinators.c.token_hash, unique=True)

# What lets coordinators' scripts use the HTTP API.
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

preparations = Table(
    "preparations",
    metadata,
    Column("id", ID, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("owner", Text, nullable=False),
    Column("declaration", Json, nullable=False),
    # One higher after every change, also of a file.
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
    # Last: SQLite reads the columns before it without this one's pages.
    Column("content", Bytes, nullable=False),
)

# The audit log of what concerns no single campaign.
site_log = Table(
    "site_log",
    metadata,
    Column("id", ID, primary_key=True),
    Column("at", TIME, nullable=False),
    *required(Text, "author", "action"),
    Column("details", Json, nullable=False),
)

# Secrets of the store itself, which are in no archive.
settings = Table(
    "settings",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)


def last_id(table: Table) -> str:
    """The name of the setting with the highest id that was given in a table, after a deletion."""
    return f"last id of {table.name}"


# Constants in statements are literals: a database does not use a partial index for bound values.
ONE: ColumnElement[int] = literal_column("1")
# Also the OFFSET of every LIMIT: without one, SQLAlchemy binds a value on SQLite.
ZERO: ColumnElement[int] = literal_column("0")
HAS_PLACES = kits.c.places > ZERO
IS_OPEN = assignments.c.state == literal_column("'open'")
# Assignments whose decisions count, and the others.
COUNTS = assignments.c.state.in_([literal_column("'open'"), literal_column("'done'")])
EXCLUDED = assignments.c.state.in_([literal_column("'returned'"), literal_column("'redo'")])
# A kit whose judge left it until its lease ran out: they may come back to it.
LEFT = and_(
    assignments.c.state == literal_column("'returned'"),
    assignments.c.author == literal_column("''"),
)


def update_assignment(**values: Any) -> Update:
    """A statement that sets columns of the assignment with the id `assignment_id`."""
    of = assignments.c.id == bindparam("assignment_id")
    return update(assignments).where(of).values(**values)
