"""tests.stats.systems.test_pairwise."""

import itertools

import numpy as np
import pytest
from scipy import stats

from jurat.stats.systems.adjusted_score import AdjustedScore
from jurat.stats.systems.pairwise import PairwiseP, SystemDifference
from jurat.stats.systems.ranks_and_clusters import SystemCluster, SystemRank, clusters, rank_ranges
from jurat.stats.systems.system_inference import CONFOUNDED, CONFOUNDED_WHERE_SHARED
from jurat.stats.systems.system_scores import DocumentScore, SystemScore
from tests.stats.systems.finding import only, results, values
from tests.stats.tables import comparison, evaluation


def scores(gap: float, sentences: int = 30) -> str:
    rng = np.random.default_rng(2)
    rows = [
        f"{judge},{n},{system},{value + shift:.3f}"
        for n in range(sentences)
        for judge in ("x", "y")
        for system, shift in (("a", gap), ("b", 0.0), ("c", 0.05))
        for value in [rng.normal()]
    ]
    return "\n".join(["judge,segment,system,value", *rows])


def test_both_orders_of_every_pair_are_told():
    found = results(PairwiseP, evaluation(scores(3.0)))["pairwise-p"]
    assert len(found.estimates) == 6
    pairs = [only(found, system_a=a, system_b=b).value for a, b in ("ab", "ba")]
    assert pairs[0] == pairs[1] < 1e-9
    flips = results(PairwiseP, evaluation(scores(3.0)), method="permutation")["pairwise-p"]
    assert only(flips, system_a="a", system_b="b").value == pytest.approx(3 / 10_001)
    assert "2 of 3 pairs of systems are told apart (p < 0.05" in found.headline


def one_judge_for_each_pair(*, last: bool = True) -> str:
    """Three judges with two documents each: one has a and b, one c and a, the last one b and c."""
    given = {
        ("x", 2, "a"): (67, 70, 88, 48),
        ("x", 3, "b"): (91, 86, 33, 63),
        ("y", 2, "c"): (79, 80, 31, 32),
        ("y", 3, "a"): (60, 87, 64, 95),
        ("z", 2, "b"): (51, 78, 58, 34),
        ("z", 3, "c"): (80, 81, 32, 60),
    }
    rows = [
        f"{judge},{document},{document}{n},{system},{value}"
        for (judge, document, system), values in given.items()
        for n, value in enumerate(values)
        if last or judge != "z"
    ]
    return "\n".join(["judge,document,segment,system,value", *rows])


def test_a_difference_that_is_rounding_is_none():
    """The judge of a and b gave both 68.25 in the mean: the fit left 1e-13 of that."""
    found = results(SystemDifference, evaluation(one_judge_for_each_pair()))["system-difference"]
    assert only(found, system_a="a", system_b="b").value == 0
    assert found.headline.endswith("a scores the same as b where both were judged (n = 8).")


def test_why_a_pair_is_not_tested_names_it_where_others_have_another_reason():
    """One judge scored a and b, another one a and c, but of other sentences; nobody b and c."""
    table = evaluation(one_judge_for_each_pair(last=False))
    found = results(PairwiseP, table)["pairwise-p"]
    assert only(found, system_a="a", system_b="b").reason == CONFOUNDED_WHERE_SHARED
    assert only(found, system_a="a", system_b="c").reason == CONFOUNDED_WHERE_SHARED
    assert only(found, system_a="b", system_b="c").reason == CONFOUNDED
    for one in (found, results(SystemCluster, table)["system-cluster"]):
        why = f"for a and b, {CONFOUNDED_WHERE_SHARED}."
        assert f"No pair of systems can be tested: {why}" in one.headline


def test_corrections():
    plain = results(PairwiseP, evaluation(scores(0.3)), correction="none")["pairwise-p"]
    holm = results(PairwiseP, evaluation(scores(0.3)))["pairwise-p"]
    pairs = list(itertools.combinations("abc", 2))
    raw = [only(plain, system_a=a, system_b=b).value or 0 for a, b in pairs]
    expected = stats.false_discovery_control(raw)
    bh = results(PairwiseP, evaluation(scores(0.3)), correction="bh")["pairwise-p"]
    for (a, b), value in zip(pairs, expected, strict=True):
        assert only(bh, system_a=a, system_b=b).value == pytest.approx(value)
    assert min(e.value or 1 for e in holm.estimates) == pytest.approx(min(3 * min(raw), 1))
    assert "corrected by Holm" in holm.method
    assert "not corrected" in plain.method


def test_lower_better_turns_one_sided_tests():
    table = evaluation(scores(3.0))
    up = results(PairwiseP, table, method="wmt-signed-rank")["pairwise-p"]
    down = results(PairwiseP, table, method="wmt-signed-rank", lower_better=True)["pairwise-p"]
    assert (only(up, system_a="a", system_b="b").value or 1) < 1e-6
    assert (only(down, system_a="b", system_b="a").value or 1) < 1e-6


def test_rank_sum_needs_judges():
    table = evaluation("segment,system,value\n1,a,3\n1,b,4")
    found = results(PairwiseP, table, method="wmt-rank-sum")["pairwise-p"]
    assert "no z-score" in only(found, system_a="a", system_b="b").reason


def test_preferences_are_tested_by_sentences():
    # on three sentences a wins every time, twice on each: 2 of 2^3 patterns are as extreme
    rows = [f"x{j},{n},a,b,a" for n in range(3) for j in "12"]
    table = comparison("\n".join(["judge,segment,system_a,system_b,outcome", *rows]))
    found = results(PairwiseP, table, correction="none", method="permutation")["pairwise-p"]
    assert only(found, system_a="b", system_b="a").value == 0.25
    assert only(found, system_a="a", system_b="b").n == 3
    robust = results(PairwiseP, table, correction="none")["pairwise-p"]
    assert "3 sentences cannot speak" in only(robust, system_a="a", system_b="b").reason


def test_preferences_without_exception_are_tested_by_the_signs_of_documents():
    rows = [f"x{j},d{n},{n},a,b,a" for n in range(8) for j in "12"]
    table = comparison("\n".join(["judge,document,segment,system_a,system_b,outcome", *rows]))
    found = results(PairwiseP, table)["pairwise-p"]
    assert only(found, system_a="a", system_b="b").value == 2 / 2**8


def test_preferences_have_no_rank_sum():
    found = results(PairwiseP, comparison("better,worse\na,b"), method="wmt-rank-sum")
    assert "needs scores" in only(found["pairwise-p"], system_a="a", system_b="b").reason


def test_clusters_by_hand():
    better = np.zeros((4, 4), dtype=bool)
    better[:2, 2:] = True
    assert clusters(np.array([9.0, 8, 7, 6]), better).tolist() == [1, 1, 2, 2]
    assert [part.tolist() for part in rank_ranges(better)] == [[1, 1, 3, 3], [2, 2, 4, 4]]
    better[0, 3] = False  # one above is not better than one below: no line
    assert clusters(np.array([9.0, 8, 7, 6]), better).tolist() == [1, 1, 1, 1]
    assert clusters(np.array([9.0, 8, 7, np.nan]), better).tolist() == [1, 1, 2, 0]


def test_easy_sentences_do_not_make_a_system_better():
    """a was judged on easy sentences and b on hard ones; b is better on all that they share."""
    rng = np.random.default_rng(5)
    shared = [(n, s, rng.normal(50 + 4 * (s == "b"), 1)) for n in range(71) for s in "ab"]
    easy = [(100 + n, "a", rng.normal(80, 1)) for n in range(150)]
    hard = [(300 + n, "b", rng.normal(20, 1)) for n in range(150)]
    rows = [f"{n},{s},{v:.3f}" for n, s, v in shared + easy + hard]
    table = evaluation("\n".join(["segment,system,value", *rows]))
    assert values(results(SystemCluster, table)["system-cluster"]) == {"b": 1, "a": 2}
    assert values(results(SystemRank, table)["system-rank"]) == {"b": 1, "a": 2}
    scored = results(SystemScore, table)["system-score"]
    assert scored.headline.startswith("Systems were judged on different sentences")
    assert "b has the highest adjusted score" in scored.headline
    assert [e.by["system"] for e in scored.estimates] == ["b", "a"]
    gap = only(results(SystemDifference, table)["system-difference"], system_a="b", system_b="a")
    assert 3 < gap.value < 5


def test_what_sentences_of_one_system_only_assume_is_said_beside_the_verdict():
    """a had easy sentences, b hard ones, and none are shared: chance may be why a is ahead."""
    rng = np.random.default_rng(5)
    rows = [f"{n},{'ab'[n % 2]},{rng.normal(80 - 60 * (n % 2), 1):.3f}" for n in range(80)]
    table = evaluation("\n".join(["segment,system,value", *rows]))
    headline = results(PairwiseP, table)["pairwise-p"].headline
    assert "1 of 1 pairs of systems are told apart" in headline
    assert "1 of them was judged on different sentences" in headline


def test_clusters_of_systems():
    found = results(SystemCluster, evaluation(scores(3.0)))["system-cluster"]
    assert values(found) == {"a": 1, "b": 2, "c": 2}
    assert "3 systems fall into 2 clusters; a is in the first" in found.headline
    same = results(SystemCluster, evaluation(scores(0.0)))["system-cluster"]
    assert set(values(same).values()) == {1}
    assert "No group of systems is reliably better" in same.headline


def test_the_confidence_is_the_level_of_clusters():
    table = evaluation(scores(0.45))
    strict = results(SystemCluster, table, confidence=0.9999)["system-cluster"]
    assert set(values(strict).values()) == {1}
    loose = results(SystemCluster, table, confidence=0.5)["system-cluster"]
    assert max(v or 0 for v in values(loose).values()) > 1


@pytest.mark.parametrize(
    ("statistic", "name"), [(PairwiseP, "pairwise-p"), (SystemCluster, "system-cluster")]
)
def test_the_seed_is_told_where_chance_has_a_part(statistic, name):
    table = evaluation(scores(0.3))
    drawn = results(statistic, table, seed=4, method="permutation")[name]
    assert "seed:4" in drawn.signature
    assert "seed" not in results(statistic, table)[name].signature


VERSIONS = """judge,document,segment,system,value
    x,d,1,old,3
    y,d,1,old,5
    x,d,1,new,7
    x,d,2,old,2
    x,d,2,new,3
    x,e,1,old,9
    x,f,1,new,1"""


def test_progress_on_shared_sentences():
    found = results(SystemDifference, evaluation(VERSIONS))["system-difference"]
    forward = only(found, system_a="new", system_b="old")
    # judge x scored both on two sentences, 7 − 3 and 3 − 2
    assert (forward.value, forward.n) == ((4 + 1) / 2, 2)
    assert only(found, system_a="old", system_b="new").value == -2.5


def test_the_other_order_has_the_interval_turned_round():
    rows = [f"{n},{s},{n % 5 * k}" for n in range(20) for s, k in (("a", 1), ("b", 2))]
    table = evaluation("\n".join(["segment,system,value", *rows]))
    found = results(SystemDifference, table, bootstrap=100)["system-difference"]
    one, other = (only(found, system_a=a, system_b=b) for a, b in ("ab", "ba"))
    assert (one.value, one.low, one.high) == (-other.value, -other.high, -other.low)
    assert one.low < one.value < one.high


def test_two_campaigns_are_compared_as_systems_are():
    csv = "campaign,segment,value\nspring,1,3\nautumn,1,5\nspring,2,4\nautumn,2,4"
    table = evaluation(csv, columns="system=campaign")
    found = results(SystemDifference, table)["system-difference"]
    assert only(found, system_a="autumn", system_b="spring").value == 1


def test_no_shared_sentence():
    table = evaluation("segment,system,value\n1,a,3\n2,b,5")
    found = results(SystemDifference, table)["system-difference"]
    assert "only if they were assigned at random" in only(found, system_a="a", system_b="b").note


def test_document_scores():
    found = results(DocumentScore, evaluation(VERSIONS), bootstrap=1)["document-score"]
    estimate = only(found, system="old", document="d")
    assert estimate.value == pytest.approx(10 / 3)
    assert estimate.n == 3
    # sentences' residual sums 8 - 2 * 10/3 and 2 - 10/3: SE² = 2/1 * ((4/3)² + (4/3)²) / 3²
    reach = stats.t.ppf(0.975, 1) * (2 * 2 * (4 / 3) ** 2 / 9) ** 0.5
    assert estimate.low == pytest.approx(10 / 3 - reach, abs=1e-5)
    assert estimate.high == pytest.approx(10 / 3 + reach, abs=1e-5)
    assert only(found, system="old", document="e").low is None
    assert found.headline == "new has the best mean on 2 of 3 documents."


def test_document_scores_without_smaller_pieces():
    csv = "doc,judge,E1,E2\n1,x,0.5,0.6\n1,y,0.7,0.6"
    table = evaluation(csv, systems=("E1", "E2"), columns="document=doc")
    found = results(DocumentScore, table, bootstrap=1)["document-score"]
    assert only(found, system="E1", document="1").value == pytest.approx(0.6)
    assert only(found, system="E1", document="1").low is None


def test_document_interval_is_that_of_resampled_sentences():
    rows = [f"d,{n},a,{(n * n) % 17}" for n in range(40)]
    table = evaluation("\n".join(["document,segment,system,value", *rows]))
    estimate = only(results(DocumentScore, table, bootstrap=1)["document-score"], document="d")
    values = [(n * n) % 17 for n in range(40)]
    mean = sum(values) / 40
    error = (sum((v - mean) ** 2 for v in values) / 39 / 40) ** 0.5
    assert estimate.high == pytest.approx(mean + stats.t.ppf(0.975, 39) * error, abs=1e-9)


def campaign(judge_of, documents: int = 10) -> str:
    """Three equal systems on documents of three segments; a judge's severity is their number."""
    rng = np.random.default_rng(5)
    rows = [
        f"{judge},{document},{segment},{system},{int(judge[1:]) + rng.normal():.4f}"
        for document in range(documents)
        for segment in range(3)
        for at, system in enumerate("abc")
        for judge in judge_of(at, segment)
    ]
    return "\n".join(["judge,document,segment,system,value", *rows])


def everyone(judges: int):
    return lambda *_: [f"j{n}" for n in range(judges)]


def test_systems_with_judges_of_their_own_are_not_tested():
    """Whether the systems or their judges differ cannot be told, however far they are apart."""
    table = evaluation(campaign(lambda at, segment: [f"j{9 * at + segment % 2}"]))
    found = results(PairwiseP, table)["pairwise-p"]
    assert all(e.value is None for e in found.estimates)
    assert all("systems and judges cannot be separated" in e.reason for e in found.estimates)
    assert "No pair of systems can be tested: no judge scored both" in found.headline
    clusters = results(SystemCluster, table)["system-cluster"]
    assert set(values(clusters).values()) == {1.0}
    # rather than that no group is better: nothing was tested
    assert "No pair of systems can be tested" in clusters.headline
    difference = results(SystemDifference, table)["system-difference"].estimates[0]
    assert difference.value is not None
    assert difference.low is None


def test_two_judges_who_scored_everything_between_them_speak_for_themselves():
    """A severity of 9 points between them is no difference of systems."""
    table = evaluation(campaign(lambda at, segment: [f"j{9 * ((at + segment) % 2)}"]))
    found = results(PairwiseP, table)["pairwise-p"]
    assert all(e.value > 0.01 for e in found.estimates)
    assert all("for these judges only" in e.note for e in found.estimates)


def test_one_judge_speaks_for_themselves():
    table = evaluation(campaign(everyone(1)))
    for statistic, name in ((PairwiseP, "pairwise-p"), (SystemScore, "system-score")):
        found = results(statistic, table, bootstrap=9)[name]
        assert "for these judges only" in found.method
        assert all("for these judges only" in e.note for e in found.estimates)


def test_few_judges_and_documents_are_named_beside_what_rests_on_them():
    three = evaluation(campaign(everyone(3)))
    for statistic, name in ((SystemCluster, "system-cluster"), (SystemRank, "system-rank")):
        assert "few judges (3)" in results(statistic, three)[name].estimates[0].note
    five = evaluation(campaign(everyone(3), documents=5))
    for other, name in (
        (SystemScore, "system-score"),
        (SystemDifference, "system-difference"),
    ):
        assert (
            "5 documents cannot speak" in results(other, five, bootstrap=9)[name].estimates[0].note
        )


def test_adjusted_scores_vary_as_scores_do_where_all_judged_all():
    """What documents and judges add to scores varies, although the model takes it out."""
    table = evaluation(campaign(everyone(4)))
    adjusted = results(AdjustedScore, table, bootstrap=9)["adjusted-score"]
    plain = results(SystemScore, table, bootstrap=9)["system-score"]
    for system in "abc":
        one, other = only(adjusted, system=system), only(plain, system=system)
        assert (one.low, one.high) == pytest.approx((other.low, other.high))
