"""Automatic metrics.

A file in this folder adds a metric: a subclass of `jurat.metrics.metric.Metric` with a name.
Outside packages add theirs by an entry point in the group `jurat.metrics`.
"""

from jurat.metrics.direction import counts_errors, error_metrics
from jurat.metrics.metric import metrics
from jurat.metrics.metric_list import EXAMPLE, metric_named, parse_metrics

__all__ = ["EXAMPLE", "counts_errors", "error_metrics", "metric_named", "metrics", "parse_metrics"]
