import numpy as np
import pytest

from jurat.stats.planning.judgment_model import JudgmentArrays, variances

TRUE = {
    "document": 0.5,
    "interaction": 0.4,
    "segment": 0.5,
    "translation": 0.8,
    "taste": 0.4,
    "judge": 0.6,
    "rest": 1.0,
}


def crossed(segments, systems, judges, *, seed, share=1.0, size=5):
    """Every judge judges every translation, or a random share of them; documents of that size."""
    rng = np.random.default_rng(seed)
    segment, system, judge = (a.ravel() for a in np.indices((segments, systems, judges)))
    document = segment // size
    values = (
        rng.normal(0, TRUE["document"], segments)[document]
        + rng.normal(0, TRUE["interaction"], (segments, systems))[document, system]
        + rng.normal(0, TRUE["taste"], (judges, systems))[judge, system]
        + rng.normal(0, TRUE["segment"], segments)[segment]
        + rng.normal(0, TRUE["translation"], (segments, systems))[segment, system]
        + rng.normal(0, TRUE["judge"], judges)[judge]
        + rng.normal(0, TRUE["rest"], len(judge))
        + 0.4 * system
        + 3
    )
    kept = rng.random(len(judge)) < share
    return JudgmentArrays(values, system, segment, judge, document).at(kept)


def test_one_complete_system_is_the_analysis_of_variance():
    """Two ways without repetition: mean squares of items, judges and residuals."""
    data = crossed(30, 1, 6, seed=1, size=1)
    table = data.values.reshape(30, 6)
    rows, columns, grand = table.mean(axis=1), table.mean(axis=0), table.mean()
    residual = table - rows[:, None] - columns + grand
    of_rest = (residual**2).sum() / (29 * 5)
    of_items = 6 * ((rows - grand) ** 2).sum() / 29
    of_judges = 30 * ((columns - grand) ** 2).sum() / 5
    found = variances(data)
    assert found.rest == pytest.approx(of_rest)
    assert found.judge == pytest.approx((of_judges - of_rest) / 30)
    assert found.segment + found.translation == pytest.approx((of_items - of_rest) / 6)
    # one system cannot tell them apart, nor documents of one segment
    assert found.segment == found.document == found.interaction == found.taste == 0


@pytest.mark.parametrize("share", [1.0, 0.15])
def test_unbiased_whatever_is_missing(share):
    found = np.array([variances(crossed(60, 4, 12, seed=seed, share=share)) for seed in range(60)])
    truth = np.array([v**2 for v in TRUE.values()])
    error = found.std(axis=0) / np.sqrt(len(found))
    assert (np.abs(found.mean(axis=0) - truth) < 3.5 * error + 0.01).all()


def test_repeats_are_no_second_opinion():
    data = crossed(20, 2, 4, seed=2)
    doubled = JudgmentArrays(*(np.concatenate([c, c]) for c in data))
    assert variances(doubled) == pytest.approx(variances(data))


def test_every_translation_judged_once():
    data = crossed(50, 2, 5, seed=3)
    once = np.flatnonzero(data.judge == (data.segment + data.system) % 5)
    found = variances(JudgmentArrays(*(c[once] for c in data)))
    assert sum(found) > 0
    assert min(found) >= 0


def test_constant_and_single():
    none, place = np.zeros(6, int), np.arange(6) // 2
    same = JudgmentArrays(np.full(6, 3.0), none, place, np.arange(6) % 2, place)
    assert not any(variances(same))
    one = JudgmentArrays(np.array([3.0]), *(np.zeros(1, int) for _ in range(4)))
    assert not any(variances(one))
