"""Folding a scale."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jurat.errors import InputError
from jurat.tables.reshape import NAMED, answered, fold, refuse_mixture, weighted
from jurat.tables.schema import FILE, LINE, OF_FILE


def answers(values: list[float | None], labels: list[str | None] | None = None) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "value": pl.Series(values, dtype=pl.Float64),
            "label": pl.Series(labels or [None] * len(values), dtype=pl.String),
            "na": pl.Series([t == "n/a" for t in labels or [""] * len(values)], dtype=pl.Boolean),
            FILE: ["f.csv"] * len(values),
            LINE: list(range(2, len(values) + 2)),
        }
    )


def folded(values: list[float | None], text: str, labels=None) -> list[float | None]:
    return fold(answers(values, labels), text)["value"].to_list()


def test_seven_to_five_is_that_of_the_paper() -> None:
    # spec/analyse.md, section 10: 7→5, 6 and 5→4, 4→3, 3 and 2→2, 1→1
    assert folded([7, 6, 5, 4, 3, 2, 1], "7to5") == [5, 4, 4, 3, 2, 2, 1]


def test_lists_count_from_point_one() -> None:
    assert folded([1, 2, 3, 4, 5], "1,1,2,3,3") == [1, 1, 2, 3, 3]
    assert folded([3, 2], " 0.5, 1 ,2 ") == [2, 1]


def test_letters() -> None:
    labels = ["A", "C", "B", "n/a"]
    assert folded([None] * 4, "A=3,B=2,C=1", labels) == [3, 1, 2, None]


def test_numbers_by_name_where_a_scale_does_not_start_at_one() -> None:
    assert folded([0, 1, 4, 2.5], "0=1, 1=1, 4=2, 2.5=9") == [1, 1, 2, 9]


def test_what_is_not_applicable_stays_so() -> None:
    assert folded([None, 7], "7to5", ["n/a", None]) == [None, 5]


def test_labels_beside_numbers_do_not_disturb() -> None:
    assert folded([7, 1], "7to5", ["excellent", "bad"]) == [5, 1]


def test_zero_rows() -> None:
    assert folded([], "7to5") == []


@pytest.mark.parametrize("value", [0, 8, -1, 3.5])
def test_values_outside_the_scale_are_named_once_each(value: float) -> None:
    with pytest.raises(InputError) as caught:
        folded([1, value, value, 9], "7to5")
    lines = [problem.line for problem in caught.value.problems]
    assert lines == [3, 5]
    assert str(caught.value.problems[0]).startswith(
        f"f.csv:3, field value: the fold has no value for '{value}'; allowed: 1, 2, 3"
    )


def test_letters_need_a_fold_by_name() -> None:
    with pytest.raises(InputError, match="the fold has no value for 'A'"):
        folded([None], "7to5", ["A"])


def test_a_letter_without_a_value() -> None:
    with pytest.raises(InputError, match="no value for 'a'; allowed: A, B; did you mean 'A'"):
        folded([None], "A=1,B=2", ["a"])


@pytest.mark.parametrize(
    "text", ["", "x", "1,,2", "A=", "=1", "A=1,B", "A=x", "1,nan", "A=inf", "6to5", "1;2"]
)
def test_what_is_no_fold(text: str) -> None:
    with pytest.raises(InputError, match="is not a fold; allowed: 7to5, 5to3, 1,1,2,3,3, A=3"):
        folded([1], text)


def test_near_names_are_suggested() -> None:
    with pytest.raises(InputError, match="did you mean '7to5'"):
        folded([1], "7-to-5")


def test_a_point_has_one_place() -> None:
    with pytest.raises(InputError, match="maps 'A' twice"):
        folded([1], "A=1,A=2")


POINTS = st.lists(st.integers(0, 9).map(float), min_size=1, max_size=9)


@given(POINTS, st.data())
def test_folding_is_a_function_of_the_value(points: list[float], data: st.DataObject) -> None:
    scale = st.integers(1, len(points)).map(float)
    values = data.draw(st.lists(scale | st.none(), max_size=20))
    text = ",".join(map(str, points))
    assert folded(values, text) == [None if v is None else points[int(v) - 1] for v in values]


@pytest.mark.parametrize("name", NAMED)
def test_named_folds_keep_the_order(name: str) -> None:
    points = list(NAMED[name])
    assert points == sorted(points)
    before, after = map(int, name.split("to"))
    assert (len(points), points[0], points[-1]) == (before, 1, after)


def test_ranges() -> None:
    frame = answered(pl.DataFrame({"question": "q", "value": ["0", "49", "50.5", "100"]}))
    assert fold(frame, "0-49=1,50-100=2")["value"].to_list() == [1, 1, 2, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0-49=1,51-100=2", "no value for '50'"),
        ("0-50=1,50-100=2", "two parts of the fold hold a value from 50 to 100"),
        ("100-0=1", "is empty"),
    ],
)
def test_ranges_that_do_not_fit(text: str, message: str) -> None:
    frame = answered(pl.DataFrame({"question": "q", "value": ["50"]}))
    with pytest.raises(InputError, match=message):
        fold(frame, text)


def test_words_have_weights() -> None:
    words = pl.Series("severity", ["Minor", "major", None, "no-error"])
    assert weighted(words, "minor=1,major=5,no-error=0").to_list() == [1, 5, None, 0]
    with pytest.raises(InputError, match="'no-error'; allowed: minor, major"):
        weighted(words, "minor=1,major=5")
    with pytest.raises(InputError, match=r"field severity: unknown word.*'no-error'"):
        weighted(words.alias(f"{OF_FILE}severity"), "minor=1,major=5")
    with pytest.raises(InputError, match=r"are no weights; write them as minor=1,major=5$"):
        weighted(words, "minor")


def test_a_sum_of_words_asks_for_their_weights() -> None:
    frame = answered(pl.DataFrame({"question": "severity", "value": ["minor", "major", "minor"]}))
    with pytest.raises(InputError, match=r"'minor' is a word; write --weights minor=…,major=…$"):
        refuse_mixture(frame, numbers_only=True)
    # a word among numbers is a slip
    mixed = answered(pl.DataFrame({"question": "weight", "value": ["1", "majr"]}))
    with pytest.raises(InputError, match="'majr' is a word among numbers"):
        refuse_mixture(mixed, numbers_only=True)
