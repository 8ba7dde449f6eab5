"""Running the application: what a process reads before it can answer."""

import json
import subprocess
import sys
from pathlib import Path

from jurat.store import Store

START = """
import gc, json, sys
from jurat.web import server
server.IMPORT_AFTER = 3600.0
gc.disable()
server.application()
first = sorted(sys.modules)
server.import_rest()
print(json.dumps([gc.isenabled(), first, sorted(sys.modules)]))
"""
# Each takes milliseconds or more, and none is needed for a judge's page.
LATER = {
    "alembic",
    "babel.dates",
    "jurat.campaigns.monitoring.cached_results",
    "jurat.kits.audit",
    "jurat.kits.build",
    "jurat.stats",
    "jurat.testsets.selection",
    "jurat.web.adjudicator",
    "jurat.web.coordinator",
    "markdown_it",
    "numpy",
    "polars",
    "scipy",
    "segno",
    "smtplib",
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
    collecting, first, afterwards = json.loads(done.stdout)
    assert collecting
    assert not LATER & set(first)
    assert {"jurat.web.adjudicator", "jurat.web.coordinator"} <= set(afterwards)
    assert not {"numpy", "polars", "scipy"} & set(afterwards)
