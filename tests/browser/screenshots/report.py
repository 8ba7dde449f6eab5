"""A report in the pictures: page one, and its systems, of an evaluation that is made up."""

from __future__ import annotations

from functools import cache
from random import Random

import polars as pl
from playwright.sync_api import Page

from jurat.report.compute import compute
from jurat.report.page import to_html
from jurat.report.settings import ReportSettings
from jurat.stats import Evaluation
from jurat.tables import Intake, Judgments
from tests.browser.screenshots.pages import SYSTEMS, Show
from tests.browser.site import Site

JUDGES = ("anna", "ben", "chandra", "dilip", "esther", "farid", "gita", "hana")
DOCUMENTS, SEGMENTS = 20, 3


def judged() -> pl.DataFrame:
    """Each translation by two judges, who differ in how strict they are."""
    random = Random(2010)
    strict = {judge: random.gauss(0, 0.3) for judge in JUDGES}
    rows = []
    for document in range(DOCUMENTS):
        for segment in range(SEGMENTS):
            hard = random.gauss(0, 0.6)
            for place, system in enumerate(SYSTEMS):
                for judge in random.sample(JUDGES, 2):
                    score = 5.7 - 0.6 * place + hard + strict[judge] + random.gauss(0, 0.7)
                    value = min(max(round(score), 1), 7)
                    rows.append((judge, f"d{document}", str(segment), system, str(value)))
    names = ["judge", "document", "segment", "system", "adequacy"]
    return pl.DataFrame(rows, schema=names, orient="row")


@cache
def html() -> str:
    read = Judgments(judged(), Intake(columns="value=adequacy"))
    settings = ReportSettings(title="Four systems into English", bootstrap=200, made="2026-11-18")
    return to_html(compute(Evaluation(judgments=read), settings)).decode()


def report_from(place: str) -> Show:
    """The report from some place in it on."""

    def show(page: Page, _: Site) -> None:
        page.set_content(html())
        page.locator(place).first.evaluate("one => one.scrollIntoView()")

    return show


REPORT: dict[str, Show] = {"report": report_from("main"), "report-systems": report_from("#systems")}
