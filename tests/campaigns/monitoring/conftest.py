"""A campaign that bots have judged, for all tests that only look at it."""

from collections.abc import Iterator

import pytest

from jurat.campaigns.monitoring.cached_results import CachedResults
from jurat.campaigns.monitoring.worker import WorkerState
from jurat.store import Store
from tests.campaigns.sample_campaigns import Setting, head, jsonl, make_set, plan, segment, task

GENRES = ("news", "talk")


def tagged() -> bytes:
    """Two documents of four segments, with tags, and a reference that is one of the texts."""
    lines = [
        segment(
            document,
            n,
            tags={"genre": GENRES[k], "construct": ("cleft", "passive")[n % 2]},
        )
        for k, document in enumerate(("paper1", "paper2"))
        for n in range(1, 5)
    ]
    return jsonl([head(["paper1", "paper2"]), *lines])


DECLARED = plan(
    task(
        "tapet-adequacy",
        wanted=3,
        required={"tutorial": 1},
        kits={"repeats": 1, "controls": {"degraded": 1}},
    ),
    task("preference", wanted=2) | {"name": "pairs"},
    task("esa", wanted=2) | {"name": "errors"},
    task("heval", wanted=1) | {"name": "features"},
    task("post-edit", wanted=1) | {"name": "edits"},
    tutorial="tutorial.jsonl",
)


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Setting]:
    """All tasks done by bots, one of whom answers without looking."""
    path = tmp_path_factory.mktemp("watching") / "jurat.db"
    with Store.open(str(path)) as store:
        setting = Setting(store)
        setting.launch(DECLARED, judges=12, set=tagged(), tutorial=make_set(1, 1, kind="lesson"))
        setting.play(noise=0.1, careless=0.1)
        yield setting


@pytest.fixture(scope="session")
def state(played: Setting) -> WorkerState:
    """What the process worker would know."""
    return WorkerState(played.store.address)


@pytest.fixture(scope="module")
def cached(played: Setting) -> Iterator[CachedResults]:
    """The real thing: a process of its own."""
    cached = CachedResults(played.store, nice=0)
    yield cached
    cached.close()
