"""Parts of results have words that a reader knows, in headlines, tables and figures."""

import re
from itertools import combinations

import pytest

from jurat.report.labels import heading, value_words, with_ways_in_words
from jurat.report.result_texts import counted, noted, told, value_heading
from jurat.report.svg.canvas import Palette
from jurat.report.svg.figure import draw
from jurat.results import Estimate, Result
from jurat.stats import figures
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


@pytest.mark.parametrize(
    ("headline", "said"),
    [
        (
            "Of 9 judges 0 by its rule alone, which may be chance.",
            "Nobody is beyond the usual limits; that is not tested.",
        ),
        (
            "Of 9 judges 1 by its rule alone, which may be chance.",
            "1 of 9 judges is beyond the usual limits; that is not tested and may be chance.",
        ),
        (
            "Beyond chance J2 (strict), of 9 judges; 3 by its rule alone.",
            "Beyond chance: J2 (strict). 3 of 9 judges are beyond the usual limits.",
        ),
        ("Of 2 judges each way finds (adequacy): score 0, entropy 0.", "Nobody (adequacy)."),
        ("Of 9 judges each way finds (q): runs 2.", "Of 9 judges each rule names (q): repeated"),
        (
            "Look first at J9 (drift p < 0.001, fit p = 0.01) and J2. So.",
            "Look first at J9 and J2.",
        ),
        ("a wins, 69.5 % [64.4 %, 74.1 %] (n = 9).", "a wins, 69.5 % [64.4, 74.1] (n = 9)."),
        ("The pair that agrees least: A 0.1; the one that agrees most: A 0.1.", "A 0.1."),
        ("Lowest in the slice 20-40 % of their work.", "Lowest from 20 to 40 % of their work."),
        ("0 of 6 pairs. A plan says how many sentences would do.", "0 of 6 pairs."),
        (
            "2 s; 1 % took longer and are left out (3 s with them); the median is 2 s.",
            "2 s; 1 % took longer and are left out (3 s with them); the median of all is 2 s.",
        ),
        (
            "The kappa of judges who saw the same is highest.",
            "The kappa of judges who saw the same reference is",
        ),
        ("alpha 0.2, 5 items (few; the interval may hold less often).", "alpha 0.2, 5 items."),
    ],
)
def test_headlines_have_words_that_stand_on_a_page(headline: str, said: str):
    assert told(headline).startswith(said)


def test_notes_say_what_follows_for_a_reader():
    note = "few cases outside the commonest category; no interval: a single unit says nothing"
    assert noted(note, interval=True) == "nearly all answers are the same"
    assert "no interval" in noted(note)
    assert noted("2 documents cannot speak for others").endswith("too few to generalize from")


def test_a_table_says_what_n_counts():
    result = Result(
        name="mean", estimates=(), method="sum of all; n counts pairs of judges", signature=""
    )
    assert counted(result) == "n counts pairs of judges."


@pytest.mark.parametrize(
    ("estimates", "plots"),
    [([0.4], 0), ([0.0, 0.0], 0), ([0.4, 0.6], 1)],
)
def test_one_number_or_none_is_no_figure(estimates: list[float], plots: int):
    bars = [{"name": str(n), "value": value, "of": "q"} for n, value in enumerate(estimates)]
    over, value = figures.axis("name", "judge", "nominal"), figures.axis("value", "judges")
    drawn = draw(figures.bars("Judges", bars, x=value, y=over), Palette())
    assert drawn.count('class="plot') == plots


def test_shares_of_judges_do_not_add_up_over_questions():
    rows = [
        {"over": over, "name": name, "value": 0.6, "of": question}
        for over, name in (("judges", "J1"), ("systems", "s"), ("judges", "J2"), ("systems", "t"))
        for question in ("adequacy", "fluency")
    ]
    x, y = figures.axis("value", "share"), figures.axis("name", "judge or system", "nominal")
    drawn = draw(figures.bars("S", rows, x=x, y=y, colour=figures.axis("over", "of")), Palette())
    assert "1.20" not in drawn
    assert drawn.count("adequacy") == 1


def test_points_of_several_questions_share_a_plot():
    points = [Estimate(0.4 + n / 9, 9, by={"question": f"q{n}", "k": 2}) for n in range(2)]
    drawn = draw(figures.points_with_intervals("K", points, over="k", value="share"), Palette())
    assert drawn.count('class="plot') == 1
    assert ">q0<" in drawn
    assert ">q1<" in drawn


def test_pairs_of_long_names_are_told_apart():
    names = ["wmt23.ONLINE-M", "wmt23.ONLINE-A", "wmt23.ONLINE-B"]
    rows = [
        Estimate(1.0, 9, by={"pair": f"{one} − {other}"}, low=0.0, high=2.0)
        for one, other in combinations(names, 2)
    ]
    drawn = draw(figures.points_with_intervals("D", rows, over="pair", value="d"), Palette())
    assert "…" not in drawn
    assert drawn.count(">wmt23.ONLINE-B<") == 2


def test_lines_that_are_the_same_have_one_colour_and_all_systems_are_named():
    systems = [f"a-system-of-a-long-name-{n}" for n in range(9)]
    rows = [
        {"system": system, "value": float(n), "way": way}
        for way in ("none", "runs", "drift")
        for n, system in enumerate(systems)
    ]
    x, y = figures.axis("system", "system", "nominal", sort=None), figures.axis("value", "score")
    way = figures.axis("way", "way", "nominal")
    drawn = draw(figures.lines("S", rows, x=x, y=y, colour=way), Palette())
    assert {*re.findall(r"polyline [^>]*class=\"(\w+)", drawn)} == {"c1"}
    assert drawn.count("rotate(-45)") == len(systems)


@pytest.mark.parametrize(
    ("name", "title", "heads"),
    [
        ("group-p", "", "p"),
        ("hours-worked", "", "hours"),
        ("krippendorff-alpha", "krippendorff-alpha", "Krippendorff's alpha"),
        ("slice-agreement", "mean kappa (linear weights)", "mean kappa"),
        ("unknown", "", "value"),
    ],
)
def test_a_table_names_what_its_numbers_are(name: str, title: str, heads: str):
    drawn = figures.lines(
        "S", [{"k": 1, "value": 1}], x=figures.axis("k", "k"), y=figures.axis("value", title)
    )
    result = Result(
        name=name, estimates=(), method="", signature="", draw=lambda: drawn if title else {}
    )
    assert value_heading(result) == heads


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
