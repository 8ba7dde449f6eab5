import numpy as np
import pytest
from scipy.stats import t

from jurat.errors import InputError
from jurat.stats.systems.macro_score import MacroScore
from tests.stats.systems.finding import only, results, values
from tests.stats.tables import evaluation

TABLE = """
    document,segment,domain,genre,system,value
    d1,1,news,x,a,10
    d1,2,news,x,a,20
    d2,1,news,y,a,30
    d3,1,speech,y,a,60
    d4,1,speech,y,a,80
    d1,1,news,x,b,40
    d2,1,news,y,b,40
    d3,1,speech,y,b,50
    d4,1,speech,y,b,60
"""


def test_domains_count_alike_however_many_judgments_they_have():
    found = results(MacroScore, evaluation(TABLE))["macro-score"]
    # a: (20 + 70) / 2; b: (40 + 55) / 2
    assert values(found) == {"a": 45, "b": 47.5}
    assert only(found, system="a").n == 5
    assert found.headline == "b has the highest macro-average, 47.50 (n = 4; 2 systems)."


def test_another_column_may_hold_the_domains():
    found = results(MacroScore, evaluation(TABLE), macro="genre")["macro-score"]
    assert values(found)["a"] == pytest.approx((15 + (30 + 60 + 80) / 3) / 2)
    assert "values of genre" in found.method


def test_a_column_that_is_nowhere_is_refused():
    with pytest.raises(InputError, match="topic"):
        results(MacroScore, evaluation(TABLE), macro="topic")


def test_without_domains_the_result_says_what_it_needs():
    (missing,) = results(MacroScore, evaluation("item,system,value\n1,a,3"))[
        "macro-score"
    ].estimates
    assert missing.reason == "needs a column of domains, such as domain"


def test_a_system_that_misses_a_domain_has_no_macro_average():
    rows = "\n".join(
        line for line in TABLE.splitlines() if ",b,5" not in line and ",b,6" not in line
    )
    found = results(MacroScore, evaluation(rows))["macro-score"]
    missing = only(found, system="b")
    assert (missing.value, missing.reason) == (None, "no judgment of speech")
    assert only(found, system="a").value == 45


def test_segment_means_count_a_segment_once():
    twice = TABLE + "    d1,1,news,x,a,10\n"
    found = results(MacroScore, evaluation(twice), method="segment-means")["macro-score"]
    assert values(found)["a"] == 45


def test_a_domain_of_one_document_leaves_no_interval():
    rows = TABLE.replace("d4,", "d3,")
    estimate = only(results(MacroScore, evaluation(rows), bootstrap=1)["macro-score"], system="a")
    assert (estimate.low, estimate.note) == (None, "a domain has one document only")


def test_the_interval_is_that_of_a_stratified_mean():
    """With documents of one sentence: Var = Σ s_h² / n_h / H² (Cochran 1977, equation 5.7)."""
    lines = [line.replace("d1,2", "d9,1") for line in TABLE.splitlines()]
    found = results(MacroScore, evaluation("\n".join(lines)), bootstrap=1)["macro-score"]
    estimate = only(found, system="a")
    variance = (np.var([10, 20, 30], ddof=1) / 3 + np.var([60, 80], ddof=1) / 2) / 4
    parts = [np.var([10, 20, 30], ddof=1) / 12, np.var([60, 80], ddof=1) / 8]
    # tr P over CR2 is for equal variances: (Σ 1/n)² / Σ (1/n)² / (n − 1)
    freedom = (1 / 3 + 1 / 2) ** 2 / ((1 / 3) ** 2 / 2 + (1 / 2) ** 2 / 1)
    assert sum(parts) == pytest.approx(variance)
    half = t.ppf(0.975, freedom) * np.sqrt(variance)
    assert (estimate.low, estimate.high) == pytest.approx((45 - half, 45 + half))


def covered(rng):
    """Whether the interval of a simulated system covers, domains of 16, 6 and 10 documents."""
    taste, lines = rng.normal(0, 0.3, 6), ["judge,document,segment,domain,system,value"]
    for domain, documents in enumerate((16, 6, 10)):
        for number in range(documents):
            level = 2 * domain + rng.normal(0, 0.5)
            for segment in range(3):
                judge = rng.integers(6)
                value = level + taste[judge] + rng.normal()
                lines.append(f"j{judge},{domain}-{number},{segment},m{domain},a,{value:.6f}")
    found = results(MacroScore, evaluation("\n".join(lines)), bootstrap=1)["macro-score"]
    (estimate,) = found.estimates
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low <= 2 <= estimate.high


def test_the_interval_covers_the_mean_of_the_domains():
    rng = np.random.default_rng(5)
    assert 0.91 <= np.mean([covered(rng) for _ in range(80)]) <= 0.99
