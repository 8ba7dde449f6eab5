"""Results while judging goes on: computed beside the judges' path, kept until something changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Late
from contextlib import suppress
from threading import Lock
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from jurat.campaigns.watching import (
    comparing,
    judge_view,
    parts,
    segment_view,
    settled_view,
    system_view,
)
from jurat.campaigns.watching.beside import NICE, Beside
from jurat.campaigns.watching.comparing import Comparison
from jurat.campaigns.watching.filters import Filter
from jurat.campaigns.watching.judge_view import JudgeView
from jurat.campaigns.watching.parts import AsOf, Results
from jurat.campaigns.watching.segment_view import SegmentView
from jurat.campaigns.watching.settled_view import SettledView
from jurat.campaigns.watching.system_view import SystemView
from jurat.store import Store

ALL = Filter()
PATIENCE, FIRST = 0.15, 2.0
"""Seconds for which somebody who asks is kept waiting, where there is something older for him to
look at meanwhile, and where there is nothing yet."""
MOST = 64
"""Things that are kept, the latest."""


class Dated(Protocol):
    """Something that says what it was computed from."""

    @property
    def as_of(self) -> AsOf:
        """The judgments that it knows."""


Found = TypeVar("Found", bound=Dated)


class Seen(NamedTuple, Generic[Found]):
    """What there is to see now, and whether something newer is on its way."""

    found: Found | None
    """None only while it is computed for the first time."""
    computing: bool

    @property
    def as_of(self) -> AsOf | None:
        """The judgments that it knows."""
        return self.found.as_of if self.found is not None else None


class Live:
    """What a store's campaigns say so far.

    Whoever asks waits for `patience` seconds, and gets what is kept where that is not enough.
    """

    def __init__(self, store: Store, *, nice: int = NICE) -> None:
        """For a store's campaigns; the nicer, the more is left to judges."""
        self._store = store
        self._beside = Beside(store.address, nice=nice)
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._asked: dict[Hashable, Future[Any]] = {}
        self._lock = Lock()

    def look(
        self, campaign: str, chosen: Filter = ALL, *, patience: float | None = None
    ) -> Seen[Results]:
        """The first look at agreement, judges, systems, preferences and time."""
        return self._see(parts.looked, campaign, chosen, patience=patience)

    def whole(
        self, campaign: str, part: str, chosen: Filter = ALL, *, patience: float | None = None
    ) -> Seen[Results]:
        """All that one part has to say, as the command of its name computes it."""
        return self._see(parts.whole, campaign, part, chosen, patience=patience, last=True)

    def compare(
        self, campaign: str, chosen: Filter, *, patience: float | None = None
    ) -> Seen[Comparison]:
        """The first look at everything and at what a filter leaves, side by side."""
        return self._see(comparing.compared, campaign, chosen, patience=patience)

    def segment(
        self, campaign: str, document: str, segment: str, *, patience: float | None = None
    ) -> Seen[SegmentView]:
        """One segment: its texts, every judgment of it, and what metrics say."""
        return self._see(segment_view.segment, campaign, document, segment, patience=patience)

    def judge(self, campaign: str, pin: str, *, patience: float | None = None) -> Seen[JudgeView]:
        """One judge: how he uses the scale, his times, and what a diagnosis says of him."""
        return self._see(judge_view.judge, campaign, pin, patience=patience)

    def system(
        self, campaign: str, name: str, *, patience: float | None = None
    ) -> Seen[SystemView]:
        """One system: its scores, what it does well and badly, its best and worst segments."""
        return self._see(system_view.system, campaign, name, patience=patience)

    def settled(self, campaign: str, *, patience: float | None = None) -> Seen[SettledView]:
        """The judges beside the adjudicators, where something was settled."""
        return self._see(settled_view.settled, campaign, patience=patience)

    def close(self) -> None:
        """Let go of the process beside."""
        self._beside.close()

    def _see(
        self,
        work: Callable[..., Found],
        campaign: str,
        *arguments: Hashable,
        patience: float | None,
        last: bool = False,
    ) -> Seen[Found]:
        """What is kept, if nothing has happened since; else what is new, as soon as it is there."""
        key = (work, campaign, arguments)
        self._take_in(key)
        kept: Found | None = self._get(key)
        if kept is not None and kept.as_of.stamp == self._store.stamp(campaign):
            return Seen(kept, computing=False)
        answer = self._ask(key, work, campaign, *arguments, last=last)
        usual = FIRST if kept is None else PATIENCE
        with suppress(Late):
            answer.result(timeout=usual if patience is None else patience)
            self._take_in(key)
            return Seen(answer.result(), computing=False)
        return Seen(kept, computing=True)

    def _ask(
        self, key: Hashable, work: Callable[..., Found], *arguments: object, last: bool
    ) -> Future[Found]:
        """What is under way already, or is begun now."""
        with self._lock:
            if key not in self._asked:
                self._asked[key] = self._beside.ask(work, *arguments, last=last)
            answer: Future[Found] = self._asked[key]
        return answer

    def _get(self, key: Hashable) -> Any:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def _take_in(self, key: Hashable) -> None:
        """Keep an answer that has come; a fault is told once, and tried again when asked again."""
        with self._lock:
            answer = self._asked.get(key)
            if answer is None or not answer.done():
                return
            del self._asked[key]
            self._kept[key] = answer.result()
            self._kept.move_to_end(key)
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)
