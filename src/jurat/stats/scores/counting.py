"""Every metric's counts of every system, from their texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from jurat.metrics.metric import Array, Metric, Progress, References
from jurat.stats.scores.scored import Scored

Counted = dict[tuple[str, str], dict[str, Array]]
"""By metric and reference, the counts of every system."""


@dataclass(frozen=True, kw_only=True)
class Against:
    """What systems are scored against: one reference, or several together."""

    names: tuple[str, ...]
    references: References

    @property
    def name(self) -> str:
        """The names, joined by +."""
        return "+".join(self.names)


def count(
    groups: Iterable[Mapping[str, Sequence[str]]],
    metrics: Sequence[Metric],
    against: Sequence[Against],
    *,
    documents: Sequence[str] = (),
    segments: Sequence[str] = (),
    own: Mapping[str, str] | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[Scored]:
    """The counts by metric and reference; systems' texts come in groups, and are not kept.

    `own` names systems that are a reference: against that they have no score.
    """
    named = dict(zip(labels(metrics), metrics, strict=True))
    left_out = {
        one.name: {
            n: f"it is {itself} itself" for n, itself in (own or {}).items() if itself in one.names
        }
        for one in against
    }

    def counted(group: Mapping[str, Sequence[str]]) -> Counted:
        """The counts of one group, whose texts are let go afterwards."""
        found: Counted = {}
        for one in against:
            others = {n: texts for n, texts in group.items() if n not in left_out[one.name]}
            for name, metric in named.items():
                found[name, one.name] = metric.count_all(
                    others, one.references, jobs=jobs, progress=progress
                )
        return found

    counts: Counted = {(name, one.name): {} for name in named for one in against}
    for found in map(counted, groups):
        for key, of_systems in found.items():
            counts[key] |= of_systems
    return [
        Scored(
            metric=metric,
            label=name,
            reference=one.name,
            references=one.references,
            counts=counts[name, one.name],
            documents=documents,
            segments=segments,
            left_out=left_out[one.name],
        )
        for name, metric in named.items()
        for one in against
    ]


def labels(metrics: Sequence[Metric]) -> Iterator[str]:
    """What each metric is called: its name, with the options that differ where it occurs twice."""
    names = Counter(metric.name for metric in metrics)
    given: Counter[str] = Counter()
    for metric in metrics:
        options = ",".join(_options(metric)) if names[metric.name] > 1 else ""
        label = f"{metric.name}:{options}" if options else metric.name
        given[label] += 1
        yield label if given[label] == 1 else f"{label} ({given[label]})"


def _options(metric: Metric) -> Iterator[str]:
    """The options that are not as by default; of what is no plain value, only that it is given."""
    for field in msgspec.structs.fields(metric):
        value = getattr(metric, field.name)
        if value != field.default:
            plain = isinstance(value, str | int | float)
            told = str(value).lower() if isinstance(value, bool) else value if plain else "given"
            yield f"{field.encode_name}={told}"
