"""Results in a browser: charts are drawn although no page may run made-up code or style itself."""

from playwright.sync_api import Browser, expect

from jurat.bots import Truth, panel
from jurat.campaigns.driving import Driver, Stopwatch
from tests.browser.axe import violations
from tests.browser.site import Running, Site
from tests.campaigns.setting import QUALITIES

PATIENCE = 30_000
"""Milliseconds: the library is made when it is first asked for."""


def play(running: Running) -> None:
    """Let bots judge everything."""
    accounts = [one.id for one in running.store.judges(running.name)]
    bots = dict(
        zip(accounts, panel([f"bot {n}" for n in range(len(accounts))], seed=1), strict=True)
    )
    clock = Stopwatch(running.service._clock())
    Driver(running.service, running.name, bots, Truth(qualities=QUALITIES), clock).run()


def test_a_chart_is_drawn_and_has_its_table(browser: Browser, site: Site):
    running = site.campaign("da", judges=4)
    play(running)
    (slip,) = running.service.accounts.add(running.name, 1, author="boss", role="coordinator")
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        said: list[str] = []
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("console", lambda one: said.append(one.text) if one.type == "error" else None)
        page.request.get(f"{running.url}link/{slip.token}", max_redirects=0)
        page.goto(f"{running.url}desk/results")
        chart = page.locator("[data-figure='systems-1']")
        expect(chart.locator("svg")).to_contain_text("cedar", timeout=PATIENCE)
        expect(page.locator("[data-figure]:not([data-drawn])")).to_have_count(0, timeout=PATIENCE)
        assert chart.locator("svg path").count() > 3
        expect(page.locator("#systems")).to_be_visible()
        assert said == []
        assert violations(page) == []
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
