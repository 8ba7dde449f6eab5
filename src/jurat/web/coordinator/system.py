"""One system: its place, what it does well and badly, its best and its worst segments."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.watching.live import Seen
from jurat.campaigns.watching.system_view import SystemView
from jurat.faults import FaultyInput
from jurat.results import readable
from jurat.web.coordinator import charts
from jurat.web.coordinator.desk import Desk, coordinators


@coordinators
async def show(desk: Desk) -> Response:
    """The system's page."""
    seen = await _seen(desk)
    return desk.render(
        "desk/system.html",
        plan=desk.service.plan(desk.campaign),
        name=desk.request.path_params["name"],
        seen=seen,
        view=seen.found,
        readable=readable,
        charts=charts.edition(),
    )


@coordinators
async def drawn(desk: Desk) -> Response:
    """The figures of its page."""
    seen = await _seen(desk)
    some = seen.found.figures if seen.found else ()
    found = charts.figures(some, "system", desk.language)
    return charts.answer(found, computing=seen.computing)


async def _seen(desk: Desk) -> Seen[SystemView]:
    name = desk.request.path_params["name"]
    try:
        seen: Seen[SystemView] = await desk.call(desk.site.live.system, desk.campaign, name)
    except FaultyInput as error:
        raise HTTPException(404) from error
    return seen


routes = [
    Route("/figures/system/{name:path}", drawn),
    Route("/system/{name:path}", show),
]
