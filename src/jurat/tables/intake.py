"""Turns a user's table of judgments into the long table, by the same options in every command."""

from __future__ import annotations

from collections import Counter
from copy import copy
from functools import cached_property

import msgspec
import polars as pl

from jurat.errors import input_error
from jurat.tables.chosen_rows import (
    ListedItems,
    check_judges,
    chosen,
    counted,
    counting_judges,
    listed,
    listed_rows,
    plain_names,
    refuse_judgeless,
    refuse_nameless,
    still_judged,
)
from jurat.tables.column_map import parse_columns
from jurat.tables.fingerprint import TableHashes
from jurat.tables.item_names import (
    SHARED_NOTE,
    itemised,
    items_by_system,
    shared_on_screen,
    shares_items,
)
from jurat.tables.judge_kinds import models_note
from jurat.tables.named_columns import columns_named, visible, with_own_names
from jurat.tables.reshape import (
    WORD,
    added_up,
    answered,
    fold,
    lengthen,
    refuse_mixture,
    weighted,
)
from jurat.tables.row_filter import fulfilled
from jurat.tables.same_output import for_each_system, has_several
from jurat.tables.schema import (
    FILE,
    JUDGMENTS,
    LINE,
    TIME,
    cast_column,
    conform,
    hidden,
    need,
)
from jurat.tables.suspicious_data import (
    dropped_note,
    empty_names,
    files_without,
    nothing_left_note,
    table_notes,
    told_apart_note,
    unnamed_segments_note,
)

# Options that turn columns into rows, and the column that takes the names of these columns.
WIDE = {"questions": "question", "systems": "system", "judges": "judge", "sum": "question"}


class Intake(msgspec.Struct, frozen=True, kw_only=True):
    """The options for reading a user's table, named as on the command line."""

    columns: str = ""
    questions: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    sum: str = ""
    weights: str = ""
    where: str = ""
    standardise_where: str = ""
    by: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    fold: str = ""
    model_judges: tuple[str, ...] = ()
    """Judges that are language models, beside those of the column `judge_kind`."""
    include_models: bool = False
    """Whether model judges count; else only people do."""

    def __post_init__(self) -> None:
        wide = [name for name in WIDE if getattr(self, name)]
        if len(wide) > 1:
            raise input_error(f"--{wide[0]} and --{wide[1]} cannot be used together")
        if self.weights and not self.sum:
            raise input_error("--weights needs --sum, the column of words that are added up")
        for option in ("questions", "systems", "judges", "by"):
            for name, count in Counter(getattr(self, option)).items():
                if count > 1:
                    raise input_error(f"--{option} names '{name}' twice")

    def for_pairs(self) -> Intake:
        """The options without those for numeric answers, which preferences do not have."""
        return msgspec.structs.replace(
            self,
            questions=(),
            systems=(),
            judges=(),
            sum="",
            weights="",
            fold="",
            standardise_where="",
        )

    def signature(self) -> dict[str, str]:
        """The options that change results, for the results' signatures."""
        chosen = {
            "questions": "+".join(self.questions),
            "systems": "+".join(self.systems),
            "sum": self.sum,
            "weights": self.weights,
            "where": self.where,
            "standardised-by": self.standardise_where,
            "by": "+".join(self.by),
            "excluded": "+".join(sorted(self.exclude)),
            "fold": self.fold,
            "models": "+".join(self.model_judges),
            "judges-of": "people+models" if self.include_models else "",
        }
        return {name: value for name, value in chosen.items() if value}


class Judgments:
    """The long table of judgments of a user's table, and the options it was read with.

    Raises `InputError` if the table lacks judgments, items, or columns that options name.
    """

    def __init__(
        self,
        table: pl.DataFrame,
        intake: Intake | None = None,
        *,
        items: pl.DataFrame | None = None,
    ) -> None:
        self.intake = intake or Intake()
        self._items = items
        own = with_own_names(table, self.intake.columns, JUDGMENTS.schema)
        self._empty = tuple(empty_names(own))
        self._long = _lengthened(own, self.intake)
        self._nameless = "judge" in own.columns and own["judge"].null_count() == own.height
        self._credited = False
        self._shared = shares_items(self._long)
        # in a wide table, not every column has an answer in every row
        wide = self.intake.questions or self.intake.systems or self.intake.judges
        self._dropped = 0 if wide else table.height - self._long.height
        self._height = table.height
        self._unanswered = files_without(table, self._long) if self._dropped else ()
        if table.height and self._long.is_empty():
            raise input_error(f"no row has an answer: all {table.height:,} are empty or nan")
        check_judges(self._long, self.intake)
        need(self.frame, self.intake.by, "--by")

    @cached_property
    def frame(self) -> pl.DataFrame:
        """The judgments that count, a row per answer."""
        return self._placed.drop(FILE, LINE, strict=False)

    @cached_property
    def _placed(self) -> pl.DataFrame:
        """The judgments that count, with the file and line of each."""
        return refuse_judgeless(self._finished(self._listed.rows, self.intake.where))

    @cached_property
    def _listed(self) -> ListedItems:
        # before conditions, which may be about single systems
        rows = for_each_system(self._long) if self._credited else self._long
        return listed_rows(rows, self._items)

    @cached_property
    def hashes(self) -> TableHashes:
        """The hashes of the judgments that count."""
        return TableHashes(self.frame)

    @cached_property
    def baseline(self) -> pl.DataFrame:
        """The rows from which judges' means and deviations are computed, for standardising.

        These are the rows of `--standardise-where`, or else all rows, whatever `--where` says.
        """
        # the same rows: nothing is computed twice
        same = self._items is None and self.intake.where == self.intake.standardise_where
        if same and not self._credited:
            return self.frame
        rows = self._finished(self._long, self.intake.standardise_where)
        return rows.drop(FILE, LINE, strict=False)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the results has to know about the table first."""
        places = self._placed.select(n for n in (FILE, LINE) if n in self._placed.columns)
        shared = (SHARED_NOTE,) if self._shared else ()
        dropped = dropped_note(self._dropped, self._height, self._unanswered)
        return (
            *self._empty,
            *self._listed.notes,
            *nothing_left_note(self.frame, self.intake.where),
            *shared,
            *dropped,
            *self._models_note(),
            *table_notes(self.frame, places, self.hashes.rows),
            *self._told_apart(),
        )

    def _told_apart(self) -> tuple[str, ...]:
        """A column of the file that tells apart what would be a judge's answers to one item."""
        rows = self._placed
        told = parse_columns(self.intake.columns, JUDGMENTS.schema)
        used = {part.text for parts in told.values() for part in parts} | {*self.intake.by}
        unused = {
            name: rows[name]
            for name in rows.columns
            # a campaign's export says itself which answers are repeats
            if not (hidden(name) or name in JUDGMENTS.schema or name in used or name == "control")
        }
        keys = [name for name in ("judge", "item", "system", "question") if name in rows.columns]
        if "judge" not in keys:
            return ()
        found = tuple(told_apart_note(rows, unused, keys))
        return found or tuple(unnamed_segments_note(rows, keys))

    def _models_note(self) -> tuple[str, ...]:
        intake = self.intake
        rows = plain_names(self._long)
        return models_note(rows, intake.model_judges, include_models=intake.include_models)

    def credited(self) -> Judgments:
        """The same judgments, with a row for each of several systems with the same output.

        Judges' means and deviations (`baseline`) still count each judgment once.
        """
        if not has_several(self._long):
            return self
        other = self._copy()
        other._credited = True
        return other

    def _copy(self) -> Judgments:
        """A copy that shares the long table, the expensive part, but nothing that follows."""
        other = copy(self)
        for computed in ("_listed", "_placed", "frame", "baseline", "hashes", "notes"):
            other.__dict__.pop(computed, None)
        return other

    def unfolded(self) -> Judgments:
        """The same judgments without `--fold`, on their original scale."""
        other = self._copy()
        other.intake = msgspec.structs.replace(self.intake, fold="")
        return other

    def signature(self) -> dict[str, str]:
        """The numbers of judges and items, and the options, for a result's signature."""
        counts = {
            f"{name}s": str(self.frame[name].n_unique())
            for name in ("judge", "item")
            if name in self.frame
        }
        judged = {"judged": "item+system"} if self._shared else {}
        return counts | judged | listed(self._items) | self.intake.signature()

    def _finished(self, rows: pl.DataFrame, where: str) -> pl.DataFrame:
        # the order matters: sums are of the selected rows, and the fold is of the sums
        judged = counted(rows, where)
        rows = refuse_nameless(chosen(judged, where))
        # after filtering, so that words in rows that are not selected are no error
        rows = refuse_mixture(rows, numbers_only=bool(self.intake.sum))
        if self.intake.sum:
            rows = added_up(rows, judged.filter(still_judged(judged, where)).drop(WORD))
        if self.intake.fold:
            rows = fold(rows, self.intake.fold)
        rows = counting_judges(plain_names(rows), self.intake)
        # else what nobody in particular said would be what one judge said again and again
        rows = rows.drop("judge", strict=False) if self._nameless else rows
        # last, so that --items and --where mean the items of the file
        rows = items_by_system(rows) if self._shared else rows
        return conform(rows, JUDGMENTS)


class OwnJudgments(Judgments):
    """Judgments of a campaign: a table that conforms to `JUDGMENTS`, of rows that count.

    Nothing is checked or converted again; only the condition is applied.
    """

    def __init__(self, table: pl.DataFrame, *, where: str = "") -> None:
        self.intake = Intake(where=where)
        self._items = None
        self._long = table
        self._credited = False
        self._shared = shared_on_screen(table)
        self._dropped, self._height = 0, table.height
        self._unanswered, self._empty = (), ()

    def unfolded(self) -> Judgments:
        """The same judgments: they have no fold."""
        return self

    def _finished(self, rows: pl.DataFrame, where: str) -> pl.DataFrame:
        columns = {name: rows[name] for name in rows.columns}
        rows = rows.filter(fulfilled(where, columns, rows.height)) if where else rows
        return items_by_system(rows) if self._shared else rows


def _lengthened(frame: pl.DataFrame, intake: Intake) -> pl.DataFrame:
    """The frame with a row per answer, with item, question and value."""
    wide = next((name for name in WIDE if getattr(intake, name)), None)
    if wide:
        wanted = (intake.sum,) if wide == "sum" else getattr(intake, wide)
        _refuse_both(intake, WIDE[wide])
        columns = columns_named(wanted, frame)
        if intake.weights:
            columns = {name: weighted(series, intake.weights) for name, series in columns.items()}
        frame = lengthen(frame, columns, WIDE[wide])
    if "value" not in frame.columns and "label" not in frame.columns:
        hint = "name it with --columns value=… or --questions …"
        raise input_error(f"no column holds the judgments; {hint}", allowed=tuple(visible(frame)))
    missing = {"question": "score" if intake.systems else "value", "value": None}
    empty = [
        pl.repeat(value, frame.height, dtype=pl.String, eager=True).alias(name)
        for name, value in missing.items()
        if name not in frame.columns
    ]
    return timed(itemised(answered(frame.with_columns(empty), keep_empty=bool(intake.sum))))


def _refuse_both(intake: Intake, name: str) -> None:
    """Raise `InputError` if `--columns` maps a column that wide columns are turned into."""
    option = next(n for n in WIDE if getattr(intake, n))
    told = parse_columns(intake.columns, JUDGMENTS.schema)
    for mapped_name in (name, "value"):
        same = [part.text for part in told.get(mapped_name, ())] == [intake.sum]
        if mapped_name in told and not same:
            raise input_error(
                f"--{option} and {mapped_name}=… in --columns cannot be used together"
            )


def timed(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with `seconds`, computed from `shown_at` and `decided_at` where it has none."""
    if "seconds" in frame.columns or not {"shown_at", "decided_at"} <= set(frame.columns):
        return frame
    shown, decided = (cast_column(frame[name], TIME) for name in ("shown_at", "decided_at"))
    # polars multiplies by the inverse instead of dividing, which leaves rounding errors
    seconds = ((decided - shown).dt.total_microseconds() / 1e6).round(6)
    return frame.with_columns(seconds.alias("seconds"))
