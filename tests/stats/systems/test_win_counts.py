import numpy as np
import pytest

from jurat.stats.settings import SystemSettings
from jurat.stats.systems.expected_wins import SystemWins, expected_wins, win_matrix
from jurat.stats.systems.win_counts import preference_win_counts, split_joined_systems, win_counts
from tests.stats.systems.finding import only, results, values
from tests.stats.tables import comparison, evaluation

PLAIN = SystemSettings()


def test_wins_and_ties_of_preferences():
    table = comparison(
        """judge,item,system_a,system_b,outcome
        x,1,a,b,a
        x,2,b,a,a
        y,1,b,a,tie
        y,2,a,b,good
        y,3,a,b,b"""
    )
    (found,) = preference_win_counts(table, PLAIN)
    assert found.systems == ("a", "b")
    assert found.wins.tolist() == [[0, 1], [2, 0]]
    assert found.ties.tolist() == [[0, 2], [2, 0]]
    assert found.n.tolist() == [5, 5]
    assert found.by == {"question": "preference"}


def test_wins_and_ties_of_scores_within_judge_and_sentence():
    table = evaluation(
        """judge,segment,system,value
        x,1,a,5
        x,1,b,4
        x,1,c,4
        y,1,a,1
        y,1,b,2
        y,1,c,3"""
    )
    (found,) = win_counts(table, PLAIN)
    assert found.wins.tolist() == [[0, 1, 1], [1, 0, 0], [1, 1, 0]]
    assert found.ties.tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 0]]
    (turned,) = win_counts(table, SystemSettings(lower_better=True))
    assert turned.wins.tolist() == found.wins.T.tolist()


def test_questions_and_splits_are_apart():
    table = comparison(
        "question,genre,system_a,system_b,outcome\nq,n,a,b,a\nq,t,a,b,b\nr,n,a,b,a", by=("genre",)
    )
    told = [
        (c.by["question"], c.tags["genre"], c.wins[0, 1])
        for c in preference_win_counts(table, PLAIN)
    ]
    assert told == [("q", "n", 1), ("r", "n", 1), ("q", "t", 0)]


def test_systems_with_the_same_output_count_each():
    table = comparison("system_a,system_b,outcome\na+b,c,a\na,c,b\nb,c,tie")
    (found,) = preference_win_counts(table, PLAIN)
    assert found.systems == ("a", "b", "c")
    assert found.wins.tolist() == [[0, 0, 1], [0, 0, 1], [1, 0, 0]]
    assert "1 outputs shared by systems" in found.words


def test_a_plus_in_a_name_is_part_of_it():
    table = comparison("system_a,system_b,outcome\nbpe+drop,bpe,a")
    assert split_joined_systems(table.compared)[0]["system_a"].to_list() == ["bpe+drop"]


def test_only_some_systems():
    table = comparison("better,worse\na,b\na,c\nc,b")
    (found,) = preference_win_counts(table, SystemSettings(only=("a", "c")))
    assert found.systems == ("a", "c")
    assert found.wins.tolist() == [[0, 1], [0, 0]]


def test_expected_wins_by_hand():
    wins = np.array([[0, 3, 1], [1, 0, 0], [1, 0, 0]], dtype=float)
    shares = win_matrix(wins)
    assert shares[0, 1] == 0.75
    assert np.isnan(shares[1, 2])  # never decided
    np.testing.assert_allclose(expected_wins(shares), [(0.75 + 0.5) / 2, 0.25, 0.5])


def test_ties_are_left_out_or_half():
    table = comparison("system_a,system_b,outcome\na,b,a\na,b,a\na,b,b\na,b,tie")
    skipped = results(SystemWins, table)
    assert values(skipped["system-wins"]) == {"a": pytest.approx(2 / 3), "b": pytest.approx(1 / 3)}
    assert only(skipped["pairwise-wins"], system_a="a", system_b="b").n == 3
    half = results(SystemWins, table, tied="half")
    assert values(half["system-wins"]) == {"a": 2.5 / 4, "b": 1.5 / 4}
    assert only(half["pairwise-wins"], system_a="b", system_b="a").value == 1.5 / 4


def test_pairs_that_never_met_say_so():
    found = results(SystemWins, comparison("better,worse\na,b\nc,b"))["pairwise-wins"]
    assert only(found, system_a="a", system_b="c").reason == "they were never compared"
    tied = results(SystemWins, comparison("system_a,system_b,outcome\na,b,tie"))["pairwise-wins"]
    assert only(tied, system_a="a", system_b="b").reason == "they tied every time"


def test_intervals_draw_sentences_and_judges():
    rows = [f"j{n % 4},{n % 9},a,b,{'ab'[n % 7 < 3]}" for n in range(72)]
    table = comparison("\n".join(["judge,segment,system_a,system_b,outcome", *rows]))
    found = results(SystemWins, table, bootstrap=100)["system-wins"]
    assert "sentences and judges" in found.method
    estimate = only(found, system="a")
    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.low < (estimate.value or 0) < estimate.high


def test_no_two_systems_on_a_sentence():
    found = results(SystemWins, evaluation("item,system,value\n1,a,3\n2,b,4"))
    assert (
        only(found["system-wins"], system="a").reason == "no comparison of the system was decided"
    )
