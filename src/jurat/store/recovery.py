"""Recovers what can be read of a damaged SQLite store into a new one.

A damaged page takes the rows on it; all others are read around it, range by range. What refers to
a lost row is left out, and a kit continues at its first lost decision.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from sqlalchemy import Table

from jurat.store import sqlite
from jurat.store.errors import StoreFailed, StoreFault
from jurat.store.schema import UNLIMITED, metadata
from jurat.store.store import Store

Rows = list[dict[str, Any]]
# Rows that are read at once; where that fails, halves of them, down to a single one.
RANGE = 4096
# Tables of which a store is nothing without all rows.
ESSENTIAL = ("campaigns", "phases")


class Recovered(NamedTuple):
    """What became of a table: rows that are in the new store, and rows known to be lost."""

    table: str
    kept: int
    lost: int


def recover(damaged: Path, new: Path) -> list[Recovered]:
    """Make a new store of what can be read of a damaged one, which is not changed.

    Raises `StoreFailed` where that is too little, or `new` exists.
    """
    if new.exists():
        raise StoreFailed(f"{new} exists already; give the name of a new file")
    with TemporaryDirectory(prefix="jurat-recovery-", dir=new.parent) as folder:
        # a copy, since opening a store writes to its log; the log has the newest decisions
        copy = Path(folder) / "damaged.db"
        for ending in ("", "-wal"):
            if Path(f"{damaged}{ending}").exists():
                shutil.copyfile(f"{damaged}{ending}", f"{copy}{ending}")
        tables = _read_tables(copy)
    found = {name: len(rows) for name, rows in tables.items()}
    lost = {name: _lost(name, rows) for name, rows in tables.items()}
    _make_consistent(tables)
    try:
        Store.open(str(new)).close()
        _write_tables(new, tables)
    except (sqlite3.Error, StoreFault):
        new.unlink(missing_ok=True)
        raise
    return [
        Recovered(name, len(rows), lost[name] + found[name] - len(rows))
        for name, rows in tables.items()
    ]


def _lost(name: str, rows: Rows) -> int:
    """Gaps in the ids of a table whose rows are never deleted."""
    ids = [row["id"] for row in rows if "id" in row]
    return max(ids) - len(ids) if ids and name != "preparations" else 0


def _read_tables(path: Path) -> dict[str, Rows]:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.row_factory = sqlite3.Row
    try:
        # the schema is on the first page: without it nothing can be found
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        tables = {name: list(_rows(connection, table)) for name, table in metadata.tables.items()}
    except sqlite3.Error as error:
        message = f"nothing can be read of the store {path}: {error}"
        raise StoreFailed(f"{message}; restore the last backup") from error
    finally:
        connection.close()
    for name in ESSENTIAL:
        if not tables[name] or _lost(name, tables[name]):
            raise StoreFailed(f"rows of the table {name} are lost; restore the last backup")
    return tables


def _rows(connection: sqlite3.Connection, table: Table) -> Iterator[dict[str, Any]]:
    """The rows of a table that can be read."""
    # `items` alone has no row numbers of its own: its first column takes their place
    number = "kit_id" if table.name == "items" else "rowid"
    of = "kits" if table.name == "items" else table.name
    last = _last_number(connection, of)
    for low in range(0, last + 1, RANGE):
        yield from _range(connection, table, number, low, min(low + RANGE - 1, last))


def _last_number(connection: sqlite3.Connection, table: str) -> int:
    try:
        found = connection.execute(f"SELECT max(rowid) FROM {table}").fetchone()[0]  # noqa: S608
        return int(found or 0)
    except sqlite3.DatabaseError:
        # the path to the last row is damaged: the highest that can be reached from the beginning
        step = 1 << 31
        last = 0
        while step:
            asked = f"SELECT 1 FROM {table} WHERE rowid >= ? LIMIT 1"  # noqa: S608
            try:
                if connection.execute(asked, (last + step,)).fetchone():
                    last += step
            except sqlite3.DatabaseError:
                pass
            step >>= 1
        return last


def _range(
    connection: sqlite3.Connection, table: Table, number: str, low: int, high: int
) -> Iterator[dict[str, Any]]:
    asked = f"SELECT * FROM {table.name} WHERE {number} BETWEEN ? AND ?"  # noqa: S608
    try:
        yield from [dict(row) for row in connection.execute(asked, (low, high)).fetchall()]
    except sqlite3.DatabaseError:
        if low < high:
            middle = (low + high) // 2
            yield from _range(connection, table, number, low, middle)
            yield from _range(connection, table, number, middle + 1, high)


def _make_consistent(tables: dict[str, Rows]) -> None:
    """Take out what refers to lost rows, and set back kits with lost decisions."""
    items: defaultdict[int, int] = defaultdict(int)
    for item in tables["items"]:
        items[item["kit_id"]] += 1
    # a kit of which a text is lost cannot be judged
    tables["kits"] = [kit for kit in tables["kits"] if items[kit["id"]] == kit["size"]]
    for name, table in metadata.tables.items():
        for column in table.c:
            for key in column.foreign_keys:
                known = {row[key.column.name] for row in tables[key.column.table.name]}
                tables[name] = [row for row in tables[name] if row[column.name] in known]
    _set_back(tables)
    taken: defaultdict[int, int] = defaultdict(int)
    for assignment in tables["assignments"]:
        taken[assignment["kit_id"]] += assignment["state"] in ("open", "done")
    for kit in tables["kits"]:
        wanted = UNLIMITED if kit["wanted"] is None else kit["wanted"]
        kit["places"] = wanted - taken[kit["id"]]


def _set_back(tables: dict[str, Rows]) -> None:
    """Let every assignment continue at its first lost decision."""
    decided: defaultdict[int, set[int]] = defaultdict(set)
    for decision in tables["decisions"]:
        if decision["revision"] == 1:
            decided[decision["assignment_id"]].add(decision["position"])
    next_position = {}
    for assignment in tables["assignments"]:
        known, position = decided[assignment["id"]], 1
        while position < assignment["position"] and position in known:
            position += 1
        if position < assignment["position"]:
            open_again = "open" if assignment["state"] == "done" else assignment["state"]
            assignment.update(position=position, state=open_again, finished=None)
        next_position[assignment["id"]] = position
    tables["decisions"] = [
        one for one in tables["decisions"] if one["position"] < next_position[one["assignment_id"]]
    ]


def _write_tables(path: Path, tables: dict[str, Rows]) -> None:
    connection = sqlite.connect(path)
    try:
        connection.execute("BEGIN IMMEDIATE")
        for name, rows in tables.items():
            columns = [column.name for column in metadata.tables[name].c]
            names = ", ".join(f'"{column}"' for column in columns)
            places = ", ".join("?" * len(columns))
            statement = f"INSERT OR REPLACE INTO {name} ({names}) VALUES ({places})"  # noqa: S608
            connection.executemany(statement, ([row[c] for c in columns] for row in rows))
        connection.execute("COMMIT")
    finally:
        connection.close()
