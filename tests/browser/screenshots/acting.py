"""What a judge has done when the picture is taken."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.mouse_and_keyboard import sweep
from tests.browser.test_never_lost import rows, until

Act = Callable[[Page], None]


def nothing(page: Page) -> None:
    """He has only begun to read."""


def keys(*pressed: str) -> Act:
    """He has pressed some keys."""

    def act(page: Page) -> None:
        for key in pressed:
            page.keyboard.press(key)

    return act


def both(*acts: Act) -> Act:
    """He has done one thing after the other."""

    def act(page: Page) -> None:
        for one in acts:
            one(page)

    return act


def marks(words: str, severity: str, category: str = "", *, missing: bool = False) -> Act:
    """He has marked these words as an error, or that something is missing before them."""

    def act(page: Page) -> None:
        text = page.locator(".translation .text")
        start = text.inner_text().index(words)
        sweep(page, text, start, start + len(words))
        if missing:
            page.locator(".gap-switch").click()
        page.locator(f".mark-as[data-severity={severity}]").click()
        if category:
            page.locator(f".kind[data-category='{category}']").click()

    return act


def removes(page: Page) -> None:
    """They have removed the first of the marked errors."""
    page.locator(".remove").first.click()


def writes(words: str) -> Act:
    """He has written something."""
    return lambda page: page.locator(".question textarea").fill(words)


def scores(number: int) -> Act:
    """He has typed a number."""
    return lambda page: page.locator("input[type=number]").fill(str(number))


def ranks(*beginnings: str) -> Act:
    """He has put cards, known by their first words, in order; the last shares the place above."""

    def act(page: Page) -> None:
        for place, words in enumerate(beginnings, 1):
            card = page.locator(".ranked", has=page.locator(".text", has_text=re.compile(words)))
            card.locator(".handle").focus()
            page.keyboard.press(str(place))
        page.keyboard.press("=")

    return act


def goes_on_offline(page: Page) -> None:
    """His connection is gone, and he has given one more answer."""
    until(page, lambda: rows(page, "steps"))  # the next ones are at hand
    page.context.set_offline(True)
    keys("2", "Enter")(page)
    expect(page.locator("#line")).to_be_visible()
