"""What became of each concept: a row of targets for each."""

from __future__ import annotations

from starlette.datastructures import FormData

from jurat.campaigns import Screen
from jurat.protocols.questions import Question
from jurat.web.judge.inputs import Input, field


class ConceptsInput(Input):
    """Radio buttons for each concept."""

    name = "concepts"
    template = "concepts"

    def read(self, form: FormData, question: Question, screen: Screen) -> object:
        """An outcome for each concept; None until all have one."""
        sent = [form.get(field(question, n)) for n, _ in enumerate(screen.concepts, 1)]
        return [str(one) for one in sent] if all(sent) else None
