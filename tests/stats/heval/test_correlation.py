import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from jurat.stats.correlation import (
    bonett_wright_interval,
    fisher_interval,
    pearson,
    pearson_p,
    spearman,
)
from jurat.stats.heval.correlation import HEvalCorrelation
from jurat.stats.settings import HEvalSettings
from tests.stats.heval.tables import by, sentence_150, small
from tests.stats.tables import evaluation

PRINTED = {
    "adequacy": (0.0705, 0.0681, 0.0851, 0.1492, 0.079, 0.048, 0.027, 0.0104, 0.1294, 0.0493),
    "fluency": (0.0685, 0.0484, 0.0686, 0.1055, 0.0549, 0.0594, 0.0518, 0.0667, 0.0353, 0.0165),
}
"""Joshi et al. 2013, Tables 20 and 21."""

numbers = st.lists(st.tuples(st.integers(0, 44), st.integers(1, 5)), min_size=3, max_size=30).map(
    lambda pairs: np.array(pairs, dtype=float).T
)


@given(numbers)
def test_as_scipy_does(pair):
    x, y = pair
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        r, rho = stats.pearsonr(x, y), stats.spearmanr(x, y)
    assert pearson(x, y) == pytest.approx(r.statistic, nan_ok=True, abs=1e-12)
    assert spearman(x, y) == pytest.approx(rho.statistic, nan_ok=True, abs=1e-12)
    p = pearson_p(pearson(x, y), len(x))
    if not np.isnan(r.pvalue) and abs(r.statistic) < 0.999:
        assert p == pytest.approx(r.pvalue, abs=1e-9)


def test_what_the_paper_prints_is_partly_not_significant():
    chances = {name: [pearson_p(r, 1300) for r in own] for name, own in PRINTED.items()}
    assert [sum(p is None or p >= 0.05 for p in own) for own in chances.values()] == [4, 4]


def test_interval_of_bonett_and_wright():
    """By hand: ρ = .5, n = 28: tanh(.5493 ± 1.96 √(1.125/25)) = tanh .1335 and tanh .9651."""
    low, high = bonett_wright_interval(0.5, 28, 0.95)
    assert [low, high] == pytest.approx([0.1327, 0.7465], abs=2e-4)
    assert np.isnan(bonett_wright_interval(1.0, 28, 0.95)).all()


@given(st.floats(-0.99, 0.99), st.integers(4, 2000))
def test_fishers_interval_as_scipy_has_it(r, n):
    x = np.arange(n, dtype=float)
    noise = np.sin(np.arange(n) ** 2)
    result = stats.pearsonr(x, r * x / n + noise)
    ends = result.confidence_interval(0.9)
    assert fisher_interval(result.statistic, n, 0.9) == pytest.approx(
        (ends.low, ends.high), abs=1e-9
    )


def test_no_interval_of_three():
    assert np.isnan(bonett_wright_interval(0.5, 3, 0.95)).all()


def correlate(table, **settings):
    settings = {"compared": ("adequacy",), **settings}
    found = HEvalCorrelation().results(table, HEvalSettings(**settings))
    return {result.name: result for result in found}


OWN = """judge,segment,system,tense,adequacy
    a,1,X,4,5
    a,2,X,2,3
    a,3,X,0,2
    a,4,X,1,1
    b,1,X,3,1
    b,2,X,1,2
    b,3,X,2,3
    b,4,X,0,5"""


def test_own_answers_where_there_are_any():
    found = correlate(evaluation(OWN, questions=("tense", "adequacy")), unit="segment")
    expected = stats.pearsonr([3, 1, 2, 0], [1, 2, 3, 5])
    assert by(found["heval-correlation"], **{"with": "adequacy"}, system="X", judge="b").value == (
        pytest.approx(expected.statistic)
    )
    assert by(
        found["heval-correlation-p"], **{"with": "adequacy"}, system="X", judge="b"
    ).value == (pytest.approx(expected.pvalue))
    rho = stats.spearmanr([3, 1, 2, 0], [1, 2, 3, 5]).statistic
    assert by(found["heval-spearman"], **{"with": "adequacy"}, system="X", judge="b").value == (
        pytest.approx(rho)
    )


def test_over_judges_means_are_correlated():
    found = correlate(evaluation(OWN, questions=("tense", "adequacy")))["heval-correlation"]
    expected = np.corrcoef([3.5, 1.5, 1, 0.5], [3, 2.5, 2.5, 3])[0, 1]
    assert by(found, **{"with": "adequacy"}, system="X").value == pytest.approx(expected)


def test_another_judges_answers_as_in_the_paper():
    """One judge gave adequacy, two others gave features."""
    rows = ["judge,segment,system,question,value"]
    for n, (first, second, adequacy) in enumerate([(4, 3, 5), (2, 2, 4), (0, 1, 4), (1, 0, 1)]):
        rows += [
            f"a,{n},X,tense,{first}",
            f"b,{n},X,tense,{second}",
            f"c,{n},X,adequacy,{adequacy}",
        ]
    found = correlate(evaluation("\n".join(rows)))["heval-correlation"]
    expected = np.corrcoef([3, 2, 1, 0], [5, 4, 4, 1])[0, 1]
    assert by(found, **{"with": "adequacy"}, system="X", judge="b").value == pytest.approx(expected)


def test_the_interval_is_about_fishers():
    rng = np.random.default_rng(3)
    score = rng.uniform(0, 1, 300)
    answer = np.round(3 + 2 * score + rng.normal(0, 1, 300), 3)
    rows = [f"{n},X,{s:.6f},{a}" for n, (s, a) in enumerate(zip(score, answer, strict=True))]
    table = evaluation("\n".join(["segment,system,h,adequacy", *rows]), questions=("h", "adequacy"))
    found = by(correlate(table)["heval-correlation"], **{"with": "adequacy"}, system="X")
    ends = stats.pearsonr(score, answer).confidence_interval()
    assert (found.low, found.high) == (
        pytest.approx(ends.low, abs=0.03),
        pytest.approx(ends.high, abs=0.03),
    )


def in_documents(number, each):
    """Scores of sentences, and adequacy that follows them."""
    rng = np.random.default_rng(4)
    of = np.repeat(np.arange(number), each)
    score = rng.uniform(0, 1, len(of))
    answer = np.round(3 + score + rng.normal(0, 0.5, len(of)), 6)
    rows = [f"d{of[n]},{n},X,{score[n]:.6f},{answer[n]}" for n in range(len(of))]
    csv = "\n".join(["document,segment,system,h,adequacy", *rows])
    return evaluation(csv, questions=("h", "adequacy"))


def test_documents_are_left_out_where_they_are_known():
    found = correlate(in_documents(12, 5))
    for name in ("heval-correlation", "heval-spearman"):
        (one,) = found[name].estimates
        assert one.low < one.value < one.high
        assert "leaving out each of 12 documents" in found[name].method
    (p,) = found["heval-correlation-p"].estimates
    assert "leaves out each of the documents" in found["heval-correlation-p"].method
    # the interval of 95 % and the p-value say the same
    (r,) = found["heval-correlation"].estimates
    assert (p.value < 0.05) == (r.low > 0)
    assert "1 of 1 differ from 0 (Holm, p < 0.05)." in found["heval-correlation"].headline


def test_sentences_as_independent_if_asked():
    table = in_documents(12, 5)
    found = correlate(table, unit="segment")
    (r,), (p,) = (found[name].estimates for name in ("heval-correlation", "heval-correlation-p"))
    assert p.value == pytest.approx(pearson_p(r.value, 60))
    for name in ("heval-correlation", "heval-spearman", "heval-correlation-p"):
        assert "items are taken as independent, as asked" in found[name].method
    # the jackknife of independent sentences is about Fisher's interval
    assert (r.low, r.high) == pytest.approx(fisher_interval(r.value, 60, 0.95), abs=0.08)


def test_few_documents_say_nothing_of_others():
    found = correlate(evaluation(OWN, questions=("tense", "adequacy")))
    (p, *_) = found["heval-correlation-p"].estimates
    assert (p.value, p.reason) == (None, "4 items cannot speak for others")
    assert "cannot be told: 4 items cannot speak" in found["heval-correlation"].headline
    assert "for these judges only" in found["heval-correlation"].method


def test_too_few_or_constant():
    found = correlate(sentence_150())
    few = by(found["heval-correlation"], **{"with": "adequacy"}, system="E1", judge="Human1")
    assert (few.value, few.reason) == (None, "fewer than 3 sentences have both")
    same = (
        OWN.replace(",1\n", ",5\n").replace(",2\n", ",5\n").replace(",3\n", ",5\n") + "\nb,5,X,4,5"
    )
    flat = correlate(evaluation(same, questions=("tense", "adequacy")))
    for result in flat.values():
        one = by(result, **{"with": "adequacy"}, system="X", judge="b")
        assert (one.value, one.reason) == (None, "one of the two does not vary")


def test_nothing_unless_asked_for():
    assert list(HEvalCorrelation().results(small(), HEvalSettings())) == []


def test_without_intervals():
    found = correlate(evaluation(OWN, questions=("tense", "adequacy")), bootstrap=0)
    assert all(e.low is None for result in found.values() for e in result.estimates)
