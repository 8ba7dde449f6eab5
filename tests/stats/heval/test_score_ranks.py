from jurat.stats import Settings
from jurat.stats.heval.score import HEvalRanks
from jurat.stats.settings import HEvalSettings
from tests.stats.heval.tables import by, small
from tests.stats.tables import evaluation


def ranks(table, **settings):
    found = HEvalRanks().results(table, HEvalSettings(**settings))
    return {result.name: result for result in found}


THREE = """judge,segment,system,value
    a,1,X,0.9
    a,1,Y,0.5
    a,1,Z,0.5
    b,1,X,0.2
    b,1,Y,0.8
    b,1,Z,0.1
    a,2,X,0.4
    a,2,Y,0.4
    a,2,Z,0.1
    b,2,X,0.4
    b,2,Y,0.4
    b,2,Z,0.3"""


def test_best_counts_share_ties():
    found = ranks(evaluation(THREE))["system-best-count"]
    assert by(found, system="X").value == 2
    assert by(found, system="X", judge="a").value == 1.5
    assert by(found, system="Z").value == 0
    assert all("judge" not in e.tags for e in found.estimates)


def test_ties_as_asked():
    assert by(ranks(evaluation(THREE), ties="none")["system-best-count"], system="X").value == 1
    assert by(ranks(evaluation(THREE), ties="all")["system-best-count"], system="Y").value == 3


def test_among_some_systems_only():
    found = ranks(evaluation(THREE), only=("Y", "Z"))["system-best-count"]
    assert by(found, system="Y", judge="a").value == 1.5
    assert "only:Y+Z" in found.signature


def test_agreement_on_the_best_and_on_ranks():
    found = ranks(evaluation(THREE))
    assert found["best-agreement"].estimates[0].value == 0.5
    # Z: 2nd (with Y) and 3rd; then 3rd twice
    assert by(found["rank-agreement"], system="Z").value == 0.5


def test_documents_that_are_best_in_the_paper(shared):
    """Section 5: E1 five and E2 eight times by the first judge, four and nine by the second."""
    text = (shared / "heval_tables" / "table14_documents.csv").read_text()
    table = evaluation(text, columns="document=doc", systems=("E1", "E2", "E3", "E4", "E5"))
    found = ranks(table)["system-best-count"]
    assert [by(found, system=s, judge="Human1").value for s in ("E1", "E2")] == [5, 8]
    assert [by(found, system=s, judge="Human2").value for s in ("E1", "E2")] == [4, 9]


def test_features_make_the_ranks():
    found = ranks(small())["system-best-count"]
    assert by(found, system="Y", judge="a").value == 3
    assert by(found, system="X", judge="b").value == 0.5


def test_one_judge_alone():
    found = ranks(evaluation("segment,system,value\n1,X,0.5\n1,Y,0.1"))
    assert set(found) == {"system-best", "system-best-count"}


def test_split_by_judge():
    found = ranks(small(by=("judge",)))["system-best"]
    assert {e.tags["judge"] for e in found.estimates} == {"a", "b"}


def test_nothing_to_rank():
    found = ranks(evaluation("item,system,value\n1,X,good"))
    assert all(e.value is None and e.reason for r in found.values() for e in r.estimates)


def test_common_settings_are_enough():
    assert list(HEvalRanks().results(small(), Settings()))
