"""The experimental design: which systems' translations of which segments are in which kit."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import combinations, groupby
from random import Random
from typing import Literal, TypeAlias

import msgspec

from jurat.kits.identical_outputs import OutputsOf, different_pairs, planned_item
from jurat.kits.items import Passage, PlannedItem, even_runs
from jurat.kits.task_plan import BuildRequest
from jurat.protocols.questions import Screen

Pair: TypeAlias = "tuple[str, str]"

# The extra vertex to which `orient_edges` joins vertices of odd degree; no system has this name.
EXTRA_VERTEX = ""


class PairSampler:
    """Draws pairs of systems for one segment after another, every pair equally often (±1).

    `wanted` is the number of pairs for each segment, or "all".
    """

    def __init__(
        self, systems: Iterable[str], wanted: Literal["all"] | int, random: Random
    ) -> None:
        # all pairs start with 0, or those never drawn would not be among the rarest
        self._drawn: Counter[Pair] = Counter(dict.fromkeys(combinations(systems, 2), 0))
        self._wanted = len(self._drawn) if wanted == "all" else min(wanted, len(self._drawn))
        self._random = random

    def draw(self) -> list[Pair]:
        """The pairs for the next segment, in random order."""
        # sorting is stable, so among pairs drawn equally often the random order decides
        mixed = self._random.sample(list(self._drawn), len(self._drawn))
        rarest = sorted(mixed, key=lambda pair: self._drawn[pair])[: self._wanted]
        self._drawn.update(rarest)
        self._random.shuffle(rarest)
        return rarest


def balance_sides(pairs: Sequence[Pair], random: Random) -> list[Pair]:
    """The pairs, some of them swapped, so that every system is left as often as right (±1).

    Two consecutive occurrences of a pair are shown each way round. The last occurrence of a pair
    with an odd number is left over; `orient_edges` balances these over the systems.
    """
    shown: dict[Pair, list[int]] = defaultdict(list)
    for n, (one, other) in enumerate(pairs):
        shown[min(one, other), max(one, other)].append(n)
    result = list(pairs)
    for (one, other), places in shown.items():
        # strict=False: the last of an odd number of occurrences has no partner here
        for first, second in zip(places[::2], places[1::2], strict=False):
            # which way comes first is random, so that no position favours a side
            both = [(one, other), (other, one)]
            result[first], result[second] = random.sample(both, 2)
    left_over = {pair: places[-1] for pair, places in shown.items() if len(places) % 2}
    for one, other in orient_edges(list(left_over), random):
        result[left_over[min(one, other), max(one, other)]] = (one, other)
    return result


def orient_edges(edges: Sequence[Pair], random: Random) -> list[Pair]:
    """The edges directed so that in- and out-degree of each vertex differ by at most 1.

    Each edge gets the direction in which an Eulerian circuit passes it. Such circuits exist if all
    degrees are even, so vertices of odd degree are first joined to an extra one.
    """
    neighbours: dict[str, list[str]] = defaultdict(list)
    for one, other in edges:
        neighbours[one].append(other)
        neighbours[other].append(one)
    for name in [name for name, others in neighbours.items() if len(others) % 2]:
        neighbours[name].append(EXTRA_VERTEX)
        neighbours[EXTRA_VERTEX].append(name)
    for others in neighbours.values():
        random.shuffle(others)
    steps: list[Pair] = []
    # Every vertex is tried as a start, since the graph may have several components. All degrees are
    # even, so a walk can only get stuck where it began: it is a circuit.
    for name in random.sample(list(neighbours), len(neighbours)):
        here = name
        while neighbours[here]:
            there = neighbours[here].pop()
            # each edge is in the lists of both its ends
            neighbours[there].remove(here)
            steps.append((here, there))
            here = there
    return [step for step in steps if EXTRA_VERTEX not in step]


# Planned items that stay together: no repeat or control is put between them.
Row: TypeAlias = "tuple[PlannedItem, ...]"
# From the passages of a block to the rows of each of its kits.
# One such function serves all blocks of a group in turn, since it balances systems over blocks.
Arrange: TypeAlias = "Callable[[Sequence[Passage]], list[list[Row]]]"


class Block(msgspec.Struct, frozen=True):
    """The passages of a kit; further kits of the block have the same passages of other systems."""

    name: str
    passages: Sequence[Passage]


def blocks(request: BuildRequest, passages: Sequence[Passage]) -> list[Block]:
    """The passages in blocks of about equal size, of at most the size of a kit.

    The size is in documents, which stay whole, or in segments, which may be shuffled.
    """
    if request.kits.segments is None:
        # groupby joins neighbours only, which is enough: passages come document by document
        documents = [list(own) for _, own in groupby(passages, lambda p: p.document.id)]
        runs = even_runs(documents, request.kits.documents or 1)
        cuts: list[Sequence[Passage]] = [[p for own in run for p in own] for run in runs]
    else:
        order = list(passages)
        if request.kits.order == "shuffled":
            request.random("blocks").shuffle(order)
        cuts = even_runs(order, request.kits.segments)
    return [
        Block(f"{request.plan.name}.{request.phase}.{n}", part) for n, part in enumerate(cuts, 1)
    ]


def arrangement(
    request: BuildRequest, systems: Sequence[str], outputs_of: OutputsOf, random: Random
) -> Arrange:
    """The function that makes the kits of a block, for one, two or all systems on the screen.

    Of systems with the same output only one is shown; a kit may thus have no rows at all.
    """
    return ARRANGEMENTS[request.protocol.systems](request, systems, outputs_of, random)


def _one(
    request: BuildRequest, systems: Sequence[str], outputs_of: OutputsOf, random: Random
) -> Arrange:
    """Kits with one translation on the screen.

    With one system per segment, the systems rotate over the documents (over the segments, if these
    are shuffled) as in a Latin square, with a kit for each rotation; which document has which
    rotation is random in each block. Otherwise a kit has all systems' translations of its segments.
    The order of systems also rotates from block to block, so that the n-th kits of all blocks are
    balanced.
    """
    orders = latin_rows(systems, random)

    def arrange(passages: Sequence[Passage]) -> list[list[Row]]:
        mixed = next(orders)
        # with fewer systems per kit than there are, further kits hold the others
        chunks = even_runs(mixed, request.kits.systems or len(mixed))
        if request.apart:
            turns = _turns(request, passages, random)
            versions = [rows for chunk in chunks for rows in _rotated(passages, chunk, turns)]
        else:
            versions = [_crossed(passages, chunk, random) for chunk in chunks]
        outputs = {passage.key: outputs_of(passage) for passage in passages}
        return [
            _ordered(
                request,
                [
                    (planned_item(one.passage, one.systems, shown),)
                    for (one,) in rows
                    if one.systems[0] in (shown := outputs[one.passage.key])
                ],
                random,
            )
            for rows in versions
        ]

    return arrange


def _turns(request: BuildRequest, passages: Sequence[Passage], random: Random) -> list[int]:
    """How far the systems are rotated at each passage."""
    if request.kits.order == "shuffled":
        return list(range(len(passages)))
    # a judge reads a document as a whole, so all its segments come from one system
    names = list(dict.fromkeys(passage.document.id for passage in passages))
    # Shuffled, or the systems would follow each other in the same cycle in kit after kit: a judge
    # who recognises one system would know them all. The balance does not depend on the order.
    turns = dict(zip(names, random.sample(range(len(names)), len(names)), strict=True))
    return [turns[passage.document.id] for passage in passages]


def _rotated(
    passages: Sequence[Passage], systems: Sequence[str], turns: Sequence[int]
) -> Iterator[list[Row]]:
    for version in range(len(systems)):
        yield [
            (PlannedItem(passage=p, systems=(systems[(version + turn) % len(systems)],)),)
            for p, turn in zip(passages, turns, strict=True)
        ]


def _crossed(passages: Sequence[Passage], systems: Sequence[str], random: Random) -> list[Row]:
    return [
        (PlannedItem(passage=passage, systems=(system,)),)
        for passage in passages
        for system in random.sample(systems, len(systems))
    ]


def _two(
    request: BuildRequest, systems: Sequence[str], outputs_of: OutputsOf, random: Random
) -> Arrange:
    """Kits with two translations on the screen; the pairs of a segment follow each other.

    Left and right are chosen later, by `balance_sides`, over all kits of the task.
    """
    pairs = PairSampler(systems, request.kits.pairs, random)

    def arrange(passages: Sequence[Passage]) -> list[list[Row]]:
        rows = []
        for passage in passages:
            outputs = outputs_of(passage)
            screens: list[Sequence[str]] = [*different_pairs(pairs.draw(), outputs)]
            if len(outputs) == 1 and request.protocol.fits_one:
                screens = [tuple(outputs)]
            rows.append(tuple(planned_item(passage, shown, outputs) for shown in screens))
        return [_ordered(request, [row for row in rows if row], random)]

    return arrange


def _all(
    request: BuildRequest, systems: Sequence[str], outputs_of: OutputsOf, random: Random
) -> Arrange:
    """Kits with all translations on the screen, or with `kits.systems` of them in more kits."""
    orders = latin_rows(systems, random)

    def arrange(passages: Sequence[Passage]) -> list[list[Row]]:
        drawn = []
        for passage in passages:
            outputs = outputs_of(passage)
            shown = [system for system in next(orders) if system in outputs]
            screens = _screens(request, shown)
            drawn.append([(planned_item(passage, screen, outputs),) for screen in screens])
        # where systems have the same output, a passage may need fewer screens than others
        versions: list[list[Row]] = [
            [screens[n] for screens in drawn if n < len(screens)]
            for n in range(max(map(len, drawn)))
        ]
        return [_ordered(request, rows, random) for rows in versions]

    return arrange


def _screens(request: BuildRequest, systems: Sequence[str]) -> list[Sequence[str]]:
    """The systems of a segment divided over the screens of a comparison; none for one alone.

    One alone is shown only where it can be judged without another.
    """
    if len(systems) == 1 and not request.protocol.fits_one:
        return []
    most = request.kits.systems or request.protocol.most_systems or len(systems)
    # least=2, since a screen with a single translation would have nothing to compare
    return even_runs(systems, most, least=2)


def screen_sizes(request: BuildRequest, systems: Sequence[str]) -> set[int]:
    """How many translations a screen of the task can have."""
    if request.protocol.systems == "all":
        sizes = {len(screen) for screen in _screens(request, systems)}
        # where outputs are merged, other screens may have fewer, too
        return set(range(2, max(sizes) + 1)) if request.merges else sizes
    return {1 if request.protocol.systems == "one" else 2}


def latin_rows(systems: Sequence[str], random: Random) -> Iterator[Sequence[str]]:
    """Endless orders of the n systems: in every n orders, each system has each position once.

    Each n orders are a random Latin square, made row by row. Rotations of one order would be
    simpler, but whoever recognises one system in them knows the positions of all others.
    """
    while True:
        left = [set(systems) for _ in systems]
        for _ in systems:
            row = _random_row(left, random)
            for system, free in zip(row, left, strict=True):
                free.remove(system)
            yield row


def _random_row(left: Sequence[Set[str]], random: Random) -> list[str]:
    """A system for each position, each of those left there, no system twice.

    A perfect matching by augmenting paths. It exists, since as many systems are left at every
    position as positions are left for every system (Hall's theorem).
    """
    place_of: dict[str, int] = {}

    def found(place: int, tried: set[str]) -> bool:
        # sorted, since the order of a set of texts differs from one run of Python to the next
        free = sorted(left[place] - tried)
        for system in random.sample(free, len(free)):
            if system in tried:
                continue
            tried.add(system)
            if system not in place_of or found(place_of[system], tried):
                place_of[system] = place
                return True
        return False

    for place in random.sample(range(len(left)), len(left)):
        found(place, set())
    return sorted(place_of, key=place_of.__getitem__)


def _ordered(request: BuildRequest, rows: list[Row], random: Random) -> list[Row]:
    return random.sample(rows, len(rows)) if request.kits.order == "shuffled" else rows


ARRANGEMENTS: Mapping[
    Screen, Callable[[BuildRequest, Sequence[str], OutputsOf, Random], Arrange]
] = {
    "one": _one,
    "two": _two,
    "all": _all,
}
