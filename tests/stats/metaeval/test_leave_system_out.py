"""Every number again without each system."""

import numpy as np
import pytest

from jurat.stats.metaeval.leave_system_out import STATISTICS
from tests.stats.metaeval import loops
from tests.stats.metaeval.asking import asked, long_csv, results, values

SAME = {
    "threshold": ("metric-threshold", "metric-threshold", ("monotone",)),
    "consistency": ("metric-consistency", "metric-consistency", ()),
    "spearman": ("metric-spearman", "metric-spearman", ()),
    "pearson": ("metric-pearson", "metric-pearson", ("segment", "none")),
    "kendall": ("metric-pearson", "metric-kendall", ("segment", "none")),
    "acceq": ("metric-acceq", "metric-acceq", ("segment", "item")),
    "system-pearson": ("metric-pearson", "metric-pearson", ("system",)),
    "system-spearman": ("metric-pearson", "metric-spearman", ("system",)),
    "system-kendall": ("metric-pearson", "metric-kendall", ("system",)),
    "spa": ("metric-spa", "metric-spa", ("system",)),
}


@pytest.fixture(scope="module")
def arrays() -> tuple[np.ndarray, np.ndarray]:
    gold, metric = loops.made_up(5, 30, seed=4, missing=0.05)
    human = np.array([[np.nan if g is None else g for g in row] for row in gold]).T
    return human, np.array(metric).T


def test_every_number_is_that_of_a_table_without_the_system(arrays):
    human, metric = arrays
    assert set(SAME) == set(STATISTICS)
    evaluation, settings = asked(long_csv(human, metric))
    found = values(results("metric-left-out", evaluation, settings)["metric-left-out"])
    kept = [0, 1, 3, 4]
    csv = long_csv(human[:, kept], metric[:, kept])
    arguments = asked(csv)
    for statistic, (kind, name, keys) in SAME.items():
        wanted = values(results(kind, *arguments)[name])["m0", *keys].value
        estimate = found["m0", "s2", statistic]
        assert estimate.value == pytest.approx(wanted, abs=1e-9), statistic
        assert estimate.n == 4


def test_the_headline_names_the_system_that_matters():
    """One system apart makes the correlation, and leaving it out undoes it."""
    human = np.array([[1.0, 2, 1, 2, 50]] * 4)
    metric = np.array([[2.0, 1, 1, 2, 60]] * 4)
    evaluation, settings = asked(long_csv(human, metric))
    headline = results("metric-left-out", evaluation, settings)["metric-left-out"].headline
    assert "0.000 (without s4)" in headline


def test_preferences_have_fewer_numbers():
    people = "segment,better,worse\n1,a,b\n1,b,c\n1,a,c\n2,b,a\n"
    scores = "segment,system,m\n1,a,3\n1,b,1\n1,c,2\n2,a,1\n2,b,5\n"
    evaluation, settings = asked(people, scores)
    found = values(results("metric-left-out", evaluation, settings)["metric-left-out"])
    assert found["m", "c", "kendall"].value == 1
    assert found["m", "a", "consistency"].value == 0
    assert not [key for key in found if key[2] in ("pearson", "spa")]


def test_two_systems_are_too_few():
    evaluation, settings = asked("segment,system,value,m\n1,a,1,2\n1,b,2,3\n")
    (estimate,) = results("metric-left-out", evaluation, settings)["metric-left-out"].estimates
    assert "fewer than three systems" in estimate.reason
