"""`jurat diagnose` as users run it."""

import json

import pytest

from tests.cli.run_command import jurat
from tests.stats.judges.asking import crossed


@pytest.fixture
def table(tmp_path):
    lines = [",".join(map(str, row.values())) for row in crossed(judges=8, each=4)]
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(["rater,item,mt,rating", *lines]))
    return path


READ = ("--columns", "judge=rater,system=mt,value=rating")


def test_the_first_line_says_whom_to_look_at(table):
    done = jurat("diagnose", str(table), *READ, "--bootstrap", "50")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Look first at j")
    full = jurat("diagnose", str(table), *READ, "--bootstrap", "50", "--full")
    assert "Left out: judge-easy-share" in full.stdout


def test_an_exclusion_stands_in_every_signature(table):
    printed = jurat(
        "diagnose", str(table), *READ, "--exclude", "j1,j2", "--bootstrap", "0", "--json"
    )
    rows = json.loads(printed.stdout)["results"]
    assert all("|excluded:j1+j2|" in row["signature"] for row in rows)
    assert not any(row["by"].get("judge") in ("j1", "j2") for row in rows)


def test_options_arrive(table):
    options = ("--k", "2", "--easy", "item == 'i001'", "--top", "4", "--controls", "item == 'i002'")
    done = jurat("diagnose", str(table), *READ, *options, "--method", "rasch", "--json")
    rows = json.loads(done.stdout)["results"]
    named = {row["name"]: row for row in rows if row["value"] is not None}
    assert "2 SD" in named["judge-mean"]["method"]
    assert "k:2.0" in named["judge-outlier"]["signature"]
    assert named["judge-easy-share"]["n"] == named["judge-controls"]["n"] == 1
    assert "|easy:item == 'i001'|top:4.0|" in named["judge-easy-share"]["signature"]
    assert "|controls:item == 'i002'|" in named["judge-mean"]["signature"]
    assert "Rasch" in named["judge-severity"]["method"]


@pytest.mark.parametrize("options", [("--k", "0"), ("--method", "magic"), ("--easy", "nope ==")])
def test_mistakes_are_plain(table, options):
    done = jurat("diagnose", str(table), *READ, *options)
    assert done.returncode == 2
    assert done.stderr.startswith("jurat: ")
    assert "Traceback" not in done.stderr
