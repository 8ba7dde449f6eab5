"""Whether tests and intervals over documents hold what they promise, on simulated campaigns.

Documents have effects of their own on people and metrics; all metrics are equally good.
"""

from dataclasses import replace

import numpy as np
import pytest

from jurat.stats.metaeval.correlation import PEARSON, of_segments
from jurat.stats.metaeval.jackknife_comparison import Comparison, jackknife_test
from jurat.stats.metaeval.matched_scores import match_scores
from tests.stats.metaeval.asking import asked

SYSTEMS, SEGMENTS = 4, 5


def template(documents, metrics):
    """Matched scores of so many documents, into which simulated numbers are put."""
    names = ",".join(f"m{n}" for n in range(metrics))
    rows = [
        f"d{d},{d}-{s},{k}," + ",".join(str((7 * d + s * k + n) % 5) for n in range(metrics + 1))
        for d in range(documents)
        for s in range(SEGMENTS)
        for k in range(SYSTEMS)
    ]
    csv = f"document,segment,system,value,{names}\n" + "\n".join(rows)
    evaluation, settings = asked(csv, bootstrap=1)
    (data,) = match_scores(evaluation, settings)
    assert data.units.number == documents
    return data, settings


def simulated(data, rng, metrics, effect=0.7):
    """The same with people's scores, and metrics' with errors that a document shares."""
    documents = data.units.of_item

    def noise(*shape):
        shared = rng.normal(0, effect, (*shape, data.units.number))[..., documents, None]
        return shared + rng.normal(size=(*shape, data.segments, SYSTEMS))

    human = noise()
    return replace(data, human=replace(data.human, means=human), scores=human + noise(metrics))


@pytest.mark.parametrize("documents", [10, 30])
def test_equal_metrics_are_told_apart_in_one_of_twenty_campaigns(documents):
    rng, runs = np.random.default_rng(documents), 500
    data, settings = template(documents, 2)
    p = []
    for _ in range(runs):
        found = jackknife_test(simulated(data, rng, 2), settings)
        assert isinstance(found, Comparison)
        p.append(found.tests.p[0, 1])
    share = np.mean(np.array(p) < 0.05)
    assert 0.02 < share < 0.07


@pytest.mark.parametrize("documents", [10, 30])
def test_intervals_cover_the_correlation(documents):
    """Its true value is 1/√2: people's variance is half of the metrics'."""
    rng, runs = np.random.default_rng(7), 500
    data, settings = template(documents, 1)
    covered = 0
    for _ in range(runs):
        found = of_segments(simulated(data, rng, 1), 0, PEARSON, "none", settings)
        covered += found.low < np.sqrt(0.5) < found.high
    assert 0.92 < covered / runs < 0.98
