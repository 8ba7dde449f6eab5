"""WCAG 2.2 AA: every page, in both themes, on a phone, enlarged, by keyboard and by ear."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from jurat.i18n import languages
from jurat.web.context import static_files
from tests.browser import axe
from tests.browser.accessibility import controls, overflow, walk
from tests.browser.axe import violations
from tests.browser.conftest import WIDE
from tests.browser.site import SENTENCES, Running, Site, make_set
from tests.machine.chromium import keep_no_pages

SCREENS = (
    "tapet-adequacy",
    "da",
    "esa",
    "mqm",
    "heval",
    "preference-4",
    "ranking",
    "comprehension",
    "concepts",
    "post-edit",
    "informativeness",
)
"""Protocols that together show every kind of question."""
PAGES = (
    "start",
    "login",
    "login refused",
    "registered",
    "guest",
    "home",
    "password",
    "password refused",
    "guidelines/tapet-adequacy",
    "guidelines/mqm",
    "guidelines/ranking",
    "first guidelines",
    "panel",
    "flag",
    "practice",
    "between",
    "offline",
    "rest",
    "finished",
    "thanks",
    "not found",
    *(f"judge/{name}" for name in SCREENS),
)


KNOWN = {**SENTENCES[0], "tags": {"gold": '{"adequacy": 40, "because": "Half is missing."}'}}
TUTORIALS = {"open": make_set(), "practice": make_set([KNOWN])}


class Places:
    """Every page of the judges' side, each with somebody who may see it."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.made: dict[str, Running] = {}

    def campaign(self, name: str) -> Running:
        if name not in self.made:
            task = {"required": {"evaluation": 0}} if name == "rest" else {}
            finished = name == "finished"
            self.made[name] = self.site.campaign(
                name if name in SCREENS else "da",
                task=task,
                tutorial=TUTORIALS.get(name),
                title="Four systems into English",
                contact={"name": "Ada", "address": "ada@example.org"},
                guest=True,
                registration=True,
                judges=2 if name in ("mqm", "da") else 3,
                start=not finished,
            )
            if finished:
                self.made[name].service.campaigns.change_phases(
                    self.made[name].name, "close", author="boss"
                )
        return self.made[name]

    def open(self, page: Page, name: str) -> Page:
        """Go to a page of this name."""
        kind, _, protocol = name.partition("/")
        if kind == "judge":
            return self.campaign(protocol).enter(page)
        if kind == "guidelines":
            page.goto(f"{self.campaign(protocol).url}guidelines/rating")
            return page
        getattr(self, f"_{kind.replace(' ', '_')}")(page)
        return page

    def _start(self, page: Page) -> None:
        self.campaign("da")
        self.campaign("esa")
        page.goto(self.site.url)

    def _login(self, page: Page) -> None:
        page.context.clear_cookies()
        page.goto(self.campaign("open").url)

    def _login_refused(self, page: Page) -> None:
        self._login(page)
        page.fill("#pin", "nobody")
        page.fill("#password", "nothing")
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_role("alert")).to_be_visible()

    def _registered(self, page: Page) -> None:
        self._login(page)
        page.get_by_role("button", name="Become a judge").click()
        expect(page.locator(".slip")).to_be_visible()

    def _guest(self, page: Page) -> None:
        self._login(page)
        page.get_by_role("button", name="guest").click()
        expect(page.locator(".step")).to_be_visible()

    def _home(self, page: Page) -> None:
        page.goto(self.campaign("open").link)

    def _password(self, page: Page) -> None:
        self._home(page)
        page.get_by_role("link", name="Change password").click()

    def _password_refused(self, page: Page) -> None:
        self._password(page)
        page.fill("#old", "wrong-old")
        page.fill("#new", "long enough")
        page.get_by_role("button", name="Change").first.click()
        expect(page.get_by_role("alert")).to_be_visible()

    def _first_guidelines(self, page: Page) -> None:
        self._home(page)
        page.get_by_role("link", name="Read the guidelines and start").click()
        expect(page.get_by_role("link", name="Start", exact=True)).to_be_visible()

    def _panel(self, page: Page) -> None:
        self.campaign("esa").enter(page)
        page.keyboard.press("?")
        expect(page.locator("#help .examples").first).to_be_visible()
        page.locator(".bar a").first.focus()  # the panel has the focus, and is the last on the page

    def _flag(self, page: Page) -> None:
        self.campaign("sqm").enter(page)
        page.keyboard.press("f")
        expect(page.locator("#flag-comment")).to_be_visible()
        page.locator(".bar a").first.focus()

    def _practice(self, page: Page) -> None:
        made = self.campaign("practice")
        made.enter(page)
        page.keyboard.type("50")
        page.keyboard.press("Enter")
        expect(page.locator(".expected")).to_be_visible()
        page.locator(".bar a").first.focus()

    def _between(self, page: Page) -> None:
        self._home(page)
        page.goto(f"{self.campaign('open').url}between")
        expect(page.locator(".coming")).to_be_visible()

    def _offline(self, page: Page) -> None:
        page.goto(f"{self.campaign('open').url}offline")

    def _rest(self, page: Page) -> None:
        self.campaign("rest").enter(page)
        expect(page.locator(".rest")).to_be_visible()

    def _finished(self, page: Page) -> None:
        self.campaign("finished").enter(page)
        expect(page.locator("textarea")).to_be_visible()

    def _thanks(self, page: Page) -> None:
        self._finished(page)
        page.fill("textarea", "It was fine.")
        page.get_by_role("button", name="Send").click()
        expect(page.locator("h1")).to_contain_text("Thank you")

    def _not_found(self, page: Page) -> None:
        page.goto(f"{self.campaign('open').url}nowhere")


@pytest.fixture(scope="module")
def places(site: Site) -> Places:
    return Places(site)


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that several pages share; every campaign has its own cookie."""
    with browser.new_context(viewport=WIDE) as context:
        axe.load(context)
        keep_no_pages(context)
        yield context


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    page = context.new_page()
    yield page
    page.close()


@pytest.fixture(scope="module")
def looked_at(context: BrowserContext) -> Page:
    """One page for all: each of its own would be a process of its own."""
    return context.new_page()


@pytest.fixture(scope="module", params=PAGES)
def opened(looked_at: Page, places: Places, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Each page in its turn, opened once for all that is asked of it."""
    looked_at.emulate_media(color_scheme="light", reduced_motion="reduce")
    yield places.open(looked_at, request.param)
    looked_at.set_viewport_size(WIDE)


def test_axe_finds_nothing_in_either_theme(opened: Page):
    opened.emulate_media(color_scheme="light", reduced_motion="reduce")
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
    visited = walk(opened)
    assert len(visited) > 1
    assert visited == sorted(visited)


def test_every_control_has_a_name_for_the_ear(opened: Page):
    names = controls(opened)
    assert names
    assert all(names)


def test_targets_of_one_question_have_different_names(places: Places, page: Page):
    places.open(page, "judge/tapet-adequacy")
    group = page.get_by_role("group", name=re.compile("meaning")).first
    names = [
        group.get_by_role("radio")
        .nth(n)
        .evaluate("e => e.ariaLabel ?? e.closest('label').innerText")
        for n in range(7)
    ]
    assert len(set(names)) == 7


@pytest.mark.parametrize("code", [code for code in languages() if code != "en"])
def test_axe_finds_nothing_in_other_languages(browser: Browser, places: Places, code: str):
    with browser.new_context(locale=code) as context:
        keep_no_pages(context)
        page = places.open(context.new_page(), "judge/heval")
        assert page.evaluate("document.documentElement.lang") == code
        assert violations(page) == []
        assert overflow(page) <= 0


@pytest.mark.parametrize("name", ["login", "home", "judge/tapet-adequacy", "judge/heval"])
def test_nothing_moves_for_those_who_ask_for_it_and_nothing_for_long(
    places: Places, page: Page, name: str
):
    places.open(page, name)
    longest = """() => Math.max(...[...document.querySelectorAll("*")].flatMap((one) => {
      const { transitionDuration, animationDuration } = getComputedStyle(one);
      return `${transitionDuration},${animationDuration}`.split(",").map(parseFloat);
    }))"""
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(longest) <= 0.15
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(longest) == 0


def test_the_skip_link_leads_past_everything_to_the_text(places: Places, page: Page):
    places.open(page, "judge/da")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#main"


def tokens(css: str) -> tuple[dict[str, str], dict[str, str]]:
    """The colours of both themes, by name."""
    light, dark = (
        dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6})", part))
        for part in css.split("prefers-color-scheme: dark", 1)
    )
    return light, {**light, **dark}


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2.2."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2, 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_computed_as_wcag_has_it():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


ON = {"paper", "sheet"}
READ = [
    *product({"ink", "soft", "accent", "alert"}, ON),
    *product({"ink"}, {"chosen", "content", "function", "minor", "major"}),
    ("on-accent", "accent"),
]
SEEN = [("edge", "paper"), ("edge", "sheet"), ("accent", "paper"), ("accent", "chosen")]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_every_colour_that_is_used_together_has_enough_contrast(theme: int):
    colours = tokens(static_files()["style.css"].decode())[theme]
    for text, ground in READ:
        assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for edge, ground in SEEN:
        assert contrast(colours[edge], colours[ground]) >= 3, (edge, ground)
