"""A server with campaigns of any protocol, for tests that look at it through a browser."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

import uvicorn
from playwright.sync_api import Page

from jurat.campaigns import Service
from jurat.campaigns.accounts import Slip
from jurat.campaigns.service_context import Clock, utc_now
from jurat.model import File
from jurat.store import Store, StoredDecision
from jurat.web import create_app
from jurat.yamlfile import dump
from tests.campaigns.sample_campaigns import admit, fetching, jsonl

PATIENCE = 30
"""Seconds."""
SYSTEMS = ("cedar", "birch", "willow")
ASKED = (
    {"ask": "What happened to the bridge?", "options": ["Sold", "Closed", "Moved"], "answer": 2},
    {"ask": "Who decided it?", "options": ["The mayor", "The minister"], "answer": 1},
)
SENTENCES: tuple[dict[str, Any], ...] = (
    {
        "source": "El puente viejo se cerró el martes por orden del alcalde.",
        "references": {
            "A": "The old bridge was closed on Tuesday by order of the mayor.",
            "B": "On Tuesday the mayor had the old bridge closed.",
        },
        "translations": {
            "cedar": "The old bridge was closed Tuesday by order of the mayor.",
            "birch": "The bridge old closed himself on Tuesday for order of mayor.",
            "willow": "The mayor ordered on Thursday the old people to the bridge.",
        },
        "concepts": ["the old bridge", "closed", "on Tuesday"],
    },
    {
        "source": "Los comerciantes dicen que ya pierden clientes.",
        "references": {
            "A": "Shopkeepers say that they are already losing customers.",
            "B": "Traders report that customers are staying away.",
        },
        "translations": {
            "cedar": "The shopkeepers say they are already losing customers.",
            "birch": "The merchants say that already lose clients.",
            "willow": "Commerce says the lost are no longer customers.",
        },
        "concepts": ["shopkeepers", "losing", "customers"],
    },
)
"""Two sentences with all that any protocol shows of them."""


def make_set(
    sentences: Iterable[Mapping[str, Any]] = SENTENCES,
    *,
    documents: int = 1,
    source_language: str = "es",
    target_language: str = "en",
    asked: Iterable[Mapping[str, Any]] = ASKED,
) -> bytes:
    """A test set of so many documents, each with these sentences."""
    names = [f"paper{n}" for n in range(1, documents + 1)]
    sentences, asked = list(sentences), list(asked)
    about = {
        "source_language": source_language,
        "target_language": target_language,
        "systems": [{"name": name} for name in sentences[0]["translations"]],
        "documents": [{"id": name, "comprehension": asked} for name in names],
    }
    lines = [
        {"document": name, "segment": str(n), **sentence}
        for name in names
        for n, sentence in enumerate(sentences, 1)
    ]
    return jsonl([about, *lines])


@dataclass(frozen=True)
class Running:
    """A campaign that has begun, and its first judge."""

    name: str
    url: str
    slips: list[Slip]
    service: Service
    store: Store

    @property
    def pin(self) -> str:
        return self.slips[0].pin

    @property
    def password(self) -> str:
        return self.slips[0].password

    @property
    def link(self) -> str:
        """The first judge's personal link."""
        return self.link_of(0)

    def link_of(self, judge: int) -> str:
        return f"{self.url}link/{self.slips[judge].token}"

    @property
    def judge(self) -> str:
        """The id of the first judge's account."""
        return self.service.accounts.by_pin(self.name, self.pin).id

    def enter(self, page: Page, judge: int = 0) -> Page:
        """Let a judge in and put him before his next step."""
        page.request.get(self.link_of(judge), max_redirects=0)
        page.goto(f"{self.url}judge")
        return page

    def decisions(self) -> list[StoredDecision]:
        """What is stored, in the order of deciding."""
        return list(self.store.decisions(self.name))

    def answers(self) -> list[dict[str, object]]:
        """The answers that are stored, in the order of deciding."""
        return [dict(one.answers) for one in self.decisions()]

    def stored(self, number: int) -> list[dict[str, object]]:
        """The answers, as soon as so many are stored: the browser sends them in its own time."""
        end = time.monotonic() + PATIENCE
        while len(found := self.answers()) < number and time.monotonic() < end:
            time.sleep(0.02)
        return found


class Site:
    """A running server; every campaign on it is one test's own."""

    def __init__(self, url: str, service: Service, store: Store) -> None:
        self.url = url
        self.service = service
        self.store = store
        self._numbers = count(1)

    def campaign(
        self,
        protocol: str | Mapping[str, Any] = "tapet-adequacy",
        *,
        test_set: bytes | None = None,
        tutorial: bytes | None = None,
        task: Mapping[str, Any] | None = None,
        tasks: Iterable[Mapping[str, Any]] | None = None,
        files: Mapping[str, bytes] | None = None,
        judges: int = len(SYSTEMS),
        start: bool = True,
        name: str = "",
        **plan: Any,
    ) -> Running:
        """A campaign with one task of this protocol, started, with judges.

        `task` adds to the task's plan, `tasks` replaces it, all else goes into the campaign's plan
        (`shading=False`, `guest=True`); a tutorial set adds a tutorial kit that must be done.
        `files` holds protocols of the test's own, and other test sets, by name.
        """
        name = name or f"try{next(self._numbers)}"
        taught = {"required": {"tutorial": 1}} if tutorial else {}
        own = {"name": "rating", "protocol": protocol, **taught, **(task or {})}
        declared = {"name": name, "test_set": "set.jsonl", "tasks": list(tasks or [own]), **plan}
        known = {"set.jsonl": test_set or make_set(), **(files or {})}
        if tutorial:
            declared["tutorial"] = "tutorial.jsonl"
            known["tutorial.jsonl"] = tutorial
        made = File("campaign.yaml", dump(declared).encode())
        self.service.campaigns.create(made, fetching(known), author="boss")
        slips = admit(self.store, name, judges)
        if start:
            self.service.campaigns.change_phases(name, "start", author="boss")
        return Running(name, f"{self.url}/c/{name}/", slips, self.service, self.store)


@contextmanager
def serving(store: Store, *, port: int = 0, clock: Clock = utc_now) -> Iterator[Site]:
    """The application over a store, on a port that was free, or on this one."""
    service = Service(store, clock=clock)
    config = uvicorn.Config(
        create_app(service),
        port=port,
        log_level="warning",
        access_log=False,
        # Playwright sends its own requests over connections that it keeps, and fails if one is
        # closed just then: on a busy machine five seconds of silence are soon over
        timeout_keep_alive=600,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Site(f"http://127.0.0.1:{port}", service, store)
    finally:
        server.should_exit = True
        thread.join()
