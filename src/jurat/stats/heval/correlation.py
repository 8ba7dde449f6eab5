"""How far HEval scores go with other questions about the same translations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import polars as pl

from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.heval.sheets import HEVAL, HEvalSettings, Sheet, drawn_by_judge, sheets
from jurat.stats.ratings import Array, coded
from jurat.stats.spread import Spread, spread, told
from jurat.stats.statistic import Settings, Statistic
from jurat.stats.words import interval

SIGNIFICANT = 0.05
FEW_CLUSTERS = 20
"""Below this many documents or segments to be drawn, Fisher's interval is the better one."""
FEWEST = 3
"""Sentences, below which a correlation says nothing."""


class HEvalCorrelation(Statistic[Settings]):
    """Tables 20 and 21, with the intervals and p-values that the paper does not give."""

    name = "heval-correlation"
    gives = ("heval-correlation", "heval-spearman", "heval-correlation-p")
    asks = "Do HEval scores go with adequacy and fluency?"
    formula = "Pearson's r of sentence scores and answers; Spearman's ρ; p of r by Student's t"
    source = "Joshi et al. 2013, Tables 20-21; Bonett & Wright 2000"
    needs = ("system",)
    place = 70

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """r, ρ and p for each question of `--with`, system and judge."""
        asked = HEvalSettings.of(settings)
        if not asked.compared:
            return
        found = [one for sheet in sheets(evaluation, asked) for one in _pairs(sheet, asked)]
        straight = tuple(one.pearson(asked) for one in found)
        ranked = tuple(one.spearman(asked) for one in found)
        chances = tuple(one.p_value() for one in found)
        drawn = next((o.drawn.method for o in found if o.clusters >= FEW_CLUSTERS), "")
        closed = f"Fisher's interval where clusters are fewer than {FEW_CLUSTERS}"
        how = told(drawn, closed) if asked.bootstrap else ""
        yield self.result(
            evaluation,
            asked,
            straight,
            method=told("Pearson's r over sentences", PAIRED, "n counts sentences", how),
            headline=_headline(straight, chances),
            draw=lambda: _draw(straight),
        )
        yield self.result(
            evaluation,
            asked,
            ranked,
            name="heval-spearman",
            method=told("Spearman's ρ over sentences, mid-ranks", PAIRED, _BONETT),
            draw=lambda: _draw(ranked),
        )
        yield self.result(
            evaluation,
            asked,
            chances,
            name="heval-correlation-p",
            method="two-sided p of r = 0 by Student's t with n − 2 degrees of freedom",
        )


PAIRED = "the judge's own answer where he gave one, else the mean of those who did"
_BONETT = "interval of Bonett & Wright for independent sentences"


def pearson(x: Array, y: Array) -> float:
    """Pearson's r; NaN where one of the two does not vary."""
    if len(x) < FEWEST:
        return float("nan")
    return float(_pearson(_moments(x, y).sum(axis=0)[None])[0])


def spearman(x: Array, y: Array) -> float:
    """Spearman's ρ: Pearson's r of mid-ranks."""
    return pearson(mid_ranks(x), mid_ranks(y))


def correlation_p(r: float, n: int) -> float | None:
    """How likely so great an r is, either way, without any correlation: t = r √((n−2)/(1−r²)).

    At n = 1300 an r below 0.0544 is not significant: eight of the twenty that the paper prints.
    """
    from scipy.special import stdtr

    if n < FEWEST or np.isnan(r):
        return None
    if abs(r) >= 1:
        return 0.0
    return float(2 * stdtr(n - 2, -abs(r) * np.sqrt((n - 2) / (1 - r * r))))


def mid_ranks(values: Array) -> Array:
    """Ranks from 1; equal values share the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[inverse], dtype=np.float64)


Closed = Callable[[float, int, float], tuple[float, float]]
"""From a correlation, n and the confidence to both ends of its interval."""


def fisher(r: float, n: int, confidence: float) -> tuple[float, float]:
    """Pearson's interval: tanh(atanh r ± z/√(n − 3)) (Fisher 1921)."""
    return _transformed(r, n, confidence, 1.0)


def bonett_wright(rho: float, n: int, confidence: float) -> tuple[float, float]:
    """Spearman's interval: tanh(atanh ρ ± z √((1 + ρ²/2)/(n − 3))) (Bonett & Wright 2000)."""
    return _transformed(rho, n, confidence, 1 + rho * rho / 2)


def _transformed(r: float, n: int, confidence: float, factor: float) -> tuple[float, float]:
    """Undefined for three or fewer, and where the correlation is complete."""
    if n <= FEWEST or np.isnan(r) or abs(r) >= 1:
        return float("nan"), float("nan")
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * np.sqrt(factor / (n - 3))
    return float(np.tanh(np.arctanh(r) - reach)), float(np.tanh(np.arctanh(r) + reach))


class _Pairs(NamedTuple):
    """The sentences of one system and judge that have both numbers."""

    by: dict[str, Key]
    sheet: Sheet
    scores: Array
    answers: Array
    drawn: Spread
    at: int
    clusters: int

    @property
    def reason(self) -> str:
        if len(self.scores) < FEWEST:
            return f"fewer than {FEWEST} sentences have both"
        return "one of the two does not vary"

    def pearson(self, settings: HEvalSettings) -> Estimate:
        if len(self.scores) >= FEWEST and self.clusters >= FEW_CLUSTERS:
            reason = self.reason
            return self.drawn.estimate(
                self.at, n=len(self.scores), by=self.by, tags=self.sheet.tags, reason=reason
            )
        return self._closed(pearson(self.scores, self.answers), settings, fisher)

    def spearman(self, settings: HEvalSettings) -> Estimate:
        return self._closed(spearman(self.scores, self.answers), settings, bonett_wright)

    def _closed(self, value: float, settings: HEvalSettings, interval: Closed) -> Estimate:
        """A correlation with an interval from a formula."""
        n, unknown = len(self.scores), (float("nan"),) * 2
        ends = interval(value, n, settings.confidence) if settings.bootstrap else unknown
        low, high = (None if np.isnan(end) else end for end in ends)
        known = None if np.isnan(value) else value
        reason = "" if known is not None else self.reason
        return Estimate(known, n, self.by, self.sheet.tags, low, high, reason)

    def p_value(self) -> Estimate:
        value = correlation_p(pearson(self.scores, self.answers), len(self.scores))
        reason = "" if value is not None else self.reason
        return Estimate(value, len(self.scores), self.by, self.sheet.tags, reason=reason)


def _pairs(sheet: Sheet, settings: HEvalSettings) -> Iterator[_Pairs]:
    """For all judges together (mean score of a sentence), then for each."""
    for question in settings.compared:
        answers = sheet.others.filter(pl.col("question") == question)
        yield from _drawn(sheet, _joined(_averaged(sheet.scores), answers), question, settings)
        if sheet.judged_by:
            joined = _joined(sheet.scores, answers)
            for (judge,), own in sorted(joined.partition_by("judge", as_dict=True).items()):
                yield from _drawn(sheet, own, question, settings, judge=str(judge))


def _averaged(scores: pl.DataFrame) -> pl.DataFrame:
    """Mean score of each translation over its judges."""
    return scores.group_by("system", "item", maintain_order=True).agg(
        pl.col("cluster").first(), pl.col("value").mean()
    )


def _joined(scores: pl.DataFrame, answers: pl.DataFrame) -> pl.DataFrame:
    """Sentence scores beside the other answer: the same judge's, else the mean of all."""
    means = answers.group_by("system", "item").agg(pl.col("value").mean().alias("answer"))
    joined = scores.join(means, on=["system", "item"], how="inner", maintain_order="left")
    if not {"judge"} <= set(scores.columns) & set(answers.columns):
        return joined
    keys = ["judge", "system", "item"]
    own = answers.select(*keys, pl.col("value").alias("own")).unique(keys)
    joined = joined.join(own, on=keys, how="left", maintain_order="left")
    return joined.with_columns(pl.coalesce("own", "answer").alias("answer"))


def _drawn(
    sheet: Sheet, rows: pl.DataFrame, question: str, settings: HEvalSettings, judge: str = ""
) -> Iterator[_Pairs]:
    """The sentences of each system, all resampled with one draw of clusters."""
    if rows.is_empty():
        return
    names, clusters = np.unique(rows["cluster"].to_numpy(), return_inverse=True)
    systems, titles = coded(rows["system"])
    x, y = rows["value"].to_numpy(), rows["answer"].to_numpy()
    cells = clusters * len(titles) + systems
    moments = np.stack(
        [
            np.bincount(cells, weights=column, minlength=len(names) * len(titles))
            for column in _moments(x - x.mean(), y - y.mean()).T
        ],
        axis=1,
    ).reshape(len(names), -1)

    def score(totals: Array) -> Array:
        return _pearson(totals.reshape(len(totals), len(titles), 6))

    drawn = spread(moments, score, settings=settings)
    for at, system in enumerate(titles):
        own = systems == at
        by: dict[str, Key] = {"question": HEVAL, "with": question, "system": system}
        by |= {"judge": judge} if judge else {}
        yield _Pairs(by, sheet, x[own], y[own], drawn, at, len(names))


def _moments(x: Array, y: Array) -> Array:
    return np.column_stack([np.ones_like(x), x, y, x * x, y * y, x * y])


def _pearson(totals: Array) -> Array:
    """Pearson's r from n, Σx, Σy, Σx², Σy², Σxy in the last axis; NaN where one is flat."""
    n, x, y, xx, yy, xy = np.moveaxis(totals, -1, 0)
    with np.errstate(all="ignore"):
        spreads = (xx - x * x / n, yy - y * y / n)
        flat = (spreads[0] <= 1e-12 * xx) | (spreads[1] <= 1e-12 * yy)
        r = (xy - x * y / n) / np.sqrt(spreads[0] * spreads[1])
    return np.where(flat, np.nan, np.clip(r, -1, 1))


def _headline(straight: Sequence[Estimate], chances: Sequence[Estimate]) -> str:
    known = [e for e in straight if e.value is not None]
    if not known:
        return "No correlation can be told."
    least, most = (f(known, key=lambda e: e.value or 0.0) for f in (min, max))
    beyond = sum(e.value is not None and e.value < SIGNIFICANT for e in chances)
    of = f"{beyond} of {len(known)} can be told from 0 (p < {SIGNIFICANT:g})"
    span = f"from {spoken(least.value)}{interval(least)} to {spoken(most.value)}{interval(most)}"
    return f"Correlations of HEval scores run {span}; {of}."


def _draw(estimates: Sequence[Estimate]) -> Figure:
    return figures.points_with_intervals(
        "HEval scores against other questions",
        drawn_by_judge(estimates),
        over="system",
        value="correlation",
        colour="judge",
        facet="with",
        sort="ascending",
    )
