"""The guidelines of a task, with worked examples for each answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from jurat.i18n import Language
from jurat.protocols.questions import Described, Example, Question
from jurat.web.context import Visit

# The language of guidelines that are not translated.
ENGLISH = "en"


async def show(request: Request) -> Response:
    """The guidelines page, which is open to everyone."""
    visit = Visit(request)
    task = request.path_params["task"]
    plan = visit.service.campaigns.plan(visit.campaign)
    if task not in {one.name for one in plan.tasks}:
        raise HTTPException(404)
    protocol = visit.protocol(task)
    asked = [
        (question, stage.show, [worked(question, one, visit.language) for one in question.examples])
        for stage in protocol.stages
        for outer in stage.questions
        for question in (outer, *outer.nested)
    ]
    # the page marks the language of the text, by which screen readers choose a voice
    translated = (
        protocol.guidelines != visit.service.campaigns.protocol(visit.campaign, task).guidelines
    )
    return visit.render(
        "guidelines.html",
        plan=plan,
        protocol=protocol,
        text=_html(protocol.guidelines),
        written=visit.language.code if translated else ENGLISH,
        asked=asked,
        may_revise=visit.service.judging.may_revise(visit.campaign, task),
        # on the way to the first item of a task
        start=visit.request.query_params.get("start") == "1",
    )


@lru_cache(maxsize=64)
def _html(markdown: str) -> Markup:
    """Markdown as HTML; HTML tags in it are escaped."""
    # imported here: it takes 40 ms, which the start of a server can do without
    from markdown_it import MarkdownIt

    # protocols are uploaded by coordinators: HTML in one must not become part of the page
    return Markup(MarkdownIt("commonmark", {"html": False}).render(markdown))  # noqa: S704


class MarkedPiece(NamedTuple):
    """A piece of a translation; `rank` is that of the severity if an error is marked in it."""

    text: str
    rank: int | None = None


class Worked(NamedTuple):
    """An example, ready for the page: its translations in pieces, and its answer in words."""

    example: Example
    texts: Sequence[Sequence[MarkedPiece]]
    answer: Described


def worked(question: Question, example: Example, language: Language) -> Worked:
    """An example in the words of the question and of the judge's language."""
    answer = question.describe(example, language.say)
    first, *rest = example.translations
    texts = [list(_marked(first, answer.marks)), *([MarkedPiece(text)] for text in rest)]
    return Worked(example, texts, answer)


def _marked(text: str, marks: Sequence[tuple[int, int, int]]) -> Iterator[MarkedPiece]:
    """The text in pieces; of stretches that overlap, the first is marked."""
    at = 0
    for start, end, rank in sorted(marks):
        if start < at:
            continue
        yield MarkedPiece(text[at:start])
        yield MarkedPiece(text[start:end], rank)
        at = end
    yield MarkedPiece(text[at:])
