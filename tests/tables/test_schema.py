"""The long tables: types, checks, and what does not fit."""

import re
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurat.errors import InputError
from jurat.model import File
from jurat.tables import (
    ENDINGS,
    JUDGMENTS,
    SCORES,
    TABLES,
    Intake,
    Table,
    conform,
    need,
    read_table,
    write_table,
)
from jurat.tables.reshape import NOT_APPLICABLE
from jurat.tables.schema import FILE, LINE, MOST, OUTCOMES, STATUSES, TIME, cast_column, words
from tests import ROOT

NOON = datetime(2024, 3, 1, 12, 0, 0, 500_000, tzinfo=UTC)


def cast(values: list[Any], wanted, dtype=pl.String) -> list[Any]:
    return cast_column(pl.Series("x", values, dtype=dtype), wanted).to_list()


def judgments(**columns: list[Any]) -> pl.DataFrame:
    """A frame as if it had been read from lines 2, 3… of a file."""
    height = len(next(iter(columns.values())))
    keys = {"item": ["i"] * height, "question": ["q"] * height}
    place = {FILE: ["f.csv"] * height, LINE: list(range(2, height + 2))}
    return pl.DataFrame({**keys, **columns, **place})


def problems(frame: pl.DataFrame, table=JUDGMENTS) -> list[str]:
    with pytest.raises(InputError) as caught:
        conform(frame, table)
    return [str(problem) for problem in caught.value.problems]


class TestTables:
    def test_keys_stand_in_every_table_of_decisions(self) -> None:
        for name, table in TABLES.items():
            if name != "scores":
                assert {"judge", "item", "segment", "status", "decided_at"} <= set(table.schema)

    def test_needed_columns_are_columns(self) -> None:
        assert all(set(table.needed) <= set(table.schema) for table in TABLES.values())

    def test_judgments_are_those_of_the_design(self) -> None:
        designed = (
            "campaign task phase judge item document segment system reference question value label "
            "na position shown_at decided_at seconds active_seconds played_seconds status "
            "probability same_output"
        )
        assert list(JUDGMENTS.schema) == designed.split()

    def test_scores_are_those_of_the_design(self) -> None:
        assert {"segment", "system", "reference", "metric", "value"} <= set(SCORES.schema)


KINDS = {
    "String": "text",
    "Float64": "number",
    "Int64": "whole number",
    "Boolean": "true or false",
    str(TIME): "time",
}


class TestDocumentation:
    PAGE = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")

    @pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
    def test_every_column_is_documented_in_order(self, table: Table) -> None:
        section = self.PAGE.partition(f"\n### {table.name}\n")[2].partition("\n### ")[0]
        rows = re.findall(r"^\| `(\w+)` \| ([\w ]+) \| (.*) \|$", section, flags=re.MULTILINE)
        assert rows == [
            (
                column.name,
                KINDS[str(column.type)],
                column.meaning + (f" ({', '.join(column.allowed)})" if column.allowed else ""),
            )
            for column in table.columns
        ]
        needed = ", ".join(f"`{name}`" for name in table.needed)
        assert f"Needed: {needed}." in section

    @pytest.mark.parametrize("option", Intake.__struct_fields__)
    def test_every_option_is_documented(self, option: str) -> None:
        assert f"`--{option.replace('_', '-')}" in self.PAGE

    @pytest.mark.parametrize("word", [*STATUSES[1::2], *OUTCOMES, *ENDINGS, *NOT_APPLICABLE[:3]])
    def test_the_words_are_documented(self, word: str) -> None:
        assert word in self.PAGE.lower()


class TestConform:
    def test_order_and_types_and_tags(self) -> None:
        frame = judgments(genre=["news"], value=["3"], judge=[7], na=["no"])
        found = conform(frame, JUDGMENTS)
        assert found.columns[:5] == ["judge", "item", "question", "value", "na"]
        assert found.columns[5] == "genre"
        assert found.row(0)[:6] == ("7", "i", "q", 3.0, False, "news")

    def test_absent_columns_stay_away(self) -> None:
        assert "label" not in conform(judgments(value=[1.0]), JUDGMENTS).columns

    def test_zero_rows(self) -> None:
        found = conform(judgments(value=["1"]).clear(), JUDGMENTS)
        assert found.height == 0
        assert found.schema["value"] == pl.Float64

    def test_it_is_the_identity_on_its_own_output(self) -> None:
        once = conform(judgments(value=["1"], shown_at=["2024-01-01"], na=["yes"]), JUDGMENTS)
        assert conform(once, JUDGMENTS).equals(once)

    def test_missing_columns_are_all_named_with_those_there(self) -> None:
        found = problems(pl.DataFrame({"itme": ["x"], "value": [1]}))
        assert len(found) == 2
        assert "'item'" in found[0]
        assert "did you mean 'itme'?" in found[0]
        assert "'question'" in found[1]

    def test_what_does_not_fit_is_named_with_its_line(self) -> None:
        found = problems(judgments(value=["1", "abc", ""], position=["1", "2.5", "3"]))
        assert found == [
            "f.csv:3, field value: 'abc' is not a number",
            "f.csv:3, field position: '2.5' is not a whole number",
        ]

    def test_words_that_are_not_allowed(self) -> None:
        found = problems(judgments(status=["valid", "vallid", None]))
        assert found[0].startswith("f.csv:3, field status: 'vallid' is not allowed here")
        assert found[0].endswith("did you mean 'valid'?")

    def test_a_million_faults_are_not_a_million_lines(self) -> None:
        found = problems(judgments(value=["x"] * 5000))
        assert len(found) == MOST + 1
        assert found[-1] == f"f.csv: and {5000 - MOST:,} more like this"

    def test_braces_in_a_value_are_no_pattern(self) -> None:
        assert "'{0} {x}'" in problems(judgments(value=["{0} {x}"]))[0]

    def test_frames_without_places_are_fine(self) -> None:
        frame = pl.DataFrame({"item": ["i"], "question": ["q"], "value": ["x"]})
        assert problems(frame) == ["field value: 'x' is not a number"]

    def test_fractions_are_not_cut_off_silently(self) -> None:
        assert "'1.5' is not a whole number" in problems(judgments(position=[1.0, 1.5]))[0]


class TestNeed:
    def test_an_option_needs(self) -> None:
        with pytest.raises(InputError, match="--by needs a column 'x', which is missing"):
            need(pl.DataFrame({"a": [1]}), ["x"], "--by")

    def test_hidden_columns_are_not_offered(self) -> None:
        with pytest.raises(InputError) as caught:
            need(judgments(value=[1]), [LINE], "it")
        assert caught.value.problems[0].allowed == ("item", "question", "value")


class TestCast:
    @pytest.mark.parametrize(
        ("text", "number"),
        [
            ("3", 3.0),
            (" 3.50 ", 3.5),
            ("-1e3", -1000.0),
            ("", None),
            ("x", None),
            ("inf", None),
            ("nan", None),
            ("1,5", None),
        ],
    )
    def test_numbers(self, text: str, number: float | None) -> None:
        assert cast([text], pl.Float64) == [number]

    @pytest.mark.parametrize(
        ("text", "number"),
        [
            ("3", 3),
            ("3.0", 3),
            (" 3 ", 3),
            ("3.5", None),
            ("x", None),
            ("1e3", 1000),
            ("9007199254740993", 9007199254740993),
        ],
    )
    def test_whole_numbers(self, text: str, number: int | None) -> None:
        assert cast([text], pl.Int64) == [number]

    def test_whole_numbers_from_floats(self) -> None:
        assert cast([1.0, 2.5, None, float("nan")], pl.Int64, pl.Float64) == [1, None, None, None]

    @pytest.mark.parametrize(
        ("text", "truth"),
        [
            ("true", True),
            ("TRUE", True),
            ("1", True),
            ("yes", True),
            ("no", False),
            ("0", False),
            ("False", False),
            ("maybe", None),
            ("", None),
        ],
    )
    def test_truth(self, text: str, truth: bool | None) -> None:
        assert cast([text], pl.Boolean) == [truth]

    def test_truth_from_numbers(self) -> None:
        assert cast([0, 1, 2], pl.Boolean, pl.Int64) == [False, True, None]

    def test_numbers_from_truth(self) -> None:
        assert cast([True, False], pl.Float64, pl.Boolean) == [1.0, 0.0]

    @pytest.mark.parametrize("kind", [pl.Categorical, pl.Enum(["10", "30", "x"])])
    def test_categories_are_their_words_not_their_codes(self, kind) -> None:
        values = ["30", "10", "x"]
        assert cast(values, pl.Float64, kind) == [30.0, 10.0, None]
        assert cast(values, pl.String, kind) == values

    def test_times_are_no_numbers(self) -> None:
        assert cast([NOON], pl.Float64, pl.Datetime("us", "UTC")) == [None]

    @given(st.integers(min_value=-(2**63), max_value=2**63 - 1))
    def test_whole_numbers_are_exact(self, number: int) -> None:
        assert cast([str(number)], pl.Int64) == [number]

    @given(st.floats(allow_nan=False, allow_infinity=False))
    def test_floats_are_exact(self, number: float) -> None:
        assert cast([repr(number)], pl.Float64) == [number]


class TestTimes:
    @pytest.mark.parametrize(
        "text",
        [
            "2024-03-01T12:00:00.5Z",
            "2024-03-01T12:00:00.500",
            "2024-03-01 12:00:00.5",
            "2024-03-01 12:00:00,5",
            "2024-03-01T14:00:00.5+02:00",
            "2024-03-01T14:00:00.5+0200",
            "2024-03-01T14:00:00.5+02",
            "2024-03-01 12:00:00.500000 UTC",
            " 2024-03-01T12:00:00.5Z ",
            str(NOON.timestamp()),
        ],
    )
    def test_texts(self, text: str) -> None:
        assert cast([text], TIME) == [NOON]

    def test_forms_mix(self) -> None:
        assert cast([str(NOON.timestamp()), NOON.isoformat(), None], TIME) == [NOON, NOON, None]

    def test_days_and_minutes(self) -> None:
        first = datetime(2024, 3, 1, tzinfo=UTC)
        assert cast(["2024-03-01", "2024-03-01 08:30"], TIME) == [
            first,
            first + timedelta(hours=8, minutes=30),
        ]

    @pytest.mark.parametrize(
        "text",
        [
            "yesterday",
            "",
            "2024-13-01",
            "12:00",
            "01/02/2024",
            "2024-03-01T25:00",
            "nan",
            "1710826648561",
            "0000-01-01",
            "2024-03-01T12:00:00 Europe/Prague",
        ],
    )
    def test_no_times(self, text: str) -> None:
        assert cast([text], TIME) == [None]

    def test_unix_seconds_as_numbers(self) -> None:
        assert cast([NOON.timestamp(), None], TIME, pl.Float64) == [NOON, None]
        assert cast([0], TIME, pl.Int64) == [datetime(1970, 1, 1, tzinfo=UTC)]

    def test_zones_are_converted_not_renamed(self) -> None:
        prague = NOON.astimezone(timezone(timedelta(hours=1)))
        assert cast([prague], TIME, pl.Datetime("ms", "Europe/Prague")) == [NOON]
        assert cast([NOON.replace(tzinfo=None)], TIME, pl.Datetime("ns")) == [NOON]

    def test_days_of_parquet(self) -> None:
        assert cast([date(2024, 3, 1)], TIME, pl.Date) == [datetime(2024, 3, 1, tzinfo=UTC)]

    def test_other_temporal_kinds_are_none(self) -> None:
        assert cast([timedelta(seconds=3)], TIME, pl.Duration) == [None]

    @given(
        st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1)),
        st.integers(min_value=-14 * 60, max_value=14 * 60),
    )
    def test_any_time_in_any_zone(self, time: datetime, offset: int) -> None:
        zoned = time.replace(tzinfo=timezone(timedelta(minutes=offset)))
        assert cast([zoned.isoformat()], TIME) == [zoned]


class TestWords:
    def test_whole_floats_are_written_as_ids(self) -> None:
        assert words(pl.Series([7.0, None, 12.0])).to_list() == ["7", None, "12"]

    def test_other_floats_stay(self) -> None:
        assert words(pl.Series([7.0, 0.5])).to_list() == ["7.0", "0.5"]

    def test_what_no_integer_holds_is_not_lost(self) -> None:
        assert words(pl.Series([1e300, float("inf")])).to_list() == ["1e+300", "inf"]

    def test_not_a_number_is_missing(self) -> None:
        assert words(pl.Series([float("nan"), 3.0])).to_list() == [None, "3"]

    def test_times_are_written_as_iso(self) -> None:
        assert words(pl.Series([NOON])).to_list() == ["2024-03-01T12:00:00.500000Z"]

    @pytest.mark.parametrize("name", ["x.csv", "x.parquet", "x.jsonl"])
    def test_ids_agree_between_files(self, name: str) -> None:
        for ids in ([7, 12], [7.0, None, 12.0], ["007", "x"]):
            frame = pl.DataFrame({"judge": words(pl.Series(ids)), "n": [1] * len(ids)})
            back = read_table(File(name, write_table(frame, name.partition(".")[2])))
            assert words(back["judge"]).to_list() == words(pl.Series(ids)).to_list()
