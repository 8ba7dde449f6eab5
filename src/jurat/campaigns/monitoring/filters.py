"""Filters: results of some tasks, judges, documents, systems or tags, without outliers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, NamedTuple, Self

import msgspec

from jurat.condition_language import names, parse
from jurat.errors import input_error, unknown_name

if TYPE_CHECKING:
    import polars as pl

    from jurat.stats import Evaluation

LISTS = ("judges", "without", "documents", "systems", "ways")
# Columns that no statistic looks at; a condition may.
UNUSED = frozenset(
    (
        "campaign",
        "task",
        "phase",
        "shown_at",
        "active_seconds",
        "played_seconds",
        "language",
        "revision",
        "reason",
        "step",
        "kit",
        "site",
    )
)


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """Which of a campaign's judgments count; an empty filter keeps all."""

    task: str = ""
    judges: tuple[str, ...] = ()
    """Only these; adjudicators stay."""
    without: tuple[str, ...] = ()
    """All but these."""
    documents: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    where: str = ""
    """A condition over the columns of the long tables, tags too."""
    ways: tuple[str, ...] = ()
    """Exclusion rules: judges who are outliers by any of them are excluded."""
    k: float = 1.0
    """Standard deviations from the mean that make an outlier."""

    def __post_init__(self) -> None:
        if not 0 < self.k < float("inf"):
            raise input_error("k must be more than 0", field="k", value=self.k, code="not-positive")
        if self.where.strip():
            parse(self.where)

    @classmethod
    def read(cls, fields: Mapping[str, Sequence[str]]) -> Self:
        """A filter from the parameters of an address; raises `InputError`."""
        lists = {n: tuple(filter(None, fields.get(n, ()))) for n in LISTS}
        task, where, k = ((*fields.get(name, ()), "")[0].strip() for name in ("task", "where", "k"))
        try:
            number = float(k or 1)
        except ValueError:
            raise input_error("k must be a number", field="k", value=k, code="number") from None
        return cls(task=task, where=where, k=number, **lists)

    def fields(self) -> list[tuple[str, str]]:
        """The filter as parameters of an address, without defaults."""
        single = [("task", self.task), ("where", self.where), ("k", f"{self.k:g}")]
        told = [(n, value) for n, value in single if value and (n, value) != ("k", "1")]
        return told + [(name, value) for name in LISTS for value in getattr(self, name)]

    @property
    def is_active(self) -> bool:
        """Whether it excludes anything besides other tasks."""
        return bool(self.where or any(getattr(self, name) for name in LISTS))

    def task_only(self) -> Filter:
        """All judgments of the same task."""
        return Filter(task=self.task, k=self.k)


class Filtered(NamedTuple):
    """The judgments that a filter keeps, and the judges whom its rules excluded."""

    evaluation: Evaluation
    outliers: tuple[str, ...] = ()


def apply_filter(tables: Mapping[str, pl.DataFrame], chosen: Filter) -> Filtered:
    """The filtered judgments; exclusion rules see what the rest of the filter keeps."""
    # Two passes: who is an outlier depends on what the rest of the filter keeps.
    left = _evaluation(tables, chosen, ())
    if not chosen.ways:
        return Filtered(left)
    found = tuple(outliers(left, chosen.ways, k=chosen.k))
    return Filtered(_evaluation(tables, chosen, found), found)


def outliers(evaluation: Evaluation, ways: Iterable[str], *, k: float) -> list[str]:
    """The judges who are outliers by any of these rules, sorted."""
    from jurat.stats.judges import outlier_tests
    from jurat.stats.settings import JudgeSettings

    if "judge" not in evaluation.columns:
        return []
    found = {
        way.name: way
        for way in outlier_tests.outliers_by_way(evaluation, JudgeSettings(k=k, bootstrap=0))
    }
    hit: set[str] = set()
    for name in ways:
        if name not in found:
            raise unknown_name("exclusion rule", name, found, field="ways")
        hit.update(*map(found[name].found, found[name].values))
    return sorted(hit)


def _evaluation(
    tables: Mapping[str, pl.DataFrame], chosen: Filter, outliers: Sequence[str]
) -> Evaluation:
    from jurat.stats import Evaluation
    from jurat.tables import Intake, OwnJudgments
    from jurat.tables.preferences import Preferences, with_rankings

    wide = {name: _rows(frame, chosen, outliers) for name, frame in tables.items()}
    there = {name: frame for name, frame in with_rankings(wide).items() if frame.height}
    intake = Intake(where=chosen.where)
    judged, compared = (_suited(there, n, chosen) for n in ("judgments", "preferences"))
    return Evaluation(
        judgments=None if judged is None else OwnJudgments(judged, where=chosen.where),
        preferences=None if compared is None else Preferences(compared, intake),
        spans=there.get("spans"),
        chosen=dict(_told(chosen, outliers)),
    )


def _suited(tables: Mapping[str, pl.DataFrame], name: str, chosen: Filter) -> pl.DataFrame | None:
    """A table; None if the condition is over columns that only another table has."""
    frame = tables.get(name)
    asked = set(names(parse(chosen.where))) if chosen.where.strip() else set()
    elsewhere = [other for n, other in tables.items() if n != name]
    if frame is None or asked <= {*frame.columns}:
        return frame
    return None if any(asked <= {*other.columns} for other in elsewhere) else frame


def _rows(frame: pl.DataFrame, chosen: Filter, outliers: Sequence[str]) -> pl.DataFrame:
    """The rows of a table that the filter keeps, without columns that no statistic reads."""
    asked = set(names(parse(chosen.where))) if chosen.where.strip() else set()
    from jurat.tables.same_output import of_systems

    frame = of_systems(frame, chosen.systems) if chosen.systems else frame
    conditions = list(_conditions(chosen, outliers, asked))
    columns = [name for name in frame.columns if name not in UNUSED - asked]
    # Filtering copies the table, which is needless where every row stays.
    if conditions and not (mask := frame.select(reduce(and_, conditions)).to_series()).all():
        return frame.select(columns).filter(mask)
    return frame.select(columns)


def _conditions(chosen: Filter, outliers: Sequence[str], asked: set[str]) -> Iterator[pl.Expr]:
    import polars as pl

    settled = pl.col("status") == "adjudicated"
    # A condition over the status or the phase replaces the usual restriction.
    if "status" not in asked:
        yield pl.col("status").is_in(["valid", "adjudicated"])
    if "phase" not in asked:
        yield pl.col("phase") == "evaluation"
    if chosen.task:
        yield pl.col("task") == chosen.task
    if chosen.judges:
        # adjudicators are not among the judges to choose from
        yield pl.col("judge").is_in(chosen.judges) | settled
    if chosen.without or outliers:
        yield ~pl.col("judge").is_in([*chosen.without, *outliers])
    if chosen.documents:
        yield pl.col("document").is_in(chosen.documents)


def _told(chosen: Filter, outliers: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The filter as results' signatures have it."""
    yield "task", chosen.task
    yield "only-judges", "+".join(chosen.judges)
    yield "documents", "+".join(chosen.documents)
    yield "only", "+".join(chosen.systems)
    if chosen.ways:
        yield "outliers", f"{'+'.join(chosen.ways)} (k {chosen.k:g})"
    yield "excluded", "+".join(sorted({*chosen.without, *outliers}))
