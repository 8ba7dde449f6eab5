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


@pytest.fixture
def running(site: Site) -> Running:
    return site.campaign("da", title="Bridges and markets")


@pytest.fixture
def slips(browser: Browser, running: Running) -> Iterator[Page]:
    """Three slips that were just made."""
    (slip,) = running.service.accounts.add(running.name, 1, author="boss", role="coordinator")
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.request.get(f"{running.url}link/{slip.token}", max_redirects=0)
        page.goto(f"{running.url}desk/judges")
        page.fill("#count", str(JUDGES))
        page.locator("form[action$='judges/add'] button.main").click()
        expect(page.locator(".page-of-one")).to_have_count(JUDGES)
        yield page


def test_a_page_for_each_judge(slips: Page):
    paper = slips.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == JUDGES


def test_nothing_of_the_screen_is_on_paper(slips: Page):
    slips.emulate_media(media="print", color_scheme="dark")
    for place in (".desk-top", ".screen-only", ".foot"):
        expect(slips.locator(place)).to_be_hidden()
    expect(slips.locator(".slip").last).to_be_visible()


def test_a_telephone_reads_the_address_on_every_slip(slips: Page, running: Running):
    blank = slips.context.new_page()
    for media, theme in product(get_args(Media), get_args(Theme)):
        slips.emulate_media(media=media, color_scheme=theme)
        for slip in slips.locator(".page-of-one").all():
            picture = np.ascontiguousarray(pixels(blank, slip.screenshot()))
            seen = zxingcpp.read_barcodes(picture, try_invert=False)
            assert [one.text for one in seen] == [running.url], (media, theme)


def test_slips_that_are_loaded_again_make_no_more(slips: Page, running: Running):
    before = running.store.judges(running.name)
    slips.reload()
    expect(slips.get_by_role("alert")).to_contain_text("already exist")
    expect(slips.locator(".page-of-one")).to_have_count(0)
    assert running.store.judges(running.name) == before


def test_a_second_click_loses_no_slips(
    slips: Page, running: Running, monkeypatch: pytest.MonkeyPatch
):
    """The server has not answered the first one yet."""
    before = len(running.store.judges(running.name))
    slips.goto(f"{running.url}desk/judges")
    slips.fill("#count", str(JUDGES))
    button = slips.locator("form[action$='judges/add'] button.main")
    clicked = threading.Event()
    slips.expose_function("clickedTwice", clicked.set)
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
    expect(slips.locator(".page-of-one")).to_have_count(JUDGES)
    assert len(running.store.judges(running.name)) == before + JUDGES
