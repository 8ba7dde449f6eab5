"""What the judgments say so far: headlines, agreement, judges, systems, time, and with filters."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, get_args

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.watching.comparing import Comparison
from jurat.campaigns.watching.filters import Filter
from jurat.campaigns.watching.parts import Part
from jurat.faults import Fault, FaultyInput, refuse, unknown
from jurat.results import readable
from jurat.web.coordinator import charts
from jurat.web.coordinator.desk import Desk, coordinators

if TYPE_CHECKING:
    from jurat.campaigns.watching.live import Seen
    from jurat.campaigns.watching.parts import Results
    from jurat.results import Estimate

PLACES = ("system-score", "system-rank", "system-cluster")
CHOICES = ("task", "judges", "without", "documents", "systems", "where", "ways", "k")
"""Fields of the address that a filter is read from."""
NAMES = ("task", "judges", "without", "documents", "systems")
"""Those of them that name something which there is, or is not."""


class Place(NamedTuple):
    """Where a system stands on a question."""

    system: str
    score: Estimate
    rank: float | None
    cluster: float | None


class Standing(NamedTuple):
    """All systems on one question, best first, and the ends between which their scores lie."""

    question: str
    places: list[Place]
    least: float
    most: float


class Look(NamedTuple):
    """What the page shows: everything, or what a filter leaves beside it."""

    seen: Seen[Results] | Seen[Comparison]

    @property
    def comparison(self) -> Comparison | None:
        """Before and after, where something was chosen."""
        found = self.seen.found
        return found if isinstance(found, Comparison) else None

    @property
    def results(self) -> Results | None:
        """What is looked at."""
        found = self.seen.found
        return found.after if isinstance(found, Comparison) else found


@coordinators
async def show(desk: Desk) -> Response:
    """The first look, or what a filter makes of it."""
    try:
        look = await desk.call(looked, desk)
    except FaultyInput as error:
        return await _page(desk, 422, None, error.faults)
    return await _page(desk, 200, look)


@coordinators
async def drawn(desk: Desk) -> Response:
    """The figures of the same look."""
    look = await desk.call(looked, desk)
    parts = look.results.parts if look.results else {}
    drawn = [charts.figures(some, part, desk.language) for part, some in parts.items()]
    found = {name: figure for some in drawn for name, figure in some.items()}
    return charts.answer(found, computing=look.seen.computing)


@coordinators
async def part(desk: Desk) -> Response:
    """All that one part has to say; what is wrong with a filter is told where filters are."""
    try:
        name, seen = await _whole(desk)
    except FaultyInput:
        return desk.to(f"results?{desk.request.url.query}")
    return desk.render(
        "desk/results-part.html",
        plan=desk.service.plan(desk.campaign),
        part=name,
        seen=seen,
        results=seen.found,
        readable=readable,
        charts=charts.edition(),
    )


@coordinators
async def part_drawn(desk: Desk) -> Response:
    """The figures of a part."""
    name, seen = await _whole(desk)
    some = seen.found.parts[name] if seen.found else ()
    found = charts.figures(some, name, desk.language)
    return charts.answer(found, computing=seen.computing)


async def _whole(desk: Desk) -> tuple[str, Seen[Results]]:
    name = desk.request.path_params["part"]
    if name not in get_args(Part):
        raise HTTPException(404)
    filter_ = await desk.call(chosen, desk)
    return name, await desk.call(desk.site.live.whole, desk.campaign, name, filter_)


def chosen(desk: Desk) -> Filter:
    """The filter that the address has; a name that there is not would leave nothing."""
    given = desk.request.query_params
    filter_ = Filter.read({name: given.getlist(name) for name in CHOICES})
    if any(getattr(filter_, name) for name in NAMES):
        every = _known(desk).items()
        refuse([fault for name, known in every for fault in _strange(name, known, filter_)])
    return filter_


def _known(desk: Desk) -> dict[str, list[str]]:
    """Everything that can be chosen, by the fields of the address."""
    test_set = desk.service.test_set(desk.campaign)
    judges = [one.pin for one in desk.service.store.judges(desk.campaign) if one.role == "judge"]
    return {
        "task": [one.name for one in desk.service.plan(desk.campaign).tasks],
        "judges": judges,
        "without": judges,
        "documents": [one.id for one in test_set.documents],
        "systems": [one.name for one in test_set.systems],
    }


def _strange(name: str, known: Collection[str], filter_: Filter) -> Iterator[Fault]:
    said = getattr(filter_, name)
    for one in (said,) if isinstance(said, str) else said:
        if one and one not in known:
            yield from unknown(name, one, known, field=name).faults


def looked(desk: Desk) -> Look:
    """Everything, or what the address chooses beside it."""
    filter_, live = chosen(desk), desk.site.live
    if filter_.chooses:
        return Look(live.compare(desk.campaign, filter_))
    return Look(live.look(desk.campaign, filter_))


def standings(results: Results) -> Iterator[Standing]:
    """Score, rank and cluster of every system, question by question."""
    scores, ranks, clusters = (_by_place(results, name) for name in PLACES)
    for question in dict.fromkeys(question for question, _ in scores):
        places = [
            Place(system, score, _value(ranks, place), _value(clusters, place))
            for place, score in scores.items()
            for system in [place[1]]
            if place[0] == question and score.value is not None
        ]
        ends = [end for p in places for end in (p.score.low, p.score.value, p.score.high)]
        known = [end for end in ends if end is not None] or [0.0]
        yield Standing(question, places, min(known), max(known))


def _by_place(results: Results, name: str) -> Mapping[tuple[str, str], Estimate]:
    found = results.named(name)
    return {
        (str(e.by.get("question", "")), str(e.by["system"])): e
        for e in (found.estimates if found else ())
        if "system" in e.by and not e.tags
    }


def _value(found: Mapping[tuple[str, str], Estimate], place: tuple[str, str]) -> float | None:
    return found[place].value if place in found else None


def _ways(results: Results | None) -> list[str]:
    """The exclusion rules that the diagnosis of judges knows, in its order."""
    found = results.named("judge-outlier") if results else None
    names = dict.fromkeys(str(e.by.get("way", "")) for e in (found.estimates if found else ()))
    return [name for name in names if name]


async def _page(
    desk: Desk, status: int, look: Look | None, faults: Sequence[Fault] = ()
) -> Response:
    plan = desk.service.plan(desk.campaign)
    known = await desk.call(_known, desk)
    given = desk.request.query_params
    results = look.results if look else None
    before = look.comparison.before if look and look.comparison else results
    asked = {name: given.getlist(name) for name in CHOICES}
    return desk.render(
        "desk/results.html",
        status,
        plan=plan,
        look=look,
        results=results,
        standings=list(standings(results)) if results else [],
        faults=faults,
        asked=asked,
        choosing=any(value for some in asked.values() for value in some),
        judges=known["judges"],
        documents=known["documents"],
        systems=known["systems"],
        ways=list(dict.fromkeys((*_ways(before), *asked["ways"]))),
        query=desk.request.url.query,
        readable=readable,
        charts=charts.edition(),
    )


routes = [
    Route("/results", show),
    Route("/results/figures", drawn),
    Route("/results/{part}", part),
    Route("/results/{part}/figures", part_drawn),
]
