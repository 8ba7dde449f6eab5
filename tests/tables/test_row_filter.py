"""Conditions over columns: what they choose, and that they can do nothing else."""

import operator
from datetime import UTC, datetime
from typing import get_args

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat import condition_language as conditions
from jurat.condition_language import (
    Comparison,
    Literals,
    Membership,
    Name,
    Not,
    Operator,
    holds,
    parse,
)
from jurat.errors import InputError
from jurat.tables.row_filter import fulfilled, natural

COLUMNS = {
    "type": ["TGT", "BAD", None, "it's", "TGT"],
    "seconds": ["5", "120", None, "7.50", "-1"],
    "mixed": ["5", "NA", None, "30", "x"],
    "flag": ["yes", "no", None, "TRUE", "false"],
    "digit": ["1", "0", None, "1", "1"],
    "time spent": ["1", "2", "3", "4", "5"],
    "a-b": ["p", "q", "r", "s", "t"],
    "größe": ["1", "2", "3", "4", "5"],
    "_0_": ["z", "z", "z", "z", "y"],
    "class": ["A", "B", "C", "D", "E"],
    "unsure": ["5", "NA", "x", "30", None],
    "empty": [None] * 5,
}
FRAME = pl.DataFrame(COLUMNS, schema=dict.fromkeys(COLUMNS, pl.String)).with_columns(
    number=pl.Series([5, 120, None, 7, -1]),
    truth=pl.Series([True, False, None, True, False]),
    time=pl.Series([datetime(2024, 1, day) for day in range(1, 6)]),
    nothing=pl.Series([None] * 5),
    category=pl.Series(["b", "a", None, "b", "c"], dtype=pl.Categorical),
)


def rows(text: str, frame: pl.DataFrame = FRAME) -> str:
    """The numbers of the rows that are chosen, put together."""
    mask = fulfilled(text, frame.to_dict(), frame.height)
    assert mask.dtype == pl.Boolean
    assert mask.null_count() == 0
    return "".join(str(n) for n, chosen in enumerate(mask) if chosen)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("type == 'TGT'", "04"),
        ('type == "TGT"', "04"),
        ('type == "it\'s"', "3"),
        ("'TGT' == type", "04"),
        ("type != 'TGT'", "123"),
        ("seconds < 120", "034"),
        ("120 > seconds", "034"),
        ("seconds <= 120", "0134"),
        ("seconds == 7.5", "3"),
        ("seconds == '7.5'", "3"),
        ("seconds > -2", "0134"),
        ("number >= 7", "13"),
        ("0 < seconds < 120", "03"),
        ("0 <= seconds <= 7.5 < 8", None),
        ("type == 'TGT' and seconds < 0", "4"),
        ("type == 'BAD' or seconds < 0", "14"),
        ("not type == 'TGT'", "123"),
        ("not (seconds < 120)", "12"),
        ("not seconds < 120 and type == 'BAD'", "1"),
        ("type in ('TGT', 'BAD')", "014"),
        ("type in ['TGT']", "04"),
        ("type in {'TGT'}", "04"),
        ("type in ('TGT')", "04"),
        ("type not in ('TGT', 'BAD')", "23"),
        ("type in ()", ""),
        ("seconds in (5, '120')", "01"),
        ("'G' in type", "04"),
        ("'.' in type", ""),
        ("'G' not in type", "123"),
        ("type == None", "2"),
        ("type is None", "2"),
        ("type is not None", "0134"),
        ("seconds != 5", "1234"),
        ("flag", "03"),
        ("not flag", "124"),
        ("flag == True", "03"),
        ("flag == 'no'", "14"),
        ("truth", "03"),
        ("truth == 0", "14"),
        ("digit", "034"),
        ("digit == 0", "1"),
        ("digit == '1'", "034"),
        ("mixed < 10", "0"),
        ("mixed > 10", "3"),
        ("mixed == 5", "0"),
        ("mixed != 5", "1234"),
        ("mixed == 'NA'", "1"),
        ("mixed < seconds", ""),
        ("mixed == seconds", "02"),
        ("unsure == number", "0"),
        ("number != unsure", "1234"),
        ("seconds == number", "0124"),
        ("number < `time spent`", "4"),
        ("truth == digit", "0123"),
        ("`time spent` > 3", "34"),
        ("`a-b` == 's'", "3"),
        ("größe >= 4", "34"),
        ("_0_ == 'y'", "4"),
        ("`_0_` == 'y' and `a-b` == 't'", "4"),
        ("`class` == 'A'", "0"),
        ("time >= '2024-01-04'", "34"),
        ("time < '2024-01-02T00:00:00Z'", "0"),
        ("category == 'b'", "03"),
        ("category > 'a'", "034"),
        ("empty == 'x'", ""),
        ("empty < 5", ""),
        ("empty == None", "01234"),
        ("nothing != 'x'", "01234"),
        ("nothing < 5", ""),
        ("type == 'a' 'b'", ""),
    ],
)
def test_rows_that_are_chosen(text: str, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(InputError, match="name of a column on one side"):
            rows(text)
    else:
        assert rows(text) == expected


def test_zero_rows() -> None:
    assert rows("type == 'TGT' and seconds < 5 or flag", FRAME.clear()) == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tpye == 'TGT'", "unknown column in the expression 'tpye'.*did you mean 'type'"),
        ("seconds < 'long'", "'seconds' holds numbers; 'long' does not fit"),
        ("truth == 5", "'truth' holds true and false; 5.0 does not fit"),
        ("time > 'noon'", "'time' holds times; 'noon' does not fit"),
        ("type", "'type' holds texts; True does not fit"),
        ("1 < 2", "name of a column on one side"),
        ("type in seconds", "`in` takes a column"),
        ("5 in type", "`in` takes a column"),
        ("type = 'TGT'", "use == to compare"),
        ("", "cannot read the expression"),
    ],
)
def test_what_has_no_meaning(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        rows(text)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('touch x')",
        "type.upper() == 'TGT'",
        "type[0] == 'T'",
        "(lambda: type)()",
        "[x for x in type]",
        "type == f'{seconds}'",
        "seconds + 1 > 2",
        "seconds ** 99999 > 1",
        "(type := 'x')",
        "exec('1')",
        "type if seconds else flag",
        "type == b'x'",
        "seconds < 10j",
        "type; seconds",
        "import os",
        "(" * 500 + "flag" + ")" * 500,
        "not " * 450 + "flag",
        "type == " + "'x' or type == " * 300 + "'x'",
    ],
)
def test_nothing_else_is_allowed(text: str) -> None:
    with pytest.raises(InputError):
        rows(text)


def test_a_number_of_many_digits() -> None:
    assert rows("number < 1" + "0" * 400) == "0134"


def test_a_column_without_any_value_has_no_true_ones() -> None:
    assert rows("empty") == rows("nothing") == ""
    assert rows("not empty") == "01234"


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "2.5", None], pl.Float64),
        (["1", "x"], pl.String),
        (["yes", "no", None], pl.Boolean),
        (["yes", "1"], pl.String),
        (["0", "1"], pl.Float64),
        ([None, None], pl.String),
        (["2024-01-01"], pl.String),
        ([], pl.String),
    ],
)
def test_what_a_column_of_texts_holds(values: list[str | None], kind: type[pl.DataType]) -> None:
    assert natural(pl.Series(values, dtype=pl.String)).dtype == kind


# The same conditions over a frame and over one row at a time. Words and numbers are not ordered
# here: columns say that a word is neither more nor less than a number.
NUMBERS = st.none() | st.integers(-3, 3).map(float) | st.sampled_from([0.5, -2.5])
TEXTS = st.none() | st.sampled_from(["a", "b", "ab", "A", "ü", "a b", "'"])
KINDS = {"n": NUMBERS, "m": NUMBERS, "t": TEXTS, "u": TEXTS, "f": st.none() | st.booleans()}
CONSTANTS = {"n": NUMBERS, "m": NUMBERS, "t": TEXTS, "u": TEXTS, "f": st.booleans() | st.none()}
OPERATORS: st.SearchStrategy[Operator] = st.sampled_from(get_args(Operator))


@st.composite
def comparisons(draw: st.DrawFn) -> Comparison | Membership:
    name = draw(st.sampled_from(sorted(KINDS)))
    left = Name(name)
    if draw(st.booleans()) and name in "tu":
        part = draw(TEXTS.filter(bool))
        return Membership(Literals((part,)), left)
    if draw(st.booleans()):
        options = draw(st.lists(CONSTANTS[name], max_size=3))
        return Membership(left, Literals(tuple(options)))
    other = {"n": "m", "m": "n", "t": "u", "u": "t", "f": "f"}[name]
    right = Name(other) if draw(st.booleans()) else Literals((draw(CONSTANTS[name]),))
    op = draw(OPERATORS)
    return Comparison(left, op, right) if draw(st.booleans()) else Comparison(right, op, left)


CONDITIONS = st.recursive(
    comparisons(),
    lambda part: st.one_of(
        part.map(Not),
        st.lists(part, min_size=1, max_size=3).map(lambda parts: conditions.All(tuple(parts))),
        st.lists(part, min_size=1, max_size=3).map(lambda parts: conditions.Any(tuple(parts))),
    ),
    max_leaves=6,
)
TABLES = st.lists(st.fixed_dictionaries(KINDS), min_size=1, max_size=5)
TYPES = {"n": pl.Float64, "m": pl.Float64, "t": pl.String, "u": pl.String, "f": pl.Boolean}


@settings(max_examples=25, deadline=None)
@given(CONDITIONS, TABLES)
def test_columns_agree_with_single_rows(condition, table: list[dict[str, object]]) -> None:
    frame = pl.DataFrame(table, schema=TYPES)
    found = fulfilled(condition, frame.to_dict(), frame.height).to_list()
    assert found == [holds(condition, row) for row in table]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(NUMBERS, min_size=1, max_size=5), OPERATORS, NUMBERS.filter(lambda n: n is not None)
)
def test_numbers_as_texts_are_numbers(values: list[float | None], op: str, limit: float) -> None:
    texts = pl.Series([None if v is None else f" {v:g}" for v in values], dtype=pl.String)
    found = fulfilled(f"x {op} {limit}", {"x": texts}, len(texts)).to_list()
    compare = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le}
    compare |= {">": operator.gt, ">=": operator.ge}
    assert found == [compare[op](v, limit) if v is not None else op == "!=" for v in values]


def test_times_compare_whatever_their_zone() -> None:
    times = pl.Series([datetime(2024, 1, 1, 12, tzinfo=UTC)])
    assert fulfilled("t == '2024-01-01T13:00:00+01:00'", {"t": times}, 1).to_list() == [True]


def test_the_language_is_that_of_the_contract() -> None:
    assert parse("type == 'TGT' and seconds < 120") == parse('type == "TGT" and (seconds < 120)')
