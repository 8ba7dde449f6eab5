"""What the page's script is told over HTTP: what became of a decision, and what comes next."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response

from jurat.store import StoreBusy, StoreFailed, StoreFull, StoreUnreachable
from tests.campaigns.sample_campaigns import NAME, NOW, make_set, plan, task
from tests.web.website import Visitor, Website, form_key, website


class Script:
    """The script of a judge's page."""

    def __init__(self, site: Website) -> None:
        self.site = site
        self.visitor: Visitor = site.visitor().follow(site.slips()[0])
        self.key = form_key(self.visitor.get("judge"))

    def get(self, path: str) -> Any:
        told = self.visitor.get(f"api/{path}")
        assert told.status_code == 200, told.text
        return told.json()

    def send(self, path: str, body: object, *, method: str = "POST") -> Response:
        headers = {"x-form-key": self.key}
        told: Response = self.visitor.client.request(
            method, f"{self.visitor.base}api/{path}", json=body, headers=headers
        )
        return told

    def decide(self, key: str, answer: object = 1, **more: object) -> Response:
        assignment, _, position = key.partition("/")
        sent = {"assignment": assignment, "position": int(position), **more}
        return self.send("decide", {"answers": {"adequacy": answer}, **sent})

    def draft(self, key: str, answers: object) -> Response:
        assignment, _, position = key.partition("/")
        sent = {"assignment": assignment, "position": int(position), "answers": answers}
        return self.send("draft", sent, method="PUT")

    @property
    def here(self) -> str:
        """The key of the step that is next."""
        found: str = self.get("step")["key"]
        return found

    @property
    def stored(self) -> list[object]:
        return [one.answers["adequacy"] for one in self.site.setting.decisions()]


def started(path: Path, **more: Any) -> Iterator[Website]:
    with website(path) as site:
        declared = plan(task("tapet-adequacy", kits={"documents": 1}, **more))
        site.setting.create(declared, set=make_set(2, 4))
        site.setting.judges(6)
        site.setting.start()
        yield site


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Website]:
    """A campaign of TAP-ET's adequacy, four steps a kit."""
    yield from started(tmp_path)


@pytest.fixture
def open_site(tmp_path: Path) -> Iterator[Website]:
    """The same, where judges may change their minds."""
    yield from started(tmp_path, revise=True)


@pytest.fixture
def script(site: Website) -> Script:
    return Script(site)


def after(key: str, number: int = 1) -> str:
    assignment, _, position = key.partition("/")
    return f"{assignment}/{int(position) + number}"


def test_a_decision_is_stored_and_the_next_step_comes_with_the_answer(script: Script):
    told = script.decide(script.here, 3).json()
    assert told["saved"]
    assert script.stored == [3]
    assert told["next"]["key"] == script.here
    assert 'class="step' in told["next"]["html"]


def test_what_the_browser_has_is_not_sent_again(script: Script):
    here = script.here
    told = script.decide(here, have=["another", after(here)]).json()
    assert told["next"] == {"key": after(here)}


def test_steps_ahead_come_at_once_and_are_not_shown_by_that(script: Script):
    here = script.here
    ahead = script.get(f"ahead/{here}")
    assert [one["key"] for one in ahead] == [after(here, n) for n in (1, 2, 3)]
    assert all('class="step' in one["html"] for one in ahead)
    script.site.setting.watch.pass_by(30)
    script.decide(here)
    script.site.setting.watch.pass_by(10)
    script.decide(after(here))
    assert [one.seconds for one in script.site.setting.decisions()] == [30, 10]
    assert script.get(f"ahead/{after(here, 3)}") == []  # not reached yet


def test_after_a_kit_comes_a_page_that_tells_what_is_next(script: Script):
    here = script.here
    told = [script.decide(after(here, n)).json()["next"] for n in range(4)]
    assert [one.get("rest", False) for one in told] == [False, False, False, True]
    assert script.visitor.get(told[-1]["to"]).status_code == 200


def test_the_same_decision_again_is_acknowledged_and_stored_once(script: Script):
    here = script.here
    first, again = (script.decide(here, 4).json() for _ in range(2))
    assert first == again
    assert script.stored == [4]


def test_another_answer_to_what_was_decided_changes_nothing(script: Script):
    here = script.here
    script.decide(here, 4)
    told = script.decide(here, 1)
    assert told.status_code == 409
    assert told.json()["problem"] == "elsewhere"
    assert told.json()["next"]["key"] == after(here)
    assert script.stored == [4]


def test_a_decision_before_its_turn_waits_for_those_before_it(script: Script):
    here = script.here
    told = script.decide(after(here, 2))
    assert (told.status_code, told.json()["problem"]) == (409, "early")
    assert told.json()["next"]["key"] == here
    assert script.stored == []


def test_a_kit_that_was_taken_back(script: Script):
    here = script.here
    (pin,) = {one.pin for one in script.site.setting.store.judges(NAME) if one.seen_at}
    script.site.service.campaigns.give_back(NAME, pin, author="boss", reason="left")
    told = script.decide(here)
    assert (told.status_code, told.json()["problem"]) == (409, "gone")
    assert told.json()["next"]["key"] != here
    assert script.stored == []


def test_a_kit_of_another_judge_is_told_like_one_that_never_was(script: Script, site: Website):
    other = Script(site)
    foreign = script.decide(other.here).json()
    nobody = script.decide("no-such-kit/1").json()
    assert foreign == nobody
    assert foreign["problem"] == "gone"
    assert script.visitor.get(f"api/step/{other.here}").status_code == 404
    assert script.visitor.get(f"api/ahead/{other.here}").status_code == 404


def test_a_stopped_phase_says_why(script: Script):
    here = script.here
    script.site.service.campaigns.change_phases(
        NAME, "stop", author="boss", reason="The hall is flooded."
    )
    told = script.decide(here)
    assert told.status_code == 409
    assert told.json() == {"saved": False, "problem": "shut", "reason": "The hall is flooded."}
    script.site.setting.start()
    assert script.decide(here).json()["saved"]


def test_an_answer_for_a_closed_phase_does_not_wait_for_ever(script: Script):
    here = script.here
    script.site.service.campaigns.change_phases(NAME, "close", author="boss")
    told = script.decide(here).json()
    assert (told["saved"], told["problem"]) == (False, "gone")


def test_answers_that_are_none_are_refused_with_what_is_wrong(script: Script):
    told = script.decide(script.here, 99)
    assert told.status_code == 422
    assert told.json()["problem"] == "invalid"
    assert "allowed here" in told.json()["faults"]["adequacy"]
    assert script.stored == []


@pytest.mark.parametrize("trouble", [StoreBusy, StoreFull, StoreFailed, StoreUnreachable])
def test_trouble_of_the_servers_own_is_no_fault_of_the_answer(
    script: Script, monkeypatch: pytest.MonkeyPatch, trouble
):
    here = script.here

    def fail(*_: object, **__: object) -> None:
        raise trouble("no")

    with monkeypatch.context() as broken:
        for name in ("submit", "submit_soon"):
            broken.setattr(script.site.setting.store, name, fail)
        assert script.decide(here).status_code == 503
        form = {"assignment": here.partition("/")[0], "position": "1", "q.adequacy": "4"}
        told = script.visitor.post("judge", form, key=script.key)
        assert told.status_code == 503
        assert 'value="4" data-value="4" checked' in told.text
        assert "Please try again" in told.text
    assert script.decide(here).json()["saved"]


MALFORMED = [
    b"",
    b"{",
    b"[]",
    b'{"assignment": 1, "position": 1, "answers": {}}',
    b'{"assignment": "a", "position": "one", "answers": {}}',
    b'{"assignment": "a", "position": 1, "answers": {}, "judge": "somebody"}',
    b"\xff\xfe",
]


@pytest.mark.parametrize("body", MALFORMED, ids=str)
def test_what_is_no_decision_is_refused(script: Script, body):
    for path, method in (("decide", "POST"), ("draft", "PUT")):
        address = f"{script.visitor.base}api/{path}"
        told = script.visitor.client.request(
            method, address, content=body, headers={"x-form-key": script.key}
        )
        assert told.status_code == 400


def test_only_our_own_page_can_send(script: Script):
    here, script.key = script.here, "0" * 32
    assert script.decide(here).status_code == 403
    assert script.draft(here, {}).status_code == 403
    assert script.stored == []


def test_who_is_not_logged_in_is_told_so(script: Script):
    owner = script.get("me")["owner"]
    assert owner in {one.id for one in script.site.setting.store.judges(NAME)}
    stranger = script.site.visitor()
    for path in ("me", "step", "step/a/1", "ahead/a/1"):
        assert stranger.get(f"api/{path}").status_code == 401


def test_times_and_language_are_kept(script: Script):
    here = script.here
    script.site.setting.watch.pass_by(100)
    script.visitor.client.cookies.set("language", "hi")
    script.decide(here, active=7.0, elapsed=8.0, waited=90.0)
    script.decide(after(here), active=5.0, elapsed=5.0, waited=0.0)
    first, second = script.site.setting.decisions()
    assert (first.decided_at, first.seconds) == (NOW + timedelta(seconds=10), 10)
    assert (first.active_seconds, first.language) == (7, "hi")
    assert (second.shown_at, second.seconds) == (first.decided_at, 90)
    assert second.active_seconds == 5


def test_drafts_are_kept_for_any_device(script: Script):
    here = script.here
    assert script.draft(here, {"adequacy": 6}).status_code == 204
    assert re.search(r'value="6"[^>]* checked', script.get("step")["html"])
    assert script.draft(here, {"adequacy": {"no": ["such"]}}).status_code == 204
    assert script.visitor.get("judge").status_code == 200
    assert script.draft(after(here), {}).status_code == 409
    script.decide(here)
    assert script.draft(here, {"adequacy": 2}).status_code == 409


def test_where_decisions_are_final_nothing_is_changed(script: Script):
    here = script.here
    script.decide(here, 4)
    assert script.visitor.get(f"api/step/{here}").status_code == 409
    told = script.decide(here, 1, revision=2)
    assert told.status_code == 422
    assert script.stored == [4]


def test_a_change_is_a_new_row(open_site: Website):
    script = Script(open_site)
    here = script.here
    script.decide(here, 4)
    back = script.get(f"step/{here}")
    assert 'data-revision="2"' in back["html"]
    assert 'value="4" data-value="4" checked' in back["html"]
    for _ in range(2):
        told = script.decide(here, 1, revision=2).json()
        assert told["saved"]
        assert told["next"]["key"] == after(here)
    told = [(one.answers["adequacy"], one.status) for one in open_site.setting.decisions()]
    assert told == [(4, "superseded"), (1, "valid")]
    assert script.decide(here, 2, revision=2).json()["problem"] == "elsewhere"
    assert script.decide(here, 2, revision=9).json()["problem"] == "elsewhere"
    assert script.visitor.get(f"api/step/{after(here)}").status_code == 409  # not decided yet


def test_pages_that_may_be_kept_say_so_and_no_others(script: Script):
    assert script.visitor.get("judge").headers["jurat-keep"] == "offline"
    for path in ("", "password", "guidelines/rating", "api/step"):
        assert "jurat-keep" not in script.visitor.get(path).headers
    script.site.service.campaigns.change_phases(NAME, "stop", author="boss")
    assert "jurat-keep" not in script.visitor.get("judge").headers
