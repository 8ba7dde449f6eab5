"""WCAG 2.2 AA for coordinators and adjudicators: every page, both themes, phone, keyboard, ear."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect
from starlette.routing import Route

from jurat.campaigns.simulate import Stopwatch
from jurat.store import Store
from jurat.web import adjudicator, coordinator
from tests.browser import axe
from tests.browser.accessibility import controls, overflow, walk
from tests.browser.axe import violations
from tests.browser.conftest import WIDE
from tests.browser.coordinator_site import (
    CoordinatorSite,
    faulty_set,
    make_coordinator_site,
    settle,
)
from tests.browser.site import serving
from tests.campaigns.sample_campaigns import NOW

STOPS = 25
"""Of the keyboard: tables go on like that for many more."""
NOBODY = {"login": "/desk/", "begin": "/desk/begin/{token}", "start": "/"}
COORDINATOR = {
    "campaigns": "/desk/",
    "password": "/desk/password",
    "people": "/desk/coordinators",
    "tokens": "/desk/tokens",
    "new": "/desk/new",
    "set": "/desk/draft/{draft}/set",
    "set, empty": "/desk/draft/{empty}/set",
    "tasks": "/desk/draft/{draft}/tasks",
    "rules": "/desk/draft/{draft}/rules",
    "declaration": "/desk/draft/{draft}/declaration",
    "give up": "/desk/draft/{draft}/give-up",
    "front": "/c/spring/desk/",
    "front, done": "/c/winter/desk/",
    "progress": "/c/spring/desk/progress",
    "messages": "/c/spring/desk/messages",
    "timeline": "/c/spring/desk/progress/timeline",
    "judges": "/c/spring/desk/judges",
    "results": "/c/spring/desk/results",
    "heat map": "/c/spring/desk/results/heat-map",
    "part": "/c/spring/desk/results/agreement",
    "report": "/c/spring/desk/results/report",
    "adjudication": "/c/spring/desk/adjudication",
    "segments": "/c/spring/desk/segments",
    "flags": "/c/spring/desk/flags",
    "segment": "/c/spring/desk/segments/market/2",
    "document": "/c/spring/desk/segments/market/",
    "judge": "/c/spring/desk/judge/{outlier}",
    "system": "/c/spring/desk/system/cedar",
    "system, other protocols": "/c/winter/desk/system/cedar",
    "export": "/c/spring/desk/export",
    "settings": "/c/spring/desk/settings",
    "log": "/c/spring/desk/log",
}
ADJUDICATOR = {
    "cases": "/c/spring/cases/",
    "case": "/c/spring/cases/adequacy/{waiting}",
    "compared": "/c/spring/cases/adequacy/{settled}/compared",
}
PATHS = {**NOBODY, **COORDINATOR, **ADJUDICATOR}
SENT = ("slips", "handed", "faults", "refusal")
"""Pages that answer a form."""
NO_PAGES = re.compile(r"\{ending\}|/file$|\.yaml$|^/export/|/next$|/media/\{digest\}$")
"""Routes that answer with data, or lead on."""


class Places:
    """Every page, each in a browser of somebody who may see it."""

    def __init__(self, browser: Browser, office: CoordinatorSite, open_: ExitStack) -> None:
        self.office = office
        self._browser = browser
        self._open = open_
        self._pages: dict[str, Page] = {}
        settled, waiting = office.cases()
        token = office.site.service.coordinators.add("Eve", author="test").token
        self._names = {
            "draft": office.draft,
            "empty": office.empty,
            "outlier": office.outlier,
            "settled": settled,
            "waiting": waiting,
            "token": token,
        }

    def address(self, name: str) -> str:
        return self.office.site.url + PATHS[name].format(**self._names)

    def open(self, name: str, language: str = "en") -> Page:
        """Go to a page of this name, and wait until all that it shows is there."""
        page = self._page(_who(name), language)
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        if name in SENT:
            getattr(self, f"_{name}")(page)
        else:
            page.goto(self.address(name))
        settle(page)
        return page

    def _page(self, who: str, language: str) -> Page:
        key = f"{who} {language}"
        if key not in self._pages:
            context = self._browser.new_context(viewport=WIDE, locale=language)
            axe.load(context)
            page = self._open.enter_context(context).new_page()
            if who == "coordinator":
                self.office.enter(page)
            elif who == "adjudicator":
                self.office.enter_as_adjudicator(page)
            self._pages[key] = page
        return self._pages[key]

    def _slips(self, page: Page) -> None:
        page.goto(self.address("judges"))
        page.fill("#count", "2")
        page.locator("form[action$='judges/add'] button.main").click()
        expect(page.locator(".page-of-one")).to_have_count(2)

    def _handed(self, page: Page) -> None:
        page.goto(self.address("people"))
        page.fill("#name", "Grace")
        page.locator("button[value=add]").click()
        expect(page.locator(".slip")).to_be_visible()

    def _faults(self, page: Page) -> None:
        page.goto(self.address("set, empty"))
        found = faulty_set()
        sent: FilePayload = {"name": found.name, "mimeType": "text/plain", "buffer": found.data}
        page.set_input_files("#files-test_set", sent)
        page.locator("button[name=upload]").first.click()
        expect(page.locator(".faults li").first).to_be_visible()

    def _refusal(self, page: Page) -> None:
        page.goto(self.address("front"))
        row = page.locator("tbody tr").first
        row.locator("[name=task]").evaluate("field => { field.value = 'nowhere'; }")
        row.locator("button[name=action]").click()
        expect(page.get_by_role("alert")).to_be_visible()


def _who(name: str) -> str:
    known = {**dict.fromkeys(NOBODY, "nobody"), **dict.fromkeys(ADJUDICATOR, "adjudicator")}
    return known.get(name, "coordinator")


@pytest.fixture(scope="module")
def places(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Places]:
    path, watch = tmp_path_factory.mktemp("office") / "jurat.db", Stopwatch(NOW)
    with (
        Store.open(str(path)) as store,
        serving(store, clock=watch) as site,
        ExitStack() as open_,
    ):
        yield Places(browser, make_coordinator_site(site, watch), open_)


@pytest.fixture(scope="module", params=[*PATHS, *SENT])
def opened(places: Places, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Each page in its turn, opened once for all that is asked of it."""
    page = places.open(request.param)
    yield page
    page.set_viewport_size(WIDE)


def test_every_page_is_looked_at():
    mounted = (
        ("/desk", coordinator.site_routes),
        ("/c/[^/]+/desk", coordinator.routes),
        ("/c/[^/]+/cases", adjudicator.routes),
    )
    there = [
        (f"{base}{route.path}", pattern(base, route))
        for base, routes in mounted
        for route in routes
        if "GET" in (route.methods or ()) and not NO_PAGES.search(route.path)
    ]
    addresses = [path.partition("?")[0] for path in PATHS.values()]
    assert [p for p, looks in there if not any(looks.fullmatch(a) for a in addresses)] == []


def pattern(base: str, route: Route) -> re.Pattern[str]:
    """What addresses of a page look like."""
    return re.compile(base + re.sub(r"\{\w+(:path)?\}", "[^/]+", route.path))


def test_axe_finds_nothing_in_either_theme(opened: Page):
    assert violations(opened) == []
    opened.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert violations(opened, only="color-contrast") == []


def test_it_fits_a_phone_and_any_enlargement(opened: Page):
    opened.set_viewport_size({"width": 360, "height": 640})
    assert overflow(opened) <= 0, "on a phone"
    opened.set_viewport_size({"width": 640, "height": 400})
    assert overflow(opened) <= 0, "1280 × 800 at 200 %"
    opened.set_viewport_size(WIDE)
    opened.evaluate("document.documentElement.style.fontSize = '200%'")
    assert overflow(opened) <= 0, "letters twice as large"
    opened.evaluate("document.documentElement.style.fontSize = ''")


def test_the_focus_goes_from_top_to_bottom_and_is_always_seen(opened: Page):
    visited = walk(opened, STOPS)
    assert len(visited) > 1
    assert visited == sorted(visited)


def test_every_control_has_a_name_for_the_ear(opened: Page):
    names = controls(opened)
    assert names
    assert all(names)


@pytest.mark.parametrize(
    ("name", "code"), [("front", "es"), ("progress", "hi"), ("judge", "zh"), ("judge", "es")]
)
def test_other_languages_fit_as_well(places: Places, name: str, code: str):
    page = places.open(name, code)
    assert page.evaluate("document.documentElement.lang") == code
    page.set_viewport_size({"width": 360, "height": 640})
    assert overflow(page) <= 0
    page.set_viewport_size(WIDE)
