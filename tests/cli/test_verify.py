"""`jurat verify`: an analysis is repeated, and whatever differs is named."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.run_command import jurat
from tests.cli.test_signatures import RATINGS, write

QUICK = ("--bootstrap", "0", "--json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Ratings, and the results of `jurat agreement` on them."""
    write(tmp_path / "ratings.csv", RATINGS)
    record(tmp_path, "agreement", "ratings.csv")
    return tmp_path


def record(folder: Path, *arguments: str) -> dict[str, Any]:
    """Write the JSON output of a command to results.json."""
    ran = jurat(*arguments, *QUICK, cwd=folder)
    assert ran.returncode == 0, ran.stderr
    (folder / "results.json").write_text(ran.stdout)
    made: dict[str, Any] = json.loads(ran.stdout)
    return made


def verify(folder: Path, *files: str):
    """What `jurat verify` says of results.json."""
    return jurat("verify", "results.json", *files, cwd=folder)


def test_the_same_file(folder: Path) -> None:
    ran = verify(folder, "ratings.csv")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("All ")
    assert ran.stdout.endswith(" numbers are the same.\n")


def test_the_same_rows_in_another_format(folder: Path) -> None:
    # a column of times, or the order of rows would tell who answered first
    write(folder / "ratings.csv", [(*row, n) for n, row in enumerate(RATINGS, 1)], TIMED)
    record(folder, "agreement", "ratings.csv")
    write(folder / "other.csv", [(*row, n) for n, row in enumerate(RATINGS, 1)][::-1], TIMED)
    ran = verify(folder, "other.csv")
    assert ran.returncode == 0, ran.stdout
    assert ran.stdout.startswith("The files differ, but only in the order of their rows.\nAll ")


TIMED = "judge,document,segment,system,value,group,position"


def test_a_changed_rating(folder: Path) -> None:
    first = (*RATINGS[0][:4], 5 if RATINGS[0][4] < 5 else 1, RATINGS[0][5])
    write(folder / "ratings.csv", [first, *RATINGS[1:]])
    ran = verify(folder, "ratings.csv")
    assert ran.returncode == 1
    assert ran.stdout.startswith("The data differ.\n")
    assert "n-agreement" in ran.stdout
    told = json.loads(jurat("verify", "results.json", "ratings.csv", "--json", cwd=folder).stdout)
    assert not told["equal"]
    assert {"name", "of", "number", "recorded", "now"} == set(told["differences"][0])


def test_a_changed_number(folder: Path) -> None:
    results = json.loads((folder / "results.json").read_text())
    row = next(r for r in results["results"] if r["name"] == "fleiss-kappa")
    row["value"] += 0.001
    (folder / "results.json").write_text(json.dumps(results))
    ran = verify(folder, "ratings.csv")
    assert ran.returncode == 1
    assert ran.stdout.startswith("1 number differs, of ")
    assert "fleiss-kappa" in ran.stdout


def test_another_version_and_another_default(folder: Path) -> None:
    text = (folder / "results.json").read_text().replace('"version": "', '"version": "9')
    (folder / "results.json").write_text(text.replace("|judges:4", "|judges:4|fold:7to5"))
    ran = verify(folder, "ratings.csv")
    assert ran.returncode == 0
    assert ran.stdout.startswith("Recorded with Jurat 9")
    assert "The signatures differ in fold.\n" in ran.stdout


def test_the_record_names_no_folders(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "list.csv").write_text("document\nd0\nd1\n")
    paths = (str(folder / "ratings.csv"), "--items", str(folder / "sub" / "list.csv"))
    analysis = record(folder, "agreement", *paths, "--by", "system")["analysis"]
    assert analysis["arguments"] == ["ratings.csv"]
    assert analysis["options"] == {"items": "list.csv", "by": "system", "bootstrap": "0"}
    assert {file["name"] for file in analysis["files"]} == {"ratings.csv", "list.csv"}
    assert str(folder) not in json.dumps(analysis)
    # found by their content, in whatever order they are given
    assert verify(folder, "sub/list.csv", "ratings.csv").returncode == 0


def test_files_of_the_same_name(folder: Path) -> None:
    for name, rows in (("a", RATINGS[::2]), ("b", RATINGS[1::2])):
        (folder / name).mkdir()
        write(folder / name / "r.csv", rows)
    analysis = record(folder, "agreement", "a/r.csv", "b/r.csv")["analysis"]
    assert [file["name"] for file in analysis["files"]] == ["a/r.csv", "b/r.csv"]
    assert verify(folder, "b/r.csv", "a/r.csv").returncode == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("systems", "ratings.csv", "--only", "A,B", "--lower-better"),
        ("bias", "ratings.csv", "--group", "group", "--source", "refA"),
        ("time", "timed.csv", "--estimated", "30"),
        ("metaeval", "ratings.csv", "scores.csv", "--where", "judge != 'j0'"),
        ("score", "--reference", "ref.txt", "A=out.txt", "--metric", "chrf"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_every_kind_of_analysis(folder: Path, arguments: tuple[str, ...]) -> None:
    write(
        folder / "timed.csv", [(*row, 9) for row in RATINGS], TIMED.replace("position", "seconds")
    )
    pairs = dict.fromkeys((row[1], row[2], row[3]) for row in RATINGS)
    scores = [(*place, n % 5) for n, place in enumerate(pairs)]
    write(folder / "scores.csv", scores, "document,segment,system,METRIC")
    (folder / "ref.txt").write_text("the cat sat\non the mat\n")
    (folder / "out.txt").write_text("a cat sat\non a mat\n")
    files = [file["name"] for file in record(folder, *arguments)["analysis"]["files"]]
    ran = verify(folder, *files)
    assert (ran.returncode, ran.stdout[:4]) == (0, "All "), ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no JSON", "this is no JSON output of an analysis"),
        ('{"results": []}', "this is no JSON output of an analysis"),
    ],
)
def test_other_files_are_refused(folder: Path, text: str, words: str) -> None:
    (folder / "results.json").write_text(text)
    ran = verify(folder, "ratings.csv")
    assert ran.returncode == 2
    assert words in ran.stderr


def test_missing_files_are_named(folder: Path) -> None:
    ran = verify(folder)
    assert ran.returncode == 2
    assert ran.stderr == "jurat: the analysis read 1 file: ratings.csv\n"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"command": "serve"}, "'serve' is no analysis that can be repeated"),
        ({"options": {"nonsense": "1"}}, "the analysis has an unknown option '--nonsense'"),
        ({"options": {"store": "x.db"}}, "the analysis has an unknown option '--store'"),
        ({"options": {"seed": "one"}}, "the analysis cannot be repeated"),
        ({"arguments": ["--campaign=x", "ratings.csv"]}, "there is no such file"),
    ],
)
def test_a_record_from_elsewhere_runs_nothing_else(
    folder: Path, change: dict[str, Any], words: str
) -> None:
    results = json.loads((folder / "results.json").read_text())
    results["analysis"] |= change
    (folder / "results.json").write_text(json.dumps(results))
    ran = verify(folder, "ratings.csv")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert words in ran.stderr
