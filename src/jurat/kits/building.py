"""Kits from a test set, a protocol and a plan: the same from the same seed, to the last letter."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from jurat.faults import Fault, FaultyInput, complain
from jurat.kits.arranging import Block, Row, arrangement, cut
from jurat.kits.brief import Brief
from jurat.kits.controls import Pool, pool
from jurat.kits.filling import filled
from jurat.kits.pairs import sided
from jurat.kits.part import part
from jurat.kits.passages import Draft, Passage, passages
from jurat.kits.plan import TaskPlan
from jurat.kits.showing import Showing, check_shown, showings
from jurat.model import Kit, Phase, TestSet
from jurat.protocols import Protocol

NAME_BYTES = 10


class Outline(msgspec.Struct, frozen=True):
    """A kit before its repeats and controls are in it."""

    block: Block
    showing: Showing
    rows: Sequence[Row]

    @property
    def drafts(self) -> list[Draft]:
        """The items to be judged, in order."""
        return [draft for row in self.rows for draft in row]


def build(
    test_set: TestSet, protocol: Protocol, plan: TaskPlan, *, phase: Phase, seed: int
) -> tuple[Kit, ...]:
    """The kits of a task in a phase; a `FaultyInput` says what the set cannot give.

    For a tutorial, `test_set` is the tutorial's own.
    """
    try:
        brief = Brief(test_set=test_set, protocol=protocol, plan=plan, phase=phase, seed=seed)
        return _built(brief)
    except FaultyInput as error:
        if phase == "evaluation" or plan.tutorial is None:
            raise
        raise FaultyInput(map(_of_tutorial, error.faults)) from None


def _of_tutorial(fault: Fault) -> Fault:
    """A fault of kits that are declared for the tutorial alone."""
    return replace(fault, field=re.sub(r"^kits\b", "tutorial", fault.field or "") or None)


def _built(brief: Brief) -> tuple[Kit, ...]:
    unit = brief.protocol.unit
    chosen = part(brief.test_set, brief.plan, phase=brief.phase)
    known = passages(brief.test_set if unit == "segment" else chosen, unit)
    judged = _judged(brief, chosen, known)
    groups = {showing.group: showing for showing in showings(brief)}
    systems = _systems(groups, chosen)
    ordered = _sided(brief, list(_outlines(groups, systems, cut(brief, judged))))
    for showing in groups.values():
        mine = (each.drafts for each in ordered if each.showing is showing)
        check_shown(showing, [draft for drafts in mine for draft in drafts])
    pools = {name: pool(groups[name], known, judged, own) for name, own in systems.items()}
    return tuple(
        _kit(brief, number, outline, pools[outline.showing.group])
        for number, outline in enumerate(ordered, 1)
    )


def _judged(brief: Brief, chosen: TestSet, known: Sequence[Passage]) -> list[Passage]:
    """What is to be judged; segments with known answers stand aside where they are controls."""
    keys = {passage.key for passage in passages(chosen, brief.protocol.unit)}
    aside = brief.kits.controls.gold > 0
    judged = [p for p in known if p.key in keys and not (aside and p.gold is not None)]
    if not judged:
        raise complain("every segment is a gold control: none is left to be judged")
    return judged


def _systems(groups: Mapping[str, Showing], chosen: TestSet) -> dict[str, list[str]]:
    """The systems that each group judges; every system has to be in some."""
    found = {name: showing.systems(chosen.systems) for name, showing in groups.items()}
    for name, own in found.items():
        needed = 1 if groups[name].brief.protocol.systems == "one" else 2
        if len(own) < needed:
            message = f"{len(own)} systems can be shown, but {needed} are needed"
            raise complain(message, field=f"groups.{name}" if name else "systems")
    for system in chosen.systems:
        if not any(system.name in own for own in found.values()):
            message = f"'{system.name}' is the reference of every group that could judge it"
            raise complain(message, field="groups")
    return found


def _outlines(
    groups: Mapping[str, Showing], systems: Mapping[str, Sequence[str]], blocks: Sequence[Block]
) -> Iterator[Outline]:
    """The kits block by block, so that a campaign which ends early has whole blocks."""
    arrange = {
        name: arrangement(showing.brief, systems[name], showing.brief.random("systems", name))
        for name, showing in groups.items()
    }
    for block in blocks:
        for name, showing in groups.items():
            for rows in arrange[name](block.passages):
                yield Outline(block, showing, rows)


def _sided(brief: Brief, outlines: Sequence[Outline]) -> list[Outline]:
    """The outlines with the sides of all pairs balanced over the whole task."""
    if brief.protocol.systems != "two":
        return list(outlines)
    pairs = [(d.systems[0], d.systems[1]) for each in outlines for d in each.drafts]
    sides = iter(sided(pairs, brief.random("sides")))
    return [
        replace(
            each,
            rows=[tuple(replace(draft, systems=next(sides)) for draft in row) for row in each.rows],
        )
        for each in outlines
    ]


def _kit(brief: Brief, number: int, outline: Outline, pool: Pool) -> Kit:
    random = brief.random("kit", number)
    seen = {key for draft in outline.drafts for key in draft.keys}
    try:
        drafts = filled(outline.rows, brief.kits, pool, random)
    except FaultyInput as error:
        raise FaultyInput(
            replace(fault, message=f"kit {number}: {fault.message}") for fault in error.faults
        ) from None
    return Kit(
        task=brief.plan.name,
        phase=brief.phase,
        number=number,
        block=outline.block.name,
        group=outline.showing.group,
        items=tuple(
            outline.showing.item(draft, name=_name(brief, number, place), seen=seen)
            for place, draft in enumerate(drafts)
        ),
    )


def _name(brief: Brief, number: int, place: int) -> str:
    """An item's id, which says nothing to whoever reads it."""
    content = msgspec.json.encode([brief.seed, brief.plan.name, brief.phase, number, place])
    return hashlib.blake2b(content, digest_size=NAME_BYTES).hexdigest()
