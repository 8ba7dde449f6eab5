"""Inputs without their scripts: rows of lists for errors, lists of places, a form for shading."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.mouse_and_keyboard import span
from tests.browser.site import Running, Site, make_set

TEXT = "The old 😀 bridge was closed."
ONE = {"source": "Uno.", "references": {"A": TEXT}, "translations": {"cedar": TEXT}}


@pytest.fixture(scope="module")
def bare(browser: Browser) -> Iterator[Page]:
    """A page in a browser that runs no script."""
    with browser.new_context(java_script_enabled=False) as context:
        yield context.new_page()


def begin(site: Site, page: Page, name: str) -> Running:
    made = site.campaign(name, test_set=make_set([ONE]), judges=1)
    made.enter(page)
    return made


def choose(page: Page, row: int, **chosen: str) -> None:
    for name, label in chosen.items():
        page.locator(f"select[name='q.errors.{row}.{name}']").select_option(label=label)


def test_errors_are_rows_of_lists(site: Site, bare: Page) -> None:
    made = begin(site, bare, "esa")
    expect(bare.locator(".palette")).to_be_hidden()
    choose(bare, 1, **{"from": "2 old", "to": "4 bridge", "severity": "Major"})
    choose(bare, 2, **{"from": "6 closed", "severity": "Minor"})
    choose(bare, 3, **{"from": "7 .", "severity": "Minor"})
    bare.locator("input[name='q.errors.3.missing']").check()
    bare.locator("input[type=number]").fill("55")
    bare.locator(".next").click()
    errors = [
        span(4, 16, "major", None),
        span(21, 27, "minor", None),
        span(27, 27, "minor", None, missing=True),
    ]
    assert made.stored(1) == [{"errors": errors, "score": 55}]


def test_categories_are_a_list_and_what_is_wrong_keeps_the_rest(site: Site, bare: Page) -> None:
    made = begin(site, bare, "mqm")
    expect(bare.locator(".span-rows tbody tr")).to_have_count(5)
    choose(bare, 1, **{"from": "2 old", "severity": "Major"})
    bare.locator(".next").click()
    expect(bare.locator(".problem")).to_be_visible()
    expect(bare.locator("select[name='q.errors.1.severity']")).to_have_value("major")
    choose(bare, 1, category="Fluency / Grammar")
    bare.locator(".next").click()
    assert made.stored(1) == [{"errors": [span(4, 7, "major", "fluency/grammar")]}]


def test_no_error_must_be_said(site: Site, bare: Page) -> None:
    made = begin(site, bare, "mqm")
    bare.locator(".next").click()
    expect(bare.locator(".problem")).to_be_visible()
    bare.get_by_label("No errors").check()
    bare.locator(".next").click()
    assert made.stored(1) == [{"errors": []}]


def test_shading_is_switched_by_a_form(site: Site, bare: Page) -> None:
    begin(site, bare, "tapet-adequacy")
    expect(bare.locator(".stage.unshaded")).to_have_count(0)
    bare.get_by_role("button", name="Highlight").click()
    expect(bare.locator(".stage.unshaded")).to_have_count(1)
    expect(bare.locator(".step")).to_be_visible()


@pytest.mark.parametrize("name", ["esa", "ranking"])
def test_a_guests_answers_go_as_a_form_also_with_a_script(
    site: Site, page: Page, name: str
) -> None:
    made = site.campaign(name, tutorial=make_set(), guest=True)
    page.goto(made.url)
    page.get_by_role("button", name="guest").click()
    expect(page.locator(".step")).to_have_attribute("data-position", "1")
    if name == "esa":
        page.locator(".markable").focus()
        for key in ("ArrowRight", "2"):
            page.keyboard.press(key)
        page.locator("input[type=number]").fill("40")
    else:
        expect(page.locator(".handle").first).to_have_attribute("tabindex", "0")
        page.locator(".handle").last.focus()
        page.keyboard.press("1")
        page.get_by_role("button", name="This order is right").click()
    page.keyboard.press("Enter")
    expect(page.locator(".step")).to_have_attribute("data-position", "2")
    assert made.answers() == []
