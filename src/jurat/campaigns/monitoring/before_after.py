"""Comparing the results of all judgments with those of a filter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from jurat.campaigns.monitoring.filters import Filter
from jurat.campaigns.monitoring.sections import DataVersion, Results, summary

if TYPE_CHECKING:
    from jurat.campaigns.monitoring.worker import WorkerState
    from jurat.results import Estimate, Key

# Parts whose numbers say how far judges agree.
AGREEMENT = ("agreement", "preferences")
SYSTEM_STATISTICS = ("system-score", "system-rank", "system-cluster")

Name = tuple[tuple[str, "Key"], ...]


class BeforeAfter(NamedTuple):
    """A number before and after; None where it is missing."""

    before: float | None
    after: float | None

    @property
    def moved(self) -> bool:
        """Whether it changed."""
        return self.before != self.after


class SystemChange(NamedTuple):
    """A system's score, rank and cluster on one question."""

    question: str
    system: str
    score: BeforeAfter
    rank: BeforeAfter
    cluster: BeforeAfter

    @property
    def moved(self) -> bool:
        """Whether its rank or cluster changed."""
        return self.rank.moved or self.cluster.moved


class NumberChange(NamedTuple):
    """A measure of agreement."""

    name: str
    by: Mapping[str, Key]
    value: BeforeAfter


class Comparison(NamedTuple):
    """The same results of all judgments and of those that a filter keeps."""

    before: Results
    after: Results
    systems: tuple[SystemChange, ...]
    """In the order before, best first."""
    agreement: tuple[NumberChange, ...]

    @property
    def as_of(self) -> DataVersion:
        """The judgments that both were computed from."""
        return self.after.as_of

    @property
    def moved(self) -> tuple[SystemChange, ...]:
        """The systems whose rank or cluster changed."""
        return tuple(one for one in self.systems if one.moved)


def compare(state: WorkerState, campaign: str, chosen: Filter) -> Comparison:
    """The summary of a task's judgments before and after a filter."""
    before = summary(state, campaign, chosen.task_only())
    after = summary(state, campaign, chosen)
    return Comparison(
        before=before,
        after=after,
        systems=tuple(_systems(before, after)),
        agreement=tuple(_agreement(before, after)),
    )


def _systems(before: Results, after: Results) -> Iterator[SystemChange]:
    named = [_paired(before, after, name) for name in SYSTEM_STATISTICS]
    for key in dict.fromkeys(key for pairs in named for key in pairs):
        by = dict(key)
        nothing = BeforeAfter(None, None)
        score, rank, cluster = (pairs.get(key, nothing) for pairs in named)
        yield SystemChange(str(by.get("question", "")), str(by["system"]), score, rank, cluster)


def _agreement(before: Results, after: Results) -> Iterator[NumberChange]:
    parts = [part for part in AGREEMENT if part in before.sections or part in after.sections]
    names = dict.fromkeys(
        one.name
        for results in (before, after)
        for part in parts
        for one in results.sections.get(part, ())
    )
    for name in names:
        for key, pair in _paired(before, after, name).items():
            yield NumberChange(name, dict(key), pair)


def _paired(before: Results, after: Results, name: str) -> dict[Name, BeforeAfter]:
    """The values of one statistic that are known on either side."""
    first, second = (_values(results, name) for results in (before, after))
    keys = dict.fromkeys((*first, *second))
    return {key: BeforeAfter(first.get(key), second.get(key)) for key in keys}


def _values(results: Results, name: str) -> dict[Name, float]:
    found = results.named(name)
    estimates: Iterable[Estimate] = found.estimates if found else ()
    return {
        tuple({**e.by, **e.tags}.items()): e.value
        for e in estimates
        if e.value is not None and (e.by or e.tags)
    }
