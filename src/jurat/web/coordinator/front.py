"""The first screen of a campaign: is it going well, and what runs."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from jurat.web.coordinator.desk import Desk, coordinators
from jurat.web.coordinator.progress import said


@coordinators
async def show(desk: Desk) -> Response:
    """How far it is, phase by phase, what stands in the way, and what can be done about it."""
    standing = await desk.call(desk.service.standing, desk.campaign)
    here = [one for one in standing.judges if not one.account.disabled]
    return desk.render(
        "desk/front.html",
        plan=desk.service.plan(desk.campaign),
        standing=standing,
        begun=sum(one.decisions > 0 for one in standing.judges),
        accounts=len(here),
        waiting=sum(one.account.pending for one in here),
        flagged=sum(bool(one.remarks) and not one.account.pending for one in here),
        said=lambda remark: said(desk, remark),
    )


routes = [Route("/", show)]
