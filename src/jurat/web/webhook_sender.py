"""Sends webhooks: a POST without redirects, and not into the server's own network."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import ip_address
from threading import Event, Thread, Timer
from urllib.parse import urlsplit

from jurat.campaigns import Service
from jurat.store import StoreFault
from jurat.web.logs import LOGGER

# Seconds between two looks at what is due, and for each step of a request.
EVERY, TIMEOUT = 60.0, 10.0
# Seconds for a whole request: one that answers letter by letter must not keep up all others.
LONGEST = 30.0
# Set to anything, it lets webhooks go to private addresses, as within an institute.
PRIVATE = "JURAT_WEBHOOK_PRIVATE"


def send(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Post a body; the status of the answer, which is not read.

    Raises `ValueError` for an address in the server's own network, and `OSError`.
    """
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    address = _public_address(host, port)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(host, port, timeout=TIMEOUT)
    # the address that was checked, and not another that the name has a moment later
    connection._create_connection = (  # type: ignore[attr-defined]
        lambda _, *rest: socket.create_connection((address, port), *rest)
    )
    path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    try:
        connection.connect()
        with _ended_after(LONGEST, connection.sock):
            connection.request("POST", path, body, dict(headers))
            return connection.getresponse().status
    except HTTPException as error:
        raise OSError(f"no answer in HTTP: {error!r}") from error
    finally:
        connection.close()


@contextmanager
def _ended_after(seconds: float, connection: socket.socket) -> Iterator[None]:
    """End whatever is done on a connection after so long."""
    # unlike `close`, this wakes a thread that reads
    ending = Timer(seconds, connection.shutdown, [socket.SHUT_RDWR])
    ending.daemon = True
    ending.start()
    try:
        yield
    finally:
        ending.cancel()


def _public_address(host: str, port: int) -> str:
    """An address of a host; raises `ValueError` where it is none of the public network."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(entry[4][0]) for entry in found]
    if not os.environ.get(PRIVATE):
        for address in addresses:
            if not ip_address(address).is_global:
                raise ValueError(f"{host} is an address of a private network; see {PRIVATE}")
    return addresses[0]


def start_sending(service: Service, *, every: float = EVERY) -> Event:
    """Send what is due again and again, in a thread; it ends when the event is set."""
    ended = Event()

    def work() -> None:
        while not ended.wait(every):
            try:
                service.webhooks.deliver(send)
            except StoreFault as fault:  # tried again the next time
                LOGGER.warning("webhooks_failed", extra={"fault": type(fault).__name__})

    Thread(target=work, name="webhooks", daemon=True).start()
    return ended
