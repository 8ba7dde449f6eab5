"""HEval's sentence scores, the answers behind them and those compared with them, for the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from jurat.report.heval_tables import with_compared
from jurat.report.live.packed import (
    Columns,
    packed_codes,
    packed_values,
    renamed,
    split_key,
)
from jurat.report.pseudonyms import Pseudonyms
from jurat.stats import Evaluation
from jurat.stats.heval.feature_answers import (
    HEVAL,
    FeatureAnswers,
    feature_answers,
    rated,
    score_table,
)
from jurat.stats.ratings import coded
from jurat.stats.settings import HEvalSettings, Settings

# Columns that are sent apart, and are no kinds of text.
OWN = ("place", "feature", "question")


def heval_tables(
    evaluation: Evaluation, settings: Settings, names: Pseudonyms
) -> Iterator[dict[str, Any]]:
    """A table of the sentence scores of each split, with the others as its parts."""
    chosen = with_compared(evaluation, settings)
    for part in feature_answers(evaluation, chosen):
        if part.scores.height and part.judged_by:
            yield _table(part, chosen, names)


def _table(part: FeatureAnswers, settings: HEvalSettings, names: Pseudonyms) -> dict[str, Any]:
    items = pl.concat([one["item"] for one in (part.scores, part.answers, part.others)]).unique()
    known = items.sort().to_list()
    parts = {"answers": part.answers, "compared": part.others}
    return {
        **_rows(part.scores, part, settings, names, known),
        "sections": ["heval"],
        "parts": {
            name: _rows(rows, part, settings, names, known)
            for name, rows in parts.items()
            if rows.height
        },
        "features": list(part.features),
        "top": settings.top,
    }


def _rows(
    given: pl.DataFrame,
    part: FeatureAnswers,
    settings: HEvalSettings,
    names: Pseudonyms,
    items: list[str],
) -> dict[str, Any]:
    """Rows as a table of the page has them, with what tells their sentences apart."""
    table = score_table(rated(given, part.tags), settings)
    frame = given[table.rows]
    # in ratings the item is the segment, whatever system translated it
    item = frame["item"].cast(pl.Enum(items)).to_physical().to_numpy()
    systems, system = renamed(table.systems, table.system, names)
    judge = None
    if table.judge is not None:
        judge = renamed(coded(frame["judge"])[1], table.judge, names)
    columns = Columns(
        frame=frame.drop([name for name in OWN if name in frame.columns]),
        sentence=table.sentence,
        systems=(system,),
        judge=judge,
        document=table.document,
    )
    order = columns.order
    told = {
        name: _named(frame[name][order])
        for name in ("segment", "construct", "feature", "question")
        if name in frame.columns
    }
    return {
        "split": split_key({"question": HEVAL}, part.tags),
        "by": {**part.tags, "question": HEVAL},
        "systems": systems,
        "system": packed_codes(system[order]),
        **columns.packed(),
        "documents": list(table.documents),
        "values": packed_values(table.values[order]),
        "item": packed_codes(item[order]),
        "unit": table.unit,
        "bySegment": table.by_segment,
        "told": told,
    }


def _named(column: pl.Series) -> dict[str, Any]:
    codes, names = coded(column)
    return {"names": names, "codes": packed_codes(codes)}
