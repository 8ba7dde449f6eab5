"""Find Chromium on this machine and launch it for Playwright."""

import os
import shutil
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, Playwright

from tests.machine import Missing

NAMES = (
    # the same engine without the windows, of which no test sees anything: a quarter less to do
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)

# Left to itself the browser looks for hosts and updates that are no part of any test.
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    # a page that is opened after another finds scripts and styles read and compiled
    "--process-per-site",
)


def find() -> str:
    """The browser's program: JURAT_CHROMIUM, or the first known one; raises Missing if none."""
    chosen = os.environ.get("JURAT_CHROMIUM")
    for name in (chosen,) if chosen else NAMES:
        if program := shutil.which(name):
            return program
    raise Missing("no Chromium: install it, or name one in JURAT_CHROMIUM")


def launch(playwright: Playwright, *more: str) -> Browser:
    """Start the browser without a window; `more` are switches of its own.

    Root cannot use the browser's sandbox; for others it is on if the machine allows it at all, so
    it stays off, as is Playwright's default: the tests open only their own pages.
    """
    return playwright.chromium.launch(
        executable_path=find(), args=[*QUIET, *more], chromium_sandbox=False
    )


def keep_no_pages(context: BrowserContext) -> None:
    """Let pages find a browser without service workers, as on a site without TLS.

    Every campaign's page would request each of its files a second time, for when the connection
    is lost, and only `tests/browser/test_never_lost.py` loses it.
    """
    context.add_init_script("delete Navigator.prototype.serviceWorker")


def forget(page: Page) -> None:
    """Make a page and its context as good as new, in a third of the time that new ones take.

    Its other pages are closed; what was held back, changed, or stored by the sites on show is gone.
    Not undone are scripts that were added to the context, and its clock, if a test set that.
    """
    context = page.context
    shown = {urlsplit(one.url) for one in context.pages}
    for other in context.pages:
        if other != page:
            other.close()
    page.unroute_all(behavior="ignoreErrors")
    context.set_offline(False)
    page.goto("about:blank")
    session = context.new_cdp_session(page)
    for address in shown:
        if address.scheme in ("http", "https"):
            origin = f"{address.scheme}://{address.netloc}"
            stored = {"origin": origin, "storageTypes": "all"}
            session.send("Storage.clearDataForOrigin", stored)
    session.detach()
    context.clear_cookies()
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(media="null", color_scheme="light", reduced_motion="no-preference")
