"""The segments of a campaign: a list that can be searched, and a page for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from starlette.responses import Response
from starlette.routing import Route

from jurat.model import Segment, TestSet
from jurat.web.coordinator.page_context import StaffVisit, coordinators

# Segments on one page of the list.
PAGE_SIZE = 100
# Columns of the long tables that can hold an answer.
ANSWER_COLUMNS = ("value", "label", "outcome", "rank", "text", "category", "severity")


class SegmentRow(NamedTuple):
    """A row of the list; the text is the source, else a reference."""

    document: str
    segment: str
    text: str


@coordinators
async def show_list(visit: StaffVisit) -> Response:
    """All segments, or those of a document or with some words."""
    given = visit.request.query_params
    words, document = given.get("words", "").strip(), given.get("document", "")
    test_set: TestSet = await visit.call(visit.service.campaigns.test_set, visit.campaign)
    # in a thread: it goes through all texts of the test set
    rows = await visit.call(lambda: list(search(test_set, words, document)))
    page = visit.page_number()
    return visit.render(
        "coordinator/segments.html",
        documents=[one.id for one in test_set.documents],
        rows=rows[(page - 1) * PAGE_SIZE : page * PAGE_SIZE],
        count=len(rows),
        words=words,
        document=document,
        page=page,
        more=len(rows) > page * PAGE_SIZE,
    )


@coordinators
async def show_segment(visit: StaffVisit) -> Response:
    """A segment: its texts, every judgment and metric scores; or a whole document."""
    places = visit.request.path_params
    where = places["document"], places.get("segment", "")
    cached = await visit.results_of(visit.service.monitoring.results.segment, *where)
    return visit.render_results(
        "coordinator/segment.html", cached, where=where, format_row=format_row
    )


@coordinators
async def show_flagged(visit: StaffVisit) -> Response:
    """What judges said about items themselves, the latest first."""
    found = await visit.call(visit.service.monitoring.flagged, visit.campaign)
    page = visit.page_number()
    return visit.render(
        "coordinator/flags.html",
        flagged=found[::-1][(page - 1) * PAGE_SIZE : page * PAGE_SIZE],
        page=page,
        more=len(found) > page * PAGE_SIZE,
    )


def search(test_set: TestSet, words: str, document: str) -> Iterator[SegmentRow]:
    """The segments of a document, or of all, that have all words in any of their texts."""
    wanted = words.casefold().split()
    for whole, segment in test_set.segments():
        if document in ("", whole.id):
            # wanted words contain no spaces, so none can match across two texts
            texts = " ".join((whole.id, segment.id, *_texts(segment))).casefold()
            if all(word in texts for word in wanted):
                yield SegmentRow(whole.id, segment.id, next(_texts(segment), ""))


def format_row(row: dict[str, object]) -> str:
    """The answer in a row of a long table, as text."""
    if row.get("na"):
        return "n/a"
    given = (row.get(name) for name in ANSWER_COLUMNS)
    return ", ".join(f"{v:g}" if isinstance(v, float) else str(v) for v in given if v is not None)


def _texts(segment: Segment) -> Iterator[str]:
    if segment.source:
        yield segment.source
    yield from segment.references.values()
    yield from (translation.text for translation in segment.translations.values())


routes = [
    Route("/segments", show_list),
    Route("/flags", show_flagged),
    # ids of documents may contain slashes; an address that ends in one is of the whole document
    Route("/segments/{document:path}/", show_segment),
    Route("/segments/{document:path}/{segment}", show_segment),
]
