"""Answers become results with the choices that a folder shares, then their own."""

from jurat.results import Estimate
from jurat.stats.answer import Answer
from jurat.stats.evaluation import Evaluation
from jurat.stats.statistic import Settings, Statistic


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
