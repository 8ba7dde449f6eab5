"""Webhooks: sent once, signed, tried again, and only to public addresses."""

import hashlib
import hmac
import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from time import sleep

import pytest

from jurat.campaigns.webhooks import FIRST_WAIT, MOST_ATTEMPTS, SIGNATURE
from jurat.errors import InputError
from jurat.web import webhook_sender
from tests.campaigns.sample_campaigns import NAME, Setting, plan, task
from tests.store.empty_store import empty_store

URL = "https://example.org/hook?x=1"


@pytest.fixture
def setting(tmp_path: Path) -> Iterator[Setting]:
    with empty_store(tmp_path / "jurat.db") as store:
        found = Setting(store)
        found.launch(plan(task("da"), webhook=URL), judges=3)
        yield found


class Receiver:
    """Remembers what it was sent, and answers with a status."""

    def __init__(self, status: int = 204) -> None:
        self.status = status
        self.got: list[tuple[str, bytes, Mapping[str, str]]] = []

    def __call__(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        self.got.append((url, body, headers))
        if not self.status:
            raise OSError("connection refused")
        return self.status


def test_a_finished_campaign_is_told_once_with_a_signature(setting: Setting):
    receiver = Receiver()
    setting.service.webhooks.deliver(receiver)
    assert receiver.got == []
    setting.play()
    (sent,) = setting.service.webhooks.deliver(receiver)
    assert (sent.event, sent.done, sent.wanted) == ("finished", 12, 12)
    ((url, body, headers),) = receiver.got
    assert url == URL
    key = setting.service.webhooks.key(NAME).encode()
    made = hmac.new(key, body, hashlib.sha256).hexdigest()
    assert headers[SIGNATURE] == f"sha256={made}"
    assert json.loads(body)["campaign"] == NAME
    setting.watch.pass_by(86_400)
    assert setting.service.webhooks.deliver(receiver) == []


def test_a_stuck_campaign_and_its_end(setting: Setting):
    receiver, accounts = Receiver(), setting.service.accounts
    pins = [one.pin for one in accounts.all(NAME)]
    for pin in pins:
        accounts.disable(NAME, pin, author="boss")
    assert [one.event for one in setting.service.webhooks.deliver(receiver)] == ["stuck"]
    assert setting.service.webhooks.deliver(receiver) == []
    for pin in pins:
        accounts.disable(NAME, pin, author="boss", disabled=False)
    assert [one.event for one in setting.service.webhooks.deliver(receiver)] == ["resumed"]
    setting.play()
    assert [one.event for one in setting.service.webhooks.deliver(receiver)] == ["finished"]


@pytest.mark.parametrize("status", [0, 301, 500])
def test_a_failure_is_tried_again_later_and_given_up_at_last(setting: Setting, status: int):
    receiver = Receiver(status)
    setting.play()
    hooks = setting.service.webhooks
    assert hooks.deliver(receiver) == []
    # too early, also for another server of the same store
    setting.watch.pass_by(FIRST_WAIT.total_seconds() - 1)
    hooks.deliver(receiver)
    assert len(receiver.got) == 1
    for _ in range(3 * MOST_ATTEMPTS):
        setting.watch.pass_by(timedelta(hours=12).total_seconds())
        hooks.deliver(receiver)
    assert len(receiver.got) == MOST_ATTEMPTS
    assert len(hooks.deliveries(NAME)) == MOST_ATTEMPTS


def test_addresses_that_are_none_are_refused(setting: Setting):
    for wrong in ("ftp://example.org", "example.org", "https://", "https://ada:x@example.org/"):
        with pytest.raises(InputError, match="expected an address"):
            setting.service.campaigns.update(NAME, {"webhook": wrong}, author="boss")


def test_requests_go_out_but_not_into_the_own_network(monkeypatch: pytest.MonkeyPatch):
    got: list[tuple[str, bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append((self.path, self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.handle_request)
        thread.start()
        url = f"http://localhost:{server.server_port}/hook?x=1"
        for private in (url, "http://[::1]/", "http://169.254.169.254/latest"):
            with pytest.raises(ValueError, match="private network"):
                webhook_sender.send(private, b"{}", {})
        monkeypatch.setenv(webhook_sender.PRIVATE, "1")
        assert (
            webhook_sender.send(f"http://127.0.0.1:{server.server_port}/hook?x=1", b"{}", {}) == 302
        )
        thread.join()
    assert got == [("/hook?x=1", b"{}")]


def test_an_answer_letter_by_letter_is_given_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(webhook_sender.PRIVATE, "1")
    monkeypatch.setattr(webhook_sender, "LONGEST", 0.2)

    def drip(server: socket.socket) -> None:
        connection, _ = server.accept()
        with connection, suppress(OSError):
            connection.send(b"HTTP/1.1 ")
            while True:
                connection.send(b"2")
                sleep(0.01)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = Thread(target=drip, args=(server,))
        thread.start()
        with pytest.raises(OSError, match="no answer in HTTP"):
            webhook_sender.send(f"http://127.0.0.1:{server.getsockname()[1]}/", b"{}", {})
        thread.join(10)
        assert not thread.is_alive()
