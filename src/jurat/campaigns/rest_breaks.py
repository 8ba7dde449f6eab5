"""Pauses: how many items a judge may do in a row and in a day, and when they may go on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from jurat.campaigns.config import Sitting
from jurat.campaigns.judge_tasks import Rest

DAY = timedelta(days=1)


def due_pause(recent: Sequence[datetime], limits: Sitting, now: datetime) -> Rest | None:
    """The pause that is due after decisions at these times; None where none is due."""
    today = [moment for moment in recent if now - moment < DAY]
    if limits.items_a_day is not None and len(today) >= limits.items_a_day:
        until = today[-limits.items_a_day] + DAY
        return Rest(kind="pause", code="day", until=until)
    break_ = timedelta(minutes=limits.pause_minutes)
    if limits.items is None or not recent or now - recent[-1] >= break_:
        return None
    if _sitting(recent, break_) < limits.items:
        return None
    until = recent[-1] + break_
    return Rest(kind="pause", code="break", until=until)


def is_due(recent: Sequence[datetime], limits: Sitting, decided: datetime) -> bool:
    """Whether a pause is due after one more decision."""
    return limits.limited and due_pause([*recent, decided], limits, decided) is not None


def before_pause(recent: Sequence[datetime], limits: Sitting, now: datetime, *, most: int) -> int:
    """How many decisions, at most `most`, can be made before the next pause."""
    for more in range(1, most + 1):
        if due_pause([*recent, *[now] * more], limits, now):
            return more - 1
    return most


def _sitting(recent: Sequence[datetime], break_: timedelta) -> int:
    """How many decisions were made since the last break."""
    count = 1
    # Backwards from the last decision, pair by pair.
    for earlier, later in zip(recent[-2::-1], recent[:0:-1], strict=True):
        if later - earlier >= break_:
            break
        count += 1
    return count
