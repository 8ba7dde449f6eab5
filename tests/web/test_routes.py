"""Every address, as everybody who might ask for it: nobody gets what is not for him."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.routing import Mount, Route

from jurat.web.judge import routes
from tests.campaigns.sample_campaigns import NAME, Setting, make_set, plan, task
from tests.web.website import Visitor, Website, form_key, website

ROLES = ("nobody", "guest", "judge", "stranger", "adjudicator", "coordinator")
"""A stranger is the judge of another campaign, who brings his cookie along."""
OPEN = {"/", "/guidelines/{task}", "/offline"}
"""Pages for everybody."""
WALKED = [(method, route.path) for route in routes for method in sorted(route.methods or ())]
WALKED.append(("POST", "/api/decide"))  # which stands first among all routes


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Website]:
    """Two campaigns, and one judge at work in the first."""
    with website(tmp_path_factory.mktemp("town")) as site:
        setting = site.setting
        own = task("da", required={"tutorial": 1, "evaluation": 1})
        switches = {"tutorial": "tutorial.jsonl", "guest": True, "registration": True}
        for name in (NAME, "other"):
            declared = {**plan(own, **switches), "name": name}
            setting.create(declared, tutorial=make_set(1, 1, kind="lesson"))
        yield site


@pytest.fixture(scope="module")
def people(town: Website) -> dict[str, Visitor]:
    roles = {role: town.slips(1, role=role)[0] for role in ("adjudicator", "coordinator")}
    town.slips(3, "other")
    (stranger, *_) = town.slips(3, "other")
    judge, *_ = town.slips(3)
    town.setting.start()
    town.setting.start("other")
    known = {
        "nobody": town.visitor(),
        "guest": town.visitor().be_guest(),
        "judge": town.visitor().follow(judge),
        "stranger": town.visitor(),
        **{role: town.visitor().follow(slip) for role, slip in roles.items()},
    }
    known["nobody"].get()
    elsewhere = town.visitor("other").follow(stranger)
    cookie = next(one for one in elsewhere.client.cookies.jar if one.name == "jurat")
    known["stranger"].client.cookies.set(
        "jurat", cookie.value or "", domain="jurat.test", path="/c/try/"
    )
    return known


def address(path: str, setting: Setting) -> str:
    """An address that really leads somewhere: the judge's own kit, a task that there is."""
    judge = next(one.id for one in setting.store.judges(NAME) if one.role == "judge")
    kit = _assignment(setting, judge)
    filled = {"{task}": "rating", "{assignment}": kit, "{position:position}": "1", "{token}": "x"}
    for name, value in filled.items():
        path = path.replace(name, value)
    return path.lstrip("/")


def _assignment(setting: Setting, judge: str) -> str:
    return setting.next(judge).assignment


def test_every_route_is_walked():
    assert all(isinstance(route, Route) and not isinstance(route, Mount) for route in routes)
    assert len(WALKED) > 25


@pytest.mark.parametrize("role", ROLES)
def test_nobody_gets_what_is_not_for_him(town: Website, people: dict[str, Visitor], role: str):
    visitor = people[role]
    for method, path in WALKED:
        if path in ("/logout", "/register", "/guest") and method == "POST":
            continue  # these change who one is; each has tests of its own
        where = visitor.base + address(path, town.setting)
        told = visitor.client.request(method, where, follow_redirects=False)
        assert told.status_code < 500, (method, path)
        assert "Traceback" not in told.text
        judging = 'class="step' in told.text or '"html"' in told.text
        mine = role == "judge" or (role == "guest" and path.startswith("/guest"))
        assert not judging or mine, (method, path)
        if path.startswith("/api/") and role in ("nobody", "guest", "stranger"):
            assert told.status_code in (401, 403, 411), (method, path)
        if path.startswith("/api/") and role in ("adjudicator", "coordinator"):
            assert told.status_code in (200, 403, 411), (method, path)


def test_the_judge_is_the_one_who_judges(people: dict[str, Visitor]):
    assert 'class="step' in people["judge"].get("judge").text
    for role in ("adjudicator", "coordinator"):
        told = people[role].get("judge")
        assert told.status_code == 403
        assert "for judging" in told.text
    assert people["adjudicator"].get().url.path.endswith("/cases/")
    assert people["coordinator"].get().url.path.endswith("/desk/")


def test_a_cookie_of_another_campaign_is_nobodys(people: dict[str, Visitor]):
    assert not people["stranger"].inside


def test_another_judges_kit_is_not_there(town: Website, people: dict[str, Visitor]):
    mine = _assignment(town.setting, _account(town, people["judge"]))
    other, *_ = town.slips(1)
    visitor = town.visitor().follow(other)
    for path in (f"api/ahead/{mine}/1", f"api/step/{mine}/1"):
        assert visitor.get(path).status_code == 404
    page = visitor.get(f"judge/{mine}/1")
    assert mine not in page.text
    body = {"assignment": mine, "position": 1, "answers": {"adequacy": 50}}
    key = {"x-form-key": form_key(visitor.get())}
    told = visitor.client.post(visitor.base + "api/decide", json=body, headers=key)
    assert told.status_code == 409
    assert not town.setting.decisions()
    assert visitor.client.put(visitor.base + "api/draft", json=body, headers=key).status_code == 409


def _account(town: Website, visitor: Visitor) -> str:
    pin = re.search(r"Judge (\w+)", visitor.get().text)
    assert pin
    return town.service.accounts.by_pin(NAME, pin[1]).id


def test_a_campaign_whose_name_is_not_latin_has_its_pages_too(tmp_path: Path):
    with website(tmp_path) as site:
        site.setting.create({**plan(), "name": "春の評価"})
        (slip,) = site.slips(1, "春の評価")
        visitor = site.visitor("春の評価")
        assert visitor.client.get("/").url.path == "/c/春の評価/"
        assert visitor.follow(slip).inside
        assert visitor.post("look", {"language": "es", "back": visitor.base}).status_code == 200


ODD = (
    b"",
    b"{",
    b"[]",
    b"null",
    b'{"assignment": 1, "position": 1, "answers": {}}',
    b'{"assignment": "x", "position": 99999999999999999999999, "answers": {}}',
    b'{"assignment": "x", "position": 9999999999, "answers": {}}',
    b'{"assignment": "x", "position": -1, "answers": {}}',
    b'{"assignment": "\\u0000", "position": 1, "answers": {}}',
    b'{"assignment": "\\ud800", "position": 1, "answers": {}}',
    b'{"assignment": "x", "position": 1, "answers": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    b'{"assignment": "x", "position": 1, "answers": {"adequacy": 1e999}}',
    b"\xff\xfe",
)


def test_odd_requests_of_a_script_are_refused_in_one_shape(town, people):
    send_odd_things(town, people["judge"])


def test_a_database_that_takes_less_is_asked_for_no_more(database: str):
    """PostgreSQL takes no zero bytes and no lone surrogates, and smaller numbers."""
    with website(database) as site:
        site.setting.create()
        slips = site.slips(3)
        site.setting.start()
        visitor = site.visitor().follow(slips[0])
        send_odd_things(site, visitor)
        for pin in ("\0", "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"), "💥"):
            assert visitor.post("login", {"pin": pin, "password": "\0"}).status_code == 403
        for assignment in ("\0", "x" * 10_000):
            sent = {"assignment": assignment, "position": "9" * 30, "q.adequacy": "50"}
            assert visitor.post("judge", sent).status_code in (200, 422)
        assert visitor.post("feedback", {"words": "a\0b"}).status_code == 200


def send_odd_things(town: Website, visitor: Visitor) -> None:
    mine = _assignment(town.setting, _account(town, visitor))
    headers = {"x-form-key": form_key(visitor.get()), "content-type": "application/json"}
    for body in (*ODD, *(one.replace(b'"x"', f'"{mine}"'.encode()) for one in ODD)):
        for method, path in (("POST", "decide"), ("PUT", "draft")):
            where = f"{visitor.base}api/{path}"
            told = visitor.client.request(method, where, content=body, headers=headers)
            assert told.status_code in (204, 400, 409, 422), (path, body[:80], told.text[:200])
    assert not town.setting.decisions()
