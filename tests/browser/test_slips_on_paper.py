"""Slips for judges on paper: a page each, and a code that a telephone can read."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
import segno
from playwright.sync_api import Browser, Page, expect

from tests.browser.screenshots.palette import pixels
from tests.browser.site import Running, Site

JUDGES = 3
BORDER = 4
"""Modules of white around the code."""


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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_code_is_that_of_the_address(slips: Page, running: Running, theme: str):
    slips.emulate_media(media="print", color_scheme="dark" if theme == "dark" else "light")
    square = slips.locator(".square").first
    seen = pixels(slips.context.new_page(), square.screenshot())
    modules = [[bool(one) for one in row] for row in segno.make(running.url, error="m").matrix]
    size = len(seen) / (len(modules) + 2 * BORDER)
    read = [
        [
            bool(seen[int((y + BORDER + 0.5) * size), int((x + BORDER + 0.5) * size)].sum() < 384)
            for x in range(len(modules))
        ]
        for y in range(len(modules))
    ]
    assert read == modules
