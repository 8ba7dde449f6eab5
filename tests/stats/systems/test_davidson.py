import math

import numpy as np
import pytest
from scipy.optimize import minimize

from jurat.stats.systems.bradley_terry import BradleyTerry, strengths
from jurat.stats.systems.davidson import (
    NO_SIDES,
    NO_TIES,
    ONE_ORDER,
    SIDE_UNBOUNDED,
    Davidson,
    fit_of_totals,
)
from tests.stats.systems.finding import only, results, values
from tests.stats.tables import comparison, evaluation


def table(rng, number, *, strength=(0.5, 0.0, -0.5), ties=0.8, side=0.4, judges=6, documents=20):
    """A CSV of comparisons drawn from the model."""
    lines = ["judge,document,segment,system_a,system_b,outcome"]
    for at in range(number):
        a, b = rng.permutation(len(strength))[:2]
        half = (strength[a] - strength[b] + side) / 2
        weights = np.array([math.exp(half), math.exp(-half), ties])
        outcome = rng.choice(["a", "b", "tie"], p=weights / weights.sum())
        lines.append(f"j{at % judges},d{at % documents},{at},s{a},s{b},{outcome}")
    return "\n".join(lines)


def likeliest(counts, sided):
    """The parameters at which the likelihood, written out, is greatest (scipy's BFGS)."""
    size = counts.shape[1]

    def loss(x):
        theta, tie, side = np.append(x[: size - 1], -x[: size - 1].sum()), x[size - 1], x[size]
        half = (theta[:, None] - theta[None] + (side if sided else 0.0)) / 2
        logs = np.stack([half, -half, np.full_like(half, tie)])
        return -(counts * (logs - np.log(np.exp(logs).sum(axis=0)))).sum()

    x = minimize(loss, np.zeros(size + 1), method="BFGS", options={"gtol": 1e-7}).x
    return np.array([*x[: size - 1], -x[: size - 1].sum(), x[size - 1], x[size]])


@pytest.mark.parametrize("sided", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_the_maximum_is_that_of_the_likelihood_written_out(seed, sided):
    size = 3 + seed % 3
    counts = np.random.default_rng(seed).integers(1, 12, (3, size, size)).astype(float)
    counts[:, range(size), range(size)] = 0
    (found,) = fit_of_totals(counts.reshape(1, -1), systems=size, sided=sided)
    theirs = likeliest(counts, sided)
    np.testing.assert_allclose(found[: size + 1], theirs[: size + 1], atol=1e-4)
    if sided:
        assert found[-1] == pytest.approx(theirs[-1], abs=1e-4)
    else:
        assert np.isnan(found[-1])


def test_two_systems_have_a_maximum_in_closed_form():
    """Wins w and l, ties t: θ_a − θ_b = ln(w/l), ν = t / √(w l) (Davidson 1970, two objects)."""
    rows = ["a,b,a"] * 9 + ["a,b,b"] * 4 + ["a,b,tie"] * 3
    found = results(Davidson, comparison("\n".join(["system_a,system_b,outcome", *rows])))
    theta = values(found["davidson"])
    assert (theta["a"] or 0) - (theta["b"] or 0) == pytest.approx(math.log(9 / 4))
    assert found["davidson-ties"].estimates[0].value == pytest.approx(3 / 6)


def test_many_totals_at_once_are_each_for_itself():
    counts = np.random.default_rng(1).integers(1, 30, (40, 3 * 16)).astype(float)
    counts.reshape(40, 3, 4, 4)[:, :, range(4), range(4)] = 0
    counts[3].reshape(3, 4, 4)[2] = 0
    together = fit_of_totals(counts, systems=4, sided=True)
    alone = [fit_of_totals(one[None], systems=4, sided=True)[0] for one in counts]
    np.testing.assert_allclose(together, alone, atol=1e-7)


def test_without_ties_and_sides_strengths_are_bradley_and_terry_s():
    csv = "better,worse\n" + "\n".join(["a,b"] * 3 + ["b,a", "b,c", "c,a"])
    found = results(Davidson, comparison(csv))
    expected = values(results(BradleyTerry, comparison(csv))["bradley-terry"])
    assert values(found["davidson"]) == pytest.approx(expected)
    (ties,) = found["davidson-ties"].estimates
    assert (ties.value, ties.low, ties.note) == (0, None, NO_TIES)
    (side,) = found["side-effect"].estimates
    assert (side.value, side.reason) == (None, NO_SIDES)


def test_scores_have_ties_and_no_sides():
    csv = "item,judge,system,value\n" + "\n".join(
        f"{n},j,{s},{v}"
        for n, pair in enumerate(["21", "12", "11", "31"])
        for s, v in zip("ab", pair, strict=True)
    )
    found = results(Davidson, evaluation(csv))
    theta = values(found["davidson"])
    assert (theta["a"] or 0) - (theta["b"] or 0) == pytest.approx(math.log(2))
    assert found["davidson-ties"].estimates[0].value == pytest.approx(1 / math.sqrt(2))


def test_a_side_that_cannot_be_told_leaves_strengths():
    """The side shown first always won, which strengths without it explain in their way."""
    rows = ["system_a,system_b,outcome", "a,b,a", "b,a,a", "b,a,tie", "a,b,a"]
    found = results(Davidson, comparison("\n".join(rows)))
    assert found["side-effect"].estimates[0].reason == SIDE_UNBOUNDED
    theta = values(found["davidson"])
    assert (theta["a"] or 0) - (theta["b"] or 0) == pytest.approx(math.log(2))


def test_sides_that_never_change_cannot_be_separated_from_strengths():
    rows = ["system_a,system_b,outcome", "a,b,a", "a,b,b", "a,b,tie"]
    found = results(Davidson, comparison("\n".join(rows)))
    (side,) = found["side-effect"].estimates
    assert (side.value, side.reason) == (None, ONE_ORDER)
    assert all(ONE_ORDER in strength.note for strength in found["davidson"].estimates)


@pytest.mark.parametrize(
    ("csv", "reason"),
    [
        ("system_a,system_b,outcome\na,b,a\nb,a,b", "a never lost and b never won"),
        ("system_a,system_b,outcome\na,b,tie\nb,a,tie", "no maximum"),
        # a = b = c, and yet a beats c: with ν they can grow apart without end
        ("system_a,system_b,outcome\na,b,tie\nb,c,tie\na,c,a\nc,a,b", "no maximum"),
        ("system_a,system_b,outcome\na,b,a\nb,a,a\nc,d,a\nd,c,a", "2 groups"),
    ],
)
def test_what_has_no_maximum_is_null_with_the_reason(csv, reason):
    for result in results(Davidson, comparison(csv), bootstrap=1).values():
        for estimate in result.estimates:
            assert estimate.value is None, result.name
            assert reason in estimate.reason or estimate.reason in (
                NO_SIDES,
                ONE_ORDER,
                SIDE_UNBOUNDED,
            )


def test_a_side_that_is_preferred_is_found_and_taken_out():
    found = results(Davidson, comparison(table(np.random.default_rng(2), 1500)), bootstrap=1)
    side = found["side-effect"].estimates[0]
    assert side.low is not None
    assert 0 < side.low < 0.4 < (side.high or 0)
    assert found["side-effect"].headline.startswith("The side shown first is preferred (log-odds ")
    theta = only(found["davidson"], system="s0")
    assert (theta.low or 0) < 0.5 < (theta.high or 0)


def test_intervals_cover():
    rng, inside = np.random.default_rng(3), []
    truth = {"davidson": 0.5, "davidson-ties": 0.8, "side-effect": 0.4}
    for _ in range(40):
        found = results(Davidson, comparison(table(rng, 240)), bootstrap=1)
        for name, true in truth.items():
            e = only(found[name], system="s0") if name == "davidson" else found[name].estimates[0]
            assert e.low is not None
            inside.append(e.low <= true <= (e.high or 0))
    assert 0.9 <= np.mean(inside) <= 1


def test_strengths_of_no_ties_match_matrices_of_wins():
    wins = np.array([[0.0, 3, 2], [1, 0, 5], [4, 1, 0]])
    totals = np.stack([wins, np.zeros((3, 3)), np.zeros((3, 3))]).reshape(1, -1)
    (found,) = fit_of_totals(totals, systems=3, sided=False)
    np.testing.assert_allclose(found[:3], strengths(wins), atol=1e-8)
    assert found[3] == -np.inf
