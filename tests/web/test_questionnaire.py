"""Judges answer questions about themselves in the browser, and their data can be deleted there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.campaigns.sample_campaigns import NAME
from tests.campaigns.test_questionnaires import asking
from tests.web.website import Website, form_key, website, words


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Website]:
    with website(tmp_path) as found:
        found.setting.create(asking())
        yield found


def test_a_judge_answers_before_and_after_and_is_led_there(site: Website) -> None:
    slips = site.slips(6)
    site.setting.start()
    judge = site.visitor().follow(slips[0])
    page = judge.get("judge")  # also straight to the first item
    assert "About you" in words(page.text)
    assert "Is English your first language?" in words(page.text)
    key = form_key(page)
    wrong = judge.post("questionnaire/before", {"q.native": "no"}, key=key)
    assert wrong.status_code == 422
    assert "You can't take part without agreeing." in words(wrong.text)
    assert 'value="no" checked' in wrong.text  # what was said is not lost
    told = {"q.native": "no", "q.spanish": "2", "consent": "yes"}
    assert "kit" in words(judge.post("questionnaire/before", told, key=key).text)
    account = site.service.accounts.by_pin(NAME, slips[0].pin)
    site.setting.all_kits(account.id)
    after = judge.get()
    assert "Before you go" in words(after.text)
    home = judge.post("questionnaire/after", {"q.remarks": "ĉio bona"}, key=form_key(after))
    assert "Before you go" not in words(home.text)
    rows = site.service.questionnaires.table(NAME)
    assert rows.filter(question="remarks")["answer"].to_list() == ["ĉio bona"]
    assert judge.get("questionnaire/later").status_code == 404


def test_a_coordinator_deletes_a_judges_data(site: Website) -> None:
    site.slips(6)
    boss = site.visitor().follow(site.slips(1, role="coordinator")[0])
    pin = site.service.accounts.all(NAME)[0].pin
    page = boss.get(f"desk/judge/{pin}")
    asked = boss.post(f"desk/judge/{pin}/data", key=form_key(page))
    assert f"Delete all data of {pin}?" in words(asked.text)
    assert site.service.accounts.by_pin(NAME, pin)
    done = boss.post(f"desk/judge/{pin}/data", {"sure": "yes"}, key=form_key(asked))
    assert pin not in words(done.text)
    assert "deleted-1" in words(done.text)
