"""Automatic metrics: a hypothesis and its references in, counts out, and a score from their sum.

One file of this folder adds a metric. Segments, documents and the whole corpus are scored by the
same two steps, and bootstraps and paired tests need nothing but the counts.
"""

from __future__ import annotations

from functools import cache

from jurat.metrics.metric import Metric
from jurat.registry import Registry


@cache
def metrics() -> Registry[Metric]:
    """Every metric there is, by name."""
    return Registry("jurat.metrics", Metric, word="metric")
