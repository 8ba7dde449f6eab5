"""Errors marked beforehand: as a tag of translations, and which items are shown with them.

The tag `suggestions` of a translation holds a list in JSON; an empty one says that somebody looked
and found nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from jurat.errors import input_error, quoted
from jurat.model import Suggestion, TestSet, Translation
from jurat.protocols import Protocol
from jurat.protocols.questions.spans import Spans

if TYPE_CHECKING:
    from jurat.kits.items import Key, PlannedItem
    from jurat.kits.task_plan import BuildRequest

TAG = "suggestions"

_decode = msgspec.json.Decoder(tuple[Suggestion, ...]).decode

# A passage and the systems on the screen.
Shown = tuple["Key", tuple[str, ...]]


def as_tag(suggestions: Sequence[Suggestion]) -> str:
    """Suggestions as the value of the tag."""
    return msgspec.json.encode(suggestions).decode()


def suggestions_of(translation: Translation | None) -> tuple[Suggestion, ...] | None:
    """What is suggested of a translation; None where nobody looked. Raises `InputError`."""
    text = translation.tags.get(TAG) if translation else None
    if text is None:
        return None
    try:
        return _decode(text)
    except msgspec.ValidationError as error:
        message = f"the tag '{TAG}' holds a list of marked errors in JSON: {error}"
        raise input_error(message, value=quoted(text)) from None
    except msgspec.DecodeError:
        message = f"the tag '{TAG}' holds a list of marked errors in JSON"
        raise input_error(message, value=quoted(text)) from None


def joined_suggestions(
    parts: Sequence[Translation], sources: Sequence[str | None]
) -> tuple[Suggestion, ...] | None:
    """The suggestions of a document whose segments stand one below the other."""
    found = [suggestions_of(part) for part in parts]
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found):
        return None
    texts = {"translation": [part.text for part in parts], "source": [s or "" for s in sources]}
    # a line break stands after each segment
    starts = {side: [0, *accumulate(len(text) + 1 for text in own)] for side, own in texts.items()}
    return tuple(
        one
        if one.mark
        else replace(one, start=one.start + starts[one.side][n], end=one.end + starts[one.side][n])
        for n, own in enumerate(known)
        for one in own
    )


def suggesting_questions(protocol: Protocol) -> list[Spans]:
    """The questions of a protocol that show suggestions."""
    every = protocol.questions.values()
    return [one for one in every if isinstance(one, Spans) and one.suggestions]


class SuggestionArms:
    """Which items of a task are shown with their suggestions: by chance, balanced over systems."""

    def __init__(self, request: BuildRequest, kits: Iterable[Iterable[PlannedItem]]) -> None:
        self._request = request
        self._asked = bool(suggesting_questions(request.protocol))
        self._shown: Collection[Shown] = (
            frozenset(self._chosen(list(map(list, kits)))) if self._asked else ()
        )

    def of(self, planned: PlannedItem) -> PlannedItem:
        """An item of a kit, a repeat or control among them, with its arm."""
        if not self._asked or not is_covered(planned):
            return planned
        if planned.control in ("easy", "gold"):
            # not among the items that were divided: a draw of its own, the same in every kit
            drawn = self._request.random("suggested", *_key(planned)).random()
            return replace(planned, suggested=drawn < self._request.kits.suggested)
        return replace(planned, suggested=_key(planned) in self._shown)

    def _chosen(self, kits: Sequence[Sequence[PlannedItem]]) -> Iterator[Shown]:
        """The items with suggestions: every so many of each system, kit by kit."""
        first: dict[Shown, int] = {}
        for number, kit in enumerate(kits):
            for planned in kit:
                if is_covered(planned):
                    first.setdefault(_key(planned), number)
        random, share = self._request.random("suggested"), self._request.kits.suggested
        chance = {key: random.random() for key in first}
        ordered = sorted(first, key=lambda key: (key[1], first[key], chance[key]))
        # a start by chance, or the first item would never be among few
        start = random.random()
        for n, key in enumerate(ordered):
            if int(start + (n + 1) * share) > int(start + n * share):
                yield key


def is_covered(planned: PlannedItem) -> bool:
    """Whether somebody looked for errors in all translations on the screen before the judge."""
    made = planned.passage.segment.translations
    return all(system in made and TAG in made[system].tags for system in planned.systems)


def shown_suggestions(planned: PlannedItem) -> Mapping[str, tuple[Suggestion, ...]]:
    """What is suggested of each translation on the screen; nothing of a degraded one.

    Its words are not those in which the errors were marked.
    """
    made = planned.passage.segment.translations
    if not planned.suggested:
        return {}
    return {
        system: suggestions_of(made[system]) or ()
        for system in planned.systems
        if system not in planned.degraded_texts
    }


def _key(planned: PlannedItem) -> Shown:
    return planned.passage.key, planned.systems


def suggestion_counts(test_set: TestSet) -> tuple[int, int]:
    """The translations that were looked at before, and the errors marked in them."""
    found = [
        suggestions
        for _, segment in test_set.segments()
        for made in segment.translations.values()
        if (suggestions := suggestions_of(made)) is not None
    ]
    return len(found), sum(map(len, found))
