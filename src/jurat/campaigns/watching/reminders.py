"""Who needs a reminder, and what it says, in the language of the campaign."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from jurat.campaigns.declared import CampaignPlan, Contact
from jurat.campaigns.watching.progress import Judge
from jurat.speaking import DEFAULT, Language, spoken_in
from jurat.store import AuditEntry

AFTER = timedelta(days=2)
"""Who was not seen for so long is reminded, and not again before it has gone by once more."""
REMINDED = "remind"
"""The action under which reminders stand in the audit log."""


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """A text for one judge; without an address it can be copied."""

    pin: str
    address: str
    subject: str
    body: str


class Reminder(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who is waited for, with a letter that says so."""

    judge: Judge
    letter: Letter
    last: datetime | None
    """When he was last reminded."""


def last(log: Iterable[AuditEntry]) -> dict[str, datetime]:
    """By PIN, when a judge was last reminded."""
    found: dict[str, datetime] = {}
    for entry in log:
        details = entry.details if isinstance(entry.details, dict) else {}
        found |= dict.fromkeys(details.get("pins", ()), entry.at)
    return found


def needed(
    judges: Sequence[Judge], last: Mapping[str, datetime], *, after: timedelta, now: datetime
) -> list[Judge]:
    """Who has something to do and was neither seen nor reminded for so long, longest first."""

    def quiet_since(judge: Judge) -> datetime:
        moments = [judge.last_seen or judge.account.created, last.get(judge.account.pin)]
        return max(filter(None, moments))

    waited_for = [one for one in judges if one.waited_for and now - quiet_since(one) >= after]
    return sorted(waited_for, key=lambda one: (quiet_since(one), one.account.pin))


def written(
    judge: Judge,
    last: Mapping[str, datetime],
    plan: CampaignPlan,
    *,
    link: str,
    language: str = "",
) -> Reminder:
    """A judge's reminder; in English where there is no such language."""
    known = spoken_in("jurat.campaigns.watching.letters")
    spoken = known.get(language or plan.language, known[DEFAULT])
    title = plan.title or plan.name
    letter = Letter(
        pin=judge.account.pin,
        address=judge.account.address,
        subject=spoken.say("subject", title=title),
        body="\n".join(_lines(judge, title, plan.contact, link, spoken)),
    )
    return Reminder(judge=judge, letter=letter, last=last.get(judge.account.pin))


def _lines(
    judge: Judge, title: str, contact: Contact, link: str, spoken: Language
) -> Iterator[str]:
    yield spoken.say("hello", pin=judge.account.pin)
    yield ""
    yield spoken.say("waiting", title=title, count=judge.left)
    if judge.time_left:
        yield spoken.say("takes", time=spoken.minutes(judge.time_left))
    if judge.done:
        yield spoken.say("begun", count=judge.done)
    yield ""
    yield spoken.say("link")
    yield link
    yield ""
    asked = ", ".join(part for part in (contact.name, contact.address) if part)
    yield spoken.say("contact", contact=asked) if asked else spoken.say("no-contact")
    yield spoken.say("thanks")
