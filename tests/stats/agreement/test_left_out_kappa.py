import numpy as np
import pytest

from jurat.stats.agreement.fleiss_kappa import fleiss_kappa
from jurat.stats.agreement.left_out_kappa import left_out_kappa
from tests.stats.agreement.asking import estimates, long, results
from tests.stats.agreement.drawn import rows, table
from tests.stats.tables import evaluation, matrix


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
