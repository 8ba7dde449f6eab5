"""Whether a campaign is on track, in one code with its numbers; pages say it in words."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

import msgspec

from jurat.campaigns.monitoring.attention import IDLE_AFTER
from jurat.campaigns.monitoring.status import CampaignStatus

Level = Literal["good", "warning", "problem"]


class OnTrack(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to the question whether a campaign is on track."""

    code: str
    """Identifies the text in `locales/`."""
    level: Level
    when: datetime | None = None
    """When judging is expected to be complete."""
    days: int = 0
    """Days between then and the deadline."""


def on_track(status: CampaignStatus, deadline: date | None) -> OnTrack:
    """Whether the campaign will be complete in time, or what keeps it from that.

    A campaign with kits that no judge can do is never on track, whatever its pace; it is a
    problem once no judge has anything left to do. With kits that nobody is required to do, it
    depends on judges who go on.
    """
    states = [phase.state for phase in status.phases if phase.phase == "evaluation"]
    active = any(one.account.active for one in status.judges)
    if states and all(state == "closed" for state in states):
        return OnTrack(code="closed", level="good")
    if not status.forecast.left:
        return OnTrack(code="done", level="good")
    if not active:
        begun = "started" in states
        return OnTrack(code="no-judges" if begun else "needs-judges", level="problem")
    # a task that is running, but complete, changes nothing
    unfinished = {
        phase.state
        for phase in status.phases
        if phase.phase == "evaluation" and phase.decisions < phase.wanted_decisions
    }
    if unfinished.isdisjoint(("started", "ready")) or "started" not in states:
        stopped = "stopped" in states
        return OnTrack(code="stopped" if stopped else "not-started", level="warning")
    if not status.forecast.when:
        return _without_forecast(status)
    return _by_forecast(status, deadline, status.forecast.when)


def _without_forecast(status: CampaignStatus) -> OnTrack:
    # before the first judgment there is nothing to be late with
    if status.last is None:
        return OnTrack(code="no-judgments", level="warning")
    # tutorials alone have no pace, but show that somebody is at work
    if not status.done and status.now - status.last < IDLE_AFTER:
        return OnTrack(code="none-counts", level="warning")
    return OnTrack(code="quiet", level="problem")


def _by_forecast(status: CampaignStatus, deadline: date | None, when: datetime) -> OnTrack:
    days = (deadline - when.date()).days if deadline else 0
    if days < 0:
        return OnTrack(code="late", level="problem", when=when, days=-days)
    if status.shortages:
        # a pace says nothing about kits that no judge can do
        busy = any(judge.has_work for judge in status.judges)
        return OnTrack(code="lacks-judges", level="warning" if busy else "problem")
    if any(remark.code == "unasked" for remark in status.remarks):
        return OnTrack(code="unasked", level="warning", when=when)
    return OnTrack(code="in-time" if deadline else "ends", level="good", when=when, days=days)
