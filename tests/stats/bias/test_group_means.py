import numpy as np
import pytest
from scipy import stats

from jurat.stats import analyse
from jurat.stats.bias.group_means import between_groups, means_and_differences, resampled_clusters
from jurat.stats.settings import BiasSettings
from tests.stats.tables import evaluation, ratings


def results(csv, bootstrap=0, **options):
    settings = BiasSettings(group="saw", bootstrap=bootstrap, **options)
    return {r.name: r for r in analyse("bias", evaluation(csv), settings)}


def table(scores, saw):
    lines = [
        f"j{judge},{item},{saw[judge]},{value}"
        for judge, row in enumerate(scores)
        for item, value in enumerate(row)
    ]
    return "\n".join(["judge,item,saw,value", *lines])


def test_means_and_differences_by_hand():
    totals = np.array([[10.0, 6.0, 3.0, 5.0, 2.0, 3.0]])
    assert means_and_differences(totals).tolist() == [[2, 3, 1, -1, 1, 2]]


def test_means_are_of_first_answers():
    csv = "judge,item,saw,value\na,1,A,1\na,1,A,5\nb,1,B,4\nb,2,B,2"
    found = results(csv)
    assert [(e.by["group"], e.value, e.n) for e in found["group-mean"].estimates] == [
        ("A", 1.0, 1),
        ("B", 3.0, 2),
    ]
    (difference,) = found["group-difference"].estimates
    assert (difference.value, difference.n) == (-2.0, 3)


def test_intervals_know_judges_and_items():
    """Judges differ much more than items here: intervals must be as wide as judges make them."""
    rng = np.random.default_rng(1)
    severity = rng.normal(0, 1, 20)
    scores = 3 + severity[:, None] + rng.normal(0, 0.1, (20, 50))
    found = results(table(scores.round(2), "AB" * 10), bootstrap=1000)["group-mean"]
    error = severity[::2].std(ddof=1) / np.sqrt(10)
    first = found.estimates[0]
    assert first.high - first.low == pytest.approx(2 * 1.96 * error, rel=0.3)
    assert "items × judges" in found.method


def test_the_test_is_scipys_permutation_test():
    rng = np.random.default_rng(4)
    scores = np.clip(np.round(3 + rng.normal(0, 1, (9, 1)) + rng.normal(0, 1, (9, 30))), 1, 5)
    saw = "AAABBBCCC"
    means = scores.mean(axis=1)
    parts = [means[[s == name for s in saw]] for name in "ABC"]

    def spread(*groups, axis):
        grand = sum(g.sum(axis=axis) for g in groups) / 9
        return sum(3 * (g.mean(axis=axis) - grand) ** 2 for g in groups)

    theirs = stats.permutation_test(
        parts, spread, alternative="greater", vectorized=True, n_resamples=np.inf
    )
    (p,) = results(table(scores, saw))["group-mean-p"].estimates
    assert p.value == pytest.approx(theirs.pvalue, abs=0.02)
    assert p.n == 9


def test_between_by_hand():
    sums, counts = np.array([2.0, 4.0, 9.0]), np.array([1.0, 1.0, 3.0])
    # the mean is 3, the groups' 3 and 3, then 11/4 and 4
    assert between_groups(np.array([[0, 0, 1], [0, 1, 0]]), sums, counts).tolist() == [0.0, 1.25]


def test_the_source_takes_no_part_in_the_test():
    scores = [[1, 2], [1, 3], [2, 2], [2, 3], [5, 5], [5, 5]]
    saw = ["A", "A", "B", "B", "source", "source"]
    found = results(table(scores, saw))
    assert found["group-mean-p"].estimates[0].n == 4
    assert "saw the source gave 5.00" in found["group-mean"].headline


@pytest.mark.parametrize(
    ("scores", "saw", "reason"),
    [
        ([["x"], ["y"]], "AB", "words"),
        ([[1], [2]], "AA", "not two groups"),
        ([[1], [2]], "AB", "single judge"),
        ([[2, 3], [2, 3], [2, 3]], "AAB", "same score"),
    ],
)
def test_what_cannot_be_tested_says_why(scores, saw, reason):
    (p,) = results(table(scores, saw))["group-mean-p"].estimates
    assert p.value is None
    assert reason in p.reason


def test_words_have_no_mean():
    found = results(table([["x", "y"], ["y", "x"]], "AB"), bootstrap=100)
    for name in ("group-mean", "group-difference", "segment-spread", "segment-mean"):
        assert all(e.value is None and "words" in e.reason for e in found[name].estimates)


def test_documents_are_drawn_where_there_are_many():
    rows = [f"j{j},{d}-{s},{d},{j}" for j in range(2) for d in range(12) for s in range(3)]
    documents = ratings("\n".join(["judge,item,document,value", *rows]))
    assert resampled_clusters(documents)[1] == "documents × judges"
    few = ratings("judge,item,document,value\na,1,d,1\nb,2,d,1")
    assert resampled_clusters(few)[1] == "items × judges"


def test_very_many_items_are_drawn_in_bundles():
    rows = [f"j{j},{i},{i % 5}" for i in range(2500) for j in range(2)]
    many = ratings("\n".join(["judge,item,value", *rows]))
    clusters, name = resampled_clusters(many)
    assert name == "bundles of items × judges"
    assert isinstance(clusters, tuple)
    bundles, judges = clusters
    assert set(np.bincount(bundles)) == {4, 6}  # two or three items, two judges each
    assert len(np.unique(judges)) == 2


def test_a_split_without_groups_says_so():
    csv = "judge,item,saw,genre,value\na,1,,n,1\na,2,A,t,2\nb,2,B,t,3"
    settings = BiasSettings(group="saw", bootstrap=100)
    for result in analyse("bias", evaluation(csv, by=("genre",)), settings):
        empty = [e for e in result.estimates if e.tags == {"genre": "n"}]
        assert all(e.value is None and e.reason for e in empty)
        assert empty or "reference-similarity" in result.name or result.name == "group-metric"


def test_splits_and_questions_are_kept_apart():
    csv = (
        "judge,item,saw,genre,adequacy,fluency\na,1,A,n,1,2\nb,1,B,n,3,4\na,2,A,t,5,5\nb,2,B,t,1,1"
    )
    columns = {"questions": ("adequacy", "fluency"), "by": ("genre",)}
    found = analyse("bias", evaluation(csv, **columns), BiasSettings(group="saw", bootstrap=0))
    means = next(r for r in found if r.name == "group-mean").estimates
    assert len(means) == 8
    (one,) = (
        e
        for e in means
        if e.by == {"question": "fluency", "group": "B"} and e.tags == {"genre": "n"}
    )
    assert one.value == 4
