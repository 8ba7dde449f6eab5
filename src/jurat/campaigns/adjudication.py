"""Adjudication: items on which judges disagree are judged again, as blindly, and settled."""

from __future__ import annotations

import hmac
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache

import msgspec

from jurat.campaigns.screens import Screen, item_screens
from jurat.campaigns.service_context import ServiceContext
from jurat.errors import input_error
from jurat.model import Item, Phase
from jurat.protocols import Protocol
from jurat.store import Adjudication, StoredDecision

# Task, phase, kit and index: one item of one kit.
Place = tuple[str, Phase, int, int]
# How long a comparison of all judgments is used while judging goes on, per item: the more items,
# the longer it takes, and that time is the judges'.
FRESH = timedelta(milliseconds=1)
# Hexadecimal digits of a case's key.
KEY_LENGTH = 32


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """An item with the answers it got, for coordinators, without who gave which."""

    task: str
    phase: Phase
    kit: int
    index: int
    item: Item
    answers: tuple[Mapping[str, object], ...]
    distance: float
    """The range of the scores; infinite where answers without scores differ."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A contest as an adjudicator sees it, who judges as blindly as the judges did."""

    key: str
    """Names the case in addresses and in `Adjudications.settle`; tells nothing about it."""
    task: str
    screens: tuple[Screen, ...]
    """One for each stage, in order, since earlier stages hide what later ones show."""
    answers: tuple[Mapping[str, object], ...]


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """A case that an adjudicator has settled, with the judges' answers."""

    case: Case
    answers: Mapping[str, object]
    """The adjudicator's."""


class _Snapshot(msgspec.Struct, frozen=True):
    """All items of a task that several judges judged, at one moment."""

    stamp: str
    at: datetime
    every: Mapping[Place, Contest]


class Adjudications:
    """The part of the service for adjudicators, and for the coordinators' view of their work."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._store = context.store
        self._secret = cache(context.store.secret)
        self._snapshots: dict[tuple[str, str], _Snapshot] = {}

    def all(self, campaign: str) -> list[Adjudication]:
        """Every decision of an adjudicator."""
        return list(self._store.adjudications(campaign))

    def contested(
        self, campaign: str, task: str, *, more_than: float | None = None
    ) -> list[Contest]:
        """The unsettled items whose scores lie more than `more_than` apart, the worst first.

        The default is the tolerance of the protocol. For coordinators.
        """
        limit = self._context.protocol(campaign, task).tolerance if more_than is None else more_than
        every = self._compared(campaign, task)
        return _open_contests(every, self._settled(campaign, task), more_than=limit)

    def cases(
        self, campaign: str, adjudicator: str, task: str, *, more_than: float | None = None
    ) -> list[Case]:
        """The contested items for an adjudicator: without systems' names and judges."""
        self._context.account(campaign, adjudicator, "adjudicator")
        protocol = self._context.protocol(campaign, task)
        found = self.contested(campaign, task, more_than=more_than)
        return [self._case(campaign, contest, protocol) for contest in found]

    def case(self, campaign: str, adjudicator: str, task: str, key: str) -> Case:
        """One case, settled or not, without the judges' answers; raises `InputError`."""
        self._context.account(campaign, adjudicator, "adjudicator")
        _, item = self._item(campaign, task, key)
        screens = item_screens(
            item, self._context.protocol(campaign, task), task=task, phase="evaluation"
        )
        # what an adjudicator sees before they have settled it: no answers
        return Case(key=key, task=task, screens=screens, answers=())

    def settled(self, campaign: str, adjudicator: str, task: str, key: str) -> Settled | None:
        """What was settled of a case, with the judges' answers; None if nothing yet."""
        self._context.account(campaign, adjudicator, "adjudicator")
        place, _ = self._item(campaign, task, key)
        own = [one for one in self._settled(campaign, task) if _place(one) == place]
        contest = self._compared(campaign, task).get(place)
        if not own or contest is None:
            return None
        case = self._case(campaign, contest, self._context.protocol(campaign, task))
        return Settled(case=case, answers=own[-1].answers)

    def check(
        self, campaign: str, task: str, key: str, answers: Mapping[str, object], *, stage: int
    ) -> Mapping[str, object]:
        """The answers to a stage as they would be stored, before the next stage is shown."""
        _, item = self._item(campaign, task, key)
        return self._context.protocol(campaign, task).check(answers, item, stage=stage)

    def settle(
        self,
        campaign: str,
        adjudicator: str,
        task: str,
        key: str,
        answers: Mapping[str, object],
        *,
        reason: str = "",
    ) -> int:
        """Settle a case; returns the adjudication's number. The judges' answers stay."""
        account = self._context.account(campaign, adjudicator, "adjudicator")
        protocol = self._context.protocol(campaign, task)
        (task, phase, kit, index), item = self._item(campaign, task, key)
        return self._store.adjudicate(
            campaign,
            task,
            phase,
            kit=kit,
            index=index,
            answers=protocol.check(answers, item),
            author=account.pin,
            reason=reason,
            now=self._context.now(),
        )

    def _item(self, campaign: str, task: str, key: str) -> tuple[Place, Item]:
        """The item of a case, and its place; raises `InputError`."""
        self._context.protocol(campaign, task)  # raises for an unknown task
        for kit in self._store.kits(campaign, task=task):
            for index, item in enumerate(kit.items):
                if self.case_key(campaign, item) == key:
                    return (kit.task, kit.phase, kit.number, index), item
        raise input_error("there is no such case", field="key", value=key)

    def case_key(self, campaign: str, item: Item) -> str:
        """The key of an item's case.

        An item's id is a hash of the seed, the kit and the position: whoever guesses the seed can
        tell them from it, and from them the system. So the key is made with the store's secret.
        """
        told = msgspec.json.encode(["case", campaign, item.id])
        return hmac.new(self._secret(), told, "sha256").hexdigest()[:KEY_LENGTH]

    def _case(self, campaign: str, contest: Contest, protocol: Protocol) -> Case:
        """A contest as an adjudicator sees it."""
        item, task = contest.item, contest.task
        return Case(
            key=self.case_key(campaign, item),
            task=task,
            screens=item_screens(item, protocol, task=task, phase=contest.phase),
            answers=contest.answers,
        )

    def _settled(self, campaign: str, task: str) -> list[Adjudication]:
        return [one for one in self._store.adjudications(campaign) if one.task == task]

    def _compared(self, campaign: str, task: str) -> Mapping[Place, Contest]:
        """All items that several judges judged; compared again when there are new judgments."""
        protocol, now = self._context.protocol(campaign, task), self._context.now()
        look = self._snapshots.get((campaign, task))
        if look is None or now - look.at >= FRESH * len(look.every):
            stamp = self._store.stamp(campaign)
            if look is None or look.stamp != stamp:
                decisions = (d for d in self._store.decisions(campaign) if d.task == task)
                look = _Snapshot(stamp, now, compare_answers(decisions, protocol))
                self._snapshots[campaign, task] = look
        return look.every


def _place(one: Adjudication) -> Place:
    return (one.task, one.phase, one.kit, one.index)


def compare_answers(
    decisions: Iterable[StoredDecision], protocol: Protocol
) -> dict[Place, Contest]:
    """Every item that two judges or more have judged, with how far apart they are."""
    found = ((place, _contest(place, group, protocol)) for place, group in _by_item(decisions))
    return {place: contest for place, contest in found if contest is not None}


def _open_contests(
    every: Mapping[Place, Contest], settled: Iterable[Adjudication], *, more_than: float
) -> list[Contest]:
    """Items not yet settled whose answers lie further apart than that, the worst first."""
    over = {(one.task, one.phase, one.kit, one.index) for one in settled}
    open_ = [c for place, c in every.items() if place not in over and c.distance > more_than]
    return sorted(open_, key=lambda contest: -contest.distance)


def _by_item(
    decisions: Iterable[StoredDecision],
) -> Iterable[tuple[Place, list[StoredDecision]]]:
    """The valid decisions on each item, without tutorials and control items."""
    items: defaultdict[Place, list[StoredDecision]] = defaultdict(list)
    for one in decisions:
        counts = one.status == "valid" and one.phase == "evaluation" and not one.skipped
        if counts and not one.item.control:
            items[one.task, one.phase, one.kit, one.index].append(one)
    return items.items()


def _contest(place: Place, group: list[StoredDecision], protocol: Protocol) -> Contest | None:
    """The answers to an item over all its stages; None where fewer than two judges gave any."""
    parts: defaultdict[str, list[StoredDecision]] = defaultdict(list)
    for one in group:
        parts[one.assignment].append(one)
    # a judge in the middle of an item may still see what changes their mind
    whole = [ones for ones in parts.values() if len(ones) == len(protocol.stages)]
    if len(whole) < 2:
        return None
    merged = [{name: a for one in ones for name, a in one.answers.items()} for ones in whole]
    # sorted, so that the order does not tell which judge answered first
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
    return float("inf") if any(one != said[0] for one in said) else 0.0
