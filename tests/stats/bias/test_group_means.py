import numpy as np
import pytest
from scipy import stats

from jurat.stats import analyse
from jurat.stats.bias.group_means import between_groups, clusters_of, compare_groups
from jurat.stats.bias.groups import judge_groups, smallest_p
from jurat.stats.settings import BiasSettings
from tests.stats.tables import evaluation


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


def test_means_are_of_first_answers():
    csv = "judge,item,saw,value\na,1,A,1\na,1,A,5\nb,1,B,4\nb,2,B,2"
    found = results(csv)
    assert [(e.by["group"], e.value, e.n) for e in found["group-mean"].estimates] == [
        ("A", 1.0, 1),
        ("B", 3.0, 2),
    ]
    (difference,) = found["group-difference"].estimates
    assert (difference.value, difference.n) == (
        pytest.approx(-3),
        2,
    )  # on the shared item


def test_groups_are_compared_on_the_items_they_share():
    """Group A had easy items beside the shared ones, where nobody differs."""
    rng = np.random.default_rng(3)
    rows = [
        f"{saw}{judge},{item},{saw},{(5 if item < 30 else 3) + rng.normal(0, 0.3):.2f}"
        for saw, items in (("A", range(60)), ("B", range(30, 60)))
        for judge in range(3)
        for item in items
    ]
    found = results("\n".join(["judge,item,saw,value", *rows]), bootstrap=100)
    (difference,) = found["group-difference"].estimates
    assert abs(difference.value) < 0.2
    assert difference.low < 0 < difference.high
    assert difference.n == 180
    assert "on the 30 items that both judged" in found["group-mean"].headline
    assert "No two groups differ beyond chance" in found["group-difference"].headline


def test_without_shared_items_difficulty_is_said_to_stay():
    rows = [f"{s}{j},{s}{i},{s},{i % 4 + j % 2}" for s in "AB" for j in range(3) for i in range(9)]
    found = results("\n".join(["judge,item,saw,value", *rows]), bootstrap=100)
    assert "on different items" in found["group-mean"].headline
    assert "share no items" in found["group-difference"].headline


def test_one_judge_a_group_says_nothing_of_the_group():
    found = results(table([[1, 2, 3, 4, 5, 5, 1, 2], [2, 3, 4, 5, 5, 4, 3, 2]], "AB"), bootstrap=50)
    (difference,) = found["group-difference"].estimates
    assert difference.low is None
    assert "cannot be told: a group has a single judge" in found["group-difference"].headline


def equal_groups(rng, *, groups, judges, items=30):
    """Judges of different severity in groups that do not matter."""
    scores = 3 + rng.normal(0, 0.5, (judges, 1)) + rng.normal(0, 1, (1, items))
    scores = np.clip(np.round(scores + rng.normal(0, 1, (judges, items))), 1, 5)
    return evaluation(table(scores, [f"g{n % groups}" for n in range(judges)]))


@pytest.mark.parametrize(("groups", "judges"), [(4, 12), (2, 6)])
def test_equal_groups_seldom_differ(groups: int, judges: int):
    rng, runs, named = np.random.default_rng(7), 60, 0
    settings = BiasSettings(group="saw", bootstrap=1)
    for _ in range(runs):
        parts = judge_groups(equal_groups(rng, groups=groups, judges=judges), settings)
        named += any(one.p < 0.05 for one in compare_groups(parts, settings))
    # of 60 campaigns at 5 %, ten or more would come with a probability of 0.1 %
    assert named < 10


def test_a_real_difference_is_found():
    rng = np.random.default_rng(1)
    scores = 3 + rng.normal(0, 0.2, (8, 1)) + rng.normal(0, 1, (1, 40))
    scores = scores + rng.normal(0, 0.5, (8, 40))
    scores[::2] += 1
    found = results(table(scores.round(2), "AB" * 4), bootstrap=100)
    assert "1 of 1 pairs of groups differ beyond chance" in found["group-difference"].headline
    assert found["group-difference"].estimates[0].low > 0.5


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


def test_too_few_judges_to_reach_a_level_are_named():
    """Six judges make two groups of three in ten ways, so that p is 0.1 or more."""
    rng = np.random.default_rng(2)
    scores = rng.integers(1, 4, 12) + rng.integers(0, 2, (8, 12)) + 2 * np.array([[0, 1] * 4]).T
    found = results(table(scores[:6], "ABABAB"), bootstrap=0)
    words = "3 + 3 judges cannot reach p < .05: the smallest possible p is 0.10"
    for name in ("group-mean-p", "group-p", "segment-spread-p"):
        estimate = next(e for e in found[name].estimates if e.value is not None)
        assert estimate.note == words
        assert words in found[name].headline
        assert "chance alone" not in found[name].headline
    more = results(table(scores, "ABABABAB"))["group-mean-p"]
    assert more.estimates[0].note == ""
    assert "hardly" in more.headline


def test_the_smallest_p_counts_ways_to_group_judges():
    count = np.arange(9)
    assert smallest_p(np.array([0, 0, 0, 1, 1, 1]), count[:6]) == pytest.approx(1 / 10)
    assert smallest_p(np.array([0, 0, 1, 1, 1]), count[:5]) == pytest.approx(1 / 10)
    assert smallest_p(np.array([0, 0, 2, 2, 3, 3]), count[:6]) == pytest.approx(1 / 15)
    # four persons who were in both groups
    assert smallest_p(np.array([0, 1] * 4), np.repeat(count[:4], 2)) == pytest.approx(1 / 8)


def test_words_have_no_mean():
    found = results(table([["x", "y"], ["y", "x"]], "AB"), bootstrap=100)
    for name in ("group-mean", "group-difference", "segment-spread", "segment-mean"):
        assert all(e.value is None and "words" in e.reason for e in found[name].estimates)


def by_document(documents: int, saw: str) -> str:
    """Three items a document; judges differ in severity, and about whole documents."""
    rows = [
        f"j{j},{d}-{n},{d},{group},{j % 3 + (d * 7 + j * 5) % 4 + (d + n + j) % 2 / 4}"
        for j, group in enumerate(saw)
        for d in range(documents)
        for n in range(3)
    ]
    return "\n".join(["judge,item,document,saw,value", *rows])


def test_documents_vary_where_they_are_known():
    asked = BiasSettings(group="saw")
    (groups,) = judge_groups(evaluation(by_document(4, "AB")), asked)
    assert clusters_of(groups, np.ones(24, dtype=np.bool_), asked).what == "document"
    few = judge_groups(evaluation(table([[1, 2], [2, 3]], "AB")), asked)[0]
    assert clusters_of(few, np.ones(4, dtype=np.bool_), asked).what == "item"


def test_few_documents_give_no_verdict():
    """Items of four documents are 12, but no 12 independent ones."""
    found = results(by_document(4, "AAAABBBB"), bootstrap=1)
    (p,) = found["group-difference-p"].estimates
    assert p.reason == "4 documents cannot speak for others"
    assert "cannot be told: 4 documents" in found["group-difference"].headline
    assert "cannot be told: 4 documents" in found["group-mean"].headline
    assert "4 documents say little about others" in found["group-mean"].method


def test_means_of_two_judges_are_said_to_be_of_these_judges():
    found = results(by_document(8, "AABBBB"), bootstrap=1)["group-mean"]
    small, large = found.estimates
    assert small.note.startswith("for these judges only")
    assert large.note == "few judges (4): little power"
    assert "(for these judges only) with A" in found.headline
    assert "of groups with fewer than 3 judges for these judges only" in found.method


def test_the_headline_says_whether_chance_gives_the_gap():
    headline = results(by_document(8, "ABABABAB"), bootstrap=1)["group-mean"].headline
    assert "chance alone may give that)." in headline


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
