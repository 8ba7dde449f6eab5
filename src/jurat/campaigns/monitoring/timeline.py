"""The timeline of a campaign: how many judgments each judge has made day by day or hour by hour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from jurat.store import Account, Store

Per = Literal["day", "hour"]
WIDTHS: Mapping[Per, timedelta] = {"day": timedelta(days=1), "hour": timedelta(hours=1)}
# Columns on a page.
SPANS: Mapping[Per, int] = {"day": 28, "hour": 24}


class JudgeActivity(NamedTuple):
    """The judgments of one judge in each span."""

    account: Account
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        """In all spans together."""
        return sum(self.counts)


class Timeline(NamedTuple):
    """Judgments by span of time and judge."""

    per: Per
    starts: tuple[datetime, ...]
    """When each span begins, in UTC."""
    totals: tuple[int, ...]
    judges: tuple[JudgeActivity, ...]
    """All judges, also those who have judged nothing."""
    earlier: bool
    """Whether there are judgments before the first span."""


def timeline(
    store: Store, campaign: str, accounts: Sequence[Account], per: Per, page: int
) -> Timeline | None:
    """The spans up to the last judgment, or `page` - 1 pages before; None without judgments."""
    ends = store.first_and_last_decision(campaign)
    if ends is None:
        return None
    first, last = ends
    width, most = WIDTHS[per], SPANS[per]
    newest = _begin(last, per) - (page - 1) * most * width
    # not before the campaign: a short one has few columns
    spans = max(1, min(most, (newest - _begin(first, per)) // width + 1))
    since = newest - (spans - 1) * width
    found = store.activity(campaign, since=since, width=width, spans=spans)
    judges = tuple(
        JudgeActivity(one, tuple(found.get(one.pin, {}).get(n, 0) for n in range(spans)))
        for one in accounts
        if one.role == "judge"
    )
    totals = tuple(sum(one.counts[n] for one in judges) for n in range(spans))
    starts = tuple(since + n * width for n in range(spans))
    return Timeline(per, starts, totals, judges, earlier=first < since)


def _begin(moment: datetime, per: Per) -> datetime:
    """When the span of a moment begins."""
    hour = 0 if per == "day" else moment.hour
    return moment.replace(hour=hour, minute=0, second=0, microsecond=0)
