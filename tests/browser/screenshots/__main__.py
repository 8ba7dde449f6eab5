"""`python -m tests.browser.screenshots [names]`: take the pictures, all or some."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch
from urllib.parse import urlsplit

from playwright.sync_api import Browser, FloatRect, Page, Playwright, sync_playwright

from jurat.campaigns import auth
from jurat.store import Store
from tests.browser.screenshots.desk import HOST
from tests.browser.screenshots.pages import CLOCK
from tests.browser.screenshots.palette import pixels, with_palette
from tests.browser.screenshots.pictures import FOLDER, PICTURES, SCREENS, Picture
from tests.browser.site import Site, serving
from tests.campaigns.sample_campaigns import NOW
from tests.machine import chromium, fonts

FINGERS = (
    "--blink-settings=primaryPointerType=2,availablePointerTypes=2,"
    "primaryHoverType=1,availableHoverTypes=1"
)
"""Without this a browser without a window has a mouse, whatever it plays."""


END = """() => Math.ceil(Math.max(...[...document.querySelectorAll("main > *, .foot > *")].map(
  (one) => one.getBoundingClientRect().bottom + scrollY)))"""
"""Where the last thing on a page ends, in pixels from its top."""
MARGIN = 32


@contextmanager
def drawn_once() -> Iterator[None]:
    """PINs and passwords that are the same whenever a picture is taken."""
    random = Random(2008)

    def text(length: int) -> str:
        return "".join(random.choice(auth.ALPHABET) for _ in range(length))

    with patch.object(auth, "_random_text", text):
        yield


def take(browser: Browser, site: Site, picture: Picture) -> bytes:
    """One picture."""
    with (
        drawn_once(),
        browser.new_context(
            viewport=picture.size,
            color_scheme="dark" if picture.dark else "light",
            reduced_motion="reduce",
            locale="en-GB",
            timezone_id="UTC",
            is_mobile=picture.phone,
            has_touch=picture.phone,
        ) as context,
    ):
        page = context.new_page()
        CLOCK.now = NOW
        SCREENS[picture.screen](page, site)
        taken = shot(page, picture)
        context.set_offline(False)
        return with_palette(pixels(blank(page), taken))


def shot(page: Page, picture: Picture) -> bytes:
    """The window, or the page as far as there is something on it."""
    if picture.window:
        return page.screenshot(animations="disabled")
    height = page.evaluate(END) + MARGIN
    if height > picture.size["height"] and not picture.phone:
        # what stays in sight while the page scrolls would cover something in the midst of it
        page.set_viewport_size({"width": picture.size["width"], "height": height})
        height = page.evaluate(END) + MARGIN
    clip: FloatRect = {"x": 0, "y": 0, "width": picture.size["width"], "height": height}
    return page.screenshot(full_page=True, clip=clip, animations="disabled")


def blank(page: Page) -> Page:
    """Another page, of nobody's, beside this one."""
    other = page.context.new_page()
    other.goto("about:blank")
    return other


def take_all(
    playwright: Playwright, site: Site, pictures: Collection[Picture], *switches: str
) -> None:
    """Write the pictures of one kind of device."""
    if not pictures:
        return
    browser = chromium.launch(playwright, *switches)
    for picture in pictures:
        file = FOLDER / f"{picture.name}.png"
        file.write_bytes(take(browser, site, picture))
        print(f"{file.name}: {file.stat().st_size // 1024} KB", flush=True)
    browser.close()


def named(site: Site) -> str:
    """The switch by which a browser finds this site at an address that is always the same."""
    return f"--host-resolver-rules=MAP {urlsplit(HOST).netloc} {urlsplit(site.url).netloc}"


def main(names: Collection[str]) -> None:
    """Take the pictures of these names, or all."""
    fonts.find()
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = [one for one in PICTURES if not names or one.name in names]
    with (
        TemporaryDirectory() as place,
        Store.open(str(Path(place) / "jurat.db")) as store,
        serving(store, clock=CLOCK) as site,
        sync_playwright() as playwright,
    ):
        known = named(site)
        take_all(playwright, site, [one for one in wanted if not one.phone], known)
        take_all(playwright, site, [one for one in wanted if one.phone], known, FINGERS)


if __name__ == "__main__":
    main(sys.argv[1:])
