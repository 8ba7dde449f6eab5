"""Sending email by SMTP, where a mail server is configured."""

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

from jurat.campaigns.monitoring.reminders import Email
from jurat.errors import InputError, input_error

EXAMPLE = "smtp://user:password@host:587/?from=desk@example.org"
PORTS = {"smtp": 25, "smtps": 465}
# Seconds to wait for an answer of the mail server.
TIMEOUT = 20.0

_URL = re.compile(
    r"(?P<scheme>smtps?)://(?:(?P<user>[^:@/?]*)(?::(?P<password>[^@/?]*))?@)?"
    r"(?P<host>\[[0-9A-Fa-f:]+\]|[^:/?\[\]@]+)(?::(?P<port>\d{1,5}))?/?(?:\?from=(?P<sender>[^&]+))?"
)


class MailServer(msgspec.Struct, frozen=True, kw_only=True):
    """An SMTP server and the sender's address."""

    scheme: Literal["smtp", "smtps"]
    """`smtps`: TLS from the start; `smtp`: as soon as the other side offers it."""
    host: str
    port: int
    sender: str
    user: str = ""
    password: str = ""

    def __repr__(self) -> str:
        """Without the password."""
        return f"MailServer({self.scheme}://{self.host}:{self.port}, from {self.sender})"


def read_mail_server(url: str) -> MailServer:
    """The mail server at an address like `smtp://user:password@host:587/?from=desk@example.org`."""
    found = _URL.fullmatch(url.strip())
    if found is None:
        raise input_error("this is no address of a mail server", allowed=(EXAMPLE,))
    parts = {name: _plain(value or "") for name, value in found.groupdict().items()}
    sender = parts["sender"] or (parts["user"] if "@" in parts["user"] else "")
    if not is_address(sender):
        raise input_error("the address does not say from whom emails are", allowed=(EXAMPLE,))
    scheme: Literal["smtp", "smtps"] = "smtps" if parts["scheme"] == "smtps" else "smtp"
    return MailServer(
        scheme=scheme,
        host=parts["host"].strip("[]"),
        port=int(parts["port"] or PORTS[scheme]),
        sender=sender,
        user=parts["user"],
        password=parts["password"],
    )


def is_address(text: str) -> bool:
    """Whether a text is a valid email address."""
    try:
        found = Address(addr_spec=text)
    except (MessageError, ValueError, IndexError):
        return False
    return bool(found.username and found.domain) and text.isprintable()


def send(mail_server: MailServer, emails: Sequence[Email]) -> dict[str, str]:
    """Send emails; returns by PIN why one was refused, while the others are sent.

    Raises `InputError` where the server cannot be reached or rejects the login.
    """
    failed: dict[str, str] = {}
    with _open(mail_server) as office:
        for email in emails:
            if not is_address(email.address):
                failed[email.pin] = "there is no address to write to"
                continue
            try:
                office.send_message(
                    _message(mail_server, email), mail_server.sender, [email.address]
                )
            # with one recipient, the whole message is refused; the connection can still be used
            except smtplib.SMTPRecipientsRefused as error:
                ((_, reason),) = error.recipients.values()
                failed[email.pin] = f"refused: {_said(reason)}"
            except smtplib.SMTPResponseException as error:
                failed[email.pin] = f"refused: {_said(error.smtp_error)}"
            except (smtplib.SMTPException, OSError) as error:
                raise _unreachable(mail_server, error) from error
    return failed


def _message(mail_server: MailServer, email: Email) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"] = mail_server.sender, email.address
    # A title may have line breaks, which no header may.
    message["Subject"] = " ".join(email.subject.split())
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(domain=mail_server.sender.rpartition("@")[2])
    # So that automatic replies (on holiday) are not sent.
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(email.body)
    return message


@contextmanager
def _open(mail_server: MailServer) -> Iterator[smtplib.SMTP]:
    try:
        office = _connected(mail_server)
    except (smtplib.SMTPException, OSError) as error:
        raise _unreachable(mail_server, error) from error
    try:
        yield office
        # the server has accepted or refused every email: a failure now changes nothing
        with suppress(smtplib.SMTPException, OSError):
            office.quit()
    finally:
        office.close()


def _connected(mail_server: MailServer) -> smtplib.SMTP:
    trusted = ssl.create_default_context()
    if mail_server.scheme == "smtps":
        office: smtplib.SMTP = smtplib.SMTP_SSL(
            mail_server.host, mail_server.port, timeout=TIMEOUT, context=trusted
        )
    else:
        office = smtplib.SMTP(mail_server.host, mail_server.port, timeout=TIMEOUT)
    try:
        # extensions, such as STARTTLS, are only known after EHLO
        office.ehlo()
        if mail_server.scheme == "smtp" and office.has_extn("starttls"):
            office.starttls(context=trusted)
        # Without TLS the password could be read on the way.
        elif mail_server.scheme == "smtp" and mail_server.password:
            message = "offers no TLS, and a password is not sent without it"
            raise input_error(f"{mail_server.host} {message}")
        if mail_server.user:
            office.login(mail_server.user, mail_server.password)
    except BaseException:
        office.close()
        raise
    return office


def _unreachable(mail_server: MailServer, error: Exception) -> InputError:
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return input_error(f"{mail_server.host} does not accept the user's name and password")
    reason = getattr(error, "strerror", None) or _said(getattr(error, "smtp_error", b"")) or error
    address = f"{mail_server.host}:{mail_server.port}"
    return input_error(f"mail cannot be sent through {address}: {reason}")


def _said(words: bytes | str) -> str:
    return words.decode(errors="replace") if isinstance(words, bytes) else words


def _plain(text: str) -> str:
    """Percent-decoded: `%40` is @."""
    coded = re.sub(rb"%([0-9A-Fa-f]{2})", lambda m: bytes.fromhex(m[1].decode()), text.encode())
    return coded.decode(errors="replace")
