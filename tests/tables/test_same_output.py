"""Rows that count for several systems, before and after they are one row for each."""

import polars as pl

from jurat.tables import Judgments
from jurat.tables.preferences import Preferences
from jurat.tables.same_output import for_each_system, of_systems

RATED = pl.DataFrame(
    {
        "item": ["i1", "i2", "i3"],
        "judge": ["j", "j", "j"],
        "system": ["a+b", "c", "x+y"],
        "segment": ["1", "1", "1"],
        "value": [4.0, 2.0, 3.0],
        "same_output": ["true", None, None],
    }
)


def test_a_row_for_each_system():
    rows = for_each_system(RATED)
    assert rows["system"].to_list() == ["a", "b", "c", "x+y"]
    assert rows["value"].to_list() == [4, 4, 2, 3]
    # an item is one translation by one system
    assert rows["item"].to_list() == ["i1|a", "i1|b", "i2", "i3"]
    assert for_each_system(rows).equals(rows)


def test_the_judgments_count_once_until_systems_are_compared():
    judged = Judgments(RATED)
    assert judged.frame.height == 3
    credited = judged.credited()
    assert credited.frame.height == 4
    # judges' means are of what they judged
    assert credited.baseline["value"].to_list() == [4, 2, 3]
    assert judged.frame.height == 3


def test_conditions_are_about_single_systems():
    from jurat.tables import Intake

    left = Judgments(RATED, Intake(where="system != 'a'")).credited()
    assert left.frame["system"].to_list() == ["b", "c", "x+y"]


def test_only_some_systems():
    assert of_systems(RATED, ["a", "c"])["system"].to_list() == ["a", "c"]
    assert of_systems(RATED, ["a", "b"])["system"].to_list() == ["a+b"]
    assert of_systems(RATED.drop("same_output"), ["c"])["system"].to_list() == ["c"]


def test_rankings_become_pairs_of_all_systems():
    ranked = pl.DataFrame(
        {
            "item": ["i"] * 3,
            "judge": ["j"] * 3,
            "system": ["c", "a+b", "d"],
            "slot": [1, 2, 3],
            "rank": [2, 1, 2],
            "same_output": [None, True, None],
        }
    )
    pairs = Preferences(ranked)
    assert pairs.frame.select("system_a", "system_b", "outcome").rows() == [
        ("c", "a+b", "b"),
        ("c", "d", "tie"),
        ("a+b", "d", "a"),
    ]
    # never against each other: nobody compared the two
    assert pairs.credited().frame.select("system_a", "system_b", "outcome").rows() == [
        ("c", "a", "b"),
        ("c", "b", "b"),
        ("c", "d", "tie"),
        ("a", "d", "a"),
        ("b", "d", "a"),
    ]
