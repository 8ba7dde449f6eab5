"""Which metric is better than which, by mt-metrics-eval's test and by the jackknife."""

import numpy as np
import pytest

from jurat.errors import InputError
from jurat.stats.metaeval.compare_metrics import cluster_ranks
from tests.stats.metaeval import loops
from tests.stats.metaeval.asking import asked, figure, long_csv, results, values

COMPARED = (
    "pearson",
    "acceq",
    "consistency",
    "spa",
    "system-pearson",
    "system-spearman",
    "system-kendall",
)


@pytest.fixture(scope="module")
def csv() -> str:
    """A good metric, one like it, and noise."""
    rng = np.random.default_rng(2)
    human = np.round(rng.normal(size=(60, 5)) + np.arange(5) / 2, 1)
    good = human + rng.normal(0, 0.5, human.shape)
    return long_csv(human, rng.normal(size=human.shape), good, good + rng.normal(0, 0.01, (60, 5)))


@pytest.mark.parametrize("compared", COMPARED)
def test_the_good_metric_is_told_from_noise(csv, compared):
    evaluation, settings = asked(csv, compare=compared, permutations=100, method="perm-both")
    found = results("metric-better-p", evaluation, settings)
    p = values(found["metric-better-p"])
    limit = 0.05 if not compared.startswith("system") else 0.35
    assert p["m1", "m0"].value <= limit
    assert p["m0", "m1"].value > 0.5
    assert len(p) == 6
    if not compared.startswith("system"):
        assert p["m1", "m2"].value > 0.01
        clusters = {key: e.value or 0 for key, e in values(found["metric-cluster"]).items()}
        assert clusters["m0",] == max(clusters.values()) > 1
    assert compared in found["metric-better-p"].signature


def test_the_best_stands_first(csv):
    evaluation, settings = asked(csv)
    found = results("metric-better-p", evaluation, settings)
    first = found["metric-better-p"].estimates[:3]
    assert {e.by["metric_b"] for e in first[1:]} == {"m0"}
    assert "2 of 3 pairs of metrics are told apart" in found["metric-better-p"].headline
    assert "m1 and m2 are in the first" in found["metric-cluster"].headline.replace(
        "m2 and m1", "m1 and m2"
    )


def test_p_is_never_zero(csv):
    evaluation, settings = asked(csv, permutations=99, method="perm-both")
    found = values(results("metric-better-p", evaluation, settings)["metric-better-p"])
    assert found["m1", "m0"].value == pytest.approx(1 / 100)


def test_error_rates_are_turned():
    """TER is as good as its reverse, which people would not see in its sign."""
    evaluation, settings = figure(method="perm-both")
    found = results("metric-better-p", evaluation, settings)
    assert "lower is better: TER" in found["metric-better-p"].method
    order = [e.by["metric"] for e in found["metric-cluster"].estimates]
    assert order == ["BLEU", "TER", "GTM"]


def test_only_what_all_metrics_scored():
    csv = "segment,system,value,a,b\n" + "\n".join(
        f"{s},{k},{s + k},{s - k},{'' if s == 1 else s * k}" for s in range(6) for k in range(3)
    )
    evaluation, settings = asked(csv, method="perm-both")
    found = results("metric-better-p", evaluation, settings)["metric-better-p"]
    assert {e.n for e in found.estimates} == {15}


@pytest.mark.parametrize(
    ("csv", "choices", "reason"),
    [
        ("segment,system,value,m\n1,a,1,2\n1,b,2,3\n", {}, "fewer than two metrics"),
        ("segment,system,value,m,n\n1,a,1,2,\n1,b,2,,4\n", {}, "scores of all metrics"),
        ("segment,system,value,m,n\n1,a,1,2,1\n", {"compare": "acceq"}, "no pairs"),
        ("segment,system,value,m,n\n1,a,1,2,1\n", {"compare": "system-pearson"}, "fewer than 5"),
        ("segment,system,value,m,n\n1,a,1,2,1\n", {"compare": "consistency"}, "no decisions"),
        ("segment,system,value,m,n\n1,a,1,2,1\n", {"compare": "spa"}, "no segment"),
    ],
)
def test_what_cannot_be_told(csv, choices, reason):
    evaluation, settings = asked(csv, **choices)
    for result in results("metric-better-p", evaluation, settings).values():
        assert [e.value for e in result.estimates] == [None]
        assert reason in result.estimates[0].reason


def test_preferences_are_compared_by_consistency():
    people = "segment,better,worse\n" + "\n".join(f"{n},a,b" for n in range(12))
    scores = "segment,system,m,n\n" + "\n".join(
        f"{n},a,2,1\n{n},b,1,{2 if n % 3 else 0}" for n in range(12)
    )
    evaluation, settings = asked(people, scores)
    result = results("metric-better-p", evaluation, settings)["metric-better-p"]
    assert values(result)["m", "n"].value < 0.05
    assert "compared by consistency with judges" in result.method
    evaluation, settings = asked(people, scores, compare="pearson")
    (none,) = results("metric-better-p", evaluation, settings)["metric-better-p"].estimates
    assert "choose consistency or acceq" in none.reason


def test_whole_systems_are_compared_by_their_correlation():
    csv = "system,value,m,n\n" + "\n".join(f"s{k},{k},{k},{k % 3}" for k in range(9))
    result = results("metric-better-p", *asked(csv, method="perm-both"))["metric-better-p"]
    assert "Pearson's r of systems" in result.method
    assert values(result)["m", "n"].value < 0.05


@pytest.mark.parametrize("seed", range(5))
def test_clusters_are_mt_metrics_evals(seed):
    p = np.random.default_rng(seed).random((6, 6)) / 5
    assert cluster_ranks(p) == loops.ranks(p.tolist())


class TestJackknife:
    @pytest.mark.parametrize("compared", ["pearson", "pdp", "acceq", "consistency"])
    @pytest.mark.parametrize("grouping", ["", "item"])
    def test_the_good_metric_is_told_from_noise(self, csv, compared, grouping):
        found = results("metric-better-p", *asked(csv, compare=compared, grouping=grouping))
        p = values(found["metric-better-p"])
        assert p["m1", "m0"].value < 0.01
        assert p["m0", "m1"].value == 1
        clusters = {key: e.value for key, e in values(found["metric-cluster"]).items()}
        assert clusters["m0",] == 2
        assert {clusters["m1",], clusters["m2",]} == {1}

    def test_the_interval_of_the_difference_agrees_with_p(self, csv):
        found = results("metric-better-p", *asked(csv, bootstrap=10))
        apart = found["metric-better-difference"].estimates
        assert all((e.low > 0) == (e.by["metric_b"] == "m0") for e in apart)
        assert all(e.low < e.value < e.high for e in apart)
        assert "atanh" in found["metric-better-difference"].method
        assert "segments are taken as independent" in found["metric-better-p"].method

    def test_few_documents_cannot_speak_for_others(self):
        cells = [(n, s) for n in range(20) for s in range(4)]
        rows = "".join(f"d{n % 5},{n},{s},{n * s % 7},{n * s % 5},{n + s}\n" for n, s in cells)
        csv = f"document,segment,system,value,a,b\n{rows}"
        found = results("metric-better-p", *asked(csv))["metric-better-p"]
        assert "5 documents cannot speak for others" in found.estimates[0].reason
        assert found.headline == ""
        by_segment = results("metric-better-p", *asked(csv, unit="segment"))["metric-better-p"]
        assert {e.n for e in by_segment.estimates} == {20}

    def test_metrics_that_say_the_same_are_not_told_apart(self):
        rng = np.random.default_rng(1)
        human, one = rng.normal(size=(2, 30, 3))
        found = results("metric-better-p", *asked(long_csv(human, one, one)))
        assert {e.value for e in found["metric-better-p"].estimates} == {None}
        assert [e.value for e in found["metric-cluster"].estimates] == [1, 1]
        assert found["metric-cluster"].headline == "No line can be drawn between 2 metrics."

    def test_unknown_methods_are_refused(self, csv):
        with pytest.raises(InputError, match="perm-both"):
            asked(csv, method="williams")

    def test_systems_are_left_out_where_they_are_correlated(self):
        rng = np.random.default_rng(3)
        people = rng.normal(size=12)
        good, bad = people + rng.normal(0, 0.2, 12), rng.normal(size=12)
        rows = [f"s{k},{people[k]},{good[k]},{bad[k]}" for k in range(12)]
        csv = "system,value,m,n\n" + "\n".join(rows)
        found = results("metric-better-p", *asked(csv))["metric-better-p"]
        assert values(found)["m", "n"].value < 0.01
        assert {e.n for e in found.estimates} == {12}
        assert "over systems" in found.method
