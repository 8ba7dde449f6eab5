"""Whatever happens to page, network, server and login: no answer is lost, and none is doubled.

Every test compares what is stored with what was clicked.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from jurat.campaigns import Screen, Submission
from jurat.store import Store
from jurat.web.judge import script_api
from tests.browser.site import SENTENCES, Running, Site, make_set, serving
from tests.browser.test_without_script import KINDS, answers_for
from tests.machine import chromium

LONG = make_set(SENTENCES * 4, documents=2)
"""Two kits of eight steps each."""
KEYS = ("4", "5", "6", "7")
"""Of TAP-ET's seven points those without a further question."""


def until(page: Page, found: Callable[[], Any], seconds: float = 40) -> None:
    """Wait for something that is no part of a page, while the page goes on."""
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end, "it did not happen"
        page.wait_for_timeout(30)  # a page that reloads itself would break off `evaluate`


class Judge:
    """Somebody who judges TAP-ET adequacy with the keyboard, and remembers what they chose."""

    def __init__(self, campaign: Running, page: Page, judge: int = 0) -> None:
        self.campaign = campaign
        self.page = page
        self.given: list[dict[str, object]] = []
        page.request.get(campaign.link_of(judge))  # the cookie is the browser's
        page.goto(f"{campaign.url}judge")
        expect(self.step).to_be_visible()

    @property
    def step(self) -> Any:
        return self.page.locator(".step")

    @property
    def line(self) -> Any:
        return self.page.locator("#line")

    @property
    def saved(self) -> Any:
        return self.page.locator("#saved")

    def at(self, position: int) -> None:
        """See that this step is shown."""
        expect(self.page.locator(f".step[data-position='{position}']:not([inert])")).to_be_visible()

    def decide(self, *keys: str) -> None:
        """Choose, and go on to the next step, which is there already."""
        for key in keys:
            position = int(self.step.get_attribute("data-position"))
            self.choose(key)
            self.at(position + 1)

    def choose(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.page.keyboard.press("Enter")
        self.given.append({"adequacy": 8 - int(key)})

    def is_stored(self) -> None:
        """See that exactly what was chosen is stored, in the order of choosing."""
        until(self.page, lambda: len(self.campaign.decisions()) >= len(self.given))
        assert self.campaign.answers() == self.given
        positions = [one.position for one in self.campaign.decisions()]
        assert positions == list(range(1, len(self.given) + 1))

    def is_kept(self) -> None:
        """Wait until the page can be opened without a connection, and has its steps."""
        self.is_ahead()
        kept = "caches.match(location.pathname).then(Boolean)"
        until(self.page, lambda: self.page.evaluate(kept))

    def is_ahead(self) -> None:
        """Wait until the next steps are at hand."""
        until(self.page, lambda: rows(self.page, "steps"))


ROWS = """name => new Promise((resolve) => {
  const request = indexedDB.open("jurat");
  request.onsuccess = () => {
    const all = request.result.transaction(name).objectStore(name).getAll();
    all.onsuccess = () => { request.result.close(); resolve(all.result); };
  };
})"""


def rows(page: Page, name: str) -> list[dict[str, Any]]:
    """What the browser's own database holds."""
    found: list[dict[str, Any]] = page.evaluate(ROWS, name)
    return found


@pytest.fixture
def pages_kept() -> None:
    """The browser keeps pages to open them without a connection, for which it loads all twice."""


@pytest.fixture
def window(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A judge's first window, on a device that knows of nothing."""
    if "pages_kept" in request.fixturenames:
        with browser.new_context() as context:
            yield context.new_page()
    else:
        yield request.getfixturevalue("page")


@pytest.fixture
def context(window: Page) -> BrowserContext:
    return window.context


@pytest.fixture
def judge(site: Site, window: Page) -> Judge:
    """A judge at the first of eight steps."""
    return Judge(site.campaign(test_set=LONG), window)


class Held:
    """A network that keeps what is sent until it is let go."""

    def __init__(self, page: Page, address: str = "**/api/decide") -> None:
        self.page = page
        self.routes: list[Route] = []
        self.open = False
        page.route(address, self.take)

    def take(self, route: Route) -> None:
        if self.open:
            route.continue_()
        else:
            self.routes.append(route)

    def release(self) -> None:
        self.open = True
        while self.routes:
            self.routes.pop(0).continue_()


# Quick


def test_the_next_step_does_not_wait_for_the_network(judge: Judge):
    judge.is_ahead()
    held = Held(judge.page)
    judge.decide("4", "5")
    expect(judge.saved).to_have_text("Saving")
    assert judge.campaign.answers() == []
    held.release()
    expect(judge.saved).to_have_text("Saved")
    judge.is_stored()
    expect(judge.saved).to_have_text("")


def test_steps_are_fetched_only_when_few_are_left(
    site: Site, window: Page, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(script_api, "MOST_AHEAD", 6)
    page = window
    asked: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url) if "/api/ahead/" in sent.url else None)
    judge = Judge(site.campaign(test_set=make_set(SENTENCES * 6)), page)
    until(page, lambda: len(rows(page, "steps")) == 6)
    judge.decide("4", "5")
    judge.is_stored()
    until(page, lambda: len(asked) == 2)  # four were left of those that it had
    until(page, lambda: any(row["key"].endswith("/9") for row in rows(page, "steps")))
    judge.decide(*KEYS, *KEYS)
    judge.is_stored()
    # the last of the kit may still be on its way; a page that is left fetches it again
    until(page, lambda: any(row["key"].endswith("/12") for row in rows(page, "steps")))
    number = len(asked)
    assert number <= 5
    page.reload()
    judge.at(11)
    judge.decide("4")
    assert len(asked) == number


def test_stages_that_hide_something_are_not_fetched_before(site: Site, window: Page):
    page = window
    asked: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url) if "/api/ahead/" in sent.url else None)
    site.campaign("informativeness").enter(page)
    page.locator(".question textarea").fill("It says so.")
    page.locator(".next").click()
    expect(page.locator(".step[data-position='2']")).to_be_visible()
    assert not asked


# Without a connection


def test_judging_goes_on_offline_and_all_is_delivered(judge: Judge, context: BrowserContext):
    judge.decide("4")
    judge.is_ahead()
    context.set_offline(True)
    judge.decide("5")
    expect(judge.line).to_contain_text("You're offline. Keep judging; one answer will be sent")
    judge.decide(*KEYS, "4")
    expect(judge.line).to_contain_text("6 answers will be sent")
    judge.choose("7")  # the last of the kit: what comes after it only the server knows
    expect(judge.line).to_contain_text("everything that was loaded")
    assert len(judge.campaign.decisions()) == 1
    context.set_offline(False)
    judge.is_stored()
    expect(judge.page.locator(".rest")).to_be_visible()
    expect(judge.line).to_be_hidden()


@pytest.mark.usefixtures("pages_kept")
def test_reloaded_or_closed_without_a_connection_the_page_goes_on_where_it_was(
    judge: Judge, context: BrowserContext
):
    judge.decide("4", "5")
    judge.is_kept()
    context.set_offline(True)
    judge.decide("6")
    judge.page.reload()
    judge.at(4)
    expect(judge.line).to_contain_text("one answer will be sent")
    judge.decide("7")
    judge.page.goto(judge.campaign.url)  # the overview is not there, the work is
    judge.at(5)
    judge.decide("4")
    judge.page.close()
    judge.page = context.new_page()
    judge.page.goto(f"{judge.campaign.url}judge")
    judge.at(6)
    judge.decide("5")
    context.set_offline(False)
    judge.is_stored()
    judge.at(7)
    expect(judge.line).to_be_hidden()


@pytest.mark.usefixtures("pages_kept")
def test_what_was_begun_offline_is_there_after_a_reload(
    site: Site, window: Page, context: BrowserContext
):
    campaign = site.campaign("informativeness", test_set=LONG)
    page = campaign.enter(window)
    page.locator(".question textarea").wait_for()
    until(page, lambda: page.evaluate("caches.match(location.pathname).then(Boolean)"))
    context.set_offline(True)
    page.locator(".question textarea").fill("So far.")
    page.reload()
    expect(page.locator(".question textarea")).to_have_value("So far.")
    expect(page.locator("#line")).to_contain_text("You're offline. Keep judging; your answers")
    context.set_offline(False)
    expect(page.locator("#line")).to_be_hidden()
    page.locator(".next").click()
    expect(page.locator(".step[data-position='2']")).to_be_visible()
    assert campaign.answers() == [{"message": "So far."}]


def test_a_restarted_server_gets_everything(browser: Browser, tmp_path: Path):
    with Store.open(str(tmp_path / "jurat.db")) as store, browser.new_context() as context:
        with serving(store) as site:
            judge = Judge(site.campaign(test_set=LONG), context.new_page())
            judge.decide("4")
            judge.is_stored()
            judge.is_kept()
        judge.decide("5", "6")
        expect(judge.line).to_contain_text("2 answers will be sent")
        judge.page.reload()
        judge.at(4)
        judge.decide("7")
        with serving(store, port=int(site.url.rpartition(":")[2])):
            judge.is_stored()
            expect(judge.line).to_be_hidden()
            judge.decide("4")
            judge.is_stored()


def test_a_restarted_browser_delivers_what_it_had(browser: Browser, site: Site, tmp_path: Path):
    def opened() -> BrowserContext:
        return browser.browser_type.launch_persistent_context(
            tmp_path,
            executable_path=chromium.find(),
            args=list(chromium.QUIET),
            chromium_sandbox=False,
        )

    with opened() as context:
        judge = Judge(site.campaign(test_set=LONG), context.new_page())
        judge.is_kept()
        context.set_offline(True)
        judge.decide("4", "5", "6")
    assert judge.campaign.answers() == []
    with opened() as context:
        judge.page = context.new_page()
        judge.page.goto(f"{judge.campaign.url}judge")
        judge.at(4)
        judge.is_stored()


def test_another_device_goes_on_where_he_was(judge: Judge, browser: Browser):
    judge.decide("4", "5")
    judge.page.keyboard.press("1")
    judge.page.keyboard.press("2")
    until(judge.page, lambda: rows(judge.page, "decisions") == [])
    until(judge.page, lambda: judge.page.evaluate("Object.keys(localStorage).length") == 0)
    with browser.new_context() as other:
        page = judge.campaign.enter(other.new_page())
        expect(page.locator(".step[data-position='3']")).to_be_visible()
        expect(page.locator("input:checked")).to_have_count(2)
        page.keyboard.press("Enter")
        judge.given.append({"adequacy": 7, "same-meaning": "no"})
        judge.is_stored()
        expect(page.locator(".step[data-position='4']")).to_be_visible()


@pytest.mark.parametrize("name", KINDS)
def test_answers_that_were_begun_stand_in_the_page_again(site: Site, shared_page: Page, name: str):
    """At the first step from the server, at the second from this device, where it could not go."""
    campaign = site.campaign(name)
    who = (campaign.name, campaign.judge)
    campaign.enter(shared_page)
    owner = f"jurat /c/{campaign.name}/ {campaign.judge} draft"
    expected = []
    for keep in ("server", "device"):
        answers, _ = answers_for(campaign, shared_page, Random(7))
        key = str(shared_page.locator(".step").get_attribute("data-key"))
        assignment, position = key.split("/")
        if keep == "server":
            campaign.service.judging.save_answers(*who, assignment, int(position), answers)
        else:
            draft = {"key": key, "assignment": assignment, "position": 2, "answers": answers}
            shared_page.evaluate(
                "([name, value]) => localStorage.setItem(name, value)", [owner, json.dumps(draft)]
            )
        shared_page.reload()
        shared_page.locator(".next").click()
        expected.append(answers)
        until(shared_page, lambda: campaign.answers() == expected, seconds=6)
        expect(shared_page.locator(f".step[data-key='{key}']")).to_have_count(0)
        if not shared_page.locator(".step").count():
            break


# More than once


def test_a_decision_whose_acknowledgement_was_lost_is_stored_once(judge: Judge):
    lost: list[object] = []

    def lose(route: Route) -> None:
        lost.append(route.fetch().json().get("saved"))
        route.abort()

    judge.is_ahead()
    judge.page.route("**/api/decide", lose, times=2)
    judge.decide("4", "5")
    judge.is_stored()
    expect(judge.saved).to_have_text("Saved")
    assert lost == [True, True]
    judge.decide("6")
    judge.is_stored()


def test_a_reload_in_the_middle_of_a_submit(judge: Judge):
    judge.is_ahead()
    held = Held(judge.page)
    judge.decide("4")
    judge.page.reload()
    judge.at(2)
    held.release()
    judge.is_stored()
    judge.decide("5")
    judge.is_stored()


def test_a_new_connection_does_not_wait_for_an_answer_over_the_old(judge: Judge):
    judge.is_ahead()
    held = Held(judge.page)
    judge.decide("4")
    until(judge.page, lambda: len(held.routes) == 1)
    held.routes.clear()  # it is never answered
    judge.page.evaluate("dispatchEvent(new Event('online'))")
    until(judge.page, lambda: len(held.routes) == 1)
    held.release()
    judge.is_stored()
    expect(judge.line).to_be_hidden()


def test_a_connection_that_returns_while_an_attempt_is_failing(judge: Judge):
    """The event comes when the page says that it is offline, before the attempt has ended."""
    judge.is_ahead()
    judge.page.evaluate(
        """new MutationObserver((changes, observer) => {
            observer.disconnect();
            for (let i = 0; i < 3; i++) dispatchEvent(new Event("online"));
            window.returned = true;
        }).observe(document.querySelector("#line"), { childList: true, characterData: true })"""
    )
    held = Held(judge.page)
    judge.decide("4")
    until(judge.page, lambda: len(held.routes) == 1)
    held.open = True
    held.routes.pop().abort("internetdisconnected")
    judge.is_stored()
    assert judge.page.evaluate("window.returned")


def test_a_double_click_or_a_key_held_down_decides_once(site: Site, window: Page):
    """Also where the next step could be decided with the same click."""
    campaign = site.campaign("post-edit", test_set=LONG)
    page = campaign.enter(window)
    page.locator(".step").wait_for()
    page.locator(".next").dblclick()
    expect(page.locator(".step[data-position='2']")).to_be_visible()
    assert len(campaign.stored(1)) == 1
    expect(page.locator("#saved")).to_have_text("Saved")
    assert [one.position for one in campaign.decisions()] == [1]
    for _ in range(5):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    expect(page.locator(".step[data-position='3']")).to_be_visible()
    # the word is still there from the step before, until this decision is on its way
    assert len(campaign.stored(2)) == 2
    expect(page.locator("#saved")).to_have_text("Saved")
    assert [one.position for one in campaign.decisions()] == [1, 2]


def test_a_second_enter_does_not_ask_for_the_next_answer(judge: Judge):
    # as if no time passed between the keys, however busy the machine is
    judge.page.evaluate("Object.defineProperty(Event.prototype, 'timeStamp', { get: () => 1 })")
    judge.decide("4")
    judge.page.keyboard.press("Enter")
    assert judge.page.locator(".problem:visible").count() == 0
    judge.decide("5")
    judge.is_stored()


def test_two_windows_of_one_judge(judge: Judge, context: BrowserContext):
    other = judge.campaign.enter(context.new_page())
    other.locator(".step").wait_for()
    judge.decide("4")
    judge.is_stored()
    # whichever window delivers a decision is told what became of it: the first one has to be done
    expect(judge.saved).to_have_text("Saved")
    other.keyboard.press("7")
    other.keyboard.press("Enter")
    expect(other.locator("#line")).to_contain_text("answered this in another window")
    expect(other.locator(".step[data-position='2']")).to_be_visible()
    other.keyboard.press("5")
    other.keyboard.press("Enter")
    expect(other.locator(".step[data-position='3']")).to_be_visible()
    expect(other.locator("#line")).to_be_hidden()
    judge.given.append({"adequacy": 3})
    judge.is_stored()


def test_two_windows_without_a_connection(judge: Judge, context: BrowserContext):
    judge.is_ahead()
    other = judge.campaign.enter(context.new_page())
    other.locator(".step").wait_for()
    context.set_offline(True)
    judge.decide("4")
    other.keyboard.press("7")
    other.keyboard.press("Enter")
    expect(other.locator(".step[data-position='2']")).to_be_visible()
    judge.decide("5")
    context.set_offline(False)
    judge.is_stored()


def test_one_window_delivers_for_the_other(judge: Judge, context: BrowserContext):
    """Where the next step is not at hand, it is asked for."""
    campaign = judge.campaign
    judge.decide(*KEYS, "4", "5", "6")
    judge.is_stored()
    held = Held(judge.page)
    judge.choose("7")
    other = context.new_page()
    other.goto(campaign.url)  # the overview delivers, too
    held.release()
    judge.is_stored()
    expect(judge.page.locator(".rest")).to_be_visible()


def test_what_another_window_has_sent_is_no_longer_being_saved(
    judge: Judge, context: BrowserContext
):
    judge.is_ahead()
    other = judge.campaign.enter(context.new_page())
    other.locator(".step").wait_for()
    held = Held(other)
    other.keyboard.press("4")
    other.keyboard.press("Enter")
    until(other, lambda: len(held.routes) == 1)
    judge.page.keyboard.press("7")
    judge.page.keyboard.press("Enter")
    expect(judge.line).to_contain_text("answered this in another window")
    judge.given.append({"adequacy": 4})
    judge.decide("5")
    expect(judge.saved).to_have_text("Saving")
    held.release()  # the other window sends both
    judge.is_stored()
    expect(judge.saved).to_have_text("")


def test_answers_that_another_window_has_sent_wait_no_longer(judge: Judge, context: BrowserContext):
    judge.is_ahead()
    judge.page.route("**/api/decide", lambda route: route.abort("internetdisconnected"))
    judge.decide("4")
    expect(judge.line).to_contain_text("one answer will be sent")
    context.new_page().goto(judge.campaign.url)
    judge.is_stored()
    expect(judge.line).to_be_hidden()


# Who is logged in


def log_in(campaign: Running, page: Page, judge: int = 0) -> None:
    page.fill("#pin", campaign.slips[judge].pin)
    page.fill("#password", campaign.slips[judge].password)
    page.keyboard.press("Enter")
    expect(page.locator(".tasks")).to_be_visible()


@pytest.mark.usefixtures("pages_kept")
def test_an_expired_login_keeps_the_answers(judge: Judge, context: BrowserContext):
    judge.is_kept()
    context.set_offline(True)
    judge.decide("4", "5")
    context.clear_cookies()
    context.set_offline(False)
    expect(judge.line).to_contain_text("Please log in again. Your answers are saved")
    judge.line.get_by_role("link", name="Log in").click()
    expect(judge.line).to_contain_text("2 answers from an earlier login")
    assert judge.campaign.answers() == []
    log_in(judge.campaign, judge.page)
    judge.is_stored()
    judge.page = context.new_page()  # the overview reloads itself, which would cut in
    judge.page.goto(f"{judge.campaign.url}judge")
    judge.at(3)


@pytest.mark.usefixtures("pages_kept")
def test_nobody_sends_what_another_judge_decided(judge: Judge, context: BrowserContext):
    judge.is_kept()
    context.set_offline(True)
    judge.decide("4", "5")
    context.clear_cookies()
    judge.page.close()
    context.set_offline(False)
    judge.page = context.new_page()
    judge.page.goto(judge.campaign.url)
    log_in(judge.campaign, judge.page, 1)
    expect(judge.line).to_contain_text("2 answers from an earlier login")
    second = Judge(judge.campaign, judge.page, 1)
    expect(second.line).to_contain_text("2 answers from an earlier login")
    second.decide("7")
    expect(second.saved).to_have_text("Saved")
    assert [one.judge for one in judge.campaign.decisions()] == [judge.campaign.slips[1].pin]
    assert all(judge.campaign.slips[1].pin not in str(row) for row in rows(judge.page, "steps"))
    judge.page.goto(judge.campaign.link_of(0))
    until(judge.page, lambda: len(judge.campaign.decisions()) == 3)
    told = [(one.judge, dict(one.answers)) for one in judge.campaign.decisions()]
    own = judge.campaign.slips[0].pin
    assert told[1:] == [(own, given) for given in judge.given]


def test_a_page_of_one_who_was_followed_by_another(judge: Judge, context: BrowserContext):
    judge.is_ahead()
    other = context.new_page()
    other.goto(judge.campaign.link_of(1))
    expect(other.locator(".tasks")).to_be_visible()
    judge.choose("4")
    expect(judge.line).to_contain_text("Another judge has logged in on this device")
    assert judge.campaign.answers() == []
    other.goto(judge.campaign.link_of(0))
    judge.is_stored()
    assert judge.campaign.decisions()[0].judge == judge.campaign.slips[0].pin
    judge.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # he looks again
    judge.at(2)


@pytest.mark.usefixtures("pages_kept")
def test_the_same_judge_logged_in_anew_goes_on(judge: Judge, context: BrowserContext):
    """His page is of the earlier login."""
    # without a cookie nothing may be on its way: the page would ask for a login, and wait for it
    judge.is_kept()
    context.clear_cookies()
    context.new_page().goto(judge.campaign.link_of(0))
    judge.decide("4", "5")
    judge.is_stored()
    expect(judge.line).to_be_hidden()


@pytest.mark.usefixtures("pages_kept")
def test_logging_out_leaves_no_text_on_the_device(judge: Judge):
    judge.decide("4")
    judge.is_kept()
    judge.page.keyboard.press("1")
    judge.page.goto(judge.campaign.url)
    judge.page.get_by_role("button", name="Log out").click()
    expect(judge.page.locator("#pin")).to_be_visible()
    until(judge.page, lambda: judge.page.evaluate("caches.keys()") == [])
    assert [rows(judge.page, name) for name in ("decisions", "steps", "kept")] == [[], [], []]
    assert judge.page.evaluate("Object.keys(localStorage)") == []


@pytest.mark.usefixtures("pages_kept")
def test_steps_of_an_earlier_language_or_kit_are_not_shown(judge: Judge, context: BrowserContext):
    judge.is_kept()
    context.add_cookies([{"name": "language", "value": "es", "url": judge.campaign.url}])
    judge.page.reload()
    until(judge.page, lambda: "Next" not in str(rows(judge.page, "steps")))
    judge.is_ahead()
    assignment = judge.step.get_attribute("data-assignment")
    judge.campaign.service.campaigns.give_back(
        judge.campaign.name, judge.campaign.pin, author="boss", reason="again"
    )
    judge.page.reload()
    expect(judge.step).not_to_have_attribute("data-assignment", assignment)
    until(judge.page, lambda: assignment not in str(rows(judge.page, "steps")))


# What can become of a kit, and of the server


def test_a_kit_that_went_to_somebody_else(judge: Judge, context: BrowserContext):
    judge.is_ahead()
    assignment = judge.step.get_attribute("data-assignment")
    context.set_offline(True)
    judge.decide("4", "5")
    judge.campaign.service.campaigns.give_back(
        judge.campaign.name, judge.campaign.pin, author="boss", reason="left"
    )
    context.set_offline(False)
    expect(judge.line).to_contain_text("no longer judge this kit, so 2 answers couldn't be saved")
    expect(judge.step).not_to_have_attribute("data-assignment", assignment)
    assert rows(judge.page, "decisions") == []
    judge.given = []
    judge.decide("6")
    judge.is_stored()


@pytest.mark.usefixtures("pages_kept")
def test_a_stopped_phase_keeps_the_answers_until_it_is_open_again(judge: Judge):
    judge.is_kept()
    act = judge.campaign.service.campaigns.change_phases
    act(judge.campaign.name, "stop", author="boss", reason="The hall is flooded.")
    judge.choose("4")
    expect(judge.line).to_contain_text(
        "Not open right now: The hall is flooded. One answer on this"
    )
    judge.page.reload()
    expect(judge.page.locator(".rest")).to_contain_text("The hall is flooded.")
    expect(judge.line).to_contain_text("One answer on this device")
    assert judge.campaign.answers() == []
    act(judge.campaign.name, "start", author="boss")
    judge.page.goto(f"{judge.campaign.url}judge")
    judge.is_stored()
    judge.at(2)


def test_what_a_stopped_phase_does_not_take_can_be_discarded(judge: Judge):
    judge.is_ahead()
    act = judge.campaign.service.campaigns.change_phases
    act(judge.campaign.name, "stop", author="boss")
    judge.choose("4")
    judge.line.get_by_role("button", name="Discard").click()
    expect(judge.line).to_contain_text("Discard permanently?")
    judge.line.get_by_role("button", name="Keep").click()
    act(judge.campaign.name, "start", author="boss")
    judge.page.evaluate("dispatchEvent(new Event('online'))")  # or a minute later
    judge.at(2)
    judge.is_stored()
    act(judge.campaign.name, "stop", author="boss")
    judge.choose("5")
    judge.line.get_by_role("button", name="Discard").click()
    judge.line.get_by_role("button", name="Discard").click()
    expect(judge.page.locator(".rest")).to_be_visible()
    act(judge.campaign.name, "start", author="boss")
    judge.page.goto(f"{judge.campaign.url}judge")
    judge.at(2)
    judge.given.pop()
    judge.decide("7")
    judge.is_stored()


def test_a_server_in_trouble_is_asked_again(judge: Judge):
    judge.is_ahead()
    judge.page.route("**/api/decide", lambda route: route.fulfill(status=503), times=1)
    judge.decide("4")
    expect(judge.line).to_contain_text("The server isn't responding. Keep judging; one answer will")
    judge.is_stored()
    expect(judge.line).to_be_hidden()
    # a hotel's login page comes with a 200, and has stored nothing
    hotel: dict[str, Any] = {"status": 200, "content_type": "text/html", "body": "<h1>Hotel</h1>"}
    judge.page.route("**/api/decide", lambda route: route.fulfill(**hotel), times=1)
    judge.decide("5")
    expect(judge.line).to_contain_text("one answer will be sent")
    judge.is_stored()


def test_a_refused_answer_is_asked_for_again_and_later_ones_wait(judge: Judge):
    judge.is_ahead()
    held = Held(judge.page)
    judge.decide("4", "5")
    until(judge.page, lambda: held.routes)
    sent = held.routes.pop()
    wrong = {**(sent.request.post_data_json or {}), "answers": {"adequacy": 99}}
    sent.continue_(post_data=wrong)
    held.release()
    judge.at(1)
    expect(judge.line).to_contain_text("This answer couldn't be saved")
    expect(judge.page.locator("#problem-adequacy")).to_be_visible()
    expect(judge.page.locator("input:checked")).to_have_count(1)  # what he had chosen
    judge.page.keyboard.press("7")
    judge.page.keyboard.press("Enter")
    judge.given[0] = {"adequacy": 1}
    judge.at(3)
    judge.is_stored()
    expect(judge.line).to_be_hidden()


# Final or not


def test_where_decisions_are_final_nothing_leads_back(judge: Judge):
    judge.decide("4")
    judge.is_stored()
    expect(judge.page.locator("a.back")).to_have_count(0)
    judge.page.keyboard.press("Backspace")
    assignment = judge.step.get_attribute("data-assignment")
    judge.page.goto(f"{judge.campaign.url}judge/{assignment}/1")
    judge.at(2)
    assert judge.page.url == f"{judge.campaign.url}judge"
    judge.page.go_back()
    judge.page.go_forward()
    judge.at(2)
    judge.decide("6")
    judge.is_stored()


@pytest.fixture
def reviser(site: Site, window: Page) -> Judge:
    """A judge who may change his mind."""
    return Judge(site.campaign(test_set=LONG, task={"revise": True}), window)


def changes(judge: Judge) -> list[tuple[int, int, str, object]]:
    return [
        (one.position, one.revision, one.status, one.answers["adequacy"])
        for one in judge.campaign.decisions()
    ]


def test_looking_back_and_changing_an_answer(reviser: Judge):
    reviser.is_ahead()
    reviser.decide("4", "5")
    reviser.page.keyboard.press("1")  # begun, and to be gone on with
    reviser.page.keyboard.press("Backspace")
    reviser.at(2)
    expect(reviser.page.locator("input:checked")).to_have_value("3")
    reviser.page.keyboard.press("Shift+Backspace")
    reviser.at(3)
    expect(reviser.page.locator("input:checked")).to_have_value("7")
    reviser.page.keyboard.press("Backspace")
    reviser.at(2)
    reviser.page.get_by_role("link", name="Back").click()
    reviser.at(1)
    reviser.page.keyboard.press("7")
    reviser.page.keyboard.press("Enter")
    expect(reviser.saved).to_have_text("Change saved.")
    reviser.at(3)
    expect(reviser.page.locator("input:checked")).to_have_value("7")
    reviser.page.keyboard.press("2")
    reviser.page.keyboard.press("Enter")
    reviser.at(4)
    until(reviser.page, lambda: len(changes(reviser)) == 4)
    assert changes(reviser) == [
        (1, 1, "superseded", 4),
        (2, 1, "valid", 3),
        (1, 2, "valid", 1),
        (3, 1, "valid", 7),
    ]


def test_a_change_without_a_connection_is_delivered_later(reviser: Judge, context: BrowserContext):
    reviser.is_ahead()
    reviser.decide("4", "5")
    reviser.page.keyboard.press("Backspace")
    reviser.at(2)
    context.set_offline(True)
    reviser.page.keyboard.press("6")
    reviser.page.keyboard.press("Enter")
    expect(reviser.line).to_contain_text("continue automatically once the connection is back")
    context.set_offline(False)
    reviser.at(3)
    assert changes(reviser)[1:] == [(2, 1, "superseded", 3), (2, 2, "valid", 2)]
    context.set_offline(True)
    reviser.page.keyboard.press("Backspace")
    expect(reviser.line).to_contain_text("when you're back online")
    reviser.at(3)


def test_two_windows_change_the_same_answer(reviser: Judge, context: BrowserContext):
    reviser.decide("4", "5")
    reviser.is_stored()
    assignment = reviser.step.get_attribute("data-assignment")
    pages = [reviser.page, context.new_page()]
    for page in pages:
        page.goto(f"{reviser.campaign.url}judge/{assignment}/1")
        page.locator(".step").wait_for()
    for page, key in zip(pages, "67", strict=True):
        page.keyboard.press(key)
        page.keyboard.press("Enter")
        expect(page.locator(".step[data-position='3']")).to_be_visible()
        assert page.url == f"{reviser.campaign.url}judge"
    expect(pages[1].locator("#line")).to_contain_text("another window")
    assert changes(reviser)[2:] == [(1, 2, "valid", 2)]


# Time


def test_time_is_counted_only_while_the_page_is_in_front(site: Site, browser: Browser):
    turn = """hidden => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    # the clock that is set is the context's, for good
    with browser.new_context() as context:
        page = context.new_page()
        page.clock.install()
        begun = time.monotonic()
        judge = Judge(site.campaign(test_set=LONG), page)
        page.clock.run_for(10_000)
        page.evaluate(turn, True)
        page.clock.run_for(20_000)
        page.evaluate(turn, False)
        page.clock.run_for(5_000)
        with page.expect_request("**/api/decide") as request:
            judge.choose("4")
        sent: dict[str, Any] = request.value.post_data_json or {}
    # the page's clock goes on by itself between the jumps, as long as the test takes
    slack = time.monotonic() - begun
    assert 35 <= sent["elapsed"] <= 35 + slack
    assert 15 <= sent["active"] <= 15 + slack
    assert 0 <= sent["waited"] <= slack


def test_offline_decisions_have_the_times_of_their_making(judge: Judge, context: BrowserContext):
    offline = 4.0  # seconds; a request on its way takes less than half of that on a busy machine
    begun = time.monotonic()
    judge.decide("4")
    judge.is_stored()
    judge.is_ahead()
    context.set_offline(True)
    judge.decide("5")
    time.sleep(0.3)
    judge.decide("6")
    made = time.monotonic() - begun
    time.sleep(offline)
    context.set_offline(False)
    judge.is_stored()
    first, second, third = judge.campaign.decisions()
    assert first.decided_at == second.shown_at
    assert second.decided_at == third.shown_at
    assert 0.3 <= (third.seconds or 0) <= made
    assert (third.decided_at - first.decided_at).total_seconds() < made + offline / 2
    assert (third.active_seconds or 99) <= (third.seconds or 0)


@pytest.mark.usefixtures("pages_kept")
def test_a_page_that_needs_the_server_says_so(site: Site, window: Page, context: BrowserContext):
    campaign, page = site.campaign(), window
    page.goto(campaign.link)
    until(page, lambda: page.evaluate("caches.match(`${location.pathname}offline`).then(Boolean)"))
    until(page, lambda: page.evaluate("Boolean(navigator.serviceWorker.controller)"))
    context.set_offline(True)
    page.get_by_role("link", name="Change password").click()
    expect(page.locator("h1")).to_have_text("The server isn't responding")
    context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_label("New password")).to_be_visible()


def test_title_and_guidelines_follow_the_task(site: Site, window: Page):
    """The judge has gone on to the next task on another device."""
    tasks = [{"name": name, "protocol": name} for name in ("tapet-adequacy", "sqm")]
    judge = Judge(site.campaign(tasks=tasks), window)
    judging, who = judge.campaign.service.judging, (judge.campaign.name, judge.campaign.judge)
    step = judging.next(*who)
    while isinstance(step, Screen) and step.task != "sqm":
        decided = Submission(
            assignment=step.assignment, position=step.position, answers={"adequacy": 1}
        )
        _, step = judging.submit(*who, decided)
    judge.choose("6")
    expect(judge.line).to_contain_text("another window")
    expect(judge.page).to_have_title(re.compile("^Scalar quality"))
    expect(judge.page.locator("a.guidelines")).to_have_attribute("href", re.compile("/sqm$"))


def test_guidelines_and_keys_open_beside_the_text(judge: Judge):
    page, panel = judge.page, judge.page.locator("#help")
    before = judge.step.get_attribute("data-key")
    expect(panel).to_be_hidden()
    page.keyboard.press("?")
    expect(panel.get_by_text("Choose an answer")).to_be_visible()
    expect(panel.get_by_text("Move the slider")).to_be_hidden()
    expect(panel.locator(".prose")).to_be_visible()
    expect(judge.step.locator(".translation .text")).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    page.locator("a.guidelines").click()
    expect(panel).to_be_visible()
    page.keyboard.press("?")
    expect(panel).to_be_hidden()
    # the text is where it was, and keys answer as before
    assert judge.step.get_attribute("data-key") == before
    judge.decide("6")


def test_a_flag_goes_with_the_decision_and_survives_a_reload(judge: Judge):
    page = judge.page
    page.keyboard.press("f")
    page.get_by_label("What is wrong with this item?").select_option(
        "The source or reference is broken"
    )
    page.get_by_label("Comment", exact=True).fill("There is no verb.")
    with page.expect_response("**/api/draft"):
        page.keyboard.press("Escape")
    page.reload()
    page.keyboard.press("f")
    expect(page.get_by_label("Comment", exact=True)).to_have_value("There is no verb.")
    page.keyboard.press("Escape")
    judge.decide("6")
    # the next item has none of it
    page.keyboard.press("f")
    expect(page.get_by_label("Comment", exact=True)).to_have_value("")
    assert len(judge.campaign.stored(1)) == 1
    (first,) = judge.campaign.decisions()
    assert (first.flag, first.comment) == ("source-broken", "There is no verb.")


def test_an_item_is_skipped_with_a_reason(site: Site, window: Page):
    judge = Judge(site.campaign("tapet-adequacy", skip=True), window)
    page = judge.page
    page.keyboard.press("f")
    page.get_by_role("button", name="Skip this item").click()
    expect(page.locator("#skip-why")).to_be_visible()
    page.get_by_label("What is wrong with this item?").select_option("I cannot judge it")
    page.get_by_role("button", name="Skip this item").click()
    expect(judge.step).to_have_attribute("data-position", "2")
    assert judge.campaign.stored(1) == [{}]
    (skipped,) = judge.campaign.decisions()
    assert (skipped.skipped, skipped.flag) == (True, "cannot-judge")


def test_practice_items_show_what_was_expected(site: Site, window: Page):
    gold = '{"adequacy": 4, "because": "Half of it is missing."}'
    tutorial = make_set([{**one, "tags": {"gold": gold}} for one in SENTENCES])
    judge = Judge(site.campaign("tapet-adequacy", tutorial=tutorial), window)
    judge.page.keyboard.press("4")
    judge.page.keyboard.press("Enter")
    expect(judge.page.locator(".expected")).to_contain_text("Half of it is missing.")
    expect(judge.page.locator(".same-answer")).to_be_visible()
    with judge.page.expect_navigation():
        judge.page.keyboard.press("Enter")
    judge.at(2)
    judge.page.keyboard.press("7")
    judge.page.keyboard.press("Enter")
    expect(judge.page.locator(".compared").first).to_contain_text("None")
    expect(judge.page.locator(".same-answer")).to_have_count(0)
    judge.page.keyboard.press("Enter")
    expect(judge.page.locator(".over")).to_have_text("Tutorial finished")
