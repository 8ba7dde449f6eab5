"""The files of a test set, as a declaration says it and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurat.campaigns.config_files import arranged, roles_in
from jurat.errors import InputError
from jurat.testsets import Role

NAMES = st.text("abc", min_size=1, max_size=3)
ROLES = st.none() | st.builds(Role, st.sampled_from(["reference", "system"]), NAMES)


@given(
    st.dictionaries(NAMES, ROLES, max_size=5),
    st.none() | NAMES.map(lambda name: f"{name}.src"),
    st.none() | NAMES.map(lambda name: f"{name}.doc"),
)
def test_there_and_back(roles, source, documents):
    roles |= {source: Role("source")} if source else {}
    roles |= {documents: Role("documents")} if documents else {}
    try:
        declared = arranged(roles)
    except InputError:
        named = [role for role in roles.values() if role]
        assert len({*named}) < len(named)
        return
    assert roles_in(declared) == roles


def test_the_shortest_form_is_taken():
    assert arranged({}) is None
    assert arranged({"a": None}) == "a"
    assert arranged({"a": None, "b": None}) == ["a", "b"]
    assert arranged({"a": Role("source"), "b": None, "x/c.txt": Role("system")}) == {
        "source": "a",
        "systems": {"c": "x/c.txt"},
        "files": ["b"],
    }


def test_two_files_are_not_the_same_thing():
    with pytest.raises(InputError, match="both be the system 'x'"):
        arranged({"a": Role("system", "x"), "b": Role("system", "x")})
    with pytest.raises(InputError, match="both be the source"):
        arranged({"a": Role("source"), "b": Role("source")})
    with pytest.raises(InputError, match="cannot be a segment"):
        arranged({"a": Role("segment")})


@pytest.mark.parametrize("nonsense", [None, 5, {}, {"x": 1}, {"source": 5}, [1], [[]], ""])
def test_what_is_no_declaration_has_no_files(nonsense):
    assert roles_in(nonsense) == {}
