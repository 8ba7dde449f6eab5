import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jurat.stats.answer_distances import WEIGHTS
from jurat.stats.bias.pair_kappas import dense_is_faster, dense_kappas, kappas_of_pairs
from jurat.stats.judge_pairs import JudgePairs
from jurat.stats.kappa import pair_kappas
from tests.stats.tables import matrix

ANSWERS = st.one_of(st.none(), st.integers(0, 4))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(ANSWERS, min_size=6, max_size=6), min_size=2, max_size=5))
def test_the_same_as_from_a_list_of_pairs(rows):
    rows[0][0], rows[1][0] = 1, 2  # something to compare
    answers = matrix([[None if v is None else v * 1.5 for v in row] for row in rows])
    found = dense_kappas(answers, np.arange(len(answers)), WEIGHTS)
    pairs = JudgePairs.of(answers)
    assert (found.a.tolist(), found.b.tolist()) == (pairs.a.tolist(), pairs.b.tolist())
    for weights in WEIGHTS:
        np.testing.assert_allclose(
            found.values[weights], pair_kappas(pairs, weights), atol=1e-12, equal_nan=True
        )


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_many_blocks_and_many_judges(missing, monkeypatch):
    monkeypatch.setattr("jurat.stats.bias.pair_kappas.BLOCK", 64)
    monkeypatch.setattr("jurat.stats.bias.pair_kappas.MANY", 10)
    rng = np.random.default_rng(1)
    rows = rng.integers(1, 8, (12, 90)).astype(object)
    rows[rng.random(rows.shape) < missing] = None
    answers = matrix(rows.tolist())
    assert dense_is_faster(answers, np.arange(len(answers)))
    keep = rng.random(len(answers)) < 0.9
    found, pairs = kappas_of_pairs(answers, keep), JudgePairs.of(answers, keep=keep)
    for weights in WEIGHTS:
        np.testing.assert_allclose(found.values[weights], pair_kappas(pairs, weights), atol=1e-12)


def test_few_pairs_are_listed():
    answers = matrix([[1, 2, 3], [1, 2, 2]])
    assert not dense_is_faster(answers, np.arange(6))
