"""Items on which judges disagree, for an adjudicator to settle."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from jurat.campaigns.screens import Screen, stages
from jurat.errors import input_error
from jurat.model import Item, Kit, Phase
from jurat.protocols import Protocol
from jurat.store import Adjudication, StoredDecision

# Task, phase, kit and index: one item of one kit.
Place = tuple[str, Phase, int, int]


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """An item with the answers it got, for coordinators; who gave which is not told."""

    task: str
    phase: Phase
    kit: int
    index: int
    item: Item
    answers: tuple[Mapping[str, object], ...]
    distance: float
    """Between the lowest score and the highest; infinite where there are none to compare."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A contest as an adjudicator gets it: he judges as blindly as the judges did."""

    key: str
    """Opaque: by it he says which one he settles."""
    task: str
    screens: tuple[Screen, ...]
    """One for each stage, in order, so that he reads without help what they read without."""
    answers: tuple[Mapping[str, object], ...]


def case(contest: Contest, protocol: Protocol) -> Case:
    """What an adjudicator is told of a contest."""
    return Case(
        key=contest.item.id,
        task=contest.task,
        screens=stages(contest.item, protocol, task=contest.task, phase=contest.phase),
        answers=contest.answers,
    )


def unjudged(item: Item, protocol: Protocol, *, task: str) -> Case:
    """An item alone: what an adjudicator sees before he has settled it."""
    screens = stages(item, protocol, task=task, phase="evaluation")
    return Case(key=item.id, task=task, screens=screens, answers=())


def found(kits: Iterable[Kit], key: str) -> tuple[Place, Item]:
    """The item of a case, and its place."""
    for kit in kits:
        for index, item in enumerate(kit.items):
            if item.id == key:
                return (kit.task, kit.phase, kit.number, index), item
    raise input_error("there is no such case", field="key", value=key)


def compared(decisions: Iterable[StoredDecision], protocol: Protocol) -> dict[Place, Contest]:
    """Every item that two judges or more have judged, with how far apart they are."""
    found = ((place, _contest(place, group, protocol)) for place, group in _by_item(decisions))
    return {place: contest for place, contest in found if contest is not None}


def contested(
    every: Mapping[Place, Contest], settled: Iterable[Adjudication], *, more_than: float
) -> list[Contest]:
    """Items not yet settled whose answers lie further apart than that; the worst first."""
    over = {(one.task, one.phase, one.kit, one.index) for one in settled}
    open_ = [c for place, c in every.items() if place not in over and c.distance > more_than]
    return sorted(open_, key=lambda contest: -contest.distance)


def _by_item(
    decisions: Iterable[StoredDecision],
) -> Iterable[tuple[Place, list[StoredDecision]]]:
    """What counts about each item to be judged; tutorials and controls are not for results."""
    items: defaultdict[Place, list[StoredDecision]] = defaultdict(list)
    for one in decisions:
        if one.status == "valid" and one.phase == "evaluation" and not one.item.control:
            items[one.task, one.phase, one.kit, one.index].append(one)
    return items.items()


def _contest(place: Place, group: list[StoredDecision], protocol: Protocol) -> Contest | None:
    """The item's answers, put together over its stages, in an order that tells nothing."""
    parts: defaultdict[str, list[StoredDecision]] = defaultdict(list)
    for one in group:
        parts[one.assignment].append(one)
    # who is in the middle of an item has not said his last word
    whole = [ones for ones in parts.values() if len(ones) == len(protocol.stages)]
    if len(whole) < 2:
        return None
    merged = [{name: a for one in ones for name, a in one.answers.items()} for ones in whole]
    answers = tuple(sorted(merged, key=msgspec.json.encode))
    task, phase, kit, index = place
    item = group[0].item
    return Contest(
        task=task,
        phase=phase,
        kit=kit,
        index=index,
        item=item,
        answers=answers,
        distance=_distance(answers, item, protocol),
    )


def _distance(answers: Sequence[Mapping[str, object]], item: Item, protocol: Protocol) -> float:
    """The range of the scores; without scores, whether the answers are not all the same."""
    scores = [protocol.score_of(one, item) for one in answers]
    known = [score for score in scores if score is not None]
    if known:
        return max(known) - min(known)
    # two people never word a text alike
    said = [
        {name: a for name, a in one.items() if protocol.questions[name].level != "text"}
        for one in answers
    ]
    return float("inf") if any(one != said[0] for one in said) else 0.0
