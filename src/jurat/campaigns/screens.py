"""What a judge sees of a step: texts and questions, but nothing that identifies the systems."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from jurat.model import Item, Kit, KitSteps, Media, Phase, Suggestion
from jurat.protocols import Protocol
from jurat.protocols.protocol import Show, Stage
from jurat.store import Flag, Step


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """A multiple-choice question about a passage, without its answer."""

    ask: str
    options: tuple[str, ...]


class Screen(msgspec.Struct, frozen=True, kw_only=True):
    """One step as a judge sees it."""

    assignment: str
    position: int
    steps: int
    task: str
    phase: str
    stage: int
    source: str | None
    source_language: str = ""
    """That of the document, where it has its own."""
    references: tuple[str, ...]
    translations: tuple[str, ...]
    context: tuple[str, ...]
    media: tuple[Media, ...] = ()
    instructions: str = ""
    """What the judge reads above the item."""
    concepts: tuple[str, ...]
    comprehension: tuple[Choices, ...]
    suggestions: tuple[tuple[Suggestion, ...], ...] = ()
    """Errors marked beforehand in each translation; empty where none are shown."""
    questions: Mapping[str, str]
    """The wording of each question by its id."""
    earlier: Mapping[str, object]
    saved: object = None
    answered: Mapping[str, object] | None = None
    revision: int = 0
    flag: Flag = ""
    comment: str = ""
    """What the judge said about the item when they decided."""
    changeable: bool = False
    """Whether the decision at this step may still be changed."""
    back: int | None = None
    """The last earlier step that may still be changed; None where there is none."""
    ahead: int = 0
    """How many of the next steps may be sent before this one is decided."""


def screen(step: Step, protocol: Protocol, *, final: bool = False) -> Screen:
    """The screen of a step; with `final` decisions cannot be changed."""
    # Only what is listed here leaves the server: never a system's name, nor that it is a control.
    item, stage, kit = step.item, protocol.stages[step.stage], _kit(protocol, step)
    show = revealed(protocol, step.stage, item)
    kinds = {question.name for question in stage.questions}
    return Screen(
        assignment=step.assignment,
        position=step.position,
        steps=step.steps,
        task=step.task,
        phase=step.phase,
        stage=step.stage,
        source=item.source if "source" in show else None,
        source_language=item.source_language,
        references=tuple(item.references.values()) if "references" in show else (),
        translations=tuple(shown.text for shown in item.translations),
        context=item.context if "context" in show else (),
        media=tuple(one for one in item.media if one.context or "source" in show),
        instructions=item.instructions,
        # Concepts and comprehension questions would tell what a text is about.
        concepts=item.concepts if "concepts" in kinds else (),
        comprehension=_choices(item) if "reading" in kinds else (),
        suggestions=_suggestions(item, protocol.stages[step.stage]),
        questions={question.id: question.wording(show) for question in stage.questions},
        earlier=step.earlier,
        saved=step.saved,
        answered=step.answered,
        revision=step.revision,
        flag=step.flag,
        comment=step.comment,
        changeable=not final and step.answered is not None and changeable(protocol, step),
        back=None if final else _back(kit, step),
        # nothing of what comes after the expected answers is shown before them
        ahead=0 if is_practice(step, protocol) else kit.steps_ahead(step.position),
    )


def is_practice(step: Step, protocol: Protocol) -> bool:
    """Whether expected answers are shown after this step: in tutorials, where the set has them."""
    asked = protocol.stages[step.stage].questions
    return step.phase == "tutorial" and any(one.id in step.item.expected for one in asked)


def changeable(protocol: Protocol, step: Step) -> bool:
    """Whether a decision may change: not once a later stage has shown what this one hides."""
    return _kit(protocol, step).is_changeable(step.position, step.reached or step.position)


def _back(kit: KitSteps, step: Step) -> int | None:
    reached = step.reached or step.position
    earlier = range(step.position - 1, 0, -1)
    return next((one for one in earlier if kit.is_changeable(one, reached)), None)


def _kit(protocol: Protocol, step: Step) -> KitSteps:
    stages = len(protocol.stages)
    return KitSteps(step.steps // stages, stages, protocol.advance)


def kit_screens(kit: Kit, protocol: Protocol) -> list[Screen]:
    """The screens of a kit that is not assigned to anybody: for guests and previews."""
    return [screen(step, protocol) for step in kit_steps(kit, protocol)]


def kit_steps(kit: Kit, protocol: Protocol) -> list[Step]:
    """The steps of a kit that is not assigned to anybody, in order."""
    in_order = KitSteps(len(kit.items), len(protocol.stages), protocol.advance)
    return [
        Step(
            assignment="",
            task=kit.task,
            phase=kit.phase,
            kit=kit.number,
            position=position,
            steps=len(in_order),
            index=index,
            stage=stage,
            item=kit.items[index],
            earlier={},
            saved=None,
            shown_at=None,
        )
        for position, (index, stage) in enumerate(in_order, 1)
    ]


def item_screens(item: Item, protocol: Protocol, *, task: str, phase: Phase) -> tuple[Screen, ...]:
    """An item at each of its stages, for somebody who has no assignment."""
    alone = Kit(task=task, phase=phase, number=0, block="", items=(item,))
    return tuple(kit_screens(alone, protocol))


def revealed(protocol: Protocol, stage: int, item: Item) -> frozenset[str]:
    """What a stage shows of an item; the source instead of references that it does not have."""
    instead = not item.references and item.has_source
    return _revealed(protocol.stages[stage].show, instead=instead)


# Protocols have a few stages, and this is asked for every screen.
@cache
def _revealed(shown: tuple[Show, ...], *, instead: bool) -> frozenset[str]:
    show: set[str] = set(shown)
    if "reference" in show:
        show = show - {"reference"} | {"references"}
    if "references" in show and instead:
        show = show - {"references"} | {"source"}
    return frozenset(show)


def _suggestions(item: Item, stage: Stage) -> tuple[tuple[Suggestion, ...], ...]:
    """What is suggested of each translation, without by whom: that may tell a system."""
    asked = (one for question in stage.questions for one in (question, *question.nested))
    if not item.suggested or not any(getattr(one, "suggestions", "") for one in asked):
        return ()
    return tuple(
        tuple(msgspec.structs.replace(one, by="") for one in shown.suggestions)
        for shown in item.translations
    )


def _choices(item: Item) -> tuple[Choices, ...]:
    return tuple(Choices(ask=asked.ask, options=asked.options) for asked in item.comprehension)
