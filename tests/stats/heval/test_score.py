import numpy as np
import pytest
from scipy import stats

from jurat.stats import Settings
from jurat.stats.heval.score import HEvalScore
from jurat.stats.settings import HEvalSettings, SystemSettings
from jurat.stats.systems.system_scores import SystemScore
from tests.stats.heval.tables import by, small
from tests.stats.tables import evaluation


def score(table, **settings):
    (result,) = HEvalScore().results(table, HEvalSettings(**settings))
    return result


def test_systems_by_all_judges_and_by_each():
    result = score(small())
    assert by(result, system="X").value == pytest.approx((0.5 + 0.5 + 0.25 + 0.5) / 4)
    assert by(result, system="X").n == 4
    assert by(result, system="Y", judge="a").value == pytest.approx(2.5 / 3)
    assert by(result, system="Y", judge="b").value == 0.5
    # the documents of Y have the same mean, so that there is nothing to tell an interval from
    told = "Y has the highest score, 0.750 of 1, X the lowest, 0.438 [0.000, 1.00]"
    assert result.headline.startswith(told)
    assert "documents vary, for these judges only" in result.method


def test_documents_alike():
    result = score(small(), average="documents")
    assert by(result, system="X").value == pytest.approx(((0.5 + 0.5 + 0.5) / 3 + 0.25) / 2)
    assert by(result, system="X").n == 2


def test_without_intervals():
    result = score(small(), bootstrap=0)
    assert all(e.low is None for e in result.estimates)
    assert "interval" not in result.method
    assert "seed" not in result.signature
    assert by(result, system="X").value == pytest.approx(0.4375)
    assert all(e.low is None for e in score(small(), bootstrap=0, level="document").estimates)


def scored(documents, judges, *, severity=0.0, system="X", seed=1):
    """A score of every judge for each of three sentences of a document, 0.5 on average."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(0, 0.05, documents)
    own = rng.normal(0, severity, judges)
    values = 0.5 + hard[:, None, None] + own[:, None] + rng.normal(0, 0.05, (documents, judges, 3))
    rows = [
        f"{system},d{d},{s},j{j},{np.clip(values[d, j, s], 0, 1)}"
        for d, j, s in np.ndindex(*values.shape)
    ]
    table = evaluation("\n".join(["system,document,segment,judge,value", *rows]))
    return table, np.clip(values, 0, 1)


def reach(values, units):
    """Half of Student's interval of the mean of so many independent units."""
    return stats.t.ppf(0.975, units - 1) * values.std(ddof=1) / np.sqrt(units)


def half(estimate):
    return (estimate.high - estimate.low) / 2


def test_documents_vary():
    """Of one judge: the t interval of document means."""
    table, values = scored(10, 1)
    only = by(score(table), system="X")
    assert half(only) == pytest.approx(reach(values.mean(axis=(1, 2)), 10))
    assert only.note == "for these judges only (fewer than 3)"


def test_judges_vary_where_there_are_three():
    table, values = scored(10, 4, severity=0.2)
    result = score(table)
    pooled = by(result, system="X")
    assert half(pooled) > reach(values.mean(axis=(1, 2)), 10)
    # as wide as if the four judges were all there is
    assert half(pooled) == pytest.approx(reach(values.mean(axis=(0, 2)), 4), rel=0.15)
    assert "documents and judges vary; of a single judge documents alone vary" in result.method
    one = by(result, system="X", judge="j0")
    assert half(one) == pytest.approx(reach(values[:, 0].mean(axis=1), 10))


def test_as_the_scores_of_systems():
    """A score of 0 to 1 has the interval that `jurat systems` gives it."""
    table, _ = scored(12, 4, severity=0.1)
    ours = by(score(table), system="X")
    (theirs,) = next(SystemScore().results(table, SystemSettings())).estimates
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))


def test_segments_as_independent_if_asked():
    table, values = scored(10, 2)
    result = score(table, unit="segment")
    means = values.mean(axis=1).ravel()
    assert half(by(result, system="X")) == pytest.approx(reach(means, 30))
    assert "sentences are taken as independent, as asked" in result.method
    assert "unit:segment" in result.signature


def test_intervals_end_where_the_scale_ends():
    rows = ["system,document,value", *(f"X,{n},{v}" for n, v in enumerate((1, 1, 0.9, 1)))]
    (only,) = score(evaluation("\n".join(rows))).estimates
    assert (only.value, only.high) == (pytest.approx(0.975), 1.0)


def test_the_interval_of_documents_that_count_alike():
    rows = ["system,document,segment,value", "X,a,1,0.2", "X,a,2,0.4", "X,b,1,0.9", "X,c,1,0.5"]
    only = by(score(evaluation("\n".join(rows)), average="documents"), system="X")
    assert (only.value, only.n) == (pytest.approx((0.3 + 0.9 + 0.5) / 3), 3)
    assert only.value - 0.1 > only.low >= 0


def test_documents():
    result = score(small(), level="document")
    first = by(result, system="Y", document="d1", judge="a")
    assert (first.value, first.n) == (0.875, 2)
    # Student's t with one degree of freedom: 12.706 × SD/√2, SD = .25/√2
    assert first.high - first.value == pytest.approx(12.706 * 0.125, rel=1e-4)
    assert by(result, system="Y", document="d2").low is None
    assert "all scores in it are taken as independent" in result.method
    assert result.headline == "The lowest document is X, d2 with 0.250."


def test_segments():
    result = score(small(), level="segment")
    assert by(result, system="X", document="d1", segment="1").n == 2
    assert by(result, system="X", document="d2", segment="3", judge="a").value == 0.25


def test_levels_that_the_table_does_not_have():
    table = evaluation("judge,item,system,value\nj,1,X,4\nj,2,X,1")
    for settings in ({"level": "document"}, {"average": "documents"}):
        (only,) = score(table, **settings).estimates
        assert (only.value, only.reason) == (None, "needs the column document")


def test_no_features():
    (only,) = score(evaluation("item,system,value\n1,X,good")).estimates
    assert (only.value, only.reason) == (None, "no feature of any system was answered")


def test_without_judges():
    result = score(evaluation("item,system,value\n1,X,4\n2,X,2"))
    assert [e.by for e in result.estimates] == [{"question": "heval", "system": "X"}]
    assert result.headline.startswith("X has 0.750 [")


def test_many_judges_are_drawn_together():
    for judges, drawn in ((3, 4), (40, 1)):
        rows = [f"j{j},{n},X,{n % 5}" for j in range(judges) for n in range(3)]
        figure = score(evaluation("\n".join(["judge,segment,system,value", *rows]))).figure()
        assert len(figure["data"]["values"]) == drawn


def test_common_settings_are_enough():
    (result,) = HEvalScore().results(small(), Settings())
    assert by(result, system="X").value == pytest.approx(0.4375)
