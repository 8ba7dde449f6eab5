"""`jurat metaeval` as a user runs it."""

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.run_command import jurat
from tests.stats.metaeval.asking import FIGURE

SUN = ("figure1.csv", "figure1.csv", "--judges", "L1,L2,L3,L4", "--lower-better")
QUICK = ("--bootstrap", "0", "--permutations", "20")
RATED = "judge,doc,seg,mt,rating,BLEU,chrF\n" + "".join(
    f"{judge},{'de'[n % 2]},{n},{system},{(n + at + 3 * k) % 7},{10 * k + n},{50 - n * k}\n"
    for at, judge in enumerate("xy")
    for n in range(1, 7)
    for k, system in enumerate("abc")
)
MAP = ("--columns", "document=doc,segment=seg,system=mt,value=rating")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "figure1.csv").write_text(FIGURE.strip())
    (tmp_path / "rated.csv").write_text(RATED)
    preferred = "segment,better,worse\n1,a,b\n1,a,b\n2,b,a\n3,a,c\n"
    (tmp_path / "preferred.csv").write_text(preferred)
    scores = "segment\tsystem\tmetric\tvalue\n" + "".join(
        f"{n}\t{s}\tBLEU\t{10 * k + n}\n{n}\t{s}\tTER\t{k / 10}\n"
        for n in range(1, 4)
        for k, s in enumerate("cba")
    )
    (tmp_path / "scores.tsv").write_text(scores)
    texts = "segment\tref\ta\tb\tc\n" + "".join(
        f"{n}\tR{n}\tA{n}\tB{n}\tC{n}\n" for n in range(1, 4)
    )
    (tmp_path / "texts.tsv").write_text(texts)
    return tmp_path


def numbers(folder: Path, *arguments: str) -> list[dict[str, Any]]:
    done = jurat("metaeval", *arguments, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, Any]] = json.loads(done.stdout)["results"]
    return rows


def one(rows: list[dict[str, Any]], name: str, **keys: str) -> dict[str, Any]:
    found = [
        row for row in rows
        if row["name"] == name and keys.items() <= {**row.get("tags", {}), **row["by"]}.items()
    ]  # fmt: skip
    exact = [row for row in found if not {*row["by"]} - {*keys, "question"}]
    (row,) = exact or found
    return row


def test_the_threshold_says_from_which_difference_on(folder):
    done = jurat("metaeval", *SUN, *QUICK, "--statistic", "metric-threshold", cwd=folder)
    assert done.returncode == 0, done.stderr
    # however wide the terminal is
    assert " ".join(done.stdout.split()).startswith(
        "metric-threshold "
        "From a difference of 0.123 on, the majority of judges agrees with BLEU more often than "
        "not; 66.7 % of the pairs differ as much; with GTM from 0.063, 25.0 %; with TER from "
        "0.083, 41.7 %."
    )


def test_one_wide_file_is_both(folder):
    rows = numbers(folder, "rated.csv", "rated.csv", *MAP, *QUICK)
    assert {row["by"].get("metric") for row in rows if row["name"] == "metric-pearson"} == {
        "BLEU",
        "chrF",
    }
    found = one(rows, "metric-pearson", metric="BLEU", level="segment")
    assert found["by"] == {
        "question": "rating",
        "metric": "BLEU",
        "level": "segment",
        "grouping": "none",
    }
    assert found["n"] == 18
    only = numbers(folder, "rated.csv", "rated.csv", *MAP, *QUICK, "--metrics", "chrF")
    assert one(only, "metric-coverage", metric="chrF")["value"] == 1
    assert "BLEU" not in {row["by"].get("metric") for row in only}


def test_every_name_of_the_contract_is_there(folder):
    rows = numbers(folder, "rated.csv", "rated.csv", *MAP, *QUICK)
    keys = {row["name"]: {*row["by"]} - {"question"} for row in rows}
    assert keys["metric-threshold"] == {"metric", "method"}
    assert keys["metric-undifferentiated"] == {"metric"}
    assert keys["metric-better-p"] == {"metric_a", "metric_b"}
    assert keys["metric-spa"] == {"metric", "level"}
    assert keys["metric-acceq"] == {"metric", "level", "grouping"}
    for name, judge in (("metric-spearman", "x"), ("metric-consistency", "y")):
        assert one(rows, name, metric="BLEU", judge=judge)["method"]
        assert one(rows, name, metric="BLEU")["by"] == {"question": "rating", "metric": "BLEU"}
    scale = next(r for r in rows if r["name"] == "metric-scale" and "judge" in r["by"])
    assert {*scale["by"]} == {"question", "metric", "bin", "verdict", "judge"}
    for name in ("metric-pearson", "metric-kendall"):
        for level in ("segment", "system"):
            assert one(rows, name, metric="BLEU", level=level)


def test_splits_by_a_column_of_the_judgments(folder):
    rows = numbers(folder, "rated.csv", "rated.csv", *MAP, *QUICK, "--by", "doc")
    for document in "de":
        found = one(rows, "metric-pearson", metric="BLEU", level="segment", doc=document)
        assert (found["tags"], found["n"]) == ({"doc": document}, 9)


@pytest.mark.parametrize("grouping", ["none", "item", "system"])
def test_grouping(folder, grouping):
    rows = numbers(folder, "rated.csv", "rated.csv", *MAP, *QUICK, "--grouping", grouping)
    for name in ("metric-pearson", "metric-kendall", "metric-acceq"):
        assert one(rows, name, metric="BLEU", level="segment")["by"]["grouping"] == grouping


def test_preferences(folder):
    rows = numbers(folder, "preferred.csv", "scores.tsv", *QUICK)
    assert one(rows, "metric-consistency", metric="BLEU")["value"] == 0.75
    assert one(rows, "metric-kendall", metric="BLEU", level="segment")["value"] == 0.5
    # what counts errors says the opposite here
    assert one(rows, "metric-consistency", metric="TER")["value"] == 0.25
    assert "lower is better: TER" in one(rows, "metric-consistency", metric="TER")["method"]
    turned = numbers(
        folder, "preferred.csv", "scores.tsv", *QUICK, "--lower-better-metrics", "BLEU"
    )
    assert one(turned, "metric-consistency", metric="BLEU")["value"] == 0.25
    assert "lower-better-metrics:BLEU" in one(turned, "metric-coverage", metric="BLEU")["signature"]


def test_the_pairs_that_disagree_are_listed_with_their_texts(folder):
    arguments = ("preferred.csv", "scores.tsv", *QUICK, "--texts", "texts.tsv")
    done = jurat("metaeval", *arguments, "--discordant", "apart.csv", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "apart.csv: 3 pairs\n")
    with (folder / "apart.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["metric"] == "BLEU"]
    assert [(r["segment"], r["system_a"], r["text_a"], r["text_b"], r["ref"]) for r in rows] == [
        ("2", "a", "A2", "B2", "R2")
    ]
    again = jurat("metaeval", *arguments, "--discordant", "apart.csv", cwd=folder)
    assert again.returncode == 2
    assert "--force" in again.stderr
    forced = jurat("metaeval", *arguments, "--discordant", "apart.csv", "--force", cwd=folder)
    assert forced.returncode == 0


def test_a_model_is_one_more_judge(folder):
    (folder / "model.csv").write_text(
        "judge,doc,seg,mt,rating\n"
        + "".join(f"gpt,{'de'[n % 2]},{n},{s},{n % 5}\n" for n in range(1, 7) for s in "abc")
    )
    rows = numbers(folder, "rated.csv", "model.csv", "rated.csv", *MAP, *QUICK)
    found = {
        r["by"]["judge"] for r in rows if r["name"] == "metric-spearman" and "judge" in r["by"]
    }
    assert found == {"gpt", "x", "y"}


def test_a_campaign(tmp_path):
    store = tmp_path / "jurat.db"
    for line in (
        "sample s",
        "campaign create s/campaign.yaml",
        "judges add sample --count 8 --out slips.csv",
        "campaign start sample",
        "bots sample --judges 8",
        "export sample --out judged.csv",
    ):
        done = jurat(*line.split(), cwd=tmp_path, store=store)
        assert done.returncode == 0, done.stderr
    with (tmp_path / "judged.csv").open() as file:
        places = {(r["document"], r["segment"], r["system"]) for r in csv.DictReader(file)}
    lines = [f"{d},{g},{s},{len(g) + len(s)}" for d, g, s in sorted(places)]
    (tmp_path / "scores.csv").write_text("\n".join(["document,segment,system,BLEU", *lines]))
    done = jurat(
        *("metaeval", "scores.csv", "--campaign", "sample", *QUICK, "--json"),
        cwd=tmp_path,
        store=store,
    )
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["results"]
    asked = {r["by"]["question"] for r in rows if r["name"] == "metric-consistency"}
    assert {"adequacy", "preference"} <= asked


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("scores.tsv",), "Give JUDGMENTS and SCORES"),
        ((), "Missing argument"),
        (("rated.csv", "rated.csv", *MAP, "--metrics", "BLUE"), "did you mean 'BLEU'"),
        (("rated.csv", "scores.tsv", *MAP, "--metrics", "COMET"), "unknown metric 'COMET'"),
        (("rated.csv", "rated.csv", *MAP, "--step", "wide"), "is no step"),
        (("rated.csv", "rated.csv", *MAP, "--method", "other"), "unknown method"),
        (("rated.csv", "rated.csv", *MAP, "--judges", "rating"), "cannot be used together"),
        (("figure1.csv", "figure1.csv", "--judges", "L9"), "unknown column"),
        (("figure1.csv", "figure1.csv", "--judges", "L1", "--questions", "L2"), "together"),
        (("rated.csv", "none.tsv", *MAP), "there is no such file"),
        (("preferred.csv", "scores.tsv", "--texts", "scores.tsv"), "texts need columns"),
        (
            ("rated.csv", "scores.tsv", "--columns", "segment=doc,system=mt,value=rating"),
            "no score",
        ),
    ],
)
def test_mistakes_are_told(folder, arguments, words):
    done = jurat("metaeval", *arguments, *QUICK, cwd=folder)
    assert done.returncode == 2
    assert done.stderr.startswith("jurat: ")
    assert words in done.stderr


def test_help_needs_no_heavy_libraries():
    code = (
        "import sys; from jurat.cli import jurat; "
        "jurat.main(['metaeval', '--help'], standalone_mode=False); "
        "print({'numba', 'numpy', 'polars', 'scipy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("set()\n")
