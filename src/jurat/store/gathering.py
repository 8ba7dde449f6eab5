"""What an event loop wants to have written, gathered while the last of it is on its way to disk."""

from __future__ import annotations

from asyncio import AbstractEventLoop, Future, get_running_loop
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum, auto
from functools import partial
from typing import Any, Protocol, TypeVar
from weakref import WeakKeyDictionary

from jurat.store.database import Session

T = TypeVar("T")

AT_ONCE = 16
"""Jobs in one commit: with more of them those that came first would wait for the last."""
TRIES, PAUSE = 20, 0.001
"""How often, and after how many seconds, a loop tries again while another program is writing."""


class Job:
    """Some work within a transaction, and what came of it."""

    __slots__ = ("error", "result", "work")

    def __init__(self, work: Callable[[Session], Any]) -> None:
        self.work = work
        self.result: Any = None
        self.error: BaseException | None = None

    def outcome(self) -> Any:
        """The result, when the work is done; raises what went wrong."""
        if self.error is not None:
            raise self.error
        return self.result


class Fate(Enum):
    """What becomes of jobs that are to be written."""

    DONE = auto()
    COMING = auto()
    BUSY = auto()


class Write(Protocol):
    """How jobs are written together."""

    def __call__(self, jobs: Sequence[Job], end: Callable[[], None], *, wait: bool) -> Fate:
        """Write them; where that is still to come, call back, from any thread, when it is done.

        Another program may be busy writing at this moment; with `wait` that is waited for.
        """


class Gathering:
    """The jobs of one event loop: one commit is under way, and what comes meanwhile is the next."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._waiting: list[tuple[Job, Future[None]]] = []
        self._under_way = False

    async def add(self, work: Callable[[Session], T]) -> T:
        """The outcome of this work, when it is on disk."""
        loop, job = get_running_loop(), Job(work)
        done = loop.create_future()
        self._waiting.append((job, done))
        if not self._under_way:
            self._under_way = True
            loop.call_soon(self._go)  # others have come at the same moment
        await done
        result: T = job.outcome()
        return result

    def _go(self, tries: int = TRIES) -> None:
        loop, now = get_running_loop(), self._waiting[:AT_ONCE]
        end = partial(_tell, loop, self._end, now)
        fate = self._write([job for job, _ in now], end, wait=not tries)
        if fate is Fate.BUSY:
            loop.call_later(PAUSE, self._go, tries - 1)
            return
        del self._waiting[:AT_ONCE]
        if fate is Fate.DONE:
            self._end(now)

    def _end(self, done: Sequence[tuple[Job, Future[None]]]) -> None:
        for _, future in done:
            if not future.done():  # nobody waits any more for one that was cancelled
                future.set_result(None)
        self._under_way = bool(self._waiting)
        if self._under_way:
            get_running_loop().call_soon(self._go)


class Gatherings:
    """A gathering for every event loop; a server has one."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._of: WeakKeyDictionary[AbstractEventLoop, Gathering] = WeakKeyDictionary()

    def here(self) -> Gathering:
        """That of the loop which is running."""
        loop = get_running_loop()
        found = self._of.get(loop)
        if found is None:
            found = self._of[loop] = Gathering(self._write)
        return found


def _tell(
    loop: AbstractEventLoop,
    end: Callable[[Sequence[tuple[Job, Future[None]]]], None],
    done: Sequence[tuple[Job, Future[None]]],
) -> None:
    # a loop that was closed meanwhile has nobody left who would want to know
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(end, done)
