"""What the process beside the server keeps: long tables that follow their campaigns."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from jurat.campaigns.founding import Blueprint
from jurat.campaigns.running import Running
from jurat.campaigns.watching.filters import Filter, Left, left_of
from jurat.campaigns.watching.parts import AsOf
from jurat.store import Store

if TYPE_CHECKING:
    import polars as pl

    from jurat.campaigns.exporting import Ledger

MOST = 3
"""Campaigns whose tables are kept; what was asked for longest ago makes room."""
BOTH = 2
"""Filters of which it is kept what was computed: before and after."""


class Tables(msgspec.Struct, frozen=True, kw_only=True):
    """A campaign's long tables, and when that was."""

    as_of: AsOf
    named: Mapping[str, pl.DataFrame]


class Room(Running):
    """Campaigns as the process beside knows them."""

    def __init__(self, address: str) -> None:
        super().__init__(Store.open(address, create=False))
        self._ledgers: OrderedDict[str, Ledger] = OrderedDict()
        self._tables: dict[str, Tables] = {}
        self._left: OrderedDict[tuple[str, Filter], tuple[str, Left]] = OrderedDict()

    def blueprint(self, campaign: str) -> Blueprint:
        """What a campaign was made from."""
        return self._blueprint(campaign)

    def tables(self, campaign: str) -> Tables:
        """The long tables as they are now; only what is new is read."""
        # asked before reading: what comes in between is computed once more, and never missed
        stamp = self.store.stamp(campaign)
        known = self._tables.get(campaign)
        if known is None or known.as_of.stamp != stamp:
            self._tables[campaign] = self._followed(campaign, stamp)
        return self._tables[campaign]

    def left(self, campaign: str, chosen: Filter) -> Left:
        """What a filter leaves; whatever was computed from it is at hand for the next question."""
        tables, key = self.tables(campaign), (campaign, chosen)
        stamp = tables.as_of.stamp
        # what is old makes room before something new is made
        for known, (made, _) in list(self._left.items()):
            if known[0] == campaign and made != stamp:
                del self._left[known]
        if key not in self._left:
            self._left[key] = stamp, left_of(tables.named, chosen)
        self._left.move_to_end(key)
        if len(self._left) > BOTH:
            self._left.popitem(last=False)
        return self._left[key][1]

    def _followed(self, campaign: str, stamp: str) -> Tables:
        from jurat.campaigns.exporting import Ledger

        if campaign not in self._ledgers:
            protocols = self.blueprint(campaign).protocols
            self._ledgers[campaign] = Ledger(self.store, campaign, protocols)
        self._ledgers.move_to_end(campaign)
        if len(self._ledgers) > MOST:
            oldest, _ = self._ledgers.popitem(last=False)
            self._tables.pop(oldest, None)
        ledger = self._ledgers[campaign]
        tables = ledger.tables()
        as_of = AsOf(stamp=stamp, judgments=ledger.decisions, last=ledger.last)
        return Tables(as_of=as_of, named=tables)
