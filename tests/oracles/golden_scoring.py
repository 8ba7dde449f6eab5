"""Sentence scores of the metrics that golden rows speak of."""

from collections.abc import Sequence

import numpy as np

from jurat.metrics import parse_metrics

METRICS = {
    "bleu": "bleu",
    "bleu-plus-one": "bleu:smooth=add-k,smooth_value=1,tokenize=intl",
    "chrf": "chrf",
    "ter": "ter",
}


def score(name: str, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> list[float]:
    """The score of each sentence against its references."""
    (metric,) = parse_metrics(METRICS[name])
    scores = metric.score(metric.counts(hypotheses, references), single=True)
    return [float(value) for value in np.asarray(scores)]
