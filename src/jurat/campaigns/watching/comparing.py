"""Results before and after something was left out, side by side, and what that changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from jurat.campaigns.watching.filters import Filter
from jurat.campaigns.watching.parts import AsOf, Results, looked

if TYPE_CHECKING:
    from jurat.campaigns.watching.room import Room
    from jurat.results import Estimate, Key

AGREEMENT = ("agreement", "preferences")
"""Parts whose numbers say how far judges agree."""
PLACES = ("system-score", "system-rank", "system-cluster")

Name = tuple[tuple[str, "Key"], ...]


class Pair(NamedTuple):
    """A number before and after; None where it is missing."""

    before: float | None
    after: float | None

    @property
    def moved(self) -> bool:
        """Whether it is another."""
        return self.before != self.after


class SystemChange(NamedTuple):
    """A system's score, rank and cluster on one question."""

    question: str
    system: str
    score: Pair
    rank: Pair
    cluster: Pair

    @property
    def moved(self) -> bool:
        """Whether its place is another."""
        return self.rank.moved or self.cluster.moved


class NumberChange(NamedTuple):
    """A number of agreement."""

    name: str
    by: Mapping[str, Key]
    value: Pair


class Comparison(NamedTuple):
    """The same results of all judgments and of those that a filter leaves."""

    before: Results
    after: Results
    systems: tuple[SystemChange, ...]
    """Best first, as they were before."""
    agreement: tuple[NumberChange, ...]

    @property
    def as_of(self) -> AsOf:
        """The judgments that both know."""
        return self.after.as_of

    @property
    def moved(self) -> tuple[SystemChange, ...]:
        """The systems that have another place now."""
        return tuple(one for one in self.systems if one.moved)


def compared(room: Room, campaign: str, chosen: Filter) -> Comparison:
    """The first look with and without what a filter leaves out."""
    before = looked(room, campaign, chosen.without_choices())
    after = looked(room, campaign, chosen)
    return Comparison(
        before=before,
        after=after,
        systems=tuple(_systems(before, after)),
        agreement=tuple(_agreement(before, after)),
    )


def _systems(before: Results, after: Results) -> Iterator[SystemChange]:
    named = [_paired(before, after, name) for name in PLACES]
    for key in dict.fromkeys(key for pairs in named for key in pairs):
        by = dict(key)
        nothing = Pair(None, None)
        score, rank, cluster = (pairs.get(key, nothing) for pairs in named)
        yield SystemChange(str(by.get("question", "")), str(by["system"]), score, rank, cluster)


def _agreement(before: Results, after: Results) -> Iterator[NumberChange]:
    parts = [part for part in AGREEMENT if part in before.parts or part in after.parts]
    names = dict.fromkeys(
        one.name
        for results in (before, after)
        for part in parts
        for one in results.parts.get(part, ())
    )
    for name in names:
        for key, pair in _paired(before, after, name).items():
            yield NumberChange(name, dict(key), pair)


def _paired(before: Results, after: Results, name: str) -> dict[Name, Pair]:
    """The numbers of one name that are known on either side."""
    first, second = (_values(results, name) for results in (before, after))
    keys = dict.fromkeys((*first, *second))
    return {key: Pair(first.get(key), second.get(key)) for key in keys}


def _values(results: Results, name: str) -> dict[Name, float]:
    found = results.named(name)
    estimates: Iterable[Estimate] = found.estimates if found else ()
    return {
        tuple({**e.by, **e.tags}.items()): e.value
        for e in estimates
        if e.value is not None and (e.by or e.tags)
    }
