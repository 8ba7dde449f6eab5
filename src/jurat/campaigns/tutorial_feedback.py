"""Practice items: what judges are shown after they have answered an item of a tutorial.

Nothing of this is known to the page on which they answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from jurat.campaigns.screens import Screen, is_practice, screen
from jurat.model import Item
from jurat.protocols import Protocol
from jurat.protocols.questions import Example
from jurat.store import Step


class Practice(msgspec.Struct, frozen=True, kw_only=True):
    """An item of a tutorial that has been answered, with the expected answers."""

    screen: Screen
    own: Mapping[str, Example]
    """The judge's answers by question, with the texts that they are about."""
    expected: Mapping[str, Example]
    """The expected answers by question; at least one."""
    because: str
    """Why they are expected; empty where the test set does not say."""


def practice_of(
    step: Step, protocol: Protocol, answers: Mapping[str, object] | None
) -> Practice | None:
    """What is shown after a step with these answers; None where there is nothing to be shown."""
    # Before the decision is stored nobody may know what is expected.
    if answers is None or not is_practice(step, protocol):
        return None
    item = step.item
    asked = [one.id for one in protocol.stages[step.stage].questions if one.id in item.expected]
    return Practice(
        screen=screen(step, protocol),
        own={name: _example(item, answers[name]) for name in asked if name in answers},
        expected={name: _example(item, item.expected[name]) for name in asked},
        because=item.because,
    )


def up_to_practice(steps: Sequence[Step], protocols: Mapping[str, Protocol]) -> Sequence[Step]:
    """The steps up to the first after which expected answers are shown."""
    ends = (n for n, one in enumerate(steps, 1) if is_practice(one, protocols[one.task]))
    return steps[: next(ends, len(steps))]


def _example(item: Item, answer: object) -> Example:
    """An answer with what it is about, as guidelines show examples; without systems' names."""
    texts = tuple(shown.text for shown in item.translations)
    return Example(
        answer=answer,
        because="",
        translation=texts,
        concepts=item.concepts,
        comprehension=item.comprehension,
    )
