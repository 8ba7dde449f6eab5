"""Which kit a judge gets next: tasks in their order, tutorials first, by the task's policy."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from datetime import datetime, timedelta
from functools import cache
from random import Random
from statistics import fmean, stdev
from threading import Lock
from typing import NamedTuple, Self

from jurat.campaigns.create import CampaignDefinition
from jurat.campaigns.judge_tasks import PhaseStatus, parts_of
from jurat.kits.eligibility import AvailableKit as Candidate
from jurat.kits.eligibility import HadKits, KitSummary, Rules, eligible, rules, summarize_kit
from jurat.kits.policies import POLICIES, InterimScore
from jurat.model import Judge, Kit, Phase
from jurat.protocols import Protocol
from jurat.store import Had, Offer, OpenKit, Store, StoredDecision

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

# The phase and state of a tutorial kit that is done.
TAUGHT = ("tutorial", "done")


class Pick(NamedTuple):
    """The kit that was chosen, and how likely that was."""

    kit: OpenKit
    probability: float


class Assigner:
    """Chooses kits for judges by a campaign's rules; pure but for its own caches."""

    def __init__(self, definition: CampaignDefinition, kits: Callable[[], Iterable[Kit]]) -> None:
        """`kits` gives the kits of the campaign; it is called only if their content matters."""
        self._definition = definition
        policies = [POLICIES[task.policy] for task in definition.plan.tasks]
        self.most = ALL if any(policy.compares for policy in policies) else FIRST
        """Open kits of a phase that a choice is made from, unless it finds none among them."""
        self._rules = task_rules(definition)
        looked_into = any(policy.uses_scores for policy in policies) or any(
            held.unaided for held in self._rules.values()
        )
        self._summaries = {
            (kit.task, kit.phase, kit.number): summarize_kit(kit, f"{kit.phase} {kit.number}")
            for kit in (kits() if looked_into else ())
        }
        # judges have had thousands of kits, each of them many judges
        self._bare = cache(_bare_summary)

    def under(self, definition: CampaignDefinition) -> Self:
        """A copy for changed parameters; kits never change."""
        changed = copy(self)
        changed._definition, changed._rules = definition, task_rules(definition)
        return changed

    def choose(
        self,
        judge: Judge,
        offer: Offer,
        *,
        states: Sequence[PhaseStatus],
        number: int = 0,
        go_on: bool = False,
        scores: ByTask | None = None,
    ) -> Pick | None:
        """The kit of an offer that a judge is given next; None where there is none.

        Beyond the required kits they get more only with `go_on`. `number` is the judge's number in
        the campaign; random choices follow from it and from the seed.
        """
        supply = self.supply(judge, offer)
        for place in self._places(offer, states, supply, go_on=go_on):
            task, phase = place
            # seeded by the judge's past: a request that is repeated gets the same kit
            chance = Random(f"{self._definition.plan.seed}|{number}|{task}|{len(offer.had)}")
            of_task = (scores or {}).get(task, {})
            policy = POLICIES[self._definition.plan.task(task).policy]()
            chosen = policy.choose(supply.eligible(task, phase), judge, of_task, chance)
            if chosen is not None:
                kit = next(kit for kit in offer.kits if kit.id == chosen.kit)
                return Pick(kit, chosen.probability)
            # the rest of this phase's kits comes before the next phase
            if place in offer.cut:
                return None
        return None

    def _places(
        self, offer: Offer, states: Sequence[PhaseStatus], supply: KitSupply, *, go_on: bool
    ) -> Iterator[tuple[str, Phase]]:
        """The phase that a judge is given a kit of; with `go_on`, those that have more for them."""
        plan = self._definition.plan
        for part in parts_of(plan, states, offer, supply):
            if part.left and not part.lock:
                yield part.task, part.phase
            if part.blocks:
                return
        taught = Counter(one.task for one in offer.had if (one.phase, one.state) == TAUGHT)
        for task in plan.tasks if go_on else ():
            if taught[task.name] >= task.required.tutorial:
                yield task.name, "evaluation"

    def supply(self, judge: Judge, offer: Offer) -> KitSupply:
        """The kits of an offer that the rules of their tasks allow a judge."""
        return KitSupply(self, judge, offer)

    def allowed(
        self, judge: Judge, kits: Iterable[OpenKit], had: Sequence[Had], phase: Phase
    ) -> list[Candidate]:
        """Those of these kits of a phase that a judge may get."""
        past = HadKits(self._summary(one) for one in had if one.phase == phase)
        candidates = map(self._candidate, kits)
        return [c for c in candidates if eligible(c, judge, past, self._rules[c.task])]

    def units(self, task: str, kits: Iterable[Candidate]) -> int:
        """How many of these kits of a task one judge can do, one after the other."""
        apart = self._rules[task].apart
        return len({kit.block if apart else kit.id for kit in kits})

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
        known = self._summaries.get((one.task, one.phase, one.number))
        return known or self._bare(one.task, one.phase, one.number, one.block)


def _bare_summary(task: str, phase: Phase, number: int, block: str) -> KitSummary:
    return KitSummary(id=f"{phase} {number}", task=task, number=number, block=block)


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


class KitSupply:
    """The kits that one judge could be given by the rules; each phase is looked at once."""

    def __init__(self, assigner: Assigner, judge: Judge, offer: Offer) -> None:
        self._assigner = assigner
        self._judge = judge
        self._offer = offer
        self._eligible: dict[tuple[str, Phase], list[Candidate]] = {}

    def eligible(self, task: str, phase: Phase) -> list[Candidate]:
        """The kits of a phase that the judge may be given now."""
        place = (task, phase)
        if place not in self._eligible:
            kits = [kit for kit in self._offer.kits if (kit.task, kit.phase) == place]
            self._eligible[place] = self._allowed(kits, phase)
        return self._eligible[place]

    def free(self, task: str, phase: Phase) -> int:
        """How many kits of a phase the judge could do from now on."""
        found = self._assigner.units(task, self.eligible(task, phase))
        # of a long list only the first are known: one of the others may be for them
        return found or int((task, phase) in self._offer.cut)

    def held(self, task: str, phase: Phase) -> int:
        """How many kits of a phase the judge could do later, should others give them back.

        Where it is not started, kits that nobody has count, too.
        """
        kits = self._offer.held(task, phase)
        return self._assigner.units(task, self._allowed(kits, phase))

    def _allowed(self, kits: Iterable[OpenKit], phase: Phase) -> list[Candidate]:
        return self._assigner.allowed(self._judge, kits, self._offer.had, phase)


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
    if scores := protocol.scores(one.answers, one.item):
        for translation, score in zip(shown, scores, strict=True):
            if score is not None:
                yield from ((system, score) for system in translation.systems)
        return
    systems = {translation.system: translation.systems for translation in shown}
    for row in protocol.rows(one.answers, one.item):
        if row.table == "preferences":
            first = _FIRST_SCORE.get(str(row.values["outcome"]), 0.5)
            yield from ((system, first) for system in systems[str(row.values["system_a"])])
            yield from ((system, 1 - first) for system in systems[str(row.values["system_b"])])
        elif row.table == "rankings":
            score = -float(str(row.values["rank"]))
            yield from ((system, score) for system in systems[str(row.values["system"])])


def _score(values: list[float]) -> InterimScore:
    spread = stdev(values) if len(values) > 1 else 0.0
    return InterimScore(mean=fmean(values), n=len(values), sd=spread)
