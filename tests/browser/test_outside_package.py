"""The package of docs/extending.md, built and installed: all that it brings is used.

What uses it runs in processes of its own, which see it as any installed package.
"""

import csv
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import ROOT
from tests.cli.server import fetched, served
from tests.docs_runner import blocks
from tests.plugin_packages import build_and_install

PAGE = ROOT / "docs" / "extending.md"
CAMPAIGN = "stars"
# Stars by the two judges: so far apart that an adjudicator is asked.
FIRST, SECOND = 5, 1
# a command after the other in one process that sees the package
COMMANDS = """
import shlex
import sys
from jurat.cli import main
for line in sys.argv[1:]:
    try:
        main(shlex.split(line))
    except SystemExit as ended:
        if ended.code:
            raise
"""


@dataclass(frozen=True)
class Installed:
    """A folder with the files of the page, and the campaign that they declare."""

    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        store = {"JURAT_STORE": str(self.folder / "store.db")}
        return {**os.environ, **store, "PYTHONPATH": str(self.folder / "site"), "COLUMNS": "200"}

    def jurat(self, *lines: str) -> str:
        """What commands print; they must succeed."""
        command = (sys.executable, "-c", COMMANDS, *lines)
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def slips(self, name: str) -> list[dict[str, str]]:
        """The accounts in a file of slips."""
        with (self.folder / name).open(encoding="utf-8") as file:
            return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The package, and a campaign with two judges and an adjudicator, open for judging."""
    folder = tmp_path_factory.mktemp("outside")
    for block in blocks(PAGE.read_text(encoding="utf-8")):
        if block.file:
            path = folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
    build_and_install(folder / "our-kinds", folder / "site")
    made = Installed(folder)
    made.jurat(
        "campaign create campaign.yaml",
        f"judges add {CAMPAIGN} --count 2 --out judges.csv",
        f"judges add {CAMPAIGN} --role adjudicator --out adjudicator.csv",
        f"campaign start {CAMPAIGN}",
    )
    return made


@dataclass(frozen=True)
class Served:
    """Where the campaign is, and where the first coordinator begins."""

    campaign: str
    invitation: str


@pytest.fixture(scope="module")
def site(installed: Installed) -> Iterator[Served]:
    """The campaign, served by a process that sees the package."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in installed.environment.items():
            patch.setenv(name, value)
        with served("serve", "--port", "0", cwd=installed.folder) as lines:
            words = "".join(lines).split()
            invitation, root = (word for word in words if word.startswith("http://"))
            fetched(f"{root}healthy")  # the address is printed before the server listens there
            yield Served(f"{root}c/{CAMPAIGN}/", invitation)


def visit(page: Page, address: str, slip: dict[str, str], to: str) -> None:
    page.request.get(f"{address}link/{slip['token']}", max_redirects=0)
    page.goto(f"{address}{to}")


def test_the_browser(installed: Installed, site: Served, browser: Browser) -> None:
    failures: list[str] = []
    address = site.campaign
    first, second = installed.slips("judges.csv")
    with browser.new_context() as context:
        page = context.new_page()
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.on("console", lambda said: failures.extend([said.text] * (said.type == "error")))
        look_around(page, address)
        visit(page, address, first, "judge")
        judge_with_script(page)
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        visit(page, address, second, "judge")
        judge_without_script(page)
    with browser.new_context() as context:
        page = context.new_page()
        page.on("pageerror", lambda error: failures.append(str(error)))
        (adjudicator,) = installed.slips("adjudicator.csv")
        visit(page, address, adjudicator, "cases/rating/next")
        settle(page)
    assert failures == []
    check_export(installed)


def look_around(page: Page, address: str) -> None:
    """The guidelines with their example, and the tutorial of a guest."""
    page.goto(f"{address}guidelines/rating")
    expect(page.locator(".example")).to_contain_text("4 Only the tense differs.")
    page.goto(address)
    page.locator("form[action$='guest'] button").click()
    page.goto(f"{address}guest/rating/1")
    stars(page, 2)
    page.locator(".next").click()
    expect(page.locator(".step")).to_have_attribute("data-position", "2")


def stars(page: Page, number: int) -> None:
    button = page.get_by_role("button", name=str(number), exact=True)
    button.click()
    expect(button).to_have_text("★")


def judge_with_script(page: Page) -> None:
    expect(page.locator("[data-question=keep]")).to_have_attribute("data-waiting", "")
    stars(page, FIRST)
    expect(page.locator("[data-question=keep]")).not_to_have_attribute("data-waiting", "")
    page.reload()  # what was begun is still there
    expect(page.get_by_role("button", name=str(FIRST), exact=True)).to_have_text("★")
    page.keyboard.press("1")  # the next question is at hand
    page.locator(".next").click()
    expect(page.locator(".step")).to_have_attribute("data-position", "2")
    page.locator(".next").click()
    expect(page.locator("[data-question=stars] .problem")).to_be_visible()
    stars(page, 2)
    page.locator(".next").click()
    expect(page.locator(".rest")).to_be_visible()


def judge_without_script(page: Page) -> None:
    page.locator(".next").click()
    expect(page.locator("[data-question=stars] .problem")).to_be_visible()
    for number in (SECOND, 2):
        page.locator("input[name='q.stars']").fill(str(number))
        page.locator(".next").click()
    expect(page.locator(".rest")).to_be_visible()


def settle(page: Page) -> None:
    """The adjudicator judges once more, and sees what the judges said."""
    stars(page, 4)
    page.locator("[data-question=keep] .target").first.click()
    page.locator(".next").click()
    expect(page.locator("tbody tr").first).to_contain_text("4")
    expect(page.locator("tbody tr").first).to_contain_text(str(FIRST))


def check_export(installed: Installed) -> None:
    installed.jurat(f"export {CAMPAIGN} --out out.csv")
    with (installed.folder / "out.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    told = {(row["segment"], row["question"], row["value"], row["label"]) for row in rows}
    assert told >= {
        ("1", "stars", "5.0", "5"),
        ("1", "keep", "1.0", "up"),
        ("1", "stars", "1.0", "1"),
        ("1", "stars", "4.0", "4"),
        ("2", "stars", "2.0", "2"),
    }


def test_a_kind_s_files_are_served_and_no_others(site: Served, browser: Browser) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(site.campaign)
        style = page.locator("link[rel=stylesheet]").first
        folder = style.evaluate("one => new URL('questions/our_kinds.stars/', one.href).href")
        statuses = {
            name: page.request.get(f"{folder}{name}").status
            for name in ("input.js", "input.css", "input.html", "__init__.py")
        }
    assert statuses == {"input.js": 200, "input.css": 200, "input.html": 404, "__init__.py": 404}


def test_the_preview(installed: Installed, site: Served, browser: Browser) -> None:
    """A coordinator sees a step of a campaign that is not made yet."""
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(site.invitation)
        page.locator("input[name=name]").fill("Ada")
        for field in page.locator("input[type=password]").all():
            field.fill("long enough for this")
        page.locator("main form button").click()
        page.goto(f"{site.invitation.split('/begin/')[0]}/new")
        page.locator("input[type=file]").set_input_files(
            [installed.folder / "campaign.yaml", installed.folder / "news.bars"]
        )
        page.locator("form:has(input[type=file]) button.main").click()
        page.goto(page.url.rpartition("/")[0] + "/tasks")
        preview = page.locator(".preview")
        expect(preview.locator("[data-kind=stars] input")).to_have_count(1)
        expect(preview.locator("[data-kind=thumbs] input")).to_have_count(2)
