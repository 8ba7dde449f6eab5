"""Pairs of systems: which are compared on a segment, and who stands on which side."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random
from typing import Literal, TypeAlias

Pair: TypeAlias = "tuple[str, str]"

BEYOND = ""
"""A vertex that is no system."""


class Pairs:
    """Draws the pairs for one segment after another, every pair as often as any other (±1)."""

    def __init__(
        self, systems: Iterable[str], wanted: Literal["all"] | int, random: Random
    ) -> None:
        self._drawn: Counter[Pair] = Counter(dict.fromkeys(combinations(systems, 2), 0))
        self._wanted = len(self._drawn) if wanted == "all" else min(wanted, len(self._drawn))
        self._random = random

    def draw(self) -> list[Pair]:
        """The pairs for the next segment, in random order."""
        mixed = self._random.sample(list(self._drawn), len(self._drawn))
        rarest = sorted(mixed, key=lambda pair: self._drawn[pair])[: self._wanted]
        self._drawn.update(rarest)
        self._random.shuffle(rarest)
        return rarest


def sided(pairs: Sequence[Pair], random: Random) -> list[Pair]:
    """The pairs with their sides balanced.

    Of every two consecutive showings of a pair one is each way round. A pair shown an odd number
    of times has one left over; these are turned so that for each system, too, left and right
    differ by one at most.
    """
    shown: dict[Pair, list[int]] = defaultdict(list)
    for n, (one, other) in enumerate(pairs):
        shown[min(one, other), max(one, other)].append(n)
    result = list(pairs)
    for (one, other), places in shown.items():
        for first, second in zip(places[::2], places[1::2], strict=False):
            both = [(one, other), (other, one)]
            result[first], result[second] = random.sample(both, 2)
    left_over = {pair: places[-1] for pair, places in shown.items() if len(places) % 2}
    for one, other in turned(list(left_over), random):
        result[left_over[min(one, other), max(one, other)]] = (one, other)
    return result


def turned(edges: Sequence[Pair], random: Random) -> list[Pair]:
    """Each edge in a direction such that in and out differ by one at most everywhere.

    Walks that go along every edge once (Euler): ends of odd degree are joined beyond the graph.
    """
    beside: dict[str, list[str]] = defaultdict(list)
    for one, other in edges:
        beside[one].append(other)
        beside[other].append(one)
    for name in [name for name, others in beside.items() if len(others) % 2]:
        beside[name].append(BEYOND)
        beside[BEYOND].append(name)
    for others in beside.values():
        random.shuffle(others)
    steps: list[Pair] = []
    for name in random.sample(list(beside), len(beside)):
        here = name
        while beside[here]:
            there = beside[here].pop()
            beside[there].remove(here)
            steps.append((here, there))
            here = there
    return [step for step in steps if BEYOND not in step]
