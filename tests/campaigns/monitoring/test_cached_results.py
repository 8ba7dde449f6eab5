"""Cached results: nothing yet, computing, ready, newer judgments, and a worker that dies."""

import subprocess
import sys
import time
from concurrent.futures import Future
from typing import Any

import pytest

from jurat.campaigns.monitoring import cached_results as module
from jurat.campaigns.monitoring import sections
from jurat.campaigns.monitoring.cached_results import RETRY_AFTER, CachedResults
from jurat.campaigns.monitoring.filters import Filter
from jurat.campaigns.monitoring.worker import WorkerFailed, WorkerState
from jurat.errors import InputError
from tests import ROOT
from tests.campaigns.sample_campaigns import NAME, Setting, plan, task

LONG = 300.0


def test_everything_that_pages_ask_for(cached: CachedResults, state: WorkerState):
    chosen = Filter(task="rating")
    seen = cached.summary(NAME, chosen, timeout=LONG)
    assert not seen.computing
    assert seen.value is not None
    here = sections.summary(state, NAME, chosen)
    assert seen.as_of == here.as_of
    told = {
        n: [(r.name, r.estimates, r.figure()) for r in p] for n, p in seen.value.sections.items()
    }
    assert told == {
        n: [(r.name, r.estimates, r.figure()) for r in p] for n, p in here.sections.items()
    }
    both = cached.compare(NAME, Filter(task="rating", without=("p1",)), timeout=LONG).value
    assert both is not None
    assert both.before.sections.keys() == here.sections.keys()
    views = (
        cached.section(NAME, "time", chosen, timeout=LONG),
        cached.segment(NAME, "paper1", "1", timeout=LONG),
        cached.judge(NAME, "p1", timeout=LONG),
        cached.system(NAME, "cedar", timeout=LONG),
    )
    assert all(view.value and view.as_of == here.as_of for view in views)
    assert not any(view.computing for view in views)


def test_what_nobody_changed_is_kept(cached: CachedResults, monkeypatch):
    first = cached.summary(NAME, Filter(task="rating"), timeout=LONG)
    asked = []
    monkeypatch.setattr(cached._worker, "submit", lambda *a, **_: asked.append(a))
    again = cached.summary(NAME, Filter(task="rating"), timeout=0)
    assert again.value is first.value
    assert (again.computing, asked) == (False, [])


def test_the_status_of_something_new_is_computing_then_ready(cached: CachedResults):
    chosen = Filter(task="rating", k=1.25)
    first = cached.summary(NAME, chosen, timeout=0)
    assert first.status() == {
        "ready": False,
        "computing": True,
        "failed": False,
        "version": None,
    }
    ready = cached.summary(NAME, chosen, timeout=LONG)
    version = cached._store.stamp(NAME)
    assert ready.status() == {
        "ready": True,
        "computing": False,
        "failed": False,
        "version": version,
    }


class Dying:
    """A worker whose jobs all fail."""

    def __init__(self) -> None:
        self.jobs = 0

    def submit(self, *_: object, **__: object) -> Future[Any]:
        self.jobs += 1
        future: Future[Any] = Future()
        future.set_exception(WorkerFailed("killed"))
        return future


def test_a_dead_worker_is_told_and_not_restarted_at_once(cached: CachedResults, monkeypatch):
    """Older results stay; after a while the computation is tried again."""
    cached.summary(NAME, Filter(task="rating"), timeout=LONG)
    worker, clock = Dying(), [0.0]
    monkeypatch.setattr(cached, "_worker", worker)
    monkeypatch.setattr(module, "monotonic", lambda: clock[0])
    for chosen, ready in ((Filter(task="rating", k=2.5), False), (Filter(task="rating"), True)):
        if ready:
            monkeypatch.setattr(cached._store, "stamp", lambda _: "newer")
        before = worker.jobs
        for _ in range(3):
            found = cached.summary(NAME, chosen, timeout=0)
            assert (found.value is not None, found.computing, found.failed) == (ready, False, True)
        assert worker.jobs == before + 1
        clock[0] += RETRY_AFTER
        assert cached.summary(NAME, chosen, timeout=0).failed
        assert worker.jobs == before + 2


def test_faults_are_told(cached: CachedResults):
    for _ in range(2):
        with pytest.raises(InputError, match="genr"):
            cached.summary(NAME, Filter(where="genr == 'news'"), timeout=LONG)
    with pytest.raises(InputError, match="unknown judge"):
        cached.judge(NAME, "nobody", timeout=LONG)
    with pytest.raises(InputError, match="no campaign"):
        cached.summary("nowhere", timeout=LONG)


def test_a_fault_that_comes_late_is_told_the_next_time(cached: CachedResults):
    chosen = Filter(where="gnre == 'news'")
    assert cached.summary(NAME, chosen, timeout=0) == (None, True, False, None)
    with pytest.raises(InputError, match="gnre"):
        wait(cached, chosen)


def wait(cached: CachedResults, chosen: Filter) -> None:
    while cached.summary(NAME, chosen, timeout=0.05).computing:
        time.sleep(0.01)


def test_new_judgments_are_seen_and_old_results_meanwhile(setting: Setting):
    """On both databases, with judges at work between the looks."""
    judges = setting.launch(plan(task("sqm", wanted=2)), judges=6)
    cached = CachedResults(setting.store, nice=0)
    try:
        for judge in judges[:3]:
            setting.kit(judge)
        first = cached.summary(NAME, timeout=LONG)
        assert first.as_of is not None
        assert first.as_of.judgments == 6
        setting.kit(judges[3])
        old = cached.summary(NAME, timeout=0)
        assert (old.value, old.computing) == (first.value, True)
        fresh = old
        while fresh.computing:
            fresh = cached.summary(NAME, timeout=0.2)
        assert fresh.as_of is not None
        assert fresh.as_of.judgments == 8
        setting.service.campaigns.give_back(NAME, "p0", author="boss", reason="careless")
        after = cached.summary(NAME, timeout=LONG)
        assert after.value is not None
        judges_left = {
            e.by.get("judge")
            for r in after.value.sections["judges"]
            for e in r.estimates
            if r.name == "judge-mean"
        }
        assert "p0" not in judges_left
        assert "p1" in judges_left
    finally:
        cached.close()


def test_a_look_costs_the_server_nothing_heavy():
    """Tables and statistics are not even imported by the process that serves judges."""
    script = (
        "import sys; from jurat.campaigns.monitoring.cached_results import CachedResults;"
        "import jurat.campaigns;"
        "print([n for n in ('polars', 'scipy', 'numba', 'numpy') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_only_the_latest_results_are_kept(cached: CachedResults, monkeypatch):
    monkeypatch.setattr("jurat.campaigns.monitoring.cached_results.CAPACITY", 2)
    for k in (1.5, 1.6, 1.7):
        cached.summary(NAME, Filter(task="rating", k=k), timeout=LONG)
    kept: Any = cached._entries
    assert [key[2][0].k for key in kept] == [1.6, 1.7]
