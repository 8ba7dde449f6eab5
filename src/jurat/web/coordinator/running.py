"""Starting, stopping and closing: a phase of a task, or everything at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast, get_args

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.service import Action
from jurat.faults import Fault, FaultyInput
from jurat.kits.audit import Finding, NotReady
from jurat.model import Phase
from jurat.web.coordinator.desk import Desk, coordinators
from jurat.web.forms import sent_form

LONGEST = 500
"""Characters of a reason, which judges read."""


@coordinators
async def act(desk: Desk) -> Response:
    """Do what a button says; what keeps a phase from starting is told in full."""
    form = await sent_form(desk)
    action = str(form.get("action", ""))
    task, phase = str(form.get("task", "")) or None, str(form.get("phase", "")) or None
    if action not in get_args(Action) or phase not in (None, *get_args(Phase)):
        raise HTTPException(400)
    try:
        await desk.call(
            desk.service.act,
            desk.campaign,
            cast("Action", action),
            author=desk.person.name,
            task=task,
            phase=cast("Phase | None", phase),
            reason=str(form.get("reason", "")).replace("\0", "").strip()[:LONGEST],
        )
    except NotReady as error:
        return refusal(desk, (), error.findings)
    except FaultyInput as error:
        return refusal(desk, error.faults)
    return desk.to("")


def refusal(desk: Desk, faults: Sequence[Fault], findings: Sequence[Finding] = ()) -> Response:
    """What stands in the way, all of it, on a page of its own."""
    told = [*map(desk.told, faults), *map(desk.found, findings)]
    plan = desk.service.plan(desk.campaign)
    return desk.render("desk/refusal.html", 422, plan=plan, told=told)


routes = [Route("/run", act, methods=["POST"])]
