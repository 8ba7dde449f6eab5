"""Whether all judges are linked by what they judge; groups that share nothing do not compare."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from jurat.kits.eligibility import KitId, KitSummary
from jurat.model import Kit

Link: TypeAlias = "tuple[Hashable, Hashable]"


def connected_components(links: Iterable[Link]) -> list[frozenset[Hashable]]:
    """The connected components of a graph, the largest first (union-find)."""
    root: dict[Hashable, Hashable] = {}

    def find(node: Hashable) -> Hashable:
        root.setdefault(node, node)
        while root[node] != node:
            root[node] = node = root[root[node]]  # path halving keeps the trees flat
        return node

    for one, other in links:
        root[find(one)] = find(other)
    members: dict[Hashable, set[Hashable]] = {}
    for node in list(root):
        members.setdefault(find(node), set()).add(node)
    return sorted((frozenset(part) for part in members.values()), key=len, reverse=True)


def components_by_system(assigned: Mapping[str, Sequence[KitSummary]]) -> list[frozenset[str]]:
    """Groups of judges who are linked by systems that they both judge, directly or indirectly."""
    links: list[Link] = [
        (("judge", judge), ("system", system))
        for judge, summaries in assigned.items()
        for summary in summaries
        for system in summary.systems
    ]
    return _judges(connected_components(links))


def components_by_translation(
    assigned: Mapping[str, Sequence[KitSummary]], kits: Mapping[KitId, Kit]
) -> list[frozenset[str]]:
    """Groups of judges who are linked by translations that both judge, directly or indirectly."""
    held = [(summary.id, judge) for judge, summaries in assigned.items() for summary in summaries]
    # kits are vertices, too: linking judges to translations directly would repeat each kit's items
    # for each of its judges
    links: list[Link] = [(("kit", kit), ("judge", judge)) for kit, judge in held]
    links += [(("kit", kit), key) for kit in {kit for kit, _ in held} for key in _keys(kits[kit])]
    return _judges(connected_components(links))


def _keys(kit: Kit) -> Iterator[Hashable]:
    for item in kit.items:
        for shown in item.translations:
            # marked as a translation: a document may be called `judge`
            yield "translation", item.document, item.segment, shown.system


def _judges(found: Iterable[frozenset[Hashable]]) -> list[frozenset[str]]:
    return [
        frozenset(node[1] for node in part if isinstance(node, tuple) and node[0] == "judge")
        for part in found
    ]
