"""How far HEval scores go with other questions about the same translations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from jurat.resampling import adjust, jackknife_t
from jurat.resampling.jackknife_t import JackknifeT
from jurat.results import Estimate, Figure, Key, Result, spoken
from jurat.stats import figures
from jurat.stats.cluster_inference import THESE_JUDGES
from jurat.stats.correlation import (
    moments,
    pearson_from_sums,
    pearson_p,
    spearman,
)
from jurat.stats.estimates import (
    Estimates,
    common_method,
    left_out_by_group,
    method_line,
    of_jackknife,
)
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.heval.feature_answers import (
    HEVAL,
    FeatureAnswers,
    feature_answers,
    named_by_judge,
    rated,
)
from jurat.stats.independent_units import FEW, Units, units_of
from jurat.stats.phrases import interval
from jurat.stats.ratings import Array, Codes, alike, coded
from jurat.stats.settings import HEvalSettings
from jurat.stats.statistic import Settings, Statistic

SIGNIFICANT = 0.05
# Units that are left out one by one where ranks have to be computed anew each time; more are left
# out in so many random groups.
MOST_RANKED = 40
# Sentences, below which a correlation says nothing.
FEWEST = 3
PAIRED = "the judge's own answer where there is one, else the mean of the others'"


class HEvalCorrelation(Statistic[Settings]):
    """Tables 20 and 21, with the intervals and p-values that the paper does not give."""

    name = "heval-correlation"
    asks = "Do HEval scores go with adequacy and fluency?"
    formulas: ClassVar = {
        "heval-correlation": f"Pearson's r over sentences; {PAIRED}; n counts sentences",
        "heval-spearman": f"Spearman's ρ over sentences, mid-ranks; {PAIRED}; n counts sentences",
        "heval-correlation-p": "two-sided p of r = 0; n counts sentences",
    }
    formula = "Pearson's r of sentence scores and answers; Spearman's ρ; p of r = 0"
    source = "Joshi et al. 2013, Tables 20-21; intervals: Arvesen 1969"
    needs = ("system",)
    resampled = False
    order = 70

    def results(self, evaluation: Evaluation, settings: Settings) -> Iterator[Result]:
        """r, ρ and p for each question of `--with`, system and judge."""
        asked = HEvalSettings.of(settings)
        if not asked.compared:
            return
        found = [one for part in feature_answers(evaluation, asked) for one in _pairs(part, asked)]
        pearsons = [one.estimate(one.pearson) for one in found]
        p = [one.p_value() for one in found]
        how = common_method(one.method(one.pearson) for one in found)
        headline = _headline(pearsons, p)
        yield self.result(evaluation, asked, pearsons, how=how, headline=headline)
        spearmans = [one.estimate(one.spearman) for one in found]
        how = common_method(one.method(one.spearman) for one in found)
        yield self.result(evaluation, asked, spearmans, name="heval-spearman", how=how)
        how = common_method(one.p_method for one in found)
        yield self.result(evaluation, asked, p, name="heval-correlation-p", how=how)

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


@dataclass(frozen=True, kw_only=True, eq=False)
class _PairedSentences:
    """The sentences of one system and judge that have both numbers, and how they are correlated."""

    by: Mapping[str, Key]
    part: FeatureAnswers
    scores: Array
    answers: Array
    unit: Codes
    """The unit of each sentence, from 0."""
    units: Units
    """What the units are."""
    settings: HEvalSettings

    @property
    def reason(self) -> str:
        if len(self.scores) < FEWEST:
            return f"fewer than {FEWEST} sentences have both"
        return "one of the two does not vary"

    @cached_property
    def _jackknife(self) -> JackknifeT | None:
        if len(self.scores) < FEWEST:
            return None
        # Centred, so that squares of large numbers do not swallow the differences.
        x, y = (side - side.mean() for side in (self.scores, self.answers))
        return jackknife_t(
            moments(x, y),
            pearson_from_sums,
            clusters=self.unit,
            confidence=self.settings.confidence,
            words=self.units.words,
        )

    @cached_property
    def pearson(self) -> Estimates:
        if self._jackknife is None:
            return Estimates.undefined()
        if not self.settings.intervals:
            return Estimates.without_intervals(self._jackknife.value)
        return of_jackknife(self._jackknife)

    @cached_property
    def spearman(self) -> Estimates:
        if len(self.scores) < FEWEST:
            return Estimates.undefined()

        # means over judges that differ by rounding alone would be no ties
        x, y = (alike(side, float(np.abs(side).max())) for side in (self.scores, self.answers))

        def without(kept: NDArray[np.bool_]) -> list[float]:
            return [float(spearman(x[kept], y[kept]))]

        return left_out_by_group(
            without, self.unit, most=MOST_RANKED, settings=self.settings, words=self.units.words
        )

    def estimate(self, found: Estimates) -> Estimate:
        return found.estimate(
            n=len(self.scores), by=self.by, tags=self.part.tags, reason=self.reason
        )

    def method(self, found: Estimates) -> str:
        return method_line(found.method, self._assumed) if found.method else ""

    @property
    def p_method(self) -> str:
        how = f"jackknife that leaves out each of the {self.units.words}, on Fisher's scale, with t"
        if self.settings.unit == "segment":
            how = "Student's t with n − 2 degrees of freedom"
        return method_line(how, self._assumed)

    @property
    def _assumed(self) -> str:
        # Judges are not left out: an r of means over judges is one of these judges.
        return method_line(THESE_JUDGES if self.part.judged_by else "", self.units.note)

    def p_value(self) -> Estimate:
        """Of the same variation as the interval; of independent sentences where that is asked."""
        p, reason = np.nan, self.reason
        if self._jackknife is not None and not np.isnan(r := float(self._jackknife.value[0])):
            p, reason = self._p(r, self._jackknife)
        n = len(self.scores)
        return Estimate.of(p, n, by=self.by, tags=self.part.tags, reason=reason)

    def _p(self, r: float, found: JackknifeT) -> tuple[float, str]:
        """The p-value of a correlation, or why there is none."""
        if self.settings.unit == "segment":
            return pearson_p(r, len(self.scores)) or 0.0, ""
        if found.units < FEW:
            words = self.units.word if found.units == 1 else self.units.words
            return np.nan, f"{found.units} {words} cannot speak for others"
        return float(found.p_value[0]), found.reasons[0]


def _pairs(part: FeatureAnswers, settings: HEvalSettings) -> Iterator[_PairedSentences]:
    """For all judges together (mean score of a sentence), then for each."""
    for question in settings.compared:
        answers = part.others.filter(pl.col("question") == question)
        averaged = _joined(_averaged(part.scores), answers)
        yield from _by_system(part, averaged, question, settings)
        if part.judged_by:
            joined = _joined(part.scores, answers)
            for (judge,), own in sorted(joined.partition_by("judge", as_dict=True).items()):
                yield from _by_system(part, own, question, settings, judge=str(judge))


def _averaged(scores: pl.DataFrame) -> pl.DataFrame:
    """Mean score of each translation over its judges."""
    known = [name for name in ("place", "document") if name in scores.columns]
    return scores.group_by("system", "item", maintain_order=True).agg(
        *(pl.col(name).first() for name in known), pl.col("value").mean()
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


def _by_system(
    part: FeatureAnswers,
    rows: pl.DataFrame,
    question: str,
    settings: HEvalSettings,
    judge: str = "",
) -> Iterator[_PairedSentences]:
    """The sentences of each system that have both numbers."""
    if rows.is_empty():
        return
    ratings = rated(rows, part.tags)
    units = units_of(ratings, settings)
    unit = units.of_item[ratings.item_codes]
    systems, titles = coded(rows["system"])
    x, y = rows["value"].to_numpy(), rows["answer"].to_numpy()
    for at, system in enumerate(titles):
        own = systems == at
        by: dict[str, Key] = {"question": HEVAL, "with": question, "system": system}
        by |= {"judge": judge} if judge else {}
        yield _PairedSentences(
            by=by,
            part=part,
            scores=x[own],
            answers=y[own],
            # numbered anew: not every system has every document
            unit=np.unique(unit[own], return_inverse=True)[1],
            units=units,
            settings=settings,
        )


def _headline(correlations: Sequence[Estimate], p_values: Sequence[Estimate]) -> str:
    """The lowest and highest correlation, and how many differ from 0."""
    known = [e for e in correlations if e.value is not None]
    if not known:
        return "No correlation can be computed."
    least, most = (f(known, key=lambda e: e.value or 0.0) for f in (min, max))
    span = f"from {spoken(least.value)}{interval(least)} to {spoken(most.value)}{interval(most)}"
    tested = [e.value for e in p_values if e.value is not None]
    beyond = int((adjust(tested, "holm") < SIGNIFICANT).sum())
    told = f"{beyond} of {len(tested)} differ from 0 (Holm, p < {SIGNIFICANT:g})"
    if not tested:
        why = next((e.reason for e in p_values if e.reason), "")
        told = f"whether they differ from 0 cannot be told: {why}"
    return f"Correlations of HEval scores run {span}; {told}."
