"""A site with one campaign, and its coordinators."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.campaigns.sample_campaigns import make_set, plan, task
from tests.web.website import Visitor, Website, website

DESK = "/desk/"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Website]:
    """A campaign with a tutorial that nobody has begun."""
    with website(tmp_path) as found:
        rating = task("da", required={"tutorial": 1, "evaluation": 1})
        declared = plan(rating, tutorial="tutorial.jsonl", title="Rating in spring")
        found.setting.create(declared, tutorial=make_set(1, 1, kind="lesson"))
        yield found


@pytest.fixture
def ada(site: Website) -> Visitor:
    """The first coordinator of the site, who set it up."""
    return _first(site, "Ada")


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Website]:
    """A site for tests that leave its campaign alone."""
    with website(tmp_path_factory.mktemp("town")) as found:
        found.setting.create(plan(task("da")))
        yield found


@pytest.fixture(scope="module")
def grace(town: Website) -> Visitor:
    """The coordinator of that site."""
    return _first(town, "Grace")


@pytest.fixture
def boss(site: Website) -> Visitor:
    """The coordinator of the one campaign."""
    (slip,) = site.slips(1, role="coordinator")
    return site.visitor().follow(slip)


def _first(site: Website, name: str) -> Visitor:
    visitor = site.visitor()
    visitor.base = DESK
    token = site.service.coordinators.set_up()
    page = visitor.get(f"begin/{token}")
    told = visitor.post(
        f"begin/{token}", {"name": name, "password": "a long secret"}, key=_key(page.text)
    )
    assert told.url.path == DESK
    return visitor


def _key(html: str) -> str:
    return html.partition('name="form_key" value="')[2].partition('"')[0]
