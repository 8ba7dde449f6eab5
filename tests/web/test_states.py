"""Every page in every state that a campaign can be in: never an error of the server's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, get_args

import pytest
from starlette.routing import Route

from jurat.campaigns import Screen, auth
from jurat.campaigns.monitoring.sections import Section
from jurat.campaigns.monitoring.worker import WorkerProcess, WorkerState
from jurat.campaigns.questionnaires import QuestionnaireDue
from jurat.errors import InputError
from jurat.store import NewJudge
from jurat.web.adjudicator import routes as case_routes
from jurat.web.coordinator import routes as desk_routes
from jurat.web.coordinator import site_routes
from jurat.web.judge import routes as judge_routes
from tests.campaigns.sample_campaigns import NOW, Setting
from tests.web.campaign_states import STATES
from tests.web.website import Visitor, Website, website

OPEN = ("/", "/guidelines/{task}")
ROLES = ("judge", "adjudicator", "coordinator", "guest", "nobody")
PAGES = {
    "judge": ("", judge_routes),
    "coordinator": ("desk", desk_routes),
    "adjudicator": ("cases", case_routes),
    "guest": ("", [route for route in judge_routes if route.path.startswith("/guest")]),
    "nobody": ("", [route for route in judge_routes if route.path in OPEN]),
}
"""The folder and the routes of each role's pages."""


class InThisProcess(WorkerProcess):
    """Computes results at once, so that every page has its numbers when it is asked for."""

    state: WorkerState
    broken: list[Exception]

    def submit(self, work: Callable[..., Any], *arguments: Any, low_priority: bool = False) -> Any:
        done: Future[Any] = Future()
        try:
            done.set_result(work(self.state, *arguments))
        except InputError as error:
            done.set_exception(error)
        except Exception as error:
            self.broken.append(error)
            raise
        return done


class Town:
    """One site with a campaign in each state, and people of every role in each of them."""

    def __init__(self, site: Website, worker: InThisProcess) -> None:
        self.site = site
        self.worker = worker
        self._clients = {role: site.visitor().client for role in ROLES}
        self._reached: set[str] = set()

    def setting(self, state: str) -> Setting:
        """The campaign in this state."""
        found = self.site.setting.within(state)
        if state not in self._reached:
            STATES[state](found)
            self._reached.add(state)
        return found

    def visitor(self, role: str, state: str) -> Visitor:
        """Somebody of this role in the campaign; cookies hold for one campaign each."""
        visitor = Visitor(self._clients[role], f"/c/{state}/")
        if role == "guest":
            visitor.be_guest()
        elif role != "nobody":
            visitor.get(f"link/{self._token(role, state)}", follow_redirects=False)
        return visitor

    def _token(self, role: Any, state: str) -> str:
        """A personal link of the state's last judge, or of a new adjudicator or coordinator."""
        store, token = self.site.setting.store, auth.new_token()
        hashed = auth.hash_token(token)
        judges = [one for one in store.judges(state) if one.role == "judge"]
        if role == "judge" and judges:
            slip = self.site.service.accounts.reset(state, judges[-1].pin, author="boss")
            return slip.token
        new = NewJudge(pin=f"walks-{role}", role=role, token_hash=hashed)
        store.add_judges(state, [new], author="boss", now=NOW)
        return token


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    with website(tmp_path_factory.mktemp("town")) as site:
        worker = InThisProcess(site.setting.store.address)
        worker.state, worker.broken = WorkerState(site.setting.store.address), []
        site.service.monitoring.results._worker = worker
        yield Town(site, worker)


def addresses(role: str, setting: Setting) -> Iterator[tuple[str, str]]:
    """Each route of a role's pages that can be opened, with an address that leads somewhere."""
    folder, routes = PAGES[role]
    values = place(setting)
    for route in routes:
        assert isinstance(route, Route)
        if "GET" in (route.methods or ()):
            for path in every_variant(route.path):
                filled = re.sub(r"\{(\w+)(:\w+)?\}", lambda name: values[name[1]], path)
                yield route.path, f"{folder}{filled}".lstrip("/")


def every_variant(path: str) -> list[str]:
    """A route for every section of the results and every task."""
    if "{section}" in path:
        return [path.replace("{section}", name) for name in get_args(Section)]
    if "{task}" in path:
        return [path.replace("{task}", name) for name in ("rating", "comparing")]
    return [path]


def place(setting: Setting) -> dict[str, str]:
    """Values for the parts of addresses, as far as the state has any."""
    store, name = setting.store, setting.name
    judges = [one for one in store.judges(name) if one.role == "judge"]
    step = None
    if judges and judges[-1].active:
        with suppress(QuestionnaireDue):
            step = setting.service.judging.next(name, judges[-1].id)
    assignment = step.assignment if isinstance(step, Screen) else "none"
    item = next(iter(store.kits(name, phase="evaluation"))).items[0]
    return {
        "task": "rating",
        "assignment": assignment,
        "position": "1",
        "token": "x",
        "pin": judges[0].pin if judges else "nobody",
        "name": "cedar",
        "number": "1",
        "ending": "csv",
        "document": item.document,
        "segment": item.segment,
        "key": item.id,
        "kind": "csv",
        "moment": "before",
        "digest": "0" * 64,
    }


def intended(role: str, route: str) -> set[int]:
    """The answers that are right for somebody of a role on their own pages."""
    if route.endswith("/report/file"):
        # where there is nothing to report, back to the page that says so
        return {200, 303}
    if route == "/enter":
        # only a platform's address says who comes
        return {400, 403}
    if "{" not in route and role in ("coordinator", "adjudicator"):
        return {200}
    return {
        # there may be no judge, and nothing that is a file
        "coordinator": {200, 303, 404},
        # a case may belong to the other task
        "adjudicator": {200, 303, 422},
        # scripts are told that a questionnaire is due
        "judge": {200, 303, 401, 403, 404, 409, 422},
        # not every state has every task
        "guest": {200, 303, 403},
        "nobody": {200, 404},
    }[role]


@pytest.mark.parametrize("state", STATES)
def test_no_page_breaks(town: Town, state: str):
    setting = town.setting(state)
    for role in ROLES:
        visitor = town.visitor(role, state)
        for route, path in addresses(role, setting):
            told = visitor.get(path, follow_redirects=False)
            assert told.status_code in intended(role, route), (role, path, told.status_code)
    assert not town.worker.broken


@pytest.mark.parametrize("state", STATES)
def test_pages_say_what_happens(town: Town, state: str):
    """The overview, the next step and the coordinator's progress agree on what a judge can do."""
    setting = town.setting(state)
    for one in setting.service.monitoring.status(state).judges:
        judge = one.account
        if not judge.active:
            continue
        visitor = Visitor(town.site.visitor().client, f"/c/{state}/")
        slip = setting.service.accounts.reset(state, judge.pin, author="boss")
        home = visitor.get(f"link/{slip.token}").text
        offered = bool(
            re.search(r'button main" href="[^"]*/(judge|guidelines/\w+\?start=1)"', home)
        )
        page = visitor.get("judge").text
        if 'class="personal"' in home:
            assert 'class="personal"' in page
            continue
        assert offered == ('class="step' in page)
        pauses = "<time" in home
        assert offered == (one.next is not None and not pauses)
        # who has nothing left is thanked, and can say something
        if not offered:
            assert ("<textarea" in home) == ("<textarea" in page)


@pytest.mark.parametrize("content", [None, {"name": "half"}, {"tasks": [{"name": 1}]}, "copy"])
def test_no_page_of_the_site_breaks(town: Town, content: Any):
    """With a draft that is empty, begun, wrong, or a copy of a campaign."""
    town.setting("everything-finished")
    drafts = town.site.service.drafts
    if content == "copy":
        draft = drafts.copy("everything-finished", author="ada")
    else:
        draft = drafts.new(author="ada")
        drafts.set_fields(draft.id, content or {})
    visitor = Visitor(town.site.visitor().client, "/desk/")
    ada = town.site.service.coordinators.add(f"ada {draft.id}", author="boss")
    visitor.post("login", {"name": ada.name, "password": ada.password})
    for route in site_routes:
        if "GET" in (route.methods or ()):
            path = route.path.replace("{key}", draft.id)
            path = path.replace("{token}", "x").replace("{digest}", "0" * 64)
            told = visitor.get(path.lstrip("/"), follow_redirects=False)
            known = {403, 404} if route.path.endswith(("{token}", "{digest}")) else {200}
            assert told.status_code in known, (path, told.status_code)
