"""Ranking: cards dragged by mouse and finger, moved with keys, tied, and said in words."""

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.mouse_and_keyboard import drag
from tests.browser.site import Running, Site, make_set

FOUR = {
    "source": "Uno.",
    "references": {"A": "One."},
    "translations": {name: f"Words of {n}." for n, name in enumerate("wxyz", 1)},
}


@pytest.fixture
def made(site: Site, desk: Page) -> Running:
    """A ranking of four, opened."""
    made = site.campaign("ranking", test_set=make_set([FOUR]), judges=1)
    made.enter(desk)
    return made


def places(page: Page, made: Running) -> object:
    # cards that were not touched have no place: the judge says that the rest is right
    if page.locator(".keep").is_visible():
        page.locator(".keep").click()
    page.locator(".next").click()
    (answers,) = made.stored(1)
    return answers["ranking"]


def order(page: Page) -> list[str]:
    cards = page.locator(".ranked").all()
    return [str(card.get_attribute("data-slot")) for card in cards]


def test_the_order_on_the_screen_is_no_answer_by_itself(desk: Page, made: Running) -> None:
    desk.keyboard.press("Enter")
    expect(desk.locator(".problem")).to_contain_text("in order first")
    expect(desk.locator(".handle").first).to_be_focused()
    desk.get_by_role("button", name="This order is right").click()
    expect(desk.locator(".place").first).to_have_text("Place 1")
    assert places(desk, made) == [1, 2, 3, 4]


def test_cards_are_dragged(desk: Page, made: Running) -> None:
    cards = desk.locator(".ranked")
    drag(desk, cards.nth(3), cards.nth(1), 0.05)
    assert order(desk) == ["1", "4", "2", "3"]
    drag(desk, cards.nth(0), cards.nth(3), 0.95)
    assert order(desk) == ["4", "2", "3", "1"]
    assert places(desk, made) == [4, 2, 3, 1]


def test_a_card_counts_as_ranked_only_once_it_was_placed(desk: Page, made: Running) -> None:
    cards, places_said = desk.locator(".ranked"), desk.locator(".place:not(:empty)")
    for n in (3, 2):
        desk.locator(".handle").nth(n).focus()
        desk.keyboard.press("1")
    assert order(desk) == ["2", "4", "1", "3"]
    expect(places_said).to_have_text(["Place 1", "Place 2"])
    desk.locator(".next").click()
    expect(desk.locator(".problem")).to_contain_text("in order first")
    with desk.expect_response("**/api/draft"):
        drag(desk, cards.nth(3), cards.nth(2), 0.5)
    expect(desk.locator(".keep")).to_be_hidden()
    desk.reload()
    expect(desk.locator("[data-decided]")).to_have_count(1)
    assert places(desk, made) == [3, 1, 3, 2]


def test_the_last_card_has_the_place_that_is_left(site: Site, desk: Page) -> None:
    two = {**FOUR, "translations": {"w": "Words of 1.", "x": "Words of 2."}}
    made = site.campaign("ranking", test_set=make_set([two]), judges=1)
    made.enter(desk)
    desk.locator(".handle").nth(1).focus()
    desk.keyboard.press("1")
    expect(desk.locator(".place")).to_have_text(["Place 1", "Place 2"])
    expect(desk.locator(".keep")).to_be_hidden()
    assert places(desk, made) == [2, 1]


def test_cards_are_tied_by_dropping_one_on_the_other(desk: Page, made: Running) -> None:
    cards = desk.locator(".ranked")
    drag(desk, cards.nth(3), cards.nth(0), 0.5)
    expect(desk.locator(".said")).to_have_text(
        "From best to worst: Place 1: Translation 1 and Translation 4."
    )
    drag(desk, cards.nth(3), cards.nth(1), 0.5)  # a third one
    assert order(desk) == ["1", "4", "3", "2"]
    assert places(desk, made) == [1, 2, 1, 1]


def test_a_drag_is_given_up_with_escape(desk: Page, made: Running) -> None:
    box = desk.locator(".ranked").nth(3).bounding_box()
    assert box is not None
    desk.mouse.move(box["x"] + 100, box["y"] + 10)
    desk.mouse.down()
    desk.mouse.move(box["x"] + 100, box["y"] - 200, steps=4)
    desk.keyboard.press("Escape")
    desk.mouse.up()
    assert order(desk) == ["1", "2", "3", "4"]
    expect(desk.locator("[data-decided]")).to_have_count(0)
    assert made.answers() == []


def test_keys_move_tie_and_part(desk: Page, made: Running) -> None:
    handles = desk.locator(".handle")
    handles.first.focus()
    press = desk.keyboard.press
    press("Shift+ArrowDown")  # 2 1 3 4
    assert order(desk) == ["2", "1", "3", "4"]
    expect(desk.get_by_role("button", name="Translation 1, Place 2")).to_be_focused()
    press("=")  # 2=1 3 4
    expect(desk.locator(".said")).to_contain_text("Translation 2 and Translation 1")
    press("Shift+ArrowDown")  # out of the tie: 2 1 3 4
    press("ArrowDown")
    press("1")  # 3 2 1 4
    press("ArrowDown")
    press("ArrowDown")
    press("ArrowDown")
    press("t")  # 3 2 1=4
    assert places(desk, made) == [3, 2, 1, 3]


def test_a_finger_drags_the_handle_and_scrolls_elsewhere(site: Site, browser: Browser) -> None:
    made = site.campaign("ranking", test_set=make_set([FOUR]), judges=1)
    phone: ViewportSize = {"width": 360, "height": 740}
    with browser.new_context(viewport=phone, has_touch=True, is_mobile=True) as context:
        page = made.enter(context.new_page())
        handles = page.locator(".handle")
        assert handles.first.evaluate("one => getComputedStyle(one).touchAction") == "none"
        start, end = handles.nth(2).bounding_box(), handles.nth(0).bounding_box()
        assert start is not None
        assert end is not None
        finger = context.new_cdp_session(page)
        x, top = start["x"] + 10, end["y"] + 4
        ways = [start["y"] + 10, start["y"] - 10, top + 30, top]
        for n, y in enumerate(ways):
            kind = "touchStart" if n == 0 else "touchMove"
            finger.send(
                "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]}
            )
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(page.locator(".ranked").first).to_have_attribute("data-slot", "3")
        assert places(page, made) == [2, 3, 1, 4]


def test_an_order_is_kept_as_a_draft(desk: Page, made: Running) -> None:
    with desk.expect_response("**/api/draft"):
        desk.locator(".handle").nth(2).focus()
        desk.keyboard.press("1")
    desk.reload()
    assert order(desk) == ["3", "1", "2", "4"]
    assert places(desk, made) == [2, 3, 1, 4]
