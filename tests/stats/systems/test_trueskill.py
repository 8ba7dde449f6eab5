import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from jurat.stats.systems.trueskill import BETA, MU, SIGMA, TrueSkill, margin, skills, skills_in_turn
from tests.stats.systems.finding import only, results, values
from tests.stats.tables import comparison, evaluation

trueskill = pytest.importorskip("trueskill")


def played(games, systems, draws, **options):
    """The package's ratings after the games."""
    environment = trueskill.TrueSkill(draw_probability=draws, **options)
    ratings = [environment.create_rating() for _ in range(systems)]
    for a, b, tied in games:
        ratings[a], ratings[b] = trueskill.rate_1vs1(
            ratings[a], ratings[b], drawn=tied, env=environment
        )
    return [r.mu for r in ratings], [r.sigma for r in ratings]


def games(count: int, systems: int, seed: int = 5):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        a, b = rng.permutation(systems)[:2].tolist()
        yield (a, b, bool(rng.random() < 0.2)) if a < b or rng.random() < 0.3 else (b, a, False)


def matrices(played_games, systems):
    wins, ties = np.zeros((1, systems, systems)), np.zeros((1, systems, systems))
    for a, b, tied in played_games:
        if tied:
            ties[0, a, b] += 1
            ties[0, b, a] += 1
        else:
            wins[0, a, b] += 1
    return wins, ties


def test_in_turn_is_the_package():
    given = list(games(300, 5))
    mean, deviation = played(given, 5, 0.2)
    found = skills_in_turn(given, 5, draw_margin=margin(0.2))
    np.testing.assert_allclose(found.mean, mean, rtol=1e-6)
    np.testing.assert_allclose(found.deviation, deviation, rtol=1e-6)


@pytest.mark.parametrize("tied", [False, True])
def test_one_comparison_at_once_is_the_package_too(tied):
    mean, deviation = played([(0, 1, tied)], 2, 0.1, tau=0)
    found, _ = skills(*matrices([(0, 1, tied)], 2), draw_margin=margin(0.1))
    np.testing.assert_allclose(found.mean[0], mean, atol=1e-5)
    np.testing.assert_allclose(found.deviation[0], deviation, atol=1e-5)


def test_many_comparisons_come_to_the_same_skills_as_one_after_the_other():
    given = list(games(2000, 5))
    mean, deviation = played(given, 5, 0.2, tau=0)
    found, _ = skills(*matrices(given, 5), draw_margin=margin(0.2))
    np.testing.assert_allclose(found.mean[0] - MU, np.array(mean) - np.mean(mean), atol=0.3)
    np.testing.assert_allclose(found.deviation[0], deviation, rtol=0.05)


def test_skills_are_near_the_means_of_what_follows_from_the_games():
    # Two systems, a won three times. Only the difference is seen: its exact mean by integration.
    # The bell curves of two systems are kept apart, which overstates it by a little.
    def density(d):
        return norm.pdf(d, 0, math.sqrt(2) * SIGMA) * norm.cdf(d / (math.sqrt(2) * BETA)) ** 3

    whole, first = (quad(lambda d, k=k: d**k * density(d), -60, 90)[0] for k in (0, 1))
    found, _ = skills(*matrices([(0, 1, False)] * 3, 2), draw_margin=0.0)
    assert found.mean[0, 0] - found.mean[0, 1] == pytest.approx(first / whole, rel=0.07)
    assert found.mean[0].mean() == pytest.approx(MU)


def test_resamples_are_each_for_itself_wherever_they_start():
    both = [matrices(games(200, 4, seed), 4) for seed in (1, 2)]
    wins, ties = (np.concatenate(part) for part in zip(*both, strict=True))
    together, told = skills(wins, ties, draw_margin=1.0)
    for n, (one, tied) in enumerate(both):
        alone, _ = skills(one, tied, draw_margin=1.0)
        np.testing.assert_allclose(together.mean[n], alone.mean[0], atol=1e-4)
    start = told.of(np.array([0]))
    again, _ = skills(wins, ties, draw_margin=1.0, start=start)
    np.testing.assert_allclose(again.mean, together.mean, atol=1e-4)


def test_the_order_of_comparisons_is_no_matter_unless_it_is_asked_for():
    csv = "better,worse\n" + "\n".join(["a,b", "b,c", "a,c", "c,a"] * 3)
    turned = "better,worse\n" + "\n".join((["a,b", "b,c", "a,c", "c,a"] * 3)[::-1])
    first, second = (values(results(TrueSkill, comparison(t))["trueskill"]) for t in (csv, turned))
    assert first == pytest.approx(second)
    one, other = (
        values(results(TrueSkill, comparison(t), method="trueskill-sequential")["trueskill"])
        for t in (csv, turned)
    )
    assert one != pytest.approx(other)


def test_scores_have_no_sequence():
    table = evaluation("item,system,value\n1,a,3\n1,b,4")
    assert values(results(TrueSkill, table)["trueskill"])["b"] > MU
    found = results(TrueSkill, table, method="trueskill-sequential")["trueskill"]
    assert only(found, system="a").reason == "scores have no order of comparisons"


def test_systems_that_never_met_are_on_no_scale():
    found = results(TrueSkill, comparison("better,worse\na,b\nc,d"))["trueskill"]
    assert "2 groups that were never compared" in only(found, system="a").reason


def test_all_ties_leave_all_skills_alike():
    table = comparison("system_a,system_b,outcome\na,b,tie\nb,c,tie")
    found = values(results(TrueSkill, table)["trueskill"])
    assert found == pytest.approx(dict.fromkeys("abc", MU), abs=1e-4)
