"""Correlations of two questions' scores, over systems and over segments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
import polars as pl

from jurat.resampling.engine import evaluate
from jurat.resampling.jackknife_t import jackknife_t
from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.correlation import (
    kendall,
    mid_ranks,
    moments,
    pearson,
    pearson_from_sums,
    spearman,
)
from jurat.stats.estimates import Estimates, method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.phrases import interval
from jurat.stats.ratings import Array, Codes, Ratings, coded, codes_of
from jurat.stats.settings import Settings, SystemSettings
from jurat.stats.systems.resampling_units import ResamplingUnits
from jurat.stats.systems.score_table import (
    cell_means,
    check_only,
    has_system_scores,
    sentences_of,
)
from jurat.stats.systems.system_statistic import SystemStatistic, question_and_split


def same_order(x: Array, y: Array) -> Array:
    """The share of pairs of systems that both order alike, along the last axis.

    A tie of one is like a tie of the other only.
    """
    first, second = np.triu_indices(x.shape[-1], 1)
    signs = (np.sign(side[..., first] - side[..., second]) for side in (x, y))
    return np.asarray(np.equal(*signs).mean(axis=-1))


COEFFICIENTS: dict[str, Callable[[Array, Array], Array]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
    "accuracy": same_order,
}
# The columns that tell which sentence a score is of.
PLACE = ("document", "segment", "item", "system", "value")
FEW = "fewer than three systems have both"


class ScoreCorrelation(SystemStatistic):
    """Correlations of the scores of every two questions, by system and by segment."""

    name = "score-correlation"
    asks = "Do two questions, or two ways of judging, order the systems alike?"
    formula = (
        "over systems: Pearson, Spearman (mid-ranks), Kendall's τ-b of mean scores, and the share "
        "of pairs of systems ordered alike; over segments: Pearson and Spearman of means by "
        "segment and system; n counts systems (accuracy: pairs of them) or segments"
    )
    source = "Hamon et al., figure 6; pair accuracy: Kocmi et al. 2021; ESA: Kocmi et al. 2024"
    needs = ("system",)
    order = 85

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The coefficients of every two questions in every split."""
        chosen = SystemSettings.of(settings)
        check_only(evaluation, chosen)
        rated = [ratings for ratings in evaluation.scored if has_system_scores(ratings)]
        both = [
            # only within a split: other splits are other sentences
            QuestionPair.of(a, b, chosen)
            for a, b in combinations(rated, 2)
            if a.tags == b.tags
        ]
        estimates, how = [], ""
        for pair in both:
            made = pair.over_systems(chosen)
            how = how or pair.units.method(made)
            estimates += [*pair.estimates(made), *pair.segment_estimates(chosen)]
        yield self.system_result(
            evaluation,
            chosen,
            estimates,
            method=method_line(self.formula, how),
            headline=_first_spearman(estimates),
            draw=lambda: _draw(both),
        )

    def missing(self, evaluation: Evaluation) -> list[Estimate]:
        """That there is nothing to correlate with."""
        return [Estimate(value=None, n=0, reason="needs two questions")]


@dataclass(frozen=True, kw_only=True, eq=False)
class QuestionPair:
    """Two questions' scores of the same systems and sentences."""

    first: Ratings
    second: Ratings
    systems: list[str]
    means: tuple[Array, Array]
    """Of each question, by sentence and system."""
    rows: Array
    """Sum and number of the first question's scores, then of the second's: cells × 4 S."""
    units: ResamplingUnits
    cluster: Codes
    """The cluster of each sentence that is resampled."""

    @classmethod
    def of(cls, first: Ratings, second: Ratings, settings: SystemSettings) -> QuestionPair:
        """The numbers of both questions, with their sentences and systems numbered alike."""
        frames = [_plain(ratings, settings) for ratings in (first, second)]
        # both in one frame, so that the same system and sentence get the same number
        frame = pl.concat(frames, how="diagonal_relaxed")
        sentence, unit = sentences_of(frame)
        system, names = coded(frame["system"])
        cluster, what = _clusters(frame, sentence, unit)
        of_sentence = np.zeros(int(sentence.max(initial=-1)) + 1, dtype=np.int64)
        of_sentence[sentence] = cluster
        units = ResamplingUnits.of(cluster, what)
        values = frame["value"].to_numpy().astype(np.float64)
        later = np.arange(frame.height) >= frames[0].height
        add = partial(units.sums, system, len(names))
        sides = (~later, later)
        tables = [add(np.where(side, w, 0.0)) for side in sides for w in (values, 1.0)]
        means = [
            cell_means(sentence[s], len(of_sentence), system[s], len(names), values[s])
            for s in sides
        ]
        return cls(
            first=first,
            second=second,
            systems=names,
            means=(means[0], means[1]),
            rows=np.hstack(tables),
            units=units,
            cluster=of_sentence,
        )

    def over_systems(self, settings: SystemSettings) -> Estimates:
        """All coefficients over the systems that have both."""
        # ranks of few systems move in steps, which leaving out single documents does not show
        return self.units.bootstrap(self.rows, partial(_coefficients, shared=self.shared), settings)

    @property
    def shared(self) -> Codes:
        """The systems that have scores of both questions."""
        totals = self.rows.sum(axis=0).reshape(4, -1)
        return np.flatnonzero((totals[1] > 0) & (totals[3] > 0))

    @property
    def scores(self) -> tuple[Array, Array]:
        """Mean scores of the systems that have both."""
        totals = self.rows.sum(axis=0).reshape(4, -1)[:, self.shared]
        return totals[0] / totals[1], totals[2] / totals[3]

    def estimates(self, made: Estimates) -> Iterator[Estimate]:
        """The coefficients over systems."""
        count = len(self.shared)
        for at, name in enumerate(COEFFICIENTS):
            pairs = name == "accuracy"
            enough = count > 1 if pairs else count > 2
            e = made.estimate(
                at,
                n=count * (count - 1) // 2 if pairs else count,
                by=self.by("system", name),
                tags=self.first.tags,
                reason="all systems have the same score" if enough else FEW,
            )
            yield e if enough else e._replace(value=None, low=None, high=None, reason=FEW)

    def segment_estimates(self, settings: SystemSettings) -> Iterator[Estimate]:
        """Pearson and Spearman over segments that have both."""
        x, y = self.means
        there = ~np.isnan(x) & ~np.isnan(y)
        x, y, cluster = x[there], y[there], self.cluster[np.nonzero(there)[0]]
        reason = "one of them is always the same" if len(x) > 1 else "too few segments have both"
        # the method already says what is resampled, for the correlations over systems
        units = ResamplingUnits.of(cluster, "")
        for name, change in (("pearson", np.asarray), ("spearman", mid_ranks)):
            made = _correlated(change(x), change(y), units, settings)
            by = self.by("segment", name)
            yield made.estimate(n=len(x), by=by, tags=self.first.tags, reason=reason)

    def by(self, level: str, coefficient: str) -> dict[str, str | int | float]:
        """What a coefficient is of."""
        questions = {"question_a": self.first.question, "question_b": self.second.question}
        return {**questions, "level": level, "coefficient": coefficient}


def _plain(ratings: Ratings, settings: SystemSettings) -> pl.DataFrame:
    """Where and what was scored, of the systems wanted."""
    frame = ratings.frame.select(name for name in PLACE if name in ratings.frame.columns)
    frame = frame.filter(pl.col("value").is_not_null() & pl.col("system").is_not_null())
    return frame.filter(pl.col("system").is_in(settings.only)) if settings.only else frame


def _clusters(frame: pl.DataFrame, sentence: Codes, unit: str) -> tuple[Codes, str]:
    if unit == "sentence" and "document" in frame.columns and frame["document"].n_unique() > 1:
        return codes_of(frame.select("document")), "document"
    return sentence, unit


def _coefficients(totals: Array, *, shared: Codes) -> Array:
    """Every coefficient of the mean scores of the systems shared."""
    x, nx, y, ny = (part[:, shared] for part in np.split(totals, 4, axis=1))
    if len(shared) < 2:
        return np.full((len(totals), len(COEFFICIENTS)), np.nan)
    first, second = x / nx, y / ny
    values = np.stack([score(first, second) for score in COEFFICIENTS.values()], axis=1)
    # a resample without one of the systems says nothing about all of them
    whole = np.asarray(((nx > 0) & (ny > 0)).all(axis=1, keepdims=True))
    return np.where(whole, values, np.nan)


def _correlated(x: Array, y: Array, units: ResamplingUnits, settings: SystemSettings) -> Estimates:
    if len(x) < 2:
        return Estimates.undefined()
    # centred, so that squares of large numbers do not swallow the differences
    x, y = x - x.mean(), y - y.mean()
    rows = units.sum_rows(moments(x, y))
    if not settings.intervals:
        value = evaluate(pearson_from_sums, rows.sum(axis=0)[None])
        return Estimates.without_intervals(np.atleast_1d(value[0]))
    found = jackknife_t(
        rows,
        pearson_from_sums,
        clusters=units.clusters[0],
        sizes=rows[:, 0],
        confidence=settings.confidence,
        words=units.words,
    )
    return Estimates(values=found.value, low=found.low, high=found.high, method=found.method)


def _first_spearman(estimates: list[Estimate]) -> str:
    chosen = {"level": "system", "coefficient": "spearman"}
    for e in estimates:
        if e.value is not None and chosen.items() <= e.by.items():
            pair = f"{e.by['question_a']} and {e.by['question_b']}"
            where = f"{question_and_split(e)}: " if e.tags else ""
            return f"{where}{pair} order {e.n} systems with ρ = {e.value:.3f}{interval(e)}."
    return ""


def _draw(both: list[QuestionPair]) -> Figure:
    """The first two questions, a point for each system and split."""
    a, b = both[0].first.question, both[0].second.question
    same = [one for one in both if (one.first.question, one.second.question) == (a, b)]
    data = [
        {**one.first.tags, "system": one.systems[at], "first": x, "second": y}
        for one in same
        for at, x, y in zip(one.shared, *(side.tolist() for side in one.scores), strict=True)
    ]
    tag = next(iter(both[0].first.tags), "system")
    scale = {"zero": False}
    return figures.scatter(
        f"{a} against {b}",
        data,
        x=figures.axis("first", a, scale=scale),
        y=figures.axis("second", b, scale=scale),
        colour=figures.axis(tag, tag, "nominal"),
        tooltip=("system", "first", "second"),
    )
