"""What comes out: the same numbers as JSON, CSV, LaTeX, a frame, and for people."""

import csv
import io
import json
import math
import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat import __version__
from jurat.csv_cells import restore
from jurat.results import (
    Estimate,
    Result,
    readable,
    signature,
    spoken,
    to_csv,
    to_json,
    to_latex,
)
from jurat.stats.ratings import Ratings


def result(*estimates: Estimate, **more) -> Result:
    told = {"name": "krippendorff-alpha", "method": "interval; n items", "signature": "s|jurat:1"}
    return Result(estimates=estimates, **{**told, **more})


ALPHA = Estimate(
    0.4287,
    2479,
    by={"question": "adequacy", "scale": "interval"},
    tags={"genre": "news"},
    low=0.39,
    high=0.46,
)


def rows(*results: Result) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(to_json(results))["results"]
    return found


class TestJson:
    def test_the_shape_of_the_contract(self) -> None:
        assert json.loads(to_json([result(ALPHA)])) == {
            "results": [
                {
                    "name": "krippendorff-alpha",
                    "by": {"question": "adequacy", "scale": "interval"},
                    "tags": {"genre": "news"},
                    "value": 0.4287,
                    "low": 0.39,
                    "high": 0.46,
                    "n": 2479,
                    "method": "interval; n items",
                    "signature": "s|jurat:1",
                }
            ]
        }
        assert list(rows(result(ALPHA))[0]) == [
            *("name", "by", "tags", "value", "low", "high", "n", "method", "signature")
        ]

    def test_a_flat_list_over_all_results(self) -> None:
        found = rows(result(ALPHA, ALPHA), result(ALPHA, name="other"))
        assert [row["name"] for row in found] == ["krippendorff-alpha"] * 2 + ["other"]

    def test_what_is_not_there_is_left_out(self) -> None:
        (row,) = rows(result(Estimate(1.0, 3)))
        assert set(row) == {"name", "by", "value", "n", "method", "signature"}
        assert row["by"] == {}

    def test_no_results(self) -> None:
        assert json.loads(to_json([])) == {"results": []}

    def test_null_has_a_reason(self) -> None:
        (row,) = rows(result(Estimate(None, 0, reason="one judge only")))
        assert (row["value"], row["reason"]) == (None, "one judge only")

    @pytest.mark.parametrize(
        ("value", "reason"),
        [
            (math.nan, "undefined"),
            (None, "undefined"),
            (math.inf, "infinite"),
            (-math.inf, "infinite"),
            (np.float64("nan"), "undefined"),
        ],
    )
    def test_what_json_cannot_hold_is_null_with_a_reason(self, value, reason: str) -> None:
        (row,) = rows(result(Estimate(value, 1)))
        assert (row["value"], row["reason"]) == (None, reason)

    def test_a_reason_that_is_given_stays(self) -> None:
        (row,) = rows(result(Estimate(math.nan, 1, reason="no variance")))
        assert row["reason"] == "no variance"

    def test_intervals_without_an_end(self) -> None:
        (row,) = rows(result(Estimate(1.0, 1, low=0.5, high=math.inf)))
        assert (row["low"], row["high"]) == (0.5, None)
        (row,) = rows(result(Estimate(1.0, 1, low=math.nan, high=math.nan)))
        assert "low" not in row

    def test_numbers_of_numpy(self) -> None:
        n: Any = np.int64(7)
        by: Any = {"k": np.int64(3), "system": np.str_("A"), "share": np.float32(0.5)}
        (row,) = rows(result(Estimate(np.float64(0.5), n, by=by)))
        assert (row["value"], row["n"], row["by"]) == (
            0.5,
            7,
            {"k": 3, "system": "A", "share": 0.5},
        )

    def test_sides(self) -> None:
        (row,) = rows(result(Estimate(1.0, 1, side="strict")))
        assert row["side"] == "strict"


class TestUnavailable:
    def test_it_says_what_it_needs(self) -> None:
        (one,) = rows(
            Result.unavailable("judge-seconds", method="m", signature="s", missing=["seconds"])
        )
        assert (one["value"], one["n"], one["reason"]) == (None, 0, "needs the column seconds")
        (two,) = rows(Result.unavailable("x", method="m", signature="s", missing=["a", "b"]))
        assert two["reason"] == "needs the columns a, b"

    def test_it_reads_well(self) -> None:
        unavailable = Result.unavailable("x", method="m", signature="s", missing=["a"])
        assert readable(unavailable) == (["value", "n", ""], [["–", "0", "needs the column a"]])


KEYS = st.dictionaries(
    st.sampled_from(["question", "judge", "n", "value", "side", "x y"]),
    st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="-"), max_size=5)
    | st.integers(-9, 9999),
    max_size=3,
)
NUMBERS = st.none() | st.floats(width=32) | st.floats()
ESTIMATES = st.builds(
    Estimate,
    value=NUMBERS,
    n=st.integers(0, 10**9),
    by=KEYS,
    tags=KEYS,
    low=NUMBERS,
    high=NUMBERS,
    reason=st.sampled_from(["", "why", "a, b"]),
    side=st.sampled_from(["", "strict"]),
    note=st.sampled_from(["", "few judges"]),
)
RESULTS = st.lists(
    st.builds(result, *[ESTIMATES] * 2, name=st.sampled_from(["a", "b"])), min_size=1, max_size=2
)


class TestCsv:
    def read(self, *results: Result) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(to_csv(results), newline="")))

    def test_columns(self) -> None:
        heading = to_csv([result(ALPHA), result(Estimate(None, 0, by={"judge": "j"}))])
        assert heading.splitlines()[0] == (
            "name,by.question,by.scale,by.judge,tags.genre,value,low,high,n,reason,method,signature"
        )

    def test_no_results(self) -> None:
        assert to_csv([]) == ""
        assert to_csv([result()]) == ""

    @settings(max_examples=40, deadline=None)
    @given(RESULTS)
    def test_the_same_numbers_as_json(self, results: list[Result]) -> None:
        found = self.read(*results)
        for cells, row in zip(found, rows(*results), strict=True):
            # what looks like a formula has an apostrophe in CSV
            plain = {name: restore(cell) for name, cell in cells.items()}
            for name in ("value", "low", "high", "n"):
                number = row.get(name)
                assert plain.get(name, "") == ("" if number is None else repr(number))
            for part in ("by", "tags"):
                for key, value in row.get(part, {}).items():
                    assert plain[f"{part}.{key}"] == str(value)
            assert plain.get("reason", "") == row.get("reason", "")
            assert (plain["method"], plain["signature"]) == (row["method"], row["signature"])

    def test_commas_and_line_ends(self) -> None:
        odd = result(Estimate(1.0, 1, by={"judge": 'a,"b"\nc'}))
        assert self.read(odd)[0]["by.judge"] == 'a,"b"\nc'


class TestFrame:
    def test_columns(self) -> None:
        frame = result(ALPHA).to_frame()
        assert frame.columns == [
            *("question", "scale", "genre", "value", "low", "high", "n", "reason")
        ]
        assert frame.row(0) == ("adequacy", "interval", "news", 0.4287, 0.39, 0.46, 2479, "")

    def test_keys_called_like_numbers_are_not_overwritten(self) -> None:
        frame = result(Estimate(0.5, 7, by={"n": 2}, tags={"n": 3, "value": "x"})).to_frame()
        assert frame.columns == ["by.n", "tags.n", "tags.value", "value", "n", "reason"]
        assert frame.row(0) == (2, 3, "x", 0.5, 7, "")

    def test_keys_that_are_split_by_too(self) -> None:
        frame = result(Estimate(0.5, 7, by={"system": "A"}, tags={"system": "B"})).to_frame()
        assert frame.row(0)[:2] == ("A", "B")

    def test_keys_of_several_types(self) -> None:
        estimates = [Estimate(1.0, 1, by={"k": key}) for key in (2, "all", 0.5)]
        assert result(*estimates, Estimate(1.0, 1)).to_frame()["k"].to_list() == [
            *("2", "all", "0.5", None)
        ]

    def test_nothing(self) -> None:
        assert result().to_frame().columns == ["value", "n", "reason"]

    @settings(max_examples=25, deadline=None)
    @given(RESULTS)
    def test_any_result_has_a_frame(self, results: list[Result]) -> None:
        for one in results:
            assert one.to_frame().height == len(one.estimates)


class TestReadable:
    def test_columns_that_are_used(self) -> None:
        columns, cells = readable(result(ALPHA, Estimate(None, 0, reason="no judge")))
        assert columns == ["question", "scale", "genre", "value", "interval", "n", ""]
        assert cells == [
            ["adequacy", "interval", "news", "0.429", "[0.390, 0.460]", "2,479", ""],
            ["", "", "", "–", "", "0", "no judge"],
        ]

    def test_counts_that_are_whole_numbers_stand_beside_shares(self) -> None:
        # a count may be an int, which has no `is_integer` before Python 3.12
        whole: Any = 1200
        _, cells = readable(result(Estimate(0.5, 1), Estimate(whole, 1)))
        assert cells[1][0].startswith("1,200")

    def test_a_key_called_n(self) -> None:
        columns, cells = readable(result(Estimate(0.5, 7, by={"n": 2})))
        assert (columns, cells) == (["by.n", "value", "n"], [["2", "0.500", "7"]])

    def test_what_is_not_finite(self) -> None:
        _, cells = readable(result(Estimate(math.nan, 1), Estimate(1.0, 1, low=1.0, high=math.inf)))
        assert cells == [["–", "", "1", "undefined"], ["1.000", "[1.000, –]", "1", ""]]

    def test_notes_stand_beside_the_value(self) -> None:
        noted = result(Estimate(0.5, 20, note="few documents"))
        (row,) = rows(noted)
        assert (row["value"], row["note"]) == (0.5, "few documents")
        assert readable(noted)[1][0][-1] == "few documents"
        assert Estimate.of(float("nan"), 0, note="few documents").note == ""

    def test_side_and_reason(self) -> None:
        _, cells = readable(result(Estimate(1.0, 1, side="strict", reason="few items")))
        assert cells[0][-1] == "strict, few items"

    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (0.42871, "0.429"),
            (-0.5, "-0.500"),
            (0.0, "0.000"),
            (3.14159, "3.14"),
            (81.824, "81.82"),
            (123.456, "123.5"),
            (12345.678, "12,345.7"),
            (5000.0, "5,000"),
            (1.2e-12, "1.2e-12"),
            (0.0004, "4.0e-04"),
            (1234567, "1,234,567"),
            (True, "True"),
            (None, ""),
            ("2024", "2024"),
            (np.float64(0.5), "0.500"),
        ],
    )
    def test_numbers_in_as_many_digits_as_one_reads(self, value: object, text: str) -> None:
        assert spoken(value) == text


def cells_of(latex: str) -> list[list[str]]:
    """The rows of the first tabular, with what was escaped turned back."""
    body = latex.partition("\\midrule\n")[2].partition("\\bottomrule")[0]
    split = [re.split(r"(?<!\\)&", line.removesuffix(r" \\")) for line in body.splitlines()]
    return [[unescaped(cell.strip()) for cell in row] for row in split]


def unescaped(cell: str) -> str:
    words = {"backslash": "\\", "asciitilde": "~", "asciicircum": "^", "less": "<"}
    words |= {"greater": ">", "bar": "|"}
    told = re.sub(r"\\text(\w+)\{\}", lambda m: words[m[1]], cell.removeprefix("{}"))
    return re.sub(r"\\([&%$#_{}])", r"\1", told).replace("--", "–")


class TestLatex:
    def test_a_table(self) -> None:
        assert to_latex([result(ALPHA)]).splitlines() == [
            "% krippendorff-alpha: s|jurat:1",
            r"\begin{tabular}{lllrrr}",
            r"\toprule",
            r"question & scale & genre & value & interval & n \\",
            r"\midrule",
            r"adequacy & interval & news & 0.429 & [0.390, 0.460] & 2,479 \\",
            r"\bottomrule",
            r"\end{tabular}",
        ]

    def test_special_characters(self) -> None:
        latex = to_latex([result(Estimate(1.0, 1, by={"a_b": "50% & $x #1 {~^} \\"}))])
        assert r"a\_b & value" in latex
        assert (
            r"50\% \& \$x \#1 \{\textasciitilde{}\textasciicircum{}\} \textbackslash{} & 1.00"
            in latex
        )

    def test_nothing_leaves_the_comment(self) -> None:
        latex = to_latex([result(ALPHA, signature="s|where:a\nb\r\nc\u2028\\input{x}")])
        assert latex.splitlines()[1] == r"\begin{tabular}{lllrrr}"

    @pytest.mark.parametrize("name", ["[x]", "*x"])
    def test_a_row_does_not_begin_with_an_option_of_the_last_line(self, name: str) -> None:
        assert f"\n{{}}{name} & 1.00" in to_latex([result(Estimate(1.0, 1, by={"s": name}))])

    def test_a_table_for_each_result(self) -> None:
        assert to_latex([result(ALPHA), result(ALPHA)]).count(r"\begin{tabular}") == 2

    @settings(max_examples=40, deadline=None)
    @given(st.lists(ESTIMATES, min_size=1, max_size=3))
    def test_the_same_cells_as_people_read(self, estimates: list[Estimate]) -> None:
        one = result(*estimates)
        plain = [[" ".join(cell.split()) for cell in row] for row in readable(one)[1]]
        assert cells_of(to_latex([one])) == plain


class TestSignature:
    def parts(self, text: str) -> dict[str, str]:
        found: list[list[str]] = [[""]]
        signs = iter(text)
        for sign in signs:
            if sign == "\\":
                following = next(signs)
                found[-1][-1] += {"n": "\n", "r": "\r"}.get(following, following)
            elif sign == "|":
                found.append([""])
            elif sign == ":":
                found[-1].append("")
            else:
                found[-1][-1] += sign
        return {part[0]: part[1] if len(part) > 1 else "" for part in found}

    def test_one_line_with_the_version(self) -> None:
        assert signature("fleiss-kappa", {"judges": 25, "fold": "7to5"}) == (
            f"fleiss-kappa|judges:25|fold:7to5|jurat:{__version__}"
        )

    def test_what_was_not_chosen_is_left_out(self) -> None:
        parts = {"a": None, "b": "", "c": (), "d": 0, "e": False}
        assert signature("x", parts) == f"x|d:0|e:False|jurat:{__version__}"

    @given(
        st.dictionaries(
            st.text(min_size=1).filter(lambda name: name not in ("jurat", "x")),
            st.text(min_size=1),
            max_size=4,
        )
    )
    def test_it_can_be_read_back(self, parts: dict[str, str]) -> None:
        text = signature("x", parts)
        assert "\n" not in text
        assert self.parts(text) == {"x": "", **parts, "jurat": __version__}


def test_figures_are_drawn_when_asked_for() -> None:
    assert result(ALPHA).figure() is None
    assert result(ALPHA, draw=lambda: {"mark": "bar"}).figure() == {"mark": "bar"}
    full = {"mark": "bar", "data": {"values": [{"n": 1}]}}
    assert result(ALPHA, draw=lambda: full).figure() == full


def test_a_figure_with_nothing_on_it_is_none() -> None:
    assert result(ALPHA, draw=lambda: {"mark": "bar", "data": {"values": []}}).figure() is None


def test_many_estimates_take_little_time() -> None:
    many = result(*(Estimate(n / 7, n, by={"judge": f"j{n}"}, low=0.1) for n in range(20_000)))
    assert len(rows(many)) == len(to_csv([many]).splitlines()) - 1 == many.to_frame().height
    assert to_latex([many]).count("\n") == 20_000 + 7


class TestEstimateOf:
    def test_an_undefined_value_is_missing_and_says_why(self) -> None:
        made = Estimate.of(float("nan"), 3, low=float("nan"), high=2.0, reason="all are equal")
        assert made == Estimate(None, 3, high=2.0, reason="all are equal")

    def test_a_value_needs_no_reason(self) -> None:
        assert Estimate.of(0.5, 3.0, reason="all are equal") == Estimate(0.5, 3)

    def test_the_keys_of_what_it_is_about_come_first(self) -> None:
        about = SimpleNamespace(by={"question": "adequacy"}, tags={"domain": "news"})
        made = Estimate.of(0.5, 3, about=about, by={"judge": "Ana"}, tags={"kind": "first"})
        assert list(made.by.items()) == [("question", "adequacy"), ("judge", "Ana")]
        assert made.tags == {"domain": "news", "kind": "first"}

    def test_a_subject_without_answers_keeps_its_keys(self) -> None:
        nothing = Ratings(question="adequacy", frame=pl.DataFrame(), tags={"domain": "news"})
        made = Estimate.of(None, 0, about=nothing, reason="nobody answered")
        assert (made.by, made.tags) == ({"question": "adequacy"}, {"domain": "news"})
