"""The judgments behind the tables of systems, small enough to stand in a report."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
import polars as pl

from jurat.report.pseudonyms import Pseudonyms
from jurat.report.settings import ReportSettings
from jurat.results import Key
from jurat.stats import Evaluation
from jurat.stats.ratings import Array, Codes, Ratings, coded
from jurat.stats.settings import SystemSettings
from jurat.stats.systems.score_table import ScoreTable, rated_tables
from jurat.tables.schema import JUDGMENTS

# Judgments above which a report has no filter: its file would become too large for a mail.
MOST_ROWS = 200_000
# Values of a column that a reader can choose from; a column with more is no tag.
MOST_TAGS = 12
# Distinct values that are sent as a list and numbers of one or two bytes.
MOST_VALUES = 65_536


def live_data(
    evaluation: Evaluation, settings: ReportSettings, names: Pseudonyms
) -> Mapping[str, Any] | None:
    """What the page's script computes from; None where there is nothing that it could.

    A table is left out where its judgments have weights, or where what a sentence is depends on
    which judgments are kept.
    """
    chosen = SystemSettings.of(settings.of("systems"))
    found = [(r, t) for r, t in rated_tables(evaluation, chosen) if _is_plain(t)]
    if not found or not settings.bootstrap or sum(len(t.values) for _, t in found) > MOST_ROWS:
        return None
    tables = [_table(ratings, table, names) for ratings, table in found]
    return {"confidence": settings.confidence, "sign": chosen.sign, "tables": tables}


def split_key(by: Mapping[str, Key], tags: Mapping[str, Key]) -> str:
    """The question and split of a table, as the page names it."""
    both = sorted({**tags, **by}.items())
    return msgspec.json.encode([pair for pair in both if pair[0] != "system"]).decode()


def as_script(data: Mapping[str, Any]) -> str:
    """The data as JSON that can stand in a script element."""
    return msgspec.json.encode(data).decode().replace("<", "\\u003c")


def _is_plain(table: ScoreTable) -> bool:
    known = table.unit == "sentence" or (table.unit == "item" and not table.documents)
    return known and table.weights is None and len(table.systems) > 0


def _table(ratings: Ratings, table: ScoreTable, names: Pseudonyms) -> dict[str, Any]:
    frame = ratings.frame[table.rows]
    systems, system = _renamed(table.systems, table.system, names)
    judges, judge = [], None
    if table.judge is not None:
        judges, judge = _renamed(coded(frame["judge"])[1], table.judge, names)
    # neither names nor the order of rows may tell who has which pseudonym
    order = np.lexsort((system if judge is None else judge, system, table.sentence))
    return {
        "split": split_key(table.by, table.tags),
        "systems": systems,
        "system": _codes(system[order]),
        "judges": judges,
        "judge": None if judge is None else _codes(judge[order]),
        "documents": list(table.documents),
        "document": None if table.document is None else _codes(table.document[order]),
        "sentence": _codes(table.sentence[order]),
        "values": _values(table.values[order]),
        "tags": dict(_tags(frame[order])),
        "bySegment": table.by_segment,
    }


def _renamed(stand_ins: Sequence[str], codes: Codes, names: Pseudonyms) -> tuple[list[str], Codes]:
    """Names as the report shows them, in their own order, and the codes of the rows."""
    shown = [names.shown(str(name)) for name in stand_ins]
    places = sorted(range(len(shown)), key=shown.__getitem__)
    return [shown[at] for at in places], np.argsort(places)[codes]


def _tags(frame: pl.DataFrame) -> Iterator[tuple[str, dict[str, Any]]]:
    """Columns of the file's own with a few different words, such as genre or domain."""
    own = {column.name for column in JUDGMENTS.columns} | {"item", "status", "phase", "task"}
    for name in frame.columns:
        if name in own or frame[name].dtype != pl.String or frame[name].null_count():
            continue
        codes, values = coded(frame[name])
        if 1 < len(values) <= MOST_TAGS:
            yield name, {"names": list(values), "codes": _codes(codes)}


def _codes(codes: Iterable[int] | Array) -> dict[str, str]:
    """Whole numbers from 0, in as few bytes as hold the largest."""
    made = np.asarray(codes)
    kind = next(k for k in ("u1", "u2", "u4") if made.max(initial=0) <= np.iinfo(k).max)
    return _packed(made, kind)


def _values(values: Array) -> dict[str, Any]:
    """Numbers as they are, or as places in a list where there are few different ones."""
    known, places = np.unique(values, return_inverse=True)
    if len(known) > min(MOST_VALUES, len(values) // 2):
        return {"all": _packed(values, "f8")}
    return {"known": known.tolist(), "places": _codes(places)}


def _packed(numbers: Array | Sequence[int], kind: str) -> dict[str, str]:
    data = np.asarray(numbers).astype(f"<{kind}").tobytes()
    return {"kind": kind, "data": b64encode(data).decode()}
