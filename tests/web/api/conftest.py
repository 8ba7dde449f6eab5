"""A site with a campaign at work, and a script with a token for everything."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tests.campaigns.sample_campaigns import plan, task
from tests.web.website import Website, website


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Website]:
    with website(tmp_path_factory.mktemp("api")) as found:
        found.setting.create(plan(task("esa")))
        found.service.coordinators.add("Ada", author="test")
        found.slips(3)
        found.setting.start()
        found.setting.play()
        yield found


def client_of(site: Website, *scopes: str) -> TestClient:
    """A script whose token has these scopes."""
    made = site.service.api_tokens.add("Ada", "+".join(scopes), scopes, author="test")
    client = site.visitor().client
    client.headers["Authorization"] = f"Bearer {made.secret}"
    client.base_url = client.base_url.join("/api/v1/")
    return client


@pytest.fixture(scope="module")
def script(site: Website) -> TestClient:
    return client_of(site, "read", "judges", "manage")
