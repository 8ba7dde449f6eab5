"""Collects metric scores, in the long table of scores."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from jurat.tables.schema import FILE, LINE, SCORES, conform

_COLUMNS = ("system", "segment", "metric", "value", "document", "reference", FILE, LINE)


class ScoreRows:
    """Rows of the table of scores; a score without a segment is of the whole system."""

    def __init__(self) -> None:
        self._rows: list[tuple[object, ...]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(
        self,
        file: str,
        line: int | None,
        *,
        system: str,
        metric: str,
        value: float,
        segment: str | None = None,
        document: str | None = None,
        reference: str | None = None,
    ) -> None:
        """Add a score, which stands in a line of a file."""
        self._rows.append((system, segment, metric, value, document, reference, file, line))

    def tables(self) -> dict[str, pl.DataFrame]:
        """The table, without columns that no row has; none if there are no rows."""
        if not self._rows:
            return {}
        kinds: dict[str, pl.DataType | type[pl.DataType]] = dict.fromkeys(_COLUMNS, pl.String)
        schema = {**kinds, "value": pl.Float64, LINE: pl.Int64}
        frame = pl.DataFrame(self._rows, schema=schema, orient="row")
        told = [n for n in frame.columns if frame[n].null_count() < frame.height]
        return {SCORES.name: conform(frame.select(_needed(told)), SCORES)}


def _needed(told: Sequence[str]) -> list[str]:
    return list(dict.fromkeys((*SCORES.needed, *told)))
