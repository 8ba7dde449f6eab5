"""Every page of coordinators and adjudicators, as everybody who might ask for it."""

import re
from collections.abc import Iterator

import pytest
from starlette.routing import Route

from jurat.web import adjudicator, coordinator
from tests.campaigns.sample_campaigns import NAME, plan, task
from tests.web.website import Visitor, Website, form_key, website

OPEN = {"/", "/login", "/logout", "/begin/{token}"}
"""Of the whole site: where one comes in."""
PAGES = [
    *(("/desk", route) for route in coordinator.site_routes if route.path not in OPEN),
    *((f"/c/{NAME}/desk", route) for route in coordinator.routes),
    *((f"/c/{NAME}/cases", route) for route in adjudicator.routes),
]
MAY = {
    "/desk": {"site"},
    f"/c/{NAME}/desk": {"site", "coordinator"},
    f"/c/{NAME}/cases": {"adjudicator"},
}
ROLES = ("nobody", "guest", "judge", "stranger", "adjudicator", "coordinator", "site")
"""A stranger coordinates another campaign, and brings his cookie along."""


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Website]:
    with website(tmp_path_factory.mktemp("town")) as site:
        for name in (NAME, "other"):
            site.setting.create({**plan(task(), guest=True), "name": name})
        yield site


@pytest.fixture(scope="module")
def people(town: Website) -> dict[str, Visitor]:
    roles = ("judge", "adjudicator", "coordinator")
    known = {role: town.visitor().follow(town.slips(1, role=role)[0]) for role in roles}
    known |= {role: town.visitor() for role in ("nobody", "guest", "stranger", "site")}
    (slip,) = town.slips(1, "other", role="coordinator")
    elsewhere = town.visitor("other").follow(slip)
    cookie = next(one for one in elsewhere.client.cookies.jar if one.name == "jurat")
    place = {"domain": "jurat.test", "path": f"/c/{NAME}/"}
    known["stranger"].client.cookies.set("jurat", cookie.value or "", **place)
    token = town.service.coordinators.set_up()
    client = known["site"].client
    key = form_key(client.get(f"/desk/begin/{token}"))
    sent = {"form_key": key, "name": "Ada", "password": "a long secret"}
    assert client.post(f"/desk/begin/{token}", data=sent).status_code == 200
    return known


def address(base: str, path: str) -> str:
    filled = {"task": "rating", "kind": "csv", "key": "x", "pin": "x", "name": "cedar"}
    return base + re.sub(r"\{(\w+)(:\w+)?\}", lambda m: filled.get(m[1], "1"), path)


def test_every_page_says_whom_it_is_for():
    assert len(PAGES) > 12
    for base, route in PAGES:
        assert isinstance(route, Route)
        role = getattr(route.endpoint, "role", None)
        assert role == ("adjudicator" if base.endswith("cases") else "coordinator"), route.path


@pytest.mark.parametrize("role", ROLES)
def test_nobody_gets_what_is_not_for_him(people: dict[str, Visitor], role: str):
    client = people[role].client
    for base, route in PAGES:
        for method in sorted(route.methods or ()):
            told = client.request(method, address(base, route.path), follow_redirects=False)
            where = (role, method, base, route.path, told.status_code)
            assert told.status_code < 500, where
            if role in MAY[base]:
                lost = told.status_code == 303 and told.headers["location"] in ("/desk/", "/")
                assert told.status_code != 401, where
                assert not lost, where
            elif told.status_code == 303:
                assert method in ("GET", "HEAD"), where
                assert told.headers["location"] in ("/desk/", f"/c/{NAME}/"), where
            else:
                assert told.status_code == 403, where


@pytest.mark.parametrize("role", ["site", "coordinator", "adjudicator"])
def test_a_form_from_elsewhere_is_refused(people: dict[str, Visitor], role: str):
    """Also of those who may: a page of somebody else's could send it in their name."""
    client = people[role].client
    sent = [(b, r) for b, r in PAGES if "POST" in (r.methods or ()) and role in MAY[b]]
    for base, route in sent:
        told = client.post(address(base, route.path), data={"form_key": "0" * 32})
        assert told.status_code in (403, 404, 422), (route.path, told.status_code)
        assert told.status_code == 403 or role == "adjudicator", route.path
