import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jurat.stats import judge_pairs
from jurat.stats.judge_pairs import JudgePairs, pairs_within, rank_in_pair
from tests.stats.agreement.drawn import rows, table
from tests.stats.tables import matrix, ratings


def test_pairs_are_those_who_share_items():
    found = JudgePairs.of(matrix([[1, 2, None], [1, None, 3], [None, None, 4]]))
    named = [(found.judges[a], found.judges[b]) for a, b in zip(found.a, found.b, strict=True)]
    assert named == [("j0", "j1"), ("j1", "j2")]
    assert found.n.tolist() == [1, 1]
    assert found.places[found.first].tolist() == [1, 3]
    assert found.places[found.second].tolist() == [1, 4]


def test_rows_may_be_left_out():
    whole = matrix([[1, 2, 3], [1, 2, 4]])
    kept = whole.values != 2
    found = JudgePairs.of(whole, keep=kept)
    assert found.n.tolist() == [2]
    again = JudgePairs.of(whole).where(np.array([True, False, True]))
    assert again.n.tolist() == [2]
    assert again.places[again.second].tolist() == [1, 4]


def test_many_judges_are_numbered_without_a_table():
    rows = "\n".join(f"j{n},i{n // 2},{n % 3}" for n in range(3000))
    found = JudgePairs.of(ratings(f"judge,item,value\n{rows}"))
    assert len(found) == 1500
    assert (found.a < found.b).all()


@given(st.lists(st.integers(0, 5), max_size=12).map(sorted))
def test_every_pair_within_a_group(groups):
    first, second = pairs_within(np.array(groups, dtype=np.int64))
    expected = {(a, b) for a in range(len(groups)) for b in range(a) if groups[a] == groups[b]}
    assert {(b, a) for a, b in zip(first.tolist(), second.tolist(), strict=True)} == expected


def test_sorting_gives_the_same_ranks_as_counting(monkeypatch):
    pairs = JudgePairs.of(matrix(rows(table(4, judges=4, items=50))))
    counted = rank_in_pair(pairs, pairs.first)
    monkeypatch.setattr(judge_pairs, "CELLS", 0)
    np.testing.assert_allclose(rank_in_pair(pairs, pairs.first), counted)
