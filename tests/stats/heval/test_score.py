import numpy as np
import pytest

from jurat.stats import Settings
from jurat.stats.heval.score import HEvalScore
from jurat.stats.settings import HEvalSettings
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
    assert result.headline.startswith("Y has the highest score, 0.750 [")
    assert "documents drawn 1000 times" in result.method


def test_documents_alike():
    result = score(small(), average="documents")
    assert by(result, system="X").value == pytest.approx(((0.5 + 0.5 + 0.5) / 3 + 0.25) / 2)
    assert by(result, system="X").n == 2


def test_without_intervals():
    result = score(small(), bootstrap=0)
    assert all(e.low is None for e in result.estimates)
    assert "drawn" not in result.method
    assert "seed" not in result.signature
    assert all(e.low is None for e in score(small(), bootstrap=0, level="document").estimates)


def test_the_interval_is_that_of_drawn_documents():
    """Mean of 40 document means: ± 1.96 SD/√n, as the documents are independent."""
    rng = np.random.default_rng(1)
    values = np.clip(rng.normal(0.5, 0.1, 400), 0, 1)
    rows = [f"X,{n},{v}" for n, v in enumerate(values)]
    result = score(evaluation("\n".join(["system,document,value", *rows])))
    (only,) = result.estimates
    reach = 1.96 * values.std() / np.sqrt(400)
    assert (only.high - only.low) / 2 == pytest.approx(reach, rel=0.08)


def test_documents():
    result = score(small(), level="document")
    first = by(result, system="Y", document="d1", judge="a")
    assert (first.value, first.n) == (0.875, 2)
    # Student's t with one degree of freedom: 12.706 × SD/√2, SD = .25/√2
    assert first.high - first.value == pytest.approx(12.706 * 0.125, rel=1e-4)
    assert by(result, system="Y", document="d2").low is None
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
