"""The jackknife over two kinds of units at once: documents, and the judges who judged them.

A value that should hold for new judges too varies with both. Leaving out units, judges, and each
pair of them tells the parts of its variance, as two-way clustering does (Cameron, Gelbach & Miller
2011), with few of a kind in mind.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jurat.resampling.engine import Array
from jurat.resampling.jackknife_t import equal_units
from jurat.resampling.student_t import t_quantile

FEWEST_JUDGES = 3


class LeftOut(NamedTuple):
    """Values (m), without each unit (n × m), each judge (J × m), and both (J × n × m)."""

    value: Array
    units: Array
    judges: Array
    both: Array


def two_way_interval(
    left_out: LeftOut,
    *,
    sizes: ArrayLike | None = None,
    fisher: NDArray[np.bool_],
    confidence: float,
) -> tuple[Array, Array]:
    """The ends of the interval of each value; NaN where there is none.

    With z the value on its scale (atanh where `fisher`), I = z(ij) − z(i) − z(j) + z doubly
    centred, and the jackknife's variances V_i, V_j and V_ij = (n − 1)(J − 1)/(nJ) ΣI²:
    V = max(V_i + V_j − V_ij, V_i, V_j), df = V² / (V_i²/(m − 1) + V_j²/(J − 1)), and the centre is
    corrected for the bias over units. m is n, or how many units of one size those of these `sizes`
    are worth. There is none where a value is undefined or, on Fisher's scale, ±1, itself or
    without a unit or judge.
    """
    n, judges = len(left_out.units), len(left_out.judges)
    if n < 2 or judges < FEWEST_JUDGES:
        return (np.full(left_out.value.shape, np.nan),) * 2
    with np.errstate(all="ignore"):
        z, by_unit, by_judge, by_both = (_scaled(part, fisher) for part in left_out)
        of_units, of_judges = _variance(by_unit), _variance(by_judge)
        joint = by_both - by_unit[None] - by_judge[:, None] + z
        joint = joint - joint.mean(axis=0) - joint.mean(axis=1, keepdims=True)
        joint = joint + joint.mean(axis=(0, 1))
        shared = (n - 1) * (judges - 1) / (n * judges) * (joint**2).sum(axis=(0, 1))
        # Few judges estimate their part badly: the whole is never less than either of the two.
        whole = np.maximum(of_units + of_judges - shared, np.maximum(of_units, of_judges))
        alike = n if sizes is None else np.minimum(equal_units(sizes), n)
        df = whole**2 / (of_units**2 / (alike - 1) + of_judges**2 / (judges - 1))
        centre = n * z - (n - 1) * by_unit.mean(axis=0)
        reach = t_quantile(df, (1 + confidence) / 2) * np.sqrt(whole)
        ends = [centre + side for side in (-reach, reach)]
        low, high = (np.where(fisher, np.tanh(end), end) for end in ends)
    none = ~(np.isfinite(low) & np.isfinite(high) & (whole > 0))
    low, high = np.fmin(low, left_out.value), np.fmax(high, left_out.value)
    return np.where(none, np.nan, low), np.where(none, np.nan, high)


def _scaled(values: Array, fisher: NDArray[np.bool_]) -> Array:
    return np.where(fisher, np.arctanh(np.where(fisher, values, 0.0)), values)


def _variance(values: Array) -> Array:
    n = len(values)
    return np.asarray((n - 1) / n * ((values - values.mean(axis=0)) ** 2).sum(axis=0))
