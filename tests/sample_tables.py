"""Makes the tables of the sample: simulated judgments of its four systems, the same every time.

Run as a program, it writes them to `src/jurat/sample`.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import combinations
from random import Random

from tests import ROOT

FOLDER = ROOT / "src" / "jurat" / "sample"
QUALITIES = {"cedar": 0.82, "birch": 0.66, "willow": 0.62, "bramble": 0.38}
# Severity and carelessness of each judge: Fay answers almost at random.
JUDGES = {
    "Ada": (0.00, 0.06),
    "Ben": (-0.12, 0.08),
    "Cleo": (0.05, 0.07),
    "Dan": (0.02, 0.09),
    "Eva": (-0.03, 0.06),
    "Fay": (0.10, 0.45),
}
SHOWN = dict(zip(JUDGES, ("A", "A", "B", "B", "source", "source"), strict=True))
DOCUMENTS, SEGMENTS = 10, 4
GENRES = ("news", "talks")
FEATURES = ("tense", "agreement", "order", "vocabulary")


def places() -> Iterator[tuple[int, int]]:
    return ((d, s) for d in range(1, DOCUMENTS + 1) for s in range(1, SEGMENTS + 1))


def latent() -> dict[tuple[int, int, str], float]:
    """How good each translation is, from 0 to 1: documents and segments are not equally hard."""
    random = Random("translations")
    documents = [random.gauss(0, 0.07) for _ in range(DOCUMENTS)]
    return {
        (d, s, name): quality + documents[d - 1] + random.gauss(0, 0.12)
        for d, s in places()
        for name, quality in QUALITIES.items()
    }


def point(quality: float, judge: str, points: int, random: Random) -> int:
    """A judge's answer on a scale from 1."""
    severity, noise = JUDGES[judge]
    seen = quality + severity + random.gauss(0, noise)
    return min(points, max(1, 1 + round(seen * (points - 1))))


def ratings() -> Iterator[list[object]]:
    """Every translation by three judges; the first kit of each comes back at the end."""
    yield ["rater", "doc", "seg", "mt", "genre", "shown", "order", "seconds", "adequacy"]
    random = Random("ratings")
    truth = latent()
    work: dict[str, list[tuple[int, int, str]]] = {name: [] for name in JUDGES}
    # all panels of three, each twice, so that any two judges share as many items
    panels = list(combinations(JUDGES, 3))
    for n, (d, s) in enumerate(places()):
        for judge in panels[7 * n % len(panels)]:
            work[judge] += [(d, s, system) for system in QUALITIES]
    for judge, items in work.items():
        random.shuffle(items)
        for order, (d, s, system) in enumerate([*items, *items[:8]], 1):
            answer = point(truth[d, s, system], judge, 7, random)
            seconds = round(random.lognormvariate(3.2, 0.4) * (1 if order < 40 else 0.8), 1)
            genre = GENRES[d % 2]
            yield [judge, f"d{d}", s, system, genre, SHOWN[judge], order, seconds, answer]


def preferences() -> Iterator[list[object]]:
    """Two systems at a time, each pair by two judges."""
    yield ["judge", "document", "segment", "system_a", "system_b", "outcome"]
    random = Random("preferences")
    truth = latent()
    for d, s in places():
        first, second = random.sample(list(QUALITIES), 2)
        for judge in random.sample([name for name in JUDGES if name != "Fay"], 3):
            gap = truth[d, s, first] - truth[d, s, second] + random.gauss(0, 0.1)
            outcome = "tie" if abs(gap) < 0.06 else "a" if gap > 0 else "b"
            yield [judge, f"d{d}", s, first, second, outcome]


def scores() -> Iterator[list[object]]:
    """Two metrics that know something, and one that knows only the length."""
    yield ["doc", "seg", "mt", "chrF", "TER", "length_ratio"]
    random = Random("scores")
    for (d, s, system), quality in latent().items():
        chrf = round(100 * min(1, max(0, 0.2 + 0.6 * quality + random.gauss(0, 0.08))), 2)
        ter = round(max(0, 1.1 - quality + random.gauss(0, 0.18)), 3)
        yield [f"d{d}", s, system, chrf, ter, round(random.gauss(1, 0.1), 3)]


def features() -> Iterator[list[object]]:
    """What systems get right in each sentence, from 0 to 4; a sentence may lack a feature."""
    yield ["judge", "document", "segment", "system", "construct", *FEATURES]
    random = Random("features")
    for (d, s, system), quality in latent().items():
        if d > 5:
            continue
        construct = ("simple", "compound", "question", "passive")[s - 1]
        for judge in ("Ada", "Ben"):
            answers = [
                "NA" if random.random() < 0.08 else point(quality, judge, 5, random) - 1
                for _ in FEATURES
            ]
            yield [judge, f"d{d}", s, system, construct, *answers]


TABLES = {
    "ratings.csv": ratings,
    "preferences.csv": preferences,
    "scores.csv": scores,
    "features.csv": features,
}


def as_csv(rows: Iterable[list[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


if __name__ == "__main__":
    for name, rows in TABLES.items():
        (FOLDER / name).write_text(as_csv(rows()), encoding="utf-8")
