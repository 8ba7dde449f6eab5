"""Simulated judges who come over HTTP: one like the page's script, one like a plain form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jurat.bots import Bot, Truth
from jurat.campaigns import Service
from jurat.protocols import Protocol
from jurat.protocols.questions import NA, Question
from jurat.protocols.questions.each import Each
from tests.web.website import Visitor

KEY = re.compile(r'data-key="([^"/]+)/(\d+)"')
HIDDEN = re.compile(r'<input type="hidden" name="(form_key|assignment|position)" value="([^"]*)"')
MOST = 200
"""Steps after which something does not end."""


class Player:
    """A bot behind a browser; what he perceives is looked up where people cannot look."""

    def __init__(self, visitor: Visitor, service: Service, campaign: str, judge: str, truth: Truth):
        self.visitor = visitor
        self._service = service
        self._campaign = campaign
        self._judge = judge
        self._truth = truth
        self._bot = Bot(name=judge)
        self._made = 0

    def answers(self, assignment: str, position: int) -> tuple[Protocol, dict[str, object]]:
        turn = self._service.judging.step(self._campaign, self._judge, assignment, position)
        protocol = self._service.campaigns.protocol(self._campaign, turn.task)
        self._made += 1
        given = self._bot.answers(
            protocol,
            turn.item,
            position=self._made,
            truth=self._truth,
            stage=turn.stage,
            earlier=turn.earlier,
        )
        return protocol, dict(given)

    def play_as_script(self) -> int:
        """Judge through the JSON door, with drafts and steps ahead, until there is nothing more."""
        page = self.visitor.get("judge?go-on=1")
        headers = {"x-form-key": dict(HIDDEN.findall(page.text)).get("form_key", "")}
        html, client = page.text, self.visitor.client
        for made in range(MOST):
            found = KEY.search(html)
            if not found:
                return made
            assignment, position = found[1], int(found[2])
            if position == 1:
                self.visitor.get(f"api/ahead/{assignment}/{position}")
            _, answers = self.answers(assignment, position)
            body = {"assignment": assignment, "position": position, "answers": answers}
            for method, path, more in (("PUT", "draft", {}), ("POST", "decide", {"go_on": True})):
                told = client.request(
                    method, f"{self.visitor.base}api/{path}", json=body | more, headers=headers
                )
                self.visitor.seen.append(told)
                assert told.status_code in (200, 204), told.text
            after = told.json()["next"]
            # after a kit its judge decides whether to begin another
            html = after["html"] if "html" in after else self.visitor.get("judge?go-on=1").text
        raise AssertionError("this kit does not end")

    def play_as_form(self) -> int:
        """Judge by plain forms until there is nothing more."""
        page = self.visitor.get("judge?go-on=1")
        for made in range(MOST):
            found = KEY.search(page.text)
            if not found:
                return made
            protocol, answers = self.answers(found[1], int(found[2]))
            sent = dict(HIDDEN.findall(page.text)) | fields(protocol, answers)
            page = self.visitor.client.post(f"{self.visitor.base}judge?go-on=1", data=sent)
            self.visitor.seen += [*page.history, page]
            assert page.status_code == 200, page.text
            if not KEY.search(page.text):
                page = self.visitor.get("judge?go-on=1")
        raise AssertionError("this kit does not end")


def fields(protocol: Protocol, answers: Mapping[str, object]) -> dict[str, str]:
    """Answers as the fields of a plain form."""
    asked = ((protocol.questions[name], answer) for name, answer in answers.items())
    return {name: value for question, answer in asked for name, value in _fields(question, answer)}


def _fields(question: Question, answer: Any) -> Iterator[tuple[str, str]]:
    name = f"q.{question.id}"
    if isinstance(question, Each):
        for slot, given in enumerate(answer, 1):
            for one in question.questions:
                if one.id in given:
                    yield from _fields(question.at(slot, one), given[one.id])
    elif question.name == "spans":
        yield f"{name}.looked", "1"
        yield from _rows(name, answer)
    elif isinstance(answer, list):
        yield from ((f"{name}.{n}", str(one)) for n, one in enumerate(answer, 1))
    elif question.name == "slider" and answer == NA:
        yield f"{name}.na", "1"
    else:
        yield name, str(answer)


def _rows(name: str, spans: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    for n, span in enumerate(spans, 1):
        place = f"{span['start']}-{span['end']}"
        yield from ((f"{name}.{n}.{end}", place) for end in ("from", "to"))
        yield f"{name}.{n}.severity", span["severity"]
        yield f"{name}.{n}.category", span["category"] or ""
