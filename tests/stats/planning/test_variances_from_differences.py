import numpy as np
import pytest

from jurat.stats.planning.judgment_model import JudgmentArrays
from jurat.stats.planning.variances_from_differences import contrast_variances


def table(documents=8, segments=3, systems=2, judges=4):
    """Everything judged by everybody; severities and difficulties are large."""
    document, segment, system, judge = (
        codes.ravel() for codes in np.indices((documents, segments, systems, judges))
    )
    rng = np.random.default_rng(1)
    values = rng.normal(0, 1, len(judge)) + rng.normal(0, 0.5, (judges, systems))[judge, system]
    values += rng.normal(0, 2.0, judges)[judge]
    values += rng.normal(0, 2.0, (documents, segments))[document, segment]
    return JudgmentArrays(values, system, document * segments + segment, judge, document)


def test_of_complete_data_they_are_those_of_the_analysis_of_variance():
    data = table()
    given = data.values.reshape(8, 3, 2, 4)
    differences = (given[:, :, 0] - given[:, :, 1]) / np.sqrt(2)
    judge = 24 * differences.mean(axis=(0, 1)).var(ddof=1)
    document = 12 * differences.mean(axis=(1, 2)).var(ddof=1)
    of_segments = differences.mean(axis=2)
    segment = 4 * ((of_segments - of_segments.mean(axis=1, keepdims=True)) ** 2).sum() / 16
    alone = differences - of_segments[..., None] - differences.mean(axis=(0, 1))
    rest = ((alone + differences.mean()) ** 2).sum() / (23 * 3)
    found = contrast_variances(data)
    assert found is not None
    assert found.rest == pytest.approx(rest)
    assert found.taste == pytest.approx((judge - rest) / 24)
    assert found.translation == pytest.approx((segment - rest) / 4)
    assert found.interaction == pytest.approx((document - segment) / 12)


def test_severities_and_difficulties_do_not_matter():
    data = table()
    harsher = data._replace(values=data.values + 5.0 * data.judge - 3.0 * data.segment)
    assert contrast_variances(harsher) == pytest.approx(contrast_variances(data))


def test_systems_in_different_hands_have_no_differences():
    data = table(systems=2)
    apart = data.at(data.judge % 2 == data.system)
    assert contrast_variances(apart) is None


def test_one_judgment_of_each_translation_tells_its_sum_with_errors():
    data = table(documents=200, segments=3, judges=20)
    once = data.at(data.judge == data.document % 20)
    found = contrast_variances(once)
    assert found is not None
    assert found.translation == 0
    assert found.rest == pytest.approx(1, abs=0.15)
    assert found.taste == pytest.approx(0.25, abs=0.2)
