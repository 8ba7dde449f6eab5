"""Coefficients of arrays are those of the usual packages, and of the commands."""

from collections.abc import Callable
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as other_fleiss

import jurat
from jurat import InputError

RNG = np.random.default_rng(4)
TRUTH = RNG.integers(1, 6, 60)
MATRIX = np.clip(TRUTH + RNG.integers(-1, 2, (5, 60)), 1, 5).astype(float)
GAPS = np.where(RNG.random(MATRIX.shape) < 0.2, np.nan, MATRIX)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
@pytest.mark.parametrize("matrix", [MATRIX, GAPS], ids=["whole", "gaps"])
def test_alpha_is_that_of_the_package_krippendorff(level: Any, matrix: np.ndarray) -> None:
    other = krippendorff.alpha(reliability_data=matrix, level_of_measurement=level)
    assert jurat.krippendorff_alpha(matrix, level=level) == pytest.approx(other, abs=1e-12)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_cohens_kappa_is_that_of_scikit_learn(weights: Any) -> None:
    a, b = MATRIX[:2].astype(int)
    other = cohen_kappa_score(a, b, weights=weights)
    assert jurat.cohen_kappa(a, b, weights=weights) == pytest.approx(other, abs=1e-12)


def test_cohens_kappa_of_texts_needs_their_order_for_weights() -> None:
    words = ["none", "little", "much", "most", "all"]
    a, b = ([words[int(v) - 1] for v in row] for row in MATRIX[:2])
    other = cohen_kappa_score(a, b, labels=words, weights="linear")
    own = jurat.cohen_kappa(a, b, weights="linear", labels=words)
    assert own == pytest.approx(other, abs=1e-12)
    assert jurat.cohen_kappa(a, b) == pytest.approx(cohen_kappa_score(a, b), abs=1e-12)
    with pytest.raises(InputError, match="unknown answer 'all'"):
        jurat.cohen_kappa(a, b, labels=words[:-1])


def test_labels_make_neighbours_one_point_apart() -> None:
    a, b = [1, 2, 4, 4, 1], [1, 4, 4, 2, 2]
    other = cohen_kappa_score(a, b, weights="quadratic")
    assert jurat.cohen_kappa(a, b, weights="quadratic", labels=[1, 2, 4]) == pytest.approx(other)
    assert jurat.cohen_kappa(a, b, weights="quadratic") != pytest.approx(other)


def test_fleiss_kappa_is_that_of_statsmodels() -> None:
    counts, _ = aggregate_raters(MATRIX.T.astype(int))
    other = other_fleiss(counts)
    assert jurat.fleiss_kappa(MATRIX) == pytest.approx(other, abs=1e-12)
    assert jurat.fleiss_kappa(counts, counts=True) == pytest.approx(other, abs=1e-12)


@pytest.mark.parametrize(
    ("own", "other"),
    [
        (jurat.pearson, stats.pearsonr),
        (jurat.spearman, stats.spearmanr),
        (jurat.kendall, stats.kendalltau),
        (lambda x, y: jurat.kendall(x, y, variant="c"),
         lambda x, y: stats.kendalltau(x, y, variant="c")),
    ],
    ids=["pearson", "spearman", "kendall b", "kendall c"],
)  # fmt: skip
def test_correlations_are_those_of_scipy(own: Callable[..., float], other: Any) -> None:
    x, y = MATRIX[:2]
    assert own(x, y) == pytest.approx(other(x, y).statistic, abs=1e-12)
    # what lacks a partner does not count
    holed = GAPS[0]
    there = ~np.isnan(holed)
    assert own(holed, y) == pytest.approx(other(holed[there], y[there]).statistic, abs=1e-12)


def test_the_numbers_are_those_of_tables() -> None:
    rows = [{"judge": j, "item": i, "value": MATRIX[j, i]} for j in range(5) for i in range(60)]
    results = jurat.agreement(rows, bootstrap=0)
    assert jurat.gwet_ac(MATRIX) == results["gwet-ac"].at(weights="none").value
    assert jurat.gwet_ac(MATRIX, weights="linear") == results["gwet-ac"].at(weights="linear").value
    assert jurat.scott_pi(MATRIX) == results["scott-pi"].value
    assert jurat.percent_agreement(MATRIX, n=1) == results["n-agreement"].at(n=1).value


@pytest.mark.parametrize(
    "matrix",
    [MATRIX.tolist(), pl.DataFrame(MATRIX), pd.DataFrame(MATRIX), MATRIX.astype(int)],
    ids=["lists", "polars", "pandas", "integers"],
)
def test_a_matrix_is_an_array_a_frame_or_lists(matrix: Any) -> None:
    assert jurat.krippendorff_alpha(matrix) == jurat.krippendorff_alpha(MATRIX)


def test_what_is_undefined_is_nan() -> None:
    assert np.isnan(jurat.fleiss_kappa([[1, 1], [1, 1]]))
    assert np.isnan(jurat.pearson([1, 1, 1], [1, 2, 3]))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: jurat.krippendorff_alpha([1, 2, 3]), "a matrix of answers has a row per judge"),
        (lambda: jurat.krippendorff_alpha(np.arange(3)), "1 dimensions; it must have 2"),
        (lambda: jurat.krippendorff_alpha([[1, 2], [1]]), "different lengths"),
        (lambda: jurat.krippendorff_alpha([[None, None]] * 2), "holds no answer"),
        (lambda: jurat.krippendorff_alpha(MATRIX, level="metric"), "unknown level 'metric'"),  # type: ignore[arg-type]
        (lambda: jurat.krippendorff_alpha([["a", "b"]] * 2), "needs numbers, and 'a' is none"),
        (lambda: jurat.gwet_ac([["a", "b"]] * 2, weights="linear"), "give no weights"),
        (lambda: jurat.cohen_kappa(["a"], ["b"], weights="linear"), "give labels="),
        (lambda: jurat.cohen_kappa([1, 2], [1]), "a has 2 answers and b has 1"),
        (lambda: jurat.pearson([1, 2], [1]), "both must be the same"),
        (lambda: jurat.pearson(["a"], ["b"]), "must be numbers"),
        (lambda: jurat.fleiss_kappa([[1, 0.5]], counts=True), "whole numbers"),
    ],
)  # fmt: skip
def test_bad_arrays_get_a_clear_word(call: Callable[[], float], words: str) -> None:
    with pytest.raises(InputError, match=words):
        call()
