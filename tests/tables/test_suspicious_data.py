"""Suspicious data: named before the results, or refused with its line and a remedy."""

import json
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from jurat.tables.schema import FILE, LINE
from jurat.tables.suspicious_data import table_notes
from tests.cli.run_command import jurat

HEADING = "judge,item,value\n"
SOUND = "".join(f"j{j},i{i},{(i + j) % 5 + 1}\n" for i in range(4) for j in range(3))


def run(folder: Path, text: str | bytes, *more: str, name: str = "ratings.csv"):
    """What `jurat agreement` says of a file with this content."""
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return jurat("agreement", name, *more, "--bootstrap", "0", cwd=folder)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("10%", "has a percent sign; write the number without it"),
        ('"1,5"', "has a decimal comma; write it with a point"),
        ('"1,000"', "write thousands without a separator, and decimals with a point"),
        ("1.000.000", "has thousands separators"),
        ("1 000", "has thousands separators"),
        ("2024-01-03", "is a date, not a judgment; name the right column with --columns value=…"),
        ("03/01/2024", "is a date"),
        ("3-Jan", "is a date"),
        ("inf", "is infinite; leave missing answers empty"),
        ("-Infinity", "is infinite"),
        ("9007199254740993", "is too large for a judgment"),
        ("१", "is not written with 0 to 9"),
        ("−1", "is not written with 0 to 9, and - for minus"),
        ("$3", "has signs beside its number; write the number alone"),
        ("3 €", "has signs beside its number"),
        ("[3]", "has signs beside its number"),
        ("NULL", "leave missing answers empty, or write n/a"),
        ("-", "leave missing answers empty, or write n/a"),
        ("good", "'good' is a word among numbers"),
    ],
)
def test_an_answer_that_is_no_number_is_refused(tmp_path: Path, answer: str, words: str) -> None:
    ran = run(tmp_path, HEADING + SOUND + f"j0,i9,{answer}\n")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("jurat: ratings.csv:14, field value: ")
    assert words in ran.stderr


@pytest.mark.parametrize("answer", ["10%", "2024-01-03", "inf", '"1,5"', "१"])
def test_also_where_no_answer_is_a_number(tmp_path: Path, answer: str) -> None:
    ran = run(tmp_path, HEADING + f"j0,i0,{answer}\nj1,i0,{answer}\n")
    assert ran.returncode == 2
    assert "ratings.csv:2, field value" in ran.stderr


def test_a_table_without_any_answer_is_refused(tmp_path: Path) -> None:
    ran = run(tmp_path, HEADING + "j0,i0,\nj1,i0,nan\n")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "no row has an answer: all 2 are empty or nan" in ran.stderr


def test_rankings_without_ranks_are_refused(tmp_path: Path) -> None:
    (tmp_path / "ranks.csv").write_text("judge,item,output1,rank1,output2,rank2\na,1,X,1,Y,\n")
    ran = jurat("systems", "ranks.csv", cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "no row compares two systems" in ran.stderr


def test_a_file_whose_rows_all_lack_answers_is_named(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("judge,item,fluency\na,1,3\n")
    ran = run(tmp_path, HEADING + SOUND, "b.csv")
    assert "1 row of 13 has no answer (empty or nan) and is left out, all of b.csv" in ran.stderr


def test_judges_that_no_row_names_are_not_taken_for_one(tmp_path: Path) -> None:
    ran = run(tmp_path, HEADING + ",i0,3\n,i0,4\n", "--statistic", "intra-agreement")
    assert ran.stderr == "note: the column judge is empty: who judged is not known\n"
    assert "intra-agreement\n" not in ran.stdout


def test_an_empty_column_of_sentences_is_said(tmp_path: Path) -> None:
    ran = run(tmp_path, "judge,segment,system,value\na,,X,3\nb,,X,3\n")
    assert "note: the column segment is empty: which sentence was judged is not known" in ran.stderr


@pytest.mark.parametrize("mark", ["\ufeff", "\ufeff\ufeff", "\u200b", "\u00a0"])
def test_what_nobody_sees_is_no_part_of_a_name(tmp_path: Path, mark: str) -> None:
    sound, marked = (run(tmp_path, before + HEADING + SOUND) for before in ("", mark))
    assert (marked.stdout, marked.stderr) == (sound.stdout, "")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_its_mark_is_read(tmp_path: Path, encoding: str) -> None:
    ran = run(tmp_path, (HEADING + SOUND).encode(encoding))
    assert ran.stderr == "note: ratings.csv is not in UTF-8; it is read as UTF-16\n"
    assert ran.returncode == 0


def test_json_under_the_name_of_csv_is_told(tmp_path: Path) -> None:
    ran = run(tmp_path, json.dumps([{"judge": "a", "item": 1, "value": 3}]))
    assert ran.stderr == "jurat: ratings.csv: this is JSON, not CSV; name it .json or .jsonl\n"


def test_an_object_of_columns_is_told_how_to_write_rows(tmp_path: Path) -> None:
    ran = run(tmp_path, '{"judge": {"0": "a"}, "value": {"0": 3}}', name="ratings.json")
    assert 'orient="records"' in ran.stderr


def test_words_may_be_the_answers(tmp_path: Path) -> None:
    ran = run(tmp_path, HEADING + "j0,i0,none\nj1,i0,missing\nj0,i1,none\nj1,i1,none\n")
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEADING, "jurat: ratings.csv: the table has a heading but no rows"),
        (HEADING.strip(), "jurat: ratings.csv: the table has a heading but no rows"),
        ("", "ratings.csv: the file is empty"),
        (HEADING + SOUND + "j0,i9\n", "ratings.csv:14: 2 fields where the heading has 3"),
        (HEADING + SOUND + "j0,i9,1,5\n", "put a field that contains ',' in quotes"),
        (HEADING + SOUND + ",i9,1\n", "ratings.csv:14, field judge: the row does not say who"),
        (HEADING + SOUND + "  ,i9,1\n", "ratings.csv:14, field judge: the row does not say who"),
        (HEADING + SOUND + "j0,,1\n", "ratings.csv:14, field item: the row does not say what"),
        (HEADING + SOUND + "j0, ,1\n", "ratings.csv:14, field item: the row does not say what"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused(tmp_path: Path, text, words: str) -> None:
    ran = run(tmp_path, text)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert words in ran.stderr


def test_the_remedy_for_rows_without_a_judge_works(tmp_path: Path) -> None:
    ran = run(tmp_path, HEADING + SOUND + ",i9,1\n", "--where", "judge != None")
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (SOUND, "12 rows of 24 repeat an earlier row in every column (first: ratings.csv:14)"),
        ("j0,i0,1\n", "1 row of 13 repeats an earlier row in every column (first: ratings.csv:14)"),
        ("J0,i9,1\n", "'J0' and 'j0' in the column judge are taken as different"),
        ("j0 ,i9,1\n", "'j0' and 'j0 ' in the column judge are taken as different"),
        (
            "j0,i9,99\n",
            "99 is far from the other answers to 'value', 1 to 5 (first: ratings.csv:14)",
        ),
        ("j0,i9,-9\n", "-9 is far from the other answers to 'value', 1 to 5"),
        ("j0,i9,-1\n", "-1 is outside the other answers to 'value', 1 to 5"),
        # so many that they are no slips, but the code of a missing answer
        (
            "".join(f"j{n},i{n},999\n" for n in range(3, 9)),
            "999 is far from the other answers to 'value', 1 to 5",
        ),
        (
            "".join(f"j{n},i{n},-1\n" for n in range(3, 9)),
            "-1 is outside the other answers to 'value', 1 to 5",
        ),
        ("\u200bj0,i9,1\n", "'j0' and '\\u200bj0' in the column judge are taken as different"),
        ("j0,1,1\nj1,1.0,1\n", "'1' and '1.0' in the column item are taken as different"),
        ("j0,i9,nan\n", "1 row of 13 has no answer (empty or nan) and is left out"),
    ],
)
def test_suspicious_rows_are_named(tmp_path: Path, rows: str, words: str) -> None:
    ran = run(tmp_path, HEADING + SOUND + rows, "--json")
    assert ran.returncode == 0
    assert ran.stderr.startswith(f"note: {words}")
    assert ran.stderr.count("\n") == 1
    (note,) = json.loads(ran.stdout)["notes"]
    assert note.startswith(words)


def test_it_is_said_that_a_condition_leaves_nothing(tmp_path: Path) -> None:
    ran = run(tmp_path, HEADING + SOUND, "--where", "judge == 'j7'")
    assert (ran.returncode, ran.stderr) == (0, "note: no row meets the condition judge == 'j7'\n")


def test_a_file_that_shares_no_column_with_the_others_is_named(tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("rater,note\nx,1\n")
    ran = run(tmp_path, HEADING + SOUND, "other.csv")
    assert "note: other.csv has none of the columns of ratings.csv, but note, rater\n" in ran.stderr


def test_an_error_comes_with_what_was_guessed(tmp_path: Path) -> None:
    ran = run(tmp_path, "rater,seg_id,score\na,1,2\nb,1,3\n", "--where", "scor > 1")
    error, note = ran.stderr.splitlines()
    assert error.startswith("jurat: unknown column in the expression 'scor'")
    assert note.strip().startswith("note: columns are guessed from their names: --columns judge=")


def test_nan_of_python_is_a_missing_answer(tmp_path: Path) -> None:
    rows = [{"judge": j, "item": i, "value": i + len(j)} for i in range(2) for j in "ab"]
    rows[3]["value"] = math.nan
    for name, text in (
        ("r.json", json.dumps(rows)),
        ("r.jsonl", "\n".join(map(json.dumps, rows))),
    ):
        ran = run(tmp_path, text, name=name)
        assert ran.returncode == 0
        assert ran.stderr == "note: 1 row of 4 has no answer (empty or nan) and is left out\n"


def test_sound_data_has_no_notes(tmp_path: Path) -> None:
    for text in (SOUND, SOUND + "j0,i9,0\nj1,i9,0\n", "\ufeff" + SOUND):
        start = "\ufeff" if text.startswith("\ufeff") else ""
        ran = run(tmp_path, start + HEADING + text.removeprefix("\ufeff"), "--json")
        assert (ran.returncode, ran.stderr) == (0, "")
        assert json.loads(ran.stdout)["notes"] == []


def test_a_column_that_tells_items_apart_is_named(tmp_path: Path) -> None:
    heading = "judge,item,value,lp\n"
    rows = "".join(
        f"j{j},i{i},{(i * j + len(lp)) % 5},{lp}\n"
        for lp in ("en-de", "en-yue")
        for i in range(4)
        for j in range(3)
    )
    said = "24 answers of judges to the same item differ in the column lp (first: ratings.csv:2)"
    assert said in run(tmp_path, heading + rows).stderr
    for told in (["--by", "lp"], ["--columns", "item=lp+item,value=value"]):
        assert "differ in the column" not in run(tmp_path, heading + rows, *told).stderr
    # a second answer in the same language pair is a repeat
    assert run(tmp_path, heading + "j0,i0,1,en-de\nj0,i0,2,en-de\nj1,i0,1,en-yue\n").stderr == ""


def test_answers_about_sentences_that_no_column_names_are_noticed(tmp_path: Path) -> None:
    cells = [(j, d, s, n) for j in range(3) for d in range(3) for s in "ab" for n in range(3)]
    rows = "".join(f"j{j},d{d},{s},{n},{(j + d * n) % 4}\n" for j, d, s, n in cells)
    assert run(tmp_path, f"judge,document,system,segment,value\n{rows}").stderr == ""
    rows = "".join(f"j{j},d{d},{s},{(j + d * n) % 4}\n" for j, d, s, n in cells)
    forgotten = run(tmp_path, f"judge,document,system,value\n{rows}").stderr
    assert "36 answers of 54 are further ones of a judge about the same document" in forgotten
    # one answer to most documents, and a few of them repeated
    once = "".join(f"j{j},d{d},{s},{(j + d) % 4}\n" for j, d, s, n in cells if n == 0 or d == 2)
    assert "further ones" not in run(tmp_path, f"judge,document,system,value\n{once}").stderr


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        ([20, 30, -5], "1 row has seconds below 0 (first: ratings.csv:4)"),
        ([20_000, 9_000, 30_000], "half of the decisions took 20,000 seconds or more"),
    ],
)
def test_odd_times_are_named(tmp_path: Path, seconds: list[int], words: str) -> None:
    rows = "".join(f"j{n},i0,{n},{time}\n" for n, time in enumerate(seconds))
    assert f"note: {words}" in run(tmp_path, "judge,item,value,seconds\n" + rows).stderr


def test_an_answer_given_twice_at_another_time_is_no_copy(tmp_path: Path) -> None:
    timed = "judge,item,value,position\nj0,i0,1,1\nj1,i0,1,1\nj0,i0,1,2\n"
    assert run(tmp_path, timed).stderr == ""


def test_the_same_file_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "again.csv").write_text(HEADING + SOUND)
    ran = run(tmp_path, HEADING + SOUND, "again.csv")
    assert ran.returncode == 2
    assert "again.csv: the file has the same content as ratings.csv; give it once" in ran.stderr


def test_ids_beyond_64_bits_stay_exact(tmp_path: Path) -> None:
    rows = [
        {"judge": 2**70 + j, "item": "a", "value": j, "note": None if j else "x"} for j in range(3)
    ]
    lines = "\n".join(map(json.dumps, [*rows, {"judge": "z", "item": "a", "value": 1}]))
    ran = run(tmp_path, lines, "--json", name="ratings.jsonl")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "judges:4" in ran.stdout


def test_preferences_have_notes_too(tmp_path: Path) -> None:
    text = "judge,item,better,worse\nj,1,A,B\nk,1,A,B\nk,1,A,B\n"
    (tmp_path / "pairs.csv").write_text(text)
    ran = jurat("preferences", "pairs.csv", "--bootstrap", "0", cwd=tmp_path)
    assert ran.returncode == 0
    assert (
        "note: 1 row of 3 repeats an earlier row in every column (first: pairs.csv:4)" in ran.stderr
    )


def test_a_second_file_may_have_no_judges(tmp_path: Path) -> None:
    (tmp_path / "metric.csv").write_text("item,value\ni0,3\ni1,2\n")
    ran = run(tmp_path, HEADING + SOUND, "metric.csv")
    assert ran.returncode == 0
    assert ran.stderr == "note: 2 rows name no judge (first: metric.csv:2)\n"


def test_answers_without_a_place_that_others_have_are_named() -> None:
    """Of questions about whole documents no answer has a segment, which is no exception."""
    whole = pl.DataFrame({"question": "whole", "document": ["d", "e"], "segment": None})
    part = pl.DataFrame(
        {"question": "part", "document": ["d", "d", None], "segment": ["1", None, "1"]}
    )
    frame = pl.concat([whole, part], how="vertical_relaxed")
    places = pl.DataFrame({FILE: "a.csv", LINE: range(2, 7)})
    assert [*table_notes(frame, places, np.arange(5, dtype=np.uint64))] == [
        "1 row names no document (first: a.csv:6)",
        "1 row names no segment (first: a.csv:5)",
    ]
