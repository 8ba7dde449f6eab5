"""Reports in the pictures: of an evaluation that is made up, and of one with its texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random

import polars as pl
from playwright.sync_api import Page, expect

from jurat.report.compute import compute
from jurat.report.page import to_html
from jurat.report.settings import ReportSettings
from jurat.stats import Evaluation
from jurat.tables import Intake, Judgments
from jurat.testsets import read_test_set
from jurat.testsets.base import SetFile
from tests.browser.screenshots.pages import SYSTEMS, Show
from tests.browser.screenshots.texts import sample
from tests.browser.site import Site

JUDGES = ("anna", "ben", "chandra", "dilip", "esther", "farid", "gita", "hana")
DOCUMENTS, SEGMENTS = 20, 3
SETTINGS = ReportSettings(title="Four systems into English", bootstrap=200, made="2026-11-18")
# What judges marked in translations of the sample: document, segment, system, words, severity.
MARKED = (
    ("market", "3", "willow", "anna", "for more than ten years", "major"),
    ("market", "3", "willow", "anna", "transfer", "minor"),
    ("market", "3", "willow", "ben", "will pay for the transfer for more than ten years", "major"),
    ("market", "3", "willow", "chandra", "rent a stall", "minor"),
    ("market", "3", "bramble", "anna", "rent a position", "minor"),
    ("market", "3", "bramble", "anna", "since makes more of ten years", "major"),
    ("market", "3", "bramble", "ben", "since makes more of ten years", "major"),
    ("market", "3", "bramble", "chandra", "makes", "major"),
)
WEIGHTS = {"major": 5.0, "minor": 1.0}


def judged(places: list[tuple[str, str]]) -> pl.DataFrame:
    """Each translation by two judges, who differ in how strict they are."""
    random = Random(2010)
    strict = {judge: random.gauss(0, 0.3) for judge in JUDGES}
    rows = []
    for document, segment in places:
        hard = random.gauss(0, 0.6)
        for place, system in enumerate(SYSTEMS):
            for judge in random.sample(JUDGES, 2):
                score = 5.7 - 0.6 * place + hard + strict[judge] + random.gauss(0, 0.7)
                value = min(max(round(score), 1), 7)
                rows.append((judge, document, segment, system, str(value)))
    names = ["judge", "document", "segment", "system", "adequacy"]
    return pl.DataFrame(rows, schema=names, orient="row")


@cache
def html() -> str:
    """A report without texts."""
    places = [(f"d{d}", str(s)) for d in range(DOCUMENTS) for s in range(SEGMENTS)]
    read = Judgments(judged(places), Intake(columns="value=adequacy"))
    return to_html(compute(Evaluation(judgments=read), SETTINGS)).decode()


@cache
def with_texts() -> str:
    """A report on the sample's texts, with errors that were marked in some of them."""
    test_set = read_test_set([SetFile("testset.jsonl", sample())])
    places = [(d.id, s.id) for d in test_set.documents for s in d.segments]
    texts = {
        (d.id, s.id, name): translation.text
        for d in test_set.documents
        for s in d.segments
        for name, translation in s.translations.items()
    }
    read = Judgments(judged(places), Intake(columns="value=adequacy"))
    spans = pl.DataFrame(list(_spans(texts)))
    evaluation = Evaluation(judgments=read, spans=spans)
    settings = ReportSettings(title=SETTINGS.title, bootstrap=200, test_set=test_set)
    return to_html(compute(evaluation, settings)).decode()


def _spans(texts: dict[tuple[str, str, str], str]) -> Iterator[dict[str, object]]:
    for document, segment, system, judge, words, severity in MARKED:
        start = texts[document, segment, system].index(words)
        yield {
            "question": "adequacy",
            "item": f"{document}|{segment}|{system}",
            "judge": judge,
            "system": system,
            "document": document,
            "segment": segment,
            "start": start,
            "end": start + len(words),
            "severity": severity,
            "weight": WEIGHTS[severity],
        }


def report_from(place: str, made: Callable[[], str] = html) -> Show:
    """The report from some place in it on."""

    def show(page: Page, _: Site) -> None:
        page.set_content(made())
        page.locator(place).first.evaluate("one => one.scrollIntoView()")

    return show


def without_a_judge(page: Page, _: Site) -> None:
    """The agreement of the judges who are left when a reader leaves one out."""
    page.set_content(html())
    page.locator("#filter summary").click()
    page.get_by_label("J1", exact=True).uncheck()
    expect(page.locator("#filter [role=status]")).to_contain_text("answers are kept")
    asked = page.get_by_role("heading", name="How reliable are the judgments")
    asked.evaluate("one => one.scrollIntoView()")


REPORT: dict[str, Show] = {
    "report": report_from("main"),
    "report-systems": report_from("#systems"),
    "report-filter": without_a_judge,
    "report-sentences": report_from("#sheet", with_texts),
    "report-spans": report_from("#marked", with_texts),
}
