"""How far judges are apart on every item, kept up to date from the change feed.

Each decision is read once, and an item is compared anew only where its kit has changed: a million
decisions take seconds once, and milliseconds from then on.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from math import inf, nan
from threading import Lock
from typing import NamedTuple

import msgspec

from jurat.model import Advance, Item, KitSteps, Phase
from jurat.protocols import Protocol
from jurat.store import Store, StoreFailed
from jurat.store.change_feed import (
    EXCLUDED,
    Changes,
    Checkpoint,
    RawAssignment,
)
from jurat.store.judge_deletion import DELETED

Answers = Mapping[str, object]
# Only there do judges disagree: a tutorial has expected answers.
PHASE: Phase = "evaluation"
# What an assignment has at a position without answers: the item was skipped, or is not decided yet.
NO_ANSWERS = -1

_item = msgspec.json.Decoder(Item).decode


class Place(msgspec.Struct, frozen=True):
    """One item of one kit."""

    task: str
    kit: int
    """The kit's number."""
    index: int


class JudgedItem(NamedTuple):
    """An item that several judges have judged."""

    item: Item
    answers: tuple[Answers, ...]
    distance: float
    """The range of the scores; infinite where answers without scores differ."""


class _JudgedKit:
    """A kit that somebody was given, and how far judges are apart on its items."""

    def __init__(self, first: RawAssignment) -> None:
        self.id = first.kit_id
        self.task = first.task
        self.number = first.kit
        self.positions = _positions(first.size, first.stages, first.advance)
        self.assignments: dict[int, bool] = {}
        """Those of this kit, and whether they count."""
        self.distances = array("d")
        """By item; not a number where fewer than two judges have judged it."""


@lru_cache(64)
def _positions(size: int, stages: int, advance: Advance) -> tuple[tuple[int, ...], ...]:
    """By item, the positions of its stages, counted from 0."""
    steps = KitSteps(size, stages, advance)
    return tuple(
        tuple(steps.position(index, stage) - 1 for stage in range(stages)) for index in range(size)
    )


class Disagreements:
    """The items of a campaign that several judges have judged; any thread may ask."""

    def __init__(self, store: Store, campaign: str, protocols: Mapping[str, Protocol]) -> None:
        self.protocols = protocols
        self._store = store
        self._campaign = campaign
        self._lock = Lock()
        self._stamp = ""
        self._seen: dict[int, Checkpoint] = {}
        self._kit_of: dict[int, _JudgedKit] = {}
        """By assignment."""
        self._kits: dict[int, _JudgedKit] = {}
        """By row number."""
        self._by_number: dict[tuple[str, int], _JudgedKit] = {}
        self._given: dict[int, array[int]] = {}
        """By assignment, the codes of the answers at each position, which may be `NO_ANSWERS`."""
        self._codes: dict[str, int] = {}
        self._texts: list[str] = []
        """Answers as JSON by their code: most are the same few."""
        self._changed: set[int] = set()
        self._decode = lru_cache(4096)(self._decoded)
        self._closed = False

    def close(self) -> None:
        """End an update that is under way; it and all later ones raise `StoreFailed`."""
        # without the lock, which the update holds
        self._closed = True

    def update(self) -> None:
        """Read what is new since the last time. Raises `StoreFailed` once this is closed."""
        with self._lock:
            # before the changes: what comes in between is read the next time
            stamp = self._store.stamp(self._campaign)
            if stamp == self._stamp:
                return
            self._store.changes(self._campaign, self._seen, self._add)
            for kit in self._changed:
                self._refuse_if_closed()
                self._compare(self._kits[kit])
            self._changed.clear()
            self._stamp = stamp

    def apart(
        self, task: str, *, more_than: float, without: Collection[tuple[int, int]] = ()
    ) -> list[Place]:
        """The items on which judges differ by more than that, the worst first.

        `without` are kits and indices that are left out.
        """
        with self._lock:
            found = [
                (-distance, kit.number, index)
                for kit in self._kits.values()
                if kit.task == task
                for index, distance in enumerate(kit.distances)
                if distance > more_than and (kit.number, index) not in without
            ]
        found.sort()
        return [Place(task, kit, index) for _, kit, index in found]

    def judged(self, place: Place) -> JudgedItem | None:
        """An item with all answers to it, none where fewer than two judges gave any.

        None where nobody was given its kit.
        """
        kit, item = self._by_number.get((place.task, place.kit)), self.item(place)
        if kit is None or item is None:
            return None
        with self._lock:
            answers = self._answers(kit, place.index, item)
        distance = _distance(answers, item, self.protocols[kit.task]) if answers else 0.0
        return JudgedItem(item, answers, distance)

    def item(self, place: Place) -> Item | None:
        """The item at a place, judged or not; None where nobody was given its kit."""
        kit = self._by_number.get((place.task, place.kit))
        if kit is None or not 0 <= place.index < len(kit.positions):
            return None
        return _item(self._store.contents(kit.id)[place.index])

    # From here on with the lock.

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreFailed("the comparison of judgments has been ended")

    def _add(self, news: Changes) -> None:
        self._refuse_if_closed()
        for one in news.assignments:
            if one.phase == PHASE:
                self._add_assignment(one)
        for decision in news.decisions:
            key = decision.assignment_id
            self._seen[key] = Checkpoint(number=decision.number)
            if key not in self._kit_of:
                continue
            given = self._given.setdefault(key, array("l"))
            code = NO_ANSWERS if decision.skipped else self._code(decision.answers)
            # decisions of an imported kit may stand in another order than its positions
            given.extend([NO_ANSWERS] * (decision.position - len(given)))
            # a revision replaces what was there
            given[decision.position - 1] = code
        for key, changes in news.versions.items():
            self._seen[key] = Checkpoint(changes, self._seen.get(key, Checkpoint()).number)

    def _add_assignment(self, one: RawAssignment) -> None:
        kit = self._kits.get(one.kit_id)
        if kit is None:
            kit = self._kits[one.kit_id] = _JudgedKit(one)
            self._by_number[one.task, one.kit] = kit
        kit.assignments[one.id] = one.state not in EXCLUDED and one.reason != DELETED
        self._kit_of[one.id] = kit
        self._changed.add(kit.id)

    def _code(self, answers: str) -> int:
        code = self._codes.setdefault(answers, len(self._texts))
        if code == len(self._texts):
            self._texts.append(answers)
        return code

    def _decoded(self, code: int) -> Answers:
        found: Answers = msgspec.json.decode(self._texts[code])
        return found

    def _compare(self, kit: _JudgedKit) -> None:
        """Compute the distances of a kit's items anew."""
        kit.distances = array("d", [nan]) * len(kit.positions)
        if sum(kit.assignments.values()) < 2:
            return
        protocol, contents = self.protocols[kit.task], self._store.contents(kit.id)
        for index, content in enumerate(contents):
            item = _item(content)
            if answers := self._answers(kit, index, item):
                kit.distances[index] = _distance(answers, item, protocol)

    def _answers(self, kit: _JudgedKit, index: int, item: Item) -> tuple[Answers, ...]:
        """The answers to an item over all its stages; none where fewer than two judges gave any."""
        if item.control:
            return ()
        whole = list(self._whole(kit, index))
        if len(whole) < 2:
            return ()
        merged = [
            {name: a for code in one for name, a in self._decode(code).items()} for one in whole
        ]
        # sorted, so that the order does not tell which judge answered first
        return tuple(sorted(merged, key=msgspec.json.encode))

    def _whole(self, kit: _JudgedKit, index: int) -> Iterator[list[int]]:
        """The codes of each judge who has judged an item at all its stages.

        A judge in the middle of an item may still see what changes their mind.
        """
        positions = kit.positions[index]
        for assignment, counts in kit.assignments.items():
            given = self._given.get(assignment)
            if counts and given is not None and positions[-1] < len(given):
                codes = [given[position] for position in positions]
                if NO_ANSWERS not in codes:
                    yield codes


def _distance(answers: Sequence[Answers], item: Item, protocol: Protocol) -> float:
    """The range of the scores, the largest where there are several translations.

    Without scores, whether the answers are not all the same.
    """
    given = [protocol.scores(one, item) for one in answers]
    ranges: list[float] = []
    for n in range(len(given[0])):
        known = [score for scores in given if (score := scores[n]) is not None]
        ranges += [max(known) - min(known)] if known else []
    if ranges:
        return max(ranges)
    # free text always differs, which says nothing about disagreement
    said = [
        {name: a for name, a in one.items() if protocol.questions[name].level != "text"}
        for one in answers
    ]
    return inf if any(one != said[0] for one in said) else 0.0
