"""Decisions take a short cut through the application; whoever sends them notices nothing of it."""

from __future__ import annotations

from typing import Any

import pytest

from jurat.campaigns import Service
from jurat.store import NoSuchCampaign
from jurat.web.application import DECISION
from jurat.web.security import HEADERS
from tests.web.visiting import BASE, Website, form_key

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

    monkeypatch.setattr(Service, "age", fail)
    client = site.visitor().client
    told = client.post(DECIDE, json={})
    elsewhere = client.get(f"{BASE}api/step")
    assert (told.status_code, told.json()["error"]) == (status, said)
    assert (elsewhere.status_code, elsewhere.json()) == (status, told.json())
    assert told.headers == elsewhere.headers
    assert {name: told.headers[name] for name in HEADERS} == HEADERS


def test_a_mistake_of_ours_goes_to_the_log(site: Website, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Service, "age", lambda *_: 1 / 0)
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


@pytest.mark.parametrize("name", ["spring", "春-2", "my_set"])
def test_every_campaign_has_the_short_cut(name: str):
    found = DECISION.fullmatch(f"/c/{name}/api/decide")
    assert found
    assert found[1] == name


@pytest.mark.parametrize("path", ["/c/a b/api/decide", "/c/a\0/api/decide", "/c//api/decide"])
def test_what_can_be_no_campaign_is_not_found(site: Website, path: str):
    assert site.visitor().client.post(path.replace("\0", "%00"), json={}).status_code == 404
