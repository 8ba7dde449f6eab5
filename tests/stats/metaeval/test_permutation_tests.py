"""Permutation tests of metrics, beside plain loops that swap one trial after the other."""

import statistics

import numpy as np
import pytest

from jurat.stats.metaeval.accuracy_with_ties import calibrate, pair_differences, pair_weights
from jurat.stats.metaeval.correlation import PEARSON, SPEARMAN
from jurat.stats.metaeval.matched_scores import score_groups
from jurat.stats.metaeval.permutation_tests import (
    p_of,
    pair_hits,
    pearson_hits,
    segment_hits,
    soft_hits,
    system_hits,
)
from jurat.stats.metaeval.soft_accuracy import pairwise_p
from tests.stats.metaeval import loops

TRIALS = 4000


def near(trials: int) -> float:
    """Four standard errors of a p-value from so many trials."""
    return float(4 * np.sqrt(0.25 / trials))


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray, np.ndarray]:
    """Judgments of 15 segments × 6 systems, and three metrics, each worse than the last."""
    rng = np.random.default_rng(5)
    felt = rng.normal(size=6) + rng.normal(size=(15, 6))
    metrics = [felt + rng.normal(0, noise, felt.shape) for noise in (0.9, 1.1, 1.6)]
    return np.round(felt), np.stack(metrics)


@pytest.mark.parametrize("grouping", ["none", "item", "system"])
def test_pearson_beside_every_choice_there_is(data, grouping):
    """Three segments of three systems: 512 ways to swap."""
    human, metrics = np.round(2 * data[0][:3, :3]), data[1][:, :3, :3]
    groups = [score_groups(human, metric, grouping) for metric in metrics]
    stacked = np.stack([group.metric for group in groups])
    p = pearson_hits(groups[0].human, stacked, trials=TRIALS, seed=1) / TRIALS
    average_by = {"none": "none", "item": "item", "system": "sys"}[grouping]
    for a, b in ((0, 1), (1, 2), (2, 0)):
        wanted = exactly(human.T, metrics[a].T, metrics[b].T, average_by)
        assert p[a, b] == pytest.approx(wanted, abs=near(TRIALS))


def exactly(human: np.ndarray, one: np.ndarray, other: np.ndarray, average_by: str) -> float:
    """The share of all choices that set the first metric as far above the second as it is."""
    x, y = ((m - m.mean()) / m.std() for m in (one, other))
    gold = human.tolist()

    def mean(metric: np.ndarray) -> float:
        return loops.averaged(statistics.correlation, gold, metric.tolist(), average_by)

    seen = mean(x) - mean(y)
    hits = 0
    for choice in range(2**human.size):
        bits = [choice >> bit & 1 for bit in range(human.size)]
        chosen = np.array(bits, bool).reshape(human.shape)
        apart = mean(np.where(chosen, x, y)) - mean(np.where(chosen, y, x))
        hits += apart >= seen - 1e-9
    return float(hits / 2**human.size)


def test_the_loops_find_the_same(data):
    human, metrics = data[0][:3, :3], data[1][:, :3, :3]
    wanted = exactly(human.T, metrics[0].T, metrics[2].T, "none")
    found = loops.swap_scores(human.T, metrics[0].T, metrics[2].T, trials=300, seed=2)
    assert found == pytest.approx(wanted, abs=near(300))


def test_missing_judgments_are_as_if_they_were_not_there(data):
    human, metrics = data
    more = np.vstack([human, np.full((3, 6), np.nan)])
    padded = np.concatenate([metrics, np.zeros((3, 3, 6))], axis=1)
    flat = [table.reshape(1, -1) for table in (human, more)]
    kept, wide = (m.reshape(3, 1, -1) for m in (metrics, padded))
    whole = pearson_hits(flat[0], kept, trials=TRIALS, seed=1) / TRIALS
    part = pearson_hits(flat[1], wide, trials=TRIALS, seed=1) / TRIALS
    np.testing.assert_allclose(part, whole, atol=0.04)


def test_swapped_pairs(data):
    human, metrics = data[0][:6, :4], data[1][:, :6, :4]
    pairs = [pair_differences(score_groups(human, metric, "item")) for metric in metrics]
    made = [calibrate(own) for own in pairs]
    right = np.stack([p.correct(m.epsilon) for p, m in zip(pairs, made, strict=True)])
    weight = pair_weights(pairs[0].group)
    p = pair_hits(right, weight, trials=TRIALS, seed=1) / TRIALS
    for a, b in ((0, 1), (1, 2), (2, 0)):
        epsilons = (made[a].epsilon, made[b].epsilon)
        two = (metrics[a].T, metrics[b].T)
        wanted = loops.swap_pairs(human.T, two, epsilons, trials=400, seed=2)
        assert p[a, b] == pytest.approx(wanted, abs=near(400))


def test_kinds_of_pairs_are_told_apart_for_many_metrics():
    """More metrics than bits of a number, of which each is right about one pair alone."""
    right = np.eye(70, dtype=bool)
    hits = pair_hits(right, np.full(70, 1 / 70), trials=300, seed=1)
    # of two pairs that are swapped or not, three of four choices leave a as good as it is or better
    np.testing.assert_allclose(hits[~np.eye(70, dtype=bool)] / 300, 0.75, atol=0.15)
    assert hits[~np.eye(70, dtype=bool)].mean() / 300 == pytest.approx(0.75, abs=0.03)


def test_swapped_segments():
    """One segment of three that differs: swapped or not, half of the trials reach as much."""
    sums = np.array([[3.0, 2, 2], [1.0, 2, 2]])
    hits = segment_hits(sums, trials=2000, seed=1) / 2000
    assert hits[0, 1] == pytest.approx(0.5, abs=0.05)
    assert hits[1, 0] == 1


@pytest.mark.parametrize("coefficient", [PEARSON, SPEARMAN], ids=lambda c: c.name)
def test_systems(data, coefficient):
    human, metrics = data[0].mean(axis=0), data[1].mean(axis=1)
    hits = system_hits(human, metrics, coefficient.of, trials=TRIALS, seed=1)
    assert (hits + hits.T >= TRIALS).sum() >= 6
    if coefficient is PEARSON:
        wanted = exactly(human[None], metrics[0][None], metrics[2][None], "none")
        assert p_of(hits, TRIALS)[0, 2] == pytest.approx(wanted, abs=near(TRIALS))


def test_soft_accuracy(data):
    """Scores that are swapped between a metric and itself change nothing: every trial is a hit."""
    human, metrics = data
    sure = pairwise_p(human)
    same = np.stack([metrics[0], metrics[0], -metrics[0]])
    hits = soft_hits(sure, same, trials=40, seed=1)
    assert hits[0, 1] == hits[1, 0] == 40
    assert hits[0, 2] < 10
    assert hits[2, 0] == 40


def test_the_seed_tells_the_trials(data):
    human, metrics = data
    flat, stacked = human.reshape(1, -1), metrics.reshape(3, 1, -1)
    runs = [pearson_hits(flat, stacked, trials=300, seed=seed).tolist() for seed in (1, 1, 2)]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]
