"""The options that every analysis shares, on a command made for the test."""

import json

import click
import pytest
from click.testing import CliRunner

import jurat as library
from jurat.cli._common.analysis import analysing_options, intake_of
from tests.cli.run_command import jurat


@click.command()
@analysing_options
def analyse(**options: object) -> None:
    intake = intake_of(options)
    for name in ("columns", "questions", "systems", "sum", "where", "standardise_where", "by"):
        click.echo(f"{name}={getattr(intake, name)}")
    click.echo(f"exclude={intake.exclude} fold={intake.fold}")
    click.echo(" ".join(f"{n}={options[n]}" for n in ("seed", "bootstrap", "confidence")))


def run(*arguments: str) -> list[str]:
    done = CliRunner().invoke(analyse, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output.splitlines()


def test_nothing_given():
    told = run()
    assert told[0] == "columns="
    assert told[1:3] == ["questions=()", "systems=()"]
    assert told[-1] == "seed=1 bootstrap=1000 confidence=0.95"


@pytest.mark.parametrize(
    ("option", "value", "line"),
    [
        ("--columns", "judge=j", "columns=judge=j"),
        ("--questions", "adequacy, fluency", "questions=('adequacy', 'fluency')"),
        ("--systems", "E1,E2", "systems=('E1', 'E2')"),
        ("--sum", "weight", "sum=weight"),
        ("--where", "a == 1", "where=a == 1"),
        ("--standardise-where", "b < 2", "standardise_where=b < 2"),
        ("--by", "genre,system", "by=('genre', 'system')"),
    ],
)
def test_each_option_arrives(option, value, line):
    assert line in run(option, value)


def test_exclusions_and_fold():
    assert "exclude=('J1', 'J2') fold=7to5" in run("--exclude", "J1,J2", "--fold", "7to5")


@pytest.mark.parametrize("wrong", [["--confidence", "1"], ["--bootstrap", "-1"], ["--seed", "x"]])
def test_numbers_out_of_range_are_refused(wrong):
    assert CliRunner().invoke(analyse, wrong).exit_code == 2


def test_a_list_of_items_in_latin_1_is_read_and_said(tmp_path):
    rows = [f"{judge},{item},{n}" for n, item in enumerate("abc") for judge in ("Ana", "Eva")]
    answers = "\n".join(["judge,item,value", *rows, "Ana,é,5", "Eva,é,4"])
    (tmp_path / "answers.csv").write_text(answers, encoding="utf-8")
    (tmp_path / "items.csv").write_text("item\na\nb\né\n", encoding="latin-1")
    done = jurat(
        *("agreement", "answers.csv", "--items", "items.csv", "--statistic", "n-agreement"),
        *("--bootstrap", "0", "--json"),
        cwd=tmp_path,
    )
    assert "items.csv is not in UTF-8; it is read as Windows-1252 (Latin-1)" in done.stderr
    assert json.loads(done.stdout)["results"][0]["n"] == 3
    with pytest.warns(UserWarning, match=r"items\.csv is not in UTF-8"):
        found = library.agreement(
            tmp_path / "answers.csv", items=tmp_path / "items.csv", statistics="n-agreement"
        )
    assert found[0].estimates[0].n == 3
