"""What adjudicators do: judge again, blindly, where judges differ."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec

from jurat.campaigns import contested_items
from jurat.campaigns.contested_items import Case, Contest, Place
from jurat.campaigns.context import Clock, Running, utc_now
from jurat.model import Item
from jurat.store import Adjudication, Store

# How long a look at all judgments is good while judging goes on, for every item: of many it takes
# its time, which is the judges'.
FRESH = timedelta(milliseconds=1)


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """A case that an adjudicator has settled, beside what the judges had said."""

    case: Case
    answers: Mapping[str, object]
    """His own."""


class _Look(msgspec.Struct, frozen=True):
    """All items of a task that several judges judged, as they were at some moment."""

    stamp: str
    at: datetime
    every: Mapping[Place, Contest]


class Adjudicating(Running):
    """The adjudicators' side of the service, and the coordinators' view of it."""

    def __init__(self, store: Store, *, clock: Clock = utc_now) -> None:
        super().__init__(store, clock=clock)
        self._looks: dict[tuple[str, str], _Look] = {}

    def contested(
        self, campaign: str, task: str, *, more_than: float | None = None
    ) -> list[Contest]:
        """For coordinators: the items whose judgments differ by more than so much.

        Where nothing is said, by more than the protocol tolerates.
        """
        limit = self.protocol(campaign, task).tolerance if more_than is None else more_than
        every = self._compared(campaign, task)
        return contested_items.contested(every, self._settled(campaign, task), more_than=limit)

    def cases(
        self, campaign: str, adjudicator: str, task: str, *, more_than: float | None = None
    ) -> list[Case]:
        """For an adjudicator: the same without systems' names, and without who said what."""
        self._admitted(campaign, adjudicator, "adjudicator")
        protocol = self.protocol(campaign, task)
        found = self.contested(campaign, task, more_than=more_than)
        return [contested_items.case(contest, protocol) for contest in found]

    def case(self, campaign: str, adjudicator: str, task: str, key: str) -> Case:
        """One case, settled or not, without what the judges said of it."""
        self._admitted(campaign, adjudicator, "adjudicator")
        (_, item), protocol = self._item(campaign, task, key), self.protocol(campaign, task)
        return contested_items.unjudged(item, protocol, task=task)

    def settled(self, campaign: str, adjudicator: str, task: str, key: str) -> Settled | None:
        """What was settled of a case, beside what the judges had said; None if nothing yet."""
        self._admitted(campaign, adjudicator, "adjudicator")
        place, _ = self._item(campaign, task, key)
        own = [one for one in self._settled(campaign, task) if _place(one) == place]
        contest = self._compared(campaign, task).get(place)
        if not own or contest is None:
            return None
        case = contested_items.case(contest, self.protocol(campaign, task))
        return Settled(case=case, answers=own[-1].answers)

    def check_case(
        self, campaign: str, task: str, key: str, answers: Mapping[str, object], *, stage: int
    ) -> Mapping[str, object]:
        """The answers to a stage as they would be kept, before the next stage is shown."""
        _, item = self._item(campaign, task, key)
        return self.protocol(campaign, task).check(answers, item, stage=stage)

    def adjudicate(
        self,
        campaign: str,
        adjudicator: str,
        task: str,
        key: str,
        answers: Mapping[str, object],
        *,
        reason: str = "",
    ) -> int:
        """Settle a case; the judges' own answers stay beside it."""
        account = self._admitted(campaign, adjudicator, "adjudicator")
        protocol = self.protocol(campaign, task)
        (task, phase, kit, index), item = self._item(campaign, task, key)
        return self.store.adjudicate(
            campaign,
            task,
            phase,
            kit=kit,
            index=index,
            answers=protocol.check(answers, item),
            author=account.pin,
            reason=reason,
            now=self._clock(),
        )

    def _item(self, campaign: str, task: str, key: str) -> tuple[Place, Item]:
        self.protocol(campaign, task)  # which refuses a task that there is not
        return contested_items.found(self.store.kits(campaign, task=task), key)

    def _settled(self, campaign: str, task: str) -> list[Adjudication]:
        return [one for one in self.store.adjudications(campaign) if one.task == task]

    def _compared(self, campaign: str, task: str) -> Mapping[Place, Contest]:
        """All that several judges judged; looked at again when that is old and not the same."""
        protocol, now = self.protocol(campaign, task), self._clock()
        look = self._looks.get((campaign, task))
        if look is None or now - look.at >= FRESH * len(look.every):
            stamp = self.store.stamp(campaign)
            if look is None or look.stamp != stamp:
                decisions = (d for d in self.store.decisions(campaign) if d.task == task)
                look = _Look(stamp, now, contested_items.compared(decisions, protocol))
                self._looks[campaign, task] = look
        return look.every


def _place(one: Adjudication) -> Place:
    return (one.task, one.phase, one.kit, one.index)
