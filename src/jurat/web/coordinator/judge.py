"""One judge: how he uses the scale, how long he takes, and how he compares with the others."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.faults import FaultyInput
from jurat.web.coordinator.desk import Desk, coordinators
from jurat.web.coordinator.segments import answered


@coordinators
async def show(desk: Desk) -> Response:
    """The judge's page."""
    pin = desk.request.path_params["pin"]
    try:
        seen = await desk.call(desk.site.live.judge, desk.campaign, pin)
    except FaultyInput as error:
        raise HTTPException(404) from error
    return desk.render(
        "desk/judge.html",
        plan=desk.service.plan(desk.campaign),
        pin=pin,
        seen=seen,
        view=seen.found,
        answered=answered,
    )


routes = [Route("/judge/{pin}", show)]
