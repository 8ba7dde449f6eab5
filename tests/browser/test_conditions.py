"""Conditions on the page: its script says of every case in the table what Python says."""

import json
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Page, expect

from jurat.condition_language import parse
from jurat.web.context import edition
from tests.browser.site import Site

TABLE = json.loads(Path(__file__).parent.with_name("conditions.json").read_text(encoding="utf-8"))
CASES = [
    {
        "text": text,
        "condition": msgspec.to_builtins(parse(text)),
        "answers": given,
        "truth": truth,
    }
    for text, pairs in TABLE["cases"].items()
    for given, truth in pairs
]
RUN = """async ([address, cases]) => {
  const { holds } = await import(address);
  return cases.filter(({ condition, answers, truth }) => holds(condition, answers) !== truth);
}"""


def test_the_script_passes_the_table(site: Site, shared_page: Page) -> None:
    shared_page.goto(f"{site.url}/healthy")
    assert shared_page.evaluate(RUN, [f"/static/{edition()}/conditions.js", CASES]) == []


FOLLOWING = b"""
name: following
title: Following
about: A question that follows a bare name, and one that follows an answer of an earlier stage.
citation: Nobody (2026).
guidelines: Answer.
stages:
  - show: [source, translation]
    questions:
      - {id: good, kind: choice, ask: Is it good?}
      - {id: why, kind: text, ask: Why?, when: good}
  - show: [source, reference, translation]
    questions:
      - {id: same, kind: choice, ask: Does it say the same?, when: good == 'yes'}
      - {id: sure, kind: choice, ask: Are you sure?, when: same and good}
      - {id: done, kind: choice, ask: Are you done?}
"""


@pytest.mark.parametrize("good", ["yes", "no"])
def test_the_page_asks_what_the_server_asks(site: Site, desk: Page, good: str) -> None:
    campaign = site.campaign("following.yaml", files={"following.yaml": FOLLOWING})
    page = campaign.enter(desk)

    def pick(name: str, value: str) -> None:
        page.locator(f"input[name='q.{name}'][value='{value}']").check(force=True)

    def asked(name: str, *, now: bool) -> None:
        waiting = page.locator(f"[data-question={name}][data-waiting]")
        expect(waiting).to_have_count(0 if now else 1)

    pick("good", good)
    asked("why", now=good == "yes")
    if good == "yes":
        page.locator(".question textarea").fill("Because.")
    page.locator(".next").click()
    expect(page.locator("[data-question=done]")).to_be_visible()
    asked("same", now=good == "yes")
    asked("sure", now=False)
    if good == "yes":
        pick("same", "yes")
        asked("sure", now=True)
        pick("sure", "no")
    pick("done", "yes")
    page.locator(".next").click()
    more = {"same": "yes", "sure": "no"} if good == "yes" else {}
    assert campaign.stored(2)[1] == {**more, "done": "yes"}
