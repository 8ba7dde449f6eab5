"""A coordinator who prepares a campaign in a browser without scripts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from html.parser import HTMLParser
from typing import Any

from httpx2 import Response

from jurat.store import CampaignDraft
from tests.web.website import Visitor, Website, form_key


class Fields(HTMLParser):
    """What a form would send untouched, found by a name that only it has."""

    def __init__(self, html: str, name: str) -> None:
        super().__init__()
        self._name = name
        self._own: dict[str, list[str]] = {}
        self._select: tuple[str, list[str]] | None = None
        self._area: tuple[str, list[str]] | None = None
        self.sent: dict[str, list[str]] = {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._own = {}
        elif tag == "input" and given.get("type") != "file":
            if given.get("type") != "checkbox" or "checked" in given:
                self._own.setdefault(given.get("name", ""), []).append(given.get("value", ""))
        elif tag == "textarea":
            self._area = (given.get("name", ""), [])
        elif tag == "select":
            self._select = (given["name"], [])
        elif tag == "option" and self._select and (not self._select[1] or "selected" in given):
            self._select = (self._select[0], [given.get("value", "")])

    def handle_data(self, data: str) -> None:
        if self._area:
            self._area[1].append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea" and self._area:
            name, pieces = self._area
            # a browser leaves out the line break right after the tag
            self._own.setdefault(name, []).append("".join(pieces).removeprefix("\n"))
            self._area = None
        if tag == "select" and self._select:
            name, value = self._select
            self._own.setdefault(name, []).extend(value)
            self._select = None
        if tag == "form" and self._name in self._own:
            self.sent = self._own


@dataclass
class Preparing:
    """One preparation, and who works on it."""

    site: Website
    ada: Visitor
    key: str

    @property
    def base(self) -> str:
        return f"draft/{self.key}/"

    @property
    def draft(self) -> CampaignDraft:
        return self.site.service.drafts.get(self.key)

    @property
    def declared(self) -> Any:
        return self.draft.declaration

    def get(self, page: str) -> Response:
        return self.ada.get(self.base + page)

    def post(self, page: str, sent: dict[str, Any], **options: Any) -> Response:
        return self.ada.post(self.base + page, sent, key=form_key(self.get("rules")), **options)

    def upload(self, *files: tuple[str, bytes], part: str = "test_set", **more: str) -> Response:
        name = "files" if part == "test_set" else "tutorial-files"
        given = [(name, file) for file in files]
        return self.post("set", {"upload": part, **more}, files=given)

    def fill(self, page: str, own: str, /, **changed: Any) -> Response:
        """Send the form that has a field of its own by this name as it is, but for some fields.

        A field that is None is left out, as a box is that was unticked.
        """
        sent = Fields(self.get(page).text, own).sent
        assert sent, f"no form with {own}"
        given = {field.replace("__", "."): value for field, value in changed.items()}
        whole = {**sent, **given}
        data = {field: value for field, value in whole.items() if value is not None}
        address = self.ada.base + self.base + page.partition("?")[0]
        return self.ada.client.post(address, data=data)


def begin(site: Website, ada: Visitor, *files: tuple[str, bytes], **sent: str) -> Preparing:
    told = new(ada, *files, **sent)
    found = re.fullmatch(r"/desk/draft/([\w-]+)/set", told.url.path)
    assert found, told.text
    return Preparing(site, ada, found[1])


def new(ada: Visitor, *files: tuple[str, bytes], **sent: str) -> Response:
    given = {"files": [("files", file) for file in files]} if files else {}
    return ada.post("new", sent, key=form_key(ada.get("new")), **given)


def problem(page: Response, field: str) -> str:
    """What is said beside a field; nothing where it is all right."""
    place = re.escape(f"problem-f-{field}")
    found = re.search(rf'<p class="problem" id="{place}"[^>]*>(.*?)</p>', page.text)
    assert found, field
    return unescape(re.sub(r"<[^>]*>", "", found[1]))
