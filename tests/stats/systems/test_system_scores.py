"""tests.stats.systems.test_system_scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from jurat.stats.settings import SystemSettings
from jurat.stats.systems.ranks_and_clusters import SystemRank
from jurat.stats.systems.score_table import ranked, score_table_of
from jurat.stats.systems.system_scores import SystemMedian, SystemScore, averages
from tests.stats.systems.finding import only, results, values
from tests.stats.tables import comparison, evaluation, ratings

SCORES = """judge,segment,system,genre,adequacy,fluency
    x,1,a,news,5,3
    x,1,b,news,4,4
    y,2,a,talk,3,5
    y,2,b,talk,1,5"""


def scores(**options):
    return evaluation(SCORES, questions=("adequacy", "fluency"), **options)


def test_scores_of_each_question_best_first():
    found = results(SystemScore, scores())["system-score"]
    told = [(e.by["question"], e.by["system"], e.value, e.n) for e in found.estimates]
    assert told == [
        ("adequacy", "a", 4, 2),
        ("adequacy", "b", 2.5, 2),
        ("fluency", "b", 4.5, 2),
        ("fluency", "a", 4, 2),
    ]
    assert found.headline.startswith("adequacy: a has the highest mean score, 4.00 (n = 2")


def test_systems_that_tie_are_told_with_the_judgments_of_each():
    rows = "judge,segment,system,adequacy\nx,1,a,4\nx,2,a,4\ny,1,b,4\ny,1,c,1"
    found = results(SystemScore, evaluation(rows, questions=("adequacy",)))["system-score"]
    assert found.headline.endswith(
        "a and b have the highest mean score, 4.00 (n = 2, 1; 3 systems)."
    )


def test_lower_may_be_better():
    found = results(SystemScore, scores(), lower_better=True)["system-score"]
    assert found.estimates[0].by["system"] == "b"
    assert "b has the lowest mean score, 2.50" in found.headline
    assert "lower is better" in found.method
    ranks = results(SystemRank, scores(), lower_better=True)["system-rank"]
    assert only(ranks, question="adequacy", system="b").value == 1


def test_top_answers():
    found = results(SystemScore, scores())["system-top"]
    assert only(found, question="adequacy", system="a").value == 0.5
    assert only(found, question="adequacy", system="b").value == 0
    low = results(SystemScore, scores(), lower_better=True)["system-top"]
    assert only(low, question="adequacy", system="b").value == 0.5


def test_splits_stand_in_tags():
    found = results(SystemScore, scores(by=("genre",)))["system-score"]
    assert only(found, question="fluency", system="a", genre="talk").value == 5
    assert found.estimates[0].tags == {"genre": "news"}


def test_a_judge_who_is_asked_for_stands_in_by_as_well():
    found = results(SystemScore, scores(by=("judge",)))["system-score"]
    assert only(found, question="adequacy", system="b", judge="y").by["judge"] == "y"


def test_ranks_share_the_better_place():
    found = results(SystemRank, evaluation("item,system,value\n1,a,3\n1,b,3\n1,c,2"))
    assert values(found["system-rank"]) == {"a": 1, "b": 1, "c": 3}
    assert found["system-rank"].headline.startswith("a and b have rank 1")


def test_rank_intervals_are_whole():
    rows = [f"{n},{s},{(n * k) % 7}" for n in range(9) for s, k in (("a", 2), ("b", 3), ("c", 5))]
    table = evaluation("\n".join(["item,system,value", *rows]))
    found = results(SystemRank, table, bootstrap=100)["system-rank"]
    ends = [end for e in found.estimates for end in (e.low, e.high)]
    assert {end % 1 for end in ends if end is not None} == {0}
    assert all((e.low or 0) <= (e.value or 0) <= (e.high or 0) for e in found.estimates)


def test_ranks_of_preferences_come_from_expected_wins():
    table = comparison("better,worse\na,b\na,b\nb,a\na,c\nc,b")
    assert values(results(SystemRank, table)["system-rank"]) == {"a": 1, "c": 2, "b": 3}


def test_medians():
    table = evaluation("item,system,value\n1,a,1\n2,a,9\n3,a,2\n1,b,1\n2,b,4")
    found = results(SystemMedian, table, bootstrap=100)["system-median"]
    assert values(found) == {"a": 2, "b": 2.5}
    high = only(found, system="a").high
    assert high is not None
    assert high <= 9


def test_the_interval_of_a_median_of_independent_values_is_that_of_ranks():
    """300 of Binomial(300, ½): ranks 150 ± 1.968 √300 / 2, by Wilson a little less."""
    rows = [f"{n},a,{n / 7}" for n in range(300)]
    found = results(SystemMedian, evaluation("\n".join(["item,system,value", *rows])), bootstrap=1)
    estimate = only(found["system-median"], system="a")
    assert estimate.value == (149 / 7 + 150 / 7) / 2
    assert estimate.low == pytest.approx(132 / 7, abs=1 / 7)
    assert estimate.high == pytest.approx(167 / 7, abs=1 / 7)


def test_intervals_of_medians_hold_with_few_documents_and_judges():
    random = np.random.default_rng(4)
    document, sentence, judge = (codes.ravel() for codes in np.indices((10, 3, 6)))
    held = 0
    for _ in range(60):
        value = random.normal(0, 0.5, 10)[document] + random.normal(0, 0.3, 6)[judge]
        value += random.normal(0, 0.5, (10, 3))[document, sentence] + random.normal(0, 0.7, 180)
        cells = zip(judge, document, sentence, value, strict=True)
        rows = [f"{j},{d},{d}.{s},a,{v}" for j, d, s, v in cells]
        table = evaluation("\n".join(["judge,document,segment,system,value", *rows]))
        (estimate,) = results(SystemMedian, table, bootstrap=1)["system-median"].estimates
        assert estimate.low is not None
        assert estimate.high is not None
        held += estimate.low <= 0 <= estimate.high
    assert held >= 53


def test_words_have_no_score():
    table = evaluation("item,system,value\n1,a,good\n1,b,bad")
    (estimate,) = results(SystemScore, table)["system-score"].estimates
    assert estimate.value is None
    assert estimate.reason.startswith("the answers are words, not numbers; --fold")


def test_bootstrap_nought_means_no_interval():
    for statistic in (SystemScore, SystemRank, SystemMedian):
        for result in results(statistic, scores()).values():
            assert all(e.low is None for e in result.estimates)
            assert "interval" not in result.method


SCORES_MEAN_SCORES = """judge,document,segment,system,value
    x,d,1,a,10
    y,d,1,a,20
    y,d,1,a,30
    x,d,2,a,70
    x,e,1,b,40
    y,e,1,b,41"""


def means(method: str, **settings):
    table = score_table_of(ratings(SCORES_MEAN_SCORES), SystemSettings())
    chosen = SystemSettings(method=method, bootstrap=0, **settings)
    return averages(table, table.values, chosen)


def test_the_mean_of_judgments():
    made = means("")
    assert made.means.tolist() == [32.5, 40.5]
    assert made.numbers.tolist() == [4, 2]


def test_the_mean_of_segment_means():
    made = means("segment-means")
    assert made.means.tolist() == [45, 40.5]  # (20 + 70) / 2
    assert made.numbers.tolist() == [2, 1]


def test_values_that_are_missing_are_left_out():
    table = score_table_of(ratings(SCORES_MEAN_SCORES), SystemSettings())
    values = np.where(table.values > 60, np.nan, table.values)
    made = averages(table, values, SystemSettings(bootstrap=0))
    assert made.means.tolist() == [20, 40.5]
    assert made.numbers.tolist() == [3, 2]


def test_intervals_are_of_documents_and_judges():
    table = score_table_of(ratings(SCORES_MEAN_SCORES), SystemSettings())
    made = averages(table, table.values, SystemSettings(bootstrap=200))
    assert "documents vary, for these judges only" in made.method


@given(st.lists(st.integers(0, 5), min_size=1, max_size=8))
def test_ranks_are_scipy_s_minimum_ranks(scores):
    given_scores = np.array([scores], dtype=float)
    expected = rankdata([-s for s in scores], method="min")
    assert ranked(given_scores)[0].tolist() == expected.tolist()


def test_ranks_of_missing_scores_are_missing():
    found = ranked(np.array([3.0, np.nan, 5.0]))
    np.testing.assert_array_equal(found, [2, np.nan, 1])


@pytest.mark.parametrize(("most", "told"), [(25, True), (2, False)])
def test_a_mean_that_a_few_judgments_decide_has_a_note(most, told):
    points = [most if n == 7 else n % 2 for n in range(20)]
    lines = [f"x,d{n},{n},a,{value}" for n, value in enumerate(points)]
    table = evaluation("\n".join(["judge,document,segment,system,value", *lines]))
    (found,) = results(SystemScore, table, bootstrap=1)["system-score"].estimates
    assert ("a few judgments decide; the interval may hold less often" in found.note) is told


def heaped(values):
    """36 judgments of 12 documents: each document's three scores by one of four judges."""
    rows = [f"j{d % 4},d{d},s{n},a,{values[3 * d + n]}" for d in range(12) for n in range(3)]
    table = evaluation("\n".join(["judge,document,segment,system,value", *rows]))
    found = results(SystemScore, table, bootstrap=1)
    return (found[name].estimates[0] for name in ("system-score", "system-top"))


def test_the_mean_of_yes_and_no_has_the_interval_of_its_share():
    mean, share = heaped((np.random.default_rng(1).random(36) < 0.8).astype(int).tolist())
    assert mean.high < 1
    assert (mean.value, mean.low, mean.high) == pytest.approx((share.value, share.low, share.high))


def test_a_mean_near_the_end_of_the_scale_has_an_interval_that_bends_away():
    rng = np.random.default_rng(1)
    mean, _ = heaped(rng.choice([2, 3, 4, 5], 36, p=[0.05, 0.05, 0.1, 0.8]).tolist())
    assert mean.high < 5
    assert mean.value - mean.low > 1.2 * (mean.high - mean.value)
    even, _ = heaped(rng.integers(1, 6, 36).tolist())
    assert even.value - even.low == pytest.approx(even.high - even.value)
