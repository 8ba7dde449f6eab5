"""People's judgments of translations as arrays: ratings, rankings or preferences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from jurat.results import Key
from jurat.stats.metaeval.input_tables import SEGMENT_KEY, codes_in
from jurat.stats.preferences.comparisons import by_question
from jurat.stats.ratings import Array, Codes, Ratings, alike, summed

Mask = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True, eq=False)
class PairDecisions:
    """A row a decision: which of two systems of a segment one judge prefers.

    `first` is the smaller of both systems' codes; `outcome` is 1 where it is the better one, -1
    where it is the worse, 0 where the judge calls it a tie.
    """

    segment: Codes = field(repr=False)
    first: Codes = field(repr=False)
    second: Codes = field(repr=False)
    judge: Codes = field(repr=False)
    outcome: Array = field(repr=False)

    def __len__(self) -> int:
        return len(self.outcome)

    def where(self, chosen: Mask) -> PairDecisions:
        """Some of the decisions."""
        kept = {name: getattr(self, name)[chosen] for name in self.__dataclass_fields__}
        return PairDecisions(**kept)

    @cached_property
    def pairs(self) -> PairVotes:
        """The decisions counted for every two systems of a segment."""
        # Segment and both systems as one number, so that equal pairs are found by one sort.
        width = int(self.second.max(initial=0)) + 1
        codes = (self.segment * width + self.first) * width + self.second
        _, at, pair = np.unique(codes, return_index=True, return_inverse=True)
        won, lost, tied = (
            summed(pair, (self.outcome == outcome).astype(np.float64), len(at))
            for outcome in (1, -1, 0)
        )
        names = {"segment": self.segment[at], "first": self.first[at], "second": self.second[at]}
        return PairVotes(**names, won=won, lost=lost, tied=tied)


@dataclass(frozen=True, kw_only=True, eq=False)
class PairVotes:
    """Every two systems of a segment: judges for the first, for the second, and for neither."""

    segment: Codes = field(repr=False)
    first: Codes = field(repr=False)
    second: Codes = field(repr=False)
    won: Array = field(repr=False)
    lost: Array = field(repr=False)
    tied: Array = field(repr=False)

    def __len__(self) -> int:
        return len(self.segment)

    @property
    def majority_differs(self) -> Mask:
        """Whether more than half of the judges say that the two differ, whichever is better."""
        return np.asarray(self.won + self.lost > self.tied)

    def majority_agrees(self, margin: Array) -> Mask:
        """Whether more than half of the judges prefer the one that the metric prefers."""
        return np.asarray(self._behind(margin) > 0)

    def majority_contradicts(self, margin: Array) -> Mask:
        """Whether more than half of the judges prefer the one that the metric does not."""
        return np.asarray(self._behind(-margin) > 0)

    def _behind(self, margin: Array) -> Array:
        """How many judges prefer what the metric prefers, less all other judges."""
        # Where the metric ties, nobody agrees with it.
        with_metric = np.where(margin > 0, self.won, np.where(margin < 0, self.lost, 0.0))
        return np.asarray(2 * with_metric - self.won - self.lost - self.tied)


def pair_decisions(segment: Codes, system: Codes, judge: Codes, value: Array) -> PairDecisions:
    """Decisions from every two ratings of a segment by the same judge; the higher is better."""
    # Rows are sorted by judge and segment; then each is compared with the next, the next but one,
    # and so on, for all judges and segments at once: there is no loop over either.
    order = np.lexsort((system, judge, segment))
    segment, system, judge = (part[order] for part in (segment, system, judge))
    value = value[order]
    firsts, seconds = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    step, rows = 1, np.arange(len(value))
    while len(rows := rows[rows + step < len(value)]):
        rows = rows[(segment[rows] == segment[rows + step]) & (judge[rows] == judge[rows + step])]
        firsts.append(rows)
        seconds.append(rows + step)
        step += 1
    one, other = np.concatenate(firsts), np.concatenate(seconds)
    return PairDecisions(
        segment=segment[one],
        first=system[one],
        second=system[other],
        judge=judge[one],
        outcome=np.sign(value[one] - value[other]),
    )


class JudgeScores(NamedTuple):
    """A row a translation and judge, with the judge's score; higher is better."""

    segment: Codes
    system: Codes
    judge: Codes
    value: Array

    def where(self, chosen: Mask) -> JudgeScores:
        """Some of the rows."""
        segment, system, judge, value = self
        return JudgeScores(segment[chosen], system[chosen], judge[chosen], value[chosen])


@dataclass(frozen=True, kw_only=True, eq=False)
class HumanScores:
    """People's judgments in answer to one question, in one split.

    `judge_scores` are a judge's ratings, or wins less losses where they compared two at a time.
    Where no judge rated two systems of a segment (`pooled`), the judges' means stand for one judge.
    """

    question: str
    tags: Mapping[str, Key]
    segments: tuple[str, ...] = field(repr=False)
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    """Empty where the table names none."""
    judge_scores: JudgeScores = field(repr=False)
    decisions: PairDecisions = field(repr=False)
    means: Array | None = field(repr=False)
    """Mean rating of each translation, segments × systems; None where there are preferences."""
    of_systems: Array = field(repr=False)
    """Scores of whole systems: ratings given to them as such, or the share of wins."""
    pooled: bool = False
    segment_names: pl.DataFrame = field(repr=False, default_factory=pl.DataFrame)
    """The document and segment that each segment key stands for."""

    @cached_property
    def judged(self) -> Mask:
        """Whether each translation was judged: segments × systems."""
        there = np.zeros((len(self.segments), len(self.systems)), dtype=np.bool_)
        there[self.judge_scores.segment, self.judge_scores.system] = True
        return there

    @cached_property
    def system_scores(self) -> Array:
        """People's score of each system, higher is better; NaN where there is none."""
        # Scores that people gave to whole systems take precedence over means of segments.
        if self.means is None or not np.isnan(self.of_systems).all():
            return self.of_systems
        there = ~np.isnan(self.means)
        sums = np.where(there, self.means, 0.0).sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(sums / there.sum(axis=0))

    def without(self, system: int) -> HumanScores:
        """The same without one of the systems."""
        kept = np.arange(len(self.systems)) != system
        names = tuple(np.array(self.systems, dtype=object)[kept])
        shift = np.cumsum(kept) - 1  # new numbers of the systems that are left
        old = self.decisions
        rest = old.where((old.first != system) & (old.second != system))
        decisions = replace(rest, first=shift[rest.first], second=shift[rest.second])
        fewer = replace(self, systems=names, decisions=decisions)
        if self.means is None:
            # Wins over the system that is left out do not count any more.
            wins, shares = _wins(decisions, len(names)), _win_shares(decisions, len(names))
            return replace(fewer, judge_scores=wins, of_systems=shares)
        judge_scores = self.judge_scores.where(self.judge_scores.system != system)
        return replace(
            fewer,
            judge_scores=judge_scores._replace(system=shift[judge_scores.system]),
            means=self.means[:, kept],
            of_systems=self.of_systems[kept],
        )


def from_ratings(ratings: Ratings, judged: pl.DataFrame, *, sign: float) -> HumanScores:
    """People's ratings; `judged` are their rows, with segment keys.

    `sign` is −1 where low ratings are good ones.
    """
    has_judge = "judge" in judged.columns and ratings.has("judge")
    rows = _with_judge(judged.with_columns(pl.col("value") * sign), has_judge=has_judge)
    rows = rows.drop_nulls(["system", "value"])
    segments, systems = _in_order(rows[SEGMENT_KEY]), _named(rows["system"])
    judges = _named(rows["judge"]) if has_judge else ()
    each = _averaged(rows.drop_nulls(SEGMENT_KEY), ["judge", SEGMENT_KEY, "system"])
    judge_scores = _judge_scores(each, segments, systems, judges)
    decisions = pair_decisions(*judge_scores)
    means = _means(judge_scores, (len(segments), len(systems)))
    pooled = has_judge and not len(decisions)
    if pooled:
        # Judges who each saw one system give no pairs; their means do.
        judge_scores, judges = _one_judge(means), ()
        decisions = pair_decisions(*judge_scores)
    given = _averaged(rows.filter(pl.col(SEGMENT_KEY).is_null()), ["system"])
    of_systems = np.full(len(systems), np.nan)
    of_systems[codes_in(given["system"], systems)] = given["value"].to_numpy()
    return HumanScores(
        question=ratings.question,
        tags=ratings.tags,
        segments=segments,
        systems=systems,
        judges=judges,
        judge_scores=judge_scores,
        decisions=decisions,
        means=means,
        of_systems=of_systems,
        pooled=pooled,
        segment_names=_segment_names(rows),
    )


def from_preferences(rows: pl.DataFrame, tags: Mapping[str, Key]) -> Iterator[HumanScores]:
    """People's preferences, apart for each question."""
    for question, own in by_question(rows):
        has_judge = "judge" in own.columns and own["judge"].null_count() < own.height
        told = _with_judge(own, has_judge=has_judge)
        segments = _in_order(told[SEGMENT_KEY])
        systems = _named(pl.concat([told["system_a"], told["system_b"]]))
        judges = _named(told["judge"]) if has_judge else ()
        # Decisions without a segment count for whole systems only.
        every = _decisions(told, segments, systems, judges)
        decisions = every.where(every.segment >= 0)
        yield HumanScores(
            question=question,
            tags=tags,
            segments=segments,
            systems=systems,
            judges=judges,
            judge_scores=_wins(decisions, len(systems)),
            decisions=decisions,
            means=None,
            of_systems=_win_shares(every, len(systems)),
            segment_names=_segment_names(told),
        )


def _with_judge(rows: pl.DataFrame, *, has_judge: bool) -> pl.DataFrame:
    judge = pl.col("judge").fill_null("") if has_judge else pl.lit("")
    return rows.with_columns(judge.alias("judge"))


def _named(values: pl.Series) -> tuple[str, ...]:
    return tuple(str(name) for name in values.drop_nulls().unique().sort())


def _in_order(keys: pl.Series) -> tuple[str, ...]:
    """The segments in the order of the table, which is mostly that of the test set."""
    return tuple(str(name) for name in keys.drop_nulls().unique(maintain_order=True))


def _averaged(rows: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """One value for each key; repeats are averaged."""
    return rows.group_by(keys, maintain_order=True).agg(pl.col("value").mean())


def _judge_scores(
    rows: pl.DataFrame, segments: tuple[str, ...], systems: tuple[str, ...], judges: tuple[str, ...]
) -> JudgeScores:
    return JudgeScores(
        codes_in(rows[SEGMENT_KEY], segments),
        codes_in(rows["system"], systems),
        codes_in(rows["judge"], judges or ("",)),
        rows["value"].to_numpy().astype(np.float64),
    )


def _means(judge_scores: JudgeScores, shape: tuple[int, int]) -> Array:
    """The mean of the judges for each translation, rounded so that equal means are equal."""
    cells = judge_scores.segment * shape[1] + judge_scores.system
    size = shape[0] * shape[1]
    count = np.bincount(cells, minlength=size)
    sums = summed(cells, judge_scores.value, size)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums / count
    # means that differ by rounding alone would be no ties
    rounded = alike(means, np.abs(judge_scores.value).max(initial=0.0))
    return np.asarray(np.where(count > 1, rounded, means).reshape(shape))


def _one_judge(means: Array) -> JudgeScores:
    """The means as the scores of a single judge."""
    segment, system = np.nonzero(~np.isnan(means))
    nobody = np.zeros(len(segment), dtype=np.int64)
    return JudgeScores(segment, system, nobody, means[segment, system])


def _decisions(
    rows: pl.DataFrame, segments: tuple[str, ...], systems: tuple[str, ...], judges: tuple[str, ...]
) -> PairDecisions:
    one, other = (codes_in(rows[f"system_{side}"], systems) for side in "ab")
    outcome = rows["outcome"].replace_strict({"a": 1.0, "b": -1.0}, default=0.0).to_numpy()
    return PairDecisions(
        segment=codes_in(rows[SEGMENT_KEY], segments),
        first=np.minimum(one, other),
        second=np.maximum(one, other),
        judge=codes_in(rows["judge"], judges or ("",)),
        # The smaller code comes first, whatever the order in the table.
        outcome=np.where(one < other, outcome, -outcome),
    )


def _wins(decisions: PairDecisions, systems: int) -> JudgeScores:
    """Wins less losses of a system in a judge's decisions on a segment.

    Where these are all pairs of a ranking, they give the same order as its ranks, ties included.
    """
    judges = int(decisions.judge.max(initial=0)) + 1
    cell = (decisions.segment * judges + decisions.judge) * systems
    cells = np.concatenate([cell + decisions.first, cell + decisions.second])
    values = np.concatenate([decisions.outcome, -decisions.outcome])
    there, place = np.unique(cells, return_inverse=True)
    net = summed(place, values, len(there))
    group, system = np.divmod(there, systems)
    segment, judge = np.divmod(group, judges)
    return JudgeScores(segment, system, judge, net)


def _win_shares(decisions: PairDecisions, systems: int) -> Array:
    """Wins of each system over its wins and losses; ties are left out."""
    won = np.zeros(systems)
    lost = np.zeros(systems)
    # An outcome of 1 is a win of the first system and a loss of the second.
    for side, better in ((decisions.first, 1), (decisions.second, -1)):
        won += np.bincount(side, weights=decisions.outcome == better, minlength=systems)
        lost += np.bincount(side, weights=decisions.outcome == -better, minlength=systems)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(won / (won + lost))


def _segment_names(rows: pl.DataFrame) -> pl.DataFrame:
    """The document and segment that each segment key stands for."""
    keys = [name for name in ("document", "segment") if name in rows.columns]
    told = rows.select(SEGMENT_KEY, *keys).drop_nulls(SEGMENT_KEY)
    return told.unique(SEGMENT_KEY, keep="first", maintain_order=True)
