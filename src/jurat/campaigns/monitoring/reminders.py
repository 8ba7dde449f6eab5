"""Who needs a reminder, and its text in the campaign's language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from jurat.campaigns.config import CampaignPlan, Contact
from jurat.campaigns.monitoring.progress import JudgeProgress
from jurat.i18n import DEFAULT, Language, languages
from jurat.store import AuditEntry

# Who was not seen for so long is reminded, and not again before it has gone by once more.
AFTER = timedelta(days=2)
# The action under which reminders stand in the audit log.
ACTION = "remind"


class Email(msgspec.Struct, frozen=True, kw_only=True):
    """An email to one judge; without an address its text can be copied."""

    pin: str
    address: str
    subject: str
    body: str


class Reminder(msgspec.Struct, frozen=True, kw_only=True):
    """A judge who needs a reminder, and the email."""

    judge: JudgeProgress
    email: Email
    last: datetime | None
    """When they were last reminded."""


def last_reminded(log: Iterable[AuditEntry]) -> dict[str, datetime]:
    """When each judge was last reminded, by PIN, from entries of the audit log."""
    found: dict[str, datetime] = {}
    for entry in log:
        details = entry.details if isinstance(entry.details, dict) else {}
        # the log is in order of time, so the last entry of a judge stays
        found |= dict.fromkeys(details.get("pins", ()), entry.at)
    return found


def judges_to_remind(
    judges: Sequence[JudgeProgress],
    last: Mapping[str, datetime],
    *,
    after: timedelta,
    now: datetime,
) -> list[JudgeProgress]:
    """Judges with work who were neither seen nor reminded for `after`, longest first."""

    def quiet_since(judge: JudgeProgress) -> datetime:
        # A reminder starts the waiting time again.
        moments = [judge.last_seen or judge.account.created, last.get(judge.account.pin)]
        return max(filter(None, moments))

    has_work = [one for one in judges if one.has_work and now - quiet_since(one) >= after]
    return sorted(has_work, key=lambda one: (quiet_since(one), one.account.pin))


def write_reminder(
    judge: JudgeProgress,
    last: Mapping[str, datetime],
    plan: CampaignPlan,
    *,
    link: str,
    language: str = "",
) -> Reminder:
    """A judge's reminder; in English where there is no such language."""
    # The judge's own choice of language is only in their browser.
    known = languages("reminders")
    spoken = known.get(language or plan.language, known[DEFAULT])
    title = plan.title or plan.name
    email = Email(
        pin=judge.account.pin,
        address=judge.account.address,
        subject=spoken.say("subject", title=title),
        body="\n".join(_lines(judge, title, plan.contact, link, spoken)),
    )
    return Reminder(judge=judge, email=email, last=last.get(judge.account.pin))


def _lines(
    judge: JudgeProgress, title: str, contact: Contact, link: str, spoken: Language
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
