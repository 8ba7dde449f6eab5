from typing import ClassVar

import pytest

from jurat.results import Estimate
from jurat.stats import Settings, Statistic, analyse, statistics
from jurat.stats.evaluation_tables import Evaluation
from jurat.stats.statistic import Answer, _unavailable
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


@pytest.mark.parametrize("resampled", [True, False])
def test_the_seed_is_told_where_it_moves_an_interval(monkeypatch, resampled):
    monkeypatch.setattr(Answers, "resampled", resampled)
    sure = [Estimate(0.5, 3, low=0.1, high=0.9)]
    found = Answers().result(evaluation(TABLE), Settings(seed=7), sure)
    assert ("seed:7" in found.signature) == resampled
    assert "confidence:0.95" in found.signature


def test_missing_columns_are_named_for_every_result():
    found = list(_unavailable(Answers, evaluation(TABLE), Settings(), ["phase"]))
    assert [r.name for r in found] == ["answer-count", "answer-share"]
    assert found[0].estimates[0].reason == "needs the column phase"


def test_an_unwritten_statistic_says_so():
    with pytest.raises(NotImplementedError):
        Statistic().results(evaluation(TABLE), Settings())


def test_comparisons_are_told_that_scores_are_needed():
    pairs = comparison("judge,item,better,worse\na,1,X,Y")
    found = {r.name: r.estimates[0].reason for r in analyse("systems", pairs, Settings())}
    assert found["system-score"] == "needs scores, in a table with system: these are comparisons"


class Share(Statistic[Settings]):
    """A statistic that declares its formulas, words and figure."""

    name = "share"
    formulas: ClassVar = {"share": "k / n", "share-left": "1 − k / n"}
    asks = "How much?"
    source = "nobody"
    counted = "answers"

    def headline_of(self, name, known):
        return f"{name}: {known[0].value}."

    def undefined_headline(self, name, estimates):
        return f"{name}: {estimates[0].reason}."

    def figure_of(self, name, estimates):
        return {"title": name, "points": len(estimates)}


class Single(Share):
    name = "single"


def test_names_and_formula_follow_from_the_formulas():
    assert (Share.gives, Share.formula) == (("share", "share-left"), "k / n")
    assert Single.gives == ("single",)


def test_method_headline_and_figure_follow_from_what_is_declared():
    found = [Estimate(None, 0), Estimate(0.25, 4)]
    result = Share().result(
        evaluation(TABLE), Settings(), found, name="share-left", how="10 resamples"
    )
    assert result.method == "1 − k / n; n counts answers; 10 resamples"
    assert result.headline == "share-left: 0.25."
    assert result.figure() == {"title": "share-left", "points": 2}


def test_without_a_value_the_headline_says_so_and_there_is_no_figure():
    result = Share().result(evaluation(TABLE), Settings(), [Estimate(None, 0, reason="empty")])
    assert (result.headline, result.figure()) == ("share: empty.", None)


class Size(Statistic[Settings]):
    """A statistic of nothing."""

    name, gives, asks, formula, source = "size", ("size", "half"), "?", "all of it", "here"


def test_an_answer_becomes_a_result_with_shared_choices_first():
    answer = Answer([Estimate(1.0, 2)], "how", "half", "So it is.", choices={"seed": 3})
    result = answer.result(Size(), Evaluation(), Settings(), {"group": "saw"})
    assert (result.name, result.method, result.headline) == ("half", "how", "So it is.")
    assert dict(result.options) == {"group": "saw", "seed": 3}
    assert result.signature.startswith("half|group:saw|seed:3|")


def test_an_answer_without_words_has_those_of_its_statistic():
    result = Answer([Estimate(1.0, 2)]).result(Size(), Evaluation(), Settings(), {})
    assert (result.name, result.method) == ("size", "all of it")
