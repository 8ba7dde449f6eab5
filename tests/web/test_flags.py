"""Flags and comments on items: stored with the answer, exported, and read by the coordinator."""

from pathlib import Path

import pytest
from httpx2 import Response

from tests.campaigns.sample_campaigns import NAME, make_set, plan, task
from tests.web.website import Form, Visitor, Website, website, words


@pytest.fixture
def site(tmp_path: Path):
    with website(tmp_path) as made:
        yield made


def begin(site: Website, **more) -> Visitor:
    """A judge before the first item."""
    site.setting.create(plan(task("da", revise=True), **more))
    slips = site.slips(3)
    site.setting.start()
    return site.visitor().follow(slips[0])


def enter_desk(site: Website) -> Visitor:
    (slip,) = site.slips(1, role="coordinator")
    return site.visitor().follow(slip)


def decide(visitor: Visitor, path: str = "judge?go-on=1", **more: str) -> Response:
    """Send the form of a step as a browser without script does."""
    (fields,) = (f for _, f in Form(visitor.get(path).text).forms if "assignment" in dict(f))
    return visitor.client.post(visitor.base + path, data=dict(fields) | more)


def test_a_flag_is_stored_with_the_answer_and_listed(site: Website):
    visitor = begin(site)
    decide(visitor, **{"q.adequacy": "40", "flag": "source-broken", "comment": " No verb.\0 "})
    decide(visitor, **{"q.adequacy": "50", "comment": "Fine <b>otherwise</b>."})
    decide(visitor, **{"q.adequacy": "60", "flag": "nonsense"})
    first, second, third = site.setting.store.decisions(NAME)
    assert (first.flag, first.comment, first.answers) == (
        "source-broken",
        "No verb.",
        {"adequacy": 40},
    )
    assert (second.flag, second.comment) == ("comment", "Fine <b>otherwise</b>.")
    assert (third.flag, third.comment) == ("", "")
    table = site.service.campaigns.tables(NAME)["flags"]
    assert table["flag"].to_list() == ["source-broken", "comment"]
    assert table["comment"].to_list() == ["No verb.", "Fine <b>otherwise</b>."]
    assert table["segment"].to_list() == [first.item.segment, second.item.segment]
    boss = enter_desk(site)
    page = boss.get("desk/flags").text
    assert "The source or reference is broken" in words(page)
    assert "<b>otherwise" not in page
    assert "2 items flagged" in words(boss.get("desk/").text)
    assert "(excluded)" not in words(page)
    sent = {"action": "exclude", "reason": "a robot", "sure": "yes"}
    boss.post(f"desk/judge/{first.judge}/kits", sent)
    assert {one.status for one in site.setting.store.decisions(NAME)} == {"excluded"}
    assert words(boss.get("desk/flags").text).count("(excluded)") == 2
    assert "2 items flagged" in words(boss.get("desk/").text)


def test_nothing_flagged_is_said(site: Website):
    begin(site)
    boss = enter_desk(site)
    assert "No item has been flagged." in words(boss.get("desk/flags").text)
    assert "items flagged" not in words(boss.get("desk/").text)
    assert "flags" not in site.service.campaigns.tables(NAME)


def test_looking_back_keeps_what_was_said(site: Website):
    visitor = begin(site)
    decide(visitor, **{"q.adequacy": "40", "flag": "cannot-judge", "comment": "Why?"})
    (first,) = site.setting.store.decisions(NAME)
    back = f"judge/{first.assignment}/1"
    html = visitor.get(f"api/step/{first.assignment}/1").json()["html"]
    assert 'data-flag="cannot-judge" data-comment="Why?"' in html
    page = visitor.get(back).text
    assert 'value="cannot-judge" selected' in page
    assert "Why?</textarea>" in page
    decide(visitor, back, **{"q.adequacy": "45", "flag": "cannot-judge", "comment": "Why?"})
    last = list(site.setting.store.decisions(NAME))[-1]
    assert (last.revision, last.flag, last.comment) == (2, "cannot-judge", "Why?")
    assert [one.number for one in site.service.monitoring.flagged(NAME)] == [last.number]


def test_an_item_is_skipped_for_a_reason(site: Website):
    visitor = begin(site, skip=True)
    assert "Skip this item" in words(visitor.get("judge").text)
    told = decide(visitor, skip="1")
    assert told.status_code == 422
    assert "say what is wrong with it" in words(told.text)
    decide(visitor, skip="1", flag="cannot-judge")
    (skipped,) = site.setting.store.decisions(NAME)
    seen = words(visitor.get(f"api/step/{skipped.assignment}/1").json()["html"])
    assert "You skipped this item. Reason: I cannot judge it" in seen
    assert (skipped.skipped, skipped.answers, skipped.flag) == (True, {}, "cannot-judge")
    tables = site.service.campaigns.tables(NAME)
    assert list(tables) == ["flags"]
    assert tables["flags"]["skipped"].to_list() == [True]
    boss = enter_desk(site)
    assert "(skipped)" in words(boss.get("desk/flags").text)
    # it is done, and not judged
    assert "1 item skipped" in words(visitor.get("").text)
    wanted = site.service.monitoring.status(NAME).wanted
    for path in ("desk/", "desk/progress"):
        assert f"0 of {wanted} judgments, 1 item skipped" in words(boss.get(path).text)
    for _ in range(2):
        decide(visitor, **{"q.adequacy": "50"})
    assert f"2 of {wanted} judgments, 1 item skipped" in words(boss.get("desk/").text)
    assert "2 1 item skipped" in words(boss.get("desk/progress").text)
    (listed,) = site.service.campaigns.counts()
    assert (listed.done, listed.skipped) == (3, 1)


def test_nothing_is_skipped_where_the_campaign_does_not_allow_it(site: Website):
    visitor = begin(site)
    assert "Skip this item" not in words(visitor.get("judge").text)
    assert decide(visitor, skip="1", flag="cannot-judge").status_code == 422
    assert not list(site.setting.store.decisions(NAME))


def test_guests_have_nobody_to_tell(site: Website):
    declared = plan(task(), tutorial="tutorial.jsonl", guest=True)
    site.setting.create(declared, tutorial=make_set(1, 1, kind="lesson"))
    assert "Flag or comment" not in words(site.visitor().be_guest().get("guest/rating/1").text)
