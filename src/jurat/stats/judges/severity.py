"""A judge's severity and consistency, told apart from the quality of what he happened to judge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from jurat.results import Estimate, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.judges import rules
from jurat.stats.judges.adding import added
from jurat.stats.judges.diagnosing import Diagnosing, once
from jurat.stats.judges.mixed_model import Components, fit_crossed
from jurat.stats.judges.panel import ALONE, WORDS, Panel, panels
from jurat.stats.judges.rasch import categories, fit_rasch
from jurat.stats.judges.rules import Verdict
from jurat.stats.judges.signal import Group, Reading, Signal
from jurat.stats.ratings import Array
from jurat.stats.spread import Spread
from jurat.stats.words import percent

MISFIT = 1.5
"""Mean squares above this are more noise than information (Linacre 2002)."""
MOST_JUDGES = 3000
"""The models have a row and a column for each judge."""
FORMULAS = {
    "mixed": "score = mean − severity + item + rest, judges and items random, by REML; in points",
    "rasch": (
        "many-facet Rasch model, rating scale: log P(k)/P(k − 1) = quality − severity − threshold, "
        "by joint maximum likelihood × (L − 1)/L; in logits"
    ),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Severities:
    """What a model says of the judges of one question and split."""

    panel: Panel
    severity: Array
    error: Array
    infit: Array
    outfit: Array
    reason: str = ""
    components: Components | None = None

    @property
    def no_outfit(self) -> str:
        """Why a judge has no outfit."""
        return self.reason if self.components is None else "needs the method rasch"

    def reading(self, values: Array, verdict: Verdict, spread: Spread | None = None) -> Reading:
        """Some of it as a reading."""
        nothing = np.full(len(values), np.nan)
        return Reading(
            group=Group(self.panel.ratings.question, self.panel.ratings.tags),
            judges=self.panel.judges,
            spread=spread or Spread(values=values, low=nothing, high=nothing),
            n=self.panel.shared,
            verdict=verdict,
            reason=self.reason,
        )


class Severity(Signal):
    """Severity from a mixed or a many-facet Rasch model."""

    name = "judge-severity"
    gives = ("judge-severity", "variance-component")
    way = "severity"
    asks = "Who is strict or lenient, whatever he happened to judge?"
    formula = FORMULAS["mixed"]
    rule = "outside mean ± {k} SD (ddof 1) of the judges' severities"
    source = "Linacre 1989 (many-facet Rasch); Patterson & Thompson 1971 (REML)"
    needs = ("judge",)
    place = 50

    def measured(self, evaluation: Evaluation, settings: Diagnosing) -> tuple[Reading, ...]:
        """The severity of every judge."""
        return tuple(_severity(one, settings) for one in severities(evaluation, settings))

    def results(self, evaluation: Evaluation, settings: Diagnosing) -> Iterator[Result]:
        """The severity of every judge, and how much of the scores' variance is the judges'."""
        method = settings.method or "mixed"
        yield self.told_as(
            evaluation,
            settings,
            self.readings(evaluation, settings),
            formula=FORMULAS[method],
            model=method,
        )
        shares = [e for one in severities(evaluation, settings) for e in _components(one)]
        yield self.result(
            evaluation,
            settings,
            shares,
            name="variance-component",
            method="variance of judges, items and the rest, by REML; n counts judgments",
            **settings.choices(),
            headline=_headline(shares),
            draw=lambda: figures.bars(
                "Where the variance of scores comes from",
                figures.rows(shares),
                x=figures.axis("question", "question", "nominal"),
                y=figures.axis("value", "variance"),
                colour=figures.axis("component", "component", "nominal"),
            ),
        )


class Fit(Signal):
    """Consistency: how far a judge's scores are from what the model expects of him."""

    name = "judge-infit"
    gives = ("judge-infit", "judge-outfit")
    way = "fit"
    doubts = True
    asks = "Who is inconsistent: strict here and lenient there?"
    formula = "Σ residual² / Σ expected residual² of the judge, 1 for all judges together"
    rule = f"infit or outfit above {MISFIT}"
    source = "Wright & Masters 1982; Linacre 2002 (limits)"
    needs = ("judge",)
    place = 52
    counts = "items that others judged too"

    def measured(self, evaluation: Evaluation, settings: Diagnosing) -> tuple[Reading, ...]:
        """The infit of every judge, held against the limit together with his outfit."""
        found = severities(evaluation, settings)
        return tuple(one.reading(one.infit, _misfit(one)) for one in found)

    def results(self, evaluation: Evaluation, settings: Diagnosing) -> Iterator[Result]:
        """Infit and outfit of every judge."""
        yield from super().results(evaluation, settings)
        found = severities(evaluation, settings)
        yield self.told_as(
            evaluation,
            settings,
            [replace(one, reason=one.no_outfit).reading(one.outfit, _misfit(one)) for one in found],
            name="judge-outfit",
            formula="mean of residual² / expected residual² of the judge, 1 for all together",
        )


@once
def severities(evaluation: Evaluation, settings: Diagnosing) -> tuple[Severities, ...]:
    """What the model says of the judges of each question and split."""
    fit = _rasch if settings.method == "rasch" else _mixed
    return tuple(_told(panel) or fit(panel) for panel in panels(evaluation, settings))


def _told(panel: Panel) -> Severities | None:
    """Nothing, with the reason, where no model can be fitted."""
    ratings = panel.ratings
    reasons = (
        (ratings.nominal, WORDS),
        (len(ratings.judges) < 2, "there is only one judge"),
        (len(ratings.judges) > MOST_JUDGES, f"there are more than {MOST_JUDGES:,} judges"),
        (not panel.shared.any(), ALONE),
        (len(ratings.points) < 2, "all answers are the same"),
    )
    reason = next((words for holds, words in reasons if holds), "")
    nothing = np.full(len(ratings.judges), np.nan)
    if not reason:
        return None
    return Severities(
        panel=panel,
        severity=nothing,
        error=nothing,
        infit=nothing,
        outfit=nothing,
        reason=reason,
    )


def _mixed(panel: Panel) -> Severities:
    ratings = panel.ratings
    model = fit_crossed(ratings.values, ratings.judge_codes, ratings.item_codes)
    # an item that one judge judged has next to no residual, and says nothing of his consistency
    shared = np.bincount(ratings.item_codes)[ratings.item_codes] > 1
    square = model.residuals**2
    mean = square[shared].mean()
    by_judge = added(ratings.judge_codes, square * shared)
    with np.errstate(invalid="ignore", divide="ignore"):
        fit = by_judge / panel.shared / mean if mean > 0 else np.full(len(by_judge), np.nan)
    return Severities(
        panel=panel,
        severity=-model.judges,
        error=model.errors,
        infit=fit,
        outfit=np.full(len(fit), np.nan),
        reason=ALONE,
        components=model.components,
    )


def _rasch(panel: Panel) -> Severities:
    ratings = panel.ratings
    codes = categories(ratings.values)
    model = fit_rasch(codes, ratings.judge_codes, ratings.item_codes)
    return Severities(
        panel=panel,
        severity=model.severities,
        error=model.errors,
        infit=model.infit,
        outfit=model.outfit,
        reason=(
            "no finite severity: only answers at one end of the scale, or no items in common with "
            "the other judges"
        ),
    )


def _severity(one: Severities, settings: Diagnosing) -> Reading:
    verdict = rules.outside(one.severity, settings.k)
    reading = one.reading(one.severity, verdict, _with_errors(one, settings))
    side = rules.sides(-one.severity, verdict.found)
    return replace(reading, side=side, n=one.panel.counts)


def _with_errors(one: Severities, settings: Diagnosing) -> Spread | None:
    """Severities ± z standard errors, where intervals are asked for."""
    from scipy.special import ndtri

    if not settings.bootstrap:
        return None
    far = float(ndtri(0.5 + settings.confidence / 2)) * one.error
    return Spread(
        values=one.severity,
        low=one.severity - far,
        high=one.severity + far,
        method=f"{100 * settings.confidence:g} % interval from the model's standard errors",
    )


def _misfit(one: Severities) -> Verdict:
    worst = np.fmax(one.infit, one.outfit)
    return Verdict(np.where(np.isnan(worst), np.nan, worst > MISFIT))


def _components(one: Severities) -> Iterator[Estimate]:
    ratings = one.panel.ratings
    if one.components is None:
        reason = one.reason if np.isnan(one.severity).all() else "needs the method mixed"
        yield Estimate(None, 0, by=ratings.by, tags=ratings.tags, reason=reason)
        return
    for name, value in one.components._asdict().items():
        by = {**ratings.by, "component": name}
        yield Estimate(value, len(ratings), by=by, tags=ratings.tags)


def _headline(shares: Sequence[Estimate]) -> str:
    known = {e.by["component"]: e.value or 0.0 for e in shares[:3] if e.value is not None}
    total = sum(known.values())
    if not total:
        return ""
    judge, item = known["judge"] / total, known["item"] / total
    return (
        f"Of the variance of scores {percent(judge)} is the judges' severity, {percent(item)} the "
        f"quality of what they judged, and {percent(1 - judge - item)} neither."
    )
