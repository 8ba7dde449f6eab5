"""What scripts do over the HTTP API, and who may do it."""

import json
import re
from threading import Event
from typing import Any, get_args

import pytest
from starlette.testclient import TestClient

from jurat import api_types
from jurat.campaigns.api_tokens import SCOPES
from jurat.campaigns.lifecycle import Action
from jurat.campaigns.monitoring.on_track import Level
from jurat.campaigns.monitoring.sections import Section
from jurat.store.account_records import Role
from jurat.store.records import PhaseState
from jurat.web.api.operation import OPERATIONS
from jurat.yamlfile import dump
from tests.campaigns.sample_campaigns import NAME, make_set, plan, task
from tests.web.api.conftest import client_of
from tests.web.website import Website

PARAMETER = re.compile(r"\{(\w+)\}")
HERE = f"campaigns/{NAME}"


def created(script: TestClient, name: str, protocol: str = "da") -> None:
    declared = dump({**plan(task(protocol)), "name": name}).encode()
    files = [("files", ("campaign.yaml", declared)), ("files", ("set.jsonl", make_set()))]
    told = script.post("campaigns", files=files)
    assert told.status_code == 201, told.text


def test_the_contract_has_the_words_of_the_service():
    pairs = [("Action", Action), ("Section", Section), ("PhaseState", PhaseState)]
    for name, own in (*pairs, ("Role", Role), ("Level", Level)):
        assert get_args(getattr(api_types, name)) == get_args(own), name
    assert get_args(api_types.Scope) == SCOPES


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_does_what_its_scope_says(site: Website, scope: str):
    client = client_of(site, scope)
    for one in OPERATIONS:
        if one.scope in (None, scope):
            continue
        path = PARAMETER.sub(lambda found: NAME if found[1] == "campaign" else "csv", one.path)
        told = client.request(one.method, path.lstrip("/"))
        assert (told.status_code, told.json()["error"]["code"]) == (403, "scope"), one.path


def test_without_a_valid_token_nobody_learns_anything(site: Website):
    client = client_of(site, "read")
    tokens = site.service.api_tokens
    assert client.get("campaigns").status_code == 200
    (own, *_) = tokens.all()
    tokens.revoke(own.id, author="test")
    told = client.get("campaigns")
    assert (told.status_code, told.headers["www-authenticate"]) == (401, "Bearer")
    client.headers["Authorization"] = "Bearer jurat_nonsense"
    nothing = {client.get(path).text for path in (HERE, "campaigns/nowhere", "token")}
    assert len(nothing) == 1
    del client.headers["Authorization"]
    assert client.get("campaigns").status_code == 401
    assert "set-cookie" not in told.headers


def test_an_expired_token_and_that_of_a_disabled_coordinator_end(site: Website):
    people, tokens = site.service.coordinators, site.service.api_tokens
    people.add("Grace", author="test")
    made = tokens.add("Grace", "once", ["read"], author="test", days=1)
    assert tokens.admit(made.secret).used is None
    people.disable("Grace", author="test")
    (stored,) = [one for one in tokens.all() if one.id == made.stored.id]
    assert stored.used is not None
    assert not tokens.works(stored)
    people.disable("Grace", author="test", disabled=False)
    assert not tokens.works(made.stored, made.stored.expires)
    # the secret is in no row of the store
    assert made.secret not in repr(tokens.all())


def test_guesses_are_slowed_down(site: Website, monkeypatch: pytest.MonkeyPatch):
    client = site.visitor().client
    client.headers["Authorization"] = "Bearer jurat_guess"
    limit = site.service.rate_limit
    monkeypatch.setattr("jurat.campaigns.rate_limit.FREE", 0)
    limit.count("testclient")
    (known,) = limit._addresses.values()
    known.next_free = site.setting.watch() + site.setting.watch().resolution * 10_500_000
    told = client.get("/api/v1/campaigns")
    assert (told.status_code, told.json()["error"]["code"]) == (429, "too-many-attempts")
    limit._addresses.clear()


def test_a_campaign_from_its_creation_to_its_deletion(site: Website, script: TestClient):
    created(script, "second")
    assert script.patch("campaigns/second", json={"title": "Spring"}).json()["title"] == "Spring"
    refused = script.patch("campaigns/second", json={"titel": "Spring"})
    assert refused.status_code == 422
    assert "did you mean 'title'?" in refused.json()["error"]["message"]
    assert not script.get("campaigns/second/audit").json()["ready"]
    told = script.post("campaigns/second/phases", json={"action": "start"})
    assert told.status_code == 422
    sent = {"count": 3, "group": "left", "once": "word"}
    slips = script.post("campaigns/second/judges", json=sent).json()
    assert len(slips) == 3
    assert script.post("campaigns/second/judges", json=sent).status_code == 409
    judge = site.visitor("second")
    assert judge.client.get(slips[0]["link"]).status_code == 200
    assert judge.inside
    started = script.post("campaigns/second/phases", json={"action": "start"}).json()
    assert started == [{"task": "rating", "phase": "evaluation", "state": "started"}]
    assert script.delete("campaigns/second").status_code == 428
    archive = script.get("campaigns/second/archive")
    pin = slips[1]["pin"]
    changed = script.patch(f"campaigns/second/judges/{pin}", json={"disabled": True})
    assert changed.json()["disabled"]
    # the account was disabled since: the archive is not complete
    late = script.delete("campaigns/second", headers={"If-Match": archive.headers["etag"]})
    assert (late.status_code, late.json()["error"]["code"]) == (412, "changed")
    archive = script.get("campaigns/second/archive")
    done = script.delete("campaigns/second", headers={"If-Match": archive.headers["etag"]})
    assert done.status_code == 204
    assert script.get("campaigns/second").status_code == 404
    packed = {"content-type": "application/zip"}
    assert script.post("campaigns", content=archive.content, headers=packed).status_code == 201
    assert {one["pin"] for one in script.get("campaigns/second/judges").json()} == {
        one["pin"] for one in slips
    }
    authors = {entry["author"] for entry in script.get("campaigns/second/log").json()}
    assert authors == {"Ada (read+judges+manage)"}


def test_judgments_come_once_each_and_in_order(site: Website, script: TestClient):
    seen: list[dict[str, object]] = []
    after, sizes = 0, []
    while True:
        told = script.get(f"{HERE}/judgments", params={"after": after, "most": 5})
        lines = [json.loads(line) for line in told.text.splitlines()]
        sizes.append(len({line["number"] for line in lines}))
        seen += lines
        if (reached := int(told.headers["x-cursor"])) == after:
            break
        after = reached
    assert sizes == [5, 5, 2, 0]
    table = site.service.campaigns.tables(NAME)["judgments"]
    scores = [line for line in seen if line["table"] == "judgments"]
    assert [line["value"] for line in scores] == table["value"].to_list()
    assert [line["item"] for line in scores] == table["item"].to_list()
    # how many decisions a judge had made before is known to exports alone
    assert {*table.columns} - {*scores[0]} == {"position"}


def test_progress_and_exports_are_those_of_the_pages(site: Website, script: TestClient):
    progress = script.get(f"{HERE}/progress").json()
    assert (progress["done"], progress["wanted"], progress["on_track"]) == (12, 12, "done")
    assert {judge["pin"] for judge in progress["judges"]} == {
        one.pin for one in site.service.accounts.all(NAME)
    }
    assert script.get(f"{HERE}/export/pearmut").content.startswith(b"PK")
    assert script.get(f"{HERE}/export/nothing").status_code == 404
    assert sum(script.get(f"{HERE}/timeline").json()["totals"]) == 12


def computed(script: TestClient, path: str, **asked: str) -> Any:
    """The answer once it is computed, by a process of its own."""
    for _ in range(600):
        told = script.get(path, params=asked)
        if told.status_code != 202:
            assert told.status_code == 200, told.text
            return told
        Event().wait(0.1)
    raise AssertionError(path)


def test_segments_with_their_scores_and_the_report(script: TestClient):
    page = computed(script, f"{HERE}/segments").json()
    first = page["segments"][0]
    assert page["count"] == len(page["segments"]) > 1
    assert first["n"] > 0
    assert {*first["by_system"]} == {*page["segments"][1]["by_system"]}
    place = {name: first[name] for name in ("document", "segment")}
    one = computed(script, f"{HERE}/segment", **place).json()
    assert one["source"] == first["text"]
    assert len(one["rows"]["judgments"]) >= first["n"]
    assert computed(script, f"{HERE}/segments", words="no such words").json()["segments"] == []
    report = computed(script, f"{HERE}/report")
    assert report.text.startswith("<!doctype html>")
    assert script.get(f"{HERE}/report", params={"judges": "nobody"}).status_code == 422


def test_open_cases_are_told_without_judges(site: Website, script: TestClient):
    (task_,) = script.get(f"{HERE}/adjudication", params={"more_than": 0}).json()
    page = site.service.adjudication.contested(NAME, "rating", more_than=0)
    assert (task_["open"], task_["settled"]) == (len(page), 0)
    pins = {one.pin for one in site.service.accounts.all(NAME)}
    assert not any(pin in json.dumps(task_["cases"]) for pin in pins)
    assert computed(script, f"{HERE}/adjudication/agreement").json() == []


def test_reminders_are_sent_once(site: Website, script: TestClient):
    created(script, "waiting")
    slips = script.post("campaigns/waiting/judges", json={"count": 3}).json()
    site.service.campaigns.change_phases("waiting", "start", author="boss", anyway="test")
    assert script.get("campaigns/waiting/reminders").json() == []
    site.setting.watch.pass_by(5 * 86_400)
    due = script.get("campaigns/waiting/reminders").json()
    assert {one["pin"] for one in due} == {one["pin"] for one in slips}
    assert due[0]["last"] is None
    chosen = {"pins": [due[0]["pin"], "nobody"], "by": "hand"}
    told = script.post("campaigns/waiting/reminders", json=chosen).json()
    assert told == {"reminded": [due[0]["pin"]], "failed": {}}
    assert len(script.get("campaigns/waiting/reminders").json()) == 2


def test_a_campaign_is_prepared_as_a_draft(script: TestClient):
    draft = script.post("drafts", json={}).json()
    here = f"drafts/{draft['id']}"
    assert not draft["ready"]
    sent = {"files": ("set.jsonl", make_set())}
    assert script.post(f"{here}/files/test_set", files=sent).json()["files"]
    assert script.post(f"{here}/files/nowhere", files=sent).status_code == 404
    fields = {"title": "From a draft", "tasks": plan(task("da"))["tasks"], "tasks.1.wanted": "x"}
    problems = script.patch(here, json=fields).json()["problems"]
    assert [one["field"] for one in problems] == ["name", "tasks.1.wanted"]
    ready = script.patch(here, json={"name": "drafted", "tasks.1.wanted": 2}).json()
    assert ready["ready"], ready["problems"]
    assert ready["kits"] > 0
    assert "title: From a draft" in script.get(f"{here}/campaign.yaml").text
    made = script.post(f"{here}/campaign")
    assert (made.status_code, made.json()["name"]) == (201, "drafted")
    assert script.get(here).status_code == 404
    copy = script.post("drafts", json={"copy_of": "drafted"}).json()
    assert copy["declaration"]["name"] == "drafted-2"
    assert copy["id"] in {one["id"] for one in script.get("drafts").json()}
    assert script.delete(f"drafts/{copy['id']}").status_code == 204
    assert script.delete(f"drafts/{copy['id']}").status_code == 404
    assert script.post("drafts", json={"copy_of": "nothing"}).status_code == 404


def test_messages_and_kits(script: TestClient):
    created(script, "third")
    (slip,) = script.post("campaigns/third/judges", json={"count": 1}).json()
    told = script.post("campaigns/third/messages", json={"text": "Hi", "to": slip["pin"]})
    assert told.status_code == 204
    (message,) = script.get("campaigns/third/messages").json()
    assert (message["text"], message["to"]) == ("Hi", slip["pin"])
    assert script.delete(f"campaigns/third/messages/{message['id']}").status_code == 204
    assert script.get("campaigns/third/messages").json()[0]["withdrawn_at"]
    assert script.delete("campaigns/third/messages/none").status_code == 404
    change = {"action": "return", "reason": "ill"}
    kits = script.post(f"campaigns/third/judges/{slip['pin']}/kits", json=change)
    assert kits.json() == {"kits": 0}
    new = script.post(f"campaigns/third/judges/{slip['pin']}/password").json()
    assert new["password"] != slip["password"]


def test_the_page_makes_a_token_shows_it_once_and_revokes_it(site: Website):
    handed = site.service.coordinators.add("Alan", author="test")
    browser = site.visitor()
    browser.base = "/desk/"
    browser.post("login", {"name": handed.name, "password": handed.password})
    made = browser.post("tokens", {"name": "nightly", "scope": ["read"], "days": "30"})
    assert made.status_code == 200
    secret = made.text.partition("<dd>jurat_")[2].partition("<")[0]
    assert secret
    assert secret not in browser.get("tokens").text
    own = {"Authorization": f"Bearer jurat_{secret}"}
    client = site.visitor().client
    assert client.get("/api/v1/token", headers=own).json()["coordinator"] == "Alan"
    assert browser.post("tokens", {"name": "", "scope": ["read"], "days": "30"}).status_code == 422
    (token,) = [one for one in site.service.api_tokens.all() if one.coordinator == "Alan"]
    browser.post("tokens", {"action": "revoke", "token": token.id})
    assert client.get("/api/v1/token", headers=own).status_code == 401
    logged = [entry.action for entry in site.setting.store.site_log()]
    assert logged[-2:] == ["add token", "revoke token"]
