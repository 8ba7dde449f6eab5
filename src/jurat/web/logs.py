"""The server's log: one line for each event, as text for people or as JSON for programs.

No line has personal data: neither addresses, which contain the tokens of personal links, nor names,
answers or IP addresses. A request is named by its random id, which its response has as a header.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import sys
from itertools import count
from typing import Literal, TextIO

Format = Literal["text", "json"]

LOGGER = logging.getLogger("jurat")
# Seconds between two lines about the same kind of error.
PAUSE = 60.0
# What a reverse proxy may call a request.
REQUEST_ID = re.compile(rb"[A-Za-z0-9_-]{1,64}")
# uvicorn's own words for an exception that `ErrorResponses` has logged already.
LOGGED_BEFORE = "Exception in ASGI application"


class StructuredFormatter(logging.Formatter):
    """Writes records with structlog, which is imported for the first of them.

    Its import would take a tenth of a server's start, and most servers log nothing for days.
    """

    def __init__(self, kind: Format) -> None:
        super().__init__()
        self._kind = kind
        self._formatter: logging.Formatter | None = None

    def format(self, record: logging.LogRecord) -> str:
        if self._formatter is None:
            self._formatter = self._made()
        return self._formatter.format(record)

    def _made(self) -> logging.Formatter:
        import structlog

        renderer = (
            structlog.processors.JSONRenderer()
            if self._kind == "json"
            else structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(),
                # structlog's own choice prints the values of local variables, such as passwords
                exception_formatter=structlog.dev.plain_traceback,
            )
        )
        # in JSON a traceback is one more field; for people it is printed by the renderer
        traces = [structlog.processors.format_exc_info] if self._kind == "json" else []
        return structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[
                structlog.stdlib.add_log_level,
                structlog.stdlib.ExtraAdder(),
                structlog.processors.TimeStamper(fmt="iso", utc=True),
            ],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *traces,
                renderer,
            ],
        )


def log_format_of(text: str) -> Format:
    """The format with this name; text for people where it is none."""
    return "json" if text == "json" else "text"


def configure_logs(kind: Format = "text", stream: TextIO | None = None) -> None:
    """Write warnings and errors of this process, also those of libraries, to standard error."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(StructuredFormatter(kind))
    handler.addFilter(lambda record: not record.getMessage().startswith(LOGGED_BEFORE))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    LOGGER.setLevel(logging.INFO)
    # it warns of every form that a stranger has sent broken
    logging.getLogger("python_multipart").setLevel(logging.CRITICAL)


# Ids of requests: random for each process, then counted, which takes a third of the time.
_PREFIX = secrets.token_hex(4)
_numbers = count(1)


def request_id(headers: list[tuple[bytes, bytes]]) -> bytes:
    """The id that a reverse proxy has given to a request, or a new one."""
    for name, value in headers:
        if name == b"x-request-id" and REQUEST_ID.fullmatch(value):
            return value
    return b"%s-%x" % (_PREFIX.encode(), next(_numbers))


class ErrorLog:
    """Logs errors of one kind once a minute, with their number: a full disk fails every request.

    For the event loop; not for several threads.
    """

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        """By kind; a kind is in it from its first line until a minute without errors."""
        self._last: dict[str, str] = {}

    def note(self, error: Exception) -> None:
        """Log an error, or count it where its kind was logged in the last minute."""
        kind = type(error).__name__
        self._last[kind] = str(error)
        if kind in self._counts:
            self._counts[kind] += 1
            return
        self._counts[kind] = 0
        self._write(kind, 1)

    def _write(self, kind: str, number: int) -> None:
        known = {"kind": kind, "count": number, "detail": self._last[kind]}
        LOGGER.error("store_error", extra=known)
        asyncio.get_running_loop().call_later(PAUSE, self._look_again, kind)

    def _look_again(self, kind: str) -> None:
        number = self._counts.pop(kind)
        if number:
            self._counts[kind] = 0
            self._write(kind, number)
