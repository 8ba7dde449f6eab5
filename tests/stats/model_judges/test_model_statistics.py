"""Model judges beside people, against scipy, statsmodels and formulas of the papers."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests

from jurat.stats.model_judges.alt_test import compare, false_discoveries
from jurat.stats.model_judges.prediction_powered import prediction_powered_mean
from tests.cli.run_command import jurat

PEOPLE = ("ann", "bob", "cy")


def table(rng: np.random.Generator, *, people_of: int = 12) -> list[str]:
    """40 items of 20 documents and 2 systems; people judged some documents, a model all."""
    lines = ["judge,judge_kind,document,segment,system,value,translation"]
    for n in range(40):
        quality, system = rng.normal(60, 10), "AB"[n % 2]
        text = "x" * int(rng.integers(10, 80))
        place = f"d{n // 2},{n // 2},{system}"
        if n // 2 < people_of:
            lines += [
                f"{who},person,{place},{quality + rng.normal(0, 8):.2f},{text}" for who in PEOPLE
            ]
        lines.append(f"gpt,model,{place},{quality - 5 + rng.normal(0, 4):.2f},{text}")
    return lines


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], list[dict[str, Any]], str]:
    file = tmp_path_factory.mktemp("models") / "ratings.csv"
    lines = table(np.random.default_rng(3))
    file.write_text("\n".join(lines))
    done = jurat("model-agreement", str(file), "--json")
    assert done.returncode == 0, done.stderr
    return lines, json.loads(done.stdout)["results"], str(file)


def scores(lines: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """People's mean and the model's score of each item, and the length of its translation."""
    rows = [line.split(",") for line in lines[1:]]
    items = sorted({(r[2], r[4]) for r in rows})
    of = {
        kind: [
            [float(r[5]) for r in rows if (r[2], r[4]) == item and r[1] == kind] for item in items
        ]
        for kind in ("person", "model")
    }
    length = [next(len(r[6]) for r in rows if (r[2], r[4]) == item) for item in items]
    people = np.array([np.mean(v) if v else np.nan for v in of["person"]])
    return people, np.array([v[0] for v in of["model"]]), np.array(length)


def value(rows: list[dict[str, Any]], name: str, **by: str) -> Any:
    return next(
        r["value"] for r in rows if r["name"] == name and by.items() <= r.get("by", {}).items()
    )


def test_the_numbers_are_those_of_scipy(found: Any) -> None:
    lines, rows, _ = found
    people, model, length = scores(lines)
    both = ~np.isnan(people)
    r = scipy_stats.pearsonr(people[both], model[both]).statistic
    assert value(rows, "model-pearson") == pytest.approx(r)
    assert value(rows, "model-severity") == pytest.approx((people - model)[both].mean())
    line = scipy_stats.linregress(np.log2(length[both]), (model - people)[both])
    assert value(rows, "model-length-bias") == pytest.approx(line.slope)


def test_people_are_analysed_without_models_unless_asked(found: Any) -> None:
    _, _, file = found
    done = jurat("systems", file)
    assert "40 answers of model judges (gpt) are left out" in done.stdout + done.stderr
    alone = json.loads(jurat("systems", file, "--json").stdout)["results"]
    where = json.loads(jurat("systems", file, "--where", "judge != 'gpt'", "--json").stdout)
    both = json.loads(jurat("systems", file, "--include-models", "--json").stdout)["results"]
    assert value(alone, "system-score", system="A") == value(
        where["results"], "system-score", system="A"
    )
    assert value(alone, "system-score", system="A") != value(both, "system-score", system="A")


def test_models_can_be_named(found: Any, tmp_path: Path) -> None:
    lines, rows, _ = found
    file = tmp_path / "plain.csv"
    plain = [",".join(p for n, p in enumerate(line.split(",")) if n != 1) for line in lines]
    file.write_text("\n".join(plain))
    done = jurat("model-agreement", str(file), "--model-judges", "gpt", "--json")
    named = json.loads(done.stdout)["results"]
    assert value(named, "model-pearson") == pytest.approx(value(rows, "model-pearson"))
    assert "did you mean 'gpt'" in jurat("systems", str(file), "--model-judges", "gtp").stderr
    only = tmp_path / "only.csv"
    only.write_text("judge,judge_kind,item,value\ngpt,model,1,3\n")
    assert "--include-models" in jurat("agreement", str(only)).stderr


def test_the_alternative_annotator_test_is_that_of_the_paper() -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(1, 6, 60)
    answers = {who: np.clip(truth + rng.integers(-1, 2, 60), 1, 5) for who in (*PEOPLE, "gpt")}
    p_values, advantages = [], []
    for who in PEOPLE:
        others = [answers[o] for o in PEOPLE if o != who]
        # section 3 of Calderon et al. (2025), item by item
        rmse = {
            j: np.sqrt(np.mean([(answers[j] - o) ** 2 for o in others], axis=0))
            for j in (who, "gpt")
        }
        model, person = rmse["gpt"] <= rmse[who], rmse[who] <= rmse["gpt"]
        d = person.astype(float) - model.astype(float)
        expected = scipy_stats.ttest_1samp(d, 0.2, alternative="less").pvalue
        advantage, p = compare(
            answers["gpt"].astype(float),
            answers[who].astype(float),
            [np.array(o, dtype=float) for o in zip(*others, strict=True)],
            exact=False,
            epsilon=0.2,
            document=np.arange(60),
        )
        assert (advantage, p) == pytest.approx((model.mean(), expected))
        p_values.append(p)
        advantages.append(advantage)
    adjusted = multipletests(p_values, method="fdr_by")[1]
    assert false_discoveries(np.array(p_values)) == pytest.approx(adjusted)


def test_a_model_like_people_passes_and_one_that_guesses_does_not(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    lines = ["judge,judge_kind,item,value"]
    for item in range(80):
        truth = rng.integers(0, 3)
        lines += [f"{who},person,{item},{truth + rng.integers(0, 2)}" for who in PEOPLE]
        lines.append(f"good,model,{item},{truth + 0.5}")
        lines.append(f"guess,model,{item},{rng.integers(0, 4)}")
    file = tmp_path / "ratings.csv"
    file.write_text("\n".join(lines))
    rows = json.loads(jurat("model-agreement", str(file), "--json").stdout)["results"]
    assert value(rows, "alt-test-winning-rate", model="good") == 1.0
    assert value(rows, "alt-test-winning-rate", model="guess") == 0.0


def test_of_one_document_it_is_not_told_whether_a_model_passes(tmp_path: Path) -> None:
    lines = [f"{who},person,d,{n},{n % 3}" for who in PEOPLE for n in range(9)]
    lines += [f"model,model,d,{n},{n % 2}" for n in range(9)]
    file = tmp_path / "ratings.csv"
    file.write_text("\n".join(["judge,judge_kind,document,segment,value", *lines]))
    found = jurat("model-agreement", str(file), "--statistic", "alt-test-winning-rate").stdout
    assert "all items are of one document" in found
    assert "pass" not in found


def test_the_weight_is_that_of_ppi_plus_plus() -> None:
    """Proposition 2 of Angelopoulos, Duchi & Zrnic (2023), for items that are independent."""
    rng = np.random.default_rng(2)
    y = rng.normal(size=90)
    f = y + rng.normal(size=90)
    people = np.where(np.arange(90) < 30, y, np.nan)
    found = prediction_powered_mean(people, f, np.arange(90))
    n, rest = 30, 60
    of_f = (f[:n].var() / n + f[n:].var() / rest) * n
    weight = np.cov(y[:n], f[:n], ddof=0)[0, 1] / of_f
    assert found.weight == pytest.approx(weight)
    assert found.value == pytest.approx((y[:n] - weight * f[:n]).mean() + weight * f[n:].mean())
    alone = prediction_powered_mean(people, f, np.arange(90), tuned=False)
    assert alone.value == pytest.approx(y[:n].mean())
    low, high = scipy_stats.t.interval(0.95, 29, y[:n].mean(), scipy_stats.sem(y[:n]))
    assert (alone.low, alone.high) == pytest.approx((low, high))


@pytest.mark.parametrize("model", ["good", "useless", "biased"])
def test_intervals_cover_the_truth_whatever_the_model_is_worth(model: str) -> None:
    """250 campaigns of 40 documents with 5 segments, of which people judge 12 documents."""
    rng = np.random.default_rng(11)
    document = np.repeat(np.arange(40), 5)
    covered, width, of_people = 0, 0.0, 0.0
    for _ in range(250):
        y = 60 + rng.normal(0, 8, 40)[document] + rng.normal(0, 10, 200)
        noise = rng.normal(0, 5, 200)
        f = {
            "good": y + noise,
            "useless": 50 + 2 * noise,
            "biased": 40 + 0.5 * y + noise + rng.normal(0, 5, 40)[document],
        }[model]
        judged = np.isin(document, rng.choice(40, 12, replace=False))
        people = np.where(judged, y, np.nan)
        found = prediction_powered_mean(people, f, document)
        alone = prediction_powered_mean(people, f, document, tuned=False)
        covered += found.low <= 60 <= found.high
        width += found.high - found.low
        of_people += alone.high - alone.low
    assert 0.91 <= covered / 250 <= 0.99
    # a good model makes intervals much shorter, a useless one hardly longer
    assert width < {"good": 0.75, "useless": 1.1, "biased": 1.0}[model] * of_people


def test_preferences_in_both_orders(tmp_path: Path) -> None:
    lines = ["judge,judge_kind,item,document,system_a,system_b,outcome"]
    for item in range(20):
        lines.append(f"ann,person,{item},d{item},A,B,a")
        # on the first five the model prefers whatever is first, on the others always A
        lines += [
            f"gpt,model,{item},d{item},A,B,a",
            f"gpt,model,{item},d{item},B,A,{'a' if item < 5 else 'b'}",
        ]
    file = tmp_path / "pairs.csv"
    file.write_text("\n".join(lines))
    done = jurat("model-agreement", str(file), "--json")
    rows = json.loads(done.stdout)["results"]
    assert value(rows, "model-position-bias") == pytest.approx(25 / 40)
    assert value(rows, "model-consistency") == pytest.approx(15 / 20)
    assert value(rows, "model-preference-agreement") == pytest.approx(35 / 40)
