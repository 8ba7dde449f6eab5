"""A judge's severity and consistency, separated by a model from the quality of the items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jurat.resampling.student_t import t_quantile
from jurat.results import Estimate, Result
from jurat.stats import figures
from jurat.stats.estimates import Estimates
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.independent_units import units_of
from jurat.stats.judges.judge_ratings import once
from jurat.stats.judges.judge_statistic import (
    OutlierFlags,
    Signal,
    SignalValues,
    flag_outside,
    sides,
)
from jurat.stats.judges.mixed_model import Components, fit_crossed
from jurat.stats.judges.peer_comparison import ALONE, WORDS, PeerComparison, peer_comparisons
from jurat.stats.judges.rasch import categories, fit_rasch
from jurat.stats.phrases import percent
from jurat.stats.ratings import Array, Codes, summed
from jurat.stats.settings import JudgeSettings

# Mean squares above this are more noise than information (Linacre 2002).
MISFIT = 1.5
# The models have a row and a column for each judge.
MOST_JUDGES = 3000
FORMULAS = {
    "mixed": (
        "score = mean − severity + item + rest, judges and items random, by REML; in points, "
        "shrunk towards the mean of the judges"
    ),
    "rasch": (
        "many-facet Rasch model, rating scale: log P(k)/P(k − 1) = quality − severity − threshold, "
        "by joint maximum likelihood × (L − 1)/L; in logits"
    ),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Severities:
    """What a model says of the judges of one question and split, NaN where it says nothing."""

    peers: PeerComparison
    severity: Array
    centre: Array
    """The middle of a severity's interval: less the mean of these judges, and not shrunk."""
    error: Array
    freedom: float
    """Degrees of freedom of the errors."""
    document_errors: Array | None = None
    """Errors with a variance over documents, where they are known."""
    documents: Codes | None = None
    """How many documents each judge has."""
    infit: Array
    outfit: Array
    reason: str = ""
    components: Components | None = None

    @property
    def no_outfit(self) -> str:
        """Why a judge has no outfit."""
        return self.reason if self.components is None else "needs the method rasch"

    def signal(self, values: Estimates | Array, flags: OutlierFlags, **more: Any) -> SignalValues:
        """One of the values of every judge, with the outliers by it."""
        more = {"n": self.peers.shared, "reason": self.reason, **more}
        return SignalValues.of(self.peers.ratings, values, more.pop("n"), flags, **more)


class ModelSeverity(Signal):
    """Severity from a mixed or a many-facet Rasch model."""

    name = "judge-severity"
    gives = ("judge-severity", "variance-component")
    way = "severity"
    asks = "Who is strict or lenient, whatever they happened to judge?"
    formula = FORMULAS["mixed"]
    rule = "outside mean ± {k} SD (ddof 1) of the judges' severities"
    source = "Linacre 1989 (many-facet Rasch); Patterson & Thompson 1971 (REML)"
    order = 50

    def measure_all(
        self, evaluation: Evaluation, settings: JudgeSettings
    ) -> tuple[SignalValues, ...]:
        """The severity of every judge."""
        return tuple(_severity(one, settings) for one in severities(evaluation, settings))

    def results(self, evaluation: Evaluation, settings: JudgeSettings) -> Iterator[Result]:
        """The severity of every judge, and how much of the scores' variance is the judges'."""
        method = settings.method or "mixed"
        yield self.signal_result(
            evaluation,
            settings,
            self.values(evaluation, settings),
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


class ModelFit(Signal):
    """Consistency: how far a judge's scores are from what the model expects of them."""

    name = "judge-infit"
    gives = ("judge-infit", "judge-outfit")
    way = "fit"
    doubts = True
    asks = "Who is inconsistent: strict here and lenient there?"
    formula = "Σ residual² / Σ expected residual² of the judge, 1 for all judges together"
    rule = f"infit or outfit above {MISFIT}"
    source = "Wright & Masters 1982; Linacre 2002 (limits)"
    order = 52
    counted = "items that others judged too"

    def measure_all(
        self, evaluation: Evaluation, settings: JudgeSettings
    ) -> tuple[SignalValues, ...]:
        """The infit of every judge; an outlier is who has too much infit or outfit."""
        found = severities(evaluation, settings)
        return tuple(one.signal(one.infit, _misfit(one)) for one in found)

    def results(self, evaluation: Evaluation, settings: JudgeSettings) -> Iterator[Result]:
        """Infit and outfit of every judge."""
        yield from super().results(evaluation, settings)
        found = severities(evaluation, settings)
        yield self.signal_result(
            evaluation,
            settings,
            [one.signal(one.outfit, _misfit(one), reason=one.no_outfit) for one in found],
            name="judge-outfit",
            formula="mean of residual² / expected residual² of the judge, 1 for all together",
        )


@once
def severities(evaluation: Evaluation, settings: JudgeSettings) -> tuple[Severities, ...]:
    """What the model says of the judges of each question and split."""
    found = peer_comparisons(evaluation, settings)

    def fit(peers: PeerComparison) -> Severities:
        return _rasch(peers) if settings.method == "rasch" else _mixed(peers, settings)

    return tuple(
        _unfitted(peers, reason) if (reason := _why_not(peers)) else fit(peers) for peers in found
    )


def _why_not(peers: PeerComparison) -> str:
    """Why no model can be fitted; nothing where one can."""
    ratings = peers.ratings
    reasons = (
        (ratings.nominal, WORDS),
        (len(ratings.judges) < 2, "there is only one judge"),
        (len(ratings.judges) > MOST_JUDGES, f"there are more than {MOST_JUDGES:,} judges"),
        (not peers.shared.any(), ALONE),
        (len(ratings.points) < 2, "all answers are the same"),
    )
    return next((words for holds, words in reasons if holds), "")


def _unfitted(peers: PeerComparison, reason: str) -> Severities:
    nothing = np.full(len(peers.judges), np.nan)
    return Severities(
        peers=peers,
        severity=nothing,
        centre=nothing,
        error=nothing,
        freedom=np.inf,
        infit=nothing,
        outfit=nothing,
        reason=reason,
    )


def _mixed(peers: PeerComparison, settings: JudgeSettings) -> Severities:
    ratings = peers.ratings
    units = units_of(ratings, settings)
    model = fit_crossed(ratings.values, ratings.judge_codes, ratings.item_codes, units.of_item)
    # an item that one judge judged has next to no residual, and says nothing of consistency
    shared = np.bincount(ratings.item_codes)[ratings.item_codes] > 1
    square = model.residuals**2
    mean = square[shared].mean()
    by_judge = summed(ratings.judge_codes, square * shared)
    nothing = np.full(len(by_judge), np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        fit = by_judge / peers.shared / mean if mean > 0 else nothing
    return Severities(
        peers=peers,
        severity=-model.judges,
        centre=-model.among_judges,
        error=model.among_errors,
        # what is left of the judgments for the variance of the rest
        freedom=max(1.0, len(ratings) - len(ratings.items) - len(ratings.judges) + 1.0),
        document_errors=None if units.are_items else model.document_errors,
        documents=None if units.are_items else model.documents,
        infit=fit,
        outfit=nothing,
        reason=ALONE,
        components=model.components,
    )


def _rasch(peers: PeerComparison) -> Severities:
    ratings = peers.ratings
    # the model needs categories, of which a scale to 100 has too many
    codes = categories(ratings.values)
    model = fit_rasch(codes, ratings.judge_codes, ratings.item_codes)
    return Severities(
        peers=peers,
        severity=model.severities,
        centre=model.severities,
        error=model.errors,
        freedom=np.inf,
        infit=model.infit,
        outfit=model.outfit,
        reason=(
            "no finite severity: only answers at one end of the scale, or no items in common with "
            "the other judges"
        ),
    )


def _severity(one: Severities, settings: JudgeSettings) -> SignalValues:
    flags = flag_outside(one.severity, settings.k)
    # the severe are those whose scores are low
    side = sides(-one.severity, flags.found, settings)
    estimated = _with_errors(one, settings) or one.severity
    return one.signal(estimated, flags, side=side, n=one.peers.counts)


def _with_errors(one: Severities, settings: JudgeSettings) -> Estimates | None:
    """Severities with intervals of the differences from these judges' mean, if asked for."""
    if not settings.intervals:
        return None
    far = t_quantile(one.freedom, (1 + settings.confidence) / 2) * one.error
    how = "interval of the difference from the mean of these judges, with t"
    if one.document_errors is not None and one.documents is not None:
        # where judges share few items, severities rest on the documents that each of them has
        freedom = np.maximum(1, one.documents - 1)
        wide = t_quantile(freedom, (1 + settings.confidence) / 2) * one.document_errors
        far = np.where(np.isnan(wide), np.nan, np.fmax(far, wide))
        how += ", from the larger of the model's error and one over documents"
    # a severity that was shrunk far lies outside: the interval is stretched to it
    return Estimates(
        values=one.severity,
        low=np.minimum(one.centre - far, one.severity),
        high=np.maximum(one.centre + far, one.severity),
        method=f"{100 * settings.confidence:g} % {how}",
    )


def _misfit(one: Severities) -> OutlierFlags:
    # fmax ignores NaN: the mixed model has no outfit
    worst = np.fmax(one.infit, one.outfit)
    return OutlierFlags(np.where(np.isnan(worst), np.nan, worst > MISFIT))


def _components(one: Severities) -> Iterator[Estimate]:
    ratings = one.peers.ratings
    if one.components is None:
        reason = one.reason if np.isnan(one.severity).all() else "needs the method mixed"
        yield Estimate.of(None, 0, about=ratings, reason=reason)
        return
    for name, value in one.components._asdict().items():
        yield Estimate.of(value, len(ratings), about=ratings, by={"component": name})


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
