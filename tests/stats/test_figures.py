"""The shapes that statistics draw with."""

from __future__ import annotations

from typing import Any

from jurat.results import Estimate
from jurat.stats.figures import AS_GIVEN, points_with_intervals, within_n_figure


def estimates(values: dict[tuple[str, str], float]) -> list[Estimate]:
    return [
        Estimate(value=value, n=9, by={"question": question, "system": system})
        for (question, system), value in values.items()
    ]


SCORES = {
    ("adequacy", "birch"): 3.5,
    ("adequacy", "cedar"): 5.5,
    ("fluency", "birch"): 2.0,
    ("fluency", "cedar"): 2.5,
}


def drawn(values: dict[tuple[str, str], float]) -> Any:
    return points_with_intervals(
        "Scores", estimates(values), over="system", value="score", facet="question"
    )


def test_the_best_stands_at_the_top():
    figure = drawn(SCORES)
    assert figure["spec"]["encoding"]["y"]["sort"] == ["cedar", "birch"]


def test_each_question_may_have_its_own_order():
    figure: Any = points_with_intervals(
        "Scores",
        estimates(SCORES),
        over="system",
        value="score",
        facet="question",
        sort=AS_GIVEN,
    )
    assert figure["spec"]["encoding"]["y"]["sort"] is None


def test_questions_of_different_scales_do_not_share_an_axis():
    assert drawn(SCORES)["resolve"] == {"scale": {"x": "independent"}}
    one = {place: value for place, value in SCORES.items() if place[0] == "adequacy"}
    assert "facet" not in drawn(one)


def test_ranks_have_no_halves():
    ranks = drawn({("adequacy", "birch"): 2.0, ("adequacy", "cedar"): 1.0})
    scores = drawn({("adequacy", "birch"): 2.5, ("adequacy", "cedar"): 1.0})
    axes = [figure["layer"][1]["encoding"]["x"].get("axis") for figure in (ranks, scores)]
    assert axes == [{"tickMinStep": 1}, None]


def test_the_distance_is_not_taken_for_the_number_of_pairs():
    shares = [
        Estimate(value=share, n=148, by={"question": "adequacy", "n": n})
        for n, share in enumerate((0.3, 0.7, 1.0))
    ]
    figure: Any = within_n_figure("Pairs within n", shares)
    field = figure["encoding"]["x"]["field"]
    assert [row[field] for row in figure["data"]["values"]] == [0, 1, 2]
