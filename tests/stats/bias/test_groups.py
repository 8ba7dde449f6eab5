import numpy as np
import pytest

from jurat.errors import InputError
from jurat.stats.bias.groups import (
    group_ratings,
    judge_groups,
    one_group,
    shared_items,
    source_group,
)
from jurat.stats.settings import GroupSettings
from tests.stats.tables import evaluation, ratings

TWO = """
    judge,item,saw,value
    a,1,ref1,1
    b,1,ref1,2
    c,1,ref2,3
    d,1,Source,4
    e,1,source,4
    f,1,,5
"""


def kinds(groups):
    judges = groups.ratings.judges
    a, b = np.triu_indices(len(judges), 1)
    return {
        name: {(judges[i], judges[j]) for i, j in zip(a[mask], b[mask], strict=True)}
        for name, mask in groups.kinds(a, b).items()
    }


def test_pairs_are_within_across_source_or_any():
    groups = group_ratings(ratings(TWO), "saw", "source")
    found = kinds(groups)
    assert found["within"] == {("a", "b")}
    assert found["across"] == {("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")}
    assert found["source"] == set()
    assert len(found["all"]) == 10  # of five judges: who has no group is left out
    assert groups.references == ["Source", "ref1", "ref2"]


@pytest.mark.parametrize(
    ("names", "asked", "source"),
    [
        (["ref1", "src"], None, "src"),
        (["ref1", "Source"], None, "Source"),
        (["ref1", "ref2"], None, ""),
        (["ref1", "zh"], "zh", "zh"),
        (["ref1", "source"], "", ""),
    ],
)
def test_the_source_group_is_known_by_its_name(names, asked, source):
    assert source_group(names, asked) == source


def test_an_unknown_source_group_is_refused():
    with pytest.raises(InputError, match="did you mean 'source'"):
        source_group(["ref1", "source"], "sorce")


def test_a_judge_of_two_groups_is_never_paired_with_themselves():
    both = ratings("judge,item,saw,value\na,1,x,1\na,1,y,2\nb,1,x,1\nb,2,y,1")
    groups = group_ratings(both, "saw")
    assert len(groups.ratings) == 4
    assert kinds(groups)["all"] == {
        ("a|x", "b|x"),
        ("a|x", "b|y"),
        ("a|y", "b|x"),
        ("a|y", "b|y"),
    }


def test_items_named_after_their_reference_are_the_same():
    (groups,) = judge_groups(
        evaluation(
            "judge,document,segment,system,reference,value\na,d,1,S,A,1\nb,d,1,S,B,2\nb,d,2,S,B,3"
        ),
        GroupSettings(group="reference"),
    )
    assert groups.ratings.items == ["d|1|S", "d|2|S"]


def test_items_that_groups_share_keep_their_names():
    frame = ratings("judge,item,segment,saw,value\na,1,x,A,1\nb,1,y,B,2").frame
    assert group_ratings(
        ratings("judge,item,segment,saw,value\na,1,x,A,1\nb,1,y,B,2"), "saw"
    ).ratings.items == ["1"]
    renamed = shared_items(frame.rename({"saw": "\0group"}))
    assert renamed["item"].to_list() == ["1", "1"]


def test_items_that_nothing_makes_the_same_keep_their_names():
    apart = ratings("judge,item,segment,saw,value\na,1,x,A,1\nb,2,y,B,2")
    assert group_ratings(apart, "saw").ratings.items == ["1", "2"]


def test_without_groups_there_are_only_all_pairs():
    assert list(kinds(one_group(ratings(TWO)))) == ["all"]


def test_a_column_that_says_nothing_is_refused():
    with pytest.raises(InputError, match="the column 'saw' is empty"):
        judge_groups(evaluation("judge,item,saw,value\na,1,,1"), GroupSettings(group="saw"))


def test_a_column_that_is_not_there_is_refused():
    with pytest.raises(InputError, match=r"--group needs a column 'sow'.*did you mean 'saw'"):
        judge_groups(evaluation(TWO), GroupSettings(group="sow"))
