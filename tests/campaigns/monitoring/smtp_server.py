"""A small mail server that speaks SMTP as RFC 5321 has it, and keeps what it is given."""

from __future__ import annotations

import base64
import socketserver
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from threading import Thread
from typing import NamedTuple


class Received(NamedTuple):
    """A letter as it was handed in."""

    sender: str
    recipient: str
    message: EmailMessage
    encrypted: bool
    user: str


class SmtpServer(socketserver.ThreadingTCPServer):
    """The server, with what it was told to refuse."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(
        self,
        *,
        tls: ssl.SSLContext | None = None,
        from_start: bool = False,
        accounts: dict[str, str] | None = None,
        unknown: tuple[str, ...] = (),
        broken: bool = False,
    ) -> None:
        super().__init__(("127.0.0.1", 0), Clerk)
        self.tls = tls
        self.from_start = from_start
        self.accounts = accounts or {}
        self.unknown = unknown
        self.broken = broken
        self.received: list[Received] = []
        self.passwords: list[tuple[str, bool]] = []

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class Clerk(socketserver.StreamRequestHandler):
    """One conversation."""

    server: SmtpServer

    def setup(self) -> None:
        if self.server.from_start and self.server.tls:
            self.request = self.server.tls.wrap_socket(self.request, server_side=True)
        super().setup()
        self.encrypted = self.server.from_start
        self.user = self.sender = self.recipient = ""

    def handle(self) -> None:
        self.say("220 ready")
        while line := self.rfile.readline():
            word, _, rest = line.decode().rstrip("\r\n").partition(" ")
            if not self.answer(word.upper(), rest):
                return

    def finish(self) -> None:
        super().finish()
        self.request.close()  # which is another than the server's own, once it is encrypted

    def say(self, *lines: str) -> bool:
        for line in lines:
            self.wfile.write(f"{line}\r\n".encode())
        return True

    def answer(self, word: str, rest: str) -> bool:
        match word:
            case "EHLO" | "HELO":
                return self.greet()
            case "STARTTLS":
                return self.encrypt()
            case "AUTH":
                return self.admit(rest)
            case "MAIL":
                self.sender = rest.partition("<")[2].partition(">")[0]
                return self.say("250 ok")
            case "RCPT":
                return self.address(rest.partition("<")[2].partition(">")[0])
            case "DATA":
                return self.take()
            case "QUIT":
                self.say("221 bye")
                return False
            case "RSET":
                return self.say("250 ok")
        return self.say("502 what?")

    def greet(self) -> bool:
        offers = ["AUTH PLAIN"] if self.server.accounts else []
        if self.server.tls and not self.encrypted:
            offers.append("STARTTLS")
        lines = ["post.example", "8BITMIME", *offers]
        return self.say(*(f"250-{line}" for line in lines[:-1]), f"250 {lines[-1]}")

    def encrypt(self) -> bool:
        assert self.server.tls
        self.say("220 go on")
        self.request = self.server.tls.wrap_socket(self.request, server_side=True)
        self.rfile, self.wfile = self.request.makefile("rb"), self.request.makefile("wb", 0)
        self.encrypted = True
        return True

    def admit(self, rest: str) -> bool:
        _, name, password = base64.b64decode(rest.rpartition(" ")[2]).decode().split("\0")
        self.server.passwords.append((password, self.encrypted))
        if self.server.accounts.get(name) != password:
            return self.say("535 no")
        self.user = name
        return self.say("235 welcome")

    def address(self, recipient: str) -> bool:
        if recipient in self.server.unknown:
            return self.say("550 nobody of that name")
        self.recipient = recipient
        return self.say("250 ok")

    def take(self) -> bool:
        if self.server.broken:
            return False
        self.say("354 go on")
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line[1:] if line.startswith(b"..") else line)
        message = message_from_bytes(b"".join(lines), policy=policy.default)
        assert isinstance(message, EmailMessage)
        known = (self.sender, self.recipient, message, self.encrypted, self.user)
        self.server.received.append(Received(*known))
        return self.say("250 taken")


@contextmanager
def opened(**how: object) -> Iterator[SmtpServer]:
    """A server that answers until it is left."""
    with SmtpServer(**how) as office:  # type: ignore[arg-type]
        thread = Thread(target=office.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield office
        finally:
            office.shutdown()
            thread.join()
