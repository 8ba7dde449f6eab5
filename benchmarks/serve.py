"""Judging over HTTP: durable decisions a second, each with the next step, and how long one waits.

Run it with `python benchmarks/serve.py` (some minutes), or `--quick` to see that it works.
Servers run as `jurat serve` runs them, each over a store that was filled in bulk; judges are
connections of one client process on the same machine, which send a decision as soon as the step
before is there. Servers take turns in short bursts, so that a busy machine slows all of them;
medians are shown, beside what the bare disk does meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import socket
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import uniform
from statistics import median
from typing import Any, NamedTuple, cast

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import uvloop  # noqa: E402
from starlette.responses import Response  # noqa: E402

from benchmarks.machine import Work  # noqa: E402
from benchmarks.store import PER_KIT, TEXT, addresses, disk, fill_past  # noqa: E402
from jurat.campaigns import Service  # noqa: E402
from jurat.campaigns.service_context import utc_now  # noqa: E402
from jurat.model import File  # noqa: E402
from jurat.store import NewJudge, Store  # noqa: E402
from jurat.web.sessions import Keys, Session  # noqa: E402

CAMPAIGN = "bench"
PLACE = f"/c/{CAMPAIGN}/"
API = f"{PLACE}api"
LENGTH = re.compile(rb"(?i)\r\ncontent-length: *([0-9]+)")
AGAIN = re.compile(rb"(?i)\r\nretry-after: *([0-9]+)")
KEY = re.compile(rb'"key":"([^"/]+)/([0-9]+)"')
BODY = '{"assignment":"%s","position":%s,"go_on":true,"answers":{"adequacy":4}}'
LONG = 60.0
"""Seconds after which something has gone wrong."""
ITEMS = 20
"""Steps of a kit."""
PLAN = """
name: bench
test_set: set.tsv
tasks:
  - name: past
    protocol: {protocol}
    wanted: {per_kit}
    where: part == 'past'
    kits: {{segments: {items}}}
  - name: now
    protocol: {protocol}
    wanted: {many}
    where: part == 'now'
    kits: {{segments: {items}}}
"""


class Scale(NamedTuple):
    """How much is measured."""

    stored: tuple[int, ...]
    judges: tuple[int, ...]
    workers: tuple[int, ...]
    seconds: float
    rounds: int
    segments: int


FULL = Scale((0, 500_000), (1, 32, 200), (1, 2), 1.5, 3, 4000)
QUICK = Scale((800,), (1, 4), (1,), 0.3, 1, 400)


class Judge(NamedTuple):
    """A browser that is logged in."""

    cookie: str
    form_key: str


def make_set(past: int, now: int) -> bytes:
    """Two systems' translations of so many segments of each part."""
    lines = ["document\tsegment\ttag:part\tsource\treference:A\tsystem:x\tsystem:y"]
    for part, count in (("past", past), ("now", now)):
        for n in range(count):
            where = f"{part}{n // ITEMS}\t{n}\t{part}\t{TEXT}\t{TEXT}"
            lines.append(f"{where}\tx {TEXT}\ty {TEXT}")
    return "\n".join(lines).encode()


def found(
    store: Store, stored: int, scale: Scale, judges: int, *, protocol: str = "tapet-adequacy"
) -> list[Judge]:
    """A campaign with so many judgments, and judges who can go on in it."""
    service = Service(store)
    past = -(-stored // (ITEMS * PER_KIT))
    plan = PLAN.format(per_kit=PER_KIT, items=ITEMS, many=1000, protocol=protocol)
    texts = make_set(max(past, 1) * ITEMS // 2 + ITEMS, scale.segments)
    service.campaigns.create(
        File("campaign.yaml", plan.encode()), lambda name: File(name, texts), author="bench"
    )
    now = utc_now()
    new = [NewJudge(pin=f"p{n}") for n in range(PER_KIT)] + [
        NewJudge(pin=str(n)) for n in range(judges)
    ]
    accounts = store.add_judges(CAMPAIGN, new, author="bench", now=now)
    if past:
        store._database.write(lambda session: fill_past(session, past))
    store.set_phase(CAMPAIGN, "past", "evaluation", "closed", author="bench", now=now)
    store.set_phase(CAMPAIGN, "now", "evaluation", "started", author="bench", now=now)
    keys = Keys(store.secret())
    return [logged_in(keys, Session.of(account, PLACE)) for account in accounts[PER_KIT:]]


def logged_in(keys: Keys, session: Session) -> Judge:
    """What a browser has after its login, without a thousand logins."""
    response = Response()
    keys.write(response, session, secure=False)
    return Judge(response.headers["set-cookie"].partition(";")[0], keys.form_key(session))


@contextmanager
def serving(url: str, workers: int) -> Iterator[Running]:
    """A server over a store."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    command = [sys.executable, "-m", "jurat", "serve", "--store", url]
    command += ["--port", str(port), "--workers", str(workers)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield Running(port, server)
    finally:
        server.terminate()
        server.wait()


def wait_for(port: int) -> None:
    """Until the server answers."""
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError("the server does not start")


class Burst(NamedTuple):
    """What a burst of judging gave."""

    per_second: float
    middle: float
    slow: float
    """Milliseconds that one decision in a hundred takes, or more."""
    decisions: int
    slowest: float
    refused: int
    """Responses that the server was too busy."""
    refused_in: float
    """Milliseconds until such a response; one in a hundred takes longer. 0 where there is none."""
    response: float
    """Milliseconds until any other response, to a decision or to who asks for a kit: the same."""
    work: Work
    """Milliseconds of the processors for a decision."""


class Person(asyncio.Protocol, ABC):
    """A connection that judges at once until the end; all begin when all have their first step.

    It does as little as it can, since it shares the machine with the server.
    """

    reading = 0.0
    """Seconds before a decision, half of it more or less."""

    def __init__(self, end: asyncio.Event, waits: list[float]) -> None:
        self.refusals: list[float] = []
        """Seconds until each response that the server was too busy."""
        self.responses: list[float] = []
        """Seconds until each other response, from the first decision on."""
        self.last = 0.0
        """When the last decision was answered."""
        self._request = b""
        self._end = end
        self._waits = waits
        self._got = b""
        self._sent = self._asked_at = 0.0
        """When the decision that is waited for was sent, and the last request."""
        self.ready, self.done = asyncio.Event(), asyncio.Event()
        self.error: Exception | None = None
        """What went wrong."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the first step."""
        self._transport = cast("asyncio.Transport", transport)
        self.begin()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the burst, whether it was over, the server went away or an answer was unexpected."""
        if not self.done.is_set():
            self.error = self.error or exc or ConnectionError("the server ended a connection")
            self._end.set()
        self.ready.set()
        self.done.set()

    def data_received(self, data: bytes) -> None:
        """Take up an answer when it is all there."""
        self._got += data
        head, _, content = self._got.partition(b"\r\n\r\n")
        length = LENGTH.search(head)
        if length is None or len(content) < int(length[1]):
            return
        self._got = b""
        if head.startswith(b"HTTP/1.1 200"):
            if self.ready.is_set():
                self.responses.append(time.perf_counter() - self._asked_at)
            self.take(content)
        elif head.startswith(b"HTTP/1.1 503") and (again := AGAIN.search(head)):
            self.refusals.append(time.perf_counter() - self._asked_at)
            # as the page's script does
            asyncio.get_running_loop().call_later(float(again[1]), self._ask_again)
        else:
            self.fail(head + content)

    def ask(self, request: bytes) -> None:
        """Send a request, and again later if the server is too busy."""
        self._request, self._asked_at = request, time.perf_counter()
        self._transport.write(request)

    def _ask_again(self) -> None:
        if self._end.is_set():
            self.stop()
            return
        self._sent = time.perf_counter()
        self.ask(self._request)

    def go_on(self) -> None:
        """Decide about the step that has come; the first one waits until all have theirs."""
        if self.ready.is_set():
            self.last = time.perf_counter()
            self._waits.append(self.last - self._sent)
            self.read(self.reading * uniform(0.5, 1.5))
        self.ready.set()

    def read(self, seconds: float) -> None:
        """Decide after so many seconds, at once if it is none."""
        if seconds:
            asyncio.get_running_loop().call_later(seconds, self.decide)
        else:
            self.decide()

    def decide(self) -> None:
        """Send a decision, until it is over."""
        if self._end.is_set():
            self.stop()
            return
        self._sent = time.perf_counter()
        self.send_decision()

    def stop(self) -> None:
        """Go, and end the burst: who has nothing left to judge ends it early for everybody."""
        self._end.set()
        self.ready.set()
        self.done.set()
        self._transport.close()

    def fail(self, content: bytes) -> None:
        """End the burst with an answer that was not expected."""
        self.error = RuntimeError(content.decode(errors="replace"))
        self._transport.close()

    @abstractmethod
    def begin(self) -> None:
        """Ask for the first step."""

    @abstractmethod
    def take(self, content: bytes) -> None:
        """Take up an answer: go on, ask for more or stop."""

    @abstractmethod
    def send_decision(self) -> None:
        """Send a decision about the present step."""


class Hands(Person):
    """A judge at Jurat."""

    def __init__(self, judge: Judge, end: asyncio.Event, waits: list[float]) -> None:
        super().__init__(end, waits)
        self._head = f"Host: b\r\nCookie: {judge.cookie}\r\nX-Form-Key: {judge.form_key}\r\n"
        self._key = ("", "")

    def begin(self) -> None:
        """Ask for the first step of a kit; after a kit this counts to its last decision."""
        self.ask(f"GET {API}/step?go-on=1 HTTP/1.1\r\n{self._head}\r\n".encode())

    def take(self, content: bytes) -> None:
        """Take up a step, the end of a kit or the end of all kits."""
        if b'"to":"between"' in content:
            self.begin()
        elif key := KEY.search(content):
            self._key = (key[1].decode(), key[2].decode())
            self.go_on()
        elif b'"key":"rest"' in content and self.ready.is_set():
            self.stop()
        else:
            self.fail(content)

    def send_decision(self) -> None:
        """Send a decision, which is answered by the next step."""
        assignment, position = self._key
        body = BODY % (assignment, position)
        line = f"POST {API}/decide HTTP/1.1\r\n{self._head}Content-Length: {len(body)}\r\n\r\n"
        self.ask((line + body).encode())


Make = Callable[[Any, asyncio.Event, list[float]], Person]
"""Makes a connection from who judges, the event of the end, and a list for the seconds waited."""


async def burst(
    port: int, server: int, people: list[Person], end: asyncio.Event, seconds: float
) -> tuple[float, Work]:
    """Let so many people judge at once; the seconds until the last decision was answered.

    Also what the processors had done before the first of them. `server` is a process. It ends
    early if somebody has nothing left to judge. Raises what a connection has met.
    """
    loop = asyncio.get_running_loop()
    for one in people:
        await loop.create_connection(lambda one=one: one, "127.0.0.1", port)  # type: ignore[misc]
    for one in people:
        await one.ready.wait()
    before, start = Work.so_far(server), time.perf_counter()
    for one in people:
        one.read(uniform(0, one.reading))
    with suppress(TimeoutError):
        await asyncio.wait_for(end.wait(), seconds)
    end.set()
    for one in people:
        await one.done.wait()
    for one in people:
        if one.error:
            raise one.error
    return max(one.last for one in people) - start, before


def run_burst(make: Make) -> None:
    """Run the burst that standard input asks for, and print what it gave."""
    order = json.load(sys.stdin)

    async def measured() -> Burst:
        end, waits = asyncio.Event(), list[float]()
        people = [make(one, end, waits) for one in order["judges"]]
        for one in people:
            one.reading = order["reading"]
        server = order["server"]
        took, before = await burst(order["port"], server, people, end, order["seconds"])
        work = Work.so_far(server).since(before, len(waits))
        ordered = sorted(1000 * wait for wait in waits)
        refusals = sorted(1000 * wait for one in people for wait in one.refusals)
        responses = sorted(1000 * wait for one in people for wait in one.responses)
        told = len(refusals), _slow(refusals), _slow(responses)
        rate, slow = len(waits) / took, _slow(ordered)
        return Burst(rate, median(ordered), slow, len(waits), ordered[-1], *told, work)

    print(json.dumps(uvloop.run(asyncio.wait_for(measured(), order["seconds"] + LONG))))


def _slow(ordered: Sequence[float]) -> float:
    """What one in a hundred exceeds; 0 for none."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))] if ordered else 0.0


class Running(NamedTuple):
    """A server that is running."""

    port: int
    process: subprocess.Popen[bytes]
    """Its main process."""


def client(
    server: Running,
    judges: Sequence[object],
    seconds: float,
    script: str = __file__,
    *,
    reading: float = 0.0,
) -> Burst:
    """A burst from a process of its own, so that server and judges do not share a lock."""
    port, process = server
    order = {"port": port, "server": process.pid, "judges": judges}
    order |= {"seconds": seconds, "reading": reading}
    done = subprocess.run(
        [sys.executable, script, "--burst"],
        input=json.dumps(order),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    *told, work = json.loads(done.stdout)
    return Burst._make([*told, Work._make(work)])


def measure(kind: str, scale: Scale, folder: Path, given: str | None) -> None:
    """All figures of one database."""
    with ExitStack() as stack:
        urls = stack.enter_context(addresses(kind, len(scale.stored), folder, given))
        needed = scale.rounds * sum(scale.judges) * len(scale.workers) + 1
        people: list[list[Judge]] = []
        for url, stored in zip(urls, scale.stored, strict=True):
            with Store.open(url) as store:
                people.append(found(store, stored, scale, needed))
            print(f"  {kind}: {stored:,} judgments stored", flush=True)
        for workers in scale.workers:
            with ExitStack() as servers:
                running = [servers.enter_context(serving(url, workers)) for url in urls]
                process = "process" if workers == 1 else "processes"
                report(f"{kind}, {workers} {process}", scale, running, people, folder)


def report(
    title: str, scale: Scale, servers: list[Running], people: list[list[Judge]], folder: Path
) -> None:
    """Let servers and the bare disk take turns, and print the medians."""
    disks = []
    bursts: dict[int, list[list[Burst]]] = {n: [[] for _ in servers] for n in scale.judges}
    for _ in range(scale.rounds):
        disks.append(disk(folder, scale.seconds / 4))
        for judges in scale.judges:
            for n, server in enumerate(servers):
                some = [people[n].pop() for _ in range(judges)]
                bursts[judges][n].append(client(server, some, scale.seconds))
    stored = " | ".join(f"{n:,} stored" for n in scale.stored)
    print(f"\n| {title} | {stored} |\n" + "|---" * (len(servers) + 1) + "|")
    for judges in scale.judges:
        cells = [
            f"{median(b.per_second for b in some):,.0f}/s, {median(b.middle for b in some):.1f} ms"
            f" (p99 {median(b.slow for b in some):.0f})"
            for some in bursts[judges]
        ]
        print(f"| {_judges(judges)} | " + " | ".join(cells) + " |")
    print("\n| ms of the processors for a decision | server | judges | database and all else |")
    print("|---|---|---|---|")
    for judges, stores in bursts.items():
        columns = zip(*(one.work for some in stores for one in some), strict=True)
        print(f"| {_judges(judges)} | " + " | ".join(f"{median(c):.2f}" for c in columns) + " |")
    limits = (f"{median(d[name] for d in disks):,.0f} {name}/s" for name in disks[0])
    print(f"\nthe disk meanwhile: {', '.join(limits)}\n", flush=True)


def _judges(number: int) -> str:
    return "1 judge" if number == 1 else f"{number} judges"


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a little of everything")
    parser.add_argument("--only", choices=["SQLite", "PostgreSQL"])
    parser.add_argument("--postgres", metavar="URL", help="a server on which databases may be made")
    parser.add_argument("--burst", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.burst:
        run_burst(lambda judge, end, waits: Hands(Judge(*judge), end, waits))
        return
    scale = QUICK if options.quick else FULL
    with tempfile.TemporaryDirectory() as name:
        for kind in ("SQLite", "PostgreSQL"):
            if options.only in (None, kind):
                measure(kind, scale, Path(name), options.postgres)


if __name__ == "__main__":
    main()
