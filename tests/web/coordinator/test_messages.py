"""Coordinators welcome judges and write to them; judges read it and put it away."""

import pytest

from jurat.errors import InputError
from tests.campaigns.sample_campaigns import NAME
from tests.web.coordinator.test_settings import save
from tests.web.website import Visitor, Website, form_key, words


def send(boss: Visitor, text: str, to: str = ""):
    page = boss.get("desk/messages")
    return boss.post("desk/messages", {"text": text, "to": to}, key=form_key(page))


def dismiss(judge: Visitor, message: str, back: str = ""):
    return judge.post("dismiss", {"message": message, "back": back}, follow_redirects=False)


def test_the_welcome_and_the_deadline_are_the_first_that_judges_read(site: Website, boss: Visitor):
    welcome = "Thank you!\r\n\r\n<b>Take your time.</b>\r\n"
    save(boss, welcome=welcome, deadline="2026-11-27")
    assert site.service.campaigns.plan(NAME).welcome == "Thank you!\n\n<b>Take your time.</b>"
    slips = site.slips(6)
    home = site.visitor().follow(slips[0]).get()
    assert "Thank you!\n\n&lt;b&gt;Take your time.&lt;/b&gt;" in home.text
    assert "finish by" not in home.text  # before there is anything to do
    site.setting.start()
    assert "Please finish by 27 November 2026." in words(site.visitor().follow(slips[0]).get().text)


def test_a_welcome_has_an_end(boss: Visitor):
    told = save(boss, welcome="a" * 5001)
    assert told.status_code == 422
    assert "Use at most 5000 characters." in words(told.text)


def test_a_message_is_read_by_those_it_is_for_and_put_away(site: Website, boss: Visitor):
    slips = site.slips(2)
    first, second = (site.visitor().follow(slip) for slip in slips)
    assert send(boss, "Hello <i>all</i>").status_code == 200
    send(boss, "Only you", to=slips[0].pin)
    assert "Hello &lt;i&gt;all&lt;/i&gt;" in first.get().text
    assert "Only you" in words(first.get().text)
    assert "Only you" not in words(second.get().text)
    own, to_all = site.service.messages.all(NAME)
    assert dismiss(second, own.id).status_code == 303
    assert dismiss(first, own.id, "between").headers["location"].endswith("/between")
    assert "Only you" not in words(first.get().text)
    assert "Hello" in words(first.get().text)
    page = words(boss.get("desk/messages").text)
    assert "1 / 1" in page
    assert "0 / 2" in page
    taken = {"message": to_all.id}
    boss.post("desk/messages/withdraw", taken, key=form_key(boss.get("desk/messages")))
    assert "Hello" not in words(second.get().text)
    assert "withdrawn" in words(boss.get("desk/messages").text)


def test_what_cannot_be_sent_is_told_and_stays_in_the_form(site: Website, boss: Visitor):
    told = send(boss, "   ")
    assert (told.status_code, "Write a message first." in words(told.text)) == (422, True)
    told = send(boss, "Hello there", to="nobody")
    assert told.status_code == 422
    assert "Hello there" in told.text
    with pytest.raises(InputError, match="at most 2000 characters"):
        site.service.messages.send(NAME, "a" * 2001, author="Ada")
    page = boss.get("desk/messages")
    gone = boss.post("desk/messages/withdraw", {"message": "none"}, key=form_key(page))
    assert gone.status_code == 404


def test_what_judges_write_stands_there_too_and_can_be_answered(site: Website, boss: Visitor):
    (slip,) = site.slips()
    site.visitor().follow(slip).post("feedback", {"words": "It was fun."})
    page = boss.get("desk/messages").text
    assert "It was fun." in words(page)
    assert f"messages?to={slip.pin}" in page
    assert f'<option value="{slip.pin}" selected>' in boss.get(f"desk/messages?to={slip.pin}").text
