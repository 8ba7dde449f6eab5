"""Group commit on PostgreSQL: what arrives together is one transaction, sent as a pipeline.

A transaction of its own costs every decision five round trips and a flush of the server's disk.
Together, decisions share both.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop, Future, get_running_loop, wait_for
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from jurat.store.database import Session
from jurat.store.errors import StoreBusy
from jurat.store.group_commit import Job

T = TypeVar("T")
Work = Callable[[Session], Any]

# Jobs in one transaction: with more, the first would wait too long for the last.
AT_ONCE = 32
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
            message = f"the database has not answered for {PATIENCE:.0f} seconds"
            raise StoreBusy(message) from None
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
