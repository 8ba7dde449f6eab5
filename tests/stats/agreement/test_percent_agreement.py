import numpy as np
import pytest

from jurat.stats import Settings
from jurat.stats.agreement.answer_counts import AnswerCounts
from jurat.stats.agreement.item_statistic import with_intervals
from jurat.stats.agreement.percent_agreement import KwayAgreement, NAgreement, n_agreement
from jurat.stats.estimates import share_estimates
from tests.stats.agreement.asking import estimates, long, one, results, value
from tests.stats.tables import evaluation, matrix

# By hand: pairs 1-1, 1-3, 1-3 | 2-2 | a single judgment has none.
THREE = [[1, 2, 4], [1, 2, None], [3, None, None]]


def test_by_hand():
    found = estimates(evaluation(long(THREE)), "n-agreement")
    assert [(e.by["n"], e.value, e.n) for e in found] == [
        (0, 0.5, 4),
        (1, 0.5, 4),
        (2, 1.0, 4),
        (3, 1.0, 4),
    ]
    assert n_agreement(matrix(THREE), 2) == 1.0


def test_a_larger_distance_has_no_lower_end():
    """With documents a share of 1 alone has a wide interval, though 99 % are closer."""
    rng = np.random.default_rng(3)
    first = rng.integers(1, 6, 120)
    second = np.clip(first + rng.choice([-1, 0, 0, 1], 120), 1, 5)
    rows = [
        f"{judge},d{item // 30},{item},{value}"
        for judge, values in (("a", first), ("b", second))
        for item, value in enumerate(values)
    ]
    csv = "\n".join(["judge,document,item,value", *rows])
    found = estimates(evaluation(csv), "n-agreement", bootstrap=100)
    low = [e.low for e in found if e.low is not None]
    assert [e.value for e in found][1:] == [1.0] * 4
    assert len(low) == 5
    assert low == sorted(low)


def test_split_and_by_question():
    csv = "judge,item,genre,q1,q2\na,x,news,1,5\nb,x,news,1,4\na,y,talk,1,3\nb,y,talk,2,3"
    asked = evaluation(csv, questions=("q1", "q2"), by=("genre",))
    assert value(asked, "n-agreement", question="q1", genre="news", n=0) == 1
    assert value(asked, "n-agreement", question="q1", genre="talk", n=0) == 0
    assert value(asked, "n-agreement", question="q2", genre="news", n=1) == 1


def test_words_are_equal_or_not():
    found = estimates(evaluation(long([["A", "B"], ["A", "C"]])), "n-agreement")
    assert [(e.by["n"], e.value) for e in found] == [(0, 0.5)]


def test_halves_have_whole_steps():
    found = estimates(evaluation(long([[1, 2.5], [1.5, 4]])), "n-agreement")
    assert [(e.by["n"], e.value) for e in found] == [(0, 0), (1, 0.5), (2, 1), (3, 1)]


def test_a_long_scale_has_ten_steps():
    found = estimates(evaluation(long([[0, 100], [50, 90]])), "n-agreement")
    assert [e.by["n"] for e in found] == list(range(11))
    assert found[-1].value == 0.5


def test_without_pairs_there_is_a_reason():
    found = one(evaluation("judge,item,value\na,x,1\nb,y,1"), "n-agreement", n=0)
    assert (found.value, found.reason) == (None, "no item was judged by two judges")


def test_repeats_do_not_count():
    csv = "judge,item,value\na,x,1\na,x,5\nb,x,1"
    assert one(evaluation(csv), "n-agreement", n=0).n == 1


def test_the_headline_has_the_numbers():
    headline = results(evaluation(long(THREE)))[0].headline
    assert "50.0 % of 4 pairs" in headline
    assert "one point apart in 50.0 %" in headline


def test_the_interval_holds_the_value():
    found = one(
        evaluation(long([[1, 2] * 30, [1, 1] * 30])), "n-agreement", {"bootstrap": 300}, n=0
    )
    assert found.value == 0.5
    # The standard error of a share of ½ of 60 items is .0645.
    assert found.low == pytest.approx(0.5 - 1.96 * 0.0645, abs=0.03)
    assert found.high == pytest.approx(0.5 + 1.96 * 0.0645, abs=0.03)


def test_by_hand_of_kway_agreement():
    # All three alike in the first item, in the second two of three; the third has two judgments.
    found = estimates(evaluation(long([[1, 1, 1], [1, 1, 2], [1, 2, None]])), "kway-agreement")
    assert [(e.by["k"], e.value, e.n) for e in found] == [
        (2, pytest.approx((1 + 1 / 3 + 0) / 3), 3),
        (3, 0.5, 2),
    ]


def test_of_many_judges_the_whole_group_is_told():
    found = estimates(evaluation(long([[1, 2]] * 11 + [[1, 3]])), "kway-agreement")
    assert [e.by["k"] for e in found] == [*range(2, 11), 12]
    assert found[-1].value == 0.5


def _five_points(rng, items=20, judges=6):
    """Judges × items: 0.7 of the variance is the items'."""
    item, error = rng.normal(size=items), rng.normal(size=(judges, items))
    latent = np.sqrt(0.7) * item + np.sqrt(0.3) * error
    return np.digitize(latent, [-1.1, -0.33, 0.33, 1.1])


def test_groups_of_two_have_the_interval_of_exact_agreement():
    ratings = matrix(_five_points(np.random.default_rng(1)))
    found = with_intervals((KwayAgreement, NAgreement), ratings, Settings())
    groups, pairs = (found[name].values for name in ("kway-agreement", "n-agreement"))
    assert (groups.low[0], groups.high[0]) == pytest.approx((pairs.low[0], pairs.high[0]))


def test_intervals_of_large_groups_hold():
    # Without one more unanimous item 79 % of those of five of six judges hold.
    rng = np.random.default_rng(2)
    true = _shares_of_groups(_five_points(rng, items=20_000)).values
    found = [_shares_of_groups(_five_points(rng)) for _ in range(200)]
    held = [(one.low <= true) & (true <= one.high) for one in found]
    assert np.mean(held, axis=0)[1:].min() >= 0.9


def _shares_of_groups(answers):
    judges, items = answers.shape
    item = np.tile(np.arange(items), judges)
    counts = AnswerCounts.from_codes(item, answers.ravel(), np.arange(5.0))
    shares = KwayAgreement().shares(counts)
    return share_estimates(
        shares.hits,
        shares.cases,
        settings=Settings(),
        observed=shares.observed,
        opposite=shares.opposite,
    )


def test_without_pairs_there_is_a_reason_of_kway_agreement():
    found = one(evaluation("judge,item,value\na,x,1"), "kway-agreement")
    assert found.value is None
    assert found.reason


def test_by_hand_of_presence_agreement():
    # Pairs 0-0, 2-1, 0-3, 4-0: two are alike.
    found = one(evaluation(long([[0, 2, 0, 4], [0, 1, 3, 0]])), "presence-agreement")
    assert (found.value, found.n) == (0.5, 4)


def test_three_judges():
    # Of 0, 0, 5 one pair of three is alike.
    assert one(evaluation(long([[0], [0], [6]])), "presence-agreement").value == 1 / 3


def test_undefined():
    assert one(evaluation(long([[1], [2]])), "presence-agreement").reason == "no answer is 0"
    assert "words" in one(evaluation(long([["A"], ["B"]])), "presence-agreement").reason
    alone = evaluation("judge,item,value\na,x,0")
    assert one(alone, "presence-agreement").reason == "no item was judged by two judges"


def test_the_headline_is_a_sentence():
    found = results(evaluation(long([[0], [0]])))
    (headline,) = [r.headline for r in found if r.name == "presence-agreement"]
    assert headline.endswith("in 100.0 % of 1 pair.")


ROWS = [[1, 3, 6, 7, 4], [2, 2, 5, 7, 4]]


def test_before_and_after():
    folded = evaluation(long(ROWS), fold="7to5")
    plain = evaluation(long(ROWS))
    for name, key, by in [
        ("n-agreement", "n-agreement 0", {"n": 0}),
        ("fleiss-kappa", "fleiss-kappa", {}),
        ("krippendorff-alpha", "krippendorff-alpha interval", {"scale": "interval"}),
    ]:
        before = value(folded, "fold-agreement", statistic=key, scale="before")
        after = value(folded, "fold-agreement", statistic=key, scale="after")
        assert before == pytest.approx(value(plain, name, **by))
        assert after == pytest.approx(value(folded, name, **by))
    # 6 and 5, 3 and 2 become the same.
    assert value(folded, "fold-agreement", statistic="n-agreement 0", scale="before") == 0.4
    assert value(folded, "fold-agreement", statistic="n-agreement 0", scale="after") == 0.8


def test_the_judgments_stay_folded_for_the_others():
    folded = evaluation(long(ROWS), fold="7to5")
    results(folded)
    assert folded.ratings[0].places.max() == 5


def test_nothing_is_said_without_a_fold():
    assert not [r for r in results(evaluation(long(ROWS))) if r.name == "fold-agreement"]
