"""Group commit: jobs that arrive while one commit is under way share the next one.

A durable commit costs the same for one decision as for a hundred. Each job runs in a savepoint, so
that one that fails takes back only its own work, and no other job has to run again. Only when the
whole transaction fails, as on a full disk or at its commit, does every job of its batch run once
more, by itself.

A writer thread runs the jobs of threads. An event loop runs its own jobs itself, if nobody else is
writing at that moment: handing every decision from thread to thread would cost more than the
decision. The commit, which waits for the disk, is done by a committer thread if the disk is slow.
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
from time import monotonic
from typing import Any, NamedTuple, Protocol, TypeVar
from weakref import WeakKeyDictionary

from jurat.store.database import Session
from jurat.store.errors import StoreBusy, StoreFailed, StoreFault

T = TypeVar("T")

# Jobs of an event loop in one commit: with more, the first would wait too long for the last. Where
# hundreds wait they wait less with fewer commits: a quarter of them, up to MOST_AT_ONCE.
AT_ONCE, MOST_AT_ONCE = 16, 64
# How often, and after how many seconds, a loop tries again while another process is writing.
TRIES, PAUSE = 20, 0.001
# Seconds that the writer thread waits for another process.
PATIENCE = 20
# Batches that the writer thread commits together at most.
MOST = 256
# Seconds without a commit after which the log is copied to the main file.
IDLE = 2.0
# Seconds that an event loop may wait for a commit. After SLOW commits in a row that took longer,
# the committer thread does the next FOR_LONG; then the loop tries whether the disk is quick again.
QUICK, SLOW, FOR_LONG = 0.003, 3, 1000


class Job:
    """Work within a transaction, and later its result or error."""

    __slots__ = ("error", "result", "since", "work")

    def __init__(self, work: Callable[[Session], Any]) -> None:
        self.work = work
        self.since = monotonic()
        self.result: Any = None
        self.error: BaseException | None = None

    def outcome(self) -> Any:
        """The result, after the job was committed. Raises the error, if there was one."""
        if self.error is not None:
            raise self.error
        return self.result


class Batch(NamedTuple):
    """Jobs that are committed together, and a function to call, from any thread, after that."""

    jobs: Sequence[Job]
    done: Callable[[], None]
    deadline: float
    """When those who wait for it give up, by the monotonic clock."""


class WriteConnection(Protocol):
    """The connection that writes; every method raises `StoreFault` if the database fails."""

    def begin(self) -> None:
        """Begin a transaction. Raises `StoreBusy` if another process has one."""

    def run(self, job: Job) -> None:
        """Run a job in a savepoint, and set its result or error."""

    def commit(self) -> None:
        """Commit, so that it is on disk."""

    def rollback(self) -> None:
        """Roll the transaction back; never fails."""

    def checkpoint(self) -> None:
        """Copy what was committed from the log to the main file, while others write; may fail."""


class State(Enum):
    """What has become of a batch of an event loop."""

    DONE = auto()
    PENDING = auto()
    """A thread has it, and will call `done`."""
    BUSY = auto()
    """Nothing was done: another process is writing."""


class GroupCommit:
    """Commits the jobs of threads and event loops, as many at a time as have arrived."""

    def __init__(self, connection: WriteConnection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._loops: WeakKeyDictionary[AbstractEventLoop, LoopQueue] = WeakKeyDictionary()
        self.closed = False
        # Lock order: `closing`, then `_writing`. `closing` keeps jobs out of the queue of a store
        # that closes; `_writing` is held from the beginning of a transaction to its end.
        self.closing = Lock()
        self._writing = Lock()
        self.queue: SimpleQueue[Batch | None] = SimpleQueue()
        self._uncommitted: SimpleQueue[Batch | None] = SimpleQueue()
        """Batches of event loops that have run and are not committed."""
        self.slow = 0
        """Slow commits in a row; from SLOW on, how many more go to the committer thread."""
        self._commits = 0
        self._checkpointed = 0
        """The number of commits at the last checkpoint, and before that one look earlier."""
        self._seen_commits = 0
        self._threads = [
            Thread(target=work, name=f"{role} of {path.name}", daemon=True)
            for work, role in ((self._write, "writer"), (self._finish, "committer"))
        ]
        for thread in self._threads:
            thread.start()

    def run(self, work: Callable[[Session], T]) -> T:
        """The result of `work`, when it is on disk; for threads."""
        # A lock that the writer releases: the cheapest way to wake one thread.
        job, done = Job(work), Lock()
        done.acquire()
        with self.closing:
            self.refuse_if_closed()
            self.queue.put(Batch((job,), done.release, monotonic() + PATIENCE))
        done.acquire()
        result: T = job.outcome()
        return result

    async def run_soon(self, work: Callable[[Session], T]) -> T:
        """The same for an event loop; `work` must be short, since the loop may do it itself."""
        loop = get_running_loop()
        found = self._loops.get(loop)
        if found is None:
            found = self._loops[loop] = LoopQueue(self._try)
        return await found.add(work)

    def close(self) -> bool:
        """Finish all jobs and end the threads; false if that was done before."""
        with self.closing:
            if self.closed:
                return False
            self.closed = True
            self.queue.put(None)
        # With the lock, so that batches that are still to be committed are before it in the queue.
        with self._writing:
            self._uncommitted.put(None)
        for thread in self._threads:
            thread.join()
        return True

    def refuse_if_closed(self) -> None:
        """Raise `StoreFailed` if the store has been closed."""
        if self.closed:
            raise self._has_been_closed()

    def _has_been_closed(self) -> StoreFailed:
        return StoreFailed(f"the store {self._path} has been closed")

    # From here on: in the thread of an event loop.

    def _try(self, batch: Batch, *, wait: bool) -> State:
        """Run the jobs now; with `wait`, let the writer thread wait for another process."""
        if self._writing.acquire(blocking=False):
            try:
                self._run(batch.jobs)
            except StoreFault as error:
                self._writing.release()
                if isinstance(error, StoreBusy) and not wait:
                    return State.BUSY
                # Any other failure: the writer tries again, and tells each job what went wrong.
            else:
                return self._commit_or_hand_over(batch)
        return self._leave_to_writer(batch)

    def _run(self, jobs: Sequence[Job]) -> None:
        """Run jobs without committing them; if the database fails, none of them is done."""
        self.refuse_if_closed()
        self._connection.begin()
        try:
            for job in jobs:
                self._connection.run(job)
        except StoreFault:
            self._connection.rollback()
            raise

    def _commit_or_hand_over(self, batch: Batch) -> State:
        """Commit here if the disk is quick: a change of threads would take as long."""
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
        """Commit; false if that failed and was rolled back."""
        try:
            self._connection.commit()
        except StoreFault:
            self._connection.rollback()
            return False
        self._commits += 1
        return True

    # From here on: in the committer's thread.

    def _finish(self) -> None:
        while batch := self._uncommitted.get():
            if not self._is_committed():
                self._one_by_one(batch.jobs, batch.deadline)
            self._writing.release()  # which the event loop acquired
            batch.done()

    # From here on: in the writer's thread.

    def _write(self) -> None:
        while batches := self._waiting():
            with self._writing:
                # Nobody waits longer than they were told, also behind others who wait.
                deadline = min(batch.deadline for batch in batches)
                self._commit([job for batch in batches for job in batch.jobs], deadline)
            for batch in batches:
                batch.done()

    def _waiting(self) -> list[Batch]:
        """The batches that are waiting, at least one; none when the store is closed."""
        batch = self._first()
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
            if batches:  # first these; the end of the queue is for the next call
                self.queue.put(None)
        return batches

    def _first(self) -> Batch | None:
        """The next batch; while there is none, the log is copied to the main file."""
        while True:
            try:
                return self.queue.get(timeout=IDLE)
            except Empty:
                self._checkpoint_if_idle()

    def _checkpoint_if_idle(self) -> None:
        """Copy the log to the main file, if anything was committed, but nothing since last time.

        Otherwise the main file could be without the last thousands of decisions for days, and
        whoever copies it alone would lose them.
        """
        # Event loops commit without this thread: the count tells whether they are idle, too.
        commits, seen, self._seen_commits = self._commits, self._seen_commits, self._commits
        if commits == seen != self._checkpointed:
            with suppress(StoreFault):
                self._connection.checkpoint()
                self._checkpointed = commits

    def _commit(self, jobs: Sequence[Job], deadline: float) -> None:
        """Commit jobs in one transaction; if that fails, each in its own.

        So one job that fills the disk, or whose rows only the commit refuses, harms no other.
        """
        try:
            self._begin_patiently(deadline)
            for job in jobs:
                self._connection.run(job)
            self._connection.commit()
            self._commits += 1
        except StoreBusy as error:
            # For all of them: one after the other, the last would wait for all before it.
            self._connection.rollback()
            for job in jobs:
                job.error = error
        except StoreFault as error:
            self._connection.rollback()
            if len(jobs) == 1:
                jobs[0].error = jobs[0].error or error
            else:
                self._one_by_one(jobs, deadline)

    def _one_by_one(self, jobs: Sequence[Job], deadline: float) -> None:
        for job in jobs:
            self._commit([job], deadline)

    def _begin_patiently(self, deadline: float) -> None:
        """Begin a transaction as soon as no other process has one. Raises `StoreBusy`."""
        # SQLite's own waiting sleeps longer and longer, so that busier processes always come first.
        while monotonic() < deadline:
            try:
                return self._connection.begin()
            except StoreBusy:
                Event().wait(PAUSE)
        return self._connection.begin()


class LoopQueue:
    """The jobs of one event loop: one batch is under way, jobs that come meanwhile are the next."""

    def __init__(self, try_: Callable[..., State]) -> None:
        self._try = try_
        self._waiting: list[tuple[Job, Future[None]]] = []
        self._under_way = False

    async def add(self, work: Callable[[Session], T]) -> T:
        """The result of `work`, when it is on disk."""
        loop, job = get_running_loop(), Job(work)
        done = loop.create_future()
        self._waiting.append((job, done))
        if not self._under_way:
            self._under_way = True
            # Not at once: requests that arrived in the same moment share the commit.
            loop.call_soon(self._start)
        await done
        result: T = job.outcome()
        return result

    def _start(self, tries: int = TRIES) -> None:
        number = max(AT_ONCE, min(len(self._waiting) // 4, MOST_AT_ONCE))
        loop, batch = get_running_loop(), self._waiting[:number]
        end = partial(_call_in, loop, partial(self._end, batch))
        # of the first, who waits longest
        deadline = batch[0][0].since + PATIENCE
        state = self._try(Batch([job for job, _ in batch], end, deadline), wait=not tries)
        if state is State.BUSY:
            loop.call_later(PAUSE, self._start, tries - 1)
            return
        del self._waiting[:number]
        if state is State.DONE:
            self._end(batch)

    def _end(self, batch: Sequence[tuple[Job, Future[None]]]) -> None:
        for _, future in batch:
            if not future.done():  # a request that was cancelled does not wait any more
                future.set_result(None)
        self._under_way = bool(self._waiting)
        if self._under_way:
            get_running_loop().call_soon(self._start)


def _call_in(loop: AbstractEventLoop, end: Callable[[], None]) -> None:
    # In a loop that was closed meanwhile nobody waits.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(end)
