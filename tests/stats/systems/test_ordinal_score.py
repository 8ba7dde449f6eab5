import numpy as np
import pytest
from statsmodels.miscmodels.ordinal_model import OrderedModel

from jurat.stats.cluster_inference import Clusters
from jurat.stats.systems import ordinal_score
from jurat.stats.systems.ordinal_model import OrdinalData, fit_ordinal
from jurat.stats.systems.ordinal_score import NO_MAXIMUM, NOT_ORDINAL, TOO_MANY, OrdinalScore
from tests.stats.systems.finding import only, results
from tests.stats.tables import evaluation

EFFECTS = np.array([0.5, 0.0, -0.5])
ENDS = [-2.0, -0.7, 0.7, 2.0]


def campaign(rng, *, documents=20, judges=6, tastes=0.3, severity=0.5, difficulty=0.7):
    """Columns answer, system, judge, sentence, document; two judges a sentence of three."""
    severe, taste = rng.normal(0, severity, judges), rng.normal(0, tastes, (judges, 3))
    suited, rows = rng.normal(0, 0.3, (documents, 3)), []
    for sentence in range(3 * documents):
        document, hard = sentence // 3, rng.normal(0, difficulty)
        for judge in rng.permutation(judges)[:2]:
            latent = EFFECTS + severe[judge] + taste[judge] + suited[document] + hard
            answers = np.searchsorted(ENDS, latent + rng.logistic(size=3))
            rows += [(a, s, judge, sentence, document) for s, a in enumerate(answers)]
    return np.array(rows).T


def test_without_random_effects_it_is_statsmodels_ordered_model():
    answer, system, *_ = campaign(np.random.default_rng(1))
    found = fit_ordinal(OrdinalData(answer=answer, system=system))
    dummies = np.stack([system == 1, system == 2], axis=1).astype(float)
    model = OrderedModel(answer, dummies, distr="logit")
    # how small a step or gradient their optimisers reach depends on the processor
    theirs = model.fit(method="newton", disp=False, warn_convergence=False)
    assert np.abs(model.score(theirs.params)).max() < 1e-4
    expected = np.array([0, *theirs.params[:2]])
    assert found is not None
    np.testing.assert_allclose(found.systems, expected - expected.mean(), atol=1e-5)
    ends = model.transform_threshold_params(theirs.params)[1:-1]
    np.testing.assert_allclose(found.thresholds, ends - expected.mean(), atol=1e-5)


def test_two_points_are_a_logistic_regression():
    """Of two systems and two answers β is half the log odds ratio."""
    counts = {(0, 0): 30, (0, 1): 10, (1, 0): 12, (1, 1): 24}
    system, answer = (np.repeat(part, list(counts.values())) for part in np.array([*counts]).T)
    found = fit_ordinal(OrdinalData(answer=answer, system=system))
    assert found is not None
    assert found.systems[1] == pytest.approx(np.log(30 * 24 / (10 * 12)) / 2, abs=1e-6)


def test_effects_and_variances_are_found_and_intervals_cover():
    rng, effects, inside, variances = np.random.default_rng(2), [], [], []
    for _ in range(16):
        answer, system, judge, sentence, document = campaign(rng)
        found = fit_ordinal(
            OrdinalData(answer=answer, system=system, judge=judge, sentence=sentence)
        )
        assert found is not None
        half = found.halves(Clusters(document, judge), 0.95)
        effects.append(found.systems)
        inside.append(np.abs(found.systems - EFFECTS) <= half)
        variances.append((found.judge_variance, found.sentence_variance))
    assert np.abs(np.mean(effects, axis=0) - EFFECTS).max() < 0.1
    assert np.mean(inside) >= 0.9
    # Laplace's approximation takes variances a little too small
    assert np.mean(variances, axis=0) == pytest.approx([0.25, 0.49], rel=0.25)


def table(answers):
    """A CSV of answers by system, each to another sentence."""
    lines = [f"{n},{s},{v}" for s, own in answers.items() for n, v in enumerate(own)]
    return evaluation("\n".join(["segment,system,value", *lines]))


def test_the_better_answers_have_the_higher_score():
    found = results(OrdinalScore, table({"a": "123212313", "b": "233323231"}))["ordinal-score"]
    a, b = (only(found, system=name).value for name in "ab")
    assert a is not None
    assert b == pytest.approx(-a)
    assert b > 0
    assert found.headline.startswith("b has the highest latent score, ")


def test_answers_at_one_end_have_no_maximum():
    found = results(OrdinalScore, table({"a": "111111", "b": "222222"}))["ordinal-score"]
    assert {e.reason for e in found.estimates} == {NO_MAXIMUM}


@pytest.mark.parametrize(
    "answers", [{"a": "1234"}, {"a": "11", "b": "11"}, {"a": range(12), "b": range(12)}]
)
def test_other_scales_are_left_out(answers):
    (missing,) = results(OrdinalScore, table(answers))["ordinal-score"].estimates
    assert (missing.value, missing.reason) == (None, NOT_ORDINAL)


def test_large_tables_are_refused_with_the_limit(monkeypatch):
    monkeypatch.setattr(ordinal_score, "MOST_JUDGMENTS", 5)
    found = results(OrdinalScore, table({"a": "1232", "b": "2333"}))["ordinal-score"]
    assert {e.reason for e in found.estimates} == {TOO_MANY}
