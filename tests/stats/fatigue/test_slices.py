import numpy as np
import pytest

from jurat.stats.fatigue.slices import order_column, slice_ratings, with_positions
from tests.stats.tables import evaluation


def slices(csv, count=2, group="", source=None, **options):
    (only,) = slice_ratings(evaluation(csv, **options), group, source, count)
    return only


def by_judge(found):
    rows = found.ratings
    told = [
        (rows.judges[j], rows.items[i])
        for j, i in zip(rows.judge_codes, rows.item_codes, strict=True)
    ]
    return dict(zip(told, found.row_slice.tolist(), strict=True))


def test_a_hundred_positions_in_five_slices():
    found = slices(
        "\n".join(["judge,item,position,value", *(f"a,{n},{n},1" for n in range(1, 101))]), 5
    )
    assert np.bincount(found.row_slice).tolist() == [20] * 5
    assert by_judge(found)["a", "20"] == 0
    assert by_judge(found)["a", "21"] == 1
    assert found.names == ["0-20", "20-40", "40-60", "60-80", "80-100"]


def test_slices_are_of_each_judges_own_sequence():
    csv = "judge,item,position,value\na,x,9,1\na,y,5,1\nb,x,1,1\nb,y,2,1\nb,z,3,1\nb,w,4,1"
    assert by_judge(slices(csv)) == {
        ("a", "y"): 0,
        ("a", "x"): 1,
        ("b", "x"): 0,
        ("b", "y"): 0,
        ("b", "z"): 1,
        ("b", "w"): 1,
    }


def test_the_time_of_decision_tells_the_order_where_no_position_does():
    csv = "judge,item,decided_at,value\na,x,2024-05-01T10:00:00Z,1\na,y,2024-05-01T09:00:00Z,1"
    assert by_judge(slices(csv)) == {("a", "x"): 1, ("a", "y"): 0}


def test_else_the_order_of_the_file_does_for_each_question_apart():
    csv = "judge,item,p,q\na,x,1,1\na,y,1,1"
    both = slice_ratings(evaluation(csv, questions=("p", "q")), "", None, 2)
    assert [by_judge(one) for one in both] == [{("a", "x"): 0, ("a", "y"): 1}] * 2


def test_positions_count_over_all_splits():
    csv = "judge,item,position,genre,value\na,x,1,n,1\na,y,2,t,1\na,z,3,t,1\na,w,4,t,1"
    news, talks = slice_ratings(evaluation(csv, by=("genre",)), "", None, 2)
    assert by_judge(news) == {("a", "x"): 0}
    assert by_judge(talks) == {("a", "y"): 0, ("a", "z"): 1, ("a", "w"): 1}


def test_answers_of_one_decision_share_their_place():
    csv = "judge,item,position,question,value\na,x,1,p,1\na,x,1,q,1\na,y,2,p,1\na,y,2,q,1"
    frame = with_positions(evaluation(csv).valid)
    assert frame["\0place"].to_list() == [0, 0, 1, 1]
    assert frame["\0length"].to_list() == [2] * 4


def test_rows_without_a_position_are_left_out():
    csv = "judge,item,position,value\na,x,1,1\na,y,,1\na,z,2,1"
    assert set(by_judge(slices(csv))) == {("a", "x"), ("a", "z")}


def test_which_column_tells_the_order():
    csv = "judge,item,position,shown_at,value\na,x,,2024-05-01T10:00:00Z,1"
    assert order_column(evaluation(csv).valid) == "shown_at"
    assert order_column(evaluation("judge,item,value\na,x,1").valid) == ""


def test_a_judge_with_fewer_decisions_than_slices():
    found = slices("judge,item,position,value\na,x,1,1\na,y,2,1", 5)
    assert found.row_slice.tolist() == [0, 2]


def test_names_of_slices_that_do_not_divide_a_hundred():
    assert slices("judge,item,value\na,x,1", 3).names == ["0-33", "33-67", "67-100"]


@pytest.mark.parametrize(("shuffle", "same"), [(False, True), (True, False)])
def test_whether_all_saw_the_same_order(shuffle, same):
    rng = np.random.default_rng(1)
    lines = []
    for judge in range(4):
        order = rng.permutation(30) if shuffle else range(30)
        lines += [f"{judge},{item},{place},1" for place, item in enumerate(order)]
    assert slices("\n".join(["judge,item,position,value", *lines])).same_order is same


def test_one_judge_alone_shares_no_order():
    assert not slices("judge,item,value\na,x,1\na,y,1").same_order


def test_judges_who_saw_the_source_are_left_out_where_there_is_such_a_group():
    csv = "judge,item,saw,value\na,x,ref,1\nb,x,source,1"
    assert slices(csv, group="saw").monolingual.ratings.judges == ["a"]
    assert slices(csv).monolingual.ratings.judges == ["a", "b"]
    assert slices(csv, group="saw", source="").monolingual.ratings.judges == ["a", "b"]
