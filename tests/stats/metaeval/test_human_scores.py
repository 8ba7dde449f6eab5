"""Ratings, rankings and preferences in one shape."""

import numpy as np
import pytest

from jurat.stats.metaeval.matched_scores import match_scores
from tests.stats.metaeval.asking import asked, only

SCORES = "segment,system,m\n1,a,3\n1,b,2\n1,c,1\n"


def outcomes(one) -> list[tuple[str, str, float]]:
    rows = one.human.decisions
    systems = one.systems
    return sorted(
        (systems[f], systems[s], o)
        for f, s, o in zip(rows.first, rows.second, rows.outcome, strict=True)
    )


def test_ratings_rankings_and_preferences_say_the_same():
    rated = only("segment,system,value\n1,a,5\n1,b,3\n1,c,3\n", SCORES)
    ranked = only("judge,segment,system,rank\nx,1,a,1\nx,1,b,2\nx,1,c,2\n", SCORES)
    wide = "judge,segment,output1,rank1,output2,rank2,output3,rank3\nx,1,a,1,b,2,c,2\n"
    compared = "segment,system_a,system_b,outcome\n1,b,a,b\n1,a,c,a\n1,c,b,tie\n"
    wanted = [("a", "b", 1.0), ("a", "c", 1.0), ("b", "c", 0.0)]
    for one in (rated, ranked, only(wide, SCORES), only(compared, SCORES)):
        assert outcomes(one) == wanted
    lower = only("segment,system,value\n1,a,1\n1,b,2\n1,c,2\n", SCORES, lower_better=True)
    assert outcomes(lower) == wanted


def test_wins_less_losses_are_in_the_order_of_ranks():
    ranked = only("judge,segment,system,rank\nx,1,a,1\nx,1,b,2\nx,1,c,2\n", SCORES)
    judge_scores = ranked.human.judge_scores
    assert dict(zip(judge_scores.system.tolist(), judge_scores.value.tolist(), strict=True)) == {
        0: 2,
        1: -1,
        2: -1,
    }
    assert ranked.human.means is None
    assert ranked.human.judges == ("x",)


def test_systems_of_preferences_have_shares_of_wins():
    one = only("segment,better,worse\n1,a,b\n2,a,b\n3,b,a\n4,a,c\n", SCORES, allow_unmatched=True)
    assert one.human.system_scores.tolist() == pytest.approx([3 / 4, 1 / 3, 0])
    assert one.human.judges == ()


def test_joined_outputs_are_compared_each():
    one = only("segment,output1,rank1,output2,rank2\n1,a+b,1,c,2\n", SCORES)
    assert outcomes(one) == [("a", "c", 1.0), ("b", "c", 1.0)]


def test_means_of_judges():
    csv = "judge,segment,system,value\nx,1,a,1\ny,1,a,2\nx,1,b,0.1\ny,1,b,0.2\nz,1,b,0.3\n"
    one = only(csv, SCORES)
    assert one.human.means[0] == pytest.approx([1.5, 0.2])
    assert one.human.system_scores.tolist() == pytest.approx([1.5, 0.2])
    assert one.human.judges == ("x", "y", "z")


def test_means_that_are_equal_on_paper_are_equal():
    csv = "judge,segment,system,value\n" + "\n".join(
        f"{j},1,{s},{v}"
        for s, vs in (("a", (0.1, 0.2, 0.3)), ("b", (0.3, 0.1, 0.2)))
        for j, v in zip("xyz", vs, strict=True)
    )
    one = only(csv, SCORES)
    assert one.human.means[0, 0] == one.human.means[0, 1]


def test_where_nobody_judged_two_systems_the_means_are_compared():
    one = only("judge,segment,system,value\nx,1,a,3\ny,1,b,1\nz,1,b,2\n", SCORES)
    assert one.human.pooled
    assert one.human.judges == ()
    assert outcomes(one) == [("a", "b", 1.0)]


def test_a_repeated_judgment_counts_once():
    csv = "judge,segment,system,value,position\nx,1,a,3,1\nx,1,a,9,2\nx,1,b,4,3\n"
    assert outcomes(only(csv, SCORES)) == [("a", "b", -1.0)]


def test_without_judges_the_rows_of_a_translation_are_averaged():
    one = only("segment,system,value\n1,a,3\n1,a,5\n", SCORES)
    np.testing.assert_array_equal(one.human.means, [[4]])


def test_ratings_of_whole_systems():
    one = only("system,value\na,3\nb,5\n", "system,m\na,1\nb,2\n")
    assert one.human.of_systems.tolist() == [3, 5]
    assert one.segments == 0
    assert one.of_systems.tolist() == [[1, 2]]


def test_segments_are_in_the_order_of_the_table():
    csv = "segment,system,value\n10,a,1\n9,a,2\n10,b,3\n"
    assert only(csv, "segment,system,m\n9,a,1\n10,a,1\n").human.segments == ("10", "9")


@pytest.mark.parametrize(
    "csv",
    [
        "judge,segment,system,value\nx,1,a,1\nx,1,b,2\nx,1,c,4\ny,1,a,1\ny,1,b,3\n",
        "segment,better,worse\n1,a,b\n1,b,c\n1,a,c\n",
    ],
)
def test_without_a_system_is_as_if_it_had_never_been_there(csv):
    (one,) = match_scores(*asked(csv, SCORES))
    rest = one.without(1)
    head, *rows = csv.split("\n")
    kept = [row for row in rows if ",b" not in row]
    fresh = only("\n".join([head, *kept]), SCORES)
    assert rest.systems == fresh.systems == ("a", "c")
    assert outcomes(rest) == outcomes(fresh)
    np.testing.assert_allclose(rest.human.system_scores, fresh.human.system_scores)
    assert sorted(rest.human.judge_scores.value) == sorted(fresh.human.judge_scores.value)


def test_questions_and_splits_stand_apart():
    from jurat.tables import Intake

    csv = "segment,system,kind,adequacy,fluency\n1,a,x,1,2\n1,b,x,2,1\n2,a,y,1,2\n"
    intake = Intake(questions=("adequacy", "fluency"), by=("kind",))
    parts = match_scores(*asked(csv, "segment,system,m\n1,a,1\n1,b,2\n2,a,2\n", intake=intake))
    assert [(p.human.question, p.tags["kind"]) for p in parts] == [
        ("adequacy", "x"),
        ("adequacy", "y"),
        ("fluency", "x"),
        ("fluency", "y"),
    ]
    assert outcomes(parts[0]) == [("a", "b", -1.0)]
    assert outcomes(parts[2]) == [("a", "b", 1.0)]
