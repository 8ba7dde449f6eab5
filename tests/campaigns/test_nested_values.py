"""Places in plain data by their names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurat.campaigns.nested_values import existing, put, resolve, value_at, without
from jurat.errors import InputError

DATA = {
    "title": "x",
    "tasks": [{"name": "a", "groups": {"v1.2": "A", "1": "B"}}, {"name": "b"}],
    "contact": {"name": "Ada"},
}


@pytest.mark.parametrize(
    ("field", "path"),
    [
        ("title", ("title",)),
        ("tasks.1.name", ("tasks", 0, "name")),
        ("tasks.2", ("tasks", 1)),
        ("tasks.1.groups.v1.2", ("tasks", 0, "groups", "v1.2")),
        ("tasks.1.groups.1", ("tasks", 0, "groups", "1")),
        ("contact.address", ("contact", "address")),
        ("sitting.items", ("sitting", "items")),
        ("tasks.3.kits.documents", ("tasks", 2, "kits", "documents")),
        ("", ()),
    ],
)
def test_names_lead_to_places(field, path):
    assert resolve(DATA, field) == path


def test_a_place_is_followed_as_far_as_it_goes():
    assert existing(DATA, ("tasks", 0, "name")) == ("tasks", 0, "name")
    assert existing(DATA, ("tasks", 5, "name")) == ("tasks",)
    assert existing(DATA, ("title", "name")) == ("title",)
    assert existing(DATA, ("nothing",)) == ()
    assert value_at(DATA, ("tasks", 1, "name")) == "b"
    assert value_at(DATA, ("tasks", 2, "name")) is None


def test_what_leads_to_a_new_place_is_made():
    assert put({}, ("sitting", "items"), 3) == {"sitting": {"items": 3}}
    assert put({}, ("tasks", 0, "name"), "a") == {"tasks": [{"name": "a"}]}
    changed = put(DATA, ("tasks", 2, "name"), "c")
    assert [task["name"] for task in changed["tasks"]] == ["a", "b", "c"]
    assert len(DATA["tasks"]) == 2
    with pytest.raises(InputError, match="no place 4 in a list of 2"):
        put(DATA, ("tasks", 3, "name"), "c")


def test_what_is_taken_out_leaves_the_rest():
    assert without(DATA, ("contact", "name"))["contact"] == {}
    assert [task["name"] for task in without(DATA, ("tasks", 0))["tasks"]] == ["b"]
    assert without(DATA, ("contact", "address")) == DATA
    assert without(DATA, ()) == DATA


PLAIN = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("ab1.", max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)
PATHS = st.lists(st.text("ab1.", min_size=1, max_size=2) | st.integers(0, 2), max_size=4).map(tuple)


@given(PLAIN, PATHS, st.integers())
def test_what_is_put_is_there_and_what_is_taken_out_is_not(content, path, value):
    try:
        changed = put(content, path, value)
    except InputError:
        return
    assert value_at(changed, path) == value
    assert existing(changed, path) == path
    if path and isinstance(path[-1], str):
        assert existing(without(changed, path), path) == path[:-1]
