"""How far HEval scores go with other questions about the same translations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
import polars as pl

from jurat.resampling import adjust
from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.correlation import (
    bonett_wright_interval,
    fisher_interval,
    moments,
    pearson,
    pearson_from_sums,
    pearson_p,
    spearman,
)
from jurat.stats.estimates import Estimates, bootstrap_estimates, method_line
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.heval.feature_answers import HEVAL, FeatureAnswers, feature_answers, named_by_judge
from jurat.stats.phrases import interval
from jurat.stats.ratings import Array, coded
from jurat.stats.settings import HEvalSettings
from jurat.stats.statistic import Settings, Statistic

SIGNIFICANT = 0.05
# Below this many documents or segments to be drawn, Fisher's interval is the better one.
FEW_CLUSTERS = 20
# Sentences, below which a correlation says nothing.
FEWEST = 3
PAIRED = "the judge's own answer where there is one, else the mean of the others'"


class HEvalCorrelation(Statistic[Settings]):
    """Tables 20 and 21, with the intervals and p-values that the paper does not give."""

    name = "heval-correlation"
    asks = "Do HEval scores go with adequacy and fluency?"
    formulas: ClassVar = {
        "heval-correlation": f"Pearson's r over sentences; {PAIRED}; n counts sentences",
        "heval-spearman": (
            f"Spearman's ρ over sentences, mid-ranks; {PAIRED}; interval of Bonett & Wright for "
            "independent sentences"
        ),
        "heval-correlation-p": (
            "two-sided p of r = 0 by Student's t with n − 2 degrees of freedom"
        ),
    }
    formula = "Pearson's r of sentence scores and answers; Spearman's ρ; p of r by Student's t"
    source = "Joshi et al. 2013, Tables 20-21; Bonett & Wright 2000"
    needs = ("system",)
    order = 70

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """r, ρ and p for each question of `--with`, system and judge."""
        asked = HEvalSettings.of(settings)
        if not asked.compared:
            return
        found = [one for part in feature_answers(evaluation, asked) for one in _pairs(part, asked)]
        drawn = next((o.drawn.method for o in found if o.clusters >= FEW_CLUSTERS), "")
        closed = f"Fisher's interval where clusters are fewer than {FEW_CLUSTERS}"
        pearsons = [one.pearson(asked) for one in found]
        spearmans = [one.spearman(asked) for one in found]
        # The p-value is that of the plain r, whatever interval was drawn for it.
        p = [one.p_value() for one in found]
        how = method_line(drawn, closed) if asked.bootstrap else ""
        headline = _headline(pearsons, p)
        yield self.result(evaluation, asked, pearsons, how=how, headline=headline)
        yield self.result(evaluation, asked, spearmans, name="heval-spearman")
        yield self.result(evaluation, asked, p, name="heval-correlation-p")

    def figure_of(self, name: str, estimates: Sequence[Estimate]) -> Figure:
        """A point for each system and judge; p-values have no figure."""
        if name == "heval-correlation-p":
            return {}
        return figures.points_with_intervals(
            "HEval scores against other questions",
            named_by_judge(estimates),
            over="system",
            value="correlation",
            colour="judge",
            facet="with",
            sort="ascending",
        )


# From a correlation, n and the confidence to both ends of its interval.
ClosedInterval = Callable[[float, int, float], tuple[float, float]]


class _PairedSentences(NamedTuple):
    """The sentences of one system and judge that have both numbers."""

    by: dict[str, Key]
    part: FeatureAnswers
    scores: Array
    answers: Array
    drawn: Estimates
    at: int
    clusters: int

    @property
    def reason(self) -> str:
        if len(self.scores) < FEWEST:
            return f"fewer than {FEWEST} sentences have both"
        return "one of the two does not vary"

    def pearson(self, settings: HEvalSettings) -> Estimate:
        # A few clusters can be drawn in a few ways only; Fisher's formula draws none.
        if len(self.scores) >= FEWEST and self.clusters >= FEW_CLUSTERS:
            n, tags = len(self.scores), self.part.tags
            return self.drawn.estimate(self.at, n=n, by=self.by, tags=tags, reason=self.reason)
        return self._closed(self._correlated(pearson), settings, fisher_interval)

    def spearman(self, settings: HEvalSettings) -> Estimate:
        return self._closed(self._correlated(spearman), settings, bonett_wright_interval)

    def _correlated(self, coefficient: Callable[[Array, Array], Array]) -> float:
        if len(self.scores) < FEWEST:
            return float("nan")
        return float(coefficient(self.scores, self.answers))

    def _closed(self, value: float, settings: HEvalSettings, interval: ClosedInterval) -> Estimate:
        """A correlation with an interval from a formula."""
        n = len(self.scores)
        low, high = interval(value, n, settings.confidence) if settings.bootstrap else (None, None)
        return self._estimate(value, low, high)

    def p_value(self) -> Estimate:
        return self._estimate(pearson_p(self._correlated(pearson), len(self.scores)))

    def _estimate(
        self, value: float | None, low: float | None = None, high: float | None = None
    ) -> Estimate:
        return Estimate.of(
            value,
            len(self.scores),
            by=self.by,
            tags=self.part.tags,
            low=low,
            high=high,
            reason=self.reason,
        )


def _pairs(part: FeatureAnswers, settings: HEvalSettings) -> Iterator[_PairedSentences]:
    """For all judges together (mean score of a sentence), then for each."""
    for question in settings.compared:
        answers = part.others.filter(pl.col("question") == question)
        yield from _drawn(part, _joined(_averaged(part.scores), answers), question, settings)
        if part.judged_by:
            joined = _joined(part.scores, answers)
            for (judge,), own in sorted(joined.partition_by("judge", as_dict=True).items()):
                yield from _drawn(part, own, question, settings, judge=str(judge))


def _averaged(scores: pl.DataFrame) -> pl.DataFrame:
    """Mean score of each translation over its judges."""
    return scores.group_by("system", "item", maintain_order=True).agg(
        pl.col("cluster").first(), pl.col("value").mean()
    )


def _joined(scores: pl.DataFrame, answers: pl.DataFrame) -> pl.DataFrame:
    """Sentence scores with the other answer: the same judge's, else the mean of all."""
    means = answers.group_by("system", "item").agg(pl.col("value").mean().alias("answer"))
    joined = scores.join(means, on=["system", "item"], how="inner", maintain_order="left")
    if not {"judge"} <= set(scores.columns) & set(answers.columns):
        return joined
    keys = ["judge", "system", "item"]
    own = answers.select(*keys, pl.col("value").alias("own")).unique(keys)
    # Left, so that a judge without an answer of their own keeps the mean of the others.
    joined = joined.join(own, on=keys, how="left", maintain_order="left")
    return joined.with_columns(pl.coalesce("own", "answer").alias("answer"))


def _drawn(
    part: FeatureAnswers,
    rows: pl.DataFrame,
    question: str,
    settings: HEvalSettings,
    judge: str = "",
) -> Iterator[_PairedSentences]:
    """The sentences of each system, all resampled with one draw of clusters."""
    if rows.is_empty():
        return
    names, clusters = np.unique(rows["cluster"].to_numpy(), return_inverse=True)
    systems, titles = coded(rows["system"])
    x, y = rows["value"].to_numpy(), rows["answer"].to_numpy()
    # One table of clusters × systems: all systems are resampled with the same draws.
    cells = clusters * len(titles) + systems
    summed = np.stack(
        [
            np.bincount(cells, weights=column, minlength=len(names) * len(titles))
            for column in moments(x - x.mean(), y - y.mean()).T
        ],
        axis=1,
    ).reshape(len(names), -1)

    def score(totals: Array) -> Array:
        return pearson_from_sums(totals.reshape(len(totals), len(titles), 6))

    drawn = bootstrap_estimates(summed, score, settings=settings)
    for at, system in enumerate(titles):
        own = systems == at
        by: dict[str, Key] = {"question": HEVAL, "with": question, "system": system}
        by |= {"judge": judge} if judge else {}
        yield _PairedSentences(by, part, x[own], y[own], drawn, at, len(names))


def _headline(straight: Sequence[Estimate], chances: Sequence[Estimate]) -> str:
    known = [e for e in straight if e.value is not None]
    if not known:
        return "No correlation can be computed."
    least, most = (f(known, key=lambda e: e.value or 0.0) for f in (min, max))
    p = adjust([e.value for e in chances if e.value is not None], "holm")
    beyond = int((p < SIGNIFICANT).sum())
    # the t test of r knows nothing of sentences that share a document or a judge
    of = (
        f"{beyond} of {len(known)} differ from 0 (Holm, p < {SIGNIFICANT:g}, if sentences are "
        "independent)"
    )
    span = f"from {spoken(least.value)}{interval(least)} to {spoken(most.value)}{interval(most)}"
    return f"Correlations of HEval scores run {span}; {of}."
