"""Live results: computed beside, kept until a judgment comes, and never in the way."""

import subprocess
import sys
import time
from typing import Any

import pytest

from jurat.campaigns.watching import parts
from jurat.campaigns.watching.filters import Filter
from jurat.campaigns.watching.live import Live
from jurat.campaigns.watching.room import Room
from jurat.faults import FaultyInput
from tests import ROOT
from tests.campaigns.setting import NAME, Setting, plan, task

LONG = 300.0


def test_everything_that_pages_ask_for(live: Live, room: Room):
    chosen = Filter(task="rating")
    seen = live.look(NAME, chosen, patience=LONG)
    assert not seen.computing
    assert seen.found is not None
    here = parts.looked(room, NAME, chosen)
    assert seen.as_of == here.as_of
    told = {n: [(r.name, r.estimates, r.figure()) for r in p] for n, p in seen.found.parts.items()}
    assert told == {
        n: [(r.name, r.estimates, r.figure()) for r in p] for n, p in here.parts.items()
    }
    both = live.compare(NAME, Filter(task="rating", without=("p1",)), patience=LONG).found
    assert both is not None
    assert both.before.parts.keys() == here.parts.keys()
    views = (
        live.whole(NAME, "time", chosen, patience=LONG),
        live.segment(NAME, "paper1", "1", patience=LONG),
        live.judge(NAME, "p1", patience=LONG),
        live.system(NAME, "cedar", patience=LONG),
    )
    assert all(view.found and view.as_of == here.as_of for view in views)
    assert not any(view.computing for view in views)


def test_what_nobody_changed_is_kept(live: Live, monkeypatch):
    first = live.look(NAME, Filter(task="rating"), patience=LONG)
    asked = []
    monkeypatch.setattr(live._beside, "ask", lambda *a, **_: asked.append(a))
    again = live.look(NAME, Filter(task="rating"), patience=0)
    assert again.found is first.found
    assert (again.computing, asked) == (False, [])


def test_faults_are_told(live: Live):
    for _ in range(2):
        with pytest.raises(FaultyInput, match="genr"):
            live.look(NAME, Filter(where="genr == 'news'"), patience=LONG)
    with pytest.raises(FaultyInput, match="unknown judge"):
        live.judge(NAME, "nobody", patience=LONG)
    with pytest.raises(FaultyInput, match="no campaign"):
        live.look("nowhere", patience=LONG)


def test_a_fault_that_comes_late_is_told_the_next_time(live: Live):
    chosen = Filter(where="gnre == 'news'")
    assert live.look(NAME, chosen, patience=0) == (None, True)
    with pytest.raises(FaultyInput, match="gnre"):
        wait(live, chosen)


def wait(live: Live, chosen: Filter) -> None:
    while live.look(NAME, chosen, patience=0.05).computing:
        time.sleep(0.01)


def test_new_judgments_are_seen_and_old_results_meanwhile(setting: Setting):
    """On both databases, with judges at work between the looks."""
    judges = setting.launch(plan(task("sqm", wanted=2)), judges=6)
    live = Live(setting.store, nice=0)
    try:
        for judge in judges[:3]:
            setting.kit(judge)
        first = live.look(NAME, patience=LONG)
        assert first.as_of is not None
        assert first.as_of.judgments == 6
        setting.kit(judges[3])
        old = live.look(NAME, patience=0)
        assert (old.found, old.computing) == (first.found, True)
        fresh = old
        while fresh.computing:
            fresh = live.look(NAME, patience=0.2)
        assert fresh.as_of is not None
        assert fresh.as_of.judgments == 8
        setting.service.give_back(NAME, "p0", author="boss", reason="careless")
        after = live.look(NAME, patience=LONG)
        assert after.found is not None
        judges_left = {
            e.by.get("judge")
            for r in after.found.parts["judges"]
            for e in r.estimates
            if r.name == "judge-mean"
        }
        assert "p0" not in judges_left
        assert "p1" in judges_left
    finally:
        live.close()


def test_a_look_costs_the_server_nothing_heavy():
    """Tables and statistics are not even imported by the process that serves judges."""
    script = (
        "import sys; from jurat.campaigns.watching.live import Live; import jurat.campaigns;"
        "print([n for n in ('polars', 'scipy', 'numba', 'numpy') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_only_the_latest_results_are_kept(live: Live, monkeypatch):
    monkeypatch.setattr("jurat.campaigns.watching.live.MOST", 2)
    for k in (1.5, 1.6, 1.7):
        live.look(NAME, Filter(task="rating", k=k), patience=LONG)
    kept: Any = live._kept
    assert [key[2][0].k for key in kept] == [1.6, 1.7]
