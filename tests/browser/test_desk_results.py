"""A campaign in a browser: charts, newer numbers while somebody reads, the report, its judges."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from jurat.bots import Truth, panel
from jurat.campaigns.service_context import utc_now
from jurat.campaigns.simulate import Driver, Stopwatch
from tests.browser.site import Running, Site
from tests.campaigns.sample_campaigns import QUALITIES

PATIENCE = 120_000
"""Milliseconds: a process that others go before computes results, and starts when asked first."""


def play(running: Running) -> None:
    """Let bots judge everything."""
    accounts = [one.id for one in running.store.judges(running.name)]
    bots = dict(
        zip(accounts, panel([f"bot {n}" for n in range(len(accounts))], seed=1), strict=True)
    )
    clock = Stopwatch(utc_now())
    Driver(running.service, running.name, bots, Truth(qualities=QUALITIES), clock).run()


@pytest.fixture(scope="module")
def judged(site: Site) -> Running:
    """A campaign that bots have done."""
    running = site.campaign("da", judges=4)
    play(running)
    return running


@pytest.fixture
def coordinator(browser: Browser, judged: Running) -> Iterator[Page]:
    """A coordinator's browser, in which nothing may go wrong."""
    (slip,) = judged.service.accounts.add(judged.name, 1, author="boss", role="coordinator")
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        said: list[str] = []
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("console", lambda one: said.append(one.text) if one.type == "error" else None)
        page.request.get(f"{judged.url}link/{slip.token}", max_redirects=0)
        yield page
        assert said == []


def test_a_chart_stands_beside_its_table(coordinator: Page, judged: Running):
    page = coordinator
    page.goto(f"{judged.url}desk/results")
    chart = page.locator(".beside-chart .plot")
    expect(chart).to_contain_text("cedar", timeout=PATIENCE)
    table = page.locator(".ranked").bounding_box()
    drawn = chart.bounding_box()
    assert table
    assert drawn
    assert drawn["x"] > table["x"] + table["width"]
    assert table["y"] < 700, "a reader need not scroll"
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_report_comes_without_another_click(coordinator: Page, judged: Running):
    """Where it was not made yet, the page shows how far it is and then downloads it."""
    page = coordinator
    page.goto(f"{judged.url}desk/results?systems=cedar&systems=birch")
    create = page.locator("a[href*='results/report']")
    expect(create).to_be_visible(timeout=PATIENCE)
    state = {"computing": True, "progress": 0.5}

    def in_the_making(route: Route) -> None:
        if "json" in route.request.headers["accept"]:
            route.fulfill(json=state)
        elif state["computing"]:
            bar = '<p data-computing><progress data-progress max="1" aria-label="x"></progress></p>'
            answer = route.fetch()
            main = re.sub(r"<main.*</main>", f"<main>{bar}</main>", answer.text(), flags=re.DOTALL)
            route.fulfill(response=answer, body=main)
        else:
            route.continue_()

    page.route("**/desk/results/report?*", in_the_making)
    with page.expect_navigation():
        create.click()
    expect(page.locator("[data-progress]")).to_have_js_property("value", 0.5)
    wait = page.request
    status = {"Accept": "application/json"}
    while wait.get(page.url, headers=status).json()["computing"]:
        pass
    with page.expect_download() as download:
        state["computing"] = False
    assert download.value.suggested_filename == f"{judged.name}-report.html"


def test_saving_one_judge_saves_the_others_that_were_edited(coordinator: Page, judged: Running):
    page = coordinator
    page.goto(f"{judged.url}desk/judges")
    for row, name in enumerate(("Anna", "Ben")):
        page.locator("input[name=note]").nth(row).fill(name)
    with page.expect_navigation():
        page.locator("button[value=place]").first.click()
    assert {"Anna", "Ben"} <= {one.note for one in judged.service.accounts.all(judged.name)}


def test_new_numbers_come_while_somebody_reads(coordinator: Page, judged: Running):
    """Nothing is loaded again: who reads stays where he is, and what he opened stays open."""

    ready = False

    def in_the_making(route: Route) -> None:
        if "json" in route.request.headers["accept"]:
            route.fulfill(json={"computing": not ready})
        elif ready:
            route.continue_()
        else:
            answer = route.fetch()
            notice = '<p role="status" data-computing>Newer results are being computed.</p>'
            route.fulfill(response=answer, body=answer.text().replace("</h1>", f"</h1>{notice}", 1))

    page = coordinator
    page.goto(f"{judged.url}desk/results")
    expect(page.locator("[data-computing]")).to_have_count(0, timeout=PATIENCE)
    page.route("**/desk/results", in_the_making)
    page.reload()
    expect(page.locator("[data-computing]")).to_be_visible()
    page.evaluate("window.here = true")
    page.locator("#filter").evaluate("one => { one.open = true; }")
    onward = page.locator("main a[href$='results/systems']")
    onward.focus()
    ready = True
    expect(page.locator("[data-computing]")).to_have_count(0, timeout=PATIENCE)
    assert page.evaluate("window.here")
    expect(page.locator("#filter")).to_have_attribute("open", "")
    expect(onward).to_be_focused()


@pytest.mark.parametrize("part", ["", "/judges"])
def test_where_one_judge_is_alone_no_chart_is_without_end(browser: Browser, site: Site, part: str):
    """Nobody stands out, and nobody agrees: there is nothing to be drawn of either."""
    running = site.campaign("da", judges=1, task={"one_system_per_segment": False})
    play(running)
    (slip,) = running.service.accounts.add(running.name, 1, author="boss", role="coordinator")
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.request.get(f"{running.url}link/{slip.token}", max_redirects=0)
        page.goto(f"{running.url}desk/results{part}")
        expect(page.locator("[data-computing]")).to_have_count(0, timeout=PATIENCE)
        expect(page.locator(".plot").first).to_be_visible()
        tall = page.locator(".plot").evaluate_all("all => all.map(one => one.clientHeight)")
        assert max(tall) < 2000
