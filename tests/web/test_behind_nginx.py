"""Jurat behind a real nginx with TLS, configured as in `deploy`."""

import re
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from jurat.campaigns.accounts import Slip
from tests.campaigns.sample_campaigns import NAME, Setting, admit
from tests.cli.server import fetched, served
from tests.conftest import require
from tests.machine import nginx
from tests.machine.nginx import HOST
from tests.store.empty_store import empty_store
from tests.web.website import BASE


@pytest.fixture(scope="module")
def slip(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Slip]:
    """A folder with a store in which a campaign runs, and a judge's login."""
    folder = tmp_path_factory.mktemp("nginx")
    with empty_store(folder / "jurat.db") as store:
        Setting(store).create()
        (made,) = admit(store, NAME, 1)
    return folder, made


UNDER = "/evaluation"


@contextmanager
def behind_nginx(folder: Path, under: str = "") -> Iterator[httpx2.Client]:
    """A browser's connection to a server through nginx."""
    require(nginx.find)
    stored, folder = folder / "jurat.db", folder / f"nginx{under.replace('/', '-')}"
    folder.mkdir()
    certificate = ("-subj", f"/CN={HOST}", "-addext", f"subjectAltName=IP:{HOST}")
    files = ("-keyout", f"{folder}/jurat.key", "-out", f"{folder}/jurat.crt")
    make = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2")
    subprocess.run([*make, *files, *certificate], check=True, capture_output=True)
    server = f"{HOST}:{nginx.free_port()}"
    serve = ("serve", "--port", server.partition(":")[2], "--secure", "--root-path", under)
    with served(*serve, cwd=folder, store=stored):
        fetched(f"http://{server}/ready")
        with nginx.running(folder, [server], tls=True, under=under) as url:
            trusted = ssl.create_default_context(cafile=f"{folder}/jurat.crt")
            transport = httpx2.HTTPTransport(verify=trusted, retries=5)
            with httpx2.Client(base_url=url, transport=transport, timeout=30) as client:
                yield client


@pytest.fixture(scope="module")
def proxy(slip: tuple[Path, Slip]) -> Iterator[httpx2.Client]:
    with behind_nginx(slip[0]) as client:
        yield client


def log_in(proxy: httpx2.Client, base: str, slip: Slip) -> httpx2.Response:
    """Log a judge in; the response leads to their overview."""
    (key,) = {*re.findall(r'name="form_key" value="([0-9a-f]+)"', proxy.get(base).text)}
    sent = {"form_key": key, "pin": slip.pin, "password": slip.password}
    told = proxy.post(f"{base}login", data=sent)
    assert told.status_code == 303
    assert told.headers["location"] == base
    return told


def test_a_judge_logs_in_over_tls(proxy: httpx2.Client, slip: tuple[Path, Slip]) -> None:
    page = proxy.get(BASE)
    assert page.status_code == 200
    assert "max-age" in page.headers["strict-transport-security"]
    told = log_in(proxy, BASE, slip[1])
    assert "secure" in told.headers["set-cookie"].lower()
    assert 'name="pin"' not in proxy.get(BASE).text


def test_browsers_are_offered_http_2(proxy: httpx2.Client, slip: tuple[Path, Slip]) -> None:
    context = ssl.create_default_context(cafile=f"{slip[0]}/nginx/jurat.crt")
    context.set_alpn_protocols(["h2", "http/1.1"])
    address = (HOST, proxy.base_url.port)
    with (
        socket.create_connection(address, 10) as plain,
        context.wrap_socket(plain, server_hostname=HOST) as connection,
    ):
        assert connection.selected_alpn_protocol() == "h2"


def test_requests_are_named_by_the_proxy_and_limited(proxy: httpx2.Client) -> None:
    told = proxy.get("/healthy")
    assert told.text == "ok"
    assert re.fullmatch("[0-9a-f]{32}", told.headers["x-request-id"])
    assert proxy.get("/healthy", headers={"cookie": "x" * 40_000}).status_code in (400, 431)
    assert proxy.post(f"{BASE}login", content=b"x" * (2 << 20)).status_code == 413


def addresses(page: str) -> set[str]:
    """Where links, forms, scripts and styles of a page lead, on this site."""
    return {*re.findall(r'(?:href|src|srcset|action|formaction)="(/[^"#?]*)', page)}


def test_every_address_is_under_the_path(slip: tuple[Path, Slip]) -> None:
    base = f"{UNDER}{BASE}"
    with behind_nginx(slip[0], UNDER) as proxy:
        assert proxy.get(f"{UNDER}/").headers["location"] == base
        told = log_in(proxy, base, slip[1])
        assert f"path={base};" in told.headers["set-cookie"].lower()
        desk, waiting, seen = f"{UNDER}/desk/", [base, f"{base}judge", f"{UNDER}/desk/"], {""}
        while waiting:
            here = waiting.pop()
            reply = proxy.get(here, follow_redirects=True)
            assert reply.status_code in (200, 405), here
            assert reply.url.path.startswith(f"{UNDER}/"), here
            found = addresses(reply.text)
            assert all(one.startswith(f"{UNDER}/") for one in found), (here, found)
            seen.add(here)
            waiting += found - seen - {*waiting}
        assert f"{desk}login" in seen
        assert any(one.startswith(f"{base}guidelines/") for one in seen)
        assert any(one.endswith("/style.css") for one in seen)
