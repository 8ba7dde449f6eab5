"""Coordinators add, reset and keep out each other."""

import re

from tests.web.coordinator.conftest import DESK
from tests.web.visiting import Visitor, Website, form_key, words


def act(ada: Visitor, **sent: str):
    page = ada.get("coordinators")
    stamp = stamps(page.text).get(sent["name"], "")
    return ada.post("coordinators", {"stamp": stamp, **sent}, key=form_key(page))


def stamps(html: str) -> dict[str, str]:
    return dict(re.findall(r'name="name" value="([^"]+)"><input [^>]+ value="(\w+)"', html))


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
    password = re.findall(r"<dd>([^<]+)</dd>", act(ada, action="reset", name="Grace").text)[1]
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
    sent = {"action": "reset", "name": "Grace", "stamp": stamps(page.text)["Grace"]}
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
    assert act(ada, action="reset", name="Nobody").status_code == 422
    told = act(ada, action="disable", name="Ada")
    assert told.status_code == 422
    assert "last coordinator" in told.text
