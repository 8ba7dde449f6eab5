"""Judgments as they come: the rows of the decisions after a number, for scripts that follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from threading import Event
from typing import NamedTuple

from jurat.campaigns.answer_rows import rows
from jurat.protocols import Protocol
from jurat.store import Store, StoredDecision

# Seconds between attempts: decisions take milliseconds, an archive that is restored much longer.
PAUSES = (0.0, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32)
# What every row says of its decision.
COLUMNS = (
    "number",
    "task",
    "phase",
    "judge",
    "kit",
    "revision",
    "shown_at",
    "decided_at",
    "seconds",
    "active_seconds",
    "played_seconds",
    "status",
    "language",
    "probability",
    "group",
    "site",
    "reason",
)


class Feed(NamedTuple):
    """Rows of new decisions, and the number of the last one."""

    rows: list[dict[str, object]]
    cursor: int


def feed(
    store: Store,
    campaign: str,
    protocols: Mapping[str, Protocol],
    *,
    after: int,
    most: int,
) -> Feed:
    """The rows of up to `most` decisions after the one with the number `after`.

    On PostgreSQL a decision with a lower number may be stored later than one with a higher: those
    under way are waited for, and where that takes long, nothing is told until they have ended.
    """
    found = _settled(store, campaign, after, most) or []
    told = [row for one in found for row in _rows(campaign, one, protocols[one.task])]
    return Feed(told, found[-1].number if found else after)


def _settled(store: Store, campaign: str, after: int, most: int) -> list[StoredDecision] | None:
    limit = store.feed_limit(campaign)
    for pause in PAUSES:
        Event().wait(pause)
        found = store.certain_decisions(campaign, after=after, limit=limit, most=most)
        if found is not None:
            return found
    return None


def _rows(campaign: str, one: StoredDecision, protocol: Protocol) -> Iterator[dict[str, object]]:
    own = {name: getattr(one, name) for name in COLUMNS}
    for table, values in rows(protocol, one.answers, one.item).items():
        for value in values:
            yield {"table": table, "campaign": campaign, **value, **own, "step": one.position}
