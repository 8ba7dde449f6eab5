"""The part of a set that a task is about, beside the readers' own way to choose."""

import pytest
from hypothesis import strategies as st

from jurat.formats.selection import keep
from jurat.kits.part import part
from tests.kits import sets
from tests.kits.sets import given

WHERE = st.sampled_from(["", "odd == 'yes'", "genre == 'news'", "segment in ('1', '4')"])


@given(sets.SETS, st.sets(st.sampled_from(["s1", "s2"])), st.none() | st.integers(1, 4), WHERE)
def test_the_same_as_for_a_reader(test_set, systems, first, where):
    plan = sets.plan(systems=tuple(sorted(systems)), first=first, where=where)
    try:
        theirs = keep(test_set, systems=systems or None, first=first, where=where or None)
    except ValueError:
        with pytest.raises(ValueError, match="no segment"):
            part(test_set, plan)
        return
    mine = part(test_set, plan)
    assert mine.systems == theirs.systems
    assert [s.id for _, s in mine.segments()] == [s.id for _, s in theirs.segments()]
