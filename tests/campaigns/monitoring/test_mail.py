"""Mail, handed in at a real server."""

import shutil
import socket
import ssl
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from jurat.campaigns.monitoring.mail import MailServer, is_address, read_mail_server, send
from jurat.campaigns.monitoring.reminders import ACTION, Email
from jurat.errors import InputError
from tests.campaigns.monitoring.smtp_server import SmtpServer, opened
from tests.campaigns.sample_campaigns import NAME, Setting, plan, task


def letter(pin: str = "p1", address: str = "eva@example.org", **more: str) -> Email:
    given = {"subject": "Grüße, 你好", "body": "Zeile eins\n.\nनमस्ते\n", **more}
    return Email(pin=pin, address=address, **given)


def at(
    office: SmtpServer, scheme: str = "smtp", user: str = "", host: str = "127.0.0.1"
) -> MailServer:
    return read_mail_server(f"{scheme}://{user}{host}:{office.port}/?from=desk@example.org")


def test_a_letter_arrives_as_it_was_written():
    with opened() as office:
        assert send(at(office), [letter()]) == {}
    (got,) = office.received
    assert (got.sender, got.recipient, got.encrypted) == (
        "desk@example.org",
        "eva@example.org",
        False,
    )
    assert got.message["From"] == "desk@example.org"
    assert got.message["To"] == "eva@example.org"
    assert got.message["Subject"] == "Grüße, 你好"
    assert got.message["Auto-Submitted"] == "auto-generated"
    assert got.message["Message-ID"].endswith("@example.org>")
    assert got.message.get_content().splitlines() == ["Zeile eins", ".", "नमस्ते"]


def test_nobody_gets_another_header_by_a_title():
    with opened() as office:
        send(at(office), [letter(subject="Hello\nBcc: all@example.org")])
    (got,) = office.received
    assert got.message["Bcc"] is None
    assert got.message["Subject"] == "Hello Bcc: all@example.org"


def test_one_bad_address_does_not_stop_the_others():
    emails = [
        letter("p1", "nobody@example.org"),
        letter("p2", ""),
        letter("p3", "x\r\nRCPT TO:<y@z>"),
        letter("p4"),
    ]
    with opened(unknown=("nobody@example.org",)) as office:
        failed = send(at(office), emails)
    assert failed == {
        "p1": "refused: nobody of that name",
        "p2": "there is no address to write to",
        "p3": "there is no address to write to",
    }
    assert [got.recipient for got in office.received] == ["eva@example.org"]


def test_a_server_that_is_not_there():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    post = read_mail_server(f"smtp://127.0.0.1:{port}?from=desk@example.org")
    with pytest.raises(InputError, match=f"mail cannot be sent through 127.0.0.1:{port}"):
        send(post, [letter()])


def test_a_server_that_hangs_up():
    with opened(broken=True) as office, pytest.raises(InputError, match="mail cannot be"):
        send(at(office), [letter()])


def test_a_password_does_not_go_without_tls():
    told = pytest.raises(InputError, match="offers no TLS")
    with opened(accounts={"desk": "secret"}) as office, told:
        send(at(office, user="desk:secret@"), [letter()])
    assert office.passwords == []
    assert office.received == []


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> tuple[ssl.SSLContext, Path]:
    """A server's TLS for localhost, and the certificate by which to know it."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl on this machine, so mail over TLS is not tested")
    folder = tmp_path_factory.mktemp("tls")
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost"
    made = ["-addext", "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run([*command.split(), *made], cwd=folder, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context, folder / "cert.pem"


@pytest.mark.parametrize(("scheme", "from_start"), [("smtp", False), ("smtps", True)])
def test_over_tls_with_a_password(certified, monkeypatch, scheme, from_start):
    context, known = certified
    monkeypatch.setenv("SSL_CERT_FILE", str(known))
    accounts = {"desk@example.org": "p@ss:word%"}
    with opened(tls=context, from_start=from_start, accounts=accounts) as office:
        user = "desk%40example.org:p%40ss%3Aword%25@"
        assert send(at(office, scheme, user, "localhost"), [letter()]) == {}
        with pytest.raises(InputError, match="does not accept the user's name and password"):
            send(at(office, scheme, "desk%40example.org:wrong@", "localhost"), [letter()])
    (got,) = office.received
    assert (got.encrypted, got.user) == (True, "desk@example.org")
    assert office.passwords == [("p@ss:word%", True), ("wrong", True)]


def test_a_server_with_a_strange_certificate_is_not_trusted(certified, monkeypatch):
    context, _ = certified
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    told = pytest.raises(InputError, match="mail cannot be sent")
    with opened(tls=context, accounts={"desk": "secret"}) as office, told:
        send(at(office, "smtp", "desk:secret@", "localhost"), [letter()])
    assert office.passwords == []


def test_addresses_of_servers():
    assert read_mail_server("smtp://mail.example.org?from=a@b.org") == MailServer(
        scheme="smtp", host="mail.example.org", port=25, sender="a@b.org"
    )
    known = read_mail_server("smtps://a%40b.org:p%2Fw@mail.example.org")
    assert (known.port, known.sender, known.user, known.password) == (
        465,
        "a@b.org",
        "a@b.org",
        "p/w",
    )
    assert read_mail_server("smtp://[::1]:2525/?from=a@b.org").host == "::1"
    assert "p/w" not in repr(known)


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "http://mail.example.org?from=a@b.org",
        "mail.example.org",
        "smtp://?from=a@b.org",
        "smtp://h:port?from=a@b.org",
    ],
)
def test_wrong_addresses_of_servers(wrong):
    with pytest.raises(InputError, match="no address of a mail server"):
        read_mail_server(wrong)


@pytest.mark.parametrize("wrong", ["smtp://mail.example.org", "smtp://h?from=nobody"])
def test_a_sender_is_needed(wrong):
    with pytest.raises(InputError, match="from whom emails are"):
        read_mail_server(wrong)


def test_what_is_an_address():
    assert is_address("eva@example.org")
    assert is_address("eva.o'neil+x@sub.example.org")
    for wrong in ("", "eva", "@example.org", "eva@", "a b@c.d", "a@b\r\nX: y", "a@b, c@d"):
        assert not is_address(wrong), wrong


def test_reminders_by_mail(quick: Setting):
    quick.launch(plan(task(wanted=2)), judges=6)
    quick.service.accounts.set_address(NAME, "p1", "eva@example.org", author="boss")
    quick.service.accounts.set_address(NAME, "p2", "nobody@example.org", author="boss")
    found = quick.service.monitoring.reminders(NAME, link="https://x.org/c/try/", after=timedelta())
    emails = [one.email for one in found if one.email.address]
    with opened(unknown=("nobody@example.org",)) as office:
        failed = quick.service.monitoring.remind(
            NAME, emails, mail_server=at(office), author="boss"
        )
    assert failed == {"p2": "refused: nobody of that name"}
    (got,) = office.received
    assert "https://x.org/c/try/" in got.message.get_content()
    (entry,) = quick.store.logged(NAME, ACTION)
    assert entry.details == {"pins": ["p1"], "by": "mail"}
