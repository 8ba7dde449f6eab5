"""Two questions against each other: do systems that are fluent also say what they should?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.ratings import Array, Codes, Ratings, coded
from jurat.stats.spread import Spread, told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.systems.choices import SystemSettings, choices
from jurat.stats.systems.correlating import (
    kendall,
    long_mid_ranks,
    pearson,
    pearson_of_sums,
    same_order,
    spearman,
)
from jurat.stats.systems.drawing import Drawing, undefined
from jurat.stats.systems.panel import cell_means, codes_of, panels, scored, sentences_of
from jurat.stats.systems.wording import place
from jurat.stats.words import interval

COEFFICIENTS: dict[str, Callable[[Array, Array], Array]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
    "accuracy": same_order,
}
PLACE = ("document", "segment", "item", "system", "value")
FEW = "fewer than three systems have both"


class ScoreCorrelation(Statistic[Settings]):
    """Correlations of the scores of every two questions, by system and by segment."""

    name = "score-correlation"
    gives = ("score-correlation",)
    asks = "Do two questions, or two ways of judging, order the systems alike?"
    formula = (
        "over systems: Pearson, Spearman (mid-ranks), Kendall's τ-b of mean scores, and the share "
        "of pairs of systems ordered alike; over segments: Pearson and Spearman of means by "
        "segment and system; n counts systems (accuracy: pairs of them) or segments"
    )
    source = "Hamon et al., figure 6; pair accuracy: Kocmi et al. 2021; ESA: Kocmi et al. 2024"
    needs = ("system",)
    place = 85

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """The coefficients of every two questions in every split."""
        chosen = choices(settings)
        panels(evaluation, chosen)
        rated = [r for r in evaluation.ratings if scored(r)]
        both = [Both.of(a, b, chosen) for a, b in combinations(rated, 2) if a.tags == b.tags]
        estimates, how = [], ""
        for pair in both:
            made = pair.over_systems(chosen)
            how = how or pair.drawing.method(made)
            estimates += [*pair.estimates(made), *pair.segment_estimates(chosen)]
        nothing = Estimate(value=None, n=0, reason="needs two questions")
        yield self.result(
            evaluation,
            settings,
            estimates or [nothing],
            method=told(self.formula, how),
            headline=_headline(estimates),
            draw=lambda: _draw(both),
            **chosen.told(),
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Both:
    """Two questions' scores of the same systems and sentences."""

    first: Ratings
    second: Ratings
    systems: list[str]
    means: tuple[Array, Array]
    """Of each question, by sentence and system."""
    rows: Array
    """Sums and numbers of both, by what is drawn: cells × 4 S."""
    drawing: Drawing
    cluster: Codes
    """Of each sentence, what is drawn with it."""

    @classmethod
    def of(cls, first: Ratings, second: Ratings, settings: SystemSettings) -> Both:
        """The numbers of both questions, with their sentences and systems numbered alike."""
        frames = [_plain(ratings, settings) for ratings in (first, second)]
        frame = pl.concat(frames, how="diagonal_relaxed")
        sentence, unit = sentences_of(frame)
        system, names = coded(frame["system"])
        cluster, what = _drawn(frame, sentence, unit)
        of_sentence = np.zeros(int(sentence.max(initial=-1)) + 1, dtype=np.int64)
        of_sentence[sentence] = cluster
        drawing = Drawing.of(cluster, what)
        values = frame["value"].to_numpy().astype(np.float64)
        later = np.arange(frame.height) >= frames[0].height
        add = partial(drawing.sums, system, len(names))
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
            drawing=drawing,
            cluster=of_sentence,
        )

    def over_systems(self, settings: SystemSettings) -> Spread:
        """All coefficients over the systems that have both."""
        return self.drawing.spread(self.rows, partial(_scored, shared=self._shared), settings)

    @property
    def _shared(self) -> Codes:
        totals = self.rows.sum(axis=0).reshape(4, -1)
        return np.flatnonzero((totals[1] > 0) & (totals[3] > 0))

    @property
    def scores(self) -> tuple[Array, Array]:
        """Mean scores of the systems that have both."""
        totals = self.rows.sum(axis=0).reshape(4, -1)[:, self._shared]
        return totals[0] / totals[1], totals[2] / totals[3]

    def estimates(self, made: Spread) -> Iterator[Estimate]:
        """The coefficients over systems."""
        count = len(self._shared)
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
        drawing = Drawing.of(cluster, "")
        for name, change in (("pearson", np.asarray), ("spearman", long_mid_ranks)):
            made = _correlated(change(x), change(y), drawing, settings)
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


def _drawn(frame: pl.DataFrame, sentence: Codes, unit: str) -> tuple[Codes, str]:
    if unit == "sentence" and "document" in frame.columns and frame["document"].n_unique() > 1:
        return codes_of(frame.select("document")), "document"
    return sentence, unit


def _scored(totals: Array, *, shared: Codes) -> Array:
    """Every coefficient of the mean scores of the systems shared."""
    x, nx, y, ny = (part[:, shared] for part in np.split(totals, 4, axis=1))
    if len(shared) < 2:
        return np.full((len(totals), len(COEFFICIENTS)), np.nan)
    first, second = x / nx, y / ny
    values = np.stack([score(first, second) for score in COEFFICIENTS.values()], axis=1)
    # a resample without one of the systems says nothing about all of them
    whole = np.asarray(((nx > 0) & (ny > 0)).all(axis=1, keepdims=True))
    return np.where(whole, values, np.nan)


def _correlated(x: Array, y: Array, drawing: Drawing, settings: SystemSettings) -> Spread:
    if len(x) < 2:
        return undefined(1)
    # centred, so that squares of large numbers do not swallow the differences
    x, y = x - x.mean(), y - y.mean()
    rows = np.column_stack([np.ones(len(x)), x, y, x * x, y * y, x * y])
    return drawing.spread(drawing.added(rows), pearson_of_sums, settings)


def _headline(estimates: list[Estimate]) -> str:
    chosen = {"level": "system", "coefficient": "spearman"}
    for e in estimates:
        if e.value is not None and chosen.items() <= e.by.items():
            pair = f"{e.by['question_a']} and {e.by['question_b']}"
            where = f"{place(e)}: " if e.tags else ""
            return f"{where}{pair} order {e.n} systems with ρ = {e.value:.3f}{interval(e)}."
    return ""


def _draw(both: list[Both]) -> Figure:
    """The first two questions, a point for each system and split."""
    if not both:
        return figures.scatter(
            "Two questions", [], x=figures.axis("x", ""), y=figures.axis("y", "")
        )
    a, b = both[0].first.question, both[0].second.question
    same = [one for one in both if (one.first.question, one.second.question) == (a, b)]
    data = [
        {**one.first.tags, "system": one.systems[at], "first": x, "second": y}
        for one in same
        for at, x, y in zip(one._shared, *one.scores, strict=True)
    ]
    tag = next(iter(both[0].first.tags), "system")
    scale = {"zero": False}
    return figures.scatter(
        f"{a} against {b}",
        [{name: _number(value) for name, value in row.items()} for row in data],
        x=figures.axis("first", a, scale=scale),
        y=figures.axis("second", b, scale=scale),
        colour=figures.axis(tag, tag, "nominal"),
        tooltip=("system", "first", "second"),
    )


def _number(value: object) -> object:
    return float(value) if isinstance(value, np.floating) else value
