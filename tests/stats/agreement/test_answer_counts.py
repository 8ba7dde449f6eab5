import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jurat.stats.agreement import answer_counts
from jurat.stats.agreement.answer_counts import AnswerCounts

ITEMS = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=5), min_size=1, max_size=8)
PLACES = np.array([1.0, 2.0, 2.5, 4.0, 7.0])


def tallies(items):
    codes = np.array([code for item in items for code in item])
    of = np.repeat(np.arange(len(items)), [len(item) for item in items])
    return AnswerCounts.from_codes(of, codes, PLACES)


def pairs(item):
    places = PLACES[item]
    return [abs(a - b) for n, a in enumerate(places) for b in places[n + 1 :]]


@given(ITEMS)
def test_sums_over_pairs_are_those_of_listed_pairs(items):
    found = tallies(items)
    assert found.pairs.tolist() == [len(pairs(item)) for item in items]
    for n in (0, 0.5, 1, 3):
        assert found.within(n).tolist() == [sum(d <= n for d in pairs(item)) for item in items]
    np.testing.assert_allclose(found.apart(PLACES), [sum(pairs(i)) for i in items], atol=1e-9)
    squares = [sum(d * d for d in pairs(item)) for item in items]
    np.testing.assert_allclose(found.squared(PLACES), squares, atol=1e-9)


@given(ITEMS)
def test_kinds_stand_for_all_items(items):
    found = tallies(items)
    distinct = found.distinct
    alike = {tuple(sorted(item)) for item in items}
    assert (distinct.items, distinct.copies.sum()) == (len(alike), len(items))
    assert distinct.equal @ distinct.copies == found.equal.sum()
    np.testing.assert_allclose(distinct.per_point(distinct.count), found.per_point(found.count))


def test_a_difference_of_one_point_may_be_rounded():
    # In floating point 2.2 − 1.2 is more than 1.
    found = AnswerCounts.from_codes(np.array([0, 0]), np.array([0, 1]), np.array([1.2, 2.2]))
    assert 2.2 - 1.2 > 1
    assert found.within(1).tolist() == [1]


def test_different_items_with_the_same_sum_are_not_mixed_up(monkeypatch):
    monkeypatch.setattr(answer_counts, "split_mix", np.ones_like)
    found = tallies([[0, 1], [2, 3]])
    assert found.distinct is found
