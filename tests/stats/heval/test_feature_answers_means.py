import numpy as np
import polars as pl
import pytest
from scipy import stats

from jurat.stats import Ratings
from jurat.stats.heval.feature_answers import group_means
from jurat.stats.settings import HEvalSettings


def answers() -> Ratings:
    """One answer of a judge to each feature of each document."""
    rng = np.random.default_rng(1)
    system, feature, document = (codes.ravel() for codes in np.indices((2, 3, 30)))
    codes = pl.DataFrame({"s": system, "f": feature, "d": document})
    frame = codes.select(
        system=pl.format("s{}", "s"),
        feature=pl.format("f{}", "f"),
        document=pl.format("d{}", "d"),
        item=pl.format("d{}", "d"),
        judge=pl.lit("j"),
        value=pl.Series(rng.integers(1, 4, len(system)).astype(float)),
    )
    return Ratings(question="heval", frame=frame.sample(fraction=1, shuffle=True, seed=1))


def test_each_group_has_the_t_interval_of_its_documents():
    ratings = answers()
    found = list(group_means(ratings, ("system", "feature"), HEvalSettings(), top=4))
    keys = [(e.by["system"], e.by["feature"]) for e in found]
    assert keys == [(s, f) for s in ("s0", "s1") for f in ("f0", "f1", "f2")]
    for mean in found:
        own = ratings.frame.filter(system=mean.by["system"], feature=mean.by["feature"])["value"]
        assert (mean.value, mean.n) == (pytest.approx(own.mean()), 30)
        ends = stats.t.interval(0.95, 29, loc=own.mean(), scale=own.std() / np.sqrt(30))
        assert (mean.low, mean.high) == pytest.approx(ends)


def test_without_intervals():
    found = list(group_means(answers(), ("system",), HEvalSettings(bootstrap=0), top=4))
    assert [(e.low, e.note) for e in found] == [(None, "")] * 2


def test_nothing():
    empty = Ratings(question="heval", frame=answers().frame.clear())
    assert list(group_means(empty, ("system",), HEvalSettings())) == []
