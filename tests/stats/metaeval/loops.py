"""What mt-metrics-eval computes, one score and one pair at a time: slow, and easy to follow.

Scores are matrices with a row a system; missing judgments are None. Written from what its
functions do, not from their text.
"""

import random
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from scipy import stats

Row = Sequence[float | None]
Matrix = Sequence[Row]


def rows_of(table: Matrix, average_by: str) -> list[list[float | None]]:
    """A table as the vectors that are correlated."""
    if average_by == "none":
        return [[score for row in table for score in row]]
    return [list(row) for row in (table if average_by == "sys" else zip(*table, strict=True))]


def both(gold: Row, metric: Row) -> tuple[list[float], list[float]]:
    """Without the places where a judgment is missing."""
    pairs = [(g, m) for g, m in zip(gold, metric, strict=True) if g is not None and m is not None]
    return [g for g, _ in pairs], [m for _, m in pairs]


def averaged(
    of: Callable[[list[float], list[float]], float], gold: Matrix, metric: Matrix, average_by: str
) -> float:
    """A coefficient averaged over the vectors for which it is defined."""
    found = []
    for g, m in zip(rows_of(gold, average_by), rows_of(metric, average_by), strict=True):
        x, y = both(g, m)
        if len(x) > 1 and len(set(x)) > 1 and len(set(y)) > 1:
            found.append(of(x, y))
    return sum(found) / len(found) if found else 0.0


def pearson(x: list[float], y: list[float]) -> float:
    return float(stats.pearsonr(x, y)[0])


def spearman(x: list[float], y: list[float]) -> float:
    return float(stats.spearmanr(x, y)[0])


def kendall(x: list[float], y: list[float], variant: str = "b") -> float:
    return float(stats.kendalltau(x, y, variant=variant)[0])


class Counts:
    """Pairs of each kind: ordered alike, otherwise, tied by people, by the metric, by both."""

    def __init__(
        self, con: int = 0, dis: int = 0, human: int = 0, metric: int = 0, both: int = 0
    ) -> None:
        self.con, self.dis = con, dis
        self.human, self.metric, self.both = human, metric, both

    def add(self, other: "Counts") -> None:
        self.con += other.con
        self.dis += other.dis
        self.human += other.human
        self.metric += other.metric
        self.both += other.both

    def remove(self, other: "Counts") -> None:
        self.con -= other.con
        self.dis -= other.dis
        self.human -= other.human
        self.metric -= other.metric
        self.both -= other.both

    def pairs(self) -> int:
        return self.con + self.dis + self.human + self.metric + self.both

    def accuracy(self) -> float:
        return (self.con + self.both) / self.pairs()

    def tau(self) -> float:
        return (self.con + self.both - self.dis - self.human - self.metric) / self.pairs()


def kind_of(gold: tuple[float, float], metric: tuple[float, float], epsilon: float = 0.0) -> Counts:
    """One pair; metric scores within epsilon are tied."""
    tied, same = abs(metric[0] - metric[1]) <= epsilon, gold[0] == gold[1]
    if tied and same:
        return Counts(both=1)
    if tied:
        return Counts(metric=1)
    if same:
        return Counts(human=1)
    return Counts(con=1) if (gold[0] > gold[1]) == (metric[0] > metric[1]) else Counts(dis=1)


def counted(gold: list[float], metric: list[float], epsilon: float = 0.0) -> Counts:
    """All pairs of one vector."""
    number = Counts()
    for (g1, m1), (g2, m2) in combinations(zip(gold, metric, strict=True), 2):
        number.add(kind_of((g1, g2), (m1, m2), epsilon))
    return number


def kendall_like(gold: Matrix, metric: Matrix, gap: float = 25.0) -> float:
    """WMT20's: pairs of a segment's systems that people set 25 points apart, all together."""
    right = wrong = 0
    for g, m in zip(rows_of(gold, "item"), rows_of(metric, "item"), strict=True):
        x, y = both(g, m)
        for (g1, m1), (g2, m2) in combinations(zip(x, y, strict=True), 2):
            if abs(g1 - g2) >= gap:
                agrees = (g1 > g2 and m1 > m2) or (g1 < g2 and m1 < m2)
                right, wrong = right + agrees, wrong + (not agrees)
    return (right - wrong) / (right + wrong)


class Pair:
    """Two translations: how far the metric sets them apart, what they are, and what if tied."""

    def __init__(self, row: int, gold: tuple[float, float], metric: tuple[float, float]) -> None:
        self.row = row
        self.apart = abs(metric[0] - metric[1])
        self.own = kind_of(gold, metric)
        self.tied = Counts(both=1) if gold[0] == gold[1] else Counts(metric=1)


def calibrated(
    gold: Matrix,
    metric: Matrix,
    average_by: str,
    of: Callable[[Counts], float] = Counts.accuracy,
) -> tuple[float, float]:
    """The best mean over all thresholds at which pairs become ties, and the first that has it."""
    pairs: list[Pair] = []
    vectors = zip(rows_of(gold, average_by), rows_of(metric, average_by), strict=True)
    for row, (g, m) in enumerate(vectors):
        scores = list(zip(*both(g, m), strict=True))
        pairs += [Pair(row, (g1, g2), (m1, m2)) for (g1, m1), (g2, m2) in combinations(scores, 2)]
    numbers = {pair.row: Counts() for pair in pairs}
    for pair in pairs:
        numbers[pair.row].add(pair.own)
    total = sum(of(number) for number in numbers.values())
    thresholds, reached = [0.0], [total / len(numbers)]
    for pair in sorted(pairs, key=lambda pair: pair.apart):
        number = numbers[pair.row]
        total -= of(number)
        number.remove(pair.own)
        number.add(pair.tied)
        total += of(number)
        if pair.apart == thresholds[-1]:
            reached[-1] = total / len(numbers)
        else:
            thresholds.append(pair.apart)
            reached.append(total / len(numbers))
    best = max(range(len(reached)), key=lambda at: (round(reached[at], 12), -at))
    return reached[best], thresholds[best]


def soft_accuracy(gold: np.ndarray, metric: np.ndarray, patterns: int = 1000) -> float:
    """Soft pairwise accuracy of systems × segments, in single precision as there."""
    p_values = [one_sided(scores.astype(np.float32), patterns) for scores in (gold, metric)]
    return 1 - float(np.mean([abs(a - b) for a, b in zip(*p_values, strict=True)]))


def one_sided(scores: np.ndarray, patterns: int) -> list[float]:
    """How often random signs set a system as far above each later one as it is."""
    drawn = np.random.default_rng(4).random((patterns, scores.shape[1]), dtype=np.float32)
    signs = 2 * np.rint(drawn) - 1
    found = []
    for i, j in combinations(range(len(scores)), 2):
        apart = signs @ scores[i] - signs @ scores[j]
        found.append(float(np.mean(apart >= scores[i].sum() - scores[j].sum())))
    return found


def swap_scores(
    gold: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    *,
    average_by: str = "none",
    trials: int = 1000,
    seed: int = 1,
) -> float:
    """PERM-BOTH: p of the first metric's mean Pearson being above the second's by chance."""
    rng = np.random.default_rng(seed)
    one, other = stats.zscore(first, axis=None), stats.zscore(second, axis=None)

    def mean(metric: np.ndarray) -> float:
        if average_by == "none":
            return float(stats.pearsonr(gold.ravel(), metric.ravel())[0])
        turn = (lambda table: table) if average_by == "sys" else np.transpose
        found = []
        for g, m in zip(turn(gold), turn(metric), strict=True):
            if len(set(g)) > 1 and len(set(m)) > 1:
                found.append(stats.pearsonr(g, m)[0])
        return float(np.mean(found))

    observed = mean(one) - mean(other)
    hits = 0
    for _ in range(trials):
        chosen = rng.binomial(1, 0.5, one.shape)
        mixed = mean(chosen * one + (1 - chosen) * other)
        rest = mean((1 - chosen) * one + chosen * other)
        hits += mixed - rest >= observed
    return hits / trials


def swap_pairs(
    gold: np.ndarray,
    metrics: tuple[np.ndarray, np.ndarray],
    epsilons: tuple[float, float],
    *,
    trials: int = 1000,
    seed: int = 1,
) -> float:
    """The same of acc_eq by segment, where the verdicts of both metrics on a pair are swapped."""
    rng = np.random.default_rng(seed)
    segments = gold.shape[1]
    people = [_signs(gold[:, s], 0.0) for s in range(segments)]
    verdicts = [
        [_signs(metric[:, s], epsilon) for s in range(segments)]
        for metric, epsilon in zip(metrics, epsilons, strict=True)
    ]

    def mean(of: list[np.ndarray]) -> float:
        upper = np.triu_indices(len(gold), 1)
        shares = [np.mean(m[upper] == g[upper]) for m, g in zip(of, people, strict=True)]
        return float(np.mean(shares))

    observed = mean(verdicts[0]) - mean(verdicts[1])
    hits = 0
    for _ in range(trials):
        one, other = [], []
        for first, second in zip(*verdicts, strict=True):
            chosen = np.triu(rng.binomial(1, 0.5, first.shape))
            chosen = chosen + chosen.T
            one.append(chosen * first + (1 - chosen) * second)
            other.append((1 - chosen) * first + chosen * second)
        hits += mean(one) - mean(other) >= observed - 1e-12
    return hits / trials


def _signs(scores: np.ndarray, epsilon: float) -> np.ndarray:
    apart = scores[:, None] - scores[None]
    return np.where(np.abs(apart) <= epsilon, 0.0, np.sign(apart))


def ranks(p: Sequence[Sequence[float]], level: float = 0.05) -> list[int]:
    """Clusters of metrics, best first: a new one where any metric of the last is surely better."""
    found, members = [1], [0]
    for at in range(1, len(p)):
        if any(p[member][at] <= level for member in members):
            found.append(found[-1] + 1)
            members = [at]
        else:
            found.append(found[-1])
            members.append(at)
    return found


def made_up(
    systems: int, segments: int, *, seed: int = 1, missing: float = 0.0, digits: int = 0
) -> tuple[list[list[float | None]], list[list[float]]]:
    """Judgments with ties, and a metric that follows them from afar."""
    rng = random.Random(seed)
    gold: list[list[float | None]] = []
    metric: list[list[float]] = []
    for system in range(systems):
        felt = [rng.gauss(0.2 * system, 1) for _ in range(segments)]
        gold.append([round(value, digits) if rng.random() >= missing else None for value in felt])
        metric.append([round(value + rng.gauss(0, 1), 2) for value in felt])
    return gold, metric
