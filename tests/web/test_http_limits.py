"""What one connection may send, and how long it may take."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from jurat.web import concurrency_limit, http_limits
from jurat.web.http_limits import HEADER_BYTES, WAITING_REQUESTS, LimitedProtocol
from tests.event_loop import awaited

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Connect = Callable[[], Coroutine[Any, Any, Connection]]
GET = b"GET /%s HTTP/1.1\r\nhost: jurat.test\r\n"
POST = b"POST / HTTP/1.1\r\nhost: jurat.test\r\ncontent-length: %d\r\n\r\n"
MEBIBYTE = b"x" * (1 << 20)
LENGTH = len(concurrency_limit.refusal().body)


async def echo_length(scope: Scope, receive: Receive, send: Send) -> None:
    """Read the body and say how long it was; at /refused say so without reading it."""
    request, response = Request(scope, receive), Response(status_code=413)
    if request.url.path == "/large":
        response = PlainTextResponse(MEBIBYTE * 64)
    elif request.url.path != "/refused":
        response = PlainTextResponse(str(len(await request.body())))
    await response(scope, receive, send)


@asynccontextmanager
async def listening() -> AsyncIterator[Connect]:
    """A server with the limits, and a function that connects to it."""
    config = uvicorn.Config(
        echo_length, http=LimitedProtocol, ws="none", lifespan="off", port=0, log_config=None
    )
    server = uvicorn.Server(config)
    config.load()
    server.lifespan = config.lifespan_class(config)
    await server.startup()
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield partial(asyncio.open_connection, "127.0.0.1", port)
    finally:
        server.force_exit = True
        await server.shutdown()


def talk(conversation: Callable[[Connect], Coroutine[Any, Any, None]]) -> None:
    """Run a conversation with a server."""

    async def run() -> None:
        async with listening() as connect:
            await asyncio.wait_for(conversation(connect), 30)

    awaited(run())


async def sent(connect: Connect, *parts: bytes) -> bytes:
    """What the server says to a request before it closes the connection."""
    reader, writer = await connect()
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
        return await reader.read()
    except ConnectionResetError:
        return b"reset"
    finally:
        writer.close()


def test_requests_within_the_limits_are_answered_on_one_connection() -> None:
    async def conversation(connect: Connect) -> None:
        reader, writer = await connect()
        for body in (b"", b"some", MEBIBYTE):
            writer.write(b"\r\n")  # as some old clients do after a body
            writer.write(POST % len(body) + body)
            said = await reader.readuntil(b"\r\n\r\n")
            assert said.startswith(b"HTTP/1.1 200")
            assert await reader.readexactly(len(str(len(body)))) == str(len(body)).encode()
        writer.close()

    talk(conversation)


@pytest.mark.parametrize(
    "parts",
    [
        [GET % b"", b"cookie: " + b"x" * HEADER_BYTES + b"\r\n\r\n"],
        [GET % b"", b"cookie: ", *[b"x" * 4096] * 20],
        [GET % b"", *[b"a: b\r\n" * 1000] * 20],
        [GET % (b"x" * HEADER_BYTES), b"\r\n"],
        [b"GET /" + b"x" * 3 * HEADER_BYTES],
        [b"\r\n" * 1000] * 20,
    ],
    ids=["one header", "one without end", "many", "address", "address without end", "blank lines"],
)
def test_long_headers_are_refused(parts: list[bytes]) -> None:
    async def conversation(connect: Connect) -> None:
        # a reset is what a client gets that goes on sending to a closed connection
        assert (await sent(connect, *parts))[:12] in (b"HTTP/1.1 431", b"reset")

    talk(conversation)


@pytest.mark.parametrize(
    "part", [b"", b"\r\n", b"GET / HT", GET % b"", POST % 9, POST % 9 + b"12345678"]
)
def test_a_request_that_never_ends_is_given_up(
    part: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_limits, "HEADER_SECONDS", 0.05)
    monkeypatch.setattr(http_limits, "BODY_SECONDS", 0.05)

    async def conversation(connect: Connect) -> None:
        assert (await sent(connect, part)).startswith(b"HTTP/1.1 408")

    talk(conversation)


def test_few_requests_of_a_connection_wait_for_the_one_before_them(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def conversation(connect: Connect) -> None:
        one = GET % b"refused" + b"\r\n"
        reader, writer = await connect()
        writer.write(one * WAITING_REQUESTS)
        for _ in range(WAITING_REQUESTS):
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 413")
        writer.close()
        assert (await sent(connect, one * 10_000))[:12] in (b"HTTP/1.1 400", b"reset")

    talk(conversation)
    assert not caplog.records


def test_requests_beyond_the_limit_are_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that wait on one connection, which goes on when there is room again."""
    monkeypatch.setattr(concurrency_limit, "MOST_UNDER_WAY", 1)

    async def conversation(connect: Connect) -> None:
        _, busy = await connect()
        busy.write(POST % 9 + b"12345678")  # under way until its last byte comes
        reader, writer = await connect()
        for body in (b"", MEBIBYTE):
            while not await is_refused(reader, writer, body):
                pass  # the first request had not arrived yet
        writer.write((GET % b"" + b"\r\n") * 3)
        for _ in range(3):
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 503")
            await reader.readexactly(LENGTH)
        assert b"retry-after: " in head
        assert b"x-request-id: " in head
        writer.write(GET.replace(b"GET", b"HEAD") % b"" + b"\r\n")
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 503")
        busy.write(b"9")
        while await is_refused(reader, writer, b"abc"):
            pass
        health = await sent(connect, GET % b"healthy" + b"connection: close\r\n\r\n")
        assert health.startswith(b"HTTP/1.1 200")
        writer.close()
        busy.close()

    talk(conversation)


async def is_refused(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, body: bytes
) -> bool:
    """Send a body and read the whole response."""
    writer.write(POST % len(body) + body)
    head = await reader.readuntil(b"\r\n\r\n")
    refused = head.startswith(b"HTTP/1.1 503")
    await reader.readexactly(LENGTH if refused else len(str(len(body))))
    return refused


def test_a_response_that_nobody_takes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_limits, "RESPONSE_SECONDS", 0.05)
    given_up, lose = asyncio.Event(), LimitedProtocol.connection_lost

    def connection_lost(self: LimitedProtocol, exc: Exception | None) -> None:
        lose(self, exc)
        given_up.set()

    monkeypatch.setattr(LimitedProtocol, "connection_lost", connection_lost)

    async def conversation(connect: Connect) -> None:
        reader, writer = await connect()
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(GET % b"large" + b"\r\n")
        await given_up.wait()
        writer.transport.resume_reading()  # type: ignore[attr-defined]
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await reader.readexactly(64 << 20)
        writer.close()

    talk(conversation)


def test_a_body_is_not_read_for_ever_after_its_refusal() -> None:
    async def conversation(connect: Connect) -> None:
        head = (POST % (1 << 40)).replace(b"POST /", b"POST /refused")
        said = await sent(connect, head, *[MEBIBYTE] * 50)
        assert said == b"reset" or said.startswith(b"HTTP/1.1 413")

    talk(conversation)


def test_no_more_connections_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_limits, "connection_limit", lambda: 2)

    async def conversation(connect: Connect) -> None:
        busy = [await connect() for _ in range(2)]
        for _, writer in busy:
            writer.write(POST % 9 + b"12345678")
            await writer.drain()
        await asyncio.sleep(0.02)
        said = await sent(connect)
        assert said.startswith(b"HTTP/1.1 503")
        assert b"retry-after: 5" in said
        for reader, writer in busy:
            writer.write(b"9")
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
            writer.close()

    talk(conversation)


def test_idle_connections_keep_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_limits, "connection_limit", lambda: 3)

    async def conversation(connect: Connect) -> None:
        judge, first, second = [await connect() for _ in range(3)]
        for _ in range(2):
            judge[1].write(GET % b"" + b"\r\n")
            assert (await judge[0].readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
            await judge[0].readexactly(1)
            # whoever asked for nothing, and is there longest, makes room
            assert (await sent(connect, GET % b"" + b"connection: close\r\n\r\n")).startswith(
                b"HTTP/1.1 200"
            )
        assert not await first[0].read()
        second[1].write(GET % b"" + b"\r\n")
        assert (await second[0].readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        for _, writer in (judge, first, second):
            writer.close()

    talk(conversation)


def test_slow_bodies_keep_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_limits, "BODIES", 2)

    async def conversation(connect: Connect) -> None:
        slow = [await connect() for _ in range(3)]
        for _, writer in slow:
            writer.write(POST % 9 + b"1234")
            await writer.drain()
            await asyncio.sleep(0.01)
        assert (await slow[0][0].read()).startswith(b"HTTP/1.1 408")
        for reader, writer in slow[1:]:
            writer.write(b"56789")
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        for _, writer in slow:
            writer.close()

    talk(conversation)


@pytest.mark.parametrize(
    "part", [b"nonsense\r\n\r\n", b"GET /\xff HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00"]
)
def test_what_is_no_http_is_refused_and_not_logged(
    part: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async def conversation(connect: Connect) -> None:
        assert (await sent(connect, part)).startswith(b"HTTP/1.1 400")

    talk(conversation)
    assert not caplog.records


def test_the_application_answers_where_no_web_socket_is_offered() -> None:
    async def conversation(connect: Connect) -> None:
        asked = GET % b"" + b"connection: upgrade, close\r\nupgrade: websocket\r\n\r\n"
        assert (await sent(connect, asked)).startswith(b"HTTP/1.1 200")

    talk(conversation)
