"""What people said of two translations of the same segment."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jurat.stats.metaeval.human_scores import PairDecisions, pair_decisions

ROW = st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 2))


@given(st.dictionaries(ROW, st.integers(0, 3), max_size=30))
def test_every_two_ratings_of_a_judge_and_segment(ratings):
    keys = np.array(list(ratings), dtype=np.int64).reshape(-1, 3)
    values = np.array(list(ratings.values()), dtype=float)
    segment, system, judge = keys.T
    found = pair_decisions(segment, system, judge, values)
    wanted = {
        (a[0], a[1], b[1], a[2], float(np.sign(x - y)))
        for (a, x), (b, y) in combinations(sorted(ratings.items()), 2)
        if (a[0], a[2]) == (b[0], b[2])
    } | {
        (a[0], a[1], b[1], a[2], float(np.sign(x - y)))
        for (b, y), (a, x) in combinations(sorted(ratings.items()), 2)
        if (a[0], a[2]) == (b[0], b[2]) and a[1] < b[1]
    }
    parts = (found.segment, found.first, found.second, found.judge, found.outcome)
    rows = list(zip(*(part.tolist() for part in parts), strict=True))
    assert len(rows) == len(set(rows))
    assert set(rows) == wanted


def of(*rows: tuple[int, int, int, int, float]) -> PairDecisions:
    segment, first, second, judge, outcome = np.array(rows, dtype=float).T
    whole = [part.astype(np.int64) for part in (segment, first, second, judge)]
    names = ("segment", "first", "second", "judge")
    return PairDecisions(**dict(zip(names, whole, strict=True)), outcome=outcome)


def test_judges_of_a_pair_are_counted():
    pairs = of((0, 0, 1, 0, 1), (0, 0, 1, 1, 1), (0, 0, 1, 2, -1), (1, 0, 2, 0, 0)).pairs
    assert pairs.won.tolist() == [2, 0]
    assert pairs.lost.tolist() == [1, 0]
    assert pairs.tied.tolist() == [0, 1]
    assert pairs.second.tolist() == [1, 2]
    assert len(pairs) == 2


def test_the_majority_is_more_than_half_of_all():
    """Three of four tell the two apart (Sun); two do not agree with the metric, three would."""
    pairs = of((0, 0, 1, 0, 1), (0, 0, 1, 1, 1), (0, 0, 1, 2, -1), (0, 0, 1, 3, 0)).pairs
    assert pairs.majority_differs.tolist() == [True]
    assert pairs.majority_agrees(np.array([0.3])).tolist() == [False]
    three = of((0, 0, 1, 0, 1), (0, 0, 1, 1, 1), (0, 0, 1, 2, 1), (0, 0, 1, 3, 0)).pairs
    assert three.majority_agrees(np.array([0.3])).tolist() == [True]
    assert three.majority_contradicts(np.array([-0.3])).tolist() == [True]
    assert three.majority_agrees(np.array([0.0])).tolist() == [False]
    half = of((0, 0, 1, 0, 1), (0, 0, 1, 1, 0)).pairs
    assert half.majority_differs.tolist() == [False]
