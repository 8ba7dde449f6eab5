"""Control items: easy translations, damaged copies, and segments whose right answers are known."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from jurat.faults import Fault, FaultyInput, complain, quoted, refuse, unknown
from jurat.kits.damage import damaged
from jurat.kits.passages import GOLD, Draft, Passage
from jurat.kits.showing import Showing
from jurat.model import EASY
from jurat.protocols.questions import replaced

Key: TypeAlias = "tuple[str, str]"


class Pool(msgspec.Struct, frozen=True, kw_only=True):
    """What the controls of a group's kits are taken from."""

    easy: Sequence[Draft] = ()
    """Easy translations that no kit of the task holds as an item of its own."""
    shared: Sequence[Draft] = ()
    """Easy translations of other kits, for judges who may see a segment from several systems."""
    gold: Sequence[Draft] = ()
    texts: Mapping[str, Sequence[tuple[Key, str]]] = {}
    """What each system wrote, with its place: words for damaged copies."""


def pool(
    showing: Showing,
    passages: Sequence[Passage],
    chosen: Sequence[Passage],
    systems: Sequence[str],
) -> Pool:
    """The pool of a group: of all passages of the test set, and those chosen to be judged."""
    brief, random = showing.brief, showing.brief.random("pool")
    judged = {passage.key for passage in chosen}
    outside = [p for p in passages if p.key not in judged and p.gold is None]
    easy = list(_easy(outside, systems))
    if brief.apart:  # a judge who meets such a segment twice meets the same system
        mixed = random.sample(easy, len(easy))
        easy = list({draft.passage.key: draft for draft in mixed}.values())
    return Pool(
        easy=easy,
        shared=() if brief.apart else list(_easy(chosen, systems)),
        gold=list(golden(showing, passages, systems, random)) if brief.kits.controls.gold else (),
        texts={
            system: [(p.key, p.segment.translations[system].text) for p in chosen]
            for system in systems
        },
    )


def fresh(pool: Pool, wanted: int, own: Collection[Key], random: Random) -> list[Draft]:
    """Up to so many easy controls that are no copies of a kit's own items."""
    others = [draft for draft in pool.shared if draft.passage.key not in own]
    mixed = [*_mixed(pool.easy, random), *_mixed(others, random)]
    return [replace(draft, control="easy") for draft in mixed[:wanted]]


def is_easy(draft: Draft) -> bool:
    """Whether the top score is expected of a draft with one translation."""
    made = draft.passage.segment.translations.get(draft.systems[0])
    return made is not None and EASY.items() <= made.tags.items()


def degraded(draft: Draft, pool: Pool, random: Random) -> Draft | None:
    """A copy of which one translation is damaged; None if none of them can be."""
    for system in random.sample(draft.systems, len(draft.systems)):
        here = draft.passage.key
        others = [text for key, text in pool.texts[system] if key != here]
        text = damaged(draft.passage.segment.translations[system].text, others, random)
        if text is not None:
            return replace(draft, control="degraded", damaged={system: text})
    return None


def golden(
    showing: Showing, passages: Sequence[Passage], systems: Sequence[str], random: Random
) -> Iterator[Draft]:
    """A draft of every passage whose right answers are known, the same in all kits.

    A segment's tag `gold` holds them as JSON, by question; `systems` beside them names the systems
    on the screen, in order. Without it, the system is any, or all are shown.
    """
    faults: list[Fault] = []
    for passage in passages:
        if passage.gold is None:
            continue
        try:
            yield _golden(showing, passage, systems, random)
        except FaultyInput as error:
            place = {"document": passage.document.id, "segment": passage.segment.id}
            faults += [replace(fault, **place) for fault in replaced(error, field="gold")]
    refuse(faults)


def _golden(showing: Showing, passage: Passage, systems: Sequence[str], random: Random) -> Draft:
    answers = _answers(passage.gold or "")
    shown = _shown(answers.pop("systems", None), showing, systems, random)
    draft = Draft(passage=passage, systems=shown, control="gold", expected=answers)
    refuse(list(showing.check(draft)))
    item = showing.item(draft, name="", seen=())
    questions = showing.brief.protocol.questions
    for name, answer in answers.items():
        if name not in questions:
            raise unknown("question", name, questions)
        questions[name].check(answer, item)
    return draft


def _answers(text: str) -> dict[str, object]:
    try:
        return msgspec.json.decode(text, type=dict[str, object])
    except msgspec.DecodeError:
        example = '{"adequacy": 7}'
        message = f"the tag {GOLD} holds the right answers by question, as in {example}"
        raise complain(message, value=quoted(text)) from None


def _shown(
    named: object, showing: Showing, systems: Sequence[str], random: Random
) -> tuple[str, ...]:
    """The systems on the screen of a gold item."""
    screen = showing.brief.protocol.systems
    if named is None and screen != "two":
        return (random.choice(systems),) if screen == "one" else tuple(systems)
    names = [str(name) for name in named] if isinstance(named, list) else []
    for name in names:
        if name not in showing.by_name:
            raise unknown("system", name, showing.by_name)
    if not names or (screen != "all" and len(names) != {"one": 1, "two": 2}[screen]):
        message = f'name the systems on the screen ({screen}), as in {{"systems": ["a", "b"]}}'
        raise complain(message)
    return tuple(names)


def _easy(passages: Sequence[Passage], systems: Sequence[str]) -> Iterator[Draft]:
    for passage in passages:
        for system in systems:
            draft = Draft(passage=passage, systems=(system,))
            if is_easy(draft):
                yield draft


def _mixed(drafts: Sequence[Draft], random: Random) -> list[Draft]:
    return random.sample(drafts, len(drafts))
