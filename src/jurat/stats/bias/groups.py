"""Judges in groups by the reference or source they saw, and permutation tests of the groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import lgamma

import numpy as np
import polars as pl
from numpy.typing import NDArray

from jurat.errors import input_error, unknown_name
from jurat.resampling.engine import CELLS, run
from jurat.resampling.permutation import LabelPermutation
from jurat.results import Estimate, Result
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.ratings import Array, Codes, Ratings, coded
from jurat.stats.settings import BiasSettings, GroupSettings, Settings
from jurat.stats.statistic import Answer, Statistic
from jurat.tables import need
from jurat.tables.column_map import joined
from jurat.tables.schema import words

Mask = NDArray[np.bool_]
Generator = np.random.Generator
Score = Callable[..., Array]

PERMUTATIONS = 9_999
# Numbers that all permutations together may look at: beyond it there are fewer permutations.
MOST = 2**29
FEWEST_PERMUTATIONS = 199
LEVEL = 0.05

# Names of the group that saw the source, unless its name is given.
SOURCE_NAMES = ("source", "src")
GROUP = "\0group"
PERSON = "\0person"
# Columns that identify an item where its name includes its reference.
ITEM_KEYS = ("document", "segment", "system")


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgeGroups:
    """The first answers of judges to one question, and the group of each judge.

    A judge who was in several groups counts as another judge in each; `person` says who is who.
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
        """The person behind each of the judges: the same number in several groups."""
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
        """Masks of the pairs of judges: within a reference, across references, source, and all.

        Only `all` where there are no groups.
        """
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

    def test(
        self,
        score: Score,
        arrays: tuple[Array | Codes, ...],
        judges: Codes,
        settings: Settings,
        *,
        units: int,
        permutations: int = PERMUTATIONS,
    ) -> LabelPermutation:
        """The permutation test of a score, with the groups of these judges permuted.

        See `permute_groups` for `score`, `arrays` and `units`.
        """
        return permute_groups(
            score,
            arrays,
            labels=self.judge_group[judges],
            person=self.person[judges],
            units=units,
            permutations=permutations,
            seed=settings.seed,
            jobs=settings.jobs,
        )

    def too_few(self, judges: Codes) -> str:
        """Why a permutation test of these judges' groups cannot reject; empty where it can."""
        labels = self.judge_group[judges]
        least = smallest_p(labels, self.person[judges])
        if least < LEVEL:
            return ""
        sizes = " + ".join(str(count) for count in np.bincount(labels) if count)
        return f"{sizes} judges cannot reach p < .05: the smallest possible p is {least:.2f}"


class GroupStatistic(Statistic[BiasSettings]):
    """A statistic of judges in groups: subclasses give `answers` from the groups' ratings."""

    def answers(self, parts: Sequence[JudgeGroups], settings: BiasSettings) -> Iterator[Answer]:
        """The answers to its question, from the groups of every question and split."""
        raise NotImplementedError

    def results(self, evaluation: Evaluation, settings: BiasSettings) -> Iterator[Result]:
        """The answers as results, with the choice of groups in their signatures."""
        for answer in self.answers(judge_groups(evaluation, settings), settings):
            yield answer.result(self, evaluation, settings, settings.signature())


def judge_groups(evaluation: Evaluation, settings: GroupSettings) -> tuple[JudgeGroups, ...]:
    """The groups of every question and split, by the column that the settings name.

    Raises InputError where that column is missing or empty, or the source group is unknown.
    """
    return evaluation.once(_judge_groups, settings.group, settings.source)


def _judge_groups(
    evaluation: Evaluation, group: str, source: str | None
) -> tuple[JudgeGroups, ...]:
    # Checked once for all questions, before any work is done.
    seen = source_group(group_names(evaluation, group), source)
    return tuple(group_ratings(ratings, group, seen) for ratings in evaluation.ratings)


def group_names(evaluation: Evaluation, group: str) -> list[str]:
    """Every group that the column names; raises InputError where there is none."""
    need(evaluation.judged, (group,), "--group")
    names = coded(words(evaluation.valid[group].drop_nulls()))[1]
    if not names:
        raise input_error(f"the column '{group}' is empty, so there are no groups", field="--group")
    return names


def source_group(names: Sequence[str], asked: str | None) -> str:
    """The group that saw the source: as asked, or by its name; empty where none did."""
    if asked is None:
        return next((name for name in names if name.lower() in SOURCE_NAMES), "")
    if asked and asked not in names:
        raise unknown_name("group", asked, names, field="--source")
    return asked


def group_ratings(ratings: Ratings, group: str, source: str = "") -> JudgeGroups:
    """Answers with their groups; those without a group are left out."""
    frame = ratings.frame.with_columns(words(ratings.frame[group]).alias(GROUP))
    frame = _one_group_each(shared_items(frame.filter(pl.col(GROUP).is_not_null())))
    firsts = replace(ratings, frame=frame).firsts
    codes, names = firsts.coded(GROUP)
    return JudgeGroups(
        ratings=firsts, names=names, row_group=codes, source=source if source in names else ""
    )


def one_group(ratings: Ratings) -> JudgeGroups:
    """Answers of judges who are all in one group, which has no name."""
    firsts = replace(ratings, frame=_one_group_each(ratings.frame)).firsts
    return JudgeGroups(ratings=firsts, names=[""], row_group=np.zeros(len(firsts), dtype=np.int64))


def shared_items(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with items named so that groups share them.

    Where an item's name includes its reference, no two groups have an item in common: document,
    segment and system then name what was judged.
    """
    parts = [frame[name] for name in ITEM_KEYS if name in frame.columns]
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
    """A judge of several groups as several judges; the column `PERSON` keeps who they are."""
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
    """Permute the labels of judges, and score each time.

    `score(labels, *arrays)` gives a value, or several, for each row of labels. `units` is how many
    numbers it looks at: the more, the fewer permutations. The labels of a person who has several
    are permuted among that person's own work.
    """
    strata = _strata(person)
    permutations = max(FEWEST_PERMUTATIONS, min(permutations, MOST // max(units, 1)))
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


def smallest_p(labels: Codes, person: Codes) -> float:
    """1 / the number of ways to group the judges: what all relabellings together would give.

    Groups whose names can be exchanged, as two of one size, give the same value twice.
    """
    strata = np.unique(_strata(person), return_inverse=True)[1]
    shape = int(strata.max()) + 1, int(labels.max()) + 1
    table = np.bincount(strata * shape[1] + labels, minlength=shape[0] * shape[1]).reshape(shape)
    alike = np.unique(table[:, table.any(axis=0)], axis=1, return_counts=True)[1]
    factorial = np.vectorize(lgamma)
    ways = factorial(table.sum(axis=1) + 1).sum() - factorial(table + 1).sum()
    return float(np.exp(factorial(alike + 1).sum() - ways))


def _strata(person: Codes) -> Codes:
    """Within which labels change places: a person's own work if anybody has several, else all."""
    return person if len(np.unique(person)) < len(person) else np.zeros_like(person)


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


def chance_words(p: float, too_few: str) -> str:
    """What a p-value says, in a headline; `too_few` says why it says nothing."""
    if too_few:
        return too_few
    return "chance alone would hardly give that" if p < LEVEL else "chance alone may give that"
