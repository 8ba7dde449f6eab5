"""Correlations of segments and systems, beside scipy and published numbers."""

import numpy as np
import pytest
from scipy import stats

from jurat.tables import Intake
from tests.stats.metaeval import loops
from tests.stats.metaeval.asking import asked, long_csv, results, values


def correlation(name, *arguments):
    return values(results("metric-pearson", *arguments)[f"metric-{name}"])


@pytest.fixture(scope="module")
def arrays() -> tuple[np.ndarray, np.ndarray]:
    gold, metric = loops.made_up(5, 40, seed=3, missing=0.1)
    human = np.array([[np.nan if g is None else g for g in row] for row in gold]).T
    return human, np.array(metric).T


@pytest.mark.parametrize("grouping", ["none", "item", "system"])
@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall"])
def test_segments_are_as_the_loops_have_them(arrays, name, grouping):
    human, metric = arrays
    found = correlation(name, *asked(long_csv(human, metric), grouping=grouping))
    gold = [[None if np.isnan(h) else h for h in row] for row in human.T]
    average_by = {"none": "none", "item": "item", "system": "sys"}[grouping]
    wanted = loops.averaged(getattr(loops, name), gold, metric.T.tolist(), average_by)
    estimate = found["m0", "segment", grouping]
    assert estimate.value == pytest.approx(wanted, abs=1e-9)
    assert estimate.n == np.isfinite(human).sum()


@pytest.mark.parametrize(
    ("name", "of"),
    [("pearson", stats.pearsonr), ("spearman", stats.spearmanr), ("kendall", stats.kendalltau)],
)
def test_systems_are_scipys(arrays, name, of):
    human, metric = arrays
    found = correlation(name, *asked(long_csv(human, metric), bootstrap=10))
    there = np.isfinite(human)
    people = [h[t].mean() for h, t in zip(human.T, there.T, strict=True)]
    scores = [m[t].mean() for m, t in zip(metric.T, there.T, strict=True)]
    estimate = found["m0", "system"]
    assert estimate.value == pytest.approx(of(people, scores)[0])
    assert estimate.n == 5
    if name == "pearson":
        low, high = stats.pearsonr(people, scores).confidence_interval()
        assert (estimate.low, estimate.high) == pytest.approx((low, high))


def test_spearmans_interval_is_bonett_and_wrights():
    """Bonett & Wright 2000: (tanh(atanh ρ ± 1.96 √((1 + ρ²/2)/(n − 3)))."""
    csv = "system,value,m\n" + "\n".join(
        f"{s},{v},{m}"
        for s, v, m in zip("abcdefgh", range(8), (0, 2, 1, 3, 5, 4, 6, 7), strict=True)
    )
    estimate = correlation("spearman", *asked(csv, bootstrap=10))["m", "system"]
    rho = estimate.value
    reach = 1.959964 * np.sqrt((1 + rho**2 / 2) / 5)
    assert estimate.low == pytest.approx(np.tanh(np.arctanh(rho) - reach), abs=1e-6)


def test_error_rates_keep_their_sign_in_pearson_alone():
    """r is of the scores as they are; orders are those of better and worse."""
    csv = "segment,system,value,TER\n" + "\n".join(
        f"{n},{s},{v},{10 - v}" for n in range(3) for s, v in zip("abcd", (1, 2, 3, 5), strict=True)
    )
    evaluation, settings = asked(csv)
    r = correlation("pearson", evaluation, settings)
    assert r["TER", "segment", "none"].value == pytest.approx(-1)
    assert r["TER", "segment", "none"].side == "lower is better"
    assert correlation("kendall", evaluation, settings)["TER", "segment", "none"].value == 1
    assert correlation("spearman", evaluation, settings)["TER", "system"].value == 1
    headline = results("metric-pearson", evaluation, settings)["metric-pearson"].headline
    assert "TER -1.00" in headline


@pytest.mark.parametrize(
    ("variant", "tau"),
    [("wmt12", 0.0), ("wmt13", 1 / 3), ("wmt14", 1 / 4), ("b", 1 / np.sqrt(3 * 4)), ("23", 1 / 5)],
)
def test_taus_of_preferences(variant, tau):
    """Two alike, one otherwise, one that the metric ties, and a human tie that it ties too."""
    people = "segment,system_a,system_b,outcome\n1,a,b,a\n2,a,b,a\n3,a,b,b\n4,a,b,a\n5,a,b,tie\n"
    scores = "segment,system,m\n" + "".join(
        f"{n},a,{2 if n < 4 else 1}\n{n},b,1\n" for n in range(1, 6)
    )
    found = correlation("kendall", *asked(people, scores, kendall=variant))
    estimate = found["m", "segment", "item"]
    assert estimate.value == pytest.approx(tau)
    assert estimate.n == 5


def test_preferences_take_wmt14_by_themselves():
    people, scores = (
        "segment,better,worse\n1,a,b\n2,a,b\n",
        "segment,system,m\n1,a,2\n1,b,1\n2,a,1\n2,b,1\n",
    )
    evaluation, settings = asked(people, scores, bootstrap=50)
    result = results("metric-pearson", evaluation, settings)["metric-kendall"]
    assert "WMT14" in result.method
    assert values(result)["m", "segment", "item"].value == 0.5
    (pearson,) = (
        e for e in results("metric-pearson", evaluation, settings)["metric-pearson"].estimates
        if e.by["level"] == "segment"
    )  # fmt: skip
    assert "gave no scores" in pearson.reason
    none = correlation("kendall", *asked(people, scores, kendall="c"))["m", "segment", "item"]
    assert none.value is None


def test_pooled_variants_of_ratings(arrays):
    """WMT14's τ of ratings: pairs of systems of all segments, human ties left out."""
    human, metric = arrays
    evaluation, settings = asked(long_csv(human, np.round(metric)), kendall="wmt14")
    tau = correlation("kendall", evaluation, settings)["m0", "segment", "item"].value
    found = values(results("metric-consistency", evaluation, settings)["metric-verdicts"])
    agree, disagree, tied = (
        found["m0", verdict].value for verdict in ("agree", "disagree", "metric-tie")
    )
    assert tau == pytest.approx((agree - disagree) / (agree + disagree + tied))


def test_intervals(arrays):
    human, metric = arrays
    for grouping in ("none", "item", "system"):
        evaluation, settings = asked(long_csv(human, metric), bootstrap=100, grouping=grouping)
        for result in results("metric-pearson", evaluation, settings).values():
            for e in result.estimates:
                if e.by["level"] == "segment":
                    assert -1 <= e.low < e.value < e.high <= 1


def test_the_jackknife_is_as_wide_as_a_bootstrap(arrays):
    human, metric = arrays
    evaluation, settings = asked(long_csv(human, metric), bootstrap=100)
    found = correlation("kendall", evaluation, settings)["m0", "segment", "none"]
    rng = np.random.default_rng(1)
    drawn = []
    for _ in range(300):
        rows = rng.integers(0, len(human), len(human))
        h, m = human[rows].ravel(), metric[rows].ravel()
        drawn.append(stats.kendalltau(h[~np.isnan(h)], m[~np.isnan(h)])[0])
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert found.high - found.low == pytest.approx(high - low, rel=0.5)


def test_scores_of_systems_are_taken_as_given_or_averaged():
    csv = "segment,system,metric,value\n" + "\n".join(
        f"{n},{s},m,{k}\n{n},{s},k,{k}" for n in range(2) for k, s in enumerate("abcd")
    )
    given = "\n".join(f",{s},m,{k * k}" for k, s in enumerate("abcd"))
    people = "segment,system,value\n" + "\n".join(
        f"{n},{s},{k}" for n in range(2) for k, s in enumerate("abcd")
    )
    result = results("metric-pearson", *asked(people, f"{csv}\n{given}"))["metric-pearson"]
    found = values(result)
    assert found["m", "system"].value == pytest.approx(stats.pearsonr(range(4), [0, 1, 4, 9])[0])
    assert found["k", "system"].value == pytest.approx(1)
    assert "as given (m), mean of judged segments (k)" in result.method


@pytest.mark.parametrize(
    ("csv", "level", "reason"),
    [
        ("segment,system,value,m\n1,a,1,1\n1,b,2,2\n", "system", "fewer than 3 systems"),
        ("segment,system,value,m\n1,a,1,3\n2,a,2,3\n", "segment", "do not vary"),
        ("system,value,m\na,1,3\nb,2,4\nc,4,5\n", "segment", "no judgments of segments"),
    ],
)
def test_what_cannot_be_told(csv, level, reason):
    result = results("metric-pearson", *asked(csv))["metric-pearson"]
    (estimate,) = (e for e in result.estimates if e.by["level"] == level)
    assert estimate.value is None
    assert reason in estimate.reason


def test_splits():
    csv = "segment,system,kind,value,m\n" + "\n".join(
        f"{n},a,{'xy'[n % 2]},{n},{n if n % 2 else -n}" for n in range(8)
    )
    found = correlation("pearson", *asked(csv, intake=Intake(by=("kind",))))
    assert found["m", "segment", "none", "x"].value == pytest.approx(-1)
    assert found["m", "segment", "none", "y"].value == pytest.approx(1)
