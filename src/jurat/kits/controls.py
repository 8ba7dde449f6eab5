"""Control items: easy translations, degraded copies, and gold segments with known answers.

In a degraded copy half the words of a translation are replaced by words of other texts, so that any
attentive judge gives it a lower score than the original.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from random import Random

import msgspec
from msgspec.structs import replace

from jurat.errors import InputError, Problem, input_error, raise_problems, unknown_name
from jurat.kits.experimental_design import screen_sizes
from jurat.kits.gold import read_gold
from jurat.kits.items import (
    GroupView,
    Key,
    Passage,
    PlannedItem,
    needs_fitting_context,
)
from jurat.model import EASY
from jurat.protocols.questions import replaced

# Words to be replaced at least, if a line has as many.
FEWEST = 3
# Attempts to find words that are new to the translation.
TRIES = 20

# Characters of scripts written without spaces.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)


def degrade_text(text: str, others: Sequence[str], random: Random) -> str | None:
    """The text with a run of words in each line replaced by words of other texts.

    At least half of each line is replaced, and at least half of the new words do not occur in it.
    None if the other texts have no such words.
    """
    if not text.strip():
        return None
    # blank lines stay: the lines of a document are its segments
    lines = [
        _degraded_line(line, others, random) if line.strip() else line for line in text.split("\n")
    ]
    whole = [line for line in lines if line is not None]
    return "\n".join(whole) if len(whole) == len(lines) else None


def _degraded_line(line: str, others: Sequence[str], random: Random) -> str | None:
    # in scripts without spaces, characters are replaced instead of words
    blank = "" if _UNSPACED.search(line) else " "
    words = _words(line, blank)
    # consecutive words, as in the "bad references" of WMT's direct assessment
    length = max(min(len(words), FEWEST), (len(words) + 1) // 2)
    start = random.randrange(len(words) - length + 1)
    for _ in range(TRIES if others else 0):
        foreign = _run(others, length, blank, random)
        new = sum(word not in words for word in foreign)
        # words that the line has anyway would not degrade it
        if foreign and 2 * new >= len(foreign):
            return blank.join([*words[:start], *foreign, *words[start + length :]])
    return None


def _run(texts: Sequence[str], length: int, blank: str, random: Random) -> list[str]:
    """A run of `length` words, from one text or, if it is too short, from several."""
    found: list[str] = []
    # a draw adds at least one word, unless a text is empty; the bound prevents an endless loop
    for _ in range(length):
        words = _words(random.choice(texts), blank)
        start = random.randrange(max(1, len(words) - length + 1))
        found += words[start : start + length - len(found)]
        if len(found) == length:
            break
    return found


def _words(text: str, blank: str) -> list[str]:
    return text.split() if blank else list("".join(text.split()))


class ControlPool(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The items from which the controls of a group's kits are chosen."""

    easy: Sequence[PlannedItem] = ()
    """Easy translations of segments that are not in the task."""
    shared: Sequence[PlannedItem] = ()
    """Easy translations in the task, for judges who may see a segment from several systems."""
    gold: Sequence[PlannedItem] = ()
    texts: Mapping[str, Sequence[tuple[Key, str]]] = {}
    """Each system's translations with document and segment, as words for degraded copies."""
    shows_context: bool = False
    """Whether judges see the segments before an item."""
    judged: frozenset[Key] = frozenset()
    """The segments to be judged, in whichever kit; empty where the context of any control fits."""

    @cached_property
    def systems(self) -> dict[Key, str]:
        """The system of each segment that is shown as a control, always from the same one."""
        return {each.passage.key: each.systems[0] for each in (*self.easy, *self.gold)}

    def mixed(
        self, planned_items: Sequence[PlannedItem], own: Sequence[PlannedItem], random: Random
    ) -> Iterator[PlannedItem]:
        """The items in random order, those first whose context is like that of the kit's items.

        `own` are the kit's items. Context of their documents can be shown, and of documents that
        are not judged; segments of others the judge may get from another system.
        """
        documents = {planned.passage.document.id for planned in own}
        elsewhere = {document for document, _ in self.judged} - documents
        parts: tuple[list[PlannedItem], list[PlannedItem]] = ([], [])
        for planned in random.sample(planned_items, len(planned_items)):
            parts[planned.passage.document.id in elsewhere].append(planned)
        if not self.shows_context:
            return chain(*parts)
        return chain(*(_with_like_context(part, own, random) for part in parts))


def control_pool(
    view: GroupView,
    passages: Sequence[Passage],
    chosen: Sequence[Passage],
    systems: Sequence[str],
) -> ControlPool:
    """The pool of a group, from all passages of the test set and those chosen to be judged."""
    request, random = view.request, view.request.random("pool")
    judged = {passage.key for passage in chosen}
    outside = [p for p in passages if p.key not in judged and p.gold is None]
    easy = list(_easy(outside, systems))
    # one translation per segment, so that a judge who gets it twice gets the same system
    if request.apart:
        mixed = random.sample(easy, len(easy))
        easy = list({planned.passage.key: planned for planned in mixed}.values())
    return ControlPool(
        easy=easy,
        shared=() if request.apart else list(_easy(chosen, systems)),
        gold=list(gold_controls(view, passages, systems, random))
        if request.kits.controls.gold
        else (),
        texts={
            system: [(p.key, p.segment.translations[system].text) for p in chosen]
            for system in systems
        },
        shows_context="context" in view.shows,
        judged=frozenset(judged if needs_fitting_context(view) else ()),
    )


def _with_like_context(
    mixed: Sequence[PlannedItem], own: Sequence[PlannedItem], random: Random
) -> Iterator[PlannedItem]:
    """The items, in an order by which they have as much context as the kit's items have.

    Gold segments are often chosen at the beginning of a document, where nothing comes before them.
    If they were taken at random, an item without context would probably be one of them.
    """
    left = list(mixed)
    while left:
        like = len(random.choice(own).passage.earlier)
        lengths = [len(planned.passage.earlier) for planned in left]
        # none at all is more conspicuous than one segment less
        unlike = [(bool(length) != bool(like), abs(length - like)) for length in lengths]
        yield left.pop(unlike.index(min(unlike)))


def easy_controls(
    pool: ControlPool, wanted: int, own: Sequence[PlannedItem], random: Random
) -> list[PlannedItem]:
    """Up to `wanted` easy controls that are not among the kit's own items (`own`)."""
    keys = {planned.passage.key for planned in own}
    others = [planned for planned in pool.shared if planned.passage.key not in keys]
    mixed = chain(pool.mixed(pool.easy, own, random), random.sample(others, len(others)))
    return [replace(planned, control="easy") for planned in islice(mixed, wanted)]


def is_easy(planned: PlannedItem) -> bool:
    """Whether the translation of an item is tagged as easy."""
    made = planned.passage.segment.translations.get(planned.systems[0])
    return made is not None and EASY.items() <= made.tags.items()


def degraded_copy(planned: PlannedItem, pool: ControlPool, random: Random) -> PlannedItem | None:
    """A copy of an item with one translation degraded; None if none can be."""
    for system in random.sample(planned.systems, len(planned.systems)):
        here = planned.passage.key
        # never from the same segment, whose words would fit in
        others = [text for key, text in pool.texts[system] if key != here]
        text = degrade_text(planned.passage.segment.translations[system].text, others, random)
        if text is not None:
            return replace(planned, control="degraded", degraded_texts={system: text})
    return None


def gold_controls(
    view: GroupView, passages: Sequence[Passage], systems: Sequence[str], random: Random
) -> Iterator[PlannedItem]:
    """An item for each passage whose right answers are known, the same in all kits.

    A segment's tag `gold` holds the answers by question as JSON, and optionally `systems`: the
    systems on the screen, in order. By default that is a random system, or all.
    """
    problems: list[Problem] = []
    for passage in passages:
        if passage.gold is None:
            continue
        try:
            yield _golden(view, passage, systems, random)
        except InputError as error:
            place = {"document": passage.document.id, "segment": passage.segment.id}
            problems += [problem.changed(**place) for problem in replaced(error, field="gold")]
    # after the loop, so that all faulty gold tags are reported at once
    raise_problems(problems)


def _golden(
    view: GroupView, passage: Passage, systems: Sequence[str], random: Random
) -> PlannedItem:
    gold = read_gold(passage.gold or "")
    shown = _shown(gold.systems, view, systems, random)
    planned = PlannedItem(
        passage=passage,
        systems=shown,
        control="gold",
        expected=gold.answers,
        because=gold.because,
    )
    # a gold item is shown like any other, so it has to pass the same checks
    raise_problems(list(view.check(planned)))
    item = view.item(planned, name="")
    questions = view.request.protocol.questions
    for name, answer in gold.answers.items():
        if name not in questions:
            raise unknown_name("question", name, questions)
        questions[name].check(answer, item)
    return planned


def _shown(
    named: object, view: GroupView, systems: Sequence[str], random: Random
) -> tuple[str, ...]:
    """The systems on the screen of a gold item: as many as on any other screen."""
    sizes = screen_sizes(view.request, systems)
    if named is None and max(sizes) in (1, len(systems)) and sizes != {2}:
        return (random.choice(systems),) if sizes == {1} else tuple(systems)
    names = [str(name) for name in named] if isinstance(named, list) else []
    for name in names:
        if name not in view.by_name:
            raise unknown_name("system", name, view.by_name)
    if len(names) not in sizes:
        count = " or ".join(map(str, sorted(sizes)))
        message = f'name the systems on the screen ({count}), as in {{"systems": ["a", "b"]}}'
        raise input_error(message)
    return tuple(names)


def _easy(passages: Sequence[Passage], systems: Sequence[str]) -> Iterator[PlannedItem]:
    for passage in passages:
        for system in systems:
            planned = PlannedItem(passage=passage, systems=(system,))
            if is_easy(planned):
                yield planned
