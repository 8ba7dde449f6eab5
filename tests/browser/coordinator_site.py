"""A site as its coordinators find it: campaigns half judged and done, others in preparation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

import msgspec
from playwright.sync_api import Page, expect

from jurat.bots import Bot, Truth, ladder, panel
from jurat.campaigns.accounts import Slip
from jurat.campaigns.disagreements import Place
from jurat.campaigns.simulate import Driver, Stopwatch
from jurat.testsets import SetFile
from tests.browser.screenshots.pages import SYSTEMS, sample_campaign
from tests.browser.site import SYSTEMS as FEW
from tests.browser.site import Running, Site, make_set
from tests.campaigns.sample_campaigns import SAMPLE

NAME, PASSWORD = "Ada Okafor", "a long secret"
JUDGES, DAYS, A_DAY = 12, 4, 110
IDLE, GONE, CARELESS = 11, (4, 7), 8
"""Of the judges: who never came, who came on the first day only, who does not look."""
SETTLED = 6
NIGHT = timedelta(hours=20)


PATIENCE = 60_000
"""Milliseconds: numbers are computed when first asked for."""


def settle(page: Page) -> None:
    """Wait until all that a page computes is there."""
    expect(page.locator("[data-computing]")).to_have_count(0, timeout=PATIENCE)


@dataclass(frozen=True)
class CoordinatorSite:
    """Campaigns, drafts and people; `spring` is the campaign that is being judged."""

    site: Site
    spring: Running
    winter: Running
    draft: str
    empty: str
    adjudicator: Slip

    @property
    def outlier(self) -> str:
        """The PIN of the judge who does not look."""
        return self.spring.slips[CARELESS].pin

    def enter(self, page: Page, url: str = "") -> None:
        """Log in as the coordinator of the whole site."""
        page.goto(f"{url or self.site.url}/desk/")
        page.locator("#name").fill(NAME)
        page.locator("#password").fill(PASSWORD)
        page.locator("button.main").click()
        expect(page.locator("table")).to_be_visible()

    def enter_as_adjudicator(self, page: Page, url: str = "") -> None:
        """Come by the adjudicator's personal link."""
        page.goto(f"{url or self.site.url}/c/spring/link/{self.adjudicator.token}")

    def cases(self) -> tuple[str, str]:
        """A case that is settled and one that waits, as addresses have them."""
        service, name = self.site.service, self.spring.name
        waiting = service.adjudication.contested(name, "adequacy")[0]
        settled = service.adjudication.all(name)[0]
        key = service.adjudication.case_key
        first, second = (Place(one.task, one.kit, one.index) for one in (settled, waiting))
        return key(name, first), key(name, second)


def make_coordinator_site(site: Site, watch: Stopwatch) -> CoordinatorSite:
    """Everything that a coordinator may find; the site's clock is this watch."""
    coordinators = site.service.coordinators
    coordinators.accept_invitation(coordinators.add(NAME, author="test").token, PASSWORD)
    winter = _winter(site, watch)
    watch.pass_by(30 * 24 * 3600)
    spring = sample_campaign(site, judges=JUDGES, name="spring", title="Four systems, spring round")
    slips = spring.slips
    for n, slip in enumerate(slips):
        group, place = ("left", "Leeds") if n % 2 else ("right", "York")
        site.service.accounts.update(spring.name, slip.pin, author=NAME, group=group, site=place)
    _days_go_by(spring, watch)
    site.service.accounts.register(spring.name)
    (adjudicator,) = site.service.accounts.add(spring.name, 1, author=NAME, role="adjudicator")
    _settle(spring, adjudicator)
    drafts = site.service.drafts
    draft = drafts.copy(spring.name, author=NAME).id
    drafts.set_fields(draft, {"title": "Four systems, summer round", "name": "summer"})
    empty = drafts.new(author=NAME).id
    return CoordinatorSite(site, spring, winter, draft, empty, adjudicator)


def _winter(site: Site, watch: Stopwatch) -> Running:
    """A small campaign of other protocols, all done."""
    tasks = [
        {"name": "errors", "protocol": "esa", "wanted": 2},
        {"name": "features", "protocol": "heval", "wanted": 2},
    ]
    texts = make_set(documents=4)
    made = site.campaign(
        tasks=tasks, test_set=texts, judges=6, name="winter", title="Three systems, winter round"
    )
    bots = panel([f"bot {n}" for n in range(6)], seed=3)
    _drive(made, dict(enumerate(bots)), ladder(FEW), watch)
    site.service.campaigns.change_phases(made.name, "stop", author=NAME)
    site.service.campaigns.change_phases(made.name, "close", author=NAME)
    return made


def _days_go_by(made: Running, watch: Stopwatch) -> None:
    """Judges come day by day, but not all, and one of them does not look."""
    bots = list(panel([f"judge {n}" for n in range(JUDGES)], noise=0.15, seed=2008))
    bots[CARELESS] = msgspec.structs.replace(bots[CARELESS], careless=1.0)
    for day in range(DAYS):
        away = {IDLE, *(GONE if day else ())}
        present = {n: bot for n, bot in enumerate(bots) if n not in away}
        _drive(made, present, ladder(SYSTEMS), watch, most=A_DAY)
        watch.now = watch.now.replace(hour=12, minute=0, second=0, microsecond=0) + NIGHT
    watch.pass_by(1800)


def _drive(
    made: Running,
    bots: Mapping[int, Bot],
    truth: Truth,
    watch: Stopwatch,
    *,
    most: int | None = None,
) -> None:
    pins = [slip.pin for slip in made.slips]
    ids = {n: made.service.accounts.by_pin(made.name, pins[n]).id for n in bots}
    working = {ids[n]: bot for n, bot in bots.items()}
    Driver(made.service, made.name, working, truth, watch).run(most=most)


def _settle(made: Running, slip: Slip) -> None:
    """The adjudicator has done some cases of each task."""
    service, name = made.service, made.name
    account = service.accounts.by_pin(name, slip.pin).id
    bot, truth = Bot(name="adjudicator", noise=0.02), ladder(SYSTEMS)
    for task in service.campaigns.plan(name).tasks:
        protocol = service.campaigns.protocol(name, task.name)
        for n, contest in enumerate(service.adjudication.contested(name, task.name)[:SETTLED]):
            answers = bot.answers(protocol, contest.item, position=n + 1, truth=truth)
            place = Place(contest.task, contest.kit, contest.index)
            key = service.adjudication.case_key(name, place)
            service.adjudication.settle(name, account, task.name, key, answers)


def faulty_set() -> SetFile:
    """A test set in which several things are wrong."""
    good = (SAMPLE / "testset.jsonl").read_bytes().splitlines()[:4]
    return SetFile("testset.jsonl", b"\n".join([*good, b'{"document": 3}', b"{", good[2]]))
