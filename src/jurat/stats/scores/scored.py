"""What a metric counted of every system: all that scores, intervals and tests start from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from jurat.metrics.metric import Array, Metric, References
from jurat.resampling import Bootstrap, bootstrap
from jurat.stats.scores.choices import ScoreSettings

WORTH = 2**24
"""Draws below which a second thread costs more than it saves."""
BLOCK = 1000
"""Resamples whose sums are held at once."""


@dataclass(frozen=True, kw_only=True)
class Scored:
    """The counts of one metric (segments × k) by system, against one reference or several."""

    metric: Metric
    label: str
    """What the metric is called among others; its options too where it occurs twice."""
    reference: str
    """The reference's name; several that are used together are joined by +."""
    references: References
    """Of each segment."""
    counts: Mapping[str, Array]
    documents: Sequence[str] = ()
    """Of each segment, where documents are known."""
    segments: Sequence[str] = ()
    """The segments' own ids, where they have any."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Systems without counts, and why."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that were scored, as they were given."""
        return tuple(self.counts)

    @cached_property
    def size(self) -> int:
        """The number of segments."""
        return len(next(iter(self.counts.values()), ()))

    @cached_property
    def corpus(self) -> Array:
        """The score of every system on all segments."""
        if not self.counts:
            return np.zeros(0)
        return self.of_sums(np.array([rows.sum(axis=0) for rows in self.counts.values()]))

    @cached_property
    def goodness(self) -> Array:
        """The same, turned so that more is better."""
        return self.corpus if self.metric.higher_better else -self.corpus

    def of_sums(self, sums: Array, *, single: bool = False) -> Array:
        """The scores of sums of counts, over the last axis; NaN where there is none."""
        with np.errstate(all="ignore"):
            return np.asarray(self.metric.score(sums, single=single), dtype=np.float64)

    @cached_property
    def document_names(self) -> tuple[str, ...]:
        """Every document once, in order of appearance."""
        return tuple(dict.fromkeys(self.documents))

    @cached_property
    def document_codes(self) -> NDArray[np.intp]:
        """The document of each segment, as its place among the names."""
        places = {name: at for at, name in enumerate(self.document_names)}
        return np.array([places[name] for name in self.documents], dtype=np.intp)

    def by_document(self, rows: Array) -> Array:
        """Rows of segments added up by document."""
        sums = np.zeros((len(self.document_names), *rows.shape[1:]))
        np.add.at(sums, self.document_codes, rows)
        return sums

    def number(self, settings: ScoreSettings) -> int:
        """How many units are drawn."""
        return len(self.document_names) if settings.draw == "documents" else self.size

    def units(self, settings: ScoreSettings) -> Array:
        """Counts of what is drawn (units × systems × k)."""
        rows = np.stack(list(self.counts.values()), axis=1)
        return self.by_document(rows) if settings.draw == "documents" else rows

    def resampled(self, settings: ScoreSettings) -> Bootstrap | None:
        """The scores of every system on the same resamples; None where none are asked for."""
        if not settings.bootstrap or not self.size:
            return None
        return self._drawn(settings, settings.bootstrap, settings.seed)

    def replicates(self, settings: ScoreSettings, first: Bootstrap, number: int) -> Array:
        """Scores on so many resamples (R × S), those of `first` and further ones.

        The further ones come in blocks, each with its own child of the seed, so that the sums of
        many resamples need not be held at once.
        """
        found = [first.replicates]
        sizes = [min(BLOCK, number - done) for done in range(len(found[0]), number, BLOCK)]
        for child, size in zip(
            np.random.SeedSequence(settings.seed).spawn(len(sizes)), sizes, strict=True
        ):
            seed = int(child.generate_state(1, np.uint64)[0])
            found.append(self._drawn(settings, max(2, size), seed).replicates[:size])
        return np.concatenate(found)

    def _drawn(self, settings: ScoreSettings, replicates: int, seed: int) -> Bootstrap:
        units = self.units(settings)
        with threads(settings, len(units) * replicates) as jobs:
            return bootstrap(
                units.reshape(len(units), -1),
                lambda totals: self.of_sums(totals.reshape(len(totals), len(self.counts), -1)),
                replicates=replicates,
                seed=seed,
                confidence=settings.confidence,
                jobs=jobs,
            )

    def signature(self, choices: Mapping[str, object], *, single: bool = False) -> str:
        """The metric's own signature, after its name and the choices behind one of its numbers."""
        told = [f"{name}:{value}" for name, value in choices.items()]
        own = self.metric.signature(self.references, single=single)
        return "|".join([self.metric.name, *told, own])


@contextmanager
def threads(settings: ScoreSettings, draws: int) -> Iterator[int]:
    """The number of jobs for so many draws, which run on threads: numpy lets go of the lock."""
    if settings.jobs == 1 or draws < WORTH:
        yield 1
        return
    from joblib import parallel_config

    with parallel_config(backend="threading", n_jobs=settings.jobs):
        yield settings.jobs
