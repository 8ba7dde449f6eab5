"""Formats of metric scores alone, and collecting them in the long table of scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import polars as pl

from jurat.formats.file_format import FileFormat, ReadTables
from jurat.model import File
from jurat.tables.schema import FILE, LINE, SCORES, conform

_COLUMNS = ("system", "segment", "metric", "value", "document", "reference", FILE, LINE)


# The system, the metric, its value, and the segment; None for the whole system.
Score = tuple[str, str, float, str | None]


class ScoreFormat(FileFormat):
    """The base of formats that hold scores of metrics and nothing else."""

    def scores(self, file: File) -> Iterable[Score]:
        """The scores in a file; raises `InputError` for what is none."""
        raise NotImplementedError

    def read(self, files: Sequence[File]) -> ReadTables:
        rows = ScoreRows()
        for file in files:
            for system, metric, value, segment in self.scores(file):
                rows.add(
                    file.name, None, system=system, metric=metric, value=value, segment=segment
                )
        return ReadTables(tables=rows.tables())


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
