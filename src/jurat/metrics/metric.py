"""What a metric is: counts for each segment, and a score from the sum of such counts.

Bootstraps, paired tests, document and corpus scores need nothing but the counts, so they are the
same code for every metric (the design is sacreBLEU's).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import chain
from typing import Any, ClassVar, NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from jurat import __version__
from jurat.errors import input_error
from jurat.metrics.tokenizers import TokenizedTexts, split, tokenizers
from jurat.model import File
from jurat.registry import Registry

Array: TypeAlias = "NDArray[np.float64]"
# The references of each segment; segments may have different numbers of them.
References: TypeAlias = "Sequence[Sequence[str]]"
# Called with the number of segments that were scored since the last call.
Progress: TypeAlias = "Callable[[int], object]"

# Segments that are counted at once: enough to keep a kernel busy, few enough to bound memory.
BATCH = 2048


class Metric(msgspec.Struct, frozen=True, kw_only=True):
    """A metric; its fields are its options, as in `bleu:tokenize=13a,lowercase=true`."""

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
        """Whatever can be computed from the references alone, once for all systems."""
        return references

    def segment_counts(self, hypotheses: Sequence[str], prepared: Any) -> Array:
        """A row of counts for each hypothesis; `prepared` is what `prepare` returned.

        It is called in several threads at once.
        """
        raise NotImplementedError

    def score(self, sums: Array, *, single: bool = False) -> Array:
        """Scores from sums of counts along the last axis; `single` where a sum is one segment."""
        raise NotImplementedError

    def signature(self, references: References, *, single: bool = False) -> str:
        """What is needed to compute the same number again, in sacreBLEU's style.

        `single`: the signature of scores of single segments.
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

        Each batch of segments goes through all systems, so that references are prepared once.
        """
        _check(systems, references)

        def count(part: slice) -> dict[str, Array]:
            prepared = self.prepare(references[part])
            found = {
                name: self.segment_counts(texts[part], prepared) for name, texts in systems.items()
            }
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


class WordReferences(NamedTuple):
    """The references of segments, split into words."""

    words: TokenizedTexts
    firsts: NDArray[np.int64]
    """The number of the first reference of each segment."""


class WordMetric(Metric, frozen=True, kw_only=True):
    """A metric of words; `tokenize` names the tokenizer, of which "none" splits at blanks."""

    tokenize: str = "none"
    lowercase: bool = False

    def __post_init__(self) -> None:
        """Raise `InputError` for an unknown tokenizer."""
        _ = tokenizers()[self.tokenize]

    @property
    def case(self) -> str:
        """The value of `case` in signatures, as sacreBLEU has it."""
        return "lc" if self.lowercase else "mixed"

    def words(self, texts: Sequence[str]) -> TokenizedTexts:
        """The words of the texts."""
        return split(texts, self.tokenize, lowercase=self.lowercase)

    def prepare(self, references: References) -> WordReferences:
        texts, firsts = flatten_references(references)
        return WordReferences(self.words(texts), firsts)


@cache
def metrics() -> Registry[Metric]:
    """All metrics by name."""
    return Registry("jurat.metrics", Metric, word="metric")


def flatten_references(references: References) -> tuple[list[str], NDArray[np.int64]]:
    """All references in one list, and the index at which those of each segment begin."""
    firsts = np.zeros(len(references) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, references), np.int64, len(references)), out=firsts[1:])
    return list(chain.from_iterable(references)), firsts


def _check(systems: Mapping[str, Sequence[str]], references: References) -> None:
    """Raise `InputError` if numbers of segments differ, or a segment has no reference."""
    for name, hypotheses in systems.items():
        if len(hypotheses) != len(references):
            message = f"{len(hypotheses)} segments for {len(references)} of the references"
            raise input_error(f"{name}: {message}" if name else message)
    # looked at one by one only where something is wrong: there may be millions
    wrong = str in set(map(type, references)) or not all(map(len, references))
    for number, texts in enumerate(references, 1) if wrong else ():
        if isinstance(texts, str) or not texts:
            one = isinstance(texts, str)
            message = "the references are one text, not a list" if one else "there is no reference"
            raise input_error(message, segment=str(number))


def _batches(size: int, jobs: int) -> Iterator[slice]:
    """Slices of equal size, at most `BATCH` segments each, as many for each thread."""
    rounds = -(-size // (jobs * BATCH))
    step = max(1, -(-size // max(1, rounds * jobs)))
    yield from (slice(start, min(start + step, size)) for start in range(0, size, step))
    if not size:
        yield slice(0, 0)
