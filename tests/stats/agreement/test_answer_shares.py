import pytest

from jurat.stats.agreement import answer_shares
from tests.stats.agreement.asking import estimates, long, one, results, value
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


@pytest.mark.parametrize(("seen", "rate"), [(1, 0), (2, 0.0504), (3, 0.4083)])
def test_an_answer_that_occurred_by_chance_may_be_rarer_than_it_looks(seen, rate):
    """The Poisson rate at which P(X ≥ seen | X ≥ 1) is .025."""
    answers = ["odd"] * seen + ["usual"] * (40 - seen)
    asked = evaluation(long([answers]))
    found = {e.by["answer"]: e for e in estimates(asked, "answer-share", bootstrap=20)}
    assert found["odd"].low == pytest.approx(rate / 40, abs=1e-5)
    assert found["usual"].low > 0.8


CSV = """judge,item,system,question,value
a,x,A,adequacy,7
a,x,A,same,Yes
b,x,A,adequacy,5
b,x,A,same,no
a,y,B,adequacy,7
a,y,B,same,yes
b,y,B,adequacy,3"""


def test_per_system():
    asked = evaluation(CSV)
    assert value(asked, "yes-share", system="A") == 0.5
    assert value(asked, "yes-share", system="B") == 1
    assert {e.by["question"] for e in estimates(asked, "yes-share")} == {"same"}


def test_crossed_with_the_scale():
    found = estimates(evaluation(CSV), "yes-cross")
    assert [(e.by["answer"], e.value, e.n) for e in found] == [(5, 0, 1), (7, 1, 2)]
    assert found[0].by["scale"] == "adequacy"


@pytest.mark.parametrize(
    "csv", ["judge,item,value\na,x,1", "judge,item,value\na,x,yes\na,y,perhaps"]
)
def test_nothing_is_said_where_nobody_was_asked(csv):
    assert not [r for r in results(evaluation(csv)) if r.name.startswith("yes")]


def test_systems_with_as_many_yes_are_named_together():
    rows = ["a,x,A,yes", "a,y,B,yes", "a,z,C,no"]
    found = results(evaluation("\n".join(["judge,item,system,value", *rows])))
    (headline,) = [r.headline for r in found if r.name == "yes-share"]
    assert headline == "A and B have the most Yes (value): 100.0 %."
