"""Whether a judge can be asked again what is to be read without help."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from jurat.campaigns.screens import revealed
from jurat.kits.eligibility import unaided
from jurat.protocols import Protocol
from jurat.store import StoredDecision

# A document and a segment.
Place = tuple[str, str]


def spoiled(decisions: Iterable[StoredDecision], protocols: Mapping[str, Protocol]) -> list[str]:
    """Tasks that one judge cannot do again, from all that he decided.

    They are to be read without help, and meanwhile he has seen references of the same segments.
    """
    read: defaultdict[str, set[Place]] = defaultdict(set)
    known: set[Place] = set()
    for one in decisions:
        protocol, place = protocols[one.task], (one.item.document, one.item.segment)
        if one.item.references and "references" in revealed(protocol, one.stage, one.item):
            known.add(place)
        if one.status != "excluded" and unaided(protocol):
            read[one.task].add(place)
    return [task for task, places in read.items() if places & known]
