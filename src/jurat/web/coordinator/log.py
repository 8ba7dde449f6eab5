"""What was done to a campaign, by whom and when."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from jurat.web.coordinator.desk import Desk, coordinators

PAGE = 200
"""Entries on a page, the newest first."""


@coordinators
async def show(desk: Desk) -> Response:
    """The audit log; what judges wrote to the coordinator stands in it, too."""
    entries = await desk.call(desk.service.store.audit_log, desk.campaign)
    only = desk.request.query_params.get("action", "")
    actions = sorted({entry.action for entry in entries})
    chosen = [entry for entry in reversed(entries) if only in ("", entry.action)]
    page = _number(desk.request.query_params.get("page", "1"))
    return desk.render(
        "desk/log.html",
        plan=desk.service.plan(desk.campaign),
        entries=chosen[(page - 1) * PAGE : page * PAGE],
        actions=actions,
        only=only,
        page=page,
        more=len(chosen) > page * PAGE,
    )


def _number(said: str) -> int:
    return max(1, int(said)) if said.isdecimal() and len(said) < 7 else 1


routes = [Route("/log", show)]
