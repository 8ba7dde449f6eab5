"""Wilson's interval beside statsmodels' formula in scipy, and simulated documents."""

import numpy as np
import pytest
from scipy import stats

from jurat.errors import InputError
from jurat.resampling import wilson, wilson_by_unit


@pytest.mark.parametrize(("hits", "n"), [(0, 2), (2, 2), (7, 20), (19, 20), (500, 1000)])
@pytest.mark.parametrize("confidence", [0.95, 0.8])
def test_is_scipys(hits, n, confidence):
    low, high = wilson(hits / n, n, confidence=confidence)
    theirs = stats.binomtest(hits, n).proportion_ci(confidence, method="wilson")
    assert np.allclose([low, high], theirs)


def test_two_of_two_are_not_certain():
    """Wilson of 2 of 2: 34 to 100 %."""
    low, high = wilson(1.0, 2)
    assert np.isclose(low, 0.342, atol=5e-4)
    assert high == 1.0


def test_units_with_one_case_each_are_independent():
    hits = np.array([1.0, 0, 1, 1, 1, 0, 1])
    found = wilson_by_unit(hits, np.ones(7), words="items")
    assert np.allclose([found.low[0], found.high[0]], wilson(5 / 7, 7))
    assert found.method == "Wilson's 95 % interval of 7 items"


def test_equal_documents():
    """n / deff with the variance of the documents' means over D, and t(D − 1)."""
    hits, size = np.array([5.0, 4, 1, 5, 3, 2]), 5
    found = wilson_by_unit(hits, np.full(6, size), words="documents")
    means, p, n = hits / size, hits.sum() / 30, 30
    deff = max(1, means.var(ddof=1) / 6 / (p * (1 - p) / n))
    assert deff > 1
    expected = wilson(p, n / deff, quantile=stats.t(5).ppf(0.975))
    assert np.allclose([found.low[0], found.high[0]], expected)
    assert "design effect of 6 documents" in found.method


@pytest.mark.parametrize("share", [0, 1])
def test_all_or_none_count_documents(share):
    found = wilson_by_unit(np.full(8, 5.0 * share), np.full(8, 5.0))
    expected = wilson(share, 8, quantile=stats.t(7).ppf(0.975))
    assert np.allclose([found.low[0], found.high[0]], expected)


def test_rows_of_a_document_are_added_up():
    rng = np.random.default_rng(1)
    document = np.repeat(np.arange(6), 4)
    hits = rng.integers(2, size=(24, 2)).astype(float)
    found = wilson_by_unit(hits, np.ones((24, 2)), clusters=document)
    sums = np.array([hits[document == d].sum(axis=0) for d in range(6)])
    beside = wilson_by_unit(sums, np.full((6, 2), 4.0))
    assert np.allclose([found.low, found.high], [beside.low, beside.high])


def test_copies_are_units():
    hits, cases, copies = np.array([3.0, 1]), np.array([3.0, 3]), np.array([50, 20])
    found = wilson_by_unit(hits, cases, copies=copies)
    beside = wilson_by_unit(np.repeat(hits, copies), np.repeat(cases, copies))
    assert found.units == beside.units == 70
    assert np.allclose([found.low, found.high], [beside.low, beside.high])


@pytest.mark.parametrize("hits", [[0.1, 0.2, 0.0, 0.1], [0.9, 1.0, 0.8, 0.9]])
def test_one_more_case_at_the_other_end_widens(hits):
    plain, wider = (
        wilson_by_unit(hits, np.ones(4), observed=[40], opposite=weight) for weight in (0.0, 0.5)
    )
    assert wider.value == plain.value
    assert wider.low[0] < plain.low[0] < plain.high[0] < wider.high[0]


def test_nothing_and_a_single_document_have_no_interval():
    found = wilson_by_unit([[0.0, 3.0]], [[0.0, 4.0]])
    assert np.isnan(found.value[0])
    assert found.value[1] == 0.75
    assert np.isnan([found.low, found.high]).all()


def test_confidence_is_a_share():
    with pytest.raises(InputError, match="confidence"):
        wilson(0.5, 10, confidence=95)


@pytest.mark.parametrize("documents", [10, 30])
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_covers_shares_in_documents_of_any_size(documents, share):
    """Correlation .2 within documents of 1 to 20; the plain interval covers far less."""
    rng, covered, plain = np.random.default_rng(2), 0, 0
    for _ in range(500):
        size = rng.integers(1, 21, documents)
        own = rng.beta(4 * share, 4 * (1 - share), documents)
        hits = rng.binomial(size, own)
        found = wilson_by_unit(hits, size)
        covered += found.low[0] <= share <= found.high[0]
        low, high = wilson(hits.sum() / size.sum(), size.sum())
        plain += low <= share <= high
    assert 0.92 <= covered / 500 <= 0.985
    assert plain / 500 < 0.88
