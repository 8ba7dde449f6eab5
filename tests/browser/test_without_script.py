"""The same pages as plain forms: whole kits without a script, and what can happen on the way."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from jurat import protocols
from jurat.model import Item
from jurat.protocols.questions import NA
from tests.browser.site import SENTENCES, Running, Site, make_set

KINDS = (
    "tapet-adequacy",  # a scale and a choice that follows
    "preference",
    "da",  # a slider
    "heval",  # many scales in a grid
    "ranking",
    "mqm",  # spans with categories
    "esa",  # spans and a slider
    "informativeness",  # text, and two stages
    "comprehension",
    "concepts",
    "post-edit",
)


@pytest.fixture(scope="module")
def plain(browser: Browser) -> Iterator[Page]:
    """A page in a browser without scripts; each campaign has its own cookie."""
    with browser.new_context(java_script_enabled=False) as context:
        yield context.new_page()


class Filler:
    """Fills in a form as somebody would who has no script."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def fill(self, kind: str, name: str, answer: Any, item: Item) -> None:
        ways = getattr(self, kind.replace("-", "_"))
        ways(self.page.locator(f".question[data-question='{name}']"), f"q.{name}", answer, item)

    def _tick(self, place: Locator, name: str, value: object) -> None:
        place.locator(f"input[name='{name}'][value='{value}']").check(force=True)

    def scale(self, place: Locator, name: str, answer: Any, _: Item) -> None:
        self._tick(place, name, answer)

    choice = preference = scale

    def slider(self, place: Locator, name: str, answer: Any, _: Item) -> None:
        if answer == NA:
            self._tick(place, f"{name}.na", 1)
        else:
            place.locator(f"input[name='{name}']").fill(str(answer))

    def text(self, place: Locator, name: str, answer: Any, _: Item) -> None:
        place.locator(f"textarea[name='{name}']").fill(answer)

    post_edit = text

    def concepts(self, place: Locator, name: str, answer: Any, _: Item) -> None:
        for n, one in enumerate(answer, 1):
            self._tick(place, f"{name}.{n}", one)

    reading = concepts

    def ranking(self, place: Locator, name: str, answer: Any, _: Item) -> None:
        for n, one in enumerate(answer, 1):
            place.locator(f"select[name='{name}.{n}']").select_option(str(one))

    def spans(self, place: Locator, name: str, answer: Any, item: Item) -> None:
        for n, span in enumerate(answer, 1):
            row = f"{name}.{n}"
            self._place(place, f"{row}.from", span["start"], None)
            self._place(place, f"{row}.to", None, span["end"])
            place.locator(f"select[name='{row}.severity']").select_option(span["severity"])
            if span["category"]:
                place.locator(f"select[name='{row}.category']").select_option(span["category"])
        if not answer and place.locator("input[type=checkbox]").count():
            place.locator(f"input[name='{name}.looked']").check()

    def _place(self, place: Locator, name: str, start: int | None, end: int | None) -> None:
        """Choose the word that begins or ends there."""
        options = place.locator(f"select[name='{name}'] option")
        values: list[str] = options.evaluate_all("options => options.map((one) => one.value)")
        found = [
            value
            for value in values
            if value and (value.startswith(f"{start}-") or value.endswith(f"-{end}"))
        ]
        place.locator(f"select[name='{name}']").select_option(found[0])


def answers_for(campaign: Running, page: Page, random: Random) -> tuple[dict[str, Any], Item]:
    """Legal answers to the step on the page."""
    step = page.locator(".step")
    assignment = str(step.get_attribute("data-assignment"))
    position = int(str(step.get_attribute("data-position")))
    turn = campaign.store.step(campaign.name, campaign.judge, assignment, position)
    protocol = campaign.service.campaigns.protocol(campaign.name, turn.task)
    given = dict(turn.earlier)
    qualities = [random.random() for _ in turn.item.translations]
    for question in protocol.asked(given, stage=turn.stage):
        given[question.id] = question.simulate(turn.item, qualities, random)
    return {name: one for name, one in given.items() if name not in turn.earlier}, turn.item


def go_on(page: Page) -> None:
    # a click returns before the answer is there, and the old page's steps would be counted
    with page.expect_navigation():
        page.locator(".next").click()


@pytest.mark.parametrize("name", KINDS)
def test_a_whole_kit(site: Site, plain: Page, name: str):
    # a kit of one sentence has a step for each system, but of these protocols a single step
    count = 2 if protocols.load(name).one_system_per_segment else 1
    campaign = site.campaign(name, test_set=make_set(SENTENCES[:count]))
    campaign.enter(plain)
    random, expected = Random(5), []
    while plain.locator(".step").count():
        given, item = answers_for(campaign, plain, random)
        protocol = campaign.service.campaigns.protocol(campaign.name, "rating")
        filler = Filler(plain)
        for question, answer in given.items():
            if plain.locator(f".question[data-question='{question}'][data-waiting]").count():
                go_on(plain)  # a follow-up is shown with the page that asks for it
                assert plain.locator(".problem:visible").count() == 1
            filler.fill(protocol.questions[question].name, question, answer, item)
        go_on(plain)
        expected.append(given)
    expect(plain.locator(".rest")).to_be_visible()
    assert campaign.answers() == expected


def test_what_is_missing_is_said_where_it_is_missing(site: Site, plain: Page):
    campaign = site.campaign("semantic-adequacy")
    campaign.enter(plain)
    names = [one.get_attribute("data-question") for one in plain.locator(".question").all()]
    plain.locator(f"input[name='q.{names[0]}']").first.check(force=True)
    go_on(plain)
    assert not campaign.answers()
    told = plain.locator(".problem:visible")
    assert told.all_inner_texts() == ["Please answer this first"] * (len(names) - 1)
    expect(plain.locator("input:checked")).to_have_count(1)


def test_a_follow_up_that_is_no_longer_asked_does_not_stand_in_the_way(site: Site, plain: Page):
    campaign = site.campaign()
    campaign.enter(plain)
    pick = "input[name='q.adequacy'][value='{}']".format
    plain.locator(pick(7)).check(force=True)
    go_on(plain)
    plain.locator("input[name='q.same-meaning'][value='yes']").check(force=True)
    plain.locator(pick(2)).check(force=True)
    go_on(plain)
    assert campaign.answers() == [{"adequacy": 2}]


def decide(page: Page, value: int) -> None:
    page.locator(f"input[name='q.adequacy'][value='{value}']").check(force=True)
    go_on(page)


def test_two_windows(site: Site, plain: Page):
    campaign = site.campaign()
    campaign.enter(plain)
    other = plain.context.new_page()
    other.goto(f"{campaign.url}judge")
    decide(plain, 4)
    decide(other, 1)
    expect(other.locator("#line")).to_contain_text("answered this in another window")
    expect(other.locator(".step[data-position='2']")).to_be_visible()
    decide(other, 2)
    expect(other.locator(".rest")).to_be_visible()
    assert campaign.answers() == [{"adequacy": 4}, {"adequacy": 2}]


def test_the_back_button(site: Site, plain: Page):
    campaign = site.campaign()
    campaign.enter(plain)
    decide(plain, 4)
    plain.go_back()
    decide(plain, 1)  # whichever step the browser shows now, the first one stays
    assert campaign.answers()[0] == {"adequacy": 4}
    assert [one.position for one in campaign.decisions()] == [1, 2][: len(campaign.decisions())]


def test_a_form_of_an_earlier_login_goes_on_working(site: Site, plain: Page):
    campaign = site.campaign()
    campaign.enter(plain)
    plain.context.clear_cookies()
    plain.context.new_page().goto(campaign.link)
    decide(plain, 4)
    expect(plain.locator(".step[data-position='2']")).to_be_visible()
    assert campaign.answers() == [{"adequacy": 4}]


def test_a_stopped_phase_keeps_what_was_answered(site: Site, plain: Page):
    campaign = site.campaign()
    campaign.enter(plain)
    campaign.service.campaigns.change_phases(campaign.name, "stop", author="boss", reason="Lunch.")
    decide(plain, 4)
    expect(plain.locator(".rest")).to_contain_text("Lunch.")
    expect(plain.locator("main")).to_contain_text("Your answers are kept until then.")
    campaign.service.campaigns.change_phases(campaign.name, "start", author="boss")
    plain.goto(f"{campaign.url}judge")
    expect(plain.locator("input:checked")).to_have_value("4")
    go_on(plain)
    assert campaign.answers() == [{"adequacy": 4}]


def test_looking_back_where_that_is_allowed(site: Site, plain: Page):
    campaign = site.campaign(task={"revise": True})
    campaign.enter(plain)
    expect(plain.locator("a.back")).to_have_count(0)
    decide(plain, 4)
    plain.locator("a.back").click()
    expect(plain.locator("input:checked")).to_have_value("4")
    plain.locator("a.return").click()
    expect(plain.locator(".step[data-position='2']")).to_be_visible()
    plain.locator("a.back").click()
    decide(plain, 2)
    expect(plain.locator("#line")).to_contain_text("Change saved.")
    expect(plain.locator(".step[data-position='2']")).to_be_visible()
    decide(plain, 1)
    told = [(one.position, one.revision, one.status) for one in campaign.decisions()]
    assert told == [(1, 1, "superseded"), (1, 2, "valid"), (2, 1, "valid")]
    assert campaign.answers() == [{"adequacy": 4}, {"adequacy": 2}, {"adequacy": 1}]
