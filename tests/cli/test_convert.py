"""`jurat convert` of tables: silent mistakes are refused, and a long table stays what it is."""

import pytest

from tests.cli.run_command import jurat

COLUMNS = ("--columns", "judge=rater,document=doc,segment=seg")


def convert(folder, text, *options, name="in.csv", out="out.csv"):
    (folder / name).write_text(text)
    return jurat("convert", name, out, "--force", *options, cwd=folder)


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("rater,doc,seg,severity\na,d,1,major\n", (*COLUMNS, "--sum", "severity"), "'major'"),
        ('judge,item,value\na,1,"3,5"\nb,1,"4,5"\n', (), "decimal comma"),
        ("judge,document,segment,value\na,,,4\nb,d,1,5\n", (), "does not say what was judged"),
        ("segment,output1,rank1,output2,rank2\n1,A,1,B,0\n", ("--preferences",), "not a rank"),
        ("item,system_a,system_b,outcome\n1,A,A,a\n", ("--preferences",), "with itself"),
        ("system,BLEU\nA,3\n", ("--scores", "--where", "system == 'A'"), "--where cannot be used"),
        ("system,BLEU\nA,3\n", ("--scores", "--sum", "BLEU"), "--sum cannot be used"),
        ("judge,item,value\na,1,2\n", ("--metrics", "BLEU"), "--metrics needs --scores"),
        ("judge,item,value\na,1,2\n", ("--source", "x.txt"), "cannot be used with a table"),
        ("judge_id,mt,rating\na,1,2\n", (), "map its columns: --columns"),
    ],
)
def test_what_would_go_wrong_in_silence_is_refused(text, options, words, tmp_path):
    done = convert(tmp_path, text, *options)
    assert done.returncode == 2
    assert words in done.stderr
    assert not (tmp_path / "out.csv").exists()


def test_an_output_that_was_not_ranked_takes_no_part(tmp_path):
    text = "segment,output1,rank1,output2,rank2,output3,rank3\n1,A,1,B,-1,C,2\n"
    assert convert(tmp_path, text, "--preferences").returncode == 0
    (row,) = (tmp_path / "out.csv").read_text().splitlines()[1:]
    assert "A,C,a" in row


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("judge,item,better,worse\nj,1,b,a\n", ("--preferences",)),
        ("segment,output1,rank1,output2,rank2\n1,tie,1,a,2\n", ("--preferences",)),
        ("judge,item,system,value\nj,1,a,NA\nk,1,a,3\n", ()),
        ("segment,system,BLEU,chrF\n1,a,2,3\n", ("--scores",)),
    ],
)
def test_a_long_table_read_again_is_the_same(text, options, tmp_path):
    assert convert(tmp_path, text, *options).returncode == 0
    first = (tmp_path / "out.csv").read_text()
    assert convert(tmp_path, first, *options, name="again.csv").returncode == 0
    assert (tmp_path / "out.csv").read_text() == first


def test_all_missing_files_are_named(tmp_path):
    told = jurat("convert", "no1.csv", "no2.csv", "out.csv", cwd=tmp_path).stderr
    assert "no1.csv" in told
    assert "no2.csv" in told


def test_a_forgotten_output_is_named(tmp_path):
    (tmp_path / "r.csv").write_text("judge,value\na,1\n")
    done = jurat("convert", "r.csv", "--columns", "item=judge", cwd=tmp_path)
    assert done.returncode == 2
    assert "OUT" in done.stderr
