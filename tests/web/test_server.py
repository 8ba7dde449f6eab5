"""Running the application: what a process reads before it can answer."""

import json
import subprocess
import sys
from pathlib import Path

from jurat.store import Store

START = """
import gc, json, sys
from jurat.web.server import application
gc.disable()
application()
print(json.dumps([gc.isenabled(), sorted(sys.modules)]))
"""
# Each takes tens of milliseconds or more, and none is needed for a judge's page.
LATER = {
    "alembic",
    "babel.dates",
    "jurat.campaigns.monitoring.cached_results",
    "jurat.stats",
    "jurat.web.adjudicator",
    "jurat.web.coordinator",
    "markdown_it",
    "numpy",
    "polars",
    "scipy",
    "segno",
    "sqlalchemy.dialects.postgresql",
    "vl_convert",
}


def test_a_server_starts_without_what_only_some_pages_need(tmp_path: Path) -> None:
    store = tmp_path / "jurat.db"
    Store.open(str(store)).close()
    done = subprocess.run(
        [sys.executable, "-c", START],
        env={"JURAT_SERVE_STORE": str(store), "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    collecting, imported = json.loads(done.stdout)
    assert collecting
    assert not LATER & set(imported)
