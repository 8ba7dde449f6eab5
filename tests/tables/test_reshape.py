"""Wide tables made long, answers made numbers, rows added up."""

import polars as pl
import pytest

from jurat.errors import InputError
from jurat.tables.reshape import WORD, added_up, answered, differing, lengthen, refuse_mixture
from jurat.tables.schema import FILE, LINE


def answers(values: list[object], dtype=pl.String, **more: list[object]) -> pl.DataFrame:
    """Answers on lines 2, 3…"""
    height = len(values)
    place = {FILE: ["f.csv"] * height, LINE: list(range(2, height + 2))}
    frame = {"question": ["q"] * height, "value": pl.Series(values, dtype=dtype), **place}
    return pl.DataFrame({**frame, **more})


def made(frame: pl.DataFrame) -> list[tuple[object, ...]]:
    return refuse_mixture(answered(frame)).select("value", "label", "na").rows()


class TestAnswered:
    def test_numbers(self) -> None:
        assert made(answers(["3", " 4.5 ", "-1"])) == [
            (3.0, None, False),
            (4.5, None, False),
            (-1.0, None, False),
        ]

    @pytest.mark.parametrize("dtype", [pl.Int64, pl.Float64, pl.UInt8])
    def test_numbers_of_any_type(self, dtype) -> None:
        assert made(answers([3, None], dtype)) == [(3.0, None, False)]

    def test_truth_is_one_and_zero(self) -> None:
        assert made(answers([True, False], pl.Boolean)) == [(1.0, None, False), (0.0, None, False)]

    def test_no_answer_is_no_row(self) -> None:
        assert made(answers(["", None, "  ", "nan", "NaN", "1"])) == [(1.0, None, False)]
        assert made(answers([float("nan"), 1.0], pl.Float64)) == [(1.0, None, False)]

    def test_no_answer_at_all(self) -> None:
        assert made(answers([None, None])) == []
        assert made(answers([None, None], pl.Null)) == []
        assert made(answers([])) == []

    @pytest.mark.parametrize("word", ["NA", "n/a", "N.A.", "not applicable", " na "])
    def test_not_applicable_is_a_value_of_its_own(self, word: str) -> None:
        assert made(answers(["3", word])) == [(3.0, None, False), (None, "n/a", True)]

    def test_letters(self) -> None:
        assert made(answers(["A", "B", "NA"])) == [
            (None, "A", False),
            (None, "B", False),
            (None, "n/a", True),
        ]

    def test_categories_are_letters(self) -> None:
        assert made(answers(["B", "A"], pl.Categorical)) == [(None, "B", False), (None, "A", False)]

    def test_words_among_numbers_are_named_with_their_lines(self) -> None:
        with pytest.raises(InputError) as caught:
            made(answers(["3", "good", "4", "inf", "NA"]))
        assert [str(problem) for problem in caught.value.problems] == [
            "f.csv:5, field value: 'inf' is infinite; leave missing answers empty",
            "f.csv:3, field value: 'good' is a word among numbers",
        ]

    def test_infinity_is_no_number_in_parquet_either(self) -> None:
        with pytest.raises(InputError, match="'inf' is infinite"):
            made(answers([1.0, float("inf")], pl.Float64))

    def test_one_question_may_have_words_and_another_numbers(self) -> None:
        frame = answers(["3", "A"], question=["score", "kind"])
        assert made(frame) == [(3.0, None, False), (None, "A", False)]

    def test_labels_and_marks_of_the_file_win(self) -> None:
        frame = answers(["3", "2", "1"], label=["good", None, "bad"], na=["false", "yes", None])
        assert made(frame) == [(3.0, "good", False), (None, None, True), (1.0, "bad", False)]

    def test_marks_that_are_none(self) -> None:
        with pytest.raises(InputError, match=r"f.csv:2, field na: 'perhaps' is not a truth value"):
            made(answers(["3"], na=["perhaps"]))

    def test_rows_can_be_kept_because_they_tell_what_was_judged(self) -> None:
        assert answered(answers(["3", None]), keep_empty=True).height == 2


class TestLengthen:
    def test_columns_become_rows(self) -> None:
        frame = pl.DataFrame({"judge": ["a", "b"], "value": [8, 9], "question": ["x", "y"]})
        columns = {"adequacy": pl.Series(["1", "2"]), "fluency": pl.Series(["3", None])}
        assert lengthen(frame, columns, "question").to_dicts() == [
            {"judge": "a", "question": "adequacy", "value": "1"},
            {"judge": "b", "question": "adequacy", "value": "2"},
            {"judge": "a", "question": "fluency", "value": "3"},
            {"judge": "b", "question": "fluency", "value": None},
        ]

    def test_types_are_kept_where_they_agree(self) -> None:
        frame = pl.DataFrame({"judge": ["a"]})
        same = lengthen(frame, {"x": pl.Series([1.5]), "y": pl.Series([2.0])}, "system")
        mixed = lengthen(frame, {"x": pl.Series([1.5]), "y": pl.Series(["A"])}, "system")
        assert same["value"].to_list() == [1.5, 2.0]
        assert mixed["value"].to_list() == ["1.5", "A"]


class TestAddedUp:
    FRAME = pl.DataFrame(
        {
            "judge": ["j", "j", "j", "k"],
            "item": ["1", "1", "2", "1"],
            "question": ["w"] * 4,
            "value": [5.0, 1.0, None, 0.1],
            "category": ["style", "style", "none", "style"],
            "severity": ["major", "minor", "none", "minor"],
        }
    )

    def test_sums_per_judge_and_item(self) -> None:
        found = added_up(self.FRAME, self.FRAME)
        assert found.select("judge", "item", "value").rows() == [
            ("j", "1", 6.0),
            ("j", "2", 0.0),
            ("k", "1", 0.1),
        ]

    def test_what_differs_between_the_errors_is_not_told_of_the_sum(self) -> None:
        found = added_up(self.FRAME, self.FRAME)
        assert "severity" not in found.columns
        assert found["category"].to_list() == ["style", "none", "style"]

    def test_what_was_judged_and_has_no_row_left_is_zero(self) -> None:
        kept = self.FRAME.filter(pl.col("severity") == "major")
        assert added_up(kept, self.FRAME)["value"].to_list() == [5.0, 0.0, 0.0]

    def test_without_a_judge(self) -> None:
        frame = self.FRAME.drop("judge")
        assert added_up(frame, frame).select("item", "value").rows() == [("1", 6.1), ("2", 0.0)]

    def test_systems_are_not_mixed(self) -> None:
        frame = self.FRAME.with_columns(system=pl.Series(["A", "B", "A", "A"]))
        found = added_up(frame, frame).select("judge", "item", "system", "value").rows()
        assert found[:2] == [("j", "1", "A", 5.0), ("j", "1", "B", 1.0)]

    def test_missing_judges_are_one_group(self) -> None:
        frame = self.FRAME.with_columns(judge=pl.lit(None, dtype=pl.String))
        assert added_up(frame, frame)["value"].to_list() == [6.1, 0.0]

    def test_zero_rows(self) -> None:
        assert added_up(self.FRAME.clear(), self.FRAME.clear()).height == 0


def test_differing() -> None:
    keys = pl.DataFrame({"k": ["a", "a", "b"]})
    columns = {"same": pl.Series([1, 1, 2]), "other": pl.Series([None, 1, 1])}
    assert differing(keys, columns) == ["other"]
    assert differing(keys, {}) == []


def test_the_marks_of_words_go() -> None:
    assert WORD not in refuse_mixture(answered(answers(["A"]))).columns
