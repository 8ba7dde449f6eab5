import pytest

from jurat.stats.agreement.fleiss_kappa import fleiss_kappa, scott_pi
from tests.stats.agreement.asking import long, one
from tests.stats.agreement.drawn import rows, table
from tests.stats.tables import evaluation, matrix


def test_by_hand():
    # Two judges, 4 items, 3 agree; shares of 1 and 2 over both: 5/8 and 3/8.
    ratings = matrix([[1, 1, 2, 1], [1, 1, 2, 2]])
    expected = (5 / 8) ** 2 + (3 / 8) ** 2
    assert scott_pi(ratings) == pytest.approx((0.75 - expected) / (1 - expected))


def test_with_as_many_judges_everywhere_it_is_fleiss_kappa():
    ratings = matrix(rows(table(2, gaps=0)))
    assert scott_pi(ratings) == pytest.approx(fleiss_kappa(ratings)[0], abs=1e-12)


def test_one_answer_has_a_reason():
    assert one(evaluation(long([[3, 3], [3, 3]])), "scott-pi").reason
