"""Adjudication: items on which judges disagree are judged again, as blindly, and settled."""

from __future__ import annotations

import hmac
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Lock
from typing import Generic, TypeVar, overload

import msgspec

from jurat.campaigns.disagreements import PHASE, Disagreements, Place
from jurat.campaigns.screens import Screen, item_screens
from jurat.campaigns.service_context import ServiceContext
from jurat.errors import InputError, input_error
from jurat.model import Item, Phase
from jurat.protocols import Protocol
from jurat.store import Adjudication

# Bytes of the two halves of a case's key: a signature and the place, made unreadable.
SIGNATURE, PLACE = 10, 6
INDEX = 2
"""Of those of the place, bytes of the item's index; the rest are the kit's number."""
# Campaigns whose comparisons stay in memory, some forty megabytes for a million decisions.
MOST_CAMPAIGNS = 4

Made = TypeVar("Made")


class Lazy(Sequence[Made], Generic[Made]):
    """One thing for each place, made when it is asked for: pages show a hundred of thousands."""

    def __init__(self, places: Sequence[Place], make: Callable[[Place], Made]) -> None:
        self._places = places
        self._make = make

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, at: int) -> Made: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Made]: ...
    def __getitem__(self, at: int | slice) -> Made | Sequence[Made]:
        if isinstance(at, slice):
            return [self._make(place) for place in self._places[at]]
        return self._make(self._places[at])


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


class Adjudications:
    """The part of the service for adjudicators, and for the coordinators' view of their work."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._store = context.store
        self._secret = cache(context.store.secret)
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="comparing")
        self._lock = Lock()
        self._compared: OrderedDict[str, Disagreements] = OrderedDict()

    def close(self) -> None:
        """End the comparisons that are under way."""
        with self._lock:
            for found in self._compared.values():
                found.close()
        self._threads.shutdown(cancel_futures=True)

    def all(self, campaign: str) -> list[Adjudication]:
        """Every decision of an adjudicator."""
        return list(self._store.adjudications(campaign))

    def is_ready(self, campaign: str, *, timeout: float) -> bool:
        """Whether all judgments have been compared, which is waited for so many seconds.

        It goes on meanwhile: with a million judgments it takes a quarter of a minute the first
        time, and nearly nothing later.
        """
        comparing = self._threads.submit(self._updated, campaign)
        try:
            comparing.result(timeout)
        except TimeoutError:
            return False
        return True

    def contested(
        self, campaign: str, task: str, *, more_than: float | None = None
    ) -> Sequence[Contest]:
        """The unsettled items whose scores lie more than `more_than` apart, the worst first.

        The default is the tolerance of the protocol. For coordinators.
        """
        found = self._updated(campaign)
        places = self._open(found, campaign, task, more_than)
        return Lazy(places, lambda place: _contest(found, place))

    def cases(
        self, campaign: str, adjudicator: str, task: str, *, more_than: float | None = None
    ) -> Sequence[Case]:
        """The contested items for an adjudicator: without systems' names and judges."""
        self._context.account(campaign, adjudicator, "adjudicator")
        protocol = self._context.protocol(campaign, task)
        found = self._updated(campaign)
        places = self._open(found, campaign, task, more_than)
        return Lazy(places, lambda place: self._case(campaign, _contest(found, place), protocol))

    def case(self, campaign: str, adjudicator: str, task: str, key: str) -> Case:
        """One case, settled or not, without the judges' answers; raises `InputError`."""
        self._context.account(campaign, adjudicator, "adjudicator")
        _, item = self._item(campaign, task, key)
        screens = item_screens(item, self._context.protocol(campaign, task), task=task, phase=PHASE)
        # what an adjudicator sees before they have settled it: no answers
        return Case(key=key, task=task, screens=screens, answers=())

    def settled(self, campaign: str, adjudicator: str, task: str, key: str) -> Settled | None:
        """What was settled of a case, with the judges' answers; None if nothing yet."""
        self._context.account(campaign, adjudicator, "adjudicator")
        place, _ = self._item(campaign, task, key)
        own = [one for one in self._settled(campaign, task) if _place(one) == place]
        contest = _contest(self._updated(campaign), place)
        if not own or not contest.answers:
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
        place, item = self._item(campaign, task, key)
        return self._store.adjudicate(
            campaign,
            task,
            PHASE,
            kit=place.kit,
            index=place.index,
            answers=protocol.check(answers, item),
            author=account.pin,
            reason=reason,
            now=self._context.now(),
        )

    def case_key(self, campaign: str, place: Place) -> str:
        """The key of an item's case: the place, readable with the store's secret alone.

        Kits belong to systems, and numbers in an address would tell which cases come from one kit.
        """
        plain = place.kit.to_bytes(PLACE - INDEX, "big") + place.index.to_bytes(INDEX, "big")
        signature = self._signed(campaign, place.task, plain)
        return (signature + self._masked(signature, plain)).hex()

    def _place_of(self, campaign: str, task: str, key: str) -> Place:
        """The place that a key names; raises `InputError`."""
        try:
            sent = bytes.fromhex(key)
        except ValueError:
            sent = b""
        signature, plain = sent[:SIGNATURE], self._masked(sent[:SIGNATURE], sent[SIGNATURE:])
        if not hmac.compare_digest(signature, self._signed(campaign, task, plain)):
            raise _no_case(key)
        kit, index = plain[: PLACE - INDEX], plain[PLACE - INDEX :]
        return Place(task, int.from_bytes(kit, "big"), int.from_bytes(index, "big"))

    def _signed(self, campaign: str, task: str, plain: bytes) -> bytes:
        told = msgspec.json.encode(["case", campaign, task, plain.hex()])
        return hmac.new(self._secret(), told, "sha256").digest()[:SIGNATURE]

    def _masked(self, signature: bytes, content: bytes) -> bytes:
        """The content made unreadable, or readable again."""
        mask = hmac.new(self._secret(), b"case" + signature, "sha256").digest()
        return bytes(a ^ b for a, b in zip(content, mask, strict=False))

    def _item(self, campaign: str, task: str, key: str) -> tuple[Place, Item]:
        """The item of a case, and its place; raises `InputError`."""
        self._context.protocol(campaign, task)  # raises for an unknown task
        place = self._place_of(campaign, task, key)
        item = self._updated(campaign).item(place)
        if item is None:
            raise _no_case(key)
        return place, item

    def _case(self, campaign: str, contest: Contest, protocol: Protocol) -> Case:
        """A contest as an adjudicator sees it."""
        place = Place(contest.task, contest.kit, contest.index)
        return Case(
            key=self.case_key(campaign, place),
            task=contest.task,
            screens=item_screens(contest.item, protocol, task=contest.task, phase=contest.phase),
            answers=contest.answers,
        )

    def _open(
        self, found: Disagreements, campaign: str, task: str, more_than: float | None
    ) -> list[Place]:
        """Where judges differ by more than that, and nothing is settled; the worst first."""
        limit = self._context.protocol(campaign, task).tolerance if more_than is None else more_than
        settled = {(one.kit, one.index) for one in self._settled(campaign, task)}
        return found.apart(task, more_than=limit, without=settled)

    def _settled(self, campaign: str, task: str) -> list[Adjudication]:
        return [one for one in self._store.adjudications(campaign) if one.task == task]

    def _updated(self, campaign: str) -> Disagreements:
        """The comparison of all judgments up to now."""
        found = self._comparison(campaign)
        found.update()
        return found

    def _comparison(self, campaign: str) -> Disagreements:
        protocols = self._context.definition(campaign).protocols
        with self._lock:
            found = self._compared.get(campaign)
            # other protocols: the campaign was deleted, and one of the same name was created
            if found is None or found.protocols is not protocols:
                found = self._compared[campaign] = Disagreements(self._store, campaign, protocols)
            self._compared.move_to_end(campaign)
            if len(self._compared) > MOST_CAMPAIGNS:
                self._compared.popitem(last=False)
        return found


def _place(one: Adjudication) -> Place:
    return Place(one.task, one.kit, one.index)


def _contest(found: Disagreements, place: Place) -> Contest:
    """What judges have answered at a place that is known to be one."""
    judged = found.judged(place)
    assert judged is not None
    return Contest(
        task=place.task,
        phase=PHASE,
        kit=place.kit,
        index=place.index,
        item=judged.item,
        answers=judged.answers,
        distance=judged.distance,
    )


def _no_case(key: str) -> InputError:
    return input_error("there is no such case", field="key", value=key)
