"""A running server for the tests in the browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from jurat.store import Store
from tests.browser.site import Site, serving
from tests.machine.chromium import keep_no_pages

# As long as Playwright waits for everything else: a busy machine is slow, not wrong.
expect.set_options(timeout=30_000)

WIDE: ViewportSize = {"width": 1280, "height": 800}


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server over a fresh store; `site.campaign("heval")` makes a campaign on it."""
    path = tmp_path_factory.mktemp("site") / "jurat.db"
    with Store.open(str(path)) as store, serving(store) as running:
        yield running


@pytest.fixture(scope="session")
def shared_page(browser: Browser) -> Iterator[Page]:
    """One page for many tests: scripts and styles load once, campaigns know nothing of each other.

    What a test changes for all campaigns (the language, the shading) belongs on a page of its own.
    """
    with browser.new_context(viewport=WIDE) as context:
        keep_no_pages(context)
        yield context.new_page()


@pytest.fixture
def desk(shared_page: Page) -> Iterator[Page]:
    """The shared page, wide, on which no script may fail."""
    failures: list[str] = []
    shared_page.on("pageerror", lambda error: failures.append(str(error)))
    shared_page.set_viewport_size(WIDE)
    yield shared_page
    # a decision that is on its way may still lead to another page, in the midst of the next test
    expect(shared_page.locator(".step[inert]")).to_have_count(0)
    assert failures == []
