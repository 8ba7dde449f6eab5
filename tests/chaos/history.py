"""What judges have sent and were told, and whether the store agrees with it."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from jurat.store import StoredDecision


class Key(NamedTuple):
    """What names a decision: sent twice, it is stored once."""

    assignment: str
    position: int
    revision: int


class History:
    """Decisions as they were sent and acknowledged, by several judges at once."""

    def __init__(self) -> None:
        self.sent: dict[Key, tuple[str, object]] = {}
        """The judge and the answers of every decision that was sent at least once."""
        self.acknowledged: set[Key] = set()
        self.statuses: Counter[int] = Counter()
        """Responses by their status; 0 where there was none."""
        self.violations: list[str] = []
        """What a judge was told that cannot be."""
        self._lock = threading.Lock()
        self._acknowledging = threading.Condition(self._lock)
        self._furthest: dict[str, int] = {}

    def send(self, key: Key, judge: str, answers: object) -> None:
        """Note a decision, before it is sent."""
        with self._lock:
            self.sent[key] = (judge, answers)

    def receive(self, status: int, told: str = "") -> None:
        """Note the status of a response."""
        with self._lock:
            self.statuses[status] += 1
            if status == 500:
                self.violations.append(f"status 500: {told[:200]}")

    def acknowledge(self, key: Key) -> None:
        """Note that the server has said that a decision is stored."""
        with self._lock:
            self.acknowledged.add(key)
            known = self._furthest.get(key.assignment, 0)
            self._furthest[key.assignment] = max(known, key.position)
            self._acknowledging.notify_all()

    def wait_for_more(self, seconds: float) -> bool:
        """Wait until one more decision is acknowledged; whether one was in so many seconds."""
        with self._acknowledging:
            before = len(self.acknowledged)
            return self._acknowledging.wait_for(lambda: len(self.acknowledged) > before, seconds)

    def ask(self, judge: str, assignment: str, position: int) -> None:
        """Note the step that a judge is asked to decide next."""
        with self._lock:
            if position <= self._furthest.get(assignment, 0):
                self.violations.append(f"{judge} is asked {assignment} {position} again")

    def check(self, stored: Iterable[StoredDecision], *, wanted: int) -> list[str]:
        """Everything in which the store and this history do not agree; empty if they do.

        `wanted` is how many judges each kit may have.
        """
        rows = list(stored)
        return [
            *self.violations,
            *self._lost_or_changed(rows),
            *_gaps(rows),
            *_too_many(rows, wanted),
        ]

    def _lost_or_changed(self, rows: list[StoredDecision]) -> Iterator[str]:
        keys = Counter(_key(row) for row in rows)
        yield from (f"{key} is stored {n} times" for key, n in keys.items() if n > 1)
        yield from (f"{key} was acknowledged and is lost" for key in self.acknowledged - {*keys})
        for row in rows:
            if self.sent.get(_key(row)) != (row.judge, dict(row.answers)):
                yield f"{_key(row)} of {row.judge} is not what was sent: {row.answers}"


def _key(row: StoredDecision) -> Key:
    return Key(row.assignment, row.position, row.revision)


def _gaps(rows: list[StoredDecision]) -> Iterator[str]:
    """Assignments in which a later step is decided, and an earlier one is not."""
    positions: defaultdict[str, set[int]] = defaultdict(set)
    for row in rows:
        positions[row.assignment].add(row.position)
    for assignment, decided in positions.items():
        if decided != {*range(1, len(decided) + 1)}:
            yield f"{assignment} has only the steps {sorted(decided)}"


def _too_many(rows: list[StoredDecision], wanted: int) -> Iterator[str]:
    """Kits that more judges have than wanted, or one judge twice."""
    holders: defaultdict[int, dict[str, str]] = defaultdict(dict)
    for row in rows:
        if row.status != "excluded":
            holders[row.kit][row.assignment] = row.judge
    for kit, judges in holders.items():
        if len(judges) > wanted:
            yield f"kit {kit} has {len(judges)} judges instead of {wanted}"
        if len({*judges.values()}) < len(judges):
            yield f"kit {kit} was given to a judge twice"
