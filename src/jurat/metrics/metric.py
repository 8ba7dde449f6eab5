"""A metric is two steps: counts of each segment, and a score from the sum of such rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any, ClassVar, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from jurat import __version__
from jurat.faults import complain
from jurat.model import File

Array: TypeAlias = "NDArray[np.float64]"
References: TypeAlias = "Sequence[Sequence[str]]"
"""The references of each segment; segments may have different numbers of them."""
Progress: TypeAlias = "Callable[[int], object]"
"""Told the number of segments that were scored since it was told last."""

BATCH = 2048
"""Segments that are counted at once: enough to keep a kernel busy, few enough to bound memory."""


class Metric(msgspec.Struct, frozen=True, kw_only=True):
    """A metric with its options, which are its fields: `bleu:tokenize=13a,lowercase=true`."""

    name: ClassVar[str]
    title: ClassVar[str]
    """As papers write it."""
    source: ClassVar[str]
    """The paper, and the implementation whose numbers it gives."""
    higher_better: ClassVar[bool] = True
    perfect: ClassVar[float] = 100.0
    """The score of a translation that is its reference."""
    readers: ClassVar[Mapping[str, Callable[[File], Any]]] = {}
    """Options whose values come from files, and what reads them."""

    def prepare(self, references: References) -> Any:
        """What of the references does not depend on the hypotheses; made once for all systems."""
        return references

    def tally(self, hypotheses: Sequence[str], prepared: Any) -> Array:
        """A row of counts for each hypothesis; kernels let other threads run meanwhile."""
        raise NotImplementedError

    def score(self, sums: Array, *, single: bool = False) -> Array:
        """The scores of sums of counts, over the last axis; `single` where a sum is one segment."""
        raise NotImplementedError

    def signature(self, references: References, *, single: bool = False) -> str:
        """What a reader must know to compute the same number, in sacreBLEU's style.

        `single` where it stands beside scores of single segments.
        """
        raise NotImplementedError

    def signed(self, references: References, **parts: str) -> str:
        """A signature of these parts, between the number of references and the version."""
        numbers = {len(texts) for texts in references}
        nrefs = "var" if len(numbers) > 1 else str(max(numbers, default=0))
        named = {"nrefs": nrefs, **parts, "version": f"jurat:{__version__}"}
        return "|".join(f"{name}:{value}" for name, value in named.items())

    def counts(self, hypotheses: Sequence[str], references: References, *, jobs: int = 1) -> Array:
        """A row of counts for each segment of one system."""
        return self.count_all({"": hypotheses}, references, jobs=jobs)[""]

    def count_all(
        self,
        systems: Mapping[str, Sequence[str]],
        references: References,
        *,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> dict[str, Array]:
        """A row of counts for each segment of every system, on as many threads as `jobs`.

        Batches go through all systems, so that references are prepared once and only counts stay.
        """
        _check(systems, references)

        def count(part: slice) -> dict[str, Array]:
            prepared = self.prepare(references[part])
            found = {name: self.tally(texts[part], prepared) for name, texts in systems.items()}
            if progress:
                progress((part.stop - part.start) * len(systems))
            return found

        batches = _batches(len(references), jobs)
        if jobs > 1:
            with ThreadPoolExecutor(jobs) as threads:
                parts = list(threads.map(count, batches))
        else:
            parts = list(map(count, batches))
        return {name: np.concatenate([part.pop(name) for part in parts]) for name in systems}

    def sentence(self, hypothesis: str, references: Sequence[str]) -> float:
        """The score of one segment."""
        return float(self.score(self.counts([hypothesis], [references]), single=True)[0])

    def corpus(self, hypotheses: Sequence[str], references: References, *, jobs: int = 1) -> float:
        """The score of all segments together."""
        return float(self.score(self.counts(hypotheses, references, jobs=jobs).sum(axis=0)))


def end_to_end(references: References) -> tuple[list[str], NDArray[np.int64]]:
    """All references one after the other, and which is the first of each segment."""
    firsts = np.zeros(len(references) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, references), np.int64, len(references)), out=firsts[1:])
    return list(chain.from_iterable(references)), firsts


def _check(systems: Mapping[str, Sequence[str]], references: References) -> None:
    """Refuse texts that do not belong together."""
    for name, hypotheses in systems.items():
        if len(hypotheses) != len(references):
            message = f"{len(hypotheses)} segments for {len(references)} of the references"
            raise complain(f"{name}: {message}" if name else message)
    for number, texts in enumerate(references, 1):
        if isinstance(texts, str) or not texts:
            one = isinstance(texts, str)
            message = "the references are one text, not a list" if one else "there is no reference"
            raise complain(message, segment=str(number))


def _batches(size: int, jobs: int) -> Iterator[slice]:
    """Even parts of what is to be counted, as many for each thread."""
    rounds = -(-size // (jobs * BATCH))
    step = max(1, -(-size // max(1, rounds * jobs)))
    yield from (slice(start, min(start + step, size)) for start in range(0, size, step))
    if not size:
        yield slice(0, 0)
