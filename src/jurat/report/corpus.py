"""What was judged, counted: documents, segments, words, languages, genres, systems, judges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import polars as pl

from jurat.model import TestSet
from jurat.report.pseudonyms import SYSTEM_COLUMNS, Pseudonyms
from jurat.stats import Evaluation
from jurat.stats.phrases import listed
from jurat.tables.same_output import for_each_system
from jurat.word_boundaries import words

UNKNOWN = "not in the data"
# What ISO 639 calls texts in several languages.
SEVERAL = "mul"
# Names under which tables from elsewhere tell the language pair, the genre and the source text.
LANGUAGES = ("lp", "language_pair", "languages", "langs")
GENRES = ("genre", "domain")
SOURCES = ("source", "src")
MOST_NAMED = 12


# What the answers of one judgment have in common, whichever table they are in.
AT_ONCE = ("judge", "decided_at", "task", "kit", "position", "document", "segment")


class Fact(NamedTuple):
    """A line of the corpus table."""

    name: str
    value: str


def corpus_facts(
    evaluation: Evaluation,
    test_set: TestSet | None,
    names: Pseudonyms,
    translations: pl.DataFrame | None = None,
) -> tuple[Fact, ...]:
    """The corpus table of the five papers, as far as the data tell it."""
    frames = [frame for frame in (evaluation.judged, evaluation.compared) if frame.height]
    sources = _sources([*frames, *([] if translations is None else [translations])], test_set)
    tokens = [text[a:b].lower() for text in sources for a, b in words(text)]
    systems = [names.systems.get(name, name) for name in system_names(frames)]
    return (
        Fact("Documents", _count(_values(frames, ("document",)))),
        Fact("Segments", _count(_segments(frames))),
        Fact("Source words", f"{len(tokens):,}" if tokens else UNKNOWN),
        Fact("Unique source words", f"{len({*tokens}):,}" if tokens else UNKNOWN),
        Fact("Languages", _languages(frames, test_set)),
        Fact("Genre", _genres(frames, test_set)),
        Fact("Systems", _named(sorted(systems))),
        Fact("Questions", _named(evaluation.questions)),
        Fact("Judges", _count(_values(frames, ("judge",)))),
        Fact("Judgments", f"{judgment_count(frames):,}"),
        Fact("Period of judging", _period(frames)),
    )


def judgment_count(frames: Sequence[pl.DataFrame]) -> int:
    """The judgments in some tables: the answers that a judge gave to one item at once are one.

    What adjudicators settled is none of them.
    Rows without a judge or a time count one each: what was given at once is unknown.
    """
    frames = [_unsettled(frame) for frame in frames]
    known = [name for name in AT_ONCE if all(name in frame.columns for frame in frames)]
    if not frames or not {"judge", "decided_at"} <= {*known}:
        return sum(frame.height for frame in frames)
    rows = pl.concat([frame.select(known) for frame in frames], how="vertical_relaxed")
    timed = rows.drop_nulls(["judge", "decided_at"])
    return rows.height - timed.height + timed.n_unique()


def _unsettled(frame: pl.DataFrame) -> pl.DataFrame:
    if "status" not in frame.columns:
        return frame
    return frame.filter(pl.col("status").cast(pl.String).ne_missing("adjudicated"))


def _values(frames: Iterable[pl.DataFrame], columns: Sequence[str]) -> list[str]:
    there = [frame[name] for frame in frames for name in columns if name in frame.columns]
    return sorted({str(value) for column in there for value in column.unique().drop_nulls()})


def system_names(frames: Iterable[pl.DataFrame]) -> list[str]:
    """The systems, sorted, without those that share an output and are joined by +."""
    names = _values(map(for_each_system, frames), SYSTEM_COLUMNS)
    return [name for name in names if not ("+" in name and {*name.split("+")} & {*names})]


def _segments(frames: Sequence[pl.DataFrame]) -> set[tuple[object, ...]]:
    """Document and segment of everything; the items, where no segment is named."""
    found: set[tuple[object, ...]] = set()
    for frame in frames:
        keys = [name for name in ("document", "segment") if name in frame.columns]
        if "segment" in keys:
            found |= set(frame.select(keys).unique().iter_rows())
        elif "system" not in frame.columns and "item" in frame.columns:
            found |= set(frame.select("item").unique().iter_rows())
    return found


def _sources(frames: Sequence[pl.DataFrame], test_set: TestSet | None) -> list[str]:
    if test_set is not None:
        return [segment.source or "" for _, segment in test_set.segments()]
    for frame in frames:
        for name in SOURCES:
            if name in frame.columns and frame[name].dtype == pl.String:
                return [str(text) for text in frame[name].unique().drop_nulls()]
    return []


def _languages(frames: Sequence[pl.DataFrame], test_set: TestSet | None) -> str:
    if test_set is not None and (test_set.source_language or test_set.target_language):
        return f"{_sources_of(test_set) or '?'} to {test_set.target_language or '?'}"
    return listed(_values(frames, LANGUAGES), MOST_NAMED) or UNKNOWN


def _sources_of(test_set: TestSet) -> str:
    """The language of the source; where it is several, those that documents name."""
    if test_set.source_language != SEVERAL:
        return test_set.source_language
    named = {one.source_language for one in test_set.documents} - {"", SEVERAL}
    return listed(sorted(named), MOST_NAMED) or "several languages"


def _genres(frames: Sequence[pl.DataFrame], test_set: TestSet | None) -> str:
    found = _values(frames, GENRES)
    if test_set is not None and not found:
        tags = [one.tags for one in test_set.documents]
        found = sorted({tag[name] for tag in tags for name in GENRES if name in tag})
    return listed(found, MOST_NAMED) or UNKNOWN


def _named(names: Sequence[str]) -> str:
    return f"{len(names)}: {listed(list(names), MOST_NAMED)}" if names else UNKNOWN


def _count(found: Sequence[object] | set[tuple[object, ...]]) -> str:
    return f"{len(found):,}" if found else UNKNOWN


def _period(frames: Sequence[pl.DataFrame]) -> str:
    times = [
        frame["decided_at"].drop_nulls()
        for frame in frames
        if "decided_at" in frame.columns and frame["decided_at"].dtype == pl.Datetime("us", "UTC")
    ]
    known = [column for column in times if len(column)]
    if not known:
        return UNKNOWN
    dates = [day for column in known for day in (column.dt.date().min(), column.dt.date().max())]
    first, last = min(map(str, dates)), max(map(str, dates))
    return first if first == last else f"{first} to {last}"
