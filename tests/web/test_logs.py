"""The server's log: what it says, how often, and what it never says."""

import asyncio
import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from jurat.store import StoreBusy, StoreFull
from jurat.web import concurrency_limit, logs
from jurat.web.logs import LOGGER, ErrorLog, configure_logs, request_id
from tests.event_loop import awaited
from tests.web.website import BASE, Website, website


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What the log of this process has, as JSON lines."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    stream = io.StringIO()
    configure_logs("json", stream)
    yield stream
    root.handlers[:] = before
    root.setLevel(level)


def lines(written: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in written.getvalue().splitlines()]


def test_an_error_is_logged_with_its_request_and_without_the_address(
    site: Website, written: io.StringIO, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(site.setting.store, "judge_by_token", lambda *_: 1 / 0)
    told = site.visitor().get("link/secret-token")
    assert told.status_code == 500
    (line,) = lines(written)
    assert line["request_id"] == told.headers["x-request-id"]
    assert (line["event"], line["level"]) == ("request_failed", "error")
    assert line["route"] == "/link/{token}"
    assert "ZeroDivisionError" in str(line["exception"])
    assert "secret-token" not in written.getvalue()
    text = io.StringIO()
    configure_logs("text", text)
    site.visitor().get("link/secret-token")
    assert "ZeroDivisionError" in text.getvalue()
    assert "secret-token" not in text.getvalue()


def test_store_errors_are_logged_once_a_minute_with_their_number(
    site: Website, written: io.StringIO, monkeypatch: pytest.MonkeyPatch
):
    (slip,) = site.slips()
    visitor = site.visitor().follow(slip)
    monkeypatch.setattr(site.setting.store, "judge", _full)
    answers = [visitor.get() for _ in range(5)]
    assert {answer.status_code for answer in answers} == {503}
    assert "disk is full" in answers[0].text
    assert answers[0].headers["retry-after"]
    (line,) = lines(written)
    assert (line["kind"], line["count"]) == ("StoreFull", 1)


def _full(*_: object) -> None:
    raise StoreFull("no room is left")


def test_the_number_comes_after_a_minute(
    written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "PAUSE", 0.0)

    async def errors() -> None:
        log = ErrorLog()
        for _ in range(3):
            log.note(StoreFull("a"))
        log.note(StoreBusy("b"))
        for _ in range(3):  # of the loop's rounds, in each of which what is due is called
            await asyncio.sleep(0)

    awaited(errors())
    assert [(line["kind"], line["count"]) for line in lines(written)] == [
        ("StoreFull", 1),
        ("StoreBusy", 1),
        ("StoreFull", 2),
    ]


@pytest.mark.usefixtures("written")
def test_text_for_people() -> None:
    stream = io.StringIO()
    configure_logs("text", stream)
    LOGGER.warning("disk_low", extra={"free": 7})
    assert "disk_low" in stream.getvalue()
    assert "free=7" in stream.getvalue()


def test_requests_have_ids_of_their_own_or_of_the_proxy() -> None:
    first, second = request_id([]), request_id([(b"x-request-id", b"a\nb")])
    assert first != second
    assert request_id([(b"x-request-id", b"proxy-7")]) == b"proxy-7"


def test_more_requests_than_can_be_answered_in_time(
    site: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = site.visitor().client
    monkeypatch.setattr(concurrency_limit, "MOST_UNDER_WAY", 0)
    refusals = [client.get(BASE) for _ in concurrency_limit.SPREAD]
    assert {told.status_code for told in refusals} == {503}
    # those who are refused together do not come again together
    assert {told.headers["retry-after"] for told in refusals} == {*concurrency_limit.SPREAD}
    assert "content-security-policy" in refusals[0].headers
    assert client.get("/healthy").text == "ok"


def test_the_health_check_writes_and_not_at_every_request(tmp_path: Path) -> None:
    with website(tmp_path) as site:
        site.setting.create()
        client = site.visitor().client
        assert client.get("/ready").text == client.get("/healthy").text == "ok"
        site.setting.store.close()
        assert client.get("/ready").status_code == 503
        assert client.get("/healthy").text == "ok"  # a moment ago it was
        site.app.state.site.health._checked = 0.0
        assert client.get("/healthy").text == "StoreFailed"
