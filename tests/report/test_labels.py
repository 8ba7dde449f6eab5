"""Parts of results have words that a reader knows, in headlines, tables and figures."""

import pytest

from jurat.report.labels import heading, value_words, with_ways_in_words
from jurat.report.svg.canvas import Palette
from jurat.report.svg.figure import draw
from jurat.results import Estimate
from jurat.stats.agreement.answer_shares import AnswerShares
from jurat.stats.systems.pairwise import SystemDifference
from jurat.stats.systems.system_statistic import Display, leader_headline


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("Look first at J2 (self p = 0.01, drift p < 0.001).", "self-consistency p = 0.01"),
        ("Of 9 judges each way finds (score): score 3, fit 0.", "(score): scores 3, incon"),
        ("Judges are left out by one of these rules: score and middle.", "mid-scale answers."),
        ("Kits of at most 38 decisions may avoid that.", "at most 38"),
    ],
)
def test_rules_for_judges_are_words_where_they_are_named(told: str, said: str):
    assert said in with_ways_in_words(told)


def test_names_of_the_data_stay():
    assert value_words("system", "none") == "none"
    assert value_words("weights", "none") == "unweighted"
    assert heading("kept") == "scores of"
    assert heading("system_a") == "system a"


def test_shares_of_two_questions_do_not_stand_on_each_other():
    of = [("adequacy", 1), ("adequacy", 2), ("same", 1)]
    shares = [Estimate(0.6, 9, by={"question": q, "answer": answer}) for q, answer in of]
    drawn = draw(AnswerShares().figure_of("answer-share", shares), Palette())
    assert drawn.count('class="plot') == 2


def test_many_systems_are_compared_with_the_next_ones():
    names = [f"s{n}" for n in range(7)]
    pairs = [(a, b) for n, a in enumerate(names) for b in names[n + 1 :]]
    both = [*pairs, *((b, a) for a, b in pairs)]
    differences = [
        Estimate(1.0, 9, by={"question": "adequacy", "system_a": a, "system_b": b}) for a, b in both
    ]
    figure = SystemDifference().figure_of("system-difference", differences)
    shown = [row["pair"] for row in figure["data"]["values"]]  # type: ignore[index]
    assert shown == [f"s{n} − s{n + 1}" for n in range(6)]


def test_a_system_that_is_first_by_scores_and_comparisons_is_named_once():
    ranks = [
        Estimate(float(n), 2, by={"question": "choice", "system": system})
        for _ in range(2)
        for n, system in enumerate(("cedar", "birch"), 1)
    ]
    said = leader_headline(ranks, Display("", "rank", "has rank", ranks=True), best="lowest")
    assert said == "cedar has rank 1 (n = 2; 2 systems)."
