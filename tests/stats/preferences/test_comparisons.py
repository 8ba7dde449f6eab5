"""Comparisons as arrays: outcomes follow the system, whichever side it stood on."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat.errors import InputError
from jurat.stats.phrases import headline_prefix
from jurat.stats.preferences.comparisons import comparisons
from jurat.stats.settings import PreferenceSettings
from tests.stats.preferences.asking import compared, only
from tests.stats.tables import comparison

SIDES = [
    ("j", "1", "mt", "human", "a"),
    ("j", "2", "human", "mt", "a"),
    ("j", "3", "human", "mt", "tie"),
    ("j", "4", "human", "mt", "b"),
]


def test_the_first_row_says_who_is_a():
    assert only(SIDES).systems == ("mt", "human")
    assert only(SIDES[1:]).systems == ("human", "mt")


def test_outcomes_follow_the_system_and_shown_the_side():
    part = only(SIDES)
    assert part.outcomes.tolist() == [0, 1, 2, 0]
    assert part.shown.tolist() == [0, 0, 2, 1]
    assert part.pair(int(part.pair_codes[0])) == ("mt", "human")


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.permutations(["x", "y", "z"]), st.sampled_from("ab")), min_size=1))
def test_the_winner_is_the_same_however_a_row_is_written(rows):
    straight = [("j", str(n), p[0], p[1], o) for n, (p, o) in enumerate(rows)]
    turned = [(j, i, b, a, "b" if o == "a" else "a") for j, i, a, b, o in straight]

    def winners(part):
        pairs = [part.pair(code) for code in part.pair_codes]
        return [pair[o] for pair, o in zip(pairs, part.outcomes, strict=True)]

    assert winners(only(straight)) == winners(only(turned))


def test_the_first_decision_by_its_time():
    part = comparison(
        """judge,item,system_a,system_b,outcome,decided_at
           j,1,A,B,a,2024-01-02
           j,1,B,A,a,2024-01-01
           k,1,A,B,tie,2024-01-03"""
    )
    (firsts,) = (one.firsts for one in comparisons(part))
    assert firsts.frame["outcome"].to_list() == ["a", "tie"]
    assert firsts.outcomes.tolist() == [1, 2]


def test_without_judges_every_row_is_anothers():
    (part,) = comparisons(comparison("item,system_a,system_b,outcome\n1,A,B,a\n1,A,B,b"))
    assert len(part.firsts) == 2


def test_better_and_worse_tell_no_sides():
    (part,) = comparisons(comparison("better,worse\nA,B\nB,A\nA,B"))
    assert not part.sided
    (same,) = comparisons(comparison("better,worse\nA,B\nA,B"))
    assert same.sided  # and no harm done: the pair always stands the same way
    assert part.outcomes.tolist() == [0, 1, 0]


def test_questions_and_splits_stand_apart():
    parts = comparisons(
        comparison(
            """judge,item,question,lp,system_a,system_b,outcome
               j,1,fluency,de,A,B,a
               j,1,adequacy,de,A,B,a
               j,1,adequacy,fr,B,A,a""",
            by=("lp",),
        )
    )
    assert [(p.question, p.tags["lp"]) for p in parts] == [
        ("fluency", "de"),
        ("adequacy", "de"),
        ("adequacy", "fr"),
    ]
    assert headline_prefix(parts[1], parts) == "adequacy, lp de: "
    assert all(p.systems == ("A", "B") for p in parts)


def test_nothing_to_compare():
    one = "judge,item,system_a,system_b,outcome\nj,1,A,B,a"
    assert comparisons(comparison(one, where="item == 2")) == ()
    assert headline_prefix(only(SIDES), [only(SIDES)]) == ""
    assert compared(SIDES).by == ()


def test_a_method_that_nobody_knows_is_refused():
    with pytest.raises(InputError, match="unknown method 'bayes'"):
        PreferenceSettings(method="bayes")


def test_without_segments_a_sentence_is_an_item_of_its_document():
    rows = "d,1,x,A,B,a\nd,1,y,A,B,b\nd,2,x,A,B,a\ne,1,x,A,B,a"
    (part,) = comparisons(comparison(f"document,item,judge,system_a,system_b,outcome\n{rows}"))
    first, again, other, elsewhere = part.sentence.tolist()
    assert first == again
    assert len({first, other, elsewhere}) == 3
