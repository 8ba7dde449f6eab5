"""The first screen of a campaign: is it going well, and what runs."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from jurat.web.coordinator.desk import Desk, coordinators


@coordinators
async def show(desk: Desk) -> Response:
    """How far it is, phase by phase, with what can be done about it."""
    progress = await desk.call(desk.service.progress, desk.campaign)
    waiting = await desk.call(desk.service.accounts.waiting, desk.campaign)
    evaluated = [phase for phase in progress.phases if phase.phase == "evaluation"]
    seen = [tally.last for tally in progress.judges if tally.last]
    return desk.render(
        "desk/front.html",
        plan=desk.service.plan(desk.campaign),
        phases=progress.phases,
        done=sum(phase.decisions for phase in evaluated),
        wanted=sum(phase.wanted_decisions for phase in evaluated),
        judges=len({tally.judge for tally in progress.judges if tally.decisions}),
        accounts=sum(
            one.role == "judge" and not one.disabled
            for one in await desk.call(desk.service.store.judges, desk.campaign)
        ),
        last=max(seen, default=None),
        waiting=len(waiting),
    )


routes = [Route("/", show)]
