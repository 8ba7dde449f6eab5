"""Judges held out as if they were metrics."""

import numpy as np
import pytest

from tests.stats.metaeval.asking import asked, results, values


def rated(judges=3, documents=8, seed=1, noise=0.5):
    """Judges who see the truth with errors, a metric that sees it exactly, and its reverse."""
    rng = np.random.default_rng(seed)
    lines = ["document,segment,system,judge,value,good,TER"]
    for segment in range(documents * 3):
        for system in "ab":
            truth = rng.normal()
            for judge in range(judges):
                value = truth + rng.normal(0, noise)
                cells = (segment % documents, segment, system, f"j{judge}", value, truth, 9 - truth)
                lines.append(",".join(map(str, cells)))
    return "\n".join(lines)


def test_each_judge_against_the_mean_of_the_others():
    csv = rated()
    found = values(results("metric-baseline", *asked(csv))["metric-baseline"])
    rows = [line.split(",") for line in csv.splitlines()[1:]]
    table = np.array([float(row[4]) for row in rows]).reshape(-1, 3)
    others = table[:, 1:].mean(axis=1)
    wanted = np.corrcoef(table[:, 0], others)[0, 1]
    assert found["judge:j0", "j0"].value == pytest.approx(wanted)
    assert found["judge:j0", "j0"].n == 48
    truth = np.array([float(row[5]) for row in rows]).reshape(-1, 3)[:, 0]
    assert found["good", "j0"].value == pytest.approx(np.corrcoef(truth, others)[0, 1])
    each = [found[f"judge:j{n}", f"j{n}"].value for n in range(3)]
    assert found["human",].value == pytest.approx(np.mean(each))


def test_the_headline_has_people_and_metrics():
    result = results("metric-baseline", *asked(rated(), bootstrap=1))["metric-baseline"]
    found = values(result)
    assert found["human",].low < found["human",].value < found["human",].high
    assert found["good",].value > found["human",].value
    assert found["TER",].side == "lower is better"
    assert result.headline.startswith("A judge agrees with the mean of the others at r = 0.8")
    assert "on the same translations" in result.headline
    assert "8 documents" in result.method


@pytest.mark.parametrize(
    ("csv", "reason"),
    [
        ("segment,system,judge,value,m\n1,a,x,1,2\n1,b,x,2,3\n", "no two judges"),
        ("segment,better,worse\n1,a,b\n", "gave no scores"),
        (
            "segment,system,judge,value,m\n1,a,x,1,2\n1,b,x,2,3\n2,a,y,1,2\n2,b,y,2,2\n",
            "judged by two",
        ),
    ],
)
def test_why_there_is_none(csv, reason):
    scores = "segment,system,m\n1,a,1\n1,b,2\n" if "better" in csv else None
    (none,) = results("metric-baseline", *asked(csv, scores))["metric-baseline"].estimates
    assert none.value is None
    assert reason in none.reason
