"""Coefficients of plain arrays, computed by the same statistics as those of tables.

A matrix of answers has a row per judge and a column per item; None and NaN are missing. A
coefficient that is undefined, as where all answers are the same, is NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from jurat.errors import input_error, unknown_name
from jurat.library.options import checked
from jurat.stats import Evaluation, Settings, analyse
from jurat.stats import correlation as correlations
from jurat.tables import Judgments
from jurat.tables.schema import cast_column

Level = Literal["nominal", "ordinal", "interval", "ratio"]
Array = NDArray[np.float64]
# A row per judge and a column per item.
Matrix = ArrayLike | Sequence[Sequence[Any]]


@checked
def krippendorff_alpha(matrix: Matrix, *, level: Level = "interval") -> float:
    """Krippendorff's alpha of a matrix of answers, as the package krippendorff computes it.

    Args:
        matrix: a row per judge and a column per item; None and NaN are missing.
        level: the level of measurement of the scale.
    """
    if level != "nominal":
        _refuse_words(matrix, f'level="{level}"', 'level="nominal"')
    return _coefficient(matrix, "krippendorff-alpha", scale=level)


@checked
def fleiss_kappa(matrix: Matrix, *, counts: bool = False) -> float:
    """Fleiss' kappa of a matrix of answers, a row per judge and a column per item.

    With `counts`, the matrix has a row per item and a column per answer, and holds how often the
    answer was given, as statsmodels takes it.
    """
    if not counts:
        return _coefficient(matrix, "fleiss-kappa")
    given = np.asarray(matrix, dtype=float)
    if given.ndim != 2 or (given < 0).any() or (given % 1).any():
        raise input_error("counts must be a table of whole numbers: a row per item")
    return _coefficient(_answers_of(given.astype(int)), "fleiss-kappa")


@checked
def scott_pi(matrix: Matrix) -> float:
    """Scott's pi of a matrix of answers, a row per judge and a column per item."""
    return _coefficient(matrix, "scott-pi")


@checked
def gwet_ac(
    matrix: Matrix, *, weights: Literal["linear", "quadratic", "ordinal"] | None = None
) -> float:
    """Gwet's AC1 of a matrix of answers (a row per judge), or AC2 with weights."""
    if weights:
        _refuse_words(matrix, f'weights="{weights}"', "no weights")
    return _coefficient(matrix, "gwet-ac", weights=weights or "none")


@checked
def percent_agreement(matrix: Matrix, *, n: int = 0) -> float:
    """The share of pairs of answers to an item that are at most `n` points apart, from 0 to 1."""
    return _coefficient(matrix, "n-agreement", n=n)


@checked
def cohen_kappa(
    a: ArrayLike,
    b: ArrayLike,
    *,
    weights: Literal["linear", "quadratic", "one-off"] | None = None,
    labels: Sequence[Any] | None = None,
) -> float:
    """Cohen's kappa of two judges' answers.

    Distances are those of the answers: of 1, 2 and 4, the last two are two points apart. With
    `labels`, the answers in their order, neighbours are one point apart, as scikit-learn has it.

    Args:
        a: one judge's answers.
        b: the other's, of the same items in the same order.
        weights: how distances count; unequal is unequal by default.
        labels: all answers, from the lowest to the highest.
    """
    both = [_column(side, labels) for side in (a, b)]
    if len(both[0]) != len(both[1]):
        raise input_error(f"a has {len(both[0]):,} answers and b has {len(both[1]):,}")
    if weights:
        _refuse_words(both, f'weights="{weights}"', "labels=[…], the answers in their order")
    return _coefficient(both, "cohen-kappa", weights=weights or "none", pairs="all")


@checked
def pearson(x: ArrayLike, y: ArrayLike) -> float:
    """Pearson's r, over the places where neither is missing."""
    return float(correlations.pearson(*_numbers(x, y)))


@checked
def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """Spearman's ρ: Pearson's r of the mid-ranks, over the places where neither is missing."""
    return float(correlations.spearman(*_numbers(x, y)))


@checked
def kendall(x: ArrayLike, y: ArrayLike, *, variant: Literal["b", "c"] = "b") -> float:
    """Kendall's τ_b or τ_c, over the places where neither is missing."""
    one, other = _numbers(x, y)
    there = ~(np.isnan(one) | np.isnan(other))
    one, other = one[there], other[there]
    if variant == "b":
        return float(correlations.kendall(one, other))
    different = min(len(np.unique(one)), len(np.unique(other)))
    counts = correlations.kendall_counts(one, other)
    return float(correlations.tau_c(counts, np.array(len(one)), np.array(different)))


def _coefficient(matrix: Any, statistic: str, **keys: object) -> float:
    """The number of a statistic of agreement that has these keys; NaN if it is undefined."""
    evaluation = Evaluation(judgments=Judgments(_long(matrix)))
    results = analyse("agreement", evaluation, Settings(bootstrap=0), only=[statistic])
    values = [
        estimate.value
        for result in results
        if result.name == statistic
        for estimate in result.estimates
        if all(estimate.by.get(key) == value for key, value in keys.items())
    ]
    # a distance beyond the scale is not listed: every pair is within it
    return nan if not values or values[0] is None else float(values[0])


def _refuse_words(matrix: Any, asked: str, instead: str) -> None:
    """Raise `InputError` if answers are words, between which there is no distance."""
    rows = (row for row in _rows(matrix) if hasattr(row, "__iter__"))
    told = (value for row in rows for value in row if isinstance(value, str))
    # a table read as texts has its numbers as texts
    word = next(
        (value for value in told if cast_column(pl.Series([value]), pl.Float64)[0] is None), None
    )
    if word is not None:
        raise input_error(f"{asked} needs numbers, and '{word}' is none; give {instead}")


def _long(matrix: Any) -> pl.DataFrame:
    """A row per answer of a matrix; raises `InputError` unless it has two dimensions."""
    rows = [list(row) if hasattr(row, "__iter__") else [] for row in _rows(matrix)]
    if len({len(row) for row in rows}) > 1:
        raise input_error("the rows of the matrix have different lengths")
    if len(rows) < 2 or not rows[0]:
        raise input_error("a matrix of answers has a row per judge and a column per item")
    items = len(rows[0])
    values = [None if _is_missing(value) else value for row in rows for value in row]
    if all(value is None for value in values):
        raise input_error("the matrix holds no answer")
    texts = any(isinstance(value, str) for value in values)
    answers = [None if value is None else str(value) for value in values] if texts else values
    return pl.DataFrame(
        {
            "judge": np.repeat(np.arange(len(rows)), items),
            "item": np.tile(np.arange(items), len(rows)),
            "value": pl.Series(answers, strict=False),
        }
    )


def _rows(matrix: Any) -> Any:
    """The rows of a matrix: of a frame, of an array, or of a list of lists."""
    if hasattr(matrix, "to_numpy"):
        matrix = matrix.to_numpy()
    if isinstance(matrix, np.ndarray):
        if matrix.ndim != 2:
            raise input_error(f"the matrix has {matrix.ndim} dimensions; it must have 2")
        return matrix.tolist()
    return matrix


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and isnan(value))


def _column(answers: Any, labels: Sequence[Any] | None) -> list[Any]:
    values = np.asarray(answers).tolist() if not isinstance(answers, list) else answers
    if labels is None:
        return list(values)
    place = {label: number for number, label in enumerate(labels)}
    for value in values:
        if not _is_missing(value) and value not in place:
            raise unknown_name("answer", value, tuple(map(str, labels)))
    return [None if _is_missing(value) else place[value] for value in values]


def _numbers(x: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    """Both as numbers of the same length, of which there are at least two."""
    try:
        one, other = (np.asarray(side, dtype=np.float64) for side in (x, y))
    except (TypeError, ValueError):
        raise input_error("x and y must be numbers") from None
    if one.ndim != 1 or one.shape != other.shape:
        raise input_error(f"x has the shape {one.shape} and y {other.shape}; both must be the same")
    return one, other


def _answers_of(counts: NDArray[np.int64]) -> list[list[int | None]]:
    """Answers that have these counts, a row per judge; who gave which does not matter."""
    columns = [np.repeat(np.arange(counts.shape[1]), row).tolist() for row in counts]
    most = max(map(len, columns), default=0)
    return [
        [column[judge] if judge < len(column) else None for column in columns]
        for judge in range(most)
    ]
