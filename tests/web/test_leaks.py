"""What is on the screen does not predict what is hidden: over HTTP, for every protocol and plan.

Each protocol is judged with and without human references among the systems, in both orders and by
every assignment policy; each kit holds a repeat and controls of every kind that the protocol takes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from random import Random
from typing import Any, TypeAlias

import pytest
from httpx2 import Response
from markupsafe import Markup
from msgspec.structs import replace
from starlette.testclient import TestClient

from jurat import protocols
from jurat.kits.items import GroupView, PlannedItem
from jurat.kits.policies import POLICIES
from jurat.kits.shown_references import ShownReferences
from jurat.model import Item, Kit, KitSteps, Segment
from jurat.web import render_step
from tests.campaigns.sample_campaigns import jsonl, plan, task
from tests.media_samples import picture
from tests.web.http_judges import HIDDEN
from tests.web.leaks import (
    Leak,
    Sample,
    exact_tail,
    find_leaks,
    hidden_truth,
    steps_in,
)
from tests.web.website import Visitor, Website, website

SYSTEMS = ("cedar", "birch", "willow")
HUMAN = ("machines", "human")
ORDERS = ("document", "shuffled")
PLANS = [f"{order}-{policy}" for order, policy in product(ORDERS, POLICIES.kinds)]
DOCUMENTS = 6
SEGMENTS = 5
WHOLE = "comprehension"
"""Its items are whole documents, which are too few for controls."""


def asks(name: str) -> tuple[object, ...]:
    """What decides what kits hold and screens show, without the words of the questions."""
    protocol = protocols.load(name)
    stages = [(*stage.show, *(type(one) for one in stage.questions)) for stage in protocol.stages]
    return (protocol.systems, protocol.one_system_per_segment, protocol.advance, *stages)


SCREENS = {asks(name): name for name in reversed(protocols.names())}
"""One protocol of each screen: `test_blind.py` plays all of them."""


def text(*seed: object) -> str:
    """Six words of five Greek letters; another seed, other words."""
    random = Random(str(seed))
    return " ".join("".join(random.choices("αβγδεζηθικλμνξοπρστυφχψω", k=5)) for _ in range(6))


def segment(protocol: str, document: int, n: int) -> dict[str, Any]:
    """A segment: of each document's five, one is gold and one an easy control, anywhere in it."""
    place = (document, n)
    two = {"systems": SYSTEMS[:2]} if protocols.load(protocol).systems == "two" else {}
    gold, easy = (2 * document) % SEGMENTS, (2 * document + 2) % SEGMENTS
    tags = {"gold": json.dumps(two)} if n == gold else {"aside": "yes"} if n == easy else {}
    return {
        "document": f"d{document}",
        "segment": str(n),
        "source": text("source", place),
        "references": {name: text(name, place) for name in "AB"},
        "translations": {
            name: {"text": text(name, place), "tags": {"easy": "yes"} if n == easy else {}}
            for name in SYSTEMS
        },
        "concepts": [text("concept", place)],
        "tags": tags,
    }


def make_set(protocol: str, *, media: bool = False) -> bytes:
    asked = {"ask": text("ask"), "options": [text("yes"), text("no")], "answer": 1}
    about = {
        "systems": [{"name": name} for name in SYSTEMS],
        "documents": [{"id": f"d{d}", "comprehension": [asked]} for d in range(DOCUMENTS)],
    }
    places = product(range(DOCUMENTS), range(SEGMENTS))
    lines = [segment(protocol, *place) for place in places]
    for line in lines if media else ():
        line["tags"]["context_media"] = "shop.png"
    return jsonl([about, *lines])


def make_task(name: str, order: str, policy: str) -> dict[str, Any]:
    protocol = protocols.load(name)
    alone = protocol.systems == "one"
    size = 3 if protocol.one_system_per_segment or not alone else 1
    kits: dict[str, Any] = {"documents": size, "order": order}
    if name != WHOLE:
        controls = {"gold": 2, "degraded": 1, **({"easy": 1} if alone else {})}
        if protocol.unit == "document":  # which gold answers are not made for here
            controls = {"degraded": 1}
        kits |= {"repeats": 1, "controls": controls}
    if protocol.systems == "two":
        kits["pairs"] = 2
    own = f"{order}-{policy}"
    fields = {"where": "aside != 'yes'", "judges": f"site == '{own}'", "policy": policy}
    return {**task(name, kits=kits, **fields), "name": own}


def launch(site: Website, protocol: str, humans: str, name: str) -> None:
    """A campaign with a task for each order and policy."""
    tasks = [make_task(protocol, *own.split("-", 1)) for own in PLANS]
    more = {"human_references": ["B"], "seed": 2} if humans == "human" else {}
    files = {"set": make_set(protocol, media=humans == "human"), "media/shop.png": picture()}
    site.setting.create({**plan(*tasks, registration=True, **more), "name": name}, **files)
    site.setting.start(name)


class Eavesdropper:
    """Takes the places of judges, and keeps all that they are sent with what it hides."""

    def __init__(self, site: Website, browser: TestClient, campaign: str, protocol: str) -> None:
        self.site = site
        self.campaign = campaign
        self.protocol = protocols.load(protocol)
        self.visitor = Visitor(browser, f"/c/{campaign}/")
        self.samples: list[Sample] = []

    def listen(self) -> None:
        """Judge a kit of each task, and two where only this order shows translated context."""
        context = any("context" in stage.show for stage in self.protocol.stages)
        for own in PLANS:
            twice = context and self.protocol.one_system_per_segment and own.startswith("document")
            for n in range(2 if twice else 1):
                self.judge(own, by_decisions=n == 0 and own == PLANS[0])

    def judge(self, own: str, *, by_decisions: bool) -> None:
        """One kit of a judge: by the steps that are sent ahead, or also by decisions one by one."""
        (slip,) = self.site.slips(1, self.campaign, site=own)
        self.visitor.client.cookies.clear()
        self.visitor.get(f"link/{slip.token}", follow_redirects=False)
        page = self.visitor.get("judge")
        ((assignment, position, _),) = steps_in(page)
        ahead = self.visitor.get(f"api/ahead/{assignment}/{position}")
        service = self.site.service
        judge = service.accounts.by_pin(self.campaign, slip.pin).id
        kit = self.kits(own)[service.judging.step(self.campaign, judge, assignment, position).kit]
        decided = by_decisions or not ahead.json()
        rest = self.decisions(page, kit, assignment) if decided else [ahead]
        # never both, since the same kit seen twice would be no new evidence
        self.keep([page, *rest], kit, assignment)

    def kits(self, own: str) -> dict[int, Kit]:
        """The kits of a task by number."""
        return {kit.number: kit for kit in self.site.setting.store.kits(self.campaign, task=own)}

    def steps(self, kit: Kit) -> KitSteps:
        return KitSteps(len(kit.items), len(self.protocol.stages), self.protocol.advance)

    def decisions(self, page: Response, kit: Kit, assignment: str) -> Iterator[Response]:
        """The responses to all decisions of a kit."""
        headers = {"x-form-key": dict(HIDDEN.findall(page.text))["form_key"]}
        given: dict[int, dict[str, object]] = {}
        for position, (index, stage) in enumerate(self.steps(kit), 1):
            item, earlier = kit.items[index], given.setdefault(index, {})
            answers: dict[str, object] = {}
            for question in self.protocol.asked(earlier, stage=stage):
                qualities = [0.6 - n / 10 for n in range(len(item.translations))]
                answers[question.id] = question.simulate(item, qualities, Random(1))
                earlier[question.id] = answers[question.id]
            body = {"assignment": assignment, "position": position, "answers": answers}
            address = f"{self.visitor.base}api/decide"
            told = self.visitor.client.post(address, json=body, headers=headers)
            assert told.status_code == 200, told.text
            yield told

    def keep(self, responses: Iterable[Response], kit: Kit, assignment: str) -> None:
        """A sample for every step of the kit in the responses."""
        order = self.steps(kit)
        for response in responses:
            for mine, position, features in steps_in(response):
                if mine != assignment:
                    continue
                index, stage = order.step(position)
                item = kit.items[index]
                first = item.translations[0].text.partition("\n")[0]
                assert first in response.text
                place = {
                    "order position": str(index),
                    "order parity": str(index % 2),
                    "order half": "second" if 2 * index >= len(kit.items) else "first",
                    "order last": str(index + 1 == len(kit.items)),
                }
                stratum = f"{self.campaign} {kit.task} {kit.number} {stage}"
                self.samples.append(Sample(stratum, features | place, hidden_truth(item)))


Hear: TypeAlias = "Callable[..., list[Sample]]"


@pytest.fixture(scope="module")
def hear(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hear]:
    """A function that returns everything that judges are sent in campaigns of a protocol."""
    with website(tmp_path_factory.mktemp("leaks")) as site:
        # one browser for all, since each has an event loop of its own
        browser = site.visitor().client

        def hear(protocol: str, *kinds: str, prefix: str = "") -> list[Sample]:
            samples: list[Sample] = []
            for kind in kinds:
                name = f"{prefix}{protocol}-{kind}"
                launch(site, protocol, kind, name)
                ear = Eavesdropper(site, browser, name, protocol)
                ear.listen()
                samples += ear.samples
            return samples

        yield hear


def found(samples: Sequence[Sample]) -> list[Leak]:
    """The leaks in all kits, and in those of either order: what is shown differs between orders."""
    parts = [[one for one in samples if f" {order}-" in one.kit] for order in ORDERS]
    assert all(parts)
    return [leak for part in (samples, *parts) for leak in find_leaks(part)]


@pytest.mark.parametrize("protocol", SCREENS.values())
def test_nothing_that_a_judge_is_sent_predicts_what_is_hidden(hear: Hear, protocol: str):
    samples = hear(protocol, *HUMAN)
    hidden = {(name, value) for sample in samples for name, value in sample.hidden.items()}
    kinds = {"", "repeat", "degraded", "gold"} if protocol != WHOLE else {""}
    if protocols.load(protocol).unit == "document":
        kinds -= {"gold"}
    assert {value for name, value in hidden if name == "control"} >= kinds
    assert ("human in slot 1", "True") in hidden
    assert found(samples) == []


# What a judge must not see, put back on purpose: each has to be found.


def own_reference_missing(patch: pytest.MonkeyPatch) -> None:
    """All references are shown but the one that is judged, as many as are left."""

    def of(shown: ShownReferences, segment: Segment, systems: Sequence[str]) -> dict[str, str]:
        own = {one.reference for one in shown.request.test_set.systems if one.name in systems}
        return {name: told for name, told in segment.references.items() if name not in own}

    patch.setattr(ShownReferences, "of", of)


def changed(patch: pytest.MonkeyPatch, change: Callable[[Item], Item]) -> None:
    """All items are shown after a change."""
    shown = GroupView.item

    def item(view: GroupView, planned: PlannedItem, **named: Any) -> Item:
        return change(shown(view, planned, **named))

    patch.setattr(GroupView, "item", item)


def bare_context(patch: pytest.MonkeyPatch) -> None:
    """The context of gold controls has no translations."""

    def change(item: Item) -> Item:
        lines = tuple(earlier.partition("\n")[0] for earlier in item.context)
        return replace(item, context=lines) if item.control == "gold" else item

    changed(patch, change)


def no_media(patch: pytest.MonkeyPatch) -> None:
    """One system's translations come without the segments' media."""

    def change(item: Item) -> Item:
        of_birch = item.translations[0].system == "birch"
        return replace(item, media=()) if of_birch else item

    changed(patch, change)


def marked(control: str) -> Callable[[pytest.MonkeyPatch], None]:
    """Items of one kind of control have an attribute of their own in the page."""

    def patched(patch: pytest.MonkeyPatch) -> None:
        def change(item: Item) -> Item:
            return replace(item, source_language="el") if item.control == control else item

        changed(patch, change)

    return patched


def one_word_more(patch: pytest.MonkeyPatch) -> None:
    """One system's translations are longer than the others': a matter of size alone."""

    def change(item: Item) -> Item:
        texts = [
            replace(shown, text=f"{shown.text} ωωωωω" if shown.system == "birch" else shown.text)
            for shown in item.translations
        ]
        return replace(item, translations=tuple(texts))

    changed(patch, change)


def written_by_renderer(patch: pytest.MonkeyPatch) -> None:
    """The renderer knows the first translations of a system and puts a comment after them."""
    drawn = render_step.texts
    known = {text("birch", place) for place in product(range(DOCUMENTS), range(SEGMENTS))}

    def texts(visit: Any, step: Any) -> Markup:
        seen = step.screen.translations[0] in known
        return drawn(visit, step) + (Markup("<!-- -->") if seen else Markup())

    patch.setattr(render_step, "texts", texts)


LEAKS: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], str, str]] = {
    "references": (own_reference_missing, "tapet-adequacy", "human in slot 1 True"),
    "context": (bare_context, "sqm", "gold True"),
    "media": (no_media, "da", "system in slot 1 birch"),
    "an attribute of repeats": (marked("repeat"), "source-adequacy", "repeat True"),
    "an attribute of degraded items": (marked("degraded"), "ranking", "degraded True"),
    "a word more": (one_word_more, "da", "system in slot 1 birch"),
    "a comment": (written_by_renderer, "ldc-fluency", "system in slot 1 birch"),
}


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_that_is_put_back_is_found(hear: Hear, name: str, monkeypatch: pytest.MonkeyPatch):
    put_back, protocol, told = LEAKS[name]
    put_back(monkeypatch)
    prefix = re.sub(r"\W+", "-", f"{name}-")
    leaks = found(hear(protocol, *HUMAN, prefix=prefix))
    assert told in {leak.property for leak in leaks}


def test_probabilities_are_exact():
    """Of four steps two have the feature and two are in the class: both agree once in six times."""
    assert exact_tail([(4, 2, 2)], 2) == pytest.approx(1 / 6)
    assert exact_tail([(4, 2, 2)] * 2, 4) == pytest.approx(1 / 36)
    assert exact_tail([(4, 2, 2)] * 2, 3) == pytest.approx(1 / 36 + 2 * 4 / 36)
    # what all or no steps of a kit have tells nothing
    assert exact_tail([(4, 4, 2), (4, 0, 1)], 2) == pytest.approx(1)


def test_chance_is_not_reported():
    """Features that are drawn at random: not one false alarm in 40 runs."""
    random = Random(1)
    for _ in range(40):
        samples = [
            Sample(
                f"kit {n // 12}",
                {"order half": "second", **{f"f{k}": str(random.randrange(3)) for k in range(30)}},
                {"control": random.choice(["", "", "", "gold", "repeat"])},
            )
            for n in range(240)
        ]
        assert find_leaks(samples) == []
