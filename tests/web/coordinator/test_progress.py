"""How judges get on, when it will be done, and who is reminded."""

from datetime import timedelta

import pytest

from jurat.campaigns.monitoring.mail import read_mail_server
from tests.campaigns.setting import NAME
from tests.web.visiting import Visitor, Website, form_key, words


@pytest.fixture
def under_way(site: Website, boss: Visitor) -> Visitor:
    """Three judges: one has done all, two have never been here."""
    judges = site.setting.judges(3)
    site.setting.start()
    site.setting.all_kits(judges[0].id, 0.5)
    return boss


def send(boss: Visitor, path: str, **sent: object):
    return boss.post(f"desk/progress/{path}", sent, key=form_key(boss.get("desk/progress")))


def test_every_judge_with_what_is_left(under_way: Visitor):
    said = words(under_way.get("desk/progress").text)
    for word in ("p1", "p2", "p3", "At the current pace", "Nobody needs a reminder"):
        assert word in said


def test_a_forecast_for_one_day_has_no_range(site: Website, boss: Visitor):
    judges = site.setting.judges(3)
    site.setting.start()
    for _ in range(2):
        site.setting.kit(judges[0].id)
    said = words(boss.get("desk/progress").text)
    assert (
        "2 of 12 judgments. At the current pace of 48 a day, judging will finish on 2 March 2026. "
        in said
    )


def test_whoever_stays_away_is_reminded_once(site: Website, under_way: Visitor):
    site.setting.watch.now += timedelta(days=4)
    page = under_way.get("desk/progress")
    assert "never logged in" in words(page.text)
    assert f"http://jurat.test/c/{NAME}/" in page.text
    assert "Send by email" not in page.text
    send(under_way, "remind", pin=["p2", "p3", "nobody"], by="hand")
    (logged,) = [e for e in site.setting.store.audit_log(NAME) if e.action == "remind"]
    assert logged.details == {"pins": ["p2", "p3"], "by": "hand"}
    assert "Nobody needs a reminder" in words(under_way.get("desk/progress").text)


def test_what_the_post_office_says_is_told(site: Website, under_way: Visitor):
    site.setting.watch.now += timedelta(days=4)
    send(under_way, "address", pin="p2", address="one@example.org")
    assert site.service.accounts.by_pin(NAME, "p2").address == "one@example.org"
    site.app.state.site.mail_server = read_mail_server("smtp://localhost:1/?from=desk@example.org")
    told = send(under_way, "remind", pin=["p2"], by="mail")
    assert 'role="alert"' in told.text
    assert not [e for e in site.setting.store.audit_log(NAME) if e.action == "remind"]


def test_an_address_that_is_none(under_way: Visitor):
    assert send(under_way, "address", pin="p2", address="nowhere").status_code == 422
    assert send(under_way, "address", pin="nobody", address="a@example.org").status_code == 422


@pytest.mark.parametrize("column", ["done", "-left", "seen", "-seconds", "time", "flags", "odd"])
def test_sorting(under_way: Visitor, column):
    assert under_way.get(f"desk/progress?sort={column}").status_code == 200
