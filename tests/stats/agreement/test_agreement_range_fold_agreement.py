import pytest

from tests.stats.agreement.asking import long, results, value
from tests.stats.tables import evaluation

ROWS = [[1, 3, 6, 7, 4], [2, 2, 5, 7, 4]]


def test_before_and_after():
    folded = evaluation(long(ROWS), fold="7to5")
    plain = evaluation(long(ROWS))
    for name, key, by in [
        ("n-agreement", "n-agreement 0", {"n": 0}),
        ("fleiss-kappa", "fleiss-kappa", {}),
        ("krippendorff-alpha", "krippendorff-alpha interval", {"scale": "interval"}),
    ]:
        before = value(folded, "fold-agreement", statistic=key, scale="before")
        after = value(folded, "fold-agreement", statistic=key, scale="after")
        assert before == pytest.approx(value(plain, name, **by))
        assert after == pytest.approx(value(folded, name, **by))
    # 6 and 5, 3 and 2 become the same.
    assert value(folded, "fold-agreement", statistic="n-agreement 0", scale="before") == 0.4
    assert value(folded, "fold-agreement", statistic="n-agreement 0", scale="after") == 0.8


def test_the_judgments_stay_folded_for_the_others():
    folded = evaluation(long(ROWS), fold="7to5")
    results(folded)
    assert folded.ratings[0].places.max() == 5


def test_nothing_is_said_without_a_fold():
    assert not [r for r in results(evaluation(long(ROWS))) if r.name == "fold-agreement"]
