"""Letters by SMTP: the one place from which mail goes out, where the server has a post office."""

from __future__ import annotations

import re
import smtplib
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import Literal

import msgspec

from jurat.campaigns.watching.reminders import Letter
from jurat.faults import FaultyInput, complain

FORM = "smtp://user:password@host:587/?from=desk@example.org"
PORTS = {"smtp": 25, "smtps": 465}
PATIENCE = 20.0
"""Seconds to wait for an answer of the post office."""

_URL = re.compile(
    r"(?P<scheme>smtps?)://(?:(?P<user>[^:@/?]*)(?::(?P<password>[^@/?]*))?@)?"
    r"(?P<host>\[[0-9A-Fa-f:]+\]|[^:/?\[\]@]+)(?::(?P<port>\d{1,5}))?/?(?:\?from=(?P<sender>[^&]+))?"
)


class Post(msgspec.Struct, frozen=True, kw_only=True):
    """A post office: where letters are handed in, and in whose name."""

    scheme: Literal["smtp", "smtps"]
    """`smtps`: TLS from the start; `smtp`: as soon as the other side offers it."""
    host: str
    port: int
    sender: str
    user: str = ""
    password: str = ""

    def __repr__(self) -> str:
        """Without the password."""
        return f"Post({self.scheme}://{self.host}:{self.port}, from {self.sender})"


def read_post(url: str) -> Post:
    """The post office at an address like `smtp://user:password@host:587/?from=desk@example.org`."""
    found = _URL.fullmatch(url.strip())
    if found is None:
        raise complain("this is no address of a mail server", allowed=(FORM,))
    parts = {name: _plain(value or "") for name, value in found.groupdict().items()}
    sender = parts["sender"] or (parts["user"] if "@" in parts["user"] else "")
    if not is_address(sender):
        raise complain("the address does not say from whom letters are", allowed=(FORM,))
    scheme: Literal["smtp", "smtps"] = "smtps" if parts["scheme"] == "smtps" else "smtp"
    return Post(
        scheme=scheme,
        host=parts["host"].strip("[]"),
        port=int(parts["port"] or PORTS[scheme]),
        sender=sender,
        user=parts["user"],
        password=parts["password"],
    )


def is_address(text: str) -> bool:
    """Whether a letter can be addressed like that."""
    try:
        found = Address(addr_spec=text)
    except (MessageError, ValueError, IndexError):
        return False
    return bool(found.username and found.domain) and text.isprintable()


def send(post: Post, letters: Sequence[Letter]) -> dict[str, str]:
    """Hand letters in; by PIN what went wrong with his, so that the others go all the same.

    A post office that cannot be reached, or does not let us in, is a fault.
    """
    failed: dict[str, str] = {}
    with _open(post) as office:
        for letter in letters:
            if not is_address(letter.address):
                failed[letter.pin] = "there is no address to write to"
                continue
            try:
                office.send_message(_message(post, letter), post.sender, [letter.address])
            except smtplib.SMTPRecipientsRefused as error:
                ((_, reason),) = error.recipients.values()
                failed[letter.pin] = f"refused: {_said(reason)}"
            except smtplib.SMTPResponseException as error:
                failed[letter.pin] = f"refused: {_said(error.smtp_error)}"
            except (smtplib.SMTPException, OSError) as error:
                raise _unreachable(post, error) from error
    return failed


def _message(post: Post, letter: Letter) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"] = post.sender, letter.address
    message["Subject"] = " ".join(letter.subject.split())
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(domain=post.sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(letter.body)
    return message


@contextmanager
def _open(post: Post) -> Iterator[smtplib.SMTP]:
    try:
        office = _connected(post)
    except (smtplib.SMTPException, OSError) as error:
        raise _unreachable(post, error) from error
    try:
        yield office
        with suppress(smtplib.SMTPException, OSError):  # every letter has been answered for
            office.quit()
    finally:
        office.close()


def _connected(post: Post) -> smtplib.SMTP:
    trusted = ssl.create_default_context()
    if post.scheme == "smtps":
        office: smtplib.SMTP = smtplib.SMTP_SSL(
            post.host, post.port, timeout=PATIENCE, context=trusted
        )
    else:
        office = smtplib.SMTP(post.host, post.port, timeout=PATIENCE)
    try:
        office.ehlo()
        if post.scheme == "smtp" and office.has_extn("starttls"):
            office.starttls(context=trusted)
        elif post.scheme == "smtp" and post.password:
            raise complain(f"{post.host} offers no TLS, and a password does not go without it")
        if post.user:
            office.login(post.user, post.password)
    except BaseException:
        office.close()
        raise
    return office


def _unreachable(post: Post, error: Exception) -> FaultyInput:
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return complain(f"{post.host} does not accept the user's name and password")
    reason = getattr(error, "strerror", None) or _said(getattr(error, "smtp_error", b"")) or error
    return complain(f"no letters can be handed in at {post.host}:{post.port}: {reason}")


def _said(words: bytes | str) -> str:
    return words.decode(errors="replace") if isinstance(words, bytes) else words


def _plain(text: str) -> str:
    """With `%40` as the sign that it stands for."""
    coded = re.sub(rb"%([0-9A-Fa-f]{2})", lambda m: bytes.fromhex(m[1].decode()), text.encode())
    return coded.decode(errors="replace")
