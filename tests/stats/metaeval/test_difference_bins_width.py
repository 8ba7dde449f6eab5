"""Steps of differences."""

import numpy as np
import pytest

from jurat.stats.metaeval.difference_bins import (
    DifferenceBins,
    bins_of,
    default_width,
    describe_bins,
)
from tests.stats.metaeval.asking import figure, matched_figure


def test_steps_have_a_lower_end_and_no_difference_has_none():
    bins = DifferenceBins(0.1, 0.9)
    differences = np.array([0.0, 0.05, 0.1, 0.3 - 0.2, -0.25, 0.99, 7.0])
    assert bins.of(differences).tolist() == [0, 1, 2, 2, 3, 10, 10]


@pytest.mark.parametrize(
    ("step", "largest", "names"),
    [
        (0.1, 1.0, ("0", "0.0-0.1", "0.8-0.9", "0.9-1.0")),
        (0.1, 1.2, ("0", "0.0-0.1", "0.8-0.9", "0.9+")),
        (10, 100.0, ("0", "0-10", "80-90", "90-100")),
        (0.05, 0.2, ("0", "0.00-0.05", "0.40-0.45", "0.45-0.50")),
        (0.25, 0.2, ("0", "0.00-0.25", "2.00-2.25", "2.25-2.50")),
        (2.5, 99.0, ("0", "0.0-2.5", "20.0-22.5", "22.5+")),
    ],
)
def test_names(step, largest, names):
    found = DifferenceBins(step, largest).names
    assert (found[0], found[1], found[-2], found[-1]) == names
    assert len(found) == 11


@pytest.mark.parametrize(
    ("scores", "step"),
    [
        (np.linspace(0, 1, 99), 0.1),
        (np.append(np.linspace(0, 1, 99), 1.6), 0.1),  # an error rate above 1
        (np.linspace(0.7, 0.95, 99), 0.1),
        (np.linspace(0, 100, 99), 10),
        (np.linspace(20, 60, 99), 10),
        (np.append(np.linspace(0, 100, 99), 180), 10),
        (np.linspace(-25, 0, 99), 2),
        (np.linspace(1, 5, 99), 0.5),
        (np.full(9, 3.0), 0.1),
        (np.empty(0), 0.1),
    ],
)
def test_the_scale_of_the_scores_tells_the_step(scores, step):
    assert default_width(scores) == pytest.approx(step)


def test_a_step_may_be_asked_for():
    one, settings = matched_figure(step="GTM=0.05")
    assert [bins_of(one, at, settings).step for at in range(3)] == [0.1, 0.05, 0.1]
    assert describe_bins((one,), settings) == "steps of 0.05 (GTM), 0.1 (BLEU, TER)"
    assert describe_bins((one,), figure()[1]) == "steps of 0.1"
