"""A campaign from its first file to the last download, by somebody who has nothing but a test set.

She works in a real browser; one person judges in another, and simulated judges do the rest.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
import yaml
from playwright.sync_api import Browser, FilePayload, Locator, Page, expect

from jurat.bots import Bot, Truth
from jurat.campaigns.service_context import utc_now
from jurat.campaigns.simulate import Driver, Stopwatch
from jurat.protocols.questions import Question
from jurat.store import Store
from tests.browser.mouse_and_keyboard import Mouse
from tests.browser.site import SENTENCES, Running, Site, make_set, serving
from tests.campaigns.sample_campaigns import QUALITIES

NAME, TASK, QUESTION = "bridges", "tapet-adequacy", "adequacy"
JUDGES, SETTLED = 7, 3
KIT = len(QUALITIES)
"""Items: what each system made of one segment."""
DOCUMENTS, EACH = 12, 4
WANTED = DOCUMENTS * KIT * EACH
LONG = 30_000
"""Milliseconds: numbers are computed beside, by a process that has to start first."""
GOOD = make_set(SENTENCES[:1], documents=DOCUMENTS + 1)
"""One segment a document; the last document is for practice."""
LINES = GOOD.splitlines()
FAULTY = b"\n".join([*LINES[:3], b'{"document": "paper2"', *LINES[4:], LINES[1]])
"""Its fourth line is cut off, and its last one stands there twice."""
TEXTS = {name: {one["translations"][name] for one in SENTENCES} for name in QUALITIES}


class Hurry(Stopwatch):
    """A clock that goes as clocks do, and is put forward by what simulated judges take."""

    def __init__(self) -> None:
        super().__init__(utc_now())
        self._ahead = timedelta()

    def __call__(self) -> datetime:
        return utc_now() + self._ahead

    def pass_by(self, seconds: float) -> None:
        self._ahead += timedelta(seconds=seconds)


class Reader(Mouse):
    """Somebody who sees how good the translation before her is."""

    def turn(self, question: Question, count: int) -> int:
        text = self.page.locator(".translation .text").inner_text()
        quality = next(QUALITIES[name] for name, texts in TEXTS.items() if text in texts)
        return round((1 - quality) * (count - 1))


@dataclass
class Story:
    """The coordinator's page, and a server that nobody has used before."""

    site: Site
    clock: Hurry
    browser: Browser
    page: Page
    slips: list[dict[str, str]] = field(default_factory=list)
    scores: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Of each system, before the outlier is left out and after."""
    failures: list[str] = field(default_factory=list)
    """What went wrong in any browser, or was forbidden there."""

    @property
    def main(self) -> Locator:
        return self.page.locator("main")

    @property
    def running(self) -> Running:
        """The campaign, behind the pages."""
        return Running(NAME, f"{self.site.url}/c/{NAME}/", [], self.site.service, self.site.store)

    @property
    def outlier(self) -> str:
        return self.slips[-1]["pin"]

    def listen(self, page: Page) -> None:
        """Note every script that fails, and everything that the browser complains of."""
        page.on("pageerror", lambda error: self.failures.append(str(error)))
        page.on("console", lambda one: self.failures.extend([one.text] * (one.type == "error")))

    def go(self, name: str) -> None:
        """Follow a link of the campaign's menu."""
        self.page.locator(".desk-pages").get_by_role("link", name=name, exact=True).first.click()

    def taken(self, link: Locator) -> Path:
        """What a link or a button gives to keep."""
        with self.page.expect_download() as download:
            link.click()
        return download.value.path()

    @contextmanager
    def somebody(self, link: str, *begin: str) -> Iterator[Reader]:
        """Another person, with a browser of her own, who has followed her link."""
        with self.browser.new_context(viewport={"width": 1280, "height": 900}) as context:
            page = context.new_page()
            self.listen(page)
            page.goto(link)
            for name in begin:
                with page.expect_navigation():
                    page.get_by_role("link", name=name, exact=True).click()
            yield Reader(page, self.site.service.campaigns.protocol(NAME, TASK))


@pytest.fixture
def story(browser: Browser, tmp_path: Path) -> Iterator[Story]:
    clock = Hurry()
    with (
        Store.open(str(tmp_path / "jurat.db")) as store,
        serving(store, clock=clock) as site,
        browser.new_context(viewport={"width": 1280, "height": 900}) as context,
    ):
        found = Story(site, clock, browser, context.new_page())
        found.listen(found.page)
        yield found
    assert found.failures == []


def test_from_the_first_file_to_the_last(story: Story, tmp_path: Path):
    begin(story)
    upload_a_test_set(story)
    make_a_task(story)
    set_the_rules(story)
    make_judges(story)
    start(story)
    one_person_judges(story)
    bots_judge(story)
    see_who_stands_out(story)
    settle_some_cases(story)
    see_who_was_near(story)
    leave_the_outlier_out(story)
    look_at_a_system_and_a_segment(story)
    take_everything_away(story, tmp_path)


def begin(story: Story) -> None:
    """The first coordinator follows the link that the server shows when it starts."""
    page = story.page
    page.goto(f"{story.site.url}/desk/begin/{story.site.service.coordinators.set_up()}")
    page.get_by_label("Name").fill("Ada")
    page.get_by_label("Password").fill("a long secret")
    page.get_by_role("button", name="Start").click()
    expect(story.main).to_contain_text("No campaigns yet.")


def upload_a_test_set(story: Story) -> None:
    """All faults of a first file are listed with their places; the mended one replaces it."""
    page = story.page
    page.get_by_role("link", name="New campaign").click()
    page.get_by_label("Files", exact=True).set_input_files(file("bridges.jsonl", FAULTY))
    page.get_by_role("button", name="Start").click()
    faults = page.locator(".faults")
    expect(faults).to_contain_text("bridges.jsonl:4: this is not JSON")
    last = f"bridges.jsonl:{len(LINES) + 1}, Document paper1, Segment 1"
    expect(faults).to_contain_text(f"{last}: this segment occurs twice in the source")
    expect(faults).to_contain_text(f"{last}: this segment occurs twice in system willow")
    page.locator("#files-test_set").set_input_files(file("bridges.jsonl", GOOD))
    page.get_by_role("button", name="Upload").first.click()
    expect(faults).to_have_count(0)
    expect(page.locator(".facts").first).to_contain_text(f"Segments{DOCUMENTS + 1}")
    page.get_by_text("Select part of the test set").click()
    page.get_by_label(f"paper{DOCUMENTS + 1}").check()
    page.get_by_role("button", name="Use selected documents as tutorial").click()
    expect(page.locator(".facts").first).to_contain_text(f"Segments{DOCUMENTS}")
    page.get_by_role("button", name="Next: Tasks and kits").click()


def file(name: str, data: bytes) -> FilePayload:
    return {"name": name, "mimeType": "application/x-ndjson", "buffer": data}


def make_a_task(story: Story) -> None:
    """What a judge will see is shown, and what it amounts to is counted."""
    page, audit = story.page, story.page.locator("#audit")
    page.locator(f'button.card[value="{TASK}"]').click()
    expect(page.locator(".preview .question").first).to_be_visible()
    expect(page.locator(".preview .translation")).to_contain_text("bridge")
    page.get_by_label("Judgments per item").fill(str(EACH))
    page.get_by_label("Kits required of each judge").fill("7")
    page.get_by_label("Tutorial kits required first").fill("1")
    page.get_by_text("Assignment", exact=True).click()
    page.get_by_label("One system per segment for each judge").select_option("No")
    # what is being saved already comes first
    with page.expect_navigation():
        page.get_by_role("button", name="Save and preview").click()
    for judges, said in (
        (3, f"Too few judges for these kits: 1. Different judges needed: {EACH}; available: 3."),
        (JUDGES, "in total"),
    ):
        audit.get_by_label("Number of judges:").fill(str(judges))
        audit.get_by_role("button", name="Show").click()
        expect(audit).to_contain_text(said)
    expect(audit.locator(".error")).to_have_count(0)
    expect(audit.get_by_role("row", name="Evaluation")).to_contain_text(f"{WANTED}")
    page.get_by_role("button", name="Next: Rules").click()


def set_the_rules(story: Story) -> None:
    page = story.page
    page.get_by_label("Title").fill("Bridges and shops")
    page.get_by_label("Short name", exact=True).fill(NAME)
    page.get_by_label("Contact for judges").fill("Ada")
    page.get_by_role("button", name="Create campaign").click()
    expect(page.locator("h1")).to_have_text("Overview")


def make_judges(story: Story) -> None:
    """A slip for each, with a code for telephones, and all of them as a file: once."""
    page, slips = story.page, story.page.locator(".page-of-one")
    page.get_by_label("Number of accounts").fill(str(JUDGES))
    page.get_by_role("button", name="Create login slips").click()
    expect(slips).to_have_count(JUDGES)
    expect(slips.first.get_by_role("img").locator("svg")).to_be_visible()
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == JUDGES
    story.slips = rows(story.taken(page.get_by_role("link", name="Download as CSV")))
    assert len(story.slips) == JUDGES
    for slip, shown in zip(story.slips, slips.all(), strict=True):
        expect(shown).to_contain_text(slip["pin"])
        expect(shown).to_contain_text(slip["password"])
    story.go("Judges")
    expect(story.main).to_contain_text(story.slips[0]["pin"])
    expect(story.main).not_to_contain_text(story.slips[0]["password"])


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))


def start(story: Story) -> None:
    """The tutorial first, then everything."""
    page = story.page
    story.go("Overview")
    page.get_by_role("row", name="Tutorial").get_by_role("button", name="Start").click()
    expect(page.get_by_role("row", name="Tutorial")).to_contain_text("Running")
    expect(page.get_by_role("row", name="Evaluation")).to_contain_text("Not started")
    page.get_by_role("button", name="Start all").click()
    expect(page.get_by_role("row", name="Evaluation")).to_contain_text("Running")
    progress(story, done=0)


def progress(story: Story, *, done: int) -> None:
    story.go("Overview")
    story.go("Progress")
    expect(story.main).to_contain_text(f"{done} of {WANTED} judgments")


def one_person_judges(story: Story) -> None:
    """The tutorial, and a kit after it."""
    with story.somebody(story.slips[0]["link"], "Read the guidelines and start", "Start") as hands:
        for kit in (1, 2):
            for _ in range(KIT):
                step = hands.page.locator(".step")
                key = step.get_attribute("data-key")
                hands.answer()
                hands.next()
                expect(hands.page.locator(f".step[data-key='{key}']")).to_have_count(0)
            # what is done and what comes next; the last kit is only begun
            hands.page.get_by_role("link", name=f"Start kit {kit}", exact=True).click()
            expect(hands.page.locator(".current-task")).to_contain_text(
                f"Evaluation · kit {kit} of"
            )
        assert len(story.running.stored(2 * KIT)) == 2 * KIT
    progress(story, done=KIT)


def bots_judge(story: Story) -> None:
    """All others do what there is; the last of them finds everything bad."""
    service = story.site.service
    ids = [service.accounts.by_pin(NAME, slip["pin"]).id for slip in story.slips[1:]]
    bots = {one: Bot(name=f"bot {n}", noise=0.05) for n, one in enumerate(ids)}
    bots[ids[-1]] = Bot(name="harsh", severity=0.6, noise=0.3)
    driver = Driver(service, NAME, bots, Truth(qualities=QUALITIES), story.clock)
    driver.run(most=60)
    progress(story, done=KIT + 60 - len(bots) * KIT)  # without their tutorials
    driver.run()
    progress(story, done=WANTED - KIT)  # one kit waits for the person, who has begun it
    expect(story.main).to_contain_text("Judging time left: about")


def see_who_stands_out(story: Story) -> None:
    """The results name the judge who is unlike the others; his page says in which ways."""
    story.go("Results")
    judges = story.page.locator("section[aria-labelledby=judges]")
    expect(judges).to_contain_text(story.outlier, timeout=LONG)
    story.go("Judges")
    story.page.get_by_role("link", name=story.outlier).click()
    expect(story.main).to_contain_text("Differs from the other judges beyond chance", timeout=LONG)


def settle_some_cases(story: Story) -> None:
    """An adjudicator judges what judges differ about most, and sees only then what they said."""
    page = story.page
    story.go("Adjudication")
    page.get_by_role("link", name="Add an adjudicator.").click()
    expect(page.get_by_role("combobox", name="Role")).to_have_value("adjudicator")
    page.get_by_role("button", name="Create login slips").click()
    (slip,) = rows(story.taken(page.get_by_role("link", name="Download as CSV")))
    with story.somebody(slip["link"], "Start") as hands:
        for _ in range(SETTLED):
            expect(hands.page.locator(".step .question").first).to_be_visible()
            expect(hands.page.locator("body")).not_to_contain_text("Judge 1")
            hands.answer()
            hands.next()
            expect(hands.page.locator("h1")).to_have_text("Your answer and the judges' answers")
            expect(hands.page.get_by_role("columnheader", name="Judge 1")).to_be_visible()
            # the next page's script, too: without it a follow-up is not asked
            with hands.page.expect_navigation():
                hands.page.get_by_role("link", name="Next case").click()


def see_who_was_near(story: Story) -> None:
    """Who finds everything bad is farthest from what was settled."""
    story.go("Adjudication")
    expect(story.main).to_contain_text(f"{SETTLED} adjudicated")
    near = story.page.get_by_role("table", name=QUESTION)
    expect(near.get_by_role("row", name="All judges")).to_be_visible(timeout=LONG)
    apart = dict(map(distance, near.locator("tbody tr").all()))
    assert max(apart, key=lambda pin: apart[pin]) == story.outlier
    near.get_by_role("link", name=story.outlier).click()


def distance(row: Locator) -> tuple[str, float]:
    """Who, and how far he was from what was settled in the mean."""
    pin, _, _, _, _, apart, _ = row.locator("th, td").all_inner_texts()
    return pin.strip(), float(apart)


def leave_the_outlier_out(story: Story) -> None:
    """What that changes stands side by side: the systems rise."""
    page = story.page
    page.get_by_role("link", name="Results without this judge").click()
    changes = page.get_by_role("region", name="Effect of the filter")
    expect(changes).to_be_visible(timeout=LONG)
    expect(changes).to_contain_text("All judgments")
    for system in QUALITIES:
        row = changes.get_by_role("row").filter(has_text=QUESTION).filter(has_text=system)
        both = row.locator("td.number").all_inner_texts()[:2]
        story.scores[system] = float(both[0]), float(both[1])
    assert all(before < after for before, after in story.scores.values())


def look_at_a_system_and_a_segment(story: Story) -> None:
    page = story.page
    page.get_by_role("link", name="cedar", exact=True).first.click()
    expect(story.main).to_contain_text("Best segments", timeout=LONG)
    page.locator(".segment-list a").first.click()
    expect(story.main).to_contain_text("chrF", timeout=LONG)
    settled = story.running.store.adjudications(NAME)[0].item
    story.go("Segments")
    page.get_by_label("Document").select_option(settled.document)
    page.get_by_role("button", name="Show").click()
    page.locator(f"th a[href$='segments/{settled.document}/{settled.segment}']").click()
    expect(page.locator("tr.settled").first).to_contain_text(QUESTION, timeout=LONG)


def take_everything_away(story: Story, tmp_path: Path) -> None:
    """The files hold what was judged, settled and declared."""
    page = story.page
    story.go("Results")
    story.go("Export")
    with zipfile.ZipFile(story.taken(page.get_by_role("link", name="CSV"))) as packed:
        every = pl.read_csv(packed.read("judgments.csv"), infer_schema_length=None)
    check_judgments(story, every.filter(pl.col("question") == QUESTION))
    with Store.open(str(tmp_path / "elsewhere.db")) as other:
        with story.taken(page.get_by_role("link", name="Archive")).open("rb") as archive:
            other.restore(archive)
        assert list(other.decisions(NAME)) == story.running.decisions()
        assert len(other.adjudications(NAME)) == SETTLED
    whole = page.get_by_role("link", name="campaign.yaml with its files")
    with zipfile.ZipFile(story.taken(whole)) as packed:
        assert {"campaign.yaml", "testset.jsonl", "tutorial.jsonl"} == set(packed.namelist())
    plan = story.taken(page.get_by_role("link", name="campaign.yaml", exact=True))
    declared = yaml.safe_load(plan.read_bytes())
    assert declared["title"] == "Bridges and shops"
    assert declared["tasks"][0]["wanted"] == EACH


def check_judgments(story: Story, table: pl.DataFrame) -> None:
    counts = (pl.col("phase") == "evaluation") & (pl.col("status") == "valid")
    valid = table.filter(counts)
    assert valid.height == WANTED - KIT
    assert table.filter(pl.col("status") == "adjudicated").height == SETTLED
    person = table.filter(pl.col("judge") == story.slips[0]["pin"])
    assert dict(person.group_by("phase").len().iter_rows()) == {"tutorial": KIT, "evaluation": KIT}
    looked = valid.filter(pl.col("judge") != story.outlier)
    for at, rows_of in enumerate((valid, looked)):
        means = dict(rows_of.group_by("system").agg(pl.col("value").mean()).iter_rows())
        shown = {system: scores[at] for system, scores in story.scores.items()}
        assert shown == pytest.approx(means, abs=0.01)
