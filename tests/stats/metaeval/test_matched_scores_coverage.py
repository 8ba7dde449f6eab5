"""How much of what people judged has scores."""

from tests.stats.metaeval.asking import asked, results, values


def test_shares():
    judged = "segment,system,value\n1,a,1\n1,b,2\n2,a,3\n3,c,4\n"
    scores = "segment,system,m,k\n1,a,1,1\n1,b,2,\n2,a,3,3\n9,a,1,1\n3,c,4,4\n"
    result = results("metric-coverage", *asked(judged, scores))["metric-coverage"]
    found = values(result)
    assert (found["m",].value, found["m",].n) == (1, 4)
    assert found["k",].value == 0.75
    assert "75.0 % of 4 judged translations have a score of k" in result.headline


def test_all_of_them():
    result = results("metric-coverage", *asked("segment,system,value,m\n1,a,1,2\n"))
    assert "every metric's score" in result["metric-coverage"].headline


def test_whole_systems():
    (estimate,) = results("metric-coverage", *asked("system,value,m\na,1,2\nb,2,3\n"))[
        "metric-coverage"
    ].estimates
    assert estimate.value is None
    assert "whole systems" in estimate.reason


def test_rows_of_both_tables_that_found_a_partner():
    judged = "segment,system,value\n1,a,1\n1,b,2\n2,a,3\n2,b,4\n"
    scores = "segment,system,m\n1,a,1\n1,b,2\n2,a,3\n2,b,3\n9,a,1\n9,b,4\n1,z,1\n"
    result = results("metric-coverage", *asked(judged, scores))["metric-matched"]
    assert {e.by["table"]: (e.value, e.n) for e in result.estimates} == {
        "judgments": (4, 4),
        "scores": (4, 6),
    }
    assert result.headline == (
        "4 of 4 judged translations have scores; 4 of 6 scored translations were judged."
    )
