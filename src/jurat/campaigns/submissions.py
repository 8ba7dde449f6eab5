"""What a judge sends, and when he decided it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec

from jurat.store import Turn

LONGEST = timedelta(days=1)
"""What a browser says of its own time is not believed beyond this."""
LONGEST_WAIT = timedelta(days=60)
"""How long a decision may lie on a device before it is sent."""
DELIVERY = 5.0
"""Seconds that sending may take before a decision counts as one that had to wait."""


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge sends: the decision's key, the answers, and how long he was really there."""

    assignment: str
    position: int
    answers: Mapping[str, object]
    active_seconds: float | None = None
    elapsed_seconds: float | None = None
    """From the showing to the decision, by the browser's steady clock."""
    waited_seconds: float | None = None
    """From the decision to the sending, where there was no connection."""
    language: str = ""


def times(sent: Submission, turn: Turn, now: datetime) -> dict[str, Any]:
    """When and how long, on the server's clock; what a browser says only fills gaps in it.

    A decision that waited for a connection was made before it came, though not before its step was
    shown. Where the server saw too little of it, the browser's own seconds count.
    """
    waited = plausible(sent.waited_seconds, LONGEST_WAIT)
    decided = now - timedelta(seconds=waited or 0.0)
    if turn.shown_at is not None:
        decided = min(now, max(decided, turn.shown_at))
    seconds = _unseen(sent, turn, decided)
    most = seconds if seconds is not None else _seen(turn, decided)
    return {
        "decided_at": decided,
        "seconds": seconds,
        "active_seconds": _within(sent.active_seconds, most),
    }


def _unseen(sent: Submission, turn: Turn, decided: datetime) -> float | None:
    """The browser's seconds, where the server cannot know better.

    So it is with a step that it never showed, and with one of several that came together after a
    time without connection, if the device's clock does not tell when they were made.
    """
    elapsed, seen = plausible(sent.elapsed_seconds), _seen(turn, decided)
    if seen is None or elapsed is None:
        return elapsed
    queued = sent.waited_seconds is not None and not 0 <= sent.waited_seconds < DELIVERY
    return elapsed if queued and elapsed > seen else None


def _seen(turn: Turn, decided: datetime) -> float | None:
    return None if turn.shown_at is None else (decided - turn.shown_at).total_seconds()


def _within(active: float | None, most: float | None) -> float | None:
    """Active time that is no longer than the step was shown; a little more is the network's."""
    sensible = plausible(active)
    if sensible is None or most is None:
        return sensible
    return min(sensible, most) if sensible <= most + DELIVERY else None


def plausible(seconds: float | None, longest: timedelta = LONGEST) -> float | None:
    """What a browser says of its own time, unless it is nonsense."""
    sensible = seconds is not None and 0 <= seconds < longest.total_seconds()
    return seconds if sensible else None
