"""The key beside an answer, typed, stores it; and no page shows a number that is hidden."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from httpx2 import Response

from jurat import protocols
from jurat.campaigns import Screen, Submission
from jurat.i18n import languages
from jurat.protocols.localization import in_language
from jurat.protocols.questions import NA
from tests.campaigns.sample_campaigns import plan, task
from tests.web.http_judges import HIDDEN
from tests.web.website import Visitor, Website, form_key, website


class Targets(HTMLParser):
    """The answers on a page: attributes of each input, and the texts of its label and key."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[dict[str, str]] = []
        self._part = ""
        self._inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "label" and "target" in given.get("class", ""):
            self._inside = True
            self.found.append({"label": "", "key": "", "number": ""})
        elif not self._inside:
            return
        elif tag == "input" and "data-value" in given:
            self.found[-1] |= given
        elif tag == "kbd":
            self._part = "key"
            if given.get("class") == "number":
                self.found[-1]["number"] = "shown"
        elif tag == "span":
            self._part = given.get("class", "")

    def handle_data(self, data: str) -> None:
        if self._part in ("label", "key"):
            self.found[-1][self._part] += data.strip()

    def handle_endtag(self, tag: str) -> None:
        if tag in ("span", "kbd", "label"):
            self._part = ""
        self._inside = self._inside and tag != "label"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Website]:
    with website(tmp_path_factory.mktemp("keys")) as found:
        yield found


RADIO = [
    name
    for name in protocols.names()
    if any(question.has_radio_buttons for question in protocols.load(name).stages[0].questions)
]


def judge_page(site: Website, name: str) -> tuple[Visitor, Response]:
    """A judge of a campaign with this protocol, at the first step."""
    campaign = f"keys-{name}"
    site.setting.create({**plan(task(name), registration=True), "name": campaign})
    site.setting.start(campaign)
    (slip,) = site.slips(1, campaign)
    visitor = site.visitor(campaign).follow(slip)
    return visitor, visitor.get("judge")


@pytest.mark.parametrize("name", RADIO)
def test_the_key_beside_an_answer_stores_it(site: Website, name: str):
    visitor, page = judge_page(site, name)
    asked = {f"q.{q.id}": q for q in protocols.load(name).stages[0].questions}
    targets = [one for one in Targets(page.text).found if one.get("name") in asked]
    # in a grid the keys stand above the columns, once for all rows
    head = page.text.partition("grid-head")[2].partition("</div>")[0]
    columns = re.findall(r"<kbd>(\d)</kbd>", head)
    stored: dict[str, object] = {}
    sent = {field: "some words" for field, question in asked.items() if question.name == "text"}
    for n, target in enumerate(targets):
        field, value = target["name"], json.loads(target["data-value"])
        shown = target["key"] or columns[n % len(columns)]
        assert shown.replace("\N{MINUS SIGN}", "-") == target["data-digit"]
        assert bool(target["number"]) == (asked[field].shows_numbers and value != NA)
        if target["number"]:
            assert target["data-digit"] == str(value)
        # the last answer of each question stays
        sent[field], stored[asked[field].id] = target["value"], value
    form = {**dict(HIDDEN.findall(page.text)), **sent}
    assert visitor.client.post(f"{visitor.base}judge", data=form).status_code == 200
    (decision,) = site.setting.store.decisions(f"keys-{name}")
    given = {name: answer for name, answer in decision.answers.items() if name in stored}
    assert given
    assert given == {name: stored[name] for name in given}


@pytest.mark.parametrize("language", languages())
def test_adjudicators_see_no_number_that_judges_do_not_see(site: Website, language: str):
    """Two judges of TAP-ET said 7 and 6, the adjudicator 4: none of these is on the page."""
    campaign = f"court-{language}"
    one = task("tapet-adequacy", wanted=2, kits={"documents": 2}, one_system_per_segment=False)
    site.setting.create({**plan(one, language=language), "name": campaign})
    judges = [account.id for account in site.setting.judges(2, campaign)]
    site.setting.start(campaign)
    for judge, value in zip(judges, (7, 6), strict=True):
        screen = site.service.judging.next(campaign, judge)
        assert isinstance(screen, Screen)
        answers = {"adequacy": value, "same-meaning": "yes"}
        sent = Submission(assignment=screen.assignment, position=screen.position, answers=answers)
        site.service.judging.submit(campaign, judge, sent)
    (slip,) = site.slips(1, campaign, role="adjudicator")
    visitor = site.visitor(campaign).follow(slip)
    case = visitor.get("cases/rating/next?more-than=0")
    path = case.url.path.removeprefix(visitor.base)
    decided = {"position": "1", "q.adequacy": "4"}
    compared = visitor.post(path, decided, key=form_key(case)).text
    cells = [re.sub("<[^>]*>", "", cell) for cell in re.findall(r"<td>(.*?)</td>", compared)]
    adequacy = in_language(protocols.load("tapet-adequacy"), language).questions["adequacy"]
    labels = {choice.value: choice.label for choice in adequacy.choices()}
    second = languages()[language].say("point-of", number=2, count=7)
    assert cells[:3] == [labels[4], second, labels[7]]
