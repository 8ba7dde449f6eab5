"""People who come to the pages over HTTP: what they see, send and are told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from httpx2 import Response
from jinja2.bccache import Bucket, BytecodeCache
from starlette.testclient import TestClient

from jurat.campaigns import Service
from jurat.campaigns.accounts import Slip
from jurat.store import Store
from jurat.web import create_app
from tests.campaigns.sample_campaigns import NAME, Setting, admit
from tests.store.empty_store import empty_store
from tests.web.results_thread import WorkerThread
from tests.web.transport import WholeAnswers

BASE = f"/c/{NAME}/"


class Compiled(BytecodeCache):
    """Pages' templates as the first site compiled them, for all others of this process."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if known := self._known.get((bucket.key, bucket.checksum)):
            bucket.bytecode_from_string(known)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._known[bucket.key, bucket.checksum] = bucket.bytecode_to_string()


COMPILED = Compiled()


class Form(HTMLParser):
    """The forms of a page: where each goes, and the fields that it would send untouched."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[tuple[str, list[tuple[str, str]]]] = []
        self._select = ""
        self._area: list[str] | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append((given.get("action", ""), []))
        elif tag == "input" and self.forms and "disabled" not in given and given.get("name"):
            kind = given.get("type", "text")
            if kind in ("radio", "checkbox") and "checked" not in given:
                return
            self.forms[-1][1].append((given["name"], given.get("value", "")))
        elif tag == "textarea" and self.forms:
            self._area = []
            self.forms[-1][1].append((given["name"], ""))

    def handle_data(self, data: str) -> None:
        if self._area is not None:
            self._area.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea" and self._area is not None:
            name, _ = self.forms[-1][1].pop()
            self.forms[-1][1].append((name, "".join(self._area)))
            self._area = None


def form_key(response: Response) -> str:
    """The key that the page's forms carry."""
    found = re.search(r'name="form_key" value="([0-9a-f]+)"', response.text)
    assert found, response.text
    return found[1]


@dataclass
class Visitor:
    """A browser without scripts, and everything that it was sent."""

    client: TestClient
    base: str = BASE
    seen: list[Response] = field(default_factory=list)

    def get(self, path: str = "", **options: Any) -> Response:
        return self._kept(self.client.get(self.base + path, **options))

    def post(self, path: str, data: Mapping[str, Any] | None = None, **options: Any) -> Response:
        """Send a form of ours: with the key of the page that shows it."""
        key = options.pop("key", None) or form_key(self.get())
        sent = {"form_key": key, **(data or {})}
        return self._kept(self.client.post(self.base + path, data=sent, **options))

    def enter(self, slip: Slip) -> Visitor:
        """Log in with PIN and password."""
        told = self.post("login", {"pin": slip.pin, "password": slip.password})
        assert told.status_code == 200, told.text
        return self

    def follow(self, slip: Slip) -> Visitor:
        """Come by the personal link, which is quicker."""
        assert self.get(f"link/{slip.token}").status_code == 200
        return self

    def be_guest(self) -> Visitor:
        assert self.post("guest").status_code == 200
        return self

    @property
    def inside(self) -> bool:
        """Whether the overview is shown, rather than where to log in."""
        return 'name="pin"' not in self.get().text

    def _kept(self, response: Response) -> Response:
        self.seen += [*response.history, response]
        return response


class Website:
    """The application over a store, with campaigns of a setting."""

    def __init__(self, store: Store, open_: ExitStack, **options: Any) -> None:
        self.setting = Setting(store)
        self.service.monitoring.results._worker = WorkerThread(store.address)
        self.app = create_app(self.setting.service, **options)
        self.app.state.site.templates.bytecode_cache = COMPILED
        self._open = open_

    @property
    def service(self) -> Service:
        return self.setting.service

    def visitor(self, name: str = NAME, **options: Any) -> Visitor:
        """A new browser; a fault of the server's is an answer to it, and no exception."""
        address = {"base_url": "http://jurat.test", "raise_server_exceptions": False, **options}
        # one event loop for all that he asks, instead of one for each request
        client = self._open.enter_context(TestClient(self.app, **address))
        client._transport = WholeAnswers(client)
        return Visitor(client, f"/c/{name}/")

    def slips(self, count: int = 1, name: str = NAME, **more: Any) -> list[Slip]:
        return admit(self.setting.store, name, count, **more)


@contextmanager
def website(place: Path | str, **options: Any) -> Iterator[Website]:
    """A website over a fresh store: in a folder, or at a database's address."""
    opened = Store.open(place) if isinstance(place, str) else empty_store(place / "jurat.db")
    with opened as store, ExitStack() as open_:
        yield Website(store, open_, **options)


def words(html: str) -> str:
    """The words of a page, as a reader sees them."""
    bare = re.sub(r"<(script|style|template)\b.*?</\1>", " ", html, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", bare)).split())
