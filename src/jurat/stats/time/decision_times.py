"""The times of decisions, read from tables: as arrays, with means of groups of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from jurat.cache import Memoized
from jurat.resampling.student_t import t_quantile
from jurat.results import Estimate, Key, Result
from jurat.stats.cluster_inference import THESE_JUDGES, Clusters, Finding, infer, varying_words
from jurat.stats.estimates import Estimates, first_method, method_line
from jurat.stats.evaluation_tables import Evaluation, by_question
from jurat.stats.independent_units import units_of_table
from jurat.stats.linear_model import LinearModel
from jurat.stats.ratings import Array, Codes, coded, numbered, summed
from jurat.stats.settings import TimeSettings
from jurat.stats.statistic import Statistic
from jurat.tables import Intake
from jurat.tables.column_map import parse_columns
from jurat.tables.preferences import KNOWN
from jurat.tables.schema import JUDGMENTS

NO_TIMES = "no decision has a time"
# The columns by which the rows of one ranking are known as one decision.
DECISION = ("campaign", "task", "judge", "item", "question", "position", "decided_at")


@dataclass(frozen=True, kw_only=True, eq=False)
class DecisionTimes(Memoized):
    """The timed decisions of one question, in one split; each row of the frame is one decision."""

    question: str
    frame: pl.DataFrame = field(repr=False)
    untimed: int = 0
    """Decisions left out because their time is missing or negative."""
    tags: Mapping[str, Key] = field(default_factory=dict)
    chosen: _Choice | None = field(default=None, repr=False)
    """Which decisions of which others they are, where they were chosen from others."""

    def __len__(self) -> int:
        return self.frame.height

    @property
    def by(self) -> dict[str, Key]:
        """What every estimate about these times is of."""
        return {"question": self.question}

    def has(self, column: str) -> bool:
        """Whether a column is there and has a value."""
        return column in self.frame.columns and self.frame[column].null_count() < len(self)

    def where(self, rows: NDArray[np.bool_]) -> DecisionTimes:
        """Some of the decisions."""
        chosen = _Choice(self, rows)
        return replace(self, frame=self.frame.filter(pl.Series(rows)), chosen=chosen)

    def within(self, cap: float) -> DecisionTimes:
        """The decisions that took no longer than this; chosen once."""
        return self.once(_within, cap)

    @cached_property
    def seconds(self) -> Array:
        """How long each decision took."""
        return self.frame["seconds"].to_numpy().astype(np.float64)

    @cached_property
    def judge_codes(self) -> Codes:
        """The judge of each decision; without judges all are one."""
        return self.grouped("judge")[0] if self.has("judge") else np.zeros(len(self), np.int64)

    @cached_property
    def item_codes(self) -> Codes:
        """The item of each decision; without items each has its own."""
        return self.grouped("item")[0] if self.has("item") else np.arange(len(self))

    def grouped(self, column: str) -> tuple[Codes, list[str]]:
        """A column as numbers from 0, and the sorted names that they stand for."""
        return self.once(_grouped, column)


def _within(times: DecisionTimes, cap: float) -> DecisionTimes:
    rows = times.seconds <= cap
    return times if rows.all() else times.where(rows)


class _Choice(NamedTuple):
    """Some of the decisions of a table, whose names have numbers already."""

    times: DecisionTimes
    rows: NDArray[np.bool_]


def _grouped(times: DecisionTimes, column: str) -> tuple[Codes, list[str]]:
    if times.chosen is None:
        return coded(times.frame[column])
    codes, names = times.chosen.times.grouped(column)
    known, own = numbered(codes[times.chosen.rows], len(names))
    return own, [names[at] for at in known]


class MeanSeconds(NamedTuple):
    """Means of groups of decisions, with intervals, and how many decisions each is of."""

    made: Estimates
    counts: Codes

    def estimate(self, times: DecisionTimes, at: int = 0, **keys: Key) -> Estimate:
        """The mean of one group."""
        n = int(self.counts[at])
        return self.made.estimate(at, n=n, about=times, by=keys, reason=NO_TIMES)


class TimeStatistic(Statistic[TimeSettings]):
    """A statistic of the times of decisions, with intervals for new documents and judges."""

    resampled = False

    def time_result(
        self,
        evaluation: Evaluation,
        settings: TimeSettings,
        estimates: Sequence[Estimate],
        *,
        method: str,
        made: Sequence[Estimates] = (),
        missing: str = NO_TIMES,
        **more: Any,
    ) -> Result:
        """A result; `made` says how its intervals were made, `missing` why it has no estimates."""
        return self.result(
            evaluation,
            settings,
            estimates or [Estimate(value=None, n=0, reason=missing)],
            method=method,
            how=first_method(made),
            **more,
        )


def decision_times(evaluation: Evaluation) -> tuple[DecisionTimes, ...]:
    """The times of all judges' decisions, apart for each question and split; found once."""
    return evaluation.once(_decision_times)


def _decision_times(evaluation: Evaluation) -> tuple[DecisionTimes, ...]:
    return tuple(_all_times(evaluation))


def _all_times(evaluation: Evaluation) -> Iterator[DecisionTimes]:
    judged = evaluation.judged
    if not judged.is_empty():
        # an adjudicator's time is not a judge's; controls take as long as other items
        valid = judged.filter((pl.col("status") == "valid").fill_null(value=True))
        yield from _parts(evaluation, valid, "value")
    compared = evaluation.compared
    if not compared.is_empty():
        yield from _parts(evaluation, _once(compared), "preference")


def group_means(
    times: DecisionTimes,
    groups: Codes,
    size: int,
    settings: TimeSettings,
    *,
    new_judges: bool = True,
) -> MeanSeconds:
    """The mean seconds of each group, with t intervals for new documents and judges.

    Without `new_judges` documents alone vary: the groups are judges.
    """
    counts = np.bincount(groups, minlength=size)
    rows = np.split(np.argsort(groups, kind="stable"), np.cumsum(counts)[:-1])
    found = [infer_mean(times, of, times.seconds[of], settings, new_judges) for of in rows]
    return MeanSeconds(mean_estimates(times, found, settings, new_judges), counts)


def overall_mean(times: DecisionTimes, settings: TimeSettings) -> MeanSeconds:
    """The mean seconds of all decisions; made once."""
    # estimates of times, which no mean depends on, cannot be part of a key
    return times.once(_overall_mean, settings.unit, settings.confidence, settings.bootstrap)


def _overall_mean(
    times: DecisionTimes,
    unit: Literal["", "document", "segment"],
    confidence: float,
    bootstrap: int,
) -> MeanSeconds:
    settings = TimeSettings(unit=unit, confidence=confidence, bootstrap=bootstrap)
    return group_means(times, np.zeros(len(times), np.int64), 1, settings)


def infer_mean(
    times: DecisionTimes,
    rows: Codes,
    values: Array,
    settings: TimeSettings,
    new_judges: bool = True,
    *,
    weights: Array | None = None,
) -> Finding:
    """The mean of values of some decisions (rows), with an interval for new documents and judges.

    Documents (items where these are unknown) that several judges share make their times alike, as
    a judge's own pace does.
    """
    if not len(rows):
        return Finding(np.nan)
    units = times.once(units_of_table, settings.unit)
    judge = times.judge_codes[rows] if new_judges and times.has("judge") else None
    clusters = Clusters(units.of_item[times.item_codes[rows]], judge, units.word)
    model = LinearModel(values=values, system=np.zeros(len(rows), np.int64), weights=weights)
    found = infer(model.contrast(np.ones(1)), clusters, confidence=settings.confidence)
    if weights is not None:
        return found
    # summed judge by judge: published means differ in their last digit otherwise
    by_judge = summed(times.judge_codes[rows], values)
    return found._replace(value=float(by_judge.cumsum()[-1] / len(rows)))


def mean_estimates(
    times: DecisionTimes,
    found: Sequence[Finding],
    settings: TimeSettings,
    new_judges: bool = True,
) -> Estimates:
    """Findings with intervals if the settings ask for any; a note says for whom they hold."""
    values = np.array([one.value for one in found])
    if not settings.intervals or not len(times):
        return Estimates.without_intervals(values)
    how = varying(times, settings, new_judges)
    return Estimates(
        values=values,
        # no decision takes less than no time
        low=np.maximum([one.low for one in found], 0.0),
        high=np.array([one.high for one in found]),
        method=f"{100 * settings.confidence:g} % t interval, {how}",
        notes=tuple(map(_note, found)),
    )


def varying(times: DecisionTimes, settings: TimeSettings, new_judges: bool = True) -> str:
    """What intervals take as varying, as a method says it."""
    units = times.once(units_of_table, settings.unit)
    judges = len(np.unique(times.judge_codes)) if new_judges and times.has("judge") else 0
    return method_line(varying_words(units.word, judges), units.note)


def _note(found: Finding) -> str:
    """For whom an interval holds, or why there is none."""
    none = np.isnan(found.low) and found.reason
    return f"no interval: {found.reason}" if none else found.scope


def whose(mean: Estimate) -> str:
    """` (for these judges only)` in a headline, where the interval holds for no others."""
    return f" ({THESE_JUDGES})" if THESE_JUDGES in mean.note else ""


def independent_means(
    values: Array, groups: Codes, size: int, settings: TimeSettings
) -> MeanSeconds:
    """The mean of each group, with a t interval that takes its values as independent."""
    counts = np.bincount(groups, minlength=size)
    n = np.where(counts > 0, counts, np.nan)
    mean = np.bincount(groups, weights=values, minlength=size) / n
    squares = np.bincount(groups, weights=(values - mean[groups]) ** 2, minlength=size)
    error = np.sqrt(squares / np.where(n > 1, (n - 1) * n, np.nan))
    if not settings.intervals:
        error = np.full(size, np.nan)
    reach = t_quantile(np.maximum(counts - 1.0, 1.0), (1 + settings.confidence) / 2) * error
    method = f"{100 * settings.confidence:g} % t interval over judges" if settings.intervals else ""
    # no decision takes less than no time
    low, high = np.maximum(mean - reach, 0), mean + reach
    return MeanSeconds(Estimates(values=mean, low=low, high=high, method=method), counts)


def _once(rows: pl.DataFrame) -> pl.DataFrame:
    """A row a decision: the pairs of one ranking were decided together, in one time.

    Where neither position nor time of a decision tells it, all pairs of some systems that a judge
    compared on an item in the same time are a ranking, if the whole table is like that.
    """
    keys = [name for name in DECISION if name in rows.columns]
    # either is the same for all pairs of a ranking, and no other decision has it
    if {"position", "decided_at"} & {*keys}:
        return rows.unique(keys, keep="first", maintain_order=True)
    if "item" not in keys or "seconds" not in rows.columns:
        return rows
    keys.append("seconds")
    systems = pl.concat_list("system_a", "system_b").explode().n_unique()
    groups = rows.group_by(keys).agg(pairs=pl.len(), systems=systems)
    several = groups.filter(pl.col("pairs") > 1)
    # a ranking of s systems has become s (s − 1) / 2 rows
    whole = several["pairs"] == several["systems"] * (several["systems"] - 1) // 2
    ranked = several.height and whole.all()
    return rows.unique(keys, keep="first", maintain_order=True) if ranked else rows


def _parts(evaluation: Evaluation, rows: pl.DataFrame, unnamed: str) -> Iterator[DecisionTimes]:
    if "seconds" not in rows.columns:
        rows = rows.with_columns(seconds=pl.lit(None, dtype=pl.Float64))
    asked = pl.col("question").fill_null(unnamed) if "question" in rows.columns else pl.lit(unnamed)
    named = rows.with_columns(question=asked)
    for question, of_question in by_question(named):
        for tags, frame in evaluation.split(of_question):
            # a clock that was set back in between gives a negative time
            timed = frame.filter((pl.col("seconds") >= 0).fill_null(value=False))
            left_out = frame.height - timed.height
            yield DecisionTimes(question=question, frame=timed, untimed=left_out, tags=tags)


# Any of these columns tells which item a decision is about.
ITEM = {"item", "document", "segment", "system", "reference"}


def known_columns(table: pl.DataFrame, intake: Intake) -> set[str]:
    """The names of a table's columns, their own or by the column map."""
    return {*table.columns, *parse_columns(intake.columns, {*KNOWN, *JUDGMENTS.schema})}


def decisions(table: pl.DataFrame, intake: Intake) -> pl.DataFrame:
    """A table of times as one of judgments, also where it has no answers or is a wide ranking.

    A decision without an answer has taken its time too.
    """
    names = known_columns(table, intake)
    ranked = {"output1", "rank1"} <= names
    if intake.questions or intake.systems or intake.sum or {"value", "label"} & names:
        return table
    if not ranked and ({"outcome"} <= names or {"better", "worse"} <= names or "rank" in names):
        return table
    if ranked:
        # a ranking is one decision with one time, however many systems it ranks
        table = table.select(pl.exclude("^(output|rank)[0-9]+$"))
    if "question" not in names:
        table = table.with_columns(question=pl.lit("ranking" if ranked else "decision"))
    if not ITEM & names:
        table = table.with_columns(item=pl.int_range(1, pl.len() + 1).cast(pl.String))
    # a table of judgments needs an answer; no statistic of times looks at it
    return table.with_columns(value=pl.lit("0"))
