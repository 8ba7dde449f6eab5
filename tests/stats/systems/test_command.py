"""`jurat systems` as a user runs it."""

import json

import numpy as np
import pytest

from jurat.stats import analyse, statistics
from jurat.stats.settings import SystemSettings
from tests.cli.run_command import jurat
from tests.stats.tables import evaluation


def systems(path, *options):
    done = jurat("systems", str(path), *options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def told(path, *options):
    return json.loads(systems(path, *options, "--json"))["results"]


def write(folder, text):
    path = folder / "table.csv"
    path.write_text(text)
    return path


@pytest.fixture
def scores(tmp_path):
    rng = np.random.default_rng(1)
    rows = [
        f"{j},d{n // 2},{n},{s},{rng.integers(1, 6) + bonus},{rng.integers(1, 6)}"
        for n in range(12)
        for j in "xyz"
        for s, bonus in (("a", 0), ("b", 1), ("c", 3))
    ]
    return write(tmp_path, "\n".join(["judge,document,segment,system,ade,flu", *rows]))


CONTRACT = {
    "system-score": {"question", "system"},
    "system-z": {"question", "system"},
    "system-best": {"question", "system"},
    "system-rank": {"question", "system"},
    "system-cluster": {"question", "system"},
    "system-wins": {"question", "system"},
    "document-score": {"question", "system", "document"},
    "pairwise-wins": {"question", "system_a", "system_b"},
    "pairwise-p": {"question", "system_a", "system_b"},
    "bradley-terry": {"question", "system"},
    "trueskill": {"question", "system"},
    "best-agreement": {"question"},
    "rank-agreement": {"question", "system"},
}


def test_every_name_of_the_contract_has_its_keys(scores):
    rows = told(scores, "--questions", "ade,flu", "--bootstrap", "20")
    for name, keys in CONTRACT.items():
        found = [row for row in rows if row["name"] == name]
        assert found, name
        assert all(set(row["by"]) == keys for row in found)
        assert all(row["value"] is not None for row in found), name


def test_every_statistic_says_its_names():
    given = [name for statistic in statistics("systems") for name in statistic.gives]
    assert len(given) == len(set(given))
    assert set(CONTRACT) <= set(given)


def test_headlines_come_first(scores):
    out = systems(scores, "--columns", "value=ade", "--bootstrap", "20")
    assert out.startswith("c has the highest mean score, ")
    assert "wins most often" in out


def test_options_reach_the_statistics(scores):
    read = ("--columns", "value=ade", "--bootstrap", "0")
    rows = told(scores, *read, "--only", "a,b", "--lower-better")
    assert {row["by"]["system"] for row in rows if row["name"] == "system-score"} == {"a", "b"}
    best = next(r for r in rows if r["name"] == "system-rank" and r["by"]["system"] == "a")
    assert best["value"] == 1
    assert "only:a+b|direction:lower is better" in best["signature"]
    tests = told(scores, *read, "--method", "wilcoxon", "--correction", "bh")
    signature = next(r for r in tests if r["name"] == "pairwise-p")["signature"]
    assert "test:wilcoxon|correction:bh" in signature


def test_split_by_judge(scores):
    rows = told(scores, "--columns", "value=ade", "--bootstrap", "0", "--by", "judge")
    of_x = [r for r in rows if r["name"] == "system-best" and r["by"].get("judge") == "x"]
    assert len(of_x) == 3
    assert of_x[0]["tags"] == {"judge": "x"}
    assert "tags.judge" not in systems(
        scores, "--columns", "value=ade", "--by", "judge", "--bootstrap", "0"
    )


def test_a_wrong_system_is_refused(scores):
    done = jurat("systems", str(scores), "--columns", "value=ade", "--only", "d")
    assert done.returncode == 2
    assert "unknown system 'd'" in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "item,system,value\n1,a,3",
        "item,system,judge,value\n1,a,x,3\n2,b,x,3",
        "item,system,judge,value\n1,a,x,3\n1,b,x,NA",
        "item,system,judge,value\n1,a,x,good\n1,b,x,bad",
        "item,judge,value\n1,x,3",
        "item,system,judge,value\n1,a,x,3\n1,b,x,3\n2,a,y,3\n2,b,y,3",
        "better,worse\na,b",
        "system_a,system_b,outcome\na,b,tie\na,b,tie",
        "judge,segment,output1,rank1,output2,rank2\nx,1,a,1,b,1\nx,1,b,1,c,2",
        "segment,system,ade,flu\n1,a,1,\n1,b,,2",
    ],
    ids=[
        "single",
        "apart",
        "na",
        "words",
        "no system",
        "constant",
        "pair",
        "tied",
        "ranking",
        "empty",
    ],
)
@pytest.mark.parametrize("method", ["", "wmt-rank-sum,segment-means", "wilcoxon"])
def test_poor_tables_give_reasons(tmp_path, text, method):
    options = ("--questions", "ade,flu") if "ade,flu" in text else ()
    for row in told(write(tmp_path, text), *options, "--bootstrap", "10", "--method", method):
        assert (row["value"] is None) == ("reason" in row), row


def test_every_figure_can_be_made(scores):
    table = evaluation(scores.read_text(), questions=("ade", "flu"), by=("judge",))
    for result in analyse("systems", table, SystemSettings(bootstrap=5)):
        found = any(estimate.value is not None for estimate in result.estimates)
        assert bool(result.figure()) == found, result.name
        assert json.dumps(result.figure())
