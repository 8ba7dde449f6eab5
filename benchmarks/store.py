"""How fast judges are served and decisions stored, with few and with a million judgments stored.

Run it with `python benchmarks/store.py` (a few minutes), or `--quick` to see that it works. Every
store is filled in bulk, with judges who did kits of twenty items; then the stores take turns in
short bursts, so that a busy machine slows all of them, and medians are shown. PostgreSQL is started
for the purpose, with fsync on; `--postgres URL` uses a server that is running.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from threading import Barrier, Thread
from time import perf_counter
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from jurat.model import Item, Kit, Shown, TestSet  # noqa: E402
from jurat.store import (  # noqa: E402
    Decision,
    NewCampaign,
    NewJudge,
    NewPhase,
    Offer,
    OpenKit,
    Step,
    Store,
)
from jurat.store.database import Session  # noqa: E402
from jurat.store.encoding import new_key, to_time  # noqa: E402
from jurat.store.schema import assignments, decisions, judges, kits  # noqa: E402

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LEASE = timedelta(hours=2)
ITEMS = 20
PER_KIT = 20
"""Judges who did each of the earlier kits."""
ANSWERS = {"adequacy": 5, "same": "yes"}
TEXT = "The quick brown fox jumps over the lazy dog near the river bank. " * 2


class Scale(NamedTuple):
    """How much is measured."""

    stored: tuple[int, ...]
    threads: tuple[int, ...]
    seconds: float
    rounds: int
    kits: int


FULL = Scale((0, 100_000, 1_000_000), (1, 8, 32), 1.0, 7, 400)
QUICK = Scale((0, 2_000), (1, 4), 0.1, 1, 20)


class Chosen(NamedTuple):
    """A kit that was picked."""

    kit: OpenKit
    probability: float = 1.0


def first(offer: Offer) -> Chosen | None:
    """The first open kit, as in TAP-ET."""
    return Chosen(offer.kits[0]) if offer.kits else None


def make_kit(task: str, number: int) -> Kit:
    """A kit of twenty items of ordinary length."""
    return Kit(
        task=task,
        phase="evaluation",
        number=number,
        block=str(number),
        items=tuple(
            Item(
                id=f"{task}-{number}-{n}",
                document="d",
                segment=str(n),
                translations=(Shown(system=f"s{number % 8}", text=TEXT),),
                references={"r": TEXT},
            )
            for n in range(ITEMS)
        ),
    )


def fill(store: Store, stored: int, open_kits: int, pins: int) -> list[str]:
    """A campaign with so many judgments and kits that are open to all; the judges' ids."""
    past = -(-stored // (ITEMS * PER_KIT))
    made = [make_kit("past", n) for n in range(past)] + [
        make_kit("now", n) for n in range(open_kits)
    ]
    store.create(
        NewCampaign(
            name="c",
            declaration={},
            protocols={},
            test_set=TestSet(documents=(), systems=(), references=()),
            phases=(
                NewPhase(task="past", phase="evaluation", wanted=PER_KIT),
                NewPhase(task="now", phase="evaluation", wanted=None),
            ),
            kits=made,
        ),
        author="bench",
        now=NOW,
    )
    for task in ("past", "now"):
        store.set_phase("c", task, "evaluation", "started", author="bench", now=NOW)
    new = [NewJudge(pin=f"p{n}") for n in range(PER_KIT)] + [
        NewJudge(pin=str(n)) for n in range(pins)
    ]
    accounts = store.add_judges("c", new, author="bench", now=NOW)
    if past:
        store._database.write(lambda session: fill_past(session, past))
    return [account.id for account in accounts[PER_KIT:]]


def fill_past(session: Session, past: int) -> None:
    """Earlier judges' finished kits, as judging would have left them."""
    from sqlalchemy import bindparam, literal_column, select, update

    (campaign, phase, first_kit) = session.all(
        select(kits.c.campaign_id, kits.c.phase_id, kits.c.id).order_by(kits.c.id)
    )[0]
    people = [row[0] for row in session.all(select(judges.c.id).order_by(judges.c.id))][:PER_KIT]
    ids = session.reserve(assignments, past * PER_KIT)
    moment = to_time(NOW)
    session.insert(
        assignments,
        (
            (
                ids[n],
                campaign,
                new_key(),
                people[n % PER_KIT],
                first_kit + n // PER_KIT,
                phase,
                str(n // PER_KIT),
                "done",
                1.0,
                ITEMS + 1,
                None,
                None,
                moment,
                moment,
                moment,
                ITEMS,
                190.0,
                "",
                "",
                ITEMS,
            )
            for n in range(past * PER_KIT)
        ),
    )
    session.insert(
        decisions,
        (
            (
                campaign,
                number,
                position,
                1,
                '{"adequacy":5,"same":"yes"}',
                moment,
                moment,
                9.5,
                9.0,
                None,
                "en",
                "valid",
                "",
                "",
                "",
                "",
                False,
            )
            for number in ids
            for position in range(1, ITEMS + 1)
        ),
        [column.name for column in decisions.c if column.name != "id"],
    )
    taken = update(kits).where(kits.c.phase_id == bindparam("of"))
    session.run(taken.values(places=literal_column("0")), of=phase)


class Bench:
    """A filled store with its judges."""

    def __init__(self, store: Store, judges: list[str]) -> None:
        self.store = store
        self.judges = judges
        self.turns: dict[str, Step] = {}

    def turn(self, judge: str) -> Step:
        """The next step of a judge."""
        turn = self.store.next_step("c", judge, first, now=NOW, lease=LEASE)
        assert turn is not None
        self.turns[judge] = turn
        return turn

    def submit(self, judge: str, *, show_next: bool = True) -> None:
        """Store a decision, and see what comes next."""
        turn = self.turns.get(judge) or self.turn(judge)
        decision = Decision(answers=ANSWERS, decided_at=NOW)
        _, following = self.store.submit(
            "c",
            judge,
            turn.assignment,
            turn.position,
            check=lambda *_: (decision, show_next),
            now=NOW,
            lease=LEASE,
        )
        if show_next:
            self.turns[judge] = following or self.turn(judge)

    def per_second(self, threads: int, seconds: float) -> float:
        """Decisions a second of so many judges at once, each with the next item."""
        counts = [0] * threads
        # Others than before, so that nobody has done more than people do.
        judges = [self.judges.pop() for _ in range(threads)]
        ready = Barrier(threads + 1)

        def judge(n: int) -> None:
            ready.wait()
            end = perf_counter() + seconds
            while perf_counter() < end:
                self.submit(judges[n])
                counts[n] += 1

        workers = [Thread(target=judge, args=(n,)) for n in range(threads)]
        for worker in workers:
            worker.start()
        ready.wait()
        start = perf_counter()
        for worker in workers:
            worker.join()
        return sum(counts) / (perf_counter() - start)

    def latencies(self, times: int) -> tuple[float, float]:
        """Milliseconds to see the next item and to store a decision, alone; medians."""
        judge = self.judges[0]
        turns, stores = [], []
        for _ in range(times):
            turns.append(seconds(lambda: self.turn(judge)))
            stores.append(seconds(lambda: self.submit(judge, show_next=False)))
        return median(turns) * 1000, median(stores) * 1000


def seconds(run: Callable[[], object]) -> float:
    """How long it takes."""
    start = perf_counter()
    run()
    return perf_counter() - start


def disk(folder: Path, duration: float) -> dict[str, float]:
    """What the disk can do in a second: fsyncs, and inserts of SQLite's with a commit each."""
    rates = {}
    with (folder / "fsync").open("wb", buffering=0) as file:

        def synced() -> None:
            file.write(b"x" * 4096)
            os.fsync(file.fileno())

        rates["fsync"] = rate(synced, duration)
    connection = sqlite3.connect(folder / "probe.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE IF NOT EXISTS t (x TEXT)")
    insert = "INSERT INTO t VALUES ('a decision of a judge')"
    rates["single durable inserts"] = rate(lambda: connection.execute(insert), duration)
    connection.close()
    return rates


def rate(run: Callable[[], object], duration: float) -> float:
    """How often a second."""
    count, start = 0, perf_counter()
    while perf_counter() - start < duration:
        run()
        count += 1
    return count / (perf_counter() - start)


@contextmanager
def addresses(kind: str, count: int, folder: Path, given: str | None) -> Iterator[list[str]]:
    """Addresses of so many empty stores."""
    if kind == "SQLite":
        yield [str(folder / f"{n}.db") for n in range(count)]
        return
    from tests.machine.postgres import fresh_database, running

    with ExitStack() as stack:
        server = given or stack.enter_context(running())
        yield [stack.enter_context(fresh_database(server)) for _ in range(count)]


def measure(kind: str, scale: Scale, folder: Path, given: str | None) -> None:
    """All figures of one database."""
    with ExitStack() as stack:
        urls = stack.enter_context(addresses(kind, len(scale.stored), folder, given))
        benches = []
        for url, stored in zip(urls, scale.stored, strict=True):
            store = stack.enter_context(Store.open(url))
            took = seconds(
                lambda s=store, n=stored: benches.append(  # type: ignore[misc]
                    Bench(s, fill(s, n, scale.kits, scale.rounds * sum(scale.threads) + 1))
                )
            )
            print(f"  {kind}: {stored:,} judgments stored in {took:.1f} s", flush=True)
        report(kind, scale, benches, folder)


def report(kind: str, scale: Scale, benches: list[Bench], folder: Path) -> None:
    """Let the stores and the bare disk take turns, and print the medians."""
    disks = []
    alone: list[list[tuple[float, float]]] = [[] for _ in benches]
    rates: dict[int, list[list[float]]] = {n: [[] for _ in benches] for n in scale.threads}
    for _ in range(scale.rounds):
        disks.append(disk(folder, scale.seconds / 4))
        for n, bench in enumerate(benches):
            alone[n].append(bench.latencies(round(50 * scale.seconds) or 1))
        for threads in scale.threads:
            for n, bench in enumerate(benches):
                rates[threads][n].append(bench.per_second(threads, scale.seconds))
    print(f"\n| {kind} | " + " | ".join(f"{n:,} stored" for n in scale.stored) + " |")
    print("|---" * (len(benches) + 1) + "|")
    for label, part in (("next item, ms", 0), ("storing a decision, ms", 1)):
        cells = [f"{median(pair[part] for pair in pairs):.2f}" for pairs in alone]
        print(f"| {label} | " + " | ".join(cells) + " |")
    for threads in scale.threads:
        cells = [f"{median(values):,.0f}" for values in rates[threads]]
        word = "thread" if threads == 1 else "threads"
        print(f"| decisions/s with the next item, {threads} {word} | " + " | ".join(cells) + " |")
    limits = (f"{median(d[name] for d in disks):,.0f} {name}/s" for name in disks[0])
    print(f"\nthe disk meanwhile: {', '.join(limits)}\n", flush=True)


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a little of everything")
    parser.add_argument("--only", choices=["SQLite", "PostgreSQL"])
    parser.add_argument("--postgres", metavar="URL", help="a server on which databases may be made")
    options = parser.parse_args()
    scale = QUICK if options.quick else FULL
    with tempfile.TemporaryDirectory() as name:
        for kind in ("SQLite", "PostgreSQL"):
            if options.only in (None, kind):
                measure(kind, scale, Path(name), options.postgres)


if __name__ == "__main__":
    main()
