"""The pages around the judging in the pictures: coming in, the overview, guidelines, rests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import yaml
from playwright.sync_api import Page, expect

from jurat.bots import Bot, ladder
from jurat.campaigns.simulate import Driver, Stopwatch
from jurat.model import Item
from tests.browser.site import SENTENCES, Running, Site, make_set
from tests.campaigns.sample_campaigns import NOW, SAMPLE

Show = Callable[[Page, Site], None]
CLOCK = Stopwatch(NOW)
"""What time it is in the pictures."""
SYSTEMS = ("cedar", "birch", "willow", "bramble")


class Steady(Bot, frozen=True):
    """A simulated judge who takes the same time for everything."""

    def seconds(self, item: Item, *, position: int, expected: float) -> float:
        return 24.0


def sample_campaign(site: Site, **more: Any) -> Running:
    """The sample's campaign as `jurat demo` has it: open to guests and volunteers."""
    declared = yaml.safe_load((SAMPLE / "campaign.yaml").read_text("utf-8"))
    given = {
        "tasks": declared["tasks"],
        "seed": declared["seed"],
        "title": declared["title"],
        "contact": declared["contact"],
    }
    return site.campaign(
        test_set=(SAMPLE / "testset.jsonl").read_bytes(),
        tutorial=(SAMPLE / "tutorial.jsonl").read_bytes(),
        guest=True,
        registration=True,
        **(given | more),
    )


def works(made: Running, decisions: int | None = None, *, judge: int = 0) -> None:
    """Let a judge do kits until he has made so many decisions, or as many as he gets."""
    account = made.service.accounts.by_pin(made.name, made.slips[judge].pin).id
    bots = {account: Steady(name="judge")}
    Driver(made.service, made.name, bots, ladder(SYSTEMS), CLOCK).run(most=decisions)


def log_in(page: Page, site: Site) -> None:
    page.goto(sample_campaign(site).url)
    page.evaluate("document.activeElement.blur()")


def log_in_refused(page: Page, site: Site) -> None:
    page.goto(sample_campaign(site).url)
    page.fill("#pin", "kt5w9m")
    page.fill("#password", "not the one")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()


def registered(page: Page, site: Site) -> None:
    page.goto(sample_campaign(site).url)
    page.get_by_role("button", name="Become a judge").click()
    expect(page.locator(".slip")).to_be_visible()


def home(page: Page, site: Site) -> None:
    made = sample_campaign(site)
    works(made, 10)
    made.enter(page)
    page.goto(made.url)


def guidelines(page: Page, site: Site) -> None:
    page.goto(f"{sample_campaign(site).url}guidelines/adequacy")


def examples(page: Page, site: Site) -> None:
    guidelines(page, site)
    page.locator(".examples").first.evaluate("section => section.scrollIntoView()")


def go_on(page: Page, site: Site) -> None:
    made = site.campaign("ldc-adequacy", task={"required": {"evaluation": 0}})
    made.enter(page)
    expect(page.locator(".rest")).to_be_visible()


def pause(page: Page, site: Site) -> None:
    page.clock.set_fixed_time(NOW)
    made = site.campaign("ldc-adequacy", sitting={"items": 1, "pause_minutes": 20})
    made.enter(page)
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.locator(".rest")).to_be_visible()


def thanks(page: Page, site: Site) -> None:
    made = site.campaign("ldc-adequacy", test_set=make_set(SENTENCES[:1]), judges=len(SYSTEMS))
    for judge in range(1, len(made.slips)):  # others have done what was left
        works(made, judge=judge)
    works(made)
    made.enter(page)
    expect(page.locator("textarea")).to_be_visible()


PAGES: dict[str, Show] = {
    "log-in": log_in,
    "log-in-refused": log_in_refused,
    "registered": registered,
    "home": home,
    "guidelines": guidelines,
    "examples": examples,
    "go-on": go_on,
    "pause": pause,
    "thanks": thanks,
}
