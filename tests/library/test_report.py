"""`jurat.report` and `jurat.reproduce`."""

from pathlib import Path

import pytest

import jurat
from jurat import InputError
from tests.cli.run_command import jurat as run_command
from tests.cli.test_reproduce import SUN, folder

RATINGS = jurat.sample("ratings.csv")
COLUMNS = "judge=rater,document=doc,segment=seg,system=mt,value=adequacy,position=order"


def test_a_report_is_that_of_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # midnight may come between the two
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    found = jurat.report(RATINGS, columns=COLUMNS, bootstrap=0)
    # importing its parts does not put the package of that name in the function's place
    assert callable(jurat.report)
    assert found["system-score"].at(system="cedar").value is not None
    assert found.findings[0] in repr(found)
    found.save(tmp_path / "own.html")
    found.save(tmp_path / "own.json")
    command = ("report", str(RATINGS), "--columns", COLUMNS, "--bootstrap", "0")
    done = run_command(*command, "--out", str(tmp_path / "command.html"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "own.html").read_bytes() == (tmp_path / "command.html").read_bytes()
    assert b"report \xc2\xb7 2023-11-14" in (tmp_path / "own.html").read_bytes()


@pytest.mark.parametrize("wrong", ["yesterday", "9" * 30])
def test_the_date_of_a_report_is_seconds(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", wrong)
    with pytest.raises(InputError, match="SOURCE_DATE_EPOCH must be a number of seconds"):
        jurat.report(RATINGS, columns=COLUMNS, bootstrap=0)


def test_tables_and_what_a_paper_needs_are_files(tmp_path: Path) -> None:
    found = jurat.report(RATINGS, columns=COLUMNS, bootstrap=0, hide_systems=True, title="Try-out")
    found.save_tables(tmp_path / "tables")
    names = {file.name for file in (tmp_path / "tables").iterdir()}
    assert {"human-evaluation.txt", "systems-system-score.csv"} <= names
    assert "cedar" not in (tmp_path / "tables" / "systems-system-score.csv").read_text()
    with pytest.raises(InputError, match="unknown kind of file 'docx'"):
        found.save(tmp_path / "x.docx")


def test_a_study_is_recomputed(tmp_path: Path) -> None:
    bleu = "SUN-T2-BLEU,share of pairs,42.17,42.1671,0.005,published,Sun 2010\n"
    found = jurat.reproduce("sun2010", folder(tmp_path, SUN + bleu))
    assert found.summary.startswith("2 of 3 numbers come out")
    assert found.frame("pandas")["recomputed"][0] == "61.0197"
    assert found.apart == ("SUN-T2-BLEU",)
    with pytest.raises(InputError, match="did you mean 'sun2010'"):
        jurat.reproduce("sun2011", tmp_path)
