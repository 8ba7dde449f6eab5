"""How the systems stand so far, for policies that choose kits by it; a little old is new enough."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from statistics import fmean, stdev
from threading import Lock

from jurat.campaigns.context import Clock
from jurat.campaigns.create import Blueprint
from jurat.kits.policies import POLICIES, InterimScore
from jurat.protocols import Protocol
from jurat.store import Store, StoredDecision

# How long a standing is good for: it is computed from all judgments.
FRESH = timedelta(minutes=1)

ByTask = Mapping[str, Mapping[str, InterimScore]]
# What the first of two gets for an outcome; for a tie, half.
_FIRST = {"a": 1.0, "b": 0.0}


class Standings:
    """The systems' means and deviations in tasks with a policy that looks at them."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._kept: dict[str, tuple[datetime, ByTask]] = {}
        self._busy = Lock()

    def of(self, blueprint: Blueprint) -> ByTask:
        """Standings by task; empty where no policy asks for them."""
        tasks = {t.name for t in blueprint.plan.tasks if POLICIES[t.policy].uses_scores}
        if not tasks:
            return {}
        campaign, now = blueprint.plan.name, self._clock()
        kept = self._kept.get(campaign)
        # one computes; the others go on with what there was
        if (kept is None or now - kept[0] > FRESH) and self._busy.acquire(blocking=False):
            try:
                kept = now, self._computed(blueprint, tasks)
                self._kept[campaign] = kept
            finally:
                self._busy.release()
        return kept[1] if kept else {}

    def _computed(self, blueprint: Blueprint, tasks: set[str]) -> ByTask:
        scores: defaultdict[str, defaultdict[str, list[float]]]
        scores = defaultdict(lambda: defaultdict(list))
        for one in self._store.decisions(blueprint.plan.name):
            counts = one.phase == "evaluation" and one.status == "valid" and not one.item.control
            if counts and one.task in tasks:
                for system, score in _scores(one, blueprint.protocols[one.task]):
                    scores[one.task][system].append(score)
        return {
            task: {system: _standing(values) for system, values in systems.items()}
            for task, systems in scores.items()
        }


def _scores(one: StoredDecision, protocol: Protocol) -> Iterator[tuple[str, float]]:
    """What a decision says of each system on the screen, higher is better."""
    shown = one.item.translations
    if len(shown) == 1:
        score = protocol.score_of(one.answers, one.item)
        if score is not None:
            yield shown[0].system, score
        return
    for row in protocol.rows(one.answers, one.item):
        if row.table == "preferences":
            first = _FIRST.get(str(row.values["outcome"]), 0.5)
            yield str(row.values["system_a"]), first
            yield str(row.values["system_b"]), 1 - first
        elif row.table == "rankings":
            yield str(row.values["system"]), -float(str(row.values["rank"]))


def _standing(values: list[float]) -> InterimScore:
    spread = stdev(values) if len(values) > 1 else 0.0
    return InterimScore(mean=fmean(values), n=len(values), sd=spread)
