"""The guidelines of a task, with an example for each answer."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from jurat.web.context import Visit
from jurat.web.judge.guideline_examples import worked

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
