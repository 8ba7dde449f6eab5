"""Judges in groups, by the reference or source that they saw, and permutations of the groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from jurat.errors import input_error, unknown_name
from jurat.resampling.parallel import CELLS, run
from jurat.resampling.permutation import LabelPermutation
from jurat.results import Estimate, Result
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Codes, Ratings, coded
from jurat.stats.settings import GroupSettings
from jurat.stats.statistic import Answer, Statistic
from jurat.tables import need
from jurat.tables.column_map import joined
from jurat.tables.schema import words

Mask = NDArray[np.bool_]
Generator = np.random.Generator
Score = Callable[..., Array]

PERMUTATIONS = 9_999
# Labels of pairs or judges in all permutations together; of very many there are fewer.
MOST = 2**29
FEWEST = 199

# What the group that saw the source is called, unless its name is given.
SOURCES = ("source", "src")
GROUP = "\0group"
PERSON = "\0person"
# What makes items the same although their references differ.
SAME = ("document", "segment", "system")


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgeGroups:
    """The first answers of judges, and the group of each judge.

    A judge who was in several groups counts as one judge in each; `person` tells that they are one.
    """

    ratings: Ratings
    names: list[str]
    row_group: Codes = field(repr=False)
    source: str = ""

    @cached_property
    def judge_group(self) -> Codes:
        """The group of each of the judges."""
        found = np.zeros(len(self.ratings.judges), dtype=np.int64)
        found[self.ratings.judge_codes] = self.row_group
        return found

    @cached_property
    def person(self) -> Codes:
        """Who each of the judges is: the same number for one person in several groups."""
        found = np.zeros(len(self.ratings.judges), dtype=np.int64)
        found[self.ratings.judge_codes] = self.ratings.coded(PERSON)[0]
        return found

    @property
    def references(self) -> list[str]:
        """The groups that saw a reference."""
        return [name for name in self.names if name != self.source]

    def saw_reference(self, groups: Codes) -> Mask:
        """Which of the groups, given by number, saw a reference."""
        return np.array([name != self.source for name in self.names], dtype=np.bool_)[groups]

    def missing(self, reason: str) -> Estimate:
        """An estimate about all groups that cannot be computed, and why."""
        return Estimate(None, 0, by=self.ratings.by, tags=self.ratings.tags, reason=reason)

    def kinds(self, a: Codes, b: Codes) -> dict[str, Mask]:
        """Which pairs of judges are of which kind; only `all` where there are no groups."""
        # The same person in two groups is no pair of judges.
        apart = self.person[a] != self.person[b]
        if not self.names[1:]:
            return {"all": apart}
        one, other = self.judge_group[a], self.judge_group[b]
        monolingual = apart & self.saw_reference(one) & self.saw_reference(other)
        found = {"within": monolingual & (one == other), "across": monolingual & (one != other)}
        if self.source:
            found["source"] = apart & ~self.saw_reference(one) & (one == other)
        return {**found, "all": apart}


class GroupStatistic(Statistic[GroupSettings]):
    """A statistic of judges in groups: subclasses give `answers` from the groups' ratings."""

    def answers(self, parts: Sequence[JudgeGroups], settings: GroupSettings) -> Iterator[Answer]:
        """The answers to its question, from every question and split."""
        raise NotImplementedError

    def results(self, evaluation: Evaluation, settings: GroupSettings) -> Iterator[Result]:
        """The answers as results, with the choice of groups in their signatures."""
        for answer in self.answers(judged_groups(evaluation, settings), settings):
            yield answer.result(self, evaluation, settings, settings.signature())


def judged_groups(evaluation: Evaluation, settings: GroupSettings) -> tuple[JudgeGroups, ...]:
    """The groups of every question and split, by the column that the settings name."""
    return evaluation.once(judge_groups, settings.group, settings.source)


def judge_groups(evaluation: Evaluation, group: str, source: str | None) -> tuple[JudgeGroups, ...]:
    """Every question and split of the evaluation, in groups by the column."""
    # Checked once for all questions, so that a misspelt group is told before any work.
    seen = source_group(group_names(evaluation, group), source)
    return tuple(group_ratings(ratings, group, seen) for ratings in evaluation.ratings)


def group_names(evaluation: Evaluation, group: str) -> list[str]:
    """Every group that the column names."""
    need(evaluation.judged, (group,), "--group")
    names = coded(words(evaluation.valid[group].drop_nulls()))[1]
    if not names:
        raise input_error(f"the column '{group}' is empty, and tells no groups", field="--group")
    return names


def source_group(names: Sequence[str], asked: str | None) -> str:
    """The group that saw the source: as asked, or by its name; empty where none did."""
    if asked is None:
        return next((name for name in names if name.lower() in SOURCES), "")
    if asked and asked not in names:
        raise unknown_name("group", asked, names, field="--source")
    return asked


def group_ratings(ratings: Ratings, group: str, source: str = "") -> JudgeGroups:
    """Answers with their groups; one without a group says nothing here and goes."""
    frame = ratings.frame.with_columns(words(ratings.frame[group]).alias(GROUP))
    frame = _one_group_each(shared_items(frame.filter(pl.col(GROUP).is_not_null())))
    firsts = replace(ratings, frame=frame).firsts
    codes, names = firsts.coded(GROUP)
    return JudgeGroups(
        ratings=firsts, names=names, row_group=codes, source=source if source in names else ""
    )


def one_group(ratings: Ratings) -> JudgeGroups:
    """Answers of judges who are all in the same group."""
    firsts = replace(ratings, frame=_one_group_each(ratings.frame)).firsts
    return JudgeGroups(ratings=firsts, names=[""], row_group=np.zeros(len(firsts), dtype=np.int64))


def shared_items(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with items that groups share.

    An item's name may tell its reference, so that no two groups have one in common: document,
    segment and system then say what was judged.
    """
    parts = [frame[name] for name in SAME if name in frame.columns]
    # Items that groups share already need no other name.
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


def permute_groups(
    score: Score,
    arrays: tuple[Array | Codes, ...],
    *,
    labels: Codes,
    person: Codes,
    units: int,
    permutations: int = PERMUTATIONS,
    seed: int,
    jobs: int = 1,
) -> LabelPermutation:
    """Give the judges' labels to other judges, and score each time.

    `score(labels, *arrays)` gives a value, or several, for each row of labels. `units` is how many
    numbers it looks at: that bounds how many permutations there are. A judge who has several labels
    keeps them, and they go to other parts of their own work.
    """
    # Labels change places within a stratum: within a person who has several, else among all.
    strata = person if len(np.unique(person)) < len(person) else np.zeros_like(person)
    permutations = max(FEWEST, min(permutations, MOST // max(units, 1)))
    # The observed labels are no permutation of these; `p_value` counts them as one more.
    values = run(
        partial(_shuffle_and_score, score),
        (labels, strata, *arrays),
        rows=permutations,
        at_once=max(1, CELLS // max(units, 1)),
        seed=seed,
        jobs=jobs,
    )
    return LabelPermutation(
        estimate=score(labels[None], *arrays)[0],
        replicates=values,
        groups=tuple(np.unique(labels).tolist()),
        undefined=np.asarray(np.isnan(values).sum(axis=0)),
        n_units=len(labels),
        method=f"{permutations:,} random relabellings of {len(labels)} judges",
        seed=seed,
    )


def _shuffle_and_score(
    score: Score, rng: Generator, rows: int, labels: Codes, strata: Codes, *arrays: Array
) -> Array:
    return score(shuffle_labels(rng, rows, labels, strata), *arrays)


def shuffle_labels(rng: Generator, rows: int, labels: Codes, strata: Codes) -> Codes:
    """Labels (rows × judges) that changed places within their stratum."""
    # Sorting by stratum plus a random fraction shuffles within strata only.
    where = np.argsort(strata + rng.random((rows, len(labels))), axis=1)
    found = np.empty((rows, len(labels)), dtype=np.int64)
    np.put_along_axis(found, where, labels[np.argsort(strata, kind="stable")][None], axis=1)
    return found
