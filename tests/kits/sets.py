"""Test sets, plans and protocols for kits, made by hand and by chance."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

import hypothesis
import msgspec
from hypothesis import settings
from hypothesis import strategies as st

from jurat import protocols
from jurat.errors import InputError
from jurat.kits.build import build
from jurat.kits.task_plan import TaskPlan
from jurat.model import (
    Document,
    Item,
    Kit,
    ReadingQuestion,
    Segment,
    System,
    TestSet,
    Translation,
)
from jurat.protocols import Protocol

ADEQUACY = protocols.load("tapet-adequacy")
PREFERENCE = protocols.load("preference")
RANKING = protocols.load("ranking")
HEVAL = protocols.load("heval")
FLUENCY = protocols.load("ldc-fluency")
READING = protocols.load("comprehension")
ESA = protocols.load("esa")
TCSTAR = protocols.load("tcstar")


def words(*marks: object) -> str:
    """A text of its own: eight words that no other text has."""
    return " ".join(f"{'-'.join(map(str, marks))}-{n}" for n in range(8))


def make_set(
    sizes: Sequence[int] = (3, 2, 3),
    *,
    systems: int = 3,
    references: Sequence[str] = ("A", "B"),
    human: bool = False,
    easy: Sequence[tuple[str, str, str]] = (),
    gold: Mapping[tuple[str, str], object] | None = None,
    sites: Sequence[str] = (),
) -> TestSet:
    """Documents d1, d2 … of so many segments; systems s1, s2 …, and perhaps reference A as one."""
    made = [f"s{n}" for n in range(1, systems + 1)]
    names = [*made, "human"] if human else made
    marked = {key: {"gold": json.dumps(value)} for key, value in (gold or {}).items()}
    numbers = count(1)

    def segment(document: str) -> Segment:
        name = str(next(numbers))
        own = {r: words(document, name, r) for r in references}
        texts = {s: own["A"] if s == "human" else words(document, name, s) for s in names}
        return Segment(
            id=name,
            source=words(document, name, "source"),
            references=own,
            translations={
                s: Translation(text, {"easy": "yes"} if (document, name, s) in easy else {})
                for s, text in texts.items()
            },
            tags=marked.get((document, name), {}) | {"odd": "yes" if int(name) % 2 else "no"},
            concepts=(f"concept {name}",),
        )

    documents = [(f"d{n}", size) for n, size in enumerate(sizes, 1)]
    question = ReadingQuestion(ask="Who?", options=("he", "she"), answer=1)
    own_sites = dict(zip(names, sites, strict=False))
    return TestSet(
        documents=tuple(
            Document(
                id=name,
                segments=tuple(segment(name) for _ in range(size)),
                tags={"genre": "news" if n % 2 else "web"},
                comprehension=(question,),
            )
            for n, (name, size) in enumerate(documents)
        ),
        systems=tuple(
            System(name=s, kind="human", reference="A")
            if s == "human"
            else System(name=s, site=own_sites.get(s, ""))
            for s in names
        ),
        references=tuple(references),
    )


def plan(protocol: Protocol = ADEQUACY, **fields: object) -> TaskPlan:
    kits = fields.pop("kits", {"documents": 2})
    return msgspec.convert(
        {"name": "t", "protocol": protocol.name, "kits": kits, **fields}, TaskPlan
    )


def kits(
    some: TestSet, protocol: Protocol = ADEQUACY, *, seed: int = 1, **fields: Any
) -> tuple[Kit, ...]:
    """The evaluation's kits under a plan of these fields."""
    return build(some, protocol, plan(protocol, **fields), phase="evaluation", seed=seed)


def complaint(some: TestSet, protocol: Protocol = ADEQUACY, **fields: Any) -> str:
    """What is said instead of kits."""
    try:
        kits(some, protocol, **fields)
    except InputError as error:
        return str(error)
    raise AssertionError("kits were built")


def own(kit: Kit) -> list[Item]:
    """The items to be judged."""
    return [item for item in kit.items if not item.control]


def keys(items: Sequence[Item]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Document, segment and systems on the screen."""
    return [(i.document, i.segment, tuple(t.system for t in i.translations)) for i in items]


def judged(kits: Sequence[Kit]) -> Counter[tuple[str, str, str]]:
    """How often each translation is an item's, or part of one's."""
    return Counter(
        (item.document, item.segment, shown.system)
        for kit in kits
        for item in own(kit)
        for shown in item.translations
    )


def controls(kit: Kit) -> str:
    """A letter for each item: a point for those to be judged."""
    return "".join(item.control[:1] or "." for item in kit.items)


def given(*args: Any, **named: Any) -> Callable[[Any], Any]:
    """As hypothesis has it, but quick, and patient on a busy machine."""
    patient = settings(deadline=None, max_examples=40)
    return lambda test: patient(hypothesis.given(*args, **named)(test))


SEEDS = st.integers(0, 2**40)
SIZES = st.lists(st.integers(1, 5), min_size=1, max_size=6)
SETS = st.builds(
    make_set, SIZES, systems=st.integers(2, 6), human=st.booleans(), references=st.just(("A", "B"))
)
MEASURES = st.one_of(
    st.builds(lambda n: {"documents": n}, st.integers(1, 4)),
    st.builds(lambda n: {"segments": n}, st.integers(1, 8)),
)
ORDERS = st.sampled_from(["document", "shuffled"])
KITS = st.builds(lambda size, order: {**size, "order": order}, MEASURES, ORDERS)
GROUPS = st.sampled_from(
    [{}, {"g": "B"}, {"g": "A", "h": "B"}, {"g": "source", "h": "B"}, {"g": "B", "h": "B"}]
)
