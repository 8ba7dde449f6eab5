"""Which systems' translations of which segments stand in a kit, and in what order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from random import Random
from typing import TypeAlias

import msgspec

from jurat.kits.brief import Brief
from jurat.kits.pairs import Pairs
from jurat.kits.passages import Draft, Passage, even_runs
from jurat.protocols.questions import Screen

Row: TypeAlias = "tuple[Draft, ...]"
"""Drafts between which nothing else may stand."""
Arrange: TypeAlias = "Callable[[Sequence[Passage]], list[list[Row]]]"
"""The passages of a block in, the rows of each kit of the block out."""


class Block(msgspec.Struct, frozen=True):
    """Passages that are judged together in a kit, and again in its other versions."""

    name: str
    passages: Sequence[Passage]


def cut(brief: Brief, passages: Sequence[Passage]) -> list[Block]:
    """The passages in blocks of as many documents or segments as a kit holds, about equally many.

    Shuffled segments are shuffled over the whole set; documents always stay together.
    """
    if brief.kits.segments is None:
        documents = [list(own) for _, own in groupby(passages, lambda p: p.document.id)]
        runs = even_runs(documents, brief.kits.documents or 1)
        cuts: list[Sequence[Passage]] = [[p for own in run for p in own] for run in runs]
    else:
        order = list(passages)
        if brief.kits.order == "shuffled":
            brief.random("blocks").shuffle(order)
        cuts = even_runs(order, brief.kits.segments)
    return [Block(f"{brief.plan.name}.{brief.phase}.{n}", part) for n, part in enumerate(cuts, 1)]


def arrangement(brief: Brief, systems: Sequence[str], random: Random) -> Arrange:
    """How this protocol's screens fill the kits of a block."""
    return ARRANGEMENTS[brief.protocol.systems](brief, systems, random)


def _one(brief: Brief, systems: Sequence[str], random: Random) -> Arrange:
    """One translation on the screen.

    Where systems are kept apart, a kit holds each segment once: the systems rotate over the
    documents (over the segments, if these are shuffled) as in a Latin square, a kit for each turn.
    Otherwise a kit holds all systems' translations of its segments. From block to block the
    systems turn, too: the n-th kits of the blocks have them in every place equally often.
    """
    orders = _orders(systems, random)

    def arrange(passages: Sequence[Passage]) -> list[list[Row]]:
        mixed = next(orders)
        chunks = even_runs(mixed, brief.kits.systems or len(mixed))
        if brief.apart:
            turns = _turns(brief, passages)
            versions = [rows for chunk in chunks for rows in _rotated(passages, chunk, turns)]
        else:
            versions = [_crossed(passages, chunk, random) for chunk in chunks]
        return [_ordered(brief, rows, random) for rows in versions]

    return arrange


def _turns(brief: Brief, passages: Sequence[Passage]) -> list[int]:
    """How far the systems are rotated at each passage: one document, one system."""
    if brief.kits.order == "shuffled":
        return list(range(len(passages)))
    turns = {name: n for n, name in enumerate(dict.fromkeys(p.document.id for p in passages))}
    return [turns[passage.document.id] for passage in passages]


def _rotated(
    passages: Sequence[Passage], systems: Sequence[str], turns: Sequence[int]
) -> Iterator[list[Row]]:
    for version in range(len(systems)):
        yield [
            (Draft(passage=p, systems=(systems[(version + turn) % len(systems)],)),)
            for p, turn in zip(passages, turns, strict=True)
        ]


def _crossed(passages: Sequence[Passage], systems: Sequence[str], random: Random) -> list[Row]:
    return [
        (Draft(passage=passage, systems=(system,)),)
        for passage in passages
        for system in random.sample(systems, len(systems))
    ]


def _two(brief: Brief, systems: Sequence[str], random: Random) -> Arrange:
    """All pairs of a segment in a row, in random order; the sides are chosen later, over all."""
    pairs = Pairs(systems, brief.kits.pairs, random)

    def arrange(passages: Sequence[Passage]) -> list[list[Row]]:
        rows = [
            tuple(Draft(passage=passage, systems=pair) for pair in pairs.draw())
            for passage in passages
        ]
        return [_ordered(brief, rows, random)]

    return arrange


def _all(brief: Brief, systems: Sequence[str], random: Random) -> Arrange:
    """All systems on one screen, or as many as the plan says, and the others in further kits."""
    orders = _orders(systems, random)

    def arrange(passages: Sequence[Passage]) -> list[list[Row]]:
        most = brief.kits.systems or len(systems)
        drawn = [(p, even_runs(next(orders), most, least=2)) for p in passages]
        versions: list[list[Row]] = [
            [(Draft(passage=p, systems=tuple(chunks[n])),) for p, chunks in drawn]
            for n in range(len(drawn[0][1]))
        ]
        return [_ordered(brief, rows, random) for rows in versions]

    return arrange


def _orders(systems: Sequence[str], random: Random) -> Iterator[Sequence[str]]:
    """Orders in which, over every cycle, each system stands once in each place."""
    while True:
        mixed = random.sample(systems, len(systems))
        for turn in random.sample(range(len(mixed)), len(mixed)):
            yield mixed[turn:] + mixed[:turn]


def _ordered(brief: Brief, rows: list[Row], random: Random) -> list[Row]:
    return random.sample(rows, len(rows)) if brief.kits.order == "shuffled" else rows


ARRANGEMENTS: Mapping[Screen, Callable[[Brief, Sequence[str], Random], Arrange]] = {
    "one": _one,
    "two": _two,
    "all": _all,
}
