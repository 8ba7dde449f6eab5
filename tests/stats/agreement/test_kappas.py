import numpy as np
import pytest
from statsmodels.stats.inter_rater import fleiss_kappa as theirs

from jurat.stats.agreement.kappas import (
    brennan_prediger,
    fleiss_kappa,
    gwet_ac,
    left_out_kappa,
    scott_pi,
)
from jurat.stats.kappa import chance_corrected
from tests.stats.agreement.asking import estimates, long, one, results, value
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


RAW4RATERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def test_as_in_the_vignette_of_irrcac():
    # irrCAC, gwet.ac1.raw(cac.raw4raters): AC1 0.77544.
    assert gwet_ac(matrix(RAW4RATERS)) == pytest.approx(0.77544, abs=5e-6)


@pytest.mark.parametrize("weights", ["linear", "quadratic", "ordinal"])
def test_weights_by_the_definition(weights):
    """Gwet 2014, chapter 5, over all pairs of categories, for two judges without gaps."""
    a, b = [1, 2, 3, 5, 5, 2, 1, 3], [1, 3, 3, 5, 2, 2, 2, 5]
    points = sorted({*a, *b})
    q = len(points)

    def weight(x, y):
        if weights == "ordinal":
            d = abs(points.index(x) - points.index(y))
            return 1 - d * (d + 1) / 2 / (q * (q - 1) / 2)
        d = abs(x - y) / (max(points) - min(points))
        return 1 - d if weights == "linear" else 1 - d * d

    observed = sum(map(weight, a, b)) / len(a)
    shares = [(a.count(p) + b.count(p)) / (2 * len(a)) for p in points]
    total = sum(weight(x, y) for x in points for y in points)
    expected = total / (q * (q - 1)) * sum(p * (1 - p) for p in shares)
    mine = gwet_ac(matrix([a, b]), weights=weights)
    assert mine == pytest.approx((observed - expected) / (1 - expected), abs=1e-12)


def test_words_have_no_weights():
    asked = evaluation(long([["A", "B"], ["A", "A"]]))
    assert value(asked, "gwet-ac", weights="none") is not None
    assert "words" in one(asked, "gwet-ac", weights="linear").reason


def test_a_single_answer_has_a_reason():
    assert (
        one(evaluation(long([[3], [3]])), "gwet-ac", weights="none").reason
        == "only one answer occurs"
    )


def test_by_hand_of_brennan_prediger():
    # Three of four pairs agree; of three answers each has the chance of a third.
    ratings = matrix([[1, 2, 3, 1], [1, 2, 3, 2]])
    assert brennan_prediger(ratings) == pytest.approx((0.75 - 1 / 3) / (2 / 3))


def test_linear_weights_by_hand():
    # Weights 1, ½, 0 of three points: their sum is 3 + 4 · ½, hence chance 5/9.
    ratings = matrix([[1, 2, 3, 1], [1, 2, 3, 2]])
    expected = 5 / 9
    mine = brennan_prediger(ratings, weights="linear")
    assert mine == pytest.approx((3.5 / 4 - expected) / (1 - expected))


def test_a_single_answer_has_a_reason_of_brennan_prediger():
    assert one(evaluation(long([[3], [3]])), "brennan-prediger", weights="none").reason


@pytest.mark.parametrize("gaps", [0, 0.3, 0.6])
def test_as_if_the_judge_had_never_been_there(gaps):
    answers = rows(table(3, judges=5, gaps=gaps))
    ratings = matrix(answers)
    kappas, items = left_out_kappa(ratings)
    for at, judge in enumerate(ratings.judges):
        rest = ratings.where(ratings.frame["judge"] != judge)
        assert kappas[at] == pytest.approx(fleiss_kappa(rest)[0], abs=1e-12)
        assert items[at] == (np.bincount(rest.item_codes) > 1).sum()


def test_the_one_who_harms_most_comes_first():
    careless = [[1, 2, 3, 4, 5] * 3, [1, 2, 3, 4, 5] * 3, [5, 1, 4, 2, 3] * 3]
    asked = evaluation(long(careless))
    assert estimates(asked, "left-out-kappa")[0].by["judge"] == "j2"
    (result,) = (r for r in results(asked) if r.name == "left-out-kappa")
    assert result.headline.startswith("Without judge j2")


def test_undefined():
    found = estimates(evaluation(long([[1, 2], [1, 3]])), "left-out-kappa")
    assert [(e.value, e.reason) for e in found] == [(None, "too few judgments are left")] * 2
