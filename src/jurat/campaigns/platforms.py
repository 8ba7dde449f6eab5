"""Judges from crowd platforms: who they are, how many, attention checks, and the way back."""

from __future__ import annotations

import hashlib
import hmac
from base64 import b32encode
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal

from jurat.campaigns.auth import Closed
from jurat.campaigns.participation_config import Platform, PlatformReturn
from jurat.campaigns.service_context import NotOffered, ServiceContext
from jurat.errors import InputError, input_error
from jurat.protocols import Protocol
from jurat.protocols.questions import Question
from jurat.protocols.questions.scale import Scale
from jurat.protocols.questions.slider import Slider
from jurat.store import Account, AccountChange, NewJudge, PinTaken, StoredDecision

# The tag of accounts that came from a platform, and its values.
TAG, TAKING_PART, SCREENED_OUT = "platform", "yes", "screened-out"
# Characters of an identifier or another parameter that are noted.
LONGEST = 200
# Who takes back the kits of somebody who was screened out, in the audit log.
AUTHOR = "attention checks"

Outcome = Literal["completed", "screened-out", "full"]


class PlatformFull(InputError):
    """As many people take part as are wanted."""


class ScreenedOut(InputError):
    """The judge has failed too many attention checks."""


class Platforms:
    """The part of the service for people whom a platform sends."""

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._store = context.store

    def enter(self, campaign: str, parameters: Mapping[str, str]) -> Account:
        """The account of the person whom an address names; a new one where they are new.

        Whoever comes again goes on with what they have begun, and counts once. Raises
        `NotOffered`, `InputError` without an identifier, `PlatformFull`, and `Closed`.
        """
        platform = self._platform(campaign)
        identity = _parameter(parameters, platform.identity)
        if not identity:
            message = f"the address lacks the parameter {platform.identity}"
            raise input_error(message, field=platform.identity)
        pin = self._pin(campaign, identity)
        found = self._store.judge_by_pin(campaign, pin)
        if found is None:
            found = self._admit(campaign, platform, pin, parameters)
        if found.disabled:
            raise Closed
        return self._store.login_succeeded(campaign, found.id, now=self._context.now())

    def check(self, campaign: str, account: Account) -> None:
        """Raise `ScreenedOut` for somebody who has failed too many attention checks.

        The first time, their kits are given to others; what they decided is marked `excluded`.
        """
        platform = self._context.plan(campaign).platform
        if platform is None or TAG not in account.tags:
            return
        if account.tags[TAG] == SCREENED_OUT:
            raise _screened_out()
        if platform.attention is None:
            return
        decided = self._store.decisions_of_judge(campaign, account.id)
        protocols = self._context.definition(campaign).protocols
        failed = sum(fails(protocols[one.task], one) for one in decided)
        if failed < platform.attention:
            return
        now, told = self._context.now(), f"{failed} attention checks failed"
        self._store.give_back(
            campaign, account.id, author=AUTHOR, reason=told, finished=True, now=now
        )
        change = AccountChange(tags={**account.tags, TAG: SCREENED_OUT})
        self._store.change_judge(campaign, account.id, change, author=AUTHOR, now=now)
        raise _screened_out()

    def outcome(self, campaign: str, account: Account, *, finished: bool) -> Outcome | None:
        """What has become of somebody from a platform; None for others, and while they judge."""
        if TAG not in account.tags or self._context.plan(campaign).platform is None:
            return None
        if account.tags[TAG] == SCREENED_OUT:
            return "screened-out"
        return "completed" if finished else None

    def way_back(self, campaign: str, outcome: Outcome) -> PlatformReturn:
        """The code and address for an outcome."""
        platform = self._platform(campaign)
        ways: dict[Outcome, PlatformReturn] = {
            "completed": platform.completion,
            "screened-out": platform.screen_out,
            "full": platform.full,
        }
        return ways[outcome]

    def _platform(self, campaign: str) -> Platform:
        found = self._context.plan(campaign).platform
        if found is None:
            raise NotOffered(input_error("this campaign takes nobody from a platform").problems)
        return found

    def _admit(
        self, campaign: str, platform: Platform, pin: str, parameters: Mapping[str, str]
    ) -> Account:
        check = partial(_refuse_if_full, platform, pin)
        # also here, so that those who come too late write nothing
        check(self._store.judges(campaign))
        noted = [
            f"{name}={value}"
            for name in (platform.identity, *platform.keep)
            if (value := _parameter(parameters, name))
        ]
        new = NewJudge(pin=pin, tags={TAG: TAKING_PART}, note="; ".join(noted))
        try:
            (made,) = self._store.add_judges(
                campaign, [new], author="platform", now=self._context.now(), check=check
            )
        except PinTaken:
            # the same person, in another window at the same moment
            found = self._store.judge_by_pin(campaign, pin)
            assert found is not None
            return found
        return made

    def _pin(self, campaign: str, identity: str) -> str:
        """The PIN of a person: always the same, and nobody can tell the identifier from it."""
        words = f"{campaign}\0{identity}".encode(errors="surrogatepass")
        digest = hmac.new(self._store.secret(), words, hashlib.sha256).digest()
        return "p" + b32encode(digest)[:11].decode().lower()


def _refuse_if_full(platform: Platform, pin: str, there: Sequence[Account]) -> None:
    """Raise `PlatformFull` where as many take part as are wanted, and nobody has this PIN yet."""
    taking_part = sum(one.tags.get(TAG) == TAKING_PART for one in there)
    if taking_part >= platform.quota and all(one.pin != pin for one in there):
        message = "as many people take part as are wanted"
        raise PlatformFull(input_error(message).problems)


def fails(protocol: Protocol, decision: StoredDecision) -> bool:
    """Whether a decision fails an attention check.

    Of a gold item, an answer is further from the expected one than two judges may be apart; a
    degraded translation gets a score above the middle of the scale.
    """
    if decision.status != "valid" or decision.skipped:
        return False
    item, answers = decision.item, decision.answers
    if item.control == "gold":
        asked = protocol.questions
        return any(
            _differs(asked[name], answers[name], right, decision)
            for name, right in item.expected.items()
            if name in answers and name in asked
        )
    if item.control == "degraded":
        score, middle = protocol.score_of(answers, item), _middle(protocol)
        return score is not None and middle is not None and score > middle
    return False


def _differs(question: Question, given: object, right: object, decision: StoredDecision) -> bool:
    said, expected = question.number(given, decision.item), question.number(right, decision.item)
    if said is None or expected is None:
        return given != right
    return abs(said - expected) > question.tolerance


def _middle(protocol: Protocol) -> float | None:
    """The middle of the range of a protocol's scores; None where it is not known."""
    if protocol.score is None:
        return None
    if protocol.score.rule == "share":
        return 0.5
    middles = []
    for name in protocol.score.questions:
        question = protocol.questions[name]
        if isinstance(question, Scale):
            values = [point.value for point in question.points]
            middles.append((min(values) + max(values)) / 2)
        elif isinstance(question, Slider):
            middles.append((question.low + question.high) / 2)
        else:
            return None
    return sum(middles) / len(middles)


def _parameter(parameters: Mapping[str, str], name: str) -> str:
    value = parameters.get(name, "").strip()[:LONGEST]
    return value if value.isprintable() else ""


def _screened_out() -> ScreenedOut:
    message = "this account has failed too many attention checks"
    return ScreenedOut(input_error(message, code="screened-out").problems)
