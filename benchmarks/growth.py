"""What grows with judgments and judges: disk, memory, backups and pages; and a model of it.

Run it with `python benchmarks/growth.py` (some minutes), or `--quick` to see that it works. Stores
of several sizes are filled as judging would have left them; what each million of judgments and each
thousand of judges adds is the difference between the largest and the smallest, and the model is
that line continued to a hundred million judgments and ten thousand judges.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.dashboard import FULL as DASHBOARD  # noqa: E402
from benchmarks.dashboard import Staff, found, settled  # noqa: E402
from benchmarks.serve import CAMPAIGN, serving  # noqa: E402
from benchmarks.soak import children, resident  # noqa: E402
from benchmarks.store import addresses  # noqa: E402
from jurat.store import NewJudge, Store  # noqa: E402

MILLION = 1e6
MODEL_JUDGMENTS, MODEL_JUDGES = 100e6, 10_000


class Scale(NamedTuple):
    """How much is measured."""

    stored: tuple[int, ...]
    judges: tuple[int, ...]


FULL = Scale((100_000, 1_000_000), (100, 10_000))
QUICK = Scale((400, 800), (10, 20))


def disk_bytes(url: str, folder: Path) -> int:
    """Bytes of a store: its files, or what PostgreSQL says of the database."""
    if url.startswith("postgresql"):
        import psycopg

        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("VACUUM")
            row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
            return int(row[0]) if row else 0
    return sum(file.stat().st_size for file in folder.glob(f"{Path(url).name}*"))


def backed_up(store: Store) -> tuple[float, int]:
    """Seconds and bytes of a backup."""
    file, start = io.BytesIO(), perf_counter()
    store.backup(file, now=datetime.now(UTC))
    return perf_counter() - start, file.getbuffer().nbytes


def seconds(staff: Staff, page: str) -> float:
    """How long a page takes, the second time."""
    settled(staff, page)
    start = perf_counter()
    staff.sees(page)
    return perf_counter() - start


def of_judgments(url: str, stored: int, folder: Path) -> dict[str, float]:
    """Disk, backup, memory and pages of a store with so many judgments."""
    with Store.open(url, create=True) as store:
        who, *_ = found(store, stored, DASHBOARD._replace(rounds=1))
        took, size = backed_up(store)
    told = {
        "store, MB": disk_bytes(url, folder) / MILLION,
        "backup, MB": size / MILLION,
        "backup, s": took,
    }
    if url.startswith("postgresql"):
        return told
    with serving(url, 1) as (port, server):
        desk = Staff(port, who)
        told["first results, s"] = _until_settled(desk, "results")
        told["results again, s"] = seconds(desk, "results")
        told["progress, s"] = seconds(desk, "progress")
        _until_settled(desk, "adjudication")
        told["adjudication, s"] = seconds(desk, "adjudication")
        told["server, MB"] = resident(server.pid)
        told["worker of results, MB"] = sum(map(resident, children(server.pid)))
    return told


def _until_settled(desk: Staff, page: str) -> float:
    start = perf_counter()
    settled(desk, page)
    return perf_counter() - start


def of_judges(url: str, judges: int, folder: Path) -> dict[str, float]:
    """Disk, memory and pages of a store with so many judges and hardly any judgments."""
    with Store.open(url, create=True) as store:
        who, *_ = found(store, 400, DASHBOARD._replace(rounds=1))
        new = [NewJudge(pin=f"more-{n}") for n in range(judges)]
        store.add_judges(CAMPAIGN, new, author="bench", now=datetime.now(UTC))
    with serving(url, 1) as (port, server):
        desk = Staff(port, who)
        told = {f"{page}, s": seconds(desk, page) for page in ("judges", "progress")}
        told["page of judges, MB"] = len(desk.sees("judges")) / MILLION
        told["server, MB"] = resident(server.pid)
    return {"store, MB": disk_bytes(url, folder) / MILLION, **told}


def table(
    title: str, sizes: Sequence[int], columns: Sequence[dict[str, float]], unit: float, model: float
) -> None:
    """Print what was measured, what each unit adds, and the line continued to the model's size."""
    heads = " | ".join(f"{size:,}" for size in sizes)
    print(f"| {title} | {heads} | each {unit:,.0f} adds | model: {model:,.0f} |")
    print("|---" * (len(sizes) + 3) + "|")
    for name in columns[0]:
        values = [column[name] for column in columns]
        slope = (values[-1] - values[0]) / (sizes[-1] - sizes[0])
        cells = " | ".join(f"{value:,.3g}" for value in values)
        at_model = values[-1] + slope * (model - sizes[-1])
        print(f"| {name} | {cells} | {slope * unit:,.3g} | {max(at_model, 0):,.3g} |")
    print(flush=True)


def measure(scale: Scale, folder: Path, given: str | None, only: str | None) -> None:
    """All tables."""
    for kind in ("SQLite", "PostgreSQL"):
        if only in (None, kind):
            with ExitStack() as stack:
                urls = stack.enter_context(addresses(kind, len(scale.stored), folder, given))
                columns = [
                    of_judgments(url, n, folder) for url, n in zip(urls, scale.stored, strict=True)
                ]
            table(f"judgments, {kind}", scale.stored, columns, MILLION, MODEL_JUDGMENTS)
    if only in (None, "SQLite"):
        people = [of_judges(str(folder / f"j{n}.db"), n, folder) for n in scale.judges]
        table("judges, SQLite", scale.judges, people, 1000, MODEL_JUDGES)


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a little of everything")
    parser.add_argument("--only", choices=["SQLite", "PostgreSQL"])
    parser.add_argument("--postgres", metavar="URL", help="a server on which databases may be made")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        measure(QUICK if options.quick else FULL, Path(name), options.postgres, options.only)


if __name__ == "__main__":
    main()
