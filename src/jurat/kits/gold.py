"""The tag `gold`: the right answers to a segment or a translation, as the test set has them.

In an evaluation they belong to gold controls. In a tutorial they are what judges are shown after
they have answered themselves.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from jurat.errors import InputError, input_error, quoted
from jurat.kits.items import GOLD, GroupView, PlannedItem
from jurat.protocols.questions import replaced

# Names in the tag that are no questions.
SYSTEMS, BECAUSE, PROTOCOL = "systems", "because", "protocol"


class GoldAnswers(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a tag `gold`."""

    answers: dict[str, object]
    """By question."""
    systems: object = None
    """The systems on the screen, in order; None where the tag does not name them."""
    because: str = ""
    """Why these answers are right, for judges who practise."""
    protocol: str = ""
    """The protocol whose questions they answer; empty: every one that asks them."""


def read_gold(text: str) -> GoldAnswers:
    """The answers in a tag; raises `InputError` where it is not an object in JSON."""
    try:
        content = msgspec.json.decode(text, type=dict[str, object])
    except msgspec.DecodeError:
        example = '{"adequacy": 7}'
        message = f"the tag {GOLD} holds the right answers by question, as in {example}"
        raise input_error(message, value=quoted(text)) from None
    systems = content.pop(SYSTEMS, None)
    texts = {name: _text(name, content.pop(name, "")) for name in (BECAUSE, PROTOCOL)}
    return GoldAnswers(answers=content, systems=systems, **texts)


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise input_error(f"'{name}' is a text, not {quoted(value)}", field=name)
    return value


def practice_item(view: GroupView, planned: PlannedItem) -> PlannedItem:
    """The item of a tutorial with its expected answers, where the test set has them.

    One translation alone on the screen has those of its own tag; otherwise the segment's count,
    if it names the systems that are shown, in this order. Answers to questions of other protocols
    are left out, since tasks and campaigns share their tutorial. Raises `InputError`.
    """
    try:
        gold, protocol = _gold(planned), view.request.protocol
        if gold is None or gold.protocol not in ("", protocol.name) or planned.degraded_texts:
            return planned
        # not those within another question, whose answers are part of that question's
        questions = {one.id: one for stage in protocol.stages for one in stage.questions}
        item = view.item(planned, name="")
        expected = {
            name: questions[name].check(answer, item)
            for name, answer in gold.answers.items()
            if name in questions
        }
    except InputError as error:
        key = dict(zip(("document", "segment"), planned.passage.key, strict=True))
        raise InputError(
            problem.changed(**key) for problem in replaced(error, field=GOLD)
        ) from None
    return replace(planned, expected=expected, because=gold.because if expected else "")


def _gold(planned: PlannedItem) -> GoldAnswers | None:
    segment, shown = planned.passage.segment, list(planned.systems)
    own = segment.translations[shown[0]].tags.get(GOLD) if len(shown) == 1 else None
    if own is not None:
        return read_gold(own)
    if planned.passage.gold is None:
        return None
    gold = read_gold(planned.passage.gold)
    return gold if gold.systems in (None, shown) else None
