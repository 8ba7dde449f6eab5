"""What became of suggestions, and what they do: counts, statsmodels, and a plain jackknife."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.proportion import proportion_confint

from tests.cli.run_command import jurat

HEAD = "judge,document,segment,system,item,question,value,suggested"
FATES = ("kept", "changed", "removed")
NUMBERS = ("value", "low", "high", "note")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """24 items, each a document; half with two suggestions each; three judges."""
    folder = tmp_path_factory.mktemp("suggestions")
    rng = np.random.default_rng(11)
    rows = {"judgments": [HEAD], "spans": [], "suggestions": []}
    rows["spans"] = ["judge,item,question,start,end,severity,fate"]
    rows["suggestions"] = ["judge,item,question,start,end,fate"]
    for n in range(24):
        shown = n % 2 == 0
        for judge in ("ann", "bob", "cy"):
            item, value = f"d{n}", round(float(rng.normal(70 + 5 * shown, 8)), 2)
            rows["judgments"].append(f"{judge},d{n},{n},A,{item},errors,{value},{shown}")
            for k in range(2 if shown else 0):
                fate = FATES[int(rng.choice(3, p=(0.7, 0.1, 0.2)))]
                rows["suggestions"].append(f"{judge},{item},errors,{k},{k + 1},{fate}")
                if fate != "removed":
                    rows["spans"].append(f"{judge},{item},errors,{k},{k + 1},minor,{fate}")
            for k in range(int(rng.integers(0, 3))):
                fate = "added" if shown else ""
                rows["spans"].append(f"{judge},{item},errors,{9 + k},{10 + k},minor,{fate}")
    made = {name: folder / f"{name}.csv" for name in rows}
    for name, path in made.items():
        path.write_text("\n".join(rows[name]) + "\n")
    return made


@pytest.fixture(scope="module")
def found(files: dict[str, Path]) -> list[dict[str, Any]]:
    done = jurat("suggestions", *map(str, files.values()), "--json")
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, Any]] = json.loads(done.stdout)["results"]
    return rows


def table(path: Path) -> list[dict[str, str]]:
    head, *lines = path.read_text().splitlines()
    return [dict(zip(head.split(","), line.split(","), strict=True)) for line in lines]


def one(rows: list[dict[str, Any]], name: str, **by: str) -> dict[str, Any]:
    (row,) = [r for r in rows if r["name"] == name and by.items() <= r["by"].items()]
    return row


def test_shares_of_fates_are_counts(files: dict[str, Path], found: list[dict[str, Any]]) -> None:
    told = table(files["suggestions"])
    for fate in FATES:
        row = one(found, "suggestion-fate", fate=fate)
        hits = sum(r["fate"] == fate for r in told)
        assert row["n"] == len(told)
        assert row["value"] == pytest.approx(hits / len(told))
        # documents are alike or not: Wilson's own interval is of about this width
        low, high = proportion_confint(hits, len(told), method="wilson")
        assert row["low"] < row["value"] < row["high"]
        assert 0.5 < (row["high"] - row["low"]) / (high - low) < 2.5
        judge = one(found, "judge-suggestion-fate", fate=fate, judge="bob")
        own = [r["fate"] == fate for r in told if r["judge"] == "bob"]
        assert judge["value"] == pytest.approx(np.mean(own))
    marked = [r["fate"] for r in table(files["spans"]) if r["fate"]]
    row = one(found, "suggestion-added")
    assert (row["n"], row["value"]) == (
        len(marked),
        pytest.approx(marked.count("added") / len(marked)),
    )


def test_the_difference_of_scores_has_a_jackknifes_interval(
    files: dict[str, Path], found: list[dict[str, Any]]
) -> None:
    told = table(files["judgments"])
    items = [r["item"] for r in told]
    values = np.array([float(r["value"]) for r in told])
    shown = np.array([r["suggested"] == "True" for r in told])

    def difference(kept: np.ndarray) -> float:
        return float(values[kept & shown].mean() - values[kept & ~shown].mean())

    whole = difference(np.ones(len(told), dtype=bool))
    left = [difference(np.array([i != item for i in items])) for item in dict.fromkeys(items)]
    g = len(left)
    error = np.sqrt((g - 1) / g * ((np.array(left) - np.mean(left)) ** 2).sum())
    row = one(found, "suggestion-score", suggestions="difference")
    assert row["value"] == pytest.approx(whole)
    half = (row["high"] - row["low"]) / 2
    # some number of degrees of freedom between those of one arm and of both
    assert scipy_stats.t.ppf(0.975, g) * error * 0.95 < half < scipy_stats.t.ppf(0.975, 8) * error
    both = one(found, "suggestion-score", suggestions="with")["value"]
    assert both == pytest.approx(values[shown].mean())
    errors = [r["item"] for r in table(files["spans"])]
    number = np.mean([errors.count(f"d{n}") / 3 for n in range(0, 24, 2)])
    assert one(found, "suggestion-errors", suggestions="with")["value"] == pytest.approx(number)


def test_agreement_is_that_of_two_files(files: dict[str, Path], tmp_path: Path, found: Any) -> None:
    head, *lines = files["judgments"].read_text().splitlines()
    parts = {}
    for word in ("True", "False"):
        parts[word] = tmp_path / f"{word}.csv"
        parts[word].write_text("\n".join([head, *(li for li in lines if li.endswith(word))]) + "\n")
    done = jurat("agreement", str(parts["True"]), "--against", str(parts["False"]), "--json")
    rows = [r for r in json.loads(done.stdout)["results"] if r["name"] == "agreement-difference"]
    assert len(rows) > 4
    for row in rows:
        same = one(found, "suggestion-agreement", statistic=row["by"]["statistic"])
        assert [same.get(k) for k in NUMBERS] == [row.get(k) for k in NUMBERS]


def test_tables_without_suggestions_say_so(tmp_path: Path) -> None:
    file = tmp_path / "some.csv"
    file.write_text("judge,item,value\na,1,3\nb,1,4\na,2,5\nb,2,5\n")
    done = jurat("suggestions", str(file), "--json")
    reasons = {row["reason"] for row in json.loads(done.stdout)["results"]}
    assert done.returncode == 0
    assert all("suggest" in reason for reason in reasons), reasons
