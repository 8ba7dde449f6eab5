import numpy as np
import pytest

from jurat.stats import Settings
from jurat.stats.agreement import ordinal, over_items
from jurat.stats.agreement.gwet_ac import GwetAC
from jurat.stats.agreement.over_items import resampled
from jurat.stats.agreement.tallies import Tallies
from tests.stats.agreement.drawn import rows, table
from tests.stats.tables import matrix


def plain_bootstrap(answers, value, times=400):
    """Items drawn one by one and the value computed anew: slow, and beyond doubt."""
    rng = np.random.default_rng(3)
    items = answers.shape[1]
    return np.std([value(answers[:, rng.integers(0, items, items)]) for _ in range(times)])


@pytest.mark.parametrize("linear", [False, True])
def test_intervals_are_those_of_items_drawn_one_by_one(monkeypatch, linear):
    import krippendorff

    answers = table(5, items=150)
    if linear:
        for module, name in ((over_items, "FEW_CELLS"), (over_items, "FEW_POINTS")):
            monkeypatch.setattr(module, name, 0)
        monkeypatch.setattr(ordinal, "FEW_CELLS", 0)
    found = resampled(matrix(rows(answers)), Settings(bootstrap=2000))["krippendorff-alpha"]
    for at, scale in enumerate(("nominal", "ordinal", "interval", "ratio")):
        error = plain_bootstrap(
            answers,
            lambda a, scale=scale: krippendorff.alpha(a, level_of_measurement=scale),
        )
        assert (found.high[at] - found.low[at]) / 3.92 == pytest.approx(error, rel=0.15)


def test_estimates_lose_nothing_by_rounded_columns():
    answers = table(6, points=7)
    ratings = matrix(rows(answers))
    part = GwetAC().part(Tallies.of(ratings))
    exact = np.asarray(part.score(part.columns.sum(axis=0)[None]))[0]
    found = resampled(ratings, Settings(bootstrap=0))["gwet-ac"].values
    np.testing.assert_allclose(found, exact, rtol=1e-13)


def test_the_same_seed_gives_the_same_intervals():
    first, second = (
        resampled(matrix(rows(table(7))), Settings(bootstrap=50, seed=4))["fleiss-kappa"]
        for _ in range(2)
    )
    assert first.low.tolist() == second.low.tolist()
