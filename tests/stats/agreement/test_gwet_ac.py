import pytest

from jurat.stats.agreement.gwet_ac import brennan_prediger, gwet_ac
from tests.stats.agreement.asking import long, one, value
from tests.stats.tables import evaluation, matrix

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
