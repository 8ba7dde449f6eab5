"""A process beside the server, for what takes long: judges' requests do not share its lock.

It runs at a low priority, starts when it is first needed, and goes when nobody has asked for a
while. What it is asked are functions of a `Room`; it speaks pickles, with its own parent alone.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from queue import Empty, PriorityQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeVar

from jurat.faults import Fault, FaultyInput

if TYPE_CHECKING:
    from jurat.campaigns.watching.room import Room

T = TypeVar("T")
Work = Callable[..., Any]

NICE = 10
"""Less than what serves judges: where both want a processor it gets a tenth."""
IDLE = 900.0
"""Seconds after which a process that nobody asks anything is let go, with all that it holds."""
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""A second thread of BLAS only waits on a machine that has other things to do."""


class Broken(RuntimeError):
    """The process has ended, or failed in a way that is our own mistake."""


class _Order(NamedTuple):
    """What is asked, in the order in which it is to be done."""

    rank: int
    number: int
    work: Work | None
    arguments: tuple[Any, ...]
    answer: Future[Any]


class Beside:
    """The process beside, as the server sees it; any thread may ask."""

    def __init__(self, address: str, *, nice: int = NICE) -> None:
        """For the store at an address; the nicer, the more it leaves to others."""
        self._begin = (address, nice)
        self._orders: PriorityQueue[_Order] = PriorityQueue()
        self._numbers = count()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: Thread | None = None
        self._lock = Lock()

    def ask(self, work: Callable[..., T], *arguments: object, last: bool = False) -> Future[T]:
        """What the function makes of the room and these arguments, when it is done.

        What is asked for with `last` waits until nothing else is to be done.
        """
        answer: Future[T] = Future()
        order = _Order(int(last), next(self._numbers), work, arguments, answer)
        with self._lock:
            self._orders.put(order)
            if self._thread is None:
                self._thread = Thread(target=self._serve, name="beside", daemon=True)
                self._thread.start()
        return answer

    def close(self) -> None:
        """Let the process go, whatever it is doing."""
        with self._lock:
            thread, self._thread = self._thread, None
            if thread is None:
                return
            self._orders.put(_Order(-1, next(self._numbers), None, (), Future()))
            if self._process is not None:
                self._process.kill()
        thread.join()

    # What follows runs in the thread that talks to the process.

    def _serve(self) -> None:
        while (order := self._next()).work is not None:
            if order.answer.set_running_or_notify_cancel():
                self._answer(order)
        self._stop()
        with suppress(Empty):
            while True:
                self._orders.get_nowait().answer.set_exception(Broken("it was closed before"))

    def _next(self) -> _Order:
        while True:
            try:
                return self._orders.get(timeout=IDLE if self._process else None)
            except Empty:
                self._stop()

    def _answer(self, order: _Order) -> None:
        try:
            kind, found = self._exchange(order)
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            self._stop()
            order.answer.set_exception(Broken(f"the process beside has ended: {error}"))
            return
        if kind == "done":
            order.answer.set_result(found)
        else:
            failed: Exception = FaultyInput(found) if kind == "faults" else Broken(found)
            order.answer.set_exception(failed)

    def _exchange(self, order: _Order) -> tuple[str, Any]:
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        pickle.dump((order.work, order.arguments), process.stdin)
        process.stdin.flush()
        answer: tuple[str, Any] = pickle.load(process.stdout)  # noqa: S301  # our own child's words
        return answer

    def _start(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(  # noqa: S603  # our own words, and this Python
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **ENVIRONMENT},
        )
        with self._lock:
            self._process = process
        assert process.stdin is not None
        pickle.dump(self._begin, process.stdin)
        return process

    def _stop(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            for pipe in filter(None, (process.stdin, process.stdout)):
                with suppress(OSError):  # what was to be written has nobody to read it
                    pipe.close()
            process.wait()


def main() -> None:
    """Be the process beside, until its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent says when it is over
    orders, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    try:
        address, nice = pickle.load(orders)  # noqa: S301  # our own parent's words
        if hasattr(os, "nice"):
            os.nice(nice)
        from jurat.campaigns.watching.room import Room

        room = Room(address)
        while True:
            work, arguments = pickle.load(orders)  # noqa: S301
            _write(answers, _worked(work, room, arguments))
    except (EOFError, BrokenPipeError):
        return


def _worked(work: Work, room: Room, arguments: tuple[Any, ...]) -> bytes:
    """The outcome, ready to be sent: what a user did wrong is told as his fault."""
    found: tuple[str, str | tuple[Fault, ...]]
    try:
        return pickle.dumps(("done", work(room, *arguments)))
    except FaultyInput as error:
        found = ("faults", error.faults)
    except Exception:  # noqa: BLE001  # whatever it is, the next one is to be answered
        traceback.print_exc()
        found = ("broken", traceback.format_exc(limit=-1).strip())
    return pickle.dumps(found)


def _write(answers: BinaryIO, content: bytes) -> None:
    answers.write(content)
    answers.flush()


if __name__ == "__main__":
    main()
