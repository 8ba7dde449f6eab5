"""Which metric is better than which."""

import numpy as np
import pytest

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
    evaluation, settings = asked(csv, compare=compared, permutations=100)
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
    evaluation, settings = asked(csv, permutations=99)
    found = values(results("metric-better-p", evaluation, settings)["metric-better-p"])
    assert found["m1", "m0"].value == pytest.approx(1 / 100)


def test_error_rates_are_turned():
    """TER is as good as its reverse, which people would not see in its sign."""
    evaluation, settings = figure()
    found = results("metric-better-p", evaluation, settings)
    assert "lower is better: TER" in found["metric-better-p"].method
    order = [e.by["metric"] for e in found["metric-cluster"].estimates]
    assert order == ["BLEU", "TER", "GTM"]


def test_only_what_all_metrics_scored():
    csv = "segment,system,value,a,b\n" + "\n".join(
        f"{s},{k},{s + k},{s - k},{'' if s == 1 else s * k}" for s in range(6) for k in range(3)
    )
    evaluation, settings = asked(csv)
    found = results("metric-better-p", evaluation, settings)["metric-better-p"]
    assert {e.n for e in found.estimates} == {15}


@pytest.mark.parametrize(
    ("csv", "choices", "reason"),
    [
        ("segment,system,value,m\n1,a,1,2\n1,b,2,3\n", {}, "fewer than two metrics"),
        ("segment,system,value,m,n\n1,a,1,2,\n1,b,2,,4\n", {}, "scores of all metrics"),
        ("segment,system,value,m,n\n1,a,1,2,1\n", {"compare": "acceq"}, "no pairs"),
        ("segment,system,value,m,n\n1,a,1,2,1\n", {"compare": "system-pearson"}, "fewer than 3"),
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
    result = results("metric-better-p", *asked(csv))["metric-better-p"]
    assert "Pearson's r of systems" in result.method
    assert values(result)["m", "n"].value < 0.05


@pytest.mark.parametrize("seed", range(5))
def test_clusters_are_mt_metrics_evals(seed):
    p = np.random.default_rng(seed).random((6, 6)) / 5
    assert cluster_ranks(p) == loops.ranks(p.tolist())
