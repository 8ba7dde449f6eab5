"""The judging screens of every protocol: whole kits, and what was stored of them."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from jurat import protocols
from tests.browser.mouse_and_keyboard import Keyboard, Mouse, play
from tests.browser.site import SENTENCES, Running, Site, make_set

TWO = ("cedar", "willow")
PAIRED = [
    {**one, "translations": {name: one["translations"][name] for name in TWO}} for one in SENTENCES
]


def asks(name: str) -> tuple[tuple[str, ...], ...]:
    """The kinds of a protocol's questions, stage by stage."""
    stages = protocols.load(name).stages
    return tuple(tuple(question.name for question in stage.questions) for stage in stages)


def choices(name: str) -> int:
    """How many answers a protocol's questions offer together."""
    return sum(len([*question.legend()]) for question in protocols.load(name).questions.values())


DIFFERENT = {asks(name): name for name in sorted(protocols.names(), key=choices)}
"""Of protocols that ask alike the one with the most answers to choose from."""


ONE_STEP = ("comprehension", "preference-4", "best-worst", "esa-document")
"""Protocols whose kit is one step in the small campaign: two systems, or a whole document."""


def begin(site: Site, page: Page, name: str, **more: object) -> Running:
    """A small campaign, and its first judge before his first step."""
    # two steps are a kit: of one system each, or of both systems
    count = 2 if protocols.load(name).one_system_per_segment else 1
    small = {} if name == "ranking" else {"test_set": make_set(PAIRED[:count]), "judges": 2}
    made = site.campaign(name, **{**small, **more})  # type: ignore[arg-type]
    made.enter(page)
    return made


# Whole kits


@pytest.mark.parametrize("name", DIFFERENT.values())
def test_a_kit_with_the_mouse_and_with_the_keyboard(site: Site, desk: Page, name: str) -> None:
    protocol = protocols.load(name)
    devices = (Mouse(desk, protocol), Keyboard(desk, protocol))
    # where a kit is one step, each has a kit of its own
    for used in [(one,) for one in devices] if name in ONE_STEP else [devices]:
        made = begin(site, desk, name)
        given = play(desk, *used)
        assert made.answers() == given


# What the screens promise


def test_the_top_three_are_asked_more_and_nothing_moves(site: Site, desk: Page) -> None:
    begin(site, desk, "tapet-adequacy")
    points = desk.locator(".question").first.locator(".target")
    further, button = desk.locator(".question").nth(1), desk.locator(".next")
    expect(further).to_be_hidden()
    before = [points.first.bounding_box(), button.bounding_box()]
    for n in range(7):
        points.nth(n).click()
        expect(further).to_be_visible(visible=n < 3)
        assert [points.first.bounding_box(), button.bounding_box()] == before
    assert points.first.bounding_box()["y"] == points.last.bounding_box()["y"]  # type: ignore[index]


def test_no_number_of_the_scale_is_shown(site: Site, desk: Page) -> None:
    begin(site, desk, "tapet-adequacy")
    labels = desk.locator(".question").first.locator(".label").all_inner_texts()
    assert labels == ["All", "", "", "Half", "", "", "None"]
    # the keys count from the left, and are not the values
    assert desk.locator(".question").first.locator("kbd").all_inner_texts() == list("1234567")


def test_what_was_answered_and_is_not_asked_any_more_is_not_sent(site: Site, desk: Page) -> None:
    made = begin(site, desk, "tapet-adequacy")
    for key in ("1", "2", "Shift+Tab", "7", "Enter"):
        desk.keyboard.press(key)
    expect(desk.locator(".step")).to_have_attribute("data-position", "2")
    assert made.stored(1) == [{"adequacy": 1}]


def test_eleven_features_fit_on_one_screen(site: Site, desk: Page) -> None:
    begin(site, desk, "heval")
    assert desk.locator(".row").count() == 11
    assert desk.evaluate("document.documentElement.scrollHeight") <= 800
    box = desk.locator(".next").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 800
    sizes = desk.locator(".row .target").evaluate_all(
        "all => all.map((one) => Math.min(one.offsetWidth, one.offsetHeight))"
    )
    assert min(sizes) >= 32


def test_arrows_go_from_feature_to_feature(site: Site, desk: Page) -> None:
    begin(site, desk, "heval")
    Keyboard(desk, protocols.load("heval")).tab_to(desk.locator(".row input").first)
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "3", "0", "ArrowUp", "ArrowUp", "1"):
        desk.keyboard.press(key)
    chosen = desk.locator(".row").evaluate_all(
        "rows => rows.map((row) => row.querySelector(':checked')?.value ?? '')"
    )
    assert chosen[:4] == ["", "4", "n/a", ""]


@pytest.mark.parametrize(
    ("name", "answered", "expected"),
    [
        ("tapet-adequacy", "", "adequacy"),
        ("tapet-adequacy", "1", "same-meaning"),
        ("semantic-adequacy", "12", "fluency"),
        ("heval", "123", "proper-nouns"),
        ("application", "1", "why"),
        ("da", "", "adequacy"),
        ("ranking", "", "ranking"),
        ("mqm", "", "errors"),
    ],
)
def test_what_is_missing_is_said_and_gone_to(
    site: Site, desk: Page, name: str, answered: str, expected: str
) -> None:
    begin(site, desk, name)
    for key in answered:
        desk.keyboard.press(key)
    desk.keyboard.press("ControlOrMeta+Enter")
    problems = desk.locator(".problem:visible")
    expect(problems).to_have_count(1)
    asked = desk.locator(f".question[data-question='{expected}']")
    expect(asked.locator(".problem")).to_be_visible()
    focused = "document.activeElement.closest('.question, .texts')"
    inside = desk.evaluate(f"{focused}?.dataset.question ?? {focused}?.className")
    assert inside == ("texts" if name == "mqm" else expected)
    assert desk.locator(".step").get_attribute("data-position") == "1"


@pytest.mark.parametrize("name", ["tapet-adequacy", "heval", "mqm", "ranking", "semantic-adequacy"])
def test_what_is_missing_is_seen_on_a_phone(site: Site, desk: Page, name: str) -> None:
    desk.set_viewport_size({"width": 360, "height": 640})
    begin(site, desk, name)
    desk.locator(".next").click()
    expect(desk.locator(".problem:visible")).to_be_in_viewport(ratio=1)


def test_the_questions_stay_where_they_were(site: Site, desk: Page) -> None:
    """A short text after a long one leaves the hand where it is."""
    long, short = "A long line, word after word. " * 12, "Short."
    sentences = [
        {
            "source": "Uno.",
            "references": {"A": text},
            "translations": {"cedar": text, "birch": text},
        }
        for text in (long, short)
    ]
    begin(site, desk, "tapet-adequacy-5", test_set=make_set(sentences))
    tops = []
    for _ in range(2):
        tops.append(desk.locator(".questions").bounding_box()["y"])  # type: ignore[index]
        position = desk.locator(".step").get_attribute("data-position")
        desk.keyboard.press("5")
        desk.keyboard.press("Enter")
        expect(desk.locator(f".step[data-position='{position}']")).to_have_count(0)
    assert tops[0] == tops[1]


def test_after_a_step_the_focus_is_at_the_new_texts(site: Site, desk: Page) -> None:
    begin(site, desk, "ldc-adequacy")
    desk.keyboard.press("1")
    desk.keyboard.press("Enter")
    expect(desk.locator(".step")).to_have_attribute("data-position", "2")
    texts = desk.get_by_role("group", name="2 of 2")
    expect(texts).to_be_focused()


def test_the_reference_is_revealed_at_the_second_stage(site: Site, desk: Page) -> None:
    begin(site, desk, "informativeness")
    expect(desk.locator(".reference")).to_have_count(0)
    desk.locator(".question textarea").fill("Something about a bridge.")
    desk.locator(".next").click()
    expect(desk.locator(".reference")).to_be_visible()


def test_texts_stand_side_by_side_and_begin_on_one_line(site: Site, desk: Page) -> None:
    begin(site, desk, "tapet-adequacy")
    references, text = desk.locator(".reference p"), desk.locator(".translation p")
    boxes = [one.bounding_box() for one in (*references.all(), text)]
    tops = [box["y"] for box in boxes if box]
    lefts = [box["x"] for box in boxes if box]
    assert len(tops) == 3
    assert tops[0] == tops[2] < tops[1]
    assert lefts[0] == lefts[1] < lefts[2]
    desk.set_viewport_size({"width": 360, "height": 740})
    assert text.bounding_box()["x"] == references.first.bounding_box()["x"]  # type: ignore[index]


def test_context_is_shown_where_it_is_asked_for(site: Site, desk: Page) -> None:
    begin(site, desk, "sqm", task={"one_system_per_segment": False, "kits": {"systems": 1}})
    expect(desk.locator(".context")).to_have_count(0)
    desk.keyboard.press("1")
    desk.keyboard.press("Enter")
    expect(desk.locator(".context p")).to_have_count(2)
    expect(desk.locator(".context p").first).to_have_text(SENTENCES[0]["source"])


# Sliders


def test_a_slider_says_nothing_before_it_is_touched(site: Site, desk: Page) -> None:
    made = begin(site, desk, "da")
    number, track = desk.locator("input[type=number]"), desk.locator("input[type=range]")
    expect(number).to_have_value("")
    expect(track).to_have_attribute("data-untouched", "")
    number.press_sequentially("150")
    expect(track).to_have_attribute("data-untouched", "")  # its handle would stand at 15
    desk.keyboard.press("Enter")
    expect(desk.locator(".problem")).to_be_visible()
    expect(desk.locator(".problem")).to_have_text("A number from 0 to 100")
    expect(number).to_be_focused()
    number.fill("64.5")
    expect(track).not_to_have_attribute("data-untouched", "")
    desk.keyboard.press("Enter")
    expect(desk.locator(".step")).to_have_attribute("data-position", "2")
    desk.keyboard.press("7")  # which begins a number
    expect(desk.locator("input[type=number]")).to_have_value("7")
    assert made.stored(1) == [{"adequacy": 64.5}]


def test_post_editing_shows_the_changes_and_takes_them_back(site: Site, desk: Page) -> None:
    site.campaign("post-edit").enter(desk)
    field, changes = desk.locator(".question textarea"), desk.locator(".difference")
    original = field.input_value()
    expect(changes).to_have_text("Nothing changed yet.")
    expect(desk.locator(".reset")).to_be_hidden()
    field.evaluate("one => { one.dir = 'rtl'; }")
    first, _, rest = original.partition(" ")
    field.fill(f"A {rest} today")
    expect(changes).to_have_attribute("dir", "rtl")
    expect(changes.locator("del")).to_have_text([first])
    expect(changes.locator("ins")).to_have_text(["A", re.compile("today")])
    desk.get_by_role("button", name="Undo all changes").click()
    expect(field).to_have_value(original)
    expect(changes).to_have_text("Nothing changed yet.")
    expect(changes).to_have_js_property("dir", "")


# Shading


def test_a_long_source_stays_beside_the_text_that_is_corrected(site: Site, desk: Page) -> None:
    long = {**SENTENCES[0], "source": "una palabra y otra " * 80}
    site.campaign("post-edit", test_set=make_set([long])).enter(desk)
    source = desk.locator(".source p").bounding_box()
    field = desk.locator(".question textarea").bounding_box()
    assert source is not None
    assert field is not None
    assert field["x"] > source["x"] + source["width"]
    assert field["y"] < source["y"] + 100


def test_labels_of_a_slider_stay_apart_beside_the_guidelines(site: Site, desk: Page) -> None:
    site.campaign("esa").enter(desk)
    desk.keyboard.press("?")
    expect(desk.locator("#help .prose").first).to_be_visible()
    # as containers of container queries, sliders lost what is in them when the problem was hidden
    desk.keyboard.press("?")
    desk.keyboard.press("Enter")
    slider = desk.locator("input[type=range]")
    expect(slider).to_be_focused()
    desk.keyboard.press("ArrowRight")
    expect(desk.locator("#problem-score")).to_be_hidden()
    expect(slider).to_be_visible()
    expect(slider).to_be_focused()
    desk.locator("body").press("?")
    boxes = [one.bounding_box() for one in desk.locator(".marks li").all()]
    ends = [(box["x"], box["x"] + box["width"]) for box in boxes if box]
    assert len(ends) == 4
    assert all(end <= start for (_, end), (start, _) in pairwise(ends))
    desk.keyboard.press("?")


def test_shading_is_switched_at_once_and_kept(site: Site, page: Page) -> None:
    site.campaign("tapet-adequacy").enter(page)
    marks, button = page.locator(".translation mark"), page.get_by_role("button", name="Highlight")
    look = "marks => marks.map((one) => getComputedStyle(one).backgroundImage).join()"
    assert "gradient" in marks.evaluate_all(look)
    page.keyboard.press("4")
    with page.expect_response("**/look"):
        button.click()
    assert "gradient" not in marks.evaluate_all(look)
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".target :checked")).to_have_count(1)  # nothing answered is lost
    page.reload()
    assert "gradient" not in marks.evaluate_all(look)
    assert marks.count() > 0
    with page.expect_response("**/look"):
        button.click()
    assert "gradient" in marks.evaluate_all(look)


def test_a_campaign_without_shading_has_none(site: Site, desk: Page) -> None:
    begin(site, desk, "tapet-adequacy", shading=False)
    expect(desk.locator(".translation")).to_be_visible()
    expect(desk.locator("mark")).to_have_count(0)
    expect(desk.get_by_role("button", name="Highlight")).to_have_count(0)


# Long texts, large texts


def test_answers_stay_in_sight_under_a_long_text(site: Site, page: Page) -> None:
    long = {**SENTENCES[0], "references": {"A": "long words " * 150}}
    made = site.campaign("tapet-adequacy", test_set=make_set([long]))
    for width, height in ((1280, 800), (360, 740)):
        page.set_viewport_size({"width": width, "height": height})
        made.enter(page)
        expect(page.locator(".target").first).to_be_in_viewport(ratio=1)
        expect(page.locator(".next")).to_be_in_viewport(ratio=1)
        expect(page.locator(".reference p").first).to_be_in_viewport()


def test_the_size_of_texts_is_changed_at_once_and_kept(site: Site, page: Page) -> None:
    site.campaign("tapet-adequacy").enter(page)
    text = page.locator(".translation .text")
    size = "one => parseFloat(getComputedStyle(one).fontSize)"
    usual = text.evaluate(size)
    page.keyboard.press("4")
    with page.expect_response("**/look"):
        page.get_by_role("button", name="Larger text").click()
    larger = text.evaluate(size)
    assert larger > usual
    expect(page.locator(".target :checked")).to_have_count(1)
    page.reload()
    assert text.evaluate(size) == larger
    for _ in range(2):
        with page.expect_response("**/look"):
            page.get_by_role("button", name="Smaller text").click()
    assert text.evaluate(size) < usual


# Scripts and directions


def test_texts_say_their_language_and_direction(site: Site, desk: Page) -> None:
    sentence = {
        "source": "ABC أعلنت الوزارة",
        "references": {"A": "मंत्रालय ने ABC"},
        "translations": {"cedar": "ABC मंत्रालय ने कहा", "birch": "कहा"},
    }
    small = make_set([sentence], source_language="ar", target_language="hi")
    begin(site, desk, "ranking", test_set=small)
    source, text = desk.locator(".source p"), desk.locator(".ranked .text").first
    # a foreign name at the beginning does not turn the text round
    assert [source.get_attribute(name) for name in ("lang", "dir")] == ["ar", "rtl"]
    assert [text.get_attribute(name) for name in ("lang", "dir")] == ["hi", "ltr"]
    assert source.evaluate("one => getComputedStyle(one).textAlign") in ("start", "right")


def test_a_document_may_have_a_language_of_its_own(site: Site, desk: Page) -> None:
    own = make_set(SENTENCES, source_language="").replace(
        b'"id": "paper1"', b'"id": "paper1", "source_language": "ur"'
    )
    begin(site, desk, "source-adequacy", test_set=own, judges=3)
    assert desk.locator(".source p").get_attribute("lang") == "ur"
    assert desk.locator(".source p").get_attribute("dir") == "rtl"
