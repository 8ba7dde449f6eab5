"""Judging with Jurat beside judging with Pearmut: the same judges and texts, taking turns.

Run it with `python benchmarks/peers.py` (some minutes), or `--quick` to see that it works. Each
judge gives a score from 0 to 100 (protocol DA), sends it as soon as the text before is there, and
waits until it is stored and the next text has come: one request in Jurat, two in Pearmut, as their
pages do. Jurat has synced a decision to the disk by then; Pearmut has written it to a file, and the
progress of all judges to another. Every burst has a campaign and a server of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.machine import processor_seconds  # noqa: E402
from benchmarks.serve import (  # noqa: E402
    QUICK,
    TEXT,
    Burst,
    Person,
    Running,
    client,
    found,
    run_burst,
    serving,
    wait_for,
)
from benchmarks.startup import free_port  # noqa: E402
from jurat.store import Store  # noqa: E402
from tests.machine import pearmut  # noqa: E402

JUDGES = (1, 8, 32)
SECONDS = 3.0
ROUNDS = 5
DOCUMENTS = 300
"""Texts of one judge; a burst ends when somebody has done all of theirs."""


class Found(NamedTuple):
    """What a burst of one program gave."""

    burst: Burst
    processor: float
    """Milliseconds of the server's processor for a decision."""
    memory: float
    """Megabytes of the server at the end."""


class PearmutJudge(Person):
    """A judge at Pearmut."""

    def __init__(self, user: str, end: asyncio.Event, waits: list[float]) -> None:
        super().__init__(end, waits)
        self._who = {"campaign_id": "bench", "user_id": user}
        self._item = 0
        self._asked = False

    def _post(self, path: str, body: dict[str, object]) -> None:
        sent = json.dumps({**self._who, **body})
        head = f"Host: b\r\nContent-Type: application/json\r\nContent-Length: {len(sent)}\r\n"
        self._transport.write(f"POST {path} HTTP/1.1\r\n{head}\r\n{sent}".encode())

    def begin(self) -> None:
        """Ask for a text."""
        self._asked = True
        self._post("/get-next-item", {})

    def take(self, content: bytes) -> None:
        """Take up a text, that a score is stored, or that there is nothing left to judge."""
        if not self._asked:
            self.begin()
            return
        self._asked = False
        info = json.loads(content).get("info", {})
        if "item_i" in info:
            self._item = info["item_i"]
            self.go_on()
        elif self.ready.is_set():
            self.stop()
        else:
            self.fail(content)

    def send_decision(self) -> None:
        """Send a score."""
        now = time.time()
        score = {"score": 70, "error_spans": [], "textfield": None}
        actions = [{"time": now - 5, "action": "load"}, {"time": now, "action": "submit"}]
        texts = [{"src": TEXT, "tgt": {"x": TEXT}}]
        payload = {"annotation": [{"x": score}], "actions": actions, "item": texts}
        self._post("/log-response", {"item_i": self._item, "payload": payload})


def campaign(users: list[str]) -> dict[str, object]:
    """A campaign of Pearmut in which each judge has texts of their own."""
    documents = [[{"src": TEXT, "tgt": {"x": TEXT}}] for _ in range(DOCUMENTS)]
    info = {"assignment": "task-based", "protocol": "DA", "users": users, "shuffle": False}
    return {"campaign_id": "bench", "info": info, "data": [documents for _ in users]}


def judge_in_pearmut(judges: int, seconds: float) -> Found:
    """A burst at a new server of Pearmut."""
    users, port = [f"judge{n}" for n in range(judges)], free_port()
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "campaign.json"
        file.write_text(json.dumps(campaign(users)))
        with pearmut.serving(Path(name), file, port) as server:
            wait_for(port)
            before = processor_seconds(server.pid)
            burst = client(Running(port, server), users, seconds, script=__file__)
            return _found(burst, server.pid, before)


def judge_in_jurat(judges: int, seconds: float) -> Found:
    """A burst at a new server of Jurat, on SQLite."""
    with tempfile.TemporaryDirectory() as name:
        url = str(Path(name) / "jurat.db")
        with Store.open(url, create=True) as store:
            people = found(store, 0, QUICK._replace(segments=4000), judges, protocol="da")
        with serving(url, 1) as server:
            before = processor_seconds(server.process.pid)
            burst = client(server, people, seconds)
            return _found(burst, server.process.pid, before)


def _found(burst: Burst, pid: int, before: float) -> Found:
    """Add what the server's process has used since `before`, and its memory."""
    spent = processor_seconds(pid) - before
    resident = Path(f"/proc/{pid}/status").read_text().split("VmRSS:")[1].split()[0]
    return Found(burst, 1000 * spent / burst.decisions, int(resident) / 1024)


def table(results: dict[int, dict[str, list[Found]]]) -> str:
    """Medians and their ratios, a row for each number of judges."""
    lines = [
        "| judges | | decisions/s | wait, ms | p99, ms | server, ms a decision | memory, MB |",
        "|---|---|---|---|---|---|---|",
    ]
    for judges, programs in results.items():
        rows = {name: _medians(some) for name, some in programs.items()}
        for name, row in rows.items():
            lines.append(f"| {judges} | {name} | " + " | ".join(f"{v:,.4g}" for v in row) + " |")
        ratios = [ours / theirs for ours, theirs in zip(*rows.values(), strict=True)]
        lines.append(f"| {judges} | ratio | " + " | ".join(f"{r:.2g}" for r in ratios) + " |")
    return "\n".join(lines)


def _medians(some: list[Found]) -> list[float]:
    columns = zip(*((*one.burst[:3], one.processor, one.memory) for one in some), strict=True)
    return [median(column) for column in columns]


def main() -> None:
    """Let both take turns, and print the table."""
    parser = argparse.ArgumentParser(description="Jurat beside Pearmut.")
    parser.add_argument("--quick", action="store_true", help="a little of everything")
    parser.add_argument("--burst", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.burst:
        run_burst(lambda user, end, waits: PearmutJudge(str(user), end, waits))
        return
    pearmut.install()
    seconds, rounds, numbers = (0.5, 1, (2,)) if options.quick else (SECONDS, ROUNDS, JUDGES)
    results: dict[int, dict[str, list[Found]]] = {n: {"Jurat": [], "Pearmut": []} for n in numbers}
    for _ in range(rounds):
        for judges, names in results.items():
            names["Jurat"].append(judge_in_jurat(judges, seconds))
            names["Pearmut"].append(judge_in_pearmut(judges, seconds))
    python = platform.python_version()
    print(f"Jurat {version('jurat')}, Pearmut {pearmut.VERSION}, Python {python}\n")
    print(table(results))


if __name__ == "__main__":
    main()
