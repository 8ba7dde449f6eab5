import pytest

from jurat.stats.agreement.percent_agreement import n_agreement
from tests.stats.agreement.asking import estimates, long, one, results, value
from tests.stats.tables import evaluation, matrix

# By hand: pairs 1-1, 1-3, 1-3 | 2-2 | a single judgment has none.
THREE = [[1, 2, 4], [1, 2, None], [3, None, None]]


def test_by_hand():
    found = estimates(evaluation(long(THREE)), "n-agreement")
    assert [(e.by["n"], e.value, e.n) for e in found] == [
        (0, 0.5, 4),
        (1, 0.5, 4),
        (2, 1.0, 4),
        (3, 1.0, 4),
    ]
    assert n_agreement(matrix(THREE), 2) == 1.0


def test_split_and_by_question():
    csv = "judge,item,genre,q1,q2\na,x,news,1,5\nb,x,news,1,4\na,y,talk,1,3\nb,y,talk,2,3"
    asked = evaluation(csv, questions=("q1", "q2"), by=("genre",))
    assert value(asked, "n-agreement", question="q1", genre="news", n=0) == 1
    assert value(asked, "n-agreement", question="q1", genre="talk", n=0) == 0
    assert value(asked, "n-agreement", question="q2", genre="news", n=1) == 1


def test_words_are_equal_or_not():
    found = estimates(evaluation(long([["A", "B"], ["A", "C"]])), "n-agreement")
    assert [(e.by["n"], e.value) for e in found] == [(0, 0.5)]


def test_halves_have_whole_steps():
    found = estimates(evaluation(long([[1, 2.5], [1.5, 4]])), "n-agreement")
    assert [(e.by["n"], e.value) for e in found] == [(0, 0), (1, 0.5), (2, 1), (3, 1)]


def test_a_long_scale_has_ten_steps():
    found = estimates(evaluation(long([[0, 100], [50, 90]])), "n-agreement")
    assert [e.by["n"] for e in found] == list(range(11))
    assert found[-1].value == 0.5


def test_without_pairs_there_is_a_reason():
    found = one(evaluation("judge,item,value\na,x,1\nb,y,1"), "n-agreement", n=0)
    assert (found.value, found.reason) == (None, "no item was judged by two judges")


def test_repeats_do_not_count():
    csv = "judge,item,value\na,x,1\na,x,5\nb,x,1"
    assert one(evaluation(csv), "n-agreement", n=0).n == 1


def test_the_headline_has_the_numbers():
    headline = results(evaluation(long(THREE)))[0].headline
    assert "50.0 % of 4 pairs" in headline
    assert "one point apart in 50.0 %" in headline


def test_the_interval_holds_the_value():
    found = one(
        evaluation(long([[1, 2] * 30, [1, 1] * 30])), "n-agreement", {"bootstrap": 300}, n=0
    )
    assert found.value == 0.5
    # The standard error of a share of ½ of 60 items is .0645.
    assert found.low == pytest.approx(0.5 - 1.96 * 0.0645, abs=0.03)
    assert found.high == pytest.approx(0.5 + 1.96 * 0.0645, abs=0.03)
