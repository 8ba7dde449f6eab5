"""Several translations side by side, each with its own questions."""

from playwright.sync_api import Page, expect

from tests.browser.site import Site

ASK = "You gave less than 85 but marked no error. What lowers the score?"


def test_keys_alone_mark_and_score_every_translation(site: Site, desk: Page) -> None:
    made = site.campaign("contrastive-esa")
    made.enter(desk)
    desk.locator(".step").wait_for()
    how = desk.locator(".each > .hint")
    expect(how).to_contain_text("Select words in the translation, then choose how severe")
    expect(how).to_contain_text("S go to “Score”")
    for word, severity, score in ((1, "1", "80"), (2, "2", "34")):
        desk.keyboard.press("n")
        for _ in range(word + 1):
            desk.keyboard.press("ArrowRight")
        desk.keyboard.press(severity)
        desk.keyboard.press("s")
        desk.keyboard.type(score)
    desk.keyboard.press("n")
    desk.keyboard.press("s")
    desk.keyboard.type("80")
    # only the third has no error, and keeps its score when the judge says so
    desk.keyboard.press("Enter")
    asked = desk.locator(".ask-back")
    expect(asked.locator("p")).to_have_text(ASK)
    expect(desk.locator("[data-column='3'] .ask-back")).to_have_count(1)
    expect(desk.locator(".implied")).to_contain_text("1 (80) level with 3 (80), 2 (34)")
    assert made.answers() == []
    desk.keyboard.press("Tab")
    desk.keyboard.press("Enter")
    (given,) = made.stored(1)
    told = given["translations"]
    assert isinstance(told, list)
    assert [one["score"] for one in told] == [80, 34, 80]
    assert [[error["severity"] for error in one["errors"]] for one in told] == [
        ["minor"],
        ["major"],
        [],
    ]


def test_begun_answers_come_back_in_their_columns(site: Site, desk: Page) -> None:
    made = site.campaign("contrastive-esa")
    made.enter(desk)
    second = desk.locator("[data-column='2']")
    with desk.expect_response("**/api/draft"):
        second.locator("input[type=number]").fill("55")
        second.locator("input[type=number]").blur()
    desk.reload()
    expect(second.locator("input[type=number]")).to_have_value("55")
    expect(desk.locator("[data-column='1'] input[type=number]")).to_have_value("")
