"""Small campaigns, made from files as coordinators make them, and people who work on them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Self

import msgspec

from jurat.bots import Truth, panel
from jurat.campaigns import Outcome, Rest, Screen, Service, Submission, auth
from jurat.campaigns.accounts import Slip
from jurat.campaigns.simulate import Driver, Stopwatch
from jurat.errors import input_error
from jurat.model import File
from jurat.store import Account, Campaign, Decision, NewJudge, Store, StoredDecision
from jurat.yamlfile import dump
from tests.event_loop import awaited

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
SYSTEMS = ("cedar", "birch", "willow")
QUALITIES = dict(zip(SYSTEMS, (0.9, 0.6, 0.25), strict=True))
SAMPLE = Path(__file__).parents[2] / "src" / "jurat" / "sample"
NAME = "try"
PASSWORD = "everybody's"


def head(documents: Iterable[str], systems: Iterable[str] = SYSTEMS) -> dict[str, object]:
    asked = {"ask": "Who came?", "options": ["he", "she", "they"], "answer": 2}
    return {
        "systems": [{"name": name, "site": f"site-of-{name}"} for name in systems],
        "documents": [{"id": name, "comprehension": [asked, asked]} for name in documents],
    }


def segment(document: str, n: int, systems: Iterable[str] = SYSTEMS, **more: Any) -> dict[str, Any]:
    """Texts that are all different, and in which no name of a system or document stands."""
    place = f"{sum(map(ord, document))}-{n}"
    made = {
        name: " ".join(f"{word}-{place}-{k}" for word in ("some", "words", "stand", "here"))
        for k, name in enumerate(systems)
    }
    return {
        "document": document,
        "segment": str(n),
        "source": f"fuente {place}",
        "references": {"A": f"first wording {place}", "B": f"second wording {place}"},
        "translations": made,
        "concepts": ["who", "when"],
        **more,
    }


def make_set(documents: int = 2, segments: int = 2, *, kind: str = "paper") -> bytes:
    names = [f"{kind}{n}" for n in range(1, documents + 1)]
    lines = [head(names)] + [segment(d, n) for d in names for n in range(1, segments + 1)]
    return jsonl(lines)


def jsonl(lines: Iterable[Mapping[str, object]]) -> bytes:
    return "\n".join(json.dumps(line) for line in lines).encode()


def task(protocol: str = "da", **more: Any) -> dict[str, Any]:
    return {"name": "rating", "protocol": protocol, **more}


def plan(*tasks: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": NAME, "test_set": "set.jsonl", "tasks": list(tasks or [task()]), **more}


def admit(store: Store, campaign: str, count: int, **more: Any) -> list[Slip]:
    """Accounts that all have the same password: to hash one takes time."""
    pins = auth.new_pins(count, {one.pin for one in store.judges(campaign)})
    slips = [Slip(pin=pin, password=PASSWORD, token=auth.new_token(), **more) for pin in pins]
    tokens = [auth.hash_token(slip.token) for slip in slips]
    new = [
        NewJudge(pin=pin, password_hash=hashed(PASSWORD), token_hash=token, **more)
        for pin, token in zip(pins, tokens, strict=True)
    ]
    store.add_judges(campaign, new, author="boss", now=NOW)
    return slips


hashed = cache(auth.hash_password)


def fetching(files: Mapping[str, bytes]) -> Callable[[str], File]:
    def fetch(name: str) -> File:
        if name not in files:
            raise input_error("there is no such file", file=name)
        return File(name, files[name])

    return fetch


class Setting:
    """A service with a clock that stands still, and what people do through it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.watch = Stopwatch(NOW)
        self.service = Service(store, clock=self.watch)
        self.name = NAME
        """The campaign in which people work."""

    def within(self, name: str) -> Self:
        """The same service and clock, for another campaign."""
        other = copy(self)
        other.name = name
        return other

    def create(self, declared: Mapping[str, object] | None = None, **files: bytes) -> Campaign:
        """A campaign from a plan; test sets go by the first part of their names, media by paths."""
        named = {n if "/" in n else f"{n}.jsonl": data for n, data in files.items()}
        known = {"set.jsonl": make_set()} | named
        text = dump(declared or plan()).encode()
        made = File("campaign.yaml", text)
        return self.service.campaigns.create(made, fetching(known), author="boss")

    def sample(self) -> Campaign:
        known = {path.name: path.read_bytes() for path in SAMPLE.iterdir() if path.is_file()}
        made = File("campaign.yaml", known["campaign.yaml"])
        return self.service.campaigns.create(made, fetching(known), author="boss")

    def judges(self, count: int, name: str = "", **more: Any) -> list[Account]:
        """Accounts without passwords: to hash them takes time."""
        there = len(self.store.judges(name or self.name))
        new = [NewJudge(pin=f"p{n}", **more) for n in range(there, there + count)]
        return list(self.store.add_judges(name or self.name, new, author="boss", now=self.watch()))

    def start(self, name: str = "") -> None:
        self.service.campaigns.change_phases(name or self.name, "start", author="boss")

    def launch(
        self, declared: Mapping[str, object] | None = None, judges: int = 6, **files: bytes
    ) -> list[str]:
        """A campaign that has begun; the ids of its judges."""
        self.create(declared, **files)
        made = self.judges(judges)
        self.start()
        return [one.id for one in made]

    def next(self, judge: str, *, go_on: bool = False) -> Screen:
        step = self.service.judging.next(self.name, judge, go_on=go_on)
        assert isinstance(step, Screen), step
        return step

    def rest(self, judge: str, *, go_on: bool = False) -> Rest:
        rest = self.service.judging.next(self.name, judge, go_on=go_on)
        assert isinstance(rest, Rest), rest
        return rest

    def sent(self, judge: str, step: Screen, quality: float = 0.6) -> Submission:
        """Legal answers to a step, of somebody who finds the translations this good."""
        turn = self.store.step(self.name, judge, step.assignment, step.position)
        protocol = self.service.campaigns.protocol(self.name, step.task)
        answers = dict(step.earlier)
        seen = [quality - n / 10 for n in range(len(turn.item.translations))]
        for question in protocol.asked(answers, stage=step.stage):
            answers[question.id] = question.simulate(turn.item, seen, Random(1))
        own = {name: answer for name, answer in answers.items() if name not in step.earlier}
        return Submission(assignment=step.assignment, position=step.position, answers=own)

    def decide(
        self, judge: str, step: Screen, quality: float = 0.6, *, go_on: bool = False
    ) -> tuple[Decision, Screen | Rest]:
        sent = self.sent(judge, step, quality)
        self.watch.pass_by(10)
        return self.service.judging.submit(self.name, judge, sent, go_on=go_on)

    def revise(self, judge: str, sent: Submission, *, revision: int) -> Outcome:
        changed = msgspec.structs.replace(sent, revision=revision)
        return awaited(self.service.judging.decide(self.name, judge, changed))

    def kit(self, judge: str, quality: float = 0.6, *, go_on: bool = False) -> list[Screen]:
        """One kit from beginning to end; its screens."""
        step: Screen | Rest = self.next(judge, go_on=go_on)
        seen = []
        while isinstance(step, Screen):
            seen.append(step)
            decided, step = self.decide(judge, step, quality, go_on=go_on)
            if decided.finished:
                break
        return seen

    def all_kits(self, judge: str, quality: float = 0.6) -> list[Screen]:
        """Everything that a judge can get, until they have to rest."""
        seen: list[Screen] = []
        step = self.service.judging.next(self.name, judge, go_on=True)
        while isinstance(step, Screen):
            seen.append(step)
            _, step = self.decide(judge, step, quality, go_on=True)
        return seen

    def play(self, name: str = "", *, seed: int = 1, **problems: float) -> dict[str, Rest]:
        """Let bots fill the campaign."""
        name = name or self.name
        accounts = [one.id for one in self.store.judges(name)]
        bots = panel([f"bot {n}" for n in range(len(accounts))], seed=seed, **problems)
        systems = [system.name for system in self.store.test_set(name).systems]
        truth = Truth(
            qualities={s: QUALITIES.get(s, {"bramble": 0.1}.get(s, 0.5)) for s in systems}
        )
        bound = dict(zip(accounts, bots, strict=True))
        return Driver(self.service, name, bound, truth, self.watch).run()

    def decisions(self, name: str = "") -> list[StoredDecision]:
        return list(self.store.decisions(name or self.name))
