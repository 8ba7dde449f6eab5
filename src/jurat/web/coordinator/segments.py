"""The segments of a campaign: found by their words, and each with all that was said of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.faults import FaultyInput
from jurat.model import Segment, TestSet
from jurat.web.coordinator.desk import Desk, coordinators

PAGE = 100
"""Segments on a page."""
SAID = ("value", "label", "outcome", "rank", "text", "category", "severity")
"""Columns of the long tables that hold an answer."""


class Found(NamedTuple):
    """A segment of the list."""

    document: str
    segment: str
    text: str


@coordinators
async def every(desk: Desk) -> Response:
    """All segments by document, or those in which some words stand."""
    given = desk.request.query_params
    words, document = given.get("words", "").strip(), given.get("document", "")
    test_set: TestSet = await desk.call(desk.service.test_set, desk.campaign)
    rows = await desk.call(lambda: list(found(test_set, words, document)))
    said = given.get("page", "1")
    page = max(1, int(said)) if said.isdecimal() and len(said) < 7 else 1
    return desk.render(
        "desk/segments.html",
        plan=desk.service.plan(desk.campaign),
        documents=[one.id for one in test_set.documents],
        rows=rows[(page - 1) * PAGE : page * PAGE],
        count=len(rows),
        words=words,
        document=document,
        page=page,
        more=len(rows) > page * PAGE,
    )


@coordinators
async def one(desk: Desk) -> Response:
    """A segment: its texts, every judgment, what metrics say; or a whole document."""
    places = desk.request.path_params
    where = places["document"], places.get("segment", "")
    try:
        seen = await desk.call(desk.site.live.segment, desk.campaign, *where)
    except FaultyInput as error:
        raise HTTPException(404) from error
    return desk.render(
        "desk/segment.html",
        plan=desk.service.plan(desk.campaign),
        where=where,
        seen=seen,
        view=seen.found,
        answered=answered,
    )


def found(test_set: TestSet, words: str, document: str) -> Iterator[Found]:
    """The segments of a document, or of all, with these words in a text or in their names."""
    wanted = words.casefold().split()
    for whole, segment in test_set.segments():
        if document in ("", whole.id):
            texts = " ".join((whole.id, segment.id, *_texts(segment))).casefold()
            if all(word in texts for word in wanted):
                yield Found(whole.id, segment.id, next(_texts(segment), ""))


def answered(row: dict[str, object]) -> str:
    """What a row of a long table says, in a few words."""
    if row.get("na"):
        return "n/a"
    given = (row.get(name) for name in SAID)
    return ", ".join(f"{v:g}" if isinstance(v, float) else str(v) for v in given if v is not None)


def _texts(segment: Segment) -> Iterator[str]:
    if segment.source:
        yield segment.source
    yield from segment.references.values()
    yield from (translation.text for translation in segment.translations.values())


routes = [
    Route("/segments", every),
    Route("/segments/{document:path}/", one),
    Route("/segments/{document:path}/{segment}", one),
]
