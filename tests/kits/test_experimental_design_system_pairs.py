"""Preference kits: rows of pairs, spread and sides."""

from collections import Counter, defaultdict
from itertools import combinations, groupby
from random import Random

from hypothesis import strategies as st

from jurat.kits.experimental_design import PairSampler, balance_sides, orient_edges
from tests.kits import sets
from tests.kits.sets import PREFERENCE, given, own

PAIRS = st.one_of(st.just("all"), st.integers(1, 20))
NAMES = st.sampled_from("abcdefg")
EDGES = st.lists(st.tuples(NAMES, NAMES).filter(lambda pair: pair[0] != pair[1]), max_size=40)


def shown(item):
    return tuple(each.system for each in item.translations)


def rows(kit):
    return [
        [shown(item) for item in items]
        for _, items in groupby(own(kit), lambda item: (item.document, item.segment))
    ]


@given(sets.SETS, sets.KITS, sets.SEEDS, PAIRS)
def test_pairs_of_a_segment_come_in_a_row(test_set, kits, seed, pairs):
    made = sets.kits(test_set, PREFERENCE, seed=seed, kits={**kits, "pairs": pairs}, systems=())
    possible = list(combinations(sorted(s.name for s in test_set.systems), 2))
    number = len(possible) if pairs == "all" else min(pairs, len(possible))
    found = [row for kit in made for row in rows(kit)]
    assert len(found) == sum(1 for _ in test_set.segments())
    counts = Counter(dict.fromkeys(possible, 0))
    for row in found:
        chosen = [tuple(sorted(pair)) for pair in row]
        assert len(chosen) == len(set(chosen)) == number
        counts.update(chosen)
    assert max(counts.values()) - min(counts.values()) <= 1
    for kit in made if kits["order"] == "document" else ():
        order = [int(item.segment) for item in kit.items]
        assert order == sorted(order)


def test_the_order_of_pairs_differs_from_segment_to_segment():
    made = sets.kits(sets.make_set([4, 4], systems=4), PREFERENCE)
    orders = {tuple(tuple(sorted(pair)) for pair in row) for kit in made for row in rows(kit)}
    assert len(orders) > 5


@given(sets.SETS, sets.KITS, sets.SEEDS, PAIRS, sets.GROUPS)
def test_sides_are_balanced_over_the_task(test_set, kits, seed, pairs, groups):
    if len(test_set.systems) < 3:
        groups = {}
    made = sets.kits(test_set, PREFERENCE, seed=seed, kits={**kits, "pairs": pairs}, groups=groups)
    check_sides([shown(item) for kit in made for item in own(kit)])


@given(EDGES, sets.SEEDS)
def test_sides(edges, seed):
    result = balance_sides(edges, Random(seed))
    assert [set(pair) for pair in result] == [set(pair) for pair in edges]
    check_sides(result)


def check_sides(pairs):
    """±1 for each pair, and for each system as little as its number of showings allows."""
    lead = Counter(pairs)
    assert all(abs(lead[a, b] - lead[b, a]) <= 1 for a, b in lead)
    left, right = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    for system in left | right:
        assert abs(left[system] - right[system]) == (left[system] + right[system]) % 2


def test_sides_are_balanced_early_too():
    """Of two neighbours one is each way: nobody judges a pair one way round only."""
    result = balance_sides([("a", "b")] * 100, Random(1))
    assert all(result[n] != result[n + 1] for n in range(0, 100, 2))
    assert len(set(zip(result[::2], result[1::2], strict=True))) == 2


@given(st.sets(st.sampled_from(list(combinations("abcdefg", 2)))), sets.SEEDS)
def test_turning(edges, seed):
    result = orient_edges(sorted(edges), Random(seed))
    assert sorted(tuple(sorted(edge)) for edge in result) == sorted(edges)
    lead: dict[str, int] = defaultdict(int)
    for one, other in result:
        lead[one] += 1
        lead[other] -= 1
    assert all(abs(each) <= 1 for each in lead.values())


def test_a_drawing_of_more_pairs_than_there_are_draws_all():
    assert len(PairSampler("abc", 7, Random(1)).draw()) == 3
