"""Errors marked beforehand, in the source and without a place: by mouse, by keys, and stored."""

import json
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.mouse_and_keyboard import box_of, span, word_at
from tests.browser.site import Site, make_set
from tests.browser.test_spans import SENTENCE, Marker

SOURCE = "El puente viejo se cerró el martes."
SUGGESTED = (
    {"start": 4, "end": 14, "severity": "major"},
    {"start": 26, "end": 28, "severity": "minor"},
    {"start": 29, "end": 36, "severity": "minor"},
)
WIDE = """
name: all-kinds
title: Errors of all kinds
about: Errors are marked in both texts, with comments and a special mark, some of them beforehand.
citation: Nobody (2026).
guidelines: "# Mark"
stages:
  - show: [source, translation]
    questions:
      - id: errors
        kind: spans
        ask: Mark the errors.
        severities:
          - {value: minor, label: Minor, weight: 1}
          - {value: major, label: Major, weight: 5}
        source: true
        marks: [{value: instructions-fault, label: Instructions not followed, key: i}]
        overlap: false
        comments: true
        suggestions: confirm
"""


def judge_of(page: Page, site: Site, protocol: str, **more: Any) -> Marker:
    """A judge before a translation with three suggestions."""
    made = {"text": SENTENCE, "tags": {"suggestions": json.dumps(SUGGESTED)}}
    one = {"source": SOURCE, "translations": {"cedar": made}}
    return Marker(page, site.campaign(protocol, test_set=make_set([one]), judges=1, **more))


def test_suggestions_are_kept_changed_removed_and_brought_back(site: Site, desk: Page) -> None:
    judge = judge_of(desk, site, "esa-ai")
    expect(judge.entries).to_have_count(3)
    expect(judge.entries.filter(has_text="suggested")).to_have_count(3)
    expect(desk.locator(".error[data-suggested]")).to_have_text(["old bridge", "on", "Tuesday"])
    # by mouse: another severity, removed, and brought back
    judge.entries.nth(0).click()
    desk.locator(".mark-as[data-severity=minor]").click()
    expect(judge.entries.nth(0)).to_contain_text("suggested, changed by you")
    desk.locator(".remove").nth(1).click()
    expect(desk.locator(".removed")).to_contain_text("on")
    desk.locator(".restore").click()
    expect(judge.entries).to_have_count(3)
    # by keys: removed, undone, removed again
    judge.entries.nth(1).focus()
    judge.press("Delete", "Control+z")
    expect(judge.entries).to_have_count(3)
    judge.entries.nth(1).focus()
    judge.press("Delete")
    # to other words
    judge.entries.nth(1).click()
    judge.tap(9)
    expect(desk.locator(".move-here")).to_contain_text("Move error 2 here")
    judge.press("b")
    expect(judge.entries.nth(1)).to_contain_text("mayor")
    judge.mark(0, "major")
    with desk.expect_response("**/api/draft"):
        desk.locator("input[type=number]").fill("40")
        desk.locator("input[type=number]").blur()
    desk.reload()
    expect(judge.entries).to_have_count(3)
    expect(desk.locator(".removed")).to_contain_text("on")
    assert judge.finish() == [
        span(0, 3, "major", None),
        {**span(4, 14, "minor", None), "suggestion": 1},
        {**span(44, 49, "minor", None), "suggestion": 3},
    ]


def test_marks_in_the_source_and_without_a_place(site: Site, desk: Page) -> None:
    judge = judge_of(desk, site, "own.yaml", files={"own.yaml": WIDE.encode()})
    # a suggestion that is not confirmed holds the judge up, at its button
    desk.locator(".next").click()
    expect(desk.locator(".question .problem")).to_contain_text("each suggested error")
    expect(desk.locator(".confirm").first).to_be_focused()
    desk.keyboard.press("Enter")
    judge.entries.nth(1).click()
    judge.press("k")
    judge.entries.nth(2).focus()
    judge.press("Delete")
    # the source by keys and by mouse
    judge.press("o")
    source = desk.locator(".source p")
    expect(source).to_be_focused()
    judge.press("ArrowRight", "1")
    box = box_of(source, *word_at(SOURCE, 2))
    desk.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(judge.said).to_have_text("Selected: “viejo”")
    desk.locator(".mark-as[data-severity=major]").click()
    expect(judge.entries.nth(3)).to_contain_text("in the source")
    # what shares words with another error is refused
    judge.tap(2)
    judge.press("1")
    expect(judge.said).to_contain_text("overlaps")
    judge.press("i", "2")
    expect(judge.entries.nth(4)).to_contain_text("Instructions not followed")
    desk.locator(".error-comment").fill("No greeting was asked for, 1 m.")
    assert judge.finish() == [
        {**span(4, 14, "major", None), "suggestion": 1},
        {**span(26, 28, "minor", None), "suggestion": 2},
        {**span(0, 2, "minor", None), "side": "source"},
        {**span(10, 15, "major", None), "side": "source"},
        {
            **span(0, 0, "major", None),
            "mark": "instructions-fault",
            "comment": "No greeting was asked for, 1 m.",
        },
    ]
