"""Conger's kappa and Fleiss' as irrCAC counts it, of Gwet's twelve subjects with gaps."""

import itertools

import numpy as np
import pytest

from jurat.stats.agreement.cohen_kappa import cohen_kappa
from jurat.stats.agreement.conger_kappa import conger_kappa
from tests.stats.agreement.asking import long, one, results
from tests.stats.agreement.drawn import rows, table
from tests.stats.tables import evaluation, matrix

# cac.raw4raters of irrCAC (Gwet 2014): four raters, twelve subjects.
GWET = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def by_hand(answers):
    """Agreement of items, and chance as the mean over pairs of judges of Σ p q."""
    table = np.array([[np.nan if a is None else a for a in row] for row in answers])
    points = np.unique(table[~np.isnan(table)])
    counts = np.array([(table == point).sum(axis=0) for point in points]).T
    several = counts[counts.sum(axis=1) > 1]
    n = several.sum(axis=1)
    observed = ((several * (several - 1)).sum(axis=1) / (n * (n - 1))).mean()
    shares = np.array([[np.mean(row[~np.isnan(row)] == p) for p in points] for row in table])
    expected = np.mean([a @ b for a, b in itertools.combinations(shares, 2)])
    return (observed - expected) / (1 - expected)


@pytest.mark.parametrize("answers", [GWET, rows(table(3)), rows(table(4, judges=6, gaps=0))])
def test_conger_by_hand(answers):
    assert conger_kappa(matrix(answers)) == pytest.approx(by_hand(answers))


def test_conger_of_two_judges_is_cohens():
    ratings = matrix(rows(table(5, judges=2, gaps=0)))
    assert conger_kappa(ratings) == pytest.approx(cohen_kappa(ratings)["j0", "j1"])


def test_irrcac_is_printed_only_where_asked():
    """irrCAC's fleiss.kappa.raw of its data prints 0.76117."""
    asked = evaluation(long(GWET))
    found = one(asked, "fleiss-kappa-irrcac", {"method": "irrcac", "bootstrap": 1})
    assert round(found.value, 5) == 0.76117
    assert found.low < found.value < found.high
    assert "fleiss-kappa-irrcac" not in [result.name for result in results(asked)]


def test_intervals_of_conger():
    found = one(evaluation(long(rows(table(6, items=100)))), "conger-kappa", {"bootstrap": 1})
    fleiss = one(evaluation(long(rows(table(6, items=100)))), "fleiss-kappa", {"bootstrap": 1})
    assert found.high - found.low == pytest.approx(fleiss.high - fleiss.low, rel=0.1)


def test_conger_is_undefined_where_nobody_shares_an_item():
    found = one(evaluation("judge,item,value\na,1,1\nb,2,2"), "conger-kappa")
    assert (found.value, found.reason) == (None, "no item was judged by two judges")
    same = one(evaluation(long([[1, 1], [1, 1]])), "conger-kappa", {"bootstrap": 1})
    assert same.value is None
