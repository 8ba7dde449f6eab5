"""Slips for judges on paper: a page each, and a code that a telephone can read."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from itertools import product
from typing import Literal, get_args

import numpy as np
import pytest
import zxingcpp
from playwright.sync_api import Browser, Page, expect

from jurat.campaigns import auth
from tests.browser.screenshots.palette import pixels
from tests.browser.site import PATIENCE, Running, Site

Media = Literal["screen", "print"]
Theme = Literal["light", "dark"]

JUDGES = 3


@pytest.fixture(scope="module")
def running(site: Site) -> Running:
    return site.campaign("da", title="Bridges and markets")


@pytest.fixture(scope="module")
def slips(browser: Browser, running: Running) -> Iterator[Page]:
    """A page with three slips that were just made."""
    (slip,) = running.service.accounts.add(running.name, 1, author="boss", role="coordinator")
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.request.get(f"{running.url}link/{slip.token}", max_redirects=0)
        make(page, running)
        yield page


def make(page: Page, running: Running) -> None:
    """Fill in the form that makes slips, and send it."""
    page.goto(f"{running.url}desk/judges")
    page.fill("#count", str(JUDGES))
    page.locator("form[action$='judges/add'] button.main").click()
    expect(page.locator(".page-of-one")).to_have_count(JUDGES)


@pytest.fixture
def window(slips: Page) -> Iterator[Page]:
    """Another window of whoever made the slips."""
    page = slips.context.new_page()
    yield page
    page.close()


def test_a_page_for_each_judge(slips: Page):
    paper = slips.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == JUDGES


def test_nothing_of_the_screen_is_on_paper(slips: Page):
    slips.emulate_media(media="print", color_scheme="dark")
    for place in (".desk-top", ".screen-only", ".foot"):
        expect(slips.locator(place)).to_be_hidden()
    expect(slips.locator(".slip").last).to_be_visible()


def test_a_telephone_reads_the_address_on_every_slip(slips: Page, window: Page, running: Running):
    found = slips.locator(".page-of-one")
    for media, theme in product(get_args(Media), get_args(Theme)):
        slips.emulate_media(media=media, color_scheme=theme)
        # all have the same colours
        for slip in found.all() if (media, theme) == ("print", "light") else [found.last]:
            picture = np.ascontiguousarray(pixels(window, slip.screenshot()))
            seen = zxingcpp.read_barcodes(picture, try_invert=False)
            assert [one.text for one in seen] == [running.url], (media, theme)


def test_slips_that_are_loaded_again_make_no_more(window: Page, running: Running):
    make(window, running)
    before = running.store.judges(running.name)
    window.reload()
    expect(window.get_by_role("alert")).to_contain_text("already exist")
    expect(window.locator(".page-of-one")).to_have_count(0)
    assert running.store.judges(running.name) == before


def test_a_second_click_loses_no_slips(
    window: Page, running: Running, monkeypatch: pytest.MonkeyPatch
):
    """The server has not answered the first one yet."""
    before = len(running.store.judges(running.name))
    window.goto(f"{running.url}desk/judges")
    window.fill("#count", str(JUDGES))
    button = window.locator("form[action$='judges/add'] button.main")
    clicked = threading.Event()
    window.expose_function("clickedTwice", clicked.set)
    hashed = auth.hash_password

    def hash_later(password: str) -> str:
        assert clicked.wait(PATIENCE)
        return hashed(password)

    monkeypatch.setattr(auth, "hash_password", hash_later)
    button.evaluate(
        """button => {
          button.click();
          setTimeout(() => { button.click(); clickedTwice(); }, 200);
        }"""
    )
    expect(window.locator(".page-of-one")).to_have_count(JUDGES)
    assert len(running.store.judges(running.name)) == before + JUDGES
