from tests.stats.agreement.asking import long, one, results
from tests.stats.tables import evaluation


def test_by_hand():
    # Pairs 0-0, 2-1, 0-3, 4-0: two are alike.
    found = one(evaluation(long([[0, 2, 0, 4], [0, 1, 3, 0]])), "presence-agreement")
    assert (found.value, found.n) == (0.5, 4)


def test_three_judges():
    # Of 0, 0, 5 one pair of three is alike.
    assert one(evaluation(long([[0], [0], [6]])), "presence-agreement").value == 1 / 3


def test_undefined():
    assert one(evaluation(long([[1], [2]])), "presence-agreement").reason == "no answer is 0"
    assert "words" in one(evaluation(long([["A"], ["B"]])), "presence-agreement").reason
    alone = evaluation("judge,item,value\na,x,0")
    assert one(alone, "presence-agreement").reason == "no item was judged by two judges"


def test_the_headline_is_a_sentence():
    found = results(evaluation(long([[0], [0]])))
    (headline,) = [r.headline for r in found if r.name == "presence-agreement"]
    assert headline.endswith("in 100.0 % of 1 pair.")
