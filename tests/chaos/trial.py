"""One trial: a campaign, its judges and a coordinator at work, and faults that strike meanwhile."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from jurat.campaigns import Service
from jurat.campaigns.accounts import Slip
from jurat.campaigns.service_context import utc_now
from jurat.errors import InputError
from jurat.store import Store, StoreFault
from tests.campaigns.sample_campaigns import NAME, Setting, admit, make_set, plan, task
from tests.chaos.clock import Clock
from tests.chaos.history import History
from tests.chaos.http_judge import HttpJudge
from tests.chaos.processes import PATIENCE, PostgresProcess, ServerProcess

WANTED = 3
FAR = 2 * 24 * 3600
"""Seconds of a jump of the clock: leases, logins and locks that last hours are long over."""
Faults = Mapping[str, Callable[[], None]]


@dataclass(frozen=True)
class Trial:
    """What is tried: how long, with how many judges and workers, and with which luck."""

    seconds: float = 240
    seed: int = 1
    judges: int = 12
    workers: int = 2
    documents: int = 40
    between: tuple[float, float] = (0.2, 1.5)
    """Seconds between two faults."""
    reading: float = 0
    """Seconds that a judge reads before a decision: 0 is all the load that they can make."""
    once: bool = False
    """Whether every fault strikes once, each as soon as judging goes on after the one before."""
    only: tuple[str, ...] = ()
    """The faults that strike, by name; all if none is named."""


@dataclass(frozen=True)
class Outcome:
    """What happened, and in what the store and the judges' history do not agree."""

    history: History
    faults: Counter[str]
    violations: list[str]


def run(
    trial: Trial,
    store: str,
    folder: Path,
    database: PostgresProcess | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Let judges work over HTTP while one fault after the other strikes; check all that is stored.

    `store` is the address of an empty store, `folder` takes the server's log, and `report` is told
    of every fault.
    """
    clock = Clock(folder)
    server = ServerProcess(store, folder, trial.workers, clock=clock)
    known = {**faults_of(server, database), **_jumps(clock)}
    faults = {name: known[name] for name in trial.only or known}
    return work_under(faults, trial, store, [server], server.url, report=report)


def work_under(
    faults: Faults,
    trial: Trial,
    store: str,
    servers: Sequence[ServerProcess],
    url: str,
    *,
    report: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Start a campaign in an empty store, let judges work at `url` while faults strike, and check.

    `servers` are started and stopped here; `url` leads to them, directly or through a proxy.
    """
    slips = _launch(store, trial)
    history, stop = History(), threading.Event()
    people: list[threading.Thread] = [
        HttpJudge(url, NAME, slip, history, stop, reading=trial.reading) for slip in slips
    ]
    coordinator = partial(
        _coordinate, store, [slip.pin for slip in slips], Random(trial.seed), stop
    )
    people.append(threading.Thread(target=coordinator, daemon=True))
    try:
        for server in servers:
            server.start()
        for one in people:
            one.start()
        struck = _strike(faults, trial, history, report)
        _goes_on(history, after="all of them")
    finally:
        stop.set()
        for one in people:
            if one.ident:
                one.join()
        for server in servers:
            server.stop()
    with Store.open(store) as opened:
        violations = history.check(opened.decisions(NAME), wanted=WANTED)
    return Outcome(history, struck, violations)


def faults_of(server: ServerProcess, database: PostgresProcess | None) -> Faults:
    """What can be made to fail, by name."""
    own: dict[str, Callable[[], None]] = {
        "server killed": server.kill,
        "main process killed": server.kill_main,
        "server paused": partial(server.pause, 0.5),
    }
    if database is None:
        # the files of PostgreSQL belong to its own processes
        return own | {"no file can grow": partial(server.fill_disk, 0.5)}
    return own | {
        "connections cut": database.cut,
        "database process killed": database.kill_backend,
        "database paused": partial(database.pause, 0.5),
        "database cannot grow": partial(database.fill_disk, 0.5),
    }


def _jumps(clock: Clock) -> Faults:
    """Jumps of the server's clock, back to the right time at last."""
    return {
        "clock set forward": partial(clock.jump, FAR),
        "clock set back": partial(clock.jump, -FAR),
        "clock set right": partial(clock.jump, 0),
    }


def _launch(store: str, trial: Trial) -> list[Slip]:
    """Create and start the campaign; its judges' logins."""
    with Store.open(store, create=True) as opened:
        setting = Setting(opened)
        declared = plan(task(wanted=WANTED, kits={"documents": 1}, revise=True))
        setting.create(declared, set=make_set(trial.documents, 3))
        slips = admit(opened, NAME, trial.judges)
        setting.start()
    return slips


def _strike(
    faults: Faults, trial: Trial, history: History, report: Callable[[str], None]
) -> Counter[str]:
    """Let faults strike at random until the time is over; how often each did."""
    chance, struck = Random(trial.seed), Counter[str]()
    names, end = list(faults), time.monotonic() + trial.seconds
    name = "the start"
    while len(struck) < len(names) or (time.monotonic() < end and not trial.once):
        if trial.once:
            _goes_on(history, after=name)
        else:
            time.sleep(chance.uniform(*trial.between))
        # every kind once, then at random
        name = names[len(struck)] if len(struck) < len(names) else chance.choice(names)
        report(name)
        faults[name]()
        struck[name] += 1
    return struck


def _goes_on(history: History, *, after: str) -> None:
    """Wait until somebody's decision is stored; note it where nobody's is."""
    if not history.wait_for_more(PATIENCE):
        history.violations.append(f"no decision was stored in {PATIENCE} s after {after}")


def _coordinate(store: str, pins: list[str], chance: Random, stop: threading.Event) -> None:
    """Return kits to the others, or have them judged again, while all of it goes on."""
    with Store.open(store) as opened:
        campaigns = Service(opened, clock=utc_now).campaigns
        while not stop.wait(chance.uniform(0.5, 2)):
            act = chance.choice((campaigns.redo, campaigns.give_back))
            # refused or not stored now: a coordinator would try again later
            with suppress(StoreFault, InputError):
                act(NAME, chance.choice(pins), author="boss", reason="a trial")
