"""The coordinators' and adjudicators' pages in the pictures: one site for all of them."""

from __future__ import annotations

from datetime import datetime

from playwright.sync_api import Page, expect

from tests.browser.coordinator_site import CoordinatorSite, make_coordinator_site, settle
from tests.browser.screenshots.pages import CLOCK, Show
from tests.browser.site import Site

HOST = "http://jurat.example.org"
"""Where the site is, as its pages and slips say."""
SPRING = f"{HOST}/c/spring"
OFFICES: dict[str, tuple[CoordinatorSite, datetime]] = {}
"""By the site's own address: what is there, and what time it is when everything was done."""


def office(site: Site) -> CoordinatorSite:
    """What a coordinator finds, made when it is first wanted; the clock stands where it ended."""
    if site.url not in OFFICES:
        OFFICES[site.url] = make_coordinator_site(site, CLOCK), CLOCK.now
    found, CLOCK.now = OFFICES[site.url]
    return found


def page_of(path: str, place: str = "") -> Show:
    """A page as the site's coordinator sees it, from some place in it on."""

    def show(page: Page, site: Site) -> None:
        there = office(site)
        there.enter(page, HOST)
        page.goto(f"{HOST}{path.format(draft=there.draft, outlier=there.outlier)}")
        settle(page)
        if place:
            page.locator(place).first.evaluate("one => one.scrollIntoView()")

    return show


def slips(page: Page, site: Site) -> None:
    page_of("/c/winter/desk/judges")(page, site)  # so that no other picture has more judges
    page.fill("#count", "2")
    page.locator("form[action$='judges/add'] button.main").click()
    expect(page.locator(".page-of-one")).to_have_count(2)


def messages(page: Page, site: Site) -> None:
    there = office(site)
    text = "Segment 3 of “market” has a broken reference.\nFlag it if you come across it."
    # once: the site is the same for all pictures
    if not site.service.messages.all("spring"):
        site.service.messages.send("spring", text, author="Ada Okafor")
        site.service.messages.send("spring", "Welcome!", author="Ada Okafor", pin=there.outlier)
    page_of("/c/spring/desk/messages")(page, site)


def compared(page: Page, site: Site) -> None:
    there = office(site)
    settled, _ = there.cases()
    there.enter_as_adjudicator(page, HOST)
    page.goto(f"{SPRING}/cases/adequacy/{settled}/compared")


DESK: dict[str, Show] = {
    "desk-campaigns": page_of("/desk/"),
    "desk-set": page_of("/desk/draft/{draft}/set"),
    "desk-tasks": page_of("/desk/draft/{draft}/tasks", "#preview"),
    "desk-front": page_of("/c/spring/desk/"),
    "desk-progress": page_of("/c/spring/desk/progress"),
    "desk-timeline": page_of("/c/spring/desk/progress/timeline"),
    "desk-messages": messages,
    "desk-slips": slips,
    "desk-results-judges": page_of("/c/spring/desk/results", "#judges"),
    "desk-results-systems": page_of("/c/spring/desk/results", "#systems"),
    "desk-results-without": page_of("/c/spring/desk/results?without={outlier}", "#changes"),
    "desk-heat-map": page_of("/c/spring/desk/results/heat-map"),
    "desk-judge": page_of("/c/spring/desk/judge/{outlier}"),
    "desk-segments": page_of("/c/spring/desk/segments?sort=-disagreement"),
    "desk-segment": page_of("/c/spring/desk/segments/market/2"),
    "desk-adjudication": page_of("/c/spring/desk/adjudication", "#near-1"),
    "desk-compared": compared,
}
PARTS = (
    "desk-set",
    "desk-tasks",
    "desk-results-judges",
    "desk-results-systems",
    "desk-results-without",
    "desk-judge",
    "desk-segments",
    "desk-segment",
    "desk-adjudication",
)
"""Pages that are long, of which a window shows what matters."""
