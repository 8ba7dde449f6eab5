"""Drift: slope and p of each judge, and when there are none."""

import numpy as np
import pytest
from scipy.stats import linregress

from tests.stats.judges.asking import Row, diagnosed
from tests.stats.tables import evaluation


def table(
    *, drift: float = 0.0, n: int = 30, shuffled: bool = False
) -> tuple[list[Row], np.ndarray]:
    rng = np.random.default_rng(7)
    quality = rng.normal(50, 10, n)
    x = quality + rng.normal(0, 2, n) + drift * np.linspace(0, 1, n)
    scores = {"a": quality + rng.normal(0, 2, n), "b": quality + rng.normal(0, 2, n), "x": x}
    rows = [
        {"judge": j, "item": f"i{i}", "value": float(v), "position": i + 1}
        for j, values in scores.items()
        for i, v in enumerate(values)
    ]
    order = rng.permutation(len(rows)) if shuffled else range(len(rows))
    return [rows[i] for i in order], x - (scores["a"] + scores["b"]) / 2


@pytest.mark.parametrize("shuffled", [False, True])
def test_slope_and_p_are_those_of_scipy(shuffled):
    rows, beyond = table(drift=-6, shuffled=shuffled)
    expected = linregress(np.linspace(0, 1, 30), beyond)
    found = diagnosed(rows)
    assert found.value("judge-drift", judge="x") == pytest.approx(expected.slope)
    assert (found.value("judge-outlier", way="drift", judge="x") == 1) == (expected.pvalue < 0.05)
    assert found.one("judge-outlier", way="drift", judge="x").side == "strict"


@pytest.mark.parametrize("drift", [-3, -1, 0, 1, 2])
def test_the_rule_is_a_t_test_at_five_percent(drift):
    rows, beyond = table(drift=drift)
    expected = linregress(np.linspace(0, 1, 30), beyond).pvalue < 0.05
    assert ("x" in diagnosed(rows).found("drift")) == expected


def test_without_overlap_own_scores_are_taken():
    rows = [f"a,a{n},{n},{n}" for n in range(5)] + [f"b,b{n},3,{n}" for n in range(5)]
    found = diagnosed(evaluation("\n".join(["judge,item,value,position", *rows])))
    assert found.values("judge-drift") == {"a": pytest.approx(4), "b": pytest.approx(0)}
    assert found.found("drift") == {"a"}


def test_the_order_must_be_known():
    found = diagnosed(evaluation("judge,item,value\na,1,5\nb,1,4\na,2,3\nb,2,2"))
    assert "position" in found.one("judge-drift").reason


def test_three_judgments_are_needed():
    rows = "a,1,5,1\nb,1,4,1\na,2,3,2\nb,2,2,2\nb,3,3,3\nc,3,3,1"
    found = diagnosed(evaluation(f"judge,item,value,position\n{rows}"))
    assert found.value("judge-drift", judge="a") is None
    assert found.value("judge-drift", judge="b") is not None


@pytest.mark.parametrize(("documents", "told"), [(8, True), (4, False)])
def test_judges_without_shared_items_have_intervals_over_documents(documents, told):
    rng = np.random.default_rng(1)
    cells = np.ndindex(3, documents, 4)
    rows = [f"{j},{j}.{d},{j}.{d}.{s},{rng.normal():.3f},{4 * d + s}" for j, d, s in cells]
    table = evaluation("\n".join(["judge,document,item,value,position", *rows]))
    found = diagnosed(table, bootstrap=10)
    assert all((e.low is not None) == told for e in found.estimates("judge-drift"))
    method = found.result("judge-drift").method
    assert ("documents vary" if told else "no intervals: judges share no items") in method
