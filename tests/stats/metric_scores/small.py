"""Two tiny metrics, whose scores can be worked out by hand, and systems scored by them."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from jurat.metrics.metric import Array, Metric, References
from jurat.stats.metric_scores.counts import MetricCounts, ReferenceSet, count_metrics
from jurat.stats.metric_scores.significance import compare_systems
from jurat.stats.settings import ScoreSettings


class Overlap(Metric, frozen=True, kw_only=True):
    """Twice the words in common over all words, in percent; the best reference counts."""

    name: ClassVar[str] = "overlap"
    title: ClassVar[str] = "Overlap"
    source: ClassVar[str] = "Dice 1945"

    lowercase: bool = False
    order: int = 1
    synonyms: dict[str, str] | None = None

    def segment_counts(self, hypotheses: Sequence[str], prepared: Any) -> Array:
        """Words in common, and all words."""
        rows = zip(hypotheses, prepared, strict=True)
        return np.array([max(self._pair(h, r) for r in refs) for h, refs in rows], dtype=float)

    def _pair(self, hypothesis: str, reference: str) -> tuple[int, int]:
        words, others = set(hypothesis.split()), set(reference.split())
        return 2 * len(words & others), len(words) + len(others)

    def score(self, sums: Array, *, single: bool = False) -> Array:
        """A share in percent."""
        return np.asarray(100 * sums[..., 0] / sums[..., 1])

    def signature(self, references: References, *, single: bool = False) -> str:
        """As sacreBLEU writes them."""
        return f"nrefs:1|eff:{'yes' if single else 'no'}|version:jurat:0.1.0"


class Missing(Overlap, frozen=True, kw_only=True):
    """What is not in common: less is better."""

    name: ClassVar[str] = "missing"
    title: ClassVar[str] = "Missing"
    higher_better: ClassVar[bool] = False
    perfect: ClassVar[float] = 0.0

    def score(self, sums: Array, *, single: bool = False) -> Array:
        """A share in percent."""
        return np.asarray(100 * (1 - sums[..., 0] / sums[..., 1]))


REFERENCE = ["a b c d", "e f", "g h i", "a", "k l m n o"]
CEDAR = ["a b c d", "e f", "g h x", "a", "k l m n"]
BIRCH = ["a b x y", "e f", "x y z", "a", "k l"]


def scored(
    systems: Mapping[str, Sequence[str]], metric: Metric | None = None, **more: Any
) -> MetricCounts:
    """The systems' counts against the reference."""
    against = ReferenceSet(names=("ref",), references=[(text,) for text in REFERENCE])
    return count_metrics([systems], [metric or Overlap()], [against], **more)[0]


def drawn(size: int, *qualities: float, seed: int = 1) -> MetricCounts:
    """Counts of systems that have each word right with these chances."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(5, 30, size)
    counts = {
        f"system {n}": np.column_stack([2.0 * rng.binomial(lengths, quality), 2.0 * lengths])
        for n, quality in enumerate(qualities, 1)
    }
    return MetricCounts(
        metric=Overlap(), label="overlap", reference="ref", references=[], counts=counts
    )


def chances(one: MetricCounts, **chosen: Any) -> Array:
    """The p-values of every two systems, not corrected unless that is asked for."""
    settings = ScoreSettings(**{"correction": "none", **chosen})
    return compare_systems(one, settings, one.resampled(settings)).tests.p
