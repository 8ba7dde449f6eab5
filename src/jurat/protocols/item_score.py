"""An item's score from a judge's answers to several questions, by the rule of the protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from jurat.model import Item
from jurat.protocols.questions import TOLERATED, Answer, Question


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """How the score is computed from the answers; higher is better.

    `mean`: the mean of the questions' numbers. `share`: their sum divided by the sum of their
    maxima. Answers that are not applicable or were not asked for do not count.
    """

    rule: Literal["mean", "share"]
    questions: tuple[str, ...]

    def of(
        self, answers: Mapping[str, Answer], item: Item, asked: Mapping[str, Question]
    ) -> float | None:
        """The score of checked answers; None if nothing was applicable.

        `asked` are the protocol's questions by id.
        """
        given = [(asked[q], answers[q]) for q in self.questions if q in answers]
        numbers = [(question.number(a, item), question.maximum(a, item)) for question, a in given]
        counted = [(number, top) for number, top in numbers if number is not None]
        if not counted:
            return None
        total = sum(number for number, _ in counted)
        if self.rule == "mean":
            return total / len(counted)
        # each answer's maximum, since it may depend on the item (how many concepts it has)
        return total / top if (top := sum(top or 0.0 for _, top in counted)) else None

    def tolerance(self, asked: Mapping[str, Question]) -> float:
        """How far apart two scores may be before an adjudicator has to decide."""
        if self.rule == "share":
            return TOLERATED
        return max(asked[name].tolerance for name in self.questions)
