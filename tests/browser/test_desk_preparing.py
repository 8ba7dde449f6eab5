"""A campaign is prepared in a browser: from a test set to the campaign's first screen."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.browser.axe import violations
from tests.browser.site import Site, make_set

SET: FilePayload = {
    "name": "set.jsonl",
    "mimeType": "application/x-ndjson",
    "buffer": make_set(documents=3),
}


@pytest.fixture
def coordinator(browser: Browser, site: Site) -> Iterator[Page]:
    name = f"Ada {len(site.service.coordinators.all())}"
    token = site.service.coordinators.add(name, author="test").token
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.goto(f"{site.url}/desk/begin/{token}")
        page.get_by_label("New password").fill("a long secret")
        page.get_by_role("button", name="Start").click()
        yield page


def test_from_a_test_set_to_a_campaign(coordinator: Page, site: Site):
    page = coordinator
    failures: list[str] = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.get_by_role("link", name="New campaign").click()
    page.get_by_label("Files", exact=True).set_input_files(SET)
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".facts").first).to_contain_text("Segments6")

    page.get_by_role("link", name="Next: Tasks and kits").click()
    page.get_by_role("button", name="Add a task").click()
    expect(page.locator(".preview input[type=number]")).to_be_visible()
    page.get_by_label("Judgments per item").fill("2")
    page.get_by_label("Protocol", exact=True).last.select_option("preference")
    expect(page.locator(".preview .translation")).to_have_count(2)
    expect(page.locator("#kept")).to_have_text("Saved")
    page.get_by_label("Judgments per item").fill("some")
    page.get_by_label("Judgments per item").press("Tab")
    expect(page.locator("#problem-f-wanted")).to_contain_text("a whole number")
    assert violations(page) == []
    page.get_by_label("Judgments per item").fill("2")
    page.get_by_role("button", name="Save and preview").click()
    expect(page.locator("#audit tbody")).to_contain_text("preference, Evaluation")

    page.get_by_role("link", name="Next: Rules").click()
    page.get_by_label("Title").fill("Bridges")
    page.get_by_label("Short name").fill("bridges")
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Create campaign").click()
    expect(page.locator("h1")).to_have_text("Overview")
    page.goto(f"{site.url}/c/bridges/desk/settings")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert site.service.campaigns.plan("bridges").tasks[0].wanted == 2
    assert failures == []
