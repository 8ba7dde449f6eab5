"""Group commit on PostgreSQL: what arrives together is one transaction, sent as a pipeline.

A transaction of its own costs every decision five round trips and a flush of the server's disk.
Together, decisions share both.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop, Future, get_running_loop, wait_for
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from jurat.store.database import Session
from jurat.store.errors import StoreBusy
from jurat.store.group_commit import Job

T = TypeVar("T")
Work = Callable[[Session], Any]

# Jobs in one transaction: with more, the first would wait too long for the last.
AT_ONCE = 32
# The same for threads, which ask for kits: those who got theirs in one moment would need the next
# in one moment, too. With 4, one in a hundred of 32 judges waits half as long as with 32.
THREADS_AT_ONCE = 4
# Transactions at the same time. Two would wait for each other's rows and for Python's lock: one
# with all that has arrived gave a tenth more decisions a second, and kept fewer waiting for long.
GROUPS = 1
# Seconds after which whoever waits is told to try again, for example while the server is stopped.
PATIENCE = 20.0


class PostgresGroups:
    """Runs the jobs of event loops in groups, in threads of its own."""

    def __init__(self, run: Callable[[Sequence[Job]], None]) -> None:
        """`run` runs jobs in one transaction, and sets their results or errors."""
        self._run = run
        self._threads = ThreadPoolExecutor(GROUPS, thread_name_prefix="groups")
        self._loops: WeakKeyDictionary[AbstractEventLoop, LoopGroups] = WeakKeyDictionary()

    async def add(self, work: Callable[[Session], T]) -> T:
        """The result of `work`, when it is on disk. Raises `StoreBusy` if that takes too long.

        The work may be done all the same then: it must be repeatable.
        """
        loop = get_running_loop()
        found = self._loops.get(loop)
        if found is None:
            found = self._loops[loop] = LoopGroups(self._threads, self._run)
        job = Job(work)
        try:
            await wait_for(found.add(job), PATIENCE)
        except TimeoutError:
            raise _too_slow() from None
        result: T = job.outcome()
        return result

    def close(self) -> None:
        """Finish the groups under way."""
        self._threads.shutdown()


class LoopGroups:
    """The jobs of one event loop: some groups are under way, jobs that come meanwhile wait."""

    def __init__(self, threads: ThreadPoolExecutor, run: Callable[[Sequence[Job]], None]) -> None:
        self._threads = threads
        self._run = run
        self._waiting: list[tuple[Job, Future[None]]] = []
        self._under_way = 0

    def add(self, job: Job) -> Future[None]:
        """A future that is done when the job is."""
        loop = get_running_loop()
        done = loop.create_future()
        self._waiting.append((job, done))
        if self._under_way < GROUPS:
            self._under_way += 1
            # not at once: requests that arrived in the same moment share the transaction
            loop.call_soon(self._start)
        return done

    def _start(self) -> None:
        # who has given up meanwhile is left out: nobody would learn the result
        waiting = [one for one in self._waiting if not one[1].done()]
        group, self._waiting = waiting[:AT_ONCE], waiting[AT_ONCE:]
        if not group:
            self._under_way -= 1
            return
        jobs = [job for job, _ in group]
        running = get_running_loop().run_in_executor(self._threads, self._run, jobs)
        running.add_done_callback(lambda done: self._end(group, done))

    def _end(self, group: Sequence[tuple[Job, Future[None]]], running: Future[None]) -> None:
        error = None if running.cancelled() else running.exception()
        for job, done in group:
            if error is not None:
                job.error = error
            if not done.done():
                done.set_result(None)
        get_running_loop().call_soon(self._start)


class ThreadGroups:
    """The jobs of threads: one thread runs a group, while others gather for the next one.

    Their transactions are apart from the decisions of event loops, which would otherwise wait for
    the campaign's lock whenever a kit is given.
    """

    def __init__(self, run: Callable[[Sequence[Job]], None]) -> None:
        """`run` runs jobs in one transaction, and sets their results or errors."""
        self._run = run
        self._lock = Lock()
        self._waiting: list[WaitingThread] = []
        self._under_way = False

    def add(self, work: Callable[[Session], T]) -> T:
        """The result of `work`, when it is on disk. Raises `StoreBusy` if that takes too long.

        The work may be done all the same then: it must be repeatable.
        """
        mine = WaitingThread(Job(work))
        with self._lock:
            self._waiting.append(mine)
            if not self._under_way:
                self._under_way = True
                mine.woken.set()
        if not mine.woken.wait(PATIENCE):
            self._give_up(mine)
        if not mine.done:
            self._run_waiting()
        result: T = mine.job.outcome()
        return result

    def _give_up(self, mine: WaitingThread) -> None:
        with self._lock:
            # it may have been woken to run the next group: then nobody else does
            if mine.woken.is_set():
                return
            if mine in self._waiting:
                self._waiting.remove(mine)
        raise _too_slow()

    def _run_waiting(self) -> None:
        """Run those who wait, and wake up one of the next."""
        with self._lock:
            group, self._waiting = self._waiting[:THREADS_AT_ONCE], self._waiting[THREADS_AT_ONCE:]
        try:
            self._run([one.job for one in group])
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is the callers'
            for one in group:
                one.job.error = error
        with self._lock:
            for one in group:
                one.done = True
                one.woken.set()
            self._under_way = bool(self._waiting)
            if self._waiting:
                self._waiting[0].woken.set()


class WaitingThread:
    """A thread with a job: when it is woken, the job is done or it runs the next group."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.woken = Event()
        self.done = False


def _too_slow() -> StoreBusy:
    return StoreBusy(f"the database has not answered for {PATIENCE:.0f} seconds")
