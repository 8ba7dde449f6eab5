"""A slider: a number by dragging, arrow keys, or typing it."""

from __future__ import annotations

from starlette.datastructures import FormData

from jurat.campaigns import Screen
from jurat.protocols.questions import NA, Question
from jurat.web.judge.inputs import Input, field


class SliderInput(Input):
    """A range and, where it may not apply, a box beside it."""

    name = "slider"
    template = "slider"
    same = True

    def read(self, form: FormData, question: Question, screen: Screen) -> object:
        """The number; nothing until the judge has moved it or typed one."""
        if form.get(field(question, "na")):
            return NA
        sent = str(form.get(field(question), "")).strip()
        if not sent:
            return None
        try:
            number = float(sent)
        except ValueError:
            return sent
        return int(number) if number.is_integer() else number
