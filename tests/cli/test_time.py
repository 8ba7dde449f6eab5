"""`jurat time` as a user runs it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.run_command import jurat

TIMES = """who,seg,start,end
a,1,100,110
b,1,100,130
a,2,110,510
"""
MAPPED = ("--columns", "judge=who,segment=seg,shown_at=start,decided_at=end", "--bootstrap", "0")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "times.csv").write_text(TIMES)
    return tmp_path


def numbers(folder: Path, *arguments: str) -> dict[tuple[str, ...], dict[str, Any]]:
    done = jurat("time", *arguments, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["results"]
    return {(row["name"], *row["by"].values()): row for row in rows}


def test_times_alone_are_enough(folder):
    found = numbers(folder, "times.csv", *MAPPED)
    assert found["seconds-mean", "decision"]["value"] == pytest.approx(440 / 3)
    assert found["seconds-median", "decision"]["value"] == 30
    assert found["seconds-capped", "decision"]["value"] == 20
    assert found["seconds-over", "decision"]["value"] == 1
    assert found["seconds-of-judge", "decision", "a"]["value"] == 10


def test_the_cap_and_the_estimate_are_options(folder):
    found = numbers(folder, "times.csv", *MAPPED, "--cap", "500", "--estimated", "decision=44")
    assert found["seconds-capped", "decision"]["n"] == 3
    assert found["seconds-ratio", "decision"]["value"] == pytest.approx(440 / 3 / 44)
    assert "cap:500" in found["seconds-capped", "decision"]["signature"]


def test_rankings_are_one_decision(folder):
    head = "judge,segment,seconds,output1,rank1,output2,rank2,output3,rank3"
    (folder / "ranked.csv").write_text(f"{head}\na,1,40,A,1,B,2,C,3\na,2,20,,,,,,\n")
    found = numbers(folder, "ranked.csv", "--bootstrap", "0")
    assert found["seconds-mean", "ranking"]["n"] == 2
    assert found["seconds-mean", "ranking"]["value"] == 30


@pytest.mark.parametrize("wrong", ["soon", "adequacy=soon", "30=30=x"])
def test_an_estimate_must_be_seconds(folder, wrong):
    done = jurat("time", "times.csv", *MAPPED, "--estimated", wrong, cwd=folder)
    assert done.returncode == 2
    assert "is not an estimate" in done.stderr


def test_a_campaign_has_judgments_and_preferences(tmp_path):
    store = tmp_path / "jurat.db"
    for line in (
        "sample s",
        "campaign create s/campaign.yaml",
        "judges add sample --count 8 --out slips.csv",
        "campaign start sample",
        "bots sample --judges 8",
    ):
        assert jurat(*line.split(), cwd=tmp_path, store=store).returncode == 0
    quick = ("--campaign", "sample", "--bootstrap", "0", "--json")
    shown = json.loads(jurat("time", *quick, store=store).stdout)["results"]
    means = {row["by"]["question"]: row["n"] for row in shown if row["name"] == "seconds-mean"}
    assert set(means) == {"adequacy", "same-meaning", "preference"}
    # preferences have no column `system`: they are left out of that split
    split = json.loads(jurat("time", *quick, "--by", "system", store=store).stdout)["results"]
    assert {row["by"]["question"] for row in split if row["name"] == "seconds-mean"} == {
        "adequacy",
        "same-meaning",
    }
    preferred = json.loads(jurat("preferences", *quick, store=store).stdout)["results"]
    (order,) = (row for row in preferred if row["name"] == "order-agreement")
    assert order["by"]["order"] == "tapet-adequacy"
    assert order["n"] == means["preference"]
