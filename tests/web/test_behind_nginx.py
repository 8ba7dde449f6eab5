"""Jurat behind a real nginx with TLS, configured as in `deploy`."""

import os
import re
import socket
import ssl
import subprocess
from collections.abc import Iterator
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


def configuration(folder: Path, server: int, proxy: int) -> Path:
    """The configuration of `deploy`, with ports and certificates of this test."""
    text = (ROOT / "deploy" / "nginx.conf").read_text()
    # started by root, its workers would be of a user who cannot write to this folder
    user = "" if os.geteuid() else "user root;"
    for before, after in (
        ("server jurat:8000", f"server {HOST}:{server}"),
        ("listen 443 ssl", f"listen {HOST}:{proxy} ssl"),
        ("certificates/", f"{folder}/"),
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


@pytest.fixture(scope="module")
def proxy(slip: tuple[Path, Slip]) -> Iterator[httpx2.Client]:
    """A browser's connection through nginx."""
    program, (folder, _) = require(nginx.find), slip
    certificate = ("-subj", f"/CN={HOST}", "-addext", f"subjectAltName=IP:{HOST}")
    files = ("-keyout", f"{folder}/jurat.key", "-out", f"{folder}/jurat.crt")
    make = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2")
    subprocess.run([*make, *files, *certificate], check=True, capture_output=True)
    server, port = free_port(), free_port()
    own = configuration(folder, server, port)
    serve = ("serve", "--port", str(server), "--secure")
    with served(*serve, cwd=folder, store=folder / "jurat.db"):
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


def test_a_judge_logs_in_over_tls(proxy: httpx2.Client, slip: tuple[Path, Slip]) -> None:
    page = proxy.get(BASE)
    assert page.status_code == 200
    assert "max-age" in page.headers["strict-transport-security"]
    (key,) = {*re.findall(r'name="form_key" value="([0-9a-f]+)"', page.text)}
    sent = {"form_key": key, "pin": slip[1].pin, "password": slip[1].password}
    told = proxy.post(f"{BASE}login", data=sent)
    assert told.status_code == 303
    assert told.headers["location"] == BASE
    assert "secure" in told.headers["set-cookie"].lower()
    assert 'name="pin"' not in proxy.get(BASE).text


def test_requests_are_named_by_the_proxy_and_limited(proxy: httpx2.Client) -> None:
    told = proxy.get("/healthy")
    assert told.text == "ok"
    assert re.fullmatch("[0-9a-f]{32}", told.headers["x-request-id"])
    assert proxy.get("/healthy", headers={"cookie": "x" * 40_000}).status_code in (400, 431)
    assert proxy.post(f"{BASE}login", content=b"x" * (2 << 20)).status_code == 413
