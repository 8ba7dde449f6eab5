"""The audit log of a campaign: what was done, by whom and when."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from jurat.web.coordinator.page_context import StaffVisit, coordinators

# Entries on a page, the newest first.
PAGE_SIZE = 200


@coordinators
async def show(visit: StaffVisit) -> Response:
    """The entries, newest first, also judges' messages to the coordinator."""
    entries = await visit.call(visit.service.campaigns.audit_log, visit.campaign)
    only = visit.request.query_params.get("action", "")
    actions = sorted({entry.action for entry in entries})
    chosen = [entry for entry in reversed(entries) if only in ("", entry.action)]
    page = visit.page_number()
    return visit.render(
        "coordinator/audit-log.html",
        entries=chosen[(page - 1) * PAGE_SIZE : page * PAGE_SIZE],
        actions=actions,
        only=only,
        page=page,
        more=len(chosen) > page * PAGE_SIZE,
    )


routes = [Route("/log", show)]
