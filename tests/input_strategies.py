"""Input as anybody may send it: any JSON, and texts of all kinds of signs."""

from collections.abc import Callable

from hypothesis import strategies as st

from jurat.errors import InputError, Problem

SIGNS = (
    "aZ09 _-.:;'\"`\\/()[]{}<>=!&*#|%@,?~é不ी"
    "\u202e\u2028\x85\n\t\r\x00\x1b\x7f\ud800\ufeff\U0001f600"
)
"""Letters and signs that something means or that break something."""

texts = st.text(SIGNS, max_size=20)
numbers = (
    st.integers()
    | st.floats()
    | st.sampled_from([10**400, -(10**400), 2**63, 1e308, float("nan"), float("inf")])
)
json = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda part: st.lists(part, max_size=4) | st.dictionaries(texts, part, max_size=3),
    max_leaves=5,
)


def attempt(call: Callable[[], object]) -> object | tuple[Problem, ...]:
    """What the call returns, or the faults with which it refuses; any other error is an error."""
    try:
        return call()
    except InputError as error:
        return error.problems
