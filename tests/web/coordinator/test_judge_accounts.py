"""Accounts are made in bulk, printed once, changed and accepted."""

import csv
import io
import re
from base64 import b64decode

import pytest

from tests.campaigns.sample_campaigns import NAME
from tests.web.website import Visitor, Website, form_key, words


def add(boss: Visitor, **sent: str):
    page = boss.get("desk/judges")
    (once,) = re.findall(r'name="once" value="([^"]+)"', page.text)
    return boss.post("desk/judges/add", {"once": once, **sent}, key=form_key(page))


def change(boss: Visitor, **sent: str):
    page = boss.get("desk/judges")
    stamps = dict(re.findall(r'name="pin" value="(\w+)"><input [^>]+ value="(\w+)"', page.text))
    stamp = stamps.get(sent["pin"], "")
    return boss.post("desk/judges", {"stamp": stamp, **sent}, key=form_key(page))


def test_slips_are_pages_with_a_code(site: Website, boss: Visitor):
    told = add(boss, count="3", group="night", site="here")
    assert told.text.count('class="page-of-one"') == 3
    assert told.text.count("<svg") == 3
    assert "data-print hidden>Print</button>" in told.text
    (script,) = re.findall(r'src="([^"]+/print\.js[^"]*)"', told.text)
    assert "data-print" in boss.client.get(script).text
    assert f"http://jurat.test/c/{NAME}/" in told.text
    pins = re.findall(r"<dt>PIN</dt><dd>(\w+)</dd>", told.text)
    passwords = re.findall(r"<dt>Password</dt><dd>([^<]+)</dd>", told.text)
    made = {one.pin: one for one in site.setting.store.judges(NAME)}
    assert [(made[pin].group, made[pin].site) for pin in pins] == [("night", "here")] * 3
    judge = site.visitor()
    judge.post("login", {"pin": pins[0], "password": passwords[0]})
    assert judge.inside
    assert passwords[0] not in boss.get("desk/judges").text


def test_the_pages_carry_the_same_as_a_file(site: Website, boss: Visitor):
    told = add(boss, count="2", role="adjudicator")
    pins = re.findall(r"<dt>PIN</dt><dd>(\w+)</dd>", told.text)
    (content,) = re.findall(r'href="data:text/csv;base64,([^"]+)"', told.text)
    rows = list(csv.DictReader(io.StringIO(b64decode(content).decode())))
    assert [row["pin"] for row in rows] == pins
    assert [row["role"] for row in rows] == ["adjudicator"] * 2
    assert all(row["password"] in told.text for row in rows)
    assert rows[0]["link"] == f"http://jurat.test/c/{NAME}/link/{rows[0]['token']}"
    assert site.visitor().get(f"link/{rows[0]['token']}").url.path.endswith("/cases/")


def test_a_form_that_is_sent_again_makes_no_more(site: Website, boss: Visitor):
    page = boss.get("desk/judges")
    (once,) = re.findall(r'name="once" value="([^"]+)"', page.text)
    sent = {"once": once, "count": "3"}
    assert boss.post("desk/judges/add", sent, key=form_key(page)).status_code == 200
    made = site.setting.store.judges(NAME)
    again = boss.post("desk/judges/add", sent, key=form_key(page))
    assert again.status_code == 409
    assert "already exist" in words(again.text)
    assert 'class="page-of-one"' not in again.text
    assert site.setting.store.judges(NAME) == made
    assert add(boss, count="3").status_code == 200, "another form makes others"
    assert len(site.setting.store.judges(NAME)) == len(made) + 3


def test_a_form_without_its_word_is_none_of_ours(boss: Visitor):
    page = boss.get("desk/judges")
    assert boss.post("desk/judges/add", {"count": "1"}, key=form_key(page)).status_code == 400


def test_a_new_password_is_given_once(site: Website, boss: Visitor):
    (slip,) = site.slips(1)
    page = boss.get("desk/judges")
    stamps = dict(re.findall(r'name="pin" value="(\w+)"><input [^>]+ value="(\w+)"', page.text))
    sent = {"pin": slip.pin, "action": "reset", "stamp": stamps[slip.pin], "sure": "yes"}
    told = boss.post("desk/judges", sent, key=form_key(page))
    (password,) = re.findall(r"<dt>Password</dt><dd>([^<]+)</dd>", told.text)
    again = boss.post("desk/judges", sent, key=form_key(page))
    assert again.status_code == 409
    assert "has changed since you opened this page" in words(again.text)
    judge = site.visitor()
    judge.post("login", {"pin": slip.pin, "password": password})
    assert judge.inside, "the slip that was printed holds"


@pytest.mark.parametrize("count", ["0", "-1", "501", "many", ""])
def test_how_many_is_asked_again(site: Website, boss: Visitor, count):
    before = len(site.setting.store.judges(NAME))
    told = add(boss, count=count)
    assert told.status_code == 422
    assert "from 1 to 500" in words(told.text)
    assert len(site.setting.store.judges(NAME)) == before


def test_a_role_that_there_is_not(boss: Visitor):
    assert add(boss, count="1", role="king").status_code == 400


def test_changes(site: Website, boss: Visitor):
    (slip,) = site.slips(1)
    judge = site.visitor().follow(slip)
    assert judge.inside
    change(boss, pin=slip.pin, action="place", group="day", site="there")
    account = site.service.accounts.by_pin(NAME, slip.pin)
    assert (account.group, account.site) == ("day", "there")
    asked = change(boss, pin=slip.pin, action="reset")
    assert f"Give {slip.pin} a new password?" in words(asked.text)
    assert judge.inside, "nothing changes before the question is answered"
    new = change(boss, pin=slip.pin, action="reset", sure="yes")
    assert 'class="page-of-one"' in new.text
    assert not judge.inside, "a new password ends the old sessions"
    change(boss, pin=slip.pin, action="disable")
    assert site.service.accounts.by_pin(NAME, slip.pin).disabled
    change(boss, pin=slip.pin, action="enable")
    assert not site.service.accounts.by_pin(NAME, slip.pin).disabled
    assert change(boss, pin="nobody", action="reset", sure="yes").status_code == 422
    assert change(boss, pin=slip.pin, action="crown").status_code == 400


def test_volunteers_are_accepted(site: Website, boss: Visitor):
    one, other = site.service.accounts.add(NAME, 2, author="registration", pending=True)
    assert "2 volunteers are waiting" in words(boss.get("desk/judges").text)
    assert "2 volunteers are waiting" in words(boss.get("desk/").text)
    change(boss, pin=one.pin, action="accept")
    change(boss, pin=other.pin, action="disable")
    assert "waiting for approval" not in words(boss.get("desk/judges").text)
    assert not site.service.accounts.by_pin(NAME, one.pin).pending


def test_sorting_and_choosing_stay_in_the_address(site: Website, boss: Visitor):
    site.slips(2, group="b")
    site.slips(1, group="a")
    groups = re.findall(r'name="group" value="(\w+)"', boss.get("desk/judges?sort=group").text)
    assert groups == ["a", "b", "b"]
    turned = boss.get("desk/judges?sort=-group&role=judge")
    assert re.findall(r'name="group" value="(\w+)"', turned.text) == ["b", "b", "a"]
    assert "?sort=group&amp;role=judge" in turned.text or "role=judge&amp;sort=group" in turned.text
    assert 'aria-sort="descending"' in turned.text
    assert "Coordinator" not in re.findall(r"<tbody>.*</tbody>", turned.text, re.S)[0]


def test_names_are_beside_the_pins_and_can_be_searched(site: Website, boss: Visitor):
    slips = site.slips(3)
    change(boss, pin=slips[0].pin, action="place", note="Carmen, Vigo")
    assert site.service.accounts.by_pin(NAME, slips[0].pin).note == "Carmen, Vigo"
    found = boss.get("desk/judges?words=vigo").text
    shown = [slip.pin for slip in slips if f"judge/{slip.pin}" in found]
    assert shown == [slips[0].pin]
    assert "No account matches" in words(boss.get("desk/judges?words=nobody").text)
    assert "Carmen, Vigo" in words(boss.get("desk/progress").text)
    assert "Carmen" not in str(site.service.campaigns.tables(NAME)), "names stay out of the tables"
    assert "Carmen" not in boss.get("desk/log").text


def test_several_accounts_are_changed_at_once(site: Website, boss: Visitor):
    slips = site.slips(3)
    page = boss.get("desk/judges")
    picked = {"pick": [slip.pin for slip in slips[:2]]}

    def several(**sent):
        return boss.post("desk/judges/several", sent, key=form_key(page))

    several(**picked, action="group", value="evening")
    several(**picked, action="disable")
    accounts = [site.service.accounts.by_pin(NAME, slip.pin) for slip in slips]
    assert [(one.group, one.disabled) for one in accounts] == [
        ("evening", True),
        ("evening", True),
        ("", False),
    ]
    several(**picked, action="enable")
    assert not site.service.accounts.by_pin(NAME, slips[0].pin).disabled
    assert "Select at least one" in words(several(action="enable").text)
    assert several(**picked, action="crown").status_code == 400


def test_last_seen_is_the_same_on_all_pages(site: Website, boss: Visitor):
    judge = site.setting.judges(3)[0]
    site.setting.start()
    site.setting.kit(judge.id)
    for page in ("judges", "progress"):
        row = boss.get(f"desk/{page}").text.partition(f"judge/{judge.pin}")[2].partition("</tr>")[0]
        assert "<time" in row, page


@pytest.mark.parametrize(("action", "left"), [("return", 1), ("exclude", 0), ("redo", 0)])
def test_kits_are_returned_excluded_and_done_again(site: Website, boss: Visitor, action, left):
    judge = site.setting.judges(3)[0]
    site.setting.start()
    for _ in range(2):  # the tutorial, then a kit
        site.setting.kit(judge.id)
    address, key = f"desk/judge/{judge.pin}/kits", form_key(boss.get("desk/judges"))
    offered = words(boss.get(f"desk/judge/{judge.pin}").text)
    # neither of the kits is unfinished
    assert ("Exclude all judgments" in offered, "Return unfinished" in offered) == (True, False)
    asked = boss.post(address, {"action": action}, key=key)
    assert judge.pin in words(asked.text).partition("?")[0]
    sent = {"action": action, "sure": "yes"}
    assert boss.post(address, sent, key=key).status_code == 200
    rows = site.service.campaigns.tables(NAME)["judgments"]
    assert set(rows["status"]) == {"valid"}, "nothing without a reason"
    told = boss.post(address, {**sent, "reason": "Did not look"}, key=key)
    assert ("nothing was changed" in words(told.text)) == bool(left)
    rows = site.service.campaigns.tables(NAME)["judgments"]
    assert ("valid" in set(rows["status"])) == bool(left)
    listed = words(boss.get("desk/results").text)
    assert ("Did not look" in listed) == (not left), "the results say what they leave out, and why"
    assert boss.post(address, {"action": "burn"}, key=key).status_code == 400
