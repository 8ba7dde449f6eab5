"""The real parts as fixtures, and a loud word at the end about what could not be tested."""

import gc
import os
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, Page, sync_playwright

from tests import ROOT, assertion_cache
from tests.costs import Costs
from tests.machine import Missing, chromium, fonts, memory, postgres
from tests.machine.postgres import fresh_database
from tests.order import in_order

T = TypeVar("T")

# no deadline, however busy the machine is
settings.register_profile("untimed", deadline=None, max_examples=20)
settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--costs", action="store_true", help="show the dearest files and tests")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("costs"):
        config.pluginmanager.register(Costs())
    # the process that starts the others, before it does
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        assertion_cache.fill(config, ROOT / "tests")
    if folder := memory.find():
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(folder))


# Between two passes of the garbage collector; by itself it makes one every 700.
ALLOCATIONS = 20_000


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let the garbage collector pass over what stays to the end: all modules and tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(ALLOCATIONS)
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = in_order(items)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    if not reasons:
        return
    terminalreporter.section("NOT EVERYTHING WAS TESTED", sep="!", bold=True, yellow=True)
    for reason, count in reasons.most_common():
        terminalreporter.line(f"{count} skipped: {reason}", bold=True, yellow=True)


def require(find: Callable[[], T]) -> T:
    """What `find` finds; if that is missing, skip, or fail where all is to be tested."""
    try:
        return find()
    except Missing as missing:
        reason = str(missing)
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session", autouse=True)
def _cheap_passwords() -> Iterator[None]:
    """Hashes of passwords that take no time: that is wanted of Jurat, and of no test."""
    from jurat.campaigns import auth

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(auth, "HASH_PASSES", 1)
        patch.setattr(auth, "HASH_MEMORY", 8)
        auth._hasher.cache_clear()
        yield


@pytest.fixture(scope="session", name="postgres")
def postgres_server() -> Iterator[str]:
    """The address of a running PostgreSQL server."""
    with postgres.running(require(postgres.find)) as address:
        yield address


@pytest.fixture
def database(postgres: str) -> Iterator[str]:
    """The address of a PostgreSQL database that is empty and this test's own."""
    with fresh_database(postgres) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    require(chromium.find)
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def device(browser: Browser) -> Iterator[Page]:
    """The page that `page` gives to one test after the other."""
    with browser.new_context() as context:
        chromium.keep_no_pages(context)
        yield context.new_page()


@pytest.fixture
def page(device: Page) -> Iterator[Page]:
    """A page as that of a new browser: no cookies, nothing stored."""
    yield device
    chromium.forget(device)


@pytest.fixture(scope="session", name="fonts")
def machine_fonts() -> None:
    """Letters of the scripts that the tests show; for `usefixtures`."""
    require(fonts.find)


@pytest.fixture(scope="session")
def shared() -> Path:
    """Other people's published data, which lie beside the project and are no part of it."""
    path = ROOT.parent / "shared" / "data"
    if not path.is_dir():
        pytest.skip("no shared/data beside the project, so nothing is compared with published data")
    return path
