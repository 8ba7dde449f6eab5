"""Builds kits from a test set, a protocol and a plan; the same seed gives the same kits."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from jurat.errors import InputError, Problem, input_error
from jurat.kits.controls import ControlPool, control_pool
from jurat.kits.experimental_design import Block, Row, arrangement, balance_sides, blocks
from jurat.kits.gold import practice_item
from jurat.kits.identical_outputs import outputs_of
from jurat.kits.item_order import fill_kit
from jurat.kits.items import (
    GroupView,
    Key,
    Passage,
    PlannedItem,
    check_shown,
    group_views,
    passages,
    plan_context,
)
from jurat.kits.suggestions import SuggestionArms
from jurat.kits.task_plan import BuildRequest, TaskPlan, plan_part
from jurat.model import Kit, Phase, TestSet
from jurat.protocols import Protocol

# Bytes of an item's id: short, and enough to make collisions negligible.
NAME_BYTES = 10


class KitOutline(msgspec.Struct, frozen=True):
    """A kit without its repeats and controls."""

    block: Block
    view: GroupView
    rows: Sequence[Row]

    @property
    def planned_items(self) -> list[PlannedItem]:
        """The items to be judged, in order."""
        return [planned for row in self.rows for planned in row]


def build(
    test_set: TestSet,
    protocol: Protocol,
    plan: TaskPlan,
    *,
    phase: Phase,
    seed: int,
    media: Mapping[str, str] | None = None,
) -> tuple[Kit, ...]:
    """The kits of a task in a phase.

    For a tutorial, `test_set` is the tutorial's own; `media` are the hashes of the files that it
    names. Raises `InputError` if the test set lacks what the protocol or the plan needs.
    """
    try:
        request = BuildRequest(
            test_set=test_set,
            protocol=protocol,
            plan=plan,
            phase=phase,
            seed=seed,
            media=media or {},
        )
        return _built(request)
    except InputError as error:
        if phase == "evaluation" or plan.tutorial is None:
            raise
        # the user wrote these values under `tutorial`, but all checks name the field `kits`
        raise InputError(map(_of_tutorial, error.problems)) from None


def _of_tutorial(problem: Problem) -> Problem:
    """The problem with its field in the tutorial's part of the plan: `tutorial.repeats`."""
    return problem.changed(field=re.sub(r"^kits\b", "tutorial", problem.field or "") or None)


def _built(request: BuildRequest) -> tuple[Kit, ...]:
    unit = request.protocol.unit
    chosen = plan_part(request.test_set, request.plan, phase=request.phase)
    # easy controls may come from segments that the plan leaves out, whole documents may not
    known = passages(request.test_set if unit == "segment" else chosen, unit)
    judged = _judged(request, chosen, known)
    groups = {view.group: view for view in group_views(request)}
    systems = _systems(groups, chosen)
    ordered = _sided(request, list(_outlines(groups, systems, blocks(request, judged))))
    if not ordered:
        message = "all systems have the same output for every segment: nothing is left to compare"
        raise input_error(message, field="merge_identical")
    # before the pools are made, which would fail with a KeyError where a translation is missing
    for view in groups.values():
        mine = (each.planned_items for each in ordered if each.view is view)
        check_shown(view, [planned for planned_items in mine for planned in planned_items])
    # one pool per group, because a group does not see the system that is its reference
    pools = {name: control_pool(groups[name], known, judged, own) for name, own in systems.items()}
    arms = SuggestionArms(request, (each.planned_items for each in ordered))
    return tuple(
        _kit(request, number, outline, pools[outline.view.group], arms)
        for number, outline in enumerate(ordered, 1)
    )


def _judged(request: BuildRequest, chosen: TestSet, known: Sequence[Passage]) -> list[Passage]:
    """The passages to be judged, without those that are gold controls."""
    keys = {passage.key for passage in passages(chosen, request.protocol.unit)}
    aside = request.kits.controls.gold > 0
    judged = [p for p in known if p.key in keys and not (aside and p.gold is not None)]
    if not judged:
        raise input_error("all segments are gold controls: none is left to be judged")
    return judged


def _systems(groups: Mapping[str, GroupView], chosen: TestSet) -> dict[str, list[str]]:
    """The systems that each group judges; raises `InputError` if a system is in none."""
    found = {name: view.systems(chosen.systems) for name, view in groups.items()}
    for name, own in found.items():
        needed = 1 if groups[name].request.protocol.systems == "one" else 2
        if len(own) < needed:
            message = f"{len(own)} systems can be shown, but {needed} are required"
            raise input_error(message, field=f"groups.{name}" if name else "systems")
    for system in chosen.systems:
        if not any(system.name in own for own in found.values()):
            message = f"'{system.name}' is the reference of every group that could judge it"
            raise input_error(message, field="groups")
    return found


def _outlines(
    groups: Mapping[str, GroupView], systems: Mapping[str, Sequence[str]], blocks: Sequence[Block]
) -> Iterator[KitOutline]:
    """The kits block by block, so that a campaign that ends early has complete blocks."""
    arrange = {
        name: arrangement(
            view.request,
            systems[name],
            outputs_of(view, systems[name]),
            view.request.random("systems", name),
        )
        for name, view in groups.items()
    }
    for block in blocks:
        for name, view in groups.items():
            for rows in arrange[name](block.passages):
                # all of it may have the same output as other systems, whose kits show it
                if rows:
                    yield KitOutline(block, view, rows)


def _sided(request: BuildRequest, outlines: Sequence[KitOutline]) -> list[KitOutline]:
    """The outlines, with left and right of pairs balanced over the whole task."""
    if request.protocol.systems != "two":
        return list(outlines)
    planned_items = [planned for each in outlines for planned in each.planned_items]
    pairs = [(p.systems[0], p.systems[1]) for p in planned_items if len(p.systems) == 2]
    sides = iter(balance_sides(pairs, request.random("sides")))

    def sided(planned: PlannedItem) -> PlannedItem:
        # one translation alone has no sides
        return replace(planned, systems=next(sides)) if len(planned.systems) == 2 else planned

    return [replace(each, rows=[tuple(map(sided, row)) for row in each.rows]) for each in outlines]


def _kit(
    request: BuildRequest,
    number: int,
    outline: KitOutline,
    pool: ControlPool,
    arms: SuggestionArms,
) -> Kit:
    # a generator per kit, so that a change in one kit leaves the others as they are
    random = request.random("kit", number)
    try:
        planned_items = fill_kit(outline.rows, request.kits, pool, random)
    except InputError as error:
        raise InputError(
            problem.changed(message=f"kit {number}: {problem.message}")
            for problem in error.problems
        ) from None
    planned_items = [arms.of(planned) for planned in planned_items]
    if request.phase == "tutorial":
        planned_items = [practice_item(outline.view, planned) for planned in planned_items]
    own = _own_systems(outline)
    context = plan_context(
        request, planned_items, systems={**pool.systems, **own}, judged=pool.judged
    )
    return Kit(
        task=request.plan.name,
        phase=request.phase,
        number=number,
        block=outline.block.name,
        group=outline.view.group,
        items=tuple(
            outline.view.item(planned, name=_name(request, number, place), context=context)
            for place, planned in enumerate(planned_items)
        ),
    )


def _own_systems(outline: KitOutline) -> dict[Key, str]:
    """The system of each segment of the kit, where a document is from one system.

    Segments that are not judged here, since another system's output is the same, are shown in the
    context of others: there this system's is as good.
    """
    by_document = {each.passage.document.id: each.systems[0] for each in outline.planned_items}
    passages = [p for p in outline.block.passages if p.document.id in by_document]
    own = {passage.key: by_document[passage.document.id] for passage in passages}
    return own | {planned.passage.key: planned.systems[0] for planned in outline.planned_items}


def _name(request: BuildRequest, number: int, place: int) -> str:
    """An item's id: a hash, since judges see it and must not infer order or system from it."""
    content = msgspec.json.encode([request.seed, request.plan.name, request.phase, number, place])
    return hashlib.blake2b(content, digest_size=NAME_BYTES).hexdigest()
