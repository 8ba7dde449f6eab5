"""What an analysis prints by default, and what `--statistic`, `--full` and files change."""

import json

import pytest

from jurat import sample
from jurat.cli._common.result_summary import Measure, Summary
from jurat.cli._common.summary_table import table
from jurat.results import Estimate, Result
from tests.cli.run_command import jurat

GENRES = {"news": (0, 0, 1, 0), "chat": (1, 0, 2, 2)}


@pytest.fixture
def folder(tmp_path):
    rows = ["judge,item,genre,value"]
    for genre, shifts in GENRES.items():
        for item in range(12):
            rows += [
                f"{judge},{genre}{item},{genre},{1 + (item * 5 + shift * item) % 5}"
                for judge, shift in zip("abcd", shifts, strict=True)
            ]
    (tmp_path / "ratings.csv").write_text("\n".join(rows))
    return tmp_path


def agreement(folder, *options):
    done = jurat("agreement", "ratings.csv", *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_only_the_named_statistic_is_computed_and_printed(folder):
    shown = agreement(folder, "--statistic", "fleiss-observed")
    assert shown.startswith("fleiss-observed\n")
    assert "fleiss-kappa\n" not in shown
    rows = json.loads(agreement(folder, "--statistic", "fleiss-observed,scott-pi", "--json"))
    assert [row["name"] for row in rows["results"]] == ["fleiss-observed", "scott-pi"]
    assert rows["analysis"]["options"] == {"statistic": "fleiss-observed,scott-pi"}


def test_json_has_every_number_without_it(folder):
    names = {row["name"] for row in json.loads(agreement(folder, "--json"))["results"]}
    assert {"fleiss-kappa", "item-spread", "answer-share", "left-out-kappa"} <= names


def test_full_prints_what_the_overview_leaves_out(folder):
    brief, full = agreement(folder), agreement(folder, "--full")
    assert "answer-share" not in brief
    assert "\nanswer-share\n" in full
    # a method stands once, at the end
    assert full.index("  answer-share: ") > full.index("\nspread-correlation\n")


def test_rows_of_one_statistic_are_complete_on_request(folder):
    named = ("--statistic", "cohen-kappa", "--by", "genre")
    assert "more rows: --statistic cohen-kappa --full" in agreement(folder, *named)
    assert "more rows" not in agreement(folder, *named, "--full")


@pytest.mark.parametrize(("room", "rows"), [(None, 20), (40, 20), (15, 13), (3, 10)])
def test_a_long_table_is_cut_to_the_screen(room, rows):
    means = [Estimate(value=float(n), n=1, by={"judge": f"j{n}"}) for n in range(30)]
    found = [Result(name="judge-mean", estimates=tuple(means), method="mean", signature="")]
    summary = Summary(
        statistics=(), headlines=(), rows=("judge",), measures=(Measure("mean", "judge-mean"),)
    )
    made = table(summary, found, (), width=80, room=room)
    assert made is not None
    assert len(made.rows) == rows
    assert made.footnotes == [f"… and {30 - rows} more rows: --full, --csv or --json"]
    # with one line for how many more there are
    assert room is None or room < 10 or rows + 1 <= room


def test_next_steps_take_a_line_each_also_in_a_narrow_terminal(folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "69")
    steps = agreement(folder).partition("\nNext: ")[2].partition("\nMore: ")[0].splitlines()
    assert "      --statistic item-spread  the items that judges disagree about" in steps
    assert len(steps) == 4


def test_sentences_speak_of_all_groups(folder):
    first, second = agreement(folder, "--by", "genre").splitlines()[:2]
    assert first.startswith("Alpha (interval): from ")
    assert "(genre chat)" in first + second
    assert "(genre news)" in first + second


def test_footnotes_are_of_numbers_that_are_shown():
    """Columns that do not fit are left out, and what was noted of their numbers with them."""
    told = {"judge": "rater", "document": "doc", "segment": "seg", "system": "mt"}
    columns = ",".join(f"{name}={own}" for name, own in (told | {"value": "adequacy"}).items())
    done = jurat("agreement", str(sample("ratings.csv")), "--columns", columns, "--by", "genre,mt")
    for mark in "¹²³⁴":
        assert done.stdout.count(mark) != 1, mark


@pytest.mark.parametrize(
    ("command", "name", "words"),
    [
        ("agreement", "fleis-kappa", "did you mean 'fleiss-kappa'?"),
        ("diagnose", "xyzzy", "--list names them all"),
        ("score", "metric-scor", "did you mean 'metric-score'?"),
    ],
)
def test_an_unknown_name_is_told_before_anything_is_read(command, name, words):
    done = jurat(command, "none.csv", "--statistic", name)
    assert done.returncode == 2
    assert words in done.stderr


def test_the_list_needs_no_file():
    shown = jurat("bias", "--list").stdout
    assert "group-mean" in shown
    assert "Do judges give other scores if they see another reference?" in shown


def test_methods_are_listed_and_checked(folder):
    assert "mixed, rasch" in jurat("diagnose", "--help").stdout
    done = jurat("agreement", "ratings.csv", "--method", "sampeld", cwd=folder)
    assert "did you mean 'sampled'?" in done.stderr


def test_an_option_prints_the_statistic_that_it_is_about(folder):
    assert "\nfold-agreement\n" in agreement(folder, "--fold", "1,1,2,3,3")


@pytest.mark.parametrize("ending", ["json", "csv", "tex", "md", "html"])
def test_results_are_written_by_the_ending(folder, ending):
    done = jurat("agreement", "ratings.csv", "--out", f"all.{ending}", cwd=folder)
    assert done.stderr == f"wrote all.{ending}\n"
    assert "answer-share" in (folder / f"all.{ending}").read_text()
    again = jurat("agreement", "ratings.csv", "--out", f"all.{ending}", cwd=folder)
    assert "--force overwrites it" in again.stderr


def test_a_figure_is_drawn(folder):
    jurat("agreement", "ratings.csv", "--figure", "alpha.svg", cwd=folder)
    assert (folder / "alpha.svg").read_text().startswith("<svg")
    done = jurat("agreement", "ratings.csv", "--figure", "alpha.doc", cwd=folder)
    assert "allowed: png, svg, pdf, html" in done.stderr


def test_commands_are_grouped():
    told = jurat("--help").stdout
    places = [
        told.index(f"{group}:") for group in ("Collect judgments", "Analyse judgments", "Keep")
    ]
    assert places == sorted(places)
    assert "Other:" not in told


def test_groups_are_tested_each_by_itself(folder):
    rows = ["judge,item,system,domain,value"]
    for n in range(48):
        rows += [f"{j},i{n},{s},{'abc'[n % 3]},{(n * 5 + k) % 4}" for k, (j, s) in enumerate(
            [("x", "A"), ("x", "B"), ("y", "A"), ("y", "B"), ("z", "A"), ("z", "B")])]  # fmt: skip
    (folder / "systems.csv").write_text("\n".join(rows))
    shown = jurat("systems", "systems.csv", "--by", "domain", cwd=folder).stdout
    assert "Tests are corrected within each of the 3 groups" in shown
    assert "Tests are corrected" not in jurat("systems", "systems.csv", cwd=folder).stdout
