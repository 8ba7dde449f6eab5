"""Questions about a passage, each with its options."""

from __future__ import annotations

from starlette.datastructures import FormData

from jurat.campaigns import Screen
from jurat.protocols.questions import Question
from jurat.web.judge.inputs import Input, field


class ReadingInput(Input):
    """Radio buttons for each question."""

    name = "reading"
    template = "reading"

    def read(self, form: FormData, question: Question, screen: Screen) -> object:
        """The number of the option for each question; None until all have one."""
        sent = [form.get(field(question, n)) for n, _ in enumerate(screen.comprehension, 1)]
        numbers = [int(one) for one in sent if str(one).isdecimal()]  # type: ignore[arg-type]
        return numbers if len(numbers) == len(sent) else None
