"""The coordinator's pages beside judges at work: how long they take, and whether judges notice.

Run it with `python benchmarks/dashboard.py` (some minutes), or `--quick` to see that it works.
Stores are filled in bulk with judges of known severity and systems of known quality. First what
pages show is computed as the pages compute it, however long that takes: progress in one process,
results in the one beside it; before every look a judge decides, so that nothing that was kept is
still good. Then a real server gives the pages themselves, and judges work through it with and
without somebody who loads the results anew every second.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from threading import Event, Thread
from time import perf_counter, sleep
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.serve import (  # noqa: E402
    CAMPAIGN,
    ITEMS,
    PLACE,
    Burst,
    Judge,
    client,
    logged_in,
    serving,
)
from benchmarks.store import TEXT, addresses  # noqa: E402
from jurat.campaigns import Screen, Service, Submission  # noqa: E402
from jurat.campaigns.monitoring.cached_results import CachedResults  # noqa: E402
from jurat.campaigns.monitoring.filters import Filter  # noqa: E402
from jurat.model import File  # noqa: E402
from jurat.store import NewJudge, Store  # noqa: E402
from jurat.store.database import Session as Statements  # noqa: E402
from jurat.store.encoding import from_json, new_key, to_json, to_time  # noqa: E402
from jurat.store.schema import assignments, decisions, judges, kits  # noqa: E402
from jurat.web.sessions import Keys, Session  # noqa: E402

SYSTEMS = tuple(f"system-{n}" for n in range(8))
PEOPLE, PER_KIT = 60, 10
"""Judges who have judged, and how many of them each kit."""
LONG, PAUSE = 600.0, 1.0
"""Seconds: to wait for anything at all, and between two looks of somebody who is impatient."""
PLAN = f"""
name: {CAMPAIGN}
test_set: set.tsv
tasks:
  - name: past
    protocol: tapet-adequacy
    wanted: {PER_KIT}
    where: part == 'past'
    kits: {{segments: {ITEMS}}}
  - name: now
    protocol: tapet-adequacy
    wanted: 1000
    where: part == 'now'
    kits: {{segments: {ITEMS}}}
"""


class Scale(NamedTuple):
    """How much is measured."""

    stored: tuple[int, ...]
    looks: int
    judges: int
    seconds: float
    rounds: int
    segments: int


FULL = Scale((100_000, 1_000_000), 7, 16, 1.5, 5, 2400)
QUICK = Scale((400,), 1, 2, 0.1, 1, 100)


class Served(NamedTuple):
    """What a server did: pages by name, and bursts with and without somebody who looks at them."""

    pages: dict[str, Times]
    bursts: dict[bool, list[Burst]]


class Times(NamedTuple):
    """Milliseconds."""

    best: float
    middle: float

    def __str__(self) -> str:
        return f"{self.best:,.0f} ({self.middle:,.0f})"


def make_set(past: int, now: int) -> bytes:
    """All systems' translations of so many segments of each part."""
    head = "\t".join(f"system:{name}" for name in SYSTEMS)
    lines = [f"document\tsegment\ttag:part\tsource\treference:A\t{head}"]
    for part, count in (("past", past), ("now", now)):
        for n in range(count):
            texts = "\t".join(f"{name} {TEXT}" for name in SYSTEMS)
            lines.append(f"{part}{n // ITEMS}\t{n}\t{part}\t{TEXT}\t{TEXT}\t{texts}")
    return "\n".join(lines).encode()


def found(store: Store, stored: int, scale: Scale) -> list[Judge]:
    """A campaign with so many judgments, its coordinator, and judges who can go on in it."""
    service = Service(store)
    past = -(-stored // (ITEMS * PER_KIT))
    texts = make_set(-(-past // len(SYSTEMS)) * ITEMS, scale.segments)
    plan = File("campaign.yaml", PLAN.encode())
    service.campaigns.create(plan, lambda name: File(name, texts), author="bench")
    now = datetime.now(UTC)
    new = [NewJudge(pin=f"p{n}") for n in range(PEOPLE)]
    new += [NewJudge(pin="desk", role="coordinator"), NewJudge(pin="wise", role="adjudicator")]
    new += [NewJudge(pin="somebody")]
    # others in each burst: some may have nothing left to judge after the first
    new += [NewJudge(pin=f"q{n}") for n in range(2 * scale.rounds * scale.judges)]
    accounts = store.add_judges(CAMPAIGN, new, author="bench", now=now)
    store._database.write(lambda session: fill(session, past, now))
    store.set_phase(CAMPAIGN, "past", "evaluation", "closed", author="bench", now=now)
    store.set_phase(CAMPAIGN, "now", "evaluation", "started", author="bench", now=now)
    keys = Keys(store.secret())
    there = [account for account in accounts[PEOPLE:] if account.pin != "somebody"]
    return [logged_in(keys, Session.of(account, PLACE)) for account in there]


def fill(session: Statements, past: int, now: datetime) -> None:
    """Kits that some of the judges did in the last ten days, as judging would have left them."""
    import numpy as np
    from sqlalchemy import bindparam, literal_column, select, update

    random = np.random.default_rng(1)
    rows = session.all(
        select(kits.c.id, kits.c.campaign_id, kits.c.phase_id, kits.c.block, kits.c.systems)
        .order_by(kits.c.id)
        .limit(literal_column(str(past)))
        .offset(literal_column("0"))
    )
    people = [row[0] for row in session.all(select(judges.c.id).order_by(judges.c.id))][:PEOPLE]
    severity = random.normal(0, 0.5, PEOPLE)
    ids = iter(session.reserve(assignments, past * PER_KIT))
    step = timedelta(days=10) / (past * PER_KIT / PEOPLE + 1)
    held: list[tuple[object, ...]] = []
    said: list[tuple[object, ...]] = []
    for n, (kit, campaign, phase, block, systems) in enumerate(rows):
        quality = 2.5 + 0.4 * SYSTEMS.index(from_json(systems)[0]) + random.normal(0, 1, ITEMS)
        for turn in range(PER_KIT):
            who = (n * PER_KIT + turn) % PEOPLE
            begun = now - timedelta(days=10) + step * (n * PER_KIT // PEOPLE)
            seconds = random.gamma(3, 4, ITEMS)
            ends = [to_time(begun) + round(1e6 * t) for t in seconds.cumsum().tolist()]
            scores = np.clip(np.rint(quality + severity[who] + random.normal(0, 1, ITEMS)), 1, 7)
            number = next(ids)
            kept = (number, campaign, new_key(), people[who], kit, phase, block, "done", 1.0)
            times = (to_time(begun), ends[-1], ends[-1], ITEMS, float(seconds.sum()))
            held.append((*kept, ITEMS + 1, None, None, *times, "", "", ITEMS + 1))
            for position, score in enumerate(scores.astype(int).tolist()):
                answers: dict[str, object] = {"adequacy": score}
                if score >= 5:
                    answers["same-meaning"] = "yes" if score > 5 else "no"
                took, end = seconds[position], ends[position]
                when = (end - round(1e6 * took), end, float(took), float(took), None)
                key = (campaign, number, position + 1, 1, to_json(answers))
                said.append((*key, *when, "en", "valid", "", ""))
    session.insert(assignments, held)
    session.insert(
        decisions,
        said,
        [c.name for c in decisions.c if c.name != "id" and c.server_default is None],
    )
    taken = update(kits).where(kits.c.phase_id == bindparam("of"))
    session.run(taken.values(places=literal_column("0")), of=rows[0][2])


def timed(run: Callable[[], object], times: int, before: Callable[[], object] = int) -> Times:
    """How long it takes, after something else has been done."""
    took = []
    for _ in range(times):
        before()
        start = perf_counter()
        run()
        took.append(1000 * (perf_counter() - start))
    return Times(min(took), median(took))


class Somebody:
    """A judge who decides when he is asked to."""

    def __init__(self, store: Store) -> None:
        self._service = Service(store)
        self._judge = next(one.id for one in store.judges(CAMPAIGN) if one.pin == "somebody")

    def decides(self) -> None:
        """One decision more."""
        step = self._service.judging.next(CAMPAIGN, self._judge, go_on=True)
        assert isinstance(step, Screen)
        sent = Submission(
            assignment=step.assignment, position=step.position, answers={"adequacy": 4}
        )
        self._service.judging.submit(CAMPAIGN, self._judge, sent, go_on=True)


class Staff:
    """A browser of a coordinator, or of an adjudicator with pages elsewhere."""

    def __init__(self, port: int, who: Judge, place: str = "desk/") -> None:
        self._port = port
        self._head = {"Cookie": who.cookie}
        self._place = place

    def sees(self, page: str) -> bytes:
        """A page; a server does not hold a line on which nothing is said."""
        server = HTTPConnection("127.0.0.1", self._port, timeout=LONG)
        server.request("GET", f"{PLACE}{self._place}{page}", headers=self._head)
        response = server.getresponse()
        content = response.read()
        server.close()
        assert response.status == 200, (page, response.status, content[:200])
        return content


def data(url: str, scale: Scale) -> dict[str, Times]:
    """How long it takes to have what pages show, when nothing that is kept is good any more."""
    told = {}
    with Store.open(url) as store:
        service, cache, somebody = Service(store), CachedResults(store), Somebody(store)
        service.monitoring.status(CAMPAIGN)

        def look() -> object:
            return cache.summary(CAMPAIGN, timeout=LONG)

        told["progress, data"] = timed(lambda: service.monitoring.status(CAMPAIGN), scale.looks)
        told["all campaigns, data"] = timed(service.campaigns.counts, scale.looks)
        told["results, data, first time"] = timed(look, 1)
        told["results, data"] = timed(look, scale.looks, somebody.decides)
        told["results, data, nothing new"] = timed(look, scale.looks)
        chosen, looks = Filter(ways=("distance",)), max(1, scale.looks // 3)
        for name, run in (
            ("before and after", lambda: cache.compare(CAMPAIGN, chosen, timeout=LONG)),
            ("one segment", lambda: cache.segment(CAMPAIGN, "past0", "1", timeout=LONG)),
            ("one judge", lambda: cache.judge(CAMPAIGN, "p1", timeout=LONG)),
            ("one system", lambda: cache.system(CAMPAIGN, SYSTEMS[0], timeout=LONG)),
        ):
            run()
            told[f"{name}, data"] = timed(run, looks, somebody.decides)
        cache.close()
    return told


PAGES = (
    "",
    "progress",
    "progress/timeline",
    "results",
    "results/heat-map",
    "judges",
    "segments",
    "adjudication",
)


def served(url: str, scale: Scale, who: Judge, wise: Judge, people: list[Judge]) -> Served:
    """Pages over HTTP, and bursts of judging with and without somebody who looks at them."""
    bursts: dict[bool, list[Burst]] = {False: [], True: []}
    with serving(url, 1) as server, Store.open(url) as store:
        port, _ = server
        desk, somebody = Staff(port, who), Somebody(store)
        pages = {}
        for page in PAGES:
            pages[f"{page or 'first'} page, first time"] = timed(partial(desk.sees, page), 1)
            pages[f"{page or 'first'} page, first time, until computed"] = timed(
                partial(settled, desk, page), 1
            )
            see = partial(desk.sees, page)
            pages[f"{page or 'first'} page"] = timed(see, scale.looks, somebody.decides)
        cases = Staff(port, wise, "cases/")
        pages["adjudicator's page"] = timed(partial(cases.sees, ""), scale.looks, somebody.decides)
        for n in range(2 * scale.rounds):
            looks = n % 2 == 1
            with looking(port, who) if looks else nullcontext():
                some = [people.pop() for _ in range(scale.judges)]
                bursts[looks].append(client(server, some, scale.seconds))
            settled(desk)
    return Served(pages, bursts)


def settled(desk: Staff, page: str = "results") -> None:
    """Wait until the results are those of now: their tables have been read."""
    while b"data-computing" in desk.sees(page):
        sleep(0.2)


@contextmanager
def looking(port: int, who: Judge) -> Iterator[None]:
    """Somebody who loads the results anew as soon as they are there, at most every second."""
    over = Event()

    def look() -> None:
        desk = Staff(port, who)
        while not over.wait(PAUSE):
            desk.sees("results")

    thread = Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def measure(kind: str, scale: Scale, folder: Path, given: str | None) -> None:
    """All figures of one database."""
    with ExitStack() as stack:
        urls = stack.enter_context(addresses(kind, len(scale.stored), folder, given))
        told, bursts = [], []
        for url, stored in zip(urls, scale.stored, strict=True):
            with Store.open(url) as store:
                who, wise, *people = found(store, stored, scale)
            print(f"  {kind}: {stored:,} judgments stored", flush=True)
            known = data(url, scale)
            over_http = served(url, scale, who, wise, people)
            told.append({**known, **over_http.pages})
            bursts.append(over_http.bursts)
        titles = " | ".join(f"{n:,} stored" for n in scale.stored)
        print(f"\n| {kind}: ms, best (median) | {titles} |\n" + "|---" * (len(urls) + 1) + "|")
        for name in told[0]:
            print(f"| {name} | " + " | ".join(str(one[name]) for one in told) + " |")
        load = f"{os.getloadavg()[0]:.1f}"
        print(f"\nload of the machine: {load} on {os.cpu_count()} processors\n", flush=True)
        for stored, some in zip(scale.stored, bursts, strict=True):
            report(stored, some, scale)


def report(stored: int, bursts: dict[bool, list[Burst]], scale: Scale) -> None:
    """Judges without and with a coordinator who looks."""
    print(f"| {stored:,} stored, {scale.judges} judges | a second | median ms | p99 ms |")
    print("|---|---|---|---|")
    for looks, some in bursts.items():
        who = "somebody loads the results every second" if looks else "nobody looks"
        rate, middle, slow = (median(column) for column in zip(*(b[:3] for b in some), strict=True))
        print(f"| {who} | {rate:,.0f} | {middle:.1f} | {slow:.1f} |")
    print(flush=True)


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a little of everything")
    parser.add_argument("--only", choices=["SQLite", "PostgreSQL"])
    parser.add_argument("--stored", type=int, help="judgments, instead of both sizes")
    parser.add_argument("--postgres", metavar="URL", help="a server on which databases may be made")
    options = parser.parse_args()
    scale = QUICK if options.quick else FULL
    if options.stored:
        scale = scale._replace(stored=(options.stored,))
    with tempfile.TemporaryDirectory() as name:
        for kind in ("SQLite", "PostgreSQL"):
            if options.only in (None, kind):
                measure(kind, scale, Path(name), options.postgres)


if __name__ == "__main__":
    main()
