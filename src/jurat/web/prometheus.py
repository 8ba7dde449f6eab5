"""Metrics for Prometheus, at a port of their own that only this machine reaches.

All worker processes write to files of one folder, which the process that serves them adds up.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prometheus_client.core import GaugeMetricFamily

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
HOST = "127.0.0.1"
# Seconds; judges notice more than a tenth.
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """The counters of one process; without `FOLDER` in the environment nothing is counted."""

    def __init__(self) -> None:
        self.enabled = bool(os.environ.get(FOLDER))
        if not self.enabled:
            return
        # imported only here: most servers are started without metrics
        from prometheus_client import Counter, Gauge, Histogram

        self._requests = Counter("jurat_requests", "Requests.", ["endpoint", "status"])
        self._seconds = Histogram(
            "jurat_request_seconds", "Time to answer.", ["endpoint"], buckets=BUCKETS
        )
        self._errors = Counter("jurat_store_errors", "Errors of the store.", ["kind"])
        self._under_way = Gauge(
            "jurat_requests_under_way", "Requests under way.", multiprocess_mode="livesum"
        )

    def count_request(self, endpoint: str, status: int, seconds: float, under_way: int) -> None:
        """Count a request that was answered."""
        if self.enabled:
            self._requests.labels(endpoint, str(status)).inc()
            self._seconds.labels(endpoint).observe(seconds)
            self._under_way.set(under_way)

    def count_store_error(self, kind: str) -> None:
        """Count an error of the store."""
        if self.enabled:
            self._errors.labels(kind).inc()


class StoreFiles:
    """Gauges of an SQLite store: bytes of its files, and room left on its disk."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The gauges as they are now, for the registry."""
        from prometheus_client.core import GaugeMetricFamily

        sizes = GaugeMetricFamily("jurat_store_bytes", "Size of the store.", labels=["file"])
        for name, path in (("main", self._path), ("wal", Path(f"{self._path}-wal"))):
            sizes.add_metric([name], path.stat().st_size if path.exists() else 0)
        yield sizes
        free = shutil.disk_usage(self._path.parent).free
        yield GaugeMetricFamily("jurat_disk_free_bytes", "Room on the store's disk.", value=free)


def serve_metrics(port: int, store: str) -> None:
    """Serve the metrics of all processes; before the first of them is started."""
    folder = os.environ[FOLDER] = tempfile.mkdtemp(prefix="jurat-metrics-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    from prometheus_client import CollectorRegistry, start_http_server
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    if "://" not in store:
        registry.register(StoreFiles(Path(store)))
    start_http_server(port, addr=HOST, registry=registry)
