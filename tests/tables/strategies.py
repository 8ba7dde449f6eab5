"""Rows of every long table, as hypothesis makes them up."""

from datetime import UTC, datetime

import polars as pl
from hypothesis import strategies as st

from jurat.tables.schema import TIME, Column, Table

# No NUL and no half characters, which no text file can hold; an empty text is a missing one.
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)
ODD_TEXT = st.sampled_from(
    [
        *(
            '"',
            '""',
            "a,b",
            "a;b",
            "line\nend",
            "line\r\nend",
            "\r",
            " ",
            " x ",
            "007",
            "1e5",
            "NA",
        ),
        *(
            "nan",
            "null",
            "true",
            "=1+1",
            "ひらがな",
            "שלום",
            "🙂",
            "\u2028",
            "\ufeff",
            "\\",
            "'",
            "`",
        ),
        *("|", "{}"),
    ]
)
TEXT = st.one_of(ODD_TEXT, ANY_TEXT)
FLAT_TEXT = TEXT.map(lambda text: "".join(text.split("\t")).replace("\n", "").replace("\r", ""))

_TIMES = st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30))
_KINDS = {
    "Float64": st.floats(allow_nan=False, allow_infinity=False),
    "Int64": st.integers(min_value=-(2**63), max_value=2**63 - 1),
    "Boolean": st.booleans(),
    str(TIME): _TIMES.map(lambda time: time.replace(tzinfo=UTC)),
}


def filled(column: Column, text: st.SearchStrategy[str] = TEXT) -> st.SearchStrategy:
    """Values of a column."""
    if column.allowed:
        return st.sampled_from(column.allowed)
    return _KINDS.get(str(column.type), text)


def cells(column: Column, text: st.SearchStrategy[str] = TEXT) -> st.SearchStrategy:
    """Values of a column, missing ones among them."""
    return st.none() | filled(column, text).map(lambda cell: None if cell == "" else cell)


@st.composite
def rows(draw: st.DrawFn, table: Table, text: st.SearchStrategy[str] = TEXT) -> pl.DataFrame:
    """A table with some of its columns, in any number of rows."""
    others = [c for c in table.columns if c.name not in table.needed]
    chosen = draw(st.lists(st.sampled_from(others), unique=True, max_size=5))
    columns = [c for c in table.columns if c.name in table.needed or c in chosen]
    height = draw(st.integers(min_value=0, max_value=4))
    drawn = {c.name: [draw(cells(c, text)) for _ in range(height)] for c in columns}
    return pl.DataFrame(drawn, schema={c.name: c.type for c in columns})
