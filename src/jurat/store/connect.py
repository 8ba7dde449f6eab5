"""Opens the database at an address, and migrates its schema if necessary."""

from __future__ import annotations

import re
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.pool import NullPool

from jurat.store import sqlite
from jurat.store.database import Database
from jurat.store.errors import DriverMissing, NoSuchStore, NotAStore, StoreFault, StoreIsNewer
from jurat.store.schema import metadata
from jurat.store.sqlite import SQLite

# The version of the schema that this Jurat works with: the last migration.
HEAD = "0010"
VERSION_TABLE = "jurat_schema"
# As Alembic makes it, which is not needed for a new store.
_VERSIONS = sa.Table(
    VERSION_TABLE, sa.MetaData(), sa.Column("version_num", sa.String(32), primary_key=True)
)

# The advisory lock on PostgreSQL during migrations: "jurat" in ASCII.
_LOCK = 0x6A75_7261_74


def open_database(url: str, *, create: bool) -> Database:
    """The database at a path or URL, created or migrated if necessary; see `Store.open`."""
    if re.match(r"postgres(ql)?://", url):
        return _open_postgres(re.sub(r"^postgres://", "postgresql://", url), create=create)
    if re.match(r"[a-z][a-z+]+://", url) and not url.startswith("sqlite:///"):
        message = "a store is a file, sqlite:///path or postgresql://user:password@host/name"
        raise StoreFault(f"{message}, not {url.partition('://')[0]}://")
    return _open_sqlite(Path(url.removeprefix("sqlite:///")), create=create)


def _open_sqlite(path: Path, *, create: bool) -> Database:
    if path.is_dir():
        raise NotAStore(f"{path} is a directory, not a store")
    if not path.exists() and not create:
        raise NoSuchStore(f"there is no store at {path}")
    if not path.parent.is_dir():
        raise NoSuchStore(f"there is no directory {path.parent} for a store")
    try:
        # It has password hashes, so only its owner may read it.
        path.touch(mode=0o600)
    except OSError as error:
        raise NoSuchStore(f"a store cannot be created at {path}: {error.strerror}") from error
    engine = sa.create_engine("sqlite://", creator=lambda: sqlite.connect(path), poolclass=NullPool)
    # Locked from the beginning, or two processes would begin the same migration.
    sa.event.listen(engine, "begin", lambda c: c.exec_driver_sql("BEGIN IMMEDIATE"))
    try:
        bring_up_to_date(engine, str(path), create=create)
    except sa.exc.DBAPIError as error:
        raise sqlite.translated(_cause(error), path) from error
    return SQLite(path)


def _open_postgres(url: str, *, create: bool) -> Database:
    try:
        from jurat.store import postgres
    except ImportError as error:
        message = "PostgreSQL needs the package psycopg: pip install 'jurat[postgres]'"
        raise DriverMissing(message) from error

    name = postgres.named(url)
    engine = sa.create_engine(
        "postgresql+psycopg://",
        creator=lambda: postgres.connect(url, autocommit=False),
        poolclass=NullPool,
    )
    try:
        bring_up_to_date(engine, name, create=create)
    except sa.exc.DBAPIError as error:
        raise postgres.translated(_cause(error), url) from error
    return postgres.PostgreSQL(url)


def _cause(error: sa.exc.DBAPIError) -> Exception:
    return error.orig if isinstance(error.orig, Exception) else error


def bring_up_to_date(engine: sa.Engine, name: str, *, create: bool) -> None:
    """Migrate to this Jurat's schema, unless another process does. Raises `NoSuchStore`."""
    with engine.connect() as connection:
        found = _version(connection)
    if found == HEAD:
        return
    if found is None and not create:
        raise NoSuchStore(f"there is no store in {name}")
    migrate(engine, name)


def migrate(engine: sa.Engine, name: str = "this database") -> None:
    """Create the tables of a new store, or migrate those of an older one to this Jurat's schema.

    Raises `StoreIsNewer` or `NotAStore`.
    """
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        # Under the lock, since another process may have migrated meanwhile.
        found = _version(connection)
        if found is None:
            if _tables(connection) - {VERSION_TABLE}:
                raise NotAStore(f"{name} is a database of another program, not a store")
            metadata.create_all(connection)
            _VERSIONS.create(connection, checkfirst=True)
            connection.execute(sa.insert(_VERSIONS).values(version_num=HEAD))
        elif found != HEAD:
            _upgrade(connection, found, name)


def _upgrade(connection: sa.Connection, found: str, name: str) -> None:
    # Imported here, since it is slow to import and stores rarely need a migration.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    known = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    if found not in known:
        message = f"the store {name} was made by a newer Jurat (its schema is {found}"
        raise StoreIsNewer(f"{message}, this Jurat knows {HEAD}); upgrade Jurat to open it")
    config.attributes |= {"connection": connection, "version_table": VERSION_TABLE}
    command.upgrade(config, HEAD)


def _tables(connection: sa.Connection) -> set[str]:
    return set(sa.inspect(connection).get_table_names())


def _version(connection: sa.Connection) -> str | None:
    """The schema's version; None if there is none."""
    if VERSION_TABLE not in _tables(connection):
        return None
    version: str | None = connection.execute(sa.select(_VERSIONS)).scalar()
    return version
