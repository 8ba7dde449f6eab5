"""The worker process that computes results, so that judges' requests do not wait for them.

Python runs one thread at a time: statistics in the server's own process would delay every judge.
The worker runs at a low priority, starts with the first job and ends when it has been idle for a
while. A job is a function whose first argument is the `WorkerState`; parent and worker exchange
pickles over pipes that nobody else can reach.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import traceback
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from queue import Empty, PriorityQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeVar

import msgspec

from jurat.campaigns.create import CampaignDefinition
from jurat.campaigns.monitoring.filters import Filter, Filtered, apply_filter
from jurat.campaigns.monitoring.sections import DataVersion
from jurat.campaigns.service_context import ServiceContext
from jurat.errors import InputError, Problem
from jurat.protocols import Protocol
from jurat.store import Store

if TYPE_CHECKING:
    import polars as pl

    from jurat.campaigns.export import JudgmentTables
    from jurat.stats import Evaluation

T = TypeVar("T")
Work = Callable[..., Any]

# Where judges and the worker compete for a processor, the worker gets about a tenth.
NICE = 10
# Seconds without a job after which the worker ends and frees the memory of its tables.
IDLE_SECONDS = 900.0
# More threads of BLAS gain nothing here, and take the cores that serve judges.
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
# Campaigns whose tables stay in memory; the least recently used is dropped.
MAX_CAMPAIGNS = 3
# The kind of message that tells how far a job is, before its outcome.
PROGRESS = "progress"
# Filters whose evaluation stays in memory: a comparison needs one before and one after.
MAX_FILTERS = 2


class Tables(msgspec.Struct, frozen=True, kw_only=True):
    """A campaign's long tables by name, and the version of the judgments in them."""

    as_of: DataVersion
    named: Mapping[str, pl.DataFrame]


def scores_first(
    tables: Mapping[str, pl.DataFrame], protocols: Mapping[str, Protocol]
) -> dict[str, pl.DataFrame]:
    """The tables; in that of judgments answers that protocols score come before all others.

    Pages and reports name questions in the order of the rows: where errors are marked to explain a
    score, the score is what counts.
    """
    named = dict(tables)
    judged = named.get("judgments")
    counting = {q for one in protocols.values() if one.score for q in one.score.questions}
    if judged is not None and counting and judged.height and judged["question"][0] not in counting:
        first = judged["question"].is_in(list(counting))
        named["judgments"] = judged.filter(first).vstack(judged.filter(~first))
    return named


@dataclass
class _CampaignData:
    """What the worker holds of one campaign."""

    protocols: Mapping[str, Protocol]
    judgment_tables: JudgmentTables
    """Reads only what is new since it was last asked."""
    tables: Tables | None = None
    filtered: OrderedDict[Filter, Filtered] = field(default_factory=OrderedDict)
    """Evaluations of the current tables; they keep what statistics have in common."""


class WorkerState:
    """The data that jobs work on: opened once, then brought up to date for each job."""

    def __init__(self, address: str, progress: Callable[[float], None] = lambda _: None) -> None:
        """Open the store at an address; it must exist.

        Long jobs call `progress` with the share that is done, from any thread.
        """
        self.store = Store.open(address, create=False)
        self.progress = progress
        self._context = ServiceContext(self.store)
        self._campaigns: OrderedDict[str, _CampaignData] = OrderedDict()

    def definition(self, campaign: str) -> CampaignDefinition:
        """The plan, protocols and test set of a campaign as they are now."""
        # asked for anew: results are cached for longer than the context's two seconds
        return self._context.refresh(campaign).definition

    def tables(self, campaign: str) -> Tables:
        """The long tables of a campaign as they are now."""
        return self._current(campaign)[1]

    def filtered(self, campaign: str, chosen: Filter) -> Filtered:
        """The judgments that a filter leaves, ready for the statistics."""
        data, tables = self._current(campaign)
        # evaluations are as large as the tables: only those of one campaign are kept
        for other in self._campaigns.values():
            if other is not data:
                other.filtered.clear()
        if chosen not in data.filtered:
            data.filtered[chosen] = apply_filter(tables.named, chosen)
        data.filtered.move_to_end(chosen)
        if len(data.filtered) > MAX_FILTERS:
            data.filtered.popitem(last=False)
        return data.filtered[chosen]

    def with_models(self, campaign: str, chosen: Filter) -> Evaluation | None:
        """The judgments that a filter leaves, model judges among them; None without models."""
        from jurat.campaigns.model_judge_tables import with_models
        from jurat.campaigns.model_judges import ModelJudges

        models = ModelJudges(self._context).tables(campaign)
        if not models:
            return None
        left = self.filtered(campaign, chosen)
        # rules for outliers are about people
        without = (*chosen.without, *left.outliers)
        plain = msgspec.structs.replace(chosen, ways=(), without=without)
        both = with_models(self.tables(campaign).named, models, every=False)
        return apply_filter(both, plain).evaluation

    def _current(self, campaign: str) -> tuple[_CampaignData, Tables]:
        """A campaign's data with up-to-date tables."""
        # asked before the tables are read: a judgment that comes in between is counted and leads
        # to one more computation; asked afterwards, it could be missed for good
        version = self.store.stamp(campaign)
        data = self._data(campaign)
        if data.tables is None or data.tables.as_of.version != version:
            # evaluations hold copies of the tables: freed before larger ones are read
            data.filtered.clear()
            named = scores_first(data.judgment_tables.tables(), data.protocols)
            judgments, last = data.judgment_tables.decisions, data.judgment_tables.last
            as_of = DataVersion(version=version, judgments=judgments, last=last)
            data.tables = Tables(as_of=as_of, named=named)
        return data, data.tables

    def _data(self, campaign: str) -> _CampaignData:
        from jurat.campaigns.export import JudgmentTables

        protocols = self.definition(campaign).protocols
        known = self._campaigns.get(campaign)
        # other protocols: the campaign was deleted, and one of the same name was created
        if known is None or known.protocols is not protocols:
            judgment_tables = JudgmentTables(self.store, campaign, protocols)
            self._campaigns[campaign] = _CampaignData(protocols, judgment_tables)
        self._campaigns.move_to_end(campaign)
        if len(self._campaigns) > MAX_CAMPAIGNS:
            self._campaigns.popitem(last=False)
        return self._campaigns[campaign]


class WorkerFailed(RuntimeError):
    """The worker process has died, or the function raised something unexpected."""


class JobFuture(Future[T]):
    """The outcome of a job to come, and how far it is."""

    progress: float | None = None
    """The share that is done; None for jobs that do not tell."""


class _Job(NamedTuple):
    """A function to be called; jobs are sorted by priority, then by number."""

    priority: int
    number: int
    function: Work | None
    """None asks the thread to stop."""
    arguments: tuple[Any, ...]
    future: JobFuture[Any]


class WorkerProcess:
    """The server's handle of the worker process; any thread may submit jobs.

    One thread of the server talks to the worker; the lock guards what it shares with callers.
    """

    def __init__(self, address: str, *, nice: int = NICE, idle: float = IDLE_SECONDS) -> None:
        """For the store at an address; the worker runs with this `nice` value.

        It ends when it has had no job for `idle` seconds.
        """
        self._settings = (address, nice)
        self._idle = idle
        self._jobs: PriorityQueue[_Job] = PriorityQueue()
        self._numbers = count()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: Thread | None = None
        self._lock = Lock()

    def submit(
        self, work: Callable[..., T], *arguments: object, low_priority: bool = False
    ) -> JobFuture[T]:
        """Have the worker call `work(state, *arguments)`; returns a future of its result.

        The function must be importable by name. The future raises `InputError` for a user's
        mistake and `WorkerFailed` otherwise. Jobs of low priority wait for all others.
        """
        future: JobFuture[T] = JobFuture()
        job = _Job(int(low_priority), next(self._numbers), work, arguments, future)
        with self._lock:
            self._jobs.put(job)
            # under the lock, or two callers could each start a thread
            if self._thread is None:
                self._thread = Thread(target=self._serve, name="results-worker", daemon=True)
                self._thread.start()
        return future

    def close(self) -> None:
        """Kill the worker; jobs that are not done fail with `WorkerFailed`."""
        with self._lock:
            thread, self._thread = self._thread, None
            if thread is None:
                return
            # -1 sorts before every job
            self._jobs.put(_Job(-1, next(self._numbers), None, (), JobFuture()))
            if self._process is not None:
                self._process.kill()
        thread.join()

    # The following methods run in the thread that talks to the worker.

    def _serve(self) -> None:
        while (job := self._next()).function is not None:
            # false where the caller has cancelled it meanwhile
            if job.future.set_running_or_notify_cancel():
                self._run(job)
        self._stop()
        with suppress(Empty):
            while True:
                self._jobs.get_nowait().future.set_exception(WorkerFailed("the worker was closed"))

    def _next(self) -> _Job:
        while True:
            try:
                return self._jobs.get(timeout=self._idle if self._process else None)
            except Empty:
                self._stop()

    def _run(self, job: _Job) -> None:
        try:
            kind, found = self._exchange(job)
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            self._stop()
            job.future.set_exception(WorkerFailed(f"the worker process has ended: {error}"))
            return
        if kind == "done":
            job.future.set_result(found)
        else:
            failed: Exception = InputError(found) if kind == "faults" else WorkerFailed(found)
            job.future.set_exception(failed)

    def _exchange(self, job: _Job) -> tuple[str, Any]:
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        pickle.dump((job.function, job.arguments), process.stdin)
        process.stdin.flush()
        while True:
            # only our own child writes to this pipe
            kind, found = pickle.load(process.stdout)  # noqa: S301
            if kind != PROGRESS:
                return kind, found
            job.future.progress = found

    def _start(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(  # noqa: S603  # fixed arguments
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **ENVIRONMENT},
        )
        with self._lock:
            self._process = process
        assert process.stdin is not None
        pickle.dump(self._settings, process.stdin)
        return process

    def _stop(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            for pipe in filter(None, (process.stdin, process.stdout)):
                with suppress(OSError):  # unsent bytes have no reader any more
                    pipe.close()
            # collects the exit status, or the process would stay as a zombie
            process.wait()


def main() -> None:
    """Run as the worker: answer jobs from stdin until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches both; the parent decides
    jobs, answers = sys.stdin.buffer, sys.stdout.buffer
    # what a library prints must not get between the pickles
    sys.stdout = sys.stderr
    try:
        address, nice = pickle.load(jobs)  # noqa: S301  # written by our own parent
        if hasattr(os, "nice"):  # not on Windows
            os.nice(nice)
        state = WorkerState(address, partial(_tell_progress, answers, Lock()))
        while True:
            work, arguments = pickle.load(jobs)  # noqa: S301
            answers.write(_outcome(work, state, arguments))
            answers.flush()
    except (EOFError, BrokenPipeError):
        return


def _tell_progress(answers: BinaryIO, lock: Lock, share: float) -> None:
    # two threads may be done with a step at the same time
    with lock:
        answers.write(pickle.dumps((PROGRESS, share)))
        answers.flush()


def _outcome(work: Work, state: WorkerState, arguments: tuple[Any, ...]) -> bytes:
    """The pickled result, or what went wrong."""
    found: tuple[str, str | tuple[Problem, ...]]
    try:
        # pickled here and not into the pipe: if it fails, nothing has been sent yet
        return pickle.dumps(("done", work(state, *arguments)))
    except InputError as error:
        found = ("faults", error.problems)
    except Exception:  # noqa: BLE001  # the worker goes on with the next job
        traceback.print_exc()
        found = ("broken", traceback.format_exc(limit=-1).strip())
    return pickle.dumps(found)


if __name__ == "__main__":
    main()
