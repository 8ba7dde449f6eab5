"""Turns a user's table of comparisons or rankings into the long table of preferences."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import copy
from functools import cached_property
from typing import Literal

import polars as pl

from jurat.errors import input_error, raise_problems
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
)
from jurat.tables.column_map import parse_columns
from jurat.tables.fingerprint import TableHashes
from jurat.tables.intake import WIDE, Intake, timed
from jurat.tables.item_names import itemised
from jurat.tables.judge_kinds import models_note
from jurat.tables.named_columns import visible, with_own_names
from jurat.tables.same_output import for_each_system, has_several, several_systems
from jurat.tables.schema import (
    FILE,
    JUDGMENTS,
    LINE,
    OUTCOMES,
    PREFERENCES,
    RANKINGS,
    SAME_OUTPUT,
    cast_column,
    conform,
    faulty_rows,
    need,
    words,
)
from jurat.tables.suspicious_data import nothing_left_note, table_notes

KNOWN = ("better", "worse", *{**PREFERENCES.schema, **RANKINGS.schema})
# The rank by which WMT's files mark an output that was not ranked.
UNRANKED = -1
TIES = ("tie", "=", "equal", "none", "no preference")
# Whether systems with the same output, joined by `+`, stay one competitor or become several.
Joined = Literal["keep", "split"]

_OUTPUT = re.compile(r"output(\d+)")


class Preferences:
    """The long table of preferences of a user's table, and the options it was read with."""

    def __init__(
        self,
        table: pl.DataFrame,
        intake: Intake | None = None,
        *,
        items: pl.DataFrame | None = None,
        joined: Joined = "keep",
    ) -> None:
        self.intake = intake or Intake()
        _refuse_others(self.intake)
        self._items = items
        self._joined = joined
        self._long = _paired(with_own_names(table, self.intake.columns, KNOWN), joined)
        if table.height and self._long.is_empty():
            raise input_error("no row compares two systems: outcomes or ranks are missing")
        check_judges(self._long, self.intake)
        need(self.frame, self.intake.by, "--by")

    @cached_property
    def frame(self) -> pl.DataFrame:
        """The preferences that count, a row for each comparison of two systems."""
        return self._placed.drop(FILE, LINE, strict=False)

    @cached_property
    def _placed(self) -> pl.DataFrame:
        """The preferences that count, with the file and line of each."""
        rows = _complete(chosen(counted(self._listed.rows, self.intake.where), self.intake.where))
        rows = refuse_judgeless(rows)
        rows = counting_judges(plain_names(rows), self.intake)
        return conform(rows, PREFERENCES)

    @cached_property
    def _listed(self) -> ListedItems:
        return listed_rows(self._long, self._items)

    @cached_property
    def hashes(self) -> TableHashes:
        """The hashes of the preferences that count."""
        return TableHashes(self.frame)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the results has to know about the table first."""
        places = self._placed.select(n for n in (FILE, LINE) if n in self._placed.columns)
        return (
            *self._listed.notes,
            *nothing_left_note(self.frame, self.intake.where),
            *self._models_note(),
            *table_notes(self.frame, places, self.hashes.rows),
        )

    def _models_note(self) -> tuple[str, ...]:
        intake = self.intake
        rows = plain_names(self._long)
        return models_note(rows, intake.model_judges, include_models=intake.include_models)

    def credited(self) -> Preferences:
        """The same preferences, with a row for each of several systems with the same output."""
        if not has_several(self._long):
            return self
        other = copy(self)
        for computed in ("_listed", "_placed", "frame", "hashes", "notes"):
            other.__dict__.pop(computed, None)
        other._long = for_each_system(self._long)
        return other

    def signature(self) -> dict[str, str]:
        """The numbers of judges and pairs, and the options, for a result's signature."""
        judges = (
            {"judges": str(self.frame["judge"].n_unique())} if "judge" in self.frame.columns else {}
        )
        pairs = {"pairs": str(self.frame.height)}
        split = {"joined": "split"} if self._joined == "split" else {}
        return judges | pairs | split | listed(self._items) | self.intake.signature()


def tells_preferences(table: pl.DataFrame, intake: Intake) -> bool:
    """Whether a table compares systems instead of rating them, by the names of its columns."""
    told = {*table.columns, *parse_columns(intake.columns, {*KNOWN, *JUDGMENTS.schema})}
    ways = ({"system_a", "system_b", "outcome"}, {"better", "worse"}, {"output1", "rank1"})
    if any(way <= told for way in ways):
        return True
    # a table of ratings may also have a rank, which is then one more column
    return {"system", "rank"} <= told and not {"value", "label"} & told and not intake.questions


def with_rankings(
    tables: Mapping[str, pl.DataFrame], *, joined: Joined = "keep"
) -> dict[str, pl.DataFrame]:
    """The tables, with all pairs of the rankings added to the preferences."""
    if "rankings" not in tables:
        return dict(tables)
    pairs = [expand(tables["rankings"], joined=joined)]
    if "preferences" in tables:
        pairs.insert(0, tables["preferences"])
    return {**tables, "preferences": pl.concat(pairs, how="diagonal_relaxed")}


def expand(rankings: pl.DataFrame, *, joined: Joined = "keep") -> pl.DataFrame:
    """All pairs of systems in each ranking as preferences; the one shown first is system A.

    A ranking is one judge's decision about one item at one time.
    """
    need(rankings, RANKINGS.needed, "rankings")
    # position and time tell apart the rankings of a judge who got the same item twice
    names = ("campaign", "task", "judge", "item", "question", "position", "decided_at")
    keys = [name for name in names if name in rankings.columns]
    ranked = rankings.with_columns(
        cast_column(rankings[name], pl.Int64) for name in ("rank", "slot") if name in rankings
    )
    # without slots, the order of rows counts as the order on the screen
    slot = pl.col("slot") if "slot" in ranked.columns else pl.int_range(1, pl.len() + 1).over(keys)
    # the index of a ranking's first row serves as its number
    ranked = ranked.with_row_index(_RANKING).with_columns(
        slot.alias("slot"), pl.col(_RANKING).first().over(keys)
    )
    _refuse_repeats(ranked)
    return _pairs(ranked, joined)


_RANKING = "\0ranking"
# Whether the second of a pair stands for several systems.
_SAME_B = "\0same output"


def _refuse_others(intake: Intake) -> None:
    """Raise `InputError` for options for numeric answers, which preferences do not have."""
    for option in (*WIDE, "weights", "fold", "standardise_where"):
        if getattr(intake, option):
            raise input_error(f"--{option.replace('_', '-')} cannot be used with preferences")


def _refuse_repeats(ranked: pl.DataFrame) -> None:
    """Raise `InputError` if a system has two ranks in one ranking."""
    twice = ranked.select(_RANKING, "system").is_duplicated()
    message = "'{}' is ranked twice by the same judge; a column position or decided_at may help"
    raise_problems(faulty_rows(ranked, twice, message, "system"))


def _paired(frame: pl.DataFrame, joined: Joined) -> pl.DataFrame:
    """The frame with a row per pair, from any of the forms that a table may have."""
    file_columns = visible(frame)
    outputs = [int(m[1]) for name in file_columns if (m := _OUTPUT.fullmatch(name))]
    # the forms are tried from the most to the least explicit one
    if {"system_a", "system_b", "outcome"} <= set(frame.columns):
        return timed(_placed(_outcomes(frame)))
    if {"better", "worse"} <= set(frame.columns):
        better = frame.with_columns(system_a="better", system_b="worse", outcome=pl.lit("a"))
        return timed(_placed(better.drop("better", "worse")))
    if outputs:
        return timed(_placed(_pairs(_ranked(frame, sorted(outputs)), joined)))
    if {"system", "rank"} <= set(frame.columns):
        return timed(expand(_told(_placed(frame)), joined=joined))
    forms = (
        "system_a, system_b, outcome",
        "better, worse",
        "output1…n, rank1…n",
        "item, system, rank",
    )
    raise input_error("no columns say which of two systems is better", allowed=forms)


def _placed(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with a column `item`, if it says what was compared; it need not."""
    parts = [name for name in ("document", "segment", "reference") if name in frame.columns]
    return itemised(frame, parts) if parts or "item" in frame.columns else frame


def _complete(rows: pl.DataFrame) -> pl.DataFrame:
    """The same rows; raises `InputError` for rows without two different systems."""
    for side in ("system_a", "system_b"):
        missing = rows[side].is_null()
        raise_problems(faulty_rows(rows, missing, "one of the two systems is missing", side))
    same = rows["system_a"] == rows["system_b"]
    raise_problems(faulty_rows(rows, same, "'{}' is compared with itself", "system_a"))
    return rows


def _outcomes(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with outcomes in Jurat's words; the name of a system means that it is better."""
    given = words(frame["outcome"]).str.strip_chars()
    small = given.str.to_lowercase()
    tie = small.is_in(TIES).fill_null(value=False)
    # a system may be called `b`: Jurat's words come first, or its own tables could not be read
    named = ~(tie | small.is_in(OUTCOMES).fill_null(value=True))
    first, second = words(frame["system_a"]), words(frame["system_b"])
    _refuse_two_meanings(frame, given, first, second)
    known = small.set(tie, "tie").set((named & (given == first)).fill_null(value=False), "a")
    outcome = known.set((named & (given == second)).fill_null(value=False), "b").alias("outcome")
    strange = outcome.is_not_null() & ~outcome.is_in(OUTCOMES)
    allowed = (*OUTCOMES, "the name of one of the two systems")
    wrong = "'{}' is not an outcome of a comparison"
    raise_problems(faulty_rows(frame, strange, wrong, "outcome", allowed=allowed))
    return frame.with_columns(outcome).filter(outcome.is_not_null())


def _refuse_two_meanings(
    frame: pl.DataFrame, given: pl.Series, first: pl.Series, second: pl.Series
) -> None:
    """Raise `InputError` for an outcome `A` that is the name of the system on side b.

    Jurat's own words are small letters, so that a capital may be either a side or a system.
    """
    turned = ((given == "A") & (second == "A")) | ((given == "B") & (first == "B"))
    message = "'{}' may be a system or a side; write a or b for sides, or give systems other names"
    raise_problems(faulty_rows(frame, turned.fill_null(value=False), message, "outcome"))


def _ranked(frame: pl.DataFrame, outputs: list[int]) -> pl.DataFrame:
    """A wide ranking as rows with a slot, a system and its rank."""
    columns = visible(frame)
    need(pl.DataFrame(columns), [f"rank{n}" for n in outputs], "rankings in wide form")
    rows = frame.with_row_index(_RANKING)
    slots = [
        rows.with_columns(
            words(columns[f"output{n}"]).alias("system"),
            words(columns[f"rank{n}"]).alias("rank"),
            slot=pl.lit(n, dtype=pl.Int64),
        )
        for n in outputs
    ]
    return _told(pl.concat(slots))


def _told(ranked: pl.DataFrame) -> pl.DataFrame:
    """The rows that have a system and a rank, with ranks as numbers."""
    told = ranked.filter(pl.col("system").is_not_null() & pl.col("rank").is_not_null())
    known = [name for name in ("rank", "slot") if name in told.columns]
    checked = conform(
        # only for the check of types: `item` is required there, but not in a table of comparisons
        told.select("system", *known, *(n for n in (FILE, LINE) if n in told), item=pl.lit("")),
        RANKINGS,
    )
    ranked_ones = told.with_columns(checked[name] for name in ("system", *known))
    ranked_ones = ranked_ones.filter(pl.col("rank") != UNRANKED)
    wrong = faulty_rows(
        ranked_ones, ranked_ones["rank"] < 1, "'{}' is not a rank: 1 is best", "rank"
    )
    raise_problems(wrong)
    return ranked_ones


def _pairs(ranked: pl.DataFrame, joined: Joined) -> pl.DataFrame:
    """The pairs of earlier and later slots of each ranking, with their outcome."""
    # the ranking joined with itself: every two of its rows
    side = ranked.select(
        _RANKING,
        slot_b="slot",
        system_b="system",
        rank_b="rank",
        **({_SAME_B: several_systems(ranked)} if SAME_OUTPUT in ranked.columns else {}),
    )
    first, second = pl.col("rank"), pl.col("rank_b")
    outcome = pl.when(first < second).then(pl.lit("a")).when(first > second).then(pl.lit("b"))
    pairs = (
        ranked.drop("system_a", "system_b", "outcome", strict=False)
        .join(side, on=_RANKING)
        # each pair once, and no system with itself
        .filter(pl.col("slot") < pl.col("slot_b"))
        .sort(_RANKING, "slot", "slot_b")
        .with_columns(outcome.otherwise(pl.lit("tie")).alias("outcome"))
        .rename({"system": "system_a"})
        .drop(_RANKING, "slot", "slot_b", "rank", "rank_b")
    )
    if _SAME_B in pairs.columns:
        either = several_systems(pairs) | pairs[_SAME_B]
        pairs = pairs.with_columns(either.alias(SAME_OUTPUT)).drop(_SAME_B)
    return pairs if joined == "keep" else _split(pairs)


def _split(pairs: pl.DataFrame) -> pl.DataFrame:
    """The pairs with joined systems split into one row each."""
    for side in ("system_a", "system_b"):
        pairs = pairs.with_columns(pl.col(side).str.split("+")).explode(side)
    return pairs
