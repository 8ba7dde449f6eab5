"""Turns a user's table of judgments into the long table, by the same options in every command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import NamedTuple

import msgspec
import polars as pl

from jurat.condition_language import All, names, parse
from jurat.errors import input_error, raise_problems, unknown_name
from jurat.tables.column_map import joined, mapped, parse_columns
from jurat.tables.fingerprint import TableHashes
from jurat.tables.judge_kinds import models_note, of_kinds
from jurat.tables.reshape import (
    ADDED,
    WORD,
    added_up,
    answered,
    differing,
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
    OF_FILE,
    TIME,
    cast_column,
    conform,
    faulty_rows,
    hidden,
    need,
    words,
)
from jurat.tables.suspicious_data import (
    Partners,
    dropped_note,
    nothing_left_note,
    table_notes,
    told_apart_note,
)

ITEM_PARTS = ("document", "segment", "system", "reference")
# Rows with these statuses stay in files but never count.
UNCOUNTED = ("superseded", "excluded")

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
        self._long = _lengthened(
            with_own_names(table, self.intake.columns, JUDGMENTS.schema), self.intake
        )
        self._credited = False
        self._shared = _shares_items(self._long)
        # in a wide table, not every column has an answer in every row
        wide = self.intake.questions or self.intake.systems or self.intake.judges
        self._dropped = 0 if wide else table.height - self._long.height
        self._height = table.height
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
        dropped = dropped_note(self._dropped, self._height)
        return (
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
        return tuple(told_apart_note(rows, unused, keys)) if "judge" in keys else ()

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
            rows = added_up(rows, judged.filter(_still_judged(judged, where)).drop(WORD))
        if self.intake.fold:
            rows = fold(rows, self.intake.fold)
        rows = counting_judges(plain_names(rows), self.intake)
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
        self._shared = _shared_on_screen(table)
        self._dropped, self._height = 0, table.height

    def unfolded(self) -> Judgments:
        """The same judgments: they have no fold."""
        return self

    def _finished(self, rows: pl.DataFrame, where: str) -> pl.DataFrame:
        columns = {name: rows[name] for name in rows.columns}
        rows = rows.filter(fulfilled(where, columns, rows.height)) if where else rows
        return items_by_system(rows) if self._shared else rows


def is_foreign(name: str, values: pl.Series) -> bool:
    """Whether a column has one of Jurat's names but no value that fits, as a `status` of "ok".

    Such a column means something else, and only conditions use it.
    """
    column = _KINDS.get(name)
    # an empty column says nothing either way
    if column is None or values.null_count() == len(values):
        return False
    if column.allowed:
        return not words(values).is_in(column.allowed).any()
    return cast_column(values, column.type).null_count() == len(values)


# Columns whose names are common words, which may mean something else in a user's table.
_COMMON = ("phase", "position", "probability", "status")
_KINDS = {c.name: c for c in JUDGMENTS.columns if c.name in _COMMON}


def visible(frame: pl.DataFrame) -> dict[str, pl.Series]:
    """The columns that a user can name; where both have a name, the file's column."""
    # hidden names begin with NUL, and so does OF_FILE: these columns are added below
    own = {name: frame[name] for name in frame.columns if not hidden(name)}
    return own | {n.removeprefix(OF_FILE): frame[n] for n in frame.columns if n.startswith(OF_FILE)}


def _of_file(frame: pl.DataFrame) -> tuple[str, ...]:
    """The names of the file's columns; those of the frame where they have no prefix."""
    told = tuple(n.removeprefix(OF_FILE) for n in frame.columns if n.startswith(OF_FILE))
    return told or tuple(visible(frame))


def with_own_names(table: pl.DataFrame, columns: str, known: Collection[str]) -> pl.DataFrame:
    """The file's columns with the prefix `OF_FILE`, and Jurat's columns by the column map."""
    chosen = parse_columns(columns, known)
    file_columns = {name: table[name] for name in table.columns if not hidden(name)}
    own = {
        name: series
        for name, series in file_columns.items()
        if name in known and not is_foreign(name, series)
    }
    own |= {name: mapped(parts, file_columns, table.height) for name, parts in chosen.items()}
    # results are listed by question, and the column's name is the best there is
    if "value" in chosen and "question" not in own:
        question = "+".join(part.text for part in chosen["value"])
        own["question"] = pl.repeat(question, table.height, eager=True)
    # a file's `value` may mean something else than Jurat's: both are kept, under two names
    frame = table.rename({name: OF_FILE + name for name in file_columns})
    return frame.with_columns(series.alias(name) for name, series in own.items())


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


def columns_named(names: Iterable[str], frame: pl.DataFrame) -> dict[str, pl.Series]:
    """The file's or Jurat's columns of these names; raises `InputError` for an unknown one."""
    there = visible(frame)
    for name in names:
        if name not in there:
            raise unknown_name("column in the file", name, there)
    return {name: there[name] for name in names}


def itemised(frame: pl.DataFrame, parts: Sequence[str] = ITEM_PARTS) -> pl.DataFrame:
    """The frame with a column `item`: its own, or else `parts` joined."""
    if "item" in frame.columns:
        if frame["item"].null_count() < frame.height or not frame.height:
            return frame
        frame = frame.drop("item")  # an empty column counts as none
    there = [frame[name] for name in parts if name in frame.columns]
    if not there:
        hint = "name it with --columns item=… (or document, segment, system)"
        raise input_error(f"no column says what was judged; {hint}", allowed=_of_file(frame))
    item = joined(there) if len(there) > 1 else words(there[0])
    return frame.with_columns(item.alias("item"))


# The hidden column of the items that several systems share, once `item` is item + system.
SHARED_ITEM = "\0shared item"
SHARED_NOTE = "the same item stands with several systems: item + system is taken as what was judged"
# Rows that are looked at first: where items are shared, these mostly show it.
_FIRST_ROWS = 10_000


def _shares_items(rows: pl.DataFrame) -> bool:
    """Whether some item stands with several systems: then it names a source segment."""
    if not {"item", "system"} <= set(rows.columns):
        return False
    pairs = rows.select("item", "system").lazy().drop_nulls()
    several = (pl.col("system").min() != pl.col("system").max()).alias("several")
    return any(
        bool(some.group_by("item").agg(several).select(pl.col("several").any()).collect().item())
        for some in (pairs.head(_FIRST_ROWS), pairs)
    )


def _shared_on_screen(rows: pl.DataFrame) -> bool:
    """Whether a campaign's screens show several systems: their rows stand one after the other."""
    if not {"item", "system"} <= set(rows.columns):
        return False
    item, system = pl.col("item"), pl.col("system")
    both = (item == item.shift()) & (system != system.shift())
    return bool(rows.select(both.any()).item())


def items_by_system(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with item + system as `item`; the shared item is their segment if they have none.

    Systems are compared by segment, and other tables may name the shared item, which stays in the
    hidden column `SHARED_ITEM`.
    """
    shared = words(rows["item"])
    named = [joined([shared, rows["system"]]).alias("item"), shared.alias(SHARED_ITEM)]
    if "segment" not in rows.columns or rows["segment"].null_count() == rows.height:
        named.append(shared.alias("segment"))
    return rows.with_columns(named)


def shared_items(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with the items that systems share as `item`, as the user's tables name them."""
    if SHARED_ITEM not in rows.columns:
        return rows
    return rows.with_columns(rows[SHARED_ITEM].alias("item"))


def refuse_nameless(rows: pl.DataFrame) -> pl.DataFrame:
    """The same rows; raises `InputError` for those without an item."""
    nameless = _unnamed(rows["item"])
    raise_problems(faulty_rows(rows, nameless, "the row does not say what was judged", "item"))
    return rows


def refuse_judgeless(rows: pl.DataFrame) -> pl.DataFrame:
    """The same rows; raises `InputError` for those without a judge in a file that names judges."""
    if "judge" not in rows.columns:
        return rows
    nameless = _unnamed(rows["judge"])
    # a second file may hold scores that nobody in particular gave
    if nameless.any() and FILE in rows.columns:
        named = rows.select(FILE, named=~nameless).select(pl.col("named").any().over(FILE))
        nameless &= named.to_series()
    if not nameless.all():
        hint = 'leave such rows out with --where "judge != None"'
        message = f"the row does not say who judged; name the judge, or {hint}"
        raise_problems(faulty_rows(rows, nameless, message, "judge"))
    return rows


def _unnamed(values: pl.Series) -> pl.Series:
    """Which names are missing, or only spaces."""
    empty = values.is_null()
    # spaces sort before all letters, so that the first name tells whether any is blank
    if values.dtype == pl.String and str(values.min() or "x")[:1].isspace():
        empty |= (values.str.strip_chars() == "").fill_null(value=False)
    return empty


def timed(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with `seconds`, computed from `shown_at` and `decided_at` where it has none."""
    if "seconds" in frame.columns or not {"shown_at", "decided_at"} <= set(frame.columns):
        return frame
    shown, decided = (cast_column(frame[name], TIME) for name in ("shown_at", "decided_at"))
    # polars multiplies by the inverse instead of dividing, which leaves rounding errors
    seconds = ((decided - shown).dt.total_microseconds() / 1e6).round(6)
    return frame.with_columns(seconds.alias("seconds"))


class ListedItems(NamedTuple):
    """The rows whose items a list names, and a note on how much of the list was found."""

    rows: pl.DataFrame
    notes: tuple[str, ...] = ()


def only_items(rows: pl.DataFrame, items: pl.DataFrame) -> ListedItems:
    """The rows that match a row of `items`, by the file's or Jurat's columns.

    Raises `InputError` for unknown columns, and if no row matches.
    """
    there = visible(rows)
    names = [name for name in items.columns if not hidden(name)]
    if not names or not items.height:
        raise input_error("the list of items is empty")
    for name in names:
        if name not in there:
            raise unknown_name("column of the list of items", name, there)
    # compared as texts: the list may have 7 where the table has 7.0 or "7"
    keys = pl.DataFrame({name: words(there[name]) for name in names})
    listed = items.select(words(items[name]).alias(name) for name in names).unique()
    listed = listed.with_columns(pl.lit(value=True).alias(_LISTED))
    # a left join in order, so that its rows correspond to those of `rows`; nulls match nulls
    found = keys.join(listed, on=names, how="left", nulls_equal=True, maintain_order="left")
    kept = found[_LISTED].fill_null(value=False)
    matched = keys.filter(kept).n_unique()
    partners = Partners(matched, listed.height, "listed", f"the table, by {', '.join(names)}")
    return ListedItems(rows.filter(kept), (partners.note("--items"),))


_LISTED = "\0listed"


def listed_rows(rows: pl.DataFrame, items: pl.DataFrame | None) -> ListedItems:
    """The rows of `--items`, or all rows without a list."""
    return ListedItems(rows) if items is None else only_items(rows, items)


def listed(items: pl.DataFrame | None) -> dict[str, str]:
    """The number of listed items, for a signature; empty without a list."""
    if items is None:
        return {}
    return {"listed": str(items.select(pl.exclude(FILE, LINE)).n_unique())}


def chosen(rows: pl.DataFrame, where: str) -> pl.DataFrame:
    """The rows that meet the condition; all rows without one."""
    return rows.filter(fulfilled(where, visible(rows), rows.height)) if where else rows


def _still_judged(rows: pl.DataFrame, where: str) -> pl.Series:
    """For each row of errors, whether its item is selected, even if the row itself is not.

    `severity == 'major'` selects errors: the item stays, perhaps with the sum 0. `system != 'ref'`
    selects items. A condition is of the second kind if it uses only columns of judge or item, or
    columns that are constant within items.
    """
    condition = parse(where) if where else All(())
    # only parts joined by `and` can be judged one by one; `a or b` is taken as a whole
    parts = condition.parts if isinstance(condition, All) else (condition,)
    there = visible(rows)
    speaks_of = {name for part in parts for name in names(part)}
    of_errors = _differing(rows, there, speaks_of)
    kept = pl.repeat(value=True, n=rows.height, eager=True)
    for part in parts:
        if not of_errors.intersection(names(part)):
            kept &= fulfilled(part, there, rows.height)
    return kept


def _differing(rows: pl.DataFrame, there: Mapping[str, pl.Series], asked: set[str]) -> set[str]:
    """The columns among `asked` that may differ between the rows of one item."""
    of_item = [rows[name] for name in ("judge", "item", *ITEM_PARTS) if name in rows.columns]
    unclear = {
        n for n in asked if not any(there[n].equals(one, null_equal=True) for one in of_item)
    }
    if not unclear:
        return set()
    keys = rows.select(name for name in ADDED if name in rows.columns)
    if keys.n_unique() == rows.height:
        return unclear  # one row per item: constancy within items shows nothing
    named = {f"{OF_FILE}{name}": there[name] for name in unclear}
    return {n.removeprefix(OF_FILE) for n in differing(keys, named)}


def counted(rows: pl.DataFrame, where: str) -> pl.DataFrame:
    """The rows that count: not superseded or excluded, and not of the tutorial.

    A condition on `phase` decides about the tutorial itself.
    """
    if "status" in rows.columns:
        rows = rows.filter(~words(rows["status"]).is_in(UNCOUNTED).fill_null(value=False))
    # a row without a phase counts as one of the evaluation
    if "phase" in rows.columns and not (where and "phase" in names(parse(where))):
        rows = rows.filter((words(rows["phase"]) != "tutorial").fill_null(value=True))
    return rows


def plain_names(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with the file's columns under their own names, unless Jurat's have these."""
    marked = {n: n.removeprefix(OF_FILE) for n in rows.columns if n.startswith(OF_FILE)}
    # conditions have been applied by now, so the file's own columns of these names can go
    taken = [
        name
        for name, plain in marked.items()
        if plain in rows.columns or is_foreign(plain, rows[name])
    ]
    return rows.drop(taken).rename(
        {name: plain for name, plain in marked.items() if name not in taken}
    )


def check_judges(rows: pl.DataFrame, intake: Intake) -> None:
    """Raise `InputError` if a judge of `--exclude` or `--model-judges` is not in the table."""
    options = {"--exclude": intake.exclude, "--model-judges": intake.model_judges}
    for option, judges in options.items():
        if not judges:
            continue
        need(rows, ("judge",), option)
        present = words(rows["judge"]).unique().drop_nulls().sort().to_list()
        for judge in judges:
            if judge not in present:
                raise unknown_name("judge", judge, present)


def counting_judges(rows: pl.DataFrame, intake: Intake) -> pl.DataFrame:
    """The rows of the judges who count: people, and models where they are asked for."""
    rows = without_judges(rows, intake.exclude)
    return of_kinds(rows, intake.model_judges, include_models=intake.include_models)


def without_judges(rows: pl.DataFrame, judges: Sequence[str]) -> pl.DataFrame:
    """The rows of all judges but these."""
    if not judges:
        return rows
    return rows.filter(~words(rows["judge"]).is_in(judges).fill_null(value=False))
