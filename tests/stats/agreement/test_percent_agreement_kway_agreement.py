import pytest

from tests.stats.agreement.asking import estimates, long, one
from tests.stats.tables import evaluation


def test_by_hand():
    # All three alike in the first item, in the second two of three; the third has two judgments.
    found = estimates(evaluation(long([[1, 1, 1], [1, 1, 2], [1, 2, None]])), "kway-agreement")
    assert [(e.by["k"], e.value, e.n) for e in found] == [
        (2, pytest.approx((1 + 1 / 3 + 0) / 3), 3),
        (3, 0.5, 2),
    ]


def test_of_many_judges_the_whole_group_is_told():
    found = estimates(evaluation(long([[1, 2]] * 11 + [[1, 3]])), "kway-agreement")
    assert [e.by["k"] for e in found] == [*range(2, 11), 12]
    assert found[-1].value == 0.5


def test_without_pairs_there_is_a_reason():
    found = one(evaluation("judge,item,value\na,x,1"), "kway-agreement")
    assert found.value is None
    assert found.reason
