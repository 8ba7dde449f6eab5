"""Judgments and scores of the same translations, as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import polars as pl

from jurat.faults import complain
from jurat.results import Key
from jurat.stats.agreement.tallies import summed
from jurat.stats.evaluation import Evaluation
from jurat.stats.metaeval.decisions import Decisions, Flags, Pairs
from jurat.stats.metaeval.people import People, compared, rated
from jurat.stats.metaeval.places import PLACE, codes_in, placed, with_systems
from jurat.stats.metaeval.scores import LABEL, Scores
from jurat.stats.metaeval.settings import MetricSettings
from jurat.stats.ratings import Array, Codes
from jurat.stats.remembering import Remembering

ROUNDING = 1e-12
"""A share of the greatest score."""
GIVEN, AVERAGED, WHOLE = "as given", "mean of judged segments", "mean of all segments"
"""Where a metric's score of a whole system is from."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Matched(Remembering):
    """One question in one split: what people said of systems' segments, and what metrics say."""

    people: People
    metrics: tuple[str, ...]
    signs: Array
    """Of each metric, 1 where higher is better and -1 where lower is."""
    scores: Array = field(repr=False)
    """As they are: metrics × segments × systems, NaN where there is none."""
    of_systems: Array = field(repr=False)
    """Of whole systems, as they were given: metrics × systems, NaN where there is none."""
    of_all: Array = field(repr=False)
    """The mean of all segments, judged or not, for people who judged whole systems."""

    @property
    def by(self) -> dict[str, Key]:
        """What every estimate is of."""
        return {"question": self.people.question}

    @property
    def tags(self) -> Mapping[str, Key]:
        """The split."""
        return self.people.tags

    @property
    def segments(self) -> int:
        """How many segments were judged."""
        return len(self.people.segments)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that were judged."""
        return self.people.systems

    @cached_property
    def oriented(self) -> Array:
        """The scores, higher is better."""
        return np.asarray(self.scores * self.signs[:, None, None])

    @cached_property
    def covered(self) -> Array:
        """How many judged translations each metric has a score of."""
        there = ~np.isnan(self.scores) & self.people.judged
        return np.asarray(there.sum(axis=(1, 2)))

    @cached_property
    def rounding(self) -> Array:
        """Differences of each metric that are none: what the order of adding leaves."""
        largest = np.nanmax(np.abs(self.scores), axis=(1, 2), initial=0.0)
        return np.asarray(ROUNDING * largest)

    def margins(self, metric: int, of: Decisions | Pairs | None = None) -> Array:
        """How much better the metric says the first of two systems is; NaN where it says nothing.

        Of every pair of a segment's systems that people compared, or of each of their decisions.
        """
        rows = of if of is not None else self.people.decisions.pairs
        scores = self.oriented[metric]
        apart = scores[rows.segment, rows.first] - scores[rows.segment, rows.second]
        return np.where(np.abs(apart) <= self.rounding[metric], 0.0, apart)

    def system_scores(self, metric: int) -> tuple[Array, str]:
        """A metric's score of each system as it is, and where it is from."""
        given = self.of_systems[metric]
        if not np.isnan(given).all():
            return given, GIVEN
        if not self.segments:
            return self.of_all[metric], WHOLE
        there = ~np.isnan(self.scores[metric]) & self.people.judged
        sums = np.where(there, self.scores[metric], 0.0).sum(axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(sums / there.sum(axis=0)), AVERAGED

    def without(self, system: int) -> Matched:
        """The same without one of the systems."""
        kept = np.arange(len(self.systems)) != system
        return replace(
            self,
            people=self.people.without(system),
            scores=self.scores[:, :, kept],
            of_systems=self.of_systems[:, kept],
            of_all=self.of_all[:, kept],
        )


def matched(evaluation: Evaluation, settings: MetricSettings) -> tuple[Matched, ...]:
    """What people and metrics say of the same translations, apart for each question and split."""
    return evaluation.once(_matched, settings)


def _matched(evaluation: Evaluation, settings: MetricSettings) -> tuple[Matched, ...]:
    found = tuple(_all(evaluation, settings))
    if found and not any(m.covered.any() or _any(m.of_systems) or _any(m.of_all) for m in found):
        raise complain(_nothing_shared(found[0].people, settings.scored))
    return found


def _all(evaluation: Evaluation, settings: MetricSettings) -> Iterator[Matched]:
    given = settings.scored.rows
    whole = not evaluation.by
    for ratings in evaluation.ratings:
        if not ratings.nominal:
            judged, scores = placed(*with_systems(ratings.firsts.frame, given))
            people = rated(ratings, judged, sign=settings.sign)
            yield _joined(people, scores, settings.scored, whole=whole)
    if not evaluation.compared.is_empty():
        sides = ("system_a", "system_b")
        judged, scores = placed(*with_systems(evaluation.compared, given, sides))
        for tags, rows in evaluation.split(judged):
            for people in compared(rows, tags):
                yield _joined(people, scores, settings.scored, whole=whole)


def _joined(people: People, rows: pl.DataFrame, scores: Scores, *, whole: bool) -> Matched:
    """The scores of what people judged; those of whole systems say nothing of a part of them."""
    size = (len(scores.metrics), len(people.segments), len(people.systems))
    metric = codes_in(rows[LABEL], scores.metrics)
    segment = codes_in(rows[PLACE], people.segments)
    system = codes_in(rows["system"], people.systems)
    value = rows["value"].to_numpy().astype(np.float64)
    own, nowhere = (segment >= 0) & (system >= 0), _nowhere(rows)
    cells = (metric * size[1] + segment) * size[2] + system
    given = nowhere & (system >= 0) & whole
    rest = ~nowhere & (system >= 0) & (not people.segments)
    of_system = metric * size[2] + system
    return Matched(
        people=people,
        metrics=scores.metrics,
        signs=scores.signs,
        scores=_means(cells[own], value[own], size),
        of_systems=_means(of_system[given], value[given], size[::2]),
        of_all=_means(of_system[rest], value[rest], size[::2]),
    )


def _means(cells: Codes, values: Array, shape: tuple[int, ...]) -> Array:
    """The score of each cell, as it is where there is one, else the mean; NaN where none is."""
    number = np.bincount(cells, minlength=int(np.prod(shape)))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(summed(cells, values, len(number)) / number).reshape(shape)


def _nowhere(rows: pl.DataFrame) -> Flags:
    """Rows that name neither a segment nor a document."""
    told = [rows[name].is_null() for name in ("document", "segment") if name in rows.columns]
    nothing = np.ones(rows.height, dtype=np.bool_)
    for column in told:
        nothing &= column.to_numpy()
    return nothing


def _any(values: Array) -> bool:
    return bool((~np.isnan(values)).any())


def _nothing_shared(people: People, scores: Scores) -> str:
    """Both sides' first names, so that one sees what is wrong."""
    theirs = {
        "systems": (people.systems, "system"),
        "segments": (people.segments, "segment"),
    }
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
