"""Which kit a judge gets next: tasks in their order, tutorials first, by the task's policy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from jurat.campaigns.founding import Blueprint
from jurat.kits.cards import Card, card
from jurat.kits.cards import OpenKit as Candidate
from jurat.kits.eligibility import Rules, eligible, rules
from jurat.kits.plan import TaskPlan
from jurat.kits.policies import POLICIES, Standing
from jurat.model import Judge, Phase
from jurat.store import Had, OpenKit

Standings = Mapping[str, Mapping[str, Standing]]
"""How the systems stand so far, by task; only for tasks whose policy looks at it."""
UNLIMITED = 1_000_000


class Pick(NamedTuple):
    """The kit that was chosen, and how likely that was."""

    kit: OpenKit
    probability: float


class Spot(NamedTuple):
    """A phase of a task that a judge may do something in."""

    task: TaskPlan
    phase: Phase
    required: bool = True
    """Whether he has still to do some of it."""


class Assigner:
    """Chooses kits for judges by a campaign's rules; pure but for its own caches."""

    def __init__(self, blueprint: Blueprint) -> None:
        self._blueprint = blueprint
        systems = blueprint.test_set.systems
        self._cards: dict[tuple[str, Phase, int], Card] = {}
        self._rules = {
            task.name: rules(
                task,
                blueprint.protocols[task.name],
                systems,
                own_site=blueprint.plan.own_site,
            )
            for task in blueprint.plan.tasks
        }
        # what kits show matters only where something is read without help; to build them takes long
        if any(held.unaided for held in self._rules.values()):
            self._cards = {
                (kit.task, kit.phase, kit.number): card(kit, f"{kit.phase} {kit.number}")
                for task in blueprint.tasks
                for kit in (*task.tutorial, *task.kits)
            }

    def choose(
        self,
        judge: Judge,
        kits: Sequence[OpenKit],
        had: Sequence[Had],
        *,
        go_on: bool = False,
        waiting: Collection[tuple[str, Phase]] = (),
        standings: Standings | None = None,
    ) -> Pick | None:
        """A kit for a judge who has had those; beyond the required ones only if he goes on.

        `waiting` are tasks and phases that are to be opened yet: nobody passes them by.
        """
        for spot in self.spots(had, go_on=go_on):
            place = (spot.task.name, spot.phase)
            if spot.required and place in waiting:
                return None
            open_here = [kit for kit in kits if (kit.task, kit.phase) == place]
            if pick := self._pick(spot, judge, open_here, had, standings or {}):
                return pick
            if spot.phase == "tutorial":
                return None
        return None

    def spots(self, had: Sequence[Had], *, go_on: bool = False) -> Iterator[Spot]:
        """What a judge has still to do, in order; then, if he goes on, every task again."""
        done = Counter((one.task, one.phase) for one in had if one.state == "done")
        for task in self._blueprint.plan.tasks:
            if done[task.name, "tutorial"] < task.required.tutorial:
                yield Spot(task, "tutorial")
            if done[task.name, "evaluation"] < task.required.evaluation:
                yield Spot(task, "evaluation")
        if go_on:
            for task in self._blueprint.plan.tasks:
                yield Spot(task, "evaluation", required=False)

    def _pick(
        self,
        spot: Spot,
        judge: Judge,
        kits: Sequence[OpenKit],
        had: Sequence[Had],
        standings: Standings,
    ) -> Pick | None:
        held = self._rules[spot.task.name]
        past = [self._card_of(one, held) for one in had if one.phase == spot.phase]
        candidates = {kit.id: self._candidate(kit, held) for kit in kits}
        may = [c for c in candidates.values() if eligible(c, judge, past, held)]
        policy = POLICIES[spot.task.policy]()
        # the same judge with the same past gets the same kit: a repeated request changes nothing
        random = Random(f"{self._blueprint.plan.seed}|{judge.id}|{spot.task.name}|{len(had)}")
        chosen = policy.choose(may, judge, standings.get(spot.task.name, {}), random)
        if chosen is None:
            return None
        return Pick(next(kit for kit in kits if kit.id == chosen.kit), chosen.probability)

    def _candidate(self, kit: OpenKit, held: Rules) -> Candidate:
        known = self._cards[kit.task, kit.phase, kit.number] if held.unaided else None
        return Candidate(
            id=kit.id,
            task=kit.task,
            number=kit.number,
            block=kit.block,
            group=kit.group,
            systems=dict.fromkeys(kit.systems, 1),
            documents=known.documents if known else frozenset(),
            remaining=UNLIMITED if kit.wanted is None else kit.wanted - kit.taken,
        )

    def _card_of(self, one: Had, held: Rules) -> Card:
        if held.unaided:
            return self._cards[one.task, one.phase, one.number]
        key = f"{one.phase} {one.number}"
        return Card(id=key, task=one.task, number=one.number, block=one.block)


class Chooser:
    """A judge's choice, as the store asks for it inside his transaction: nothing slow in it.

    Afterwards `more` says whether there is something for him if he goes on.
    """

    def __init__(
        self,
        assigner: Assigner,
        judge: Judge,
        *,
        go_on: bool,
        waiting: Collection[tuple[str, Phase]],
        standings: Standings,
    ) -> None:
        self._choose = partial(assigner.choose, judge, waiting=waiting, standings=standings)
        self._go_on = go_on
        self.more = False

    def __call__(self, kits: Sequence[OpenKit], had: Sequence[Had]) -> Pick | None:
        pick = self._choose(kits, had, go_on=self._go_on)
        if pick is None and not self._go_on:
            self.more = self._choose(kits, had, go_on=True) is not None
        return pick
