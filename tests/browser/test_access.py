"""Coming in, choosing a language and going out, in a real browser."""

import re

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.browser.site import Running, Site, make_set


@pytest.fixture(scope="module")
def campaign(site: Site) -> Running:
    return site.campaign(
        "da",
        tutorial=make_set(),
        title="Four systems into English",
        contact={"name": "Ada", "address": "ada@example.org"},
        guest=True,
        registration=True,
    )


def log_in(page: Page, campaign: Running, password: str) -> None:
    page.goto(campaign.url)
    page.keyboard.type(campaign.pin)  # the first field has the focus
    page.keyboard.press("Tab")
    page.keyboard.type(password)
    page.keyboard.press("Enter")


def test_a_judge_comes_in_by_keyboard_alone_and_goes_out_again(page: Page, campaign: Running):
    log_in(page, campaign, campaign.password)
    expect(page.locator(".tasks")).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    expect(page.locator("#pin")).to_be_focused()
    page.go_back()
    page.reload()
    expect(page.locator("#pin")).to_be_visible()


def test_a_wrong_password_is_told_and_the_pin_stays(page: Page, campaign: Running):
    log_in(page, campaign, "not this one")
    expect(page.get_by_role("alert")).to_contain_text("Wrong PIN or password")
    expect(page.locator("#pin")).to_have_value(campaign.pin)


def test_a_volunteer_gets_an_account_and_begins(page: Page, campaign: Running):
    page.goto(campaign.url)
    expect(page.locator(".picture img")).to_be_visible()
    assert page.locator(".picture img").evaluate("image => image.naturalWidth") > 0
    page.get_by_role("button", name="Become a judge").click()
    expect(page.locator(".slip dd")).to_have_count(2)
    page.get_by_role("link", name="Go to the overview").click()
    expect(page.locator(".tasks")).to_be_visible()


def test_a_guest_does_the_tutorial_and_nothing_is_stored(page: Page, campaign: Running):
    before = campaign.store.stamp(campaign.name)
    page.goto(campaign.url)
    page.get_by_role("button", name="guest").click()
    steps = int(page.locator("progress").get_attribute("max") or 0)
    for n in range(1, steps + 1):
        expect(page.locator("progress")).to_have_attribute("aria-label", f"{n} of {steps}")
        page.locator("input[type=number]").fill("70")
        page.locator("button.next").click()
    expect(page.locator("h1")).to_have_text("You've finished the tutorial.")
    assert campaign.store.stamp(campaign.name) == before


def test_a_language_is_chosen_for_this_device_and_stays(browser: Browser, campaign: Running):
    with browser.new_context(locale="es-MX") as context:
        page = context.new_page()
        page.goto(campaign.url)
        expect(page.get_by_role("button", name="Iniciar sesión")).to_be_visible()
        page.get_by_label("Idioma").select_option("hi")
        page.get_by_role("button", name="Cambiar").click()
        expect(page.locator("html")).to_have_attribute("lang", "hi")
        campaign.enter(page, 1)
        expect(page.locator("html")).to_have_attribute("lang", "hi")
        expect(page.locator("button.next")).to_contain_text(re.compile("आगे|पूरा"))


def test_the_language_of_the_page_is_recorded_whatever_was_chosen_since(
    browser: Browser, site: Site
):
    chosen = site.campaign("da")
    with browser.new_context(locale="hi") as context:
        page = chosen.enter(context.new_page())
        other = context.new_page()
        other.goto(chosen.url)
        other.locator("#language").select_option("es")
        other.locator(".look button").click()
        expect(other.locator("html")).to_have_attribute("lang", "es")
        page.locator("input[type=number]").fill("70")
        page.locator("button.next").click()
        expect(page.locator("#saved")).to_have_text("सहेजा गया")
        assert [one.language for one in chosen.decisions()] == ["hi"]


def test_a_moment_is_told_in_the_reader_s_own_time(browser: Browser, site: Site):
    paused = site.campaign("da", sitting={"items": 1, "pause_minutes": 60})
    with browser.new_context(timezone_id="Asia/Tokyo", locale="en-GB") as context:
        page = paused.enter(context.new_page())
        page.locator("input[type=number]").fill("70")
        page.locator("button.next").click()
        moment = page.locator("time")
        expect(moment).to_be_visible()
        expect(moment).not_to_contain_text("UTC")
        told = moment.evaluate("one => new Date(one.dateTime).toLocaleTimeString('en-GB')")
        expect(moment).to_contain_text(told[:5])


def test_no_page_breaks_its_own_policy(page: Page, campaign: Running):
    broken: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            broken.append(message.text)

    page.on("console", note)
    page.on("pageerror", lambda error: broken.append(str(error)))
    for path in ("", "guidelines/rating", f"link/{campaign.slips[2].token}", "password", "judge"):
        page.goto(campaign.url + path)
    assert broken == []
