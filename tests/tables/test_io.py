"""Tables from strangers' bytes, and back."""

import csv
import io
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jurat.errors import InputError
from jurat.model import File
from jurat.tables import (
    ENDINGS,
    TABLES,
    TableOptions,
    conform,
    read_table,
    read_tables,
    write_table,
)
from jurat.tables.schema import FILE, LINE, MOST
from tests.tables.strategies import FLAT_TEXT, TEXT, rows


def read(data: str | bytes, name: str = "t.csv") -> pl.DataFrame:
    return read_table(File(name, data.encode() if isinstance(data, str) else data))


def told(frame: pl.DataFrame) -> list[dict[str, object]]:
    return frame.drop(FILE, LINE).to_dicts()


def lines_of(frame: pl.DataFrame) -> list[int]:
    return frame[LINE].to_list()


def refused(data: str | bytes, name: str = "t.csv") -> list[str]:
    with pytest.raises(InputError) as caught:
        read(data, name)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_what_is_written_is_read(name: str, ending: str, data: st.DataObject) -> None:
    table = TABLES[name]
    frame = data.draw(rows(table, FLAT_TEXT if ending == "tsv" else TEXT))
    back = read(write_table(frame, ending), f"t.{ending}")
    if ending == "jsonl" and not frame.height:
        assert back.height == 0  # JSON Lines without lines has no place for the columns' names
    else:
        assert conform(back, table).drop(FILE, LINE).equals(frame)


@pytest.mark.parametrize("ending", ENDINGS)
def test_zero_rows(ending: str) -> None:
    frame = TABLES["judgments"]
    empty = pl.DataFrame(schema=frame.schema)
    back = read(write_table(empty, ending), f"t.{ending}")
    assert back.height == 0
    assert [n for n in back.columns if n not in (FILE, LINE)] == (
        [] if ending == "jsonl" else list(frame.schema)
    )


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_empty_text_is_a_missing_one_everywhere(ending: str) -> None:
    frame = pl.DataFrame({"a": ["", None, "x"], "b": ["1", "2", "3"]})
    assert read(write_table(frame, ending), f"t.{ending}")["a"].to_list() == [None, None, "x"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_ids_with_zeros_before_them_stay(ending: str) -> None:
    frame = pl.DataFrame({"judge": ["007", "1e3", "1.0", "+5"]})
    assert read(write_table(frame, ending), f"t.{ending}")["judge"].to_list() == [
        "007",
        "1e3",
        "1.0",
        "+5",
    ]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
def test_times_are_written_in_utc(ending: str) -> None:
    prague = pl.Series("t", [datetime(2024, 3, 1, 11, tzinfo=UTC)]).dt.convert_time_zone(
        "Europe/Prague"
    )
    assert b"2024-03-01T11:00:00.000000Z" in write_table(pl.DataFrame({"t": prague}), ending)


def test_hidden_columns_are_not_written() -> None:
    assert write_table(read("a,b\n1,2\n"), "csv") == b"a,b\n1,2\n"


def test_tsv_refuses_what_it_cannot_hold() -> None:
    with pytest.raises(InputError, match="'a' has tabs or line ends, which TSV cannot hold"):
        write_table(pl.DataFrame({"a": ["x\ty"]}), "tsv")
    with pytest.raises(InputError, match="TSV cannot hold"):
        write_table(pl.DataFrame({"a\nb": ["x"]}), "tsv")


def test_unknown_endings() -> None:
    assert refused("", "t.cvs") == [
        "t.cvs: unknown kind of table 'cvs'; "
        "allowed: csv, tsv, jsonl, parquet, json, xlsx, ods; did you mean 'csv'?"
    ]
    with pytest.raises(InputError, match="did you mean 'jsonl'"):
        write_table(pl.DataFrame(), "json")


@pytest.mark.parametrize("name", ["t.CSV", "t.Tsv", "t.ndjson", "a.b/t.csv"])
def test_endings_in_any_case(name: str) -> None:
    data = '{"a":"1"}\n' if name.endswith("json") else "a\n1\n"
    assert told(read(data, name)) == [{"a": "1"}]


class TestDelimited:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("a,b\n1,2\n", [("1", "2")]),
            ("a,b\n1,2", [("1", "2")]),
            ("a,b\r\n1,2\r\n", [("1", "2")]),
            ("\ufeffa,b\n1,2\n", [("1", "2")]),
            ("a;b\n1,5;2\n", [("1.5", "2")]),
            ("a;b\n1,500;2\n", [("1,500", "2")]),
            ("a;b\n1,5;2\nx,5;2\n", [("1,5", "2"), ("x,5", "2")]),
            ('"a, b";b\n1;2\n', [("1", "2")]),
            ("a\tb\n1\t2\n", [("1", "2")]),
            ('a,b\n"1,5",2\n', [("1,5", "2")]),
            ('a,b\n"say ""hi""",2\n', [('say "hi"', "2")]),
            ('a,b\n"x\ny",2\n', [("x\ny", "2")]),
            ('a,b\n"x\r\ny",2\r\n', [("x\r\ny", "2")]),
            ('a,b\n"",\n', [(None, None)]),
            ("a,b\n1,\n", [("1", None)]),
            ('a,b\n5" screen,2\n', [('5" screen', "2")]),
            ('a,b\n5" screen,6" one\n"x,y",3\n', [('5" screen', '6" one'), ("x,y", "3")]),
            ("a,b\n 1 , 2\n", [(" 1 ", " 2")]),
            ("a,b\n\n1,2\n\n\n3,4\n", [("1", "2"), ("3", "4")]),
            ("a,b\r\n\r\n1,2\r\n\r\n", [("1", "2")]),
        ],
    )
    def test_csv(self, text: str, expected: Sequence[tuple[str | None, ...]]) -> None:
        assert read(text).drop(FILE, LINE).rows() == expected

    def test_tsv_has_no_quotes(self) -> None:
        found = read('a\tb\n"x\t1\n""\t2"\n', "t.tsv").drop(FILE, LINE)
        assert found.rows() == [('"x', "1"), ('""', '2"')]

    def test_tsv_with_crlf(self) -> None:
        assert told(read("a\tb\r\n1\t2\r\n", "t.tsv")) == [{"a": "1", "b": "2"}]

    def test_heading_over_two_lines(self) -> None:
        found = read('"a\nb",c\n1,2\n')
        assert found.columns[:2] == ["a\nb", "c"]
        assert lines_of(found) == [3]

    def test_heading_without_a_name_and_with_blanks(self) -> None:
        assert read(" a ,,c\n1,2,3\n").columns[:3] == ["a", "column_2", "c"]

    def test_header_only(self) -> None:
        assert read("a,b\n").height == read("a,b").height == 0
        assert read("a,b\n").columns[:2] == ["a", "b"]

    def test_a_blank_line_in_a_single_column_is_an_empty_text(self) -> None:
        assert read("mt\none\n\nthree\n", "t.tsv")["mt"].to_list() == ["one", None, "three"]
        assert read('mt\n5" a\n\nthree\n')["mt"].to_list() == ['5" a', None, "three"]

    def test_lines_are_those_on_which_rows_begin(self) -> None:
        assert lines_of(read("a,b\n1,2\n\n3,4\n")) == [2, 4]
        assert lines_of(read('a,b\n"x\n\ny",2\n3,4\n"z\n",5\n6,7\n')) == [2, 5, 6, 8]
        assert lines_of(read('a,b\n"x\ny",5" b\n3,4\n')) == [2, 4]

    def test_ragged_rows_are_named_with_their_lines(self) -> None:
        assert refused('a,b\n1,2\n3\n"x\ny",4\n5,6,7\n') == [
            "t.csv:3: 1 field where the heading has 2",
            "t.csv:6: 3 fields where the heading has 2; put a field that contains ',' in quotes",
        ]
        assert refused("a\tb\n1\n", "t.tsv") == ["t.tsv:2: 1 field where the heading has 2"]

    def test_many_ragged_rows_are_counted(self) -> None:
        found = refused("a,b\n" + "1\n" * 500)
        assert len(found) == MOST + 1
        assert found[-1] == "t.csv: and 490 more like this"

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "t.csv: the file is empty"),
            ("\na,b\n", "t.csv:1: the first line, which names the columns, is empty"),
            ("a,b,a,b\n", "t.csv:1: two columns are called 'a'"),
            ("a, a\n", "t.csv:1: two columns are called 'a'"),
            ('a,b\n1,2\n"x,2\n3,4\n', "t.csv:3: a quotation mark opens here and is never closed"),
            ('a,b\n"x"y,2\n', "t.csv:2: cannot be read as CSV: ',' expected after '\"'"),
            ('"a,b\n', "t.csv:1: a quotation mark opens here and is never closed"),
            ("a,b\r1,2\r", "t.csv: lines end with CR alone; save the file with LF or CRLF"),
            (b"a,b\n1,\xe9\n", "t.csv:2: byte 0xe9 is not UTF-8; save the file as UTF-8"),
            (b"a,b\n1,\0\n", "t.csv:2: there is a NUL byte: this is not a text file"),
            ("a,b\n".encode("utf-16"), "t.csv: this is UTF-16; save it as UTF-8"),
            ("a,b\n".encode("utf-32"), "t.csv: this is UTF-32; save it as UTF-8"),
        ],
    )
    def test_what_cannot_be_read(self, text: str | bytes, message: str) -> None:
        assert refused(text)[0] == message

    def test_columns_named_like_hidden_ones_are_kept(self) -> None:
        found = read("__line__,__file__,file's x,x\nsecond,b,c,d\n")
        assert found["__line__"].to_list() == ["second"]
        assert lines_of(found) == [2]

    @settings(max_examples=40, deadline=None)
    @given(st.text(st.sampled_from('ab,"\n '), max_size=30).map(lambda text: f"h,i\n{text}"))
    @example('h,i\n""",\n"a,b')
    @example('h,i\n"a" ,b')
    def test_rows_are_those_of_the_csv_module(self, text: str) -> None:
        try:
            rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        except csv.Error:
            words = ("cannot be read", "never closed", "field")
            assert any(word in refused(text)[0] for word in words)
            return
        rows = [row for row in rows[1:] if row]
        if any(len(row) != 2 for row in rows):
            assert " where the heading has 2" in refused(text)[0]
        else:
            found = read(text).drop(FILE, LINE).rows()
            assert found == [tuple(cell or None for cell in row) for row in rows]


class TestJsonLines:
    def test_values_keep_their_kinds(self) -> None:
        found = read('{"a":"007","b":1,"c":true,"d":null}\n{"a":"x","b":2.5}\n', "t.jsonl")
        assert told(found) == [
            {"a": "007", "b": 1.0, "c": True, "d": None},
            {"a": "x", "b": 2.5, "c": None, "d": None},
        ]

    @pytest.mark.parametrize(
        ("one", "two", "expected"),
        [("1", '"x"', ["1", "x"]), ("true", "2", ["true", "2"]), ("1.5", "true", ["1.5", "true"])],
    )
    def test_mixed_kinds_become_texts(self, one: str, two: str, expected: list[str]) -> None:
        assert read(f'{{"a":{one}}}\n{{"a":{two}}}\n', "t.jsonl")["a"].to_list() == expected

    def test_mark_blank_lines_and_crlf(self) -> None:
        found = read('\ufeff{"a":1}\r\n\r\n{"a":2}\r\n', "t.jsonl")
        assert found["a"].to_list() == [1, 2]
        assert lines_of(found) == [1, 3]

    def test_nothing_at_all(self) -> None:
        assert read("", "t.jsonl").height == read("\n\n", "t.jsonl").height == 0

    def test_broken_lines_are_named(self) -> None:
        found = refused('{"a":1}\n{"a":\n\n[1]\n"x"\n', "t.jsonl")
        assert [message.partition(": ")[0] for message in found] == [
            "t.jsonl:2",
            "t.jsonl:4",
            "t.jsonl:5",
        ]
        assert all("not a JSON object" in message for message in found)

    def test_lists_and_objects_are_no_values(self) -> None:
        assert "'a' holds lists" in refused('{"a":[1]}\n', "t.jsonl")[0]
        assert refused('{"a":1}\n{"a":{"b":1}}\n', "t.jsonl")

    def test_numbers_beyond_every_type(self) -> None:
        digits = "1" * 60
        assert read(f'{{"a":{digits}}}\n', "t.jsonl")["a"].to_list() == [digits]

    def test_nul_in_a_name(self) -> None:
        assert refused('{"\\u0000line":1}\n', "t.jsonl") == [
            "t.jsonl: a column's name has a NUL character"
        ]

    def test_not_utf_8(self) -> None:
        assert "0xff" in refused(b'{"a":"\xff"}\n', "t.jsonl")[0]


class TestParquet:
    def parquet(self, **columns: pl.Series) -> bytes:
        out = io.BytesIO()
        pl.DataFrame(columns).write_parquet(out)
        return out.getvalue()

    @pytest.mark.parametrize("data", [b"", b"PAR1", b"a,b\n1,2\n", b"PAR1abcdPAR1", b"\0" * 100])
    def test_none(self, data: bytes) -> None:
        assert refused(data, "t.parquet")[0].startswith("t.parquet: cannot be read as Parquet: ")

    @settings(max_examples=40, deadline=None)
    @given(st.data())
    def test_damaged_ones_are_refused_or_read_but_never_crash(self, data: st.DataObject) -> None:
        whole = self.parquet(a=pl.Series(["x", "y"]), b=pl.Series([1, 2]))
        damaged = bytearray(whole[: data.draw(st.integers(0, len(whole)))])
        for at in data.draw(st.lists(st.integers(0, len(whole) - 1), max_size=3)):
            if at < len(damaged):
                damaged[at] ^= data.draw(st.integers(1, 255))
        with suppress(InputError):
            read(bytes(damaged), "t.parquet")

    def test_kinds(self) -> None:
        found = read(
            self.parquet(
                c=pl.Series(["b", "a"], dtype=pl.Categorical),
                n=pl.Series([1.0, float("nan")]),
                d=pl.Series([date(2024, 1, 1), None]),
            ),
            "t.parquet",
        )
        assert found["c"].to_list() == ["b", "a"]
        assert found["n"].to_list() == [1.0, None]
        assert lines_of(found) == [1, 2]

    def test_lists_and_bytes_are_no_values(self) -> None:
        data = self.parquet(a=pl.Series([[1]]), b=pl.Series([b"x"]))
        assert [m.split("'")[1] for m in refused(data, "t.parquet")] == ["a", "b"]


class TestSeveral:
    def test_one_under_the_other_with_their_places(self) -> None:
        found = read_tables([File("1.csv", b"a,b\n1,2\n"), File("2.csv", b"b,c\n3,4\n")])
        assert told(found) == [
            {"a": "1", "b": "2", "c": None},
            {"a": None, "b": "3", "c": "4"},
        ]
        assert found[FILE].to_list() == ["1.csv", "2.csv"]
        assert found[LINE].to_list() == [2, 2]

    def test_kinds_of_files_mix(self) -> None:
        whole = pl.DataFrame(
            {"judge": [7.0, 8.0], "value": [1, 2], "t": [datetime(2024, 1, 1)] * 2}
        )
        files = [
            File("1.csv", b"judge,value,t\n007,1,2024-01-01\n"),
            File("2.parquet", write_table(whole, "parquet")),
            File("3.jsonl", b'{"judge": 7, "value": 2.5}\n'),
        ]
        found = read_tables(files)
        assert found["judge"].to_list() == ["007", "7", "8", "7"]
        assert found["value"].to_list() == ["1", "1", "2", "2.5"]
        assert found["t"].to_list()[1] == "2024-01-01T00:00:00.000000Z"

    def test_the_faults_of_all_files_are_told_at_once(self) -> None:
        with pytest.raises(InputError) as caught:
            read_tables([File("1.csv", b""), File("2.csv", b"a\n"), File("3.xls", b"")])
        assert [problem.file for problem in caught.value.problems] == ["1.csv", "2.csv", "3.xls"]

    def test_an_empty_file_among_others(self) -> None:
        with pytest.raises(InputError, match=r"1\.jsonl: the file has no rows"):
            read_tables([File("1.jsonl", b""), File("2.csv", b"a\n1\n")])


class TestOptions:
    @pytest.mark.parametrize("text", ["a;1;3,5\n", "a,1,3.5\n", "a\t1\t3,5\n"])
    def test_header_names_columns_and_tells_the_separator(self, text: str) -> None:
        options = TableOptions(header=("judge", "item", "value"))
        frame = read_table(File("t.csv", text.encode()), options)
        assert frame.select("judge", "item", "value").rows() == [("a", "1", "3.5")]

    def test_header_of_the_wrong_length(self) -> None:
        with pytest.raises(InputError, match=r"first row has 2 fields, and --header names 1"):
            read_table(File("t.csv", b"a,1\n"), TableOptions(header=("judge",)))

    def test_header_is_for_tables_without_names(self) -> None:
        with pytest.raises(InputError, match="--header is for files without names"):
            read_table(File("t.jsonl", b'{"a":1}\n'), TableOptions(header=("a",)))

    def test_json_list(self) -> None:
        frame = read_table(File("t.json", b'[{"a": "x", "b": 1}, {"a": "", "c": true}]'))
        rows = frame.select("a", "b", "c").rows()
        assert rows == [("x", 1, None), (None, None, True)]

    @pytest.mark.parametrize(
        "data", [b"a,b\n1,2\n", b"a\tb\n1\t2\n", b'{"a":1,"b":2}\n', b'[{"a":1,"b":2}]']
    )
    def test_standard_input_is_known_by_its_content(self, data: bytes) -> None:
        assert read_table(File("-", data)).select("a", "b").cast(pl.String).rows() == [("1", "2")]
