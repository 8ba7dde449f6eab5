"""`jurat serve`: the store's campaigns at an address."""

import pytest

from tests.cli.running import jurat
from tests.cli.serving import fetched, served


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


def test_no_store(tmp_path):
    done = jurat("serve", "--store", "none.db", cwd=tmp_path)
    assert done.returncode == 2
    assert "none.db" in done.stderr
