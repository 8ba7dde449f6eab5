"""Column maps: what the command line says, and the columns that come of it."""

from itertools import product

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurat.errors import InputError
from jurat.tables import JUDGMENTS
from jurat.tables.column_map import ColumnMap, MapPart, columns_text, joined, mapped, parse_columns

KNOWN = ("judge", "item", "value", "system", "system_a")
COLUMNS = {"a": pl.Series(["1", "2"]), "b c": pl.Series(["x", None]), "n": pl.Series([7.0, 8.0])}


def values(right: str) -> list[object]:
    return mapped(parse_columns(f"item={right}", KNOWN)["item"], COLUMNS, 2).to_list()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a", [MapPart("a")]),
        (" a ", [MapPart("a")]),
        ("a+b c+'x'", [MapPart("a"), MapPart("b c"), MapPart("x", literal=True)]),
        ("'mt'", [MapPart("mt", literal=True)]),
        ('"mt"', [MapPart("mt", literal=True)]),
        ("'a,b=c+\"d`'", [MapPart('a,b=c+"d`', literal=True)]),
        ('"it\'s"', [MapPart("it's", literal=True)]),
        ("''", [MapPart("", literal=True)]),
        ("`a,b=c+'d'`", [MapPart("a,b=c+'d'")]),
        ("`a` + `b`", [MapPart("a"), MapPart("b")]),
        ("'` ' + a", [MapPart("` ", literal=True), MapPart("a")]),
    ],
)
def test_right_sides(text: str, parts: list[MapPart]) -> None:
    assert parse_columns(f"judge=j,item={text},value=v", KNOWN) == {
        "judge": (MapPart("j"),),
        "item": tuple(parts),
        "value": (MapPart("v"),),
    }


def test_nothing_is_mapped() -> None:
    assert parse_columns("", KNOWN) == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("judge", "'judge' is not a column map: write jurat_name=file_column"),
        ("judge=a,item", "'item' is not a column map"),
        ("jugde=a", "unknown column name before = 'jugde'.*did you mean 'judge'"),
        ("judge=a,judge=b", "'judge' is mapped twice"),
        ("judge=", "missing at the end"),
        ("judge=,item=b", "missing before ',item=b'"),
        ("judge=a+", "missing at the end"),
        ("judge='a", "missing before ''a'"),
        ("judge=a'b'", "''b'' is unexpected.*allowed: \\+, ,"),
        ("judge=a=b", "'=b' is unexpected"),
        ("judge=`a", "missing before '`a'"),
    ],
)
def test_what_is_no_map(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_columns(text, KNOWN)


def test_columns_that_are_not_there() -> None:
    with pytest.raises(InputError, match=r"unknown column in the file 'b_c'.*did you mean 'b c'"):
        values("a+b_c")


def test_values() -> None:
    assert values("a") == ["1", "2"]
    assert values("'mt'") == ["mt", "mt"]
    assert values("n") == [7.0, 8.0]
    assert values("a+`b c`+'mt'+n") == ["1|x|mt|7", "2||mt|8"]


def test_a_literal_over_no_rows() -> None:
    assert mapped((MapPart("x", literal=True),), {}, 0).to_list() == []


QUOTES = {"'": True, '"': True, "`": False}
PART = st.builds(MapPart, st.text(), st.booleans()).filter(
    lambda part: any(sign not in part.text for sign, lit in QUOTES.items() if lit == part.literal)
)
MAPS = st.dictionaries(st.sampled_from(KNOWN), st.lists(PART, min_size=1).map(tuple))


def printed(columns: ColumnMap) -> str:
    def one(part: MapPart) -> str:
        signs = [sign for sign, literal in QUOTES.items() if literal == part.literal]
        sign = next(sign for sign in signs if sign not in part.text)
        return f"{sign}{part.text}{sign}"

    return ", ".join(f"{name}={' + '.join(map(one, parts))}" for name, parts in columns.items())


@given(MAPS)
def test_maps_are_read_as_they_are_printed(columns: ColumnMap) -> None:
    assert parse_columns(printed(columns), KNOWN) == columns


BARE = st.text(st.characters(exclude_characters=",=+'\"`"), min_size=1).filter(str.strip)


@given(st.dictionaries(st.sampled_from(KNOWN), st.lists(BARE, min_size=1), min_size=1))
def test_bare_names(columns: dict[str, list[str]]) -> None:
    text = ",".join(f"{name}={'+'.join(parts)}" for name, parts in columns.items())
    expected = {name: tuple(MapPart(p.strip()) for p in parts) for name, parts in columns.items()}
    assert parse_columns(text, KNOWN) == expected


@given(st.text())
def test_nothing_else_than_a_fault_comes_of_nonsense(text: str) -> None:
    try:
        parse_columns(text, KNOWN)
    except InputError as error:
        assert str(error)  # noqa: PT017


def test_different_parts_never_give_the_same_whole() -> None:
    pieces = ["".join(signs) for n in range(3) for signs in product("a|\\", repeat=n)]
    pairs = list(product(pieces, pieces))
    whole = joined([pl.Series([pair[n] for pair in pairs]) for n in (0, 1)])
    assert whole.n_unique() == len(pairs)


def split(text: str, *values: str) -> list[tuple[str, ...]]:
    columns = {"id": pl.Series("id", values)}
    chosen = parse_columns(text, JUDGMENTS.schema)
    made = [mapped(parts, columns, len(values)).to_list() for parts in chosen.values()]
    return list(zip(*made, strict=True))


def test_one_column_is_split_into_several() -> None:
    assert split("document,segment=id~'#'", "d#1", "a#b#2") == [("d", "1"), ("a#b", "2")]
    assert split('system,document,segment=`id`~"::"', "x::d::1") == [("x", "d", "1")]


def test_split_columns_are_written_back() -> None:
    chosen = parse_columns("document,segment=id~'#',judge=rater", JUDGMENTS.schema)
    assert columns_text(chosen) == "document,segment=`id`~'#',judge=`rater`"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("document,segment=id", "several names before = split one column"),
        ("document,document=id~'#'", "'document' is mapped twice"),
        ("document,sgment=id~'#'", "did you mean 'segment'"),
        ("document,segment=id~'#'", "'7' is not 2 parts joined by '#'"),
    ],
)
def test_what_cannot_be_split_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        split(text, "7")
