"""Creates the schema of a new store, and upgrades an older one by the steps in `migrations`."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from jurat.store.errors import NoSuchStore, NotAStore, StoreIsNewer
from jurat.store.schema import metadata

# The version of the schema that this Jurat works with: the last migration.
HEAD = "0010"
VERSION_TABLE = "jurat_schema"
# As Alembic makes it, which is not needed for a new store.
_VERSIONS = sa.Table(
    VERSION_TABLE, sa.MetaData(), sa.Column("version_num", sa.String(32), primary_key=True)
)

# The advisory lock on PostgreSQL during migrations: "jurat" in ASCII.
_LOCK = 0x6A75_7261_74


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
