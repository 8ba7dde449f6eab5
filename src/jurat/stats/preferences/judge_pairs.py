"""Cohen's kappa of every two judges on what they prefer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from jurat.resampling.intervals import NORMAL
from jurat.results import Estimate, Figure, Key, Result
from jurat.stats import figures
from jurat.stats.evaluation import Evaluation
from jurat.stats.kappa import JudgePairs
from jurat.stats.preferences.comparisons import (
    Comparing,
    Comparisons,
    about,
    comparisons,
    of_pairs,
    or_nothing,
)
from jurat.stats.ratings import Array, Codes, Ratings
from jurat.stats.statistic import Statistic
from jurat.stats.words import band, interval
from jurat.tables.columns import OUTCOMES

NOTHING = 1e-12


class CohenKappa(Statistic[Comparing]):
    """Cohen's kappa of two judges, with the outcomes as categories."""

    name = "cohen-kappa"
    gives = ("cohen-kappa",)
    asks = "Which two judges agree on their preferences, and which do not?"
    formula = "1 − observed / expected disagreement of two judges on the comparisons both made"
    source = "Cohen 1960; intervals of Fleiss, Cohen and Everitt 1969"
    needs = ("system_a", "system_b", "outcome", "item", "judge")
    place = 50

    def results(self, evaluation: Evaluation, settings: Comparing) -> Iterator[Result]:
        """The mean over all pairs of judges, then every pair."""
        parts = comparisons(evaluation)
        found = [_Kappas.of(part.firsts) for part in parts]
        means = [kappas.mean(part, settings) for part, kappas in zip(parts, found, strict=True)]
        each = [
            e for part, k in zip(parts, found, strict=True) for e in k.estimates(part, settings)
        ]
        yield self.result(
            of_pairs(evaluation),
            settings,
            or_nothing([*means, *each]),
            method=f"{self.formula}; categories a, b and each kind of tie, a judge's first "
            "decision; the mean is over pairs of judges; n counts shared comparisons; normal "
            "interval over them",
            headline=_headline(parts, means),
            draw=lambda: _draw(each),
        )


def outcomes_as_ratings(part: Comparisons) -> Ratings:
    """The outcomes as words given to what was compared, for statistics of any answers."""
    frame = pl.DataFrame(
        {
            "judge": part.frame["judge"],
            "item": part.unit_codes,
            "value": pl.repeat(None, len(part), dtype=pl.Float64, eager=True),
            "label": np.array(OUTCOMES)[part.outcomes],
        }
    )
    return Ratings(question=part.question, tags=part.tags, frame=frame)


def kappas_of_tables(tables: Array) -> tuple[Array, Array]:
    """Cohen's kappa of each table of two judges' answers, and each cell's influence on it.

    With p the table's shares, pA its diagonal and pE = Σ p_i. p_.i, an answer (i, j) moves kappa by
    ([i = j] − pA − (1 − κ)(p_.i + p_j. − 2 pE)) / (1 − pE), divided by the number of answers; the
    mean of the squares is the variance of Fleiss, Cohen and Everitt (1969), times that number.
    """
    shares = tables / tables.sum(axis=(1, 2), keepdims=True)
    rows, columns = shares.sum(axis=2), shares.sum(axis=1)
    observed = np.einsum("pii->p", shares)
    expected = (rows * columns).sum(axis=1)
    chance = np.where(expected < 1 - NOTHING, 1 - expected, np.nan)
    kappa = (observed - expected) / chance
    same = np.eye(tables.shape[1]) - observed[:, None, None]
    margins = columns[:, :, None] + rows[:, None, :] - 2 * expected[:, None, None]
    return kappa, (same - (1 - kappa)[:, None, None] * margins) / chance[:, None, None]


def _cells(pairs: JudgePairs) -> Codes:
    points = len(pairs.places)
    return (pairs.pair.astype(np.int64) * points + pairs.first) * points + pairs.second


def _tables(pairs: JudgePairs) -> Array:
    """What two judges answered to the same, pairs × answers × answers."""
    points = len(pairs.places)
    counts = np.bincount(_cells(pairs), minlength=len(pairs) * points**2)
    return counts.reshape(len(pairs), points, points).astype(np.float64)


class _Kappas(NamedTuple):
    """The kappa of each pair of judges, and how much each shared comparison moves it."""

    pairs: JudgePairs
    values: Array
    influences: Array

    @classmethod
    def of(cls, part: Comparisons) -> _Kappas:
        pairs = JudgePairs.of(outcomes_as_ratings(part))
        values, moves = kappas_of_tables(_tables(pairs))
        return cls(pairs, values, moves.reshape(-1)[_cells(pairs)])

    def mean(self, part: Comparisons, settings: Comparing) -> Estimate:
        known = ~np.isnan(self.values)
        by: dict[str, Key] = {**part.by, "weights": "none", "pairs": "all"}
        if not known.any():
            return Estimate(value=None, n=0, by=by, tags=part.tags, reason=self._reason())
        moved = np.where(known, 1 / self.pairs.n, 0)[self.pairs.pair] * np.nan_to_num(
            self.influences
        )
        by_item = np.bincount(self.pairs.item, weights=moved) / known.sum()
        error = np.sqrt((by_item**2).sum())
        n = int(self.pairs.n[known].sum())
        mean = float(self.values[known].mean())
        return _estimate(mean, error, settings, n=n, by=by, tags=part.tags)

    def estimates(self, part: Comparisons, settings: Comparing) -> Iterator[Estimate]:
        pairs = self.pairs
        squares = np.bincount(pairs.pair, weights=self.influences**2, minlength=len(pairs))
        errors = np.sqrt(squares) / np.maximum(pairs.n, 1)
        for a, b, n, value, error in zip(
            pairs.a, pairs.b, pairs.n, self.values, errors, strict=True
        ):
            by: dict[str, Key] = {**part.by, "weights": "none", "pairs": "all"}
            by |= {"judge_a": pairs.judges[a], "judge_b": pairs.judges[b]}
            told = {"n": int(n), "by": by, "tags": part.tags}
            yield _estimate(float(value), float(error), settings, **told)

    def _reason(self) -> str:
        if len(self.pairs):
            return "judges gave one and the same answer to all"
        return "no comparison was made by two judges"


def _estimate(value: float, error: float, settings: Comparing, **told: Any) -> Estimate:
    """A kappa with its normal interval; what rounding leaves of nothing is nothing."""
    if np.isnan(value):
        return Estimate(
            value=None, reason="both judges gave one and the same answer to all", **told
        )
    value = value if abs(value) > NOTHING else 0.0
    if not settings.bootstrap or error < NOTHING:
        return Estimate(value=value, **told)
    reach = NORMAL.inv_cdf((1 + settings.confidence) / 2) * error
    return Estimate(value=value, low=max(-1.0, value - reach), high=min(1.0, value + reach), **told)


def _headline(parts: Sequence[Comparisons], means: list[Estimate]) -> str:
    for part, mean in zip(parts, means, strict=True):
        if mean.value is not None:
            return (
                f"{about(part, parts)}Two judges' preferences agree with a mean Cohen's kappa of "
                f"{mean.value:.3f}{interval(mean)}: {band(mean.value)}."
            )
    return "No two judges' preferences can be compared."


def _draw(each: list[Estimate]) -> Figure:
    return figures.heat(
        "Cohen's kappa of every two judges",
        figures.rows(each),
        x=figures.axis("judge_a", "judge", "nominal"),
        y=figures.axis("judge_b", "judge", "nominal"),
        colour=figures.axis("value", "kappa"),
    )
