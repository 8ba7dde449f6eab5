"""Systems with the same output for a passage: judged once, and credited to all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from jurat.errors import Problem, raise_problems
from jurat.kits.items import GroupView, Passage, PlannedItem
from jurat.kits.shown_references import REFERENCES
from jurat.kits.suggestions import TAG
from jurat.model import JOIN

# The systems of a passage that are shown, each with the others that have the same output.
Outputs: TypeAlias = "Mapping[str, tuple[str, ...]]"
OutputsOf: TypeAlias = "Callable[[Passage], Outputs]"


def outputs_of(view: GroupView, systems: Sequence[str]) -> OutputsOf:
    """The function that gives the different outputs of a passage; all systems where none merge.

    Which of several systems with the same output is shown is drawn for each passage, so that none
    of them is always missing from the kits of the others. Raises `InputError` for systems whose
    names could not be told apart once they are joined.
    """
    if not view.request.merges:
        alone: Outputs = dict.fromkeys(systems, ())
        return lambda _: alone
    field = "merge_identical"
    raise_problems(
        [
            Problem(
                message=f"'{system}' has a {JOIN} in its name, by which systems with the same"
                " output are joined: rename it",
                field=field,
                value=system,
            )
            for system in systems
            if JOIN in system
        ]
    )
    return lambda passage: dict(_shared(view, passage, systems))


def _shared(
    view: GroupView, passage: Passage, systems: Sequence[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each different output by the system that is shown, with the other systems that have it.

    Outputs with different suggestions of errors are different.
    """
    groups: dict[object, list[str]] = {}
    for system in systems:
        made = passage.segment.translations.get(system)
        # a missing translation is reported later, when it cannot be shown
        output = (system,) if made is None else (made.text, made.tags.get(TAG))
        groups.setdefault(output, []).append(system)
    random = view.request.random("identical", *passage.key)
    for group in groups.values():
        if len(group) > 1 and _can_share(view, passage, group):
            shown = random.choice(group)
            yield shown, tuple(system for system in group if system != shown)
        else:
            yield from ((system, ()) for system in group)


def _can_share(view: GroupView, passage: Passage, group: Sequence[str]) -> bool:
    """Whether a reference is left for all of them: a human's own is not shown with their text."""
    needed = bool(view.shows & REFERENCES)
    return not needed or bool(view.references.of(passage.segment, group))


def planned_item(passage: Passage, systems: Sequence[str], outputs: Outputs) -> PlannedItem:
    """The item that shows these systems, credited to all that have the same outputs."""
    also = {system: outputs[system] for system in systems if outputs[system]}
    return PlannedItem(passage=passage, systems=tuple(systems), also=also)


def different_pairs(pairs: Iterable[tuple[str, str]], outputs: Outputs) -> list[tuple[str, str]]:
    """The pairs of different outputs, each once, where these are pairs of systems."""
    shown = {other: system for system, others in outputs.items() for other in (system, *others)}
    found: dict[frozenset[str], tuple[str, str]] = {}
    for one, other in pairs:
        pair = (shown[one], shown[other])
        if pair[0] != pair[1]:
            found.setdefault(frozenset(pair), pair)
    return list(found.values())
