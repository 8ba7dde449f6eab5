"""The counts of metrics for every segment of every system, and scores from sums of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from jurat.deserialize import struct_fields
from jurat.metrics.metric import Array, Metric, Progress, References
from jurat.resampling import Bootstrap, bootstrap
from jurat.stats.settings import ScoreSettings

if TYPE_CHECKING:
    import polars as pl

# Draws below which a second thread costs more than it saves.
WORTH = 2**24
# Resamples whose sums are held at once.
BLOCK = 1000


@dataclass(frozen=True, kw_only=True)
class MetricCounts:
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
    about: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What else is known of each segment, such as its domain."""
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
        """The same, with the sign by which higher is better."""
        return self.corpus if self.metric.higher_better else -self.corpus

    def of_sums(self, sums: Array, *, single: bool = False) -> Array:
        """Scores from sums of counts along the last axis; NaN where there is none."""
        # A resample may have no score (0 / 0): NaN, which the tests count as chance.
        with np.errstate(all="ignore"):
            return np.asarray(self.metric.score(sums, single=single), dtype=np.float64)

    def segment_scores(self) -> Iterator[tuple[str, Array]]:
        """Each system, and the scores of its segments."""
        for system, rows in self.counts.items():
            yield system, self.of_sums(rows, single=True)

    def document_scores(self) -> Iterator[tuple[str, Array]]:
        """Each system, and the scores of its documents."""
        for system, rows in self.counts.items():
            yield system, self.of_sums(self.by_document(rows))

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
        # Documents need not lie together, so that reduceat will not do.
        np.add.at(sums, self.document_codes, rows)
        return sums

    def drawn(self, settings: ScoreSettings) -> str:
        """What is resampled: `segments` or `documents`, as asked or as they are known."""
        # sacreBLEU's test is there for its own numbers, which are of segments
        known = len(self.document_names) > 1 and settings.test != "sacrebleu-bootstrap"
        return settings.draw or ("documents" if known else "segments")

    def unit_note(self, settings: ScoreSettings) -> str:
        """What taking segments as independent rests on; empty where documents are resampled."""
        if self.drawn(settings) == "documents":
            return ""
        unknown = "" if self.documents else "documents are unknown: "
        return f"{unknown}segments are taken as independent"

    def unit_count(self, settings: ScoreSettings) -> int:
        """How many segments or documents are resampled."""
        return len(self.document_names) if self.drawn(settings) == "documents" else self.size

    def units(self, settings: ScoreSettings) -> Array:
        """Counts of what is resampled: units × systems × k."""
        rows = np.stack(list(self.counts.values()), axis=1)
        return self.by_document(rows) if self.drawn(settings) == "documents" else rows

    def resampled(self, settings: ScoreSettings) -> Bootstrap | None:
        """The scores of every system on the same resamples; None where none are asked for."""
        if not settings.intervals or not self.size:
            return None
        return self._bootstrap(settings, settings.bootstrap, settings.seed)

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
            # The bootstrap wants two resamples at least.
            found.append(self._bootstrap(settings, max(2, size), seed).replicates[:size])
        return np.concatenate(found)

    def _bootstrap(self, settings: ScoreSettings, replicates: int, seed: int) -> Bootstrap:
        # All systems are resampled together: the same segments are drawn for each.
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

    @cached_property
    def fingerprint(self) -> str:
        """A fingerprint of what is scored: the counts of every system, and the documents."""
        hashed = blake2b("\0".join((*self.counts, "", *self.documents)).encode(), digest_size=8)
        for rows in self.counts.values():
            hashed.update(np.ascontiguousarray(rows, dtype="<f8").tobytes())
        return hashed.hexdigest()

    def signature(self, choices: Mapping[str, object], *, single: bool = False) -> str:
        """The metric's own signature, after its name and the choices behind one of its numbers."""
        told = [f"{name}:{value}" for name, value in choices.items()]
        own = self.metric.signature(self.references, single=single)
        return "|".join([self.metric.name, *told, own, f"data:{self.fingerprint}"])


@contextmanager
def threads(settings: ScoreSettings, draws: int) -> Iterator[int]:
    """Run joblib on threads within the block; gives the number of jobs for so many draws."""
    # Processes would copy the counts of all systems; threads share them.
    if settings.jobs == 1 or draws < WORTH:
        yield 1
        return
    from joblib import parallel_config

    with parallel_config(backend="threading", n_jobs=settings.jobs):
        yield settings.jobs


@dataclass(frozen=True, kw_only=True)
class ReferenceSet:
    """One reference that systems are scored against, or several together."""

    names: tuple[str, ...]
    references: References

    @property
    def name(self) -> str:
        """The names, joined by +."""
        return "+".join(self.names)


def count_metrics(
    groups: Iterable[Mapping[str, Sequence[str]]],
    metrics: Sequence[Metric],
    against: Sequence[ReferenceSet],
    *,
    documents: Sequence[str] = (),
    segments: Sequence[str] = (),
    about: Mapping[str, Sequence[str]] | None = None,
    own: Mapping[str, str] | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[MetricCounts]:
    """The counts by metric and reference; systems' texts come in groups, and are not kept.

    `own` names systems that are a reference: against that they have no score.
    """
    named = dict(zip(metric_labels(metrics), metrics, strict=True))
    left_out = {
        one.name: {
            n: f"it is {itself} itself" for n, itself in (own or {}).items() if itself in one.names
        }
        for one in against
    }
    counts: dict[tuple[str, str], dict[str, Array]]
    counts = {(name, one.name): {} for name in named for one in against}

    def count(group: Mapping[str, Sequence[str]]) -> None:
        """Count one group, whose texts are let go when this returns."""
        for one in against:
            others = {n: texts for n, texts in group.items() if n not in left_out[one.name]}
            for name, metric in named.items():
                counts[name, one.name] |= metric.count_all(
                    others, one.references, jobs=jobs, progress=progress
                )

    # `map` keeps no name for a group, so that its texts can be freed before the next are read.
    for _ in map(count, groups):
        pass
    return [
        MetricCounts(
            metric=metric,
            label=name,
            reference=one.name,
            references=one.references,
            counts=counts[name, one.name],
            documents=documents,
            segments=segments,
            about=about or {},
            left_out=left_out[one.name],
        )
        for name, metric in named.items()
        for one in against
    ]


def metric_labels(metrics: Sequence[Metric]) -> Iterator[str]:
    """What each metric is called: its name, with the options that differ where it occurs twice."""
    names = Counter(metric.name for metric in metrics)
    given: Counter[str] = Counter()
    for metric in metrics:
        options = ",".join(_options(metric)) if names[metric.name] > 1 else ""
        label = f"{metric.name}:{options}" if options else metric.name
        given[label] += 1
        # Two metrics with the same options are still two columns of a table.
        yield label if given[label] == 1 else f"{label} ({given[label]})"


def _options(metric: Metric) -> Iterator[str]:
    """The options that are not as by default; of what is no plain value, only that it is given."""
    for option in struct_fields(type(metric)).values():
        value = getattr(metric, option.name)
        if value != option.default:
            plain = isinstance(value, str | int | float)
            told = str(value).lower() if isinstance(value, bool) else value if plain else "given"
            yield f"{option.encode_name}={told}"


def score_table(scored: Sequence[MetricCounts]) -> pl.DataFrame:
    """The scores as a long table, as `jurat metaeval` reads it: a row a segment and system.

    Whole systems have rows without a segment. Segments have their own ids where there are any, and
    are counted from 1 where there are none.
    """
    # Imported here: scoring plain files needs no polars.
    import polars as pl

    from jurat.tables.schema import SCORES

    def rows(of: MetricCounts, system: str, columns: dict[str, list[str]], values: Array) -> None:
        names = {"system": system, "reference": of.reference, "metric": of.label}
        scores = pl.Series("value", values, dtype=pl.Float64).fill_nan(None)
        frame = pl.DataFrame({**columns, "value": scores})
        parts.append(frame.with_columns(pl.lit(v).alias(k) for k, v in names.items()))

    parts: list[pl.DataFrame] = []
    for one in scored:
        ids = list(one.segments) or [str(n) for n in range(1, one.size + 1)]
        known = {"document": one.documents} if one.documents else {}
        own = {name: list(column) for name, column in {**known, **one.about}.items()}
        for system, values in one.segment_scores():
            rows(one, system, {"segment": ids, **own}, values)
        for system, value in zip(one.systems, one.corpus, strict=True):
            rows(one, system, {}, np.array([value]))
    # Diagonal: rows of whole systems have neither segment nor document.
    frame = pl.concat(parts, how="diagonal") if parts else pl.DataFrame(schema=SCORES.schema)
    named = [name for name in SCORES.schema if name in frame.columns]
    return frame.select(*named, *(name for name in frame.columns if name not in named))
