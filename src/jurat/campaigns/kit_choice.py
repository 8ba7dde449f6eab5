"""Which kit a judge gets next: tasks in their order, tutorials first, by the task's policy."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from datetime import datetime, timedelta
from functools import partial
from random import Random
from statistics import fmean, stdev
from threading import Lock
from typing import NamedTuple, Self

from jurat.campaigns.create import CampaignDefinition
from jurat.kits.eligibility import AvailableKit as Candidate
from jurat.kits.eligibility import KitSummary, Rules, eligible, rules, summarize_kit
from jurat.kits.plan import TaskPlan
from jurat.kits.policies import POLICIES, InterimScore
from jurat.model import Judge, Kit, Phase
from jurat.protocols import Protocol
from jurat.store import Had, OpenKit, Store, StoredDecision
from jurat.store.records import PhaseState

# The systems' scores so far, by task and system; only for tasks whose policy uses them.
ByTask = Mapping[str, Mapping[str, InterimScore]]
UNLIMITED = 1_000_000
# Open kits of a phase that are considered where the first suitable one is taken.
FIRST = 10
# And where they are compared: that takes 0.1 s, during which nobody else can write.
ALL = 2_000
# How long scores are used: they are computed from all judgments.
SCORES_FRESH = timedelta(minutes=1)

# The score of the first of two systems for an outcome; half a point for a tie.
_FIRST_SCORE = {"a": 1.0, "b": 0.0}

_NOT_YET = ("ready", "stopped")


class Pick(NamedTuple):
    """The kit that was chosen, and how likely that was."""

    kit: OpenKit
    probability: float


class Spot(NamedTuple):
    """A phase of a task in which a judge may be given a kit."""

    task: TaskPlan
    phase: Phase
    required: bool = True
    """Whether kits of it are still required of the judge."""


class Assigner:
    """Chooses kits for judges by a campaign's rules; pure but for its own caches."""

    def __init__(self, definition: CampaignDefinition, kits: Callable[[], Iterable[Kit]]) -> None:
        """`kits` gives the kits of the campaign; it is called only if their content matters."""
        self._definition = definition
        policies = [POLICIES[task.policy] for task in definition.plan.tasks]
        self.quick = not any(policy.compares for policy in policies)
        """Whether a choice is so quick that it may be made within the transaction of a decision."""
        self.most = FIRST if self.quick else ALL
        self._rules = task_rules(definition)
        looked_into = any(policy.uses_scores for policy in policies) or any(
            held.unaided for held in self._rules.values()
        )
        self._summaries = {
            (kit.task, kit.phase, kit.number): summarize_kit(kit, f"{kit.phase} {kit.number}")
            for kit in (kits() if looked_into else ())
        }

    def under(self, definition: CampaignDefinition) -> Self:
        """A copy for changed parameters; kits never change."""
        changed = copy(self)
        changed._definition, changed._rules = definition, task_rules(definition)
        return changed

    def choose(
        self,
        judge: Judge,
        kits: Sequence[OpenKit],
        had: Sequence[Had],
        *,
        number: int = 0,
        go_on: bool = False,
        waiting: Collection[tuple[str, Phase]] = (),
        closed: Collection[str] = (),
        scores: ByTask | None = None,
    ) -> Pick | None:
        """The next of these kits for a judge; None where there is none.

        `had` are the kits that they had before. Beyond the required kits they get more only with
        `go_on`. `number` is the judge's number in the campaign; random choices follow from it and
        from the seed. Phases that are `waiting` to be opened hold judges up; tasks that are
        `closed` are skipped with their tutorials.
        """
        for spot in self.spots(had, go_on=go_on):
            if spot.task.name in closed:
                continue
            place = (spot.task.name, spot.phase)
            if spot.required and place in waiting:
                return None
            open_here = [kit for kit in kits if (kit.task, kit.phase) == place]
            # seeded by the judge's past: a request that is repeated gets the same kit
            chance = Random(f"{self._definition.plan.seed}|{number}|{spot.task.name}|{len(had)}")
            of_task = (scores or {}).get(spot.task.name, {})
            if pick := self._pick(spot, judge, open_here, had, scores=of_task, chance=chance):
                return pick
            if spot.phase == "tutorial":
                return None
        return None

    def spots(self, had: Sequence[Had], *, go_on: bool = False) -> Iterator[Spot]:
        """What is still required of a judge, in order; with `go_on` then every task again."""
        done = Counter((one.task, one.phase) for one in had if one.state == "done")
        for task in self._definition.plan.tasks:
            if done[task.name, "tutorial"] < task.required.tutorial:
                yield Spot(task, "tutorial")
            if done[task.name, "evaluation"] < task.required.evaluation:
                yield Spot(task, "evaluation")
        if go_on:
            for task in self._definition.plan.tasks:
                yield Spot(task, "evaluation", required=False)

    def _pick(
        self,
        spot: Spot,
        judge: Judge,
        kits: Sequence[OpenKit],
        had: Sequence[Had],
        *,
        scores: Mapping[str, InterimScore],
        chance: Random,
    ) -> Pick | None:
        held = self._rules[spot.task.name]
        past = [self._summary(one) for one in had if one.phase == spot.phase]
        candidates = {kit.id: self._candidate(kit) for kit in kits}
        may = [c for c in candidates.values() if eligible(c, judge, past, held)]
        chosen = POLICIES[spot.task.policy]().choose(may, judge, scores, chance)
        if chosen is None:
            return None
        return Pick(next(kit for kit in kits if kit.id == chosen.kit), chosen.probability)

    def _candidate(self, kit: OpenKit) -> Candidate:
        known = self._summaries.get((kit.task, kit.phase, kit.number))
        return Candidate(
            id=kit.id,
            task=kit.task,
            number=kit.number,
            block=kit.block,
            group=kit.group,
            systems=known.systems if known else dict.fromkeys(kit.systems, 1),
            documents=known.documents if known else frozenset(),
            remaining=UNLIMITED if kit.wanted is None else kit.wanted - kit.taken,
        )

    def _summary(self, one: Had) -> KitSummary:
        key = f"{one.phase} {one.number}"
        bare = KitSummary(id=key, task=one.task, number=one.number, block=one.block)
        return self._summaries.get((one.task, one.phase, one.number), bare)


def task_rules(definition: CampaignDefinition) -> dict[str, Rules]:
    """The rules of eligibility of each task."""
    return {
        task.name: rules(
            task,
            definition.protocols[task.name],
            definition.test_set.systems,
            own_site=definition.plan.own_site,
        )
        for task in definition.plan.tasks
    }


class Chooser:
    """Chooses a kit for one judge when the store asks for it, within a transaction.

    Afterwards `more` says whether there would be a kit for them with `go_on`.
    """

    def __init__(
        self,
        assigner: Assigner,
        judge: Judge,
        *,
        number: int,
        go_on: bool,
        states: Sequence[tuple[str, Phase, PhaseState]],
        scores: ByTask,
    ) -> None:
        self._choose = partial(
            assigner.choose,
            judge,
            number=number,
            waiting=[(task, phase) for task, phase, state in states if state in _NOT_YET],
            closed=[task for task, *rest in states if rest == ["evaluation", "closed"]],
            scores=scores,
        )
        self._go_on = go_on
        self.more = False

    def __call__(self, kits: Sequence[OpenKit], had: Sequence[Had]) -> Pick | None:
        pick = self._choose(kits, had, go_on=self._go_on)
        if pick is None and not self._go_on:
            self.more = self._choose(kits, had, go_on=True) is not None
        return pick


class SystemScores:
    """The systems' scores so far, for policies that assign kits by them; cached for a minute."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._clock = clock
        self._cached: dict[str, tuple[datetime, ByTask]] = {}
        self._busy = Lock()

    def of(self, definition: CampaignDefinition) -> ByTask:
        """Scores by task and system; empty where no policy asks for them."""
        tasks = {t.name for t in definition.plan.tasks if POLICIES[t.policy].uses_scores}
        if not tasks:
            return {}
        campaign, now = definition.plan.name, self._clock()
        cached = self._cached.get(campaign)
        # one thread computes; the others go on with the older scores rather than wait
        if (cached is None or now - cached[0] > SCORES_FRESH) and self._busy.acquire(
            blocking=False
        ):
            try:
                cached = now, self._computed(definition, tasks)
                self._cached[campaign] = cached
            finally:
                self._busy.release()
        return cached[1] if cached else {}

    def _computed(self, definition: CampaignDefinition, tasks: set[str]) -> ByTask:
        scores: defaultdict[str, defaultdict[str, list[float]]]
        scores = defaultdict(lambda: defaultdict(list))
        for one in self._store.decisions(definition.plan.name):
            counts = one.phase == "evaluation" and one.status == "valid" and not one.item.control
            if counts and one.task in tasks:
                for system, score in _scores(one, definition.protocols[one.task]):
                    scores[one.task][system].append(score)
        return {
            task: {system: _score(values) for system, values in systems.items()}
            for task, systems in scores.items()
        }


def _scores(one: StoredDecision, protocol: Protocol) -> Iterator[tuple[str, float]]:
    """A score of a decision for each system on the screen; higher is better."""
    shown = one.item.translations
    if len(shown) == 1:
        score = protocol.score_of(one.answers, one.item)
        if score is not None:
            yield shown[0].system, score
        return
    for row in protocol.rows(one.answers, one.item):
        if row.table == "preferences":
            first = _FIRST_SCORE.get(str(row.values["outcome"]), 0.5)
            yield str(row.values["system_a"]), first
            yield str(row.values["system_b"]), 1 - first
        elif row.table == "rankings":
            yield str(row.values["system"]), -float(str(row.values["rank"]))


def _score(values: list[float]) -> InterimScore:
    spread = stdev(values) if len(values) > 1 else 0.0
    return InterimScore(mean=fmean(values), n=len(values), sd=spread)
