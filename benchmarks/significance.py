"""Tests of all pairs of systems beside sacreBLEU's paired tests, and how often each of them errs.

Run it with `python benchmarks/significance.py` (`--quick` for a glance). Both sides start from the
counts of every segment, on one thread; sacreBLEU tests one pair, Jurat all pairs of twenty systems,
and the ratio is of processor seconds a pair. The second table counts how often a test finds a
difference where there is none.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import replace
from time import process_time

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.base import Metric as Theirs
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.significance import Result, _paired_ar_test, _paired_bs_test

from jurat.metrics import metrics
from jurat.stats.metric_scores.counts import MetricCounts, ReferenceSet, count_metrics
from jurat.stats.metric_scores.significance import compare_systems
from jurat.stats.settings import MetricTestName, ScoreSettings

RNG = np.random.default_rng(1)
Run = Callable[[], object]
PEERS: Mapping[str, Theirs] = {"bleu": BLEU(), "chrf": CHRF()}


def texts(size: int, systems: int) -> tuple[list[str], dict[str, list[str]]]:
    """References, and systems that get more and more words of them wrong."""
    words = [f"w{n}" for n in range(5000)]
    chances = 1 / np.arange(1, 5001)
    lengths = RNG.integers(5, 45, size)
    drawn = RNG.choice(5000, lengths.sum(), p=chances / chances.sum())
    rows = np.split(drawn, np.cumsum(lengths)[:-1])

    def said(row: NDArray[np.int64], wrong: float) -> str:
        kept = np.where(RNG.random(len(row)) < wrong, RNG.integers(0, 5000, len(row)), row)
        return " ".join(words[n] for n in kept)

    translated = {
        f"system {n}": [said(row, 0.3 + 0.002 * n) for row in rows] for n in range(systems)
    }
    return [said(row, 0) for row in rows], translated


def peer(metric: Theirs, reference: list[str], systems: dict[str, list[str]], test: str) -> Run:
    """SacreBLEU's test of two systems, with the counts at hand."""
    known = {
        name: metric._extract_corpus_statistics(systems[name], [reference])
        for name in list(systems)[:2]
    }

    class Counted(type(metric)):  # type: ignore[misc]
        """The metric, which need not count again."""

        def _extract_corpus_statistics(self, hypotheses: str, references: object) -> object:
            return known[hypotheses]

    counted = Counted()
    first, second = known
    base = {"": (known[first], Result(counted._aggregate_and_compute(known[first]).score))}
    size = len(known[first])

    class Name(str):
        """A system's name that is as long as its texts."""

        def __len__(self) -> int:
            return size

    run, trials = (_paired_bs_test, 1000) if test == "bootstrap" else (_paired_ar_test, 10_000)
    return lambda: run(base, second, Name(second), None, {"": counted}, trials, -1, 1)


def ours(scored: MetricCounts, test: MetricTestName) -> Run:
    """Jurat's test of all pairs."""
    resamples = 1000 if test == "bootstrap" else 0
    settings = ScoreSettings(test=test, bootstrap=resamples, correction="none")
    return lambda: compare_systems(scored, settings, scored.resampled(settings))


def seconds(run: Run, turns: int) -> float:
    """Processor seconds of the quickest of several runs."""
    found = []
    for _ in range(turns):
        start = process_time()
        run()
        found.append(process_time() - start)
    return min(found)


def races(size: int, number: int, turns: int) -> None:
    """Print milliseconds a pair on both sides, and their ratio."""
    reference, systems = texts(size, number)
    against = ReferenceSet(names=("ref",), references=[(text,) for text in reference])
    pairs = number * (number - 1) // 2
    print(f"{number} systems, {size:,} segments, {pairs} pairs\n")
    print(
        "| metric | test | jurat, ms a pair | sacrebleu, ms a pair | ratio |\n|---|---|---|---|---|"
    )
    for name, metric in PEERS.items():
        (scored,) = count_metrics([systems], [metrics()[name]()], [against])
        tests: tuple[MetricTestName, ...] = ("bootstrap", "randomisation")
        for test in tests:
            mine = 1000 * seconds(ours(scored, test), turns) / pairs
            theirs = 1000 * seconds(peer(metric, reference, systems, test), turns)
            ratio = f"{theirs / mine:,.0f}×"
            print(f"| {name} | {test} | {mine:.2f} | {theirs:,.0f} | {ratio} |", flush=True)


def errors(simulations: int) -> None:
    """Print how often tests at 5 % find a difference between segments swapped at random."""
    reference, systems = texts(1000, 2)
    against = ReferenceSet(names=("ref",), references=[(text,) for text in reference])
    (scored,) = count_metrics([systems], [metrics()["bleu"]()], [against])
    first, second = scored.counts.values()
    print(f"\nBLEU where there is no difference, {simulations:,} pairs of systems\n")
    print("| segments | test | found at 5 % |\n|---|---|---|")
    for size in (100, 300, 1000):
        found = dict.fromkeys(("bootstrap", "randomisation", "sacrebleu-bootstrap"), 0)
        for seed in range(simulations):
            chosen, swapped = RNG.integers(0, 1000, size), RNG.random((size, 1)) < 0.5
            a, b = first[chosen], second[chosen]
            counts = {"a": np.where(swapped, b, a), "b": np.where(swapped, a, b)}
            pair = replace(scored, counts=counts)
            for test in found:
                settings = ScoreSettings(test=test, trials=1000, seed=seed)  # type: ignore[arg-type]
                drawn = None if test == "randomisation" else pair.resampled(settings)
                found[test] += int(compare_systems(pair, settings, drawn).tests.p[0, 1] <= 0.05)
        for test, number in found.items():
            print(f"| {size:,} | {test} | {100 * number / simulations:.1f} % |", flush=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small numbers, for a glance")
    quick = parser.parse_args().quick
    races(*(200, 4, 1) if quick else (2000, 20, 3))
    errors(20 if quick else 2000)


if __name__ == "__main__":
    main()
