import pytest

from jurat.stats import Settings, Statistic, analyse, statistics
from jurat.stats.statistic import _unavailable
from tests.stats.tables import comparison, evaluation


class Answers(Statistic[Settings]):
    name = "answers"
    gives = ("answer-count", "answer-share")
    asks = "How many answers are there?"
    formula = "a count"
    source = "nobody"
    needs = ("phase",)

    def results(self, evaluation, settings):
        yield self.result(evaluation, settings, [], kind="all")


TABLE = "judge,item,value\na,x,1\nb,x,2"


def test_in_the_order_of_the_output():
    found = statistics("agreement")
    assert found[0].name == "n-agreement"
    assert [s.order for s in found] == sorted(s.order for s in found)


def test_only_some():
    every = [r.name for r in analyse("agreement", evaluation(TABLE), Settings(bootstrap=0))]
    some = analyse("agreement", evaluation(TABLE), Settings(bootstrap=0), only=("fleiss-kappa",))
    assert [r.name for r in some] == ["fleiss-kappa", "fleiss-observed", "fleiss-expected"]
    assert len(every) > 10


def test_a_result_carries_its_choices():
    (result,) = Answers().results(evaluation(TABLE), Settings())
    assert result.name == "answer-count"
    assert result.method == "a count"
    assert result.options == {"kind": "all"}
    assert "kind:all" in result.signature
    assert "seed" not in result.signature


def test_the_seed_is_told_where_there_is_an_interval():
    found = next(iter(analyse("agreement", evaluation(TABLE), Settings(seed=7))))
    assert found.name == "n-agreement"
    more = evaluation("judge,item,value\na,x,1\nb,x,2\na,y,1\nb,y,1")
    found = next(iter(analyse("agreement", more, Settings(seed=7))))
    assert "seed:7" in found.signature


def test_missing_columns_are_named_for_every_result():
    found = list(_unavailable(Answers, evaluation(TABLE), ["phase"]))
    assert [r.name for r in found] == ["answer-count", "answer-share"]
    assert found[0].estimates[0].reason == "needs the column phase"


def test_an_unwritten_statistic_says_so():
    with pytest.raises(NotImplementedError):
        Statistic().results(evaluation(TABLE), Settings())


def test_comparisons_are_told_that_scores_are_needed():
    pairs = comparison("judge,item,better,worse\na,1,X,Y")
    found = {r.name: r.estimates[0].reason for r in analyse("systems", pairs, Settings())}
    assert found["system-score"] == "needs scores, in a table with system: these are comparisons"
