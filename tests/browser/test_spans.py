"""Error spans: marked by mouse, finger and keys, in every script, and kept in code points."""

from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.mouse_and_keyboard import box_of, span, sweep, word_at
from tests.browser.site import Running, Site, make_set

SENTENCE = "The old bridge was closed on Tuesday by the mayor."


class Marker:
    """A judge before one translation."""

    def __init__(self, page: Page, made: Running) -> None:
        self.page, self.made = page, made
        made.enter(page)

    @property
    def text(self) -> Locator:
        return self.page.locator(".translation .text")

    @property
    def said(self) -> Locator:
        return self.page.locator(".palette .said")

    @property
    def entries(self) -> Locator:
        return self.page.locator(".error-entry")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def tap(self, number: int, modifiers: str = "") -> None:
        """Click on a word by its number, from 0."""
        box = box_of(self.text, *word_at(self.text.inner_text(), number))
        if modifiers:
            self.page.keyboard.down(modifiers)
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        if modifiers:
            self.page.keyboard.up(modifiers)

    def mark(self, number: int, severity: str) -> None:
        self.tap(number)
        self.page.locator(f".mark-as[data-severity={severity}]").click()

    def finish(self) -> Any:
        """Go on; the errors that were stored."""
        if self.page.locator(".slider").count():
            self.page.locator("input[type=number]").fill("50")
        self.page.locator(".next").click()
        (answers,) = self.made.stored(1)
        return answers["errors"]


def marker(page: Page, site: Site, text: str = SENTENCE, name: str = "esa", **more: Any) -> Marker:
    one = {"source": "Una frase.", "references": {"A": text}, "translations": {"cedar": text}}
    made = site.campaign(name, test_set=make_set([one], **more), judges=1)
    return Marker(page, made)


# In every script, exactly

FAMILY = "👩\u200d👩\u200d👧"
SCRIPTS = {
    "emoji": (
        f"See 😀 the {FAMILY} family 𝒳 here.",
        ["See", "😀", "the", FAMILY, "family", "𝒳", "here"],
    ),
    "combining": (
        "Le cafe\u0301 est ferme\u0301 ici.",
        ["Le", "cafe\u0301", "est", "ferme\u0301"],
    ),
    "arabic": ("أغلق الجسر القديم يوم الثلاثاء.", ["أغلق", "الجسر", "القديم", "يوم"]),
    "chinese": ("旧桥已于星期二关闭。", ["旧", "桥", "已", "于", "星期二", "关闭"]),
    "hindi": ("पुराना पुल मंगलवार को बंद हुआ।", ["पुराना", "पुल", "मंगलवार", "को"]),
    "mixed": ("قال Google Maps إن 25% أغلق.", ["قال", "Google", "Maps"]),
}


def place_of(text: str, word: str) -> tuple[int, int]:
    return text.index(word), text.index(word) + len(word)


def every_script(desk: Page, site: Site) -> Iterator[tuple[Marker, str, list[str]]]:
    """A kit with a translation in each script; what is marked in each."""
    texts = dict(SCRIPTS.values())
    sentences = [
        {"source": "Una frase.", "references": {"A": text}, "translations": {"cedar": text}}
        for text in texts
    ]
    test_set = make_set(sentences, target_language="")
    judge = Marker(desk, site.campaign("esa", test_set=test_set, judges=1))
    for text, words in texts.items():
        assert judge.text.evaluate("one => one.textContent") == text
        yield judge, text, words
        assert judge.text.evaluate("one => one.textContent") == text
        desk.locator("input[type=number]").fill("50")
        desk.locator(".next").click()
        expect(judge.text.filter(has_text=text)).to_have_count(0)


def test_words_by_mouse(site: Site, desk: Page) -> None:
    marked: list[object] = []
    for judge, text, words in every_script(desk, site):
        first, last = place_of(text, words[1]), place_of(text, words[-1])
        sweep(desk, judge.text, *first)
        expect(judge.said).to_have_text(f"Selected: “{words[1]}”")
        desk.locator(".mark-as").nth(1).click()
        sweep(desk, judge.text, *last)
        desk.locator(".mark-as").nth(0).click()
        marked.append([span(*first, "major", None), span(*last, "minor", None)])
        made = judge.made
    assert [answers["errors"] for answers in made.stored(len(SCRIPTS))] == marked


def test_a_selection_can_begin_in_the_one_before(site: Site, desk: Page) -> None:
    """A browser would take what is selected, and carry it about."""
    one = marker(desk, site)
    for first, last in ((1, 2), (2, 4), (4, 4)):
        start, end = word_at(SENTENCE, first)[0], word_at(SENTENCE, last)[1]
        sweep(desk, one.text, start, end)
        expect(one.said).to_have_text(f"Selected: “{SENTENCE[start:end]}”")


def test_a_selection_can_begin_between_two_pixels(site: Site, desk: Page) -> None:
    """A browser takes the place of the press from the pixel, and loses where it began."""
    one = marker(desk, site)
    end = box_of(one.text, *word_at(SENTENCE, 5))
    for number in range(5):
        begins = box_of(one.text, *word_at(SENTENCE, number))
        for half in range(1, 20, 3):
            desk.mouse.move(begins["x"] + half / 2, begins["y"] + begins["height"] / 2)
            desk.mouse.down()
            desk.mouse.move(end["x"] + end["width"], end["y"] + end["height"] / 2, steps=2)
            desk.mouse.up()
            words = " ".join(SENTENCE.split(" ")[number:6])
            expect(one.said).to_have_text(f"Selected: “{words}”")


def test_words_by_keys(site: Site, desk: Page) -> None:
    marked: list[object] = []
    for judge, text, words in every_script(desk, site):
        backwards = judge.text.evaluate("one => getComputedStyle(one).direction") == "rtl"
        forwards = "ArrowLeft" if backwards else "ArrowRight"
        judge.text.focus()
        for word in words:
            judge.press(forwards)
            expect(judge.said).to_have_text(f"Selected: “{word}”")
        judge.press("1", "Home", f"Shift+{forwards}", "2")
        two, last = (0, place_of(text, words[1])[1]), place_of(text, words[-1])
        marked.append([span(*two, "major", None), span(*last, "minor", None)])
        made = judge.made
    assert [answers["errors"] for answers in made.stored(len(SCRIPTS))] == marked


def test_single_characters(site: Site, desk: Page) -> None:
    """What a reader sees as one sign is never cut: a family, an e with its accent."""
    text = "Le cafe\u0301 👩‍👩‍👧 ici."
    judge = marker(desk, site, text, target_language="fr")
    judge.text.focus()
    judge.press("ArrowRight", "ArrowRight")  # café
    judge.press("Alt+ArrowRight", "1")  # the family, as a sign
    desk.keyboard.press("c")
    judge.press("Home", *["ArrowRight"] * 5, "2")  # L, e, c, a, f, é
    family = text.index("👩")
    assert judge.finish() == [
        span(6, 8, "major", None),
        span(family, family + 5, "minor", None),
    ]


def test_single_characters_by_mouse(site: Site, desk: Page) -> None:
    judge = marker(desk, site)
    desk.locator(".sign-switch").click()
    sweep(desk, judge.text, 8, 13)  # from within the b to within the g
    expect(judge.said).to_have_text("Selected: “ridg”")
    desk.locator(".mark-as").first.click()
    judge.tap(0)  # a click is a sign now
    expect(judge.said).to_have_text("Selected: “h”")
    assert judge.finish() == [span(9, 13, "minor", None)]


# Marking, editing, removing


def test_errors_that_overlap_and_touch_are_all_there(site: Site, desk: Page) -> None:
    judge = marker(desk, site)
    sweep(desk, judge.text, 4, 14)  # old bridge
    judge.press("1")
    sweep(desk, judge.text, 8, 18)  # bridge was
    judge.press("2")
    sweep(desk, judge.text, 19, 25)  # closed, right beside it
    judge.press("1")
    expect(judge.entries).to_have_count(3)
    both = desk.locator(".error[data-depth='2']")
    expect(both).to_have_text("bridge")
    expect(both).to_have_attribute("data-rank", "2")  # the worse one gives it its line
    assert judge.text.evaluate("one => one.textContent") == SENTENCE
    assert judge.finish() == [
        span(4, 14, "minor", None),
        span(8, 18, "major", None),
        span(19, 25, "minor", None),
    ]


def test_the_list_changes_and_removes(site: Site, desk: Page) -> None:
    judge = marker(desk, site)
    judge.mark(1, "minor")
    judge.mark(2, "minor")
    judge.mark(4, "minor")
    judge.entries.nth(1).click()
    expect(judge.entries.nth(1)).to_have_attribute("aria-current", "true")
    expect(desk.locator(".error.current")).to_have_text("bridge")
    judge.press("2")
    expect(judge.entries.nth(1)).to_contain_text("Major")
    desk.get_by_role("button", name="Remove “old”").click()
    expect(judge.entries).to_have_count(2)
    judge.entries.nth(1).focus()
    judge.press("Delete")
    expect(judge.said).to_have_text("Removed: “closed”")
    assert judge.finish() == [span(8, 14, "major", None)]


def test_a_mark_is_removed_where_the_keys_are(site: Site, desk: Page) -> None:
    judge = marker(desk, site)
    judge.text.focus()
    judge.press("ArrowRight", "1", "ArrowRight", "2", "ArrowLeft", "Delete")
    assert judge.finish() == [span(4, 7, "major", None)]


def test_the_same_words_again_change_the_mark(site: Site, desk: Page) -> None:
    judge = marker(desk, site)
    judge.mark(2, "minor")
    judge.mark(2, "major")
    assert judge.finish() == [span(8, 14, "major", None)]


def test_what_is_missing_has_a_place_or_none(site: Site, desk: Page) -> None:
    judge = marker(desk, site)
    judge.press("m", "2")  # nothing is selected: somewhere
    expect(judge.entries.first).to_contain_text("Missing")
    judge.text.focus()
    judge.press("ArrowRight", "ArrowRight", "m", "1")
    expect(judge.entries.nth(1)).to_contain_text("Missing before “old”")
    judge.press("End", "2")  # after the last word there is nothing but a place
    expect(judge.entries.nth(2)).to_contain_text("Missing at the end")
    end = len(SENTENCE)
    assert judge.finish() == [
        span(0, 0, "major", None, missing=True),
        span(4, 4, "minor", None, missing=True),
        span(end, end, "major", None, missing=True),
    ]


def test_words_are_selected_first(site: Site, desk: Page) -> None:
    judge = marker(desk, site)
    desk.locator(".mark-as").first.click()
    expect(judge.said).to_have_text("Select some words first.")
    judge.press("m")
    expect(judge.said).to_have_text("Choose the severity of this error")
    judge.press("m")
    expect(judge.said).to_have_text("")
    assert judge.finish() == []


def test_a_finger_selects_with_the_browsers_own_handles(site: Site, browser: Browser) -> None:
    with browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True) as context:
        judge = marker(context.new_page(), site)
        judge.text.tap()
        # what the tap itself selects comes after it, and would take the place of what follows
        expect(judge.said).to_contain_text("Selected")
        judge.page.evaluate(
            """() => {
              const node = document.querySelector('.translation .text').firstChild;
              getSelection().setBaseAndExtent(node, 5, node, 10);
            }"""
        )
        expect(judge.said).to_have_text("Selected: “old bridge”")
        judge.page.locator(".mark-as").nth(1).tap()
        assert judge.finish() == [span(4, 14, "major", None)]


def test_marks_are_kept_as_a_draft(site: Site, desk: Page) -> None:
    judge = marker(desk, site)
    with desk.expect_response("**/api/draft"):
        judge.mark(2, "major")
    desk.reload()
    expect(judge.entries).to_have_count(1)
    expect(desk.locator(".error")).to_have_text("bridge")
    assert judge.finish() == [span(8, 14, "major", None)]


def test_shading_and_marks_lie_over_each_other(site: Site, desk: Page) -> None:
    protocol = """
name: spans-with-reference
title: Spans with a reference
about: Errors are marked while the reference is shown beside the translation, for a test of both.
citation: Nobody (2026).
guidelines: "# Mark"
stages:
  - show: [reference, translation]
    questions:
      - id: errors
        kind: spans
        ask: Mark the errors.
        severities: [{value: bad, label: Bad, weight: 1}]
"""
    one = {
        "references": {"A": "The bridge 😀 closed."},
        "translations": {"cedar": "A 😀 bridge shut."},
    }
    files = {"own.yaml": protocol.encode()}
    made = site.campaign("own.yaml", test_set=make_set([one]), files=files, judges=1)
    judge = Marker(desk, made)
    expect(desk.locator("mark")).to_have_text(["bridge"])
    sweep(desk, judge.text, 4, 15)
    judge.press("1")
    expect(desk.locator("mark.error")).to_have_text(["bridge"])
    assert judge.finish() == [span(4, 15, "bad", None)]


# Categories


def test_a_category_is_found_by_its_digits_and_by_its_name(site: Site, desk: Page) -> None:
    judge = marker(desk, site, name="mqm")
    judge.text.focus()
    judge.press("ArrowRight", "2", "2", "3")  # major; fluency, grammar
    expect(judge.text).to_be_focused()
    judge.press("ArrowRight", "1", *"awk", "Enter")
    judge.press("ArrowRight", "3", "6")  # a category that is a group of its own
    assert judge.finish() == [
        span(0, 3, "major", "fluency/grammar"),
        span(4, 7, "minor", "style/awkward"),
        span(8, 14, "neutral", "source-error"),
    ]


def test_an_error_without_a_category_is_not_done(site: Site, desk: Page) -> None:
    judge = marker(desk, site, name="mqm")
    judge.mark(2, "major")
    desk.locator(".next").click()
    expect(desk.locator(".problem")).to_have_text("Choose the category of this error")
    expect(desk.locator(".kind").first).to_be_focused()
    judge.press("ArrowRight", "ArrowRight", "Enter")
    assert judge.finish() == [span(8, 14, "major", "accuracy/mistranslation")]


def test_a_category_can_be_changed(site: Site, desk: Page) -> None:
    judge = marker(desk, site, name="mqm")
    judge.mark(2, "major")
    desk.locator("[data-category='other']").click()
    judge.tap(0)
    judge.entries.first.click()
    desk.locator("[data-category='fluency/register']").click()
    desk.locator(".mark-as[data-severity=minor]").click()
    assert judge.finish() == [span(8, 14, "minor", "fluency/register")]


def test_no_more_than_the_protocol_allows(site: Site, desk: Page) -> None:
    judge = marker(desk, site, name="mqm")
    for number in range(6):
        judge.mark(number, "minor")
        if number < 5:
            desk.locator("[data-category='other']").click()
    expect(judge.said).to_have_text("You can mark at most 5 errors.")
    expect(judge.entries).to_have_count(5)


def test_what_stands_alone_must_be_alone(site: Site, desk: Page) -> None:
    judge = marker(desk, site, name="mqm")
    judge.mark(1, "major")
    desk.locator("[data-category='other']").click()
    judge.text.focus()
    judge.press("ControlOrMeta+a", "2", "7")
    desk.locator(".next").click()
    expect(desk.locator(".problem")).to_contain_text("can't be combined")
    desk.get_by_role("button", name="Remove “old”").click()
    assert judge.finish() == [span(0, len(SENTENCE), "major", "non-translation")]


def test_where_nothing_else_is_asked_no_errors_must_be_said(site: Site, desk: Page) -> None:
    judge = marker(desk, site, name="mqm")
    judge.press("Enter")
    expect(desk.locator(".problem")).to_be_visible()
    judge.press("0")
    expect(desk.get_by_role("button", name="No errors")).to_have_attribute("aria-pressed", "true")
    judge.press("Enter")
    assert judge.made.stored(1) == [{"errors": []}]


def test_keys_mark_from_the_start_and_a_severity_is_no_score(site: Site, desk: Page) -> None:
    judge = marker(desk, site)
    judge.press("1")
    expect(judge.said).to_have_text("Select some words first.")
    expect(desk.locator("input[type=number]")).to_have_value("")
    judge.press("ArrowRight", "2")
    expect(judge.entries).to_have_count(1)
    # the panel has the keys of errors and of the slider, and none that choose an answer
    judge.press("?")
    shown = desk.locator("#help .keys > div:visible").evaluate_all(
        "all => all.map(e => e.className)"
    )
    assert {"of-severities", "of-gaps", "of-signs", "of-slider"} <= {*shown}
    assert not {"of-answers", "of-rows"} & {*shown}
    judge.press("Escape")
    assert [one["severity"] for one in judge.finish()] == ["major"]


def test_severities_come_to_what_is_selected_in_a_long_text(site: Site, desk: Page) -> None:
    desk.set_viewport_size({"width": 390, "height": 600})
    judge = marker(desk, site, " ".join([SENTENCE] * 25))
    major = desk.locator(".mark-as[data-severity=major]")
    expect(major).not_to_be_in_viewport()
    judge.text.evaluate("one => one.scrollIntoView()")
    judge.tap(3)
    expect(major).to_be_in_viewport(ratio=1)
    major.click()
    expect(judge.entries).to_have_count(1)
    expect(major).not_to_be_in_viewport()
