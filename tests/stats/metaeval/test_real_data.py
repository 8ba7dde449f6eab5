"""WMT23's English–German metrics, beside loops that compute what mt-metrics-eval computes."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from jurat.stats.correlation import kendall_counts
from jurat.stats.metaeval.accuracy_with_ties import calibrate_groups
from jurat.stats.metaeval.correlation import average, kendall_variant
from jurat.stats.metaeval.matched_scores import score_groups
from jurat.stats.metaeval.soft_accuracy import soft_accuracy
from tests.stats.metaeval import loops

METRICS = ("BLEU-refA", "COMET-refA", "XCOMET-Ensemble-refA", "Random-sysname-src")


@pytest.fixture(scope="module")
def tables(shared: Path) -> dict[str, np.ndarray]:
    """Judgments and metrics, systems × segments."""
    rows = pl.read_csv(shared / "wmt23_metrics_ende" / "segments_en-de.tsv", separator="\t")
    systems, segments = rows["system"].n_unique(), rows["segment"].n_unique()
    return {name: rows[name].to_numpy().reshape(systems, segments) for name in ("mqm", *METRICS)}


@pytest.mark.parametrize("metric", METRICS)
def test_accuracy_with_calibrated_ties(tables, metric):
    human, scores = tables["mqm"], tables[metric]
    wanted = loops.calibrated(human.tolist(), scores.tolist(), "item")
    assert calibrate_groups(score_groups(human.T, scores.T, "item")) == pytest.approx(
        wanted, abs=1e-9
    )


@pytest.mark.parametrize("metric", METRICS)
def test_soft_pairwise_accuracy(tables, metric):
    human, scores = tables["mqm"], tables[metric]
    found = soft_accuracy(human.T, scores.T)
    # in single precision, as there, a sum may be just as great as another, or not
    assert found == pytest.approx(loops.soft_accuracy(human, scores), abs=5e-5)


@pytest.mark.parametrize("metric", METRICS)
def test_kendall(tables, metric):
    human, scores = tables["mqm"], tables[metric]
    for grouping, average_by in (("none", "none"), ("item", "item"), ("system", "sys")):
        groups = score_groups(human.T, scores.T, grouping)
        wanted = loops.averaged(loops.kendall, human.tolist(), scores.tolist(), average_by)
        found = average(kendall_variant("b", kendall_counts(*groups), groups))
        assert found == pytest.approx(wanted, abs=1e-9)
