"""Judges in groups: who saw which reference, or the source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from jurat.faults import complain, unknown
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Codes, Ratings, coded
from jurat.stats.statistic import Settings
from jurat.tables import need
from jurat.tables.columns import words
from jurat.tables.mapping import joined

Mask = NDArray[np.bool_]

SOURCES = ("source", "src")
"""What the group that saw the source is called, unless its name is given."""
GROUP = "\0group"
PERSON = "\0person"
SAME = ("document", "segment", "system")
"""What makes items the same although their references differ."""


class Grouping(Settings, frozen=True, kw_only=True):
    """The column that tells judges' groups, and which of them saw the source."""

    group: str = ""
    source: str | None = None
    """None: the group called source, if there is one; empty: no group saw the source."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Groups:
    """Answers whose judges are in groups.

    Of `ratings` only the first answers are there. A judge who was in several groups is a judge of
    his own in each; `person` tells that they are one.
    """

    ratings: Ratings
    names: list[str]
    of_row: Codes = field(repr=False)
    source: str = ""

    @cached_property
    def of_judge(self) -> Codes:
        """The group of each of the judges."""
        found = np.zeros(len(self.ratings.judges), dtype=np.int64)
        found[self.ratings.judge_codes] = self.of_row
        return found

    @cached_property
    def person(self) -> Codes:
        """Who each of the judges is: the same number for one person in several groups."""
        found = np.zeros(len(self.ratings.judges), dtype=np.int64)
        found[self.ratings.judge_codes] = self.ratings.coded(PERSON)[0]
        return found

    @property
    def crossed(self) -> bool:
        """Whether a judge was in several groups."""
        return len(np.unique(self.person)) < len(self.person)

    @property
    def references(self) -> list[str]:
        """The groups that saw a reference."""
        return [name for name in self.names if name != self.source]

    def saw_reference(self, groups: Codes) -> Mask:
        """Which of the groups, given by number, saw a reference."""
        return np.array([name != self.source for name in self.names], dtype=np.bool_)[groups]

    def kinds(self, a: Codes, b: Codes) -> dict[str, Mask]:
        """Which pairs of judges are of which kind; only `all` where there are no groups."""
        apart = self.person[a] != self.person[b]
        if not self.names[1:]:
            return {"all": apart}
        one, other = self.of_judge[a], self.of_judge[b]
        monolingual = apart & self.saw_reference(one) & self.saw_reference(other)
        found = {"within": monolingual & (one == other), "across": monolingual & (one != other)}
        if self.source:
            found["source"] = apart & ~self.saw_reference(one) & (one == other)
        return {**found, "all": apart}


def grouped(evaluation: Evaluation, group: str, source: str | None) -> tuple[Groups, ...]:
    """Every question and split of the evaluation, in groups by the column."""
    seen = source_of(groups_in(evaluation, group), source)
    return tuple(groups_of(ratings, group, seen) for ratings in evaluation.ratings)


def groups_in(evaluation: Evaluation, group: str) -> list[str]:
    """Every group that the column names."""
    need(evaluation.judged, (group,), "--group")
    names = coded(words(evaluation.valid[group].drop_nulls()))[1]
    if not names:
        raise complain(f"the column '{group}' is empty, and tells no groups", field="--group")
    return names


def source_of(names: Sequence[str], asked: str | None) -> str:
    """The group that saw the source: as asked, or by its name; empty where none did."""
    if asked is None:
        return next((name for name in names if name.lower() in SOURCES), "")
    if asked and asked not in names:
        raise unknown("group", asked, names, field="--source")
    return asked


def groups_of(ratings: Ratings, group: str, source: str = "") -> Groups:
    """Answers with their groups; one without a group says nothing here and goes."""
    frame = ratings.frame.with_columns(words(ratings.frame[group]).alias(GROUP))
    frame = _one_group_each(shared_items(frame.filter(pl.col(GROUP).is_not_null())))
    firsts = replace(ratings, frame=frame).firsts
    codes, names = firsts.coded(GROUP)
    return Groups(
        ratings=firsts, names=names, of_row=codes, source=source if source in names else ""
    )


def ungrouped(ratings: Ratings) -> Groups:
    """Answers of judges who are all in the same group."""
    firsts = replace(ratings, frame=_one_group_each(ratings.frame)).firsts
    return Groups(ratings=firsts, names=[""], of_row=np.zeros(len(firsts), dtype=np.int64))


def shared_items(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with items that groups share.

    An item's name may tell its reference, so that no two groups have one in common: document,
    segment and system then say what was judged.
    """
    parts = [frame[name] for name in SAME if name in frame.columns]
    if not parts or _shares(frame):
        return frame
    alike = joined(parts) if len(parts) > 1 else words(parts[0])
    renamed = frame.with_columns(alike.fill_null("").alias("item"))
    return renamed if _shares(renamed) else frame


def _shares(frame: pl.DataFrame) -> bool:
    """Whether an item was judged in more than one group."""
    return frame.select("item", GROUP).n_unique() > frame["item"].n_unique()


def _one_group_each(frame: pl.DataFrame) -> pl.DataFrame:
    """A judge of several groups made several judges, and who is meant."""
    if "judge" not in frame.columns:
        return frame
    frame = frame.with_columns(pl.col("judge").alias(PERSON))
    if GROUP not in frame.columns:
        return frame
    if frame.select("judge", GROUP).n_unique() == frame["judge"].n_unique():
        return frame
    return frame.with_columns(joined([frame["judge"], frame[GROUP]]).alias("judge"))
