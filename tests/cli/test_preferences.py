"""`jurat preferences` as a user runs it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.run_command import jurat

PAIRS = """judge,item,rating
x,1,mt
y,1,mt
x,2,tie
y,2,human
x,3,human
y,3,human
"""
MAPPED = ("--columns", "system_a='mt',system_b='human',outcome=rating", "--bootstrap", "0")
RANKED = """judge,segment,output1,rank1,output2,rank2
x,1,A+B,1,C,2
y,1,A+B,2,C,1
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pairs.csv").write_text(PAIRS)
    (tmp_path / "ranked.csv").write_text(RANKED)
    (tmp_path / "scores.csv").write_text("seg,mt,points\n1,mt,5\n1,human,4\n2,mt,3\n2,human,2\n")
    return tmp_path


def numbers(folder: Path, *arguments: str) -> dict[tuple[str, ...], dict[str, Any]]:
    done = jurat("preferences", *arguments, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["results"]
    return {(row["name"], *row["by"].values()): row for row in rows}


def test_counts_and_agreement(folder):
    found = numbers(folder, "pairs.csv", *MAPPED)
    assert found["preference-count", "preference", "a"]["value"] == 2
    assert found["preference-count", "preference", "b"]["side"] == "human"
    assert found["preference-agreement", "preference", "with"]["value"] == pytest.approx(2 / 3)
    assert found["preference-agreement", "preference", "without"]["value"] == 1
    only_decisions = numbers(folder, "pairs.csv", *MAPPED, "--without-ties", "decisions")
    assert only_decisions["preference-agreement", "preference", "without"]["n"] == 2


def test_joined_systems_are_split_where_asked(folder):
    assert ("sign-test", "preference", "A+B", "C") in numbers(folder, "ranked.csv")
    split = numbers(folder, "ranked.csv", "--joined", "split")
    assert {key[2:] for key in split if key[0] == "sign-test"} == {("A", "C"), ("C", "B")}
    assert "joined:split" in split["preference-count", "preference", "a"]["signature"]


def test_scores_from_a_second_file(folder):
    columns = ("--judgments-columns", "item=seg,system=mt,value=points")
    found = numbers(folder, "pairs.csv", *MAPPED, "--judgments", "scores.csv", *columns)
    share = found["order-agreement", "preference", "points"]
    assert (share["value"], share["n"]) == (0.5, 4)
    alone = numbers(folder, "pairs.csv", *MAPPED)
    assert "needs judgments of the same segments" in alone["order-agreement",]["reason"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("scores.csv", "--columns", "item=seg,value=points"), "which of two systems is better"),
        (("pairs.csv", *MAPPED, "--protocol", "da"), "has no order of answers"),
        (("pairs.csv", *MAPPED, "--protocol", "tapet-adequasy"), "tapet-adequacy"),
    ],
)
def test_mistakes_are_told(folder, arguments, message):
    done = jurat("preferences", *arguments, cwd=folder)
    assert done.returncode == 2
    assert message in done.stderr


def test_a_protocol_from_a_file(folder):
    mine = jurat("protocols", "show", "tapet-adequacy", "--yaml").stdout
    (folder / "mine.yaml").write_text(mine)
    found = numbers(folder, "pairs.csv", *MAPPED, "--protocol", "mine.yaml")
    assert "protocol:tapet-adequacy" in found["order-agreement",]["signature"]


def test_a_million_may_wait_but_the_table_stays_short(folder):
    rows = [f"x,{n},s{n % 30},s{n % 29 + 30},a" for n in range(900)]
    head = "judge,item,system_a,system_b,outcome"
    (folder / "many.csv").write_text("\n".join([head, *rows]))
    shown = jurat("preferences", "many.csv", "--bootstrap", "0", "--full", cwd=folder).stdout
    assert "more rows" in shown
    told = "pairs of systems, if every decision were independent"
    assert told in " ".join(shown.split()), "however wide the terminal is"
