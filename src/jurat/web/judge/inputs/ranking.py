"""A ranking: cards to be dragged or moved with keys; without a script a list of places each."""

from __future__ import annotations

from starlette.datastructures import FormData

from jurat.campaigns import Screen
from jurat.protocols.questions import Question
from jurat.web.judge.inputs import Input, decoded, field


class RankingInput(Input):
    """A place for each translation."""

    name = "ranking"
    template = "ranking"

    def read(self, form: FormData, question: Question, screen: Screen) -> object:
        """The places in the order of the screen; None until each has one."""
        whole = form.get(field(question, "json"))
        if whole:
            return decoded(str(whole))
        sent = [form.get(field(question, n)) for n, _ in enumerate(screen.translations, 1)]
        places = [int(one) for one in sent if str(one).isdecimal()]  # type: ignore[arg-type]
        return places if len(places) == len(sent) else None
