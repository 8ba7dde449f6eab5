"""Agreement that holds for new judges: `--draw judges`."""

import numpy as np
import pytest

from jurat.stats import analyse
from jurat.stats.agreement.item_statistic import with_intervals
from jurat.stats.agreement.krippendorff_alpha import KrippendorffAlpha
from jurat.stats.settings import AgreementSettings
from tests.stats.agreement.asking import long
from tests.stats.agreement.drawn import rows, table
from tests.stats.tables import evaluation, matrix

DRAWN = AgreementSettings(draw="judges")


def named(judges, name, by=None):
    asked = evaluation(long(rows(table(1, judges=judges, items=25, gaps=0.1))))
    for result in analyse("agreement", asked, DRAWN):
        if result.name == name:
            found = [e for e in result.estimates if (by or {}).items() <= e.by.items()]
            return result, found[0]
    raise AssertionError(name)


@pytest.mark.parametrize(
    ("name", "by"),
    [
        ("fleiss-kappa", {}),
        ("n-agreement", {"n": 0}),
        ("kway-agreement", {"k": 2}),
        ("krippendorff-alpha", {"scale": "interval"}),
        ("cohen-kappa", {"weights": "linear"}),
        ("pearson-mean", {}),
    ],
)
def test_intervals_are_for_new_judges(name, by):
    result, found = named(5, name, by)
    assert "interval for new judges" in result.method
    assert "drawn:judges" in result.signature
    assert found.low < found.value < found.high
    assert found.note == ""


def test_four_judges_are_few():
    assert named(4, "fleiss-kappa")[1].note == "wide, cautious: 4 judges"


def test_two_judges_are_refused():
    for name in ("fleiss-kappa", "pearson-mean"):
        _, found = named(2, name)
        assert found.value is not None
        assert found.low is None
        assert found.note == "no interval: 2 judges cannot speak for new ones, 3 are needed"


def test_what_cannot_speak_for_new_judges_says_so():
    for name in ("spearman-mean", "z-r2", "answer-share"):
        assert "for these judges only" in named(4, name)[0].method


def test_alpha_of_judges_who_differ_in_severity_is_covered():
    """Items, severities and errors have the same variance: alpha is a third."""
    rng, covered = np.random.default_rng(3), 0
    for _ in range(60):
        severity = rng.normal(size=(5, 1))
        scores = rng.normal(size=40) + severity + rng.normal(size=(5, 40))
        ratings = matrix(np.round(2 * scores).tolist())
        found = with_intervals((KrippendorffAlpha,), ratings, DRAWN)["krippendorff-alpha"].values
        covered += found.low[2] <= 1 / 3 <= found.high[2]
    assert covered >= 0.9 * 60
