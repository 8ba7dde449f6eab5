import pytest

from jurat.stats.agreement import answer_shares
from tests.stats.agreement.asking import estimates, long, one
from tests.stats.tables import evaluation


def test_by_hand():
    found = estimates(evaluation(long([[1, 2.5, 7, 7]])), "answer-share")
    assert [(e.by["answer"], e.value, e.n) for e in found] == [
        (1, 0.25, 4),
        (2.5, 0.25, 4),
        (7, 0.5, 4),
    ]
    assert isinstance(found[0].by["answer"], int)


def test_words_and_what_does_not_apply():
    found = estimates(evaluation(long([["B", "A", "NA", "B"]])), "answer-share")
    assert {e.by["answer"]: e.value for e in found} == pytest.approx({"A": 1 / 3, "B": 2 / 3})


def test_intervals_of_short_scales_only(monkeypatch):
    asked = evaluation(long([[1, 2, 3], [1, 2, 2]]))
    assert all(e.low is not None for e in estimates(asked, "answer-share", bootstrap=20))
    monkeypatch.setattr(answer_shares, "MOST_POINTS", 2)
    assert all(e.low is None for e in estimates(asked, "answer-share", bootstrap=20))
    monkeypatch.setattr(answer_shares, "MOST_ANSWERS", 2)
    assert "different answers" in one(asked, "answer-share").reason
