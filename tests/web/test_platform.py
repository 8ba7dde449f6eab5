"""People from a crowd platform: a stand-in platform sends them, and they go back to it."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from jurat.campaigns.platforms import ScreenedOut
from tests.campaigns.sample_campaigns import NAME, SAMPLE, plan, task
from tests.web.website import Visitor, Website, form_key, website, words

PLATFORM: dict[str, Any] = {
    "identity": "PROLIFIC_PID",
    "keep": ["STUDY_ID"],
    "quota": 2,
    "attention": 1,
    "completion": {"code": "C-DONE", "url": "https://platform.test/complete?cc={code}"},
    "screen_out": {"code": "C-OUT", "url": "https://platform.test/out?cc={code}"},
    "full": {"code": "C FULL", "url": "https://platform.test/full?cc={code}"},
}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Website]:
    """A campaign with a degraded item in each kit, which takes two people from a platform."""
    with website(tmp_path) as found:
        rating = task("da", kits={"documents": 3, "controls": {"degraded": 1}})
        declared = plan(rating, platform=PLATFORM, test_set="sample.jsonl")
        found.setting.create(declared, sample=(SAMPLE / "testset.jsonl").read_bytes())
        found.slips(8)
        found.setting.start()
        yield found


def arrive(site: Website, person: str, **more: str) -> Visitor:
    """Somebody who follows the platform's link in a browser of their own."""
    visitor = site.visitor()
    told = {"PROLIFIC_PID": person, "STUDY_ID": "s1", "SESSION_ID": "x", **more}
    visitor.get("enter", params=told)
    return visitor


def account_of(site: Website, person: str) -> Any:
    return next(one for one in site.service.accounts.all(NAME) if person in one.note)


def judge_kit(site: Website, person: str, quality: float) -> None:
    """A kit of somebody who finds every translation this good, spoilt ones too."""
    with suppress(ScreenedOut):  # when they would be given another
        site.setting.kit(account_of(site, person).id, quality)


def test_a_person_judges_goes_back_and_is_counted_once(site: Website) -> None:
    first = arrive(site, "ann")
    assert "kit" in words(first.get().text)
    judge_kit(site, "ann", 0.1)
    page = first.get()
    assert "C-DONE" in words(page.text)
    assert 'href="https://platform.test/complete?cc=C-DONE"' in page.text
    assert "C-DONE" in words(first.get("judge").text), "from wherever they come"
    # the platform sends them again, into another browser and another session: they resume
    again = arrive(site, "ann", SESSION_ID="y")
    assert "C-DONE" in words(again.get("between").text)
    people = [one for one in site.service.accounts.all(NAME) if "platform" in one.tags]
    assert [one.note for one in people] == ["PROLIFIC_PID=ann; STUDY_ID=s1"]
    # nothing that judges or tables show has the identifier
    judgments = site.service.campaigns.tables(NAME)["judgments"]
    assert "ann" not in judgments.write_csv()
    assert "ann" not in page.text
    assert people[0].pin != arrive(site, "anna").get().text


def test_the_quota_holds_and_the_others_are_sent_back(site: Website) -> None:
    arrive(site, "ann")
    arrive(site, "bob")
    late = arrive(site, "cy")
    (page,) = [one for one in late.seen if one.status_code == 200]
    assert "This study is full." in words(page.text)
    assert "https://platform.test/full?cc=C%20FULL" in page.text
    assert not [one for one in site.service.accounts.all(NAME) if "cy" in one.note]
    arrive(site, "bob")  # who is inside, and comes again
    nobody = site.visitor().get("enter")
    assert nobody.status_code == 400
    assert "This address is incomplete." in words(nobody.text)


def test_attention_checks_end_judging_politely(site: Website) -> None:
    careless = arrive(site, "zed")
    judge_kit(site, "zed", 0.9)  # also of the spoilt translation
    page = careless.get("judge")
    assert "Thank you for your time." in words(page.text)
    assert "https://platform.test/out?cc=C-OUT" in page.text
    assert "C-DONE" not in page.text
    judgments = site.service.campaigns.tables(NAME)["judgments"]
    assert judgments["status"].unique().to_list() == ["excluded"]
    # coming back changes nothing, and the place is free for somebody else
    assert "C-OUT" in words(arrive(site, "zed").get("judge").text)
    for person in ("ann", "bob"):
        assert "kit" in words(arrive(site, person).get().text)


def test_campaigns_without_a_platform_take_nobody(tmp_path: Path) -> None:
    with website(tmp_path) as found:
        found.setting.create(plan(task("da")))
        told = found.visitor().get("enter", params={"PROLIFIC_PID": "ann"})
        assert told.status_code in (403, 404)
        assert found.service.accounts.all(NAME) == []


def test_the_page_says_it_in_every_language(site: Website) -> None:
    visitor = site.visitor()
    for code, said in {"es": "incompleta", "zh": "不完整", "hi": "अधूरा"}.items():
        page = visitor.get("enter", headers={"Accept-Language": code})
        assert said in words(page.text)
    assert form_key(visitor.get())
    assert not re.search("PROLIFIC", visitor.get("enter").text)
