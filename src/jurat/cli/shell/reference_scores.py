"""A metric's scores of a test set's translations, against each of its references apart."""

from __future__ import annotations

from jurat.cli.shell.printing import tracker
from jurat.formats.scores import Score
from jurat.metrics.metric import Metric
from jurat.model import TestSet


def reference_scores(test_set: TestSet, metric: Metric) -> list[Score]:
    """A score for every translation and reference; a reference is not scored against itself."""
    own = {system.name: system.reference for system in test_set.systems}
    places: list[tuple[str, str, str, str]] = []
    hypotheses: list[str] = []
    references: list[list[str]] = []
    for document, segment in test_set.segments():
        for system, made in segment.translations.items():
            for name, text in segment.references.items():
                if own.get(system) != name:
                    places.append((document.id, segment.id, system, name))
                    hypotheses.append(made.text)
                    references.append([text])
    with tracker("scoring", len(hypotheses)) as advance:
        counts = metric.count_all({"": hypotheses}, references, progress=advance)[""]
    values = metric.score(counts, single=True).tolist()
    return [
        Score(document=document, segment=segment, system=system, reference=name, value=value)
        for (document, segment, system, name), value in zip(places, values, strict=True)
    ]
