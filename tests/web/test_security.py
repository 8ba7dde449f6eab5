"""What every answer says to the browser, and what no request can bring about."""

import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest
from httpx2 import Response

from jurat.store import StoreBusy, StoreFailed, StoreFull, StoreUnreachable
from jurat.web.context import edition, static_files
from jurat.web.security import HEADERS, LARGEST
from tests.campaigns.sample_campaigns import NAME
from tests.web.website import BASE, Website, form_key, website, words

LOOKS = {"language": "es", "shading": "off"}
WEB = Path(str(files("jurat.web")))
POSTS = ("login", "logout", "password", "register", "guest", "feedback", "look")


def is_safe(response: Response) -> bool:
    """Whether a response has every header, and no word that only we should read."""
    assert "Traceback" not in response.text
    assert "jurat/" not in response.text.replace("/jurat/", "")
    return all(name in response.headers for name in HEADERS)


def test_every_kind_of_answer_has_the_headers(site: Website):
    visitor = site.visitor()
    client = visitor.client
    answers = [
        visitor.get(),
        visitor.get("nothing/here"),
        visitor.get("api/step"),
        visitor.get("judge", follow_redirects=False),
        client.get("/"),
        client.get("/healthy"),
        client.get("/c/unknown/"),
        client.get(f"/static/{edition()}/style.css"),
        client.get("/static/old/style.css"),
        client.get("/static/x/../../secret"),
        client.post("/healthy"),
        client.post(BASE + "login", content=b"x" * (LARGEST + 1)),
        client.put(BASE + "api/draft", content=b"{}"),
        client.request("TRACE", BASE),
    ]
    assert {answer.status_code for answer in answers} >= {200, 303, 401, 403, 404, 405, 413}
    assert all(is_safe(answer) for answer in answers)


def test_the_policy_allows_nothing_from_elsewhere_and_nothing_inline():
    policy = dict(part.split(" ", 1) for part in HEADERS["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert {value for name, value in policy.items() if value != "'none'"} == {"'self'"}


def test_pages_are_never_kept_and_our_own_files_for_ever(site: Website):
    client = site.visitor().client
    assert client.get(BASE).headers["cache-control"] == "no-store"
    assert "immutable" in client.get(f"/static/{edition()}/style.css").headers["cache-control"]
    assert client.get("/static/old/style.css").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("secure", [True, False])
def test_behind_https_cookies_and_browser_keep_to_it(tmp_path: Path, secure: bool):
    with website(tmp_path, secure=secure) as site:
        site.setting.create()
        (slip,) = site.slips()
        visitor = site.visitor(base_url="https://jurat.test")
        visitor.follow(slip)
        visitor.post("look", LOOKS)
        visitor.post("logout")
        cookies = [c for one in visitor.seen for c in one.headers.get_list("set-cookie")]
        assert len(cookies) == 3 + len(LOOKS)
        assert {"secure" in cookie.lower() for cookie in cookies} == {secure}
        assert all("httponly" in c.lower() and "samesite=lax" in c.lower() for c in cookies)
        assert ("strict-transport-security" in visitor.seen[0].headers) is secure


def test_a_form_from_elsewhere_is_refused(site: Website):
    (slip,) = site.slips()
    victim = site.visitor().follow(slip)
    other = form_key(site.visitor().get())
    for path in POSTS:
        for key in ("", other, "0" * 32, "ключ"):
            told = victim.client.post(BASE + path, data={"form_key": key, "language": "hi"})
            assert told.status_code == 403, (path, key)
            assert "try again" in words(told.text)
    assert victim.inside
    assert not site.setting.store.audit_log(NAME)[-1].action.startswith("feedback")


def test_the_start_page_refuses_a_form_from_elsewhere(tmp_path: Path):
    with website(tmp_path) as site:
        client = site.visitor().client
        page = client.get("/")
        assert client.post("/look", data={"language": "hi"}).status_code == 403
        told = client.post("/look", data={"language": "hi", "form_key": form_key(page)})
        assert told.headers["content-language"] == "hi"


@pytest.mark.parametrize(("method", "path"), [("POST", "api/decide"), ("PUT", "api/draft")])
def test_a_script_from_elsewhere_is_refused(site: Website, method: str, path: str):
    (slip,) = site.slips()
    visitor = site.visitor().follow(slip)
    body = {"assignment": "x", "position": 1, "answers": {}}
    assert visitor.client.request(method, BASE + path, json=body).status_code == 403
    key = {"x-form-key": form_key(site.visitor().get())}
    assert visitor.client.request(method, BASE + path, json=body, headers=key).status_code == 403


ELSEWHERE = (
    "https://evil.test/",
    "//evil.test/",
    "/\\evil.test",
    "\\\\evil.test",
    "javascript:alert(1)",
    "/\t/evil.test",
    "",
    "/c/other/",
    "/c/try/\r\nSet-Cookie: x=1",
)


def test_nobody_is_sent_on_elsewhere(site: Website):
    visitor = site.visitor()
    for back in ELSEWHERE:
        told = visitor.post("look", {"language": "es", "back": back}, follow_redirects=False)
        assert told.status_code == 303
        assert told.headers["location"].startswith(BASE), back
        assert "x=1" not in str(told.headers.get_list("set-cookie"))


def test_the_host_that_a_request_names_is_never_believed(site: Website):
    client = site.visitor().client
    paths = (BASE, f"/c/{NAME}", BASE + "judge", BASE + "nothing", "/", BASE + "judge/")
    for host in ("evil.test", "[", "a/b?c", "x" * 500):
        for path in paths:
            told = client.get(path, headers={"host": host}, follow_redirects=False)
            assert told.status_code in (200, 303, 404), (host, path)
            assert told.headers.get("location", "/").startswith("/")
            assert "evil" not in told.text


def test_an_address_without_its_last_stroke_leads_on(site: Website):
    told = site.visitor().client.get(f"/c/{NAME}", follow_redirects=False)
    assert told.headers["location"] == BASE


BROKEN = (
    b"",
    b"=&=&==%%%",
    b"form_key=%ff%fe&pin=%00%d8",
    b"pin=" + b"%C3" * 2000,
    "form_key=ü&pin=😀".encode(),
    b"&".join(b"a%d=1" % n for n in range(3000)),
    b'--x\r\nContent-Disposition: form-data; name="\xff"\r\n\r\n\xfe\r\n--x--',
    b'--x\r\nContent-Disposition: form-data; name="a"; filename="f"\r\n\r\nf\r\n--x--',
)
KINDS = (
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "multipart/form-data; boundary=x; charset=nonsense",
    "multipart/form-data; boundary=\xff",
    "text/plain",
    "application/json; charset=é",
)


def test_broken_forms_are_refused_in_plain_words(site: Website):
    client = site.visitor().client
    for body in BROKEN:
        for kind in KINDS:
            headers = {b"content-type": kind.encode("latin-1")}
            told = client.post(BASE + "login", content=body, headers=headers)
            assert told.status_code in (400, 403), (body, kind)
            assert is_safe(told)


def test_odd_words_in_a_form_of_ours_are_just_wrong(site: Website):
    (slip,) = site.slips()
    visitor = site.visitor()
    for pin in ("\0", "💥" * 50, " ", "'; drop table", "p" * 10_000):
        assert visitor.post("login", {"pin": pin, "password": "\0"}).status_code == 403
    inside = site.visitor().follow(slip)
    told = inside.post("password", {"old": slip.password, "new": "\0\x01 odd but long"})
    assert told.status_code == 200
    assert inside.post("feedback", {"words": "a\0b"}).status_code == 200
    assert site.setting.store.audit_log(NAME)[-1].details == {"words": "ab"}


def test_what_is_too_long_is_not_read(site: Website):
    visitor = site.visitor()
    client = visitor.client
    for length in ("9" * 30, str(LARGEST + 1)):
        told = client.post(BASE + "login", content=b"x", headers={"content-length": length})
        assert told.status_code == 413
    endless = client.post(BASE + "login", content=iter([b"x"] * 3))
    assert endless.status_code == 411
    assert client.post(BASE + "api/decide", content=b"x" * (LARGEST + 1)).status_code == 413


COOKIES = (
    "jurat",
    "jurat=",
    "=;=;;",
    'jurat="; language=\\',
    "language=../../x; shading=\xff",
    "language=" + "x" * 5000,
    "jurat=" + "." * 3000,
    "jurat=a; jurat=b; jurat-start=c",
)


def test_odd_cookies_are_nobodys(site: Website):
    for cookie in COOKIES:
        told = site.visitor().client.get(BASE, headers={b"cookie": cookie.encode("latin-1")})
        assert told.status_code == 200, cookie
        assert 'name="pin"' in told.text


ADDRESSES = (
    "c/%00/",
    "c/%ff%fe/",
    "c/try/link/%00",
    "c/try/guidelines/%F0%9F%92%A5",
    "c/try/judge/x/" + "9" * 5000,
    "c/try/judge/x/99999999999999999999",
    "c/try/judge/x/-1",
    "c/try/api/ahead/x/1",
    "c/try/api/ahead/%00/1",
    "c/" + "n" * 3000 + "/",
    "c/try%0d%0aX-Evil:1/",
    "static/x/%2e%2e/app.py",
    "static//",
    "%",
    "c/",
    "c//",
)


def test_odd_addresses_are_not_found(site: Website):
    (slip,) = site.slips()
    visitor = site.visitor().follow(slip)
    for path in ADDRESSES:
        told = visitor.client.get("/" + path)
        assert told.status_code in (403, 404), path
        assert "x-evil" not in told.headers
        assert is_safe(told)


def test_head_is_answered_like_get(site: Website):
    client = site.visitor().client
    for path in ("", "password", "guidelines/rating", "nothing", "guest/rating/1"):
        told = client.head(BASE + path, follow_redirects=False)
        assert told.status_code == client.get(BASE + path, follow_redirects=False).status_code
        assert is_safe(told)


def test_what_is_not_allowed_says_what_is(site: Website):
    client = site.visitor().client
    told = client.delete(BASE + "api/decide")
    assert told.status_code == 405
    assert "POST" in told.headers["allow"]
    assert told.json() == {"error": "not-found", "message": "This page does not exist."}


@pytest.mark.parametrize("path", ["", "api/step"])
def test_a_mistake_of_ours_is_told_in_plain_words(site: Website, monkeypatch, path: str):
    (slip,) = site.slips()
    visitor = site.visitor().follow(slip)

    def broken(*_, **__):
        raise RuntimeError("the secret is in here")

    monkeypatch.setattr(site.setting.store, "judge", broken)
    told = visitor.get(path)
    assert told.status_code == 500
    assert is_safe(told)
    assert "on our side" in told.text
    assert "secret" not in told.text


@pytest.mark.parametrize("error", [StoreBusy, StoreFailed, StoreFull, StoreUnreachable])
def test_a_store_that_does_not_answer_is_told_in_plain_words(site: Website, monkeypatch, error):
    (slip,) = site.slips()
    visitor = site.visitor().follow(slip)

    def failing(*_, **__):
        raise error("postgresql://boss:secret@db/jurat does not answer")

    for name in ("judge", "campaign", "campaigns", "note_check"):
        monkeypatch.setattr(site.setting.store, name, failing)
    for path in ("/healthy", "/ready"):
        told = visitor.client.get(path)
        assert (told.status_code, told.text) == (503, error.__name__)
    for path in (BASE, BASE + "api/step", "/", "/c/another/"):
        told = visitor.client.get(path)
        assert told.status_code == 503, path
        assert "try again" in told.text
        assert "secret" not in told.text


class Inline(HTMLParser):
    """Finds what a strict policy would not run."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(re.sub(r"\{%.*?%\}", " ", html))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "style" or (tag == "script" and "src" not in given):
            self.found.append(tag)
        self.found += [n for n in given if n == "style" or n.startswith("on")]
        for name in ("href", "src", "action"):
            address = given.get(name) or "/"
            if not address.startswith(("/", "#", "mailto:", "{{")):
                self.found.append(address)


PAGES = [*(WEB / "templates").rglob("*.html"), *(WEB.parent / "protocols").rglob("*.html")]


@pytest.mark.parametrize("page", sorted(PAGES), ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_no_page_has_a_script_or_a_style_in_it_or_anything_from_elsewhere(page: Path):
    assert Inline(page.read_text()).found == []
    assert not re.search(r"\bjavascript:|<style|https?://", page.read_text())


def test_scripts_and_styles_fetch_nothing_from_elsewhere():
    for name, content in static_files().items():
        text = content.decode().replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|\beval\(|new Function|setAttribute\(.style", text), name


ODD_BODIES = (
    b"",
    b"null",
    b'{"assignment":"\xff","position":1,"answers":{}}',
    b'{"assignment":"\\ud800","position":1,"answers":{}}',
    b"[" * 100_000,
    b'{"assignment":"x","position":1,"answers":' + b'{"a":' * 50_000,
    b'{"assignment":"x","position":1,"answers":{},"revision":0}',
    b'{"assignment":"x","position":1,"answers":{},"active":1e400}',
)


def test_odd_bodies_are_bad_requests(site: Website):
    (slip,) = site.slips()
    visitor = site.visitor().follow(slip)
    key = {"x-form-key": form_key(visitor.get())}
    for body in ODD_BODIES:
        told = visitor.client.post(BASE + "api/decide", content=body, headers=key)
        assert told.status_code == 400, body[:60]


def test_an_answer_to_a_form_from_elsewhere_sets_no_cookie(site: Website):
    (slip,) = site.slips()
    victim = site.visitor().follow(slip)
    cookies = dict(victim.client.cookies)
    victim.client.cookies.clear()  # a browser leaves them out of a form from another site
    for path in (*POSTS, "", "nothing", "api/decide"):
        sent = {"form_key": "0" * 32}
        told = victim.client.post(BASE + path, data=sent, follow_redirects=False)
        # who is not logged in is redirected to the login; browsers send the cookie to that page
        assert told.status_code >= 400 or path in ("password", "feedback")
        assert "set-cookie" not in told.headers
    victim.client.cookies.update(cookies)
    assert victim.inside
