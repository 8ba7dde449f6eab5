"""The cookie that says who a browser is."""

from datetime import UTC, datetime

import pytest
from itsdangerous import TimestampSigner
from itsdangerous.encoding import base64_encode
from starlette.responses import Response

from jurat.store import Account
from jurat.web.sessions import COOKIE, START, Keys, Session, cookies_in, stamp

PLACE = "/c/try/"
KEYS = Keys(b"a secret of thirty-two bytes, no less")


def account(**more) -> Account:
    known = {
        "id": "a1",
        "pin": "p1",
        "role": "judge",
        "password_hash": "h",
        "token_hash": "t",
        "group": "",
        "site": "",
        "tags": {},
        "disabled": False,
        "created": datetime(2026, 3, 2, tzinfo=UTC),
        "seen_at": None,
        "failures": 0,
        "locked_until": None,
        "pending": False,
    }
    return Account(**{**known, **more})


def handed_out(session: Session, *, secure: bool = False) -> str:
    response = Response()
    KEYS.write(response, session, secure=secure)
    return response.headers["set-cookie"]


def sent_back(session: Session) -> str:
    return handed_out(session).partition(";")[0]


def read(cookie: str, place: str = PLACE, keys: Keys = KEYS) -> Session | None:
    found = keys.read(cookies_in(cookie), place=place)
    return found.session if found else None


def test_what_is_handed_out_is_read_back():
    session = Session.of(account(), PLACE)
    assert read(sent_back(session)) == session
    assert session.role == "judge"


def test_the_cookie_is_for_its_campaign_only_and_no_script_sees_it():
    said = handed_out(Session.new(PLACE)).lower()
    assert said.startswith(f"{COOKIE}=")
    assert f"path={PLACE}" in said
    assert "httponly" in said
    assert "samesite=lax" in said
    assert "secure" not in said
    assert "secure" in handed_out(Session.new(PLACE), secure=True).lower()


def test_the_start_page_has_a_cookie_of_another_name():
    """It goes to every campaign, too, and must not be taken for theirs."""
    assert handed_out(Session.new("/")).startswith(f"{START}=")
    both = f"{handed_out(Session.new('/')).partition(';')[0]}; "
    own = Session.of(account(), PLACE)
    assert read(both + handed_out(own).partition(";")[0]) == own


def test_what_was_signed_for_one_campaign_is_worth_nothing_in_another():
    assert read(sent_back(Session.of(account(), PLACE)), "/c/other/") is None


def test_another_secret_signs_nothing_of_ours():
    other = Keys(b"another secret of thirty-two bytes too")
    assert read(sent_back(Session.guest(PLACE)), keys=other) is None


SIGNED = TimestampSigner(b"a secret of thirty-two bytes, no less", salt="jurat.session")


@pytest.mark.parametrize(
    "value",
    [
        "",
        "x",
        "a.b.c",
        "..",
        '"\\"',
        "é\xff",
        "=" * 5000,
        SIGNED.sign("not base64!").decode(),
        SIGNED.sign(base64_encode(b"not json")).decode(),
        SIGNED.sign(base64_encode(b'["id"]')).decode(),
        SIGNED.sign(base64_encode(b'["id","/c/try/","a","s","king"]')).decode(),
        SIGNED.sign(base64_encode(b"\xff\xfe")).decode(),
    ],
    ids=range(12),  # what is signed differs with the time
)
def test_an_odd_cookie_is_nobodys(value: str):
    assert read(f"{COOKIE}={value}") is None


def test_a_new_password_or_link_changes_the_stamp():
    now = stamp(account())
    assert now != stamp(account(password_hash="other"))
    assert now != stamp(account(token_hash="other"))
    assert now == stamp(account(failures=3))


def test_a_form_key_belongs_to_one_browser():
    one, other = Session.new(PLACE), Session.new(PLACE)
    assert KEYS.is_form_key(one, KEYS.form_key(one))
    assert not KEYS.is_form_key(other, KEYS.form_key(one))


def test_a_form_key_outlives_a_new_login_of_the_same_account():
    """A page that is open in another tab can still send what was decided on it."""
    key = KEYS.form_key(Session.of(account(), PLACE))
    assert KEYS.is_form_key(Session.of(account(password_hash="other"), PLACE), key)
    assert not KEYS.is_form_key(Session.of(account(id="a2"), PLACE), key)
    assert not KEYS.is_form_key(Session.of(account(), "/c/other/"), key)


@pytest.mark.parametrize("sent", ["", "short", "ключ", "\ud800", "0" * 100_000])
def test_an_odd_form_key_is_wrong(sent: str):
    assert not KEYS.is_form_key(Session.new(PLACE), sent)


def test_long_cookies_are_not_kept_in_memory():
    """Strangers may send thousands of them, each of other text."""
    many = "; ".join(f"c{n}=1" for n in range(1000))
    assert cookies_in(many)["c999"] == "1"
    assert cookies_in(many) is not cookies_in(many)
    short = "a=1"
    assert cookies_in(short) is cookies_in(short)
