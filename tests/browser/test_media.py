"""Video, audio and images on the judge's page: by keys, timed, and where they cannot be shown."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import overflow
from tests.browser.axe import violations
from tests.browser.site import SENTENCES, Running, Site, make_set
from tests.media_samples import CLIP, picture, tone

PROBLEM = "This cannot be shown or played here."


def campaign(site: Site, protocol: str, **tags: str) -> Running:
    sentence: dict[str, Any] = {**SENTENCES[0], "tags": tags}
    files = {"clip.webm": CLIP, "talk.wav": tone(), "shop.png": picture(), "bad.mp4": b"nonsense"}
    media = {f"media/{name}": files[name] for name in tags.values() if name in files}
    return site.campaign(protocol, test_set=make_set([sentence, SENTENCES[1]]), files=media)


def decide(page: Page) -> None:
    page.keyboard.press("2")
    page.keyboard.press("Enter")


@pytest.mark.parametrize("file", ["clip.webm", "talk.wav"])
def test_keys_play_and_rewind_and_the_time_is_recorded(site: Site, desk: Page, file: str) -> None:
    made = campaign(site, "source-adequacy", media=file, media_text="Nothing but colours.")
    made.enter(desk)
    player = desk.locator(".media :is(video, audio)")
    expect(player).to_have_js_property("readyState", 4)
    expect(desk.locator(".media-problem")).to_be_hidden()
    assert file not in desk.content()
    desk.keyboard.press("p")
    desk.wait_for_function("player => player.currentTime > 0.3", arg=player.element_handle())
    desk.keyboard.press("p")
    expect(player).to_have_js_property("paused", True)
    desk.keyboard.press("r")
    expect(player).to_have_js_property("currentTime", 0)
    assert violations(desk) == []
    decide(desk)
    made.stored(1)
    (decision,) = made.decisions()
    assert decision.played_seconds is not None
    assert 0 < decision.played_seconds <= (decision.seconds or 0)


def test_what_does_not_play_is_said_and_judging_goes_on(site: Site, desk: Page) -> None:
    tags = {"media": "bad.mp4", "media_text": "A man sells bread.", "context_media": "shop.png"}
    made = campaign(site, "source-adequacy", **tags)
    made.enter(desk)
    video = desk.locator(".media.video")
    expect(video.locator(".media-problem")).to_contain_text(PROBLEM)
    expect(video.get_by_text("A man sells bread.")).to_be_visible()
    expect(desk.locator(".media.image .media-problem")).to_be_hidden()
    video.get_by_role("button", name="Try again").click()
    expect(video.locator(".media-problem")).to_be_visible()
    assert violations(desk) == []
    decide(desk)
    assert len(made.stored(1)) == 1
    assert made.decisions()[0].played_seconds == 0
    # the next item has no media, and so no time
    expect(desk.locator(".where")).to_have_text("2 of 2")
    decide(desk)
    made.stored(2)
    assert made.decisions()[1].played_seconds is None


def test_a_phone_has_room_for_it(site: Site, desk: Page) -> None:
    made = campaign(site, "contrastive-esa", media="clip.webm", context_media="shop.png")
    desk.set_viewport_size({"width": 360, "height": 740})
    made.enter(desk)
    expect(desk.locator(".media")).to_have_count(2)
    assert overflow(desk) == 0
