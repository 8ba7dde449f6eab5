"""Results of running campaigns, computed by a worker process and cached by the server.

This is the only cache of results: an entry is keyed by what is computed, the campaign and the
filter, and is current as long as the campaign's judgments are those it was computed from.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import wait
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from jurat.campaigns.monitoring import (
    adjudication_view,
    judge_view,
    report_file,
    sections,
    segment_view,
    system_view,
)
from jurat.campaigns.monitoring.adjudication_view import AdjudicationView
from jurat.campaigns.monitoring.filters import Filter
from jurat.campaigns.monitoring.judge_heat_map import HeatMap, heat_map
from jurat.campaigns.monitoring.judge_view import JudgeView
from jurat.campaigns.monitoring.report_file import ReportFile
from jurat.campaigns.monitoring.sections import DataVersion, FilterComparison, Results
from jurat.campaigns.monitoring.segment_scores import SegmentScores, segment_scores
from jurat.campaigns.monitoring.segment_view import SegmentView
from jurat.campaigns.monitoring.system_view import SystemView
from jurat.campaigns.monitoring.worker import NICE, JobFuture, WorkerFailed, WorkerProcess
from jurat.store import Store

ALL = Filter()
# Seconds that a request waits for new results: briefly where older ones can be shown meanwhile,
# longer where the page would be empty.
WAIT, FIRST_WAIT = 0.15, 2.0
# Entries kept; the least recently used is dropped first.
CAPACITY = 64
# Seconds until a computation that killed the worker is tried again. Pages ask every few seconds,
# and a worker that dies for lack of memory would otherwise be restarted all the time.
RETRY_AFTER = 30.0


class HasVersion(Protocol):
    """A result that knows which judgments it was computed from."""

    @property
    def as_of(self) -> DataVersion:
        """The judgments that were counted."""


Value = TypeVar("Value", bound=HasVersion)


class CachedValue(NamedTuple, Generic[Value]):
    """The answer of the cache to one request."""

    value: Value | None
    """The latest that is known; None while it is computed for the first time."""
    computing: bool
    """Whether a newer one is being computed."""
    failed: bool = False
    """Whether the worker died over it; it is tried again after half a minute."""
    progress: float | None = None
    """The share of the computation that is done, where it tells."""

    @property
    def as_of(self) -> DataVersion | None:
        """The judgments that the value counts."""
        return self.value.as_of if self.value is not None else None

    def status(self) -> dict[str, object]:
        """What a page's script needs to know while it waits, ready for JSON."""
        known = {} if self.progress is None else {"progress": self.progress}
        return {
            "ready": self.value is not None,
            "computing": self.computing,
            "failed": self.failed,
            "version": self.as_of.version if self.as_of else None,
            **known,
        }


@dataclass
class _Entry:
    """What is known of one request: the last value, the last error, and what is under way."""

    value: Any = None
    error: Exception | None = None
    error_version: str = ""
    retry_at: float = 0.0
    pending: JobFuture[Any] | None = None
    pending_version: str = ""

    def collect(self) -> None:
        """Take over the outcome of a computation that has ended."""
        if self.pending is None or not self.pending.done():
            return
        ended, self.pending = self.pending, None
        error = ended.exception()
        self.error = error if isinstance(error, Exception) else None
        self.error_version = self.pending_version
        # not the time of day, which may be set back
        self.retry_at = monotonic() + RETRY_AFTER
        if self.error is None:
            self.value = ended.result()

    def is_current(self, version: str) -> bool:
        """Whether nothing needs to be computed for this version of the judgments."""
        if self.error is None:
            return self.value is not None and self.value.as_of.version == version
        if isinstance(self.error, WorkerFailed):
            return monotonic() < self.retry_at
        # a user's mistake, such as a condition over an unknown column, stays one for these data
        return self.error_version == version

    def answer(self) -> CachedValue[Any]:
        """The entry as the caller gets it; raises what the user did wrong."""
        failed = isinstance(self.error, WorkerFailed)
        if self.pending is None and self.error is not None and not failed:
            raise self.error
        if self.pending is None:
            return CachedValue(self.value, computing=False, failed=failed)
        return CachedValue(self.value, computing=True, progress=self.pending.progress)


class CachedResults:
    """The results of a store's campaigns.

    Every method returns at once what is current, else waits `timeout` seconds for the worker
    (None: the usual time) and then returns the older value, marked as `computing`. All raise
    `InputError` for unknown names and faulty filters. Any thread may call.
    """

    def __init__(self, store: Store, *, nice: int = NICE) -> None:
        """`nice` is the worker's scheduling priority: higher leaves more time to judges."""
        self._store = store
        self._worker = WorkerProcess(store.address, nice=nice)
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        # guards the entries; never held while waiting for the worker
        self._lock = Lock()

    def summary(
        self, campaign: str, chosen: Filter = ALL, *, timeout: float | None = None
    ) -> CachedValue[Results]:
        """The main results on agreement, judges, systems, preferences and time."""
        return self._lookup(sections.summary, campaign, chosen, timeout=timeout)

    def section(
        self, campaign: str, name: str, chosen: Filter = ALL, *, timeout: float | None = None
    ) -> CachedValue[Results]:
        """All results of one section, as the command of its name computes them."""
        # takes minutes for a large campaign: the summaries of others go first
        work = sections.section
        return self._lookup(work, campaign, name, chosen, timeout=timeout, low_priority=True)

    def compare(
        self, campaign: str, chosen: Filter, *, timeout: float | None = None
    ) -> CachedValue[FilterComparison]:
        """The summary of all judgments and of those that a filter leaves, side by side."""
        return self._lookup(sections.compare, campaign, chosen, timeout=timeout)

    def segment(
        self, campaign: str, document: str, segment: str, *, timeout: float | None = None
    ) -> CachedValue[SegmentView]:
        """One segment: its texts, every judgment of it, and its metric scores."""
        return self._lookup(segment_view.segment, campaign, document, segment, timeout=timeout)

    def segment_scores(
        self, campaign: str, question: str, *, timeout: float | None = None
    ) -> CachedValue[SegmentScores]:
        """The scores of all segments on one question; the first one where it is empty."""
        return self._lookup(segment_scores, campaign, question, timeout=timeout)

    def heat_map(
        self, campaign: str, question: str, *, timeout: float | None = None
    ) -> CachedValue[HeatMap]:
        """The mean score of every system by every judge, on one question."""
        return self._lookup(heat_map, campaign, question, timeout=timeout)

    def judge(
        self, campaign: str, pin: str, *, timeout: float | None = None
    ) -> CachedValue[JudgeView]:
        """One judge: their use of the scale, their times, and what is unusual."""
        return self._lookup(judge_view.judge, campaign, pin, timeout=timeout)

    def system(
        self, campaign: str, name: str, *, timeout: float | None = None
    ) -> CachedValue[SystemView]:
        """One system: its scores, scores by tag, errors, best and worst segments."""
        return self._lookup(system_view.system, campaign, name, timeout=timeout)

    def adjudication(
        self, campaign: str, *, timeout: float | None = None
    ) -> CachedValue[AdjudicationView]:
        """How far each judge agrees with the adjudicators."""
        return self._lookup(adjudication_view.adjudication, campaign, timeout=timeout)

    def report(
        self, campaign: str, chosen: Filter = ALL, *, timeout: float | None = None
    ) -> CachedValue[ReportFile]:
        """The report as an HTML file, as `jurat report` writes it."""
        work = report_file.make_report
        return self._lookup(work, campaign, chosen, timeout=timeout, low_priority=True)

    def close(self) -> None:
        """Stop the worker process."""
        self._worker.close()

    def _lookup(
        self,
        work: Callable[..., Value],
        campaign: str,
        *arguments: Hashable,
        timeout: float | None,
        low_priority: bool = False,
    ) -> CachedValue[Value]:
        """The cached value if it is current; else a new one, if it is computed in time."""
        # before the lock, since it asks the database
        version = self._store.stamp(campaign)
        with self._lock:
            entry = self._entry((work, campaign, arguments))
            entry.collect()
            if entry.pending is None and not entry.is_current(version):
                submit = self._worker.submit
                entry.pending = submit(work, campaign, *arguments, low_priority=low_priority)
                entry.pending_version = version
            pending = entry.pending
            usual = FIRST_WAIT if entry.value is None else WAIT
        if pending is not None:
            # outside the lock; several requests may wait for the same computation
            wait([pending], usual if timeout is None else timeout)
        with self._lock:
            entry.collect()
            return entry.answer()

    def _entry(self, key: Hashable) -> _Entry:
        """The entry of a key, new or known, as the most recently used."""
        entry = self._entries.setdefault(key, _Entry())
        self._entries.move_to_end(key)
        while len(self._entries) > CAPACITY:
            self._entries.popitem(last=False)
        return entry
