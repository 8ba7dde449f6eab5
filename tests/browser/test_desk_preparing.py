"""A campaign is prepared in a browser: from a test set to the campaign's first screen."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Dialog, FilePayload, Page, expect

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
        page.get_by_label("Password").fill("a long secret")
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

    page.get_by_role("button", name="Next: Tasks and kits").click()
    page.get_by_role("button", name="Direct assessment, 0 to 100").click()
    expect(page.locator(".preview input[type=number]")).to_be_visible()
    page.get_by_label("Judgments per item").fill("2")
    page.get_by_label("Protocol", exact=True).select_option("preference")
    expect(page.locator(".preview .translation")).to_have_count(2)
    expect(page.locator("#kept")).to_have_text("Saved")
    page.get_by_label("Judgments per item").fill("some")
    page.get_by_label("Judgments per item").press("Tab")
    expect(page.locator("#problem-f-wanted")).to_contain_text("a whole number")
    assert violations(page) == []
    page.get_by_label("Judgments per item").fill("2")
    page.get_by_role("button", name="Save and preview").click()
    expect(page.locator("#audit tbody")).to_contain_text("preference, Evaluation")

    page.get_by_role("button", name="Next: Rules").click()
    page.get_by_label("Title").fill("Bridges")
    page.get_by_label("Short name", exact=True).fill("bridges")
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Create campaign").click()
    expect(page.locator("h1")).to_have_text("Overview")
    page.goto(f"{site.url}/c/bridges/desk/settings")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert site.service.campaigns.plan("bridges").tasks[0].wanted == 2
    assert failures == []


PLAIN = {
    "source.es.txt": "Uno.\nDos.\nTres.\n",
    "refA.en.txt": "One.\nTwo.\nThree.\n",
    "alder.en.txt": "Won.\nToo.\nThree.\n",
    "beech.en.txt": "A one.\nA two.\nTree.\n",
}


def test_the_first_campaign_from_plain_files_takes_few_actions(coordinator: Page, site: Site):
    """Every click and every field counts; 20 are allowed, from the list of campaigns to judging."""
    page, actions = coordinator, 0

    def act(step) -> None:
        nonlocal actions
        step()
        actions += 1

    files: list[FilePayload] = [
        {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
        for name, text in PLAIN.items()
    ]
    act(page.get_by_role("link", name="New campaign").click)
    act(lambda: page.get_by_label("Files", exact=True).set_input_files(files))
    act(page.get_by_role("button", name="Start").click)
    expect(page.locator(".facts").first).to_contain_text("alder, beech")
    expect(page.get_by_label("Source language")).to_have_value("es")
    assert violations(page) == []
    act(lambda: page.get_by_label("Name: alder.en.txt").fill("Alder"))
    act(page.get_by_role("button", name="Next: Tasks and kits").click)
    act(page.get_by_role("button", name="Adequacy, seven points TAP-ET").click)
    expect(page.locator(".preview")).to_be_visible()
    act(lambda: page.get_by_label("Judgments per item").fill("2"))
    act(page.get_by_role("button", name="Next: Rules").click)
    act(lambda: page.get_by_label("Title").fill("Numbers"))
    act(lambda: page.get_by_label("Short name", exact=True).fill("numbers"))
    act(page.get_by_role("button", name="Create campaign").click)
    expect(page.locator(".status-line")).to_contain_text("there are no judges yet")
    act(lambda: page.get_by_label("Number of accounts").fill("1"))
    act(page.get_by_role("button", name="Create login slips").click)
    act(page.get_by_role("button", name="Start all").click)
    # one judge is too few, but enough for a pilot
    expect(page.locator("h1")).to_have_text("Not ready to start")
    assert violations(page) == []
    act(lambda: page.get_by_label("Reason").fill("A pilot"))
    act(page.get_by_role("button", name="Start anyway").click)
    expect(page.locator(".status-line")).to_contain_text("no judgments yet")
    assert actions <= 20
    plan = site.service.campaigns.plan("numbers")
    assert plan.tasks[0].wanted == 2
    assert {one.name for one in site.service.campaigns.test_set("numbers").systems} == {
        "Alder",
        "beech",
    }
    log = site.service.campaigns.audit_log("numbers")
    assert any(one.action == "start anyway" and "A pilot" in str(one.details) for one in log)


def test_leaving_a_page_with_unsaved_entries_asks_first(coordinator: Page):
    page = coordinator
    page.get_by_role("link", name="New campaign").click()
    page.get_by_label("Files", exact=True).set_input_files(SET)
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Rules").click()
    page.get_by_label("Title").fill("Bridges")
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    page.get_by_role("link", name="Campaigns").click()
    expect(page.get_by_label("Title")).to_have_value("Bridges")
    assert asked == ["beforeunload"]
    page.get_by_role("button", name="Test set", exact=True).click()
    page.get_by_role("button", name="Rules", exact=True).click()
    expect(page.get_by_label("Title")).to_have_value("Bridges")
    assert asked == ["beforeunload"], "a way that saves asks nothing"
