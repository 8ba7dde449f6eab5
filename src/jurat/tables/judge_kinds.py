"""People and language models as judges: told apart, and never mixed unless that is asked for."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from jurat.errors import input_error
from jurat.tables.schema import words

# The column that tells them apart, and what it says.
JUDGE_KIND, MODEL, PERSON = "judge_kind", "model", "person"
# Names of models that a note lists.
MOST_LISTED = 3


def by_models(rows: pl.DataFrame, named: Sequence[str]) -> pl.Series | None:
    """Which rows are a model judge's: by the column `judge_kind`, or as `named`.

    None where neither says that there is any.
    """
    marks = []
    if JUDGE_KIND in rows.columns:
        marks.append(words(rows[JUDGE_KIND]).str.strip_chars().str.to_lowercase() == MODEL)
    if named and "judge" in rows.columns:
        marks.append(words(rows["judge"]).is_in(named))
    if not marks:
        return None
    found = marks[0].fill_null(value=False)
    for mark in marks[1:]:
        found |= mark.fill_null(value=False)
    return found if found.any() else None


def of_kinds(rows: pl.DataFrame, named: Sequence[str], *, include_models: bool) -> pl.DataFrame:
    """People's rows; with `include_models` all rows, and a column `judge_kind` that is complete.

    Raises `InputError` where only models have judged and they are not to be included.
    """
    models = by_models(rows, named)
    if models is None:
        return rows
    if include_models:
        kinds = pl.when(models).then(pl.lit(MODEL)).otherwise(pl.lit(PERSON))
        return rows.with_columns(pl.select(kinds.alias(JUDGE_KIND)).to_series())
    if models.all():
        raise input_error("all judgments are by model judges; --include-models counts them")
    return rows.filter(~models)


def models_note(
    rows: pl.DataFrame, named: Sequence[str], *, include_models: bool
) -> tuple[str, ...]:
    """What is said of model judges: that they are left out, or that they count; else nothing."""
    models = by_models(rows, named)
    if models is None:
        return ()
    own = rows.filter(models)
    names = words(own["judge"]).unique().sort().to_list() if "judge" in own.columns else []
    who = f" ({', '.join(names[:MOST_LISTED])}{', …' if len(names) > MOST_LISTED else ''})"
    said = "are included" if include_models else "are left out; --include-models"
    end = "" if include_models else " counts them"
    return (f"{own.height:,} answers of model judges{who if names else ''} {said}{end}",)
