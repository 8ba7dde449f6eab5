"""The scores of one question as arrays: which system got what on which sentence, from whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from jurat.faults import unknown
from jurat.results import Key
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Codes, Ratings, coded
from jurat.stats.systems.choices import SystemSettings
from jurat.stats.systems.drawing import Drawing, numbered


@dataclass(frozen=True, kw_only=True, eq=False)
class Panel:
    """The numbers of one question and split, a place in each array for each judgment."""

    by: Mapping[str, Key]
    tags: Mapping[str, Key]
    systems: tuple[str, ...]
    system: Codes = field(repr=False)
    values: Array = field(repr=False)
    rows: Codes = field(repr=False)
    """Which rows of the ratings they are."""
    sentence: Codes = field(repr=False)
    document: Codes | None = field(repr=False)
    """Which of the `documents`; None where documents are not told."""
    documents: tuple[str, ...] = field(repr=False)
    judge: Codes | None = field(repr=False)
    """None where there is one judge, or none is told."""
    sign: float
    unit: str
    """What a sentence is: sentence, item, or document where no smaller piece is told."""
    kept: dict[object, Any] = field(default_factory=dict, repr=False)
    """What was computed once for several statistics."""

    @cached_property
    def sentences(self) -> int:
        """How many sentences were judged."""
        return int(self.sentence.max()) + 1 if len(self.sentence) else 0

    @cached_property
    def counts(self) -> Codes:
        """How many judgments each system has."""
        return np.bincount(self.system, minlength=len(self.systems))

    @cached_property
    def larger(self) -> bool:
        """Whether sentences come from several documents."""
        return self.unit != "document" and len(self.documents) > 1

    @property
    def drawn(self) -> str:
        """What is drawn besides judges."""
        return "document" if self.larger else self.unit

    @cached_property
    def drawing(self) -> Drawing:
        """What is drawn again for intervals of means of judgments."""
        return Drawing.of(self.document_of[self.sentence], self.drawn, self.judge)

    @cached_property
    def document_of(self) -> Codes:
        """Of each sentence, the document that it is from; itself where there are not several."""
        found = np.arange(self.sentences)
        if self.larger:
            assert self.document is not None
            found[self.sentence] = self.document
        return found

    @cached_property
    def sentence_drawing(self) -> Drawing:
        """What is drawn again for intervals of statistics of sentences."""
        return Drawing.of(self.document_of, self.drawn)

    @cached_property
    def means(self) -> Array:
        """Mean value of each system on each sentence (sentences × systems), NaN where none."""
        return self.averaged(self.values)

    def averaged(self, values: Array) -> Array:
        """Means of some values of the judgments, by sentence and system; NaN are left out."""
        return cell_means(self.sentence, self.sentences, self.system, len(self.systems), values)

    @cached_property
    def sittings(self) -> Sittings:
        """What was judged together: a sentence by a judge, or a sentence where that is rare."""
        if self.judge is not None and (made := self._of_judges(self.judge)):
            return made
        everything = np.arange(self.sentences)
        return Sittings(self.means, everything, self.document_of, None).compared()

    def _of_judges(self, judge: Codes) -> Sittings | None:
        """Sentences by one judge each, where half of the judgments have another beside them."""
        width, systems = int(judge.max()) + 1, len(self.systems)
        known, group = numbered(self.sentence * width + judge, self.sentences * width)
        there = np.zeros((len(known), systems), dtype=bool)
        there[group, self.system] = True
        several = there.sum(axis=1) > 1
        beside = several[group]
        if not 2 * beside.sum() >= len(beside) > 0:
            return None
        kept = (np.cumsum(several) - 1)[group[beside]]
        sentence, by = np.divmod(known[several], width)
        means = cell_means(kept, len(by), self.system[beside], systems, self.values[beside])
        return Sittings(means, sentence, self.document_of[sentence], by)

    @cached_property
    def oriented(self) -> Array:
        """The same as `means`, higher is better."""
        return self.sign * self.means


@dataclass(frozen=True)
class Sittings:
    """Means by sitting and system (NaN where there is none), and what each sitting is of."""

    means: Array
    sentence: Codes
    document: Codes
    judge: Codes | None

    def compared(self) -> Sittings:
        """Those in which two systems or more were judged."""
        several = (~np.isnan(self.means)).sum(axis=1) > 1
        judge = None if self.judge is None else self.judge[several]
        return Sittings(self.means[several], self.sentence[several], self.document[several], judge)

    @property
    def words(self) -> str:
        """What was judged together."""
        return "within sentence" if self.judge is None else "within judge and sentence"


def cell_means(rows: Codes, height: int, columns: Codes, width: int, values: Array) -> Array:
    """Means by row and column, NaN where a cell is empty or its values are."""
    there = ~np.isnan(values)
    cells = rows[there] * width + columns[there]
    sums, numbers = (
        np.bincount(cells, weights=w, minlength=height * width).reshape(height, width)
        for w in (values[there], None)
    )
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(numbers > 0, sums / numbers, np.nan))


def panels(evaluation: Evaluation, settings: SystemSettings) -> list[Panel]:
    """The scores of every question and split whose answers are numbers about systems."""
    check_only(evaluation, settings)
    found = [panel_of(r, settings) for r in evaluation.ratings if scored(r)]
    return [panel for panel in found if len(panel.values)]


def scored(ratings: Ratings) -> bool:
    """Whether the answers are numbers about systems."""
    return not ratings.nominal and ratings.has("system")


def panel_of(ratings: Ratings, settings: SystemSettings) -> Panel:
    """The panel of some ratings: made once for all statistics."""
    return ratings.once(_panel, settings)


def _panel(ratings: Ratings, settings: SystemSettings) -> Panel:
    system, names = ratings.coded("system")
    wanted = np.array([bool(n) and (not settings.only or n in settings.only) for n in names])
    rows = np.flatnonzero(wanted[system] & ~np.isnan(ratings.values))
    frame = ratings.frame if len(rows) == len(ratings) else ratings.frame[rows]
    kept = np.cumsum(wanted) - 1
    sentence, unit = sentences_of(frame)
    document, documents = coded(frame["document"]) if _told(frame, "document") else (None, [])
    return Panel(
        by=keys(ratings.by, ratings.tags),
        tags=ratings.tags,
        systems=tuple(n for n, there in zip(names, wanted, strict=True) if there),
        system=kept[system[rows]],
        values=ratings.values[rows],
        rows=rows,
        sentence=sentence,
        document=document,
        documents=tuple(documents),
        judge=_judges(frame),
        sign=settings.sign,
        unit=unit,
    )


def keys(by: Mapping[str, Key], tags: Mapping[str, Key]) -> dict[str, Key]:
    """What an estimate is of; the judge too, where figures are split by judge."""
    return {**by, **({"judge": tags["judge"]} if "judge" in tags else {})}


def sentences_of(frame: pl.DataFrame) -> tuple[Codes, str]:
    """Which sentence each row is about, whatever system translated it, and what that is called."""
    there = [n for n in ("document", "segment") if _told(frame, n)]
    if "segment" in there:
        return codes_of(frame.select(there)), "sentence"
    items = frame["item"].n_unique()
    if there and frame.select("document", "system").n_unique() >= items:
        return codes_of(frame.select("document")), "document"
    if frame.select("item", "system").n_unique() > items:
        return codes_of(frame.select("item")), "item"
    return codes_of(_without_systems(frame)), "item"


def codes_of(columns: pl.DataFrame) -> Codes:
    """Rows as numbers from 0, the same for the same row."""
    if columns.is_empty():
        return np.zeros(0, dtype=np.int64)
    whole, size = np.zeros(columns.height, dtype=np.int64), 1
    for name in columns.columns:
        codes, names = coded(columns[name])
        known, whole = numbered(whole * len(names) + codes, size * len(names))
        size = len(known)
    return whole


def _without_systems(frame: pl.DataFrame) -> pl.DataFrame:
    """The items without the name of the system, where that is a part of them."""
    rows = frame.select("item", "system").with_row_index(_ROW)
    parts = [
        part.with_columns(_without(name))
        for (name,), part in rows.partition_by("system", as_dict=True).items()
    ]
    bare = pl.concat(parts).sort(_ROW).select("item")
    return bare if bare["item"].n_unique() < frame["item"].n_unique() else frame.select("item")


_ROW = "\0row"


def _without(system: object) -> pl.Expr:
    whole = pl.concat_str(pl.lit("|"), pl.col("item"), pl.lit("|"))
    name = str(system or "").replace("\\", "\\\\").replace("|", "\\|")
    return whole.str.replace(f"|{name}|", "|", literal=True).alias("item")


def _told(frame: pl.DataFrame, column: str) -> bool:
    return column in frame.columns and frame[column].null_count() < frame.height


def _judges(frame: pl.DataFrame) -> Codes | None:
    """Judges as numbers, where there are two or more."""
    codes, names = coded(frame["judge"]) if _told(frame, "judge") else (None, [])
    return codes if len(names) > 1 else None


def check_only(evaluation: Evaluation, settings: SystemSettings) -> None:
    """Refuse systems of `--only` that are nowhere."""
    if not settings.only:
        return
    tables = ((evaluation.judged, ("system",)), (evaluation.compared, ("system_a", "system_b")))
    there = {
        name
        for table, columns in tables
        for column in columns
        if column in table.columns
        for name in table[column].unique().drop_nulls().to_list()
    }
    known = sorted(there | {part for name in there for part in name.split("+")})
    for name in settings.only:
        if name not in known:
            raise unknown("system", name, known)
