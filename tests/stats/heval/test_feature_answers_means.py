import numpy as np
import polars as pl
import pytest

from jurat.resampling import bootstrap
from jurat.stats import Settings
from jurat.stats.heval.feature_answers import group_means


def test_as_each_group_by_itself():
    rng = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "system": rng.choice(["X", "Y"], 200),
            "feature": rng.choice(["a", "b", "c"], 200),
            "cluster": rng.integers(0, 30, 200),
            "value": rng.integers(0, 5, 200).astype(float),
        }
    )
    found = list(
        group_means(frame, separately=["system"], together="feature", settings=Settings(seed=4))
    )
    assert len(found) == 6
    for mean in found:
        own = frame.filter(
            (pl.col("system") == mean.by["system"]) & (pl.col("feature") == mean.by["feature"])
        )
        told = mean.estimate({})
        assert told.value == pytest.approx(own["value"].mean())
        assert told.n == own.height
        alone = bootstrap(
            np.column_stack([own["value"], np.ones(own.height)]),
            lambda t: t[:, 0] / t[:, 1],
            clusters=own["cluster"].to_numpy(),
            seed=9,
        )
        assert alone.interval is not None
        assert told.low is not None
        assert told.high is not None
        # the same interval up to the noise of 1,000 resamples
        assert told.high - told.low == pytest.approx(
            alone.interval.high - alone.interval.low, rel=0.25
        )


def test_nothing():
    empty = pl.DataFrame(schema={"system": pl.String, "cluster": pl.Int64, "value": pl.Float64})
    assert list(group_means(empty, separately=[], together="system", settings=Settings())) == []
