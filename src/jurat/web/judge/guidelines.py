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

# What guidelines are written in that have no words in the judge's language.
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
        for question in stage.questions
    ]
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
    )


@lru_cache(maxsize=64)
def _html(markdown: str) -> Markup:
    """Markdown as HTML; tags in it are shown, not obeyed."""
    # a seventh of the start of a server, for a page that few read first
    from markdown_it import MarkdownIt

    return Markup(MarkdownIt("commonmark", {"html": False}).render(markdown))  # noqa: S704


class Piece(NamedTuple):
    """A piece of a translation; where an error is marked, with the look of its severity."""

    text: str
    rank: int | None = None


class Worked(NamedTuple):
    """An example, ready for the page: its translations in pieces, and its answer in words."""

    example: Example
    texts: Sequence[Sequence[Piece]]
    answer: Described


def worked(question: Question, example: Example, language: Language) -> Worked:
    """An example in the words of the question and of the judge's language."""
    answer = question.describe(example, language.say)
    first, *rest = example.translations
    texts = [list(_marked(first, answer.marks)), *([Piece(text)] for text in rest)]
    return Worked(example, texts, answer)


def _marked(text: str, marks: Sequence[tuple[int, int, int]]) -> Iterator[Piece]:
    """The text in pieces; of stretches that overlap, the first is marked."""
    at = 0
    for start, end, rank in sorted(marks):
        if start < at:
            continue
        yield Piece(text[at:start])
        yield Piece(text[start:end], rank)
        at = end
    yield Piece(text[at:])
