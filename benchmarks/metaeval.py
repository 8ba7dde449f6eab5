"""Metrics against people, beside plain loops that compute what mt-metrics-eval computes.

Run it with `python benchmarks/metaeval.py` (`--quick` for a small round). Both sides compute the
same of the same data; what has no chance in it is checked before it is timed. Times are CPU times,
the best of several turns, so that a busy machine disturbs them least.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1]))

from jurat.stats.correlation import kendall_counts
from jurat.stats.metaeval.accuracy_with_ties import calibrate, calibrate_groups, pair_differences
from jurat.stats.metaeval.correlation import PEARSON
from jurat.stats.metaeval.matched_scores import ScoreGroups, score_groups
from jurat.stats.metaeval.permutation_tests import pair_hits, pearson_hits, soft_hits
from jurat.stats.metaeval.soft_accuracy import soft_accuracy
from tests.stats.metaeval import loops

Array = NDArray[np.float64]
Run = Callable[[], Any]
TURNS = 5
SLOW = 1.0
"""Seconds of one run, from which one turn must do."""


class Data(NamedTuple):
    """Judgments (segments × systems) and metrics (m × segments × systems), as WMT has them."""

    human: Array
    metrics: Array

    @classmethod
    def of(cls, segments: int, systems: int, metrics: int, seed: int = 1) -> Data:
        rng = np.random.default_rng(seed)
        quality = rng.normal(size=systems) + rng.normal(size=(segments, 1))
        felt = quality + rng.normal(size=(segments, systems))
        human = -np.round(np.maximum(0.0, 3 - felt) * 2) / 2  # many ties at the top, as in MQM
        noise = rng.normal(size=(metrics, segments, systems))
        scores = felt + noise * np.linspace(0.5, 3, metrics)[:, None, None]
        return cls(human, np.round(scores, 6))


class Race(NamedTuple):
    """Jurat's way and the loops', of the same number."""

    what: str
    ours: Run
    theirs: Run
    times: float = 1.0
    """How often the loops' work is done in ours: they do a part of it."""


def accuracies(quick: bool) -> Iterator[Race]:
    """Accuracy with calibrated ties, by segment."""
    data = Data.of(40 if quick else 460, 12, 1)
    gold, metric = data.human.T.tolist(), data.metrics[0].T.tolist()

    def ours() -> tuple[float, float]:
        found = calibrate(pair_differences(ScoreGroups(data.human, data.metrics[0])))
        return found.accuracy, found.epsilon

    assert np.allclose(ours(), loops.calibrated(gold, metric, "item"))
    pairs = data.human.shape[0] * 66
    yield Race(
        f"accuracy with calibrated ties, {pairs:,} pairs of systems",
        ours,
        lambda: loops.calibrated(gold, metric, "item"),
    )


def permutations(quick: bool) -> Iterator[Race]:
    """All pairs of ten metrics, 1,000 permutations; the loops do one pair and fewer."""
    data = Data.of(10 if quick else 460, 12, 10)
    trials = 1000
    size = len(data.human)
    two = (data.metrics[0].T, data.metrics[-1].T)
    for grouping, average_by, most in (
        ("none", "none", 50),
        ("item", "item", 5),
        ("system", "sys", 5),
    ):
        done = 2 if quick else most
        groups = [score_groups(data.human, m, grouping) for m in data.metrics]
        metrics = np.stack([g.metric for g in groups])

        def ours(groups: list[ScoreGroups] = groups, metrics: Array = metrics) -> object:
            return pearson_hits(groups[0].human, metrics, trials=trials, seed=1)

        def theirs(average_by: str = average_by, done: int = done) -> object:
            return loops.swap_scores(data.human.T, *two, average_by=average_by, trials=done)

        yield Race(
            f"permutation tests of Pearson's r ({grouping}), 45 pairs of metrics, {size} × 12",
            ours,
            theirs,
            times=45 * trials / done,
        )
    pairs = [pair_differences(ScoreGroups(data.human, m)) for m in data.metrics]
    made = [calibrate(own) for own in pairs]
    right = np.stack([p.correct(m.epsilon) for p, m in zip(pairs, made, strict=True)])
    weight = np.full(right.shape[1], 1 / right.shape[1])
    epsilons, some = (made[0].epsilon, made[-1].epsilon), 2 if quick else 10
    yield Race(
        f"permutation tests of accuracies (swapped pairs), 45 pairs of metrics, {size} × 12",
        lambda: pair_hits(right, weight, trials=trials, seed=1),
        lambda: loops.swap_pairs(data.human.T, two, epsilons, trials=some),
        times=45 * trials / some,
    )


def softness(quick: bool) -> Iterator[Race]:
    """Soft pairwise accuracy of one metric."""
    data = Data.of(40 if quick else 460, 12, 1)
    ours = soft_accuracy(data.human, data.metrics[0])
    theirs = loops.soft_accuracy(data.human.T, data.metrics[0].T)
    assert abs(ours - theirs) < 2e-3
    yield Race(
        f"soft pairwise accuracy, {len(data.human)} × 12",
        lambda: soft_accuracy(data.human, data.metrics[0]),
        lambda: loops.soft_accuracy(data.human.T, data.metrics[0].T),
    )


def correlations(quick: bool) -> Iterator[Race]:
    """Pearson's r by segment, and the pairs behind Kendall's τ of all segments."""
    data = Data.of(40 if quick else 460, 12, 1)
    gold, metric = data.human.T.tolist(), data.metrics[0].T.tolist()
    groups = score_groups(data.human, data.metrics[0], "item")
    yield Race(
        f"Pearson's r by segment, {len(data.human)} × 12",
        lambda: PEARSON.of(groups),
        lambda: loops.averaged(loops.pearson, gold, metric, "item"),
    )
    flat = score_groups(data.human, data.metrics[0], "none")
    yield Race(
        f"concordant pairs of {flat.human.size:,} translations",
        lambda: kendall_counts(*flat),
        lambda: loops.counted(flat.human[0].tolist(), flat.metric[0].tolist()),
    )


RACES = (accuracies, permutations, softness, correlations)


def seconds(run: Run) -> float:
    """CPU time of one run."""
    start = process_time()
    run()
    return process_time() - start


def raced(race: Race) -> str:
    """A line of the table: the best of both sides' turns, and their ratio."""
    race.ours()
    first = seconds(race.theirs)
    theirs = min([first] if first > SLOW else [seconds(race.theirs) for _ in range(TURNS)])
    ours = min(seconds(race.ours) for _ in range(TURNS))
    ratio = theirs * race.times / max(ours, 1e-9)
    whole = theirs * race.times
    return f"| {race.what} | {_spoken(whole)} | {_spoken(ours)} | {ratio:,.0f}× |"


def _spoken(time: float) -> str:
    return f"{time:.2f} s" if time >= 1 else f"{1000 * time:.2f} ms"


def growth(quick: bool) -> None:
    """How times grow with the number of segments."""
    sizes = (50, 100) if quick else (250, 500, 1_000)
    head = " | ".join(f"{size:,}" for size in sizes)
    print(f"\n| segments × 12 systems, 10 metrics | {head} |\n|---|{'---|' * len(sizes)}")
    works: dict[str, Callable[[Data], object]] = {
        "accuracy with calibrated ties": lambda d: [
            calibrate(pair_differences(ScoreGroups(d.human, m))) for m in d.metrics
        ],
        "the same of one metric, all translations at once": lambda d: calibrate_groups(
            score_groups(d.human, d.metrics[0], "none")
        ),
        "permutation tests of Pearson's r": lambda d: pearson_hits(
            d.human.reshape(1, -1), d.metrics.reshape(len(d.metrics), 1, -1), trials=1000, seed=1
        ),
        "soft pairwise accuracy": lambda d: [soft_accuracy(d.human, m) for m in d.metrics],
    }
    data = [Data.of(size, 12, 10) for size in sizes]
    for what, work in works.items():
        times = [min(seconds(partial(work, own)) for _ in range(2)) for own in data]
        print(f"| {what} | {' | '.join(map(_spoken, times))} |", flush=True)
    if not quick:
        small = Data.of(460, 12, 3)
        p = np.zeros(66)
        took = seconds(lambda: soft_hits(p, small.metrics, trials=20, seed=1)) / 20
        print(f"\nOne trial of the test by soft pairwise accuracy, 3 metrics: {_spoken(took)}")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small round of everything")
    options = parser.parse_args()
    print("| what | plain loops | Jurat | ratio |\n|---|---|---|---|")
    for races in RACES:
        for race in races(options.quick):
            print(raced(race), flush=True)
    growth(options.quick)


if __name__ == "__main__":
    main()
