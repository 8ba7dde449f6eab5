import numpy as np
import pytest
from scipy import stats

from jurat.stats.planning.judgment_model import JudgmentArrays, variances
from jurat.stats.planning.variance_limits import PilotVariances


def crossed(documents=10, segments=2, systems=3, judges=4, seed=1):
    document, segment, system, judge = (
        codes.ravel() for codes in np.indices((documents, segments, systems, judges))
    )
    rng = np.random.default_rng(seed)
    values = rng.normal(0, 1, len(judge)) + rng.normal(0, 0.5, (judges, systems))[judge, system]
    return JudgmentArrays(values, system, document * segments + segment, judge, document)


def test_tastes_of_judges_who_judged_everything():
    """The mean square of judges by system has χ² with (judges − 1)(systems − 1)."""
    data = crossed()
    pilot = PilotVariances.of(variances(data), data)
    taste, rest = pilot.estimated.taste, pilot.estimated.rest
    noise, freedom = rest / 20, 3 * 2
    expected = (taste + noise) * freedom / stats.chi2.ppf(0.1, freedom) - noise
    assert pilot.limits(0.9).taste == pytest.approx(expected)


def test_limits_close_in_with_judges_and_documents():
    few, many = crossed(), crossed(documents=200, judges=40)
    wide, narrow = (
        PilotVariances.of(variances(data), data).limits(0.9).taste / variances(data).taste
        for data in (few, many)
    )
    assert 1 < narrow < 1.3 < wide


def test_what_is_unknown_has_no_limits():
    data = crossed()
    found = variances(data)
    pilot = PilotVariances.of(found, data, judges=False, documents=False)
    assert pilot.limits(0.9) == pilot.estimated
    assert pilot.words == ""
    assert PilotVariances.of(found, data).words == "4 judges and 10 documents"
