"""The first screen of a campaign: is it going well, and what runs.

Starting, stopping and closing: a phase of a task, or everything at once.
"""

from __future__ import annotations

from typing import cast, get_args

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from jurat.campaigns.lifecycle import Action
from jurat.errors import InputError
from jurat.kits.findings import NotReady
from jurat.model import Phase
from jurat.web.coordinator.page_context import StaffVisit, coordinators
from jurat.web.forms import sent_form


@coordinators
async def show(visit: StaffVisit) -> Response:
    """How far it is, phase by phase, what stands in the way, and what can be done about it."""
    status = await visit.call(visit.service.monitoring.status, visit.campaign)
    here = [one for one in status.judges if not one.account.disabled]
    return visit.render(
        "coordinator/overview.html",
        campaign_status=status,
        begun=sum(one.decisions > 0 for one in status.judges),
        accounts=len(here),
        waiting=sum(one.account.pending for one in here),
        flagged=sum(bool(one.remarks) and not one.account.pending for one in here),
    )


# Characters of a reason, which judges read.
MAX_REASON = 500


@coordinators
async def change_phases(visit: StaffVisit) -> Response:
    """Do what a button says; what keeps a phase from starting is told in full."""
    form = await sent_form(visit)
    action = str(form.get("action", ""))
    task, phase = str(form.get("task", "")) or None, str(form.get("phase", "")) or None
    if action not in get_args(Action) or phase not in (None, *get_args(Phase)):
        raise HTTPException(400)
    try:
        await visit.call(
            visit.service.campaigns.change_phases,
            visit.campaign,
            cast("Action", action),
            author=visit.person.name,
            task=task,
            phase=cast("Phase | None", phase),
            reason=str(form.get("reason", "")).replace("\0", "").strip()[:MAX_REASON],
        )
    except NotReady as error:
        return visit.refuse((), error.findings)
    except InputError as error:
        return visit.refuse(error.problems)
    return visit.redirect_to_page("")


routes = [
    Route("/", show),
    Route("/run", change_phases, methods=["POST"]),
]
