"""Words of the judge's own."""

from __future__ import annotations

from starlette.datastructures import FormData

from jurat.campaigns import Screen
from jurat.protocols.questions import Question
from jurat.web.judge.inputs import Input, field


class TextInput(Input):
    """A field of several lines."""

    name = "text"
    template = "text"
    same = True

    def read(self, form: FormData, question: Question, screen: Screen) -> object:
        """The text, with the line ends of ours instead of the form's."""
        sent = str(form.get(field(question), "")).replace("\r\n", "\n")
        return sent if sent.strip() else None
