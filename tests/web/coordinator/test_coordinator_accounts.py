"""Accounts of site coordinators: login, invitation, password, the list of them."""

from __future__ import annotations

import re

import pytest

from tests.campaigns.sample_campaigns import NAME
from tests.web.coordinator.conftest import DESK
from tests.web.website import Form, Visitor, Website, form_key, words


def test_the_first_coordinator_sets_the_site_up(site: Website, ada: Visitor):
    assert "Rating in spring" in words(ada.get().text)
    assert [one.name for one in site.service.coordinators.all()] == ["Ada"]


def test_a_link_is_good_once(site: Website):
    token = site.service.coordinators.set_up()
    first, second = site.visitor(), site.visitor()
    for visitor in (first, second):
        visitor.base = DESK
    sent = {"name": "Ada", "password": "a long secret"}
    first.post(f"begin/{token}", sent, key=form_key(first.get(f"begin/{token}")))
    told = second.get(f"begin/{token}")
    assert "not valid" in told.text
    assert told.status_code == 403


@pytest.mark.parametrize(
    ("sent", "problem"),
    [
        ({"name": "Ada", "password": "short"}, "at least"),
        ({"name": " ", "password": "a long secret"}, "Please enter a name"),
        ({"name": "x" * 101, "password": "a long secret"}, "Please enter a name"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_kept(site: Website, sent, problem):
    token = site.service.coordinators.set_up()
    visitor = site.visitor()
    visitor.base = DESK
    told = visitor.post(f"begin/{token}", sent, key=form_key(visitor.get(f"begin/{token}")))
    assert told.status_code == 422
    assert problem in words(told.text)
    assert not site.service.coordinators.all()


def test_name_and_password(ada: Visitor):
    ada.post("logout", key=form_key(ada.get()))
    assert "For coordinators" in words(ada.get().text)
    wrong = ada.post("login", {"name": "Ada", "password": "another one"})
    assert wrong.status_code == 403
    assert "Wrong name or password" in wrong.text
    assert (
        "Rating in spring" in ada.post("login", {"name": "ada", "password": "a long secret"}).text
    )


def test_too_many_wrong_tries_lock_for_a_while(ada: Visitor):
    ada.post("logout", key=form_key(ada.get()))
    for _ in range(5):
        told = ada.post("login", {"name": "Ada", "password": "another one"})
    told = ada.post("login", {"name": "Ada", "password": "a long secret"})
    assert "Too many failed attempts" in told.text


def test_a_stranger_cannot_lock_a_coordinator_out(site: Website, ada: Visitor):
    ada.post("logout", key=form_key(ada.get()))
    stranger = site.visitor()
    stranger.base = DESK
    for _ in range(6):
        stranger.post("login", {"name": "Ada", "password": "another one"})
    right = {"name": "Ada", "password": "a long secret"}
    assert "Too many failed attempts" in stranger.post("login", right).text
    assert "Rating in spring" in ada.post("login", right).text


def test_a_copied_cookie_ends_with_the_log_out(site: Website, ada: Visitor):
    thief = site.visitor()
    thief.base = DESK
    thief.client.cookies.update(ada.client.cookies)
    assert "Rating in spring" in thief.get().text
    ada.post("logout", key=form_key(ada.get()))
    assert "For coordinators" in words(thief.get().text)


def test_a_new_password_ends_other_sessions(site: Website, ada: Visitor):
    other = site.visitor()
    other.base = DESK
    other.post("login", {"name": "Ada", "password": "a long secret"})
    sent = {"old": "a long secret", "new": "an even longer one"}
    assert "Password changed" in ada.post("password", sent, key=form_key(ada.get("password"))).text
    assert "Rating in spring" in ada.get().text
    assert "For coordinators" in words(other.get().text)


@pytest.mark.parametrize(
    ("old", "new"), [("wrong one", "an even longer one"), ("a long secret", "x")]
)
def test_a_password_is_not_changed_without_the_old_one(ada: Visitor, old, new):
    told = ada.post("password", {"old": old, "new": new}, key=form_key(ada.get("password")))
    assert told.status_code == 422


def test_somebody_without_a_login_is_led_to_it(site: Website):
    visitor = site.visitor()
    assert visitor.client.get("/desk/coordinators").url.path == "/desk/"
    assert visitor.client.get(f"/c/{NAME}/desk/").url.path == f"/c/{NAME}/"


def test_the_coordinator_of_a_campaign_is_nobody_on_the_site(boss: Visitor):
    assert boss.get("desk/").status_code == 200
    assert "For coordinators" in words(boss.client.get("/desk/").text)


def test_a_coordinator_of_the_site_sees_every_campaign(ada: Visitor):
    told = ada.client.get(f"/c/{NAME}/desk/")
    assert told.status_code == 200
    assert "Overview" in words(told.text)


def act(ada: Visitor, **sent: str):
    page = ada.get("coordinators")
    stamp = stamps(page.text).get(sent["name"], "")
    return ada.post("coordinators", {"stamp": stamp, **sent}, key=form_key(page))


def stamps(html: str) -> dict[str, str]:
    return dict(re.findall(r'name="name" value="([^"]+)"><input [^>]+ value="(\w+)"', html))


def test_a_coordinator_of_the_site_chooses_a_language_anywhere(ada: Visitor):
    for path in (DESK, f"/c/{NAME}/desk/", f"/c/{NAME}/desk/judges", f"/c/{NAME}/no/page"):
        for language in ("es", "en"):
            forms = Form(ada.client.get(path).text).forms
            (action, fields), *_ = (one for one in forms if one[0].endswith("look"))
            told = ada.client.post(action, data={**dict(fields), "language": language})
            assert (told.url.path, told.headers["content-language"]) == (path, language)


def test_an_error_page_offers_no_form_to_a_browser_without_a_session(site: Website):
    stranger = site.visitor()
    assert Form(stranger.get("no/page").text).forms == []
    stranger.get()
    assert len(Form(stranger.get("no/page").text).forms) == 1


def test_one_more_comes_in_by_his_link(site: Website, ada: Visitor):
    told = act(ada, action="add", name="Grace")
    link = re.search(r"/desk/begin/([\w-]+)", told.text)
    assert link
    grace = site.visitor()
    grace.base = DESK
    page = grace.get(f"begin/{link[1]}")
    assert "Grace" in page.text
    inside = grace.post(f"begin/{link[1]}", {"password": "my own secret"}, key=form_key(page))
    assert "Rating in spring" in inside.text
    assert link[1] not in ada.get("coordinators").text, "secrets are shown once"


def test_who_is_kept_out_is_out_at_once(site: Website, ada: Visitor):
    act(ada, action="add", name="Grace")
    password = re.findall(
        r"<dd>([^<]+)</dd>", act(ada, action="reset", name="Grace", sure="yes").text
    )[1]
    grace = site.visitor()
    grace.base = DESK
    assert "Rating" in grace.post("login", {"name": "Grace", "password": password}).text
    act(ada, action="disable", name="Grace")
    assert "For coordinators" in words(grace.get().text)
    act(ada, action="enable", name="Grace")
    assert "Rating" in grace.post("login", {"name": "Grace", "password": password}).text


def test_a_new_password_is_given_once(site: Website, ada: Visitor):
    act(ada, action="add", name="Grace")
    page = ada.get("coordinators")
    sent = {"action": "reset", "name": "Grace", "stamp": stamps(page.text)["Grace"], "sure": "yes"}
    told = ada.post("coordinators", sent, key=form_key(page))
    password = re.findall(r"<dd>([^<]+)</dd>", told.text)[1]
    again = ada.post("coordinators", sent, key=form_key(page))
    assert again.status_code == 409
    assert "has changed since you opened this page" in words(again.text)
    grace = site.visitor()
    grace.base = DESK
    assert "Rating" in grace.post("login", {"name": "Grace", "password": password}).text


def test_faults_are_told(ada: Visitor):
    assert act(ada, action="add", name="Ada").status_code == 422
    assert act(ada, action="reset", name="Nobody", sure="yes").status_code == 422
    told = act(ada, action="disable", name="Ada")
    assert told.status_code == 422
    assert "last coordinator" in told.text
