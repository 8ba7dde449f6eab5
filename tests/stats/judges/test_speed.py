"""Speed against what is judged."""

import numpy as np
import pytest

from tests.stats.judges.asking import diagnosed
from tests.stats.tables import evaluation

HEAD = "judge,item,value,seconds"


def test_the_median_of_a_judges_seconds():
    found = diagnosed(evaluation(f"{HEAD}\na,1,1,4\na,2,1,8\na,3,1,100\nb,1,1,5\nb,2,1,7"))
    assert found.values("judge-seconds") == {"a": 8, "b": 6}


def test_pace_is_the_ratio_to_the_others_on_the_same_items():
    found = diagnosed(evaluation(f"{HEAD}\na,1,1,4\nb,1,1,8\na,2,1,3\nb,2,1,24\na,3,1,1"))
    assert found.values("judge-pace") == {"a": pytest.approx(1 / 4), "b": pytest.approx(4)}
    assert found.one("judge-pace", judge="a").n == 2


def test_own_repeats_are_no_others():
    found = diagnosed(evaluation(f"{HEAD}\na,1,1,4\na,1,1,1\nb,1,1,8"))
    assert found.value("judge-pace", judge="a") == pytest.approx(np.sqrt(4 / 8 * 1 / 8))
    assert found.value("judge-pace", judge="b") == pytest.approx(8 / 2)


def test_a_judge_of_short_items_is_not_too_fast():
    rows = [f"{j},short{i},1,{2 + i % 2}" for j in "ab" for i in range(9)]
    rows += [f"{j},long{i},1,{40 + i % 3}" for j in "cde" for i in range(9)]
    rows += [f"f,long{i},1,4" for i in range(9)]
    found = diagnosed(evaluation("\n".join([HEAD, *rows])))
    assert found.found("speed") == {"f"}


def test_length_stands_in_where_nobody_shares_items():
    rows = [f"{j},{j}{i},1,{(1 if j == 'x' else 3) * i},{i}" for j in "abcdx" for i in range(1, 6)]
    found = diagnosed(evaluation("\n".join([f"{HEAD},words", *rows])))
    assert found.found("speed") == {"x"}
    assert found.value("judge-pace", judge="x") == pytest.approx(3**-0.8)


def test_without_items_in_common_or_lengths_the_medians_are_compared():
    rows = [f"{j},{j}{i},1,{1 if j == 'x' else 30}" for j in "abcdx" for i in range(4)]
    found = diagnosed(evaluation("\n".join([HEAD, *rows])))
    assert found.found("speed") == {"x"}
    assert "length" in found.one("judge-pace").reason


def test_no_times_no_speed():
    found = diagnosed(evaluation(f"{HEAD}\na,1,1,\nb,1,1,0"))
    assert found.one("judge-seconds").reason == "no decision has a time"
    found = diagnosed(evaluation("judge,item,value\na,1,1\nb,1,2"))
    assert found.one("judge-seconds").reason == "needs the column seconds"
    assert found.one("judge-outlier", way="speed").reason == "needs the column seconds"
