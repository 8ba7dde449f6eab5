"""Where repeats and controls stand in a kit: spread out, and far from what they repeat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil
from random import Random
from typing import Literal, TypeAlias

Mark: TypeAlias = "tuple[Literal['item', 'repeat', 'control'], int]"
"""The kit's n-th own item, that item again, or the n-th control."""


def layout(
    rows: Sequence[int], *, repeats: int, controls: int, random: Random
) -> list[Mark] | None:
    """The order of a kit whose own items come in rows of these lengths, which stay whole.

    A repeat stands in the last half of the gaps between rows, its original in the first half of
    the kit, with at least a third of the kit between. No two repeats or controls stand in a row
    where the rows are enough to part them. None: so many repeats cannot be placed.
    """
    if repeats > sum(rows):
        return None
    for gaps in _gaps(rows, repeats + controls):
        for zone in _zones(len(gaps), repeats):
            late = spread(range(len(gaps) - zone, len(gaps)), repeats, random)
            free = sorted(set(range(len(gaps))) - set(late))
            rest = spread(free, controls, random)
            marks = _sequence(rows, [gaps[n] for n in late], [gaps[n] for n in rest])
            if (done := _with_originals(marks, random)) is not None:
                return done
    return None


def most_repeats(rows: Sequence[int], *, asked: int, controls: int, random: Random) -> int:
    """How many repeats a kit has room for, if not as many as were asked."""
    for number in range(min(asked, sum(rows)), 0, -1):
        if layout(rows, repeats=number, controls=controls, random=random) is not None:
            return number
    return 0


def spread(places: Sequence[int], number: int, random: Random) -> list[int]:
    """So many of the places, evenly: one from each of equal stretches."""
    cuts = [len(places) * n // number for n in range(number + 1)] if number else []
    return [places[random.randrange(start, end)] for start, end in pairwise(cuts)]


def _gaps(rows: Sequence[int], extra: int) -> Iterator[list[int]]:
    """The gaps after the rows, each as often as extra items may stand in it.

    Few long rows may leave no other place than the end for what must be far from its original.
    """
    fewest = ceil(extra / len(rows))
    for crowd in dict.fromkeys((fewest, extra if max(rows) > 1 else fewest)):
        yield [gap for gap in range(len(rows)) for _ in range(crowd)]


def _zones(gaps: int, repeats: int) -> Iterator[int]:
    """How many of the last gaps are for repeats: half of all, then ever fewer."""
    zone = max(gaps // 2, repeats)
    while zone > repeats:
        yield zone
        zone = (zone + repeats) // 2
    yield repeats


def _sequence(rows: Sequence[int], repeats: Sequence[int], controls: Sequence[int]) -> list[Mark]:
    """The marks in order; a repeat does not know its original yet."""
    again = Counter(repeats)
    others: dict[int, list[Mark]] = {}
    for n, gap in enumerate(controls):
        others.setdefault(gap, []).append(("control", n))
    marks: list[Mark] = []
    start = 0
    for gap, length in enumerate(rows):
        marks += [("item", n) for n in range(start, start + length)]
        marks += others.get(gap, [])
        marks += [("repeat", -1)] * again[gap]
        start += length
    return marks


def _with_originals(marks: Sequence[Mark], random: Random) -> list[Mark] | None:
    """The marks with an original for every repeat, if there are enough that are far enough.

    Going forward, whatever could be taken before can be taken still: no choice blocks a later one.
    """
    between = ceil(len(marks) / 3)
    free: list[int] = []
    done = list(marks)
    for place, (kind, _) in enumerate(marks):
        far = place - between - 1
        if far >= 0 and 2 * far < len(marks) and marks[far][0] == "item":
            free.append(marks[far][1])
        if kind == "repeat":
            if not free:
                return None
            done[place] = ("repeat", free.pop(random.randrange(len(free))))
    return done
