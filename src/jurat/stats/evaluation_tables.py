"""The long tables of one evaluation, split by question and tags: where analyses start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from jurat.cache import Memoized
from jurat.errors import input_error
from jurat.results import Key, signature
from jurat.stats.ratings import Ratings
from jurat.stats.settings import ResamplingSettings
from jurat.tables import Judgments
from jurat.tables.fingerprint import digest, table_fingerprint
from jurat.tables.preferences import Preferences

Made = TypeVar("Made")

# The largest score that is analysed: the squares of larger ones overflow.
LARGEST = 1e100
# The control whose translation was spoilt on purpose: it says nothing about its system.
DAMAGED = "degraded"
# What `control` says of items that are there beside those to be judged; tables from elsewhere may
# have other words in this column.
CONTROLS = ("repeat", "easy", DAMAGED, "gold")


@dataclass(frozen=True, kw_only=True)
class Evaluation(Memoized):
    """The tables of one evaluation: judgments, preferences, spans, as far as there are any."""

    judgments: Judgments | None = None
    preferences: Preferences | None = None
    spans: pl.DataFrame | None = None
    chosen: Mapping[str, str] = field(default_factory=dict)
    """Choices made before the tables were read, which every signature names."""
    remarks: tuple[str, ...] = ()
    """What was noticed while files were read and joined, beside the tables' own notes."""

    against: Evaluation | None = None
    """Another evaluation whose agreement is compared with that of this one."""

    @cached_property
    def ratings(self) -> tuple[Ratings, ...]:
        """The judges' own answers that have a value, apart for each question and split."""
        return tuple(self.rated(self.valid))

    @cached_property
    def scored(self) -> tuple[Ratings, ...]:
        """The ratings by which systems are scored and ranked: one rule for all pages and commands.

        Controls do not count, whose systems and segments were chosen, nor second answers to
        repeated items, nor questions that were not asked of all judgments (`partly_asked`).
        """
        rows = _without_controls(self.valid)
        ratings = self.ratings if rows.height == self.valid.height else self.rated(rows)
        return tuple(one for one in ratings if one.question not in self.partly_asked)

    @cached_property
    def partly_asked(self) -> Mapping[str, tuple[int, int]]:
        """Questions that follow only some answers to another one of the same decision.

        By question: the decisions that have it, and those that have the other one. Systems cannot
        be ranked by it: a bad translation that was not asked about would not count.
        """
        rows = _by_judges(self.judged)
        if not {"judge", "decided_at", "question"} <= {*rows.columns}:
            return {}
        keys = {
            question: np.unique(own.select(pl.struct("judge", "decided_at").hash()).to_numpy())
            for question, own in by_question(rows.filter(pl.col("decided_at").is_not_null()))
        }
        wider = {
            question: [len(other) for other in keys.values() if _is_part(own, other)]
            for question, own in keys.items()
        }
        return {
            question: (len(keys[question]), max(sizes))
            for question, sizes in wider.items()
            if sizes
        }

    @cached_property
    def not_scored(self) -> int:
        """Answers to controls and repeated items, which do not count in the scores of systems.

        Questions by which systems are not ranked at all are left out.
        """
        rows = _by_judges(self.judged)
        if "question" in rows.columns and self.partly_asked:
            rows = rows.filter(~pl.col("question").is_in([*self.partly_asked]))
        return rows.height - _without_controls(rows).height

    @cached_property
    def scoring_notes(self) -> tuple[str, ...]:
        """What does not count in the scores of systems, in words."""
        left_out = self.not_scored
        controls = f"{left_out} answers to controls and repeated items do not count here"
        return (
            *([controls] if left_out else []),
            *(
                f"'{question}' was asked in {some} of {every} judgments only: systems are not"
                " ranked by it"
                for question, (some, every) in self.partly_asked.items()
            ),
        )

    @cached_property
    def baseline(self) -> tuple[Ratings, ...]:
        """The answers from which judges' means and deviations come, apart for each question."""
        if self.judgments is None:
            return ()
        if self.judgments.baseline is self.judgments.frame and not self.by:
            # the same rows, whose names and codes are known already
            return self.ratings
        return tuple(_parts(_answered(_of_judges(self.judgments.baseline)), ()))

    @cached_property
    def adjudicated(self) -> tuple[Ratings, ...]:
        """What adjudicators settled on, apart for each question and split."""
        return tuple(self.rated(self.judged.filter(pl.col("status") == "adjudicated")))

    @cached_property
    def judged(self) -> pl.DataFrame:
        """Every row of judgments, also of adjudicators, controls and "not applicable"."""
        frame = self.judgments.frame if self.judgments else pl.DataFrame()
        return frame if "status" in frame.columns else frame.with_columns(status=pl.lit("valid"))

    @property
    def valid(self) -> pl.DataFrame:
        """What judges said of true translations, "not applicable" too, but no adjudicators."""
        return _of_judges(self.judged)

    @cached_property
    def compared(self) -> pl.DataFrame:
        """Every row of preferences that a judge gave."""
        return _of_judges(self.preferences.frame) if self.preferences else pl.DataFrame()

    @cached_property
    def questions(self) -> tuple[str, ...]:
        """The questions, in the order in which the tables first name them."""
        tables = [rows for rows in (self.judged, self.compared) if "question" in rows.columns]
        asked = [q for rows in tables for q in rows["question"].unique(maintain_order=True)]
        return tuple(dict.fromkeys(str(question) for question in asked if question is not None))

    @property
    def by(self) -> tuple[str, ...]:
        """The columns by which figures are split."""
        table = self.judgments or self.preferences
        return table.intake.by if table else ()

    @property
    def columns(self) -> frozenset[str]:
        """Every column that one of the tables has."""
        return frozenset((*self.judged.columns, *self.compared.columns))

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know about the tables before any result."""
        of_tables = [note for table in self._tables for note in table.notes]
        return tuple(dict.fromkeys((*of_tables, *self.remarks)))

    def rated(self, rows: pl.DataFrame) -> Iterator[Ratings]:
        """Some of the rows of `judged` that have a value, apart for each question and split."""
        return _parts(_answered(rows), self.by)

    def split(self, rows: pl.DataFrame) -> Iterator[tuple[Mapping[str, Key], pl.DataFrame]]:
        """The rows of each split, with the tags that name it; all of them where none is asked."""
        return _split(rows, self.by)

    def signature(
        self,
        statistic: str,
        settings: ResamplingSettings | None = None,
        *,
        ordered: bool = False,
        seeded: bool = True,
        **choices: object,
    ) -> str:
        """The signature of a number of this evaluation.

        It names the options by which the tables were read, the settings that differ from their
        defaults, the choices of the statistic, and the data. `ordered`: the order of rows counts
        where the tables have no times. `seeded`: the seed counts, even if no choice names it.
        """
        chosen = settings.chosen() if settings else {}
        if not seeded:
            chosen.pop("seed", None)
        data = {"data": self.fingerprint} if self._tables else {}
        order = {"order": self.order} if ordered and self._tables and not self._timed else {}
        # the statistic may tell an option in words of its own
        others = {name: value for name, value in chosen.items() if name not in choices}
        parts = {**self._common_signature, **choices, **others}
        return signature(statistic, {**parts, **data, **order})

    @cached_property
    def fingerprint(self) -> str:
        """The fingerprint of all tables as they are analysed, whatever the order of their rows."""
        parts = [table.hashes.fingerprint for table in self._tables]
        # rows that --where leaves out may still tell judges' means and deviations
        if self.judgments and self.judgments.baseline is not self.judgments.frame:
            parts.append(table_fingerprint(self.judgments.baseline))
        if self.spans is not None:
            parts.append(table_fingerprint(self.spans))
        return parts[0] if len(parts) == 1 else digest(parts)

    @cached_property
    def order(self) -> str:
        """A fingerprint of the order of rows."""
        return digest(table.hashes.order for table in self._tables)

    @property
    def fingerprints(self) -> dict[str, str]:
        """The fingerprints of the data and of its order; none of an evaluation without tables."""
        return {"fingerprint": self.fingerprint, "order": self.order} if self._tables else {}

    @property
    def _tables(self) -> list[Judgments | Preferences]:
        return [table for table in (self.judgments, self.preferences) if table]

    @property
    def _timed(self) -> bool:
        return all(table.hashes.timed for table in self._tables)

    @cached_property
    def _common_signature(self) -> Mapping[str, str]:
        """What every signature says: counting a million names takes its time."""
        told: dict[str, str] = {}
        for table in self._tables:
            told = {**table.signature(), **told}
        return {**told, **self.chosen}


def _is_part(some: NDArray[np.uint64], others: NDArray[np.uint64]) -> bool:
    """Whether all of some different numbers are among the others, of which there are more."""
    return len(some) < len(others) and bool(np.isin(some, others).all())


def _by_judges(rows: pl.DataFrame) -> pl.DataFrame:
    """What judges said, without what adjudicators settled."""
    # Tables from elsewhere often say nothing of a status: then every row is valid.
    if "status" not in rows.columns:
        return rows
    return rows.filter((pl.col("status") == "valid").fill_null(value=True))


def _of_judges(rows: pl.DataFrame) -> pl.DataFrame:
    """What judges said of true translations, without what adjudicators settled."""
    rows = _by_judges(rows)
    if "control" in rows.columns:
        rows = rows.filter(pl.col("control").cast(pl.String).ne_missing(DAMAGED))
    return rows


def _without_controls(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows of items that were to be judged, without controls and repeats."""
    if "control" not in rows.columns:
        return rows
    return rows.filter(~pl.col("control").cast(pl.String).is_in(CONTROLS).fill_null(value=False))


def _answered(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows that have an answer other than "not applicable"."""
    if rows.is_empty():
        return rows
    # Refused here, before a statistic squares it and prints infinity.
    worst = rows["value"].abs().max()
    if isinstance(worst, float) and worst > LARGEST:
        raise input_error(f"a score of {worst:g} is too large to be analysed", field="value")
    return rows.filter(
        ~pl.col("na") & (pl.col("value").is_not_null() | pl.col("label").is_not_null())
    )


def _parts(rows: pl.DataFrame, by: Sequence[str]) -> Iterator[Ratings]:
    if rows.is_empty():
        return
    for question, of_question in by_question(rows):
        for tags, frame in _split(of_question, by):
            yield Ratings(question=question, tags=tags, frame=frame)


def by_question(rows: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """The rows of each question, in the order of the table; uncopied where there is only one."""
    # there are few, and rows that are filtered are copied once, not gathered one by one
    questions = rows["question"].unique(maintain_order=True).to_list()
    for question in questions:
        own = pl.col("question").eq_missing(pl.lit(question, dtype=pl.String))
        yield str(question), rows if len(questions) == 1 else rows.filter(own)


def _split(
    rows: pl.DataFrame, by: Sequence[str]
) -> Iterator[tuple[Mapping[str, Key], pl.DataFrame]]:
    if not by:
        yield {}, rows
        return
    # Sorted by name, so that the output does not depend on the order of the rows.
    pieces = rows.partition_by(list(by), as_dict=True, maintain_order=True)
    for key, frame in sorted(pieces.items(), key=lambda piece: tuple(map(str, piece[0]))):
        yield dict(zip(by, ("" if k is None else k for k in key), strict=True)), frame
