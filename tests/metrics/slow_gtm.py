"""GTM as its description reads, slowly: every run that there is, in a list, the longest first."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Match:
    """The lengths of the runs that are taken, and those of the texts."""

    runs: tuple[Fraction, ...]
    hypothesis: int
    references: Fraction

    def counts(self, exponent: float) -> tuple[float, float, float]:
        """The size of the match, the length of the hypothesis, the mean one of the references."""
        size: float = sum(float(length) ** exponent for length in self.runs) ** (1 / exponent)
        return size, self.hypothesis, float(self.references)


def match(hypothesis: Sequence[str], references: Sequence[Sequence[str]]) -> Match:
    """Take the longest runs first, as far as the shorter text goes."""
    mean = Fraction(sum(map(len, references)), len(references))
    left = min(Fraction(len(hypothesis)), mean)
    lengths = []
    rows: set[int] = set()
    columns: set[int] = set()
    for size, i, j in sorted(runs(hypothesis, laid_out(references)), reverse=True):
        used_rows, used_columns = set(range(i, i + size)), set(range(j, j + size))
        if rows & used_rows or columns & used_columns:
            continue
        rows |= used_rows
        columns |= used_columns
        lengths.append(min(Fraction(size), left))
        left -= lengths[-1]
    return Match(tuple(lengths), len(hypothesis), mean)


def laid_out(references: Sequence[Sequence[str]]) -> list[str | None]:
    """References end to end, each with a break behind it."""
    return [word for reference in references for word in (*reference, None)]


def runs(hypothesis: Sequence[str], reference: Sequence[str | None]) -> set[tuple[int, int, int]]:
    """Every diagonal of equal words, however short: its length and where it begins."""
    found = set()
    hits = {
        (i, j)
        for i, word in enumerate(hypothesis)
        for j, other in enumerate(reference)
        if word == other
    }
    for i, j in hits:
        size = 0
        while (i + size, j + size) in hits:
            size += 1
            found.add((size, i, j))
    return found


def score(match: float, length: float, mean: float) -> float:
    """The F measure of precision and recall."""
    if not match:
        return 0.0
    precision, recall = match / length, match / mean
    return 2 * precision * recall / (precision + recall)
