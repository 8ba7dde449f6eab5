"""Intervals of shares: Wilson's, with the design effect where cases come in documents.

Intervals from resamples end at 100 % where all cases went one way, however few they were; Wilson's
(1927) do not. Cases of one document are alike: they count as n / deff independent ones (Korn &
Graubard 1998).
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from jurat.errors import input_error
from jurat.resampling.bootstrap import Interval
from jurat.resampling.cluster_sums import OneWay, cluster_sums
from jurat.resampling.engine import Array
from jurat.resampling.student_t import t_quantile


@dataclass(frozen=True, kw_only=True)
class Shares:
    """Shares, the ends of their intervals (NaN for shares of nothing), and how these came about."""

    value: Array
    low: Array
    high: Array
    units: int
    method: str


def wilson(
    share: ArrayLike, n: ArrayLike, *, confidence: float = 0.95, quantile: ArrayLike | None = None
) -> Interval:
    """Wilson's interval of each share of n independent cases; NaN without any.

    `quantile` stands for the normal one of the confidence.
    """
    if not 0 < confidence < 1:
        raise input_error(
            "confidence must lie between 0 and 1", field="confidence", value=confidence
        )
    p, n = np.asarray(share, dtype=np.float64), np.asarray(n, dtype=np.float64)
    z = NormalDist().inv_cdf((1 + confidence) / 2) if quantile is None else np.asarray(quantile)
    with np.errstate(all="ignore"):
        centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
        reach = z / (1 + z**2 / n) * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    # Where none or all did, rounding would leave the end a hair away from 0 or 1.
    low = np.where(p == 0, 0.0, centre - reach)
    high = np.where(p == 1, 1.0, centre + reach)
    return Interval(np.maximum(low, 0.0), np.minimum(high, 1.0))


def wilson_by_unit(
    hits: ArrayLike,
    cases: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    copies: ArrayLike | None = None,
    observed: ArrayLike | None = None,
    opposite: ArrayLike = 0.0,
    confidence: float = 0.95,
    words: str = "units",
) -> Shares:
    """Shares Σ hits / Σ cases with Wilson's interval, cases of a unit being alike.

    With p the share, D the units that have cases and w a unit's part of all cases, the variance
    over units is v = Σ(hits − p cases)² / (1 − w) / (Σ cases)². The n cases count as
    min(n, p(1 − p)/v), and t(1/Σw² − 1), t(D − 1) where units are equal, stands for the normal
    quantile. Where all or none are hits, n is D. Where every unit has one case it is Wilson's own
    interval. A share of a single unit with several cases has no interval.

    Args:
        hits: rows × m, how many of the cases were hits; fractions where each row is a mean.
        cases: rows × m, how many cases there were.
        clusters: the unit of each row; each row is one where there is none.
        copies: instead of clusters, how many equal units each row stands for.
        observed: how many cases there were in truth, where `cases` are weights.
        opposite: the weight of one more case in the variance, a hit where p < ½ and else none, for
            hits that are fractions: while the rare ones near the other end are unseen, v is small.
        confidence: of the interval.
        words: what the units are, for the method.
    """
    above, below = (_columns(part) for part in (hits, cases))
    sample = cluster_sums(np.hstack([above, below]), clusters, copies)
    assert isinstance(sample, OneWay)
    rows, number = sample.rows, np.ones(len(sample.rows))
    if sample.copies is not None:
        number = sample.copies.astype(np.float64)
    above, below = np.hsplit(rows, 2)
    hit, total = number @ above, number @ below
    opposite = np.asarray(opposite, dtype=np.float64)
    units = number @ (below > 0)
    n = total if observed is None else np.asarray(observed, dtype=np.float64)
    single = _single_cases(above, below) & (n == units)
    with np.errstate(all="ignore"):
        share = hit / total
        # A unit with much of the weight pulls the share towards itself, by its part of the whole.
        part = below / total
        variance = number @ ((above - share * below) ** 2 / (1 - part)) / total**2
        effective = np.where(variance > 0, np.minimum(n, share * (1 - share) / variance), n)
        # Added to the variance alone: the share at the middle of the interval stays as it is.
        far = np.where(share < 0.5, 1.0, 0.0)
        middle = (hit + opposite * far) / (total + opposite)
        squares = number @ ((above - middle * below) ** 2 / (1 - part))
        more = (squares + opposite * (far - middle) ** 2) / total / (total + opposite)
        effective = np.minimum(effective, np.where(more > 0, middle * (1 - middle) / more, n))
        effective = np.where((share == 0) | (share == 1), units, effective)
        # As many equal units as these are worth: D where all have as many cases.
        quantile = t_quantile(1 / (number @ part**2) - 1, (1 + confidence) / 2)
    plain = wilson(share, n, confidence=confidence)
    clustered = wilson(share, effective, confidence=confidence, quantile=quantile)
    # One unit with several cases: nothing is known of how units differ.
    known = single | np.isfinite(quantile)
    low, high = (
        np.where(known, np.where(single, *ends), np.nan)
        for ends in zip(plain, clustered, strict=True)
    )
    return Shares(
        value=share,
        low=low,
        high=high,
        units=int(number.sum()),
        method=_method(bool(single.all()), confidence, int(number.sum()), words),
    )


def _columns(values: ArrayLike) -> Array:
    columns = np.asarray(values, dtype=np.float64)
    return columns[:, None] if columns.ndim == 1 else columns


def _single_cases(above: Array, below: Array) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether each unit has one case at most, which was a hit or not."""
    whole = (above == 0) | (above == below)
    return np.asarray((whole & ((below == 0) | (below == 1))).all(axis=0))


def _method(single: bool, confidence: float, units: int, words: str) -> str:
    if single:
        return f"Wilson's {100 * confidence:g} % interval of {units:,} {words}"
    deff = f"the design effect of {units:,} {words}"
    return f"Wilson's {100 * confidence:g} % interval with {deff} and t"
