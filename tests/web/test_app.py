"""Every request goes through the router, and what goes wrong is told in one place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Route

from jurat.campaigns import Service
from jurat.campaigns.service_context import FRESH, ServiceContext
from jurat.store import NoSuchCampaign
from jurat.web.security import HEADERS
from tests.campaigns.sample_campaigns import NAME, plan, task
from tests.web.website import BASE, Website, form_key, website, words

DECIDE = f"{BASE}api/decide"


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (ZeroDivisionError("a secret"), 500, "broken"),
        (NoSuchCampaign("a secret"), 404, "not-found"),
    ],
)
def test_errors_are_told_as_everywhere(
    site: Website,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: int,
    said: str,
):
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(ServiceContext, "age", fail)
    client = site.visitor().client
    told = client.post(DECIDE, json={})
    elsewhere = client.get(f"{BASE}api/step")
    assert (told.status_code, told.json()["error"]) == (status, said)
    assert (elsewhere.status_code, elsewhere.json()) == (status, told.json())
    for answer in (told, elsewhere):
        assert answer.headers.pop("x-request-id")
    assert told.headers == elsewhere.headers
    assert {name: told.headers[name] for name in HEADERS} == HEADERS


def test_a_mistake_of_ours_goes_to_the_log(site: Website, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ServiceContext, "age", lambda *_: 1 / 0)
    client = site.visitor(raise_server_exceptions=True).client
    with pytest.raises(ZeroDivisionError):
        client.post(DECIDE, json={})


def test_whoever_is_gone_is_told_nothing(site: Website):
    sent: list[Any] = []

    async def gone() -> dict[str, str]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    visitor = site.visitor().follow(site.slips()[0])
    cookies = "; ".join(f"{name}={value}" for name, value in visitor.client.cookies.items())
    headers = {
        "cookie": cookies,
        "x-form-key": form_key(visitor.get("judge")),
        "content-length": "9",
    }
    scope = {
        "type": "http",
        "method": "POST",
        "path": DECIDE,
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    assert visitor.client.portal
    visitor.client.portal.call(site.app, scope, gone, send)
    assert sent == []


def test_decisions_are_looked_for_first(site: Website):
    first = site.app.routes[0]
    assert isinstance(first, Route)
    assert (first.path, first.methods) == ("/c/{campaign}/api/decide", {"POST"})


def test_a_login_that_ended_is_told_by_its_status(site: Website):
    visitor = site.visitor().follow(site.slips()[0])
    key = form_key(visitor.get("judge"))
    account = next(one for one in site.setting.store.judges(NAME) if one.role == "judge")
    site.setting.service.accounts.reset(NAME, account.pin, author="boss")
    sent = {"assignment": "any", "position": 1, "answers": {}}
    told = visitor.client.post(DECIDE, json=sent, headers={"X-Form-Key": key})
    assert told.status_code == 401


@pytest.mark.parametrize("path", ["/c/a b/api/decide", "/c/a\0/api/decide", "/c//api/decide"])
def test_what_can_be_no_campaign_is_not_found(site: Website, path: str):
    assert site.visitor().client.post(path.replace("\0", "%00"), json={}).status_code == 404


def test_a_campaign_that_another_process_deleted_is_gone_and_one_of_its_name_is_another(
    tmp_path: Path,
):
    with website(tmp_path) as site:
        there = Service(site.setting.store, clock=site.setting.watch)
        site.setting.launch()
        (slip,) = site.slips()
        visitor = site.visitor().follow(slip)
        assert "100" in words(visitor.get("judge").text)
        there.campaigns.delete(NAME, author="Ada")
        site.setting.watch.pass_by(FRESH.total_seconds())
        # the second one no longer finds it in memory
        assert [visitor.get("judge").status_code for _ in range(2)] == [404, 404]
        site.setting.launch(plan(task("sqm")))
        (slip,) = site.slips()
        shown = words(site.visitor().follow(slip).get("judge").text)
        assert "100" not in shown
        assert "Nonsense" in shown
