"""`jurat serve`: the store's campaigns at an address."""

import os
import re
import select
import signal
from pathlib import Path

import pytest

from jurat.cli._common.store_address import shown_address
from tests.cli.run_command import jurat
from tests.cli.server import fetched, served


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "jurat.db"
    for line in ("sample try-out", "campaign create try-out/campaign.yaml"):
        assert jurat(*line.split(), cwd=tmp_path, store=path).returncode == 0
    return path


def test_the_campaign_is_there(store, tmp_path):
    with served("serve", "--port", "8417", cwd=tmp_path, store=store) as lines:
        assert "http://localhost:8417/" in lines[-1]
        assert "Four systems into English" in fetched("http://127.0.0.1:8417/")


def test_a_store_that_is_not_there_is_made_and_can_be_set_up(tmp_path):
    place = ("serve", "--port", "0", "--store", "new/jurat.db")
    with served(*place, cwd=tmp_path) as lines:
        assert lines[0] == "A new store: new/jurat.db\n"
        begin = re.search(r"http://localhost:(\d+)/desk/begin/[\w-]{20,}\n", lines[1])
        assert begin
        assert f"http://localhost:{begin[1]}/ " in lines[2]
        assert fetched(f"http://127.0.0.1:{begin[1]}/healthy") == "ok"
    with served(*place, cwd=tmp_path) as lines:  # nobody has begun yet
        assert len(lines) == 2
        assert "/desk/begin/" in lines[0]
        assert begin[0] not in lines[0]
    added = jurat("coordinators", "add", "Ada", "--store", "new/jurat.db", cwd=tmp_path)
    assert added.returncode == 0
    with served(*place, cwd=tmp_path) as lines:
        assert len(lines) == 1
    assert jurat("campaign", "list", "--store", "new/jurat.db", cwd=tmp_path).returncode == 0


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux tells of foreign processes")
def test_workers_end_with_the_process_that_started_them(tmp_path):
    pids: list[int] = []
    place = ("serve", "--port", "8418", "--workers", "2", "--store", "jurat.db")
    with served(*place, cwd=tmp_path, pids=pids):
        assert fetched("http://127.0.0.1:8418/healthy") == "ok"
        children = Path(f"/proc/{pids[0]}/task/{pids[0]}/children").read_text().split()
        workers = [os.pidfd_open(int(child)) for child in children]
        os.kill(pids[0], signal.SIGKILL)
        ended = select.poll()
        for worker in workers:
            ended.register(worker, select.POLLIN)
        while workers:
            for worker, _ in ended.poll(20_000) or pytest.fail("a worker lives on"):
                ended.unregister(worker)
                os.close(worker)
                workers.remove(worker)


def test_what_is_no_store(tmp_path):
    (tmp_path / "text.db").write_text("not a database, " * 100)
    done = jurat("serve", "--store", "text.db", cwd=tmp_path)
    assert done.returncode == 2
    assert "text.db is not a store" in done.stderr
    assert "Traceback" not in done.stderr


def test_no_password_of_a_database_is_shown():
    assert shown_address("postgresql://ada:geheim@host/jurat") == "postgresql://host/jurat"
    assert shown_address("some/jurat.db") == "some/jurat.db"
