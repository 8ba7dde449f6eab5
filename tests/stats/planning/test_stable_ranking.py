import numpy as np
import pytest
from scipy import stats

from jurat.stats import Evaluation
from jurat.stats.planning.stable_ranking import StableRanking
from jurat.stats.settings import PlanSettings
from tests.stats.tables import evaluation


def stable(table=None, **settings):
    (result,) = StableRanking().results(table or Evaluation(), PlanSettings(**settings))
    return {(e.by.get("order"), e.by.get("documents")): e for e in result.estimates}


def judged(gap, documents=64, seed=1):
    rng = np.random.default_rng(seed)
    rows = [
        f"j{d % 3},d{d},{d},{s},{rng.normal(0, 1) + gap * (s == 'Y'):.4f}"
        for d in range(documents)
        for s in ("X", "Y")
    ]
    return evaluation("\n".join(["judge,document,segment,system,value", *rows]))


def test_two_systems_as_the_normal_distribution_has_it():
    """p² + (1 − p)² with p = Φ(gap / √(2/n)), the mean over 30 files."""
    found = [stable(judged(0.4, seed=n))["all systems", 16].value for n in range(30)]
    p = stats.norm.cdf(0.4 / np.sqrt(2 / 16))
    error = np.std(found) / np.sqrt(30)
    assert np.mean(found) == pytest.approx(p**2 + (1 - p) ** 2, abs=3.5 * error)


def test_more_documents_are_more_stable():
    found = stable(judged(0.5))
    assert {documents for _, documents in found} == {8, 16, 32}
    assert found["all systems", 8].value < found["all systems", 32].value


def test_simulated_without_judgments():
    asked = {"systems": 3, "judges": 6, "segments": 100, "judgments": 1, "simulations": 300}
    found = stable(difference=0.4, **asked)
    assert {documents for _, documents in found} == {2, 5, 10, 20}
    assert found["all systems", 20].value <= found["first system", 20].value
    assert found["all systems", 2].value < found["all systems", 20].value
    (none,) = stable(**asked).values()
    assert none.reason == "no --difference is given"
