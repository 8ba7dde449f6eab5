from jurat.stats.systems.medians import SystemMedian
from jurat.stats.systems.ranks import SystemRank
from jurat.stats.systems.scores import SystemScore
from tests.stats.systems.finding import only, results, values
from tests.stats.tables import comparison, evaluation

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


def test_medians_of_fine_scales_have_no_interval():
    rows = [f"{n},a,{n / 7}" for n in range(300)]
    found = results(SystemMedian, evaluation("\n".join(["item,system,value", *rows])), bootstrap=50)
    estimate = only(found["system-median"], system="a")
    assert estimate.value == (149 / 7 + 150 / 7) / 2
    assert estimate.low is None


def test_words_have_no_score():
    table = evaluation("item,system,value\n1,a,good\n1,b,bad")
    (estimate,) = results(SystemScore, table)["system-score"].estimates
    assert estimate.value is None
    assert estimate.reason == "the answers are words, not numbers"


def test_bootstrap_nought_means_no_interval():
    for statistic in (SystemScore, SystemRank, SystemMedian):
        for result in results(statistic, scores()).values():
            assert all(e.low is None for e in result.estimates)
            assert "interval" not in result.method
