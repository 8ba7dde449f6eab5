"""Jurat behind a real nginx with TLS, configured as in `deploy`."""

import os
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
from tests import ROOT
from tests.campaigns.sample_campaigns import NAME, Setting, admit
from tests.cli.server import fetched, served
from tests.conftest import require
from tests.machine import nginx
from tests.store.empty_store import empty_store
from tests.web.website import BASE

HOST = "127.0.0.1"


def free_port() -> int:
    with socket.socket() as one:
        one.bind((HOST, 0))
        return int(one.getsockname()[1])


@pytest.fixture(scope="module")
def slip(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Slip]:
    """A folder with a store in which a campaign runs, and a judge's login."""
    folder = tmp_path_factory.mktemp("nginx")
    with empty_store(folder / "jurat.db") as store:
        Setting(store).create()
        (made,) = admit(store, NAME, 1)
    return folder, made


UNDER = "/evaluation"


def configuration(folder: Path, server: int, proxy: int, under: str = "") -> Path:
    """The configuration of `deploy`, with ports and certificates of this test.

    With `under`, Jurat is served under that path, as a comment there says.
    """
    text = (ROOT / "deploy" / "nginx.conf").read_text()
    # started by root, its workers would be of a user who cannot write to this folder
    user = "" if os.geteuid() else "user root;"
    for before, after in (
        ("server jurat:8000", f"server {HOST}:{server}"),
        ("listen 443 ssl", f"listen {HOST}:{proxy} ssl"),
        ("certificates/", f"{folder}/"),
        ("location / {", f"location {under}/ {{"),
        ("proxy_pass http://jurat;", f"proxy_pass http://jurat{'/' if under else ''};"),
        ("worker_processes auto", f"{user} daemon off; pid {folder}/pid; worker_processes 1"),
    ):
        assert before in text
        text = text.replace(before, after)
    # where nginx puts what it cannot hold in memory, which only root may do at its usual place
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    path = folder / "nginx.conf"
    path.write_text(re.sub(r"http \{", f"http {{ {temporary}", text, count=1))
    return path


@contextmanager
def behind_nginx(folder: Path, under: str = "") -> Iterator[httpx2.Client]:
    """A browser's connection to a server through nginx."""
    program, stored = require(nginx.find), folder / "jurat.db"
    folder = folder / f"nginx{under.replace('/', '-')}"
    folder.mkdir()
    certificate = ("-subj", f"/CN={HOST}", "-addext", f"subjectAltName=IP:{HOST}")
    files = ("-keyout", f"{folder}/jurat.key", "-out", f"{folder}/jurat.crt")
    make = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2")
    subprocess.run([*make, *files, *certificate], check=True, capture_output=True)
    server, port = free_port(), free_port()
    own = configuration(folder, server, port, under)
    serve = ("serve", "--port", str(server), "--secure", "--root-path", under)
    with served(*serve, cwd=folder, store=stored):
        fetched(f"http://{HOST}:{server}/ready")
        errors = f"stderr error; error_log {folder}/error.log;"
        running = subprocess.Popen([program, "-c", str(own), "-g", f"error_log {errors}"])
        try:
            trusted = ssl.create_default_context(cafile=f"{folder}/jurat.crt")
            transport = httpx2.HTTPTransport(verify=trusted, retries=5)
            url = f"https://{HOST}:{port}"
            with httpx2.Client(base_url=url, transport=transport, timeout=30) as client:
                yield client
        finally:
            running.terminate()
            running.wait()


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
