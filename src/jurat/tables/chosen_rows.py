"""Which rows of judgments count: listed items, conditions, missing names, judges left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from jurat.condition_language import All, names, parse
from jurat.errors import input_error, raise_problems, unknown_name
from jurat.tables.item_names import ITEM_PARTS
from jurat.tables.judge_kinds import of_kinds
from jurat.tables.named_columns import is_foreign, visible
from jurat.tables.reshape import ADDED, differing
from jurat.tables.row_filter import fulfilled
from jurat.tables.schema import (
    FILE,
    LINE,
    OF_FILE,
    faulty_rows,
    hidden,
    need,
    words,
)
from jurat.tables.suspicious_data import Partners

if TYPE_CHECKING:
    from jurat.tables.intake import Intake

# Rows with these statuses stay in files but never count.
UNCOUNTED = ("superseded", "excluded")
_LISTED = "\0listed"


def refuse_nameless(rows: pl.DataFrame) -> pl.DataFrame:
    """The same rows; raises `InputError` for those without an item."""
    nameless = _unnamed(rows["item"])
    message = "the row does not say what was judged; a row of totals has to go"
    raise_problems(faulty_rows(rows, nameless, message, "item"))
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


def still_judged(rows: pl.DataFrame, where: str) -> pl.Series:
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
