"""The segments of a campaign: a list with scores that can be searched, and a page for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.monitoring.segment_scores import Place, SegmentScore, SegmentScores
from jurat.model import Segment, TestSet
from jurat.results import decimals
from jurat.web.coordinator.page_context import StaffVisit, coordinators

# Segments on one page of the list.
PAGE_SIZE = 100
# Columns of the long tables that can hold an answer.
ANSWER_COLUMNS = ("value", "label", "outcome", "rank", "text", "category", "severity")


# Columns of the list that can be sorted by; those of systems are `system:NAME`.
COLUMNS: dict[str, Callable[[SegmentScore], object]] = {
    "mean": lambda one: one.mean,
    "spread": lambda one: one.spread,
    "disagreement": lambda one: one.disagreement,
    "n": lambda one: one.n,
}
OF_SYSTEM = "system:"


class SegmentRow(NamedTuple):
    """A row of the list; the text is the source, else a reference."""

    number: int
    """Its place in the test set."""
    document: str
    segment: str
    text: str


@coordinators
async def show_list(visit: StaffVisit) -> Response:
    """All segments with their scores, or those of a document or with some words."""
    given = visit.request.query_params
    words, document = given.get("words", "").strip(), given.get("document", "")
    results = visit.service.monitoring.results
    cached = await visit.results_of(results.segment_scores, given.get("question", ""))
    test_set: TestSet = await visit.call(visit.service.campaigns.test_set, visit.campaign)
    scores = cached.value.scores if cached.value else {}
    columns = _columns(cached.value)
    # in a thread: it goes through all texts of the test set
    rows = await visit.call(
        lambda: visit.sorted(search(test_set, words, document), columns, first="place")
    )
    page = visit.page_number()
    return visit.render_results(
        "coordinator/segments.html",
        cached,
        documents=[one.id for one in test_set.documents],
        # all scores alike, so that the columns line up
        places=decimals(max((one.mean for one in scores.values()), key=abs, default=0.0)),
        score=lambda row: scores.get((row.document, row.segment)),
        rows=rows[(page - 1) * PAGE_SIZE : page * PAGE_SIZE],
        count=len(rows),
        words=words,
        document=document,
        page=page,
        more=len(rows) > page * PAGE_SIZE,
    )


def _columns(found: SegmentScores | None) -> dict[str, Callable[[SegmentRow], object]]:
    """What the list can be sorted by: the place in the test set, and the scores."""
    scores: Mapping[Place, SegmentScore] = found.scores if found else {}

    def of(value: Callable[[SegmentScore], object]) -> Callable[[SegmentRow], object]:
        def key(row: SegmentRow) -> object:
            score = scores.get((row.document, row.segment))
            return None if score is None else value(score)

        return key

    def of_system(name: str) -> Callable[[SegmentRow], object]:
        return of(lambda score: score.by_system.get(name))

    return {
        "place": lambda row: row.number,
        **{name: of(value) for name, value in COLUMNS.items()},
        **{f"{OF_SYSTEM}{name}": of_system(name) for name in (found.systems if found else ())},
    }


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
    for number, (whole, segment) in enumerate(test_set.segments()):
        if document in ("", whole.id):
            # wanted words contain no spaces, so none can match across two texts
            texts = " ".join((whole.id, segment.id, *_texts(segment))).casefold()
            if all(word in texts for word in wanted):
                yield SegmentRow(number, whole.id, segment.id, next(_texts(segment), ""))


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
