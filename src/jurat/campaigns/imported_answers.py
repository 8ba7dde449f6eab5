"""What judges said in another tool about each translation, from its tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from jurat.formats.appraise_layouts import DOCUMENT_QUESTION
from jurat.formats.imported_protocol import question_name
from jurat.formats.long_rows import ITEM_PARTS
from jurat.testsets.base import tidy_offset

if TYPE_CHECKING:
    import polars as pl

Answered = tuple[str, str, str, str]
"""Judge, document, segment and system."""


class Answer(NamedTuple):
    """What a judge said about a translation, at one time."""

    position: int
    answers: dict[str, Any]
    shown_at: datetime | None
    decided_at: datetime
    active_seconds: float | None
    void: bool
    comment: str


def answers_in(
    tables: Mapping[str, pl.DataFrame], lost: Counter[str], now: datetime
) -> dict[Answered, list[Answer]]:
    """The answers in the tables, by judge and translation, in the order of their giving."""
    marks = _marks(tables.get("spans"), tables.get("translations"))
    said = _said(tables.get("texts"))
    rows = list(tables["judgments"].sort("position", maintain_order=True).iter_rows(named=True))
    numbers = _numbers(rows)
    found: defaultdict[Answered, list[Answer]] = defaultdict(list)
    times = Counter((key[0], key[-1]) for key in numbers)
    at: Counter[tuple[str, int]] = Counter()
    for row in rows:
        key, line = (row["judge"], *_place(row)), (row["judge"], row["position"])
        # one row of each translation stands for all questions about it
        if (own := numbers.pop((*key, row["position"]), None)) is None:
            continue
        shown, decided = _time(row, at[line], times[line], now)
        at[line] += 1
        if row.get("control") or row.get("phase") == "tutorial":
            lost["answers to attention checks and tutorials"] += 1
            continue
        if own.pop(DOCUMENT_QUESTION, None) is not None:
            lost["scores of whole documents"] += 1
            if not own:
                continue
        active = row.get("active_seconds")
        # what was said of the whole screen is told with its first translation
        words = [*said.pop((*key, row["position"]), ()), *said.pop(line, ())]
        found[key].append(
            Answer(
                row["position"],
                {"numbers": own, "errors": marks.get((*key, row["position"]), [])},
                shown,
                decided,
                None if active is None else active / times[line],
                row.get("status") == "superseded",
                "\n".join(words),
            )
        )
    lost["comments on attention checks, tutorials and what has no score"] += len(said)
    return found


def _numbers(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[Any, ...], dict[str, Any]]:
    """What was answered to each question, by judge, translation and position."""
    found: defaultdict[tuple[Any, ...], dict[str, Any]] = defaultdict(dict)
    for row in rows:
        name = row["question"]
        key = name if name == DOCUMENT_QUESTION else question_name(name)
        found[row["judge"], *_place(row), row["position"]][key] = row["value"]
    return found


def _place(row: Mapping[str, Any]) -> tuple[str, str, str]:
    """Document, segment and system; where files have no documents, every segment is one."""
    document, segment, system = (row.get(name) or "" for name in ITEM_PARTS)
    return (document, segment, system) if document else (segment, "1", system)


def _said(texts: pl.DataFrame | None) -> dict[tuple[Any, ...], list[str]]:
    """What was written about a translation, by judge, translation and position; about a screen.

    What was written about a whole screen is found by judge and position.
    """
    found: defaultdict[tuple[Any, ...], list[str]] = defaultdict(list)
    for row in texts.iter_rows(named=True) if texts is not None else ():
        line = (row["judge"], row["position"])
        whole = row.get("system") is None
        key = line if whole else (row["judge"], *_place(row), row["position"])
        found[key].append(row["text"])
    return found


def _time(
    row: Mapping[str, Any], number: int, count: int, now: datetime
) -> tuple[datetime | None, datetime]:
    """When one of the answers of a screen was given: its time is divided equally among them."""
    shown, decided = row.get("shown_at"), row.get("decided_at")
    if shown is None or decided is None or decided < shown:
        return None, decided or now
    each: timedelta = (decided - shown) / count
    return shown + number * each, shown + (number + 1) * each


def _marks(
    spans: pl.DataFrame | None, translations: pl.DataFrame | None
) -> dict[tuple[Any, ...], list[dict[str, Any]]]:
    """Marked errors by judge, translation and position, with places as in the test set."""
    found: defaultdict[tuple[Any, ...], list[dict[str, Any]]] = defaultdict(list)
    known = translations.iter_rows(named=True) if translations is not None else ()
    texts = {_place(row): row["translation"] for row in known}
    for row in spans.iter_rows(named=True) if spans is not None else ():
        key = (row["judge"], *_place(row), row["position"])
        told = {name: row[name] for name in ("severity", "category", "missing") if row.get(name)}
        text = texts.get(key[1:4])
        places = {name: row[name] for name in ("start", "end")}
        if text is not None:
            places = {name: tidy_offset(text, at) for name, at in places.items()}
        found[key].append({**places, **told})
    return found
