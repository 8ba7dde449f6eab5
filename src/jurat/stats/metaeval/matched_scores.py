"""Judgments and metric scores of the same translations, joined by their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl

from jurat.cache import Memoized
from jurat.errors import input_error
from jurat.results import Estimate, Key
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.independent_units import FEW as FEW_UNITS
from jurat.stats.independent_units import Units
from jurat.stats.metaeval.human_scores import (
    HumanScores,
    Mask,
    PairDecisions,
    PairVotes,
    from_preferences,
    from_ratings,
)
from jurat.stats.metaeval.input_tables import (
    LABEL,
    SEGMENT_KEY,
    MetricScores,
    codes_in,
    with_segment_keys,
    with_systems,
)
from jurat.stats.ratings import Array, Codes, coded, summed
from jurat.stats.settings import Grouping, MetricSettings

# Differences of scores below this share of the greatest score are rounding, and count as ties.
ROUNDING = 1e-12
# The share of the smaller side, of judged or of scored translations, that must find a partner.
LEAST_MATCHED = 0.8
ANYWAY = "--allow-unmatched goes on all the same"
POSITIONAL = (
    "the scores are numbered by position and the judgments have other ids: give jurat score a "
    "table with a column segment, or --documents FILE with the ids"
)
# Why a number is missing, as its estimate says it.
NO_NUMBERS = "the answers are words: people must rate, rank or compare"
NO_PAIRS = "people compared no two systems of a segment that the metric scored"
NO_RATINGS = "people compared systems and gave no scores"
NO_SEGMENTS = "there are no judgments of segments that the metric scored"
# Where a metric's score of a whole system is from.
GIVEN, AVERAGED, WHOLE = "as given", "mean of judged segments", "mean of all segments"


@dataclass(frozen=True, kw_only=True, eq=False)
class MatchedScores(Memoized):
    """People's judgments and metrics' scores of the same translations: one question and split."""

    human: HumanScores
    metrics: tuple[str, ...]
    signs: Array
    """For each metric, 1 where higher is better and −1 where lower is."""
    scores: Array = field(repr=False)
    """As given: metrics × segments × systems, NaN where there is none."""
    of_systems: Array = field(repr=False)
    """Scores given to whole systems: metrics × systems, NaN where there is none."""
    all_segment_means: Array = field(repr=False)
    """The mean of all segments, judged or not, for people who judged whole systems."""
    units: Units
    """What is independent: the document of each segment, or the segment itself."""
    join: JoinCounts
    """How many judged translations and scores found a partner."""

    @property
    def by(self) -> dict[str, Key]:
        """What every estimate is of."""
        return {"question": self.human.question}

    @property
    def tags(self) -> Mapping[str, Key]:
        """The split."""
        return self.human.tags

    @property
    def segments(self) -> int:
        """How many segments were judged."""
        return len(self.human.segments)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that were judged."""
        return self.human.systems

    def key(self, metric: int, **more: Key) -> dict[str, Key]:
        """What an estimate about a metric is of: question, metric, and `more`."""
        return {**self.by, "metric": self.metrics[metric], **more}

    def estimate(
        self, metric: int, value: float, n: int, *, reason: str = "", side: str = "", **more: Key
    ) -> Estimate:
        """A value of a metric as an estimate; `reason` says why where it is NaN."""
        by = {"metric": self.metrics[metric], **more}
        return Estimate.of(value, n, about=self, by=by, reason=reason, side=side)

    def missing(self, metric: int, reason: str, *, side: str = "", **more: Key) -> Estimate:
        """An estimate of a metric that cannot be computed, and why."""
        return self.estimate(metric, np.nan, 0, reason=reason, side=side, **more)

    @cached_property
    def oriented(self) -> Array:
        """The scores with signs by which higher is better."""
        return np.asarray(self.scores * self.signs[:, None, None])

    @cached_property
    def covered(self) -> Array:
        """How many judged translations each metric has a score of."""
        there = ~np.isnan(self.scores) & self.human.judged
        return np.asarray(there.sum(axis=(1, 2)))

    @cached_property
    def rounding(self) -> Array:
        """For each metric, the difference up to which two scores are equal but for rounding."""
        largest = np.nanmax(np.abs(self.scores), axis=(1, 2), initial=0.0)
        return np.asarray(ROUNDING * largest)

    def margins(self, metric: int, of: PairDecisions | PairVotes | None = None) -> Array:
        """By how much the metric scores the first of two systems higher; NaN without both scores.

        `of` is each decision of a judge, or by default every pair of systems that people compared.
        """
        rows = of if of is not None else self.human.decisions.pairs
        scores = self.oriented[metric]
        difference = scores[rows.segment, rows.first] - scores[rows.segment, rows.second]
        return np.where(np.abs(difference) <= self.rounding[metric], 0.0, difference)

    def system_scores(self, metric: int) -> tuple[Array, str]:
        """A metric's score of each system, and where it comes from: given, or a mean."""
        given = self.of_systems[metric]
        if not np.isnan(given).all():
            return given, GIVEN
        if not self.segments:
            return self.all_segment_means[metric], WHOLE
        # Only translations that people judged, so that both are about the same segments.
        there = ~np.isnan(self.scores[metric]) & self.human.judged
        sums = np.where(there, self.scores[metric], 0.0).sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(sums / there.sum(axis=0)), AVERAGED

    def only(self, kept: Mask) -> MatchedScores:
        """The same as if the other segments had not been judged."""
        human, decisions, judged = self.human, self.human.decisions, self.human.judge_scores
        means = human.means
        return replace(
            self,
            human=replace(
                human,
                means=None if means is None else np.where(kept[:, None], means, np.nan),
                decisions=decisions.where(kept[decisions.segment]),
                judge_scores=judged.where(kept[judged.segment]),
            ),
        )

    def without(self, system: int) -> MatchedScores:
        """The same without one of the systems."""
        kept = np.arange(len(self.systems)) != system
        return replace(
            self,
            human=self.human.without(system),
            scores=self.scores[:, :, kept],
            of_systems=self.of_systems[:, kept],
            all_segment_means=self.all_segment_means[:, kept],
        )


class JoinCounts(NamedTuple):
    """How many translations and systems were judged, were scored, and both.

    Translations are counted within the systems that both tables name.
    """

    judged: int
    scored: int
    matched: int
    judged_systems: int
    scored_systems: int
    matched_systems: int
    positional: bool = False
    """Whether the scores' segments are numbered 1 to n, as those of plain text are."""
    score_segments: tuple[str, ...] = ()
    """Some of the scores' segments, for messages."""

    @classmethod
    def of(
        cls, human: HumanScores, rows: pl.DataFrame, segment: Codes, system: Codes
    ) -> JoinCounts:
        """Of the judgments and the rows of scores, with the codes of these."""
        known = system >= 0
        judged = human.judged[:, np.unique(system[known])]
        placed = rows.filter(pl.Series(known) & rows[SEGMENT_KEY].is_not_null())
        both = known & (segment >= 0)
        cells = np.unique(segment[both] * len(human.systems) + system[both])
        names = placed[SEGMENT_KEY].unique(maintain_order=True)
        return cls(
            int(judged.sum()),
            placed.select(SEGMENT_KEY, "system").n_unique() if placed.height else 0,
            int(human.judged.ravel()[cells].sum()),
            len(human.systems),
            rows["system"].n_unique(),
            len(np.unique(system[known])),
            set(names) == {str(n) for n in range(1, len(names) + 1)},
            tuple(names.head(4)),
        )

    @classmethod
    def of_splits(cls, parts: Iterable[JoinCounts]) -> JoinCounts:
        """Of all splits of the judgments: each translation is judged in one of them."""
        each = list(parts)
        most = max(each, key=lambda one: one.matched_systems)
        return most._replace(
            judged=sum(one.judged for one in each), matched=sum(one.matched for one in each)
        )


def check_join(counts: JoinCounts, human: HumanScores) -> None:
    """Raise InputError if less than `LEAST_MATCHED` of the smaller side found a partner."""
    systems = min(counts.judged_systems, counts.scored_systems)
    if counts.matched_systems < LEAST_MATCHED * systems:
        raise input_error(
            f"only {counts.matched_systems:,} of the {counts.judged_systems:,} systems that were "
            f"judged and the {counts.scored_systems:,} that have scores are the same; {ANYWAY}"
        )
    smaller = min(counts.judged, counts.scored)
    if counts.matched >= LEAST_MATCHED * smaller:
        return
    theirs = f"segments {_few(human.segments)} and {_few(counts.score_segments)}"
    by_position = f"; {POSITIONAL}" if counts.positional else ""
    raise input_error(
        f"only {counts.matched:,} of {counts.judged:,} judged translations have scores, and "
        f"{counts.matched:,} of {counts.scored:,} scored translations were judged: "
        f"{theirs}{by_position}; {ANYWAY}"
    )


class ScoreGroups(NamedTuple):
    """People's means and a metric's scores, groups × members; NaN where either is missing."""

    human: Array
    metric: Array

    @property
    def n(self) -> int:
        """How many translations have both."""
        return int((~np.isnan(self.human)).sum())

    @property
    def pairs(self) -> Codes:
        """How many pairs of members each group has."""
        number = (~np.isnan(self.human)).sum(axis=1)
        return np.asarray(number * (number - 1) // 2)


def score_groups(means: Array, scores: Array, grouping: Grouping) -> ScoreGroups:
    """Means and scores (segments × systems) as one group, a group a segment, or a system."""
    missing = np.isnan(means) | np.isnan(scores)
    human, metric = (np.where(missing, np.nan, side) for side in (means, scores))
    if grouping == "none":
        return ScoreGroups(human.reshape(1, -1), metric.reshape(1, -1))
    if grouping == "system":
        return ScoreGroups(np.ascontiguousarray(human.T), np.ascontiguousarray(metric.T))
    return ScoreGroups(human, metric)


def match_scores(evaluation: Evaluation, settings: MetricSettings) -> tuple[MatchedScores, ...]:
    """Judgments and scores of the same translations, separately for each question and split.

    Raises InputError where no score is of a judged translation.
    """
    return evaluation.once(_match_scores, settings)


def _match_scores(evaluation: Evaluation, settings: MetricSettings) -> tuple[MatchedScores, ...]:
    found = tuple(_each_question(evaluation, settings))
    if found and not any(map(_has_scores, found)):
        raise input_error(_nothing_shared(found[0].human, settings.metric_scores))
    if not settings.allow_unmatched:
        for question in dict.fromkeys(data.human.question for data in found):
            own = [data for data in found if data.human.question == question]
            check_join(JoinCounts.of_splits(data.join for data in own), own[0].human)
    return found


def _has_scores(data: MatchedScores) -> bool:
    sources = (data.of_systems, data.all_segment_means)
    return bool(data.covered.any()) or any((~np.isnan(source)).any() for source in sources)


def _each_question(evaluation: Evaluation, settings: MetricSettings) -> Iterator[MatchedScores]:
    given = settings.metric_scores.rows
    whole = not evaluation.by
    for ratings in evaluation.ratings:
        if not ratings.nominal:
            judged, scores = with_segment_keys(*with_systems(ratings.firsts.frame, given))
            human = from_ratings(ratings, judged, sign=settings.sign)
            yield _joined(human, scores, settings, whole=whole)
    if not evaluation.compared.is_empty():
        sides = ("system_a", "system_b")
        judged, scores = with_segment_keys(*with_systems(evaluation.compared, given, sides))
        for tags, rows in evaluation.split(judged):
            for human in from_preferences(rows, tags):
                yield _joined(human, scores, settings, whole=whole)


def _joined(
    human: HumanScores, rows: pl.DataFrame, settings: MetricSettings, *, whole: bool
) -> MatchedScores:
    """The scores of what people judged; `whole` says that the judgments are not a split."""
    scores = settings.metric_scores
    size = (len(scores.metrics), len(human.segments), len(human.systems))
    metric = codes_in(rows[LABEL], scores.metrics)
    segment = codes_in(rows[SEGMENT_KEY], human.segments)
    system = codes_in(rows["system"], human.systems)
    value = rows["value"].to_numpy().astype(np.float64)
    of_segment, unplaced = (segment >= 0) & (system >= 0), _unplaced(rows)
    cells = (metric * size[1] + segment) * size[2] + system
    # The score of a whole system does not hold for a part of its segments, as in a split.
    given = unplaced & (system >= 0) & whole
    rest = ~unplaced & (system >= 0) & (not human.segments)
    of_system = metric * size[2] + system
    return MatchedScores(
        human=human,
        metrics=scores.metrics,
        signs=scores.signs,
        scores=_means(cells[of_segment], value[of_segment], size),
        of_systems=_means(of_system[given], value[given], size[::2]),
        all_segment_means=_means(of_system[rest], value[rest], size[::2]),
        units=_units(human, rows, segment, settings.unit),
        join=JoinCounts.of(human, rows, segment, system),
    )


def _units(human: HumanScores, rows: pl.DataFrame, segment: Codes, unit: str) -> Units:
    """What is independent, of the segments that have scores: documents where either table has them.

    `segment` is the code of each row's segment. Segments without scores have no part in anything,
    and are put with the first unit. Raises InputError where documents are asked for and unknown.
    """
    scored = np.zeros(len(human.segments), dtype=np.bool_)
    scored[segment[segment >= 0]] = True
    documents = _documents(human, rows, segment)
    if unit == "document" and documents is None:
        raise input_error("--unit document needs the column document", field="unit")
    alone = _numbered(np.arange(len(human.segments)), scored)
    number = int(scored.sum())
    if unit == "segment":
        return Units(alone, number, "segment", "segments are taken as independent, as asked")
    if documents is None:
        note = "documents are unknown: segments are taken as independent"
        return Units(alone, number, "segment", note)
    codes = _numbered(documents, scored)
    several = int(codes.max(initial=-1)) + 1
    if several < 2 and unit != "document":
        note = "all segments are of one document: nothing is said about others"
        return Units(alone, number, "segment", note)
    few = f"{several} documents say little about others" if several < FEW_UNITS else ""
    return Units(codes, several, "document", few)


def _numbered(codes: Codes, scored: Mask) -> Codes:
    """The codes of what is scored from 0 on without gaps, and 0 for the rest."""
    found = np.zeros(len(codes), dtype=np.int64)
    found[scored] = np.unique(codes[scored], return_inverse=True)[1]
    return found


def _documents(human: HumanScores, rows: pl.DataFrame, segment: Codes) -> Codes | None:
    """The document of each judged segment, of which the judgments or the scores tell; else None.

    A segment without one is a document of its own.
    """
    names = human.segment_names
    if "document" in names.columns and names["document"].null_count() < names.height:
        place, told = codes_in(names[SEGMENT_KEY], human.segments), names["document"]
    elif "document" in rows.columns and (segment >= 0).any():
        place, told = segment, rows["document"]
    else:
        return None
    named, known = coded(told.fill_null(""))
    there = (place >= 0) & (told.fill_null("") != "").to_numpy()
    codes = len(known) + np.arange(len(human.segments))
    codes[place[there]] = named[there]
    return codes if there.any() else None


def _means(cells: Codes, values: Array, shape: tuple[int, ...]) -> Array:
    """The score of each cell, as it is where there is one, else the mean; NaN where none is."""
    number = np.bincount(cells, minlength=int(np.prod(shape)))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(summed(cells, values, len(number)) / number).reshape(shape)


def _unplaced(rows: pl.DataFrame) -> Mask:
    """Rows that name neither a segment nor a document: scores of whole systems."""
    missing = np.ones(rows.height, dtype=np.bool_)
    for name in ("document", "segment"):
        if name in rows.columns:
            missing &= rows[name].is_null().to_numpy()
    return missing


def _nothing_shared(human: HumanScores, scores: MetricScores) -> str:
    """The message, with the first names of both tables, which show what does not match."""
    theirs = {"systems": (human.systems, "system"), "segments": (human.segments, "segment")}
    told = [
        f"{word} {_few(names)} and {_few(_names(scores.frame, column))}"
        for word, (names, column) in theirs.items()
        if column in scores.frame.columns
    ]
    return f"no score is of a translation that was judged; {'; '.join(told)}"


def _names(rows: pl.DataFrame, column: str) -> list[str]:
    return [str(name) for name in rows[column].unique().drop_nulls().sort().head(4)]


def _few(names: Sequence[str]) -> str:
    return f"{', '.join(names[:3]) or '(none)'}{' …' if len(names) > 3 else ''}"
