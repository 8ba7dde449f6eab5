"""Accuracy with calibrated ties as a result."""

import numpy as np
import pytest

from jurat.stats.metaeval import accuracy_with_ties
from tests.stats.metaeval import loops
from tests.stats.metaeval.asking import asked, long_csv, results, values


def accuracies(*arguments, name="metric-acceq"):
    return values(results("metric-acceq", *arguments)[name])


@pytest.fixture(scope="module")
def arrays() -> tuple[np.ndarray, np.ndarray]:
    gold, metric = loops.made_up(4, 25, seed=2)
    return np.array(gold, float).T, np.array(metric).T


@pytest.mark.parametrize("grouping", ["none", "item", "system"])
def test_as_the_loops_have_it(arrays, grouping):
    human, metric = arrays
    arguments = asked(long_csv(human, metric), grouping=grouping)
    average_by = {"none": "none", "item": "item", "system": "sys"}[grouping]
    accuracy, epsilon = loops.calibrated(human.T.tolist(), metric.T.tolist(), average_by)
    found = accuracies(*arguments)["m0", "segment", grouping]
    assert found.value == pytest.approx(accuracy)
    assert accuracies(*arguments, name="metric-epsilon")["m0", "segment", grouping].value == (
        pytest.approx(epsilon)
    )
    assert found.n == {"none": 4950, "item": 150, "system": 1200}[grouping]


def test_it_is_by_segment_unless_asked_otherwise(arrays):
    found = results("metric-acceq", *asked(long_csv(*arrays), bootstrap=100))["metric-acceq"]
    (estimate,) = found.estimates
    assert estimate.by["grouping"] == "item"
    assert estimate.low < estimate.value < estimate.high
    assert "ε calibrated anew" in found.method
    assert "taken for a tie" in found.headline


def test_error_rates_are_turned(arrays):
    human, metric = arrays
    csv = long_csv(human, metric, -metric)
    found = accuracies(*asked(csv, lower=("m1",)))
    assert found["m0", "segment", "item"].value == found["m1", "segment", "item"].value


def test_preferences_with_ties():
    """One alike, one that both tie, one otherwise: with ε = 1 all but the first are ties."""
    people = "segment,system_a,system_b,outcome\n1,a,b,a\n2,a,b,tie\n3,a,b,tie\n4,a,b,b\n"
    scores = "segment,system,m\n1,a,9\n1,b,1\n2,a,1\n2,b,1\n3,a,2\n3,b,1\n4,a,4\n4,b,1\n"
    found = accuracies(*asked(people, scores))["m", "segment", "item"]
    assert (found.value, found.n) == (0.75, 4)
    assert accuracies(*asked(people, scores, grouping="none"))["m", "segment", "none"].value == 0.75
    none = accuracies(*asked(people, scores, grouping="system"))["m", "segment", "system"]
    assert none.value is None
    assert "segment by segment" in none.reason


def test_a_single_system_has_no_pairs():
    (estimate,) = results("metric-acceq", *asked("segment,system,value,m\n1,a,1,2\n"))[
        "metric-acceq"
    ].estimates
    assert estimate.value is None
    assert "compared no two" in estimate.reason


def test_too_many_pairs_are_not_begun_with(arrays, monkeypatch):
    monkeypatch.setattr(accuracy_with_ties, "MOST_COUNTED", 100)
    (estimate,) = results("metric-acceq", *asked(long_csv(*arrays), grouping="none"))[
        "metric-acceq"
    ].estimates
    assert estimate.value is None
    assert "--grouping item" in estimate.reason
