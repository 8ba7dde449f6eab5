"""Limits of every connection: size of headers, time to send a request, number of connections.

uvicorn itself accepts headers of any length and waits for ever for the rest of a request. A
reverse proxy has limits of its own; these hold where there is none.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from enum import Enum, auto
from functools import cache
from http import HTTPStatus
from typing import Any, ClassVar

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from jurat.web.concurrency_limit import raw_refusal, too_many

# Bytes of a request's first line and headers; browsers send one or two thousand.
HEADER_BYTES = 32 << 10
# Seconds from the connection, or from the first byte of a further request, to the last header.
HEADER_SECONDS = 10.0
# A body has to arrive at this rate, looked at once in so many seconds.
BODY_SECONDS, BODY_BYTES_PER_SECOND = 20.0, 1 << 10
# Seconds in which a client has to take something of a response that waits for it.
RESPONSE_SECONDS = 60.0
# Bytes of a body that are still read after the response, so that the client gets to see it.
UNREAD_BYTES = 2 << 20
# Connections of one process, also idle ones, of which a browser has up to six.
CONNECTIONS = 8000
# The share of them that is closed where there are too many, first those without any request.
CLOSED = 0.05
# Requests of one process whose bodies are on their way, fewer than may be under way at all. The
# body of a decision comes at once; for one more that takes its time, the slowest is given up.
BODIES = 500
# Requests of a connection that wait for the one before them. Browsers and proxies send none until
# they have the response; a stranger could put ten thousand into one packet, and again at each
# response, and would get the server's whole time.
WAITING_REQUESTS = 16
# Open files that are no connections: the store, its readers, the log.
OTHER_FILES = 100
# Seconds that an idle connection is kept. Longer than nginx keeps its own (60 s), or nginx would
# now and then send a request on a connection that is just being closed.
KEEP_ALIVE_SECONDS = 65


class State(Enum):
    """What the next byte of a connection belongs to."""

    IDLE = auto()
    """A new request."""
    HEADERS = auto()
    BODY = auto()


@cache
def connection_limit() -> int:
    """How many connections this process accepts: as many as the system lets it have open files."""
    try:
        import resource
    except ImportError:  # Windows, which has no such limit
        return CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + OTHER_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return CONNECTIONS
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max(1, allowed - OTHER_FILES)


class LimitedProtocol(HttpToolsProtocol):
    """HTTP on one connection, which is closed where it exceeds a limit."""

    _receiving: ClassVar[dict[LimitedProtocol, None]] = {}
    """Connections on which a body is on its way, the first to begin first."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._timer: asyncio.TimerHandle | None = None
        self._write_timer: asyncio.TimerHandle | None = None
        self._state = State.IDLE
        self._header_bytes = 0
        """Of the present request, in headers that have come whole."""
        self._raw_bytes = 0
        """Of the present request, in data that ended before its last header."""
        self._body_bytes = 0
        """Since the timer was last set."""
        self._unread_bytes = 0
        """Of a body that came after its response."""
        self._since = 0.0
        self._unanswered: deque[RequestResponseCycle] = deque()
        """Requests whose responses have not been sent, the one under way first."""
        self._refused = False
        """Whether the first of them is to be told that too many are under way."""

    # uvicorn calls these for the connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._since = self.loop.time()
        if len(self.connections) > connection_limit() and not self._make_room():
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, retry_after=5)
        else:
            self._set_timer(HEADER_SECONDS)

    def _make_room(self) -> bool:
        """Close some connections on which nothing happens; false if there are none.

        Otherwise somebody with thousands of idle connections would keep everybody else out.
        """
        others = (one for one in self.connections if one is not self)
        idle = [one for one in others if isinstance(one, LimitedProtocol) and one.is_idle]
        # a browser whose connection is closed between two requests makes a new one by itself
        idle.sort(key=lambda one: (one.cycle is not None, one._since))
        for one in idle[: max(1, int(CLOSED * connection_limit()))]:
            one._abort()
        return bool(idle)

    @property
    def is_idle(self) -> bool:
        """Whether there is neither a request nor a response under way."""
        answered = self.cycle is None or self.cycle.response_complete
        return answered and self._state is not State.BODY

    def connection_lost(self, exc: Exception | None) -> None:
        self._receiving.pop(self, None)
        self._cancel_timer()
        self.resume_writing()
        self._end_requests()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        self._unset_keepalive_if_required()
        before, last = self._state, self.scope
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserError:
            # not logged, as uvicorn does: any stranger could fill the log
            too_long = self._header_bytes > HEADER_BYTES
            large = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            self._refuse(large if too_long else HTTPStatus.BAD_REQUEST)
            return
        except httptools.HttpParserUpgrade:
            return  # there are no web sockets; the request is answered as any other
        # blank lines, which may precede a request and would otherwise keep a connection for ever
        nothing_yet = before is State.IDLE and self._state is State.IDLE and self.scope is last
        if nothing_yet and self.is_idle:
            self._state = State.HEADERS
        # the parser keeps an unfinished header to itself, and calls `on_header` only at its end
        self._raw_bytes = len(data) + (self._raw_bytes if before is State.HEADERS else 0)
        self._check(len(data))

    def pause_writing(self) -> None:
        super().pause_writing()
        self._write_timer = self.loop.call_later(RESPONSE_SECONDS, self._abort)

    def resume_writing(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None
        super().resume_writing()

    # the parser calls these for each request

    def on_message_begin(self) -> None:
        if len(self._unanswered) > WAITING_REQUESTS:
            raise ValueError("too many requests at once")  # ends the parsing; `data_received`
        super().on_message_begin()
        self._state, self._header_bytes, self._unread_bytes = State.HEADERS, 0, 0

    def on_url(self, url: bytes) -> None:
        self._count_header(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count_header(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._state = State.BODY
        super().on_headers_complete()
        self._unanswered.append(self.cycle)
        if self._refused:
            self._turn_away(self.cycle)

    def on_message_complete(self) -> None:
        self._state = State.IDLE
        self._receiving.pop(self, None)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._unanswered.popleft()
        super().on_response_complete()
        # the next request of this connection, which has waited for this one
        if self._refused:
            self._turn_away(self._unanswered[0])

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        # here and not in the application: thousands may be refused at once, and none of them is to
        # wait until the application has looked at those before it
        self._refused = too_many(len(self.tasks), cycle.scope)
        if not self._refused:
            super()._start_asgi_task(cycle, app)

    def _turn_away(self, cycle: RequestResponseCycle) -> None:
        """Answer a request without the application; the connection stays."""
        self._refused = False
        cycle.response_started = cycle.response_complete = True
        self.transport.write(raw_refusal(cycle.scope, keep_alive=cycle.keep_alive))
        if not cycle.keep_alive:
            self.transport.close()
        self.on_response_complete()

    def _count_header(self, size: int) -> None:
        self._header_bytes += size
        if self._header_bytes > HEADER_BYTES:
            raise ValueError("the headers are too long")  # ends the parsing; `data_received`

    def _check(self, received: int) -> None:
        """Set or cancel the timer, after data has been parsed."""
        if self._state is State.BODY:
            self._check_body(received)
        elif self._state is State.IDLE:
            self._cancel_timer()
        elif self._raw_bytes > HEADER_BYTES:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif self._timer is None:
            self._set_timer(HEADER_SECONDS)

    def _check_body(self, received: int) -> None:
        if self._body_bytes == 0:
            self._set_timer(BODY_SECONDS)
        self._body_bytes += received
        self._receiving.setdefault(self)
        if len(self._receiving) > BODIES:
            slowest = next(iter(self._receiving))
            del self._receiving[slowest]
            slowest._give_up_body()
        if self.cycle.response_complete:
            self._unread_bytes += received
            if self._unread_bytes > UNREAD_BYTES:
                self._abort()

    def _set_timer(self, seconds: float) -> None:
        self._cancel_timer()
        self._timer = self.loop.call_later(seconds, self._time_over)

    def _cancel_timer(self) -> None:
        self._body_bytes = 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_over(self) -> None:
        self._timer = None
        quick = self._body_bytes >= BODY_SECONDS * BODY_BYTES_PER_SECOND
        # where reading is paused, it is the server that is slow
        in_body = self._state is State.BODY
        if in_body and (quick or self.flow.read_paused):
            self._set_timer(BODY_SECONDS)
        elif in_body:
            self._give_up_body()
        else:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)

    def _give_up_body(self) -> None:
        if self.cycle.response_started:
            self._abort()
        else:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)

    def _refuse(self, status: HTTPStatus, *, retry_after: int | None = None) -> None:
        """Answer without the application, and close the connection."""
        self._cancel_timer()
        wait = f"retry-after: {retry_after}\r\n" if retry_after else ""
        text = f"{status.phrase}\n"
        self.transport.write(
            f"HTTP/1.1 {status.value} {status.phrase}\r\n"
            f"content-type: text/plain; charset=utf-8\r\ncontent-length: {len(text)}\r\n"
            f"connection: close\r\n{wait}\r\n{text}".encode()
        )
        # it is closed at once if nothing is left to be sent, and refuses what comes later
        self._end_requests()
        self.transport.close()

    def _end_requests(self) -> None:
        """Let nothing more be sent; uvicorn itself thinks of the last request alone."""
        for cycle in self._unanswered:
            cycle.disconnected = True
            cycle.message_event.set()

    def _abort(self) -> None:
        self._cancel_timer()
        with suppress(RuntimeError):  # the connection is lost already
            self.transport.abort()
