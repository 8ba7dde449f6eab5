"""The options of `jurat suggestions`."""

from __future__ import annotations

import polars as pl

from jurat.stats.settings import Settings


class SuggestionSettings(Settings, frozen=True, kw_only=True):
    """What is analysed beside judgments and marked errors."""

    table: pl.DataFrame | None = None
    """A row for each error that was suggested to a judge, as a campaign exports them."""
