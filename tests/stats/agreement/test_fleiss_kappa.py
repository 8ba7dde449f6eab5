import numpy as np
import pytest
from statsmodels.stats.inter_rater import fleiss_kappa as theirs

from jurat.stats.agreement.fleiss_kappa import fleiss_kappa, scott_pi
from jurat.stats.kappa import chance_corrected
from tests.stats.agreement.asking import long, one, results, value
from tests.stats.agreement.drawn import rows, table
from tests.stats.tables import evaluation, matrix


@pytest.mark.parametrize("seed", range(3))
def test_as_statsmodels(seed):
    answers = table(seed, gaps=0)
    counts = np.array([[(column == point).sum() for point in range(1, 6)] for column in answers.T])
    assert fleiss_kappa(matrix(rows(answers)))[0] == pytest.approx(theirs(counts), abs=1e-12)


def test_unequal_numbers_by_hand():
    # Items: 1,1,2 (Po 1/3) and 2,2 (Po 1); the single 3 leaves both parts. Shares 2/5 and 3/5.
    asked = evaluation(long([[1, 2, 3], [1, 2, None], [2, None, None]]))
    assert value(asked, "fleiss-observed") == pytest.approx(2 / 3)
    assert value(asked, "fleiss-expected") == pytest.approx(0.16 + 0.36)
    found = one(asked, "fleiss-kappa")
    assert found.value == pytest.approx((2 / 3 - 0.52) / 0.48)
    assert found.n == 2


def test_agreement_by_chance_has_no_interval():
    """It cannot lie below 1/k, and often lies there."""
    asked = evaluation(long([[1, 2] * 10, [1, 2, 2, 1] * 5]))
    assert one(asked, "fleiss-kappa", {"bootstrap": 2}).low is not None
    assert one(asked, "fleiss-expected", {"bootstrap": 2}).low is None


def test_one_answer_leaves_nothing_to_chance():
    found = one(evaluation(long([[3, 3], [3, 3]])), "fleiss-kappa")
    assert found.value is None
    assert "chance would agree as well" in found.reason
    assert value(evaluation(long([[3, 3], [3, 3]])), "fleiss-observed") == 1


def test_the_band_is_told():
    (kappa,) = (
        r for r in results(evaluation(long([[1, 2, 1], [1, 2, 1]]))) if r.name == "fleiss-kappa"
    )
    assert "almost perfect (Landis & Koch), 3 items" in kappa.headline


def test_from_published_parts():
    assert chance_corrected(0.5, 0.2) == pytest.approx(0.375)
    assert np.isnan(chance_corrected(1, 1))


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
