"""The part of a set that a task is about: the same way to choose as in `jurat testset`."""

import pytest
from hypothesis import strategies as st

from jurat.errors import InputError
from jurat.kits.task_plan import plan_part
from jurat.testsets.selection import keep
from tests.kits import sets
from tests.kits.sets import given

WHERE = st.sampled_from(["", "  ", "odd == 'yes'", "genre == 'news'", "segment in ('1', '4')"])


@given(sets.SETS, st.sets(st.sampled_from(["s1", "s2"])), st.none() | st.integers(1, 4), WHERE)
def test_the_same_as_for_a_reader(test_set, systems, first, where):
    plan = sets.plan(systems=tuple(sorted(systems)), first=first, where=where)
    try:
        theirs = keep(test_set, systems=systems or None, first=first, where=where.strip() or None)
    except ValueError:
        with pytest.raises(ValueError, match="no segment"):
            plan_part(test_set, plan)
        return
    assert plan_part(test_set, plan) == theirs


@given(sets.SETS, st.integers(1, 3))
def test_a_tutorial_is_cut_short_and_takes_the_systems_it_has(test_set, first):
    plan = sets.plan(systems=("s1", "elsewhere"), documents=("none",), where="no == 1", first=first)
    lesson = plan_part(test_set, plan, phase="tutorial")
    assert [system.name for system in lesson.systems] == ["s1"]
    assert [d.segments for d in lesson.documents] == [
        d.segments for d in keep(test_set, systems=["s1"], first=first).documents
    ]


@pytest.mark.parametrize(
    ("field", "plan"),
    [
        ("systems", {"systems": ("s9",)}),
        ("documents", {"documents": ("d9",)}),
        ("where", {"where": "segment == 'none'"}),
    ],
)
def test_problems_name_the_field_of_the_plan(field, plan):
    with pytest.raises(InputError) as caught:
        plan_part(sets.make_set(), sets.plan(**plan))
    assert [problem.field for problem in caught.value.problems] == [field]
