"""Group commit: what arrives while one commit is under way shares the next one.

A durable commit costs the same for one decision as for a hundred. Each job runs in a savepoint, so
that one that is refused takes back only its own work and no other job runs again.

What threads want to have written is done by a writer thread. What an event loop wants is short,
and the loop does it itself if nobody else is writing at that moment: to hand every decision from
thread to thread would cost more than the decision. The commit, which waits for the disk, is left
to a committer thread where the disk is slow.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop, Future, get_running_loop
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum, auto
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import Any, NamedTuple, Protocol, TypeVar
from weakref import WeakKeyDictionary

from jurat.store.database import Session
from jurat.store.errors import StoreBusy, StoreFailed, StoreFault

T = TypeVar("T")

# Jobs of an event loop in one commit: with more, those that came first would wait for the last.
AT_ONCE = 16
# How often, and after how many seconds, a loop tries again while another process is writing.
TRIES, PAUSE = 20, 0.001
# Seconds that the writer thread waits for another process.
PATIENCE = 20
# Batches of threads in one commit.
MOST = 256
# Seconds that an event loop may wait for a commit. After SLOW commits in a row that took longer the
# committer thread does the next FOR_LONG; then the loop tries again whether the disk is quick now.
QUICK, SLOW, FOR_LONG = 0.003, 3, 1000


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


class Batch(NamedTuple):
    """Jobs that are committed together, and what is called, from any thread, when they are."""

    jobs: Sequence[Job]
    done: Callable[[], None]


class Transactions(Protocol):
    """The connection that writes; every method raises `StoreFault` where the database fails."""

    def begin(self) -> None:
        """Begin a transaction; `StoreBusy` where another process has one."""

    def run(self, job: Job) -> None:
        """Do a job in a savepoint, and note its result or its error."""

    def commit(self) -> None:
        """Make what was done durable."""

    def rollback(self) -> None:
        """Take back what was done; never fails."""


class State(Enum):
    """What has become of a batch of an event loop's."""

    DONE = auto()
    PENDING = auto()
    """A thread has it, and calls `done`."""
    BUSY = auto()
    """Nothing was done: another process is writing."""


class GroupCommit:
    """Commits the jobs of threads and event loops, as many at a time as have arrived."""

    def __init__(self, transactions: Transactions, path: Path) -> None:
        self._transactions = transactions
        self._path = path
        self._loops: WeakKeyDictionary[AbstractEventLoop, LoopQueue] = WeakKeyDictionary()
        self.closed = False
        # Locks are taken in this order: `closing` guards the queues against a store that closes,
        # `_writing` is held from the beginning of a transaction to its end.
        self.closing = Lock()
        self._writing = Lock()
        self.queue: SimpleQueue[Batch | None] = SimpleQueue()
        self._uncommitted: SimpleQueue[Batch | None] = SimpleQueue()
        """Batches of event loops in which everything is done but the commit."""
        self.slow = 0
        """Slow commits in a row; from SLOW on, how many more go to the committer thread."""
        self._threads = [
            Thread(target=work, name=f"{role} of {path.name}", daemon=True)
            for work, role in ((self._write, "writer"), (self._finish, "committer"))
        ]
        for thread in self._threads:
            thread.start()

    def run(self, work: Callable[[Session], T]) -> T:
        """What comes of this work, when it is on disk; for threads."""
        job, done = Job(work), Lock()
        done.acquire()
        with self.closing:
            self.refuse_if_closed()
            self.queue.put(Batch((job,), done.release))
        done.acquire()
        result: T = job.outcome()
        return result

    async def run_soon(self, work: Callable[[Session], T]) -> T:
        """The same for an event loop; the work must be short, since the loop may do it itself."""
        loop = get_running_loop()
        found = self._loops.get(loop)
        if found is None:
            found = self._loops[loop] = LoopQueue(self._try)
        return await found.add(work)

    def close(self) -> bool:
        """Finish what was asked for, and end the threads; false where that was done before."""
        with self.closing:
            if self.closed:
                return False
            self.closed = True
            self.queue.put(None)
        # what an event loop has begun comes before this
        with self._writing:
            self._uncommitted.put(None)
        for thread in self._threads:
            thread.join()
        return True

    def refuse_if_closed(self) -> None:
        """Raise `StoreFailed` where the store has been closed."""
        if self.closed:
            raise self._has_been_closed()

    def _has_been_closed(self) -> StoreFailed:
        return StoreFailed(f"the store {self._path} has been closed")

    # This runs in the thread of an event loop.

    def _try(self, batch: Batch, *, wait: bool) -> State:
        """Do the jobs at once; with `wait`, leave it to the writer where another process writes."""
        if self._writing.acquire(blocking=False):
            try:
                self._run(batch.jobs)
            except StoreFault as error:
                self._writing.release()
                if isinstance(error, StoreBusy) and not wait:
                    return State.BUSY
            else:
                return self._commit_or_hand_over(batch)
        return self._leave_to_writer(batch)

    def _run(self, jobs: Sequence[Job]) -> None:
        """Do jobs, all but the commit; where the database fails none of them is done."""
        self.refuse_if_closed()
        self._transactions.begin()
        try:
            for job in jobs:
                self._transactions.run(job)
        except StoreFault:
            self._transactions.rollback()
            raise

    def _commit_or_hand_over(self, batch: Batch) -> State:
        """Commit here where the disk is quick: a change of threads takes as long."""
        if self.slow >= SLOW:
            self.slow -= 1
            self._uncommitted.put(batch)
            return State.PENDING
        clock = get_running_loop().time
        start = clock()
        committed = self._is_committed()
        self._writing.release()
        if clock() - start <= QUICK:
            self.slow = 0
        else:
            self.slow += 1 if self.slow + 1 < SLOW else FOR_LONG
        return State.DONE if committed else self._leave_to_writer(batch)

    def _leave_to_writer(self, batch: Batch) -> State:
        with self.closing:
            if not self.closed:
                self.queue.put(batch)
                return State.PENDING
        for job in batch.jobs:
            job.error = self._has_been_closed()
        return State.DONE

    def _is_committed(self) -> bool:
        """Commit what was done; whether that could be."""
        try:
            self._transactions.commit()
        except StoreFault:
            self._transactions.rollback()
            return False
        return True

    # This runs in the committer's thread.

    def _finish(self) -> None:
        while batch := self._uncommitted.get():
            if not self._is_committed():
                self._one_by_one(batch.jobs)
            self._writing.release()  # which the event loop acquired
            batch.done()

    # And this in the writer's.

    def _write(self) -> None:
        while batches := self._waiting():
            with self._writing:
                self._commit([job for batch in batches for job in batch.jobs])
            for batch in batches:
                batch.done()

    def _waiting(self) -> list[Batch]:
        """The batches that are waiting; none when the store is closed."""
        batch = self.queue.get()
        batches: list[Batch] = []
        while batch is not None:
            batches.append(batch)
            if len(batches) == MOST:
                break
            try:
                batch = self.queue.get_nowait()
            except Empty:
                break
        else:
            if batches:  # closed, but these came before
                self.queue.put(None)
        return batches

    def _commit(self, jobs: Sequence[Job]) -> None:
        """All of them in one durable transaction; or each in its own, where the commit fails.

        One job whose rows only the commit refuses, or that fills the disk, harms no other so.
        """
        try:
            self._begin_patiently()
            for job in jobs:
                self._transactions.run(job)
            self._transactions.commit()
        except StoreFault as error:
            self._transactions.rollback()
            if len(jobs) == 1:
                jobs[0].error = jobs[0].error or error
            else:
                self._one_by_one(jobs)

    def _one_by_one(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            self._commit([job])

    def _begin_patiently(self) -> None:
        """Begin when the other processes have finished; SQLite's own waiting is unfair."""
        for _ in range(int(PATIENCE / PAUSE)):
            try:
                return self._transactions.begin()
            except StoreBusy:
                Event().wait(PAUSE)
        return self._transactions.begin()


class LoopQueue:
    """The jobs of one event loop: one batch is under way, what comes meanwhile is the next."""

    def __init__(self, try_: Callable[..., State]) -> None:
        self._try = try_
        self._waiting: list[tuple[Job, Future[None]]] = []
        self._under_way = False

    async def add(self, work: Callable[[Session], T]) -> T:
        """The outcome of this work, when it is on disk."""
        loop, job = get_running_loop(), Job(work)
        done = loop.create_future()
        self._waiting.append((job, done))
        if not self._under_way:
            self._under_way = True
            loop.call_soon(self._start)  # not at once: others have come at the same moment
        await done
        result: T = job.outcome()
        return result

    def _start(self, tries: int = TRIES) -> None:
        loop, batch = get_running_loop(), self._waiting[:AT_ONCE]
        end = partial(_call_in, loop, partial(self._end, batch))
        state = self._try(Batch([job for job, _ in batch], end), wait=not tries)
        if state is State.BUSY:
            loop.call_later(PAUSE, self._start, tries - 1)
            return
        del self._waiting[:AT_ONCE]
        if state is State.DONE:
            self._end(batch)

    def _end(self, batch: Sequence[tuple[Job, Future[None]]]) -> None:
        for _, future in batch:
            if not future.done():  # nobody waits any more for one that was cancelled
                future.set_result(None)
        self._under_way = bool(self._waiting)
        if self._under_way:
            get_running_loop().call_soon(self._start)


def _call_in(loop: AbstractEventLoop, end: Callable[[], None]) -> None:
    # a loop that was closed meanwhile has nobody left who would want to know
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(end)
