import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from jurat.errors import InputError
from jurat.results import Estimate
from jurat.stats.agreement.cohen_kappa import cohen_kappa
from tests.stats.agreement.asking import estimates, long, one, results
from tests.stats.agreement.drawn import rows, table
from tests.stats.tables import evaluation, matrix

ANSWERS = table(1, judges=5, items=80)


def shared(a, b):
    both = ~np.isnan(ANSWERS[a]) & ~np.isnan(ANSWERS[b])
    return ANSWERS[a][both].astype(int), ANSWERS[b][both].astype(int)


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_every_pair_as_scikit_learn(weights):
    found = cohen_kappa(matrix(rows(ANSWERS)), weights=weights)
    assert len(found) == 10
    for (a, b), kappa in found.items():
        named = None if weights == "none" else weights
        theirs = cohen_kappa_score(*shared(int(a[1]), int(b[1])), weights=named, labels=range(1, 6))
        assert kappa == pytest.approx(theirs, abs=1e-12)


def test_the_mean_is_over_pairs_and_each_pair_is_told():
    asked = evaluation(long(rows(ANSWERS)))
    pairs = [e for e in estimates(asked, "cohen-kappa") if e.by.get("judge_a")]
    plain = [e.value for e in pairs if e.by["weights"] == "none"]
    mean = one(asked, "cohen-kappa", weights="none", pairs="all")
    assert mean.value == pytest.approx(np.mean(plain))
    assert mean.n == len(plain) == 10
    assert len(pairs) == 40
    first = shared(0, 1)
    assert pairs[0].n == len(first[0])


def test_the_means_interval_is_that_of_items_drawn_one_by_one():
    rng = np.random.default_rng(2)
    drawn = []
    for _ in range(100):
        some = ANSWERS[:, rng.integers(0, 80, 80)]
        drawn.append(np.mean(list(cohen_kappa(matrix(rows(some)), weights="linear").values())))
    found = one(
        evaluation(long(rows(ANSWERS))),
        "cohen-kappa",
        {"bootstrap": 9},
        weights="linear",
        pairs="all",
    )
    assert (found.high - found.low) / 3.92 == pytest.approx(np.std(drawn), rel=0.25)


def test_sampled_pairs():
    asked = evaluation(long(rows(ANSWERS)))
    sampled = {"method": "sampled", "bootstrap": 10}
    found = one(asked, "cohen-kappa", sampled, weights="none", pairs="all")
    exact = one(asked, "cohen-kappa", weights="none", pairs="all")
    # Ten pairs are drawn twenty at a time, with replacement.
    assert found.value == pytest.approx(exact.value, abs=0.02)
    assert found.low < found.value < found.high
    again = one(asked, "cohen-kappa", sampled, weights="none", pairs="all")
    assert again.value == found.value
    assert (
        one(asked, "cohen-kappa", {**sampled, "bootstrap": 0}, weights="none", pairs="all").low
        is None
    )


def test_another_method_is_refused():
    with pytest.raises(InputError, match="sampled"):
        results(evaluation(long([[1], [2]])), method="sampeld")


def test_undefined():
    constant = evaluation(long([[3, 3], [3, 3]]))
    assert one(constant, "cohen-kappa", weights="none", pairs="all").reason.startswith(
        "both judges"
    )
    assert one(constant, "cohen-kappa", weights="none", judge_a="j0").value is None
    alone = evaluation("judge,item,value\na,x,1\nb,y,2")
    found = one(alone, "cohen-kappa", weights="none", pairs="all")
    assert found.reason == "no two judges judged the same item"
    words = evaluation(long([["A", "B"], ["A", "A"]]))
    assert "words" in one(words, "cohen-kappa", weights="linear", pairs="all").reason
    unnamed = evaluation("item,value\nx,1\nx,2")
    assert one(unnamed, "cohen-kappa").reason == "needs the column judge"


def test_the_headline_names_the_extremes():
    means, singles = (
        r for r in results(evaluation(long(rows(ANSWERS)))) if r.name == "cohen-kappa"
    )
    assert "10 pairs of judges" in means.headline
    assert "agrees least" in singles.headline


def test_means_over_pairs_that_share_few_items_have_a_note_or_no_interval():
    def mean(shared: int) -> Estimate:
        answers = [
            f"j{at},{a}{b}{n},{(n * 7 + int(at)) % 3}"
            for a, b in ("01", "02", "12")
            for n in range(shared)
            for at in (a, b)
        ]
        table = evaluation("\n".join(["judge,item,value", *answers]))
        means = [
            e
            for e in estimates(table, "cohen-kappa", bootstrap=9)
            if e.by.get("pairs") == "all" and e.by["weights"] == "linear"
        ]
        return next(e for e in means if e.value is not None)

    four, five, many = (mean(shared) for shared in (4, 5, 20))
    assert four.low is None
    assert "no interval: half of the pairs of judges share fewer than 5 items" in four.note
    assert five.low is not None
    assert "share fewer than 20 items; the interval may hold less often" in five.note
    assert many.low is not None
    assert "share fewer" not in many.note


def test_pairs_that_share_whole_documents_are_told_by_these():
    rows = [
        f"j{at},{pair}{n},{pair}{n // 5},{(n * 7 + at) % 3}"
        for pair, judges in (("a", (0, 1)), ("b", (0, 2)), ("c", (1, 2)))
        for n in range(15)
        for at in judges
    ]
    table = evaluation("\n".join(["judge,item,document,value", *rows]))
    means = [e for e in estimates(table, "cohen-kappa", bootstrap=9) if e.by.get("pairs") == "all"]
    assert {(e.low, "fewer than 5 documents" in e.note) for e in means} == {(None, True)}
    correlations = estimates(table, "pearson-mean", bootstrap=9)
    assert {(e.low, "fewer than 5 documents" in e.note) for e in correlations} == {(None, True)}
