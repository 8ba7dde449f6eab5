"""The difference of two agreements, paired by shared items or independent."""

from dataclasses import replace

import numpy as np
import pytest

from jurat.stats import Settings, analyse
from jurat.stats.agreement.agreement_difference import _Difference
from tests.stats.agreement.asking import long, one, value
from tests.stats.agreement.drawn import rows, table
from tests.stats.tables import evaluation, matrix


def test_is_the_difference_of_both_values():
    here, there = (evaluation(long(rows(table(seed)))) for seed in (1, 2))
    both = replace(here, against=there)
    for name, statistic, by in (
        ("fleiss-kappa", "fleiss-kappa", {}),
        ("krippendorff-alpha", "krippendorff-alpha interval", {"scale": "interval"}),
        ("n-agreement", "n-agreement 0", {"n": 0}),
    ):
        found = one(both, "agreement-difference", {"bootstrap": 1}, statistic=statistic)
        expected = value(here, name, **by) - value(there, name, **by)
        assert found.value == pytest.approx(expected)
        assert found.low < found.value < found.high


def test_a_table_does_not_differ_from_itself():
    asked = evaluation(long(rows(table(1))))
    found = one(replace(asked, against=asked), "agreement-difference", statistic="fleiss-kappa")
    assert found.value == 0


def test_nothing_is_said_without_another_table():
    asked = evaluation(long([[1, 2, 1], [1, 2, 2]]))
    assert list(analyse("agreement", asked, Settings(), only=["agreement-difference"])) == []


def rated(rng, own, judges=3):
    kept = rng.random((judges, len(own))) < 0.7
    return np.where(kept, own, rng.integers(4, size=(judges, len(own)))).tolist()


@pytest.mark.parametrize("shared", [True, False])
def test_equal_agreements_differ_in_one_of_twenty(shared):
    rng, wrong = np.random.default_rng(4), 0
    for _ in range(40):
        own = rng.integers(4, size=30)
        here = matrix(rated(rng, own))
        other = own if shared else rng.integers(4, size=30)
        there = matrix(rated(rng, other))
        if not shared:
            frame = there.frame.with_columns(item="other " + there.frame["item"].cast(str))
            there = replace(there, frame=frame)
        found = _Difference.of(here, there, Settings()).found
        assert ("30 of them in both" if shared else "0 of them in both") in found.method
        wrong += not found.low[0] <= 0 <= found.high[0]
    assert wrong <= 5
