"""Whether judges and systems hang together through what is judged."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from jurat.kits.cards import Card, KitId
from jurat.model import Kit

Link: TypeAlias = "tuple[Hashable, Hashable]"


def parts(links: Iterable[Link]) -> list[frozenset[Hashable]]:
    """The connected parts of a graph, the greatest first."""
    root: dict[Hashable, Hashable] = {}

    def find(node: Hashable) -> Hashable:
        root.setdefault(node, node)
        while root[node] != node:
            root[node] = node = root[root[node]]
        return node

    for one, other in links:
        root[find(one)] = find(other)
    members: dict[Hashable, set[Hashable]] = {}
    for node in list(root):
        members.setdefault(find(node), set()).add(node)
    return sorted((frozenset(part) for part in members.values()), key=len, reverse=True)


def judges_by_systems(dealt: Mapping[str, Sequence[Card]]) -> list[frozenset[str]]:
    """The judges in parts; those in one part can be compared through the systems they judge."""
    links: list[Link] = [
        (("judge", judge), ("system", system))
        for judge, cards in dealt.items()
        for card in cards
        for system in card.systems
    ]
    return _judges(parts(links))


def judges_by_translations(
    dealt: Mapping[str, Sequence[Card]], kits: Mapping[KitId, Kit]
) -> list[frozenset[str]]:
    """The judges in parts; those in one part are linked by translations that two of them judge."""
    held = [(card.id, judge) for judge, cards in dealt.items() for card in cards]
    links: list[Link] = [(("kit", kit), ("judge", judge)) for kit, judge in held]
    links += [(("kit", kit), key) for kit in {kit for kit, _ in held} for key in _keys(kits[kit])]
    return _judges(parts(links))


def _keys(kit: Kit) -> Iterator[tuple[str, str, str]]:
    for item in kit.items:
        for shown in item.translations:
            yield item.document, item.segment, shown.system


def _judges(found: Iterable[frozenset[Hashable]]) -> list[frozenset[str]]:
    return [
        frozenset(node[1] for node in part if isinstance(node, tuple) and node[0] == "judge")
        for part in found
    ]
