"""The crossed mixed model beside statsmodels, and where a component is nothing."""

import numpy as np
import pytest

from jurat.stats.judges.mixed_model import fit_crossed

pd = pytest.importorskip("pandas")


def simulated(judges: int, items: int, each: int, *, seed: int, judge_sd=0.5, item_sd=1.0):
    rng = np.random.default_rng(seed)
    who = np.concatenate([rng.permutation(judges)[:each] for _ in range(items)])
    what = np.repeat(np.arange(items), each)
    effects = rng.normal(0, judge_sd, judges)[who] + rng.normal(0, item_sd, items)[what]
    return 4 + effects + rng.normal(0, 0.7, len(who)), who, what


def foreign(values, judges, items):
    """statsmodels' REML fit, a variance component for each factor."""
    import statsmodels.api as sm

    frame = pd.DataFrame({"y": values, "judge": judges, "item": items, "all": 1})
    parts = {"judge": "0 + C(judge)", "item": "0 + C(item)"}
    model = sm.MixedLM.from_formula(
        "y ~ 1", groups="all", vc_formula=parts, re_formula="0", data=frame
    )
    fitted = model.fit(reml=True)
    named = dict(zip(model.exog_vc.names, fitted.vcomp, strict=True))
    effects = fitted.random_effects[1]
    severity = np.array([effects[f"judge[C(judge)[{j}]]"] for j in range(judges.max() + 1)])
    return fitted, named, severity


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("judges", "items", "each", "seed"), [(6, 40, 3, 1), (10, 30, 5, 2)])
def test_components_mean_and_effects_are_those_of_statsmodels(judges, items, each, seed):
    data = simulated(judges, items, each, seed=seed)
    model, (fitted, named, effects) = fit_crossed(*data), foreign(*data)
    assert model.components.judge == pytest.approx(named["judge"], rel=1e-4)
    assert model.components.item == pytest.approx(named["item"], rel=1e-4)
    assert model.components.rest == pytest.approx(fitted.scale, rel=1e-4)
    assert model.mean == pytest.approx(fitted.params["Intercept"], abs=1e-5)
    assert model.judges == pytest.approx(effects, abs=1e-3)


@pytest.mark.filterwarnings("ignore")
def test_items_with_different_numbers_of_judgments():
    values, judges, items = simulated(8, 40, 4, seed=3)
    kept = np.random.default_rng(0).random(len(values)) < 0.7
    items = np.unique(items[kept], return_inverse=True)[1]
    data = values[kept], judges[kept], items
    model, (_, named, _) = fit_crossed(*data), foreign(*data)
    assert model.components.judge == pytest.approx(named["judge"], rel=1e-3)
    assert model.components.item == pytest.approx(named["item"], rel=1e-3)


def test_a_balanced_design_has_the_components_of_the_analysis_of_variance():
    rng = np.random.default_rng(5)
    table = rng.normal(0, 1, (12, 1)) + rng.normal(0, 0.6, (1, 5)) + rng.normal(0, 0.5, (12, 5))
    items, judges = (index.ravel() for index in np.indices(table.shape))
    rest = table - table.mean(0) - table.mean(1, keepdims=True) + table.mean()
    error = (rest**2).sum() / (11 * 4)
    components = fit_crossed(table.ravel(), judges, items).components
    assert components.rest == pytest.approx(error, rel=1e-6)
    assert components.item == pytest.approx(table.mean(1).var(ddof=1) - error / 5, rel=1e-5)
    assert components.judge == pytest.approx(table.mean(0).var(ddof=1) - error / 12, rel=1e-5)


def test_judges_who_do_not_differ_have_no_variance():
    values, judges, items = simulated(20, 200, 3, seed=4, judge_sd=0.0)
    values = values - np.bincount(judges, values)[judges] / np.bincount(judges)[judges]
    model = fit_crossed(values, judges, items)
    assert model.components.judge == pytest.approx(0, abs=1e-4)
    assert np.abs(model.judges).max() < 1e-3


def test_scores_without_any_rest_are_fitted():
    items, judges = (index.ravel() for index in np.indices((10, 4)))
    model = fit_crossed((items + 2.0 * judges).astype(float), judges, items)
    assert model.judges == pytest.approx([-3, -1, 1, 3], abs=1e-3)
    assert np.abs(model.residuals).max() < 1e-3


def test_errors_grow_as_judgments_become_fewer():
    values, judges, items = simulated(6, 60, 3, seed=6)
    few = (judges != 0) | (np.cumsum(judges == 0) <= 3)
    items = np.unique(items[few], return_inverse=True)[1]
    errors = fit_crossed(values[few], judges[few], items).among_errors
    assert errors.argmax() == 0


def test_intervals_among_judges_hold_however_alike_they_are():
    """Standard errors of prediction held in 56 % where three judges hardly differ."""
    rng = np.random.default_rng(3)
    judges, items = (codes.ravel() for codes in np.indices((3, 30)))
    held = []
    for _ in range(60):
        levels = rng.normal(0, 0.1, 3)
        values = levels[judges] + rng.normal(0, 1, 30)[items] + rng.normal(0, 0.7, 90)
        model = fit_crossed(values, judges, items)
        away = model.among_judges - (levels - levels.mean())
        held.append(np.abs(away) <= 2.0 * model.among_errors)
    assert np.mean(held) >= 0.9
