"""The processes that fail: `jurat serve` with its workers, and a PostgreSQL server."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from subprocess import DEVNULL
from urllib.error import URLError
from urllib.request import urlopen

import psycopg

from tests.chaos.clock import Clock

PATIENCE = 60
"""Seconds until a server must be up."""
PORTS = range(20_000, 30_000)
"""Below those that outgoing connections get: while the server is down, one could take its port."""


class ServerProcess:
    """`jurat serve` over a store, on one port for good, so that judges find it again."""

    def __init__(
        self,
        store: str,
        folder: Path,
        workers: int,
        *,
        clock: Clock | None = None,
        host: str = "127.0.0.1",
        namespace: str = "",
    ) -> None:
        self._port = next(port for port in _shuffled(PORTS) if _is_free(port))
        self.address = f"{host}:{self._port}"
        self.url = f"http://{self.address}"
        self._log = folder / f"server-{self._port}.log"
        arguments = ("--host", host, "--port", str(self._port), "--workers", str(workers))
        within = ("ip", "netns", "exec", namespace) if namespace else ()
        self._command = (*within, sys.executable, "-m", "jurat", "serve", *arguments)
        own_clock = clock.environment if clock else {}
        self._environment = {**os.environ, **own_clock, "JURAT_STORE": store}
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

    def restart(self) -> None:
        """Stop it in order and start it again, as an upgrade does."""
        self.stop()
        self.start()

    def pause(self, seconds: float) -> None:
        """Let it stand still, as an overloaded machine would."""
        self.signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.signal(signal.SIGCONT)

    def fill_disk(self, seconds: float) -> None:
        """Let no file of its processes grow for a while."""
        with _no_file_grows(self._pids):
            time.sleep(seconds)

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
        for pid in _all_pids():
            with suppress(ProcessLookupError):
                if os.getpgid(pid) == group:
                    yield pid


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

    def fill_disk(self, seconds: float) -> None:
        """Let no file of its processes grow for a while: what it writes is refused."""
        with self._asked() as connection:
            main = _parent(connection.info.backend_pid)
        with _no_file_grows(lambda: [main, *_children(main)]):
            time.sleep(seconds)

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


@contextmanager
def _no_file_grows(pids: Callable[[], Iterable[int]]) -> Iterator[None]:
    """Forbid processes to make a file larger, as a full disk would, and allow it again."""
    _limit_files(pids(), grow=False)
    try:
        yield
    finally:
        # twice: a process that began meanwhile has the limit of the one that started it
        for _ in range(2):
            _limit_files(pids(), grow=True)


def _limit_files(pids: Iterable[int], *, grow: bool) -> None:
    for pid in pids:
        with suppress(FileNotFoundError):
            owner = Path(f"/proc/{pid}").stat().st_uid
            limit = f"--fsize={'unlimited' if grow else 0}:"
            # by the owner: root itself may lack the right where it is not the machine's root
            user = owner if os.geteuid() == 0 else None
            command = ["prlimit", f"--pid={pid}", limit]
            subprocess.run(command, check=False, stderr=DEVNULL, user=user)


def _all_pids() -> Iterator[int]:
    return (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())


def _parent(pid: int) -> int:
    """The id of the process that started another; raises `OSError` if that has ended."""
    # a program's name stands in parentheses and may itself contain any character
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def _children(main: int) -> Iterator[int]:
    for pid in _all_pids():
        with suppress(OSError):
            if _parent(pid) == main:
                yield pid


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
