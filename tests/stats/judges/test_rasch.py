"""The many-facet Rasch model: against logistic regression, and against the truth of simulations."""

import numpy as np
import pytest

from jurat.stats.judges.rasch import categories, connected, fit_rasch, informative


def simulated(*, judges=8, items=300, each=4, points=5, seed=1):
    rng = np.random.default_rng(seed)
    severity = rng.normal(0, 0.7, judges)
    severity -= severity.mean()
    who = np.concatenate([rng.permutation(judges)[:each] for _ in range(items)])
    what = np.repeat(np.arange(items), each)
    steps = np.concatenate([[0.0], np.cumsum(np.linspace(-1.5, 1.5, points - 1))])
    logits = (rng.normal(0, 1, items)[what] - severity[who])[:, None] * np.arange(points) - steps
    chances = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    codes = (rng.random(len(who))[:, None] > chances.cumsum(axis=1)).sum(axis=1)
    return codes, who, what, severity


def test_two_points_are_a_logistic_regression_on_judges_and_items():
    import statsmodels.api as sm

    codes, judges, items, _ = simulated(judges=5, items=60, points=2)
    kept = informative(codes, judges, items)
    things = np.unique(items[kept], return_inverse=True)[1]
    design = np.zeros((kept.sum(), things.max() + 5))
    design[np.arange(len(things)), things] = 1
    for judge in range(1, 5):
        design[judges[kept] == judge, things.max() + judge] = -1
    fitted = sm.Logit(codes[kept], design).fit(disp=0)
    severity = np.concatenate([[0], fitted.params[-4:]])
    per_item = kept.sum() / (things.max() + 1)
    expected = (severity - severity.mean()) * (1 - 1 / per_item)
    assert fit_rasch(codes, judges, items).severities == pytest.approx(expected, abs=1e-3)


def test_two_judges_of_two_points_have_the_conditional_estimate():
    # joint estimation gives twice log(n10 / n01), and halving it the conditional one: Andersen 1973
    pairs = [(1, 0)] * 20 + [(0, 1)] * 5 + [(1, 1)] * 7 + [(0, 0)] * 9
    codes = np.array(pairs).ravel()
    items, judges = np.divmod(np.arange(len(codes)), 2)
    found = fit_rasch(codes, judges, items)
    assert found.severities[1] - found.severities[0] == pytest.approx(np.log(20 / 5), abs=1e-3)
    assert found.used == 50


@pytest.mark.parametrize("each", [2, 6])
def test_severities_come_back_on_their_own_scale(each):
    codes, judges, items, truth = simulated(items=3000, each=each)
    found = fit_rasch(codes, judges, items)
    assert np.abs(found.severities - truth).max() < 0.12
    assert np.polyfit(truth, found.severities, 1)[0] == pytest.approx(1, abs=0.06)
    assert found.thresholds == pytest.approx(np.linspace(-1.5, 1.5, 4), abs=0.2)


def test_a_judge_who_does_not_look_has_a_bad_fit():
    codes, judges, items, _ = simulated(items=600)
    codes[judges == 3] = np.random.default_rng(9).integers(0, 5, (judges == 3).sum())
    found = fit_rasch(codes, judges, items)
    assert found.infit.argmax() == found.outfit.argmax() == 3
    assert found.outfit[3] > 1.5
    assert np.delete(found.infit, 3).max() < 1.2


def test_a_judge_at_the_end_of_the_scale_has_no_severity():
    codes, judges, items, _ = simulated(items=60)
    codes[judges == 2] = 4
    found = fit_rasch(codes, judges, items)
    assert np.isnan(found.severities[2])
    assert not found.apart[2]
    assert np.isfinite(np.delete(found.severities, 2)).all()


def test_judges_without_common_items_cannot_be_compared():
    codes, judges, items, _ = simulated(items=60, judges=4)
    others = (codes[:40], judges[:40] + 4, items[:40] + 60)
    both = [np.concatenate(pair) for pair in zip((codes, judges, items), others, strict=True)]
    found = fit_rasch(*both)
    assert found.apart.tolist() == [False] * 4 + [True] * 4
    assert np.isnan(found.severities[4:]).all()
    assert np.isfinite(found.severities[:4]).all()


def test_nothing_to_tell():
    found = fit_rasch(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1]))
    assert found.used == 0
    assert np.isnan(found.severities).all()


def test_chains_of_judges_are_connected():
    judges, items = np.array([0, 1, 1, 2, 2, 3, 4]), np.array([0, 0, 1, 1, 2, 2, 3])
    assert connected(judges, items, np.ones(7, bool)).tolist() == [True] * 6 + [False]


def test_a_long_scale_is_cut_into_ten():
    assert categories(np.array([0.0, 100.0, 55.0])).tolist() == [0, 2, 1]
    codes = categories(np.arange(101.0))
    assert codes.max() == 9
    assert np.bincount(codes).tolist() == [10] * 9 + [11]
