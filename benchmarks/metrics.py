"""The metrics beside the usual packages: sentences a second, threads, start-up and memory.

Run it with `python benchmarks/metrics.py` (`--quick` for a small round of everything). Times are
processor time of one thread, the best of several turns, with compiled kernels; tokenizing and all
of Python is in them. Every pair computes the same numbers of the same texts, which is checked
before it is timed. The texts are WMT14's Hindi-English ones where they lie beside the project,
else made up.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jurat.metrics import metrics
from jurat.metrics.bleu import Bleu
from jurat.metrics.chrf import Chrf, ChrfPlusPlus
from jurat.metrics.metric import Metric
from jurat.metrics.ter import Ter
from jurat.metrics.word_edits import Wer

Array = NDArray[np.float64]
WMT14 = Path(__file__).parents[2] / "shared" / "data" / "wmt14_hien" / "hi-en.outputs.tsv"
TURNS = 9
SLOW = 2.0
"""Seconds of one run of a peer, from which one turn must do."""


class Pairs(NamedTuple):
    """Translations and the one reference of each."""

    hypotheses: list[str]
    references: list[str]

    @classmethod
    def of(cls, size: int) -> Pairs:
        """Real ones where there are any."""
        pairs = list(_real() if WMT14.is_file() else _made(size))
        pairs = (pairs * (size // len(pairs) + 1))[:size]
        return cls([text for text, _ in pairs], [text for _, text in pairs])

    @property
    def several(self) -> list[list[str]]:
        """The references as lists of one."""
        return [[text] for text in self.references]

    def first(self, size: int) -> Pairs:
        """Some of them, for peers that are too slow for all."""
        return Pairs(self.hypotheses[:size], self.references[:size])


def _real() -> Iterator[tuple[str, str]]:
    rows = [line.split("\t") for line in WMT14.read_text("utf-8").rstrip("\n").split("\n")[1:]]
    for system in range(2, len(rows[0])):
        yield from ((row[system], row[1]) for row in rows)


def _made(size: int) -> Iterator[tuple[str, str]]:
    """Sentences of twenty words that are as frequent as words are, a fifth of them exchanged."""
    rng = random.Random(1)
    words = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(1, 9))) for _ in range(20_000)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    for _ in range(size):
        reference = rng.choices(words, weights, k=rng.randint(5, 35))
        other = [rng.choice(words) if rng.random() < 0.2 else word for word in reference]
        yield " ".join(other).capitalize() + ".", " ".join(reference).capitalize() + "."


class Race(NamedTuple):
    """Jurat's way and the peer's to the same numbers."""

    metric: Metric
    what: str
    peer: str
    """The package, and how it is called."""
    theirs: Callable[[Pairs], Any]
    near: float = 1e-9
    """How near its numbers are."""
    part: int = 1
    """The peer does one of so many pairs."""
    bar: float = 0.0


def scores(metric: Metric, pairs: Pairs) -> Array:
    """The score of every sentence."""
    return metric.score(metric.counts(pairs.hypotheses, pairs.several), single=True)


def corpus(metric: Metric, pairs: Pairs) -> float:
    """The score of all sentences."""
    return metric.corpus(pairs.hypotheses, pairs.several)


def races() -> Iterator[Race]:
    """Those whose peers are installed."""
    for peer in (sacrebleu, bleuscore, fastchrf, jiwer, rapidfuzz):
        if find_spec(peer.__name__):
            yield from peer()
        else:
            print(f"{peer.__name__} is not installed", file=sys.stderr)


def sacrebleu() -> Iterator[Race]:
    """Sentence by sentence, nothing kept from the last turn."""
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF
    from sacrebleu.metrics.ter import TER

    def sentences(make: Callable[[], Any], pairs: Pairs) -> list[float]:
        metric = make()
        both = zip(pairs.hypotheses, pairs.several, strict=True)
        return [metric.sentence_score(text, references).score for text, references in both]

    kinds: list[tuple[Metric, Callable[[], Any], int, float]] = [
        (Bleu(), partial(BLEU, effective_order=True), 1, 20),
        (Chrf(), CHRF, 1, 30),
        (ChrfPlusPlus(), partial(CHRF, word_order=2), 1, 0),
        (Ter(), TER, 20, 150),
    ]
    for metric, make, part, bar in kinds:
        theirs = partial(sentences, make)
        yield Race(metric, "sentences", "sacrebleu", theirs, part=part, bar=bar)


def bleuscore() -> Iterator[Race]:
    """The corpus, without smoothing: it has no sentence BLEU of the same numbers."""
    import bleuscore

    def whole(pairs: Pairs) -> float:
        found: Any = bleuscore.compute(pairs.several, pairs.hypotheses)
        return 100 * float(found["bleu"])

    yield Race(Bleu(smooth="none"), "corpus", "bleuscore (Rust)", whole, near=1e-6)


def fastchrf() -> Iterator[Race]:
    """Every sentence a batch of its own, as its pairwise function wants it."""
    import fastchrf

    def sentences(pairs: Pairs) -> Array:
        texts = [[text] for text in pairs.hypotheses]
        return np.array(fastchrf.pairwise_chrf(texts, pairs.several)).ravel()

    yield Race(Chrf(), "sentences", "fastchrf (Rust)", sentences, near=1e-3)


def jiwer() -> Iterator[Race]:
    """Word error rate of the corpus."""
    import jiwer

    yield Race(
        Wer(), "corpus", "jiwer", lambda pairs: jiwer.wer(pairs.references, pairs.hypotheses)
    )


def rapidfuzz() -> Iterator[Race]:
    """Edits of words, from which the rate follows."""
    from rapidfuzz.distance import Levenshtein

    def sentences(pairs: Pairs) -> list[float]:
        both = (
            (text.split(), reference.split())
            for text, reference in zip(pairs.hypotheses, pairs.references, strict=True)
        )
        return [Levenshtein.distance(text, words) / len(words) for text, words in both]

    yield Race(Wer(), "sentences", "rapidfuzz (C++)", sentences)


def best(run: Callable[[], object], *, turns: int) -> float:
    """Processor seconds of the quickest turn."""
    quickest = float("inf")
    for _ in range(turns):
        start = process_time()
        run()
        quickest = min(quickest, process_time() - start)
        if quickest > SLOW:
            break
    return quickest


def raced(race: Race, pairs: Pairs, turns: int) -> str:
    """A line of the table: sentences a second of both, and their ratio."""
    mine: Callable[[Pairs], Any] = partial(corpus if race.what == "corpus" else scores, race.metric)
    part = pairs.first(len(pairs.hypotheses) // race.part)
    np.testing.assert_allclose(mine(part), race.theirs(part), rtol=0, atol=race.near)
    theirs = best(partial(race.theirs, part), turns=turns) * race.part
    ours = best(partial(mine, pairs), turns=turns)
    bar = f"{race.bar:g}×" if race.bar else ""
    rates = f"{_rate(pairs, theirs)} | {_rate(pairs, ours)} | {theirs / ours:,.1f}×"
    return f"| {race.metric.title}, {race.what} | {race.peer} | {rates} | {bar} |"


def _rate(pairs: Pairs, seconds: float) -> str:
    return f"{len(pairs.hypotheses) / max(seconds, 1e-9):,.0f}"


def on_threads(metric: Metric, pairs: Pairs, turns: int) -> str:
    """Sentences a second on one thread, and how many times as many by the clock on two."""

    def clocked(jobs: int) -> float:
        start = perf_counter()
        metric.counts(pairs.hypotheses, pairs.several, jobs=jobs)
        return perf_counter() - start

    metric.sentence("a b", ["a b"])
    rate = _rate(pairs, best(partial(scores, metric, pairs), turns=turns))
    one, two = (min(clocked(jobs) for _ in range(turns)) for jobs in (1, 2))
    return f"{rate} | {one / two:.2f}×"


STARTED = """
import sys
from time import process_time
from jurat.metrics import parse_metrics
(metric,) = parse_metrics(sys.argv[1])
metric.sentence("The old bridge was closed.", ["The bridge was closed.", "It was."])
print(process_time())
"""
REMEMBERED = """
import sys, tracemalloc
from benchmarks.metrics import Pairs
from jurat.metrics import parse_metrics
(metric,) = parse_metrics(sys.argv[1])
pairs = Pairs.of(int(sys.argv[2]))
systems = {str(n): pairs.hypotheses for n in range(int(sys.argv[3]))}
tracemalloc.start()
found = metric.count_all(systems, pairs.several)
print(tracemalloc.get_traced_memory()[1], found["0"].nbytes)
"""


def alone(script: str, *arguments: object, cache: Path | None = None) -> list[float]:
    """What a script prints in a process of its own."""
    environment = {**os.environ, **({"XDG_CACHE_HOME": str(cache)} if cache else {})}
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        cwd=Path(__file__).parents[1],
    )
    return [float(word) for word in done.stdout.split()]


def started(metric: Metric, *, cold: bool) -> str:
    """Processor seconds to the first score: with `cold` nothing compiled yet, then all of it."""
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) if cold else None
        first, warm = (alone(STARTED, metric.name, cache=cache)[0] for _ in range(2))
    return f"{first:.1f} s | {warm:.1f} s"


def remembered(metric: Metric, size: int) -> str:
    """Kilobytes by which a further system adds to the most that is in use, and of its counts."""
    (few, counts), (many, _) = (alone(REMEMBERED, metric.name, size, n) for n in (10, 20))
    return f"{(many - few) / 10 / 1024:,.0f} kB | {counts / 1024:,.0f} kB"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small round of everything")
    quick = parser.parse_args().quick
    pairs, turns = Pairs.of(50 if quick else 10_000), 1 if quick else TURNS
    kinds = [kind() for kind in metrics()]
    print(f"{len(pairs.hypotheses):,} sentences, {'real' if WMT14.is_file() else 'made up'}\n")
    print("| what | peer | its sentences/s | Jurat's | ratio | bar |\n|---|---|---|---|---|---|")
    for race in races():
        print(raced(race, pairs, turns), flush=True)
    head = "| metric | one thread, sentences/s | two threads | first score, cold | warm |"
    print(f"\n{head}\n|---|---|---|---|---|")
    for metric in kinds:
        times = on_threads(metric, pairs, turns)
        starts = "– | –" if quick and metric.name != "bleu" else started(metric, cold=not quick)
        print(f"| {metric.title} | {times} | {starts} |", flush=True)
    print("\n| metric | memory of a further system | its counts |\n|---|---|---|")
    for metric in kinds[:1] if quick else kinds:
        told = remembered(metric, len(pairs.hypotheses))
        print(f"| {metric.title} | {told} |", flush=True)


if __name__ == "__main__":
    main()
