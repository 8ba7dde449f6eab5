"""What goes in: every clause of the contract, from a file to the long table."""

import csv
import resource
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat.errors import InputError
from jurat.model import File
from jurat.tables import (
    JUDGMENTS,
    Intake,
    Judgments,
    OwnJudgments,
    conform,
    read_table,
    read_tables,
    write_table,
)
from tests.tables.strategies import filled

LONG = """judge,document,segment,system,value,genre
1,d1,1,A,3,news
1,d1,1,B,5,news
2,d1,1,A,4,news
2,d1,2,A,1,talk
"""
WIDE = """rater,seg,adequacy,fluency,E1,E2
x,1,4,5,0.5,0.7
y,1,2,,0.4,NA
"""
ERRORS = """rater,doc,seg,system,severity,weight
j,d,1,A,major,5
j,d,1,A,minor,1
j,d,1,B,minor,1
j,d,2,A,no-error,
j,d,2,B,minor,0.1
k,e,1,A,major,5
"""
MQM = "judge=rater,document=doc,segment=seg"


def table(*texts: str, ending: str = "csv") -> pl.DataFrame:
    return read_tables([File(f"{n}.{ending}", t.encode()) for n, t in enumerate(texts, 1)])


def judgments(*texts: str, items: str | None = None, **options: object) -> Judgments:
    listed = None if items is None else table(items)
    return Judgments(table(*texts), Intake(**options), items=listed)  # type: ignore[arg-type]


def told(found: Judgments, *names: str) -> list[tuple[object, ...]]:
    return found.frame.select(names).rows()


def refused(*texts: str, items: str | None = None, **options: object) -> str:
    with pytest.raises(InputError) as caught:
        judgments(*texts, items=items, **options)
    return str(caught.value)


class TestColumns:
    def test_same_names_need_no_map(self) -> None:
        found = judgments(LONG)
        assert told(found, "judge", "item", "question", "value")[:2] == [
            ("1", "d1|1|A", "value", 3.0),
            ("1", "d1|1|B", "value", 5.0),
        ]

    def test_item_is_made_of_what_is_there(self) -> None:
        assert told(judgments("system,value\nA,1\n"), "item") == [("A",)]
        assert told(judgments("segment,reference,value\n7,r1,1\n"), "item") == [("7|r1",)]
        text = "reference,system,segment,document,value\nr,A,7,d,1\n"
        assert told(judgments(text), "item") == [("d|7|A|r",)]

    def test_item_of_the_file(self) -> None:
        assert told(judgments("item,system,value\n007,A,1\n"), "item", "system") == [("007", "A")]

    def test_maps_joins_and_literals(self) -> None:
        text = "judge_id,rating,docId,itemId,a+b\n3,5,d,1,x\n"
        found = judgments(
            text,
            columns="judge=judge_id,value=rating,item=docId+itemId+`a+b`,system='mt',task=\"t,1\"",
        )
        names = ("judge", "value", "item", "system", "task", "question")
        assert told(found, *names) == [("3", 5.0, "d|1|x", "mt", "t,1", "rating")]

    def test_mapped_parts_make_the_item(self) -> None:
        found = judgments("doc,seg,score\nd,1,5\n", columns="document=doc,segment=seg,value=score")
        assert told(found, "item", "question") == [("d|1", "score")]

    def test_the_files_columns_are_tags(self) -> None:
        found = judgments("doc,seg,score,genre\nd,1,5,news\n", columns="value=score,item=doc+seg")
        own, tags = ["item", "question", "value", "label", "na"], ["doc", "seg", "score", "genre"]
        assert found.frame.columns == [*own, *tags]

    def test_a_map_wins_over_the_same_name(self) -> None:
        found = judgments("item,id,value\nx,y,1\n", columns="item=id")
        assert told(found, "item") == [("y",)]

    def test_judge_may_be_absent(self) -> None:
        found = judgments("item,value\nx,1\n")
        assert "judge" not in found.frame.columns
        assert found.signature() == {"items": "1"}

    def test_repeats_are_kept(self) -> None:
        found = judgments("judge,item,value\na,x,1\na,x,2\na,x,1\n")
        assert [row[0] for row in told(found, "value")] == [1.0, 2.0, 1.0]

    def test_numeric_ids_stay(self) -> None:
        found = judgments("judge,item,value\n007,010,1\n7,10,2\n")
        assert told(found, "judge", "item") == [("007", "010"), ("7", "10")]

    @pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
    def test_the_same_from_every_kind_of_file(self, ending: str) -> None:
        frame = pl.DataFrame({"judge": [1, 2], "item": [7.0, 8.0], "value": [3, 4]})
        whole = frame.with_columns(pl.col("item").cast(pl.Int64))
        kept = frame if ending == "parquet" else whole
        found = Judgments(read_table(File(f"t.{ending}", write_table(kept, ending)))).frame
        assert found.select("judge", "item", "value").rows() == [("1", "7", 3.0), ("2", "8", 4.0)]

    def test_columns_of_odd_names_stay_apart(self) -> None:
        text = "__line__,file's x,x,value of x,listed,value,item\na,b,c,d,e,1,i\n"
        found = judgments(text, where="__line__ == 'a' and `file's x` == 'b' and x == 'c'")
        assert told(found, "__line__", "file's x", "x", "value of x", "listed") == [tuple("abcde")]

    def test_a_question_column_of_an_odd_name(self) -> None:
        text = "file's x,x,item\n1,2,i\n"
        assert told(judgments(text, questions=("file's x",)), "question", "value") == [
            ("file's x", 1.0)
        ]

    def test_several_files(self) -> None:
        found = judgments("judge,item,value\na,x,1\n", "item,value,judge,genre\ny,2,b,news\n")
        assert told(found, "judge", "item", "value", "genre") == [
            ("a", "x", 1.0, None),
            ("b", "y", 2.0, "news"),
        ]

    @pytest.mark.parametrize(
        ("text", "options", "message"),
        [
            ("a,b\n1,2\n", {}, "no column holds the judgments; name it with --columns value=…"),
            ("judge,value\na,1\n", {}, "no column says what was judged; name it with"),
            ("item,value\nx,1\n", {"columns": "judge=rater"}, "unknown column in the file 'rater'"),
            ("item,value\nx,1\n", {"columns": "rater=item"}, "unknown column name before ="),
            ("item,value\n,1\nx,2\n", {}, "1.csv:2, field item: the row does not say what was"),
            (
                "item,value,status\nx,1,done\ny,1,valid\n",
                {},
                "'done' is not allowed here; allowed: valid",
            ),
            (
                "item,value,seconds\nx,1,long\n",
                {},
                "1.csv:2, field seconds: 'long' is not a number",
            ),
        ],
    )
    def test_what_is_refused(self, text: str, options: dict[str, str], message: str) -> None:
        assert message in refused(text, **options)

    def test_a_word_among_numbers_is_named_with_file_and_line(self) -> None:
        text = 'item,value\n"x\ny",1\n\nz,good\n'
        assert refused("item,value\nx,1\n", text) == (
            "2.csv:5, field value: 'good' is a word among numbers"
        )

    def test_words_that_are_filtered_out_do_no_harm(self) -> None:
        text = "item,type,value\nx,TGT,1\ny,BAD,skipped\n"
        assert told(judgments(text, where="type == 'TGT'"), "value") == [(1.0,)]

    def test_a_value_column_that_is_empty(self) -> None:
        with pytest.raises(InputError, match="no row has an answer: all 2 are empty or nan"):
            judgments("judge,item,value\na,x,\nb,y,nan\n")

    def test_letters_have_no_numbers(self) -> None:
        found = judgments("item,value\nx,A\ny,NA\n")
        assert told(found, "value", "label", "na") == [(None, "A", False), (None, "n/a", True)]

    def test_labels_without_values(self) -> None:
        assert told(judgments("item,label\nx,good\n"), "value", "label") == [(None, "good")]

    @pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
    @settings(max_examples=20, deadline=None)
    @given(data=st.data())
    def test_jurats_own_table_comes_back(self, ending: str, data: st.DataObject) -> None:
        counting = {"status": "valid", "phase": "evaluation", "na": False}
        row = {
            column.name: st.just(counting[column.name])
            if column.name in counting
            else filled(column)
            for column in JUDGMENTS.columns
        }
        # names of spaces are refused, and items of several systems become item + system
        named = st.sampled_from(["a", "B", "007", "ひらがな", "|", '"', " x "])
        row |= {"judge": named, "item": named, "system": st.just("S")}
        drawn = data.draw(st.lists(st.fixed_dictionaries(row), min_size=1, max_size=3))
        frame = pl.DataFrame(drawn, schema=JUDGMENTS.schema)
        found = Judgments(read_table(File(f"t.{ending}", write_table(frame, ending)))).frame
        assert found.equals(frame)


class TestTimes:
    def test_seconds_come_of_the_times(self) -> None:
        text = "item,value,start,end\nx,1,1710826648.561,2024-03-19T05:37:30Z\n"
        found = judgments(text, columns="shown_at=start,decided_at=end")
        shown = datetime(2024, 3, 19, 5, 37, 28, 561000, tzinfo=UTC)
        assert told(found, "shown_at", "seconds") == [(shown, 1.439)]

    def test_seconds_of_the_file_win(self) -> None:
        text = "item,value,shown_at,decided_at,seconds\nx,1,10,20,3\n"
        assert told(judgments(text), "seconds") == [(3.0,)]

    def test_frames_that_were_read_from_no_file(self) -> None:
        frame = pl.DataFrame({"item": ["x"], "value": [1], "shown_at": [1], "decided_at": [4.5]})
        assert Judgments(frame).frame["seconds"].to_list() == [3.5]

    def test_wrong_times_are_named(self) -> None:
        text = "item,value,shown_at,decided_at\nx,1,noon,20\n"
        assert "1.csv:2, field shown_at: 'noon' is not a time (ISO 8601 or Unix" in refused(text)


class TestWide:
    def test_questions(self) -> None:
        found = judgments(
            WIDE, questions=("adequacy", "fluency"), columns="judge=rater,segment=seg"
        )
        assert told(found, "judge", "item", "question", "value") == [
            ("x", "1", "adequacy", 4.0),
            ("y", "1", "adequacy", 2.0),
            ("x", "1", "fluency", 5.0),
        ]

    def test_systems(self) -> None:
        found = judgments(WIDE, systems=("E1", "E2"), columns="judge=rater,document=seg")
        assert told(found, "judge", "item", "system", "question", "value", "na") == [
            ("x", "1|E1", "E1", "score", 0.5, False),
            ("y", "1|E1", "E1", "score", 0.4, False),
            ("x", "1|E2", "E2", "score", 0.7, False),
            ("y", "1|E2", "E2", "score", None, True),
        ]

    def test_columns_that_are_not_there(self) -> None:
        assert "unknown column in the file 'adequaci'" in refused(WIDE, questions=("adequaci",))
        assert "did you mean 'E1'?" in refused(WIDE, systems=("E11",))

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"questions": ("a",), "systems": ("b",)}, "--questions and --systems cannot be used"),
            ({"questions": ("a",), "sum": "b"}, "--questions and --sum cannot be used together"),
            ({"systems": ("a",), "sum": "b"}, "--systems and --sum cannot be used together"),
            ({"questions": ("a", "a")}, "--questions names 'a' twice"),
            ({"by": ("a", "b", "a")}, "--by names 'a' twice"),
            ({"questions": ("E1",), "columns": "value=E2"}, "--questions and value=… in --columns"),
            ({"systems": ("E1",), "columns": "system=seg"}, "--systems and system=… in --columns"),
            ({"sum": "E1", "columns": "value=E2"}, "--sum and value=… in --columns"),
        ],
    )
    def test_what_cannot_be_used_together(self, options: dict[str, str], message: str) -> None:
        assert message in refused(WIDE, **options)


class TestSum:
    def found(self, *texts: str, **options: object) -> dict[object, object]:
        made = judgments(*(texts or (ERRORS,)), columns=MQM, sum="weight", **options)  # type: ignore[arg-type]
        return dict(zip(made.frame["item"], made.frame["value"], strict=True))

    def test_rows_are_added_up_per_judge_and_item(self) -> None:
        found = judgments(ERRORS, columns=MQM, sum="weight")
        assert told(found, "judge", "item", "question", "value") == [
            ("j", "d|1|A", "weight", 6.0),
            ("j", "d|1|B", "weight", 1.0),
            ("j", "d|2|A", "weight", 0.0),
            ("j", "d|2|B", "weight", 0.1),
            ("k", "e|1|A", "weight", 5.0),
        ]

    def test_no_row_is_zero_also_after_where(self) -> None:
        assert self.found(where="severity == 'major'") == {
            "d|1|A": 5.0,
            "d|1|B": 0.0,
            "d|2|A": 0.0,
            "d|2|B": 0.0,
            "e|1|A": 5.0,
        }

    @pytest.mark.parametrize("where", ["system != 'B'", "'B' != system", "system == 'A'"])
    def test_where_that_speaks_of_what_was_judged_leaves_it_out(self, where: str) -> None:
        assert self.found(where=where) == {"d|1|A": 6.0, "d|2|A": 0.0, "e|1|A": 5.0}

    def test_by_the_files_name_too(self) -> None:
        assert self.found(where="rater == 'k'") == {"e|1|A": 5.0}
        assert self.found(where="seg == 2 and severity == 'major'") == {"d|2|A": 0, "d|2|B": 0}

    def test_both_kinds_of_conditions(self) -> None:
        assert self.found(where="system == 'A' and severity == 'major'") == {
            "d|1|A": 5.0,
            "d|2|A": 0.0,
            "e|1|A": 5.0,
        }

    def test_or_between_the_two_kinds_chooses_errors(self) -> None:
        assert self.found(where="system == 'A' or severity == 'major'")["d|2|B"] == 0.0

    def test_one_error_an_item_does_not_make_errors_items(self) -> None:
        single = "\n".join(ERRORS.splitlines()[:2] + ERRORS.splitlines()[3:]) + "\n"
        assert self.found(single, where="severity == 'major'")["d|1|B"] == 0.0

    def test_with_items(self) -> None:
        listed = "seg,system\n1,A\n2,A\n"
        found = judgments(ERRORS, columns=MQM, sum="weight", items=listed, where="weight >= 5")
        assert told(found, "item", "value") == [("d|1|A", 5.0), ("d|2|A", 0.0), ("e|1|A", 5.0)]

    def test_without_judges(self) -> None:
        found = judgments(ERRORS, columns=MQM, sum="weight", exclude=("k",))
        assert found.frame["judge"].unique().to_list() == ["j"]

    def test_what_was_judged_and_does_not_count(self) -> None:
        text = "judge,item,weight,status\na,x,5,superseded\na,x,1,valid\nb,y,2,excluded\n"
        found = judgments(text, sum="weight")
        assert told(found, "judge", "item", "value") == [("a", "x", 1.0)]

    def test_tags_of_single_errors_go(self) -> None:
        found = judgments(ERRORS, columns=MQM, sum="weight")
        assert "severity" not in found.frame.columns
        message = refused(ERRORS, columns=MQM, sum="weight", by=("severity",))
        assert "--by needs a column 'severity'" in message

    def test_words_are_no_weights(self) -> None:
        assert "2.csv:2, field value: 'heavy' is a word among" in refused(
            ERRORS, ERRORS.splitlines()[0] + "\nj,d,1,A,major,heavy\n", columns=MQM, sum="weight"
        )

    def test_the_value_may_be_mapped_to_the_same_column(self) -> None:
        found = judgments(ERRORS, columns=f"{MQM},value=weight", sum="weight")
        assert found.frame.height == 5

    def test_nothing_left(self) -> None:
        assert self.found(where="system == 'Z'") == {}


class TestItems:
    def test_by_the_files_columns(self) -> None:
        found = judgments(LONG, items="segment,system\n1,A\n")
        assert told(found, "judge", "item") == [("1", "d1|1|A"), ("2", "d1|1|A")]

    def test_by_jurats_columns(self) -> None:
        text = "rater,seg,score\na,1,5\na,2,4\n"
        found = judgments(text, columns="judge=rater,segment=seg,value=score", items="segment\n2\n")
        assert told(found, "item") == [("2",)]
        assert judgments(LONG, items="item\nd1|2|A\n").frame.height == 1

    def test_the_files_name_goes_first(self) -> None:
        text = "item,system,score\nx,A,1\nx,B,2\n"
        found = judgments(text, columns="item=item+system,value=score", items="item,system\nx,B\n")
        assert told(found, "item") == [("x|B",)]

    def test_listed_twice_is_listed_once(self) -> None:
        assert judgments(LONG, items="segment\n2\n2\n").frame.height == 1

    def test_numbers_and_texts_agree(self) -> None:
        items = pl.DataFrame({"segment": [2.0]})
        assert Judgments(table(LONG), items=items).frame.height == 1

    def test_a_list_with_a_column_called_listed(self) -> None:
        text = "item,listed,value\nx,1,5\ny,2,4\n"
        assert told(judgments(text, items="listed\n2\n"), "item") == [("y",)]

    def test_an_empty_list(self) -> None:
        items = pl.DataFrame({"segment": []}, schema={"segment": pl.String})
        with pytest.raises(InputError, match="the list of items is empty"):
            Judgments(table(LONG), items=items)

    def test_how_many_of_the_list_are_there(self) -> None:
        some = judgments(LONG, items="segment\n2\n77\n")
        assert some.notes[0] == "--items: 1 of 2 listed found in the table, by segment"

    def test_none_of_the_list_is_there(self) -> None:
        message = refused(LONG, items="segment\n77\n")
        assert message == "--items: none of 1 listed found in the table, by segment"

    def test_columns_that_are_not_there(self) -> None:
        message = refused(LONG, items="segmnt\n1\n")
        assert "unknown column of the list of items 'segmnt'" in message
        assert "did you mean 'segment'?" in message

    def test_a_list_without_columns(self) -> None:
        with pytest.raises(InputError, match="the list of items is empty"):
            Judgments(table(LONG), items=read_table(File("i.jsonl", b"")))

    def test_the_signature_tells(self) -> None:
        found = judgments(LONG, items="segment\n2\n3\n3\n")
        assert found.signature() == {"judges": "1", "items": "1", "listed": "2"}


class TestWhere:
    def test_by_the_files_or_jurats_names(self) -> None:
        text = "rater,score,item\na,1,x\nb,2,y\n"
        for where in ("rater == 'b'", 'judge == "b"', "score > 1", "value > 1", "item == 'y'"):
            found = judgments(text, columns="judge=rater,value=score", where=where)
            assert told(found, "judge") == [("b",)]

    def test_questions_can_be_chosen(self) -> None:
        found = judgments(
            WIDE,
            questions=("adequacy", "fluency"),
            columns="judge=rater,segment=seg",
            where="question == 'fluency'",
        )
        assert told(found, "value") == [(5.0,)]

    def test_na_and_labels_can_be_chosen(self) -> None:
        text = "item,value\nx,1\ny,NA\n"
        assert told(judgments(text, where="not na"), "item") == [("x",)]
        assert told(judgments(text, where="label == 'n/a'"), "item") == [("y",)]

    def test_no_rows_left(self) -> None:
        found = judgments(LONG, where="judge == 9", fold="7to5", by=("genre",))
        assert found.frame.height == 0
        assert found.frame.schema["value"] == pl.Float64
        assert found.signature()["items"] == "0"

    def test_unknown_names(self) -> None:
        assert "did you mean 'genre'?" in refused(LONG, where="gnre == 'news'")


class TestStandardise:
    def test_all_rows_before_where_by_default(self) -> None:
        found = judgments(LONG, where="genre == 'talk'")
        assert found.frame.height == 1
        assert found.baseline.height == 4

    def test_also_with_a_list_of_items(self) -> None:
        found = judgments(LONG, items="segment\n2\n")
        assert (found.frame.height, found.baseline.height) == (1, 4)

    def test_rows_of_its_own(self) -> None:
        found = judgments(LONG, where="genre == 'talk'", standardise_where="system == 'A'")
        assert found.baseline.height == 3
        assert found.signature()["standardised-by"] == "system == 'A'"

    def test_fold_and_exclusion_hold_there_too(self) -> None:
        found = judgments(LONG, where="segment == 2", exclude=("1",), fold="5=1,4=2,3=3,1=9")
        assert found.baseline["value"].to_list() == [2.0, 9.0]

    def test_it_is_the_frame_itself_when_nothing_is_chosen(self) -> None:
        found = judgments(LONG)
        assert found.baseline is found.frame


class TestExclude:
    def test_judges_go(self) -> None:
        found = judgments(LONG, exclude=("2",))
        assert found.frame["judge"].to_list() == ["1", "1"]
        assert found.signature()["excluded"] == "2"

    def test_who_is_not_in_the_file(self) -> None:
        assert "unknown judge '3'; allowed: 1, 2" in refused(LONG, exclude=("3",))

    def test_who_is_not_in_the_rows_chosen_is_fine(self) -> None:
        assert judgments(LONG, exclude=("1",), where="segment == 2").frame.height == 1

    def test_a_file_without_judges(self) -> None:
        text = "item,value\nx,1\n"
        assert "--exclude needs a column 'judge', which is missing" in refused(text, exclude=("1",))

    def test_judges_are_texts(self) -> None:
        frame = pl.DataFrame({"judge": [1, 2], "item": ["x", "y"], "value": [1, 2]})
        assert Judgments(frame, Intake(exclude=("1",))).frame["judge"].to_list() == ["2"]


class TestBy:
    def test_tags_and_columns(self) -> None:
        assert judgments(LONG, by=("genre", "system")).frame.height == 4

    def test_what_is_not_there(self) -> None:
        assert "--by needs a column 'gener'" in refused(LONG, by=("gener",))


class TestStatus:
    TEXT = (
        "judge,item,value,status,phase\n"
        "a,x,1,superseded,evaluation\na,x,2,valid,evaluation\na,y,3,adjudicated,\n"
        "b,x,4,excluded,\nb,z,5,,tutorial\n"
    )

    def test_what_does_not_count_is_left_out(self) -> None:
        assert told(judgments(self.TEXT), "value") == [(2.0,), (3.0,)]

    def test_the_tutorial_on_demand(self) -> None:
        found = judgments(self.TEXT, where="phase == 'tutorial'")
        assert told(found, "value") == [(5.0,)]

    def test_a_name_that_only_contains_the_word_is_no_demand(self) -> None:
        text = self.TEXT.replace("phase", "phase,phase2").replace("tutorial", "tutorial,1")
        text = text.replace("evaluation\n", "evaluation,1\n").replace("d,\n", "d,,1\n")
        assert told(judgments(text, where="phase2 == 1"), "value") == [(2.0,), (3.0,)]

    def test_statuses_that_are_all_missing(self) -> None:
        frame = pl.DataFrame({"item": ["x"], "value": [1], "status": [None], "phase": [None]})
        assert Judgments(frame).frame.height == 1


class TestFold:
    def test_after_the_rows_are_chosen(self) -> None:
        text = "item,type,value\nx,TGT,7\ny,BAD,99\n"
        assert told(judgments(text, where="type == 'TGT'", fold="7to5"), "value") == [(5.0,)]

    def test_the_same_value_always_folds_alike(self) -> None:
        text = "item,value\nx,0\ny,1\n"
        assert "no value for '0'" in refused(text, fold="1,2,3")
        assert told(judgments(text, where="value > 0", fold="1,2,3"), "value") == [(1.0,)]

    def test_letters(self) -> None:
        found = judgments("item,value\nx,A\ny,C\nz,NA\n", fold="A=3,B=2,C=1")
        assert told(found, "value", "label") == [(3.0, "A"), (1.0, "C"), (None, "n/a")]


def test_a_table_of_jurats_own_is_taken_as_it_is() -> None:
    whole = judgments(WIDE, columns="judge=rater,segment=seg", questions=("adequacy", "fluency"))
    for where in ("", "question == 'fluency'"):
        own = OwnJudgments(whole.frame, where=where)
        read = Judgments(whole.frame, Intake(where=where))
        assert own.frame.equals(read.frame)
        assert own.baseline.equals(read.baseline)
        assert own.signature() == read.signature()
        assert own.unfolded() is own
    with pytest.raises(InputError, match="unknown column"):
        _ = OwnJudgments(whole.frame, where="genre == 'news'").frame


def test_signature_tells_every_choice_that_changes_figures() -> None:
    intake = Intake(
        questions=("a", "b"),
        where="x > 1",
        standardise_where="y",
        exclude=("z", "j"),
        fold="7to5",
        by=("genre",),
    )
    assert intake.signature() == {
        "questions": "a+b",
        "where": "x > 1",
        "standardised-by": "y",
        "by": "genre",
        "excluded": "j+z",
        "fold": "7to5",
    }
    assert Intake(systems=("E1",)).signature() == {"systems": "E1"}
    assert Intake(sum="w").signature() == {"sum": "w"}


def test_a_hundred_thousand_rows_take_little_time_and_memory() -> None:
    # a million takes ten times as much: two to three seconds and less than a gigabyte
    many = pl.DataFrame(
        {
            "judge": [str(n % 50) for n in range(100_000)],
            "segment": [str(n) for n in range(100_000)],
            "value": [str(n % 7 + 1) for n in range(100_000)],
            "comment": ["well, fine"] * 100_000,
        }
    )
    data = write_table(many, "csv")
    before = resource.getrusage(resource.RUSAGE_SELF)
    found = judgments(data.decode(), fold="7to5", where="value > 1")
    after = resource.getrusage(resource.RUSAGE_SELF)
    assert found.frame.height == sum(n % 7 > 0 for n in range(100_000))
    assert after.ru_utime - before.ru_utime < 5
    assert after.ru_maxrss - before.ru_maxrss < 300_000  # kilobytes


class TestPublishedData:
    def read(self, path: Path) -> pl.DataFrame:
        return read_table(File(path.name, path.read_bytes()))

    def golden(self, folder: Path) -> dict[str, str]:
        with (folder / "golden.csv").open(encoding="utf-8", newline="") as file:
            return {row["id"]: row["recomputed"] for row in csv.DictReader(file)}

    def test_tradopad(self, shared: Path) -> None:
        columns = "judge=judge_id,item=item_position,value=rating,reference=condition"
        found = Judgments(self.read(shared / "tradopad/ratings.csv"), Intake(columns=columns))
        assert found.signature() == {"judges": "25", "items": "100"}
        assert found.frame.height == 25 * 100
        assert found.frame["question"].unique().to_list() == ["rating"]
        assert found.frame["value"].is_between(1, 5).all()

    def test_adequacy_and_fluency(self, shared: Path) -> None:
        questions = ("adequacy", "fluency", "believability")
        file = self.read(shared / "adequacy_fluency_faen/fa-en.csv")
        found = Judgments(file, Intake(questions=questions))
        adequacy = found.frame.filter(pl.col("question") == "adequacy")
        assert adequacy.select("judge", "item").n_unique() == 8924
        assert found.signature()["judges"] == "10"
        assert found.signature()["items"] == "1976"
        means = dict(adequacy.group_by("judge").agg(pl.col("value").mean()).iter_rows())
        assert means["J10"] == pytest.approx(44.255, abs=1e-3)
        assert means["J05"] == pytest.approx(85.201, abs=1e-3)

    def test_mqm_system_means(self, shared: Path) -> None:
        folder = shared / "mqm_ted_ende"
        intake = Intake(columns="judge=rater,document=doc,segment=seg_id", sum="weight")
        found = Judgments(self.read(folder / "errors_ende.tsv"), intake).frame
        assert found.height == 14 * 529
        for system, mean in found.group_by("system").agg(pl.col("value").mean()).iter_rows():
            expected = float(self.golden(folder)[f"ende-{system}"])
            assert mean == pytest.approx(expected, abs=5e-4)

    def test_mqm_major_errors_only_keep_all_segments(self, shared: Path) -> None:
        intake = Intake(
            columns="judge=rater,document=doc,segment=seg_id",
            sum="weight",
            where="severity == 'Major' and system != 'ref'",
        )
        table = self.read(shared / "mqm_ted_ende/errors_ende.tsv")
        found = Judgments(table, intake).frame
        assert found.height == 13 * 529
        major = table.filter((pl.col("severity") == "Major") & (pl.col("system") != "ref"))
        assert found["value"].sum() == major["weight"].cast(pl.Float64).sum()

    def test_esa(self, shared: Path) -> None:
        folder = shared / "esa_wmt23"
        columns = "item=item+system,value=score,shown_at=start,decided_at=end"
        items = self.read(folder / "items_743.csv")
        for name in ("ESA-1", "ESA-2", "ESA-IAA"):
            table = self.read(folder / f"{name}.csv")
            found = Judgments(table, Intake(columns=columns, where="type == 'TGT'"), items=items)
            assert found.signature()["items"] == found.signature()["listed"] == "743"
        chosen = Intake(columns=columns, where="in_2028 == 1")
        first = Judgments(self.read(folder / "ESA-1.csv"), chosen).frame
        assert first.height == 2028
        assert first["value"].mean() == pytest.approx(81.824, abs=5e-4)

    def test_wmt22_direct_assessment(self, shared: Path) -> None:
        folder = shared / "wmt22_da_lven"
        intake = Intake(columns="value=raw", where="type in ('SYSTEM', 'REPEAT')")
        found = Judgments(self.read(folder / "lv-en.csv"), intake)
        assert found.baseline.height == 5782
        assert found.baseline["judge"].n_unique() == 46
        golden = self.golden(folder)
        for system, rows in found.frame.group_by("system"):
            segments, judgments = map(int, golden[f"n-{system[0]}"].split("/"))
            assert (rows["segment"].n_unique(), rows.height) == (segments, judgments)

    def test_wmt22_calibration(self, shared: Path) -> None:
        columns = "item=system+docId+itemId,value=score,shown_at=timeStart,decided_at=timeEnd"
        for pair, judges, items in (("eng-ces", 27, 93), ("eng-hrv", 13, 100)):
            table = self.read(shared / f"wmt22_calibration/{pair}.csv")
            found = Judgments(table, Intake(columns=columns, where="level == 'segment'"))
            assert found.signature() == {
                "judges": str(judges),
                "items": str(items),
                "where": "level == 'segment'",
            }
            golden = self.golden(shared / "wmt22_calibration")
            median = found.frame["seconds"].median()
            assert median == pytest.approx(float(golden[f"{pair}-time"]), abs=1e-3)

    def test_repeats_of_wmt22_calibration_are_kept(self, shared: Path) -> None:
        intake = Intake(columns="item=system+docId+itemId,value=score", where="level == 'segment'")
        found = Judgments(self.read(shared / "wmt22_calibration/eng-ces.csv"), intake).frame
        assert found.height - found.select("judge", "item").n_unique() == 182

    def test_heval_features(self, shared: Path) -> None:
        folder = shared / "heval_tables"
        features = tuple(f"f{n}" for n in range(1, 12))
        intake = Intake(questions=features, columns="system=engine")
        found = Judgments(self.read(folder / "table13_features.csv"), intake).frame
        assert found.filter("na")["value"].null_count() == found["na"].sum() > 0
        first = found.filter((pl.col("system") == "E1") & (pl.col("judge") == "Human2"))
        applicable = first.filter(~pl.col("na"))["value"]
        assert applicable.sum() / (4 * len(applicable)) == pytest.approx(0.725)

    def test_heval_documents(self, shared: Path) -> None:
        intake = Intake(systems=("E1", "E2", "E3", "E4", "E5"), columns="document=doc")
        table = self.read(shared / "heval_tables/table14_documents.csv")
        found = Judgments(table, intake).frame
        assert found.height == 5 * 2 * 13
        assert conform(found, JUDGMENTS).equals(found)


class TestForeignColumns:
    """Columns that are called like Jurat's and mean something else."""

    @pytest.mark.parametrize(
        ("name", "cell"),
        [("status", "ok"), ("phase", "main"), ("position", "left")],
    )
    def test_are_no_reason_to_stop(self, name: str, cell: str) -> None:
        file = File("t.csv", f"judge,item,value,{name}\na,1,3,{cell}\nb,1,4,{cell}".encode())
        found = Judgments(read_tables([file]), Intake(where=f"{name} == '{cell}'")).frame
        assert found["value"].to_list() == [3.0, 4.0]
        assert name not in found.columns

    def test_a_single_cell_of_its_kind_makes_the_others_faults(self) -> None:
        file = File("t.csv", b"judge,item,value,position\na,1,3,left\nb,1,4,2")
        with pytest.raises(InputError, match="left"):
            _ = Judgments(read_tables([file])).frame

    def test_an_item_that_says_nothing_is_put_together(self) -> None:
        file = File("t.csv", b"judge,item,segment,system,value\na,,1,A,3\nb,,1,A,4")
        assert Judgments(read_tables([file])).frame["item"].to_list() == ["1|A", "1|A"]
