"""Webhooks: a request to an address of the coordinator's when a campaign is finished or stuck.

The audit log is the list of deliveries: every attempt is an entry, from which follows what is due.
Nothing is sent twice, also where several servers share a store.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Literal

import msgspec

from jurat.campaigns.monitoring.on_track import on_track
from jurat.campaigns.monitoring.status import CampaignStatus, Monitoring
from jurat.campaigns.service_context import ServiceContext
from jurat.store import AuditEntry, NoSuchCampaign

Event = Literal["finished", "stuck", "resumed"]
# The action under which the audit log has attempts.
ACTION = "webhook"
AUTHOR = "webhook"
# After a failure the next attempt waits a minute, then twice as long each time, up to half a day.
FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=12)
# Attempts after which an event is given up: about two days.
MOST_ATTEMPTS = 12
# For this long no other server takes up the same event.
CLAIM = timedelta(minutes=2)
SIGNATURE = "X-Jurat-Signature"

# Sends a body to an address with headers; returns the status, and raises `OSError` or `ValueError`.
Send = Callable[[str, bytes, Mapping[str, str]], int]


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """The body of a webhook."""

    event: Event
    campaign: str
    title: str
    at: datetime
    done: int
    wanted: int
    reason: str
    """What the overview says, as a code: `done`, `no-judges`, `too-few-judges` and others."""


class Webhooks:
    """The part of the service that tells other programs how campaigns are going."""

    def __init__(self, context: ServiceContext, monitoring: Monitoring) -> None:
        self._context = context
        self._store = context.store
        self._monitoring = monitoring

    def key(self, campaign: str) -> str:
        """The key with which a campaign's webhooks are signed."""
        name = f"webhook {campaign}".encode()
        return hmac.new(self._store.secret(), name, hashlib.sha256).hexdigest()

    def sign(self, campaign: str, body: bytes) -> str:
        """The signature of a body: `sha256=` and the HMAC of it in hexadecimal digits."""
        made = hmac.new(self.key(campaign).encode(), body, hashlib.sha256)
        return f"sha256={made.hexdigest()}"

    def deliver(self, send: Send) -> list[Notice]:
        """Send what is due now; what was sent successfully. Failures are tried again later."""
        return [notice for notice, url in list(self._due()) if self._attempt(notice, url, send)]

    def deliveries(self, campaign: str) -> list[AuditEntry]:
        """All attempts, the latest first."""
        return list(reversed(self._store.logged(campaign, ACTION)))

    def _due(self) -> Iterator[tuple[Notice, str]]:
        for campaign in self._store.campaigns():
            try:
                plan = self._context.plan(campaign.name)
                if plan.webhook and (event := self._event(campaign.name)):
                    yield event, plan.webhook
            except NoSuchCampaign:  # deleted meanwhile
                continue

    def _event(self, campaign: str) -> Notice | None:
        """What is to be said about a campaign now; None where that has been said."""
        plan, status = self._context.plan(campaign), self._monitoring.status(campaign)
        track = on_track(status, plan.last_day)
        entries, now = self.deliveries(campaign), self._context.now()
        event = _current(status, track.level, _last_sent(entries))
        if event is None or not _is_time(event, entries, now):
            return None
        return Notice(
            event=event,
            campaign=campaign,
            title=plan.title,
            at=now,
            done=status.done,
            wanted=status.wanted,
            reason=track.code,
        )

    def _attempt(self, notice: Notice, url: str, send: Send) -> bool:
        now = self._context.now()
        claimed = f"webhook {notice.campaign} {notice.event}"
        if not self._store.claim(claimed, until=now + CLAIM, now=now):
            return False
        body = msgspec.json.encode(notice)
        headers = {
            "Content-Type": "application/json",
            SIGNATURE: self.sign(notice.campaign, body),
        }
        try:
            status, failure = send(url, body, headers), ""
        except (OSError, ValueError) as error:
            status, failure = 0, str(error)
        delivered = 200 <= status < 300
        details = {
            "event": notice.event,
            "url": url,
            "status": status,
            "delivered": delivered,
            **({"failure": failure} if failure else {}),
        }
        self._store.log(notice.campaign, ACTION, author=AUTHOR, now=now, details=details)
        return delivered


def _current(status: CampaignStatus, level: str, last: str) -> Event | None:
    """The event that the status stands for, if the last one that was sent was another."""
    if status.wanted and status.done >= status.wanted:
        return None if last == "finished" else "finished"
    if level == "problem":
        return None if last == "stuck" else "stuck"
    # said once, so that a campaign that is stuck again is news again
    return "resumed" if last == "stuck" else None


def _last_sent(entries: Sequence[AuditEntry]) -> str:
    """The last event that was delivered, or given up."""
    for n, entry in enumerate(entries):
        event = str(_said(entry)["event"])
        if _said(entry)["delivered"] or _failures(entries[n:], event) >= MOST_ATTEMPTS:
            return event
    return ""


def _is_time(event: str, entries: Sequence[AuditEntry], now: datetime) -> bool:
    """Whether an event may be tried now, after the failures so far."""
    failures = _failures(entries, event)
    if not failures:
        return True
    wait: timedelta = min(FIRST_WAIT * 2 ** (failures - 1), LONGEST_WAIT)
    # the absolute value: a clock that was put back must not put it off for ever
    return abs(now - entries[0].at) >= wait


def _failures(entries: Sequence[AuditEntry], event: str) -> int:
    """The attempts of an event that failed since anything else was tried, the latest first."""
    same = takewhile(lambda one: _said(one)["event"] == event, entries)
    return sum(1 for _ in takewhile(lambda one: not _said(one)["delivered"], same))


def _said(entry: AuditEntry) -> Mapping[str, object]:
    return entry.details if isinstance(entry.details, dict) else {"event": "", "delivered": False}
