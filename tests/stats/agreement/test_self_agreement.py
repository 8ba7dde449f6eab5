import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from jurat.stats.agreement import self_agreement
from tests.stats.agreement.asking import one, value
from tests.stats.tables import evaluation

rng = np.random.default_rng(5)
FIRST = rng.integers(1, 6, 40)
SECOND = np.clip(FIRST + rng.integers(-1, 2, 40), 1, 5)
# The later answers stand first in the file: the position tells which is which.
CSV = "judge,item,value,position\n" + "\n".join(
    f"j{n % 3},i{n},{answer},{position}"
    for position, answers in ((2, SECOND), (1, FIRST))
    for n, answer in enumerate(answers)
)


def test_as_other_programs():
    asked = evaluation(CSV)
    far = np.abs(FIRST - SECOND)
    assert value(asked, "intra-agreement", n=0) == pytest.approx((far == 0).mean())
    assert value(asked, "intra-agreement", n=1) == 1
    assert value(asked, "intra-distance") == pytest.approx(far.mean())
    assert value(asked, "intra-pearson") == pytest.approx(np.corrcoef(FIRST, SECOND)[0, 1])
    kappa = cohen_kappa_score(FIRST, SECOND)
    assert value(asked, "intra-kappa") == pytest.approx(kappa)
    assert one(asked, "intra-kappa").n == 40


def test_many_points_come_to_the_same(monkeypatch):
    exact = value(evaluation(CSV), "intra-kappa")
    monkeypatch.setattr(self_agreement, "FEW_POINTS", 0)
    monkeypatch.setattr(self_agreement, "FEW_CELLS", 0)
    assert value(evaluation(CSV), "intra-kappa") == pytest.approx(exact)


def test_three_answers_are_three_pairs():
    asked = evaluation("judge,item,value\na,x,1\na,x,1\na,x,2")
    assert one(asked, "intra-agreement", n=0)[:2] == (pytest.approx(1 / 3), 3)


def test_others_do_not_count():
    found = one(evaluation("judge,item,value\na,x,1\nb,x,1"), "intra-agreement", n=0)
    assert (found.value, found.reason) == (None, "no judge judged the same item twice")


def test_undefined():
    words = evaluation("judge,item,value\na,x,A\na,x,A\na,y,B\na,y,B")
    assert value(words, "intra-agreement", n=0) == 1
    assert value(words, "intra-kappa") == 1
    assert "words" in one(words, "intra-distance").reason
    constant = evaluation("judge,item,value\na,x,3\na,x,3\na,y,3\na,y,3")
    assert one(constant, "intra-pearson").reason == "the answers do not vary"
    assert one(constant, "intra-kappa").reason == "the answers do not vary"
    assert value(constant, "intra-distance") == 0


def test_the_interval_holds_the_value():
    found = one(evaluation(CSV), "intra-pearson", {"bootstrap": 200})
    assert found.low < found.value < found.high
