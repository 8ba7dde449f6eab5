import pytest

from jurat.stats.systems.differences import SystemDifference
from jurat.stats.systems.documents import DocumentScore
from tests.stats.systems.finding import only, results
from tests.stats.tables import evaluation

VERSIONS = """judge,document,segment,system,value
    x,d,1,old,3
    y,d,1,old,5
    x,d,1,new,7
    x,d,2,old,2
    x,d,2,new,3
    x,e,1,old,9
    x,f,1,new,1"""


def test_progress_on_shared_sentences():
    found = results(SystemDifference, evaluation(VERSIONS))["system-difference"]
    forward = only(found, system_a="new", system_b="old")
    assert (forward.value, forward.n) == ((3 + 1) / 2, 2)
    assert only(found, system_a="old", system_b="new").value == -2


def test_the_other_order_has_the_interval_turned_round():
    rows = [f"{n},{s},{n % 5 * k}" for n in range(20) for s, k in (("a", 1), ("b", 2))]
    table = evaluation("\n".join(["segment,system,value", *rows]))
    found = results(SystemDifference, table, bootstrap=100)["system-difference"]
    one, other = (only(found, system_a=a, system_b=b) for a, b in ("ab", "ba"))
    assert (one.value, one.low, one.high) == (-other.value, -other.high, -other.low)
    assert one.low < one.value < one.high


def test_two_campaigns_are_compared_as_systems_are():
    csv = "campaign,segment,value\nspring,1,3\nautumn,1,5\nspring,2,4\nautumn,2,4"
    table = evaluation(csv, columns="system=campaign")
    found = results(SystemDifference, table)["system-difference"]
    assert only(found, system_a="autumn", system_b="spring").value == 1


def test_no_shared_sentence():
    table = evaluation("segment,system,value\n1,a,3\n2,b,5")
    found = results(SystemDifference, table)["system-difference"]
    assert only(found, system_a="a", system_b="b").reason.startswith("they were never judged")


def test_document_scores():
    found = results(DocumentScore, evaluation(VERSIONS), bootstrap=1)["document-score"]
    estimate = only(found, system="old", document="d")
    assert estimate.value == pytest.approx(10 / 3)
    assert estimate.n == 3
    # sentences' residual sums 8 - 2 * 10/3 and 2 - 10/3: SE² = 2/1 * ((4/3)² + (4/3)²) / 3²
    reach = 1.959964 * (2 * 2 * (4 / 3) ** 2 / 9) ** 0.5
    assert estimate.low == pytest.approx(10 / 3 - reach, abs=1e-5)
    assert estimate.high == pytest.approx(10 / 3 + reach, abs=1e-5)
    assert only(found, system="old", document="e").low is None
    assert found.headline == "new has the best mean on 2 of 3 documents."


def test_document_scores_without_smaller_pieces():
    csv = "doc,judge,E1,E2\n1,x,0.5,0.6\n1,y,0.7,0.6"
    table = evaluation(csv, systems=("E1", "E2"), columns="document=doc")
    found = results(DocumentScore, table, bootstrap=1)["document-score"]
    assert only(found, system="E1", document="1").value == pytest.approx(0.6)
    assert only(found, system="E1", document="1").low is None


def test_document_interval_is_that_of_resampled_sentences():
    rows = [f"d,{n},a,{(n * n) % 17}" for n in range(40)]
    table = evaluation("\n".join(["document,segment,system,value", *rows]))
    estimate = only(results(DocumentScore, table, bootstrap=1)["document-score"], document="d")
    values = [(n * n) % 17 for n in range(40)]
    mean = sum(values) / 40
    error = (sum((v - mean) ** 2 for v in values) / 39 / 40) ** 0.5
    assert estimate.high == pytest.approx(mean + 1.959964 * error, abs=1e-5)
