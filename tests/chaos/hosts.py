"""Two hosts on this machine: network namespaces, each with a cable to this one.

Only root can make them. A test of the same with two processes on one host is in `test_hosts.py`.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from tests.chaos.processes import PostgresProcess, ServerProcess
from tests.chaos.trial import Faults, Outcome, Trial, work_under
from tests.machine import nginx, postgres

HERE = "10.213.77.1"
"""This machine's address in the network of the hosts, where PostgreSQL and nginx are."""
BRIDGE = "juratbr0"
NAMES = ("jurat-a", "jurat-b")


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@contextmanager
def network() -> Iterator[dict[str, str]]:
    """Make the hosts; their addresses by name. They are gone afterwards."""
    with ExitStack() as undo:
        _ip("link", "add", BRIDGE, "type", "bridge")
        undo.callback(_ip, "link", "del", BRIDGE)
        _ip("addr", "add", f"{HERE}/24", "dev", BRIDGE)
        _ip("link", "set", BRIDGE, "up")
        addresses = {name: f"10.213.77.{n}" for n, name in enumerate(NAMES, start=11)}
        for name, address in addresses.items():
            _add_host(name, address)
            undo.callback(_ip, "netns", "del", name)
        yield addresses


def _add_host(name: str, address: str) -> None:
    """A namespace, and a cable whose end here is called after it."""
    _ip("netns", "add", name)
    _ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
    _ip("link", "set", name, "master", BRIDGE, "up")
    for words in (
        ("addr", "add", f"{address}/24", "dev", "eth0"),
        ("link", "set", "eth0", "up"),
        ("link", "set", "lo", "up"),
    ):
        _ip("-n", name, *words)


def unplug(name: str, seconds: float) -> None:
    """Take a host off the network for a while: from its database and from the proxy at once."""
    _ip("link", "set", name, "down")
    time.sleep(seconds)
    _ip("link", "set", name, "up")


def run_on_hosts(trial: Trial, folder: Path, report: Callable[[str], None]) -> Outcome:
    """Judges at nginx, servers on two hosts behind it, one PostgreSQL; all but nginx may fail."""
    with network() as hosts, postgres.running(host=HERE) as store:
        servers = {
            name: ServerProcess(store, folder, trial.workers, host=address, namespace=name)
            for name, address in hosts.items()
        }
        database = PostgresProcess(store)
        faults: Faults = {
            **{f"{name} killed": server.kill for name, server in servers.items()},
            **{f"{name} paused": partial(server.pause, 0.5) for name, server in servers.items()},
            **{f"{name} unplugged": partial(unplug, name, 1.0) for name in servers},
            "connections cut": database.cut,
            "database process killed": database.kill_backend,
            "database paused": partial(database.pause, 0.5),
        }
        addresses = [server.address for server in servers.values()]
        with nginx.running(folder, addresses) as url:
            return work_under(faults, trial, store, [*servers.values()], url, report=report)


def restart_in_turn(servers: list[ServerProcess]) -> Faults:
    """An upgrade without an interruption: one server after the other stops and starts."""
    return {f"server {n} restarted": one.restart for n, one in enumerate(servers, start=1)}
