"""The processes that fail: `jurat serve` with its workers, and a PostgreSQL server."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from urllib.error import URLError
from urllib.request import urlopen

import psycopg

PATIENCE = 60
"""Seconds until a server must be up."""
PORTS = range(20_000, 30_000)
"""Below those that outgoing connections get: while the server is down, one could take its port."""


class ServerProcess:
    """`jurat serve` over a store, on one port for good, so that judges find it again."""

    def __init__(self, store: str, folder: Path, workers: int) -> None:
        self._port = next(port for port in _shuffled(PORTS) if _is_free(port))
        self.url = f"http://127.0.0.1:{self._port}"
        self._log = folder / "server.log"
        arguments = ("serve", "--port", str(self._port), "--workers", str(workers))
        self._command = (sys.executable, "-m", "jurat", *arguments)
        self._environment = {**os.environ, "JURAT_STORE": store}
        self._running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with self._log.open("ab") as log:
            self._running = subprocess.Popen(
                self._command,
                env=self._environment,
                stdout=log,
                stderr=log,
                # signals are for the whole group: workers fail together with their parent
                start_new_session=True,
            )
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self._running.poll() is None:
            try:
                with urlopen(f"{self.url}/ready", timeout=5):
                    return
            except (URLError, OSError):
                time.sleep(0.05)
        raise RuntimeError(f"no server at {self.url}:\n{self._log.read_text()[-2000:]}")

    def kill(self) -> None:
        """End all its processes at once, as a power cut would, and start it again."""
        self.signal(signal.SIGKILL)
        self.stop()
        self.start()

    def kill_main(self) -> None:
        """Kill the main process alone; its workers have to end by themselves."""
        if self._running:
            self._running.kill()
            self._running.wait()
        # they have the port until then
        _wait(lambda: _is_free(self._port), "the workers outlived their parent")
        self.start()

    def pause(self, seconds: float) -> None:
        """Let it stand still, as an overloaded machine would."""
        self.signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.signal(signal.SIGCONT)

    def fill_disk(self, seconds: float) -> None:
        """Let no file of its processes grow for a while."""
        for pid in self._pids():
            _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, hard))
        time.sleep(seconds)
        for pid in self._pids():
            _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))

    def signal(self, number: int) -> None:
        """Send a signal to all its processes."""
        if self._running and self._running.poll() is None:
            os.killpg(self._running.pid, number)

    def stop(self) -> None:
        """End it in order, if it still runs."""
        if self._running:
            self.signal(signal.SIGTERM)
            self._running.wait()
            self._running = None

    def _pids(self) -> Iterator[int]:
        """The ids of all its processes."""
        group = self._running.pid if self._running else -1
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.getpgid(int(entry.name)) == group:
                    yield int(entry.name)
            except ProcessLookupError:
                continue


class PostgresProcess:
    """A running PostgreSQL server that can be made to fail."""

    def __init__(self, address: str) -> None:
        self._address = address

    def cut(self) -> None:
        """Break every connection to it."""
        with self._asked() as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )

    def kill_backend(self) -> None:
        """Kill a process of it, upon which it breaks all others off and recovers from its log."""
        with self._asked() as connection:
            found = connection.execute(
                "SELECT pid FROM pg_stat_activity"
                " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend' LIMIT 1"
            ).fetchone()
        if found:
            os.kill(found[0], signal.SIGKILL)

    def pause(self, seconds: float) -> None:
        """Let all its client processes stand still."""
        with self._asked() as connection:
            pids = [
                pid
                for (pid,) in connection.execute(
                    "SELECT pid FROM pg_stat_activity"
                    " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
                ).fetchall()
            ]
        _signal_all(pids, signal.SIGSTOP)
        time.sleep(seconds)
        _signal_all(pids, signal.SIGCONT)

    @contextmanager
    def _asked(self) -> Iterator[psycopg.Connection]:
        """A connection, as soon as the server takes one: it may be recovering."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                connection = psycopg.connect(self._address, autocommit=True)
                break
            except psycopg.OperationalError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)
        with connection:
            yield connection


def _shuffled(ports: range) -> list[int]:
    return Random().sample(ports, len(ports))


def _is_free(port: int) -> bool:
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            one.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _wait(ended: Callable[[], bool], otherwise: str) -> None:
    end = time.monotonic() + PATIENCE
    while not ended():
        if time.monotonic() > end:
            raise RuntimeError(otherwise)
        time.sleep(0.02)


def _signal_all(pids: list[int], number: int) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue
